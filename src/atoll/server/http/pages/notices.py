"""The settings of notifications: channels, their contents, and quiet hours."""

from __future__ import annotations

from typing import Final

from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response

from ...domain.model import Refused
from ...domain.notices import KINDS
from ...notify.channels import KINDS as CHANNELS
from ...notify.channels import WEBHOOKS
from ..session import address, tables
from .context import FRAGMENTS, Pages, go, language_of, reason, render
from .forms import Fields, form, query

_HERE: Final = "/settings/notices"

pages = Pages()


_FIELDS: Final = {"bad_mail": "mail", "bad_url": "url", "private_url": "url", "many_channels": "url"}
"""Refusal code -> field of the form that shows the reason."""


@pages.at(_HERE)
async def notices(request: Request) -> Response:
    """Show the reader's channels, and those that can be added."""
    return await _notices(request)


async def _notices(request: Request, wrong: Refused | None = None, given: Fields | None = None) -> Response:
    """Return the page.

    Args:
        request: The request.
        wrong: The reason why the submitted channel was refused, or None.
        given: The submitted form, whose values the page shows again, or None.
    """
    reaching = tables(request).reaching
    who = request.state.user
    return render(
        request,
        "notices",
        status=200 if wrong is None else wrong.status,
        problems={} if wrong is None else {_FIELDS[wrong.code]: reason(request, wrong)},
        given=given or query(request),
        saved=query(request).text("saved", 20),
        channels=() if who is None else await reaching.mine(who),
        possible=reaching.channels.possible,
        all_channels=CHANNELS,
        webhooks=WEBHOOKS,
        kinds=KINDS,
        push_key=reaching.channels.push_key,
    )


@pages.at(_HERE, "POST")
async def add(request: Request) -> Response:
    """Add a channel."""
    given = await form(request)
    names = ("mail", "url", "p256dh", "auth")
    where = {name: given.text(name, 1000) for name in names}
    kind = given.text("kind", 20)
    try:
        await tables(request).reaching.add(request.state.user, kind, where, language_of(request))
    except Refused as error:
        if FRAGMENTS in request.headers or error.code not in _FIELDS:
            raise
        return await _notices(request, error, given)
    return Response(status_code=204) if FRAGMENTS in request.headers else go(_HERE)


@pages.at("/settings/quiet", "POST")
async def set_quiet(request: Request) -> Response:
    """Set the hours in which the reader gets no notifications."""
    given = await form(request)
    await tables(request).calendars.set_quiet(request.state.user, given.number("first"), given.number("last"))
    return go(f"{_HERE}?saved=quiet")


@pages.at(_HERE + "/{channel}", "POST")
async def change(request: Request) -> Response:
    """Set which notifications a channel sends, test it, or delete it."""
    given = await form(request)
    reaching, id, who = tables(request).reaching, request.path_params["channel"], request.state.user
    act = given.text("act", 10)
    if act == "test":
        await reaching.test(who, id)
    elif act == "drop":
        await reaching.drop(who, id)
    else:
        await reaching.change(who, id, [kind for kind in KINDS if kind in given], bool(given.text("digest")))
        return go(f"{_HERE}?saved={id}#channel-{id}")
    return go(_HERE)


@pages.at("/confirm/{token}", "POST")
async def confirm(request: Request) -> Response:
    """Confirm the mail address of a channel."""
    tables(request).limits.hit("token", address(request.scope))
    await tables(request).reaching.confirm(request.path_params["token"])
    return render(request, "mails", action="confirm", token="", done=True)


@pages.at("/confirm/{token}")
@pages.at("/unsubscribe/{token}")
async def door(request: Request) -> Response:
    """Show the page of a link in a mail: confirm the address, or unsubscribe."""
    action = request.url.path.split("/")[1]
    return render(request, "mails", action=action, token=request.path_params["token"], done=False)


@pages.at("/unsubscribe/{token}", "POST")
async def unsubscribe(request: Request) -> Response:
    """Stop all mails to an address.

    The request comes from the page, or from a mail program's button (RFC 8058), which has no
    session.

    Returns:
        A page, or plain text for a mail program.
    """
    tables(request).limits.hit("token", address(request.scope))
    await tables(request).reaching.unsubscribe(request.path_params["token"])
    if request.state.csrf:
        return render(request, "mails", action="unsubscribe", token="", done=True)
    return PlainTextResponse("ok\n")
