"""The settings of notifications: channels, their contents, and quiet hours."""

from __future__ import annotations

from typing import Final

from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response

from ...domain.model import Refused
from ...domain.notices import KINDS
from ...notify.channels import KINDS as CHANNELS
from ...notify.channels import WEBHOOKS
from ...play.notification_settings import PushAddress
from ...presentation.texts import site
from ...table.permissions import require_user
from ..session import address, tables
from .context import FRAGMENTS, Pages, language_of, redirect, refusal_text, render
from .forms import FormFields, form, query

_HERE: Final = "/settings/notices"
_PUSH: Final = "/settings/push"

pages = Pages()


_FIELD_OF_REFUSAL: Final = {"bad_mail": "mail", "bad_url": "url", "private_url": "url", "many_channels": "url"}
"""Refusal code -> field of the form that shows the reason."""


@pages.route(_HERE)
async def notices(request: Request) -> Response:
    """Show the reader's channels, and those that can be added."""
    return await _notices_page(request)


async def _notices_page(request: Request, wrong: Refused | None = None, given: FormFields | None = None) -> Response:
    """Return the page.

    Args:
        request: The request.
        wrong: The reason why the submitted channel was refused, or None.
        given: The submitted form, whose values the page shows again, or None.
    """
    reaching = tables(request).notification_settings
    who = request.state.user
    return render(
        request,
        "notices",
        status=200 if wrong is None else wrong.status,
        problems={} if wrong is None else {_FIELD_OF_REFUSAL[wrong.code]: refusal_text(request, wrong)},
        given=given or query(request),
        saved=query(request).text("saved", 20),
        channels=() if who is None else await reaching.mine(who),
        possible=reaching.channels.possible,
        all_channels=CHANNELS,
        webhooks=WEBHOOKS,
        kinds=KINDS,
        push_key=reaching.channels.push_key,
    )


@pages.route(_HERE, "POST")
async def add(request: Request) -> Response:
    """Add a channel."""
    given = await form(request)
    names = ("mail", "url", "p256dh", "auth")
    where = {name: given.text(name, 1000) for name in names}
    kind = given.text("kind", 20)
    try:
        await tables(request).notification_settings.add(request.state.user, kind, where, language_of(request))
    except Refused as error:
        if FRAGMENTS in request.headers or error.code not in _FIELD_OF_REFUSAL:
            raise
        return await _notices_page(request, error, given)
    return Response(status_code=204) if FRAGMENTS in request.headers else redirect(_HERE)


@pages.route("/settings/quiet", "POST")
async def set_quiet(request: Request) -> Response:
    """Set the hours in which the reader gets no notifications."""
    given = await form(request)
    await tables(request).calendars.set_quiet(request.state.user, given.number("first"), given.number("last"))
    return redirect(f"{_HERE}?saved=quiet")


@pages.route(_PUSH)
async def push_facts(request: Request) -> Response:
    """Return the server's key for web push, and a form token for the service worker."""
    require_user(request.state.user)
    key = tables(request).notification_settings.channels.push_key
    return JSONResponse({"key": key, "csrf": request.state.csrf})


@pages.route(_PUSH, "POST")
async def renew_push(request: Request) -> Response:
    """Compare the browser's subscription to web push with the stored one, and store the new one."""
    given, found = await form(request), tables(request).notification_settings
    subscribed = {name: given.text(name, 1000) for name in ("url", "p256dh", "auth") if name in given}
    browser = PushAddress(given.text("old", 1000), subscribed, bool(given.text("renew", 8)))
    state = await found.renew_push(request.state.user, browser)
    lost = site(language_of(request)).text("notices.push.lost")
    return JSONResponse({"state": state, "key": found.channels.push_key, "lost": lost})


@pages.route(_HERE + "/{channel}", "POST")
async def change(request: Request) -> Response:
    """Set which notifications a channel sends, test it, or delete it."""
    given = await form(request)
    reaching, id, who = tables(request).notification_settings, request.path_params["channel"], request.state.user
    act = given.text("act", 10)
    if act == "test":
        await reaching.test(who, id)
    elif act == "drop":
        await reaching.drop(who, id)
    else:
        await reaching.change(who, id, [kind for kind in KINDS if kind in given], bool(given.text("digest")))
        return redirect(f"{_HERE}?saved={id}#channel-{id}")
    return redirect(_HERE)


@pages.route("/confirm/{token}", "POST")
async def confirm(request: Request) -> Response:
    """Confirm the mail address of a channel."""
    tables(request).limits.hit("token", address(request.scope))
    await tables(request).notification_settings.confirm(request.path_params["token"])
    return render(request, "mails", action="confirm", token="", done=True)


@pages.route("/confirm/{token}")
@pages.route("/unsubscribe/{token}")
async def mail_link(request: Request) -> Response:
    """Show the page of a link in a mail: confirm the address, or unsubscribe."""
    action = request.url.path.split("/")[1]
    return render(request, "mails", action=action, token=request.path_params["token"], done=False)


@pages.route("/unsubscribe/{token}", "POST")
async def unsubscribe(request: Request) -> Response:
    """Stop all mails to an address.

    The request comes from the page, or from a mail program's button (RFC 8058), which has no
    session.

    Args:
        request: The request.

    Returns:
        A page, or plain text for a mail program.
    """
    tables(request).limits.hit("token", address(request.scope))
    await tables(request).notification_settings.unsubscribe(request.path_params["token"])
    if request.state.csrf:
        return render(request, "mails", action="unsubscribe", token="", done=True)
    return PlainTextResponse("ok\n")
