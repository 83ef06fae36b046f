"""Health checks of the server, for load balancers and supervisors."""

from __future__ import annotations

import asyncio
import contextlib
from typing import Final

import structlog
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response

from atoll.store import Store

from ..domain.build_info import build_info
from ..domain.logs import RateLimitedLogger
from ..play.heartbeat import Heartbeat
from .forwarding import FORWARDED

seldom = RateLimitedLogger(structlog.get_logger(__name__))

VERSION_HEADER: Final = "atoll-version"
FORWARDED_HEADER: Final = "atoll-forwarded"
"""Header with the verdict on the address of the client; see `ForwardedAddresses`."""

_TIMEOUT_S: Final = 1.5
"""Seconds that an answer waits for the database at most. Load balancers wait for 2 s or more."""


class Health:
    """The health of the database, tested by one test at a time.

    If the database hangs, a canceled test hangs, too. A slow test is therefore never canceled, and
    later checks wait for the same test.
    """

    def __init__(self, heartbeat: Heartbeat, store: Store) -> None:
        self._heartbeat: Heartbeat = heartbeat
        self._store: Store = store
        self._test: asyncio.Task[None] | None = None

    async def check(self) -> None:
        """Return if the database can be read and written now.

        Raises:
            TimeoutError: If the test takes too long.
            Exception: If reading or writing fails; the error is the database's.
        """
        if self._test is None:
            self._test = asyncio.create_task(self._run_test())
            self._test.add_done_callback(self._on_test_done)
        test = self._test
        done, _ = await asyncio.wait({test}, timeout=_TIMEOUT_S)
        if not done:
            raise TimeoutError(f"no answer within {_TIMEOUT_S} s")
        await test

    def _on_test_done(self, test: asyncio.Task[None]) -> None:
        """Forget a test that has ended."""
        self._test = None
        if not test.cancelled():
            # Marks the exception as retrieved, since perhaps no check waits for the test.
            test.exception()

    async def _run_test(self) -> None:
        """Write a heartbeat and read from the database."""
        await self._heartbeat.check()
        await self._store.revision("healthz")

    async def end(self) -> None:
        """Cancel a test that is still running."""
        if self._test is not None:
            self._test.cancel()
            with contextlib.suppress(Exception, asyncio.CancelledError):
                await self._test


async def livez(request: Request) -> Response:
    """GET /livez: 200 while the server answers at all. Without an answer, restart it."""
    headers = {VERSION_HEADER: build_info().version}
    if FORWARDED in request.scope:
        headers[FORWARDED_HEADER] = request.scope[FORWARDED]
    return PlainTextResponse("ok\n", headers=headers)


async def healthz(request: Request) -> Response:
    """GET /healthz: 200 if the server can use its database; 503 if it should get no requests."""
    try:
        await request.app.state.health.check()
    except TimeoutError as error:
        seldom.error("unhealthy", error=str(error))
        return PlainTextResponse("the database doesn't answer in time\n", status_code=503)
    except Exception as error:
        seldom.error("unhealthy", error=str(error))
        return PlainTextResponse("the database can't be read or written\n", status_code=503)
    return PlainTextResponse("ok\n")
