"""The reader's account: credentials, sessions, devices, programs, export and deletion."""

from __future__ import annotations

from typing import Final

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from ...domain.model import Refused, User
from ...play.device_links import LINK_MINUTES
from ...table.permissions import require_user
from ..download import download
from ..session import CODE, LINK, address, cookie, device, set_cookie, sign_out, tables
from .context import Pages, language_of, redirect, refusal_text, render, site_address
from .forms import FormFields, form

ACCOUNT: Final = "/account"
_DELETE: Final = "/settings/delete"
_CODE_SECONDS: Final = 600

pages = Pages()


# -- sessions and devices --------------------------------------------------------------------------


@pages.route(ACCOUNT)
async def account(request: Request) -> Response:
    """Show the reader's sessions, and what leads to the account."""
    return await _account_page(request)


_NAME_REFUSALS: Final = ("bad_name", "name_reserved", "name_taken")
"""Codes of refusals of the name with which a guest becomes an account."""


async def _account_page(
    request: Request,
    token: str = "",
    wrong: tuple[str, Refused] | None = None,
    given: FormFields | None = None,
) -> Response:
    """Return the page.

    Args:
        request: The request.
        token: New API token to show, or "".
        wrong: The field of the submitted form that was refused, and the reason; or None.
        given: The submitted form, whose values the page shows again, or None.
    """
    found, who = tables(request), request.state.user
    if who is None:
        return redirect("/sign-in")
    sessions = await found.sessions.mine(who, cookie(request))
    secret = cookie(request, LINK)
    is_open = await found.device_links.is_open(who, secret)
    return render(
        request,
        "account",
        status=200 if wrong is None else wrong[1].status,
        problems={} if wrong is None else {wrong[0]: refusal_text(request, wrong[1])},
        typed=lambda name, usual: given.text(name, 60) if given is not None and name in given else usual,
        credentials=await found.credentials.mine(who),
        unable=found.passkeys.unable,
        mails=found.mail_links.possible,
        provider=found.openid.provider,
        rescues=await found.rescues.mine(who),
        sessions=[each for each in sessions if each.kind == "session"],
        programs=[each for each in sessions if each.kind == "api"],
        link=f"{site_address(request)}device#{secret}" if is_open else "",
        requests=await found.device_links.requests(who),
        minutes=LINK_MINUTES,
        token=token,
    )


@pages.route(f"{ACCOUNT}/sessions/{{session}}/end", "POST")
async def end_session(request: Request) -> Response:
    """End one session or API token."""
    await tables(request).sessions.end(request.state.user, request.path_params["session"])
    return redirect(ACCOUNT)


@pages.route(f"{ACCOUNT}/end-others", "POST")
async def end_others(request: Request) -> Response:
    """End all sessions and API tokens except this browser's session."""
    await tables(request).sessions.end_others(request.state.user, cookie(request))
    return redirect(ACCOUNT)


@pages.route(f"{ACCOUNT}/tokens", "POST")
async def add_token(request: Request) -> Response:
    """Create an API token, and show it once."""
    given = await form(request)
    try:
        token = await tables(request).sessions.add_token(request.state.user, given.text("label", 200))
    except Refused as error:
        if error.code not in ("bad_name", "many_tokens"):
            raise
        return await _account_page(request, wrong=("label", error), given=given)
    return await _account_page(request, token=token)


@pages.route("/device-link", "POST")
async def create_link(request: Request) -> Response:
    """Create a device link; the account's page shows it as long as it can be opened."""
    secret = await tables(request).device_links.create(request.state.user)
    response = redirect(f"{ACCOUNT}#devices")
    set_cookie(response, request, LINK, secret, LINK_MINUTES * 60)
    return response


@pages.route("/device/{link}/allow", "POST")
async def allow_device(request: Request) -> Response:
    """Allow a device that waits to sign in as the reader."""
    await tables(request).device_links.answer(request.state.user, request.path_params["link"], allow=True)
    return redirect(f"{ACCOUNT}#devices")


@pages.route("/device/{link}/deny", "POST")
async def deny_device(request: Request) -> Response:
    """Deny a device that waits."""
    await tables(request).device_links.answer(request.state.user, request.path_params["link"], allow=False)
    return redirect(f"{ACCOUNT}#devices")


@pages.route("/sign-out", "POST")
async def sign_out_here(request: Request) -> Response:
    """Sign out on this device."""
    await tables(request).users.sign_out(cookie(request))
    response = redirect("/")
    sign_out(response, request)
    return response


# -- credentials -----------------------------------------------------------------------------------


@pages.route(f"{ACCOUNT}/code", "POST")
async def add_code(request: Request) -> Response:
    """Make a printed code, which replaces the previous one; a guest becomes an account."""
    given = await form(request)
    try:
        code = await tables(request).credentials.add_code(request.state.user, given.text("name", 200))
    except Refused as error:
        if error.code not in _NAME_REFUSALS:
            raise
        return await _account_page(request, wrong=("name", error), given=given)
    response = redirect(f"{ACCOUNT}/code")
    show_code(response, request, require_user(request.state.user), code)
    return response


