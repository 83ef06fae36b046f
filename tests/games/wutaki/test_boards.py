"""Masterboards and abilities (WU-9), round cards (WU-3.10, WU-3.11)."""

from random import Random

import pytest

from atoll.games.wutaki import GAME
from atoll.games.wutaki.kinds import PASS
from atoll.games.wutaki.learn.positions import (
    BOX,
    accept,
    amounts,
    at,
    avenge,
    card,
    fill_maw,
    hire,
    hold,
    stand,
    state,
    stock,
    table,
    take_board,
    upgrade,
    who,
)
from atoll.games.wutaki.state import ROUND_START, WutakiState

# -- WU-9.1 to WU-9.4 Masterboards ------------------------------------------------------------------------------------


def boarded(board: str, seats: int = 2, **options: str) -> WutakiState:
    """Seat 0 has this masterboard, the others those that are left."""
    s = state(seats, masterboards="asymmetric", **options)
    names = [board, *(name for name in ("thieves", "fate", "architects", "intelligence") if name != board)]
    for seat in range(seats):
        take_board(s, seat, names[seat])
    return s


def advance(s: WutakiState, space: int, *draws: str) -> WutakiState:
    """Seat 0 fulfils a pact that brings it to a space of its track; what it has left over."""
    s.track[0] = space - 1
    s.counter = 1
    accept(s, 0, "fire_03")
    stock(s, 0, wood=4)
    t = table(s).play("p0 visit loyal quarry", "p0 fulfil fire_03", *draws)
    assert t.state.track[0] == space
    found: WutakiState = t.state
    return found


def test_neutrality_track() -> None:
    """Rule WU-9.1."""
    gained = {}
    for space in range(1, 10):
        s = state(2)
        draws = {3: ["draw_omen om_tax", "draw_omen om_panic"], 7: ["draw_secret_pact sp_most_gold"]}.get(space, [])
        s = advance(s, space, *draws)
        gained[space] = (s.stock[0][0], len(s.omens[0]), s.stock[0][1], len(s.secret_pacts[0]), s.vp[0] - 12)
    nothing = (0, 0, 0, 0, 0)
    assert gained == {
        1: (2, 0, 0, 0, 0),
        2: nothing,
        3: (0, 2, 0, 0, 0),
        4: nothing,
        5: (0, 0, 2, 0, 0),
        6: nothing,
        7: (0, 0, 0, 1, 0),
        8: nothing,
        9: (0, 0, 0, 0, 5),
    }


def test_beyond_the_last_space_of_a_track_nothing_happens() -> None:
    """Rule WU-9.1, ruling R54."""
    s = state(2)
    s.track[0] = 9
    s.counter = 1
    accept(s, 0, "fire_03")
    stock(s, 0, wood=4)
    t = table(s).play("p0 visit loyal quarry", "p0 fulfil fire_03")
    assert t.state.track[0] == 9
    assert t.state.vp[0] == 12


def test_architects_track() -> None:
    """Rule WU-9.1."""
    assert advance(boarded("architects"), 2).stock[0][0] == 3
    assert len(advance(boarded("architects"), 4, "draw_omen om_tax").omens[0]) == 1
    assert advance(boarded("architects"), 6).stock[0][0] == 4
    assert len(advance(boarded("architects"), 8, "draw_vengeance ve_oil").vengeance[0]) == 1
    assert advance(boarded("architects"), 10).vp[0] == 17


def test_architects_own_place_is_cheaper_and_brings_one_point() -> None:
    """Rule WU-9.3."""
    s = boarded("architects")
    stock(s, 0, gold=3)
    t = table(s).play("p0 visit loyal own_place", "p0 upgrade quarry")
    assert amounts(t.state, 0) == {}
    assert t.state.vp[0] == 6
    assert t.state.fields[19] == [who(0, "loyal")]


def test_own_place_is_for_its_owner_only() -> None:
    """Rule WU-9.3."""
    s = boarded("architects")
    stock(s, 1, gold=9)
    s.active = 1
    assert not [option for option in table(s).options(1) if option.endswith("own_place")]


