"""The rule files of all games follow the rules for coroutines, and each rule is shown to be enforced."""

from __future__ import annotations

from pathlib import Path

import pytest

from atoll.testing.discipline import game_violations, violations

from .installed import load_games

GAMES, BROKEN = load_games()


@pytest.mark.parametrize("game", [*GAMES, *BROKEN])
def test_rule_files(game: str) -> None:
    assert game not in BROKEN, BROKEN[game]
    assert game_violations(GAMES[game]) == []


def test_files_of_packages_in_the_package_are_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rules = tmp_path / "nested_game" / "cards" / "deck" / "rules.py"
    rules.parent.mkdir(parents=True)
    rules.write_text(
        "def deal(s):\n    x = yield Draw(C, s.deck, audience=audience_of_seats(0))\n    yield Roll(D)\n    put(x)\n",
        "utf-8",
    )
    (tmp_path / "nested_game" / "__init__.py").touch()
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(type(GAMES["toy"]), "package", "nested_game")
    (found,) = game_violations(GAMES["toy"])
    assert found.startswith("cards/deck/rules.py line 4, rule 2")


GOOD = """
def play(s):
    first: int = yield Draw(START, range(s.seats))
    s.hand[0] = yield Draw(CARD, s.deck, audience=audience_of_seats(0))
    for seat in tuple(s.order):
        yield from turn(s, seat)
    for place in s.components.places:
        yield from visit(s, place)
    if (yield Choose(0, "again", [1, 2])) == 2:
        return
    card: int = yield Draw(CARD, s.deck, audience=audience_of_seats(1))
    put(s.hands[1], card)
    hand = s.hands[1]
    choice: int = yield Choose(1, "keep", [KEEP.choice(each) for each in hand], audience=audience_of_seats(1))
    hand.remove(KEEP.part(choice))
    empty = len(hand) == 0 or not s.hands[0]
    yield Roll(DIE)
    s.over = empty

def wish(s, seat):
    one: int = yield Choose(seat, "wish", [1, 2], audience=audience_of_seats(seat))
    two: int = yield Choose(seat, "wish", [3, 4], audience=audience_of_seats(seat))
    return [one, two]

def wishes(s):
    s.wishes = yield Sealed(range(s.seats), lambda seat: wish(s, seat))

def ask(s):
    return (yield Choose(0, "again", [1, 2]))
"""

BAD = {
    "in an expression": (1, "x = 1 + (yield Roll(DIE))"),
    "as an argument": (1, "take(s, (yield Roll(DIE)))"),
    "augmented, which reads the old value before": (1, "s.vp += yield Roll(DIE)"),
    "with another call": (1, "if may(s) and (yield Roll(DIE)): pass"),
    "two in a condition": (1, "if (yield Roll(DIE)) == (yield Roll(DIE)): pass"),
    "in a try": (1, "try:\n        yield Roll(DIE)\n    finally:\n        pass"),
    "in a with": (1, "with s.lock:\n        yield Roll(DIE)"),
    "in a lambda": (1, "f = lambda: (yield Roll(DIE))"),
    "secret drawn": (
        2,
        "card = yield Draw(C, s.deck, audience=audience_of_seats(0))\n    yield Roll(DIE)\n    put(s.hands[0], card)",
    ),
    "secret chosen": (
        2,
        "a, b = yield Choose(0, 'x', [1], audience=audience_of_seats(0))\n    yield Roll(DIE)\n    s.x = b",
    ),
    "secret computed": (2, "best = max(s.hands[0])\n    yield Roll(DIE)\n    s.vp = best"),
    "secret copied": (2, "mine = list(s.hands[0])\n    yield Roll(DIE)\n    s.vp = mine[0]"),
    "live list": (3, "for seat in s.order:\n        yield Roll(DIE)"),
    "live list of lists": (3, "for card in s.market[2]:\n        yield Roll(DIE)"),
    "window on a live list": (3, "for i, card in enumerate(s.market):\n        yield Roll(DIE)"),
    "alias of a live list": (3, "cards = s.market\n    for card in cards:\n        yield Roll(DIE)"),
    "lazy": (3, "for card in (c for c in s.market if c):\n        yield Roll(DIE)"),
    "set of options": (4, "yield Choose(0, 'x', {1, 2})"),
    "built set of options": (4, "yield Choose(0, 'x', set(s.market))"),
    "no options": (4, "yield Choose(0, 'x', [])"),
    "random": (5, "import random"),
    "from random": (5, "from random import Random, choice"),
    "own generator": (5, "rng = Random(1)"),
    "clock": (5, "import time"),
    "hash": (5, "x = hash('a')"),
    "address": (5, "x = id(s)"),
    "order of a set": (5, "for card in {1, 2}: pass"),
    "order of a set in a comprehension": (5, "x = [card for card in set(s.market)]"),
    "outside of the state": (5, "global turns"),
}


def test_good_rules_are_no_breach() -> None:
    assert violations(GOOD, {"hand", "hands", "deck"}) == []


@pytest.mark.parametrize("name", BAD)
def test_breach_is_found(name: str) -> None:
    rule, line = BAD[name]
    source = f"def play(s):\n    {line}\n    yield Roll(DIE)\n"
    assert {breach.rule for breach in violations(source, {"hands", "deck"})} == {rule}
