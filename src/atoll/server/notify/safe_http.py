"""HTTP requests to addresses from users, restricted to the public internet and allowed networks.

A host name is resolved once, all its addresses must be allowed, and the connection goes to a
checked address. Redirects aren't followed, and only the beginning of a response is read.
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
"""Returns the IP addresses of a host name and port."""


class ForbiddenAddress(Exception):
    """An address to which requests aren't allowed."""


@dataclass(frozen=True, slots=True)
class Reply:
    """The response to a request.

    Attributes:
        status: HTTP status.
        retry_after: Seconds to wait before another try, or None.
        text: The beginning of the body.
    """

    status: int
    retry_after: int | None
    text: str


async def resolve(host: str, port: int) -> Sequence[str]:
    """Return the IP addresses of a host name."""
    found = await asyncio.get_running_loop().getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return [str(each[4][0]) for each in found]


def checked_url(text: str, allowed: Iterable[Network] = ()) -> str:
    """Return a URL after checking it.

    Args:
        text: The URL.
        allowed: Networks that are allowed in addition to the public internet.

    Raises:
        Refused: If it isn't a valid URL, or names an IP address that isn't allowed.
    """
    wrong = Refused("bad_url", 422, "expected an https:// address (or http:// if the operator allows the network)")
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
        raise Refused("private_url", 422, "requests to this address aren't allowed")
    return text


class _SafeBackend(httpcore2.AsyncNetworkBackend):
    """A network backend that connects only to allowed addresses."""

    def __init__(self, allowed: Sequence[Network], resolve: Resolve) -> None:
        self._allowed: Sequence[Network] = allowed
        self._resolve: Resolve = resolve
        self._inner: Any = httpcore2.AnyIOBackend()

    async def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,  # noqa: ASYNC109 - the signature of the base class
        local_address: str | None = None,
        socket_options: Any = None,
    ) -> Any:
        """Connect to a host if all its addresses are allowed.

        Args:
            host: The host name.
            port: The port.
            timeout: Seconds, or None.
            local_address: Passed on.
            socket_options: Passed on.

        Returns:
            The connection.

        Raises:
            ForbiddenAddress: If an address isn't allowed.
        """
        async with asyncio.timeout(timeout):
            found = list(dict.fromkeys(await self._resolve(host, port)))
        if not found or not all(is_allowed(each, self._allowed) for each in found):
            raise ForbiddenAddress(f"{host} isn't in the public internet")
        return await self._inner.connect_tcp(found[0], port, timeout, local_address, socket_options)


class SafeHttpClient:
    """Sends requests to allowed addresses.

    Attributes:
        allowed: Networks that are allowed in addition to the public internet.
    """

    def __init__(self, allowed: Sequence[Network] = (), resolve: Resolve = resolve) -> None:
        self.allowed: Sequence[Network] = allowed
        self._backend: _SafeBackend = _SafeBackend(allowed, resolve)

    async def post(self, url: str, content: bytes, headers: Mapping[str, str]) -> Reply:
        """Send a POST request.

        Args:
            url: The URL.
            content: The body.
            headers: The headers.

        Returns:
            The response.

        Raises:
            Refused: If the URL isn't valid or allowed.
            ForbiddenAddress: If an address of its host isn't allowed.
            OSError: If the request fails.
            TimeoutError: If it takes more than `TIMEOUT_S`.
        """
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
    headers = {name.lower(): value for name, value in answer.headers}
    wait = headers.get(b"retry-after", b"").decode("latin-1")
    return Reply(answer.status, int(wait) if wait.isdecimal() else None, read[:_MOST_READ].decode("utf-8", "replace"))
