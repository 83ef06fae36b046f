"""Act 5 of the feast (RA-8.7, RA-8.8): the row of rituals, the mana source, failing."""

from atoll.engine.scripted_game import ScriptedGame
from atoll.games.raiatea.components import GENERAL
from atoll.games.raiatea.learn.positions import (
    BOX,
    give,
    goods,
    hand,
    in_phase,
    lay,
    names,
    open_statue,
    prompt,
    ritual,
    skip_to,
    table,
)
from atoll.games.raiatea.state import LAY_OUT, NOBODY, RaiateaState


def bag(s: RaiateaState, **cards: str) -> RaiateaState:
    """Rituals in the bag, per seat (p0="...") in the order of the commitment."""
    for key, listed in cards.items():
        seat = int(key[1:])
        chosen = [ritual(name) for name in listed.split()]
        for card in chosen:
            s.decks[BOX.ritual_deck[card]].remove(card)
        s.bag[seat] = sorted(chosen)
        free = list(range(len(chosen)))
        for card in chosen:
            index = next(each for each in free if s.bag[seat][each] == card)
            free.remove(index)
            s.bag_order[seat].append(index)
    return s


def blessing(s: RaiateaState, mana: int) -> ScriptedGame:
    """Start act 5 with an amount of mana in the bag. All seats are too poor for everything that follows.

    Args:
        s: The state.
        mana: Mana in the bag.
    """
    s.field = 1
    s.bag_mana = mana
    for seat in range(s.seats):
        give(s, seat, mana=0, pearls=0)
    return in_phase(s, LAY_OUT)


def row(t: ScriptedGame) -> list[tuple[str, int]]:
    """The row as it was laid out: cards with their owners."""
    event = t.events("row")[-1]
    return list(zip(names("ritual", event["ritual"]).split(), event["owner"], strict=True))


def test_row_by_cost_then_general_ones_then_favour() -> None:
    """Rule RA-8.7, ruling R52."""
    s = table(3)
    s.favour = [2, 0, 1]
    bag(s, p0="uru_taetae tipa", p1="rua_hatu roo", p2="rau_pena vanaanaa")
    t = blessing(s, 0)
    assert row(t) == [
        ("vanaanaa", NOBODY),  # cost 3, general
        ("tipa", 0),
        ("roo", NOBODY),  # cost 4: general first (R52), ...
        ("rau_pena", 2),  # ... then by favour
        ("uru_taetae", 0),
        ("rua_hatu", 1),
    ]


def test_general_rituals_of_equal_cost_lie_by_the_favour_of_their_owners() -> None:
    """Rule RA-8.7, ruling R44."""
    s = table(3)
    s.favour = [2, 0, 1]
    bag(s, p0="te_fatu", p2="pua_te_hau")
    assert row(blessing(s, 0)) == [("pua_te_hau", NOBODY), ("te_fatu", NOBODY)]


def test_general_rituals_of_one_owner_lie_as_committed() -> None:
    """Rule RA-8.7, ruling R44."""
    for order in ("te_fatu pua_te_hau", "pua_te_hau te_fatu"):
        s = table(3)
        bag(s, p1=order)
        t = blessing(s, 0)
        assert [name for name, _ in row(t)] == order.split()  # R44, without any question


def test_owner_orders_own_cards_of_equal_cost() -> None:
    """Rule RA-8.7, ruling R53."""
    s = table(3)
    give(s, 0, tattoos=6)
    bag(s, p0="rua_hatu uru_taetae rau_pena")
    t = blessing(s, 4)
    assert prompt(t) == "order_own"  # R53
    t.play("p0 first rau_pena", "p0 first uru_taetae")
    assert prompt(t) == "take_assistant"
    t.play("p0 decline")
    assert names("ritual", t.events("failed")[-1]["ritual"]) == "uru_taetae rua_hatu"


