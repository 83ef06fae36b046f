"""The loop that does due jobs: bots' turns, clocks, starts, analyses, the daily sweep.

The store knows the jobs. A job is leased, done and removed. If a server dies in between, the lease
expires and another server does the job. A job that can't be done now (the database is away, a
fault) is tried again after growing delays. Only success ends a job, or a refusal that no later try
would change. Every handler may therefore run twice: it looks at the current table, and does only
the remaining work.
"""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import Awaitable, Callable
from typing import Final

import structlog
from sqlalchemy.exc import SQLAlchemyError

from atoll.store import JobRow, StoreError

from ..domain import metrics, wall_clock
from ..domain.logs import RateLimitedLogger
from ..domain.model import Refused
from . import TableServices

log = structlog.get_logger(__name__)
seldom = RateLimitedLogger(log)

_LEASE_MS: Final = 20_000
_IDLE_S: Final = 15.0
_DAY_MS: Final = 86_400_000
ANSWER_DAYS: Final = 2
"""Days for which the answer to a command is stored under its idempotency key."""
_COMMANDS_MS: Final = ANSWER_DAYS * _DAY_MS
_AUDIT_DAYS: Final = 365
_NETWORK_DAYS: Final = 30
_LONGEST_DELAY_MS: Final = 64_000
_WATCH_S: Final = 60.0
_FAILED_S: Final = 1.0
_LATER: Final = 503


