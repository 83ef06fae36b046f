"""Raiatea's table: an island court by day, the festival ground at a feast; every component where it is used.

Here is what the page asks for, in reading order; each area of the table is drawn in a module of its own.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from markupsafe import Markup

from atoll.engine import Game
from atoll.engine.words import Words
from atoll.picture import Drawing, Region

from ..kinds import LOCATION
from ..state import TABLE
from .court import Court
from .drawing import draw
from .feast import Feast
from .market import Market
from .paths import Paths
from .scene import LIGHTS, SCENE, mode
from .seats import Seats
from .statues import Statues

__all__ = ["LIGHTS", "SCENE", "emblem", "mode", "regions", "symbols"]


class _Whole(Court, Feast, Market, Paths, Statues, Seats):
    """The table with all its areas."""


def symbols() -> Markup:
    """Goods, helpers, faces of gods, and the small signs of effects."""
    return draw("symbols")


def emblem() -> Drawing:
    """The temple court, for lists of games."""
    return Drawing("emblem-raiatea", 320, 200, draw("emblem"))


def regions(game: Game, view: Mapping[str, Any], words: Words) -> list[Region]:
    """The places of the court or the festival ground; what is one's own; what lies before each seat."""
    table = _Whole(game, view, words)
    if view["state"]["phase"] == TABLE:
        return [table.preparing()]
    found = [table.track(), *(_festival(table) if table.feast else _court(table))]
    found += [table.tattoos(), table.tattoos_tall(), table.priests(), table.priests_tall(), *table.statues()]
    if view["viewer"] is not None:
        found += table.screen(view["viewer"])
    return found + [table.seat(seat) for seat in range(view["seats"])]


def _court(table: _Whole) -> list[Region]:
    """An action round: the locations, and beside each what it is about."""
    found = [table.location(location) for location in range(LOCATION.size)]
    found += [*_row(table), *table.tray(), table.forest(), *table.markets("")]
    return [*found, table.decks(""), table.favour(""), table.bag("")]


def _festival(table: _Whole) -> list[Region]:
    """A feast: its acts, what lies in the middle of the current one, and what is needed for it."""
    row = _row(table)
    found = [table.acts("acts", 570, 58), table.acts("acts-tall", 390, 54), *row, *table.tray()]
    if not row:
        found += [table.act(), table.bag("feast-")]
    return [*found, table.favour("feast-"), table.decks("feast-"), *table.markets("feast-")]


def _row(table: _Whole) -> list[Region]:
    """The last row of rituals, until the next action round begins."""
    return [table.row()] if table.s["row"] or table.s["blessed"] else []
