"""Preferences of the evaluation, and the strength that they give the greedy bot."""

import pytest

from atoll.engine import SeatView
from atoll.engine.scripted_game import ScriptedGame
from atoll.games.atlandice import GAME
from atoll.games.atlandice.evaluate import choice_values, expected_scores
from atoll.lab.plan import SimulationPlan
from atoll.lab.play import play_game

from .tables import stand
from .test_clock import last_pick
from .test_effects import search


def won_by_greedy(seats: int, games: int) -> float:
    """Return the number of games that a greedy seat wins against random ones; it changes seats."""
    plan = SimulationPlan.make(GAME, seats, {}, ("greedy", *["random"] * (seats - 1)))
    won = 0.0
    for number in range(games):
        row = play_game(plan, number)[-1]
        places = row["places"]
        won += (places[row["bots"].index("greedy")] == 1) / places.count(1)
    return won


def liked(table: ScriptedGame, seat: int) -> str:
    """The choice that the evaluation likes best."""
    values = choice_values(table.state, table.position.decision(seat))
    options = table.options(seat)
    assert len(values) == len(options)
    return options[values.index(max(values))]


def test_it_empties_a_district_whose_majority_it_wins_by_that() -> None:
    stock = {"jewelers": "1 gem", "black_market": "1 weapon"}
    table = stand(4, "1 4 6", stock=stock, holds=["2 gem", "2 gem", "2 gem", "2 gem"])
    assert liked(table, 2) == "search jewelers"


def test_it_takes_the_kind_that_wins() -> None:
    stock = {"black_market": "1 gem 1 book", "library": "1 book"}
    table = stand(4, "6 2 4", stock=stock, holds=["3 gem", "2 book", "2 book", ""], submarine="inn")
    assert liked(table.play("p2 search black_market"), 2) == "take book"


def test_it_takes_an_extra_resource() -> None:
    assert liked(search("library_3"), 2) == "gain library book"


def test_it_gives_the_neutral_player_what_hurts_the_other() -> None:
    stock = {"jewelers": "1 gem", "black_market": "1 tool"}
    table = stand(2, "1 6 6", handed=[1], stock=stock, holds=["", "3 gem", "3 gem"])
    assert liked(table, 0) == "search_neutral jewelers"


def test_it_turns_the_last_die_to_its_inventory() -> None:
    table = stand(4, "3 1", tiles=["inn_3", "jewelers_1"], clock=1, holds=["3 book", "", "", "3 gem"])
    table.play("p3 search inn")
    assert liked(table, 3) == "set_die jewelers 1"


def test_it_donates_what_wins_nothing() -> None:
    table = last_pick(clock=20, holds=["2 gem 1 book", "4 gem 3 book", "5 gem 4 book", ""])
    assert liked(table, 0) == "donate gem 2"


def test_it_keeps_what_wins_something() -> None:
    assert liked(last_pick(clock=20, holds=["2 gem", "1 gem", "", ""]), 0) == "donate gem 0"


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_every_decision_of_a_game_can_be_judged(seats: int) -> None:
    position = GAME.new(seats, seed=seats)
    while not position.over:
        seat = position.to_move[0]
        ask = position.decision(seat)
        before = position.digest()
        values = choice_values(position.state, ask)
        assert len(values) == len(ask.choices)
        assert len(expected_scores(position.state)) == seats
        assert position.digest() == before
        position.apply(ask.choices[values.index(max(values))], seat)
    assert expected_scores(position.state) == position.scores()


def test_a_bot_sees_everything_that_counts() -> None:
    position = stand(4, "1 4 6").position
    assert SeatView(position, 2).sample(1).state == position.state


@pytest.mark.parametrize(("seats", "games", "least"), [(2, 30, 0.8), (4, 24, 0.6)])
def test_greedy_beats_random(seats: int, games: int, least: float) -> None:
    assert won_by_greedy(seats, games) >= least * games


@pytest.mark.strength
@pytest.mark.parametrize(("seats", "least"), [(2, 0.8), (4, 0.6)])
def test_greedy_wins_its_share_of_200_games(seats: int, least: float) -> None:
    assert won_by_greedy(seats, 200) >= least * 200
