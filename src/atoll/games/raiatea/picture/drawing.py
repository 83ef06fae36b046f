"""Raiatea's templates, lines of signs and numbers, and rows of cards."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from markupsafe import Markup

from atoll.picture import Drawing, Region, SignForm, SignLines, SvgMacros, fragment

draw = SvgMacros("atoll.games.raiatea")
Spot = tuple[float, float, float]
"""The place of a card in a drawing, and its scale."""
ALONE: Final[Spot] = (0.0, 0.0, 1.0)
"""The place of a thing that has a drawing to itself."""
_LINES: Final = SignLines("raiatea", SignForm(38), css="number", hidden=True)


def area(id: str, title: str, drawing: Drawing, role: str = "shared") -> Region:
    """Return an area of the scene with a single drawing.

    Args:
        id: The id of the region.
        title: Its title.
        drawing: Its drawing.
        role: Its role on the page.
    """
    return Region(id, title, role, [drawing], flow="fit")


@fragment
def sign_of(sign: str) -> Markup:
    """Draw a sign alone, for facts."""
    return draw("sign", sign=sign)


def inline(
    parts: Sequence[str],
    x: float,
    y: float,
    room: float,
    *,
    scale: float = 0.5,
    size: float = 16,
    gap: float = 3,
    start: bool = False,
    css: str = "",
) -> Markup:
    """Draw signs and texts in one line.

    Args:
        parts: The signs ("#pearl") and texts ("2+").
        x: The middle of the line, or with `start` its left end.
        y: The middle of the signs.
        room: The greatest width of the line. A longer line becomes smaller.
        scale: The scale of the signs, which are 38 units wide.
        size: The size of the texts.
        gap: The gap between two parts.
        start: Whether the line begins at `x`.
        css: One more class of the texts.

    Returns:
        The markup.
    """
    return _LINES.draw(parts, x, y, size=size, scale=scale, gaps=(gap, gap), room=room, start=start, css=css)


def inline_width(parts: Sequence[str], room: float, *, scale: float, size: float) -> float:
    """Return the width that `inline` gives a line with its usual gap.

    Args:
        parts: The signs and texts.
        room: The greatest width of the line.
        scale: The scale of the signs.
        size: The size of the texts.
    """
    return min(room, _LINES.width(parts, size=size, scale=scale, gaps=(3, 3)))


def spread(n: int, width: float, height: float, size: tuple[int, int], *, start: bool = False) -> list[Spot]:
    """Return places for cards in an area, as large as possible but not above their size.

    Args:
        n: The number of cards.
        width: The width of the area.
        height: Its height.
        size: The width and the height of a card.
        start: Whether lines begin at the left instead of standing in the middle.
    """
    gap = 4
    best, columns = 0.0, 1
    for each in range(1, n + 1):
        lines = -(-n // each)
        scale = min(1.0, (width / each - gap) / size[0], (height / lines - gap) / size[1])
        if scale >= best:
            best, columns = scale, each
    step, line = size[0] * best + gap, size[1] * best + gap
    spots = []
    for at in range(n):
        row, column = divmod(at, columns)
        here = min(columns, n - row * columns)
        left = 0.0 if start else (width - here * step + gap) / 2
        spots.append((left + column * step, row * line, best))
    return spots
