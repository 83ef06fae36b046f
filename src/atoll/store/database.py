"""How statements reach the database: SQLite's where they are given or in a thread, PostgreSQL's through asyncio.

A piece of work is a plain function on a connection, in one transaction; it may be carried out again if that was rolled
back. For SQLite it runs as a whole: at once if it is short, else in a thread. Through an async driver each single
statement would cross to the thread and back, which costs more than the statement.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import sqlite3
import threading
import time
from collections.abc import AsyncIterator, Callable, Hashable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any, Final, Protocol, TypeVar

import asyncpg  # type: ignore[import-untyped]
from sqlalchemy import Connection, Engine, create_engine, event, text
from sqlalchemy.engine import URL
from sqlalchemy.exc import OperationalError
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine

from .address import connection_arguments, parsed

_T = TypeVar("_T")
Work = Callable[[Connection], _T]

CHANNEL: Final = "atoll"
"""The PostgreSQL channel on which servers tell each other which table changed."""
NOTIFY: Final = text(f"SELECT pg_notify('{CHANNEL}', :payload)")

_READERS: Final = 4
_PATIENCE_MS: Final = 10_000
"""How long work in a thread waits for other processes that use the file."""

_SLOW_S: Final = 0.25
_AFTER_SLOW_S: Final = 10.0
_ROWS_BETWEEN: Final = 4000
"""So many rows are written from one checkpoint to the next: a move writes about eight, and a page of the file for
each. Rarer ones write a page that has changed often only once; the log grows to 10 to 30 MB."""


class Database(Protocol):
    """Runs pieces of work, each in a transaction of its own that is rolled back if it raises."""

    url: URL
    writer: Engine

    async def read(self, work: Work[_T], *, short: bool = False) -> _T:
        """Work that changes nothing, on one consistent state. short: it looks at a few rows that an index finds."""

    async def write(self, work: Work[_T], *, short: bool = False) -> _T:
        """Work that lasts when this returns. short: it touches a few rows, or a few for each of many changes."""

    def others(self) -> Hashable:
        """Another value whenever somebody else has written meanwhile; None where that can't be told at once."""

    async def close(self) -> None:
        """Let go of all connections."""


def database_at(url: str, *, full: bool) -> Sqlite | Postgres:
    """The database of a URL. Raises StoreError."""
    found = parsed(url)
    return Sqlite(found, full=full) if found.get_backend_name() == "sqlite" else Postgres(found)


def make_private(file: Path) -> None:
    """Make an empty file that only its owner can read, unless it is there. SQLite gives its log the same rights."""
    with contextlib.suppress(FileExistsError):
        os.close(os.open(file, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))


class Sqlite:
    """One connection that writes, a few threads that read beside it (WAL).

    Short work is done in the loop's own thread. Another one would cost more than the work: both want the interpreter
    after each statement, and wait for each other. What may have to wait for something else is done in a thread: for
    the disk (each commit if it is to survive a power cut, and the checkpoints), or for another process. Where short
    work took long nevertheless, as on a disk that is overloaded, it is done in threads for a while.
    """

    def __init__(self, url: URL, *, full: bool) -> None:
        assert url.database is not None
        Path(url.database).parent.mkdir(parents=True, exist_ok=True)
        make_private(Path(url.database))
        self.url: URL = url
        self.writer: Engine = _sqlite_engine(url, 1, "BEGIN IMMEDIATE", full=full)
        self._reader: Engine = _sqlite_engine(url, _READERS + 1, "BEGIN", full=full)
        self._full: bool = full
        self._write_held = _Held(self.writer)
        self._read_held = _Held(self._reader)
        self._slow_until: float = 0.0
        self._writing = ThreadPoolExecutor(1, thread_name_prefix="store writer")
        self._reading = ThreadPoolExecutor(_READERS, thread_name_prefix="store reader")

    async def read(self, work: Work[_T], *, short: bool = False) -> _T:
        """See Database."""
        if short:
            with contextlib.suppress(_InUseError):
                return self._at_once(self._read_held, work)
        return await asyncio.get_running_loop().run_in_executor(self._reading, _within, self._reader, work)

    async def write(self, work: Work[_T], *, short: bool = False) -> _T:
        """See Database."""
        if short and not self._full:
            with contextlib.suppress(_InUseError):
                found = self._at_once(self._write_held, work)
                if self._write_held.needs_checkpoint:
                    self._writing.submit(self._write_held.checkpoint)
                return found
        return await asyncio.get_running_loop().run_in_executor(self._writing, self._write, work)

    def _at_once(self, held: _Held, work: Work[_T]) -> _T:
        """Raises _InUseError."""
        began = time.monotonic()
        if began < self._slow_until:
            raise _InUseError
        try:
            return held.do(work, patience_ms=0)
        finally:
            if (now := time.monotonic()) > began + _SLOW_S:
                self._slow_until = now + _AFTER_SLOW_S

    def _write(self, work: Work[_T]) -> _T:
        found = self._write_held.do(work, patience_ms=_PATIENCE_MS)
        self._write_held.checkpoint()
        return found

    def others(self) -> Hashable:
        """See Database."""
        return self._write_held.others()

    async def close(self) -> None:
        """See Database."""
        loop = asyncio.get_running_loop()
        self._read_held.let_go()
        await loop.run_in_executor(self._writing, self._write_held.let_go)
        for threads, engine in ((self._reading, self._reader), (self._writing, self.writer)):
            await loop.run_in_executor(threads, engine.dispose)
            threads.shutdown()


class _InUseError(Exception):
    """The connection is used by a thread now, or the file by another process."""


