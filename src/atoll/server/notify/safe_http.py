"""Requests to addresses that people gave: nowhere but into the public internet, unless the operator allows it.

A name is resolved once, all that it stands for must be allowed, and the connection goes to what was looked at. Nothing
is redirected, and only the beginning of an answer is read.
"""

from __future__ import annotations

import asyncio
import ipaddress
import socket
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final
from urllib.parse import urlsplit

import httpcore2

from ..domain.model import Refused
from ..domain.networks import Network, is_allowed

TIMEOUT_S: Final = 15.0
_MOST_READ: Final = 2048
_LONGEST_URL: Final = 1000
Resolve = Callable[[str, int], Awaitable[Sequence[str]]]


class Forbidden(Exception):
    """An address that no request may go to."""


@dataclass(frozen=True, slots=True)
class Reply:
    """What was answered: status, when to try again (seconds, if it says so), the beginning of its text."""

    status: int
    retry_after: int | None
    text: str


async def resolve(host: str, port: int) -> Sequence[str]:
    """The addresses that a name stands for."""
    found = await asyncio.get_running_loop().getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return [str(each[4][0]) for each in found]


def checked_url(text: str, allowed: Iterable[Network] = ()) -> str:
    """A URL that may be asked. Raises Refused."""
    wrong = Refused("bad_url", 422, "an address begins with https:// (http:// where the operator allows the network)")
    try:
        parts = urlsplit(text)
        port = parts.port
    except ValueError:
        raise wrong from None
    plain = text.isascii() and text.isprintable() and " " not in text and len(text) <= _LONGEST_URL
    schemes = ("https", "http") if tuple(allowed) else ("https",)
    if not plain or parts.scheme not in schemes or not parts.hostname or parts.username is not None or port == 0:
        raise wrong
    try:
        is_ip = bool(ipaddress.ip_address(parts.hostname))
    except ValueError:
        is_ip = False
    if is_ip and not is_allowed(parts.hostname, allowed):
        raise Refused("private_url", 422, "no request may go to this address")
    return text


class _Guarded(httpcore2.AsyncNetworkBackend):
    """Connects where that is allowed."""

    def __init__(self, allowed: Sequence[Network], resolve: Resolve) -> None:
        self._allowed: Sequence[Network] = allowed
        self._resolve: Resolve = resolve
        self._inner: Any = httpcore2.AnyIOBackend()

    async def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,  # noqa: ASYNC109 - so is it declared
        local_address: str | None = None,
        socket_options: Any = None,
    ) -> Any:
        """See httpcore2."""
        async with asyncio.timeout(timeout):
            found = list(dict.fromkeys(await self._resolve(host, port)))
        if not found or not all(is_allowed(each, self._allowed) for each in found):
            raise Forbidden(f"{host} isn't in the public internet")
        return await self._inner.connect_tcp(found[0], port, timeout, local_address, socket_options)


class Outgoing:
    """Sends requests. allowed: networks besides the public internet. Raises Forbidden, OSError, TimeoutError."""

    def __init__(self, allowed: Sequence[Network] = (), resolve: Resolve = resolve) -> None:
        self.allowed: Sequence[Network] = allowed
        self._backend: _Guarded = _Guarded(allowed, resolve)

    async def post(self, url: str, content: bytes, headers: Mapping[str, str]) -> Reply:
        """Post something. Raises Refused for a URL that may not be asked; see above."""
        checked_url(url, self.allowed)
        limits = dict.fromkeys(("connect", "read", "write", "pool"), TIMEOUT_S)
        try:
            async with asyncio.timeout(TIMEOUT_S):
                async with httpcore2.AsyncConnectionPool(network_backend=self._backend, max_connections=1) as pool:
                    sent = [("user-agent", "Atoll"), *headers.items()]
                    async with pool.stream(
                        "POST", url, headers=sent, content=content, extensions={"timeout": limits}
                    ) as answer:
                        return await _reply(answer)
        except (httpcore2.NetworkError, httpcore2.ProtocolError, httpcore2.TimeoutException) as error:
            raise OSError(f"{type(error).__name__}: {error}"[:200]) from error


async def _reply(answer: Any) -> Reply:
    read = b""
    async for part in answer.aiter_stream():
        read += part
        if len(read) >= _MOST_READ:
            break
    given = {name.lower(): value for name, value in answer.headers}
    wait = given.get(b"retry-after", b"").decode("latin-1")
    return Reply(answer.status, int(wait) if wait.isdecimal() else None, read[:_MOST_READ].decode("utf-8", "replace"))
