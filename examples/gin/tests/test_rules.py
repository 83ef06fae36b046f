"""Each section of RULES.md, played by lines of text: cards are chosen, never seeded."""

from __future__ import annotations

from typing import Any

from atoll.testing import ScriptedGame
from atoll_gin import GAME
from atoll_gin.kinds import MELDS
from atoll_gin.melds import deadwood, discards_for, fitting, layable, mask_of, melds_in

ALMOST = "3d 4d 5d 7s 7h 9c 10c 2s kc ah"
"""A run, a pair and a beginning: with a seven and the eight of clubs it is nearly gin."""
OTHER = "js jh jd 4c 5h qh kd 9h 6c 7d"


def dealt(first: str = ALMOST, second: str = OTHER, upcard: str = "7c", **options: Any) -> ScriptedGame:
    """A table at which these hands are dealt; seat 0 begins."""
    table = ScriptedGame("gin", 2, {"start_player": "seat_1", **options})
    return table.play(*(f"deal {card}" for card in [*first.split(), *second.split(), upcard]))


def knocking(**options: Any) -> ScriptedGame:
    """Seat 0 has taken the seven and drawn the eight, and may knock."""
    table = dealt(**options).play("p0 take", "p0 discard kc", "p1 draw", "deal qd", "p1 discard qd")
    return table.play("p0 draw", "deal 8c")


def cards(text: str) -> int:
    """The mask of these cards."""
    return mask_of(GAME.notation.index("card", name) for name in text.split())


def meld_names(mask: int) -> list[str]:
    return [GAME.notation.name("meld", meld) for meld in melds_in(mask)]


def test_melds() -> None:
    """Rule GI-1.1."""
    assert len(MELDS) == 185
    assert meld_names(cards("as 2s 3s qs ks")) == ["as+2s+3s"]
    assert meld_names(cards("4s 4c 4h")) == ["4s+4c+4h"]
    assert len(melds_in(cards("4s 4c 4d 4h"))) == 5
    assert meld_names(cards("js qs ks ac")) == ["js+qs+ks"]
    assert meld_names(cards("qs ks ac 2c")) == [], "no run goes on in the next suit"
    assert len(melds_in(cards("3h 4h 5h 6h 7h"))) == 6
    worths = GAME.components.worths
    assert deadwood(cards("6s 7s 8s 6c 7c 8c 8d"), worths) == 8, "two runs leave less than the set of eights"
    assert deadwood(cards("ah 10c kd"), worths) == 21


def test_deal() -> None:
    """Rule GI-2.1."""
    table = dealt()
    assert [len(hand) for hand in table.state.hands] == [10, 10]
    assert table.position.view(1)["state"]["hands"][0] == {"count": 10, "known": []}
    assert len(table.state.stock) == 31
    assert table.options(0) == ["take", "pass"]


def test_offer_goes_round() -> None:
    """Rule GI-2.2."""
    table = dealt().play("p0 pass", "p1 pass")
    assert table.position.pending_chance, "who begins draws from the stock, and isn't asked"
    table.play("deal 8c")
    assert len(table.state.hands[0]) == 11
    assert dealt().play("p0 pass", "p1 take").position.to_move == (1,)


def test_draw_from_the_discards_is_seen() -> None:
    """Rule GI-3.1."""
    table = dealt().play("p0 take")
    assert table.position.view(1)["state"]["hands"][0] == {"count": 11, "known": [GAME.notation.index("card", "7c")]}
    table.play("p0 discard kc", "p1 draw", "deal qd")
    assert table.position.view(0)["state"]["hands"][1] == {"count": 11, "known": []}


def test_draw_ends_the_deal_when_too_often_taken() -> None:
    """Rules GI-3.1 and GI-3.2."""
    small = type(GAME)({**GAME.data, "game": {**GAME.data["game"], "takes": 1}})
    table = ScriptedGame(small, 2, {"start_player": "seat_1"})
    table.play(*(f"deal {card}" for card in [*ALMOST.split(), *OTHER.split(), "7c"]))
    table.play("p0 take", "p0 discard kc", "p1 take")
    assert table.position.over
    assert table.position.scores() == [0, 0]


def test_discard_of_what_was_taken_twice_ends_the_deal() -> None:
    """Rule GI-3.2."""
    table = dealt().play("p0 take", "p0 discard 7c", "p1 take", "p1 discard 7c")
    assert table.position.over
    assert table.events("repeated") == [{}]
    again = dealt().play("p0 take", "p0 discard 7c", "p1 take", "p1 discard kd", "p0 take", "p0 discard kd")
    assert not again.position.over


def test_knock_needs_little_deadwood() -> None:
    """Rule GI-4.1."""
    assert "knock" not in dealt().play("p0 take").options(0)
    table = knocking()
    assert "knock" in table.options(0)
    table.play("p0 knock")
    assert table.options(0) == ["discard 2s", "discard 7s", "discard 5d", "discard ah", "discard 7h"]
    table.play("p0 discard 2s")
    assert table.options(0) == ["lay 7s+7c+7h", "lay 8c+9c+10c", "lay 3d+4d+5d"]


