"""Workers (WU-4): hiring, chasing, the upkeep and who leaves first, calling back."""

from atoll.engine.scripted_game import ScriptedGame
from atoll.games.wutaki.learn.positions import (
    accept,
    amounts,
    at,
    card,
    hire,
    hold,
    lay_permanent,
    stand,
    state,
    stock,
    table,
    take_board,
    upgrade,
    who,
)
from atoll.games.wutaki.prices import can_hire, hire_price
from atoll.games.wutaki.state import WutakiState
from atoll.games.wutaki.workers import hire as hire_next
from atoll.games.wutaki.workers import next_hire

EXTRA, SPECIAL = 1, 2


def test_hiring_costs_and_order_on_the_standard_board() -> None:
    """Rule WU-4.1."""
    s = state(2)
    stock(s, 0, sheep=8, gold=2)
    hired = []
    while next_hire(s, 0) >= 0:
        hired.append((next_hire(s, 0), hire_price(s, 0, 0, free=False)))
        hire_next(s, 0, 0, free=False)
    assert hired == [(EXTRA, (0, 0)), *[(EXTRA, (2, 0))] * 3, (SPECIAL, (2, 2))]
    assert amounts(s, 0) == {}
    assert s.home[0] == [4, 4, 1]


def test_nothing_is_free_on_the_extreme_board() -> None:
    """Rule WU-4.1, ruling R13."""
    s = state(2, board="extreme")
    stock(s, 0, sheep=8, gold=2)
    hired = []
    while next_hire(s, 0) >= 0:
        hired.append((next_hire(s, 0), hire_price(s, 0, 0, free=False)))
        hire_next(s, 0, 0, free=False)
    assert hired == [*[(EXTRA, (2, 0))] * 3, (SPECIAL, (2, 2))]


def test_special_worker_comes_last_and_after_a_returned_extra_worker() -> None:
    """Rules WU-4.1 and WU-4.4, ruling R39."""
    s = state(2)
    hire(s, 0, extra=4, special=1)
    assert next_hire(s, 0) == -1
    s.tower[0][EXTRA], s.home[0][EXTRA] = 1, 3
    assert next_hire(s, 0) == EXTRA
    assert hire_price(s, 0, 0, free=False) == (2, 0)
    s.tower[0][EXTRA], s.home[0][EXTRA] = 4, 0
    assert hire_price(s, 0, 0, free=False) == (0, 0)  # the first slot again


def test_discounts_add_up_and_leave_the_gold() -> None:
    """Rule WU-4.1."""
    s = state(2, round_card="ro_hiring_day")
    hire(s, 0, extra=4)
    assert hire_price(s, 0, 0, free=False) == (1, 2)
    assert hire_price(s, 0, 1, free=False) == (0, 2)
    assert hire_price(s, 0, 5, free=False) == (0, 2)
    assert hire_price(s, 0, 0, free=True) == (0, 0)


def test_a_worker_that_cannot_be_paid_cannot_be_hired() -> None:
    """Rule WU-4.1."""
    s = state(2)
    hire(s, 0, extra=1)
    stock(s, 0, sheep=1)
    assert not can_hire(s, 0, 0, free=False)
    assert "visit loyal village" not in table(s).options(0)


def test_first_hire_at_the_village_is_due_the_next_ones_are_not() -> None:
    """Rules WU-4.1 and WU-8.2, ruling R14."""
    s = state(2)
    upgrade(s, 1, "village")
    stock(s, 0, sheep=2)
    t = table(s).play("p0 visit loyal village", "p1 bonus sheep")
    assert t.state.home[0] == [3, 1, 0]
    assert t.options(0) == ["hire", "pass"]
    t.play("p0 pass")
    assert t.state.home[0] == [3, 1, 0]


def test_hire_as_a_pact_reward_is_optional_and_costs_the_normal_price() -> None:
    """Rules WU-4.1 and WU-8.2, rulings R14 and R40."""
    s = state(2)
    hire(s, 0, extra=1)
    accept(s, 0, "fire_01")
    stock(s, 0, oil=3, sheep=2)
    t = table(s).play("p0 visit loyal quarry", "p0 fulfil fire_01")
    assert t.options(0) == ["hire", "pass"]
    t.play("p0 hire")
    assert t.state.home[0] == [3, 2, 0]
    assert t.state.stock[0][1] == 0