@pages.route(f"{ACCOUNT}/code")
async def code_page(request: Request) -> Response:
    """Show the printed code that this browser got in the last minutes."""
    who = request.state.user
    owner, _, code = cookie(request, CODE).partition(".")
    if who is None or owner != who.id or not code:
        return redirect(ACCOUNT)
    return render(request, "code", code=code)


@pages.route(f"{ACCOUNT}/mail", "POST")
async def add_mail(request: Request) -> Response:
    """Send a link with which the reader adds a mail address."""
    given = await form(request)
    who = require_user(request.state.user)
    network, language, name = address(request.scope), language_of(request), given.text("name", 200)
    try:
        await tables(request).mail_links.send(
            who, given.text("mail", 300), request.state.browser, network, language, name=name
        )
    except Refused as error:
        if error.code not in ("bad_mail", *_NAME_REFUSALS):
            raise
        return await _account_page(request, wrong=("mail" if error.code == "bad_mail" else "name", error), given=given)
    return redirect("/sign-in/mail")


@pages.route(f"{ACCOUNT}/oidc", "POST")
async def add_provider(request: Request) -> Response:
    """Lead to the OpenID Connect provider, to add it to the reader's account."""
    given = await form(request)
    who = require_user(request.state.user)
    tables(request).limits.hit("token", address(request.scope))
    try:
        target = await tables(request).openid.begin(who, request.state.browser, name=given.text("name", 200))
    except Refused as error:
        if error.code not in _NAME_REFUSALS:
            raise
        return await _account_page(request, wrong=("name", error), given=given)
    return render(request, "leaving", provider=tables(request).openid.provider, target=target)


@pages.route(f"{ACCOUNT}/passkeys/options", "POST")
async def passkey_options(request: Request) -> Response:
    """Return the options with which a script makes a passkey."""
    options = await tables(request).passkeys.creation_options(request.state.user, request.state.browser)
    return Response(options, media_type="application/json")


@pages.route(f"{ACCOUNT}/passkeys", "POST")
async def add_passkey(request: Request) -> Response:
    """Add the passkey that a script has made; the answer names the next page."""
    given = await form(request)
    answer, name = given.text("answer", 30_000), given.text("name", 200)
    label = device(request.scope)
    await tables(request).passkeys.add(request.state.user, request.state.browser, answer, name, label)
    return JSONResponse({"to": f"{ACCOUNT}#ways"})


@pages.route(f"{ACCOUNT}/credentials/{{credential}}/remove", "POST")
async def remove_credential(request: Request) -> Response:
    """Remove a credential."""
    await tables(request).credentials.remove(request.state.user, request.path_params["credential"])
    return redirect(ACCOUNT)


def show_code(response: Response, request: Request, owner: User, code: str) -> None:
    """Let this browser show a user's new printed code to them for a few minutes.

    Args:
        response: The response that leads to the page.
        request: The request.
        owner: The user.
        code: The code.
    """
    set_cookie(response, request, CODE, f"{owner.id}.{code}", _CODE_SECONDS)


# -- export and deletion ---------------------------------------------------------------------------


@pages.route("/settings/kept.json")
async def export_account(request: Request) -> Response:
    """Return all stored data about the reader as a file."""
    return await download(tables(request), request.state.user)


@pages.route(_DELETE)
async def confirm_deletion(request: Request) -> Response:
    """Show the form that deletes the account, and the consequences."""
    return await _confirmation_page(request)


async def _confirmation_page(
    request: Request, wrong: Refused | None = None, given: FormFields | None = None
) -> Response:
    """Return the page that asks for confirmation.

    Args:
        request: The request.
        wrong: The reason why the account wasn't deleted, or None.
        given: The submitted form, or None.
    """
    who = request.state.user
    if who is None:
        return redirect("/settings")
    return render(
        request,
        "delete",
        status=200 if wrong is None else wrong.status,
        problems={} if wrong is None else {"name": refusal_text(request, wrong)},
        typed="" if given is None else given.text("name", 60),
        open_tables=len(await tables(request).table_lists.mine(who)),
    )


@pages.route(_DELETE, "POST")
async def delete(request: Request) -> Response:
    """Delete the account if the reader has confirmed it by its name."""
    given = await form(request)
    try:
        await tables(request).accounts.delete(request.state.user, given.text("name", 200))
    except Refused as error:
        if error.code != "not_confirmed":
            raise
        return await _confirmation_page(request, error, given)
    response = redirect("/deleted")
    sign_out(response, request)
    return response


@pages.route("/deleted")
async def deleted(request: Request) -> Response:
    """Show the page after the deletion of an account."""
    return render(request, "deleted") if request.state.user is None else redirect("/settings")
