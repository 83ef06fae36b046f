"""Quick match and leaderboards: find people for a game now."""

from __future__ import annotations

from typing import Final

from starlette.requests import Request
from starlette.responses import Response

from ...domain.matching import OFFER_S, RANGES
from ...domain.model import Refused
from ...domain.paces import PACES
from ...play.quick_match import Search, Wish
from ..session import tables
from .context import (
    Pages,
    covers,
    game_of,
    reader_or_new_guest,
    redirect,
    refusal_text,
    render,
    with_login,
    words_of,
)
from .forms import FormFields, form, query

_HERE: Final = "/quick"
_WAITS: Final = "/quick/wait"
_FIELD_OF_REFUSAL: Final = {"bad_name": "name", "bad_seats": "seats", "accounts_only": "rated", "no_ratings": "rated"}
"""Refusal code -> field of the form that shows the reason."""

pages = Pages()


@pages.route(_HERE)
async def quick(request: Request) -> Response:
    """Show the form for a game with people who look for one now."""
    return await _form_page(request, query(request))


async def _form_page(request: Request, given: FormFields, wrong: Refused | None = None) -> Response:
    """Return the page with the form.

    Args:
        request: The request.
        given: Values to fill in.
        wrong: The reason why the submitted form was refused, or None.

    Raises:
        Refused: If no game can be shown, or the refusal belongs to no field.
    """
    shown = [each for each in covers(request) if each.game.seat_counts[-1] > 1]
    if not shown:
        raise Refused("broken_game", 503, "no game can be shown at the moment")
    if wrong is not None and wrong.code not in _FIELD_OF_REFUSAL:
        raise wrong
    wanted = given.text("game", 40)
    cover = next((each for each in shown if each.game.id == wanted), shown[0])
    counts = [count for count in cover.game.seat_counts if count > 1]
    count = given.text("seats", 4)
    who = request.state.user
    return render(
        request,
        "quick",
        status=200 if wrong is None else wrong.status,
        covers=shown,
        cover=cover,
        counts=counts,
        count=int(count) if count in map(str, counts) else counts[0],
        paces=PACES,
        ranges=RANGES,
        rates=tables(request).ratings.enabled and who is not None and who.has_account,
        has_board=await tables(request).ratings.has_board(cover.game.id),
        waiting=await tables(request).quick_match.waiting(),
        given=given,
        problems={} if wrong is None else {_FIELD_OF_REFUSAL[wrong.code]: refusal_text(request, wrong)},
    )


@pages.route(_HERE, "POST")
async def begin(request: Request) -> Response:
    """Begin to look for the game in the form."""
    given = await form(request)
    game = game_of(request, given.text("game", 40))
    login = None
    try:
        wish = Wish(
            game.id,
            given.number("seats"),
            given.text("pace", 20),
            bool(given.text("rated", 4)),
            given.number_if_any("range") or 0,
        )
        who, login = await reader_or_new_guest(request, given)
        await tables(request).quick_match.begin(who, wish)
    except Refused as error:
        return with_login(await _form_page(request, given, error), request, login)
    return with_login(redirect(_WAITS), request, login)


@pages.route(_WAITS)
async def wait(request: Request) -> Response:
    """Show the state of the reader's search; the page asks again every few seconds."""
    who = request.state.user
    search = Search() if who is None else await tables(request).quick_match.stay(who)
    if search.wish is None:
        return redirect(_HERE)
    return render(
        request,
        "quick_wait",
        search=search,
        wish=search.wish,
        words=words_of(request, search.wish.game),
        offer_s=OFFER_S,
    )


@pages.route("/quick/stop", "POST")
async def stop(request: Request) -> Response:
    """Stop looking for a game."""
    if request.state.user is not None:
        await tables(request).quick_match.end(request.state.user)
    return redirect(_HERE)


@pages.route("/quick/table", "POST")
async def open_table(request: Request) -> Response:
    """Open a table in the lobby instead of looking on."""
    return redirect("/t/" + await tables(request).quick_match.open_table(request.state.user))


@pages.route("/ratings/{game}")
async def leaderboard(request: Request) -> Response:
    """Show the best players of a game; without any, how to get a rating."""
    game = game_of(request, request.path_params["game"])
    ranked = await tables(request).ratings.leaderboard(game.id)
    cover = next((each for each in covers(request) if each.game.id == game.id), None)
    return render(request, "ratings", ranked=ranked, cover=cover, words=words_of(request, game.id))
