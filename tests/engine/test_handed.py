"""Objects that the engine hands to code of other games and bots.

The tests look at everything and change everything.
"""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import Any

import pytest

from atoll.engine import Game, Position, Rules, SeatView
from atoll.testing.cases import cases
from atoll.testing.play import BrokenLaw, Effort, must_be_equal
from atoll.testing.secrecy_laws import Twins, _walk_twins
from tests.toy import GAME as TOY


def within(value: Any) -> Any:
    """All that can be reached by names without an underscore in front."""
    if value is None or isinstance(value, bool | int | float | str):
        return value
    if isinstance(value, Mapping):
        return {key: within(each) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [within(each) for each in value]
    if isinstance(value, Rules):
        return value.id
    if callable(value):
        return "function"
    return {name: within(getattr(value, name)) for name in dir(value) if not name.startswith("_")}


def spoil(value: Any) -> None:
    """Empty every list and mapping in something."""
    if isinstance(value, dict | list):
        for each in list(value.values() if isinstance(value, dict) else value):
            spoil(each)
        value.clear()


class Telling(SeatView):
    """A plant: more than a seat knows."""

    __slots__ = ("table",)

    def __init__(self, position: Position, seat: int) -> None:
        super().__init__(position, seat)
        self.table = position.save_data()["state"]


def look_at_twins(game: Game, kind: type[SeatView]) -> int:
    """Compare the objects that a bot gets in twins, and return the number of comparisons."""
    looked = 0

    def check(twins: Twins, viewer: int, rng: Random) -> None:
        nonlocal looked
        looked += 1
        one, two = (within(kind(each, viewer)) for each in twins)
        must_be_equal(one, two, "what a bot is handed")

    for case in cases({game.id: game}):
        _walk_twins(case, Effort(), check)
    return looked


def test_a_bot_finds_nothing_in_what_it_is_handed() -> None:
    assert look_at_twins(TOY, SeatView) > 20
    with pytest.raises(BrokenLaw, match="what a bot is handed"):
        look_at_twins(TOY, Telling)


def test_who_spoils_what_it_is_handed_spoils_nobody_elses() -> None:
    rng = Random(1)
    position = TOY.new(3, seed=1)
    looked = 0
    while not position.over:
        seat = rng.choice(position.to_move)
        for viewer in (None, seat):
            before = position.view(viewer)
            spoil(position.view(viewer))
            assert position.view(viewer) == before and before
        given = SeatView(position, seat)
        legal = position.legal_choices(seat)
        spoil(given.view)
        spoil(given.sample(1).view(seat))
        assert position.legal_choices(seat) == legal and SeatView(position, seat).view == position.view(seat)
        position.apply(rng.choice(legal), seat)
        looked += 1
    assert looked > 5