def test_hired_worker_can_be_used_at_once() -> None:
    """Rule WU-3.2, ruling R5."""
    s = state(2)
    s.home = [[1, 0, 0], [0, 0, 0]]
    stand(s, 0, "loyal", "market")
    s.home[0] = [1, 0, 0]
    t = table(s).play("p0 visit loyal village")
    assert t.position.to_move == (0,)
    assert "visit extra quarry" in t.options(0)


# -- WU-4.2 Chasing ---------------------------------------------------------------------------------------------------


def chase_table(seats: int = 3) -> WutakiState:
    """Seat 1 has an extra and the special worker and a loyal one on the quarry."""
    s = state(seats)
    hire(s, 1, extra=2, special=1)
    stand(s, 1, "extra", "quarry")
    stand(s, 1, "special", "quarry")
    stand(s, 1, "loyal", "quarry")
    return s


def test_chasing_drives_the_whole_group_home_loyal_ones_stay() -> None:
    """Rules WU-4.2 and WU-4.4, ruling R42."""
    s = chase_table()
    t = table(s).play("p0 visit loyal chase", "draw_vengeance ve_fire")
    s = t.state
    assert s.tower[1] == [0, 3, 1]
    assert at(s, "quarry") == [-1, -1, who(1, "loyal")]
    assert s.vengeance[0] == [card("vengeance", "ve_fire")]


def test_chasing_takes_the_place_and_its_action() -> None:
    """Rule WU-4.3, ruling R17."""
    s = chase_table()
    stock(s, 0)
    upgrade(s, 0, "quarry")
    t = table(s).play("p0 visit loyal chase", "draw_vengeance ve_fire")
    assert t.options(0) == ["move_in", "pass"]
    t.play("p0 move_in")
    assert at(t.state, "quarry") == [who(0, "loyal"), -1, who(1, "loyal")]
    assert amounts(t.state, 0) == {"stone": 3, "oil": 1}  # a visit: with the marker bonus
    assert at(t.state, "chase") == [-1]  # free again in this round
    assert t.position.to_move == (1,)


def test_relocation_may_be_declined() -> None:
    """Rule WU-4.3, ruling R17."""
    t = table(chase_table()).play("p0 visit loyal chase", "draw_vengeance ve_fire", "p0 pass")
    assert at(t.state, "chase") == [who(0, "loyal")]
    assert t.state.stock[0][4] == 1


def test_relocation_needs_a_possible_action() -> None:
    """Rule WU-4.3, ruling R17."""
    s = chase_table()
    stock(s, 2, stone=s.supply[4])
    s.supply[4], s.stock[2][4] = 0, s.stock[2][4] + s.supply[4]
    t = table(s).play("p0 visit loyal chase", "draw_vengeance ve_fire")
    assert t.position.to_move == (1,)


def test_group_at_chase_can_be_chased_but_not_relocated_to() -> None:
    """Rule WU-4.3, ruling R17."""
    s = state(4)
    hire(s, 1, extra=1)
    stand(s, 1, "extra", "chase")
    t = table(s).play("p0 visit loyal chase", "draw_vengeance ve_fire")
    assert at(t.state, "chase") == [-1, who(0, "loyal")]
    assert t.position.to_move == (1,)


def test_loyal_workers_cannot_be_chased() -> None:
    """Rule WU-4.2."""
    s = state(2)
    stand(s, 1, "loyal", "quarry")
    assert "visit loyal chase" not in table(s).options(0)


def test_chaser_chooses_among_groups() -> None:
    """Rule WU-4.2."""
    s = chase_table()
    hire(s, 2, extra=1)
    stand(s, 2, "extra", "round_place")
    t = table(s).play("p0 visit loyal chase")
    assert t.options(0) == ["chase quarry 1", "chase round_place 2"]


def test_no_chasing_from_masterboard_places_and_the_idle_zone() -> None:
    """Rule WU-4.2, ruling R16."""
    s = state(2, masterboards="asymmetric")
    take_board(s, 0, "thieves")
    take_board(s, 1, "architects")
    hire(s, 1, extra=2)
    stand(s, 1, "extra", "own_place")
    s.home[1][1], s.idle[1][1] = 0, 1
    assert "visit loyal chase" not in table(s).options(0)


def test_protected_workers_cannot_be_chased() -> None:
    """Rules WU-4.2 and WU-8.9."""
    s = chase_table()
    lay_permanent(s, 1, "om_guardian_spirit")
    assert "visit loyal chase" not in table(s).options(0)


