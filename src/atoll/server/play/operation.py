"""The state of the server and its database, for operators.

It contains counts only: nothing of a position, no secret of the settings, no address of a person.
"""

from __future__ import annotations

import asyncio
import contextlib
import shutil
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

from atoll.store import LOST_MS, Activity, MaintenanceRow, SchemaState, Store
from atoll.store.operations import DatabaseFacts

from ..domain import sanitize, wall_clock
from ..domain.build_info import BuildInfo, build_info
from ..domain.metrics import Readings, Timing
from ..domain.model import Refused, User
from ..table import permissions
from .executor import CommandExecutor
from .maintenance import begin_maintenance, end_maintenance
from .ports import NotificationChannels
from .store_errors import refuse_on_store_error

OLD_BACKUP_MS: Final = 2 * 86_400_000
"""Age from which the last backup is too old."""
LATE_JOB_MS: Final = 60_000
"""Time for which a due job may wait."""
MOST_ATTEMPTS: Final = 10
"""Attempts of a job from which it doesn't succeed any more."""
LITTLE_SPACE: Final = 0.2
"""Share of free space below which a disk is nearly full."""

MOST_MINUTES: Final = 10_080
"""Longest announced maintenance: a week."""

_STARTED: Final = time.monotonic()
_MOST_CODES: Final = 10


@dataclass(frozen=True, slots=True)
class Load:
    """The load of this server since it started.

    Attributes:
        running_s: Seconds since the start.
        processor: Mean share of a processor core that this process used, 0 to 1.
        memory: Memory of this process in bytes, or None where it isn't known.
        streams: Open event streams.
        connections: Open connections.
        cached: Tables in memory.
        requests: Answered requests.
        commands: Commands until their commit.
        bot_queue: Time that questions waited for a bot worker.
    """

    running_s: int
    processor: float
    memory: int | None
    streams: int
    connections: int
    cached: int
    requests: Timing
    commands: Timing
    bot_queue: Timing


@dataclass(frozen=True, slots=True)
class Errors:
    """The errors of this server since it started.

    Attributes:
        failed: Requests that failed because of an error in the program.
        broken: Tables whose rules failed.
        bots: Bots that failed, or took too long or too much memory.
        refused: The most frequent codes of refused requests, with their numbers.
    """

    failed: int
    broken: int
    bots: int
    refused: tuple[tuple[str, int], ...]


@dataclass(frozen=True, slots=True)
class Concern:
    """Something that the operator should look after.

    Attributes:
        key: Kind of concern: "broken", "no_backup", "old_backup", "unverified", "jobs_late",
            "jobs_failing", "mails", "silent", "versions", "space" or "failed".
        count: Its number, such as that of tables, or a percentage for "space".
        seconds: Its duration in seconds, or 0.
    """

    key: str
    count: int = 0
    seconds: int = 0


@dataclass(frozen=True, slots=True)
class Overview:
    """Everything that the page of the operator shows.

    Attributes:
        now: The current time in milliseconds.
        concerns: Things to look after.
        load: Load of this server.
        errors: Errors of this server.
        activity: Counts of the database.
        present: Users with an event stream.
        database: Facts about the database system.
        system: "sqlite" or "postgresql".
        free: Free bytes on the disk of the database, or None if it is elsewhere.
        share: Share of the disk that is free, or None.
        schema: State of the schema.
        build: Version of this program.
        server: Id of this server.
        mail: Host of the mail server, or "".
        channels: Kinds of notifications that are set up.
        maintenance: The maintenance that lasts now, or None.
    """

    now: int
    concerns: tuple[Concern, ...]
    load: Load
    errors: Errors
    activity: Activity
    present: int
    database: DatabaseFacts
    system: str
    free: int | None
    share: float | None
    schema: SchemaState
    build: BuildInfo
    server: str
    mail: str
    channels: tuple[str, ...]
    maintenance: MaintenanceRow | None


def require_operator(who: User | None) -> User:
    """Return an operator.

    Args:
        who: The user, or None.

    Raises:
        Refused: If the user has another role or none.
    """
    user = permissions.require_user(who)
    if user.standing.role != "operator":
        raise Refused("no_operator", 403, "only operators may do this")
    return user


