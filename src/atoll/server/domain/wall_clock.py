"""The time of day, in one place so that tests can turn it.

It goes on evenly: when the machine's clock jumps (it was set, or the machine slept), ours follows only once the tables
have been put right (`atoll.server.play.heartbeat`), so that nobody loses or gains time by that.
"""

from __future__ import annotations

import time

_ahead: int = time.time_ns() - time.monotonic_ns()


def now_ms() -> int:
    """Whole milliseconds since 1970, UTC."""
    return (_ahead + time.monotonic_ns()) // 1_000_000


def machine_ms() -> int:
    """The same by the machine's clock."""
    return time.time_ns() // 1_000_000


def follow() -> None:
    """From now on our time is the machine's again."""
    global _ahead  # noqa: PLW0603 - there is one time
    _ahead = time.time_ns() - time.monotonic_ns()
