"""A client's connection: uvicorn's, with bounds and with patience that ends, and less to send.

What programs send most, a command to the API that arrives at once, is answered without ASGI between.
"""

from __future__ import annotations

import asyncio
import functools
import re
from collections.abc import Awaitable, Callable, Mapping
from functools import partial
from types import MappingProxyType
from typing import Any, ClassVar, Final

from uvicorn.protocols.http.httptools_impl import STATUS_LINE, HttpToolsProtocol

from .. import metrics
from .gathered import Gathered, push
from .heads import Heads
from .operations import Answer
from .places import Places

_Base: Any = HttpToolsProtocol

Push = Callable[[bytes], bool]
"""Sends a piece of an answer that has begun, at once; False where it would have to wait: nothing is sent then."""

PUSH: Final = "atoll.push"
"""By this name a request's scope has a Push among its extensions."""

Direct = Callable[[Any, bytes], Awaitable[Answer]]
"""Answers a request to the API by its scope and body; see Guard.answer."""

_PLAIN: Final = re.compile(rb"/api/v1/[\w/-]{1,200}")
_TOO_LONG: Final = b"the request line and headers are too long\n"
_REFUSAL: Final = (
    b"HTTP/1.1 431 Request Header Fields Too Large\r\ncontent-type: text/plain\r\n"
    b"content-length: %d\r\nconnection: close\r\n\r\n%b" % (len(_TOO_LONG), _TOO_LONG)
)


class _Unheard:
    """An event that nobody waits for."""

    def set(self) -> None:
        """See asyncio."""


class _DirectCycle:
    """A request that is answered without ASGI, as far as uvicorn looks at it."""

    __slots__ = ("disconnected", "keep_alive", "response_complete", "task")
    message_event: ClassVar = _Unheard()

    def __init__(self) -> None:
        self.disconnected: bool = False
        self.keep_alive: bool = True
        self.response_complete: bool = False
        self.task: asyncio.Task[None] | None = None


class _TooLongError(Exception):
    """The head of a request, or what is sent around its body, is too long."""


