"""Terrain on a card as SVG paths with soft corners, for the picture.

Units become pixels here and nowhere else.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import Final

from .faces import CARD_UNITS, Face

UNIT: Final = 24
"""The pixels of a unit at natural size."""

_SOFT: Final = 11  # pixels before a corner at which a coast begins to turn

Point = tuple[int, int]


@lru_cache(maxsize=1024)
def shore(face: Face) -> tuple[str, str, str, str]:
    """Return the SVG paths of beach and sea, of sea alone, and the two coast lines.

    Args:
        face: The card in its rotation.

    Returns:
        The areas of beach with sea and of sea, then the lines between land and sand, and between
        sand and water.
    """
    wet = face.beach | face.sea
    return _path(wet), _path(face.sea), _path(wet, inside_only=True), _path(face.sea, inside_only=True)


def _path(mask: int, *, inside_only: bool = False) -> str:
    """Return the outline of a mask of units; with `inside_only`, without the edge of the card."""
    return " ".join(_soft(loop, inside_only=inside_only) for loop in _loops(mask))


def _loops(mask: int) -> Iterator[list[Point]]:
    """Yield the corners of each closed outline, clockwise, with the mask on the right."""
    follows: dict[Point, list[Point]] = {}
    for bit in range(CARD_UNITS * CARD_UNITS):
        if not mask >> bit & 1:
            continue
        x, y = divmod(bit, CARD_UNITS)
        for ahead, start, end in (
            ((x, y - 1), (x, y), (x + 1, y)),
            ((x + 1, y), (x + 1, y), (x + 1, y + 1)),
            ((x, y + 1), (x + 1, y + 1), (x, y + 1)),
            ((x - 1, y), (x, y + 1), (x, y)),
        ):
            if not _in(mask, ahead):
                follows.setdefault(start, []).append(end)
    while follows:
        start = min(follows)
        loop = [start]
        while follows.get(loop[-1]):
            loop.append(follows[loop[-1]].pop())
            if not follows[loop[-2]]:
                del follows[loop[-2]]
        yield _corners(loop[:-1])


def _in(mask: int, unit: Point) -> bool:
    x, y = unit
    return 0 <= x < CARD_UNITS and 0 <= y < CARD_UNITS and bool(mask >> (CARD_UNITS * x + y) & 1)


def _corners(loop: list[Point]) -> list[Point]:
    """Return the points at which an outline turns."""
    return [
        here
        for before, here, after in zip([loop[-1], *loop], loop, [*loop[1:], loop[0]], strict=False)
        if (before[0] == here[0]) != (here[0] == after[0])
    ]


def _soft(corners: list[Point], *, inside_only: bool) -> str:
    """Return a closed outline with soft corners; at the edge of the card they stay sharp."""
    before, after = [corners[-1], *corners[:-1]], [*corners[1:], corners[0]]
    bends = [_bend(*each) for each in zip(before, corners, after, strict=True)]
    path = f"M{bends[0][-1]}"
    for here, ahead, bend in zip(corners, after, [*bends[1:], bends[0]], strict=True):
        along_edge = any(a == b and a in (0, CARD_UNITS) for a, b in zip(here, ahead, strict=True))
        path += ("M" if inside_only and along_edge else "L") + bend[0]
        if len(bend) > 1:
            path += f"Q{bend[1]} {bend[2]}"
    return path if inside_only else f"{path}z"


def _bend(before: Point, here: Point, after: Point) -> tuple[str, ...]:
    """Return the points of an outline at a corner.

    These are start, middle and end of a curve, or only the corner at the edge of the card.
    """
    x, y = here[0] * UNIT, here[1] * UNIT
    if any(each in (0, CARD_UNITS) for each in here):
        return (f"{x} {y}",)
    return _toward(here, before), f"{x} {y}", _toward(here, after)


def _toward(here: Point, other: Point) -> str:
    """Return the point a little way from a corner towards the next one."""
    x, y = here
    dx = (other[0] > x) - (other[0] < x)
    dy = (other[1] > y) - (other[1] < y)
    return f"{x * UNIT + dx * _SOFT} {y * UNIT + dy * _SOFT}"
