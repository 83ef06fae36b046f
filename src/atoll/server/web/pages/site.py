"""The start, the lists of tables, the rules, and what Atoll is."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final, TypeAlias

from starlette.requests import Request
from starlette.responses import Response

from ...model import Refused, TableCard
from ...tables.lists import PAGE, by_time_left
from .. import clocks
from ..session import tables
from ..texts import GameTexts, site
from .context import Pages, covers, language_of, render
from .forms import query

_MOST_PAGES: Final = 1000
_MOST_WAITING: Final = 3

_Card: TypeAlias = tuple[TableCard, GameTexts, str]

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
    """Tables that await players, and those that can be watched; of one game, if the address names it."""
    asked = query(request)
    page = min(asked.number_if_any("page") or 0, _MOST_PAGES)
    game = asked.text("game", 40)
    titles = {each.game.id: each.title for each in covers(request)}
    if game and game not in titles:
        raise Refused("no_page", 404, "there is no such game")
    found = await tables(request).lists.lobby(request.state.user, page, game)
    texts = site(language_of(request))
    return render(
        request,
        "tables",
        title="lobby.title",
        empty=texts.text("lobby.empty_game", game=titles[game]) if game else texts.text("lobby.empty"),
        sections=_sections(
            request, found, {"lobby.gathering": _gathers, "mine.title": _is_mine, "lobby.running": _plays}
        ),
        covers=covers(request),
        filtered=True,
        game=game,
        before=page - 1 if page else None,
        following=page + 1 if len(found) == PAGE and page < _MOST_PAGES else None,
    )


@pages.at("/mine")
async def mine(request: Request) -> Response:
    """The reader's tables; those that wait for it first, by time left."""
    wanted = {"card.your_turn": _waits, "mine.running": _plays, "card.gathering": _gathers, "card.over": _ended}
    return render(
        request,
        "tables",
        title="mine.title",
        empty=site(language_of(request)).text("mine.empty"),
        sections=_sections(request, await _my_tables(request), wanted),
        filtered=False,
        game="",
        before=None,
        following=None,
    )


def _waits(card: TableCard) -> bool:
    return card.my_turn


def _is_mine(card: TableCard) -> bool:
    return any(seat.mine for seat in card.seats)


def _gathers(card: TableCard) -> bool:
    return card.status == "gathering"


def _plays(card: TableCard) -> bool:
    return card.status in ("running", "repair")


def _ended(card: TableCard) -> bool:
    return card.status in ("over", "cancelled")


def _sections(
    request: Request, tables: Sequence[TableCard], wanted: Mapping[str, Callable[[TableCard], bool]]
) -> list[tuple[str, list[_Card]]]:
    """Tables under headings; each stands under the first that it fits."""
    left = list(tables)
    found = []
    for heading, fits in wanted.items():
        found.append((heading, _cards(request, [each for each in left if fits(each)])))
        left = [each for each in left if not fits(each)]
    return found


async def _my_tables(request: Request) -> Sequence[TableCard]:
    who = request.state.user
    return by_time_left(await tables(request).lists.mine(who)) if who is not None else ()


def _cards(request: Request, tables: Sequence[TableCard]) -> list[_Card]:
    """Tables for a list, with the texts of their games, and how much time they give, if that is limited; those of a
    game that can't be shown are left out.
    """
    words = {each.game.id: each.words for each in covers(request)}
    texts = site(language_of(request))
    return [
        (each, words[each.game], "" if each.clock is None else clocks.told(each.clock, texts)[0])
        for each in tables
        if each.game in words
    ]


@pages.at("/about")
async def about(request: Request) -> Response:
    """What Atoll is, who the games belong to, licences."""
    return render(request, "about")
