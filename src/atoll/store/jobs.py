"""Jobs: work that is due at a time, leased, done and finished by servers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from sqlalchemy import (
    ColumnElement,
    Connection,
    Insert,
    Select,
    Update,
    case,
    delete,
    func,
    literal_column,
    or_,
    select,
    text,
    tuple_,
    update,
)
from sqlalchemy.dialects import postgresql, sqlite

from . import schema
from .codec import to_row
from .database import Postgres, Sqlite
from .missing_jobs import missing_jobs
from .rows import JobRow
from .statements import Queries, Rows

BOT: Final = "bot"
"""Kind of the jobs that play the turns of bots."""

_CONSIDERED: Final = 500


class JobStore(Queries):
    """Reads and writes of jobs; the job of a table is set by the command that changes the table."""

    def __init__(self, database: Sqlite | Postgres) -> None:
        super().__init__(database)
        self._set: Rows = Rows(database.writer.dialect, set_job(self.dialect), JobRow)

    async def lease_jobs(
        self, now: int, until: int, limit: int = 50, *, bots: int = 50, room: int = 50
    ) -> list[JobRow]:
        """Lease due, unleased jobs.

        Hosts take turns: a host's second bot job is due after the first ones of all others. The
        first one of a host is leased even if no worker is free, so that nobody waits for the tables
        of others; the workers then serve the hosts in turn.

        Args:
            now: The current time in milliseconds.
            until: End of the leases in milliseconds.
            limit: The largest number of jobs that aren't for bots.
            bots: The largest number of bot jobs.
            room: The number of bot jobs for which a worker is free.

        Returns:
            The jobs that are leased now.
        """
        jobs = schema.jobs.c
        expired = text(schema.LEASED), jobs.lease <= now
        release = update(schema.jobs).where(*expired).values(lease=0)
        free = select(jobs.kind).where(text(schema.FREE), jobs.due <= now)
        kinds = free.union(select(jobs.kind).where(*expired))
        due = await self._database.read(lambda connection: set(connection.scalars(kinds)), short=True)
        queries = []
        if due - {BOT} and limit:
            queries.append(_free_jobs(now).where(jobs.kind != BOT).order_by(jobs.due).limit(limit))
        if BOT in due and bots:
            queries.append(_bot_jobs(now, bots, room))
        if not queries:
            return []

        def work(connection: Connection) -> list[JobRow]:
            """Release expired leases, and lease jobs."""
            connection.execute(release)
            return [to_row(JobRow, row) for query in queries for row in connection.execute(_lease(query, until))]

        return await self._database.write(work)

    async def finish_jobs(self, jobs: Sequence[JobRow]) -> None:
        """Remove finished jobs, except those that were set again meanwhile."""
        pair = tuple_(schema.jobs.c.id, schema.jobs.c.token)
        await self._execute(delete(schema.jobs).where(pair.in_([(job.id, job.token) for job in jobs])))

    async def postpone_job(self, job: JobRow, due: int) -> None:
        """Release a leased job until `due`, unless it was set again meanwhile."""
        await self._execute(_this_job(job).values(due=due, lease=0))

    async def extend_leases(self, jobs: Sequence[JobRow], until: int) -> None:
        """Extend leases to `until`, except those of jobs that were set again meanwhile."""
        pair = tuple_(schema.jobs.c.id, schema.jobs.c.token)
        mine = update(schema.jobs).where(text(schema.LEASED), pair.in_([(job.id, job.token) for job in jobs]))
        await self._execute(mine.values(lease=until))

    async def release_jobs(self) -> None:
        """End all leases. Only for a server that uses its database alone, at its start."""
        await self._execute(update(schema.jobs).values(lease=0))

    async def set_jobs(self, jobs: Sequence[JobRow]) -> None:
        """Set jobs that belong to no table."""
        await self._database.write(lambda connection: self._set.write(connection, jobs))

    async def has_job(self, job_id: str) -> bool:
        """Return whether a job is set, leased or not."""
        query = select(schema.jobs.c.id).where(schema.jobs.c.id == job_id)
        return await self._scalar(query, short=True) is not None

    async def next_due(self, *, bots: bool = True, others: bool = True) -> int | None:
        """Return when the next job can be leased, in milliseconds.

        Args:
            bots: Whether to consider the jobs of bots.
            others: Whether to consider other jobs.

        Returns:
            The earliest due time of a free job or end of a lease; None if there are no such jobs.
        """
        times = [each for each in await self._next_times(bots=bots, others=others) if each is not None]
        return min(times, default=None)

    async def _next_times(self, *, bots: bool, others: bool) -> tuple[int | None, int | None]:
        """Return the earliest due time of the free jobs, and the earliest end of a lease."""
        if not (bots or others):
            return None, None
        jobs = schema.jobs.c
        kind = [] if bots and others else [jobs.kind == BOT if bots else jobs.kind != BOT]
        free = select(func.min(jobs.due)).where(text(schema.FREE), *kind).scalar_subquery()
        leased = select(func.min(jobs.lease)).where(text(schema.LEASED), *kind).scalar_subquery()

        def work(connection: Connection) -> tuple[int | None, int | None]:
            """Read both times, each from its index."""
            found = connection.execute(select(free, leased)).one()
            return found[0], found[1]

        return await self._database.read(work, short=True)

    async def claim_watch(self, now: int, every_ms: int) -> bool:
        """Return whether this server is to look for missing jobs now, instead of another one.

        Args:
            now: The current time in milliseconds.
            every_ms: Milliseconds between two looks of all servers together.
        """
        watched = schema.identity.c.watched
        due = or_(watched <= now - every_ms, watched > now)
        return await self._execute(update(schema.identity).where(due).values(watched=now)) > 0

    async def missing_jobs(self) -> list[JobRow]:
        """Return the jobs that tables need and that aren't set; see `missing_jobs`."""
        return await self._database.read(missing_jobs)


