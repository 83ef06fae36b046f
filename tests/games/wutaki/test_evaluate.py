"""The evaluation of Wutaki: its knowledge, and its strength against random play."""

from random import Random

import pytest

from atoll import bots
from atoll.bots import GreedyBot, RandomBot, derive_seed
from atoll.engine import Position, SeatView
from atoll.games.wutaki import GAME
from atoll.games.wutaki.evaluate import choice_values, expected_scores
from atoll.games.wutaki.learn.positions import (
    accept,
    avenge,
    card,
    fill_maw,
    fulfil_some,
    hold,
    lay_permanent,
    stand,
    state,
    stock,
    table,
)
from atoll.games.wutaki.state import WutakiState
from atoll.games.wutaki.valuation import VENGEANCE

OPTION_SETS = [
    {"board": board, "masterboards": masterboards, "player_boards": player_boards}
    for board in ("standard", "extreme")
    for masterboards in ("symmetric", "asymmetric")
    for player_boards in ("a", "b")
]


def best(position: Position) -> str:
    """Return the choice with the highest value."""
    seat = position.to_move[0]
    ask = position.decision(seat)
    values = choice_values(position.state, ask)
    assert len(values) == len(ask.choices)
    return position.text(ask.choices[values.index(max(values))])


def test_gathers_what_open_pacts_need() -> None:
    s = state(2)
    stock(s, 0)
    accept(s, 0, "wind_03")
    position = table(s).position
    ask = position.decision(0)
    values = dict(zip(map(position.text, ask.choices), choice_values(s, ask), strict=True))
    gathering = {place: values[f"visit loyal {place}"] for place in ("merchant", "pasture", "quarry", "lumberyard")}
    assert max(gathering, key=gathering.__getitem__) == "quarry"  # four stone are asked for


def test_fulfils_a_pact_that_can_be_paid() -> None:
    s = state(2)
    accept(s, 0, "fire_03")
    stock(s, 0, wood=4)
    t = table(s).play("p0 visit loyal market")
    assert best(t.position) == "fulfil fire_03"


def test_avoids_a_vengeance_penalty() -> None:
    s = state(2)
    s.masterboard = [card("masterboard", "fate")] * 2  # no bonus in addition to the reward
    s.element[0] = 1
    s.element_pool = [0, 3]
    accept(s, 0, "fire_01")
    avenge(s, 0, "ve_pacts_4", "ve_fire", "ve_workers", "ve_pacts_6", "ve_pacts_8")
    fulfil_some(s, 0, "fire", 2)
    fulfil_some(s, 0, "earth", 2)
    stock(s, 0, oil=3)
    calm = state(2)
    accept(calm, 0, "fire_01")
    stock(calm, 0, oil=3)
    values = [
        choice_values(x, table(x).play("p0 visit loyal draw_omen", "draw_omen om_tax").position.decision(0))
        for x in (s, calm)
    ]
    assert values[0][0] < values[1][0] - 10


def test_gives_the_dearest_vengeance_card_away() -> None:
    s = state(2)
    stock(s, 0, wood=10)
    avenge(s, 0, "ve_wood", "ve_pyramid")
    s.pyramid[0] = 3
    t = table(s).play("p0 visit loyal vp_or_gift", "p0 option 2")
    assert best(t.position) == "give_vengeance ve_pyramid"


def test_pays_with_what_it_does_not_need() -> None:
    s = state(2)
    accept(s, 0, "fire_14")
    hold(s, 0, "om_great_offering")
    stock(s, 0, sheep=8, oil=6)
    t = table(s).play("p0 visit loyal play_omen", "p0 play om_great_offering")
    assert best(t.position) == "pay sheep 8"


def test_plunders_a_full_maw() -> None:
    s = state(2)
    stand(s, 1, "loyal", "village")
    fill_maw(s, wood=8, oil=8, stone=8)
    assert best(table(s).position) == "visit loyal plunder"


def visits(s: WutakiState) -> dict[str, float]:
    """Return the value of each visit of the first seat."""
    ask = table(s).position.decision(0)
    return dict(zip(map(GAME.text, ask.choices), choice_values(s, ask), strict=True))


def test_chases_a_rival_whose_workers_are_many() -> None:
    s = state(2)
    stand(s, 1, "extra", "market")
    few = visits(s)["visit loyal chase"]
    stand(s, 1, "extra", "market")
    values = visits(s)
    assert values["visit loyal chase"] > few + 2
    del values["visit loyal village"]  # the first one to be hired costs nothing
    assert max(values, key=values.__getitem__) == "visit loyal chase"


