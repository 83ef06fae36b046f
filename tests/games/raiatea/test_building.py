"""Act 6 of the feast, tasks, auctions and the end of a feast (RA-7, RA-8)."""

import pytest

from atoll.engine import TurnDraft
from atoll.engine.scripted_game import ScriptedGame
from atoll.games.raiatea import GAME
from atoll.games.raiatea.learn.positions import (
    BOX,
    give,
    goods,
    hand,
    in_phase,
    kinds,
    lay,
    names,
    open_statue,
    prompt,
    space,
    start,
    table,
)
from atoll.games.raiatea.state import AUCTIONS, BUILDING, END_OF_FEAST, RaiateaState
from atoll.games.raiatea.tasks import candidates


def building(s: RaiateaState, feast: int = 1) -> ScriptedGame:
    """Act 6 of a feast, auctions due included."""
    s.field = {1: 1, 2: 4, 3: 8}[feast]
    return in_phase(s, AUCTIONS)


def done(t: ScriptedGame, seat: int) -> str:
    return names("task", t.state.tasks_done[seat])


# -- build cycles ------------------------------------------------------------------------------------------------------


def test_build_cycles_in_favour_order_until_all_have_passed() -> None:
    """Rule RA-8.10."""
    s = table(3)
    s.favour = [2, 0, 1]
    for n in range(1, 5):
        lay(s, f"s1r{n}c1", f"t1_pearls_{n + 3}")
    for seat in range(3):
        give(s, seat, pearls=30)
    t = building(s)
    t.play("p2 build s1r1c1", "p0 pass", "p1 build s1r2c1", "p2 pass", "p0 build s1r3c1", "p1 pass")
    t.play("p2 pass", "p0 pass", "p1 pass")
    assert [done(t, seat) for seat in range(3)] == ["t1_pearls_6", "t1_pearls_5", "t1_pearls_4"]
    assert t.state.passed == [True, True, True]  # all in one cycle (R82)
    assert [event["seat"] for event in t.events("passed")] == [0, 2, 1, 0]  # who passes again isn't named again


def test_r82_an_unasked_pass_is_not_final() -> None:
    """Rule RA-8.10, ruling R82."""
    s = table(3)
    lay(s, "s1r1c1", "t1_pearls_4")
    lay(s, "s1r2c1", "t1_mana_4")
    give(s, 0, pearls=2, mana=0)
    give(s, 1, pearls=0, mana=0)
    give(s, 2, pearls=2, mana=4, rituals="te_fatu", ready="shaman", priests=2)
    t = building(s)
    assert t.position.to_move == (2,)  # the others can do nothing and pass unasked
    t.play("p2 shaman te_fatu", "p2 build s1r2c1")  # a general ritual: pearls for all
    assert t.options(0) == ["build s1r1c1", "pass"]


def test_who_can_do_nothing_passes_unasked() -> None:
    """Rules RA-6.7 and RA-8.10."""
    s = table(3)
    lay(s, "s1r1c1", "t1_pearls_4")
    give(s, 0, pearls=0)
    give(s, 2, pearls=0)
    t = building(s)
    assert t.position.to_move == (1,)


def test_a_build_turn_with_a_free_action_is_asked() -> None:
    """Rules RA-3.5 and RA-8.10."""
    s = table(3)
    lay(s, "s1r1c1", "t1_pearls_7")
    give(s, 0, rituals="rua_hatu", ready="shaman", priests=4)
    t = building(s)
    assert t.options(0) == ["shaman rua_hatu", "pass"]
    t.play("p0 shaman rua_hatu")
    assert t.options(0) == ["build s1r1c1", "pass"]


def test_build_order_changes_with_the_next_cycle() -> None:
    """Rule RA-8.10, ruling R84."""
    s = table(3)
    for place, name in (("s1r1c1", "t1_pearls_4"), ("s1r2c1", "t1_pearls_5"), ("s1r3c1", "t1_pearls_6")):
        lay(s, place, name)
    for seat in range(3):
        give(s, seat, pearls=20)
    give(s, 2, rituals="rai_tupua", ready="shaman", priests=12)
    t = building(s).play("p0 build s1r1c1", "p1 pass", "p2 shaman rai_tupua", "p2 decline", "p2 build s1r2c1")
    assert t.position.to_move == (2,)  # R84


