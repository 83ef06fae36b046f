"""The reasons why a card may not be placed at a position: message keys and every offending unit."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from .components import STARS
from .faces import CARD_UNITS, CODES, STEP_X, STEP_Y, Face, edge_unit
from .geometry import Island
from .seams import BEACH_END_BLOCKED, SEA_TOUCHES_LAND, SEAMS

STAR_COVERED: Final = "star_covered"
SYMBOL_CUT: Final = "symbol_cut"
NO_SYMBOL_COVERED: Final = "no_symbol_covered"
REASONS: Final = (STAR_COVERED, SYMBOL_CUT, NO_SYMBOL_COVERED, SEA_TOUCHES_LAND, BEACH_END_BLOCKED)
"""The reasons for an illegal placement, the most informative first."""


@dataclass(frozen=True, slots=True)
class PlacementFault:
    """One fault of an illegal placement, and its location.

    Attributes:
        reason: One of REASONS.
        x: Column of the top-left unit of the star or symbol, of the new card's unit at a seam, or
            of the card for `NO_SYMBOL_COVERED`.
        y: Row of the same.
        side: The side of a seam, 0 to 3 for N, E, S, W; -1 for other faults.
    """

    reason: str
    x: int
    y: int
    side: int = -1


def faults(island: Island, face: Face, x: int, y: int) -> list[PlacementFault]:
    """Return all faults of a placement, the most informative first; empty for a legal one.

    `LegalPlacements` answers the same for all positions at once.
    Rules AU-8.3 and AU-8.4.

    Args:
        island: The island.
        face: The card in its rotation.
        x: Column of the card's top-left unit, relative to the village.
        y: Its row.
    """
    covered, met = island.covered(x, y), island.met(x, y)
    found = [PlacementFault(STAR_COVERED, left, top) for symbol, left, top in met if symbol in STARS]
    found += [PlacementFault(SYMBOL_CUT, *each[1:]) for each in met if each[0] not in STARS and each not in covered]
    if not covered:
        found.append(PlacementFault(NO_SYMBOL_COVERED, x, y))
    seams = []
    for side in range(4):
        for index in range(CARD_UNITS):
            unit_x, unit_y = edge_unit(side, index)
            unit_x, unit_y = x + unit_x, y + unit_y
            code = CODES.index(face.edge[CARD_UNITS * side + index])
            other = island.code_at(unit_x + STEP_X[side], unit_y + STEP_Y[side], (side + 2) % 4)
            reason = SEAMS[code][other] if other >= 0 else ""
            if reason:
                seams.append(PlacementFault(reason, unit_x, unit_y, side))
    seams.sort(key=lambda fault: fault.reason != SEA_TOUCHES_LAND)
    return found + seams


def reasons(found: Sequence[PlacementFault]) -> list[str]:
    """Return the different reasons of the faults of a placement, in the order of REASONS."""
    return list(dict.fromkeys(fault.reason for fault in found))