def test_knock_counts_every_arrangement() -> None:
    """Rules GI-1.1 and GI-4.1."""
    worths = GAME.components.worths
    assert discards_for(cards("3d 4d 5d 7s 7c 7h 8c 9c 10c 2s ah"), worths, 0) == []
    assert layable(cards("7s 7c 7h 7d 8d 9d"), worths, 0) == [
        *melds_in(cards("7s 7c 7h")),
        *melds_in(cards("7d 8d 9d")),
    ]


def test_lay_off_extends_runs_and_sets() -> None:
    """Rule GI-4.2."""
    run, three = melds_in(cards("3d 4d 5d"))[0], melds_in(cards("9s 9c 9h"))[0]
    assert fitting([run, three], 0) == cards("2d 6d 9d")
    assert fitting([run], cards("6d 7d 8d")) == cards("2d 9d")
    assert fitting(melds_in(cards("as 2s 3s")), 0) == cards("4s"), "nothing is below the ace"
    assert fitting(melds_in(cards("jh qh kh")), 0) == cards("10h"), "nothing is above the king"


def test_scoring_of_a_knock() -> None:
    """Rule GI-5.1."""
    table = knocking().play("p0 knock", "p0 discard 2s", "p0 lay 3d+4d+5d", "p0 lay 8c+9c+10c", "p0 lay 7s+7c+7h")
    table.play("p0 done")
    assert table.options(1) == ["lay_off 7d", "done"]
    table.play("p1 lay_off 7d", "p1 done", "p1 lay js+jd+jh", "p1 done")
    assert table.position.over
    assert table.position.scores() == [4 + 5 + 10 + 10 + 9 + 6 - 1, 0]
    assert [(line.key, line.points) for line in table.position.explain()[0]] == [("knock", 43)]


def gin() -> ScriptedGame:
    """Seat 0 goes gin with eleven cards in melds."""
    table = dealt("3d 4d 5d 7s 7h 9c 10c 6d kc 8c", "js jh jd 4c 5h qh kd 9h 6c 2d")
    table.play("p0 take", "p0 knock", "p0 discard kc", "p0 lay 3d+4d+5d+6d", "p0 lay 7s+7c+7h", "p0 lay 8c+9c+10c")
    return table


def test_scoring_of_gin() -> None:
    """Rule GI-5.1."""
    table = gin()
    assert table.position.to_move == (1,)
    assert "lay_off 2d" not in table.options(1), "on gin nobody lays off"
    table.play("p1 lay js+jd+jh", "p1 done")
    assert table.position.scores() == [4 + 5 + 10 + 10 + 9 + 6 + 2 + 25, 0]


def undercut(loose: str, laid_off: str, **options: Any) -> list[int]:
    """Return the scores after seat 0 has knocked with an ace left, against two sets and some cards.

    Args:
        loose: The other cards of seat 1. Some of them fit seat 0's melds.
        laid_off: The cards that seat 1 lays off.
        **options: Options of the game.
    """
    hand = f"js jh jd jc qs qh qc {loose}"
    table = dealt(ALMOST, hand, **options).play("p0 take", "p0 discard kc", "p1 draw", "deal qd", "p1 discard qd")
    table.play("p0 draw", "deal 8c", "p0 knock", "p0 discard 2s")
    table.play("p0 lay 3d+4d+5d", "p0 lay 8c+9c+10c", "p0 lay 7s+7c+7h", "p0 done")
    table.play(*(f"p1 lay_off {card}" for card in laid_off.split()))
    table.play("p1 done", "p1 lay js+jc+jd+jh", "p1 lay qs+qc+qh")
    if table.state.rests[1] == [] and not table.position.over:
        table.play("p1 done")
    assert table.position.over
    return table.position.scores()


def test_scoring_of_an_undercut() -> None:
    """Rule GI-5.1."""
    assert undercut("7d 2d 6d", "7d 2d 6d") == [0, 1 + 25]


def test_scoring_of_a_tie() -> None:
    """Rules GI-1.2 and GI-5.1."""
    assert undercut("7d 2d as", "7d 2d") == [0, 25]
    assert undercut("7d 2d as", "7d 2d", tie_undercuts=False) == [0, 0]


def test_wall() -> None:
    """Rule GI-3.3."""
    table = dealt().play("p0 pass", "p1 pass")
    stock = [GAME.notation.name("card", card) for card in table.state.stock]
    for number, card in enumerate(stock[:29]):
        seat = number % 2
        if number:
            table.play(f"p{seat} draw")
        table.play(f"deal {card}", f"p{seat} discard {card}")
    assert len(table.state.stock) == 2
    assert table.options(1) == ["pass"]
    table.play("p1 pass")
    assert table.position.over
    assert table.position.scores() == [0, 0]


def test_oklahoma() -> None:
    """Rule GI-1.2."""
    assert dealt(oklahoma=True).state.limit == 7
    assert dealt(ALMOST.replace("ah", "7c"), upcard="ah", oklahoma=True).state.limit == 0


def test_deals_are_added_up_and_the_other_begins() -> None:
    """Rules GI-2.1 and GI-5.2."""
    table = dealt(deals=2).play("p0 take", "p0 discard 7c", "p1 take", "p1 discard 7c")
    assert not table.position.over
    table.play(*(f"deal {card}" for card in [*ALMOST.split(), *OTHER.split(), "7c"]))
    assert table.position.to_move == (1,)
    assert GAME.notation.index("card", "3d") in table.state.hands[1]
