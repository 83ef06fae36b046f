"""Looking back: past moments, what a bot says of them, playing on from there, the record."""

from __future__ import annotations

from typing import Any
from urllib.parse import quote

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from ...model import TableView
from .. import pictures, texts
from ..session import address, tables
from .context import Pages, at_table, go, render
from .forms import form, query
from .table import after, log_of, study_values, table_id, view_of

pages = Pages()


@pages.at("/t/{id}/moment")
async def moment(request: Request) -> Response:
    """The picture of a past moment, for the replay's slider and for the moves since one last looked."""
    _, values = await _moment(request)
    return render(request, "moment", **values)


@pages.at("/t/{id}/replay")
async def replay(request: Request) -> Response:
    """The whole game, moment by moment, from the reader's rights."""
    view, values = await _moment(request)
    return render(request, "replay", levels=tables(request).catalogue.levels(view.game), **values)


async def _moment(request: Request) -> tuple[TableView, dict[str, Any]]:
    """The table, and what its templates show of the moment that the address names."""
    asked = query(request)
    view = await view_of(request, asked.number_if_any("seat"))
    at = asked.number_if_any("at") or 0
    shown = await tables(request).history.moment(
        request.state.user, view.id, at, view.seat, address=address(request.scope)
    )
    game, words, site = at_table(request, view)
    study = await study_values(request, view, words, shown.sequence) if view.status == "over" else {"study": None}
    return view, study | pictures.shown(game, shown.view, view, words, site) | {
        "game": game,
        "view": view,
        "moment": shown,
        "words": words,
        "symbols": pictures.symbols(game),
        "newest": texts.log_line(shown.log[-1], words, site) if shown.log else "",
        "log": log_of(shown.log, view, words, site),
    }


@pages.at("/t/{id}/analyse", "POST")
async def analyse(request: Request) -> Response:
    """Ask what a strong bot says of the finished game."""
    given = await form(request)
    await tables(request).study.analyse(request.state.user, table_id(request))
    return await after(request, given)


@pages.at("/t/{id}/play-on", "POST")
async def play_on(request: Request) -> Response:
    """Go on from a past moment, alone against bots."""
    given = await form(request)
    table = await tables(request).history.play_on(
        request.state.user,
        table_id(request),
        given.number("at"),
        given.number_if_any("seat"),
        given.text("bot", 40),
    )
    return go(f"/t/{table}")


@pages.at("/t/{id}/export")
async def export(request: Request) -> Response:
    """The game as a file, with the reader's rights."""
    table = table_id(request)
    seat = query(request).number_if_any("seat")
    data = await tables(request).history.export(request.state.user, table, seat, address=address(request.scope))
    name = quote(f"{table}.json")
    return JSONResponse(data, headers={"Content-Disposition": f"attachment; filename*=UTF-8''{name}"})
