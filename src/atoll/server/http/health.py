"""The answers to those who ask whether the server can be used, such as a balancer."""

from __future__ import annotations

import asyncio
import contextlib
from typing import Final

import structlog
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response

from atoll.store import Store

from ..domain.logs import Seldom
from ..play.heartbeat import Life

seldom = Seldom(structlog.get_logger(__name__))

_PATIENCE_S: Final = 1.5
"""The longest that an answer waits for the database. Balancers wait for 2 s or more."""


class Health:
    """The health of the database, tested once at a time.

    A database that hangs also hangs the end of a test that is cancelled. A test that takes long is therefore never
    cancelled, and those who ask meanwhile wait for it, too.
    """

    def __init__(self, life: Life, store: Store) -> None:
        self._life: Life = life
        self._store: Store = store
        self._test: asyncio.Task[None] | None = None

    async def check(self) -> None:
        """Return if the database can be read and written now.

        Raises:
            TimeoutError: It takes too long.
            Exception: It can't; the error is the database's.
        """
        if self._test is None:
            self._test = asyncio.create_task(self._look())
            self._test.add_done_callback(self._is_over)
        test = self._test
        done, _ = await asyncio.wait({test}, timeout=_PATIENCE_S)
        if not done:
            raise TimeoutError(f"no answer within {_PATIENCE_S} s")
        await test

    def _is_over(self, test: asyncio.Task[None]) -> None:
        self._test = None
        if not test.cancelled():
            test.exception()  # nobody may have waited for it

    async def _look(self) -> None:
        await self._life.check()
        await self._store.revision("healthz")

    async def end(self) -> None:
        """End a test that isn't over."""
        if self._test is not None:
            self._test.cancel()
            with contextlib.suppress(Exception, asyncio.CancelledError):
                await self._test


async def livez(_: Request) -> Response:
    """GET /livez: 200 as long as the server answers at all; else it should be restarted."""
    return PlainTextResponse("ok\n")


async def healthz(request: Request) -> Response:
    """GET /healthz: 200 if the server can read and write its database; else it should be asked for nothing."""
    try:
        await request.app.state.health.check()
    except TimeoutError as error:
        seldom.error("unhealthy", error=str(error))
        return PlainTextResponse("the database doesn't answer in time\n", status_code=503)
    except Exception as error:
        seldom.error("unhealthy", error=str(error))
        return PlainTextResponse("the database can't be read or written\n", status_code=503)
    return PlainTextResponse("ok\n")
