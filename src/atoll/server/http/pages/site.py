"""The start page, the lists of tables, and the page about Atoll."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final

from starlette.requests import Request
from starlette.responses import Response

from ...domain.model import LONG_S, Refused, User
from ...domain.table_card import TableCard
from ...play.table_lists import PAGE, by_time_left
from ...presentation.texts import site
from ..session import tables
from .cards import ListedTable, cards_of
from .context import Pages, covers, language_of, render
from .forms import query
from .lobby_filter import DISTANCES, chosen_filter, remember

_MOST_PAGES: Final = 1000
_MOST_WAITING: Final = 3
_MOST_LISTED: Final = 6

pages = Pages()


@pages.route("/")
async def start(request: Request) -> Response:
    """Show the start page: tables that wait for the reader, games to play, and other tables."""
    found = await tables(request).table_lists.lobby(request.state.user)
    others = [each for each in found if not any(seat.mine for seat in each.seats)]
    who = request.state.user
    over = () if who is None else await tables(request).table_lists.ended(who, _MOST_LISTED, status="over")
    mine = cards_of(request, [*await _my_tables(request), *over])
    waiting = [each for each in mine if each.card.my_turn][:_MOST_WAITING]
    invited = [each for each in mine if each.card.invited][:_MOST_WAITING]
    return render(
        request,
        "start",
        covers=covers(request),
        waiting=waiting,
        invited=invited,
        mine=[each for each in mine if each not in (*waiting, *invited)][:_MOST_LISTED],
        lobby=cards_of(request, others)[:_MOST_LISTED],
        only_here=_is_known_only_here(who, [each.card for each in mine]),
    )


@pages.route("/lobby")
async def lobby(request: Request) -> Response:
    """Show the lobby: tables that wait for players, and tables to watch, as the reader filters."""
    who = request.state.user
    page = min(query(request).number_if_any("page") or 0, _MOST_PAGES)
    chosen = chosen_filter(request)
    titles = {each.game.id: each.title for each in covers(request)}
    if chosen.game and chosen.game not in titles:
        raise Refused("no_page", 404, "unknown game")
    only = chosen.store_filter()
    rates = tables(request).ratings.enabled
    if chosen.distance and chosen.game and rates:
        only = await tables(request).ratings.near(who, only, chosen.distance)
    found = await tables(request).table_lists.lobby(who, page, only)
    texts, more = site(language_of(request)), len(found) == PAGE and page < _MOST_PAGES
    empty = "lobby.empty_filter" if chosen.others else "lobby.empty_game" if chosen.game else "lobby.empty"
    response = render(
        request,
        "tables",
        title="lobby.title",
        empty=texts.text(empty, game=titles.get(chosen.game, "")),
        sections=_sections(
            request, found, {"lobby.gathering": _is_gathering, "mine.title": _is_mine, "lobby.running": _is_running}
        ),
        covers=covers(request),
        chosen=chosen,
        counts=sorted({count for each in covers(request) for count in each.game.seat_counts}),
        distances=DISTANCES if rates and chosen.game else (),
        has_ratings=rates,
        board=chosen.game if chosen.game and await tables(request).ratings.has_board(chosen.game) else "",
        game=chosen.game,
        newer=(f"?{chosen.address(page=str(page - 1))}", texts.text("pages.before")) if page else None,
        older=(f"?{chosen.address(page=str(page + 1))}", texts.text("pages.following")) if more else None,
        besides=None,
        only_here=False,
        silent=False,
    )
    remember(response, request, chosen)
    return response


@pages.route("/mine")
async def mine(request: Request) -> Response:
    """Show the reader's tables: first those that wait for the reader, by time left.

    Finished tables follow, page by page. Canceled games have no result: those that had begun have a
    page of their own, and the others aren't listed.

    Args:
        request: The request.

    Returns:
        The page.
    """
    wanted = {
        "card.your_turn": _is_my_turn,
        "mine.invited": _has_invited_me,
        "mine.running": _is_running,
        "card.gathering": _is_gathering,
        "card.over": _is_over,
    }
    who, before = request.state.user, query(request).text("before", 32)
    over = () if who is None else await tables(request).table_lists.ended(who, PAGE + 1, before, status="over")
    cancelled = () if who is None else await tables(request).table_lists.ended(who, 1, status="cancelled")
    open_ = () if before else await _my_tables(request)
    texts = site(language_of(request))
    return render(
        request,
        "tables",
        title="mine.title",
        empty=texts.text("mine.empty"),
        sections=_sections(request, [*open_, *over[:PAGE]], wanted),
        chosen=None,
        game="",
        newer=("/mine", texts.text("mine.newest")) if before else None,
        older=(f"/mine?before={over[PAGE - 1].id}", texts.text("mine.older")) if len(over) > PAGE else None,
        besides=("/mine/cancelled", texts.text("mine.cancelled")) if cancelled else None,
        only_here=_is_known_only_here(who, [*open_, *over]),
        silent=who is not None and await tables(request).notification_settings.is_failing(who),
    )


@pages.route("/mine/cancelled")
async def cancelled(request: Request) -> Response:
    """Show the reader's games that were canceled after they had begun, page by page."""
    who, before = request.state.user, query(request).text("before", 32)
    found = () if who is None else await tables(request).table_lists.ended(who, PAGE + 1, before, status="cancelled")
    texts = site(language_of(request))
    older = f"/mine/cancelled?before={found[PAGE - 1].id}" if len(found) > PAGE else ""
    return render(
        request,
        "tables",
        title="mine.cancelled",
        empty=texts.text("mine.empty"),
        sections=[("card.cancelled", cards_of(request, found[:PAGE]))],
        chosen=None,
        game="",
        newer=("/mine/cancelled", texts.text("mine.newest")) if before else None,
        older=(older, texts.text("mine.older")) if older else None,
        besides=("/mine", texts.text("mine.title")),
        only_here=False,
        silent=False,
    )


