"""The archive of finished games, and the statistics of each game."""

from __future__ import annotations

from datetime import date, datetime, time
from typing import Any, Final
from urllib.parse import urlencode

from starlette.requests import Request
from starlette.responses import Response

from atoll.engine import AtollError

from ...domain.model import Refused
from ...domain.playing_hours import zone_of as named_zone
from ...domain.statistics import ENOUGH
from ...domain.table_card import TableCard
from ...play.archive import ArchiveFilters
from ...play.table_lists import PAGE
from ...presentation.score_chart import share_bar
from ...presentation.texts import GameTexts
from ..session import tables
from .cards import cards_of
from .context import Pages, covers, game_of, redirect, refusal_text, render, words_of, zone_of
from .forms import FormFields, query

_FIELD_OF_REFUSAL: Final = {"no_player": "player", "not_shown": "player", "place_of_nobody": "player"}
"""Refusal code -> field of the form that shows the reason."""
_FIELDS: Final = ("game", "seats", "options", "player", "with", "place", "since", "until")
MOST_SEATS: Final = 6

pages = Pages()


@pages.route("/archive")
async def archive(request: Request) -> Response:
    """Show finished games, with filters, page by page."""
    given, problems = query(request), dict[str, str]()
    found: tuple[TableCard, ...] = ()
    status, before = 200, given.text("before", 32)
    titles = {each.game.id: each.title for each in covers(request)}
    filters = _filters(request, given, problems)
    try:
        tables(request).archive.require_open()
        if not problems:
            found = await tables(request).archive.games(request.state.user, filters, PAGE + 1, before)
    except Refused as error:
        if error.code not in _FIELD_OF_REFUSAL:
            raise
        names, wrong = filters.players, error.fields.get("name", "")
        field = "with" if len(names) > 1 and wrong == names[1] else _FIELD_OF_REFUSAL[error.code]
        problems[field], status = refusal_text(request, error), error.status
    chosen = {name: given.text(name, 100).strip() for name in _FIELDS}
    named = {name: text for name, text in chosen.items() if text}
    older = {**named, "before": found[PAGE - 1].id} if len(found) > PAGE else None
    return render(
        request,
        "archive",
        status=422 if problems and status == 200 else status,
        covers=covers(request),
        cards=cards_of(request, found[:PAGE]),
        chosen=chosen,
        filtered=bool(named),
        game_title=titles.get(filters.game, ""),
        most_seats=MOST_SEATS,
        problems=problems,
        newest=f"/archive?{urlencode(named)}" if before else "",
        older="" if older is None else f"/archive?{urlencode(older)}",
    )


def _filters(request: Request, given: FormFields, problems: dict[str, str]) -> ArchiveFilters:
    """Return the filters that the address names; adds to `problems`."""
    options: Any = given.text("options", 10)
    since, until = (_day(request, given, name, problems) for name in ("since", "until"))
    players = tuple(filter(None, (given.text(name, 100).strip() for name in ("player", "with"))))
    return ArchiveFilters(
        game=given.text("game", 40),
        seats=given.number_if_any("seats") or 0,
        options=options if options in ("usual", "other") else "",
        players=players,
        place=given.number_if_any("place") or 0,
        since=since,
        until=None if until is None else until + 86_400_000,
    )


def _day(request: Request, given: FormFields, name: str, problems: dict[str, str]) -> int | None:
    """Return the beginning of a day in the reader's time zone in milliseconds, or None."""
    text = given.text(name, 20).strip()
    if not text:
        return None
    try:
        day = date.fromisoformat(text)
        begin = datetime.combine(day, time(), named_zone(zone_of(request)))
        return int(1000 * begin.timestamp())
    except (ValueError, OverflowError):
        problems[name] = refusal_text(request, Refused("bad_date", 422, f"invalid date {text!r}"))
        return None


# -- statistics ------------------------------------------------------------------------------------


@pages.route("/statistics")
async def statistics(request: Request) -> Response:
    """Redirect to the statistics of the first game."""
    tables(request).archive.require_open()
    shown = covers(request)
    return redirect(f"/statistics/{shown[0].game.id}" if shown else "/")


@pages.route("/statistics/{game}")
async def game_statistics(request: Request) -> Response:
    """Show the statistics of a game from games of people."""
    game = game_of(request, request.path_params["game"])
    figures = await tables(request).figures.figures(game.id)
    words = words_of(request, game.id)
    return render(
        request,
        "statistics",
        covers=covers(request),
        game=game,
        words=words,
        figures=figures,
        enough=ENOUGH,
        bar=share_bar,
        start_text=lambda choice: _start_text(words, choice),
    )


def _start_text(words: GameTexts, choice: str) -> str:
    """Return a choice in words; choices of older rules stay as they are in records."""
    try:
        return words.choice(words.game.notation.parse(choice))
    except AtollError:
        return choice