class Operation:
    """Services for operators.

    Args:
        executor: The executor of commands.
        channels: Channels for notifications.
    """

    def __init__(self, executor: CommandExecutor, channels: NotificationChannels) -> None:
        self._executor: CommandExecutor = executor
        self._store: Store = executor.store
        self._channels: NotificationChannels = channels

    async def overview(self, who: User | None) -> Overview:
        """Return the state of the server and its database.

        Args:
            who: The reader.

        Raises:
            Refused: If the reader isn't an operator, or the database can't be read.
        """
        require_operator(who)
        now, executor = wall_clock.machine_ms(), self._executor
        with refuse_on_store_error():
            activity = await self._store.activity.activity(now)
            database = await self._store.operations.database_facts()
            schema = await self._store.schema_state()
            maintenance = await self._store.operations.maintenance()
        readings = Readings.take()
        errors = _errors(readings)
        free, share = await self._space()
        here = executor.hub.users_here
        settings = executor.settings
        return Overview(
            now,
            tuple(_concerns(activity, errors, share, now, maintained=maintenance is not None)),
            _load(readings),
            errors,
            activity,
            here if self._store.dialect == "sqlite" else max(here, activity.present),
            database,
            self._store.dialect,
            free,
            share,
            schema,
            build_info(),
            executor.id,
            urlsplit(settings.smtp).hostname or "" if settings.smtp else "",
            self._channels.possible,
            maintenance,
        )

    async def begin_maintenance(self, who: User | None, text: str, minutes: int | None) -> None:
        """Stop play on all servers within a few seconds; clocks stand.

        Args:
            who: The operator.
            text: Announcement for the pages, or "".
            minutes: Expected duration, or None.

        Raises:
            Refused: If the reader isn't an operator, `minutes` isn't valid, or the database fails.
        """
        user, now = require_operator(who), wall_clock.machine_ms()
        if minutes is not None and not 1 <= minutes <= MOST_MINUTES:
            detail = f"invalid minutes {minutes}: expected 1 to {MOST_MINUTES}"
            raise Refused("bad_number", 422, detail, fields={"lo": 1, "hi": MOST_MINUTES})
        until = None if minutes is None else now + 60_000 * minutes
        with refuse_on_store_error():
            await begin_maintenance(self._store, user.id, sanitize.clean(text), until, now)

    async def end_maintenance(self, who: User | None) -> None:
        """Continue play: clocks and jobs move forward by the time that they stood.

        Args:
            who: The operator.

        Raises:
            Refused: If the reader isn't an operator, or the database can't be written.
        """
        user = require_operator(who)
        with refuse_on_store_error():
            await end_maintenance(self._store, user.id, wall_clock.machine_ms())

    async def _space(self) -> tuple[int | None, float | None]:
        """Return the free bytes of the database's disk and their share; None if it is elsewhere."""
        if self._store.dialect != "sqlite":
            return None, None
        with contextlib.suppress(OSError):
            usage = await asyncio.to_thread(shutil.disk_usage, Path(str(self._store.url.database)).parent)
            return usage.free, usage.free / usage.total
        return None, None


def _load(readings: Readings) -> Load:
    """Return the load of this server."""
    running = max(1.0, time.monotonic() - _STARTED)
    memory = readings.one("process_resident_memory_bytes")
    streams, connections, cached = (
        int(readings.one(f"atoll_{name}") or 0) for name in ("streams", "connections", "cached_tables")
    )
    requests, commands, bot_queue = (
        readings.timing(f"atoll_{name}_seconds") for name in ("request", "command", "bot_queue")
    )
    return Load(
        int(running),
        time.process_time() / running,
        None if memory is None else int(memory),
        streams,
        connections,
        cached,
        requests,
        commands,
        bot_queue,
    )


def _errors(readings: Readings) -> Errors:
    """Return the errors of this server."""
    codes = {code: int(count) for code, count in readings.by_label("atoll_requests_refused_total", "code").items()}
    failed = codes.pop("failed", 0)
    refused = sorted(codes.items(), key=lambda each: (-each[1], each[0]))
    broken, bots = (int(readings.one(f"atoll_{name}_total") or 0) for name in ("tables_broken", "bot_failures"))
    return Errors(failed, broken, bots, tuple(refused[:_MOST_CODES]))


def _concerns(activity: Activity, errors: Errors, share: float | None, now: int, *, maintained: bool) -> list[Concern]:
    """Return the things to look after, the most urgent first.

    Args:
        activity: Counts of the database.
        errors: Errors of this server.
        share: Share of the disk that is free, or None.
        now: The current time in milliseconds.
        maintained: Whether maintenance lasts, in which no jobs are done.
    """
    found = []
    if activity.broken:
        found.append(Concern("broken", len(activity.broken)))
    if errors.failed:
        found.append(Concern("failed", errors.failed))
    if share is not None and share < LITTLE_SPACE:
        found.append(Concern("space", int(100 * share)))
    late = [
        job.oldest_due for job in activity.jobs if job.oldest_due is not None and job.oldest_due < now - LATE_JOB_MS
    ]
    if late and not maintained:
        found.append(Concern("jobs_late", len(late), (now - min(late)) // 1000))
    attempts = max((job.attempts for job in activity.jobs), default=0)
    if attempts > MOST_ATTEMPTS:
        found.append(Concern("jobs_failing", attempts))
    if not activity.backups:
        found.append(Concern("no_backup"))
    elif not activity.backups[0].verified:
        found.append(Concern("unverified"))
    elif now - activity.backups[0].at > OLD_BACKUP_MS:
        found.append(Concern("old_backup", seconds=(now - activity.backups[0].at) // 1000))
    mails = sum(each.failing for each in activity.channels if each.kind == "mail")
    if mails:
        found.append(Concern("mails", mails))
    silent = [row for row in activity.servers if now - row.seen > LOST_MS]
    if silent:
        found.append(Concern("silent", len(silent), (now - min(row.seen for row in silent)) // 1000))
    versions = {row.version for row in activity.servers if row not in silent}
    if len(versions) > 1:
        found.append(Concern("versions", len(versions)))
    return found
