"""Upgrades and pyramid (WU-7)."""

import pytest

from atoll.games.wutaki.learn.positions import (
    accept,
    amounts,
    avenge,
    build,
    card,
    hire,
    hold,
    stand,
    state,
    stock,
    table,
    take_board,
    upgrade,
)
from atoll.games.wutaki.scoring import upgrades_done


def test_first_slot_costs_six_the_second_eight_each_brings_four_points() -> None:
    """Rule WU-7.1, ruling R55."""
    s = state(2)
    stock(s, 0, gold=14)
    hire(s, 0, special=1)
    t = table(s).play("p0 visit special upgrade", "p0 upgrade quarry")
    assert (t.state.stock[0][0], t.state.vp[0]) == (8, 9)
    t.play("p0 again", "p0 upgrade quarry")
    assert (t.state.stock[0][0], t.state.vp[0]) == (0, 13)
    assert t.state.markers[3] == [0, 0]
    assert t.state.upgrade_markers[0] == 4


def test_a_place_takes_two_markers() -> None:
    """Rule WU-7.1, ruling R56."""
    s = state(2)
    stock(s, 0, gold=20)
    upgrade(s, 1, "quarry", "quarry")
    t = table(s).play("p0 visit loyal upgrade")
    assert "upgrade quarry" not in t.options(0)


def test_element_cards_cost_eight_resource_cards_ten() -> None:
    """Rule WU-7.1, ruling R55."""
    s = state(2)
    stock(s, 0, gold=9)
    t = table(s).play("p0 visit loyal upgrade")
    assert [option for option in t.options(0) if option.startswith("build")] == [
        f"build tw_{name}" for name in ("fire", "water", "earth", "wind")
    ]
    t.play("p0 build tw_water")
    assert t.state.built[0] == [card("tower_upgrade", "tw_water"), -1]
    assert t.state.stock[0][0] == 1
    assert t.state.vp[0] == 9
    s = state(2)
    stock(s, 0, gold=10)
    t = table(s).play("p0 visit loyal upgrade", "p0 build tw_gold")
    assert t.state.stock[0][0] == 0


def test_tower_has_one_slot_of_each_kind_and_each_card_is_there_once() -> None:
    """Rules WU-7.1 and WU-7.3."""
    s = state(2)
    stock(s, 0, gold=20)
    build(s, 0, "tw_fire")
    build(s, 1, "tw_gold")
    t = table(s).play("p0 visit loyal upgrade")
    assert [option for option in t.options(0) if option.startswith("build")] == [
        f"build tw_{name}" for name in ("sheep", "wood", "oil", "stone")
    ]


def test_without_a_marker_no_upgrade() -> None:
    """Rule WU-7.1, ruling R57."""
    s = state(2)
    stock(s, 0, gold=20)
    s.upgrade_markers[0] = 0
    assert "visit loyal upgrade" not in table(s).options(0)


def test_round_card_and_omen_discounts_add_up() -> None:
    """Rule WU-7.1."""
    s = state(2, round_card="ro_builders_feast")
    stock(s, 0, gold=2)
    hold(s, 0, "om_night_builders")
    t = table(s).play("p0 visit loyal play_omen", "p0 play om_night_builders", "p0 upgrade quarry")
    assert t.state.stock[0][0] == 0
    assert t.state.vp[0] == 9


def test_free_upgrade_of_a_round_place() -> None:
    """Rule WU-7.1."""
    s = state(2, round_card="ro_master_builder")
    stock(s, 0)
    t = table(s).play("p0 visit loyal round_place", "p0 build tw_stone")
    assert t.state.vp[0] == 6


def test_upgrade_as_a_pact_reward_may_be_declined() -> None:
    """Rule WU-8.2."""
    s = state(2)
    accept(s, 0, "earth_14")
    stock(s, 0, sheep=3, stone=3, gold=2)
    t = table(s).play("p0 visit loyal lumberyard", "p0 fulfil earth_14")
    assert t.options(0)[-1] == "pass"
    t.play("p0 pass")
    assert t.state.vp[0] == 10


def test_takeover_replaces_exactly_the_slot() -> None:
    """Rule WU-7.4."""
    s = state(3)
    upgrade(s, 1, "quarry")
    upgrade(s, 2, "quarry", "market")
    upgrade(s, 0, "market")
    hold(s, 0, "om_takeover")
    t = table(s).play("p0 visit loyal play_omen", "p0 play om_takeover")
    assert t.options(0) == ["marker market 1", "marker quarry 1", "marker quarry 2"]
    t.play("p0 marker quarry 1", "draw_vengeance ve_oil")
    assert t.state.markers[3] == [0, 2]
    assert t.state.upgrade_markers == [4, 6, 4]
    assert t.state.vp == [5, 5, 5]


