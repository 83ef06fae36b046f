"""The single components, as the rules page shows them."""

from __future__ import annotations

from typing import Final

from atoll.engine.translations import GameMessages
from atoll.picture import Drawing

from ..components import AtuaComponents
from .drawing import draw, draw_face
from .tiles import fate_tile, resident_tile

_RULER: Final = (300, 46)


def card_alone(components: AtuaComponents, number: int) -> Drawing:
    """Return an island card or a village card alone, as it is printed."""
    card = components.cards[number]
    return Drawing(f"piece-{card.id}", 120, 120, draw("card_piece", face=draw_face(card.faces[0])))


def fate_alone(words: GameMessages, number: int) -> Drawing:
    """Return a fate tile alone."""
    return fate_tile(words, number, words.name("fate", number), "")


def resident_alone(words: GameMessages, number: int) -> Drawing:
    """Return a resident tile alone, with its effect in words."""
    return resident_tile(words, number, "", None)


def symbol_alone(name: str) -> Drawing:
    """Return a symbol or another sign of this game alone."""
    return Drawing(f"piece-{name}", 60, 60, draw("symbol_piece", name=name))


def ruler_alone(components: AtuaComponents) -> Drawing:
    """Return the volcano ruler with the points of its bands."""
    ends = [(limit + 1) ** 0.5 for limit in components.ruler.max_d2[:-1]] + [components.ruler.max_d2[-1] ** 0.5]
    scale = _RULER[0] / max(ends[-1], 1)
    bands = [
        {"x": start * scale, "width": (end - start) * scale, "points": points}
        for start, end, points in zip([0.0, *ends], ends, components.ruler.points, strict=False)
    ]
    return Drawing("piece-ruler", _RULER[0] + 4, _RULER[1], draw("ruler_piece", bands=bands, height=_RULER[1]))
