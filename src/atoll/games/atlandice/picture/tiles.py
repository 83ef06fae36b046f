"""The effects of the areas in words."""

from __future__ import annotations

from typing import Any, Final

from atoll.engine.translations import GameMessages
from atoll.picture import Drawing, Region, Row, fragment
from atoll.picture.svg_macros import wrap

from ..components import AtlandiceComponents
from ..kinds import AREAS, BLACK_MARKET, DISTRICTS
from ..state import USED_UP
from ..tile_texts import tile_text
from ..view import AtlandiceView
from .drawing import AREA_NAMES, NARROW, draw
from .names import area_name, say, tile_at
from .signs import plate_of

_CARD: Final = (378, 44, 18)  # the width of a card, the height of its head and of a line
_TEXT: Final = (248, 15.5)  # the width and the size of its words
_BELOW: Final = 30  # the height of a tile that lies below
_EDGE: Final = 1  # the part of the outline that lies outside a card


def region(words: GameMessages, seen: AtlandiceView) -> Region:
    """Return the effects of a view."""
    s = seen.state
    cards = []
    for area in range(AREAS):
        tile = tile_at(s, area)
        below = s.below[area] if area < DISTRICTS and tile != USED_UP else ()
        cards.append(card(words, area, tile, below, seen.live.hands[area]))
    return tiles(words, *cards)


@fragment
def tiles(words: GameMessages, *cards: Drawing) -> Region:
    """Return the effects of the areas in words next to their signs, and the tiles below."""
    return Region("tiles", say(words, "tiles"), "shared", cards, flow="wrap")


@fragment
def card(words: GameMessages, area: int, tile: int, below: Row, hands: int) -> Drawing:
    """Return the effect of an area.

    Args:
        words: The game's messages.
        area: The area.
        tile: Its tile; see `tile_at`.
        below: The tiles below.
        hands: The number of clock hands printed there.
    """
    width, head, line = _CARD
    room, size = _TEXT
    help = [say(words, "below", n=len(below), tile=below)] if below else []
    help += [f"{words.name('tile', each)}: {tile_text(words, each)}" for each in below]
    lines = wrap(tile_text(words, tile), room, size * NARROW) if tile >= 0 else []
    height = head + max(line * len(lines) + 5 if lines else 2, _BELOW * len(below))
    values = {
        "id": f"effect-{AREA_NAMES[area]}",
        "name": area_name(words, area, tile, hands),
        "help": " ".join(help),
        "css": "used-up" if tile == USED_UP else "market" if area == BLACK_MARKET else "district",
        "face": area + 1,
        "title": words.name("area", area),
        "under": _subtitle(words, area, tile),
        "plate": _plate(words, tile) if tile >= 0 else None,
        "hands": hands if area == BLACK_MARKET else 0,
        "lines": lines,
        "below": [_plate(words, each) for each in below],
        "width": width,
        "height": height,
    }
    return Drawing(f"effect-{AREA_NAMES[area]}", width, height + 2 * _EDGE, draw("effect", card=values, y=_EDGE))


def _subtitle(words: GameMessages, area: int, tile: int) -> str:
    if tile == USED_UP:
        return say(words, "sunk")
    if area == BLACK_MARKET:
        return words.say("effect.none")
    return words.name("tile", tile) if tile >= 0 else ""


def _plate(words: GameMessages[AtlandiceComponents], tile: int) -> dict[str, Any]:
    return plate_of(words, words.game.components, tile)
