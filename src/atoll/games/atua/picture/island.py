"""The large island on the open sea, with the ruler around its village."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from markupsafe import Markup

from atoll.engine.rules import Rules
from atoll.engine.translations import GameMessages
from atoll.picture import Drawing, Fragment, Region, Row, fragment
from atoll.picture.svg_macros import number as coordinate

from .. import scoring
from ..components import VOLCANO, AtuaComponents, Ruler
from ..faces import CARD_UNITS, SLOT_UNITS
from ..geometry import Island
from ..lattice import CARD_INTS
from ..outline import UNIT
from ..state import NOTHING_HELD, AtuaState
from ..view import AtuaView
from .drawing import draw, face_of
from .placing import hold
from .table import Bounds, card_in_words, components_of, extent, island_of, say, spots, village_of

_SEA: Final = 4.25  # units of open sea around an island: no card reaches farther
_SLIM: Final = 0.8  # the least width of the sea relative to its height
_PHONE: Final = 366  # the width of a board on a phone, in pixels

_SLANT: Final = 0.5**0.5
_SIDES: Final = ((1, 0), (0, 1), (-1, 0), (0, -1), *((dx, dy) for dx in (_SLANT, -_SLANT) for dy in (_SLANT, -_SLANT)))


def large_island(words: GameMessages, seen: AtuaView) -> Region:
    """Return the viewer's island on the open sea; for spectators, that of the active seat."""
    s, seat = seen.state, seen.shown
    placed, bounds = s.placed[seat], _bounds(words, seen, seat)
    armed = s.active == seat and s.held != NOTHING_HELD and VOLCANO in components_of(words).cards[s.row[s.held]].symbols
    open_end = seen.options.volcano_ruler == "open_end"
    marks = _marks(words.game, seen.solo, open_end, placed, bounds, armed)
    return _island(words, seat, seen.solo, placed, bounds, marks, hold(words, seen, bounds))


