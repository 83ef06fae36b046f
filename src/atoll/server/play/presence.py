"""Presence of users: whether they have a page open, here or at another server."""

from __future__ import annotations

import asyncio
import contextlib
import time
from typing import Final

import structlog

from atoll.store import Store

from ..domain import metrics, wall_clock
from ..domain.logs import RateLimitedLogger
from .executor import CommandExecutor
from .subscriptions import EventHub

seldom = RateLimitedLogger(structlog.get_logger(__name__))

_GATHER_S: Final = 1.0
_RENEW_S: Final = 60.0
_COUNTS_MS: Final = 90_000


class Presence:
    """Tells other servers which users have an event stream here, and asks them about others.

    With SQLite, the only server knows everything from memory.
    """

    def __init__(self, executor: CommandExecutor) -> None:
        self._store: Store = executor.store
        self._server_id: str = executor.id
        self._hub: EventHub = executor.hub
        self._changed: set[str] = set()
        self._written: set[str] = set()
        self._news: asyncio.Event = asyncio.Event()
        self._renewed: float = time.monotonic()
        if self._store.dialect == "postgresql":
            self._hub.on_presence = self._note

    def _note(self, user_id: str) -> None:
        self._changed.add(user_id)
        self._news.set()

    async def is_here(self, user_id: str) -> bool:
        """Return whether a user has an event stream at any server.

        If the database fails, they count as present: nobody is removed because of a fault.
        """
        if self._hub.is_here(user_id):
            return True
        if self._store.dialect == "sqlite":
            return False
        try:
            return await self._store.presence.is_present(user_id, wall_clock.machine_ms())
        except Exception as error:
            seldom.error("presence can't be read", error=str(error))
            return True

    async def run(self) -> None:
        """Write changes of presence until canceled, and delete all rows then."""
        if self._store.dialect == "sqlite":
            return
        try:
            while True:
                with contextlib.suppress(TimeoutError):
                    async with asyncio.timeout(_RENEW_S / 4):
                        await self._news.wait()
                await asyncio.sleep(_GATHER_S)
                try:
                    await self.write()
                except Exception as error:
                    seldom.error("presence can't be written", error=str(error))
        finally:
            with contextlib.suppress(Exception):
                await self._store.presence.end(self._server_id)

    async def write(self) -> None:
        """Write the changes since the last call, and renew the rows if it is time.

        Errors of the database pass through; the next call writes the changes again.
        """
        self._news.clear()
        changed, self._changed = self._changed, set()
        here = {each for each in changed if self._hub.is_here(each)}
        gone = (changed - here) & self._written
        until = wall_clock.machine_ms() + _COUNTS_MS
        try:
            if here or gone:
                await self._store.presence.change(self._server_id, here, gone, until)
            if time.monotonic() - self._renewed >= _RENEW_S:
                await self._store.presence.renew(self._server_id, until)
                self._renewed = time.monotonic()
        except BaseException:
            self._changed |= changed
            raise
        self._written = (self._written | here) - gone
        metrics.PRESENCE.set(len(self._written))
