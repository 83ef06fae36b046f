"""Address and session of a request; the session is a secret token in a cookie.

Browsers store cookies by host, not by port (RFC 6265, section 8.5). Cookie names therefore contain
the id of the database: servers with different databases don't overwrite each other's cookies, and
the servers of one database share them.
"""

from __future__ import annotations

import functools
import ipaddress
from typing import Final

from starlette.datastructures import Headers
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import Scope

from ..domain.model import Login
from ..play import TableServices

SESSION: Final = "session"
LINK: Final = "link"
"""Purpose of the cookie with the secret of the device link that the account's page shows."""
CODE: Final = "code"
"""Purpose of the cookie with the printed code that a page shows, after the id of its user."""
COOKIE_DAYS: Final = 360
"""Days for which browsers store cookies; the session's is renewed while it is used."""
_COOKIE_SECONDS: Final = COOKIE_DAYS * 86_400
_AGENT_LENGTH: Final = 300


def tables(request: Request) -> TableServices:
    """Return the table services, for a page."""
    found: TableServices = request.state.tables
    return found


@functools.lru_cache(4096)
def address_key(host: str) -> str:
    """Return the key under which address limits count a host.

    Args:
        host: Address of a client.

    Returns:
        An IPv4 address, the /64 of an IPv6 address, or `host` itself if it isn't an IP address.
    """
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
    """Return the network that a request comes from; see `network`."""
    return address_key((scope.get("client") or ("unknown", 0))[0])


@functools.lru_cache(1024)
def describe_device(user_agent: str) -> str:
    """Return browser and system, such as "Firefox · Linux", of a User-Agent header, or ""."""
    from ua_parser import parse  # noqa: PLC0415 - its tables take a while to load

    found = parse(user_agent[:_AGENT_LENGTH])
    named = (found.user_agent, found.os)
    return " · ".join(each.family for each in named if each is not None)


def device(scope: Scope) -> str:
    """Return browser and system of a request; see `describe_device`."""
    return describe_device(Headers(scope=scope).get("user-agent", ""))


def cookie_name(found: TableServices, what: str = SESSION) -> str:
    """Return the name of a cookie; `what` is its purpose."""
    return f"atoll_{found.store.id}_{what}"


def cookie(request: Request, what: str = SESSION) -> str:
    """Return the value of a cookie, or "" without one; `what` is its purpose."""
    return request.cookies.get(cookie_name(tables(request), what), "")


def sign_in(response: Response, request: Request, login: Login) -> None:
    """Store a session in the browser, and delete the former user's secrets.

    Args:
        response: The response that sets the cookie.
        request: The request.
        login: The user's login.
    """
    _forget_secrets(response, request)
    set_cookie(response, request, SESSION, login.token)


def sign_out(response: Response, request: Request) -> None:
    """Delete the session and its user's secrets from the browser."""
    _forget_secrets(response, request)
    delete_cookie(response, request, SESSION)


def _forget_secrets(response: Response, request: Request) -> None:
    for what in (LINK, CODE):
        if cookie(request, what):
            delete_cookie(response, request, what)


def delete_cookie(response: Response, request: Request, what: str) -> None:
    """Delete a cookie from the browser.

    Args:
        response: The response that deletes the cookie.
        request: The request.
        what: Purpose of the cookie, part of its name.
    """
    response.delete_cookie(cookie_name(tables(request), what), path="/")


def set_cookie(response: Response, request: Request, what: str, value: str, seconds: int = _COOKIE_SECONDS) -> None:
    """Store a secret in the browser, inaccessible to scripts.

    Args:
        response: The response that sets the cookie.
        request: The request.
        what: Purpose of the cookie, part of its name.
        value: The secret.
        seconds: Time after which the browser deletes it.
    """
    response.set_cookie(
        cookie_name(tables(request), what),
        value,
        max_age=seconds,
        path="/",
        secure=request.state.secure,
        httponly=True,
        samesite="lax",
    )
