"""Competitions: the list, a competition, sign-up, check-in, creation, and the acts of hosts."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from starlette.requests import Request
from starlette.responses import Response

from ...domain.competitions import HOST_ACTS, CompetitionCard, NewCompetition
from ...domain.divisions import divisions_for
from ...domain.model import Refused
from ...presentation import clocks
from ...presentation.competitions import card_name
from ...presentation.texts import site
from ..session import tables
from .context import (
    Pages,
    covers,
    game_of,
    language_of,
    redirect,
    refusal_text,
    render,
    site_address,
    words_of,
)
from .forms import FormFields, form, query

HERE: Final = "/competitions"
_FIELDS: Final = {"bad_division": "division", "bad_number": "days", "bad_seats": "seats"}
"""Refusal code -> field of the form that shows the reason."""
_DAYS: Final = 63

pages = Pages()


@pages.route(HERE)
async def competitions(request: Request) -> Response:
    """Show the competitions: those to enter, those that are running, and the last ones."""
    current, over = await tables(request).competitions.listed(request.state.user)
    sections = {
        "competition.list.entries": [each for each in current if each.state in ("open", "check_in")],
        "competition.list.running": [each for each in current if each.state in ("starting", "running")],
        "competition.list.over": over,
    }
    return render(
        request,
        "competitions",
        sections={heading: found for heading, found in sections.items() if found},
        names=_names(request, [*current, *over]),
        may_open=_may_open(request),
    )


def _names(request: Request, cards: list[CompetitionCard]) -> dict[str, str]:
    """Return the names of competitions by id."""
    titles = {each.game.id: each.title for each in covers(request)}
    words = site(language_of(request))
    return {each.id: card_name(words, titles.get(each.game, each.game), each) for each in cards}


def _may_open(request: Request) -> bool:
    """Return whether the reader may open a cup."""
    who = request.state.user
    return who is not None and who.has_account


# -- creation --------------------------------------------------------------------------------------


@pages.route(f"{HERE}/new")
async def new_competition(request: Request) -> Response:
    """Show the form for a new competition."""
    return _form_page(request, query(request))


def _form_page(
    request: Request, given: FormFields, problems: Mapping[str, str] | None = None, status: int = 200
) -> Response:
    """Return the page with the form.

    Args:
        request: The request.
        given: Values to fill in.
        problems: Problems of the form, by field.
        status: HTTP status.

    Raises:
        Refused: If there are no competitions here, or no game can be shown.
    """
    tables(request).competitions.require_offered()
    shown = covers(request)
    if not shown:
        raise Refused("broken_game", 503, "no game can be shown at the moment")
    wanted = given.text("game", 40)
    chosen = game_of(request, wanted) if wanted else shown[0].game
    counts = [count for count in chosen.seat_counts if divisions_for(count)]
    seats = given.number_if_any("seats")
    count = seats if seats in counts else counts[-1] if 4 not in counts else 4
    return render(
        request,
        "new_competition",
        status=status,
        covers=shown,
        game=chosen,
        counts=counts,
        count=count,
        divisions=divisions_for(count),
        may_open=_may_open(request),
        given=given,
        problems=problems or {},
        days=_DAYS,
    )


@pages.route(f"{HERE}/new", "POST")
async def create(request: Request) -> Response:
    """Create the competition that the form describes, or show the form again with its problems."""
    given = await form(request)
    try:
        new = _wanted(given)
        id = await tables(request).competitions.create(request.state.user, new)
    except Refused as error:
        if error.code not in _FIELDS:
            raise
        return _form_page(request, given, {_FIELDS[error.code]: refusal_text(request, error)}, error.status)
    return redirect(f"{HERE}/{id}")


def _wanted(given: FormFields) -> NewCompetition:
    """Return the competition that the form describes."""
    kind = given.text("kind", 20)
    if kind not in ("mini", "private"):
        raise Refused("bad_option", 422, "kind: expected mini or private")
    return NewCompetition(
        "mini",
        given.text("game", 40),
        given.number("seats"),
        given.text("division", 10),
        days=given.number_if_any("days") or _DAYS,
        private=kind == "private",
        title=given.text("title", 100) if kind == "private" else "",
    )


# -- one competition -------------------------------------------------------------------------------


@pages.route(f"{HERE}/{{competition}}")
async def competition(request: Request) -> Response:
    """Show a competition: entries, divisions, standings, games and its draw."""
    view = await tables(request).competitions.view(request.state.user, request.path_params["competition"])
    words, language = words_of(request, view.card.game), language_of(request)
    texts = site(language)
    return render(
        request,
        "competition",
        view=view,
        name=card_name(texts, words.title(), view.card),
        game_title=words.title(),
        pace=clocks.describe_time_control(view.clock, texts),
        acts=HOST_ACTS,
        address=f"{site_address(request)}competitions/{view.card.id}" if view.card.private else "",
        mine=[game for division in view.divisions for game in division.games if game.mine],
    )


@pages.route(f"{HERE}/{{competition}}/{{act}}", "POST")
async def act(request: Request) -> Response:
    """Sign up, check in, withdraw, or act as the host."""
    given = await form(request)
    service, who = tables(request).competitions, request.state.user
    id, what = request.path_params["competition"], request.path_params["act"]
    if what == "enter":
        await service.enter(who, id)
    elif what == "check-in":
        await service.check_in(who, id)
    elif what == "leave":
        await service.leave(who, id)
    elif what == "host":
        await service.host_act(
            who,
            id,
            given.text("act", 20),
            given.text("reason", 1000),
            days=given.number_if_any("days") or 0,
            table=given.text("table", 32),
            names=given.text("names", 200),
        )
    else:
        raise Refused("no_page", 404, "unknown action: expected enter, check-in, leave or host")
    return redirect(f"{HERE}/{id}")
