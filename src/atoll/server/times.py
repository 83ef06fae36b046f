"""The time of day, in one place so that tests can turn it."""

from __future__ import annotations

import time


def now_ms() -> int:
    """Whole milliseconds since 1970, UTC."""
    return time.time_ns() // 1_000_000
