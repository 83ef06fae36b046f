"""Marae, reef, Path of the Gods, neighbourhood and marketplace, and the bonus rolls (RA-4)."""

import pytest

from atoll.engine import TurnDraft
from atoll.games.raiatea import GAME
from atoll.games.raiatea.learn.positions import (
    give,
    goods,
    hand,
    kinds,
    lay,
    location,
    names,
    prompt,
    skip_to,
    start,
    table,
)

# -- bonus rolls -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("place", "assistant", "prompt_after"),
    [("forest", "gatherer", "take_commodity"), ("marketplace", "trader", "take_assistant")],
)
def test_bonus_roll_offers_the_reward(place: str, assistant: str, prompt_after: str) -> None:
    """Rule RA-4.3."""
    s = table(3)
    give(s, 1, ready=assistant, exhausted=assistant)
    give(s, 2, ready=assistant)
    t = start(s).play(f"p0 go {place}", "die 2")
    assert prompt(t) == prompt_after
    assert t.position.to_move == (1,)  # exhausted ones count; one isn't enough
    t.play("p1 decline")
    assert prompt(t) != prompt_after


def test_bonus_roll_of_the_marae_gives_a_tattoo() -> None:
    """Rule RA-4.3."""
    s = table(3)
    give(s, 1, ready="shaman shaman shaman")
    t = start(s).play("p0 go marae", "die 3")
    assert t.state.tattoos == [0, 1, 0]


def test_bonus_roll_of_the_marae_may_be_declined_by_whom_it_would_make_tahua() -> None:
    """Rule RA-4.3."""
    for wanted in (True, False):
        s = table(3)
        give(s, 1, ready="shaman", tattoos=9)
        t = start(s).play("p0 go marae", "die 1")
        assert (prompt(t), t.position.to_move) == ("shaman_tattoo", (1,))
        assert t.options(1) == ["accept gift_tattoo", "decline"]
        t.play("p1 accept gift_tattoo" if wanted else "p1 decline")
        assert t.state.tattoos[1] == 9 + wanted
        assert t.state.tahua_spent[1] == wanted  # stored for a hand with a ritual
        assert prompt(t) == "marae"


def test_bonus_roll_of_the_reef_gives_4_pearls() -> None:
    """Rule RA-4.3."""
    s = table(3)
    give(s, 1, ready="pearl_diver")
    t = start(s).play("p0 go reef", "die 1", "die 3")
    assert t.state.pearls == [4 + 3 + 3, 4 + 4 + 3, 4 + 3]


def test_no_bonus_roll_if_nobody_has_the_assistant() -> None:
    """Rule RA-4.3, ruling R18."""
    t = start(table(3)).play("p0 go reef", "die 2")  # R18: one roll only
    assert t.state.pearls == [9, 6, 6]


def test_roll_bonus_needs_at_least_one_assistant() -> None:
    """Rules RA-4.3 and RA-6.6."""
    s = table(3)
    give(s, 0, permanents="tii")
    give(s, 1, ready="pearl_diver", permanents="")
    s.lay_permanent(1, s.permanents[0][0])
    t = start(s).play("p0 go reef", "die 2", "die 1")
    assert t.state.pearls == [4 + 4, 4 + 4 + 1, 4 + 1]  # seat 0 has the card, but no diver


def test_rewards_are_finished_one_after_the_other() -> None:
    """Rule RA-4.3."""
    s = table(3)
    s.goods_market = [0, 1, 0, 0]
    give(s, 1, ready="gatherer")
    give(s, 2, ready="gatherer")
    t = start(s).play("p0 go forest", "die 1", "p1 take taro")
    assert prompt(t) == "forest_pick"  # the market is empty now


# -- RA-4.2 Marae ------------------------------------------------------------------------------------------------------


def test_sacrifice_lowers_the_price_and_gives_a_tattoo() -> None:
    """Rules RA-4.2 and RA-5.2."""
    s = table(3)
    give(s, 1, goods="uru taro")
    t = start(s).play("p0 go marae", "p0 done", "p1 sacrifice uru")
    assert t.state.tattoos[1] == 1
    assert t.state.prices == [1, 2, 2, 2]
    assert t.state.goods_market[0] == 2
    assert "sacrifice" not in kinds(t, 1)  # one only, seat 1 isn't the Kahuna