class Scheduler:
    """Does due jobs as long as the server runs.

    Attributes:
        sweeps: Further functions to run once a day.
    """

    def __init__(self, tables: TableServices) -> None:
        self._tables: TableServices = tables
        self._news: asyncio.Event = asyncio.Event()
        self._begun: bool = False
        self._watch_at: float = float("-inf")
        self.sweeps: list[Callable[[], Awaitable[None]]] = []
        self._running: dict[str, asyncio.Task[None]] = {}
        self._handlers: dict[str, Callable[[str], Awaitable[None]]] = {
            "bot": tables.bot_turns.play,
            "clock": tables.timeouts.decide,
            "start": tables.table_setup.start_due,
            "plan": tables.planned_turns.answer_due,
            "analysis": tables.bot_analysis.analyse_due,
            "account": tables.accounts.finish,
            "competition": tables.seasons.advance,
            "ban": tables.moderation.leave_tables,
            "rename": tables.moderation.rename_at_tables,
            "close": tables.moderation.close_table,
            "ended": tables.moderation.end_streams,
            "sweep": self._sweep,
        }
        tables.executor.on_job = self.wake

    def wake(self) -> None:
        """Look for due jobs immediately."""
        self._news.set()

    async def run(self) -> None:
        """Do jobs until canceled."""
        failed = 0
        try:
            while True:
                self._news.clear()
                try:
                    wait = await self.look()
                    failed = 0
                except Exception as error:
                    # Failures are followed by a delay even if the loop is woken often.
                    failed += 1
                    wait = min(2.0**failed, _IDLE_S)
                    seldom.error("jobs can't be read", error=str(error))
                    await asyncio.sleep(min(wait, _FAILED_S))
                with contextlib.suppress(TimeoutError):
                    async with asyncio.timeout(wait):
                        await self._news.wait()
        finally:
            for task in tuple(self._running.values()):
                task.cancel()
            await asyncio.gather(*self._running.values(), return_exceptions=True)

    async def look(self) -> float:
        """Start all due jobs, but none during maintenance; errors of the database pass through.

        Returns:
            Seconds until the next look.
        """
        store = self._tables.store
        if self._tables.executor.maintenance is not None:
            return _IDLE_S
        if not self._begun:
            if store.dialect == "sqlite":
                # Only one server uses the file. Existing leases belong to its predecessor, which
                # has ended.
                await store.release_jobs()
            await store.set_jobs([JobRow("sweep", "sweep", None, wall_clock.now_ms() + 60_000, "daily")])
            self._begun = True
        if time.monotonic() >= self._watch_at:
            await self._set_missing_jobs()
            self._watch_at = time.monotonic() + _WATCH_S
        for job in await store.lease_jobs(wall_clock.now_ms(), wall_clock.now_ms() + _LEASE_MS):
            self._start(job)
        due = await store.next_due()
        return _IDLE_S if due is None else min(_IDLE_S, max(0.0, (due - wall_clock.now_ms()) / 1000))

    async def _set_missing_jobs(self) -> None:
        """Set jobs that tables need and that are missing, so that no table stands still forever."""
        missing = await self._tables.store.missing_jobs()
        if missing:
            log.error("jobs were missing and are set anew", jobs=[job.id for job in missing[:20]], of=len(missing))
            metrics.MISSING_JOBS.inc(len(missing))
            await self._tables.store.set_jobs(missing)

    def _start(self, job: JobRow) -> None:
        before = self._running.get(job.id)
        task = asyncio.create_task(self._do(job, before), name=f"job {job.id}")
        self._running[job.id] = task

        def ended(task: asyncio.Task[None]) -> None:
            """Forget the task."""
            if self._running.get(job.id) is task:
                del self._running[job.id]

        task.add_done_callback(ended)

    async def _do(self, job: JobRow, before: asyncio.Task[None] | None) -> None:
        """Do a job after the one of the same id that may still be running."""
        if before is not None:
            await asyncio.wait([before])
        keep = asyncio.create_task(self._keep_lease(job))
        try:
            if await self._is_finished(job):
                await self._tables.store.finish_jobs([job])
            else:
                await self._postpone(job)
        except Exception as error:
            # The job is tried again after its lease expires.
            seldom.error("job can't be written", error=str(error))
        finally:
            keep.cancel()

    async def _is_finished(self, job: JobRow) -> bool:
        """Run the job's handler, and return whether the job is finished or can never succeed."""
        handler = self._handlers.get(job.kind)
        if handler is None:
            log.error("unknown job", kind=job.kind)
            return True
        try:
            await handler(job.game_id or job.id.partition(":")[2])
        except Refused as error:
            return error.status != _LATER
        except Exception as error:
            if isinstance(error, (SQLAlchemyError, StoreError, OSError)):
                seldom.error("job failed", job=job.id, attempts=job.attempts, error=str(error))
            else:
                log.exception("job failed", job=job.id, attempts=job.attempts)
            return False
        return True

    async def _postpone(self, job: JobRow) -> None:
        """Try the job again after a delay that grows with its attempts."""
        delay = min(1000 * 2 ** min(job.attempts, 16), _LONGEST_DELAY_MS)
        await self._tables.store.postpone_job(job, wall_clock.now_ms() + delay)
        self.wake()

    async def _keep_lease(self, job: JobRow) -> None:
        """Extend the lease of a job that takes long."""
        while True:
            await asyncio.sleep(_LEASE_MS / 3000)
            with contextlib.suppress(Exception):
                await self._tables.store.extend_lease(job, wall_clock.now_ms() + _LEASE_MS)

    async def _sweep(self, _table: str) -> None:
        """Delete outdated data, as configured in the settings, and schedule the next sweep."""
        now = wall_clock.now_ms()
        store, settings = self._tables.store, self._tables.settings
        await store.sweep(now - _COMMANDS_MS, now)
        await store.moderation.sweep(now - _AUDIT_DAYS * _DAY_MS)
        await store.moderation.clear_networks(now - _NETWORK_DAYS * _DAY_MS)
        if settings.gathering_days:
            before = now - int(settings.gathering_days * _DAY_MS)
            for table in await store.stale_tables(before):
                await self._tables.table_setup.expire(table)
            await store.drop_tables(before, begun=False)
        if settings.finished_days:
            dropped = await store.drop_tables(now - int(settings.finished_days * _DAY_MS), begun=True)
            log.info("old games were removed", tables=dropped)
        if settings.guest_days:
            await store.delete_inactive_guests(now - int(settings.guest_days * _DAY_MS))
        for sweep in (self._tables.figures.compute, *self.sweeps):
            await sweep()
        await store.set_jobs([JobRow("sweep", "sweep", None, now + _DAY_MS, f"{now:x}"[-12:])])