def test_pearl_diver_completes_a_second_task_once_a_feast() -> None:
    """Rule RA-5.8, ruling R83."""
    s = table(3)
    tasks = ("t1_pearls_4", "t1_pearls_5", "t1_pearls_6", "t1_pearls_7")
    for place, name in zip(("s1r1c1", "s1r2c1", "s1r3c1", "s1r4c1"), tasks, strict=True):
        lay(s, place, name)
    give(s, 0, pearls=30, ready="pearl_diver pearl_diver")
    give(s, 1, pearls=0)
    give(s, 2, pearls=0)
    t = building(s).play("p0 build s1r1c1")
    assert prompt(t) == "diver"
    t.play("p0 build s1r2c1")
    assert t.state.pearls[0] == 30 - 9  # both paid
    assert t.state.ready[0][3] == 1
    assert prompt(t) == "build"  # never a third (R83); the next cycle
    t.play("p0 build s1r3c1")
    assert prompt(t) == "build"  # and no second diver in this feast


def test_no_diver_after_passing() -> None:
    """Rule RA-5.8."""
    s = table(3)
    lay(s, "s1r1c1", "t1_pearls_4")
    give(s, 0, ready="pearl_diver")
    t = building(s).play("p0 pass")
    assert t.position.to_move == (1,)


# -- tasks -------------------------------------------------------------------------------------------------------------


def test_locked_statues_cannot_be_built() -> None:
    """Rules RA-7.2 and RA-7.11, ruling R74."""
    s = table(3, oracle=True)
    s.revealed = [True, True, True]
    s.task_pools[1].remove(BOX.task_ids.index("t2_cond_priests_6"))
    s.tiles[space("s2r1c1")] = BOX.task_ids.index("t2_cond_priests_6")
    give(s, 0, priests=12)
    s.field = 1
    t = ScriptedGame.at("raiatea", _phase(s, AUCTIONS), s.options)
    assert t.position.over or prompt(t) != "build"  # R74


def _phase(s: RaiateaState, phase: int) -> RaiateaState:
    s.phase = phase
    s.order = s.favour[:]
    return s


@pytest.mark.parametrize(
    ("name", "gift"),
    [
        ("t1_pearls_4", {"pearls": 4}),
        ("t1_mana_5", {"mana": 5}),
        ("t1_goods_uru_taro", {"goods": "uru taro"}),
        ("t1_goods_same_2", {"goods": "tiare tiare"}),
        ("t1_rituals_2", {"rituals": "rao ihi"}),
        ("t1_masks_1", {"masks": "mirror"}),
        ("t1_cond_priests_4", {"priests": 4}),
        ("t1_cond_rank_ariki", {"tattoos": 2}),
        ("t1_cond_assistants_3", {"ready": "trader shaman", "exhausted": "trader"}),
        ("t2_cond_same_assistants_3", {"ready": "trader trader", "exhausted": "trader"}),
        ("t2_masks_2", {"masks": "pai mirror"}),
        ("t3_goods_two_pairs", {"goods": "uru uru tiare tiare"}),
    ],
)
def test_a_task_can_be_completed_with_just_enough(name: str, gift: dict[str, object]) -> None:
    """Rules RA-7.6 and RA-7.8."""
    statue = int(name[1])
    s = table(3)
    open_statue(s, statue)
    lay(s, f"s{statue}r3c1", name)
    give(s, 0, pearls=0, mana=0)
    give(s, 0, **gift)  # type: ignore[arg-type]
    t = building(s).play(f"p0 build s{statue}r3c1")
    while prompt(t).startswith("pay"):
        t.position.apply(t.position.legal_choices(0)[0], 0)
    assert done(t, 0) == name
    assert t.state.pearls[0] == t.state.mana[0] == 0
    assert goods(t, 0) == ""
    assert hand(t, 0) == ""


