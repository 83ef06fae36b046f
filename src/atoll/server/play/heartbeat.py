"""Heartbeats of this server, which credit clocks for downtime.

An SQLite database belongs to one server. A second server reports the first one and ends.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import platform
import time
from collections.abc import Callable
from pathlib import Path
from typing import Final

import structlog
from sqlalchemy.exc import SQLAlchemyError

from atoll.store import LOST_MS, HeartbeatResult, ServerRow, Store, StoreError

from ..domain import metrics, wall_clock
from ..domain.build_info import build_info
from ..domain.logs import RateLimitedLogger
from ..domain.model import Refused
from .executor import CommandExecutor
from .store_errors import refuse_on_store_error

log = structlog.get_logger(__name__)
seldom = RateLimitedLogger(log)

_EVERY_S: Final = 5.0
_FRESH_S: Final = 1.0
_JUMP_MS: Final = 2000
_RETRY_S: Final = 60
"""Seconds after which clients may try again during maintenance without an announced end."""
_LONGEST_RETRY_S: Final = 3600


class Heartbeat:
    """The heartbeat of a server.

    Args:
        executor: The executor of commands.
        give_up: Called when another server has taken over the database.
    """

    def __init__(self, executor: CommandExecutor, give_up: Callable[[], None]) -> None:
        self._executor: CommandExecutor = executor
        self._store: Store = executor.store
        self._give_up: Callable[[], None] = give_up
        self._turn: asyncio.Lock = asyncio.Lock()
        self._written: float = float("-inf")
        self._place: str = process_identity()
        self._others: frozenset[str] = frozenset()
        executor.before_command = self.before_command

    async def begin(self) -> None:
        """Write the first heartbeat, before anything changes at a table.

        Raises:
            StoreError: If another server uses the database.
        """
        await wait_until_free(self._store)
        await require_prepared(self._store)
        sign = await self._sign(begins=True)
        if sign.holder is not None:
            failure = second_server_error(self._store, sign.holder)
            raise failure
        self._written = time.monotonic()
        if sign.shift:
            log.info("no server was running; clocks go on where they stood", seconds=round(sign.shift / 1000))

    async def end(self) -> None:
        """Write the last heartbeat, which frees the database."""
        with contextlib.suppress(SQLAlchemyError, OSError, StoreError):
            self._place = ""
            await self._sign()

    async def run(self) -> None:
        """Write heartbeats until canceled."""
        while True:
            await asyncio.sleep(_EVERY_S)
            try:
                await self.beat()
            except Exception as error:
                seldom.error("no sign of life can be written", error=str(error))

    async def before_command(self) -> None:
        """Correct the clocks before a command if no heartbeat could be written for long.

        Raises:
            Refused: If the database isn't available, or during maintenance.
        """
        if time.monotonic() - self._written > LOST_MS / 1000:
            with refuse_on_store_error():
                await self.beat()
        maintenance = self._executor.maintenance
        if maintenance is not None:
            wait = _RETRY_S
            if maintenance.until is not None:
                wait = max(_RETRY_S, min(_LONGEST_RETRY_S, (maintenance.until - wall_clock.now_ms()) // 1000))
            raise Refused("maintenance", 503, "maintenance: nobody can play just now, clocks stand", retry_after=wait)

    async def check(self) -> None:
        """Check that the database can be written now, with at most one write per second.

        Raises:
            Refused: If it can't.
        """
        if time.monotonic() - self._written > _FRESH_S:
            with refuse_on_store_error():
                await self.beat()

    async def beat(self) -> None:
        """Write a heartbeat, and correct the clocks if necessary.

        Errors of the database pass through.

        Raises:
            Refused: If another server has taken over the database.
        """
        async with self._turn:
            jump = wall_clock.machine_ms() - wall_clock.now_ms()
            if abs(jump) >= _JUMP_MS or time.monotonic() - self._written > LOST_MS / 1000:
                async with await self._executor.lock_all():
                    sign = await self._sign()
                    wall_clock.resync()
            else:
                wall_clock.resync()
                sign = await self._sign()
            if sign.holder is not None:
                log.error("another server has taken the database; this one ends", place=sign.holder.place)
                self._give_up()
                raise Refused("busy", 503, "this server is shutting down")
            self._written = time.monotonic()
            if sign.shift:
                self._executor.invalidate_all()
                self._executor.on_job()
                log.warning(
                    "nothing could be written, or the machine's clock jumped; clocks go on where they stood",
                    seconds=round(sign.shift / 1000),
                    jump_s=round(jump / 1000),
                )

    async def _sign(self, *, begins: bool = False) -> HeartbeatResult:
        server = ServerRow(self._executor.id, self._place, wall_clock.machine_ms(), build_info().version)
        ended = await dead_servers(self._store) if begins else ()
        sign = await self._store.heartbeat(server, begins=begins, gone=ended)
        if sign.holder is None:
            self._note_operation(sign)
            self._note_others(sign.others)
        return sign

    def _note_others(self, others: frozenset[str]) -> None:
        """End all streams if another server has ended, which may have changes that it hasn't told.

        Args:
            others: Ids of the other servers that are alive.
        """
        if self._others - others:
            log.info("another server has ended: streams begin anew", servers=1 + len(others))
            self._executor.invalidate_all()
            self._executor.hub.end_all()
        self._others = others

    def _note_operation(self, sign: HeartbeatResult) -> None:
        """Store whether maintenance lasts; after its end, tables are read again."""
        executor = self._executor
        before, executor.maintenance, executor.schema_info = executor.maintenance, sign.maintenance, sign.info
        metrics.MAINTENANCE.set(sign.maintenance is not None)
        if before is None and sign.maintenance is not None:
            log.info("maintenance begins: commands are refused, clocks stand")
        elif before is not None and sign.maintenance is None:
            log.info("maintenance is over; clocks go on where they stood")
            executor.invalidate_all()
            executor.on_job()


def process_identity() -> str:
    """Return the identity of this process: its number, machine and container."""
    return f"{os.getpid()}@{platform.node()[:60]}{_host_identity()}"


def _host_identity() -> str:
    """Return an id shared by the processes that see each other's numbers; "" if it is unknown."""
    try:
        boot = Path("/proc/sys/kernel/random/boot_id").read_text("ascii").strip()[:8]
        return f"/{boot}/{Path('/proc/self/ns/pid').readlink().name[5:-1]}"
    except OSError:
        return ""


