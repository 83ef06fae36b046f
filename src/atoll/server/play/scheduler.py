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

from atoll.store import BOT, JobRow, StoreError

from ..domain import metrics, wall_clock
from ..domain.logs import RateLimitedLogger
from ..domain.model import Refused
from . import TableServices

log = structlog.get_logger(__name__)
seldom = RateLimitedLogger(log)

_LEASE_MS: Final = 20_000
_AT_ONCE: Final = 50
"""Largest number of running bot jobs, and of other running jobs."""
_IDLE_S: Final = 15.0
_DAY_MS: Final = 86_400_000
ANSWER_DAYS: Final = 2
"""Days for which the answer to a command is stored under its idempotency key."""
_COMMANDS_MS: Final = ANSWER_DAYS * _DAY_MS
AUDIT_DAYS: Final = 365
"""Days for which the acts of moderators are stored."""
NETWORK_DAYS: Final = 30
"""Days for which the network of a session's last use is stored, as a hash."""
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
        self._watch_ms: int = int(1000 * _WATCH_S)
        self._is_full: bool = False
        self.sweeps: list[Callable[[], Awaitable[None]]] = []
        self._running: dict[str, asyncio.Task[None]] = {}
        self._leased: dict[asyncio.Task[None], JobRow] = {}
        self._handlers: dict[str, Callable[[str], Awaitable[None]]] = {
            "bot": tables.bot_turns.play,
            "clock": tables.timeouts.decide,
            "start": tables.table_setup.start_due,
            "plan": tables.planned_turns.answer_due,
            "pack": self._pack,
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
        leases = asyncio.create_task(self._keep_leases(), name="job leases")
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
            tasks = (leases, *self._leased)
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

    async def look(self) -> float:
        """Start the due jobs for which there is room; errors of the database pass through.

        None are started during maintenance.

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
        now = wall_clock.now_ms()
        if time.monotonic() >= self._watch_at:
            if await store.claim_watch(now, self._watch_ms):
                await self._set_missing_jobs()
            self._watch_at = time.monotonic() + _WATCH_S
        bots, others, workers = self._room()
        leased = await store.lease_jobs(now, now + _LEASE_MS, others, bots=bots, room=workers)
        metrics.JOBS_DUE_SECONDS.set(max((now - job.due for job in leased), default=0) / 1000)
        for job in leased:
            self._start(job)
        # Jobs without room are leased when another one ends, or by another server.
        bots, others, workers = self._room()
        self._is_full = not (bots and others and workers)
        due = await store.next_due(bots=bots > 0 and workers > 0, others=others > 0)
        return _IDLE_S if due is None else min(_IDLE_S, max(0.0, (due - wall_clock.now_ms()) / 1000))

    def _room(self) -> tuple[int, int, int]:
        """Return how many bot jobs and other jobs may still run, and how many workers are free."""
        bots = sum(job.kind == BOT for job in self._leased.values())
        others = len(self._leased) - bots
        metrics.JOBS_RUNNING.set(len(self._leased))
        workers = self._tables.settings.bot_workers
        return max(0, _AT_ONCE - bots), max(0, _AT_ONCE - others), max(0, workers - bots)

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
        self._leased[task] = job

        def ended(task: asyncio.Task[None]) -> None:
            """Forget the task, and fill its place."""
            del self._leased[task]
            if self._running.get(job.id) is task:
                del self._running[job.id]
            if self._is_full:
                self.wake()

        task.add_done_callback(ended)

    async def _do(self, job: JobRow, before: asyncio.Task[None] | None) -> None:
        """Do a job after the one of the same id that may still be running."""
        if before is not None:
            await asyncio.wait([before])
        try:
            if await self._is_finished(job):
                await self._tables.store.finish_jobs([job])
            else:
                await self._postpone(job)
        except Exception as error:
            # The job is tried again after its lease expires.
            seldom.error("job can't be written", error=str(error))

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

    async def _keep_leases(self) -> None:
        """Extend the leases of all running jobs until canceled."""
        while True:
            await asyncio.sleep(_LEASE_MS / 3000)
            if self._leased:
                with contextlib.suppress(Exception):
                    jobs = tuple(self._leased.values())
                    await self._tables.store.extend_leases(jobs, wall_clock.now_ms() + _LEASE_MS)

    async def _pack(self, table: str) -> None:
        """Pack the checkpoints of a finished game."""
        await self._tables.store.pack_checkpoints(table)

    async def _sweep(self, _table: str) -> None:
        """Delete outdated data, as configured in the settings, and schedule the next sweep."""
        now = wall_clock.now_ms()
        store, settings = self._tables.store, self._tables.settings
        await store.sweep(now - _COMMANDS_MS, now)
        await store.moderation.sweep(now - AUDIT_DAYS * _DAY_MS)
        await store.moderation.clear_networks(now - NETWORK_DAYS * _DAY_MS)
        await store.presence.sweep(wall_clock.machine_ms())
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
        for sweep in (self._tables.figures.compute, self._tables.flags.look, *self.sweeps):
            await sweep()
        await store.set_jobs([JobRow("sweep", "sweep", None, now + _DAY_MS, f"{now:x}"[-12:])])
