"""The store: opened, closed, and written to through `commit`."""

from __future__ import annotations

import sqlite3
from collections.abc import Coroutine, Hashable, Sequence
from pathlib import Path
from typing import Any, Final

import asyncpg  # type: ignore[import-untyped]
from sqlalchemy import select, update
from sqlalchemy.engine import URL
from sqlalchemy.exc import SQLAlchemyError

from . import schema
from .accounts import AccountStore
from .activity import ActivityStore
from .address import StoreError, parse_address
from .attempts import AttemptStore
from .blocks import BlockStore
from .bus import Bus
from .challenges import ChallengeStore
from .competitions import CompetitionStore
from .credentials import CredentialStore
from .database import Postgres, Sqlite, open_database
from .flags import FlagStore
from .jobs import JobStore
from .migrate import SchemaState, migrate, schema_state
from .moderation import ModerationStore
from .notices import NotificationOutbox
from .operations import OperationStore
from .presence import PresenceStore
from .ratings import RatingStore
from .results import ResultStore
from .rows import ServerRow
from .seekers import SeekerStore
from .servers import HeartbeatResult, heartbeat
from .tables import TableStore
from .unit_of_work import UnitOfWork
from .users import UserStore
from .writer import Writer

_IDENTITY: Final = select(schema.identity.c.id)
_TOUCH: Final = update(schema.identity).values(id=schema.identity.c.id)
_FAILURES: Final = (
    *(OSError, ValueError, SQLAlchemyError, sqlite3.Error),
    *(asyncpg.PostgresError, asyncpg.InterfaceError, asyncpg.InternalClientError),
)


def _cannot_open(url: URL, error: BaseException) -> StoreError:
    """Return the error as one line, without SQL statements."""
    cause = getattr(error, "orig", None) or error
    reason = " ".join(str(cause).split()) or type(cause).__name__
    if isinstance(cause, OSError) and cause.strerror:
        reason = cause.strerror
    if isinstance(cause, sqlite3.DatabaseError) and any(each in reason for each in _DAMAGED):
        reason = f"it is damaged or isn't an SQLite database ({reason}): name another file, or restore a copy"
    return StoreError(f"the database {url.render_as_string()} can't be opened: {reason}")


_DAMAGED: Final = ("malformed", "not a database")


def require_file(url: URL) -> None:
    """Check that the file of an SQLite database exists.

    Args:
        url: Address of the database.

    Raises:
        StoreError: If it doesn't.
    """
    if url.get_backend_name() == "sqlite" and not Path(str(url.database)).is_file():
        raise StoreError(f"the database {url.render_as_string()} doesn't exist: name another one with --db")


