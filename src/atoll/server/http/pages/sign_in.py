"""The page on which a user signs in to an account."""

from __future__ import annotations

from typing import Final

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from ...domain.model import Login, Refused
from ...play.mail_links import MAIL_MINUTES
from ..openid_provider import CALLBACK
from ..session import address, cookie, device, tables
from .account import ACCOUNT, show_code
from .cards import cards_of
from .context import Pages, language_of, redirect, refusal_text, render, with_login
from .forms import FormFields, form, query, token_of_link

_HERE: Final = "/sign-in"
MAIL: Final = "/sign-in/mail"

pages = Pages()


@pages.route(_HERE)
async def sign_in_page(request: Request) -> Response:
    """Show the ways into an account."""
    return await _page(request)


async def _page(
    request: Request, wrong: tuple[str, Refused] | None = None, given: FormFields | None = None
) -> Response:
    """Return the page.

    Args:
        request: The request.
        wrong: The field of the submitted form that was refused, and the reason; or None.
        given: The submitted form, whose values the page shows again, or None.
    """
    who = request.state.user
    mine = () if who is None else await tables(request).table_lists.mine(who)
    return render(
        request,
        "sign_in",
        status=200 if wrong is None else wrong[1].status,
        problems={} if wrong is None else {wrong[0]: refusal_text(request, wrong[1])},
        typed=lambda name: "" if given is None else given.text(name, 60),
        mine=cards_of(request, mine),
        unable=tables(request).passkeys.unable,
        mails=tables(request).mail_links.possible,
        provider=tables(request).openid.provider,
    )


@pages.route(_HERE, "POST")
async def sign_in_with_code(request: Request) -> Response:
    """Sign in with a printed code, and show the code that replaces it."""
    given = await form(request)
    tables(request).limits.hit("token", address(request.scope))
    try:
        login, code = await tables(request).credentials.sign_in_with_code(
            given.text("code", 100), device(request.scope)
        )
    except Refused as error:
        if error.code != "bad_code":
            raise
        return await _page(request, ("code", error), given)
    response = await signed_in(request, login, f"{ACCOUNT}/code")
    show_code(response, request, login.user, code)
    return response


@pages.route(f"{_HERE}/passkey/options", "POST")
async def passkey_options(request: Request) -> Response:
    """Return the options with which a script asks for a passkey."""
    tables(request).limits.hit("token", address(request.scope))
    return Response(
        await tables(request).passkeys.request_options(request.state.browser), media_type="application/json"
    )


@pages.route(f"{_HERE}/passkey", "POST")
async def sign_in_with_passkey(request: Request) -> Response:
    """Sign in with the passkey that a script has asked for; the answer names the next page."""
    given = await form(request)
    tables(request).limits.hit("token", address(request.scope))
    answer = given.text("answer", 30_000)
    login = await tables(request).passkeys.sign_in(request.state.browser, answer, device(request.scope))
    await tables(request).users.sign_out(cookie(request))
    return with_login(JSONResponse({"to": "/mine"}), request, login)


@pages.route(f"{_HERE}/mail", "POST")
async def send_mail(request: Request) -> Response:
    """Send a link to a mail address, if an account has it."""
    given = await form(request)
    network, language = address(request.scope), language_of(request)
    try:
        await tables(request).mail_links.send(None, given.text("mail", 300), request.state.browser, network, language)
    except Refused as error:
        if error.code != "bad_mail":
            raise
        return await _page(request, ("mail", error), given)
    return redirect(MAIL)


@pages.route(MAIL)
async def mail_page(request: Request) -> Response:
    """Show the field for the code of a mail; a script posts the token of its link after the #."""
    return render(request, "mail_link", problems={}, minutes=MAIL_MINUTES)


@pages.route(f"{MAIL}/confirm", "POST")
async def confirm_mail(request: Request) -> Response:
    """Sign in with the link or the code of a mail, or add its address to the reader's account."""
    given = await form(request)
    tables(request).limits.hit("token", address(request.scope))
    who, browser = request.state.user, request.state.browser
    try:
        login = await tables(request).mail_links.confirm(who, token_of_link(given), browser, device(request.scope))
    except Refused as error:
        if error.code not in ("bad_mail_code", "other_browser"):
            raise
        problems = {"token": refusal_text(request, error)}
        return render(request, "mail_link", status=error.status, problems=problems, minutes=MAIL_MINUTES)
    return redirect(f"{ACCOUNT}#ways") if login is None else await signed_in(request, login, "/mine")


@pages.route(f"{_HERE}/oidc", "POST")
async def sign_in_with_provider(request: Request) -> Response:
    """Lead to the OpenID Connect provider."""
    tables(request).limits.hit("token", address(request.scope))
    target = await tables(request).openid.begin(None, request.state.browser)
    return render(request, "leaving", provider=tables(request).openid.provider, target=target)


@pages.route(CALLBACK)
async def provider_answers(request: Request) -> Response:
    """Sign in after the OpenID Connect provider, or add it to the reader's account."""
    asked = query(request)
    tables(request).limits.hit("token", address(request.scope))
    given = (asked.text("state", 100), asked.text("code"), asked.text("iss", 300))
    login = await tables(request).openid.finish(
        request.state.user, request.state.browser, *given, device(request.scope)
    )
    return redirect(f"{ACCOUNT}#ways") if login is None else await signed_in(request, login, "/mine")


async def signed_in(request: Request, login: Login, following: str) -> Response:
    """Return the response that starts a session; the browser's former session ends.

    Args:
        request: The request.
        login: The user's login.
        following: Address of the page that follows.
    """
    await tables(request).users.sign_out(cookie(request))
    return with_login(redirect(following), request, login)
