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
from .session import address_key

log = structlog.get_logger(__name__)

RESERVED_FILES: Final = 200
"""File descriptors reserved for everything but client connections: database, bots, logs."""

_MAX_FILES: Final = 1 << 16
_LOG_EVERY_S: Final = 60.0


class ConnectionHolder(Protocol):
    """A connection that counts toward the limits."""

    def close_idle(self) -> None:
        """Close the connection."""


class ConnectionLimits:
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
        self._address: dict[ConnectionHolder, str] = {}
        self._count: Counter[str] = Counter()
        self._idle: dict[str, dict[ConnectionHolder, None]] = {}
        self._logged: float = float("-inf")
        metrics.CONNECTIONS.set_function(lambda: len(self._address))

    def add(self, guest: ConnectionHolder, host: str) -> bool:
        """Add a connection, which is idle at first.

        Args:
            guest: The connection.
            host: Address of the client.

        Returns:
            Whether there was room for it.
        """
        address = address_key(host)
        if not self._is_proxy(host) and self._count[address] >= self._per_address:
            found = self._close_oldest_idle(address)
        elif len(self._address) >= self._most:
            # The address with the most connections gives one up.
            most = max((each for each in self._idle if self._idle[each]), key=self._count.__getitem__, default="")
            found = self._close_oldest_idle(most)
        else:
            found = True
        if found:
            self._address[guest] = address
            self._count[address] += 1
            self._idle.setdefault(address, {})[guest] = None
        return found

    def _close_oldest_idle(self, address: str) -> bool:
        """Close the oldest idle connection of an address, and return whether there was one."""
        oldest = next(iter(self._idle.get(address, ())), None)
        reason = "refused" if oldest is None else "idle"
        metrics.part(metrics.LET_GO, reason).inc()
        if time.monotonic() - self._logged > _LOG_EVERY_S:
            self._logged = time.monotonic()
            log.warning("connections run out", open=len(self._address), of_one_address=self._count[address])
        if oldest is None:
            return False
        self.remove(oldest)
        oldest.close_idle()
        return True

    def remove(self, guest: ConnectionHolder) -> None:
        """Remove a connection that has ended; do nothing if it isn't registered."""
        address = self._address.pop(guest, None)
        if address is None:
            return
        self._count[address] -= 1
        self._idle[address].pop(guest, None)
        if not self._count[address]:
            del self._count[address], self._idle[address]

    def mark_busy(self, guest: ConnectionHolder) -> None:
        """Protect a connection from being closed for others: a complete request has arrived."""
        address = self._address.get(guest)
        if address is not None:
            self._idle[address].pop(guest, None)

    def mark_idle(self, guest: ConnectionHolder) -> None:
        """Allow a connection to be closed for others: it waits for the next request."""
        address = self._address.get(guest)
        if address is not None:
            self._idle[address].setdefault(guest)


def raise_file_limit() -> int:
    """Raise this process's limit of open files to its maximum, and return the limit."""
    try:
        import resource  # noqa: PLC0415 - only on Unix
    except ImportError:
        return _MAX_FILES
    limits: Any = resource
    soft, hard = limits.getrlimit(limits.RLIMIT_NOFILE)
    most = _MAX_FILES if hard == limits.RLIM_INFINITY else min(hard, _MAX_FILES)
    if soft == limits.RLIM_INFINITY or soft >= most:
        return most
    try:
        limits.setrlimit(limits.RLIMIT_NOFILE, (most, hard))
    except (OSError, ValueError):
        return int(soft)
    return most