def test_thieves_track_pays() -> None:
    """Rule WU-9.1."""
    s = boarded("thieves")
    s.track[0], s.counter = 2, 1
    accept(s, 0, "fire_03")
    stock(s, 0, wood=4, gold=5)
    t = table(s).play("p0 visit loyal quarry", "p0 fulfil fire_03")
    assert t.state.stock[0][0] == 3
    s = boarded("thieves")
    s.track[0], s.counter = 6, 1
    accept(s, 0, "fire_03")
    stock(s, 0, wood=4, gold=1)
    t = table(s).play("p0 visit loyal quarry", "p0 fulfil fire_03")
    assert t.state.stock[0][0] == 0  # R65: pays what there is


@pytest.mark.parametrize(("seats", "owed"), [(3, 6), (4, 8)])
@pytest.mark.parametrize("space", [3, 7])
def test_thieves_pay_any_kinds_among_three_and_four(seats: int, owed: int, space: int) -> None:
    """Rule WU-9.1."""
    s = state(seats, masterboards="asymmetric")
    for seat, id in enumerate(("thieves", "architects", "intelligence", "fate")[:seats]):
        take_board(s, seat, id)
    s.track[0], s.counter = space - 1, 1
    accept(s, 0, "fire_03")
    stock(s, 0, wood=4, sheep=owed, gold=1)
    t = table(s).play("p0 visit loyal quarry", "p0 fulfil fire_03", "p0 pay gold 0", f"p0 pay sheep {owed}")
    assert amounts(t.state, 0) == {"gold": 1, "stone": 2}


@pytest.mark.parametrize(("seats", "left"), [(2, 5), (3, 2), (4, 1)])
def test_thieves_pay_gold_between_the_raids_among_three_and_four_only(seats: int, left: int) -> None:
    """Rule WU-9.1."""
    s = state(seats, masterboards="asymmetric")
    for seat, id in enumerate(("thieves", "architects", "intelligence", "fate")[:seats]):
        take_board(s, seat, id)
    s.track[0], s.counter = 4, 1
    accept(s, 0, "fire_03")
    stock(s, 0, wood=4, gold=5)
    t = table(s).play("p0 visit loyal quarry", "p0 fulfil fire_03")
    assert t.state.stock[0][0] == left


@pytest.mark.parametrize("space", [2, 6, 9])
def test_raid_takes_all_but_the_fresh_tokens(space: int) -> None:
    """Rule WU-9.2, ruling R25."""
    s = boarded("thieves")
    fill_maw(s, wood=1, oil=2)
    s.track[0], s.counter = space - 1, 1
    accept(s, 0, "fire_03")
    stock(s, 0, wood=4)
    t = table(s).play("p0 visit loyal quarry", "p0 fulfil fire_03")
    assert t.options(0) == ["raid", "pass"]
    t.play("p0 raid")
    assert amounts(t.state, 0) == {"wood": 1, "oil": 2, "stone": 2}
    assert t.state.maw == [0, 0, 4, 0, 0]
    assert t.state.vengeance[0] == []


def test_raid_may_be_declined_and_is_then_gone() -> None:
    """Rule WU-9.2, ruling R25."""
    s = boarded("thieves")
    fill_maw(s, oil=2)
    s.track[0], s.counter = 1, 1
    accept(s, 0, "fire_03")
    stock(s, 0, wood=4)
    t = table(s).play("p0 visit loyal quarry", "p0 fulfil fire_03", "p0 pass")
    assert t.state.maw == [0, 0, 4, 2, 0]
    assert t.position.to_move == (1,)


def test_nothing_to_raid_is_not_asked() -> None:
    """Rule WU-9.2, ruling R25."""
    s = advance(boarded("thieves"), 2)
    assert s.maw == [0, 0, 4, 0, 0]


def test_intelligence_gives_up_another_worker_and_three_omens() -> None:
    """Rules WU-4.5 and WU-9.3, ruling R15."""
    s = boarded("intelligence")
    hire(s, 0, extra=1)
    hold(s, 0, "om_tax", "om_panic", "om_crumbs", "om_visions")
    t = table(s).play("p0 visit loyal own_place", "p0 discard om_visions", "p0 discard om_panic", "p0 discard om_tax")
    assert t.state.multiplier[0] == 1
    assert t.state.tower[0] == [0, 4, 1]
    assert [BOX.ids["omen"][each] for each in t.state.omens[0]] == ["om_crumbs"]


