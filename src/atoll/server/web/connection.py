"""A client's connection: uvicorn's, with bounds and with patience that ends, and less to send."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from functools import partial
from typing import Any, Final

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from .. import metrics
from .places import Places

_Base: Any = HttpToolsProtocol

Push = Callable[[bytes], bool]
"""Sends a piece of an answer that has begun, at once; False where it would have to wait: nothing is sent then."""

PUSH: Final = "atoll.push"
"""By this name a request's scope has a Push among its extensions."""

_TOO_LONG: Final = b"the request line and headers are too long\n"
_REFUSAL: Final = (
    b"HTTP/1.1 431 Request Header Fields Too Large\r\ncontent-type: text/plain\r\n"
    b"content-length: %d\r\nconnection: close\r\n\r\n%b" % (len(_TOO_LONG), _TOO_LONG)
)


class _Gathered:
    """A transport that sends at once what is written in one round of the loop: an answer's head with its body."""

    def __init__(self, transport: Any, loop: asyncio.AbstractEventLoop) -> None:
        self._transport: Any = transport
        self._soon: Callable[..., Any] = loop.call_soon
        self._parts: list[bytes] = []

    def write(self, data: bytes) -> None:
        """See asyncio."""
        if not self._parts:
            self._soon(self._send)
        self._parts.append(data)

    def _send(self) -> None:
        parts, self._parts = self._parts, []
        if parts and not self._transport.is_closing():
            self._transport.write(parts[0] if len(parts) == 1 else b"".join(parts))

    def close(self) -> None:
        """See asyncio."""
        self._send()
        self._transport.close()

    def __getattr__(self, name: str) -> Any:
        return getattr(self._transport, name)


class _TooLongError(Exception):
    """The head of a request, or what is sent around its body, is too long."""


class Connection(_Base):  # type: ignore[misc]
    """A client is let go that dawdles over a request's head, sends too long a one, or takes nothing of what it is sent.

    patience: in seconds. places: where it has one. head_bytes: the longest head. message_bytes: the longest request
    as it is sent, with all that surrounds its body.
    """

    patience: float
    places: Places
    head_bytes: int
    message_bytes: int
    _idle: asyncio.TimerHandle | None = None
    _stuck: asyncio.TimerHandle | None = None
    _refused: bool = False
    _in_head: bool = False
    _in_message: bool = False
    _received: int = 0
    _head: int = 0

    def connection_made(self, transport: Any) -> None:
        """See asyncio."""
        peer = transport.get_extra_info("peername")
        if not self.places.enter(self, str(peer[0]) if peer else "unknown"):
            self._refused = True
            transport.abort()
            return
        super().connection_made(_Gathered(transport, self.loop))
        self._watch()

    def data_received(self, data: bytes) -> None:
        """See asyncio."""
        # Of a message that has just begun this counts nothing yet: a single piece can't be long.
        self._received += len(data)
        if self._in_message and self._received > (self.head_bytes if self._in_head else self.message_bytes):
            self._refuse_head()
            return
        super().data_received(data)
        self._watch()

    def connection_lost(self, exc: Exception | None) -> None:
        """See asyncio."""
        if self._refused:
            return
        self.places.leave(self)
        self._have_request()
        self._have_room()
        super().connection_lost(exc)

    def let_go(self) -> None:
        """Close it, in favour of another one."""
        self.transport.close()

    # -- the request as it is read -------------------------------------------------------------------------------

    def on_message_begin(self) -> None:
        """See uvicorn."""
        self._in_head = self._in_message = True
        self._received = self._head = 0
        super().on_message_begin()

    def on_url(self, url: bytes) -> None:
        """See uvicorn."""
        self._count(len(url))
        super().on_url(url)

    def on_header(self, name: bytes, value: bytes) -> None:
        """See uvicorn. Trailers come here, too."""
        self._count(len(name) + len(value))
        super().on_header(name, value)

    def on_headers_complete(self) -> None:
        """See uvicorn."""
        self._in_head = False
        super().on_headers_complete()
        self.scope["extensions"] = {PUSH: partial(_push, self.cycle)}
        self.places.is_busy(self)

    def on_message_complete(self) -> None:
        """See uvicorn."""
        self._in_message = False
        super().on_message_complete()

    def on_response_complete(self) -> None:
        """See uvicorn."""
        super().on_response_complete()
        if self._is_idle():
            self.places.is_idle(self)

    def _count(self, size: int) -> None:
        self._head += size
        if self._head > self.head_bytes:
            raise _TooLongError

    def send_400_response(self, msg: str) -> None:
        """See uvicorn: the parser has stopped."""
        if self._head > self.head_bytes:
            self._refuse_head()
        else:
            metrics.REFUSED.labels("no_http").inc()
            super().send_400_response(msg)

    def _refuse_head(self) -> None:
        metrics.REFUSED.labels("long_head").inc()
        self._have_request()
        if self._is_idle():
            self.transport.write(_REFUSAL)
        self.transport.close()

    # -- on the way in -------------------------------------------------------------------------------------------

    def _is_idle(self) -> bool:
        return self.cycle is None or bool(self.cycle.response_complete)

    def _watch(self) -> None:
        if not self._is_idle():
            self._have_request()
        elif self._idle is None:
            self._idle = self.loop.call_later(self.patience, self._time_out)

    def _have_request(self) -> None:
        if self._idle is not None:
            self._idle.cancel()
            self._idle = None

    def _time_out(self) -> None:
        self._idle = None
        if self._is_idle() and not self.transport.is_closing():
            self.transport.close()

    # -- on the way out ------------------------------------------------------------------------------------------

    def pause_writing(self) -> None:
        """See asyncio."""
        super().pause_writing()
        self._expect_room()

    def resume_writing(self) -> None:
        """See asyncio."""
        self._have_room()
        super().resume_writing()

    def _expect_room(self) -> None:
        """After some time, something of what waits to be taken must be gone."""
        waiting = self.transport.get_write_buffer_size()
        self._stuck = self.loop.call_later(self.patience, self._look_for_room, waiting)

    def _have_room(self) -> None:
        if self._stuck is not None:
            self._stuck.cancel()
            self._stuck = None

    def _look_for_room(self, before: int) -> None:
        if self.transport.get_write_buffer_size() < before:
            self._expect_room()
        else:
            self.transport.abort()


def _push(cycle: Any, body: bytes) -> bool:
    """See Push. cycle: uvicorn's, of the request."""
    if not cycle.response_started or cycle.response_complete or cycle.disconnected or cycle.flow.write_paused:
        return False
    sending = cycle.send({"type": "http.response.body", "body": body, "more_body": True})
    try:
        # All that it ever waits for is room, and there is.
        sending.send(None)
    except StopIteration:
        return True
    raise RuntimeError("sending waits for something else than room")


def connections(places: Places, *, patience: float, head_bytes: int, message_bytes: int) -> type[Connection]:
    """Connections with these bounds; see Connection."""
    bounds = {"places": places, "patience": patience, "head_bytes": head_bytes, "message_bytes": message_bytes}
    return type("Connection", (Connection,), bounds)
