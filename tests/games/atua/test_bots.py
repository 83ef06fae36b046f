"""The bots' evaluation of Atua (`evaluate`)."""

from math import isfinite
from random import Random

import pytest

import atoll
from atoll.bots import RandomBot, bot
from atoll.engine import Position, SeatView
from atoll.engine import save as saves
from atoll.games.atua.evaluate import choice_values, expected_scores

from .tables import at, begin, first_placement, island, numbers, solo

GAME = atoll.games["atua"]


def play(names: list[str], seed: int) -> Position:
    """A game between bots."""
    position = GAME.new(len(names), seed=seed)
    bots = [bot(GAME, name) for name in names]
    while not position.over:
        seat = position.to_move[0]
        player, number = bots[seat], seed * 1000 + position.sequence
        if isinstance(player, RandomBot):
            position.apply(player.pick(position.legal_choices(seat), number), seat)
        else:
            position.apply(player.choose(SeatView(position, seat), 1.0, number), seat)
    return position


@pytest.mark.parametrize("seats", [1, 2, 5])
def test_every_decision_is_weighed_and_nothing_is_changed(seats: int) -> None:
    prompts = set()
    for seed in range(3):
        position = GAME.new(seats, seed=seed)
        rng = Random(seed)
        while not position.over:
            seat = position.to_move[0]
            ask = position.decision(seat)
            before = saves.encode_state(position.state)
            values = choice_values(position.state, ask)
            assert len(values) == len(ask.choices)
            assert all(isfinite(value) for value in values)
            assert all(isfinite(value) for value in expected_scores(position.state))
            assert saves.encode_state(position.state) == before
            prompts.add(ask.prompt)
            position.apply(rng.choice(position.legal_choices(seat)), seat)
    common = {"place", "window"}
    assert prompts == common | ({"take_side", "other"} if seats == 1 else {"take", "fate", "resident"})


def test_at_the_end_the_estimate_is_the_score() -> None:
    position = play(["random"] * 3, 1)
    assert expected_scores(position.state) == position.scores()


def test_in_the_last_turn_placements_are_weighed_exactly() -> None:
    """The value of each placement differs from the final score by the same number."""
    for seed in range(4):
        position = GAME.new(2, {"residents": False, "fates": False}, seed=seed)
        rng = Random(seed)
        while position.state.turn < 17 or position.decision(position.to_move[0]).prompt != "place":
            seat = position.to_move[0]
            position.apply(rng.choice(position.legal_choices(seat)), seat)
        seat = position.to_move[0]
        ask = position.decision(seat)
        differences = set()
        for choice, value in zip(ask.choices, choice_values(position.state, ask), strict=True):
            tried = position.fork(seed)
            tried.apply(choice, seat)
            assert tried.over
            slot = position.state.held
            coconuts = tried.state.supply[seat] - position.state.supply[seat]
            assert coconuts == position.state.row_coconuts[slot] - slot
            differences.add(round(value - tried.scores()[seat], 6))
        assert len(differences) == 1


def test_a_free_card_is_worth_more_than_a_dear_one_that_is_no_better() -> None:
    table = at(begin(), row=numbers("03 01 02 03"))
    first, *_, last = choice_values(table.state, table.position.decision(0))
    assert first > last


def test_coconuts_on_a_card_count() -> None:
    row = begin(row="03 01 02 04")
    plain = choice_values(row.state, row.position.decision(0))
    rich = at(row, row_coconuts=[0, 0, 4, 0])
    assert choice_values(rich.state, rich.position.decision(0))[2] > plain[2] + 3


def test_a_resident_is_played_in_the_last_round_if_it_gains_anything() -> None:
    table = at(begin(row="11 32 01 03", residents="akroa vaihere"), turn=16, window=2, stacks=[0, 0, 2])
    table.play("p0 take 0").play(f"p0 {first_placement(table, 0)}", "reveal_card island_33")
    play_it, keep_it = choice_values(table.state, table.position.decision(0))
    assert play_it >= keep_it + 6


def test_a_source_that_cannot_grow_is_scored_first() -> None:
    table = at(begin(), placed=[island("1"), island("1")], stacks=[0, 6, 4], phase=2, turn=8, supply=[9, 9])
    values = dict(zip(table.options(0), choice_values(table.state, table.position.decision(0)), strict=True))
    assert max(values, key=values.__getitem__) == "score coconuts"


def test_solo_weighs_what_tahuma_gets() -> None:
    """A card with a volcano is worth seven points more to him, as long as the player has none."""
    gains = []
    for other in ("06", "20"):
        table = solo("11", other).play("p0 take_side left")
        keep, discard = choice_values(table.play(f"p0 {first_placement(table, 0)}").state, table.position.decision(0))
        gains.append(discard - keep)
    assert gains[0] > gains[1]


def test_one_greedy_seat_beats_random_ones() -> None:
    wins = sum(play(["greedy", "random"], seed).ranking()[0] == 1 for seed in range(12))
    assert wins >= 10


@pytest.mark.strength
@pytest.mark.parametrize("seats", [2, 4, 6])
def test_one_greedy_seat_wins_nine_of_ten_games(seats: int) -> None:
    games = 200
    wins = 0
    for seed in range(games):
        names = ["random"] * seats
        names[seed % seats] = "greedy"
        wins += play(names, seed).ranking()[seed % seats] == 1
    assert wins >= 0.9 * games
