"""Pages about the past of a game: replay, analysis, continuing from a past moment, and export."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final
from urllib.parse import quote

import msgspec
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from ...domain.model import SeatInfo, TableSeats, TableView
from ...presentation import pictures, texts
from ...presentation.log_lines import acts_json
from ..session import address, tables
from .context import FRAGMENTS, Pages, redirect, render, texts_of_table
from .forms import FormFields, form, query
from .table import after, log_of, safe_json, study_values, table_id, view_of

_BEFORE_START: Final = -1

pages = Pages()


@pages.route("/t/{id}/acts")
async def acts(request: Request) -> Response:
    """Return what has happened since a moment, act by act, for the player of the page.

    Each act has its log lines and the elements that they highlight.
    """
    asked, table = query(request), table_id(request)
    since, origin = asked.number_if_any("since"), address(request.scope)
    sitting = await _sitting(request, asked)
    found = await tables(request).history.acts(request.state.user, table, since, sitting.seat, address=origin)
    encoded = acts_json(found.acts, *texts_of_table(request, sitting)[1:])
    return JSONResponse({"acted": found.acted, "acts": encoded})


@pages.route("/t/{id}/moment")
async def moment(request: Request) -> Response:
    """Return the picture of a past moment, for the player of the page."""
    asked = query(request)
    sitting, at = await _sitting(request, asked), asked.number_if_any("at") or 0
    shown = await tables(request).history.moment(
        request.state.user, table_id(request), at, sitting.seat, address=address(request.scope)
    )
    game, words, site = texts_of_table(request, sitting)
    then = msgspec.structs.replace(sitting, seats=seats_at(sitting, shown.view))
    return render(
        request, "moment", at=shown.sequence, **vars(pictures.table_regions(game, shown.view, then, words, site))
    )


async def _sitting(request: Request, asked: FormFields) -> TableSeats:
    """Return the seats of the table, viewed from the seat in the address."""
    return await tables(request).table_views.table_seats(
        request.state.user, table_id(request), asked.number_if_any("seat")
    )


@pages.route("/t/{id}/replay")
async def replay(request: Request) -> Response:
    """Show the whole game act by act, as the reader may see it."""
    asked = query(request)
    at = asked.number_if_any("at")
    view = await view_of(request, asked.number_if_any("seat"))
    found = await tables(request).history.acts(
        request.state.user, view.id, _BEFORE_START, view.seat, address=address(request.scope), limit="replay"
    )
    if at is None:
        at = found.acts[0].end
    index = next((i for i, act in enumerate(found.acts) if act.end >= at), len(found.acts) - 1)
    values = await _replay_values(request, view, at)
    levels = tables(request).catalogue.levels(view.game, len(view.seats))
    known = values | {"acts": found.acts, "index": index, "levels": levels}
    if FRAGMENTS in request.headers:
        return render(request, "replay_main", **known)
    encoded = acts_json(found.acts, *texts_of_table(request, view)[1:])
    names = [known["words"].seat(seat) for seat in range(len(view.seats))]
    return render(request, "replay", data=safe_json({"seats": names, "acts": encoded}), **known)


async def _replay_values(request: Request, view: TableView, at: int) -> dict[str, Any]:
    """Return the values of the replay page for a moment of a table."""
    shown = await tables(request).history.moment(request.state.user, view.id, at, view.seat, limit="")
    game, words, site = texts_of_table(request, view)
    study = await study_values(request, view, words, shown.sequence) if view.status == "over" else {"study": None}
    then = msgspec.structs.replace(view, seats=seats_at(view, shown.view))
    return (
        study
        | vars(pictures.table_regions(game, shown.view, then, words, site))
        | {
            "at": shown.sequence,
            "game": game,
            "view": then,
            "shown": shown,
            "words": words,
            "symbols": pictures.symbols(game),
            "newest": texts.log_line(shown.log[-1], words, site) if shown.log else "",
            "log": log_of(shown.log, view, words, site),
        }
    )


def seats_at(view: TableView | TableSeats, then: Mapping[str, Any]) -> tuple[SeatInfo, ...]:
    """Return the seats as they were asked at a past moment.

    The time left at that moment isn't stored, so it is None.

    Args:
        view: The table.
        then: The view of the past moment.
    """
    asked, ready = then["to_move"], then["ready"]
    return tuple(
        msgspec.structs.replace(
            info,
            to_move=info.seat in asked,
            ready=None if ready is None else ready[info.seat],
            time_left_s=None,
        )
        for info in view.seats
    )


@pages.route("/t/{id}/analyse", "POST")
async def analyse(request: Request) -> Response:
    """Start a strong bot's analysis of the finished game."""
    given = await form(request)
    await tables(request).bot_analysis.analyse(request.state.user, table_id(request))
    return await after(request, given)


@pages.route("/t/{id}/play-on", "POST")
async def play_on(request: Request) -> Response:
    """Create a game that continues from a past moment against bots."""
    given = await form(request)
    table = await tables(request).history.continue_from(
        request.state.user,
        table_id(request),
        given.number("at"),
        given.number_if_any("seat"),
        given.text("bot", 40),
        given.key,
    )
    return redirect(f"/t/{table}")


@pages.route("/t/{id}/export")
async def export(request: Request) -> Response:
    """Return the game as a file, as the reader may see it."""
    table = table_id(request)
    seat = query(request).number_if_any("seat")
    data = await tables(request).history.export(request.state.user, table, seat, address=address(request.scope))
    name = quote(f"{table}.json")
    return JSONResponse(data, headers={"Content-Disposition": f"attachment; filename*=UTF-8''{name}"})