def test_kahuna_may_sacrifice_and_draw_twice() -> None:
    """Rule RA-4.2."""
    s = table(3)
    give(s, 0, goods="uru uru uru")
    t = start(s).play("p0 go marae", "p0 sacrifice uru", "p0 sacrifice uru")
    assert t.state.tattoos[0] == 2
    assert kinds(t, 0) == {"draw", "done"}  # no third
    for _ in range(2):
        t.play("p0 draw normal", "card hina", "card raa", "card rao", "p0 keep hina")
    assert t.position.to_move == (1,)
    assert hand(t, 0) == "hina hina"


DRAWN = ("p0 draw normal", "card hina", "card raa", "card rao", "p0 keep raa")
"""A draw at the Marae of somebody with few tattoos."""


def test_r13_no_sacrifice_after_drawing() -> None:
    """Rule RA-4.2, ruling R13."""
    s = table(3)
    give(s, 0, goods="uru uru")
    t = start(s).play("p0 go marae", *DRAWN)
    assert t.position.to_move == (1,)
    s = table(3)
    give(s, 0, goods="uru uru uru")
    t = start(s).play("p0 go marae", "p0 sacrifice uru", "p0 sacrifice uru", *DRAWN)
    assert kinds(t, 0) == {"draw", "done"}


@pytest.mark.parametrize(("goods_in_hand", "draws"), [("", 1), ("uru", 1), ("uru taro", 2)])
def test_r12_the_additional_commodity_pays_for_the_second_draw(goods_in_hand: str, draws: int) -> None:
    """Rule RA-4.2, ruling R12."""
    s = table(3)
    give(s, 0, goods=goods_in_hand)
    t = start(s).play("p0 go marae")
    for each in goods_in_hand.split():
        t.play(f"p0 sacrifice {each}")
    for _ in range(draws):
        assert t.position.to_move == (0,)
        t.play(*DRAWN)
    assert t.position.to_move == (1,)


def test_r12_the_additional_sacrifice_may_bring_the_draw_alone() -> None:
    """Rule RA-4.2, ruling R12."""
    for wanted in (True, False):
        s = table(3)
        give(s, 0, goods="uru taro", tattoos=8)
        t = start(s).play("p0 go marae", "p0 sacrifice uru", "p0 sacrifice taro")
        assert prompt(t) == "shaman_tattoo"
        assert t.options(0) == ["accept gift_tattoo", "decline"]
        t.play("p0 accept gift_tattoo" if wanted else "p0 decline")
        assert t.state.tattoos[0] == 9 + wanted
        assert t.position.decision(0).placeholders == {"n": 0, "draws": 2}


def test_r12_at_the_end_of_the_track_the_kahuna_sacrifices_for_a_draw() -> None:
    """Rule RA-4.2, ruling R12."""
    s = table(3)
    give(s, 0, goods="uru uru", tattoos=10)
    give(s, 1, goods="uru", tattoos=10)
    t = start(s).play("p0 go marae")
    assert t.position.decision(0).placeholders == {"n": 1, "draws": 1}
    t.play("p0 sacrifice uru")
    assert t.position.decision(0).placeholders == {"n": 0, "draws": 2}
    assert t.state.tattoos[0] == 10
    t.play("p0 done")
    assert kinds(t, 1) == {"draw", "done"}  # nobody else has anything from it


def test_rejects_are_discarded_face_up() -> None:
    """Rule RA-7.1."""
    t = start(table(3)).play("p0 go marae", "p0 draw normal", "card hina", "card raa", "card rao", "p0 keep raa")
    assert names("ritual", t.state.discards[0]) == "rao hina"


def test_keep_bonus_at_the_marae_only() -> None:
    """Rule RA-6.6."""
    s = table(3)
    give(s, 0, permanents="tohu")
    t = start(s).play(
        "p0 go marae", "p0 draw normal", "card hina", "card raa", "card rao", "p0 keep raa", "p0 keep hina"
    )
    assert hand(t, 0) == "raa hina"
    assert names("ritual", t.state.discards[0]) == "rao"


