"""The page of a table, as its reader may see it; commands at the table respond with it, too."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any, Final
from urllib.parse import urlencode

import msgspec
from markupsafe import Markup
from starlette.requests import Request
from starlette.responses import Response

from atoll.engine import Game
from atoll.engine.state import declarations
from atoll.engine.translations import GameMessages, MessageCatalogue
from atoll.picture.fragments import Fragment

from ...domain.model import Acts, LogEntry, ReaderRecord, Settings, TableView
from ...domain.paces import pace_of
from ...play.coaching import coach_mode
from ...play.ratings import PlayerFacts
from ...presentation import analysis_chart, clocks, ending, papers, pictures, texts
from ...presentation.advice import prospects
from ...presentation.coach import coach_of
from ...presentation.log_lines import acts_json, lines
from ...presentation.question import ChoiceText, Question, options_of, question_of, staged_texts
from ..session import tables
from .context import (
    FRAGMENTS,
    Pages,
    game_of,
    language_of,
    redirect,
    render,
    render_element,
    settings_of,
    site_address,
    texts_of_table,
    zone_of,
)
from .forms import FormFields, parse_number, query
from .progress_cookie import progress_of
from .table_page import MenuActs, TablePage

LONGEST_LIST: Final = 12
SINCE: Final = "x-since"
HEARD: Final = "x-heard"
"""Header in which scripts name the line from which on the answer brings the reader's record."""
_LAST_CHOICE: Final = "choice"
_GATHERED: Final = 4
"""Number of log lines that are shown while a table waits for players."""

pages = Pages()


@pages.route("/t/{id}")
async def table(request: Request) -> Response:
    """Show a table, as its reader may see it."""
    seat = query(request).number_if_any("seat")
    return await answer(request, seat, asked_for=FRAGMENTS not in request.headers)


def table_id(request: Request) -> str:
    """Return the id of the table in the address."""
    id: str = request.path_params["id"]
    return id


async def view_of(request: Request, seat: int | None = None) -> TableView:
    """Return the table as the reader may see it.

    Args:
        request: The request.
        seat: The reader's seat to view it from; None for the seat that is asked.
    """
    return await tables(request).table_views.table(request.state.user, table_id(request), seat=seat)


async def answer(request: Request, seat: int | None, *, asked_for: bool) -> Response:
    """Return the page of a table; for scripts, the part of it that changes.

    Args:
        request: The request.
        seat: The reader's seat to view it from; None for the seat that is asked.
        asked_for: Whether the address names the seat; see `_sit`.
    """
    view, hidden = await _sit(request, seat, asked_for=asked_for)
    happened = await _happened(request, view) if hidden is None else None
    record = await _record(request, view) if hidden is None else None
    page = _page(request, view, hidden=hidden, happened=happened, record=record)
    if page.coached != "off" and view.seat is not None and hidden is None:
        said = await tables(request).coach.advice_for(request.state.user, view.id, view.seat)
        if said is not None:
            coach = coach_of(said, view, page.question, page.shown.regions, page.words, page.site)
            page = replace(page, coach=coach, lesson=_unread_lesson(request, page.game))
    # While others must move, another table may wait for the reader.
    waits = bool(view.my_seats) and view.turn is None and hidden is None and page.others
    page = replace(
        page,
        about=_about(view, page, settings_of(request)),
        papers=papers.tabs(page.site.text, page.coach is not None, view.status != "gathering"),
        acts=_acts(view, page),
        waits=waits,
        has_next=waits and await tables(request).table_lists.has_next(request.state.user, view.id),
    )
    if page.unbegun:
        page = replace(
            page,
            cover=pictures.cover(page.game, language_of(request)),
            address=f"{site_address(request)}t/{view.id}",
            usual_level=tables(request).catalogue.default_level(view.game, len(view.seats)),
            players=await _players(request, view),
            followed=await _followed(request, view),
        )
    if view.status in ("gathering", "running"):
        present = await tables(request).updates.others_at(request.state.user, view.id)
        page = replace(page, present=present, present_names=", ".join(map(page.words.seat, present)))
    if view.status == "over":
        page = replace(page, **await study_values(request, view, page.words))
    if FRAGMENTS in request.headers:
        return render(request, "table_main", **page.names())
    scripts, symbols = pictures.scripts(page.game), pictures.symbols(page.game)
    return render(request, "table", scripts=scripts, symbols=symbols, **page.names())


async def _players(request: Request, view: TableView) -> Mapping[int, PlayerFacts]:
    """Return ratings and reliability of the people at a table, by seat."""
    found = await tables(request).ratings.players(request.state.user, view.id)
    return {each.seat: each for each in found}


