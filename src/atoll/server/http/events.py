"""Push: a browser's one stream of news, and polling for where streams don't get through."""

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
from ..play import Tables
from ..play.subscriptions import Stream
from .session import address, tables

PING_S: Final = 15.0
_LIFE_S: Final = 1800.0
"""A stream is ended after this time; the browser opens it anew, and its rights are looked at again."""

_open: Counter[str] = Counter()


class EventStream(Response):
    """Thin events: which table has which version now. See News.open_stream.

    views: each table is sent along as the reader may see it, without log and chat.
    """

    media_type = "text/event-stream"

    def __init__(self, found: Tables, who: User | None, watch: list[str], origin: str, *, views: bool = False) -> None:
        super().__init__(headers={"x-accel-buffering": "no"})
        del self.headers["content-length"]
        self._tables: Tables = found
        self._who: User | None = who
        self._watch: list[str] = watch
        self._origin: str = origin
        self._views: bool = views

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """ASGI. Raises Refused before anything is sent."""
        async with self._counted():
            stream = await self._tables.news.open_stream(self._who, self._watch)
            gone = asyncio.create_task(_until_gone(receive))
            gone.add_done_callback(lambda _: stream.end())
            try:
                await send({"type": "http.response.start", "status": 200, "headers": self.raw_headers})
                await send({"type": "http.response.body", "body": b"retry: 2000\n\n", "more_body": True})
                await self._pour(stream, send)
            finally:
                self._tables.hub.remove(stream)
                gone.cancel()

    @contextlib.asynccontextmanager
    async def _counted(self) -> AsyncIterator[None]:
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

    async def _pour(self, stream: Stream, send: Send) -> None:
        until = time.monotonic() + _LIFE_S
        while time.monotonic() < until:
            tables, lists = await stream.take(PING_S)
            if stream.ended:
                break
            body = self._message([await self._table(*each) for each in tables.items()], lists=lists)
            await send({"type": "http.response.body", "body": body, "more_body": True})
        await send({"type": "http.response.body", "body": b"", "more_body": False})

    def _message(self, tables: Sequence[bytes], *, lists: bool) -> bytes:
        """These news of tables, and that lists have changed; a ping if nothing has."""
        parts = [b"event: table\ndata: " + each + b"\n\n" for each in tables]
        if lists:
            parts.append(b"event: lists\ndata: {}\n\n")
        # No message has an id: one that counts messages of the whole server would show what others do in private.
        return b"".join(parts) or b"event: ping\ndata: {}\n\n"

    async def _table(self, table: str, version: str) -> bytes:
        """The news of one table."""
        view = None
        if self._views:
            with contextlib.suppress(Refused):
                view = await self._tables.reading.table(
                    self._who, table, log_from=sys.maxsize, chat_from=sys.maxsize, encodable=True
                )
        return _told(table, version, view)


def _told(table: str, version: str, view: TableView | None) -> bytes:
    """Return the news of one table, with the reader's view if there is one."""
    if view is None:
        return msgspec.json.encode({"game": table, "version": version})
    return msgspec.json.encode({"game": table, "version": view.version, "view": view})


def watched(texts: Iterable[str]) -> list[str]:
    """Table ids of a query such as `watch=a,b`; at most 50, without repetition."""
    found: dict[str, None] = {}
    for text in texts:
        for each in text.split(","):
            if each and len(each) <= 32 and len(found) < 50:
                found[each] = None
    return list(found)


async def _until_gone(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass


async def events(request: Request) -> Response:
    """GET /events: the stream of a browser."""
    watch = watched(request.query_params.getlist("watch"))
    return EventStream(tables(request), request.state.user, watch, address(request.scope))


async def poll(request: Request) -> Response:
    """GET /events/poll: the versions now; 304 if they are as the asker knows them."""
    found = await tables(request).news.versions(request.state.user, watched(request.query_params.getlist("watch")))
    body = msgspec.json.encode({"tables": found}, order="deterministic")
    tag = f'"{hashlib.sha256(body).hexdigest()[:20]}"'
    headers = {"etag": tag}
    if tag in request.headers.get("if-none-match", ""):
        return Response(status_code=304, headers=headers)
    return Response(body, media_type="application/json", headers=headers)


routes: Final = [Route("/events", events), Route("/events/poll", poll)]