# -- RA-4.4 Reef -------------------------------------------------------------------------------------------------------


def test_reef_has_two_separate_rolls() -> None:
    """Rule RA-4.4, ruling R19."""
    s = table(3)
    give(s, 2, ready="pearl_diver pearl_diver")
    t = start(s).play("p0 go reef", "die 3", "die 4")  # R19: bonus roll first, 3 is too high for two divers
    assert t.state.pearls == [4 + 4 + 3, 4 + 4, 4 + 4]


def test_reef_income_triggers() -> None:
    """Rules RA-4.4 and RA-6.5."""
    s = table(3)
    give(s, 1, permanents="tua_raa_tai tua_raa_tai")
    t = start(s).play("p0 go reef", "die 1")
    assert t.state.pearls == [8, 9, 5]


# -- RA-4.5 Path of the Gods -------------------------------------------------------------------------------------------


def test_training_costs_2_or_5_pearls() -> None:
    """Rule RA-4.5, ruling R29."""
    s = table(3)
    give(s, 0, pearls=9)
    t = start(s).play("p0 go path", "p0 decline", "p0 train 1")
    assert (t.state.pearls[0], t.state.priests[0], t.state.mana[0]) == (7, 1, 6)
    s = table(3)
    give(s, 0, pearls=9)
    t = start(s).play("p0 go path", "p0 decline", "p0 train 2")
    assert (t.state.pearls[0], t.state.priests[0], t.state.mana[0]) == (4, 2, 7)


def test_kahuna_trains_one_more_for_nothing() -> None:
    """Rule RA-4.5."""
    s = table(3)
    give(s, 0, pearls=5)
    t = start(s).play("p0 go path", "p0 priest", "p0 train 2")
    assert t.state.priests[0] == 3
    assert t.state.mana[0] == 8


def test_everybody_gets_mana_for_priests() -> None:
    """Rules RA-4.5 and RA-7.4, ruling R30."""
    s = table(3)
    for seat in range(3):
        give(s, seat, priests=seat + 1, pearls=0)
    t = start(s).play("p0 go path", "p0 decline")
    assert t.state.mana == [6, 7, 8]  # R30


def test_training_ends_with_the_track() -> None:
    """Rules RA-4.5 and RA-6.7, ruling R31."""
    s = table(3)
    give(s, 0, priests=11, pearls=9)
    give(s, 1, priests=12, pearls=9)
    t = start(s).play("p0 go path", "p0 decline")
    assert t.options(0) == ["train 0", "train 1"]  # R31
    t.play("p0 train 1")
    assert t.position.to_move == (2,)  # seat 1 stands at the end and isn't asked


def test_priest_income_triggers() -> None:
    """Rules RA-6.5 and RA-7.4."""
    s = table(3)
    give(s, 0, permanents="raa", pearls=0)
    t = start(s).play("p0 go path", "p0 priest")
    assert t.state.mana[0] == 5 + 1 + 2


# -- RA-4.6 Neighbourhood ----------------------------------------------------------------------------------------------


def test_masks_are_placed_first_and_then_taken() -> None:
    """Rule RA-4.6."""
    s = table(3)
    give(s, 0, masks="maui mirror")
    give(s, 2, masks="pai")
    t = start(s).play(
        "p0 go neighbourhood", "p0 done", "p0 place maui", "p2 place pai", "p0 claim pai", "p0 done", "p2 claim maui"
    )
    assert names("mask", t.state.masks[0]) == "mirror pai"
    assert names("mask", t.state.masks[2]) == "maui"
    assert t.state.pearls == [4, 4, 4]


def test_a_mirror_may_be_placed() -> None:
    """Rule RA-4.6."""
    s = table(3)
    give(s, 0, masks="mirror")
    t = start(s).play("p0 go neighbourhood", "p0 place mirror")
    assert "mirror" in names("mask", t.state.mask_market)


def test_the_own_mask_may_be_taken_back_and_nothing_needs_to_be_taken() -> None:
    """Rule RA-4.6, ruling R33."""
    s = table(3)
    give(s, 0, masks="maui")
    give(s, 1, masks="pai")
    t = start(s).play("p0 go neighbourhood", "p0 place maui", "p1 place pai", "p0 claim maui", "p1 decline")
    assert names("mask", t.state.masks[0]) == "maui"
    assert t.state.masks[1] == []  # R33


