"""The worked examples E1 to E20 of RULES.md, by name.

Seats: A(rno) 0, R(afaël) 1, M(aria) 2, X (Max) 3.
"""

import pytest

from atoll.engine.scripted_game import ScriptedGame
from atoll.games.raiatea.kinds import BID
from atoll.games.raiatea.learn.positions import (
    BOX,
    give,
    goods,
    hand,
    in_phase,
    kinds,
    lay,
    names,
    prompt,
    space,
    start,
    table,
    task,
)
from atoll.games.raiatea.state import BUILDING, GIFTS, LAY_OUT, OFFERING

from .test_blessing import bag
from .test_setup import dealt, keep_all

A, R, M, X = range(4)


@pytest.mark.parametrize(
    ("seats", "fields"),
    [(3, "a1 f1 a2 a3 f2 a4 a5 a6 f3"), (4, "a1 f1 a2 a3 f2 a4 a5 f3"), (5, "a1 f1 a2 a3 f2 a4 f3")],
)
def test_e1_round_track(seats: int, fields: str) -> None:
    """Rules RA-3.2 and RA-10.1, example E1."""
    assert " ".join(BOX.fields[index].id for index in BOX.track[seats]) == fields


def test_e2_setup_for_4_players() -> None:
    """Rules RA-2.1, RA-2.2 and RA-10.1, example E2."""
    t = dealt(4)
    keep_all(t, 2)
    assert [len(cards) for cards in t.state.hands] == [1, 2, 2, 2]
    assert len(t.state.discards[0]) == 13
    assert len(t.state.display) == 5
    assert len(t.state.mask_market) == 4


def test_e3_setup_for_5_players() -> None:
    """Rules RA-2.2 and RA-10.1, example E3."""
    t = dealt(5, first=3)
    keep_all(t, 2)
    while t.position.pending_chance is not None:
        t.position.apply(next(iter(t.position.outcomes())))
    assert t.position.to_move == (2,)  # to the start player's right
    keep_all(t, 2)
    assert [len(cards) for cards in t.state.hands] == [2, 2, 4, 2, 2]
    assert len(t.state.discards[0]) == 18
    assert len(t.state.mask_market) == 3


def test_e4_forest_order() -> None:
    """Rule RA-4.1, example E4."""
    s = table(4)
    s.start_player = 2
    t = start(s).play("p2 go forest")
    picks = []
    while prompt(t) != "choose_location":
        seat = t.position.to_move[0]
        picks.append(seat)
        t.position.apply(t.position.legal_choices(seat)[0], seat)
        while prompt(t) == "chance":
            t.position.apply(next(iter(t.position.outcomes())))
    assert picks == [2, 3, 0, 1, 2, 1, 0, 3]
    assert len(t.state.display) == 1


def test_e5_mask_treasure() -> None:
    """Rules RA-4.6 and RA-4.10, example E5."""
    s = table(4, display="mask_tinirau_f uru uru uru uru")
    give(s, R, masks="pai")
    s.turn = 0
    t = start(s).play("p0 go forest", "p0 pick mask_tinirau_f")
    assert t.state.pearls[A] == 7
    s = t.state.clone()
    s.kahuna, s.location = R, 4
    s.step, s.place = 1, 0
    s.completions, s.placed = [0] * 4, [False] * 4
    t = start(s).play("p1 place pai", "p0 place tinirau", "p1 claim tinirau", "p0 decline")
    assert names("mask", t.state.masks[R]) == "tinirau"
    assert t.state.pearls[R] == 4


def test_e6_gatherer_roll() -> None:
    """Rule RA-4.3, example E6."""
    s = table(4)
    give(s, M, ready="gatherer gatherer gatherer")
    give(s, A, ready="gatherer")
    t = start(s).play("p0 go forest", "die 2", "p2 take tiare")
    assert t.state.prices == [2, 2, 2, 3]
    assert prompt(t) == "forest_pick"  # A gets nothing
    assert goods(t, A) == ""


def test_e7_gatherer_sent() -> None:
    """Rule RA-5.5, example E7."""
    s = table(3, display="mask_maui_f1 mask_pai_f1 mahi_mahi trader")
    give(s, A, ready="gatherer")
    t = start(s).play("p0 go forest", "die 4", "p0 gather", "reveal shaman")
    assert len(t.state.display) == 5
    t.play("p0 pick mask_maui_f1", "p0 pick mahi_mahi")
    assert t.state.prices == [2, 2, 2, 2]
    assert len(t.state.display) == 3