def test_sabotage_lowers_the_level_and_the_price() -> None:
    """Rule WU-7.4, ruling R22."""
    s = state(2)
    upgrade(s, 1, "quarry")
    upgrade(s, 0, "quarry")
    stock(s, 0, gold=6)
    hold(s, 0, "om_sabotage")
    t = table(s).play("p0 visit loyal play_omen", "p0 play om_sabotage", "draw_vengeance ve_oil")
    assert t.state.markers[3] == [0]  # the second one slid into the first slot (R22)
    assert t.state.upgrade_markers[1] == 6
    t.play("p1 visit loyal market")
    assert t.position.to_move == (0,)
    t.play("p0 visit loyal upgrade")
    assert "upgrade quarry" not in t.options(0)  # eight again


def test_own_markers_are_neither_replaced_nor_removed() -> None:
    """Rule WU-7.4."""
    s = state(2)
    upgrade(s, 0, "quarry")
    hold(s, 0, "om_sabotage", "om_takeover")
    assert "visit loyal play_omen" not in table(s).options(0)


# -- WU-7.2 Pyramid ---------------------------------------------------------------------------------------------------

PRICES = (
    {"sheep": 2, "wood": 3},
    {"oil": 4, "stone": 4},
    {"gold": 5, "wood": 3, "stone": 3},
    {"gold": 6, "sheep": 2, "wood": 2, "oil": 2, "stone": 2},
)


@pytest.mark.parametrize(("level", "standard", "extreme"), [(0, 7, 8), (1, 11, 13), (2, 15, 17), (3, 20, 22)])
def test_pyramid_costs_and_points(level: int, standard: int, extreme: int) -> None:
    """Rule WU-7.2."""
    for board, vp in (("standard", standard), ("extreme", extreme)):
        s = state(2, board=board)
        s.pyramid[0] = level
        s.upgrade_markers[0] -= level > 0
        stock(s, 0, **PRICES[level])
        before = sum(s.supply)
        t = table(s).play("p0 visit loyal pyramid")
        assert t.state.pyramid[0] == level + 1
        assert t.state.vp[0] == 5 + vp
        assert amounts(t.state, 0) == {}
        assert sum(t.state.supply) == before + sum(PRICES[level].values())  # paid, not sacrificed
        assert t.state.upgrade_markers[0] == 5


def test_pyramid_needs_its_price() -> None:
    """Rule WU-7.2."""
    s = state(2)
    stock(s, 0, sheep=1, wood=3)
    assert "visit loyal pyramid" not in table(s).options(0)


@pytest.mark.parametrize(("level", "room"), [(0, 4), (1, 3), (2, 2), (3, 1)])
def test_pyramid_has_less_room_towards_the_top(level: int, room: int) -> None:
    """Rule WU-7.2."""
    for seated in (room - 1, room):
        s = state(4)
        s.pyramid = [level] + [level + 1 if seat < seated else 0 for seat in range(3)]
        stock(s, 0, **PRICES[level])
        full = s.pyramid.count(level + 1) >= room
        assert ("visit loyal pyramid" in table(s).options(0)) == (not full)


def test_pyramid_level_by_level_with_the_special_worker_two() -> None:
    """Rule WU-7.2, ruling R58."""
    s = state(2)
    hire(s, 0, special=1)
    stock(s, 0, sheep=2, wood=3, oil=4, stone=4)
    t = table(s).play("p0 visit special pyramid", "p0 again")
    assert t.state.pyramid[0] == 2
    assert t.state.vp[0] == 5 + 18
    assert t.state.upgrade_markers[0] == 5  # one marker moves up


def test_entering_the_pyramid_needs_an_upgrade_marker_climbing_on_does_not() -> None:
    """Rule WU-7.2, ruling R57."""
    s = state(2)
    s.upgrade_markers[0] = 0
    stock(s, 0, sheep=2, wood=3)
    assert "visit loyal pyramid" not in table(s).options(0)
    s = state(2)
    s.upgrade_markers[0] = 0
    s.pyramid[0] = 1
    stock(s, 0, oil=4, stone=4)
    assert "visit loyal pyramid" in table(s).options(0)


