"""Wutaki's table: a volcano island with Buka's maw, the places of the cult, pyramid and pacts; what each seat has.

Here is what the page asks for, in reading order; each area of the table is drawn in a module of its own.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from markupsafe import Markup

from atoll.engine import Game
from atoll.engine.words import Words
from atoll.picture import Drawing, Region

from ..kinds import FIRST_STANDARD, STANDARD_PLACES
from .answers import answers
from .cards import Cards
from .dock import Dock
from .drawing import draw
from .places import Places
from .scene import LIGHTS, PLANK, PLANKS, SCENE
from .seats import Seats
from .shore import Shore
from .volcano import Volcano

__all__ = ["LIGHTS", "SCENE", "answers", "emblem", "regions", "symbols"]

_SMALL: Final = ("start_player", "trade", "draw_omen", "play_omen", "vp_or_gift", "chase", "upgrade")


class _Whole(Volcano, Places, Cards, Shore, Dock, Seats):
    """The table with all its areas."""


def symbols() -> Markup:
    """Workers, resources, elements, places, the island."""
    return draw("symbols")


def emblem() -> Drawing:
    """Buka in his crater, for lists of games."""
    return Drawing("emblem-wutaki", 320, 200, draw("emblem"))


def regions(game: Game, view: Mapping[str, Any], words: Words) -> list[Region]:
    """The island with the maw, places and pacts; the viewer's goods and cards; what each seat has."""
    table = _Whole(game, view, words)
    found = [table.smoke(), table.maw(), table.plank("plunder", 148), table.counter()]
    found += [table.standard(place) for place in range(FIRST_STANDARD, FIRST_STANDARD + len(STANDARD_PLACES))]
    found += [table.slot(slot) for slot in range(len(view["state"]["display"]))]
    found += [table.pact_deck(), *(table.plank(id, PLANK) for id in PLANKS), table.pyramid()]
    found += [table.small(id) for id in _SMALL]
    found += [table.decks(), table.round_deck(), table.towers(), table.idle(), table.supply(), *table.rims()]
    if view["viewer"] is not None:
        found += table.hand(view["viewer"])
    found += [table.seat(seat) for seat in range(view["seats"])]
    if view["state"]["boards_left"] and -1 in view["state"]["masterboard"]:
        found.append(table.boards_left())
    return found
