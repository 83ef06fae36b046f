"""Time controls by name, and the pace of a time control."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, Literal, get_args

from .model import LONG_S, Clock

_HOUR: Final = 3600
_DAY: Final = 24 * _HOUR

PACES: Final[Mapping[str, Clock]] = {
    "quick": Clock(bank_s=600, increment_s=15, cap_s=900),
    "evening": Clock(bank_s=_HOUR, increment_s=60, cap_s=_HOUR),
    "turn": Clock(bank_s=_DAY, increment_s=_DAY, cap_s=_DAY),
    "slow": Clock(bank_s=3 * _DAY, increment_s=3 * _DAY, cap_s=3 * _DAY),
    "daily": Clock(bank_s=7 * _DAY, increment_s=_DAY, cap_s=14 * _DAY),
}
"""The time controls that people choose by name."""

Pace = Literal["none", "live", "correspondence"]
"""The pace of a table.

- "none": it has no clock.
- "live": its players are expected to stay.
- "correspondence": they aren't.
"""

PACE_KINDS: Final[tuple[str, ...]] = get_args(Pace)


def pace_of(clock: Clock | None) -> Pace:
    """Return the pace of a time control; None is a table without a clock."""
    if clock is None:
        return "none"
    return "live" if clock.bank_s < LONG_S else "correspondence"
