"""The single components, as the rules page shows them."""

from __future__ import annotations

from atoll.engine.translations import GameMessages
from atoll.picture import Drawing

from ..components import AtlandiceComponents
from .drawing import draw
from .signs import plate_of


def tile_alone(words: GameMessages, components: AtlandiceComponents, tile: int) -> Drawing:
    """Return a district tile alone.

    Args:
        words: The game's messages.
        components: The components.
        tile: The tile.
    """
    return Drawing(f"piece-tile-{tile}", 276, 64, draw("tile_piece", tile=plate_of(words, components, tile)))


def piece_alone(sign: str) -> Drawing:
    """Return a resource, a die (`die-blank`) or the submarine alone."""
    width = 120 if sign == "submarine" else 64
    return Drawing(f"piece-{sign}", width, 70, draw("piece", sign=sign, x=width / 2))
