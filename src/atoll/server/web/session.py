"""Who is asking: from which address, and in which session; the session is a secret token in a cookie."""

from __future__ import annotations

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


def address(scope: Scope) -> str:
    """Whom the limits by address count: an IPv4 address, or the /64 network of an IPv6 one."""
    host: str = (scope.get("client") or ("unknown", 0))[0]
    return ":".join(host.split(":")[:4]) if host.count(":") > 1 else host


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
