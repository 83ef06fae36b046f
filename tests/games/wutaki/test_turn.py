"""Rounds, turns, visits (WU-3)."""

import pytest

from atoll.games.wutaki import GAME
from atoll.games.wutaki.kinds import MAIN_PLACES
from atoll.games.wutaki.learn.positions import (
    accept,
    amounts,
    at,
    card,
    hire,
    hold,
    show,
    stand,
    state,
    stock,
    table,
    who,
)

FIELDS = {
    # place: fields in use with 2, 3, 4 players; on the extreme board
    "pyramid": ((1, 1, 2), (1, 1, 2)),
    "chase": ((1, 1, 2), (1, 1, 2)),
    "accept_pact": ((2, 2, 3), (2, 2, 3)),
    "gift_pact": ((1, 1, 1), (1, 1, 1)),
    "renew_pacts": ((1, 1, 1), (1, 1, 1)),
    "upgrade": ((1, 1, 2), (1, 1, 2)),
    "merchant": ((2, 3, 4), (1, 2, 3)),
    "pasture": ((2, 3, 4), (1, 2, 3)),
    "market": ((2, 3, 4), (1, 2, 3)),
    "quarry": ((2, 3, 4), (1, 2, 3)),
    "lumberyard": ((2, 3, 4), (1, 2, 3)),
    "village": ((1, 2, 3), (1, 2, 3)),
    "vp_or_gift": ((1, 2, 2), (1, 2, 2)),
    "plunder": ((1, 1, 1), (1, 1, 1)),
    "play_omen": ((2, 3, 4), (3, 4, 5)),
    "draw_omen": ((2, 3, 4), (2, 3, 4)),
    "trade": ((1, 2, 2), (1, 2, 2)),
    "start_player": ((1, 1, 1), (1, 1, 1)),
}


@pytest.mark.parametrize("seats", [2, 3, 4])
@pytest.mark.parametrize("side", [0, 1])
def test_places_per_player_count(seats: int, side: int) -> None:
    """Rule WU-12.1."""
    board = ("standard", "extreme")[side]
    fields = GAME.new(seats, {"board": board}).state.fields
    assert {name: len(fields[index]) for index, name in enumerate(MAIN_PLACES)} == {
        name: both[side][seats - 2] for name, both in FIELDS.items()
    }
    total = {2: (26, 22), 3: (36, 32), 4: (48, 44)}[seats][side]
    assert sum(len(fields[index]) for index in range(len(MAIN_PLACES))) == total


def test_turns_go_clockwise_and_skip_who_has_no_worker() -> None:
    """Rule WU-3.2, ruling R35."""
    s = state(3)
    s.home = [[2, 0, 0], [0, 0, 0], [1, 0, 0]]
    t = table(s).play("p0 visit loyal quarry")
    assert t.position.to_move == (2,)
    t.play("p2 visit loyal quarry")
    assert t.position.to_move == (0,)


def test_round_ends_when_nobody_has_a_worker() -> None:
    """Rules WU-3.1, WU-3.2 and WU-3.3."""
    s = state(2)
    s.home = [[1, 0, 0], [1, 0, 0]]
    stand(s, 1, "loyal", "market")
    t = table(s).play("p0 visit loyal quarry")
    # Seat 1 had its last worker on the market: the round is over, all workers come home.
    s = t.state
    assert s.round == 2
    assert s.home == [[4, 0, 0], [4, 0, 0]]
    assert all(field == -1 for fields in s.fields for field in fields)


def test_hired_workers_stay_hired_over_rounds() -> None:
    """Rule WU-3.3."""
    s = state(2)
    hire(s, 0, extra=2, special=1)
    stand(s, 0, "extra", "market")
    s.home[0] = [1, 1, 1]
    s.home[1] = [0, 0, 0]
    t = table(s).play("p0 visit special quarry", "p0 again", "p0 visit extra quarry", "p0 visit loyal merchant")
    assert t.state.round == 2
    assert t.state.home[0] == [4, 2, 1]
    assert t.state.tower[0] == [0, 2, 0]


def test_round_card_is_replaced_at_round_end() -> None:
    """Rules WU-3.3 and WU-3.10."""
    s = state(2, round_card="ro_gold_vein")
    s.home = [[1, 0, 0], [0, 0, 0]]
    t = table(s).play("p0 visit loyal quarry")
    assert t.state.round_card == -1
    assert t.state.round_discard == [card("round_card", "ro_gold_vein")]
    assert t.state.fields[18] == []
    t.play("draw_round_card ro_caravan")
    assert len(t.state.fields[18]) == 1


