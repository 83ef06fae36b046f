"""The Tāne game (RA-10.2): the interactive rituals (RA-6.4)."""

from atoll.engine.scripted_game import ScriptedGame
from atoll.games.raiatea import GAME
from atoll.games.raiatea.learn.positions import commodity, give, goods, hand, in_phase, names, prompt, start, table
from atoll.games.raiatea.state import LAY_OUT, RaiateaState

from .test_blessing import bag


def tane(seats: int = 3) -> RaiateaState:
    return table(seats, tane=True)


def by_shaman(s: RaiateaState, name: str) -> ScriptedGame:
    """Seat 0 carries the ritual out in its own turn."""
    give(s, 0, rituals=name, ready="shaman", priests=12)
    return start(s).play(f"p0 shaman {name}")


def test_each_other_gives_a_pearl() -> None:
    """Rule RA-6.4, ruling R95."""
    s = tane()
    give(s, 2, pearls=0)
    assert by_shaman(s, "tane_toll").state.pearls == [5, 3, 0]  # R94: who has nothing is unaffected


def test_one_other_gives_up_to_4_mana() -> None:
    """Rule RA-6.4."""
    s = tane()
    give(s, 1, mana=3)
    t = by_shaman(s, "tane_drain")
    assert t.options(0) == ["target 1", "target 2"]
    assert t.play("p0 target 1").state.mana == [8, 0, 5]


def test_a_target_must_be_affected() -> None:
    """Rule RA-6.1, ruling R94."""
    s = tane()
    give(s, 1, mana=0)
    assert by_shaman(s, "tane_drain").state.mana == [9, 0, 1]  # only seat 2 is left: no question


def test_nothing_happens_without_a_target() -> None:
    """Rule RA-6.1, ruling R94."""
    s = tane()
    give(s, 1, mana=0)
    give(s, 2, mana=0)
    t = by_shaman(s, "tane_drain")
    assert prompt(t) == "choose_location"
    assert names("ritual", t.state.discards[0]) == "tane_drain"


def test_each_other_loses_a_priest() -> None:
    """Rule RA-6.4."""
    s = tane()
    give(s, 1, priests=3)
    assert by_shaman(s, "tane_fear").state.priests == [12, 2, 0]


def test_purge_costs_one_other_3_priests_and_trains_one() -> None:
    """Rule RA-6.4."""
    s = tane()
    give(s, 1, priests=2)
    give(s, 2, priests=7)
    give(s, 0, priests=0, rituals="tane_purge", ready="shaman")
    s.priests[0] = 8
    t = start(s).play("p0 shaman tane_purge", "p0 target 1")
    assert t.state.priests == [9, 0, 7]


def test_unmasking_takes_an_unpaired_mask_which_pairs_with_the_thief() -> None:
    """Rule RA-6.4, rulings R69 and R70."""
    s = tane()
    give(s, 0, masks="maui")
    give(s, 1, masks="maui mirror", pairs="pai")
    t = by_shaman(s, "tane_unmask")
    assert t.options(0) == ["steal_mask mirror", "steal_mask maui", "decline"]  # pairs are safe
    t.play("p0 steal_mask maui")
    assert names("mask", t.state.pairs[0]) == "maui"  # R69
    assert t.state.tattoos[0] == 0  # no treasure


def test_lure_takes_an_assistant_which_arrives_ready() -> None:
    """Rule RA-6.4."""
    s = tane()
    give(s, 1, exhausted="trader", ready="gatherer")
    t = by_shaman(s, "tane_lure")
    assert t.options(0) == ["steal_assistant gatherer ready", "steal_assistant trader exhausted", "decline"]
    t.play("p0 steal_assistant trader exhausted")
    assert t.state.ready[0][1] == 1
    assert t.state.exhausted[1] == [0, 0, 0, 0]


def test_exhaustion_turns_assistants_of_the_targets_choice() -> None:
    """Rule RA-6.4."""
    s = tane()
    s.favour = [2, 1, 0]
    give(s, 1, ready="gatherer gatherer trader")
    give(s, 2, ready="trader")
    t = by_shaman(s, "tane_exhaustion")
    assert t.state.exhausted[2] == [0, 1, 0, 0]  # its only one
    assert t.options(1) == [
        "exhaust gatherer",
        "exhaust trader",
    ]  # the first was a gatherer: with one trader it must be
    t.play("p1 exhaust gatherer")
    assert t.state.exhausted[1] == [2, 0, 0, 0]
    assert t.state.ready[0][2] == 1  # the sender's shaman is readied


def test_cancel_ritual_takes_a_waiting_card_with_anothers_clip() -> None:
    """Rule RA-6.4, ruling R68."""
    s = tane()
    bag(s, p0="tane_silence rao", p1="roroo tino_rua", p2="te_fatu roo")
    s.field = 1
    s.bag_mana = 50
    for seat in range(3):
        give(s, seat, mana=0, pearls=0)
    t = in_phase(s, LAY_OUT)
    assert prompt(t) == "cancel"
    assert t.options(0) == ["cancel 1 roroo", "cancel 1 tino_rua", "done"]  # never general cards, never own (R68)
    t.play("p0 cancel 1 roroo")
    assert t.state.priests[1] == 1  # Ro'o trained one, Roro'o none
    assert "roroo" in names("ritual", t.state.discards[0])


def test_cancelled_cards_are_not_paid() -> None:
    """Rule RA-6.4, ruling R68."""
    s = tane()
    bag(s, p0="tane_silence", p1="roroo")
    s.field = 1
    s.bag_mana = 9
    t = in_phase(s, LAY_OUT).play("p0 cancel 1 roroo")
    assert t.state.bag_mana == 6


