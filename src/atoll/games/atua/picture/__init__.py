"""The picture of Atua: paper islands on an open sea, the row of cards, tiles, and the score sheet.

`regions` returns the regions in reading order. Each area of the table has a module of its own.
There, the functions that get a view pass its values to those that draw.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec
from markupsafe import Markup

from atoll.engine import Game
from atoll.engine.translations import GameMessages
from atoll.picture import Drawing, Fact, Region

from ..view import AtuaView
from .drawing import draw
from .island import large_island
from .row import pile, row
from .scene import LIGHTS, SCENE, SOUNDS, mode
from .seats import harmony, seat
from .sheet import sheet, tahuma
from .table import say
from .tiles import fates

__all__ = ["LIGHTS", "SCENE", "SOUNDS", "emblem", "mode", "regions", "symbols"]


def symbols() -> Markup:
    """Return the people and things of the islands, and the patterns of land, sand and sea."""
    return draw("symbols")


def emblem() -> Drawing:
    """Return an island with its volcano, for lists of games."""
    return Drawing("emblem-atua", 320, 200, draw("emblem"))


def regions(game: Game, view: Mapping[str, Any], words: GameMessages) -> list[Region]:
    """Return the viewer's island, the row, the island's counts, fates, the sheet, and the seats.

    Args:
        game: The game.
        view: The view of a seat or a spectator.
        words: The game's messages.
    """
    seen = msgspec.convert(view, AtuaView)
    if not all(seen.state.placed):
        preparing = Fact("preparing", say(words, "preparing"), "")
        return [Region("island", say(words, "islands"), "board", facts=[preparing])]
    found = [large_island(words, seen), row(words, seen)]
    if seen.viewer is not None:
        found.append(harmony(words, seen, seen.viewer))
    if seen.options.fates:
        found.append(fates(words, seen))
    found.append(sheet(words, seen))
    if seen.solo and seen.over:
        found.append(pile(words, seen))
    found += [seat(words, seen, each) for each in range(seen.seats)]
    return [*found, tahuma(words, seen)] if seen.solo else found
