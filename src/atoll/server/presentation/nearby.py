"""The local network: the address at which other devices find this server, and its QR code."""

from __future__ import annotations

import contextlib
import io
import socket
from functools import lru_cache
from ipaddress import IPv4Address, IPv6Address, ip_address
from typing import Final

import segno
from rich.console import Console

from ..domain.settings import ServerSettings

_NOBODY: Final = {4: (socket.AF_INET, "192.0.2.1"), 6: (socket.AF_INET6, "2001:db8::1")}
"""Documentation addresses. They select a route; nothing is ever sent to them."""
_QUIET: Final = 4
"""Width of the light margin that scanners need, in modules."""


def host_nearby(settings: ServerSettings) -> str:
    """Return the host at which devices of the local network find the server, or "".

    The result is "" if the server listens only on its own machine, has a public address, or isn't
    in a network. The system is asked each time, because laptops change networks.
    """
    at = None if settings.public_url else _listening(settings.host)
    if at is None or at.is_loopback:
        return ""
    if not at.is_unspecified:
        return _literal(at)
    versions = (4,) if at.version == 4 else (4, 6)
    return next(filter(None, map(_outgoing, versions)), "")


def is_this_machine(host: str) -> bool:
    """Return whether a host in an address means the browser's own machine."""
    if host == "localhost":
        return True
    try:
        found = ip_address(host.strip("[]"))
    except ValueError:
        return False
    return found.is_loopback or found.is_unspecified


@lru_cache
def _listening(host: str) -> IPv4Address | IPv6Address | None:
    """Return the IP address of a host that a socket listens on, or None."""
    try:
        found = socket.getaddrinfo(host, None, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)[0][4][0]
        return ip_address(str(found).partition("%")[0])
    except (OSError, ValueError):
        return None


def _outgoing(version: int) -> str:
    """Return the address of this machine in its network, or ""."""
    family, target = _NOBODY[version]
    with contextlib.suppress(OSError), socket.socket(family, socket.SOCK_DGRAM) as probe:
        probe.connect((target, 9))
        found = ip_address(probe.getsockname()[0])
        if not (found.is_loopback or found.is_link_local or found.is_unspecified):
            return _literal(found)
    return ""


def _literal(found: IPv4Address | IPv6Address) -> str:
    """Return an IP address in the form for URLs."""
    return f"[{found}]" if found.version == 6 else str(found)


def qr_code_svg(address: str, title: str) -> str:
    """Return the QR code of an address as SVG.

    It is dark on light in every theme, because some scanners need that.
    """
    code = segno.make(address, error="m", micro=False)
    svg: str = code.svg_inline(
        border=_QUIET, omitsize=True, dark="#000", light="#fff", title=title, svgclass=None, lineclass=None
    )
    return svg.replace("<svg ", '<svg role="img" ', 1)


def show_in_terminal(address: str) -> None:
    """Print the address for other devices to stderr; in a terminal with its QR code."""
    console = Console(stderr=True, highlight=False)
    console.print(f"Other devices in this network find it at {address}", soft_wrap=True)
    if console.is_terminal:
        lines = io.StringIO()
        segno.make(address, error="m", micro=False).terminal(lines, border=_QUIET // 2, compact=True)
        for line in lines.getvalue().splitlines():
            console.print(line, style="#ffffff on #000000", no_wrap=True, overflow="ignore", crop=False)
