"""Pacts (WU-6): taken, given, renewed, fulfilled; the sliding display; the pact counter."""

import pytest

from atoll.games.wutaki.learn.positions import (
    BOX,
    accept,
    amounts,
    avenge,
    card,
    fill_maw,
    hold,
    state,
    stock,
    table,
)


def ids(cards: list[int]) -> list[str]:
    return [BOX.ids["pact"][each] if each >= 0 else "-" for each in cards]


# -- WU-6.1 Accepting a pact ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("board", "bonus"),
    [("standard", (0, 1, 1, 2)), ("extreme", (1, 0, -1, -2))],
)
@pytest.mark.parametrize("slot", [1, 2, 3, 4])
def test_accepting_brings_or_costs_the_gold_of_the_slot(board: str, bonus: tuple[int, ...], slot: int) -> None:
    """Rule WU-6.1."""
    s = state(2, board=board)
    stock(s, 0, gold=2)
    pact = ("fire_17", "water_17", "earth_17", "wind_17")[slot - 1]
    t = table(s).play("p0 visit loyal accept_pact", f"p0 accept {pact}", "draw_pact fire_05")
    assert t.state.stock[0][0] == 2 + bonus[slot - 1]
    assert ids(t.state.pacts[0]) == [pact]


def test_slot_gold_that_cannot_be_paid_closes_the_card() -> None:
    """Rule WU-6.1."""
    s = state(2, board="extreme")
    stock(s, 0)
    t = table(s).play("p0 visit loyal accept_pact")
    assert t.options(0) == ["accept fire_17", "accept water_17"]


def test_display_slides_right_and_is_filled_from_the_left() -> None:
    """Rule WU-6.3."""
    s = state(2)
    t = table(s).play("p0 visit loyal accept_pact", "p0 accept earth_17", "draw_pact fire_05")
    assert ids(t.state.display) == ["fire_05", "fire_17", "water_17", "wind_17"]


def test_accepted_pacts_lie_open() -> None:
    """Rule WU-6.1."""
    t = table(state(2)).play("p0 visit loyal accept_pact", "p0 accept earth_17", "draw_pact fire_05")
    assert t.position.view(1)["state"]["pacts"][0] == [card("pact", "earth_17")]


def test_display_that_cannot_be_refilled_keeps_gaps_on_the_left() -> None:
    """Rule WU-6.3, ruling R44."""
    s = state(2)
    s.pact_deck = []
    t = table(s).play("p0 visit loyal accept_pact", "p0 accept wind_17")
    assert ids(t.state.display) == ["-", "fire_17", "water_17", "earth_17"]


def test_discarded_pacts_make_a_new_deck() -> None:
    """Rule WU-8.5."""
    s = state(2)
    s.pact_discard, s.pact_deck = s.pact_deck, []
    t = table(s).play("p0 visit loyal accept_pact", "p0 accept wind_17", "draw_pact fire_05")
    assert ids(t.state.display)[0] == "fire_05"
    assert t.state.pact_discard == []
    assert len(t.state.pact_deck) == 63


def test_an_empty_display_closes_the_pact_places() -> None:
    """Rule WU-6.3, ruling R44."""
    s = state(2)
    s.pact_deck, s.display = [], [-1] * 4
    options = table(s).options(0)
    assert not {"visit loyal accept_pact", "visit loyal gift_pact", "visit loyal renew_pacts"} & set(options)
    s = state(2)
    s.display, s.pact_discard, s.pact_deck = [-1] * 4, s.pact_deck, []
    options = table(s).options(0)
    assert "visit loyal renew_pacts" in options  # R44: the discard has cards


# -- WU-6.5 Giving a pact away ----------------------------------------------------------------------------------------


def test_gift_costs_two_points_on_the_standard_board() -> None:
    """Rule WU-6.5."""
    t = table(state(3)).play("p0 visit loyal gift_pact", "p0 gift wind_17")
    assert t.options(0) == ["to 1", "to 2"]
    t.play("p0 to 2", "draw_pact fire_05")
    assert ids(t.state.pacts[2]) == ["wind_17"]
    assert t.state.vp == [3, 5, 5]
    assert t.state.stock[0][0] == 1  # no slot gold
    assert ids(t.state.display) == ["fire_05", "fire_17", "water_17", "earth_17"]


def test_gift_needs_two_points() -> None:
    """Rule WU-6.5."""
    s = state(2)
    s.vp[0] = 1
    assert "visit loyal gift_pact" not in table(s).options(0)


def test_gift_costs_a_vengeance_card_instead_on_the_extreme_board() -> None:
    """Rules WU-6.5 and WU-12.2, ruling R20."""
    s = state(2, board="extreme")
    s.vp[0] = 0
    t = table(s).play("p0 visit loyal gift_pact", "p0 gift wind_17", "draw_pact fire_05", "draw_vengeance ve_fire")
    assert t.state.vp == [0, 5]
    assert t.state.vengeance[0] == [card("vengeance", "ve_fire")]


