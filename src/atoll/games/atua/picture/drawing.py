"""Atua's templates, and a card as it looks everywhere."""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from markupsafe import Markup

from atoll.picture import Brush

from ..components import (
    SYMBOLS,
)
from ..faces import Face
from ..outline import UNIT, shore

draw = Brush("atoll.games.atua")
LINED: Final = "M5 3h14v18H5zM5 9h14M5 15h14M11 3v18"  # a score sheet
PILED: Final = "M4 8h13v13H4zM7 8V4h13v13h-3"  # two cards, one over the other


@lru_cache(maxsize=1024)
def face_of(face: Face) -> Markup:
    """A card in one rotation, its upper left corner at (0, 0)."""
    sand, sea, dune, surf = shore(face)
    symbols = [((x + 1) * UNIT, (y + 1) * UNIT, SYMBOLS[symbol]) for x, y, symbol in face.symbols]
    return draw("face", sand=sand, sea=sea, dune=dune, surf=surf, symbols=symbols)
