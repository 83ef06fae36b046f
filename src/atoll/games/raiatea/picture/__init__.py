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
from .table import Table

__all__ = ["LIGHTS", "SCENE", "emblem", "mode", "regions", "symbols"]


def symbols() -> Markup:
    """Goods, helpers, faces of gods, and the small signs of effects."""
    return draw("symbols")


def emblem() -> Drawing:
    """The temple court, for lists of games."""
    return Drawing("emblem-raiatea", 320, 200, draw("emblem"))


def regions(game: Game, view: Mapping[str, Any], words: Words) -> list[Region]:
    """The places of the court or the festival ground; what is one's own; what lies before each seat."""
    table = Table(game, view, words)
    paths, seats = Paths.of(table), Seats.of(table)
    if view["state"]["phase"] == TABLE:
        return [paths.preparing()]
    found = [paths.track(), *(_festival(table) if table.feast else _court(table))]
    found += [paths.tattoos(), paths.priests(), *Statues.of(table).statues()]
    if view["viewer"] is not None:
        found += seats.screen(view["viewer"])
    return found + [seats.seat(seat) for seat in range(view["seats"])]


def _court(table: Table) -> list[Region]:
    """An action round: the locations, and beside each what it is about."""
    court = Court.of(table)
    found = [court.location(location) for location in range(LOCATION.size)]
    found += [*_row(table), *court.tray(), court.forest(), *Market.of(table).markets("")]
    return [*found, court.decks(""), court.favour(""), court.bag("")]


def _festival(table: Table) -> list[Region]:
    """A feast: its acts, what lies in the middle of the current one, and what is needed for it."""
    court, feast = Court.of(table), Feast.of(table)
    row = _row(table)
    found = [feast.acts("acts", 570, 58), feast.acts("acts-tall", 390, 54), *row, *court.tray()]
    if not row:
        found += [feast.act(), court.bag("feast-")]
    return [*found, court.favour("feast-"), court.decks("feast-"), *Market.of(table).markets("feast-")]


def _row(table: Table) -> list[Region]:
    """The last row of rituals, until the next action round begins."""
    return [Feast.of(table).row()] if table.s["row"] or table.s["blessed"] else []