def test_fears_no_vengeance_while_buka_sleeps() -> None:
    def values(round_card: str) -> dict[str, float]:
        s = state(2, round_card=round_card)
        fill_maw(s, wood=3)
        stand(s, 1, "extra", "market")
        return visits(s)

    awake, asleep = values("ro_old_shrine"), values("ro_sleeping_buka")
    for place in ("plunder", "chase"):
        assert asleep[f"visit loyal {place}"] == pytest.approx(awake[f"visit loyal {place}"] - VENGEANCE)
    assert asleep["visit loyal quarry"] == awake["visit loyal quarry"]


def test_gives_a_pact_only_when_it_can_no_longer_be_fulfilled() -> None:
    s = state(2)
    stock(s, 0)
    stock(s, 1)
    assert visits(s)["visit loyal gift_pact"] < 0
    s.vp = [95, 100]
    s.ender, s.ending, s.last_turns = 1, True, [0]
    values = visits(s)
    assert max(values, key=values.__getitem__).endswith(" gift_pact")


def test_sabotages_early_and_when_vengeance_pays() -> None:
    def worth(s: WutakiState) -> float:
        s.markers[2] = [1]
        s.upgrade_markers[1] -= 1
        hold(s, 0, "om_sabotage")
        t = table(s).play("p0 visit loyal play_omen")
        ask = t.position.decision(0)
        return choice_values(t.position.state, ask)[[GAME.text(each) for each in ask.choices].index("play om_sabotage")]

    late, early, defiant = state(2), state(2), state(2)
    late.vp = [90, 90]
    lay_permanent(defiant, 0, "om_defiance")
    assert worth(late) < 0 < worth(early) < worth(defiant)


def test_builds_for_a_secret_pact() -> None:
    s = state(2)
    stock(s, 0, gold=12)
    aims = state(2)
    stock(aims, 0, gold=12)
    aims.secret_pacts[0] = [card("secret_pact", "sp_full_tower")]
    values = []
    for each in (s, aims):
        t = table(each).play("p0 visit loyal upgrade")
        ask = t.position.decision(0)
        values.append(dict(zip(map(GAME.text, ask.choices), choice_values(t.position.state, ask), strict=True)))
    assert values[1]["build tw_gold"] == pytest.approx(values[0]["build tw_gold"] + 3)
    assert values[1]["upgrade quarry"] == values[0]["upgrade quarry"]


def test_every_option_of_a_game_can_be_weighed() -> None:
    rng = Random(3)
    for number, options in enumerate(OPTION_SETS):
        position = GAME.new(2 + number % 3, options, seed=number, snapshots=False)
        while not position.over:
            seat = position.to_move[0]
            ask = position.decision(seat)
            assert all(isinstance(value, float | int) for value in choice_values(position.state, ask))
            position.apply(rng.choice(position.legal_choices(seat)), seat)
        assert len(expected_scores(position.state)) == position.seats


def share_of_wins(games: int, seats: int, options: dict[str, str]) -> float:
    """Return the share of games that one greedy seat wins against random ones; it changes seats."""
    won = 0
    for number in range(games):
        greedy = number % seats
        position = GAME.new(seats, options, seed=number, snapshots=False)
        rng = Random(number)
        while not position.over:
            seat = position.to_move[0]
            legal = position.legal_choices(seat)
            if seat == greedy and len(legal) > 1:
                values = choice_values(position.state, position.decision(seat))
                choice = legal[values.index(max(values))]
            else:
                choice = rng.choice(legal)
            position.apply(choice, seat)
        won += position.ranking()[greedy] == 1
    return won / games


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_greedy_beats_random(seats: int) -> None:
    assert share_of_wins(16, seats, OPTION_SETS[seats]) >= 0.9


@pytest.mark.strength
@pytest.mark.parametrize("options", OPTION_SETS, ids=lambda options: "-".join(options.values()))
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_greedy_beats_random_in_all_counts_and_options(seats: int, options: dict[str, str]) -> None:
    assert share_of_wins(200, seats, options) >= 0.9


def test_greedy_bot_plays_from_its_view() -> None:
    position = GAME.new(2, {"board": "extreme"}, seed=4)
    players = (GreedyBot(), RandomBot())
    assert "greedy" in bots.bot_names(GAME)
    while position.state.round < 2 and not position.over:
        seat = position.to_move[0]
        chosen = players[seat].choose(SeatView(position, seat), 1.0, derive_seed(4, position.sequence))
        position.apply(chosen, seat)
    assert position.state.round == 2
