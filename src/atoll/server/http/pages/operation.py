"""The page of operators: the state of the server and its database; see `play.operation`."""

from __future__ import annotations

from functools import partial
from typing import Final

from starlette.requests import Request
from starlette.responses import Response

from ...play.operation import MOST_MINUTES
from ...play.table_lists import moment
from ...presentation import amounts
from ...presentation.texts import site
from ..session import tables
from .context import Pages, language_of, redirect, render
from .forms import form

_HERE: Final = "/operator"

pages = Pages()


@pages.route(_HERE)
async def operation(request: Request) -> Response:
    """Show the state of the server and its database."""
    overview = await tables(request).operation.overview(request.state.user)
    language = language_of(request)
    here = tables(request).executor.maintenance
    return render(
        request,
        "operation",
        overview=overview,
        settling=(here is None) != (overview.maintenance is None),
        most_minutes=MOST_MINUTES,
        at=moment,
        span=partial(amounts.span, texts=site(language)),
        count=partial(amounts.count, language=language),
        size=partial(amounts.size, language=language),
        short=partial(amounts.short_time, language=language),
        percent=partial(amounts.percent, language=language),
    )


@pages.route(f"{_HERE}/maintenance", "POST")
async def maintenance(request: Request) -> Response:
    """Begin or end maintenance."""
    given, services = await form(request), tables(request).operation
    if given.text("what", 3) == "off":
        await services.end_maintenance(request.state.user)
    else:
        await services.begin_maintenance(request.state.user, given.text("text"), given.number_if_any("minutes"))
    return redirect(_HERE)
