"""Facts for the operator: backups, maintenance, and the backup that the database came from."""

from __future__ import annotations

import sqlite3
from dataclasses import dataclass

import msgspec
from sqlalchemy import Connection, delete, func, insert, select, text, update

from . import schema
from .codec import values
from .rows import AuditRow, BackupRow, MaintenanceRow, SchemaInfoRow
from .servers import LOCK, LOST_MS, open_maintenance, shift_clocks
from .statements import Queries, first_row


@dataclass(frozen=True, slots=True)
class DatabaseFacts:
    """Facts about the database system.

    Attributes:
        version: Its version, such as (15, 4).
        bytes: Size of the database.
        at: Its time in milliseconds, or None if it is that of this machine.
        connections: Open connections of all its clients.
        most_connections: Largest number of connections, or 0 without a limit.
        checksums: Whether it detects damaged pages of its files.
    """

    version: tuple[int, ...]
    bytes: int
    at: int | None = None
    connections: int = 0
    most_connections: int = 0
    checksums: bool = True


@dataclass(frozen=True, slots=True)
class TableCounts:
    """Numbers of tables, and of the work that waits.

    Attributes:
        tables: Number of tables.
        finished: Number of finished games.
        oldest_due: Due time of the oldest job that nobody does, or None.
        attempts: Most attempts of a job.
        broken: Tables whose rules failed: id, game and reason.
        mails_failing: Number of mail channels whose last delivery failed.
    """

    tables: int
    finished: int
    oldest_due: int | None
    attempts: int
    broken: tuple[tuple[str, str, str], ...]
    mails_failing: int


class OperationStore(Queries):
    """Reads and writes of what operators need to know."""

    async def schema_info(self) -> SchemaInfoRow:
        """Return the facts about the schema."""
        rows = await self._rows(SchemaInfoRow, select(schema.schema_info))
        return rows[0]

    async def database_facts(self) -> DatabaseFacts:
        """Return facts about the database system."""
        return await self._database.read(_sqlite_facts if self.dialect == "sqlite" else _postgres_facts)

    async def counts(self, now: int) -> TableCounts:
        """Return the numbers of tables, and of the work that waits.

        Args:
            now: The current time in milliseconds.
        """
        games, jobs, channels = schema.games.c, schema.jobs.c, schema.channels.c
        broken = select(games.id, games.game, games.repair).where(games.status == "repair").order_by(games.id)
        waits = select(func.min(jobs.due)).where(jobs.due <= now, jobs.lease <= now)
        failing = select(func.count()).where(channels.kind == "mail", channels.error != "")

        def work(connection: Connection) -> TableCounts:
            """Count the rows."""
            return TableCounts(
                connection.scalar(select(func.count()).select_from(schema.games)) or 0,
                connection.scalar(select(func.count()).where(games.status == "over")) or 0,
                connection.scalar(waits),
                connection.scalar(select(func.max(jobs.attempts))) or 0,
                tuple((id, game, reason) for id, game, reason in connection.execute(broken)),
                connection.scalar(failing) or 0,
            )

        return await self._database.read(work)

    async def push_endpoint(self) -> str | None:
        """Return the address of a web push subscription, or None if there is none."""
        channels = schema.channels.c
        query = select(channels.address).where(channels.kind == "push").order_by(channels.created.desc()).limit(1)
        found = await self._scalar(query)
        return None if found is None else str(msgspec.json.decode(found)["url"])

    # -- backups -----------------------------------------------------------------------------------

    async def last_backup(self) -> BackupRow | None:
        """Return the most recent backup, or None."""
        query = select(schema.backups).order_by(schema.backups.c.at.desc()).limit(1)
        return first_row(await self._rows(BackupRow, query))

    async def add_backup(self, row: BackupRow) -> None:
        """Store that a backup was made."""
        await self._execute(insert(schema.backups).values(**values(row)))

    # -- maintenance -------------------------------------------------------------------------------

    async def maintenance(self) -> MaintenanceRow | None:
        """Return the maintenance that lasts now, or None."""
        return await self._database.read(open_maintenance)

    async def begin_maintenance(self, row: MaintenanceRow, audit: AuditRow) -> bool:
        """Begin maintenance; if it has begun already, replace its text and announced end.

        Args:
            row: The maintenance.
            audit: Row of the audit log.

        Returns:
            Whether it began now.
        """

        def work(connection: Connection) -> bool:
            """Change the open row, or add one."""
            _lock(connection)
            table = schema.maintenance
            connection.execute(insert(schema.audit_log), values(audit))
            change = update(table).where(table.c.ends.is_(None)).values(text=row.text, until=row.until)
            if connection.execute(change).rowcount:
                return False
            connection.execute(insert(table), values(row))
            return True

        return await self._database.write(work)

    async def end_maintenance(self, now: int, audit: AuditRow) -> int | None:
        """End maintenance, and move clocks and jobs forward by the time that it lasted.

        Args:
            now: The current time in milliseconds.
            audit: Row of the audit log, written if there was maintenance.

        Returns:
            The milliseconds by which clocks were moved, or None if there was no maintenance.
        """

        def work(connection: Connection) -> int | None:
            """End the open row, and write the audit log."""
            shift = end_maintenance(connection, now)
            if shift is not None:
                connection.execute(insert(schema.audit_log), values(audit))
            return shift

        return await self._database.write(work)

    # -- restored databases ------------------------------------------------------------------------

    async def last_seen(self) -> int | None:
        """Return the time of the last heartbeat of any server, or None if there was none."""
        found: int | None = await self._scalar(select(func.max(schema.servers.c.seen)))
        return found

    async def mark_copied(self, at: int) -> None:
        """Mark the database as a copy, which servers refuse until it is prepared."""
        await self._execute(update(schema.schema_info).values(copied=at))

    async def end_secrets(self, backup: int, *, end_sessions: bool) -> tuple[int, int, int]:
        """Void everything that a restored database must not do again, in one transaction.

        Leases end. Notices that were due before the backup are void, because they were sent. All
        challenges end.

        Args:
            backup: Time of the backup in milliseconds.
            end_sessions: Whether the sessions of accounts end, too; those of guests never do.

        Returns:
            The numbers of notices, challenges and sessions that were removed.
        """
        notices, tokens, users = schema.notices, schema.tokens, schema.users
        sent = delete(notices).where(notices.c.state == "waiting", notices.c.due <= backup)
        accounts = select(users.c.id).where(users.c.kind == "account")
        sessions = delete(tokens).where(tokens.c.kind == "session", tokens.c.user_id.in_(accounts))

        def work(connection: Connection) -> tuple[int, int, int]:
            """Delete the rows, and count them."""
            connection.execute(update(schema.jobs).values(lease=0))
            voided = connection.execute(sent).rowcount
            connection.execute(update(notices).values(lease=0))
            challenges = connection.execute(delete(schema.challenges)).rowcount
            ended = connection.execute(sessions).rowcount if end_sessions else 0
            return voided, challenges, ended

        return await self._database.write(work)

    async def finish_restore(self, backup: int, now: int) -> None:
        """Store that the database was restored and is prepared.

        Args:
            backup: Time of the backup in milliseconds.
            now: The current time in milliseconds.
        """
        await self._execute(update(schema.schema_info).values(copied=None, backup=backup, restored=now))