def _bounds(words: GameMessages, seen: AtuaView, seat: int) -> Bounds:
    """Return the visible part of the sea.

    A card placed in a turn draft doesn't widen it before the row is refilled. Thus a preview lies
    exactly over the present picture.
    """
    s = seen.state
    placed = s.placed[seat]
    refilled = not seen.solo and len(s.row) == components_of(words).row_size
    if s.active == seat and not seen.over and not refilled:
        placed = placed[: CARD_INTS * (1 + s.turn // seen.seats)]
    left, top, width, height = extent(placed, _SEA)
    wider = max(width, _SLIM * height)
    return Bounds((2 * left + width - wider) / 2, top, wider, height)


@fragment
def _island(
    words: GameMessages, seat: int, solo: bool, placed: Row, bounds: Bounds, marks: Markup, held: Fragment
) -> Region:
    """Return the large island.

    Args:
        words: The game's messages.
        seat: The seat whose island it is.
        solo: Whether Tahuma is the opponent.
        placed: Its cards; see AtuaState.
        bounds: The visible part of the sea.
        marks: The drawings over the cards; see `_marks`.
        held: The card in the hand; see `hold`.
    """
    width, height = bounds.width * UNIT, bounds.height * UNIT
    shift = _shift(bounds)
    parts: tuple[Markup | Fragment, ...] = (
        draw("sea", width=width, height=height),
        draw("shoal", transform=shift, spots=spots(placed)),
        Markup('<g id="island-cards" transform="{}" data-lattice="place {} {}">').format(
            shift, UNIT, CARD_UNITS * UNIT
        ),
        *_cards(words, island_of(words.game, solo, placed)),
        Markup("</g>"),
        marks,
        held,
    )
    name = say(words, "island", seat=seat)
    return Region("island", name, "board", [Drawing.of_parts("island", width, height, parts, name)], flow="fit")


def _shift(bounds: Bounds) -> str:
    """Return the translation from the village to the drawing's corner."""
    return f"translate({coordinate(-bounds.left * UNIT)} {coordinate(-bounds.top * UNIT)})"


def _cards(words: GameMessages, island: Island) -> Iterator[Fragment]:
    visible = set(island.symbols())
    for card, x, y, rot in island.cards():
        symbols = components_of(words).cards[card].faces[rot].symbols
        left = tuple(symbol for at_x, at_y, symbol in symbols if (symbol, x + at_x, y + at_y) in visible)
        yield _placed_card(words, card, x, y, rot, left)


@fragment
def _placed_card(words: GameMessages, card: int, x: int, y: int, rot: int, left: Row) -> Fragment:
    """Return a card on the island. `left` are its symbols that aren't covered."""
    id = components_of(words).cards[card].id
    drawn = {"id": f"placed-{id}", "name": card_in_words(words, card, left), "piece": id}
    face = face_of(words.game, card, rot)
    return Fragment.of(draw("placed_card", card=drawn, x=x * UNIT, y=y * UNIT, face=face))


# -- the ruler -------------------------------------------------------------------------------------


@fragment
def _marks(
    game: Rules[AtuaState, AtuaComponents], solo: bool, open_end: bool, placed: Row, bounds: Bounds, armed: bool
) -> Markup:
    """Return the bands of the ruler around the village, and next to each volcano its worth.

    Args:
        game: The game.
        solo: Whether Tahuma is the opponent.
        open_end: Whether volcanoes beyond the ruler score as many points as its last band.
        placed: The cards of the island.
        bounds: The visible part of the sea.
        armed: Whether a volcano is about to be placed. The bands are shown for it, and for each
            that is there.
    """
    island, components = island_of(game, solo, placed), game.components
    rings = _rings(components, island, bounds) if armed or island.counts[VOLCANO] else []
    worths = _worths(components.ruler, island, open_end=open_end)
    size = max(16.0, 14.6 * bounds.width * UNIT / _PHONE)
    return draw("marks", transform=_shift(bounds), rings=rings, worths=worths, size=size)


def _rings(components: AtuaComponents, island: Island, bounds: Bounds) -> list[dict[str, Any]]:
    """Return the bands, labeled on the side of the village with most of the open sea."""
    x, y = village_of(island)
    ruler = components.ruler
    bands = [*zip([0, *(limit + 1 for limit in ruler.max_d2[:-1])], ruler.max_d2, ruler.points, strict=True)]
    middles = [(start**0.5 + (limit + 1) ** 0.5) / 2 * UNIT for start, limit, _ in bands]
    sides = [[(x + middle * dx, y + middle * dy) for middle in middles] for dx, dy in _SIDES]
    labels = max(sides, key=lambda each: sum(_is_read(spot, island, bounds) for spot in each))
    return [
        {
            "x": x,
            "y": y,
            "r": round((limit + 0.5) ** 0.5 * UNIT, 1),
            "label_x": round(label[0], 1),
            "label_y": round(label[1], 1),
            "points": points if _is_read(label, island, bounds) else None,
        }
        for (_, limit, points), label in zip(bands, labels, strict=True)
    ]


def _is_read(spot: tuple[float, float], island: Island, bounds: Bounds) -> bool:
    """Return whether a number at this spot is on the open sea and inside the drawing."""
    cards = (Bounds(x - 2, y - 2, CARD_UNITS + 4, CARD_UNITS + 4) for _, x, y, _ in island.cards())
    return _is_inside(spot, bounds) and not any(_is_inside(spot, card) for card in cards)


def _is_inside(spot: tuple[float, float], bounds: Bounds) -> bool:
    """Return whether a spot in pixels lies within a rectangle, clear of its edge."""
    x, y, width, height = bounds
    return 1 <= spot[0] / UNIT - x <= width - 1 and 1 <= spot[1] / UNIT - y <= height - 1


def _worths(ruler: Ruler, island: Island, *, open_end: bool) -> list[dict[str, int]]:
    """Return the points of each volcano, placed next to it."""
    volcanoes = [(x, y) for symbol, x, y in island.symbols() if symbol == VOLCANO]
    return [
        {
            "x": (x + SLOT_UNITS) * UNIT - 4,
            "y": y * UNIT + 6,
            "points": scoring.ruler_points(ruler, d2, open_end=open_end),
        }
        for (x, y), d2 in zip(volcanoes, island.volcano_distances(), strict=True)
    ]
