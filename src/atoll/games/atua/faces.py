"""A printed card of Atua as bit masks, in each of its four rotations (AU-8.1, AU-8.3).

A mask holds the 36 units of a card: bit `6 * x + y`, x to the right and y downwards. Nothing here knows of islands.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

CARD_UNITS: Final = 6
SLOT_UNITS: Final = 2
ROTATIONS: Final = 4

SIDES: Final = "NESW"

STEP_X: Final = (0, 1, 0, -1)
STEP_Y: Final = (-1, 0, 1, 0)

LAND: Final = "L"
BEACH: Final = "B"
SEA: Final = "S"
TERRAINS: Final = "LBS"

# What a visible unit shows towards one of its sides: land, sea, a beach end (path side) or a beach flank.
CODE_LAND: Final = 0
CODE_SEA: Final = 1
CODE_END: Final = 2
CODE_FLANK: Final = 3
CODES: Final = "LSEF"


class PrintError(ValueError):
    """A card cannot be printed so. Its arguments are what is wrong and what is allowed."""


@dataclass(frozen=True, slots=True)
class Run:
    """A stretch of the card's edge with one code: `length` units from `start` on, from the left or the top."""

    side: int
    code: int
    start: int
    length: int


@dataclass(frozen=True, slots=True)
class Face:
    """A card in one rotation.

    `land`, `sea`, `beach` and the four `paths` (beach units with a path side to N, E, S, W) are masks of 36
    bits. `symbols` are (x, y, symbol) with the top-left unit of each 2x2 block. `edge` has 24 codes: N, E, S, W,
    each from left to right or top to bottom; faces with equal edges have the same legal positions, whatever
    else they show. `runs` is the edge without its flanks, which may touch anything.
    """

    land: int
    sea: int
    beach: int
    paths: tuple[int, int, int, int]
    symbols: tuple[tuple[int, int, int], ...]
    edge: str
    runs: tuple[Run, ...]


def faces_of(
    terrain: tuple[str, ...], ends: tuple[tuple[int, int], ...], symbols: tuple[tuple[int, int], ...]
) -> tuple[Face, ...]:
    """Turn a print into its four faces, rot 0 first, each a quarter turn clockwise further.

    `terrain` is six rows of six letters L, B, S; `ends` are (side, index), `symbols` (slot, symbol) as printed.
    Raises PrintError where land touches sea, an end is no beach unit at the edge, or a beach unit doesn't go on through
    exactly two sides.
    """
    units = _units(terrain)
    blocks = tuple((SLOT_UNITS * (slot % 3), SLOT_UNITS * (slot // 3), symbol) for slot, symbol in symbols)
    paths = _path_sides(units, ends)
    faces = []
    for _ in range(ROTATIONS):
        faces.append(_face(units, paths, blocks))
        units = {_turn(unit): letter for unit, letter in units.items()}
        paths = {(_turn(unit), (side + 1) % 4) for unit, side in paths}
        blocks = tuple((CARD_UNITS - SLOT_UNITS - y, x, symbol) for x, y, symbol in blocks)
    return tuple(faces)


def _turn(unit: tuple[int, int]) -> tuple[int, int]:
    x, y = unit
    return CARD_UNITS - 1 - y, x


def _units(terrain: tuple[str, ...]) -> dict[tuple[int, int], str]:
    units = {(x, y): letter for y, row in enumerate(terrain) for x, letter in enumerate(row)}
    for (x, y), letter in units.items():
        for other in ((x + 1, y), (x, y + 1)):
            if other in units and {letter, units[other]} == {LAND, SEA}:
                raise PrintError(f"terrain has land and sea side by side at column {x}, row {y}", "beach between")
    return units


def _path_sides(
    units: dict[tuple[int, int], str], ends: tuple[tuple[int, int], ...]
) -> set[tuple[tuple[int, int], int]]:
    """Return all (unit, side) through which a beach continues: into a unit of the card or a printed end.

    Rule AU-8.3, ruling R2.
    """
    paths = set()
    for (x, y), letter in units.items():
        for side in range(4):
            if letter == BEACH and units.get((x + STEP_X[side], y + STEP_Y[side])) == BEACH:
                paths.add(((x, y), side))
    for side, index in ends:
        unit = edge_unit(side, index)
        if units[unit] != BEACH or (unit, side) in paths:
            raise PrintError(f"ends has {SIDES[side]}{index}", "beach units of that side, each once")
        paths.add((unit, side))
    for (x, y), letter in units.items():
        sides = "".join(SIDES[side] for side in range(4) if ((x, y), side) in paths)
        if letter == BEACH and len(sides) != 2:
            raise PrintError(
                f"the beach unit at column {x}, row {y} continues through {len(sides)} sides ({sides or 'none'})",
                "exactly 2, into the next beach unit of the strip or through one of the ends",
            )
    return paths


def edge_unit(side: int, index: int) -> tuple[int, int]:
    """The unit at `index` of a side, counted from the left (N, S) or from the top (E, W)."""
    last = CARD_UNITS - 1
    return ((index, 0), (last, index), (index, last), (0, index))[side]


def _face(
    units: dict[tuple[int, int], str],
    paths: set[tuple[tuple[int, int], int]],
    blocks: tuple[tuple[int, int, int], ...],
) -> Face:
    codes = []
    for side in range(4):
        for index in range(CARD_UNITS):
            unit = edge_unit(side, index)
            if units[unit] == BEACH:
                codes.append(CODE_END if (unit, side) in paths else CODE_FLANK)
            else:
                codes.append(CODE_LAND if units[unit] == LAND else CODE_SEA)
    masks = {letter: _mask({unit for unit, found in units.items() if found == letter}) for letter in TERRAINS}
    north, east, south, west = (_mask({unit for unit, found in paths if found == side}) for side in range(4))
    return Face(
        land=masks[LAND],
        sea=masks[SEA],
        beach=masks[BEACH],
        paths=(north, east, south, west),
        symbols=blocks,
        edge="".join(CODES[code] for code in codes),
        runs=_runs(codes),
    )


def _mask(units: set[tuple[int, int]]) -> int:
    return sum(1 << (CARD_UNITS * x + y) for x, y in units)


def _runs(codes: list[int]) -> tuple[Run, ...]:
    runs: list[Run] = []
    for side in range(4):
        start = 0
        for index in range(1, CARD_UNITS + 1):
            code = codes[CARD_UNITS * side + start]
            if index == CARD_UNITS or codes[CARD_UNITS * side + index] != code:
                if code != CODE_FLANK:
                    runs.append(Run(side, code, start, index - start))
                start = index
    return tuple(runs)