def test_who_placed_nothing_takes_nothing() -> None:
    """Rule RA-4.6, ruling R34."""
    s = table(3)
    give(s, 0, masks="maui")
    t = start(s).play("p0 go neighbourhood", "p0 decline")
    assert prompt(t) == "choose_location"  # R34


def test_swapped_twins_pair_at_once_and_give_no_treasure() -> None:
    """Rules RA-4.6 and RA-5.3, ruling R28."""
    s = table(3, display="uru uru uru uru")
    give(s, 0, masks="maui pai")
    give(s, 1, masks="maui")
    t = start(s).play("p0 go neighbourhood", "p0 place pai", "p1 place maui", "p0 claim maui")
    assert names("mask", t.state.pairs[0]) == "maui"
    assert t.state.tattoos[0] == 0  # R28: one of the two would bring a tattoo from the forest


def test_kahuna_completes_a_task_before_or_after_the_swap() -> None:
    """Rule RA-4.6, ruling R32."""
    for late in (False, True):
        s = table(3)
        lay(s, "s1r1c1", "t1_pearls_4")
        give(s, 0, masks="maui")
        give(s, 1, pearls=9)
        t = start(s).play("p0 go neighbourhood")
        assert prompt(t) == "early_task"
        t.play("p0 decline" if late else "p0 build s1r1c1", "p0 decline")
        if late:
            assert prompt(t) == "late_task"
            t.play("p0 build s1r1c1")
        assert names("task", t.state.tasks_done[0]) == "t1_pearls_4"
        assert prompt(t) == "choose_location"  # R32, and seat 1 was not asked


def test_neighbourhood_task_gives_completions_to_its_owner() -> None:
    """Rules RA-4.6 and RA-6.6."""
    s = table(3)
    lay(s, "s1r1c1", "t1_pearls_4")
    lay(s, "s1r2c1", "t1_pearls_5")
    lay(s, "s1r2c2", "t1_pearls_6")
    give(s, 0, permanents="hau", pearls=15)
    give(s, 1, permanents="hau", pearls=15)
    t = start(s).play("p0 go neighbourhood", "p0 build s1r1c1", "p0 build s1r2c1")
    assert t.position.to_move == (1,)  # the Kahuna's bonus and the card's are used
    t.play("p1 decline")
    assert prompt(t) == "late_task"
    t.play("p1 build s1r2c2")
    assert prompt(t) == "choose_location"


# -- RA-4.7 to RA-4.9 Marketplace --------------------------------------------------------------------------------------


def test_one_sale_and_one_hire_in_any_order() -> None:
    """Rule RA-4.7."""
    s = table(3)
    give(s, 1, goods="uru uru", pearls=6)
    t = start(s).play("p0 go marketplace", "p0 done", "p1 hire shaman", "p1 sell uru 1")
    assert t.position.to_move == (2,)  # nothing else is possible for seat 1
    assert t.state.pearls[1] == 6 - 2 + 2
    assert t.state.ready[1] == [0, 0, 1, 0]


def test_kahuna_sells_and_hires_twice() -> None:
    """Rule RA-4.7, ruling R37."""
    s = table(3)
    give(s, 0, goods="taro taro taro", pearls=6)
    t = start(s).play("p0 go marketplace", "p0 sell taro 2", "p0 sell taro 1", "p0 hire trader", "p0 hire trader")
    assert "sell" not in kinds(t, 0)
    assert "hire" not in kinds(t, 0)
    assert t.state.priests[0] == 1
    assert t.state.mana[0] == 7  # R37: the same type twice, the second time on level 1
    assert t.state.pearls[0] == 2


def test_extra_sale() -> None:
    """Rules RA-4.7 and RA-6.6."""
    s = table(3)
    give(s, 1, goods="taro taro taro", permanents="ru", pearls=0)
    t = start(s).play("p0 go marketplace", "p0 done", "p1 sell taro 2", "p1 sell taro 1")
    assert goods(t, 1) == "taro"
    assert t.state.priests[1] == 1
    assert t.position.to_move == (2,)  # two sales, not three


