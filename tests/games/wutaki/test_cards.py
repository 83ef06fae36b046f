"""Omens (WU-8.8), vengeance cards, secret pacts."""

from atoll.games.wutaki.learn.positions import (
    BOX,
    accept,
    amounts,
    avenge,
    card,
    fill_maw,
    hold,
    lay_permanent,
    state,
    stock,
    table,
)


def omens(cards: list[int]) -> list[str]:
    return [BOX.ids["omen"][each] for each in cards]


# -- WU-8.8 Omens -----------------------------------------------------------------------------------------------------


def test_draw_omen_place_draws_one_on_extreme_two() -> None:
    """Rules WU-8.8 and WU-12.2."""
    t = table(state(2)).play("p0 visit loyal draw_omen", "draw_omen om_tax")
    assert omens(t.state.omens[0]) == ["om_tax"]
    t = table(state(2, board="extreme")).play("p0 visit loyal draw_omen", "draw_omen om_tax", "draw_omen om_panic")
    assert omens(t.state.omens[0]) == ["om_panic", "om_tax"]


def test_omens_once_go_to_the_discard() -> None:
    """Rule WU-8.8."""
    s = state(2)
    stock(s, 0)
    hold(s, 0, "om_harvest_basket")
    t = table(s).play("p0 visit loyal play_omen", "p0 play om_harvest_basket")
    assert amounts(t.state, 0) == {"sheep": 1, "wood": 1, "oil": 1, "stone": 1}
    assert omens(t.state.omen_discard) == ["om_harvest_basket"]


def test_only_one_permanent_omen_lies_before_a_player() -> None:
    """Rule WU-8.8, ruling R62."""
    s = state(2)
    lay_permanent(s, 0, "om_hoard")
    hold(s, 0, "om_true_faith")
    t = table(s).play("p0 visit loyal play_omen", "p0 play om_true_faith")
    assert t.state.permanent[0] == card("omen", "om_true_faith")
    assert omens(t.state.omen_discard) == ["om_hoard"]


def test_permanent_omens_cannot_be_sacrificed_or_stolen() -> None:
    """Rules WU-8.8 and WU-8.9."""
    s = state(2)
    lay_permanent(s, 0, "om_hoard")
    accept(s, 0, "wind_12")
    stock(s, 0, wood=5)
    t = table(s).play("p0 visit loyal market")
    assert t.position.to_move == (1,)  # no omen in hand: the pact can't be paid
    s = state(2)
    lay_permanent(s, 1, "om_hoard")
    hold(s, 0, "om_stolen_vision")
    assert "visit loyal play_omen" not in table(s).options(0)


def test_an_omen_needs_its_cost_and_its_first_effect() -> None:
    """Rule WU-8.7, ruling R60."""
    s = state(2)
    hold(s, 0, "om_golden_idol", "om_takeover", "om_absolution", "om_crumbs", "om_broken_word", "om_gold_rain")
    stock(s, 0, gold=4)
    t = table(s).play("p0 visit loyal play_omen")
    assert t.options(0) == ["play om_gold_rain"]


def test_later_effects_may_fizzle() -> None:
    """Rule WU-8.7, ruling R60."""
    s = state(2)
    s.vengeance_deck = []
    hold(s, 0, "om_tax")
    stock(s, 1, gold=2)
    t = table(s).play("p0 visit loyal play_omen", "p0 play om_tax")
    assert t.state.stock[0][0] == 3
    assert t.state.vengeance[0] == []


def test_an_omen_being_played_does_not_count_as_discarded() -> None:
    """Rule WU-8.8, ruling R61."""
    s = state(2)
    hold(s, 0, "om_visions")
    s.omen_discard, s.omen_deck = [], []
    assert "visit loyal play_omen" not in table(s).options(0)
    s = state(2)
    hold(s, 0, "om_visions")
    s.omen_discard, s.omen_deck = [card("omen", "om_tax")], []
    t = table(s).play("p0 visit loyal play_omen", "p0 play om_visions", "draw_omen om_tax")
    assert omens(t.state.omens[0]) == ["om_tax"]  # the two other draws are lost
    assert omens(t.state.omen_discard) == ["om_visions"]


