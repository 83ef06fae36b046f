"""A client's connection: uvicorn's, with patience that ends, and less to send."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

from uvicorn.protocols.http.auto import AutoHTTPProtocol

_Base: Any = AutoHTTPProtocol


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


class Connection(_Base):  # type: ignore[misc]
    """A client is let go that dawdles over a request's head, or takes nothing of what it is sent."""

    patience: float = 0.0
    _idle: asyncio.TimerHandle | None = None
    _stuck: asyncio.TimerHandle | None = None

    def connection_made(self, transport: Any) -> None:
        """See asyncio."""
        super().connection_made(_Gathered(transport, self.loop))
        self._watch()

    def data_received(self, data: bytes) -> None:
        """See asyncio."""
        super().data_received(data)
        self._watch()

    def pause_writing(self) -> None:
        """See asyncio."""
        super().pause_writing()
        self._expect_room()

    def resume_writing(self) -> None:
        """See asyncio."""
        self._have_room()
        super().resume_writing()

    def connection_lost(self, exc: Exception | None) -> None:
        """See asyncio."""
        self._have_request()
        self._have_room()
        super().connection_lost(exc)

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


def connections(patience: float) -> type[Connection]:
    """Connections that wait so many seconds for their clients."""
    return type("Connection", (Connection,), {"patience": patience})