def test_e8_marae() -> None:
    """Rule RA-4.2, example E8."""
    s = table(4)
    give(s, A, goods="mahi_mahi uru")
    t = start(s).play("p0 go marae", "p0 sacrifice mahi_mahi", "p0 sacrifice uru")
    assert t.state.prices == [1, 2, 1, 2]
    assert BOX.rank_ids[t.state.rank(A)] == "ariki"
    t.play("p0 draw normal", "card hina", "card rao", "card raa", "p0 keep rao")
    t.play("p0 draw forbidden", "card ihi", "card tu", "card oro", "p0 keep oro")
    assert hand(t, A) == "rao oro"
    s = table(4)
    give(s, A, goods="mahi_mahi")
    t = start(s).play("p0 go marae", "p0 sacrifice mahi_mahi")
    assert kinds(t, A) == {"draw", "done"}  # one step only, and one draw
    t.play("p0 draw normal", "card hina", "card rao", "card raa", "p0 keep rao")
    assert t.position.to_move == (1,)


def test_e9_path() -> None:
    """Rule RA-4.5, example E9."""
    s = table(4)
    for seat in (X, R, M):
        give(s, seat, priests=3, pearls=5)
    t = start(s).play("p0 go path", "p0 decline", "p0 train 0", "p1 train 0", "p2 train 0", "p3 train 2")
    assert t.state.priests == [0, 3, 3, 5]
    assert t.state.mana == [5, 8, 8, 10]
    assert t.state.pearls[X] == 0


@pytest.mark.parametrize(("before", "taken", "added"), [(2, 3, 1), (1, 2, 1), (4, 4, 3)])
def test_e10_prices(before: int, taken: int, added: int) -> None:
    """Rule RA-5.2, example E10."""
    s = table(3)
    s.prices[2] = before
    s.good_from_market(0, 2)
    assert s.prices[2] == taken
    s.prices[2] = before
    s.good_to_market(2)
    assert s.prices[2] == added


def test_e11_trader_and_sale() -> None:
    """Rules RA-4.8 and RA-5.6, example E11."""
    s = table(4)
    s.start_player = X
    lay(s, "s1r3c1", "t1_pearls_4")
    give(s, X, goods="mahi_mahi", ready="trader")
    t = start(s).play("p3 go marketplace", "die 4", "p3 trade mahi_mahi")
    assert t.state.prices[2] == 4
    t.play("p3 sell mahi_mahi 4", "p3 build s1r3c1")
    assert names("task", t.state.tasks_done[X]) == "t1_pearls_4"
    assert t.state.pearls[X] == 0
    assert t.state.prices[2] == 3


def offering() -> ScriptedGame:
    s = table(4)
    s.field = 1
    s.favour = [R, M, X, A]
    for seat, mana in ((R, 7), (M, 4), (X, 4), (A, 8)):
        give(s, seat, mana=mana)
    t = in_phase(s, OFFERING)
    assert t.position.to_move == (0, 1, 2, 3)
    return t.play("p1 bid 7", "p2 bid 4", "p3 bid 4", "p0 bid 8")


def test_e12_offering() -> None:
    """Rule RA-8.5, example E12."""
    t = offering()
    assert t.state.favour == [A, R, M, X]
    assert t.state.bag_mana == 23
    assert [event["n"] for event in t.events("bid")] == [7, 4, 4, 8]


def test_e13_blessing() -> None:
    """Rules RA-8.7 and RA-8.8, example E13."""
    s = table(4)
    s.field = 1
    s.favour = [A, R, M, X]
    give(s, A, pearls=0, mana=0)
    give(s, R, pearls=0, mana=0, exhausted="trader")
    give(s, M, pearls=0, mana=0, tattoos=6)
    give(s, X, pearls=0, mana=0)
    bag(
        s,
        p1="uru_taetae rao",
        p0="taere ihi hina",
        p3="roroo",
        p2="rau_pena rua_hatu mata_arahu",
    )
    s.bag_mana = 23
    t = in_phase(s, LAY_OUT).play("p2 first rua_hatu")
    row = [(names("ritual", [card]), owner) for card, owner in zip(t.state.row, t.state.row_owner, strict=True)]
    assert t.state.bag_mana == 42  # 23 - 1 + 24 - 4: Uru-Taetae acts now
    assert row == [
        ("rua_hatu", M),
        ("rau_pena", M),
        ("rao", R),
        ("roroo", X),
        ("mata_arahu", M),
        ("taere", A),
        ("ihi", A),
    ]
    t.play("p1 take uru", "p2 decline")  # Rua-Hatu and Rau-Pena
    assert t.state.pearls[M] == 3 + 1
    t.play("p1 decline")  # Ra'o draws nothing; Roro'o, Mata-Arahu and Ta'ere follow, Ihi fails
    assert [(event["ritual"], event["total"]) for event in t.events("source_paid")] == [
        (BOX.ritual_ids.index(name), left)
        for name, left in (
            ("hina", 22),
            ("uru_taetae", 42),
            ("rua_hatu", 38),
            ("rau_pena", 34),
            ("rao", 29),
            ("roroo", 23),
            ("mata_arahu", 15),
            ("taere", 5),
        )
    ]
    assert names("ritual", t.events("failed")[0]["ritual"]) == "ihi"
    assert t.state.bag_mana == 5
    assert t.state.pearls[A] == 4
    assert t.state.tattoos[M] == 8
    assert t.state.priests[X] == 2