def test_hiring_needs_pearls_and_assistants() -> None:
    """Rule RA-4.9, ruling R40."""
    s = table(3)
    s.assistant_market = [0, 0, 0, 1]
    give(s, 1, pearls=1)
    t = start(s).play("p0 go marketplace")
    assert t.options(0) == ["hire pearl_diver", "done"]
    t.play("p0 hire pearl_diver")
    assert prompt(t) == "choose_location"  # R40: the market is empty, nobody can do anything


@pytest.mark.parametrize("exhausted", ["gatherer shaman pearl_diver", "gatherer pearl_diver pearl_diver"])
def test_assistants_are_readied_as_a_set_in_any_order(exhausted: str) -> None:
    """Rule RA-6.3."""
    s = table(3)
    give(s, 0, goods="uru", exhausted=exhausted)
    position = start(s).play("p0 go marketplace", "p0 sell uru 2").position
    diver, gatherer = GAME.parse("ready pearl_diver"), GAME.parse("ready gatherer")
    ends = []
    for first, second in ((diver, gatherer), (gatherer, diver)):
        draft = TurnDraft(position, 0)
        draft.add(first)
        assert (draft.picked, second in draft.legal()) == ([first], True)
        draft.add(second)
        position_after = position.fork(seed=1)
        position_after.apply(draft.choices, 0)
        ends.append(position_after.state)
    assert ends[0] == ends[1]
    assert ends[0].ready[0] == [1, 0, 0, 1]


def test_up_to_two_assistants_are_readied_or_none() -> None:
    """Rule RA-6.3."""
    for wanted in (["ready gatherer", "done"], ["done"]):
        s = table(3)
        give(s, 0, goods="uru", exhausted="gatherer shaman pearl_diver")
        t = start(s).play("p0 go marketplace", "p0 sell uru 2", *(f"p0 {choice}" for choice in wanted))
        assert sum(t.state.ready[0]) == len(wanted) - 1
        assert [event["n"] for event in t.events("readied")] == [1] * (len(wanted) - 1)


def test_trader_raises_a_price_to_the_top_once() -> None:
    """Rule RA-5.6."""
    s = table(3)
    give(s, 0, ready="trader trader", pearls=0)
    t = start(s).play("p0 go marketplace", "die 4", "p0 trade tiare")
    assert t.state.prices == [2, 2, 2, 4]
    assert t.position.to_move == (1,)  # one only, and nothing else to do


def test_trader_just_hired_may_be_sent() -> None:
    """Rule RA-5.6, ruling R38."""
    s = table(3)
    give(s, 1, goods="uru", pearls=2)
    t = start(s).play("p0 go marketplace", "p0 done", "p1 hire trader", "p1 trade uru", "p1 sell uru 4")
    assert prompt(t) == "take_assistant"  # R38
    t.play("p1 enlist shaman", "p1 enlist shaman")
    assert t.state.ready[1] == [0, 0, 2, 0]
    assert t.state.prices[0] == 3


def test_trader_may_be_sent_after_selling() -> None:
    """Rule RA-5.6, ruling R38."""
    s = table(3)
    give(s, 1, goods="uru", ready="trader", pearls=0)
    t = start(s).play("p0 go marketplace", "die 4", "p0 done", "p1 sell uru 1", "p1 trade uru")
    assert t.state.prices[0] == 4


def test_bonus_at_or_below_the_marker_before_it_falls() -> None:
    """Rule RA-4.8, rulings R35 and R39."""
    s = table(3)
    s.prices = [3, 1, 4, 2]
    give(s, 0, goods="uru taro", exhausted="shaman")
    t = start(s).play("p0 go marketplace")
    sales = [text for text in t.options(0) if text.startswith("sell")]
    assert sales == ["sell uru 1", "sell uru 2", "sell uru 3", "sell taro 1"]  # R35
    t.play("p0 sell uru 3")
    assert t.state.pearls[0] == 8
    assert t.state.prices[0] == 2  # R39: once


