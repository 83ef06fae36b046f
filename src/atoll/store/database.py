"""How statements reach the database: SQLite in threads of its own, PostgreSQL through asyncio.

A piece of work is a plain function on a connection, in one transaction. For SQLite it runs as a whole in a thread:
through an async driver each single statement would cross to the thread and back, which costs more than the statement.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, Final, Protocol, TypeVar

from sqlalchemy import Connection, Engine, create_engine, event
from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import ArgumentError
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine

_T = TypeVar("_T")
Work = Callable[[Connection], _T]

CHANNEL: Final = "atoll"
"""The PostgreSQL channel on which servers tell each other which table changed."""

_READERS: Final = 4


class StoreError(Exception):
    """The database can't be used; the message says why and what to do."""


class Database(Protocol):
    """Runs pieces of work, each in a transaction of its own that is rolled back if it raises."""

    url: URL
    writer: Engine

    async def read(self, work: Work[_T]) -> _T:
        """Work that changes nothing, on one consistent state."""

    async def write(self, work: Work[_T]) -> _T:
        """Work that lasts when this returns."""

    async def close(self) -> None:
        """Let go of all connections."""


def database_at(url: str, *, full: bool) -> Sqlite | Postgres:
    """The database of a URL. Raises StoreError."""
    try:
        parsed = make_url(url)
    except ArgumentError:
        raise StoreError(
            f"{url!r} is no database URL; allowed: sqlite:///file.db, postgresql://user@host/name"
        ) from None
    backend = parsed.get_backend_name()
    if backend == "sqlite":
        if not parsed.database or parsed.database == ":memory:":
            raise StoreError("SQLite needs a file: sqlite:///atoll.db (three slashes: relative, four: absolute)")
        return Sqlite(parsed.set(drivername="sqlite+pysqlite"), full=full)
    if backend in ("postgresql", "postgres"):
        return Postgres(parsed.set(drivername="postgresql+asyncpg"))
    raise StoreError(f"{backend!r} isn't supported; allowed: sqlite, postgresql")


class Sqlite:
    """One thread that writes, a few that read beside it (WAL)."""

    def __init__(self, url: URL, *, full: bool) -> None:
        assert url.database is not None
        Path(url.database).parent.mkdir(parents=True, exist_ok=True)
        self.url: URL = url
        self.writer: Engine = _sqlite_engine(url, 1, "BEGIN IMMEDIATE", full=full)
        self._reader: Engine = _sqlite_engine(url, _READERS, "BEGIN", full=full)
        self._held: Connection | None = None
        self._writing = ThreadPoolExecutor(1, thread_name_prefix="store writer")
        self._reading = ThreadPoolExecutor(_READERS, thread_name_prefix="store reader")

    async def read(self, work: Work[_T]) -> _T:
        """See Database."""
        return await asyncio.get_running_loop().run_in_executor(self._reading, _within, self._reader, work)

    async def write(self, work: Work[_T]) -> _T:
        """See Database."""
        return await asyncio.get_running_loop().run_in_executor(self._writing, self._write, work)

    def _write(self, work: Work[_T]) -> _T:
        """Work on the connection that writes, which is held: to get and to give it back costs as much as a change."""
        if self._held is None:
            self._held = self.writer.connect()
        try:
            with self._held.begin():
                return work(self._held)
        except BaseException:
            self._let_go()
            raise

    def _let_go(self) -> None:
        held, self._held = self._held, None
        if held is not None:
            held.close()

    async def close(self) -> None:
        """See Database."""
        loop = asyncio.get_running_loop()
        await loop.run_in_executor(self._writing, self._let_go)
        for threads, engine in ((self._reading, self._reader), (self._writing, self.writer)):
            await loop.run_in_executor(threads, engine.dispose)
            threads.shutdown()


def _within(engine: Engine, work: Work[_T]) -> _T:
    with engine.begin() as connection:
        return work(connection)


def _sqlite_engine(url: URL, size: int, begin: str, *, full: bool) -> Engine:
    engine = create_engine(url, pool_size=size, max_overflow=0)

    @event.listens_for(engine, "connect")
    def connected(connection: Any, _record: Any) -> None:
        connection.isolation_level = None  # transactions begin where we say so, below
        cursor = connection.cursor()
        cursor.execute("PRAGMA busy_timeout = 10000")
        cursor.execute("PRAGMA journal_mode = WAL")
        cursor.execute(f"PRAGMA synchronous = {'FULL' if full else 'NORMAL'}")
        cursor.execute("PRAGMA foreign_keys = ON")
        cursor.close()

    @event.listens_for(engine, "begin")
    def begun(connection: Connection) -> None:
        connection.exec_driver_sql(begin)

    return engine


class Postgres:
    """A pool of connections to a server; readers see one moment."""

    def __init__(self, url: URL) -> None:
        self.url: URL = url
        self._writer: AsyncEngine = create_async_engine(url, pool_size=4, pool_pre_ping=True)
        self._reader: AsyncEngine = create_async_engine(
            url, pool_size=_READERS, pool_pre_ping=True, isolation_level="REPEATABLE READ"
        )
        self.writer: Engine = self._writer.sync_engine

    async def read(self, work: Work[_T]) -> _T:
        """See Database."""
        async with self._reader.begin() as connection:
            return await connection.run_sync(work)

    async def write(self, work: Work[_T]) -> _T:
        """See Database."""
        async with self._writer.begin() as connection:
            return await connection.run_sync(work)

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
