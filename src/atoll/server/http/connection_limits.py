"""Limits on the number of open connections: in total and per address.

At a limit, an idle connection is closed to make room for a new one.
"""

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
"""File descriptors reserved for everything but client connections: database, bots, logs."""

_AT_MOST_FILES: Final = 1 << 16
_LOG_EVERY_S: Final = 60.0


class Guest(Protocol):
    """A connection that counts toward the limits."""

    def let_go(self) -> None:
        """Close the connection."""


class Places:
    """Registry of open connections, with limits on their number.

    Args:
        most: Largest number of connections in total.
        per_address: Largest number of connections from one IPv4 address, or one /64 of IPv6
            addresses.
        is_proxy: Returns whether an address is a proxy. All clients may come from a proxy's
            address, so `per_address` doesn't apply to it.
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
        """Add a connection, which is idle at first.

        Args:
            guest: The connection.
            host: Address of the client.

        Returns:
            Whether there was room for it.
        """
        address = network(host)
        if not self._is_proxy(host) and self._count[address] >= self._per_address:
            found = self._make_room(address)
        elif len(self._address) >= self._most:
            # The address with the most connections gives one up.
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
        """Close the oldest idle connection of an address, and return whether there was one."""
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
        """Remove a connection that has ended; do nothing if it isn't registered."""
        address = self._address.pop(guest, None)
        if address is None:
            return
        self._count[address] -= 1
        self._idle[address].pop(guest, None)
        if not self._count[address]:
            del self._count[address], self._idle[address]

    def is_busy(self, guest: Guest) -> None:
        """Protect a connection from being closed for others: a complete request has arrived."""
        address = self._address.get(guest)
        if address is not None:
            self._idle[address].pop(guest, None)

    def is_idle(self, guest: Guest) -> None:
        """Allow a connection to be closed for others: it waits for the next request."""
        address = self._address.get(guest)
        if address is not None:
            self._idle[address].setdefault(guest)


def files_allowed() -> int:
    """Raise this process's limit of open files to its maximum, and return the limit."""
    try:
        import resource  # noqa: PLC0415 - only on Unix
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