@pytest.mark.parametrize(
    ("name", "gift"),
    [
        ("t1_pearls_4", {"pearls": 3}),
        ("t1_mana_5", {"mana": 4}),
        ("t1_goods_uru_taro", {"goods": "uru uru tiare"}),
        ("t1_goods_same_2", {"goods": "uru taro mahi_mahi tiare"}),
        ("t1_rituals_2", {"rituals": "rao"}),
        ("t1_masks_1", {"pairs": "maui"}),
        ("t1_cond_priests_4", {"priests": 3}),
        ("t1_cond_rank_ariki", {"tattoos": 1}),
        ("t1_cond_assistants_3", {"ready": "trader shaman"}),
        ("t2_cond_same_assistants_3", {"ready": "trader trader shaman shaman"}),
        ("t3_goods_two_pairs", {"goods": "uru uru uru uru"}),
        ("t1_auction", {"mana": 50}),
    ],
)
def test_a_task_cannot_be_completed_with_less(name: str, gift: dict[str, object]) -> None:
    """Rules RA-7.6 and RA-7.8."""
    statue = int(name[1])
    s = table(3)
    open_statue(s, statue)
    lay(s, f"s{statue}r3c1", name)
    lay(s, f"s{statue}r3c2", {1: "t1_pearls_7", 2: "t2_pearls_9", 3: "t3_pearls_12"}[statue])
    give(s, 0, pearls=0, mana=0)
    give(s, 0, **gift)  # type: ignore[arg-type]
    for seat in (1, 2):
        give(s, seat, pearls=0, mana=0)
    building(s)
    assert f"build s{statue}r3c1" not in building_options(s)


def building_options(s: RaiateaState) -> list[str]:
    return [f"build {BOX.space_ids[each]}" for each in candidates(s, 0)]


def test_payment_goes_to_supply_markets_and_discard_piles() -> None:
    """Rule RA-7.6, ruling R71."""
    s = table(3)
    lay(s, "s1r1c1", "t1_goods_uru_taro")
    lay(s, "s1r2c1", "t1_rituals_2")
    lay(s, "s1r3c1", "t1_masks_1")
    lay(s, "s1r4c1", "t1_mana_4")
    give(s, 0, goods="uru taro", rituals="rao ihi", masks="maui")
    for seat in (1, 2):
        give(s, seat, mana=0, pearls=0)
    t = building(s).play("p0 build s1r1c1", "p0 build s1r2c1", "p0 build s1r3c1", "p0 build s1r4c1")
    assert t.state.goods_market == [2, 2, 1, 1]
    assert t.state.prices == [1, 1, 2, 2]
    assert [names("ritual", pile) for pile in t.state.discards] == ["rao", "ihi"]
    assert "maui" in names("mask", t.state.mask_market)
    assert t.state.bag_mana == 0  # R71


def test_a_mix_is_asked_type_by_type() -> None:
    """Rule RA-7.7."""
    s = table(3)
    open_statue(s, 2)
    lay(s, "s2r3c1", "t2_goods_same_2_plus_1")
    give(s, 0, goods="uru uru taro taro tiare")
    t = building(s).play("p0 build s2r3c1")
    assert t.options(0) == ["pay uru 0", "pay uru 1", "pay uru 2"]
    t.play("p0 pay uru 1")  # then both Taro must follow
    assert goods(t, 0) == "uru tiare"
    assert done(t, 0) == "t2_goods_same_2_plus_1"


def test_a_mix_is_chosen_in_any_order() -> None:
    """Rule RA-7.7."""
    s = table(3)
    open_statue(s, 2)
    lay(s, "s2r3c1", "t2_goods_same_2_plus_1")
    give(s, 0, goods="uru uru taro taro tiare")
    position = building(s).play("p0 build s2r3c1").position
    draft = TurnDraft(position, 0, [position.parse("pay tiare 1"), position.parse("pay taro 2")])
    assert not draft.picked, "that is all of it"
    assert [position.text(each) for each in draft.choices] == ["pay uru 0"], "the rest is told by that"
    tried = TurnDraft(position, 0, [position.parse("pay taro 2")])
    reason = position.game.why_not(tried.view(), position.parse("pay tiare 0"))
    assert reason is None, "one Uru may come instead"
    reason = position.game.why_not(tried.view(), position.parse("pay uru 2"))
    assert reason is not None
    assert reason.key == "not_the_pattern"