def test_special_worker_that_moved_in_acts_twice_there() -> None:
    """Rule WU-4.3, ruling R18."""
    s = chase_table()
    stock(s, 0)
    hire(s, 0, special=1)
    t = table(s).play("p0 visit special chase", "draw_vengeance ve_fire", "p0 move_in")
    assert amounts(t.state, 0) == {"stone": 2}
    assert t.options(0) == ["again", "pass"]
    t.play("p0 again")
    assert amounts(t.state, 0) == {"stone": 4}
    assert t.position.to_move == (1,)


def test_special_worker_that_stayed_may_chase_again_then_act_once() -> None:
    """Rule WU-4.3, ruling R18."""
    s = chase_table()
    stock(s, 0)
    hire(s, 0, special=1)
    hire(s, 2, extra=1)
    stand(s, 2, "extra", "market")
    t = table(s).play("p0 visit special chase", "p0 chase quarry 1", "draw_vengeance ve_fire", "p0 pass")
    t.play("p0 again", "draw_vengeance ve_wood", "p0 move_in")
    assert amounts(t.state, 0) == {"gold": 3}
    assert t.position.to_move == (1,)
    assert len(t.state.vengeance[0]) == 2


def test_chase_with_an_empty_vengeance_deck_stands() -> None:
    """Rule WU-4.2, rulings R9 and R41."""
    s = chase_table()
    s.vengeance_deck = []
    t = table(s).play("p0 visit loyal chase", "p0 pass")
    assert t.state.tower[1] == [0, 3, 1]


def test_chase_by_a_card_has_no_relocation() -> None:
    """Rule WU-4.2."""
    s = chase_table()
    stock(s, 0)
    hold(s, 0, "om_panic")
    t = table(s).play("p0 visit loyal play_omen", "p0 play om_panic", "draw_vengeance ve_fire")
    assert t.state.tower[1] == [0, 3, 1]
    assert amounts(t.state, 0) == {"gold": 2}
    assert at(t.state, "play_omen")[0] == who(0, "loyal")
    assert t.position.to_move == (1,)


# -- WU-4.6 Upkeep ----------------------------------------------------------------------------------------------------


def reach_upkeep(s: WutakiState) -> ScriptedGame:
    """Seat 0 fulfils a pact that moves the counter to 5."""
    s.counter = 4
    accept(s, 0, "fire_03")
    s.supply[2] -= 4
    s.stock[0][2] += 4
    return table(s).play("p0 visit loyal market", "p0 fulfil fire_03")


def test_upkeep_costs_one_resource_per_hired_worker_placed_or_not() -> None:
    """Rule WU-4.6."""
    s = state(2)
    stock(s, 0, sheep=5)
    hire(s, 0, extra=2, special=1)
    stand(s, 0, "extra", "quarry")
    t = reach_upkeep(s)
    assert t.state.stock[0][1] == 2
    assert t.state.tower[0] == [0, 2, 0]


def test_upkeep_hits_everybody_from_the_start_player_on() -> None:
    """Rule WU-4.6."""
    s = state(3)
    s.start = 1
    for seat, kind in ((0, "sheep"), (1, "wood"), (2, "oil")):
        hire(s, seat, extra=1)
        stock(s, seat, **{kind: 1})
    t = reach_upkeep(s)
    assert [event["seat"] for event in t.events("upkeep")] == [1, 2, 0]
    assert amounts(t.state, 1) == amounts(t.state, 2) == {}


def test_special_worker_leaves_first_wherever_it_is() -> None:
    """Rule WU-4.6, ruling R52."""
    s = state(2)
    stock(s, 0, sheep=2)
    hire(s, 0, extra=2, special=1)
    stand(s, 0, "extra", "quarry")
    t = reach_upkeep(s)
    assert t.state.tower[0] == [0, 2, 1]
    assert t.state.home[0] == [3, 1, 0]


def test_placed_workers_leave_before_available_ones() -> None:
    """Rule WU-4.6, ruling R52."""
    s = state(2)
    stock(s, 0, sheep=1)
    hire(s, 0, extra=2)
    stand(s, 0, "extra", "quarry")
    t = reach_upkeep(s)
    assert at(t.state, "quarry") == [-1, -1]
    assert t.state.home[0] == [3, 1, 0]
    assert t.state.tower[0] == [0, 3, 1]


