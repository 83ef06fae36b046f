"""Messages between servers on one PostgreSQL database.

`NOTIFY` inside a commit makes all commits wait for each other. A server therefore gathers its
messages and sends them in a transaction of its own. Correctness doesn't depend on their arrival.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable, Sequence
from typing import Final

import asyncpg  # type: ignore[import-untyped]
import structlog
from sqlalchemy import Connection, text
from sqlalchemy.engine import URL

from .address import connection_arguments
from .database import Postgres

log = structlog.get_logger(__name__)

CHANNEL: Final = "atoll"
"""The PostgreSQL channel of the messages."""
NOTIFY: Final = text(f"SELECT pg_notify('{CHANNEL}', :payload)")
"""Statement that sends a payload: a JSON list of messages."""

_GATHER_S: Final = 0.05
_RETRY_S: Final = 1.0
_MOST_BYTES: Final = 7500
"""Largest payload; PostgreSQL permits 8000 bytes."""
_MOST_WAITING: Final = 20_000


def payload_of(messages: Sequence[str]) -> str:
    """Return the payload of messages, each a JSON text."""
    return f"[{','.join(messages)}]"


def payloads_of(messages: Sequence[str]) -> list[str]:
    """Return as few payloads as possible of messages, each a JSON text, in their order."""
    payloads: list[str] = []
    batch: list[str] = []
    size = 2
    for message in messages:
        length = len(message.encode()) + 1
        if batch and size + length > _MOST_BYTES:
            payloads.append(payload_of(batch))
            batch, size = [], 2
        batch.append(message)
        size += length
    return [*payloads, payload_of(batch)] if batch else payloads


class Bus:
    """Sends and receives messages of servers.

    Attributes:
        on_batch: Called after each transaction that sent messages.

    Args:
        database: The database whose pool sends.
        listen: Address of the connection that listens. `LISTEN` needs a connection of its own,
            which a pooler such as PgBouncer doesn't give.
    """

    def __init__(self, database: Postgres, listen: URL) -> None:
        self._database: Postgres = database
        self._listen: URL = listen
        self._waiting: list[str] = []
        self._arrived: asyncio.Event = asyncio.Event()
        self._task: asyncio.Task[None] | None = None
        self.on_batch: Callable[[], None] = lambda: None

    def publish(self, message: str) -> None:
        """Send a message to all servers soon.

        Args:
            message: A JSON text.
        """
        self._waiting.append(message)
        self._arrived.set()
        if self._task is None:
            self._task = asyncio.create_task(self._run(), name="bus")

    async def _run(self) -> None:
        """Send messages until canceled; those that can't be sent are tried again."""
        while True:
            await self._arrived.wait()
            await asyncio.sleep(_GATHER_S)
            try:
                await self._send()
            except Exception as error:
                log.warning("servers can't be notified", error=str(error))
                # The oldest are dropped: the others look at the database after `--trust-s` anyway.
                del self._waiting[:-_MOST_WAITING]
                await asyncio.sleep(_RETRY_S)

    async def _send(self) -> None:
        self._arrived.clear()
        count = len(self._waiting)
        payloads = [{"payload": each} for each in payloads_of(self._waiting[:count])]
        if not payloads:
            return

        def work(connection: Connection) -> None:
            """Send all payloads with one commit."""
            for each in payloads:
                connection.execute(NOTIFY, each)

        try:
            await self._database.write(work)
        except BaseException:
            self._arrived.set()
            raise
        del self._waiting[:count]
        self.on_batch()

    async def close(self) -> None:
        """Send the waiting messages, and stop."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)
            with contextlib.suppress(Exception):
                await self._send()

    @contextlib.asynccontextmanager
    async def listening(self, heard: Callable[[str], None]) -> AsyncIterator[asyncio.Event]:
        """Listen as long as the context lasts.

        Args:
            heard: Called with each payload.

        Yields:
            An event that is set when the connection has ended. Enter a new context then.
        """
        ended = asyncio.Event()
        connection = await asyncpg.connect(**connection_arguments(self._listen))

        def _pass_on(_connection: object, _pid: int, _channel: str, payload: str) -> None:
            heard(payload)

        try:
            connection.add_termination_listener(lambda _: ended.set())
            await connection.add_listener(CHANNEL, _pass_on)
            yield ended
        finally:
            await connection.close(timeout=5)
