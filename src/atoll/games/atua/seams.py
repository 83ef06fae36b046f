"""Which units of two cards may touch (RULES.md, "Seams"), for all placements at once and for a single one."""

from typing import Final

SEA_TOUCHES_LAND: Final = "sea_touches_land"
BEACH_END_BLOCKED: Final = "beach_end_blocked"

SEAMS: Final = (
    ("", SEA_TOUCHES_LAND, BEACH_END_BLOCKED, ""),
    (SEA_TOUCHES_LAND, "", BEACH_END_BLOCKED, ""),
    (BEACH_END_BLOCKED, BEACH_END_BLOCKED, "", ""),
    ("", "", "", ""),
)
"""What is wrong with a seam, by the two codes that face each other; nothing if the text is empty."""

CONFLICTS: Final = tuple(tuple(other for other, fault in enumerate(faults) if fault) for faults in SEAMS)
"""Per code the codes that it may not touch: two, and none for a flank."""
