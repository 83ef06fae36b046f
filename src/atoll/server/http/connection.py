"""HTTP connections: uvicorn's protocol with limits on size, time and the number of connections.

uvicorn has no settings for these limits. This class depends on attributes that aren't part of
uvicorn's public interface. `PRIVATE_NAMES` lists them, a test checks that they exist, and
pyproject.toml pins the minor version.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Final

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from ..domain import metrics
from .connection_limits import ConnectionLimits

_Base: Any = HttpToolsProtocol

PRIVATE_NAMES: Final = ("cycle", "on_response_complete", "send_400_response")
"""Attributes of uvicorn's protocol that neither asyncio nor httptools defines."""

_TOO_LONG: Final = b"the request line and headers are too long\n"
_REFUSAL: Final = (
    b"HTTP/1.1 431 Request Header Fields Too Large\r\ncontent-type: text/plain\r\n"
    b"content-length: %d\r\nconnection: close\r\n\r\n%b" % (len(_TOO_LONG), _TOO_LONG)
)


class _TooLongError(Exception):
    """The head of a request, or the data around its body, is too long."""


class Connection(_Base):  # type: ignore[misc]
    """A client connection with limits.

    The connection is closed if the client sends the head of a request too slowly, sends too long a
    head, or doesn't read the response.

    Attributes:
        patience: Seconds that the client has to send the head of a request, and to read some of a
            response.
        places: Limits on the number of connections; this connection counts toward them.
        head_bytes: Largest size of a request's head in bytes.
        message_bytes: Largest size of a request as transmitted in bytes, including the framing of
            its body.
        long_messages: Exceptions from `message_bytes`, by path.
    """

    cycle: Any
    patience: float
    places: ConnectionLimits
    head_bytes: int
    message_bytes: int
    long_messages: Mapping[bytes, int]
    _head_timer: asyncio.TimerHandle | None = None  # closes the connection if no head arrives
    _read_timer: asyncio.TimerHandle | None = None
    _is_refused: bool = False
    _in_message: bool = False
    _received_bytes: int = 0
    _max_message_bytes: int = 0
    _head_size: int = 0

    def connection_made(self, transport: Any) -> None:
        """Close the connection if the limits are reached; otherwise start to serve it."""
        peer = transport.get_extra_info("peername")
        if not self.places.add(self, str(peer[0]) if peer else "unknown"):
            self._is_refused = True
            transport.abort()
            return
        super().connection_made(transport)
        self._limit_head_time()

    def data_received(self, data: bytes) -> None:
        """Parse received data, and refuse requests that are too long."""
        # The data in which a message begins isn't counted: one piece of data is never too long.
        self._received_bytes += len(data)
        if self._in_message and self._received_bytes > self._max_message_bytes:
            self._refuse_head()
            return
        super().data_received(data)
        self._limit_head_time()

    def connection_lost(self, exc: Exception | None) -> None:
        """Give the place of the connection back and stop all timers."""
        if self._is_refused:
            return
        self.places.remove(self)
        self._stop_head_timer()
        self._stop_read_timer()
        super().connection_lost(exc)

    def close_idle(self) -> None:
        """Close the connection to make room for another one."""
        self.transport.close()

    # -- the request as it is read -----------------------------------------------------------------

    def on_message_begin(self) -> None:
        """Start to count the bytes of a request."""
        self._in_message = True
        self._received_bytes = self._head_size = 0
        self._max_message_bytes = self.head_bytes
        super().on_message_begin()

    def on_url(self, url: bytes) -> None:
        """Count the bytes of the URL."""
        self._count_head_bytes(len(url))
        super().on_url(url)

    def on_header(self, name: bytes, value: bytes) -> None:
        """Count the bytes of a header; httptools reports trailers here, too."""
        self._count_head_bytes(len(name) + len(value))
        super().on_header(name, value)

    def on_headers_complete(self) -> None:
        """Set the largest size of the request, and mark the connection as busy."""
        self._max_message_bytes = self.long_messages.get(self.url, self.message_bytes)
        super().on_headers_complete()
        self.places.mark_busy(self)

    def on_message_complete(self) -> None:
        """Stop counting: the request is complete."""
        self._in_message = False
        super().on_message_complete()

    def on_response_complete(self) -> None:
        """Mark the connection as idle; uvicorn closes it after a long idle time."""
        super().on_response_complete()
        if self._is_idle():
            self.places.mark_idle(self)

    def _count_head_bytes(self, size: int) -> None:
        """Count bytes of the request's head.

        Args:
            size: Number of bytes.

        Raises:
            _TooLongError: If the head is too long.
        """
        self._head_size += size
        if self._head_size > self.head_bytes:
            raise _TooLongError

    def send_400_response(self, msg: str) -> None:
        """Refuse a request that the parser couldn't read.

        Args:
            msg: Message for the client.
        """
        if self._head_size > self.head_bytes:
            self._refuse_head()
        else:
            metrics.part(metrics.REFUSED, "no_http").inc()
            super().send_400_response(msg)

    def _refuse_head(self) -> None:
        """Close the connection; answer with status 431 first unless a response is under way."""
        metrics.part(metrics.REFUSED, "long_head").inc()
        if self._is_idle():
            self.transport.write(_REFUSAL)
        self.transport.close()

    # -- on the way in -----------------------------------------------------------------------------

    def _is_idle(self) -> bool:
        """Return whether no request is being answered."""
        return self.cycle is None or bool(self.cycle.response_complete)

    def _limit_head_time(self) -> None:
        """Limit the time until the head of the next request is complete."""
        if not self._is_idle():
            self._stop_head_timer()
        elif self._head_timer is None:
            self._head_timer = self.loop.call_later(self.patience, self._close_idle)

    def _stop_head_timer(self) -> None:
        """Stop the timer for the head of a request."""
        if self._head_timer is not None:
            self._head_timer.cancel()
            self._head_timer = None

    def _close_idle(self) -> None:
        """Close the connection because no complete head arrived in time."""
        self._head_timer = None
        if self._is_idle():
            self.transport.close()

    # -- on the way out ----------------------------------------------------------------------------

    def pause_writing(self) -> None:
        """Limit the time in which the client must read something."""
        super().pause_writing()
        self._start_read_timer()

    def resume_writing(self) -> None:
        """Stop the timer: the client has read enough."""
        self._stop_read_timer()
        super().resume_writing()

    def _start_read_timer(self) -> None:
        """Start a timer at whose end the client must have read some of the buffered data."""
        waiting = self.transport.get_write_buffer_size()
        self._read_timer = self.loop.call_later(self.patience, self._check_read_progress, waiting)

    def _stop_read_timer(self) -> None:
        """Stop the timer for reading."""
        if self._read_timer is not None:
            self._read_timer.cancel()
            self._read_timer = None

    def _check_read_progress(self, before: int) -> None:
        """Abort the connection unless the client has read something.

        Args:
            before: Number of bytes that were buffered when the timer started.
        """
        if self.transport.get_write_buffer_size() < before:
            self._start_read_timer()
        else:
            self.transport.abort()


def connection_class(
    places: ConnectionLimits,
    *,
    patience: float,
    head_bytes: int,
    message_bytes: int,
    long_messages: Mapping[bytes, int] = MappingProxyType({}),
) -> type[Connection]:
    """Return a connection class with these limits.

    Args:
        places: Limits on the number of connections.
        patience: Seconds that a client has to send a request's head, and to read some of a
            response.
        head_bytes: Largest size of a request's head in bytes.
        message_bytes: Largest size of a request as transmitted in bytes.
        long_messages: Exceptions from `message_bytes`, by path.
    """
    bounds = {"places": places, "patience": patience, "head_bytes": head_bytes, "message_bytes": message_bytes}
    return type("Connection", (Connection,), {**bounds, "long_messages": long_messages})