def test_bonus_without_effect_cannot_be_chosen() -> None:
    """Rule RA-4.8, ruling R36."""
    s = table(3)
    s.prices = [4, 4, 4, 4]
    s.assistant_market = [0, 0, 0, 0]
    give(s, 0, goods="uru taro mahi_mahi tiare", priests=12, tattoos=10)
    t = start(s).play("p0 go marketplace")
    assert [text for text in t.options(0) if text.startswith("sell")] == [
        "sell uru 1",
        "sell uru 3",
        "sell taro 1",
        "sell taro 3",
        "sell mahi_mahi 1",
        "sell mahi_mahi 2",
        "sell mahi_mahi 3",
        "sell tiare 1",
        "sell tiare 2",
    ]  # R36


def test_the_commodity_sold_cannot_pay_for_the_task_of_its_bonus() -> None:
    """Rule RA-4.8, ruling R36."""
    s = table(3)
    s.prices = [2, 2, 4, 2]
    lay(s, "s1r1c1", "t1_goods_mahi_tiare")
    give(s, 0, goods="mahi_mahi tiare")
    t = start(s).play("p0 go marketplace")
    assert "sell mahi_mahi 4" not in t.options(0)


def test_draw_forest_by_selling_mahi_mahi() -> None:
    """Rule RA-6.3."""
    s = table(3)
    give(s, 0, goods="mahi_mahi")
    t = start(s).play("p0 go marketplace", "p0 sell mahi_mahi 2", "reveal tiare", "reveal mask_honoura_f")
    assert t.options(0) == ["pick tiare", "pick mask_honoura_f", "decline"]
    t.play("p0 pick mask_honoura_f")
    assert t.state.tattoos[0] == 1  # treasure counts
    assert t.state.goods_market == [1, 1, 2, 2]
    assert t.state.prices == [2, 2, 1, 1]  # the reject lowers its price, and so does the sale


def test_ready_two_assistants_by_selling_uru() -> None:
    """Rule RA-6.3."""
    s = table(3)
    give(s, 0, goods="uru", exhausted="gatherer gatherer trader")
    t = start(s).play("p0 go marketplace", "die 4", "p0 sell uru 2")
    assert t.options(0) == ["ready gatherer", "ready trader", "done"]
    t.play("p0 ready gatherer", "p0 ready trader")
    assert t.state.ready[0] == [1, 1, 0, 0]
    assert t.state.exhausted[0] == [1, 0, 0, 0]


def test_free_actions_during_the_market_turn() -> None:
    """Rule RA-3.4."""
    s = table(3)
    give(s, 1, rituals="uru_taetae", ready="shaman", priests=4, pearls=0)
    t = start(s).play("p0 go marketplace", "p0 done", "p1 shaman uru_taetae", "p1 take tiare")
    assert "sell tiare 2" in t.options(1)  # what the ritual brought can be sold at once


def test_neighbourhood_windows_before_and_after_each_step() -> None:
    """Rule RA-3.4."""
    s = table(3)
    give(s, 1, rituals="tipa tipa", ready="shaman", masks="maui", priests=3)
    t = start(s).play("p0 go neighbourhood")
    assert prompt(t) == "place_mask"
    assert "shaman tipa" in t.options(1)
    t.play("p1 place maui")
    assert prompt(t) == "window"
    t.play("p1 done")
    assert prompt(t) == "swap_mask"
    assert "shaman tipa" in t.options(1)
    t.play("p1 claim maui")
    assert prompt(t) == "window"


def test_path_windows_before_training_and_after_the_mana() -> None:
    """Rule RA-3.4."""
    s = table(3)
    give(s, 1, rituals="roroo tipa", ready="shaman shaman", priests=6, pearls=0)
    t = start(s).play("p0 go path", "p0 decline", "p0 train 0")
    assert prompt(t) == "window"
    t.play("p1 shaman roroo", "p1 done")
    assert t.state.mana[1] == 5 + 8  # the priests trained by the shaman bring mana at once
    assert prompt(t) == "window"
    t.play("p1 shaman tipa")
    assert t.state.mana[1] == 5 + 8 + 4


def test_location_is_left_when_all_have_had_their_part() -> None:
    """Rule RA-3.1."""
    t = start(table(3)).play("p0 go reef", "die 1", "p1 go path")
    assert t.state.location == location("path")
    skip_to(t, "choose_location")
    assert t.position.to_move == (2,)
    assert t.state.kahuna == -1
