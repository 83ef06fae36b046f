"""The start, the lists of tables, the rules, and what Atoll is."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from starlette.requests import Request
from starlette.responses import Response

from ...model import TableCard
from ...tables.lists import PAGE, by_time_left
from ..session import tables
from ..texts import GameTexts
from .context import Pages, covers, render
from .forms import query

_MOST_PAGES: Final = 1000
_MOST_WAITING: Final = 3

pages = Pages()


@pages.at("/")
async def start(request: Request) -> Response:
    """The tables that wait for the reader, if any, and play now; then its other tables and those that await players."""
    found = await tables(request).lists.lobby(request.state.user)
    others = [each for each in found if not any(seat.mine for seat in each.seats)]
    mine = _cards(request, await _my_tables(request))
    waiting = [each for each in mine if each[0].my_turn][:_MOST_WAITING]
    return render(
        request,
        "start",
        covers=covers(request),
        waiting=waiting,
        mine=[each for each in mine if each not in waiting][:6],
        lobby=_cards(request, others)[:6],
    )


@pages.at("/lobby")
async def lobby(request: Request) -> Response:
    """Tables that await players, and those that can be watched."""
    page = min(query(request).number_if_any("page") or 0, _MOST_PAGES)
    found = await tables(request).lists.lobby(request.state.user, page)
    following = page + 1 if len(found) == PAGE and page < _MOST_PAGES else None
    before = page - 1 if page else None
    cards = _cards(request, found)
    return render(
        request, "tables", title="lobby.title", empty="lobby.empty", cards=cards, before=before, following=following
    )


@pages.at("/mine")
async def mine(request: Request) -> Response:
    """The reader's tables; those that wait for it first, by time left."""
    cards = _cards(request, await _my_tables(request))
    return render(request, "tables", title="mine.title", empty="mine.empty", cards=cards, before=None, following=None)


async def _my_tables(request: Request) -> Sequence[TableCard]:
    who = request.state.user
    return by_time_left(await tables(request).lists.mine(who)) if who is not None else ()


def _cards(request: Request, tables: Sequence[TableCard]) -> list[tuple[TableCard, GameTexts]]:
    """Tables for a list, with the texts of their games; those of a game that can't be shown are left out."""
    words = {each.game.id: each.words for each in covers(request)}
    return [(each, words[each.game]) for each in tables if each.game in words]


@pages.at("/about")
async def about(request: Request) -> Response:
    """What Atoll is, who the games belong to, licences."""
    return render(request, "about")
