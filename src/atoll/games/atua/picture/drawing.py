"""Atua's templates, and a card as it looks everywhere."""

from __future__ import annotations

from typing import Final

from markupsafe import Markup

from atoll.engine.rules import Rules
from atoll.picture import SvgMacros, fragment

from ..components import SYMBOLS, AtuaComponents
from ..faces import Face
from ..outline import UNIT, shore
from ..state import AtuaState

draw: Final = SvgMacros("atoll.games.atua")
LINED: Final = "M5 3h14v18H5zM5 9h14M5 15h14M11 3v18"  # a score sheet
PILED: Final = "M4 8h13v13H4zM7 8V4h13v13h-3"  # two cards, one over the other


def draw_face(face: Face) -> Markup:
    """Draw a card in one rotation, its upper left corner at (0, 0)."""
    sand, sea, dune, surf = shore(face)
    symbols = [((x + 1) * UNIT, (y + 1) * UNIT, SYMBOLS[symbol]) for x, y, symbol in face.symbols]
    return draw("face", sand=sand, sea=sea, dune=dune, surf=surf, symbols=symbols)


@fragment
def face_of(game: Rules[AtuaState, AtuaComponents], card: int, rot: int) -> Markup:
    """Return the face of a card in one rotation.

    Args:
        game: The game.
        card: The number of the card.
        rot: Its rotation, 0 to 3.
    """
    return draw_face(game.components.cards[card].faces[rot])
