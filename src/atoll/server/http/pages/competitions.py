"""Competitions: the list, a competition, sign-up, check-in, creation, and the acts of hosts."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Final
from zoneinfo import ZoneInfo

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from ...domain.competitions import HOST_ACTS, CompetitionCard, CompetitionKind, NewCompetition
from ...domain.divisions import divisions_for
from ...domain.model import Refused
from ...domain.playing_hours import zone_of as zone_named
from ...play.competitions import is_operator
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
    zone_of,
)
from .forms import FormFields, form, query

HERE: Final = "/competitions"
_FIELDS: Final = {"bad_start": "starts", "bad_division": "division", "bad_number": "days", "bad_seats": "seats"}
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
        may_open=_openable(request),
    )


def _names(request: Request, cards: list[CompetitionCard]) -> dict[str, str]:
    """Return the names of competitions by id."""
    titles = {each.game.id: each.title for each in covers(request)}
    words = site(language_of(request))
    return {each.id: card_name(words, titles.get(each.game, each.game), each) for each in cards}


def _openable(request: Request) -> tuple[CompetitionKind, ...]:
    """Return the formats that the reader may open."""
    who = request.state.user
    if who is None or not who.has_account:
        return ()
    return ("mini", "league", "evening") if is_operator(who) else ("mini",)


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
    kinds = _openable(request)
    kind = given.text("kind", 20)
    return render(
        request,
        "new_competition",
        status=status,
        covers=shown,
        game=chosen,
        counts=counts,
        count=count,
        divisions=divisions_for(count),
        kinds=kinds,
        kind=kind if kind in kinds else "mini",
        given=given,
        problems=problems or {},
        days=_DAYS,
    )


@pages.route(f"{HERE}/new", "POST")
async def create(request: Request) -> Response:
    """Create the competition that the form describes, or show the form again with its problems."""
    given = await form(request)
    try:
        new = _wanted(request, given)
        id = await tables(request).competitions.create(request.state.user, new)
    except Refused as error:
        if error.code not in _FIELDS:
            raise
        return _form_page(request, given, {_FIELDS[error.code]: refusal_text(request, error)}, error.status)
    return redirect(f"{HERE}/{id}")


def _wanted(request: Request, given: FormFields) -> NewCompetition:
    """Return the competition that the form describes."""
    kind = given.text("kind", 20)
    private = kind == "private"
    wanted = {
        "kind": "mini" if private else kind,
        "game": given.text("game", 40),
        "seats": given.number("seats"),
        "division": given.text("division", 10),
        "starts": None if kind in ("mini", "private") else _start(request, given.text("starts", 40)),
        "days": given.number_if_any("days") or _DAYS,
        "rounds": given.number_if_any("rounds") or 3,
        "minutes": given.number_if_any("minutes") or 45,
        "private": private,
        "title": given.text("title", 100) if private else "",
    }
    try:
        return msgspec.convert(wanted, NewCompetition)
    except msgspec.ValidationError:
        raise Refused("bad_option", 422, "kind: expected mini, private, league or evening") from None


def _start(request: Request, text: str) -> datetime:
    """Return the moment of a field for date and time, in the reader's time zone."""
    zone: ZoneInfo = zone_named(zone_of(request))
    try:
        found = datetime.fromisoformat(text)
        return (found if found.tzinfo else found.replace(tzinfo=zone)).astimezone(UTC)
    except (ValueError, OverflowError):
        raise Refused("bad_start", 422, "starts: expected a date and time", fields={"hours": 1, "n": 180}) from None


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