async def _followed(request: Request, view: TableView) -> tuple[str, ...]:
    """Return the names that the host of a table that waits for players may want to invite."""
    who = request.state.user
    if not view.host or view.status != "gathering" or not who.has_account:
        return ()
    found = await tables(request).profiles.followed(who)
    return tuple(each.name for each in found if each.invitable)


def _unread_lesson(request: Request, game: Game) -> str:
    """Return the address of a game's first lesson; "" without one, or if the reader knows it."""
    lesson = pictures.lessons_of(game).get(pictures.FIRST_LESSON)
    read = progress_of(request).lessons.get(f"{game.id}.{pictures.FIRST_LESSON}", 0)
    return "" if lesson is None or read >= len(lesson.steps) else pictures.lesson_address(game, pictures.FIRST_LESSON)


async def _happened(request: Request, view: TableView) -> Acts | None:
    """Return the acts since the moment that the page shows, up to the moment of the view.

    Scripts name that moment in a header, or ask for all acts since the seat's last choice. A page
    that is opened shows the newest moment.

    Args:
        request: The request.
        view: The table.

    Returns:
        The acts; None if no game is played, and for scripts that show no moment.
    """
    asked = request.headers.get(SINCE, "")
    if view.view is None or view.status not in ("running", "over") or (FRAGMENTS in request.headers and not asked):
        return None
    since = None if asked == _LAST_CHOICE else parse_number(asked) if asked else view.view_sequence
    found = await tables(request).history.acts(request.state.user, view.id, since, view.seat, limit="")
    known = tuple(act for act in found.acts if act.end <= view.view_sequence)
    return msgspec.structs.replace(found, acts=known)


async def _record(request: Request, view: TableView) -> ReaderRecord | None:
    """Return the record from the line that scripts ask for, or None if they ask for none.

    The answer to a player's own move thus brings what that move has led to, even if the player
    closes the page right after it.

    Args:
        request: The request.
        view: The table.
    """
    first = request.headers.get(HEARD, "")
    if not first or view.status not in ("running", "over"):
        return None
    return await tables(request).history.record(request.state.user, view.id, parse_number(first))


async def after(request: Request, given: FormFields) -> Response:
    """Return the response to a command: the changed page for scripts, else a redirect to it."""
    seat = given.number_if_any("seat")
    if FRAGMENTS in request.headers:
        return await answer(request, seat, asked_for=False)
    sits = await tables(request).table_views.reader_seats(request.state.user, table_id(request))
    query = "" if seat is None or len(sits.seats) > 1 else f"?seat={seat}"
    return redirect(f"/t/{table_id(request)}{query}")


async def _sit(request: Request, seat: int | None, *, asked_for: bool) -> tuple[TableView, int | None]:
    """Return the table viewed from the right one of the reader's seats.

    Players who share a device pass it on: the page switches to the seat that is asked. If seats
    have secrets, it shows a curtain until the next player confirms being there.

    Args:
        request: The request.
        seat: The seat that was viewed, or None.
        asked_for: Whether the address names the seat; then it is shown.

    Returns:
        The table, and the seat that a curtain waits for, or None without a curtain.
    """
    sits = await tables(request).table_views.reader_seats(request.state.user, table_id(request))
    if sits.status == "gathering" and not asked_for and seat not in sits.seats:
        seat = None  # the host has swapped seats since
    if len(sits.seats) < 2 or sits.status != "running":
        return await view_of(request, seat), None
    if seat is not None and (asked_for or not sits.asked or seat in sits.asked):
        return await view_of(request, seat), None
    following = (sits.asked or sits.seats)[0]
    if has_secrets(game_of(request, sits.game)):
        return await view_of(request, seat), following
    return await view_of(request, following), None


def has_secrets(game: Game) -> bool:
    """Return whether a seat may know something that others don't.

    Players who share a device then need a curtain between their turns.
    """
    return any(visibility.who not in ("public", "nobody") for _, visibility in declarations(game.state_type))


