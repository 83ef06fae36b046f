"""Push: a browser's one stream of news, and polling for where streams don't get through."""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import time
from collections import Counter
from collections.abc import AsyncIterator
from typing import Final

import msgspec
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route
from starlette.types import Receive, Scope, Send

from . import metrics
from .http import address, service, watched
from .hub import Stream
from .model import Refused, User
from .service import Service

PING_S: Final = 15.0
_LIFE_S: Final = 1800.0
"""A stream is ended after this time; the browser opens it anew, and its rights are looked at again."""

_open: Counter[str] = Counter()


class EventStream(Response):
    """Thin events: which table has which version now. See Service.open_stream."""

    media_type = "text/event-stream"

    def __init__(self, found: Service, who: User | None, watch: list[str], last_id: str, origin: str) -> None:
        super().__init__(headers={"x-accel-buffering": "no"})
        del self.headers["content-length"]
        self._service: Service = found
        self._who: User | None = who
        self._watch: list[str] = watch
        self._last_id: str = last_id
        self._origin: str = origin

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """ASGI. Raises Refused before anything is sent."""
        async with self._counted():
            stream = await self._service.open_stream(self._who, self._watch, self._last_id)
            gone = asyncio.create_task(_until_gone(receive))
            try:
                await send({"type": "http.response.start", "status": 200, "headers": self.raw_headers})
                await send({"type": "http.response.body", "body": b"retry: 2000\n\n", "more_body": True})
                await self._pour(stream, gone, send)
            finally:
                self._service.hub.remove(stream)
                gone.cancel()

    @contextlib.asynccontextmanager
    async def _counted(self) -> AsyncIterator[None]:
        if _open[self._origin] >= self._service.settings.streams_per_address:
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

    async def _pour(self, stream: Stream, gone: asyncio.Task[None], send: Send) -> None:
        until = time.monotonic() + _LIFE_S
        while time.monotonic() < until and not gone.done():
            news = asyncio.create_task(stream.take(PING_S))
            await asyncio.wait({news, gone}, return_when=asyncio.FIRST_COMPLETED)
            if not news.done():
                news.cancel()
                break
            tables, lists = news.result()
            text = _messages(tables, lists, self._service.hub.last_id) or ": ping\n\n"
            await send({"type": "http.response.body", "body": text.encode(), "more_body": True})
        await send({"type": "http.response.body", "body": b"", "more_body": False})


def _messages(tables: dict[str, str], lists: bool, id: str) -> str:
    parts = []
    for table, version in tables.items():
        data = msgspec.json.encode({"game": table, "version": version}).decode()
        parts.append(f"event: table\ndata: {data}\n\n")
    if lists:
        parts.append("event: lists\ndata: {}\n\n")
    if parts:
        # Only the last message carries the id: whoever has got it has got all.
        parts[-1] = f"id: {id}\n" + parts[-1]
    return "".join(parts)


async def _until_gone(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass


def stream_for(request: Request, who: User | None, last_id: str) -> EventStream:
    """The stream that a request asks for."""
    watch = watched(request.query_params.getlist("watch"))
    return EventStream(service(request), who, watch, last_id, address(request.scope))


async def events(request: Request) -> Response:
    """GET /events: the stream of a browser."""
    return stream_for(request, request.state.user, request.headers.get("last-event-id", "")[:100])


async def poll(request: Request) -> Response:
    """GET /events/poll: the versions now; 304 if they are as the asker knows them."""
    found = await service(request).versions(request.state.user, watched(request.query_params.getlist("watch")))
    body = msgspec.json.encode({"tables": found}, order="deterministic")
    tag = f'"{hashlib.sha256(body).hexdigest()[:20]}"'
    headers = {"etag": tag}
    if tag in request.headers.get("if-none-match", ""):
        return Response(status_code=304, headers=headers)
    return Response(body, media_type="application/json", headers=headers)


routes: Final = [Route("/events", events), Route("/events/poll", poll)]
