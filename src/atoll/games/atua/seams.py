"""The units of two cards that may touch; see "Seams" in RULES.md."""

from typing import Final

SEA_TOUCHES_LAND: Final = "sea_touches_land"
BEACH_END_BLOCKED: Final = "beach_end_blocked"

SEAMS: Final = (
    ("", SEA_TOUCHES_LAND, BEACH_END_BLOCKED, ""),
    (SEA_TOUCHES_LAND, "", BEACH_END_BLOCKED, ""),
    (BEACH_END_BLOCKED, BEACH_END_BLOCKED, "", ""),
    ("", "", "", ""),
)
"""The fault of a seam, by the two codes that face each other; empty if they may touch."""

CONFLICTS: Final = tuple(tuple(other for other, fault in enumerate(faults) if fault) for faults in SEAMS)
"""Per code, the codes that it may not touch: two, and none for a flank."""