def _is_known_only_here(who: User | None, mine: Sequence[TableCard]) -> bool:
    """Return whether to explain to a guest that only this browser knows the name.

    That is so from the second game on, and at the first table with long time controls.

    Args:
        who: The reader, or None.
        mine: The reader's tables.
    """
    if who is None or who.has_account:
        return False
    return len(mine) > 1 or any(card.clock is not None and card.clock.bank_s >= LONG_S for card in mine)


def _is_my_turn(card: TableCard) -> bool:
    """Return whether the table waits for the reader's move."""
    return card.my_turn


def _has_invited_me(card: TableCard) -> bool:
    """Return whether a seat is reserved for the reader."""
    return card.invited


def _is_mine(card: TableCard) -> bool:
    """Return whether the reader has a seat."""
    return any(seat.mine for seat in card.seats)


def _is_gathering(card: TableCard) -> bool:
    """Return whether the table waits for players."""
    return card.status == "gathering"


def _is_running(card: TableCard) -> bool:
    """Return whether the game is running, or interrupted by an error of the rules."""
    return card.status in ("running", "repair")


def _is_over(card: TableCard) -> bool:
    """Return whether the game is over."""
    return card.status == "over"


def _sections(
    request: Request, tables: Sequence[TableCard], wanted: Mapping[str, Callable[[TableCard], bool]]
) -> list[tuple[str, list[ListedTable]]]:
    """Return the tables under headings; each table appears under the first one that it fits.

    Args:
        request: The request.
        tables: The tables.
        wanted: Message key of each heading, and the condition for its tables.
    """
    left = list(tables)
    found = []
    for heading, fits in wanted.items():
        found.append((heading, cards_of(request, [each for each in left if fits(each)])))
        left = [each for each in left if not fits(each)]
    return found


async def _my_tables(request: Request) -> Sequence[TableCard]:
    """Return the reader's unfinished tables, by time left."""
    who = request.state.user
    return by_time_left(await tables(request).table_lists.mine(who)) if who is not None else ()


@pages.route("/about")
async def about(request: Request) -> Response:
    """Show the page about Atoll, the owners of the games, and licenses."""
    return render(request, "about")
