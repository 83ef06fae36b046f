"""Acts 1 to 4 of the feast (RA-8): priest dance, purchases, preparation, offering and gifts."""

import pytest

from atoll.engine.scripted_game import ScriptedGame
from atoll.games.raiatea.learn.positions import give, goods, hand, in_phase, names, prompt, ritual, skip_to, table
from atoll.games.raiatea.state import BEFORE_DANCE, GIFTS, OFFERING, PREPARE_RITUALS, RaiateaState


def feast(s: RaiateaState, phase: int = BEFORE_DANCE, number: int = 1) -> ScriptedGame:
    """Continue the game in a feast."""
    s.field = {1: 1, 2: 4, 3: 8}[number]
    return in_phase(s, phase)


# -- act 1 -------------------------------------------------------------------------------------------------------------


def test_all_dance_at_once() -> None:
    """Rule RA-8.3."""
    s = table(3)
    give(s, 0, pearls=9)
    give(s, 2, pearls=1)
    t = feast(s)
    assert t.position.to_move == (0, 1)  # seat 2 can't pay: the engine answers 0
    t.play("p1 train 1")
    assert t.state.priests == [0, 0, 0]  # nothing happens before all are in
    t.play("p0 train 2")
    assert t.state.priests == [2, 1, 0]
    assert t.state.pearls == [4, 2, 1]
    assert t.state.mana == [7, 6, 5]


def test_dance_ends_with_the_track() -> None:
    """Rules RA-6.7 and RA-8.3."""
    s = table(3)
    give(s, 0, pearls=9, priests=12)
    give(s, 1, pearls=9, priests=11)
    t = feast(s)
    assert t.position.to_move == (1, 2)
    assert t.options(1) == ["train 0", "train 1"]


def test_income_of_the_dance_triggers() -> None:
    """Rules RA-6.5 and RA-8.3."""
    s = table(3)
    for seat in range(3):
        give(s, seat, pearls=0)
    give(s, 1, permanents="raa raa", priests=2)
    t = feast(s)
    assert t.state.mana == [5, 5 + 2 + 4, 5]
    assert prompt(t) == "buy"


# -- act 2 -------------------------------------------------------------------------------------------------------------


def no_pearls(s: RaiateaState) -> RaiateaState:
    for seat in range(s.seats):
        give(s, seat, pearls=0)
    return s


def test_a_purchase_costs_3_mana_for_the_bag() -> None:
    """Rule RA-8.1."""
    t = feast(no_pearls(table(3))).play("p0 buy normal", "p1 decline", "p2 decline")
    assert t.state.mana == [2, 5, 5]
    assert t.state.bag_mana == 3
    t.play("card hina", "card raa", "card rao", "p0 keep raa")
    assert hand(t, 0) == "raa"
    assert names("ritual", t.state.discards[0]) == "rao hina"


def test_mana_shortage_takes_the_price_to_the_supply() -> None:
    """Rules RA-8.1 and RA-10.4."""
    t = feast(no_pearls(table(3, mana_shortage=True))).play("p0 buy normal", "p1 decline", "p2 decline")
    assert t.state.mana == [2, 5, 5]
    assert t.state.bag_mana == 0


def test_purchases_follow_rank_and_mana() -> None:
    """Rule RA-8.1."""
    s = no_pearls(table(3))
    give(s, 0, tattoos=2)
    give(s, 1, mana=2)
    t = feast(s)
    assert t.position.to_move == (0, 2)
    assert t.options(0) == ["buy normal", "buy forbidden", "decline"]
    assert t.options(2) == ["buy normal", "decline"]


def test_buyers_draw_in_favour_order_and_choose_at_once() -> None:
    """Rule RA-8.1."""
    s = no_pearls(table(3))
    s.favour = [2, 0, 1]
    t = feast(s).play("p0 buy normal", "p1 decline", "p2 buy normal")
    t.play("card hina", "card hina", "card hina", "card rao", "card rao", "card rao")
    assert names("ritual", t.state.drawn[2]) == "hina hina hina"
    assert names("ritual", t.state.drawn[0]) == "rao rao rao"
    assert t.position.to_move == (0, 2)
    assert t.options(0) == ["keep rao"]  # asked all the same: nobody else knows that the seat has only one choice