def test_cancel_ritual_elsewhere_does_nothing() -> None:
    """Rule RA-6.4, ruling R68."""
    t = by_shaman(tane(), "tane_silence")
    assert prompt(t) == "choose_location"


def test_great_silence_cancels_up_to_two() -> None:
    """Rule RA-6.4, ruling R68."""
    s = tane()
    bag(s, p0="tane_great_silence", p1="roroo", p2="roroo tino_rua")
    s.field = 1
    s.bag_mana = 9
    s.favour = [0, 1, 2]
    t = in_phase(s, LAY_OUT).play("p0 cancel 1 roroo", "p0 cancel 2 tino_rua")
    assert t.events("failed")[-1]["total"] == 3
    assert names("ritual", t.events("failed")[-1]["ritual"]) == "roroo"


# -- what a burglar leaves behind --------------------------------------------------------------------------------------


def burglary(goods_of_1: str, stolen: str) -> ScriptedGame:
    s = tane()
    give(s, 1, goods=goods_of_1)
    give(s, 2, pearls=0)
    t = by_shaman(s, "tane_burglar")
    t.position.apply(GAME.parse(f"stolen {stolen}"))
    return t


def test_burglar_takes_a_random_commodity_and_pearls() -> None:
    """Rule RA-6.4."""
    t = burglary("uru taro", "taro")
    assert goods(t, 0) == "taro"
    assert goods(t, 1) == "uru"
    assert t.state.pearls == [6, 2, 0]


def test_burglar_takes_pearls_from_who_has_nothing_else() -> None:
    """Rule RA-6.4."""
    s = tane()
    give(s, 1, pearls=1)
    give(s, 2, pearls=0)
    assert by_shaman(s, "tane_burglar").state.pearls == [5, 0, 0]


def test_only_thief_and_victim_know_the_stolen_type() -> None:
    """Rules RA-6.4 and RA-11.2, ruling R93."""
    t = burglary("uru taro", "taro")
    views = [t.position.view(seat)["state"]["veiled"] for seat in (0, 1, 2, None)]
    taro, uru = commodity("taro"), commodity("uru")
    assert views[0] == [[taro], {"count": 1, "known": [uru]}, {"count": 0, "known": []}]
    assert views[1][0]["known"] == [taro]
    assert views[2] == [{"count": 1, "known": []}, {"count": 1, "known": []}, []]
    assert views[3][0] == {"count": 1, "known": []}
    assert [view["live"]["goods"] for view in (t.position.view(2), t.position.view(None))] == [[1, 1, 0]] * 2


def test_the_log_hides_the_stolen_type() -> None:
    """Rules RA-6.4 and RA-11.2, ruling R93."""
    t = burglary("uru taro", "taro")
    event = next(each for each in t.position.events if each.key == "stole_commodity")
    assert [("commodity" in (event.seen_by(seat) or {})["fields"]) for seat in (0, 1, 2)] == [True, True, False]
    shown = [t.position.view_record(seat)[-1] for seat in (0, 2)]
    assert [choice is None for _, choice in shown] == [False, True]


def test_a_single_type_is_no_secret() -> None:
    """Rules RA-6.4 and RA-11.2, ruling R93."""
    t = burglary("uru uru", "uru")
    assert t.state.veiled == [[], [], []]
    assert t.state.goods[0] == [1, 0, 0, 0]


def test_a_guess_may_swap_what_nobody_else_knows() -> None:
    """Rules RA-6.4 and RA-11.2, ruling R93."""
    t = burglary("uru taro", "taro")
    t.play("p0 go reef", "die 1")
    while t.position.to_move != (2,):
        seat = t.position.to_move[0]
        t.position.apply(t.position.legal_choices(seat)[-1], seat)
    found = set()
    for seed in range(12):
        guess = t.position.fork()
        guess.determinize(2, seed)
        found.add((tuple(guess.state.veiled[0]), tuple(guess.state.veiled[1])))
    assert found == {((1,), (0,)), ((0,), (1,))}


def test_veiled_commodities_are_spent_last() -> None:
    """Rules RA-6.4 and RA-11.2."""
    s = tane()
    give(s, 0, goods="uru")
    s.veiled[0], s.veiled_masks[0] = [0, 1], [3, 3]
    for name in ("uru", "taro"):
        s.forest_deck.remove(commodity(name))
    t = start(s).play("p0 go marae", "p0 sacrifice uru")
    assert t.state.goods[0] == [0, 0, 0, 0]
    assert t.state.veiled[0] == [0, 1]
    t.play("p0 sacrifice taro")
    assert t.state.veiled[0] == [0]
    assert t.state.veiled_masks[0] == [3]


def test_asking_for_tasks_does_not_betray_veiled_types() -> None:
    """Rules RA-6.4 and RA-11.2, ruling R93."""
    s = tane()
    s.veiled[0], s.veiled_masks[0] = [0, 0], [3, 3]
    for _ in range(2):
        s.forest_deck.remove(0)
    s.task_pools[0].remove(7)
    s.tiles[3] = 7  # t1_goods_uru_taro
    t = start(s).play("p0 go neighbourhood")
    assert prompt(t) == "early_task"  # two commodities might pay it, by the knowledge of the others
    assert t.options(0) == ["decline"]


def test_hands_are_never_touched() -> None:
    """Rule RA-6.4."""
    s = tane()
    give(s, 1, rituals="rao ihi")
    t = by_shaman(s, "tane_toll")
    assert hand(t, 1) == "rao ihi"
