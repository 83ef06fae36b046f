"""A printed card of Atua as bit masks, in each of its four rotations (AU-8.1, AU-8.3).

A mask holds the 36 units of a card. Bit `6 * x + y` is the unit in column x from the left and row y
from the top. Nothing here knows of islands.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

CARD_UNITS: Final = 6
SLOT_UNITS: Final = 2
SLOT_COLUMNS: Final = CARD_UNITS // SLOT_UNITS
ROTATIONS: Final = 4

SIDES: Final = "NESW"

STEP_X: Final = (0, 1, 0, -1)
STEP_Y: Final = (-1, 0, 1, 0)

LAND: Final = "L"
BEACH: Final = "B"
SEA: Final = "S"
TERRAINS: Final = "LBS"

# The codes of a visible unit towards a side: land, sea, a beach end (path side), or a beach flank.
CODE_LAND: Final = 0
CODE_SEA: Final = 1
CODE_END: Final = 2
CODE_FLANK: Final = 3
CODES: Final = "LSEF"


class PrintError(ValueError):
    """A card that can't be printed like this.

    The arguments of the exception are the error and the allowed value.
    """


@dataclass(frozen=True, slots=True)
class Run:
    """A stretch of the card's edge with one code.

    Attributes:
        side: The side, 0 to 3 for N, E, S, W.
        code: The code of its units, one of CODE_*.
        start: Its first unit, from the left or the top.
        length: The number of its units.
    """

    side: int
    code: int
    start: int
    length: int


@dataclass(frozen=True, slots=True)
class Face:
    """A card in one rotation.

    Attributes:
        land: Mask of the land units.
        sea: Mask of the sea units.
        beach: Mask of the beach units.
        paths: Masks of the beach units with a path side to N, E, S and W.
        symbols: The symbols as (x, y, symbol), with the top-left unit of their 2x2 blocks.
        edge: The codes of the edge: N, E, S, W, each from left to right or top to bottom. Faces
            with equal edges have the same legal positions.
        runs: The edge as runs, without its flanks, which may touch anything.
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
    """Return the four faces of a printed card, rotated clockwise by a quarter turn each.

    Args:
        terrain: Six rows of six letters L, B, S as printed.
        ends: The beach ends as (side, index).
        symbols: The symbols as (slot, symbol).

    Raises:
        PrintError: If land touches sea, an end isn't a beach unit at the edge, or a beach unit
            doesn't continue through exactly two sides.
    """
    units = _units(terrain)
    blocks = tuple(
        (SLOT_UNITS * (slot % SLOT_COLUMNS), SLOT_UNITS * (slot // SLOT_COLUMNS), symbol) for slot, symbol in symbols
    )
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
                raise PrintError(f"terrain has land and sea side by side at column {x}, row {y}", "beach between them")
    return units


def _path_sides(
    units: dict[tuple[int, int], str], ends: tuple[tuple[int, int], ...]
) -> set[tuple[tuple[int, int], int]]:
    """Return all (unit, side) through which a beach continues: into a unit of the card or an end.

    Rule AU-8.3, ruling R2.

    Args:
        units: Terrain of each unit.
        ends: The beach ends as (side, index).

    Raises:
        PrintError: If an end isn't a beach unit, or a beach unit doesn't have exactly two path
            sides.
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
    """Return the unit at an index of a side, counted from the left (N, S) or the top (E, W)."""
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
