"""What is written to a connection, and how it gets there in few sends."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any


class Gathered:
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

    def write_now(self, data: bytes) -> None:
        """Send this at once, after what was written before."""
        self._parts.append(data)
        self._send()

    def close(self) -> None:
        """See asyncio."""
        self._send()
        self._transport.close()

    def __getattr__(self, name: str) -> Any:
        return getattr(self._transport, name)


def push(transport: Gathered, cycle: Any, body: bytes) -> bool:
    """See Push in `connection`. cycle: uvicorn's, of the request; what it would send is sent, without waiting."""
    if not cycle.response_started or cycle.response_complete or cycle.disconnected or cycle.flow.write_paused:
        return False
    if not cycle.chunked_encoding or not body:
        return False
    transport.write_now(b"%x\r\n%b\r\n" % (len(body), body))
    return True