class _Held:
    """A connection to SQLite that is kept: to get one and to give it back costs as much as a change."""

    def __init__(self, engine: Engine) -> None:
        self._engine: Engine = engine
        self._connection: Connection | None = None
        self._driver: Any = None
        self._patience_ms: int = _PATIENCE_MS
        self._at_checkpoint: int = 0
        self._times_connected: int = 0
        self._ended: bool = False
        self._used: threading.Lock = threading.Lock()

    @property
    def needs_checkpoint(self) -> bool:
        """Whether it has written so much since the last one."""
        driver = self._driver
        return driver is not None and driver.total_changes >= self._at_checkpoint + _ROWS_BETWEEN

    def do(self, work: Work[_T], *, patience_ms: int) -> _T:
        """Work in a transaction. patience_ms: how long it waits for others; at 0 it raises _InUseError instead."""
        if (self._ended and not patience_ms) or not self._used.acquire(blocking=patience_ms > 0):
            raise _InUseError
        try:
            connection = self._connection or self._connect()
            if self._patience_ms != patience_ms:
                self._driver.execute(f"PRAGMA busy_timeout = {patience_ms}")
                self._patience_ms = patience_ms
            with connection.begin():
                return work(connection)
        except BaseException as error:
            self._close()
            if not patience_ms and isinstance(error, OperationalError) and _is_busy(error.orig):
                raise _InUseError from None
            raise
        finally:
            self._used.release()

    def _connect(self) -> Connection:
        self._times_connected += 1
        self._connection = self._engine.connect()
        self._driver = self._connection.connection.driver_connection
        self._driver.execute(f"PRAGMA busy_timeout = {_PATIENCE_MS}")
        self._patience_ms = _PATIENCE_MS
        self._at_checkpoint = min(self._at_checkpoint, self._driver.total_changes)
        return self._connection

    def _close(self) -> None:
        connection, self._connection, self._driver = self._connection, None, None
        if connection is not None:
            connection.close()

    def others(self) -> tuple[int, int] | None:
        """See Database."""
        if not self._used.acquire(blocking=False):
            return None
        try:
            if self._driver is None:
                return None
            # SQLite counts what was written by any connection but this one.
            return self._times_connected, self._driver.execute("PRAGMA data_version").fetchone()[0]
        except sqlite3.OperationalError:
            return None
        finally:
            self._used.release()

    def let_go(self) -> None:
        """Give the connection back for good."""
        with self._used:
            self._ended = True
            self._close()

    def checkpoint(self) -> None:
        """Write what is in the log into the file if it is time, as far as nobody reads it.

        Where that fails, the next one does it.
        """
        with self._used:
            if self.needs_checkpoint:
                self._at_checkpoint = self._driver.total_changes
                with contextlib.suppress(sqlite3.OperationalError):
                    self._driver.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchall()


def _is_busy(error: BaseException | None) -> bool:
    return getattr(error, "sqlite_errorcode", 0) & 0xFF == sqlite3.SQLITE_BUSY


def _within(engine: Engine, work: Work[_T]) -> _T:
    with engine.begin() as connection:
        return work(connection)


def _sqlite_engine(url: URL, size: int, begin: str, *, full: bool) -> Engine:
    engine = create_engine(url, pool_size=size, max_overflow=0)

    @event.listens_for(engine, "connect")
    def connected(connection: Any, _record: Any) -> None:
        connection.isolation_level = None  # transactions begin where we say so, below
        cursor = connection.cursor()
        cursor.execute(f"PRAGMA busy_timeout = {_PATIENCE_MS}")
        cursor.execute("PRAGMA journal_mode = WAL")
        cursor.execute(f"PRAGMA synchronous = {'FULL' if full else 'NORMAL'}")
        cursor.execute("PRAGMA foreign_keys = ON")
        cursor.execute("PRAGMA wal_autocheckpoint = 0")  # see _Held.checkpoint
        cursor.close()

    @event.listens_for(engine, "begin")
    def begun(connection: Connection) -> None:
        connection.exec_driver_sql(begin)

    return engine


class Postgres:
    """A pool of connections to a server; readers see one moment."""

    def __init__(self, url: URL) -> None:
        self.url: URL = url
        options: dict[str, Any] = {
            "async_creator": partial(asyncpg.connect, **connection_arguments(url)),
            "pool_pre_ping": True,
        }
        bare = url.set(query={})
        self._writer: AsyncEngine = create_async_engine(bare, pool_size=4, **options)
        self._reader: AsyncEngine = create_async_engine(
            bare, pool_size=_READERS, isolation_level="REPEATABLE READ", **options
        )
        self.writer: Engine = self._writer.sync_engine

    async def read(self, work: Work[_T], *, short: bool = False) -> _T:
        """See Database."""
        async with self._reader.begin() as connection:
            return await connection.run_sync(work)

    async def write(self, work: Work[_T], *, short: bool = False) -> _T:
        """See Database."""
        async with self._writer.begin() as connection:
            return await connection.run_sync(work)

    def others(self) -> None:
        """See Database."""
        return

    async def close(self) -> None:
        """See Database."""
        await self._writer.dispose()
        await self._reader.dispose()

    @contextlib.asynccontextmanager
    async def listening(self, heard: Callable[[str], None]) -> AsyncIterator[asyncio.Event]:
        """Hear what servers notify on CHANNEL. Gives an event that is set when the connection has ended."""
        ended = asyncio.Event()
        async with self._reader.connect() as connection:
            raw = (await connection.get_raw_connection()).driver_connection
            assert raw is not None

            def callback(_connection: Any, _pid: int, _channel: str, payload: str) -> None:
                heard(payload)

            raw.add_termination_listener(lambda _connection: ended.set())
            await raw.add_listener(CHANNEL, callback)
            try:
                yield ended
            finally:
                if not raw.is_closed():
                    await raw.remove_listener(CHANNEL, callback)