def test_pyramid_markers_are_no_upgrades_and_stay() -> None:
    """Rules WU-7.2 and WU-7.5, ruling R23."""
    s = state(2)
    s.pyramid[1] = 2
    s.upgrade_markers[1] -= 1
    assert upgrades_done(s, 1) == 0
    hold(s, 0, "om_sabotage", "om_takeover")
    assert "visit loyal play_omen" not in table(s).options(0)


def test_pyramid_extras_of_the_extreme_board() -> None:
    """Rules WU-7.2 and WU-12.2."""
    s = state(2, board="extreme")
    hold(s, 0, "om_gold_rain")
    stock(s, 0, **PRICES[0])
    t = table(s).play("p0 visit loyal pyramid")
    assert t.options(0) == ["play om_gold_rain", "pass"]
    t.play("p0 play om_gold_rain")
    assert amounts(t.state, 0) == {"gold": 4}

    s = state(2, board="extreme")
    s.pyramid[0] = 1
    stock(s, 0, **PRICES[1])
    t = table(s).play("p0 visit loyal pyramid", "draw_omen om_tax", "draw_omen om_panic", "draw_vengeance ve_fire")
    assert len(t.state.omens[0]) == 2
    assert len(t.state.vengeance[0]) == 1

    s = state(2, board="extreme")
    s.pyramid[0] = 2
    stock(s, 0, **PRICES[2])
    t = table(s).play("p0 visit loyal pyramid", "draw_vengeance ve_fire")
    assert t.position.to_move == (1,)

    s = state(3, board="extreme")
    s.pyramid[0] = 3
    avenge(s, 0, "ve_fire", "ve_oil")
    stock(s, 0, **PRICES[3])
    t = table(s).play("p0 visit loyal pyramid")
    assert t.options(0) == ["to 1", "to 2", "pass"]
    t.play("p0 to 2", "p0 give_vengeance ve_oil")
    assert t.state.vengeance[2] == [card("vengeance", "ve_oil")]
    assert t.state.ender == 0


def test_who_has_cards_is_asked_for_the_pyramid_extra_even_if_none_can_be_played() -> None:
    """Rules WU-7.2 and WU-8.8."""
    s = state(2, board="extreme")
    hold(s, 0, "om_golden_idol")
    stock(s, 0, **PRICES[0])
    t = table(s).play("p0 visit loyal pyramid")
    assert t.options(0) == ["pass"]


def test_sudden_ascent_leaves_out_up_to_three_tokens() -> None:
    """Rule WU-7.2."""
    s = state(2)
    hold(s, 0, "om_sudden_climb")
    stock(s, 0, wood=2)
    t = table(s).play("p0 visit loyal play_omen", "p0 play om_sudden_climb")
    assert t.state.pyramid[0] == 1
    assert amounts(t.state, 0) == {}


def test_fate_offers_a_way_to_return_vengeance_at_each_climb() -> None:
    """Rule WU-9.4, ruling R26."""
    s = state(2, masterboards="asymmetric")
    take_board(s, 0, "fate")
    take_board(s, 1, "thieves")
    hire(s, 0, extra=1, special=1)
    stand(s, 0, "extra", "quarry")
    avenge(s, 0, "ve_fire", "ve_oil")
    stock(s, 0, **PRICES[0])
    t = table(s).play("p0 visit special pyramid")
    assert t.options(0) == ["option 1", "pass"]
    t.play("p0 option 1")
    assert t.options(0) == ["leave extra quarry", "leave special pyramid"]  # also the climbing one (R26)
    t.play("p0 leave special pyramid", "p0 return_vengeance ve_fire")
    assert t.state.vengeance[0] == [card("vengeance", "ve_oil")]
    assert card("vengeance", "ve_fire") in t.state.vengeance_deck
    assert t.position.to_move == (1,)  # no second execution: the worker is gone


def test_fate_offers_nothing_without_worker_or_card() -> None:
    """Rule WU-9.4, ruling R26."""
    for hired, cards in ((1, []), (0, ["ve_fire"])):
        s = state(2, masterboards="asymmetric")
        take_board(s, 0, "fate")
        take_board(s, 1, "thieves")
        hire(s, 0, extra=hired)
        avenge(s, 0, *cards)
        stock(s, 0, **PRICES[0])
        t = table(s).play("p0 visit loyal pyramid")
        assert t.position.to_move == (1,)
