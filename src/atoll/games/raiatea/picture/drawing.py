"""Raiatea's templates; signs and numbers in a line, cards side by side."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from markupsafe import Markup

from atoll.picture import Brush
from atoll.picture.brush import text_width

draw = Brush("atoll.games.raiatea")
Spot = tuple[float, float, float]
"""Where a card lies in a drawing, and how much it is scaled."""
ALONE: Final[Spot] = (0.0, 0.0, 1.0)
"""Where a thing lies that has a drawing to itself."""


def sign_of(sign: str) -> Markup:
    """A sign by itself, as facts have it."""
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
) -> list[dict[str, Any]]:
    """Signs ("#pearl") and texts ("2+") in one line around x, or from x on; smaller if the room is too narrow."""
    whole = sum(_part_width(part, scale, size) for part in parts) + gap * max(0, len(parts) - 1)
    if whole > room:
        shrunk = room / whole
        scale, size, gap, whole = scale * shrunk, size * shrunk, gap * shrunk, room
    at = x if start else x - whole / 2
    items = []
    for part in parts:
        width = _part_width(part, scale, size)
        sign = part[1:] if part.startswith("#") else ""
        items.append(
            {"sign": sign, "text": part, "x": at + width / 2, "y": y, "scale": scale, "size": size, "width": width}
        )
        at += width + gap
    return items


def _part_width(part: str, scale: float, size: float) -> float:
    return 38 * scale if part.startswith("#") else text_width(part, size)


def line_width(items: Sequence[Mapping[str, Any]]) -> float:
    """How wide a line of signs and numbers is."""
    return float(sum(item["width"] for item in items) + 3 * max(0, len(items) - 1))


def spread(n: int, width: float, height: float, size: tuple[int, int], *, start: bool = False) -> list[Spot]:
    """Places of n cards in a box, as large as they can be but not above their size; start: lines begin at the left."""
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
