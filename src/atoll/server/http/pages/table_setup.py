"""Pages before and after a game: quick start, taking a seat, invitations, start and rematch.

The form for a new table is in `new_table.py`.
"""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from ...domain.model import Refused, SeatPlan
from ...presentation import clocks
from ...presentation.pictures import cover
from ...presentation.texts import site
from ..session import address, tables
from .cards import player_name
from .context import (
    FRAGMENTS,
    Pages,
    game_of,
    inserted_qr_code,
    language_of,
    reader_or_new_guest,
    redirect,
    render,
    site_address,
    with_login,
    words_of,
)
from .forms import form, token_of_link
from .table import after, table_id, view_of

pages = Pages()


@pages.route("/play", "POST")
async def play(request: Request) -> Response:
    """Start a game against bots, or alone, without a form."""
    given = await form(request)
    who, login = await reader_or_new_guest(request, given)
    alone, first = given.text("alone", 40), given.text("first", 40)
    game = game_of(request, alone or first or given.text("game", 40))
    table = await tables(request).table_setup.play_now(who, game.id, given.key, alone=bool(alone), first=bool(first))
    return with_login(redirect(f"/t/{table}"), request, login)


# -- taking a seat ---------------------------------------------------------------------------------


@pages.route("/t/{id}/join", "POST")
async def join(request: Request) -> Response:
    """Take an open seat, or ask the host for it."""
    given = await form(request)
    seat = given.number_if_any("take")
    who, login = await reader_or_new_guest(request, given)
    await tables(request).table_setup.join(who, table_id(request), seat, given.key)
    return with_login(redirect(f"/t/{table_id(request)}"), request, login)


@pages.route("/t/{id}/seat", "POST")
async def set_seat(request: Request) -> Response:
    """Assign a free seat to a bot, or open it to others again."""
    given = await form(request)
    bot = given.text("bot", 60)
    plan = SeatPlan("bot", bot=bot) if bot else SeatPlan("open")
    await tables(request).table_setup.set_seat(request.state.user, table_id(request), given.number("take"), plan)
    return await after(request, given)


@pages.route("/t/{id}/request", "POST")
async def answer_request(request: Request) -> Response:
    """Let in or decline a person who asks for a seat."""
    given = await form(request)
    seat, stamp, admit = given.number("take"), given.text("stamp", 32), given.text("answer", 4) == "yes"
    setup = tables(request).table_setup
    await setup.answer_request(request.state.user, table_id(request), seat, stamp, admit=admit, key=given.key)
    return await after(request, given)


@pages.route("/t/{id}/swap", "POST")
async def swap(request: Request) -> Response:
    """Let the holders of two seats change places."""
    given = await form(request)
    setup = tables(request).table_setup
    await setup.swap(request.state.user, table_id(request), given.number("take"), given.number("other"))
    return await after(request, given)


@pages.route("/t/{id}/friendly", "POST")
async def make_friendly(request: Request) -> Response:
    """Let a game not count for ratings."""
    given = await form(request)
    await tables(request).table_setup.make_friendly(request.state.user, table_id(request))
    return await after(request, given)


@pages.route("/t/{id}/invite", "POST")
async def invite(request: Request) -> Response:
    """Create an invite link for a seat; scripts get it as JSON, forms as a page."""
    given = await form(request)
    token = await tables(request).table_setup.invite(request.state.user, table_id(request), given.seat)
    view = await view_of(request)
    link = f"{site_address(request)}join?game={view.game}#{token}"
    if FRAGMENTS in request.headers:
        return JSONResponse({"link": link, "code": inserted_qr_code(request, link)})
    return render(request, "invite", view=view, seat=given.seat, link=link, words=words_of(request, view.game))


@pages.route("/t/{id}/invite-person", "POST")
async def invite_person(request: Request) -> Response:
    """Reserve a free seat for an account, by name."""
    given = await form(request)
    await tables(request).table_setup.invite_person(request.state.user, table_id(request), given.text("name", 100))
    return redirect(f"/t/{table_id(request)}")


@pages.route("/join")
async def join_door(request: Request) -> Response:
    """Show the page of an invite link; its script posts the token after the #.

    The address also names the game, for previews of the link in other programs: they don't get the
    part after the #.

    Args:
        request: The request.

    Returns:
        The page.
    """
    named = request.query_params.get("game", "")
    known = named in tuple(tables(request).catalogue.by_id)
    shown = cover(game_of(request, named), language_of(request)) if known else None
    return render(request, "door", action="/join", purpose="join", cover=shown)


@pages.route("/join", "POST")
async def join_by_link(request: Request) -> Response:
    """Show the table of an invitation or, once a name is submitted, take the seat.

    Players who have a seat there already are redirected to the table.

    Args:
        request: The request.

    Returns:
        The page of the invitation, or a redirect to the table.

    Raises:
        Refused: If the invitation doesn't exist and the link names no game.
    """
    given = await form(request)
    tables(request).limits.hit("token", address(request.scope))
    token = token_of_link(given)
    try:
        found = await tables(request).table_setup.invited(request.state.user, token)
    except Refused:
        if (named := given.text("game", 40)) in tuple(tables(request).catalogue.by_id):
            return _too_late(request, named, "", "used")
        raise
    card = found.card
    if found.sits:
        return redirect(f"/t/{card.id}")
    if found.closed:
        return _too_late(request, card.game, card.id if found.seen else "", found.closed)
    if "accept" not in given:
        return render(
            request,
            "invited",
            card=card,
            sitting=[player_name(seat, site(language_of(request))) for seat in card.seats],
            token=token,
            asks=found.asks,
            words=words_of(request, card.game),
            cover=cover(game_of(request, card.game), language_of(request)),
            clock_told=clocks.describe_time_control(card.clock, site(language_of(request))),
        )
    who, login = await reader_or_new_guest(request, given)
    table, _ = await tables(request).table_setup.accept(who, token)
    return with_login(redirect(f"/t/{table}"), request, login)


def _too_late(request: Request, game: str, table: str, closed: str) -> Response:
    """Return the page of an invitation that no longer works, with the next steps.

    Args:
        request: The request.
        game: Id of the game.
        table: Id of the table, or "" if the reader may not see it.
        closed: The reason why it no longer works.
    """
    return render(request, "too_late", status=410, game=game, table=table, closed=closed, words=words_of(request, game))


# -- the start -------------------------------------------------------------------------------------


@pages.route("/t/{id}/seal", "POST")
async def seal(request: Request) -> Response:
    """Accept the seal of a browser's share of the chance."""
    given = await form(request)
    offer, sealed = given.text("offer", 64), given.text("seal", 64)
    await tables(request).table_setup.seal(request.state.user, table_id(request), given.seat, offer, sealed)
    return await after(request, given)


@pages.route("/t/{id}/share", "POST")
async def share(request: Request) -> Response:
    """Accept a browser's share of the chance."""
    given = await form(request)
    terms, shown = given.text("terms", 64), given.text("share", 64)
    await tables(request).table_setup.show(request.state.user, table_id(request), given.seat, terms, shown)
    return await after(request, given)


@pages.route("/t/{id}/start", "POST")
async def start(request: Request) -> Response:
    """Stop waiting for the browsers' seals or shares of the chance."""
    given = await form(request)
    await tables(request).table_setup.start(request.state.user, table_id(request))
    return await after(request, given)


@pages.route("/t/{id}/rematch", "POST")
async def rematch(request: Request) -> Response:
    """Open a table for another game of the same players."""
    return redirect("/t/" + await tables(request).table_setup.rematch(request.state.user, table_id(request)))