def test_owner_chooses_between_placed_workers_at_different_places() -> None:
    """Rule WU-4.6, ruling R52."""
    s = state(2)
    stock(s, 1, wood=1)
    hire(s, 1, extra=2)
    stand(s, 1, "extra", "quarry")
    s.idle[1][1], s.home[1][1] = 1, 0
    t = reach_upkeep(s)
    assert t.position.to_move == (1,)
    assert t.options(1) == ["leave extra quarry", "leave extra idle"]
    t.play("p1 leave extra idle")
    assert t.state.tower[1] == [0, 3, 1]
    assert at(t.state, "quarry")[0] == who(1, "extra")


def test_nothing_is_asked_where_all_placed_workers_must_leave() -> None:
    """Rule WU-4.6, ruling R52."""
    s = state(2)
    stock(s, 1)
    hire(s, 1, extra=3)
    stand(s, 1, "extra", "quarry")
    s.idle[1][1], s.home[1][1] = 1, 1
    t = reach_upkeep(s)
    assert t.state.tower[1] == [0, 4, 1]
    assert at(t.state, "quarry") == [-1, -1]
    assert t.position.to_move == (1,)
    assert t.position.decision(1).prompt == "turn"


def test_upkeep_must_be_paid_as_far_as_possible() -> None:
    """Rule WU-4.6, ruling R51."""
    s = state(2)
    stock(s, 0, sheep=1)
    hire(s, 0, extra=2)
    t = reach_upkeep(s)
    assert t.state.stock[0][1] == 0
    assert t.state.tower[0] == [0, 3, 1]


def test_sworn_band_neither_pays_nor_loses() -> None:
    """Rules WU-4.6 and WU-8.9."""
    s = state(2)
    stock(s, 0, sheep=1)
    hire(s, 0, extra=2)
    lay_permanent(s, 0, "om_sworn_band")
    t = reach_upkeep(s)
    assert t.state.stock[0][1] == 1
    assert t.state.tower[0] == [0, 2, 1]


def test_a_worker_hired_by_the_same_pact_must_be_paid_too() -> None:
    """Rule WU-6.6, ruling R47."""
    s = state(2)
    s.counter = 4
    accept(s, 0, "fire_01")
    stock(s, 0, oil=3)
    t = table(s).play("p0 visit loyal quarry", "p0 fulfil fire_01", "p0 hire")
    assert t.state.tower[0] == [0, 4, 1]  # no sheep: gone again (R47)


def test_second_execution_is_lost_when_the_worker_leaves() -> None:
    """Rule WU-3.7, ruling R53."""
    s = state(2, round_card="ro_altar_of_mercy")
    s.counter = 4
    hire(s, 0, special=1)
    accept(s, 0, "fire_03", "wind_03")
    stock(s, 0, wood=4, stone=4)
    t = table(s).play("p0 visit special round_place", "p0 fulfil fire_03", "p0 pay wood 4")
    assert t.state.tower[0][2] == 1
    assert t.state.fields[18] == [-1]
    assert t.options(0) == ["fulfil wind_03", "pass"]  # only the bonus step continues (R53)


# -- calling back -----------------------------------------------------------------------------------------------------


def test_recalled_worker_is_available_again_but_not_the_one_just_placed() -> None:
    """Rules WU-8.6 and WU-8.7."""
    s = state(2)
    stand(s, 0, "loyal", "quarry")
    hold(s, 0, "om_second_wind")
    t = table(s).play("p0 visit loyal play_omen", "p0 play om_second_wind")
    assert at(t.state, "quarry") == [-1, -1]
    assert t.state.home[0] == [3, 0, 0]
    assert at(t.state, "play_omen")[0] == who(0, "loyal")


def test_recall_as_a_pact_reward_may_be_declined() -> None:
    """Rule WU-8.2."""
    s = state(2)
    stand(s, 0, "loyal", "quarry")
    accept(s, 0, "wind_14")
    stock(s, 0, wood=3, stone=2)
    t = table(s).play("p0 visit loyal market", "p0 fulfil wind_14")
    assert t.options(0) == ["recall loyal quarry", "pass"]
    t.play("p0 pass")
    assert t.state.home[0] == [2, 0, 0]


def test_nothing_to_recall_makes_the_omen_impossible() -> None:
    """Rules WU-8.6 and WU-8.7."""
    s = state(2)
    hold(s, 0, "om_second_wind")
    assert "visit loyal play_omen" not in table(s).options(0)