def test_game_stops_after_max_rounds() -> None:
    """Rule WU-10.4, ruling R2."""
    s = state(2, max_rounds=10)
    s.round = 10
    s.home = [[1, 0, 0], [0, 0, 0]]
    t = table(s).play("p0 visit loyal quarry")
    assert t.position.over


def test_max_rounds_zero_is_no_guard() -> None:
    """Rule WU-10.4, ruling R2."""
    s = state(2, max_rounds=0)
    s.round = 60
    s.home = [[1, 0, 0], [0, 0, 0]]
    t = table(s).play("p0 visit loyal quarry")
    assert not t.position.over
    assert t.state.round == 61


def test_every_worker_type_may_go_everywhere() -> None:
    """Rule WU-3.9."""
    s = state(2)
    hire(s, 0, extra=1, special=1)
    options = set(table(s).options(0))
    for worker in ("loyal", "extra", "special"):
        assert {f"visit {worker} market", f"visit {worker} trade", f"visit {worker} round_place"} <= options


def test_one_player_may_stand_on_several_fields_of_a_place() -> None:
    """Rule WU-3.9, ruling R33."""
    s = state(2)
    s.home[1] = [0, 0, 0]
    t = table(s).play("p0 visit loyal quarry", "p0 visit loyal quarry")
    assert at(t.state, "quarry") == [who(0, "loyal")] * 2
    assert "visit loyal quarry" not in t.options(0)


def test_a_place_without_a_free_field_cannot_be_visited() -> None:
    """Rule WU-3.9."""
    s = state(2)
    stand(s, 1, "loyal", "village")
    assert "visit loyal village" not in table(s).options(0)


def test_a_place_cannot_be_visited_without_using_it() -> None:
    """Rule WU-3.9, ruling R10."""
    s = state(2)
    options = table(s).options(0)
    for place in ("plunder", "play_omen", "upgrade", "chase", "pyramid"):
        assert f"visit loyal {place}" not in options  # R10: maw and hand are empty, no gold, nobody to chase
    s = state(2)
    s.maw[3] = 1
    s.supply[3] -= 1
    hold(s, 0, "om_gold_rain")
    stock(s, 0, gold=6)
    options = table(s).options(0)
    assert {"visit loyal plunder", "visit loyal play_omen", "visit loyal upgrade"} <= set(options)


def test_marker_bonus_does_not_make_a_visit_legal() -> None:
    """Rule WU-3.9, ruling R10."""
    s = state(2)
    s.markers[1] = [0]  # a bonus of wood at the pasture
    s.upgrade_markers[0] -= 1
    s.stock[1][1] += s.supply[1]
    s.supply[1] = 0
    assert "visit loyal pasture" not in table(s).options(0)


def test_without_a_legal_visit_a_worker_goes_idle() -> None:
    """Rule WU-3.5, ruling R6."""
    s = state(2)
    for fields in s.fields[:19]:
        fields[:] = [who(1, "loyal")] * len(fields)
    hire(s, 0, extra=1)
    t = table(s)
    assert t.options(0) == ["idle loyal", "idle extra"]
    accept(s, 0, "fire_01")
    stock(s, 0, oil=3)
    t = table(s).play("p0 idle extra")
    assert t.state.idle[0] == [0, 1, 0]
    assert t.options(0) == ["fulfil fire_01", "pass"]  # the bonus step still takes place (R6)


def test_idling_is_not_offered_while_a_visit_is_legal() -> None:
    """Rule WU-3.5, ruling R6."""
    assert not [option for option in table(state(2)).options(0) if option.startswith("idle")]


def test_crowding_in_is_never_forced() -> None:
    """Rules WU-3.5 and WU-9.6, ruling R6."""
    s = state(2, player_boards="b")
    s.ability[0] = card("ability", "crowd_in")
    s.ability_pool.remove(s.ability[0])
    for fields in s.fields[:19]:
        fields[:] = [who(1, "loyal")] * len(fields)
    options = table(s).options(0)
    assert "idle loyal" in options
    assert "crowd_in loyal market" in options


def test_special_worker_acts_twice() -> None:
    """Rule WU-3.7."""
    s = state(2)
    stock(s, 0)
    hire(s, 0, special=1)
    t = table(s).play("p0 visit special quarry")
    assert amounts(t.state, 0) == {"stone": 2}
    assert t.options(0) == ["again", "pass"]
    t.play("p0 again")
    assert amounts(t.state, 0) == {"stone": 4}
    assert t.position.to_move == (1,)


def test_second_execution_may_be_declined() -> None:
    """Rule WU-3.7."""
    s = state(2)
    hire(s, 0, special=1)
    t = table(s).play("p0 visit special quarry", "p0 pass")
    assert t.state.stock[0][4] == 3
    assert t.position.to_move == (1,)


