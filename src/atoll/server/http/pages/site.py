"""The start, the lists of tables, the rules, and what Atoll is."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final

from starlette.requests import Request
from starlette.responses import Response

from ...domain.model import Refused
from ...domain.table_card import TableCard
from ...play.table_lists import PAGE, by_time_left
from ...presentation.texts import site
from ..session import tables
from .cards import Listed, listed
from .context import Pages, covers, language_of, render
from .forms import query

_MOST_PAGES: Final = 1000
_MOST_WAITING: Final = 3
_MOST_LISTED: Final = 6

pages = Pages()


@pages.at("/")
async def start(request: Request) -> Response:
    """The tables that wait for the reader, if any, and play now; then its other tables and those that await players."""
    found = await tables(request).lists.lobby(request.state.user)
    others = [each for each in found if not any(seat.mine for seat in each.seats)]
    who = request.state.user
    over = () if who is None else await tables(request).lists.ended(who, _MOST_LISTED, status="over")
    mine = listed(request, [*await _my_tables(request), *over])
    waiting = [each for each in mine if each.card.my_turn][:_MOST_WAITING]
    invited = [each for each in mine if each.card.invited][:_MOST_WAITING]
    return render(
        request,
        "start",
        covers=covers(request),
        waiting=waiting,
        invited=invited,
        mine=[each for each in mine if each not in (*waiting, *invited)][:_MOST_LISTED],
        lobby=listed(request, others)[:_MOST_LISTED],
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
    texts, more = site(language_of(request)), len(found) == PAGE and page < _MOST_PAGES
    address = f"?game={game}&" if game else "?"
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
        newer=(f"{address}page={page - 1}", texts.text("pages.before")) if page else None,
        older=(f"{address}page={page + 1}", texts.text("pages.following")) if more else None,
        besides=None,
    )


@pages.at("/mine")
async def mine(request: Request) -> Response:
    """The reader's tables; those that wait for it first, by time left; last, page by page, those that are over.

    Games that were cancelled have no result: those that had begun are on a page of their own, the others nowhere.
    """
    wanted = {
        "card.your_turn": _waits,
        "mine.invited": _invites,
        "mine.running": _plays,
        "card.gathering": _gathers,
        "card.over": _ended,
    }
    who, before = request.state.user, query(request).text("before", 32)
    over = () if who is None else await tables(request).lists.ended(who, PAGE + 1, before, status="over")
    cancelled = () if who is None else await tables(request).lists.ended(who, 1, status="cancelled")
    open_ = () if before else await _my_tables(request)
    texts = site(language_of(request))
    return render(
        request,
        "tables",
        title="mine.title",
        empty=texts.text("mine.empty"),
        sections=_sections(request, [*open_, *over[:PAGE]], wanted),
        filtered=False,
        game="",
        newer=("/mine", texts.text("mine.newest")) if before else None,
        older=(f"/mine?before={over[PAGE - 1].id}", texts.text("mine.older")) if len(over) > PAGE else None,
        besides=("/mine/cancelled", texts.text("mine.cancelled")) if cancelled else None,
    )


@pages.at("/mine/cancelled")
async def cancelled(request: Request) -> Response:
    """The reader's games that were cancelled after they had begun, page by page."""
    who, before = request.state.user, query(request).text("before", 32)
    found = () if who is None else await tables(request).lists.ended(who, PAGE + 1, before, status="cancelled")
    texts = site(language_of(request))
    older = f"/mine/cancelled?before={found[PAGE - 1].id}" if len(found) > PAGE else ""
    return render(
        request,
        "tables",
        title="mine.cancelled",
        empty=texts.text("mine.empty"),
        sections=[("card.cancelled", listed(request, found[:PAGE]))],
        filtered=False,
        game="",
        newer=("/mine/cancelled", texts.text("mine.newest")) if before else None,
        older=(older, texts.text("mine.older")) if older else None,
        besides=("/mine", texts.text("mine.title")),
    )


def _waits(card: TableCard) -> bool:
    return card.my_turn


def _invites(card: TableCard) -> bool:
    return card.invited


def _is_mine(card: TableCard) -> bool:
    return any(seat.mine for seat in card.seats)


def _gathers(card: TableCard) -> bool:
    return card.status == "gathering"


def _plays(card: TableCard) -> bool:
    return card.status in ("running", "repair")


def _ended(card: TableCard) -> bool:
    return card.status == "over"


def _sections(
    request: Request, tables: Sequence[TableCard], wanted: Mapping[str, Callable[[TableCard], bool]]
) -> list[tuple[str, list[Listed]]]:
    """Tables under headings; each stands under the first that it fits."""
    left = list(tables)
    found = []
    for heading, fits in wanted.items():
        found.append((heading, listed(request, [each for each in left if fits(each)])))
        left = [each for each in left if not fits(each)]
    return found


async def _my_tables(request: Request) -> Sequence[TableCard]:
    who = request.state.user
    return by_time_left(await tables(request).lists.mine(who)) if who is not None else ()


@pages.at("/about")
async def about(request: Request) -> Response:
    """What Atoll is, who the games belong to, licences."""
    return render(request, "about")
