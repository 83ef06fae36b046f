"""Atua's table: islands of cut paper on an open sea, the row of cards, tiles, and the sheet with all points.

Here is what the page asks for, in reading order; each area of the table is drawn in a module of its own.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from markupsafe import Markup

from atoll.engine import Game
from atoll.engine.words import Words
from atoll.picture import Drawing, Fact, Region

from .drawing import draw
from .island import LargeIsland
from .row import Row
from .scene import LIGHTS, SCENE, mode
from .seats import Seats
from .sheet import Sheet

__all__ = ["LIGHTS", "SCENE", "emblem", "mode", "regions", "symbols"]


class _Whole(LargeIsland, Row, Sheet, Seats):
    """The table with all its areas."""


def symbols() -> Markup:
    """People and things of the islands, and how land, sand and sea look."""
    return draw("symbols")


def emblem() -> Drawing:
    """An island with its volcano, for lists of games."""
    return Drawing("emblem-atua", 320, 200, draw("emblem"))


def regions(game: Game, view: Mapping[str, Any], words: Words) -> list[Region]:
    """The viewer's island, the row right below it, what the island counts, fates, the sheet; then the seats."""
    table = _Whole(game, view, words)
    if not all(view["state"]["placed"]):
        preparing = Fact("preparing", words.say("table.preparing"), "")
        return [Region("island", words.say("table.islands"), "board", facts=[preparing])]
    found = [table.island(), table.row()]
    if view["viewer"] is not None:
        found.append(table.harmony(view["viewer"]))
    if view["options"]["fates"]:
        found.append(table.fates())
    found.append(table.sheet())
    if table.solo and view["over"]:
        found.append(table.pile())
    found += [table.seat(seat) for seat in range(view["seats"])]
    return [*found, table.tahuma()] if table.solo else found