def test_intelligence_cannot_give_up_the_visitor() -> None:
    """Rules WU-4.5 and WU-9.3, ruling R73."""
    s = boarded("intelligence")
    hire(s, 0, extra=1)
    hold(s, 0, "om_tax", "om_panic", "om_crumbs")
    options = table(s).options(0)
    assert "visit loyal own_place" in options
    assert "visit extra own_place" not in options
    s = boarded("intelligence")
    hire(s, 0, extra=1, special=1)
    hold(s, 0, "om_tax", "om_panic", "om_crumbs")
    t = table(s).play("p0 visit special own_place")
    assert t.state.tower[0] == [0, 4, 0]  # the extra one went, and there's nobody for a second time
    assert t.position.to_move == (1,)


def test_multiplier_ends_at_position_three() -> None:
    """Rule WU-9.3."""
    s = boarded("intelligence")
    hire(s, 0, extra=1)
    hold(s, 0, "om_tax", "om_panic", "om_crumbs")
    s.multiplier[0] = 3
    assert "visit loyal own_place" not in table(s).options(0)


# -- WU-9.5 and WU-9.6 Abilities --------------------------------------------------------------------------------------


def able(ability: str, seats: int = 2) -> WutakiState:
    """Seat 0 has this ability."""
    s = state(seats, player_boards="b")
    s.ability[0] = card("ability", ability)
    s.ability_pool.remove(s.ability[0])
    return s


def test_double_action_for_a_loyal_or_extra_worker() -> None:
    """Rules WU-3.7 and WU-9.5."""
    for worker in ("loyal", "extra"):
        s = able("double_action")
        stock(s, 0)
        hire(s, 0, extra=1)
        t = table(s).play(f"p0 visit {worker} quarry")
        assert t.options(0) == ["use double_action", "pass"]
        t.play("p0 use double_action")
        assert amounts(t.state, 0) == {"stone": 4}
        assert t.state.ability_used[0]


def test_double_action_is_not_for_the_special_worker() -> None:
    """Rules WU-3.7 and WU-9.5."""
    s = able("double_action")
    hire(s, 0, special=1)
    t = table(s).play("p0 visit special quarry", "p0 again")
    assert t.position.to_move == (1,)
    assert not t.state.ability_used[0]


def test_abilities_are_used_once() -> None:
    """Rule WU-9.5."""
    s = able("double_action")
    t = table(s).play("p0 visit loyal quarry", "p0 use double_action", "p1 visit loyal market", "p0 visit loyal quarry")
    assert t.position.to_move == (1,)


def test_free_omen_needs_no_worker_before_or_after_the_worker() -> None:
    """Rule WU-9.5."""
    s = able("free_omen")
    stock(s, 0)
    hold(s, 0, "om_gold_rain")
    t = table(s).play("p0 use free_omen", "p0 play om_gold_rain")
    assert amounts(t.state, 0) == {"gold": 4}
    assert t.position.to_move == (0,)
    t.play("p0 visit loyal quarry")
    assert t.position.to_move == (1,)
    s = able("free_omen")
    hold(s, 0, "om_gold_rain")
    t = table(s).play("p0 visit loyal quarry", "p0 use free_omen", "p0 play om_gold_rain")
    assert t.position.to_move == (1,)


def test_free_omen_asks_whoever_holds_cards_so_that_silence_tells_nothing() -> None:
    """Rules WU-3.4 and WU-3.8."""
    s = able("free_omen")
    hold(s, 0, "om_golden_idol")
    t = table(s).play("p0 visit loyal quarry")
    assert t.options(0) == ["pass"]


def test_who_has_thrown_all_omens_away_is_asked_no_more() -> None:
    """Rules WU-3.4 and WU-3.8."""
    s = able("burn_omens")
    hold(s, 0, "om_tax", "om_panic")
    first, second = sorted(card("omen", id) for id in ("om_tax", "om_panic"))
    ids = BOX.ids["omen"]
    t = table(s).play("p0 use burn_omens", f"p0 discard {ids[first]}", f"p0 discard {ids[second]}")
    assert t.state.vp[0] == 5 + 2 * 2
    assert t.position.decision(0).prompt == "turn"


