"""Tests of each section of RULES.md, as lines of text; chance outcomes are entered by hand."""

from __future__ import annotations

from atoll.testing import ScriptedGame

DEALT = [f"deal {number}" for number in (1, 3, 5, 7, 9, 2, 4, 6, 8, 10)]


def dealt() -> ScriptedGame:
    """Return a game of two players with the odd and the even divers up to 10."""
    return ScriptedGame("starter", 2).play(*DEALT)


def test_deal() -> None:
    """Rule ST-1.1."""
    table = dealt()
    assert [len(hand) for hand in table.state.hands] == [5, 5]
    assert table.position.view(0)["state"]["hands"][1] == {"count": 5}


def test_dive_is_won_by_the_highest() -> None:
    """Rule ST-1.2."""
    table = dealt().play("surface black", "p0 send 9", "p1 send 10")
    assert table.events("won") == [{"seat": 1, "pearl": 5}]
    assert table.position.scores() == [0, 6]


def test_dive_shows_nothing_before_all_have_sent() -> None:
    """Rule ST-1.2."""
    table = dealt().play("surface black", "p0 send 9")
    assert table.position.to_move == (1,)
    assert table.events("sent") == []


def test_end() -> None:
    """Rule ST-1.3."""
    table = dealt()
    for pearl, one, two in (("white", 1, 2), ("pink", 3, 4), ("blue", 5, 6), ("green", 7, 8), ("golden", 9, 10)):
        table.play(f"surface {pearl}", f"p0 send {one}", f"p1 send {two}")
    assert table.position.over
    assert table.position.ranking() == [2, 1]
    assert table.position.explain()[1][0].points == 15