def test_a_purchase_without_a_card_costs_nothing() -> None:
    """Rule RA-8.1."""
    s = no_pearls(table(3))
    s.favour = [2, 0, 1]
    s.decks[0] = s.decks[0][:3]
    t = feast(s).play("p0 buy normal", "p1 decline", "p2 buy normal")
    for _ in range(3):
        t.position.apply(next(iter(t.position.outcomes())))
    assert t.state.mana == [5, 5, 2]
    assert t.state.bag_mana == 3
    assert t.position.to_move == (2,)


def test_keep_bonus_of_a_purchase() -> None:
    """Rules RA-6.6 and RA-8.1."""
    s = no_pearls(table(3))
    give(s, 0, permanents="nanao")
    give(s, 1, permanents="tohu")
    t = feast(s).play("p0 buy normal", "p1 buy normal", "p2 decline")
    t.play(*["card hina"] * 3, "card rao", "card raa", "card tipa", "card rao", "card rao")
    t.play("p0 keep hina", "p0 keep hina", "p1 keep tipa")
    assert hand(t, 0) == "hina hina"
    assert hand(t, 1) == "tipa"  # the bonus of the marae doesn't count here


# -- act 3 -------------------------------------------------------------------------------------------------------------


def test_two_clips_and_any_number_of_general_rituals() -> None:
    """Rule RA-8.4, ruling R42."""
    s = table(3)
    give(s, 0, rituals="rao rao rao hina hina te_fatu roo")
    t = feast(s, PREPARE_RITUALS).play("p0 prepare rao", "p0 prepare rao")
    assert t.options(0) == ["prepare hina", "prepare te_fatu", "prepare roo", "done"]
    t.play("p0 prepare hina", "p0 prepare hina", "p0 prepare te_fatu", "p0 prepare roo")
    assert t.state.hands[0] == [3]  # R42
    assert len(t.state.bag[0]) == 6


@pytest.mark.parametrize(("tattoos", "clips"), [(0, 2), (5, 2), (6, 3), (10, 3)])
def test_clips_by_rank(tattoos: int, clips: int) -> None:
    """Rule RA-8.4, ruling R46."""
    s = table(3)
    give(s, 0, rituals="rao rao rao roroo", tattoos=tattoos)
    t = feast(s, PREPARE_RITUALS)
    for _ in range(clips):
        t.play("p0 prepare rao")
    assert t.state.bag[0] == [3] * clips  # no more can be added: the answer is in


def test_nothing_or_less_than_allowed_may_be_prepared() -> None:
    """Rule RA-8.4, ruling R43."""
    s = table(3)
    give(s, 0, rituals="rao rao")
    give(s, 1, rituals="rao")
    t = feast(s, PREPARE_RITUALS).play("p0 done", "p1 prepare rao")
    assert t.state.bag == [[], [3], []]  # R43


def test_who_has_no_card_is_not_asked_to_prepare() -> None:
    """Rule RA-8.4."""
    s = table(3)
    give(s, 1, rituals="rao")
    assert feast(s, PREPARE_RITUALS).position.to_move == (1,)


def test_clipped_rituals_come_in_ascending_order_then_general_ones_by_cost() -> None:
    """Rule RA-8.4."""
    s = table(3)
    give(s, 0, rituals="rua_hatu roroo te_fatu pua_te_hau hina")
    t = feast(s, PREPARE_RITUALS).play("p0 prepare roroo")
    assert "prepare rua_hatu" not in t.options(0)
    t.play("p0 prepare pua_te_hau")
    assert t.options(0) == ["prepare te_fatu", "done"]  # of the same cost, in the order that the owner likes (R44)