def test_empty_omen_deck_is_made_anew_from_the_discard() -> None:
    """Rule WU-8.5."""
    s = state(2)
    s.omen_discard, s.omen_deck = s.omen_deck, []
    t = table(s).play("p0 visit loyal draw_omen", "draw_omen om_tax")
    assert len(t.state.omen_deck) == 44
    assert t.state.omen_discard == []


def test_without_any_omen_left_the_draw_is_impossible() -> None:
    """Rule WU-8.5."""
    s = state(2)
    s.omen_deck = []
    assert "visit loyal draw_omen" not in table(s).options(0)


def test_robbery_takes_tokens_of_own_choice() -> None:
    """Rule WU-8.6."""
    s = state(3)
    stock(s, 0)
    stock(s, 1)
    stock(s, 2, gold=2, wood=3)
    hold(s, 0, "om_tax")
    t = table(s).play("p0 visit loyal play_omen", "p0 play om_tax", "p0 take gold 1", "draw_vengeance ve_oil")
    assert amounts(t.state, 0) == {"gold": 1, "wood": 2}
    assert amounts(t.state, 2) == {"gold": 1, "wood": 1}


def test_robbery_takes_all_where_there_is_less() -> None:
    """Rule WU-8.6."""
    s = state(2)
    stock(s, 0)
    stock(s, 1, oil=2)
    hold(s, 0, "om_tax")
    t = table(s).play("p0 visit loyal play_omen", "p0 play om_tax", "draw_vengeance ve_oil")
    assert amounts(t.state, 0) == {"oil": 2}


def test_stolen_vision_takes_a_random_omen() -> None:
    """Rule WU-8.6."""
    s = state(3)
    hold(s, 0, "om_stolen_vision")
    hold(s, 1, "om_tax", "om_panic")
    hold(s, 2, "om_crumbs")
    t = table(s).play("p0 visit loyal play_omen", "p0 play om_stolen_vision")
    assert t.options(0) == ["from 1", "from 2"]
    t.play("p0 from 1")
    assert {t.game.text(outcome) for outcome in t.position.outcomes()} == {"draw_omen om_tax", "draw_omen om_panic"}
    t.play("draw_omen om_tax", "draw_omen om_visions")
    assert omens(t.state.omens[0]) == ["om_visions", "om_tax"]


def test_crumbs_take_four_tokens_of_the_maw() -> None:
    """Rule WU-8.6."""
    s = state(2)
    stock(s, 0)
    fill_maw(s, wood=3, oil=3)
    hold(s, 0, "om_crumbs")
    t = table(s).play("p0 visit loyal play_omen", "p0 play om_crumbs", "p0 take wood 3")
    assert amounts(t.state, 0) == {"wood": 3, "oil": 1}
    assert t.state.vengeance[0] == []


def test_whispered_pact_brings_slot_gold_and_a_resource() -> None:
    """Rule WU-6.1."""
    s = state(2)
    stock(s, 0)
    hold(s, 0, "om_whispered_pact")
    t = table(s).play("p0 visit loyal play_omen", "p0 play om_whispered_pact", "p0 accept wind_17", "draw_pact fire_05")
    t.play("p0 take gold 0", "p0 take sheep 1")
    assert amounts(t.state, 0) == {"gold": 2, "sheep": 1}


def test_broken_word_discards_a_pact() -> None:
    """Rule WU-8.6."""
    s = state(2)
    accept(s, 0, "fire_03", "fire_04")
    hold(s, 0, "om_broken_word")
    t = table(s).play("p0 visit loyal play_omen", "p0 play om_broken_word")
    t.play("p0 discard_pact fire_04", "draw_vengeance ve_oil")
    assert t.state.pacts[0] == [card("pact", "fire_03")]
    assert t.state.pact_discard == [card("pact", "fire_04")]


def test_drums_hire_at_a_discount_and_the_convert_for_nothing() -> None:
    """Rule WU-4.1."""
    s = state(2)
    stock(s, 0, sheep=1)
    hold(s, 0, "om_call_to_arms")
    t = table(s).play("p0 visit loyal play_omen", "p0 play om_call_to_arms", "p0 hire")
    assert t.state.home[0] == [3, 2, 0]
    assert amounts(t.state, 0) == {}
    s = state(2)
    stock(s, 0)
    s.tower[0], s.home[0] = [0, 0, 1], [4, 4, 0]
    hold(s, 0, "om_free_hand")
    t = table(s).play("p0 visit loyal play_omen", "p0 play om_free_hand")
    assert t.state.home[0] == [3, 4, 1]