def test_gift_with_an_empty_vengeance_deck_costs_nothing() -> None:
    """Rules WU-6.5 and WU-12.2, ruling R20."""
    s = state(2, board="extreme")
    avenge(s, 1, *BOX.ids["vengeance"])
    t = table(s).play("p0 visit loyal gift_pact", "p0 gift wind_17", "draw_pact fire_05")
    assert t.state.vengeance[0] == []
    assert t.position.to_move == (1,)


def test_own_pact_given_by_an_omen_stays_unfulfilled() -> None:
    """Rule WU-6.5."""
    s = state(2)
    accept(s, 0, "fire_03", "fire_04")
    hold(s, 0, "om_pass_the_burden")
    t = table(s).play(
        "p0 visit loyal play_omen", "p0 play om_pass_the_burden", "p0 gift fire_04", "draw_vengeance ve_oil"
    )
    assert ids(t.state.pacts[0]) == ["fire_03"]
    assert ids(t.state.pacts[1]) == ["fire_04"]


# -- WU-6.4 Renewing the pacts ----------------------------------------------------------------------------------------


def test_renewing_deals_four_from_right_to_left_and_one_must_be_taken() -> None:
    """Rule WU-6.4, ruling R19."""
    t = table(state(2)).play("p0 visit loyal renew_pacts", *(f"draw_pact fire_0{n}" for n in (1, 2, 3, 4)))
    assert ids(t.state.display) == ["fire_04", "fire_03", "fire_02", "fire_01"]
    assert t.options(0) == [f"accept fire_0{n}" for n in (1, 2, 3, 4)]
    t.play("p0 accept fire_01", "draw_pact fire_05")
    assert ids(t.state.display) == ["fire_05", "fire_04", "fire_03", "fire_02"]
    assert ids(t.state.pact_discard) == ["fire_17", "water_17", "earth_17", "wind_17"]


@pytest.mark.parametrize("board", ["standard", "extreme"])
def test_renewing_has_no_slot_gold_in_either_direction(board: str) -> None:
    """Rule WU-6.4, ruling R19."""
    s = state(2, board=board)
    stock(s, 0)
    t = table(s).play("p0 visit loyal renew_pacts", *(f"draw_pact fire_0{n}" for n in (1, 2, 3, 4)))
    t.play("p0 accept fire_01", "draw_pact fire_05")
    assert amounts(t.state, 0) == {}


def test_second_execution_sees_the_refilled_display() -> None:
    """Rules WU-3.7 and WU-6.3, ruling R45."""
    s = state(2)
    s.home[0][2], s.tower[0][2] = 1, 0
    t = table(s).play("p0 visit special accept_pact", "p0 accept wind_17", "draw_pact fire_05", "p0 again")
    assert "accept fire_05" in t.options(0)


# -- WU-6.6 Fulfilling a pact -----------------------------------------------------------------------------------------


def test_fulfilling_in_order_cost_card_reward_track_counter() -> None:
    """Rule WU-6.6, ruling R47."""
    s = state(2)
    s.counter = 0
    accept(s, 0, "fire_04")
    stock(s, 0, wood=1, oil=2, stone=1)
    t = table(s).play("p0 visit loyal pasture", "p0 fulfil fire_04")
    assert t.state.maw == [0, 0, 1, 2, 1]
    assert ids(t.state.fulfilled[0]) == ["fire_04"]
    assert t.state.vp[0] == 11
    assert t.state.counter == 0  # first the reward is drawn
    t.play("draw_omen om_visions")
    assert t.state.track[0] == 1
    assert t.state.stock[0][0] == 2  # space 1 of the track
    assert t.state.counter == 1
    t.play("draw_omen om_tax", "draw_omen om_panic")  # then all draw, the start player first
    assert [len(hand) for hand in t.state.omens] == [2, 1]


def test_omens_are_sacrificed_to_the_omen_discard() -> None:
    """Rules WU-6.6 and WU-8.1."""
    s = state(2)
    accept(s, 0, "fire_15")
    stock(s, 0, wood=2)
    hold(s, 0, "om_visions", "om_tax", "om_panic", "om_crumbs")
    t = table(s).play("p0 visit loyal market", "p0 fulfil fire_15")
    assert t.options(0) == ["discard om_visions", "discard om_panic"]
    t.play("p0 discard om_visions", "p0 discard om_panic", "p0 discard om_tax")
    assert [BOX.ids["omen"][each] for each in t.state.omen_discard] == ["om_visions", "om_panic", "om_tax"]
    assert t.state.maw == [0, 0, 2, 0, 0]