def test_identical_cards_need_no_order() -> None:
    """Rule RA-8.7, ruling R53."""
    s = table(3)
    bag(s, p0="rua_hatu rua_hatu")
    t = blessing(s, 8)
    assert t.events("failed") == []
    assert t.state.pearls[0] == 6


def test_mana_is_taken_from_the_source_and_the_rest_fails() -> None:
    """Rule RA-8.8, ruling R55."""
    s = table(3)
    bag(s, p0="tipa roroo", p1="rua_hatu", p2="te_fatu")
    t = blessing(s, 10)  # 2 + 3 + 4 = 9; 6 more can't be paid
    assert t.state.bag_mana == 1  # stays for later
    assert t.state.pearls == [2, 2 + 3, 2]
    assert t.state.mana[0] == 4
    assert t.state.priests == [0, 0, 0]
    assert sorted(names("ritual", t.state.discards[0]).split()) == ["roroo", "rua_hatu", "te_fatu", "tipa"]
    assert hand(t, 0) == ""


def test_failing_takes_general_rituals_along() -> None:
    """Rule RA-8.8, ruling R55."""
    s = table(3)
    bag(s, p0="hina tipa te_fatu")
    t = blessing(s, 0)
    assert t.state.bag_mana == 0
    assert names("ritual", t.events("failed")[-1]["ritual"]) == "hina te_fatu tipa"  # R55


def test_a_ritual_adds_mana_in_the_middle() -> None:
    """Rule RA-8.8, ruling R56."""
    s = table(3)
    bag(s, p0="hina", p1="roroo")
    t = blessing(s, 1)
    assert t.state.bag_mana == 1 - 1 + 18 - 6
    assert t.state.priests[1] == 2


def test_mana_left_stays_in_the_bag() -> None:
    """Rule RA-8.8, ruling R57."""
    s = table(3)
    bag(s, p1="roroo")
    assert blessing(s, 9).state.bag_mana == 3  # R57


def test_an_empty_bag_skips_the_act() -> None:
    """Rules RA-6.7 and RA-8.7."""
    t = blessing(table(3), 7)
    assert t.state.bag_mana == 7
    assert prompt(t) == "chance"  # nobody can build: the tasks of statue 2 are revealed


def test_permanent_rituals_act_from_the_next_card_on() -> None:
    """Rule RA-8.8, ruling R62."""
    s = table(3)
    lay(s, "s1r1c1", "t1_pearls_4")
    bag(s, p0="fatu_moana")
    s.field = 1
    s.bag_mana = 6
    for seat in range(3):
        give(s, seat, mana=0, pearls=1)
    t = in_phase(s, LAY_OUT)
    assert prompt(t) == "build"  # R62: 4 pearls cost 1 now
    t.play("p0 build s1r1c1")
    assert t.state.pearls[0] == 0


def test_row_stays_when_favour_changes() -> None:
    """Rule RA-8.7, ruling R54."""
    s = table(3)
    bag(s, p0="rao", p2="rai_tupua mata_arahu", p1="mata_arahu")
    t = blessing(s, 100)
    skip_to(t, "take_mask")
    t.play("p2 decline")
    assert t.state.favour == [2, 0, 1]  # counts from the next comparison on (R54)


def test_general_rituals_concern_all_in_favour_order() -> None:
    """Rule RA-6.1, ruling R45."""
    s = table(3)
    s.favour = [1, 2, 0]
    bag(s, p0="moe")
    for seat in range(3):
        give(s, seat, exhausted="gatherer gatherer trader")
    t = blessing(s, 3)
    asked = []
    while prompt(t) == "ready":
        seat = t.position.to_move[0]
        if seat not in asked:
            asked.append(seat)
        t.play(f"p{seat} done")
    assert asked == [1, 2, 0]  # R45: everybody chooses for himself