def _page(
    request: Request, view: TableView, *, hidden: int | None, happened: Acts | None, record: ReaderRecord | None
) -> TablePage:
    """Return the values of the page, except those that need another query.

    Args:
        request: The request.
        view: The table.
        hidden: The seat that a curtain waits for, or None.
        happened: Acts to play back, or None.
        record: The reader's record from the line that scripts ask for, or None.
    """
    game, words, site = texts_of_table(request, view)
    shown = view.view if hidden is None else None
    legal, picked = (view.turn.legal, view.turn.picked) if view.turn is not None and hidden is None else ((), ())
    mix = None if view.turn is None else view.turn.mix
    question = question_of(game, shown, words, legal, mix) if legal else None
    dropped = options_of(game, picked, words)
    picking = None if shown is None or question is None else shown["decision"].get("set")
    level = coach_mode(request.state.user, view.game)
    last_tab = site.text("coach.tab") if level != "off" and hidden is None and view.status == "running" else ""
    if view.status == "gathering":
        last_tab = site.text("chat.title")
    acted = None if happened is None else happened.acted
    ranking = ending.contenders(view.score, words)
    unbegun = view.status == "gathering" or (view.status == "cancelled" and view.view is None)
    return TablePage(
        shown=pictures.table_regions(game, shown, view, words, site, papers=last_tab, zone=zone_of(request)),
        clock_told=clocks.describe_time_control(view.clock, site),
        correspondence=pace_of(view.clock) == "correspondence",
        rating_told=_rating_told(view, site),
        changes={each.seat: each for each in view.changes},
        game=game,
        coached=level,
        view=view,
        place=f"/t/{view.id}",
        hidden=hidden,
        asked=[info.seat for info in view.seats if info.to_move],
        others=sum(info.kind == "person" for info in view.seats) > len(view.my_seats),
        words=words,
        site=site,
        question=question,
        picked=dropped,
        picking=picking is not None,
        count=_count(picking, question, dropped, site),
        done=staged_texts(game, view.turn.staged if view.turn is not None else (), words, site),
        advised=[] if question is None else prospects(view.advised, words, site, question.options),
        rule=_rule(view, question, words),
        rules_of=rules_address(game.id, len(view.seats), view.options),
        at=view.view_sequence,
        acted=acted,
        data=_data(
            view,
            words,
            question,
            dropped,
            hidden=hidden is not None,
            acted=acted,
            acts=[] if happened is None else acts_json(happened.acts, words, site),
            record=record,
        ),
        log=[] if hidden is not None else log_of(view.log, view, words, site),
        unbegun=unbegun,
        gathered=lines(view.log[-_GATHERED:], words, site) if unbegun else (),
        vote_lines={vote.subject: lines(vote.taken, words, site) for vote in view.votes},
        undone=() if hidden is not None else _undone(view),
        chat=_chat(view, site),
        score_lines=texts.score_lines(view, words),
        ranked=_ranked(view),
        ended=_ended(view, words, site),
        podium=ending.podium(ranking),
        decided=ending.decision(ranking, site),
        standing=standing(view, site),
        voters={vote.subject: ", ".join(map(words.seat, vote.given)) for vote in view.votes},
        late=_late(view),
        deciders=_deciders(view),
        due=_due(view),
        overdue=any(view.seats[seat].overdue for seat in view.my_seats),
        rivals=texts.rival_scores(view, words),
        harder=_harder(game, view),
        longest_list=LONGEST_LIST,
    )


def _rating_told(view: TableView, site: texts.Texts) -> str:
    """Return whether a game counts for ratings, and why not; "" on a server without ratings."""
    if view.rated:
        return site.text("rated.counts")
    if not view.friendly:
        return ""
    if view.friendly == "chosen":
        return site.text("rated.friendly")
    return f"{site.text('rated.friendly')} · {site.text(f'rated.why.{view.friendly}')}"


def _count(
    asked: Mapping[str, Any] | None, question: Question | None, picked: Sequence[ChoiceText], site: MessageCatalogue
) -> str:
    """Return the number of picked members in words; "" if none are picked or amounts show it."""
    if asked is None or question is None or question.amount or not picked:
        return ""
    key = "bar.count" if asked["low"] == asked["high"] else "bar.count_up_to"
    return site.text(key, count=len(picked), of=asked["high"])


@dataclass(frozen=True, slots=True)
class _TableInfo:
    """Everything that the paper about a table shows.

    Attributes:
        id: Id of the table.
        seat: The viewing seat, or None.
        my_seats: The reader's seats.
        begun: Whether the game has begun.
        options: Options in words.
        clock: Time control in words, or "".
        rating: Whether the game counts for ratings, in words; "" without ratings.
        rules: Address of the rules in play.
        tries: Whether the reader can start a tryout now; None if never.
        plans: Whether the reader can plan answers.
        notes: The reader's notes, or None without a seat.
        competition: Id of the competition that the table belongs to, or "".
        others: Seat and name of the other people, whom the reader can block and report.
        accounts: Seats whose players have profiles.
        wish: What the reader hears of the table, or "" for everything; None without others.
    """

    id: str
    seat: int | None
    my_seats: tuple[int, ...]
    begun: bool
    options: str
    clock: str
    rating: str
    rules: str
    tries: bool | None
    plans: bool
    notes: str | None
    competition: str
    others: tuple[tuple[int, str], ...]
    accounts: tuple[int, ...]
    wish: str | None


