"""The one loop that does what is due: bots' turns, clocks, starts, analyses, the sweep. The store knows what is.

A job is leased, done, and removed; a server that dies in between loses its lease, and the job is done by the next one.
What can't be done now (a database that is away, a fault) is tried again, later each time: only success ends a job, or a
refusal that no later try would change.
Every handler may therefore run twice: it looks at the table as it is, and does only what is still to be done.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Awaitable, Callable
from typing import Final

import structlog

from atoll.store import JobRow, StoreError

from .. import times
from ..model import Refused
from . import Tables

log = structlog.get_logger(__name__)

_LEASE_MS: Final = 20_000
_IDLE_S: Final = 15.0
_DAY_MS: Final = 86_400_000
_COMMANDS_MS: Final = 2 * _DAY_MS
_LONGEST_DELAY_MS: Final = 64_000


class Scheduler:
    """Runs jobs as long as the server runs. `wake` makes it look at once."""

    def __init__(self, tables: Tables) -> None:
        self._tables: Tables = tables
        self._news: asyncio.Event = asyncio.Event()
        self._running: dict[str, asyncio.Task[None]] = {}
        self._handlers: dict[str, Callable[[str], Awaitable[None]]] = {
            "bot": tables.bots.play,
            "clock": tables.time_outs.decide,
            "start": tables.gathering.start_due,
            "analysis": tables.study.analyse_due,
            "sweep": self._sweep,
        }
        tables.keeper.wake = self.wake

    def wake(self) -> None:
        """There is a job that is or will be due."""
        self._news.set()

    async def run(self) -> None:
        """Until cancelled."""
        store = self._tables.store
        with contextlib.suppress(StoreError):
            if store.dialect == "sqlite":
                # One server has the file; what is leased was leased by its predecessor, which is gone.
                await store.release_jobs()
            await store.set_jobs([JobRow("sweep", "sweep", None, times.now_ms() + 60_000, "daily")])
        try:
            while True:
                self._news.clear()
                wait = _IDLE_S
                try:
                    for job in await store.lease_jobs(times.now_ms(), times.now_ms() + _LEASE_MS):
                        self._start(job)
                    due = await store.next_due()
                    if due is not None:
                        wait = min(wait, max(0.0, (due - times.now_ms()) / 1000))
                except Exception:
                    log.exception("jobs can't be read")
                with contextlib.suppress(TimeoutError):
                    async with asyncio.timeout(wait):
                        await self._news.wait()
        finally:
            for task in tuple(self._running.values()):
                task.cancel()
            await asyncio.gather(*self._running.values(), return_exceptions=True)

    def _start(self, job: JobRow) -> None:
        before = self._running.get(job.id)
        task = asyncio.create_task(self._do(job, before), name=f"job {job.id}")
        self._running[job.id] = task

        def ended(task: asyncio.Task[None]) -> None:
            if self._running.get(job.id) is task:
                del self._running[job.id]

        task.add_done_callback(ended)

    async def _do(self, job: JobRow, before: asyncio.Task[None] | None) -> None:
        """One job, after the one of the same name that may still be running."""
        if before is not None:
            await asyncio.wait([before])
        handler = self._handlers.get(job.kind)
        keep = asyncio.create_task(self._keep(job))
        try:
            if handler is None:
                log.error("unknown job", kind=job.kind)
            else:
                await handler(job.game_id or "")
            await self._tables.store.finish_jobs([job])
        except Refused as error:
            if error.status == 503:
                await self._postpone(job)
            else:
                await self._tables.store.finish_jobs([job])
        except Exception:
            log.exception("job failed", job=job.id, attempts=job.attempts)
            await self._postpone(job)
        finally:
            keep.cancel()

    async def _postpone(self, job: JobRow) -> None:
        """Try again later. If even that can't be written, the job is tried again when its lease is over."""
        delay = min(1000 * 2 ** min(job.attempts, 16), _LONGEST_DELAY_MS)
        with contextlib.suppress(Exception):
            await self._tables.store.postpone_job(job, times.now_ms() + delay)
        self.wake()

    async def _keep(self, job: JobRow) -> None:
        """Renew the lease of a job that takes long."""
        while True:
            await asyncio.sleep(_LEASE_MS / 3000)
            with contextlib.suppress(Exception):
                await self._tables.store.extend_lease(job, times.now_ms() + _LEASE_MS)

    async def _sweep(self, _table: str) -> None:
        """Forget idempotency keys and tokens whose time is over."""
        now = times.now_ms()
        await self._tables.store.sweep(now - _COMMANDS_MS, now)
        await self._tables.store.set_jobs([JobRow("sweep", "sweep", None, now + _DAY_MS, f"{now:x}"[-12:])])