def test_rituals_are_paid_in_ascending_order() -> None:
    """Rule RA-7.6."""
    s = table(3)
    lay(s, "s1r3c1", "t1_rituals_2")
    give(s, 0, rituals="rao roroo ihi")
    t = building(s).play("p0 build s1r3c1")
    assert t.options(0) == ["pay_ritual rao", "pay_ritual roroo"]
    t.play("p0 pay_ritual roroo")
    assert done(t, 0) == ""
    t.play("p0 pay_ritual ihi")
    assert hand(t, 0) == "rao"


def test_discounts() -> None:
    """Rules RA-6.6 and RA-7.7."""
    s = table(3)
    lay(s, "s1r3c1", "t1_pearls_5")
    lay(s, "s1r4c1", "t1_mana_4")
    lay(s, "s1r5c1", "t1_goods_uru_taro")
    give(s, 0, permanents="fatu_moana atea faahotu", goods="taro", pearls=2, mana=1)
    t = building(s).play("p0 build s1r3c1")
    assert t.state.pearls[0] == 0
    for seat in (1, 2):
        if t.position.to_move == (seat,):
            t.play(f"p{seat} pass")
    t.play("p0 build s1r4c1", "p0 build s1r5c1")
    assert t.state.mana[0] == 0
    assert goods(t, 0) == ""
    assert done(t, 0) == "t1_pearls_5 t1_mana_4 t1_goods_uru_taro"


def test_a_discount_to_nothing_is_free() -> None:
    """Rule RA-6.6, ruling R99."""
    s = table(3)
    lay(s, "s1r3c1", "t1_pearls_4")
    give(s, 0, permanents="fatu_moana", pearls=0)
    s.lay_permanent(0, s.permanents[0][0])
    t = building(s).play("p0 build s1r3c1")
    assert done(t, 0) == "t1_pearls_4"  # R99


def test_conditions_only_once_per_id() -> None:
    """Rule RA-7.2, ruling R73."""
    s = table(3)
    lay(s, "s1r3c1", "t1_cond_priests_4")
    lay(s, "s1r4c1", "t1_cond_rank_ariki")
    give(s, 0, tasks="t1_cond_priests_4", priests=7, tattoos=2)
    t = building(s)
    assert t.options(0) == ["build s1r4c1", "pass"]  # R73


def test_resource_tasks_of_one_id_may_be_completed_twice() -> None:
    """Rule RA-7.2, ruling R73."""
    s = table(3)
    lay(s, "s1r3c1", "t1_rituals_2")
    give(s, 0, tasks="t1_rituals_2", rituals="rao rao")
    t = building(s).play("p0 build s1r3c1")
    assert done(t, 0) == "t1_rituals_2 t1_rituals_2"


def test_a_condition_lost_later_changes_nothing() -> None:
    """Rule RA-7.2, ruling R99."""
    s = table(3)
    give(s, 0, tasks="t1_cond_priests_4", priests=0)
    assert start(s).position.scores()[0] == 1  # R99


# -- auctions ----------------------------------------------------------------------------------------------------------


def auction_row(s: RaiateaState) -> RaiateaState:
    """Row 2 of statue 1: a task for 4 pearls and an auction."""
    lay(s, "s1r2c1", "t1_pearls_4")
    lay(s, "s1r2c2", "t1_auction")
    return s


def bids(t: ScriptedGame, *amounts: int) -> ScriptedGame:
    for seat, amount in enumerate(amounts):
        if seat in t.position.to_move:
            t.play(f"p{seat} bid {amount}")
    return t


def test_an_auction_is_held_the_moment_it_is_due() -> None:
    """Rule RA-7.3, ruling R76."""
    t = building(auction_row(table(3))).play("p0 build s1r2c1")
    assert prompt(t) == "auction_bid"  # R76
    bids(t, 1, 3, 2)
    assert done(t, 1) == "t1_auction"
    assert t.state.mana == [4, 2, 3]
    assert t.state.bag_mana == 6  # everybody pays


def test_mana_shortage_takes_the_bids_to_the_supply() -> None:
    """Rules RA-7.3 and RA-10.4."""
    t = bids(building(auction_row(table(3, mana_shortage=True))).play("p0 build s1r2c1"), 1, 3, 2)
    assert t.state.mana == [4, 2, 3]
    assert t.state.bag_mana == 0


