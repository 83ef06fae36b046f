"""Why a card may not lie at a position of an island: every offending unit, and the reasons in words' keys."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from .components import STARS
from .faces import CARD_UNITS, CODES, SLOT_UNITS, STEP_X, STEP_Y, Face, edge_unit
from .geometry import Island

STAR_COVERED: Final = "star_covered"
SYMBOL_CUT: Final = "symbol_cut"
NO_SYMBOL_COVERED: Final = "no_symbol_covered"
SEA_TOUCHES_LAND: Final = "sea_touches_land"
BEACH_END_BLOCKED: Final = "beach_end_blocked"
REASONS: Final = (STAR_COVERED, SYMBOL_CUT, NO_SYMBOL_COVERED, SEA_TOUCHES_LAND, BEACH_END_BLOCKED)
"""Why a placement is illegal, the most telling first."""

SEAMS: Final = (
    ("", SEA_TOUCHES_LAND, BEACH_END_BLOCKED, ""),
    (SEA_TOUCHES_LAND, "", BEACH_END_BLOCKED, ""),
    (BEACH_END_BLOCKED, BEACH_END_BLOCKED, "", ""),
    ("", "", "", ""),
)
"""What is wrong with a seam, by the two codes that face each other; nothing if the text is empty."""


@dataclass(frozen=True, slots=True)
class Fault:
    """One thing that makes a placement illegal, and where.

    (x, y) is the top-left unit of the star or symbol, or the unit of the new card at a seam, whose `side` (0-3 for
    N, E, S, W) is the seam; for `NO_SYMBOL_COVERED` it is the card's position. `side` is -1 but for seams.
    """

    reason: str
    x: int
    y: int
    side: int = -1


def faults(island: Island, face: Face, x: int, y: int) -> list[Fault]:
    """Return everything that makes a placement illegal, the most telling reason first.

    The list is empty when the placement is legal.
    Rules AU-8.3 and AU-8.4.

    Raises:
        ValueError: If the position is outside of the lattice.
    """
    lattice = island.lattice
    lattice.check(x, y)
    stars, cuts, covered = [], [], False
    for symbol, left, top in island.symbols():
        columns = _overlap(x, left)
        rows = _overlap(y, top)
        if not (columns and rows):
            continue
        if symbol in STARS:
            stars.append(Fault(STAR_COVERED, left, top))
        elif columns == rows == SLOT_UNITS:
            covered = True
        else:
            cuts.append(Fault(SYMBOL_CUT, left, top))
    found = stars + cuts
    if not covered:
        found.append(Fault(NO_SYMBOL_COVERED, x, y))
    seams = []
    for side in range(4):
        for index in range(CARD_UNITS):
            unit_x, unit_y = edge_unit(side, index)
            unit_x, unit_y = x + unit_x, y + unit_y
            code = CODES.index(face.edge[CARD_UNITS * side + index])
            other = island.code_at(unit_x + STEP_X[side], unit_y + STEP_Y[side], (side + 2) % 4)
            reason = SEAMS[code][other] if other >= 0 else ""
            if reason:
                seams.append(Fault(reason, unit_x, unit_y, side))
    seams.sort(key=lambda fault: fault.reason != SEA_TOUCHES_LAND)
    return found + seams


def reasons(island: Island, face: Face, x: int, y: int) -> tuple[str, ...]:
    """Return why a placement is illegal, in the order of REASONS, each once. Rule AU-8.4."""
    return tuple(dict.fromkeys(fault.reason for fault in faults(island, face, x, y)))


def _overlap(card: int, block: int) -> int:
    """How many of the two units of a block lie inside a card, on one axis."""
    return max(0, min(card + CARD_UNITS, block + SLOT_UNITS) - max(card, block))
