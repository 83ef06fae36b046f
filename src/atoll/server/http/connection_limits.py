"""How many connections there may be: in all, and from one address. Idle ones make room for new ones."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable
from typing import Any, Final, Protocol

import structlog

from ..domain import metrics
from .session import network

log = structlog.get_logger(__name__)

FILES_KEPT: Final = 200
"""Open files that aren't clients: the database, bots, logs."""

_AT_MOST_FILES: Final = 1 << 16
_LOG_EVERY_S: Final = 60.0


class Guest(Protocol):
    """Who holds a place."""

    def let_go(self) -> None:
        """Close the connection."""


class Places:
    """Places for connections; the oldest idle one is let go when they are all taken.

    most: in all. per_address: from one address (an IPv6 one: from its /64), those that `is_proxy` aside, behind
    which everybody is.
    """

    def __init__(self, most: int, per_address: int, is_proxy: Callable[[str], bool]) -> None:
        self._most: int = most
        self._per_address: int = per_address
        self._is_proxy: Callable[[str], bool] = is_proxy
        self._address: dict[Guest, str] = {}
        self._count: Counter[str] = Counter()
        self._idle: dict[str, dict[Guest, None]] = {}
        self._logged: float = float("-inf")
        metrics.CONNECTIONS.set_function(lambda: len(self._address))

    def enter(self, guest: Guest, host: str) -> bool:
        """Whether there is room for one more, who is idle at first."""
        address = network(host)
        if not self._is_proxy(host) and self._count[address] >= self._per_address:
            found = self._make_room(address)
        elif len(self._address) >= self._most:
            # Whoever holds most places gives one back.
            most = max((each for each in self._idle if self._idle[each]), key=self._count.__getitem__, default="")
            found = self._make_room(most)
        else:
            found = True
        if found:
            self._address[guest] = address
            self._count[address] += 1
            self._idle.setdefault(address, {})[guest] = None
        return found

    def _make_room(self, address: str) -> bool:
        oldest = next(iter(self._idle.get(address, ())), None)
        reason = "refused" if oldest is None else "idle"
        metrics.part(metrics.LET_GO, reason).inc()
        if time.monotonic() - self._logged > _LOG_EVERY_S:
            self._logged = time.monotonic()
            log.warning("connections run out", open=len(self._address), of_one_address=self._count[address])
        if oldest is None:
            return False
        self.leave(oldest)
        oldest.let_go()
        return True

    def leave(self, guest: Guest) -> None:
        """The connection has ended; may be said twice."""
        address = self._address.pop(guest, None)
        if address is None:
            return
        self._count[address] -= 1
        self._idle[address].pop(guest, None)
        if not self._count[address]:
            del self._count[address], self._idle[address]

    def is_busy(self, guest: Guest) -> None:
        """A request has arrived whole; now the connection isn't closed for others."""
        address = self._address.get(guest)
        if address is not None:
            self._idle[address].pop(guest, None)

    def is_idle(self, guest: Guest) -> None:
        """The connection waits for the next request."""
        address = self._address.get(guest)
        if address is not None:
            self._idle[address].setdefault(guest)


def files_allowed() -> int:
    """How many files this process may open, after raising that to what is allowed."""
    try:
        import resource  # noqa: PLC0415 - not everywhere
    except ImportError:
        return _AT_MOST_FILES
    limits: Any = resource
    soft, hard = limits.getrlimit(limits.RLIMIT_NOFILE)
    most = _AT_MOST_FILES if hard == limits.RLIM_INFINITY else min(hard, _AT_MOST_FILES)
    if soft == limits.RLIM_INFINITY or soft >= most:
        return most
    try:
        limits.setrlimit(limits.RLIMIT_NOFILE, (most, hard))
    except (OSError, ValueError):
        return int(soft)
    return most
