"""Access to SQLite, inline or in a thread, and to PostgreSQL through asyncio.

A unit of work is a plain function of a connection. It runs in one transaction, and may run again
after a rollback. For SQLite the function runs as a whole, either inline (if it is short) or in a
thread. An async driver would cross to the thread and back for every statement, which costs more
than the statement itself.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import sqlite3
import threading
import time
from collections.abc import Callable, Hashable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any, Final, Protocol, TypeVar

import asyncpg  # type: ignore[import-untyped]
from sqlalchemy import Connection, Engine, create_engine, event
from sqlalchemy.engine import URL
from sqlalchemy.exc import DisconnectionError, OperationalError
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine

from .address import connection_arguments, parse_address

_T = TypeVar("_T")
Work = Callable[[Connection], _T]
"""A unit of work: called with a connection inside a transaction."""

_READERS: Final = 4
_IDLE_S: Final = 30.0
"""Seconds after which an unused connection to PostgreSQL is tested; a firewall may drop it."""

_BUSY_TIMEOUT_MS: Final = 10_000
"""Milliseconds that work in a thread waits for other processes that use the file."""

_SLOW_S: Final = 0.25
_AFTER_SLOW_S: Final = 10.0
_ROWS_BETWEEN: Final = 4000
"""Rows written between two checkpoints of the write-ahead log.

A move writes about eight rows, each in its own page. Rarer checkpoints write a page that changed
often only once; the log grows to 10 to 30 MB.
"""


class Database(Protocol):
    """Runs units of work, each in its own transaction, which is rolled back if the work raises.

    Attributes:
        url: Address of the database, with its driver.
        writer: Engine for writes; gives the SQL dialect.
    """

    url: URL
    writer: Engine

    async def read(self, work: Work[_T], *, short: bool = False) -> _T:
        """Run work that changes nothing on one consistent state, and return its result.

        Args:
            work: The unit of work.
            short: Whether it looks only at a few rows that an index finds.
        """

    async def write(self, work: Work[_T], *, short: bool = False) -> _T:
        """Run work whose changes are durable when this returns, and return its result.

        Args:
            work: The unit of work.
            short: Whether it touches only a few rows, or a few for each of many changes.
        """

    def external_version(self) -> Hashable:
        """Return a value that changes when another connection has written.

        Returns:
            A value to compare for equality, or None if the answer isn't known immediately.
        """

    async def close(self) -> None:
        """Close all connections."""


def open_database(url: str, *, full: bool, pool: int = 4, overflow: int = 4) -> Sqlite | Postgres:
    """Return the database at a URL.

    Args:
        url: Address of the database.
        full: Whether every commit survives a power failure (SQLite only).
        pool: Connections that stay open for reads, and for writes (PostgreSQL only).
        overflow: Further connections for each of the two while they are needed.

    Raises:
        StoreError: If the address isn't valid.
        OSError: If the file of an SQLite database can't be created.
    """
    found = parse_address(url)
    if found.get_backend_name() == "sqlite":
        return Sqlite(found, full=full)
    return Postgres(found, pool=pool, overflow=overflow)


def make_private(file: Path) -> None:
    """Create an empty file that only its owner can read, unless it exists.

    SQLite gives its write-ahead log the same permissions.
    """
    with contextlib.suppress(FileExistsError):
        os.close(os.open(file, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))


class Sqlite:
    """An SQLite file in WAL mode, with one connection that writes and a few threads that read.

    Short work runs inline, in the event loop's thread. Handing it to another thread would cost more
    than the work: both threads want the interpreter after each statement and wait for each other.
    Work that may wait for the disk or for another process runs in a thread. The disk is slow for
    commits in full sync mode and for checkpoints. If short work took long nevertheless, for example
    on an overloaded disk, it runs in threads for a while.
    """

    def __init__(self, url: URL, *, full: bool) -> None:
        assert url.database is not None
        Path(url.database).parent.mkdir(parents=True, exist_ok=True)
        make_private(Path(url.database))
        self.url: URL = url
        self.writer: Engine = _sqlite_engine(url, 1, "BEGIN IMMEDIATE", full=full)
        self._reader: Engine = _sqlite_engine(url, _READERS + 1, "BEGIN", full=full)
        self._full: bool = full
        self._write_connection = _PooledConnection(self.writer)
        self._read_connection = _PooledConnection(self._reader)
        self._slow_until: float = 0.0
        self._writing = ThreadPoolExecutor(1, thread_name_prefix="store writer")
        self._reading = ThreadPoolExecutor(_READERS, thread_name_prefix="store reader")

    async def read(self, work: Work[_T], *, short: bool = False) -> _T:
        """Run short work inline if the connection is free, and other work in a reader thread."""
        if short:
            with contextlib.suppress(_InUseError):
                return self._run_inline(self._read_connection, work)
        return await asyncio.get_running_loop().run_in_executor(self._reading, _run_in_transaction, self._reader, work)

    async def write(self, work: Work[_T], *, short: bool = False) -> _T:
        """Run short work inline if it needs no sync, and other work in the writer thread."""
        if short and not self._full:
            with contextlib.suppress(_InUseError):
                found = self._run_inline(self._write_connection, work)
                if self._write_connection.needs_checkpoint:
                    self._writing.submit(self._write_connection.checkpoint)
                return found
        return await asyncio.get_running_loop().run_in_executor(self._writing, self._write, work)

    def _run_inline(self, held: _PooledConnection, work: Work[_T]) -> _T:
        """Run work inline without waiting; raise `_InUseError` if that isn't possible now."""
        began = time.monotonic()
        if began < self._slow_until:
            raise _InUseError
        try:
            return held.run(work, patience_ms=0)
        finally:
            if (now := time.monotonic()) > began + _SLOW_S:
                self._slow_until = now + _AFTER_SLOW_S

    def _write(self, work: Work[_T]) -> _T:
        found = self._write_connection.run(work, patience_ms=_BUSY_TIMEOUT_MS)
        self._write_connection.checkpoint()
        return found

    def external_version(self) -> Hashable:
        """Return SQLite's count of foreign writes, as seen by the writing connection."""
        return self._write_connection.external_version()

    async def close(self) -> None:
        """Close the connections in their threads, and end the threads."""
        loop = asyncio.get_running_loop()
        self._read_connection.close_for_good()
        await loop.run_in_executor(self._writing, self._write_connection.close_for_good)
        for threads, engine in ((self._reading, self._reader), (self._writing, self.writer)):
            await loop.run_in_executor(threads, engine.dispose)
            threads.shutdown()


