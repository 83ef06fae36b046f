"""What is to be done at a time: jobs that servers lease, do and finish."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sqlalchemy import Insert, Update, delete, func, select, tuple_, update
from sqlalchemy.dialects import postgresql, sqlite

from . import schema
from .codec import to_row
from .database import Postgres, Sqlite
from .rows import JobRow
from .statements import Queries, Rows
from .watch import missing_jobs


class JobStore(Queries):
    """Jobs; those of a table are set by what changes it."""

    def __init__(self, database: Sqlite | Postgres) -> None:
        super().__init__(database)
        self._set: Rows = Rows(database.writer.dialect, set_job(self.dialect), JobRow)

    async def lease_jobs(self, now: int, until: int, limit: int = 50) -> list[JobRow]:
        """Take jobs that are due and that nobody works on; they are this server's until `until`."""
        jobs = schema.jobs
        due = select(jobs.c.id).where(jobs.c.due <= now, jobs.c.lease <= now).order_by(jobs.c.due).limit(limit)
        ids = await self._database.read(lambda connection: list(connection.scalars(due)), short=True)
        if not ids:
            return []
        statement = (
            update(jobs)
            .where(jobs.c.id.in_(ids), jobs.c.due <= now, jobs.c.lease <= now)
            .values(lease=until, attempts=jobs.c.attempts + 1)
            .returning(*jobs.c)
        )
        return await self._database.write(
            lambda connection: [to_row(JobRow, row) for row in connection.execute(statement)]
        )

    async def finish_jobs(self, jobs: Sequence[JobRow]) -> None:
        """Remove jobs that are done, unless they were set anew meanwhile."""
        pair = tuple_(schema.jobs.c.id, schema.jobs.c.token)
        await self._execute(delete(schema.jobs).where(pair.in_([(job.id, job.token) for job in jobs])))

    async def postpone_job(self, job: JobRow, due: int) -> None:
        """Let a leased job wait, unless it was set anew meanwhile."""
        await self._execute(_this_job(job).values(due=due, lease=0))

    async def extend_lease(self, job: JobRow, until: int) -> None:
        """Keep a leased job for longer, unless it was set anew meanwhile."""
        await self._execute(_this_job(job).where(schema.jobs.c.lease > 0).values(lease=until))

    async def release_jobs(self) -> None:
        """End all leases. Only for a server that is alone with its database, when it starts."""
        await self._execute(update(schema.jobs).values(lease=0))

    async def set_jobs(self, jobs: Sequence[JobRow]) -> None:
        """Set jobs that belong to no table."""
        await self._database.write(lambda connection: self._set.write(connection, jobs))

    async def has_job(self, job_id: str) -> bool:
        """Whether a job is set, done by somebody now or not."""
        query = select(schema.jobs.c.id).where(schema.jobs.c.id == job_id)
        return await self._scalar(query, short=True) is not None

    async def next_due(self) -> int | None:
        """When the next job is due that nobody works on; None without one."""
        jobs = schema.jobs.c
        value = await self._scalar(select(func.min(_later(self.dialect, jobs.due, jobs.lease))))
        return value if value is None else int(value)

    async def idle_tables(self) -> list[JobRow]:
        """The jobs that tables lack: of a bot or a plan that is asked, a clock that runs, a full table that waits."""
        return await self._database.read(missing_jobs)


def _this_job(job: JobRow) -> Update:
    return update(schema.jobs).where(schema.jobs.c.id == job.id, schema.jobs.c.token == job.token)


def _later(dialect: str, first: Any, second: Any) -> Any:
    """The greater of two columns: both databases have the function, under different names."""
    return func.max(first, second) if dialect == "sqlite" else func.greatest(first, second)


def set_job(dialect: str) -> Insert:
    """A job as given, whether or not there was one with its id."""
    module: Any = sqlite if dialect == "sqlite" else postgresql
    statement = module.insert(schema.jobs)
    new = {name: statement.excluded[name] for name in ("due", "lease", "attempts", "token")}
    found: Insert = statement.on_conflict_do_update(index_elements=["id"], set_=new)
    return found