def _this_job(job: JobRow) -> Update:
    return update(schema.jobs).where(schema.jobs.c.id == job.id, schema.jobs.c.token == job.token)


def _free_jobs(now: int) -> Select[Any]:
    """Return the query of free jobs that are due, locked for this transaction in PostgreSQL."""
    jobs = schema.jobs.c
    return select(jobs.id).where(text(schema.FREE), jobs.due <= now).with_for_update(skip_locked=True)


def _bot_jobs(now: int, limit: int, room: int) -> Select[Any]:
    """Return the query of the bot jobs to lease, so that hosts take turns; see `lease_jobs`."""
    jobs, games = schema.jobs.alias("each_job"), schema.games.c
    zero: ColumnElement[int] = literal_column("0")  # the partial indexes aren't used for bind parameters
    due = select(jobs).where(jobs.c.kind == BOT, jobs.c.lease == zero, jobs.c.due <= now)
    working = select(jobs).where(jobs.c.kind == BOT, jobs.c.lease > zero)
    some = (due.order_by(jobs.c.due).limit(_CONSIDERED).subquery().select()).union_all(working).subquery()
    is_free = case((some.c.lease == 0, 1), else_=0)
    own = func.row_number().over(partition_by=games.host, order_by=(is_free, some.c.due, some.c.id))
    ranked = select(some.c.id, some.c.lease, some.c.due, own.label("own")).outerjoin(
        schema.games, games.id == some.c.game_id
    )
    by_host = ranked.subquery()
    place = func.row_number().over(order_by=(by_host.c.own, by_host.c.due, by_host.c.id))
    placed = select(by_host.c.id, by_host.c.own, place.label("place")).where(by_host.c.lease == 0).subquery()
    chosen = select(placed.c.id).where(or_(placed.c.own == 1, placed.c.place <= room)).order_by(placed.c.place)
    return _free_jobs(now).where(schema.jobs.c.id.in_(chosen.limit(limit)))


def _lease(query: Select[Any], until: int) -> Any:
    """Return the statement that leases the jobs of a query."""
    jobs, due = schema.jobs, query.cte("due_jobs")
    leased = update(jobs).where(jobs.c.id.in_(select(due.c.id)))
    return leased.values(lease=until, attempts=jobs.c.attempts + 1).returning(*jobs.c)


def set_job(dialect: str) -> Insert:
    """Return the statement that sets a job, replacing the job with the same id."""
    module: Any = sqlite if dialect == "sqlite" else postgresql
    statement = module.insert(schema.jobs)
    new = {name: statement.excluded[name] for name in ("due", "lease", "attempts", "token")}
    found: Insert = statement.on_conflict_do_update(index_elements=["id"], set_=new)
    return found