def test_ties_go_by_favour() -> None:
    """Rule RA-7.3."""
    s = auction_row(table(3))
    s.favour = [2, 1, 0]
    give(s, 2, pearls=0)
    give(s, 1, pearls=0)
    t = bids(building(s).play("p0 build s1r2c1"), 3, 3, 1)
    assert done(t, 1) == "t1_auction"


def test_bid_bonus_in_auctions() -> None:
    """Rules RA-6.6 and RA-7.3."""
    s = auction_row(table(3))
    give(s, 2, permanents="rearea")
    t = bids(building(s).play("p0 build s1r2c1"), 3, 0, 1)
    assert done(t, 2) == "t1_auction"
    assert t.state.mana == [2, 5, 4]


def test_r78_without_bids_the_first_in_favour_completes_the_task() -> None:
    """Rule RA-7.3, ruling R78."""
    s = auction_row(table(3))
    s.favour = [1, 0, 2]
    t = building(s)
    t.play(f"p{t.position.to_move[0]} build s1r2c1")
    bids(t, 0, 0, 0)
    assert done(t, 1).endswith("t1_auction")
    assert t.state.mana == [5, 5, 5]
    assert not t.events("no_bids")


def test_by_the_house_rule_the_tile_waits_for_a_bid_in_the_next_feast() -> None:
    """Rules RA-1.1 and RA-7.3, ruling R78."""
    t = bids(building(auction_row(table(3, auctions="need_bid"))).play("p0 build s1r2c1"), 0, 0, 0)
    assert t.state.tiles[space("s1r2c2")] == BOX.task_ids.index("t1_auction")
    assert t.events("no_bids")
    again = t.state.clone()
    again.mana = [0, 1, 0]
    assert prompt(building(again, 2)) == "auction_bid"  # R78


def test_by_the_house_rule_nobody_gets_a_task_without_a_bid_in_the_last_feast() -> None:
    """Rules RA-1.1 and RA-7.3, ruling R78."""
    for feast, told, reason in ((2, "no_bids", "auction_waits"), (3, "no_bids_last", "auction_over")):
        s = auction_row(table(3, auctions="need_bid"))
        give(s, 0, pearls=30)
        lay(s, "s1r3c1", "t1_pearls_5")
        t = building(s, feast)
        found = GAME.why_not(t.position.view(0), GAME.parse("build s1r2c2"))
        assert found is not None
        assert found.key == "auction_task"
        bids(t.play("p0 build s1r2c1"), 0, 0, 0)
        assert [key for key in ("no_bids", "no_bids_last") if t.events(key)] == [told]
        found = GAME.why_not(t.position.view(t.position.to_move[0]), GAME.parse("build s1r2c2"))
        assert found is not None
        assert found.key == reason


def test_rows_with_auctions_only_are_due_at_the_start_of_act_6() -> None:
    """Rule RA-8.9, ruling R77."""
    s = table(3)
    open_statue(s, 2)
    lay(s, "s1r1c1", "t1_auction")
    lay(s, "s2r2c1", "t2_auction")
    lay(s, "s2r2c2", "t2_auction")
    t = building(s)
    held = []
    while prompt(t) == "auction_bid":
        held.append(BOX.space_ids[t.events("auction")[-1]["space"]])
        bids(t, 0, 1, 0)
    assert held == ["s1r1c1", "s2r2c1", "s2r2c2"]  # R80
    assert done(t, 1) == "t1_auction t2_auction t2_auction"  # R81
    assert t.state.mana[1] == 2


def test_bids_are_limited_by_the_mana_left() -> None:
    """Rule RA-7.3, ruling R80."""
    s = table(3)
    open_statue(s, 2)
    lay(s, "s1r1c1", "t1_auction")
    lay(s, "s2r1c1", "t2_auction")
    t = bids(building(s), 5, 0, 0)
    assert t.position.to_move == (1, 2)  # seat 0 has nothing left