class Connection(_Base):  # type: ignore[misc]
    """A client is let go that dawdles over a request's head, sends too long a one, or takes nothing of what it is sent.

    Attributes:
        patience: The time it is given, in seconds.
        places: Where it has one.
        head_bytes: The longest head.
        message_bytes: The longest request as it is sent, with all that surrounds its body.
        long_messages: The same for single paths.
        direct: Answers commands to the API. None: all is done by ASGI.
        body_bytes: The longest body that is answered so.
    """

    cycle: Any
    direct: Direct | None
    body_bytes: int
    patience: float
    places: Places
    head_bytes: int
    message_bytes: int
    long_messages: Mapping[bytes, int]
    _until: float | None = None  # when it is closed, in the loop's time, unless a request is whole by then
    _between: bool = True  # nothing has come since the last answer
    _look: asyncio.TimerHandle | None = None  # set once for many requests: when it comes, it looks at `_until`
    _stuck: asyncio.TimerHandle | None = None
    _refused: bool = False
    _in_message: bool = False
    _received: int = 0
    _most: int = 0
    _head: int = 0
    _whole: bytearray | None = None  # the body of a request that is answered directly if all of it is here
    _piece: bytes | None = None  # what is being read, if a request begins with it
    _heads: Heads

    def connection_made(self, transport: Any) -> None:
        """See asyncio."""
        peer = transport.get_extra_info("peername")
        if not self.places.enter(self, str(peer[0]) if peer else "unknown"):
            self._refused = True
            transport.abort()
            return
        super().connection_made(Gathered(transport, self.loop))
        self._heads = Heads()
        self._watch()

    def data_received(self, data: bytes) -> None:
        """See asyncio."""
        if not self._in_message:
            if self._is_idle() and not self.transport.is_closing():
                found = self._heads.find(data)
                if found is not None:
                    self._begin_again(*found)
                    return
            self._piece = data
        # Of a message that has just begun this counts nothing yet: a single piece can't be long.
        self._received += len(data)
        if self._in_message and self._received > self._most:
            self._refuse_head()
            return
        super().data_received(data)
        self._piece = None
        if self._whole is not None and not self.transport.is_closing():
            self._take_its_time()
        self._watch()

    def connection_lost(self, exc: Exception | None) -> None:
        """See asyncio."""
        if self._refused:
            return
        self.places.leave(self)
        if self._look is not None:
            self._look.cancel()
        self._have_room()
        super().connection_lost(exc)

    def let_go(self) -> None:
        """Close it, in favour of another one."""
        self.transport.close()

    # -- the request as it is read -------------------------------------------------------------------------------

    def on_message_begin(self) -> None:
        """See uvicorn."""
        self._in_message = True
        self._received = self._head = 0
        self._most = self.head_bytes
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
        self._most = self.long_messages.get(self.url, self.message_bytes)
        if self._is_plain():
            self._whole = bytearray()
        else:
            self._begin()

    def _begin(self) -> None:
        self._heads.forget()  # what the parser makes of the next request may depend on this one
        super().on_headers_complete()
        self.scope["extensions"] = {PUSH: partial(push, self.transport, self.cycle)}
        self.places.is_busy(self)

    def on_body(self, body: bytes) -> None:
        """See uvicorn."""
        if self._whole is None:
            super().on_body(body)
        else:
            self._whole += body

    def on_message_complete(self) -> None:
        """See uvicorn."""
        self._in_message = False
        if self._whole is not None and len(self._whole) <= self.body_bytes:
            self._begin_directly(bytes(self._whole))
            return
        if self._whole is not None:
            self._take_its_time()
        super().on_message_complete()

    def on_response_complete(self) -> None:
        """See uvicorn, whose own timer isn't needed: a connection that waits for a request has one."""
        if self.pipeline or self.transport.is_closing():
            super().on_response_complete()
        else:
            self.server_state.total_requests += 1
            self.flow.resume_reading()
            self._between = True
            self._expect(self.timeout_keep_alive)
        if self._is_idle():
            self.places.is_idle(self)

    # -- what is answered directly -------------------------------------------------------------------------------

    def _is_plain(self) -> bool:
        """Whether this is a command to the API with nothing unusual about it, and no other request is under way."""
        parser = self.parser
        return (
            self.direct is not None
            and parser.get_method() == b"POST"
            and _PLAIN.fullmatch(self.url) is not None
            and parser.get_http_version() == "1.1"
            and parser.should_keep_alive()
            and not (parser.should_upgrade() or self.expect_100_continue or self.root_path or self.limit_concurrency)
            and self._is_idle()
        )

    def _take_its_time(self) -> None:
        """It isn't here as a whole, or is too long: it goes uvicorn's way."""
        body, self._whole = self._whole, None
        self._begin()
        if body:
            super().on_body(bytes(body))

    def _begin_directly(self, body: bytes) -> None:
        self._whole = None
        self.scope.update(method="POST", path=self.url.decode("ascii"), raw_path=self.url, query_string=b"")
        if self._piece is not None:
            self._heads.keep(self._piece, self.scope, body)
        self._begin_answer(self.scope, body)

    def _begin_again(self, scope: dict[str, Any], body: bytes) -> None:
        """A request has come as a whole whose head was read before."""
        self._unset_keepalive_if_required()
        scope["state"] = self.app_state.copy()
        self._begin_answer(scope, body)
        self._until = None

    def _begin_answer(self, scope: Any, body: bytes) -> None:
        self.cycle = cycle = _DirectCycle()
        self.places.is_busy(self)
        cycle.task = self.loop.create_task(self._answer(cycle, scope, body))
        self.tasks.add(cycle.task)

    async def _answer(self, cycle: _DirectCycle, scope: Any, body: bytes) -> None:
        assert self.direct is not None
        try:
            status, headers, content = await self.direct(scope, body)
            if self.flow.write_paused and not cycle.disconnected:
                await self.flow.drain()
        except BaseException:
            self.transport.close()
            raise
        finally:
            self.tasks.discard(cycle.task)
        if cycle.disconnected:
            return
        head = _head(status, (*self.server_state.default_headers, *headers))
        self.transport.write_now(head + (b"\r\n" if cycle.keep_alive else b"connection: close\r\n\r\n") + content)
        cycle.response_complete = True
        if not cycle.keep_alive:
            self.transport.close()
        self.on_response_complete()

    def _count(self, size: int) -> None:
        self._head += size
        if self._head > self.head_bytes:
            raise _TooLongError

    def send_400_response(self, msg: str) -> None:
        """See uvicorn: the parser has stopped."""
        if self._head > self.head_bytes:
            self._refuse_head()
        else:
            metrics.part(metrics.REFUSED, "no_http").inc()
            super().send_400_response(msg)

    def _refuse_head(self) -> None:
        metrics.part(metrics.REFUSED, "long_head").inc()
        if self._is_idle():
            self.transport.write(_REFUSAL)
        self.transport.close()

    # -- on the way in -------------------------------------------------------------------------------------------

    def _is_idle(self) -> bool:
        return self.cycle is None or bool(self.cycle.response_complete)

    def _watch(self) -> None:
        if not self._is_idle():
            self._until = None
        elif self._until is None or self._between:
            self._between = False
            self._expect(self.patience)

    def _expect(self, seconds: float) -> None:
        """A request is awaited, for so long."""
        self._until = self.loop.time() + seconds
        if self._look is not None and self._look.when() > self._until:
            self._look.cancel()
            self._look = None
        if self._look is None:
            self._look = self.loop.call_at(self._until, self._look_for_request)

    def _look_for_request(self) -> None:
        self._look = None
        if self._until is None or self.transport.is_closing():
            return
        if self.loop.time() < self._until:
            self._look = self.loop.call_at(self._until, self._look_for_request)
        elif self._is_idle():
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


@functools.lru_cache(256)
def _head(status: int, headers: tuple[tuple[bytes, bytes], ...]) -> bytes:
    """The head of an answer, but for its end: most have the same."""
    return STATUS_LINE[status] + b"".join(b"%b: %b\r\n" % header for header in headers)


def connections(
    places: Places,
    *,
    patience: float,
    head_bytes: int,
    message_bytes: int,
    body_bytes: int,
    long_messages: Mapping[bytes, int] = MappingProxyType({}),
    direct: Direct | None = None,
) -> type[Connection]:
    """Return a class of connections.

    Args:
        places: See the attributes of Connection, here and below.
        patience: As there.
        head_bytes: As there.
        message_bytes: As there.
        body_bytes: As there.
        long_messages: As there.
        direct: As there.
    """
    bounds = {"places": places, "patience": patience, "head_bytes": head_bytes, "message_bytes": message_bytes}
    more: dict[str, Any] = {"body_bytes": body_bytes, "long_messages": long_messages}
    more["direct"] = None if direct is None else staticmethod(direct)
    return type("Connection", (Connection,), {**bounds, **more})