def _sqlite_facts(connection: Connection) -> DatabaseFacts:
    pages, size = (connection.exec_driver_sql(f"PRAGMA page_{each}").scalar_one() for each in ("count", "size"))
    return DatabaseFacts(tuple(sqlite3.sqlite_version_info), pages * size)


def _postgres_facts(connection: Connection) -> DatabaseFacts:
    row = connection.execute(
        text(
            "SELECT current_setting('server_version_num')::int AS version, "
            "pg_database_size(current_database()) AS size, "
            "(extract(epoch FROM clock_timestamp()) * 1000)::bigint AS at, "
            "(SELECT count(*) FROM pg_stat_activity WHERE backend_type = 'client backend') AS connections, "
            "current_setting('max_connections')::int AS most, current_setting('data_checksums') AS checksums"
        )
    ).one()
    version = (row.version // 10_000, row.version % 10_000)
    return DatabaseFacts(version, row.size, row.at, row.connections, row.most, row.checksums == "on")


def end_maintenance(connection: Connection, now: int) -> int | None:
    """End maintenance, and move clocks and jobs forward by the time that it lasted.

    Heartbeats credit no time that maintenance covers, so everything is shifted exactly once.

    Args:
        connection: Connection inside a transaction.
        now: The current time in milliseconds.

    Returns:
        The milliseconds by which clocks were moved, or None if there was no maintenance.
    """
    _lock(connection)
    row = open_maintenance(connection)
    if row is None:
        return None
    servers = schema.servers
    seen = connection.scalar(select(func.max(servers.c.seen)))
    # If no server ran when it began, clocks have stood since the last heartbeat.
    stood = seen if seen is not None and row.begins - seen >= LOST_MS else row.begins
    shift = max(0, now - stood)
    if shift:
        shift_clocks(connection, shift, now)
    connection.execute(update(servers).where(servers.c.seen < now + shift - LOST_MS).values(place=""))
    connection.execute(update(servers).values(seen=now))
    connection.execute(update(schema.maintenance).where(schema.maintenance.c.id == row.id).values(ends=now))
    return shift


def _lock(connection: Connection) -> None:
    """Wait for heartbeats and other changes of maintenance, until the transaction ends."""
    if connection.dialect.name == "postgresql":
        connection.execute(text("SELECT pg_advisory_xact_lock(:lock)"), {"lock": LOCK})