def test_copies_of_an_omen_are_one_choice() -> None:
    """Rule WU-8.8."""
    s = state(2)
    hold(s, 0, "om_gold_rain", "om_gold_rain")
    t = table(s).play("p0 visit loyal play_omen")
    assert t.options(0) == ["play om_gold_rain"]


# -- WU-8.6 Vengeance cards -------------------------------------------------------------------------------------------


def test_vengeance_cards_drawn_are_kept_face_down() -> None:
    """Rules WU-8.6 and WU-13.1, ruling R59."""
    s = state(3)
    fill_maw(s, wood=1)
    t = table(s).play("p0 visit loyal plunder", "draw_vengeance ve_oil")
    drawn = card("vengeance", "ve_oil")
    assert t.position.view(0)["state"]["vengeance"][0] == [drawn]
    assert t.position.view(1)["state"]["vengeance"][0] == {"count": 1, "known": []}


def test_vengeance_card_given_is_known_to_giver_and_receiver() -> None:
    """Rules WU-8.6 and WU-13.1, rulings R46 and R59."""
    s = state(3)
    stock(s, 0, wood=10)
    avenge(s, 0, "ve_fire")
    avenge(s, 1, "ve_wood")
    t = table(s).play("p0 visit loyal vp_or_gift", "p0 option 2", "p0 to 1")
    given = card("vengeance", "ve_fire")
    views = [t.position.view(seat)["state"]["vengeance"][1] for seat in (0, 1, 2)]
    assert views == [
        {"count": 2, "known": [given]},
        sorted([given, card("vengeance", "ve_wood")]),
        {"count": 2, "known": []},
    ]


def test_vengeance_card_put_back_goes_into_the_deck() -> None:
    """Rule WU-8.5."""
    s = state(2)
    avenge(s, 0, "ve_fire", "ve_oil")
    hold(s, 0, "om_absolution")
    t = table(s).play("p0 visit loyal play_omen", "p0 play om_absolution", "p0 return_vengeance ve_oil")
    assert t.state.vengeance[0] == [card("vengeance", "ve_fire")]
    assert card("vengeance", "ve_oil") in t.state.vengeance_deck
    assert t.state.returned == [[card("vengeance", "ve_oil")], []]


def test_returning_as_a_pact_reward_may_be_declined() -> None:
    """Rule WU-8.2."""
    s = state(2)
    avenge(s, 0, "ve_fire")
    accept(s, 0, "water_15")
    stock(s, 0, gold=2, sheep=6)
    t = table(s).play("p0 visit loyal quarry", "p0 fulfil water_15")
    assert t.options(0) == ["return_vengeance ve_fire", "pass"]


def test_scapegoat_pays_four_and_gives_a_card() -> None:
    """Rule WU-8.6."""
    s = state(2)
    stock(s, 0, wood=4)
    avenge(s, 0, "ve_fire")
    hold(s, 0, "om_scapegoat")
    t = table(s).play("p0 visit loyal play_omen", "p0 play om_scapegoat")
    assert t.state.vengeance == [[], [card("vengeance", "ve_fire")]]
    assert t.state.supply[2] == 24  # paid into the supply: seat 1 has the last one


# -- WU-8.6 Secret pacts ----------------------------------------------------------------------------------------------


def test_secret_pacts_drawn_later_are_all_kept() -> None:
    """Rule WU-8.6."""
    s = state(2)
    hold(s, 0, "om_secret_meeting")
    t = table(s).play("p0 visit loyal play_omen", "p0 play om_secret_meeting")
    t.play("draw_secret_pact sp_most_gold", "draw_vengeance ve_oil")
    assert t.state.secret_pacts[0] == [card("secret_pact", "sp_most_gold")]
    assert t.position.view(1)["state"]["secret_pacts"] == [{"count": 1}, []]


def test_draw_from_an_empty_secret_pact_deck_is_lost() -> None:
    """Rule WU-8.5, ruling R9."""
    s = state(2)
    s.secret_pact_deck = []
    s.track[0] = 6
    accept(s, 0, "fire_03")
    stock(s, 0, wood=4)
    t = table(s).play("p0 visit loyal market", "p0 fulfil fire_03", "draw_omen om_tax", "draw_omen om_panic")
    assert t.state.secret_pacts[0] == []
    assert t.state.track[0] == 7