class Store(TableStore, UserStore, JobStore):
    """The database of a server. Create it with `Store.open`.

    Attributes:
        dialect: "sqlite" or "postgresql".
        url: Address of the database, with its driver.
        id: Random id that distinguishes this database from others.
        notices: Outbox of notifications.
        accounts: Access to user accounts as a whole.
        attempts: Attempts that are limited for all servers together.
        blocks: Blocks between users.
        challenges: One-time secrets on the way to a session.
        competitions: Competitions, their entries and games.
        credentials: Credentials of accounts, and their names.
        flags: Facts that may point to abuse.
        moderation: Reports, sanctions, roles and the audit log.
        presence: Users who have an event stream at a server.
        bus: Messages between servers; None with SQLite, which has only one.
        operations: Backups, maintenance and restored databases.
        results: Results of finished games, departures and follows.
        ratings: Ratings of accounts.
        seekers: People who look for a game now.
    """

    id: str

    def __init__(self, database: Sqlite | Postgres, listen: str = "") -> None:
        super().__init__(database)
        self.url: URL = database.url
        self.notices: NotificationOutbox = NotificationOutbox(database)
        self.accounts: AccountStore = AccountStore(database)
        self.activity: ActivityStore = ActivityStore(database)
        self.attempts: AttemptStore = AttemptStore(database)
        self.blocks: BlockStore = BlockStore(database)
        self.challenges: ChallengeStore = ChallengeStore(database)
        self.competitions: CompetitionStore = CompetitionStore(database)
        self.credentials: CredentialStore = CredentialStore(database)
        self.flags: FlagStore = FlagStore(database)
        self.moderation: ModerationStore = ModerationStore(database)
        self.presence: PresenceStore = PresenceStore(database)
        self.bus: Bus | None = None
        if isinstance(database, Postgres):
            self.bus = Bus(database, parse_address(listen) if listen else database.url)
        self.operations: OperationStore = OperationStore(database)
        self.results: ResultStore = ResultStore(database)
        self.ratings: RatingStore = RatingStore(database)
        self.seekers: SeekerStore = SeekerStore(database)
        self._writer: Writer = Writer(database)

    @classmethod
    async def open(
        cls,
        url: str,
        *,
        full: bool = False,
        as_is: bool = False,
        pool: int = 4,
        overflow: int = 4,
        listen: str = "",
    ) -> Store:
        """Return a connected store with the current schema.

        Args:
            url: Address of the database.
            full: Whether every commit survives a power failure (SQLite only).
            as_is: Whether the database must exist and isn't migrated.
            pool: Connections that stay open for reads, and for writes (PostgreSQL only).
            overflow: Further connections for each of the two while they are needed.
            listen: Address of the connection that listens to other servers; "" for `url`.

        Raises:
            StoreError: If the database can't be opened or migrated.
        """
        try:
            if as_is:
                require_file(parse_address(url))
            store = cls(open_database(url, full=full, pool=pool, overflow=overflow), listen)
        except OSError as error:
            failure = _cannot_open(parse_address(url), error)
            raise failure from error
        try:
            if as_is:
                await store._require_tables()
            else:
                await migrate(store._database)
            store.id = await store._database.read(lambda found: str(found.execute(_IDENTITY).scalar_one()))
        except _FAILURES as error:
            await store.close()
            failure = _cannot_open(store.url, error)
            raise failure from error
        store._writer.begin()
        return store

    async def _require_tables(self) -> None:
        """Check that the database isn't empty.

        Raises:
            ValueError: If it is.
        """
        if (await self.schema_state()).current is None:
            raise ValueError("it is empty: start a server, which creates the tables")

    async def schema_state(self) -> SchemaState:
        """Return the schema of the database, compared with that of this program."""
        return await schema_state(self._database)

    async def probe(self) -> None:
        """Check that the database is writable, with a write that changes nothing.

        Raises:
            StoreError: If it isn't.
        """
        try:
            await self._database.write(lambda connection: connection.execute(_TOUCH))
        except _FAILURES as error:
            failure = _cannot_open(self.url, error)
            raise failure from error

    async def close(self) -> None:
        """Close the database after everything given to `commit` is written."""
        await self._writer.close()
        if self.bus is not None:
            await self.bus.close()
        await self._database.close()

    def commit(self, change: UnitOfWork) -> Coroutine[Any, Any, None]:
        """Write all changes of a command; they are durable when the coroutine ends.

        A task that is canceled meanwhile still learns the result, and is canceled at its next wait.

        Args:
            change: The changes of one table.

        Returns:
            A coroutine to await. The write is ordered when it starts.

        Raises:
            WriteConflict: If another server has changed the table. Nothing was written.
            StoreError: If the database failed or the store is closed. Nothing was written.
        """
        return self._writer.commit(change)

    def external_version(self) -> Hashable:
        """Return a value that changes when another server has written.

        Returns:
            A value to compare for equality, or None if the answer isn't known immediately.
        """
        return self._database.external_version()

    async def servers(self) -> list[ServerRow]:
        """Return the servers that are alive, and those that ended most recently."""
        return await self._rows(ServerRow, select(schema.servers))

    async def heartbeat(self, server: ServerRow, *, begins: bool = False, gone: Sequence[str] = ()) -> HeartbeatResult:
        """Store that a server is alive, and credit clocks for downtime; see `servers.heartbeat`.

        Args:
            server: Row of the server with the current time.
            begins: Whether the server has just started.
            gone: Ids of servers that are known to have ended.

        Returns:
            The time shift, or the server that holds the database.
        """
        alone = self.dialect == "sqlite"
        return await self._database.write(
            lambda connection: heartbeat(connection, server, begins=begins, alone=alone, gone=gone)
        )