def test_second_execution_pays_costs_anew() -> None:
    """Rule WU-3.7."""
    s = state(2)
    s.vp[0] = 4
    hire(s, 0, special=1)
    t = table(s).play("p0 visit special gift_pact", "p0 gift fire_17", "draw_pact fire_01")
    assert t.state.vp[0] == 2
    t.play("p0 again", "p0 gift fire_01", "draw_pact fire_02")
    assert t.state.vp[0] == 0
    assert t.position.to_move == (1,)  # R45: the second one saw the refilled display; no VP are left for more


def test_second_execution_needs_to_be_possible() -> None:
    """Rule WU-3.7."""
    s = state(2)
    s.vp[0] = 3
    hire(s, 0, special=1)
    t = table(s).play("p0 visit special gift_pact", "p0 gift fire_17", "draw_pact fire_01")
    assert t.position.to_move == (1,)


def test_loyal_and_extra_workers_act_once() -> None:
    """Rule WU-3.7."""
    s = state(2)
    hire(s, 0, extra=1)
    t = table(s).play("p0 visit extra quarry")
    assert t.position.to_move == (1,)


def test_start_player_marker_moves_after_the_round() -> None:
    """Rules WU-3.3 and WU-5.6."""
    s = state(2)
    s.home = [[2, 0, 0], [2, 0, 0]]
    stock(s, 1)
    t = table(s).play("p0 visit loyal quarry", "p1 visit loyal start_player")
    assert amounts(t.state, 1) == {"wood": 2}  # two of the own cost marker
    assert t.state.start == 0  # the order of this round doesn't change
    t.play("p0 visit loyal quarry", "p1 visit loyal market")
    assert t.state.start == 1
    t.play("draw_round_card ro_gold_vein")
    assert t.position.to_move == (1,)


def test_start_player_marker_stays_without_a_claim() -> None:
    """Rules WU-3.3 and WU-5.6."""
    s = state(2)
    s.home = [[0, 0, 0], [1, 0, 0]]
    s.active = 1
    t = table(s).play("p1 visit loyal quarry")
    assert t.state.start == 0


def test_claim_stands_when_the_claimant_is_chased() -> None:
    """Rule WU-5.6, ruling R24."""
    s = state(2)
    hire(s, 0, extra=1)
    s.home = [[0, 1, 0], [2, 0, 0]]
    t = table(s).play("p0 visit extra start_player", "p1 visit loyal chase", "draw_vengeance ve_fire", "p1 pass")
    assert at(t.state, "start_player") == [-1]
    t.play("p1 visit loyal quarry")
    assert t.state.start == 0
    assert t.state.round == 2


def test_last_claimant_gets_the_marker() -> None:
    """Rules WU-3.3 and WU-5.6."""
    s = state(3)
    s.start = 2
    s.claimant = 0
    s.home = [[0, 0, 0], [1, 0, 0], [0, 0, 0]]
    s.active = 1
    t = table(s).play("p1 visit loyal start_player")
    assert t.state.start == 1
    assert t.state.claimant == -1


def test_any_number_of_pacts_after_the_worker() -> None:
    """Rule WU-3.8."""
    s = state(2)
    s.counter = 1
    accept(s, 0, "fire_03", "earth_03", "wind_03")
    stock(s, 0, wood=4, sheep=4, stone=4)
    t = table(s).play("p0 visit loyal market")
    assert t.options(0) == ["fulfil fire_03", "fulfil earth_03", "fulfil wind_03", "pass"]
    t.play("p0 fulfil earth_03", "p0 fulfil wind_03")
    assert t.options(0) == ["fulfil fire_03", "pass"]
    t.play("p0 pass")
    assert len(t.state.fulfilled[0]) == 2
    assert t.state.vp[0] == 5 + 14
    assert t.position.to_move == (1,)


def test_a_pact_taken_in_this_turn_may_be_fulfilled() -> None:
    """Rule WU-3.8, ruling R7."""
    s = state(2)
    show(s, "fire_03", "water_17", "earth_17", "wind_17")
    stock(s, 0, wood=4)
    t = table(s).play("p0 visit loyal accept_pact", "p0 accept fire_03", "draw_pact fire_04", "p0 fulfil fire_03")
    assert t.state.fulfilled[0] == [card("pact", "fire_03")]


def test_bonus_step_ends_by_itself_without_anything_to_do() -> None:
    """Rule WU-3.8."""
    s = state(2)
    accept(s, 0, "fire_03")
    t = table(s).play("p0 visit loyal market")
    assert t.position.to_move == (1,)