@pytest.mark.parametrize("board", ["standard", "extreme"])
def test_who_can_only_say_no_is_asked_to_keep_a_hand_secret_and_is_told_so(board: str) -> None:
    """Rules WU-3.4 and WU-3.8."""
    rng = Random(3)
    for seed in range(12):
        options = {"board": board, "masterboards": "asymmetric", "player_boards": "b"}
        position = GAME.new(2 + seed % 3, options, seed=seed)
        while not position.over:
            seat = position.to_move[0]
            ask = position.decision(seat)
            if list(ask.choices) == [PASS] and ask.picks is None:
                assert ask.rule == "kept_secret"
                assert position.state.omens[seat]
            position.apply(rng.choice(ask.choices), seat)


def test_last_worker_lost_before_the_placement_leaves_the_bonus_step_only() -> None:
    """Rule WU-3.4, ruling R72."""
    s = able("free_omen")
    hold(s, 0, "om_leniency")
    accept(s, 0, "fire_03", "wind_03")
    stock(s, 0, wood=1, stone=4)
    hire(s, 0, extra=1)
    s.home[0], s.idle[0] = [0, 1, 0], [4, 0, 0]
    s.counter = 4
    t = table(s).play("p0 use free_omen", "p0 play om_leniency", "p0 fulfil fire_03")
    assert t.state.tower[0] == [0, 4, 1]  # nothing to pay the worker with: it's gone (R72)
    assert t.options(0) == ["fulfil wind_03", "pass"]


def test_crowd_in_stands_beside_another_worker() -> None:
    """Rule WU-9.6."""
    s = able("crowd_in")
    stock(s, 0)
    stand(s, 1, "loyal", "village")
    t = table(s).play("p0 crowd_in loyal village")
    assert t.state.guest == [11, 0, who(0, "loyal")]
    assert t.state.home[0] == [3, 1, 0]
    assert t.state.ability_used[0]


def test_crowd_in_chooses_beside_whom() -> None:
    """Rule WU-9.6."""
    s = able("crowd_in", 3)
    stand(s, 1, "loyal", "quarry")
    stand(s, 2, "loyal", "quarry")
    t = table(s).play("p0 crowd_in loyal quarry")
    assert t.options(0) == ["beside 1", "beside 2"]
    t.play("p0 beside 2")
    assert t.state.guest == [9, 1, who(0, "loyal")]


def test_shared_field_stays_occupied_when_one_leaves() -> None:
    """Rule WU-9.6, ruling R43."""
    s = able("crowd_in", 3)
    hire(s, 1, extra=1)
    stand(s, 1, "extra", "village")
    stand(s, 2, "loyal", "village")
    s.home[1] = [0, 0, 0]
    t = table(s).play("p0 crowd_in loyal village", "p0 beside 1", "p2 visit loyal chase", "draw_vengeance ve_oil")
    assert at(t.state, "village") == [who(0, "loyal"), who(2, "loyal")]
    assert t.state.guest == []
    assert t.position.to_move == (0,)  # no free field: no moving in (R43)


def test_a_field_is_shared_by_two_at_most() -> None:
    """Rule WU-9.6."""
    s = able("crowd_in")
    stand(s, 1, "loyal", "village")
    s.guest = [11, 0, who(1, "extra")]
    assert "crowd_in loyal village" not in table(s).options(0)


def test_crowd_in_is_a_visit_with_the_marker_bonus() -> None:
    """Rule WU-9.6."""
    s = able("crowd_in")
    stock(s, 0)
    upgrade(s, 0, "quarry")
    stand(s, 1, "loyal", "quarry")
    t = table(s).play("p0 crowd_in loyal quarry")
    assert amounts(t.state, 0) == {"oil": 1, "stone": 3}


