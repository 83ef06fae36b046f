"""Rate limits per user and address.

Most counts are in memory, per server: they protect the server and aren't exact. `play.attempts`
counts in the database.
"""

from __future__ import annotations

import math
import time
from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

DEFAULTS: Final[Mapping[str, str]] = MappingProxyType(
    {
        # by address; these are generous because everybody behind an address shares them
        "request": "1200/minute",
        "unsafe": "600/minute",
        "guest": "30/hour",  # counted in the database
        "mail": "3/hour",  # counted in the database, by mail address as well
        "token": "60/minute",
        "verify": "60/hour",
        "verified": "40000/hour",  # answers of games
        # by person
        "table": "60/hour",
        "join": "60/minute",
        "invite": "60/hour",  # invitations by name
        "command": "240/minute",
        "preview": "600/minute",
        "chat": "15/minute",
        "stranger": "5/hour",  # chat without a seat, at each table
        "channel": "30/hour",
        "advice": "12/minute",
        "analysis": "10/hour",
        "account": "10/hour",
        # by person, or by address for guests without a session
        "replay": "240/minute",
        "follow": "600/minute",
    }
)
"""Default rates by category, per second, minute, hour or day.

Settings can override each of them; "" disables it.
"""


_UNITS: Final[Mapping[str, int]] = MappingProxyType({"second": 1, "minute": 60, "hour": 3600, "day": 86_400})
_SWEEP_THRESHOLD: Final = 10_000


def _seconds_each(rate: str) -> tuple[float, float]:
    """Return the seconds until one unit of a rate is available again, and until all of them are.

    Args:
        rate: The rate, such as "60/minute".

    Raises:
        ValueError: If `rate` isn't a rate such as "60/minute".
    """
    amount, _, unit = rate.partition("/")
    if unit not in _UNITS or not amount.isdecimal() or int(amount) < 1:
        raise ValueError(f"invalid limit {rate!r}: expected a count per second, minute, hour or day, such as 60/minute")
    return _UNITS[unit] / int(amount), _UNITS[unit]


class Limits:
    """A token bucket per category and person or address, refilled evenly.

    A bucket is stored as the time at which it will be full again.

    Args:
        rates: Rates that override `DEFAULTS`, by category; None for no overrides.

    Raises:
        ValueError: If a category or a rate isn't valid.
    """

    def __init__(self, rates: Mapping[str, str] | None = None) -> None:
        unknown = set(rates or {}) - set(DEFAULTS)
        if unknown:
            raise ValueError(f"unknown limits {sorted(unknown)}; known: {', '.join(DEFAULTS)}")
        self._named: dict[str, str] = {name: rate for name, rate in {**DEFAULTS, **(rates or {})}.items() if rate}
        self._rates: dict[str, tuple[float, float]] = {name: _seconds_each(rate) for name, rate in self._named.items()}
        self._full_at: dict[tuple[str, str], float] = {}
        self._sweep_at: int = _SWEEP_THRESHOLD

    def hit(self, category: str, who: str, count: int = 1) -> None:
        """Count one request, or several.

        Args:
            category: A name of `DEFAULTS`.
            who: A person or an address.
            count: The number to count.

        Raises:
            Refused: If the limit is exceeded. It says how many seconds to wait.
        """
        rate = self._rates.get(category)
        if rate is None:
            return
        each, all_ = rate
        now = time.monotonic()
        full_at = max(now, self._full_at.get((category, who), now)) + count * each
        if full_at - now <= all_ + each / 1e6:
            self._full_at[category, who] = full_at
            if len(self._full_at) > self._sweep_at:
                self._sweep(now)
            return
        from .model import Refused  # noqa: PLC0415 - the command line reads the settings, and needs no games

        seconds = max(1, math.ceil(full_at - now - all_))
        raise Refused(
            "limit",
            429,
            f"too often ({category}: at most {self._named[category]}); try again in {seconds} s",
            fields={"seconds": seconds},
            retry_after=seconds,
        )

    def rate(self, category: str) -> tuple[int, int] | None:
        """Return the count and the seconds of a limit, or None if it is disabled."""
        amount, _, unit = self._named.get(category, "").partition("/")
        return (int(amount), _UNITS[unit]) if amount else None

    def _sweep(self, now: float) -> None:
        """Forget buckets that are full."""
        self._full_at = {key: full_at for key, full_at in self._full_at.items() if full_at > now}
        self._sweep_at = max(_SWEEP_THRESHOLD, 2 * len(self._full_at))