async def dead_servers(store: Store) -> list[str]:
    """Return the ids of servers that are known to have ended without a last heartbeat."""
    return [row.id for row in await store.servers() if _has_ended(row.place)]


def _has_ended(where: str) -> bool:
    number, _, rest = where.partition("@")
    house = _host_identity()
    if not house or not rest.endswith(house) or int(number) == os.getpid():
        return False
    try:
        os.kill(int(number), 0)
    except ProcessLookupError:
        return True
    except OSError:
        return False
    return False


async def wait_until_free(store: Store) -> None:
    """Wait until a silent server counts as dead, if the database allows only one.

    A killed server can't write a last heartbeat. If its process isn't visible from here, only its
    silence shows that it has ended.

    Args:
        store: The database.

    Raises:
        StoreError: If another server is alive.
    """
    if store.dialect != "sqlite":
        return
    known: dict[str, int] = {}
    while True:
        ended = await dead_servers(store)
        alive = [
            row
            for row in await store.servers()
            if row.place and row.id not in ended and abs(wall_clock.machine_ms() - row.seen) < LOST_MS
        ]
        if not alive:
            return
        for row in alive:
            if known.setdefault(row.id, row.seen) != row.seen:
                failure = second_server_error(store, row)
                raise failure
        await asyncio.sleep(0.5)


async def require_prepared(store: Store) -> None:
    """Check that a database isn't a copy that still must be prepared.

    Args:
        store: The database.

    Raises:
        StoreError: If it is one.
    """
    info = await store.operations.schema_info()
    if info.copied is not None:
        raise StoreError(
            f"{store.url.render_as_string()} is a copy of a database, whose players have seen what followed: "
            "run `atoll restore --in-place` first"
        )


def second_server_error(store: Store, holder: ServerRow) -> StoreError:
    """Return the error for a second server."""
    number, _, machine = holder.place.partition("@")
    return StoreError(
        f"{store.url.render_as_string()} is used by another server (process {number} on {machine.partition('/')[0]}): "
        "SQLite allows one server; stop the other one, name another file with --db, or use PostgreSQL"
    )
