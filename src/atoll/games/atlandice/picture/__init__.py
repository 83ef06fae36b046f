"""The picture of Atlandice: a city at night around its clock, in a sea that rises with the hand.

This module lists the regions in reading order. Each area of the table has a module of its own.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec
from markupsafe import Markup

from atoll.engine import Game
from atoll.engine.translations import GameMessages
from atoll.picture import Drawing, Region

from ..view import AtlandiceView
from . import city, clock, counts, seats, tiles
from .drawing import draw
from .scene import LIGHTS, SCENE, SOUNDS

__all__ = ["LIGHTS", "SCENE", "SOUNDS", "emblem", "regions", "symbols"]


def symbols() -> Markup:
    """Return the resources, the submarine, and the marks of the clock and of effects."""
    return draw("symbols")


def emblem() -> Drawing:
    """Return the clock tower in the rising sea, for lists of games."""
    return Drawing("emblem-atlandice", 320, 200, draw("emblem"))


def regions(game: Game, view: Mapping[str, Any], words: GameMessages) -> list[Region]:
    """Return the clock, areas, counts, the effects of the areas, and the belongings of each seat.

    Args:
        game: The game.
        view: The view of a seat or a spectator.
        words: The game's messages.
    """
    seen = msgspec.convert(view, AtlandiceView)
    return [
        clock.region(words, seen),
        *city.regions(words, seen),
        *counts.regions(words, seen),
        tiles.region(words, seen),
        *seats.regions(words, seen),
    ]