def test_order_of_general_rituals_is_kept_in_secret() -> None:
    """Rule RA-8.4, ruling R44."""
    s = table(3)
    give(s, 0, rituals="te_fatu pua_te_hau", mana=0)
    give(s, 1, mana=0)
    give(s, 2, mana=0)
    t = feast(s, PREPARE_RITUALS).play("p0 prepare pua_te_hau", "p0 prepare te_fatu")
    skip_to(t, "gift")
    assert names("ritual", t.state.bag[0]) == "te_fatu pua_te_hau"
    assert t.state.bag_order[0] == [1, 0]
    assert t.position.view(1)["state"]["bag_order"] == [None, [], None]


# -- act 4 -------------------------------------------------------------------------------------------------------------


def offer(t: ScriptedGame, *bids: int) -> ScriptedGame:
    for seat, bid in enumerate(bids):
        if seat in t.position.to_move:
            t.play(f"p{seat} bid {bid}")
    return t


def test_offerings_order_the_favour() -> None:
    """Rule RA-8.5."""
    s = table(3)
    give(s, 2, mana=9)
    t = offer(feast(s, OFFERING), 3, 0, 9)
    assert t.state.favour == [2, 0, 1]
    assert t.state.bag_mana == 12
    assert t.state.mana == [2, 5, 0]


def test_equal_offerings_keep_their_order() -> None:
    """Rule RA-8.5, ruling R49."""
    s = table(5)
    s.favour = [4, 2, 0, 1, 3]
    t = offer(feast(s, OFFERING), 2, 5, 2, 5, 0)
    assert t.state.favour == [1, 3, 2, 0, 4]  # R49: stable in both tied groups


def test_bid_bonus_counts_from_1_on() -> None:
    """Rules RA-6.6 and RA-8.5, ruling R49."""
    s = table(3)
    give(s, 1, permanents="rearea")
    give(s, 2, permanents="rearea")
    t = offer(feast(s, OFFERING), 3, 1, 0)
    assert t.state.favour == [1, 0, 2]
    assert t.state.bag_mana == 4  # no mana is created


def test_equality_is_judged_after_the_bonus() -> None:
    """Rules RA-6.6 and RA-8.5, ruling R49."""
    s = table(3)
    give(s, 2, permanents="rearea")
    t = offer(feast(s, OFFERING), 4, 0, 1)
    assert t.state.favour == [0, 2, 1]


def test_who_has_no_mana_offers_nothing() -> None:
    """Rule RA-8.5."""
    s = table(3)
    give(s, 0, mana=0)
    t = feast(s, OFFERING)
    assert t.position.to_move == (1, 2)
    assert offer(t, 0, 0, 1).state.favour == [2, 0, 1]


def test_offerings_are_secret_until_all_are_in() -> None:
    """Rule RA-8.5."""
    t = feast(table(3), OFFERING).play("p0 bid 5")
    assert t.position.view(1)["state"]["mana"] == [None, 5, None]
    assert t.state.mana == [5, 5, 5]
    assert t.position.sealed_ready == [True, False, False]
    assert t.position.view(1)["state"]["offers"] == []
    t.play("p1 bid 0", "p2 bid 1")
    assert t.state.offers == [5, 0, 1]
    assert t.position.view(None)["state"]["offers"] == [5, 0, 1]


def gifts(s: RaiateaState) -> ScriptedGame:
    s.gifts = [0, 1, 2]
    return feast(s, GIFTS)


def test_first_three_positions_receive_a_gift() -> None:
    """Rule RA-8.6."""
    s = table(4)
    s.favour = [3, 1, 0, 2]
    t = gifts(s).play("p3 accept gift_commodity", "p3 take uru", "p1 accept gift_pearls")
    assert t.state.tattoos == [1, 0, 0, 0]  # the last gift is taken unasked: everybody knows that it is the only one
    assert t.state.pearls == [4, 6, 4, 4]
    assert goods(t, 3) == "uru"
    assert t.state.prices == [3, 2, 2, 2]