def test_fulfilled_pacts_lie_face_down_their_number_is_public() -> None:
    """Rules WU-6.6 and WU-13.1, ruling R49."""
    s = state(3)
    accept(s, 0, "fire_03")
    stock(s, 0, wood=4)
    t = table(s).play("p0 visit loyal market", "p0 fulfil fire_03")
    pact = card("pact", "fire_03")
    assert t.position.view(0)["state"]["fulfilled"] == [[pact], {"count": 0}, {"count": 0}]
    assert t.position.view(1)["state"]["fulfilled"] == [{"count": 1}, [], {"count": 0}]
    assert t.events("pact_fulfilled") == [{"seat": 0, "pact": pact}]  # the fulfilment itself is open


def test_discount_leaves_out_tokens_of_own_choice_but_no_omens() -> None:
    """Rule WU-6.6, ruling R48."""
    s = state(2)
    accept(s, 0, "fire_14")
    stock(s, 0, oil=4)
    hold(s, 0, "om_leniency", "om_tax")
    t = table(s).play("p0 visit loyal play_omen", "p0 play om_leniency")
    assert t.options(0) == ["pay oil 3", "pay oil 4"]
    t.play("p0 pay oil 3")
    assert amounts(t.state, 0) == {"gold": 2, "oil": 1}  # the gold is space 1 of the track
    assert card("omen", "om_tax") in t.state.omen_discard


def test_discount_needs_the_omens() -> None:
    """Rule WU-6.6, ruling R48."""
    s = state(2)
    accept(s, 0, "fire_14")
    stock(s, 0, oil=6)
    hold(s, 0, "om_leniency")
    assert "visit loyal play_omen" not in table(s).options(0)  # R61: the omen played isn't there to be sacrificed


def test_discount_on_any_kind() -> None:
    """Rule WU-6.6, ruling R48."""
    s = state(2)
    accept(s, 0, "water_12")
    stock(s, 0, wood=5)
    hold(s, 0, "om_leniency")
    t = table(s).play("p0 visit loyal play_omen", "p0 play om_leniency")
    assert t.state.stock[0][2] == 0  # 2 sheep and 1 of any kind are left out
    assert t.state.maw == [0, 0, 5, 0, 0]


def test_pact_at_a_round_place_moves_track_and_counter_too() -> None:
    """Rule WU-6.6, ruling R74."""
    s = state(2, round_card="ro_altar_of_mercy")
    accept(s, 0, "fire_03")
    stock(s, 0, wood=2)
    t = table(s).play("p0 visit loyal round_place")
    t.play("draw_omen om_tax", "draw_omen om_panic")
    assert t.state.track[0] == 1
    assert t.state.counter == 1
    assert t.state.vp[0] == 5 + 7 + 1


# -- WU-6.2 Pact counter ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("seats", "cycle"),
    [(2, [1, 2, 3, 4, 5, 0]), (3, [1, 2, 3, 4, 5, 6, 0]), (4, [1, 2, 3, 4, 5, 6, 7, 0])],
)
def test_counter_skips_spaces_for_more_players_and_wraps(seats: int, cycle: list[int]) -> None:
    """Rules WU-6.2 and WU-12.1, ruling R50."""
    s = state(seats)
    printed = BOX.boards[0].counter_next[seats]
    found = []
    for _ in cycle:
        s.counter = printed[s.counter]
        found.append(s.counter)
    assert found == cycle


def test_every_pact_moves_the_counter_even_several_in_a_row() -> None:
    """Rule WU-6.2."""
    s = state(2)
    s.counter = 1
    accept(s, 0, "fire_03", "earth_03", "wind_03")
    stock(s, 0, wood=4, sheep=4, stone=4)
    t = table(s).play("p0 visit loyal market", "p0 fulfil fire_03", "p0 fulfil earth_03", "p0 fulfil wind_03")
    t.play("draw_omen om_tax", "draw_omen om_panic")  # space 3 of the own track comes before the counter
    assert t.state.counter == 4


def test_omens_for_all_at_position_one_from_the_start_player_on() -> None:
    """Rule WU-6.2."""
    s = state(3)
    s.start = 2
    accept(s, 0, "fire_03")
    stock(s, 0, wood=4)
    t = table(s).play("p0 visit loyal market", "p0 fulfil fire_03")
    t.play("draw_omen om_tax", "draw_omen om_panic", "draw_omen om_visions")
    assert [[BOX.ids["omen"][each] for each in hand] for hand in t.state.omens] == [
        ["om_panic"],
        ["om_visions"],
        ["om_tax"],
    ]


def test_tokens_of_a_pact_are_known_while_it_is_fulfilled_only() -> None:
    """Rule WU-9.2."""
    s = state(2)
    fill_maw(s, gold=2)
    accept(s, 0, "fire_03")
    stock(s, 0, wood=4)
    t = table(s).play("p0 visit loyal market", "p0 fulfil fire_03")
    assert t.state.sacrificed == [0] * 5