def test_burn_omens_discards_up_to_six_for_two_points_each() -> None:
    """Rule WU-9.5."""
    s = able("burn_omens")
    hold(s, 0, "om_tax", "om_panic", "om_gold_rain", "om_gold_rain")
    t = table(s).play("p0 use burn_omens")
    assert t.options(0) == ["discard om_gold_rain", "discard om_panic", "discard om_tax"]
    t.play("p0 discard om_gold_rain", "p0 discard om_gold_rain", "p0 discard om_tax")
    assert t.options(0) == ["pass"]  # nothing above the last one is left to discard
    t.play("p0 pass")
    assert t.state.vp[0] == 11
    assert [BOX.ids["omen"][each] for each in t.state.omens[0]] == ["om_panic"]


def test_burn_omens_stops_at_six() -> None:
    """Rule WU-9.5."""
    s = able("burn_omens")
    held = [
        "om_golden_idol",
        "om_gold_rain",
        "om_spring_lambs",
        "om_driftwood",
        "om_oil_spring",
        "om_rockfall",
        "om_tax",
    ]
    hold(s, 0, *held)
    t = table(s).play("p0 use burn_omens", *(f"p0 discard {omen}" for omen in held[:6]))
    assert t.state.vp[0] == 17
    assert len(t.state.omens[0]) == 1


def test_cleanse_returns_a_vengeance_card() -> None:
    """Rule WU-9.5."""
    s = able("cleanse")
    avenge(s, 0, "ve_oil")
    t = table(s).play("p0 visit loyal quarry", "p0 use cleanse")
    assert t.state.vengeance[0] == []
    assert card("vengeance", "ve_oil") in t.state.vengeance_deck


def test_free_pact_waives_tokens_and_omens_in_the_bonus_step_only() -> None:
    """Rule WU-9.5, ruling R48."""
    s = able("free_pact")
    stock(s, 0)
    accept(s, 0, "fire_11")
    assert "use free_pact" not in table(s).options(0)
    t = table(s).play("p0 visit loyal quarry", "p0 use free_pact", "draw_omen om_tax", "draw_omen om_panic")
    assert t.state.vp[0] == 18
    assert t.state.maw == [0] * 5
    assert t.state.fulfilled[0] == [card("pact", "fire_11")]


def test_impossible_abilities_are_not_offered() -> None:
    """Rule WU-9.5."""
    for ability in ("burn_omens", "cleanse", "free_omen"):
        assert f"use {ability}" not in table(able(ability)).options(0)


# -- WU-3.10 and WU-3.11 Round cards ----------------------------------------------------------------------------------


def before_round(seats: int = 2, **options: str) -> WutakiState:
    """The start of a round; seat 1 has the start marker."""
    s = state(seats, **options)
    s.round_deck = sorted([*s.round_deck, s.round_card])
    s.round_card = -1
    s.fields[18] = []
    s.phase = ROUND_START
    s.start = 1
    return s


def test_place_cards_open_a_place_for_the_round() -> None:
    """Rules WU-3.10 and WU-3.11."""
    t = table(before_round(3)).play("draw_round_card ro_caravan")
    assert t.state.fields[18] == [-1, -1]
    t.play("p1 visit loyal round_place")
    assert amounts(t.state, 1) == {"gold": 1, "sheep": 2, "wood": 2, "oil": 2, "stone": 2}


def test_instant_for_all_goes_clockwise_from_the_start_player() -> None:
    """Rule WU-3.10."""
    s = before_round(3)
    s.supply[0], s.stock[0][0] = 3, s.stock[0][0] + s.supply[0] - 3
    t = table(s).play("draw_round_card ro_village_gift")
    assert [event["seat"] for event in t.events("gain")] == [1, 2]  # two, one, nothing is left
    assert [event["n"] for event in t.events("gain")] == [2, 1]


def test_chains_of_round_cards() -> None:
    """Rule WU-3.10, ruling R66."""
    s = before_round(2)
    fill_maw(s, wood=3)
    t = table(s).play("draw_round_card ro_whispers", "draw_omen om_tax", "draw_omen om_panic")
    assert omens_of(t.state) == [["om_panic"], ["om_tax"]]
    t.play("draw_round_card ro_digestion")
    assert t.state.maw == [0] * 5
    t.play("draw_round_card ro_tribute_return")
    assert (t.state.stock[0][1], t.state.stock[1][2]) == (3, 3)
    t.play("draw_round_card ro_turning_wind", *(f"draw_pact fire_0{n}" for n in (1, 2, 3, 4)))
    t.play("draw_round_card ro_gold_vein")
    assert t.position.to_move == (1,)
    assert len(t.state.round_discard) == 4


