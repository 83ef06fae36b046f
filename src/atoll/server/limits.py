"""How often one may do what. Counted in memory per server: the limits protect it, they are no accounting."""

from __future__ import annotations

import math
import time
from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from limits import RateLimitItem, parse
from limits.storage import MemoryStorage
from limits.strategies import SlidingWindowCounterRateLimiter

from .model import Refused

DEFAULTS: Final[Mapping[str, str]] = MappingProxyType(
    {
        # by address: whoever comes from there shares it, so these are wide
        "request": "1200/minute",
        "unsafe": "600/minute",
        "guest": "30/hour",
        "token": "60/minute",
        # by person
        "table": "60/hour",
        "join": "60/minute",
        "command": "240/minute",
        "preview": "600/minute",
        "chat": "15/minute",
        "replay": "240/minute",
        "advice": "12/minute",
        "analysis": "10/hour",
    }
)
"""Category -> rate, in the notation of the `limits` package. Settings can override each; "" switches one off."""


class Limits:
    """Counts what is done per category and person or address."""

    def __init__(self, rates: Mapping[str, str] | None = None) -> None:
        unknown = set(rates or {}) - set(DEFAULTS)
        if unknown:
            raise ValueError(f"unknown limits {sorted(unknown)}; known: {', '.join(DEFAULTS)}")
        merged = {**DEFAULTS, **(rates or {})}
        self._rates: dict[str, RateLimitItem] = {name: parse(rate) for name, rate in merged.items() if rate}
        self._limiter = SlidingWindowCounterRateLimiter(MemoryStorage())

    def hit(self, category: str, who: str) -> None:
        """Count one. Raises Refused with the seconds to wait if it is one too many."""
        rate = self._rates.get(category)
        if rate is None or self._limiter.hit(rate, who, category):
            return
        reset = self._limiter.get_window_stats(rate, who, category).reset_time
        seconds = max(1, math.ceil(reset - time.time()))
        raise Refused(
            "limit",
            429,
            f"too often ({category}: at most {rate}); try again in {seconds} s",
            fields={"seconds": seconds},
            retry_after=seconds,
        )
