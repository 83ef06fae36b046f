"""The address and the session that a request comes from; the session is a secret token in a cookie.

Browsers keep cookies by host, not by port (RFC 6265, section 8.5). So that the servers of one host leave each other's
alone, the names carry the id of the database; the servers of one database share them.
"""

from __future__ import annotations

import functools
import ipaddress
from typing import Final

from starlette.requests import Request
from starlette.responses import Response
from starlette.types import Scope

from ..domain.model import Login
from ..play import Tables

SESSION: Final = "session"
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


def cookie_name(found: Tables, what: str = SESSION) -> str:
    """Return the name of a cookie."""
    return f"atoll_{found.store.id}_{what}"


def cookie(request: Request, what: str = SESSION) -> str:
    """Return what a cookie says, or ""."""
    return request.cookies.get(cookie_name(tables(request), what), "")


def sign_in(response: Response, request: Request, login: Login) -> None:
    """Let the browser keep the session."""
    set_cookie(response, request, SESSION, login.token)


def sign_out(response: Response, request: Request) -> None:
    """Let the browser forget the session."""
    response.delete_cookie(cookie_name(tables(request)), path="/")


def set_cookie(response: Response, request: Request, what: str, value: str) -> None:
    """Let the browser keep a secret, out of reach of scripts.

    Args:
        response: The answer that brings it.
        request: The request that is answered.
        what: The purpose, which is part of the cookie's name.
        value: The secret.
    """
    response.set_cookie(
        cookie_name(tables(request), what),
        value,
        max_age=_COOKIE_SECONDS,
        path="/",
        secure=request.state.secure,
        httponly=True,
        samesite="lax",
    )
