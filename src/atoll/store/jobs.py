"""Jobs: work that is due at a time, leased, done and finished by servers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sqlalchemy import Insert, Update, delete, func, select, tuple_, update
from sqlalchemy.dialects import postgresql, sqlite

from . import schema
from .codec import to_row
from .database import Postgres, Sqlite
from .missing_jobs import missing_jobs
from .rows import JobRow
from .statements import Queries, Rows


class JobStore(Queries):
    """Reads and writes of jobs; the job of a table is set by the command that changes the table."""

    def __init__(self, database: Sqlite | Postgres) -> None:
        super().__init__(database)
        self._set: Rows = Rows(database.writer.dialect, set_job(self.dialect), JobRow)

    async def lease_jobs(self, now: int, until: int, limit: int = 50) -> list[JobRow]:
        """Lease due, unleased jobs.

        Args:
            now: The current time in milliseconds.
            until: End of the leases in milliseconds.
            limit: The largest number of jobs.

        Returns:
            The jobs that are leased now.
        """
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
        """Remove finished jobs, except those that were set again meanwhile."""
        pair = tuple_(schema.jobs.c.id, schema.jobs.c.token)
        await self._execute(delete(schema.jobs).where(pair.in_([(job.id, job.token) for job in jobs])))

    async def postpone_job(self, job: JobRow, due: int) -> None:
        """Release a leased job until `due`, unless it was set again meanwhile."""
        await self._execute(_this_job(job).values(due=due, lease=0))

    async def extend_lease(self, job: JobRow, until: int) -> None:
        """Extend the lease of a job to `until`, unless the job was set again meanwhile."""
        await self._execute(_this_job(job).where(schema.jobs.c.lease > 0).values(lease=until))

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

    async def next_due(self) -> int | None:
        """Return when the next unleased job is due, in milliseconds; None if there are no jobs."""
        jobs = schema.jobs.c
        value = await self._scalar(select(func.min(_later(self.dialect, jobs.due, jobs.lease))))
        return value if value is None else int(value)

    async def missing_jobs(self) -> list[JobRow]:
        """Return the jobs that tables need and that aren't set; see `missing_jobs`."""
        return await self._database.read(missing_jobs)


def _this_job(job: JobRow) -> Update:
    return update(schema.jobs).where(schema.jobs.c.id == job.id, schema.jobs.c.token == job.token)


def _later(dialect: str, first: Any, second: Any) -> Any:
    """Return the greater of two columns; the two databases name the function differently."""
    return func.max(first, second) if dialect == "sqlite" else func.greatest(first, second)


def set_job(dialect: str) -> Insert:
    """Return the statement that sets a job, replacing the job with the same id."""
    module: Any = sqlite if dialect == "sqlite" else postgresql
    statement = module.insert(schema.jobs)
    new = {name: statement.excluded[name] for name in ("due", "lease", "attempts", "token")}
    found: Insert = statement.on_conflict_do_update(index_elements=["id"], set_=new)
    return found