def omens_of(s: WutakiState) -> list[list[str]]:
    return [[BOX.ids["omen"][each] for each in hand] for hand in s.omens]


def test_empty_round_deck_is_made_anew_from_the_discard() -> None:
    """Rule WU-3.10."""
    s = before_round(2)
    s.round_discard, s.round_deck = s.round_deck, []
    t = table(s).play("draw_round_card ro_gold_vein")
    assert len(t.state.round_deck) == 19
    assert t.state.round_discard == []


def test_rich_harvest_yields_one_more_at_every_execution() -> None:
    """Rule WU-3.11."""
    s = state(2, round_card="ro_rich_harvest")
    stock(s, 0)
    hire(s, 0, special=1)
    t = table(s).play("p0 visit special quarry", "p0 again")
    assert amounts(t.state, 0) == {"stone": 6}


def test_sleeping_buka_spares_the_places_but_not_omens() -> None:
    """Rule WU-3.11."""
    s = state(2, round_card="ro_sleeping_buka")
    fill_maw(s, wood=1)
    t = table(s).play("p0 visit loyal plunder")
    assert t.position.to_move == (1,)
    assert t.state.vengeance[0] == []
    s = state(2, round_card="ro_sleeping_buka")
    hold(s, 0, "om_tax")
    t = table(s).play("p0 visit loyal play_omen", "p0 play om_tax")
    t.play("p0 take gold 1", "p0 take sheep 1", "p0 take wood 1", "draw_vengeance ve_oil")
    assert len(t.state.vengeance[0]) == 1


def test_builders_feast_and_hiring_day() -> None:
    """Rule WU-3.11."""
    s = state(2, round_card="ro_builders_feast")
    stock(s, 0, gold=4)
    t = table(s).play("p0 visit loyal upgrade", "p0 upgrade quarry")
    assert amounts(t.state, 0) == {}
    s = state(2, round_card="ro_hiring_day")
    hire(s, 0, extra=1)
    stock(s, 0, sheep=1)
    t = table(s).play("p0 visit loyal village")
    assert amounts(t.state, 0) == {}


def test_round_place_and_special_worker() -> None:
    """Rules WU-3.7 and WU-3.11, ruling R67."""
    s = state(2, round_card="ro_gold_vein")
    stock(s, 0)
    hire(s, 0, special=1)
    t = table(s).play("p0 visit special round_place", "p0 again")
    assert amounts(t.state, 0) == {"gold": 10}


def test_fortune_teller_plays_up_to_two() -> None:
    """Rule WU-3.11."""
    s = state(2, round_card="ro_fortune_teller")
    hold(s, 0, "om_gold_rain", "om_rockfall")
    t = table(s).play("p0 visit loyal round_place")
    assert t.options(0) == ["play om_gold_rain", "play om_rockfall"]
    t.play("p0 play om_rockfall")
    assert t.options(0) == ["play om_gold_rain", "pass"]


def test_night_council_has_a_price() -> None:
    """Rule WU-3.11."""
    s = state(2, round_card="ro_night_council")
    stock(s, 0, wood=3)
    t = table(s).play("p0 visit loyal round_place", "draw_secret_pact sp_most_gold")
    assert amounts(t.state, 0) == {}
    s = state(2, round_card="ro_night_council")
    stock(s, 0, wood=2)
    assert "visit loyal round_place" not in table(s).options(0)


def test_sacrificial_stone_feeds_the_maw() -> None:
    """Rule WU-3.11."""
    s = state(2, round_card="ro_sacrificial_stone")
    stock(s, 0, wood=4)
    t = table(s).play("p0 visit loyal round_place")
    assert t.state.maw == [0, 0, 4, 0, 0]
    assert t.state.vp[0] == 11


def test_side_stairs_climb_cheaper() -> None:
    """Rule WU-3.11."""
    s = state(2, round_card="ro_side_stairs")
    stock(s, 0, sheep=2, wood=1)
    t = table(s).play("p0 visit loyal round_place")
    assert t.state.pyramid[0] == 1
