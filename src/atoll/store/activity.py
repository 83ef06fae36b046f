"""Counts for the operator: tables, users, jobs, notices and servers; nothing of a position."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from sqlalchemy import Connection, case, func, select

from . import schema
from .rows import BackupRow, ServerRow
from .servers import LOST_MS
from .statements import Queries

DAY_MS: Final = 86_400_000
_HOUR_MS: Final = 3_600_000
_MOST_LISTED: Final = 5


@dataclass(frozen=True, slots=True)
class JobCount:
    """The jobs of one kind.

    Attributes:
        kind: Kind of the jobs.
        waiting: Number of jobs, running ones included.
        running: Number of jobs that servers work on.
        oldest_due: Time since which the oldest due job waits that nobody does, or None.
        attempts: Most attempts of one of them.
    """

    kind: str
    waiting: int
    running: int
    oldest_due: int | None
    attempts: int


@dataclass(frozen=True, slots=True)
class ChannelCount:
    """The channels of one kind, by which people get notifications.

    Attributes:
        kind: Kind of the channels.
        channels: Number of confirmed channels.
        failing: Number of channels whose last delivery failed.
    """

    kind: str
    channels: int
    failing: int


@dataclass(frozen=True, slots=True)
class BrokenTable:
    """A table whose rules failed. The reason isn't part of it, because it may name hidden pieces.

    Attributes:
        id: Id of the table.
        game: Id of the game.
        changed: Time of its last change.
    """

    id: str
    game: str
    changed: int


@dataclass(frozen=True, slots=True)
class Activity:
    """Counts of everything that happens on all servers of a database.

    Attributes:
        tables: Number of tables by status.
        moved: Number of running tables that changed in the last hour.
        users: Number of users by kind.
        seen: Number of users who were here in the last day.
        present: Number of users with an event stream, as servers tell each other; 0 with SQLite.
        jobs: The jobs by kind.
        channels: The channels by kind.
        notices: Number of deliveries of the last day by state.
        oldest_notice: Time since which the oldest due notice waits, or None.
        broken: Tables whose rules failed, latest change first.
        backups: The latest backups, latest first.
        servers: The servers that haven't ended.
    """

    tables: Mapping[str, int]
    moved: int
    users: Mapping[str, int]
    seen: int
    present: int
    jobs: tuple[JobCount, ...]
    channels: tuple[ChannelCount, ...]
    notices: Mapping[str, int]
    oldest_notice: int | None
    broken: tuple[BrokenTable, ...]
    backups: tuple[BackupRow, ...]
    servers: tuple[ServerRow, ...]


class ActivityStore(Queries):
    """Reads of the counts for the operator."""

    async def activity(self, now: int) -> Activity:
        """Return the counts of a moment, read from one snapshot.

        Args:
            now: The current time in milliseconds.
        """
        return await self._database.read(lambda connection: _activity(connection, now))


def _activity(connection: Connection, now: int) -> Activity:
    games, users, servers = schema.games.c, schema.users.c, schema.servers.c
    presence, notices = schema.presence.c, schema.notices.c
    moved = select(func.count()).where(games.status == "running", games.changed > now - _HOUR_MS)
    lives = (servers.id == presence.server_id) & (servers.seen > now - LOST_MS) & (servers.place != "")
    present = select(func.count(presence.user_id.distinct())).join(schema.servers, lives).where(presence.until > now)
    late = select(func.min(notices.due)).where(notices.state == "waiting", notices.due <= now)
    broken = select(games.id, games.game, games.changed).where(games.status == "repair").order_by(games.changed.desc())
    backups = select(schema.backups).order_by(schema.backups.c.at.desc()).limit(_MOST_LISTED)
    alive = select(schema.servers).where(servers.place != "").order_by(servers.place)
    delivered = (notices.channel_id != "") & (notices.at > now - DAY_MS)
    return Activity(
        _counts(connection, select(games.status, func.count()).group_by(games.status)),
        connection.scalar(moved) or 0,
        _counts(connection, select(users.kind, func.count()).group_by(users.kind)),
        connection.scalar(select(func.count()).where(users.seen > now - DAY_MS)) or 0,
        connection.scalar(present) or 0,
        _jobs(connection, now),
        _channels(connection),
        _counts(connection, select(notices.state, func.count()).where(delivered).group_by(notices.state)),
        connection.scalar(late),
        tuple(BrokenTable(*row) for row in connection.execute(broken)),
        tuple(BackupRow(**row._mapping) for row in connection.execute(backups)),
        tuple(ServerRow(**row._mapping) for row in connection.execute(alive)),
    )


def _counts(connection: Connection, query: Any) -> dict[str, int]:
    """Return the counts of a query by their first column."""
    return {str(key): int(count) for key, count in connection.execute(query)}


def _jobs(connection: Connection, now: int) -> tuple[JobCount, ...]:
    jobs = schema.jobs.c
    running = func.count(case((jobs.lease > now, 1)))
    oldest = func.min(case(((jobs.due <= now) & (jobs.lease <= now), jobs.due)))
    query = select(jobs.kind, func.count(), running, oldest, func.max(jobs.attempts)).group_by(jobs.kind)
    return tuple(JobCount(*row) for row in connection.execute(query.order_by(jobs.kind)))


def _channels(connection: Connection) -> tuple[ChannelCount, ...]:
    channels = schema.channels.c
    failing = func.count(case((channels.error != "", 1)))
    query = select(channels.kind, func.count(), failing).where(channels.confirmed).group_by(channels.kind)
    return tuple(ChannelCount(*row) for row in connection.execute(query.order_by(channels.kind)))
