"""The time of day, in one place so that tests can set it.

It advances evenly. When the machine's clock jumps (it was set, or the machine slept), this clock
follows only after the tables were corrected (`atoll.server.play.heartbeat`). Nobody loses or gains
time by the jump.
"""

from __future__ import annotations

import time

_ahead: int = time.time_ns() - time.monotonic_ns()


def now_ms() -> int:
    """Return the current time in whole milliseconds since 1970, UTC."""
    return (_ahead + time.monotonic_ns()) // 1_000_000


def machine_ms() -> int:
    """Return the current time of the machine's clock in whole milliseconds since 1970, UTC."""
    return time.time_ns() // 1_000_000


def resync() -> None:
    """Set this clock to the machine's clock."""
    global _ahead  # noqa: PLW0603 - there is one time
    _ahead = time.time_ns() - time.monotonic_ns()