def test_owner_of_a_general_ritual_is_never_told() -> None:
    """Rule RA-11.2, ruling R44."""
    s = table(3)
    bag(s, p1="te_fatu roo")
    t = blessing(s, 6)
    assert all(BOX.ritual_kind[each] == GENERAL for each in t.events("row")[0]["ritual"])
    assert t.events("row")[0]["owner"] == [NOBODY, NOBODY]
    assert [set(event) for event in t.events("general_ritual")] == [{"ritual"}, {"ritual"}]


def test_unlock_statue_in_the_blessing() -> None:
    """Rules RA-6.3 and RA-7.11."""
    s = table(3)
    bag(s, p1="rumia")
    t = blessing(s, 4)
    for _ in range(16):
        t.play("tile t2_auction" if "tile t2_auction" in outcomes(t) else outcomes(t)[0])
    assert t.state.unlocked == [True, True, False]


def outcomes(t: ScriptedGame) -> list[str]:
    return [t.position.text(choice) for choice in t.position.outcomes()]


def test_everybody_may_complete_a_task() -> None:
    """Rule RA-6.3."""
    s = table(3)
    lay(s, "s1r1c1", "t1_cond_priests_4")
    lay(s, "s1r2c1", "t1_auction")
    give(s, 2, priests=4)
    bag(s, p1="tumu_nui")
    t = blessing(s, 6)
    assert prompt(t) == "complete_task"
    assert t.position.to_move == (2,)
    t.play("p2 build s1r1c1")
    assert names("task", t.state.tasks_done[2]) == "t1_cond_priests_4"


def test_auction_during_the_blessing_feeds_the_source() -> None:
    """Rule RA-8.8, ruling R56."""
    s = table(3)
    lay(s, "s1r2c1", "t1_cond_priests_4")
    lay(s, "s1r2c2", "t1_auction")
    give(s, 2, priests=4)
    bag(s, p1="tumu_nui", p0="tino_rua")
    s.field = 1
    s.bag_mana = 6
    give(s, 0, mana=7)
    t = in_phase(s, LAY_OUT).play("p2 build s1r2c1", "p0 bid 7", "p1 bid 0", "p2 bid 0")
    assert t.state.pearls[0] == 4 + 7  # R56: the 7 mana paid for Tino-Rua


def test_choices_of_the_owner_may_be_declined_but_not_the_ritual() -> None:
    """Rule RA-8.8, ruling R59."""
    s = table(3)
    bag(s, p0="uru_taetae")
    t = blessing(s, 4)
    assert prompt(t) == "take_commodity"
    t.play("p0 decline")
    assert t.state.bag_mana == 0  # R59
    assert goods(t, 0) == ""


def test_statues_open_before_the_build_of_the_same_feast() -> None:
    """Rule RA-8.9, ruling R77."""
    s = table(3)
    open_statue(s, 2)
    lay(s, "s2r1c1", "t2_auction")
    s.field = 1
    t = in_phase(s, LAY_OUT)
    assert prompt(t) == "auction_bid"  # R77: a row of one auction is due at the start of act 6


def test_what_became_of_each_ritual_lies_open_until_the_next_location() -> None:
    """Rule RA-8.8."""
    s = table(3)
    bag(s, p0="hina tipa", p1="mata_arahu", p2="ihi")
    s.offers = [1, 0, 0]
    t = blessing(s, 4)
    assert names("ritual", t.state.blessed) == "hina tipa mata_arahu ihi"
    assert t.state.blessed_owner == [NOBODY, 0, 1, 2]
    assert t.state.source == [4, 3 + 18, 18, 10]  # ihi costs 11: it fails
    assert t.state.bag_mana == 10
    for viewer in (None, 0, 1):
        assert t.position.view(viewer)["state"]["source"] == [4, 21, 18, 10]
    skip_to(t, "choose_location")
    assert t.state.blessed
    t.play(f"p{t.position.to_move[0]} go reef")
    assert t.state.blessed == t.state.blessed_owner == t.state.source == t.state.offers == []
