"""The table of Atlandice: a city at night around its clock, dice at the gates, a sea that rises as the hand moves.

Here is what the page asks for, in reading order; each area of the table is drawn in a module of its own.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from markupsafe import Markup

from atoll.engine import Game
from atoll.engine.words import Words
from atoll.picture import Drawing, Region

from .city import City
from .counts import Counts
from .drawing import draw
from .scene import LIGHTS, SCENE
from .seats import Seats
from .tiles import Tiles

__all__ = ["LIGHTS", "SCENE", "emblem", "regions", "symbols"]


class _Whole(City, Counts, Tiles, Seats):
    """The table with all its areas."""


def symbols() -> Markup:
    """Resources, submarine, and the marks of the clock and of effects."""
    return draw("symbols")


def emblem() -> Drawing:
    """The clock tower in the rising sea, for lists of games."""
    return Drawing("emblem-atlandice", 320, 200, draw("emblem"))


def regions(game: Game, view: Mapping[str, Any], words: Words) -> list[Region]:
    """The city; who leads where; the harbour; what the open tiles do; hold, tiles and points of each."""
    table = _Whole(game, view, words)
    found = [table.city(), *table.counts(), table.tiles()]
    if view["viewer"] is not None:
        found.append(table.mine(view["viewer"]))
    return found + [table.seat(seat) for seat in range(view["seats"])]