class _InUseError(Exception):
    """A thread uses the connection now, or another process uses the file."""


class _PooledConnection:
    """A connection to SQLite that stays open; opening one costs as much as a change."""

    def __init__(self, engine: Engine) -> None:
        self._engine: Engine = engine
        self._connection: Connection | None = None
        self._driver: Any = None
        self._patience_ms: int = _BUSY_TIMEOUT_MS
        self._at_checkpoint: int = 0
        self._times_connected: int = 0
        self._ended: bool = False
        self._lock: threading.Lock = threading.Lock()

    @property
    def needs_checkpoint(self) -> bool:
        """True if enough rows were written since the last checkpoint."""
        driver = self._driver
        return driver is not None and driver.total_changes >= self._at_checkpoint + _ROWS_BETWEEN

    def run(self, work: Work[_T], *, patience_ms: int) -> _T:
        """Run work in a transaction.

        Args:
            work: The unit of work.
            patience_ms: Milliseconds to wait for others that use the file; 0 not to wait.

        Returns:
            The result of the work.

        Raises:
            _InUseError: If `patience_ms` is 0 and the connection or the file is in use.
        """
        if (self._ended and not patience_ms) or not self._lock.acquire(blocking=patience_ms > 0):
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
            self._lock.release()

    def _connect(self) -> Connection:
        self._times_connected += 1
        self._connection = self._engine.connect()
        self._driver = self._connection.connection.driver_connection
        self._driver.execute(f"PRAGMA busy_timeout = {_BUSY_TIMEOUT_MS}")
        self._patience_ms = _BUSY_TIMEOUT_MS
        self._at_checkpoint = min(self._at_checkpoint, self._driver.total_changes)
        return self._connection

    def _close(self) -> None:
        connection, self._connection, self._driver = self._connection, None, None
        if connection is not None:
            connection.close()

    def external_version(self) -> tuple[int, int] | None:
        """Return the connection's number and data version, or None while it is in use."""
        if not self._lock.acquire(blocking=False):
            return None
        try:
            if self._driver is None:
                return None
            # `data_version` counts the writes of all connections except this one.
            return self._times_connected, self._driver.execute("PRAGMA data_version").fetchone()[0]
        except sqlite3.OperationalError:
            return None
        finally:
            self._lock.release()

    def close_for_good(self) -> None:
        """Close the connection for good."""
        with self._lock:
            self._ended = True
            self._close()

    def checkpoint(self) -> None:
        """Write the log into the file if it is time, except pages that a reader still needs.

        If that fails, the next checkpoint does it.
        """
        with self._lock:
            if self.needs_checkpoint:
                self._at_checkpoint = self._driver.total_changes
                with contextlib.suppress(sqlite3.OperationalError):
                    self._driver.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchall()


