"""The page of operators: the state of the server and its database; see `play.operation`."""

from __future__ import annotations

from functools import partial
from typing import Final

from starlette.requests import Request
from starlette.responses import Response

from ...play.table_lists import moment
from ...presentation import amounts
from ...presentation.texts import site
from ..session import tables
from .context import Pages, language_of, render

_HERE: Final = "/operator"

pages = Pages()


@pages.route(_HERE)
async def operation(request: Request) -> Response:
    """Show the state of the server and its database."""
    overview = await tables(request).operation.overview(request.state.user)
    language = language_of(request)
    return render(
        request,
        "operation",
        overview=overview,
        at=moment,
        span=partial(amounts.span, texts=site(language)),
        count=partial(amounts.count, language=language),
        size=partial(amounts.size, language=language),
        short=partial(amounts.short_time, language=language),
        percent=partial(amounts.percent, language=language),
    )
