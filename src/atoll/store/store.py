"""The store as a whole: opened, closed, read by what it is about, written to by `commit`."""

from __future__ import annotations

import asyncio
import contextlib
import sqlite3
from collections.abc import Callable, Coroutine, Hashable, Sequence
from typing import Any, Final

import asyncpg  # type: ignore[import-untyped]
from sqlalchemy import select, update
from sqlalchemy.engine import URL
from sqlalchemy.exc import SQLAlchemyError

from . import schema
from .accounts import Accounts
from .address import StoreError, parsed
from .changes import Change
from .database import Postgres, Sqlite, database_at
from .jobs import JobStore
from .migrate import migrate
from .notices import Notices
from .people import PeopleStore
from .rows import ServerRow
from .servers import Sign, sign_of_life
from .tables import TableStore
from .writer import Writer

_IDENTITY: Final = select(schema.identity.c.id)
_TOUCH: Final = update(schema.identity).values(id=schema.identity.c.id)
_FAILURES: Final = (
    *(OSError, ValueError, SQLAlchemyError, sqlite3.Error),
    *(asyncpg.PostgresError, asyncpg.InterfaceError, asyncpg.InternalClientError),
)


def _cannot_open(url: URL, error: BaseException) -> StoreError:
    """Return the error in one line, without statements."""
    cause = getattr(error, "orig", None) or error
    reason = " ".join(str(cause).split()) or type(cause).__name__
    if isinstance(cause, OSError) and cause.strerror:
        reason = cause.strerror
    if isinstance(cause, sqlite3.DatabaseError) and any(each in reason for each in _DAMAGED):
        reason = f"it is damaged or isn't an SQLite database ({reason}): name another file, or restore a copy"
    return StoreError(f"the database {url.render_as_string()} can't be opened: {reason}")


_DAMAGED: Final = ("malformed", "not a database")


class Store(TableStore, PeopleStore, JobStore):
    """All that lasts. Make it with `Store.open`.

    Attributes:
        dialect: "sqlite" or "postgresql".
        url: The address of the database, with its driver.
        id: Tells this database from others.
    """

    id: str

    def __init__(self, database: Sqlite | Postgres) -> None:
        super().__init__(database)
        self.url: URL = database.url
        self.notices: Notices = Notices(database)
        self.accounts: Accounts = Accounts(database)
        self._writer: Writer = Writer(database)

    @classmethod
    async def open(cls, url: str, *, full: bool = False) -> Store:
        """Connect and bring the schema up to date. full: every commit survives a power cut too (SQLite only).

        Raises StoreError.
        """
        try:
            store = cls(database_at(url, full=full))
        except OSError as error:
            raise _cannot_open(parsed(url), error) from error
        try:
            await migrate(store._database)
            store.id = await store._database.read(lambda found: str(found.execute(_IDENTITY).scalar_one()))
        except _FAILURES as error:
            await store.close()
            raise _cannot_open(store.url, error) from error
        store._writer.begin()
        return store

    async def probe(self) -> None:
        """Write something that changes nothing.

        Raises:
            StoreError: Nothing can be written.
        """
        try:
            await self._database.write(lambda connection: connection.execute(_TOUCH))
        except _FAILURES as error:
            raise _cannot_open(self.url, error) from error

    async def close(self) -> None:
        """Let go of the database, once all that was given to `commit` is written."""
        await self._writer.close()
        await self._database.close()

    def commit(self, change: Change) -> Coroutine[Any, Any, None]:
        """Write it all; once this was awaited, it lasts. Raises Conflict or StoreError, and then nothing was written.

        Whoever is cancelled meanwhile still hears how it ended, and is cancelled at the next wait.
        """
        return self._writer.commit(change)

    def others(self) -> Hashable:
        """Another value whenever somebody else has written meanwhile; None where that can't be told at once."""
        return self._database.others()

    async def servers(self) -> list[ServerRow]:
        """The servers that have said that they are alive, and those that have ended last."""
        return await self._rows(ServerRow, select(schema.servers))

    async def sign_of_life(self, server: ServerRow, *, begins: bool = False, gone: Sequence[str] = ()) -> Sign:
        """Write that a server is alive, and give time back in which none was; see servers.sign_of_life."""
        alone = self.dialect == "sqlite"
        return await self._database.write(
            lambda connection: sign_of_life(connection, server, begins=begins, alone=alone, gone=gone)
        )

    def listening(self, heard: Callable[[str], None]) -> contextlib.AbstractAsyncContextManager[asyncio.Event]:
        """Hear what other servers (and this one) notify, as long as the context lasts. PostgreSQL only.

        Gives an event that is set when the connection has ended; then enter a new context.
        """
        assert isinstance(self._database, Postgres)
        return self._database.listening(heard)