def test_auction_before_the_second_task_of_a_diver() -> None:
    """Rule RA-5.8, ruling R76."""
    s = auction_row(table(3))
    lay(s, "s1r3c1", "t1_mana_4")
    give(s, 0, ready="pearl_diver")
    t = building(s).play("p0 build s1r2c1")
    assert prompt(t) == "auction_bid"
    bids(t, 2, 0, 0)
    assert t.position.to_move != (0,) or prompt(t) != "diver"  # only 3 mana are left for the second task


def test_a_player_who_passed_still_bids() -> None:
    """Rule RA-7.3, ruling R79."""
    s = auction_row(table(3))
    t = building(s).play("p0 pass", "p1 build s1r2c1")
    assert t.position.to_move == (0, 1, 2)  # R79


def test_nobody_with_mana_means_no_bids() -> None:
    """Rule RA-7.3, ruling R78."""
    for option, winner in (("favour", "t1_auction t1_pearls_4"), ("need_bid", "t1_pearls_4")):
        s = auction_row(table(3, auctions=option))
        for seat in range(3):
            give(s, seat, mana=0)
        t = building(s).play("p0 build s1r2c1")
        assert sorted(done(t, 0).split()) == winner.split()
        assert bool(t.events("no_bids")) is (option == "need_bid")


def test_an_auction_outside_of_a_feast() -> None:
    """Rule RA-7.3, ruling R76."""
    t = start(auction_row(table(3))).play("p0 go neighbourhood", "p0 build s1r2c1")
    assert prompt(t) == "auction_bid"
    bids(t, 0, 0, 4)
    assert done(t, 2) == "t1_auction"


# -- end of feast ------------------------------------------------------------------------------------------------------


def test_after_the_first_feast_statue_2_is_open() -> None:
    """Rule RA-8.2."""
    s = table(3)
    s.field = 1
    t = in_phase(s, END_OF_FEAST)
    for _ in range(16):
        t.position.apply(next(iter(t.position.outcomes())))
    assert t.state.unlocked == [True, True, False]
    assert BOX.fields[t.state.field].id == "a2"
    assert prompt(t) == "choose_location"
    assert t.state.start_player == 0  # R87


def test_a_statue_unlocked_early_is_not_replaced_by_the_next() -> None:
    """Rules RA-7.11 and RA-8.2, ruling R85."""
    s = table(3)
    open_statue(s, 2)
    s.field = 1
    t = in_phase(s, END_OF_FEAST)
    assert t.state.unlocked == [True, True, False]  # R85


def test_oracle_tasks_are_unlocked_without_a_new_draw() -> None:
    """Rules RA-8.2 and RA-10.3."""
    s = table(3, oracle=True)
    s.revealed = [True, True, True]
    s.field = 1
    t = ScriptedGame.at("raiatea", _phase(s, END_OF_FEAST), s.options)
    assert t.state.unlocked == [True, True, False]
    assert prompt(t) == "choose_location"


def test_the_third_feast_ends_the_game() -> None:
    """Rule RA-8.2."""
    s = table(3)
    s.field = 8
    t = in_phase(s, END_OF_FEAST)
    assert t.position.over
    assert t.state.unlocked == [True, False, False]


def test_last_mirrors_before_scoring() -> None:
    """Rule RA-9.6, ruling R91."""
    s = table(3)
    s.favour = [1, 0, 2]
    for seat, god in ((0, "maui"), (1, "pai")):
        give(s, seat, masks=f"{god} mirror")
    s.skipping = [True, True, True]
    s.field = 8
    t = in_phase(s, END_OF_FEAST)
    assert t.position.to_move == (1,)  # asked even by those who skip windows (R91)
    t.play("p1 mirror pai", "p0 done")
    assert t.position.over
    assert t.position.scores() == [0, 2, 0]


def test_building_windows() -> None:
    """Rule RA-3.4."""
    s = table(3)
    lay(s, "s1r1c1", "t1_pearls_4")
    lay(s, "s1r3c1", "t1_pearls_5")
    give(s, 0, rituals="tipa tipa", ready="shaman shaman", priests=3)
    s.field = 1
    t = in_phase(s, BUILDING).play("p0 shaman tipa", "p0 build s1r1c1")
    assert prompt(t) == "window"
    assert kinds(t, 0) == {"shaman", "windows", "done"}