def test_with_3_players_nobody_receives_the_third_gift() -> None:
    """Rule RA-8.6, ruling R51."""
    t = gifts(table(3)).play("p0 accept gift_tattoo", "p1 accept gift_pearls")
    assert goods(t, 2) == ""  # R51
    assert prompt(t) != "gift"


def test_r50_a_gift_without_effect_may_be_chosen() -> None:
    """Rule RA-8.6, ruling R50."""
    s = table(4)
    give(s, 0, tattoos=10)
    t = gifts(s)
    assert t.options(0) == ["accept gift_tattoo", "accept gift_commodity", "accept gift_pearls"]
    t.play("p0 accept gift_tattoo")
    assert (t.state.tattoos[0], t.state.pearls[0]) == (10, 4)
    assert t.options(1) == ["accept gift_commodity", "accept gift_pearls"]  # the tattoo is denied to the others


def test_r50_who_can_gain_nothing_may_decline_and_the_gift_stays_for_the_next_position() -> None:
    """Rule RA-8.6, ruling R50."""
    s = table(4)
    s.goods_market = [0, 0, 0, 0]
    give(s, 1, tattoos=10)
    t = gifts(s).play("p0 accept gift_pearls")
    assert t.options(1) == ["accept gift_tattoo", "accept gift_commodity", "decline"]
    t.play("p1 decline")
    assert t.options(2) == ["accept gift_tattoo", "accept gift_commodity"]
    t.play("p2 accept gift_tattoo")
    assert t.state.tattoos == [0, 10, 1, 0]
    assert prompt(t) != "gift"  # position 4 gets none, though one is left


def test_r62_an_extra_gift_by_a_ritual_that_an_extra_gift_carried_out() -> None:
    """Rule RA-8.6, ruling R62."""
    s = table(3)
    give(s, 2, rituals="rua_nuu", tattoos=9)
    s.lay_permanent(2, ritual("rua_nuu"))
    t = gifts(s).play("p0 accept gift_commodity", "p0 take uru", "p1 accept gift_pearls")
    t.play("p2 accept gift_tattoo", "p2 perform rua_nuu")
    assert prompt(t) == "gift"
    t.play("p2 accept gift_pearls")
    assert (t.state.tattoos[2], t.state.pearls[2]) == (10, 6)


def test_extra_gift_of_any_kind() -> None:
    """Rules RA-6.6 and RA-8.6."""
    s = table(3)
    s.favour = [0, 1, 2]
    give(s, 2, permanents="rua_nuu")
    t = gifts(s).play("p0 accept gift_tattoo", "p1 accept gift_pearls")
    assert t.options(2) == ["accept gift_tattoo", "accept gift_commodity", "accept gift_pearls"]
    t.play("p2 accept gift_tattoo")
    assert t.state.tattoos == [1, 0, 1]


def test_tahua_by_a_gift_asks_whoever_has_cards_in_public() -> None:
    """Rule RA-7.10, ruling R102."""
    s = table(3)
    give(s, 0, rituals="rao", tattoos=9, mana=0)
    give(s, 1, mana=0)
    give(s, 2, mana=0)
    t = feast(s, PREPARE_RITUALS).play("p0 prepare rao", "p0 accept gift_tattoo")
    assert prompt(t) == "tahua_ritual"  # R102: the hand is empty, but nobody else knows
    assert t.options(0) == ["decline"]


def test_hand_counts_hide_what_was_prepared() -> None:
    """Rule RA-11.2, ruling R101."""
    s = table(3)
    give(s, 0, rituals="rao rao hina ihi")
    t = feast(s, PREPARE_RITUALS)
    before = t.position.view(1)
    t.play("p0 prepare rao", "p0 prepare hina")
    after = t.position.view(1)
    assert before["live"]["rituals"] == after["live"]["rituals"] == [[3, 1], [0, 0], [0, 0]]  # R101
    assert after["state"]["hands"][0] is None
    assert after["state"]["bag"][0] is None
