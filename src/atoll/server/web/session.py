"""Who is asking: from which address, and in which session; the session is a secret token in a cookie."""

from __future__ import annotations

import functools
import ipaddress
from typing import Final

from starlette.requests import Request
from starlette.responses import Response
from starlette.types import Scope

from ..model import Login
from ..tables import Tables

COOKIE: Final = "atoll"
_COOKIE_SECONDS: Final = 360 * 86_400


def tables(request: Request) -> Tables:
    """The tables, for a page."""
    found: Tables = request.state.tables
    return found


@functools.lru_cache(4096)
def network(host: str) -> str:
    """Whom the limits by address count: an IPv4 address, or the /64 of an IPv6 one, in one form each."""
    try:
        found = ipaddress.ip_address(host.partition("%")[0])
    except ValueError:
        return host
    if isinstance(found, ipaddress.IPv4Address):
        return str(found)
    if found.ipv4_mapped is not None:
        return str(found.ipv4_mapped)
    return str(ipaddress.IPv6Network((int(found) >> 64 << 64, 64)))


def address(scope: Scope) -> str:
    """From whose network a request comes."""
    return network((scope.get("client") or ("unknown", 0))[0])


def sign_in(response: Response, request: Request, login: Login) -> None:
    """Let the browser keep the session."""
    set_cookie(response, request, COOKIE, login.token)


def sign_out(response: Response) -> None:
    """Let the browser forget the session."""
    response.delete_cookie(COOKIE, path="/")


def set_cookie(response: Response, request: Request, name: str, value: str) -> None:
    """Let the browser keep a secret, out of reach of scripts."""
    response.set_cookie(
        name,
        value,
        max_age=_COOKIE_SECONDS,
        path="/",
        secure=request.state.secure,
        httponly=True,
        samesite="lax",
    )