def test_e14_gifts() -> None:
    """Rule RA-8.6, example E14."""
    t = offering().play("p0 accept gift_tattoo", "p1 accept gift_commodity", "p1 take taro")
    assert t.state.tattoos == [1, 0, 0, 0]
    assert goods(t, R) == "taro"
    assert t.state.prices == [2, 3, 2, 2]
    assert t.state.pearls == [4, 4, 6, 4]  # M gets the rest, X nothing


def test_e14_gifts_with_3_players() -> None:
    """Rule RA-8.6, example E14."""
    s = table(3)
    s.field = 1
    s.gifts = [0, 1, 2]
    t = in_phase(s, GIFTS).play("p0 accept gift_tattoo", "p1 accept gift_commodity", "p1 take uru")
    assert t.state.pearls == [4, 4, 4]


def test_e15_condition_task() -> None:
    """Rules RA-7.2 and RA-7.8, example E15."""
    s = table(4)
    s.unlocked[1] = s.revealed[1] = True
    lay(s, "s2r3c1", "t2_cond_priests_6")
    lay(s, "s2r4c1", "t2_cond_priests_6")
    give(s, A, priests=7, pearls=0, mana=0)
    s.field = 1
    t = in_phase(s, BUILDING).play("p0 build s2r3c1")
    assert names("task", t.state.tasks_done[A]) == "t2_cond_priests_6"
    assert t.state.priests[A] == 7
    assert t.state.passed[A]  # the second copy is not a legal choice
    assert t.state.tiles[space("s2r4c1")] == task("t2_cond_priests_6")


def test_e16_shaman() -> None:
    """Rule RA-5.7, example E16."""
    s = table(4)
    s.start_player = R
    give(s, R, rituals="rua_hatu rao", ready="shaman", priests=4)
    t = start(s)
    assert [text for text in t.options(R) if text.startswith("shaman")] == ["shaman rua_hatu"]
    t.play("p1 shaman rua_hatu")
    assert (t.state.pearls[R], t.state.mana[R]) == (7, 5)
    assert t.state.exhausted[R] == [0, 0, 1, 0]


def test_e17_pearl_diver() -> None:
    """Rule RA-5.8, example E17."""
    s = table(4)
    s.favour = [X, A, R, M]
    for n in range(4):
        lay(s, f"s1r{n + 2}c1", f"t1_pearls_{n + 4}")
    give(s, X, pearls=40, ready="pearl_diver pearl_diver")
    give(s, A, pearls=40)
    s.field = 1
    t = in_phase(s, BUILDING).play("p3 build s1r2c1", "p3 build s1r3c1")
    assert t.state.pearls[X] == 40 - 4 - 5
    assert t.position.to_move == (A,)
    t.play("p0 pass", "p3 build s1r4c1")
    assert prompt(t) == "build"  # one at a time from now on
    assert t.state.ready[X][3] == 1


def test_e18_rank_points() -> None:
    """Rule RA-9.2, example E18."""
    s = table(4)
    give(s, A, tattoos=7)
    assert start(s).position.scores()[A] == 6


def test_e19_masks() -> None:
    """Rule RA-9.5, example E19."""
    s = table(4)
    give(
        s,
        A,
        pairs="maui tafai",
        mirrored="hiro",
        ready="trader trader trader",
        exhausted="trader",
        tasks="t1_mana_4 t2_mana_7 t2_auction",
    )
    lines = {line.key: line for line in start(s).position.explain()[A]}
    found = {BOX.god_ids[part.fields["mask"]]: part.points for part in lines["masks"].parts}
    assert found == {"maui": 4, "hiro": 4, "tafai": 3}
    assert lines["masks"].points == 11


def test_e20_tie() -> None:
    """Rule RA-9.7, example E20."""
    s = table(4)
    s.favour = [M, X, A, R]
    for seat in (R, X):
        give(s, seat, tattoos=2)
    assert start(s).position.ranking() == [4, 2, 3, 1]


def test_bids_stay_within_their_kind() -> None:
    """Rule RA-8.5."""
    s = table(3)
    s.field = 1
    give(s, 0, mana=1000)
    t = in_phase(s, OFFERING)
    assert t.position.legal_choices(0)[-1] == BID.end - 1