def _about(view: TableView, page: TablePage, settings: Settings) -> Fragment:
    """Return the paper about a table."""
    words, site, open_ = page.words, page.site, page.hidden is None
    plays = view.status == "running" and view.seat is not None and open_
    about = _TableInfo(
        view.id,
        view.seat,
        view.my_seats,
        view.view is not None,
        texts.options_line(words, view.options),
        " · ".join(page.clock_told),
        page.rating_told,
        page.rules_of,
        "try" in view.can if plays else None,
        open_ and (view.plan is not None or f"plan:{view.seat}" in view.can),
        view.notes if open_ else None,
        view.competition,
        tuple((info.seat, info.name) for info in view.seats if info.kind == "person" and not info.mine and info.name),
        tuple(info.seat for info in view.seats if info.account),
        settings.notices_of(view.id) if view.my_seats and page.others else None,
    )
    return render_element("table_about", site.text, words=words, view=about)


def _acts(view: TableView, page: TablePage) -> MenuActs | None:
    """Return the reader's actions at a table, or None if there are none."""
    if view.status != "running" or not view.my_seats:
        return None
    asked = {vote.subject for vote in view.votes}
    plays = view.seat is not None and page.hidden is None
    return MenuActs(
        frozenset({"pause", "cancel", "leave"} & {*view.can} - asked),
        tuple(seat for seat in _removable(view) if f"remove:{seat}" not in asked),
        frozenset(
            info.seat
            for info in view.seats
            if info.kind == "person" and not (info.mine or info.stand_in or info.overdue)
        ),
        view.my_seats[0],
        page.site.level(view.stand_in),
        plays and page.coach is None,
    )


def _undone(view: TableView) -> list[str]:
    """Return the answers that can be taken back, as subjects of votes, the last one first."""
    found = [subject for subject in view.can if subject.startswith("undo:")]
    return sorted(found, key=lambda subject: int(subject.rpartition(":")[2]), reverse=True)


def _rule(view: TableView, question: Question | None, words: GameMessages) -> texts.Rule | None:
    """Return the rule behind a question, with the numbers of this table."""
    if question is None:
        return None
    return texts.rule(words, question.rule, len(view.seats), view.options)


def rules_address(game: str, seats: int, options: Mapping[str, Any]) -> str:
    """Return the address of the rules as they are in play at a table.

    Args:
        game: Id of the game.
        seats: Number of seats.
        options: Options of the game.
    """
    return _rules_at(game, seats, tuple((key, str(value).lower()) for key, value in options.items()))


@lru_cache
def _rules_at(game: str, seats: int, options: tuple[tuple[str, str], ...]) -> str:
    """Return the address of the rules; cached."""
    return f"/rules/{game}?" + urlencode([("seats", seats), *options])


def log_of(log: Sequence[LogEntry], view: TableView, words: texts.GameTexts, site: texts.Texts) -> list[Fragment]:
    """Return the lines of a log, newest first.

    Args:
        log: Entries of the log.
        view: The table.
        words: Texts of the game.
        site: Texts of the site.
    """
    seat = "" if len(view.my_seats) < 2 else f"&seat={view.seat}"
    return papers.log(log, words, site, f"/t/{view.id}/replay?at=", seat)


def _chat(view: TableView, site: texts.Texts) -> list[Fragment]:
    """Return the chat messages; authors of deleted accounts get a placeholder."""
    unnamed = texts.person("", site)
    named = [each if each.name else msgspec.structs.replace(each, name=unnamed, guest=False) for each in view.chat]
    return papers.chat(site.text, f"/t/{view.id}", named)


def _ranked(view: TableView) -> list[int]:
    """Return the seats of a finished game, best first."""
    places = view.score.places if view.score is not None else ()
    return sorted(range(len(places)), key=places.__getitem__)


def _ended(view: TableView, words: texts.GameTexts, site: texts.Texts) -> str:
    """Return the result of the game in words, for the reader or for spectators; "" without one."""
    if view.score is None:
        return ""
    won = [seat for seat, place in enumerate(view.score.places) if place == 1]
    if len(view.my_seats) == 1 and (won == list(view.my_seats) or len(view.seats) == 1):
        return site.text("bar.over.won" if won else "bar.over.lost")
    return site.text("bar.over.by", names=", ".join(words.seat(seat) for seat in won), n=len(won))