def _is_busy(error: BaseException | None) -> bool:
    return getattr(error, "sqlite_errorcode", 0) & 0xFF == sqlite3.SQLITE_BUSY


def _run_in_transaction(engine: Engine, work: Work[_T]) -> _T:
    with engine.begin() as connection:
        return work(connection)


def _sqlite_engine(url: URL, size: int, begin: str, *, full: bool) -> Engine:
    engine = create_engine(url, pool_size=size, max_overflow=0)

    @event.listens_for(engine, "connect")
    def connected(connection: Any, _record: Any) -> None:
        """Configure a new connection."""
        connection.isolation_level = None  # transactions begin explicitly, in `begun` below
        cursor = connection.cursor()
        cursor.execute(f"PRAGMA busy_timeout = {_BUSY_TIMEOUT_MS}")
        cursor.execute("PRAGMA journal_mode = WAL")
        cursor.execute(f"PRAGMA synchronous = {'FULL' if full else 'NORMAL'}")
        cursor.execute("PRAGMA foreign_keys = ON")
        cursor.execute("PRAGMA wal_autocheckpoint = 0")  # see `_PooledConnection.checkpoint`
        cursor.close()

    @event.listens_for(engine, "begin")
    def begun(connection: Connection) -> None:
        """Begin the transaction."""
        connection.exec_driver_sql(begin)

    return engine


class Postgres:
    """A pool of connections to PostgreSQL; each read sees one snapshot of the data."""

    def __init__(self, url: URL, *, pool: int, overflow: int) -> None:
        self.url: URL = url
        options: dict[str, Any] = {
            "async_creator": partial(asyncpg.connect, **connection_arguments(url)),
            "pool_size": pool,
            "max_overflow": overflow,
        }
        without_query = url.set(query={})
        self._writer: AsyncEngine = create_async_engine(without_query, **options)
        self._reader: AsyncEngine = create_async_engine(without_query, isolation_level="REPEATABLE READ", **options)
        self.writer: Engine = self._writer.sync_engine
        for each in (self._writer, self._reader):
            event.listen(each.sync_engine, "checkout", _require_open)

    async def read(self, work: Work[_T], *, short: bool = False) -> _T:
        """Run work in a transaction on a reading connection."""
        async with self._reader.begin() as connection:
            return await connection.run_sync(work)

    async def write(self, work: Work[_T], *, short: bool = False) -> _T:
        """Run work in a transaction on a writing connection."""
        async with self._writer.begin() as connection:
            return await connection.run_sync(work)

    def external_version(self) -> None:
        """Return None: writes of other servers arrive as notifications."""
        return

    async def close(self) -> None:
        """Close both pools."""
        await self._writer.dispose()
        await self._reader.dispose()


def _require_open(connection: Any, record: Any, _proxy: Any) -> None:
    """Check that a connection of a pool is open; the pool replaces it otherwise.

    The driver knows when the server has closed a connection. A test costs three round trips.

    Args:
        connection: The connection.
        record: Its entry in the pool.
        _proxy: What the user of the pool gets.

    Raises:
        DisconnectionError: If the connection is closed.
    """
    now = time.monotonic()
    used, record.info["used"] = record.info.get("used", now), now
    closed = connection.driver_connection.is_closed()
    if not closed and now - used > _IDLE_S:
        try:
            connection.ping()
        except Exception:
            closed = True
    if closed:
        raise DisconnectionError("the connection is closed")
