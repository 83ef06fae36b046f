"""Pages of a device that wants to sign in with a device link; see `play.device_links`."""

from __future__ import annotations

from typing import Final

from starlette.requests import Request
from starlette.responses import Response

from ...play.device_links import LINK_MINUTES
from ..session import address, cookie, delete_cookie, device, set_cookie, tables
from .cards import cards_of
from .context import Pages, redirect, render
from .forms import form, token_of_link
from .sign_in import signed_in

_HERE: Final = "/device"
_CLAIM: Final = "claim"
"""Purpose of the cookie with which this browser waits for the answer of the first device."""

pages = Pages()


@pages.route(_HERE)
async def device_page(request: Request) -> Response:
    """Show the state of this browser's request, or the field for a link.

    A script posts the token of a link after the #.

    Args:
        request: The request.

    Returns:
        The page.
    """
    secret = cookie(request, _CLAIM)
    if not secret:
        return render(request, "door", action=_HERE, purpose="device", cover=None)
    found = await tables(request).device_links.request(secret)
    if found is not None:
        return render(request, "device_waits", waits=found)
    response = render(request, "door", action=_HERE, purpose="device_gone", cover=None)
    delete_cookie(response, request, _CLAIM)
    return response


@pages.route(_HERE, "POST")
async def open_link(request: Request) -> Response:
    """Show to whom a link leads; with the field `go`, ask the first device for permission."""
    given = await form(request)
    found, token = tables(request), token_of_link(given)
    found.limits.hit("token", address(request.scope))
    if "go" in given:
        response = redirect(_HERE)
        secret = await found.device_links.claim(token, device(request.scope))
        set_cookie(response, request, _CLAIM, secret, LINK_MINUTES * 60)
        return response
    name, who = await found.device_links.name(token), request.state.user
    mine = () if who is None else await found.table_lists.mine(who)
    return render(request, "device", token=token, name=name, mine=cards_of(request, mine))


@pages.route(f"{_HERE}/finish", "POST")
async def finish(request: Request) -> Response:
    """Sign in on this device after the first one has allowed it; its former session ends."""
    found = tables(request)
    found.limits.hit("token", address(request.scope))
    login = await found.device_links.finish(cookie(request, _CLAIM), device(request.scope))
    response = await signed_in(request, login, "/mine")
    delete_cookie(response, request, _CLAIM)
    return response
