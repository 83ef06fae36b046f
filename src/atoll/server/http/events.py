"""Event streams: server-sent events that report changes of tables, and polling as a fallback."""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import sys
import time
from collections import Counter
from collections.abc import AsyncIterator, Iterable, Sequence
from typing import Final

import msgspec
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route
from starlette.types import Receive, Scope, Send

from ..domain import metrics
from ..domain.model import Refused, TableView, User
from ..play import TableServices
from ..play.subscriptions import Subscription
from .session import address, tables

PING_S: Final = 15.0
_MAX_STREAM_S: Final = 1800.0
"""Seconds after which a stream ends. The browser's next stream checks the user's rights again."""

_open: Counter[str] = Counter()


class EventStream(Response):
    """Response that streams the new versions of tables; see `TableUpdates.open_stream`.

    Args:
        found: The table services.
        who: The user, or None without one.
        watch: Ids of the tables to report in addition to the user's own.
        origin: Address of the client, which may have a limited number of streams open.
        views: Whether each update contains the table as the user may see it, without log and chat.
        is_page: Whether the stream belongs to pages, which show who is at a table.
    """

    media_type = "text/event-stream"

    def __init__(
        self,
        found: TableServices,
        who: User | None,
        watch: list[str],
        origin: str,
        *,
        views: bool = False,
        is_page: bool = False,
    ) -> None:
        super().__init__(headers={"x-accel-buffering": "no"})
        del self.headers["content-length"]
        self._tables: TableServices = found
        self._who: User | None = who
        self._watch: list[str] = watch
        self._origin: str = origin
        self._views: bool = views
        self._is_page: bool = is_page
        self._here: dict[str, tuple[int, ...]] = {}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send the stream until the client closes it or its time is up.

        Args:
            scope: The ASGI scope.
            receive: Reports when the client closes the connection.
            send: Sends the stream.

        Raises:
            Refused: If too many streams are open. Nothing has been sent then.
        """
        async with self._count_open():
            stream = await self._tables.updates.open_stream(self._who, self._watch, is_page=self._is_page)
            gone = asyncio.create_task(_wait_for_disconnect(receive))
            gone.add_done_callback(lambda _: stream.end())
            try:
                await send({"type": "http.response.start", "status": 200, "headers": self.raw_headers})
                await send({"type": "http.response.body", "body": b"retry: 2000\n\n", "more_body": True})
                await self._send_updates(stream, send)
            finally:
                self._tables.hub.remove(stream)
                gone.cancel()

    @contextlib.asynccontextmanager
    async def _count_open(self) -> AsyncIterator[None]:
        """Count the stream while it is open.

        Raises:
            Refused: If too many streams are open from this address.
        """
        if _open[self._origin] >= self._tables.settings.streams_per_address:
            raise Refused("streams", 503, "too many open streams from your address; poll instead", retry_after=30)
        _open[self._origin] += 1
        metrics.STREAMS.inc()
        try:
            yield
        finally:
            metrics.STREAMS.dec()
            _open[self._origin] -= 1
            if not _open[self._origin]:
                del _open[self._origin]

    async def _send_updates(self, stream: Subscription, send: Send) -> None:
        """Send updates as they arrive, and a ping if there are none for `PING_S` seconds."""
        until = time.monotonic() + _MAX_STREAM_S
        while time.monotonic() < until:
            tables, lists = await stream.take(PING_S)
            if stream.ended:
                break
            body = self._message(
                [await self._encode_update(*each) for each in tables.items()],
                await self._encode_here(stream.take_here()),
                lists=lists,
            )
            await send({"type": "http.response.body", "body": body, "more_body": True})
        await send({"type": "http.response.body", "body": b"", "more_body": False})

    def _message(self, tables: Sequence[bytes], here: Sequence[bytes], *, lists: bool) -> bytes:
        """Return server-sent events for updates; a ping if there are none.

        Args:
            tables: Updates of tables, each encoded as JSON.
            here: The people at tables, each encoded as JSON.
            lists: Whether lists of tables have changed.
        """
        parts = [b"event: table\ndata: " + each + b"\n\n" for each in tables]
        parts += [b"event: here\ndata: " + each + b"\n\n" for each in here]
        if lists:
            parts.append(b"event: lists\ndata: {}\n\n")
        # Messages have no id: a number that counts all messages would reveal what others do.
        return b"".join(parts) or b"event: ping\ndata: {}\n\n"

    async def _encode_here(self, tables: Iterable[str]) -> list[bytes]:
        """Return the seats of the other people at tables as JSON, unless they were sent already."""
        found = []
        for table in tables:
            seats: tuple[int, ...] = ()
            with contextlib.suppress(Refused):
                seats = await self._tables.updates.others_at(self._who, table)
            if seats != self._here.get(table):
                self._here[table] = seats
                found.append(msgspec.json.encode({"game": table, "seats": seats}))
        return found

    async def _encode_update(self, table: str, version: str) -> bytes:
        """Return the update of one table, encoded as JSON."""
        view = None
        if self._views:
            with contextlib.suppress(Refused):
                view = await self._tables.table_views.table(
                    self._who, table, log_from=sys.maxsize, chat_from=sys.maxsize, encodable=True
                )
        return _update_message(table, version, view)


def _update_message(table: str, version: str, view: TableView | None) -> bytes:
    """Return the update of one table, with the user's view unless it is None."""
    if view is None:
        return msgspec.json.encode({"game": table, "version": version})
    return msgspec.json.encode({"game": table, "version": view.version, "view": view})


def parse_watch(texts: Iterable[str]) -> list[str]:
    """Return the table ids of a query such as `watch=a,b`: at most 50, without repetition."""
    found: dict[str, None] = {}
    for text in texts:
        for each in text.split(","):
            if each and len(each) <= 32 and len(found) < 50:
                found[each] = None
    return list(found)


async def _wait_for_disconnect(receive: Receive) -> None:
    """Return when the client has closed the connection."""
    while (await receive())["type"] != "http.disconnect":
        pass


async def events(request: Request) -> Response:
    """GET /events: the event stream of a browser."""
    watch = parse_watch(request.query_params.getlist("watch"))
    return EventStream(tables(request), request.state.user, watch, address(request.scope), is_page=True)


async def poll(request: Request) -> Response:
    """GET /events/poll: current versions by table; 304 if the client has them already."""
    found = await tables(request).updates.versions(
        request.state.user, parse_watch(request.query_params.getlist("watch"))
    )
    body = msgspec.json.encode({"tables": found}, order="deterministic")
    tag = f'"{hashlib.sha256(body).hexdigest()[:20]}"'
    headers = {"etag": tag}
    if tag in request.headers.get("if-none-match", ""):
        return Response(status_code=304, headers=headers)
    return Response(body, media_type="application/json", headers=headers)


routes: Final = [Route("/events", events), Route("/events/poll", poll)]