def standing(view: TableView, site: texts.Texts) -> str:
    """Return a sentence on a table where no game is running; "" if one is running."""
    if view.status == "running":
        return ""
    if view.chance is not None and view.chance.terms is not None:
        return site.text("bar.showing")
    filled = view.status == "gathering" and all(info.kind in ("person", "bot") for info in view.seats)
    if filled and pace_of(view.clock) == "correspondence":
        return site.text("bar.sealing")
    asking = {right.partition(":")[0] for right in view.can} & {"admit", "withdraw"}
    if asking:
        return site.text("bar.is_asked" if "admit" in asking else "bar.asks")
    return site.text("bar.filled" if filled else f"bar.{view.status}")


def _deciders(view: TableView) -> int:
    """Return the number of people who decide about a seat whose time is up."""
    playing = [info for info in view.seats if info.kind == "person" and not info.stand_in and not info.overdue]
    return sum(not info.mine for info in playing) + any(info.mine for info in playing)


def _due(view: TableView) -> str:
    """Return the deadline to show: the reader's own or the first one; "" if no clock runs."""
    if view.clock is None:
        return ""
    asked = sorted((info for info in view.seats if info.to_move), key=lambda info: not info.mine)
    return next((clocks.iso(info.due) for info in asked if info.due is not None), "")


def _late(view: TableView) -> list[int]:
    """Return the seats about which the reader can decide because their time is up.

    There are none while another vote is open.
    """
    if view.votes:
        return []
    return [info.seat for info in view.seats if info.overdue and f"remove:{info.seat}" in view.can]


def _removable(view: TableView) -> list[int]:
    """Return the seats for which replacing the player with a bot is worth proposing.

    Their time is up, or they are asked at a table without clocks.
    """
    return [
        info.seat
        for info in view.seats
        if f"remove:{info.seat}" in view.can
        and (info.overdue or (view.clock is None and not info.stand_in and info.to_move and not info.ready))
    ]


def _harder(game: Game, view: TableView) -> Mapping[str, Any] | None:
    """Return the options of the next level after the reader has won alone; None otherwise."""
    if view.score is None or view.score.places != (1,) or not view.my_seats:
        return None
    return game.harder_options(view.options, len(view.seats))


def _data(
    view: TableView,
    words: GameMessages,
    question: Question | None,
    picked: Sequence[ChoiceText],
    *,
    hidden: bool,
    acted: int | None,
    acts: Sequence[Mapping[str, Any]],
    record: ReaderRecord | None,
) -> Markup:
    """Return the JSON for the page's scripts; behind a curtain, almost nothing."""
    turn = None if hidden else view.turn
    data = {
        "table": view.id,
        "address": f"/t/{view.id}",
        "step": None,
        "version": view.version,
        "seat": None if hidden else view.seat,
        "sequence": view.view_sequence,
        "over": view.status == "over",
        "curtain": hidden,
        "seats": view.my_seats,
        "names": [words.seat(info.seat) for info in view.seats],
        "staged": turn is not None and bool(turn.staged),
        "stamp": turn.stamp if turn is not None else "",
        "mine": turn is not None and not turn.sealed_in,
        "confirm": turn is not None and turn.can_confirm,
        "chance": _chance(view),
        "chance_table": "" if view.status == "gathering" else view.chance_table,
        "question": question.to_json() if question is not None else None,
        "picked": [option.to_json() for option in picked],
        "advised": "" if hidden or view.advised is None else view.advised.prospects[0].text,
        "acted": acted,
        "acts": acts,
        "record": record,
    }
    return safe_json(data)


def _chance(view: TableView) -> Mapping[str, Any] | None:
    """Return the preparation of the chance for the page's script; None for spectators."""
    if view.chance is None or not view.my_seats:
        return None
    return {
        **msgspec.structs.asdict(view.chance),
        "mine": view.my_seats,
        "game": view.game,
        "options": view.options,
    }


def safe_json(data: Any) -> Markup:
    """Return JSON that can be embedded in a script element."""
    text = msgspec.json.encode(data).decode()
    return Markup(text.replace("<", "\\u003c").replace("&", "\\u0026"))  # noqa: S704 - no markup can be left in it


async def study_values(request: Request, view: TableView, words: GameMessages, at: int | None = None) -> dict[str, Any]:
    """Return a strong bot's analysis of a finished game, as values of the templates.

    Args:
        request: The request.
        view: The table.
        words: Texts of the game.
        at: The moment that the page shows, or None.
    """
    state = await tables(request).bot_analysis.analysis(request.state.user, view.id)
    study = (
        None
        if state.analysis is None
        else analysis_chart.analysis_chart(state.analysis, words, texts.site(words.language), at)
    )
    return {"analysis": state, "study": study}
