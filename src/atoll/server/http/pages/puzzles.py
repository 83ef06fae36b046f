"""Pages of puzzles: moments of real games with one best choice, played like a step of a lesson.

Only the first try counts. It is stored with the account, or in a cookie for readers without one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime
from typing import Any, Final

import msgspec
from babel.lists import format_list
from starlette.requests import Request
from starlette.responses import Response

from atoll.engine.rules import ScoreLine
from atoll.engine.translations import GameMessages
from atoll.lessons.coach import score_shifts
from atoll.lessons.puzzle import Puzzle, PuzzleSession, RatedChoice, puzzle_of_the_day, puzzle_session

from ...domain.achievements import PUZZLE_DAYS
from ...domain.model import Refused
from ...domain.progress import LearningProgress
from ...presentation import pictures, texts
from .context import FRAGMENTS, Pages, game_of, language_of, redirect, render
from .forms import FormFields, form, query
from .learn import (
    LessonRequest,
    lesson_values,
    parse_request,
    path_of,
    preview_response,
    reason_response,
    texts_of_lesson,
    theme_of,
    title_of,
)
from .progress_cookie import progress_of, store_progress

_MOST_GAINS: Final = 2
"""Largest number of score lines that explain a choice."""

pages = Pages()


@dataclass(frozen=True, slots=True)
class EndingText:
    """The end of a game after a choice, in words.

    Attributes:
        choice: The choice.
        share: Expected share of the learner, in percent.
        totals: Name and total of each seat.
        lines: Text and points of each line of the learner's score.
    """

    choice: str
    share: int
    totals: tuple[tuple[str, int], ...]
    lines: tuple[tuple[str, int], ...]


def today() -> date:
    """Return the date in UTC, so that the puzzle of the day is the same for everybody."""
    return datetime.now(UTC).date()


# -- pages -----------------------------------------------------------------------------------------


@pages.route("/puzzles/{game}")
async def overview(request: Request) -> Response:
    """Show the puzzles of a game: solved ones, the puzzle of the day, and the streak of days."""
    game = game_of(request, request.path_params["game"])
    found = pictures.puzzles_of(game)
    if not found:
        raise Refused("no_page", 404, f"game {game.id!r} has no puzzles")
    known = progress_of(request)
    solved = [known.puzzles.get(f"{game.id}.{id}") for id in found]
    words = texts.game_texts(game, language_of(request))
    last, row, most = known.days.get(game.id, (0, 0, 0))
    return render(
        request,
        "puzzles",
        title=words.title(),
        game=game,
        cover=pictures.cover(game, language_of(request)),
        puzzles=[(each, theme_of(each, words), known) for each, known in zip(found.values(), solved, strict=True)],
        solved=solved.count(True),
        tried=len(solved) - solved.count(None),
        streak=row if last >= today().toordinal() - 1 else 0,
        longest=most,
    )


@pages.route("/puzzles/{game}/today")
async def puzzle_of_today(request: Request) -> Response:
    """Redirect to the puzzle of the day."""
    game = game_of(request, request.path_params["game"])
    found = puzzle_of_the_day(game, today()) if pictures.puzzles_of(game) else None
    if found is None:
        raise Refused("no_page", 404, f"game {game.id!r} has no puzzles")
    return redirect(f"/puzzles/{game.id}/{found.id}")


@pages.route("/puzzles/{game}/{puzzle}")
async def puzzle(request: Request) -> Response:
    """Show a puzzle, or the outcome of a choice in it."""
    asked = parse_request(request, _course(request), query(request))
    return await _puzzle_page(request, asked, asked.lit and asked.open)


@pages.route("/puzzles/{game}/{puzzle}/choose", "POST")
async def choose(request: Request) -> Response:
    """Try a choice; scripts get the new page, and forms are redirected to its address."""
    given: FormFields = await form(request)
    asked = parse_request(request, _course(request), given)
    if FRAGMENTS in request.headers:
        return await _puzzle_page(request, asked, asked.outcome is not None and asked.outcome.reason is None)
    response = redirect(asked.here())
    if asked.outcome is not None and asked.outcome.reason is None:
        await _store_result(request, response, asked)
    return response


@pages.route("/puzzles/{game}/{puzzle}/preview")
async def preview(request: Request) -> Response:
    """Return the picture after a choice."""
    return preview_response(request, _course(request))


@pages.route("/puzzles/{game}/{puzzle}/why")
async def why_not(request: Request) -> Response:
    """Return the reason why the action of an element isn't possible now."""
    return reason_response(request, _course(request))


# -- rendering -------------------------------------------------------------------------------------


def _course(request: Request) -> PuzzleSession:
    """Return a session of the puzzle in the address, or refuse the request if it doesn't exist."""
    game = game_of(request, request.path_params["game"])
    id = request.path_params["puzzle"]
    if id not in pictures.puzzles_of(game):
        raise Refused("no_page", 404, "unknown puzzle")
    return puzzle_session(game, id)


async def _puzzle_page(request: Request, asked: LessonRequest, decided: bool) -> Response:
    """Return the page.

    Args:
        request: The request.
        asked: The puzzle and the choice in it.
        decided: Whether the first try is over, solved or not.
    """
    values = lesson_values(request, asked) | _values(request, asked)
    response = render(request, "lesson_main" if FRAGMENTS in request.headers else "lesson", **values)
    if decided:
        await _store_result(request, response, asked)
    return response


def _values(request: Request, asked: LessonRequest) -> dict[str, Any]:
    """Return the values of the templates for a puzzle, in addition to those of a lesson."""
    assert isinstance(asked.session, PuzzleSession)
    found, game, words = asked.session.puzzle, asked.lesson.game, texts_of_lesson(request, asked)
    site = texts.site(language_of(request))
    every = list(pictures.puzzles_of(game))
    number = every.index(found.id) + 1
    outcome = asked.outcome
    passed = outcome is not None and outcome.passes
    chosen = None if outcome is None or outcome.reason is not None else game.text(outcome.choice)
    rated = [each for each in found.tried if each.choice == chosen]
    shown: Sequence[RatedChoice] = found.tried[:2] if passed else rated
    ask = texts.game_texts(game, words.language).say  # the game's own question, without names
    view = asked.session.position(asked.step).view(asked.session.learner)
    decision = view["decision"]
    prompt = ask(f"prompt.{decision['prompt']}", {"seat": decision["seat"], **decision["about"]})
    reaction = ""
    if chosen is not None and outcome is not None:
        key = "puzzle.right" if passed else "puzzle.wrong" if rated else "puzzle.bad"
        share = (rated[0] if rated else found.best).share
        reaction = site.text(
            key, choice=words.choice(outcome.choice).removesuffix("."), share=share, second=found.tried[1].share
        )
    elif outcome is not None:
        reaction = asked.session.say(words, asked.step, outcome)
    seats = len(found.best.way.totals)
    return {
        "puzzle": found,
        "title": title_of(number, theme_of(found, words), site),
        "sentence": site.text("puzzle.ask", n=found.legal) + " " + prompt,
        "reaction": reaction,
        "why": _why(found, (*rated, *found.tried[1:]), words, site) if passed or rated or asked.lit else "",
        "measure": site.text("puzzle.measure.two" if seats == 2 else "puzzle.measure.more"),
        "endings": [_ending(each, words) for each in shown],
        "after": f"/puzzles/{game.id}/{every[number % len(every)]}",
        "lessons": (),
        "following": None,
        "total": 1,
    }


def _why(found: Puzzle, others: Sequence[RatedChoice], words: GameMessages, site: texts.Texts) -> str:
    """Return why the best choice of a puzzle is better than another one, or "".

    Args:
        found: The puzzle.
        others: Choices to compare with; the first that isn't the best one counts.
        words: Messages of the game.
        site: Messages of the site.
    """
    best, other = found.best, next(each for each in others if each != found.best)
    gains = sorted(score_shifts(_score_lines(other), _score_lines(best)), key=lambda each: -each[1])
    parts = [
        site.text("puzzle.why.more", line=words.score(line), points=points)
        for line, points in gains[:_MOST_GAINS]
        if points > 0
    ]
    totals = enumerate(zip(best.way.totals, other.way.totals, strict=True))
    losses = [(then - now, seat) for seat, (now, then) in totals if seat != found.learner]
    lost, rival = max(losses, default=(0, 0))
    if not parts and lost > 0:
        parts = [site.text("puzzle.why.rival", name=words.seat(rival), points=lost)]
    if not parts:
        return ""
    listed = format_list(parts, locale=words.language)
    return site.text("puzzle.why", parts=listed, choice=words.choice(words.game.parse(other.choice)).removesuffix("."))


def _score_lines(tried: RatedChoice) -> list[ScoreLine]:
    """Return the learner's score lines at the end of a game after a choice."""
    return [ScoreLine(key, points, fields) for key, fields, points in tried.way.lines]


def _ending(tried: RatedChoice, words: GameMessages) -> EndingText:
    """Return how a game ended after a choice, in words."""
    game = words.game
    return EndingText(
        words.choice(game.parse(tried.choice)).removesuffix("."),
        tried.share,
        tuple((words.seat(seat), total) for seat, total in enumerate(tried.way.totals)),
        tuple((words.say(f"score.{key}", fields), points) for key, fields, points in tried.way.lines),
    )


# -- progress --------------------------------------------------------------------------------------


async def _store_result(request: Request, response: Response, asked: LessonRequest) -> None:
    """Store the result of the first try; later tries change nothing."""
    assert isinstance(asked.session, PuzzleSession)
    passed = asked.outcome is not None and asked.outcome.passes and not asked.lit
    known = progress_of(request)
    found = progress_after_try(
        known, asked.lesson.game.id, asked.session.puzzle, passed, _is_puzzle_of_the_day(asked), today()
    )
    if found != known:
        await store_progress(request, response, found)


def _is_puzzle_of_the_day(asked: LessonRequest) -> bool:
    """Return whether the puzzle is the one of the day."""
    found = puzzle_of_the_day(asked.lesson.game, today())
    return found is not None and path_of(asked.lesson).endswith(f"/{found.id}")


def progress_after_try(
    known: LearningProgress, game: str, found: Puzzle, passed: bool, todays: bool, day: date
) -> LearningProgress:
    """Return the progress after a puzzle was tried; only the first try counts.

    The puzzle of the day extends the streak of days, or ends it if it wasn't solved.

    Args:
        known: Progress before.
        game: Id of the game.
        found: The puzzle.
        passed: Whether it was solved.
        todays: Whether it is the puzzle of the day.
        day: The date.
    """
    name, now = f"{game}.{found.id}", day.toordinal()
    puzzles, days, streaks = dict(known.puzzles), dict(known.days), dict(known.streaks)
    puzzles.setdefault(name, passed)
    last, row, most = days.get(game, (0, 0, 0))
    if todays and last != now:
        row = 0 if not passed else row + 1 if last == now - 1 else 1
        days[game] = now, row, max(most, row)
        if row >= PUZZLE_DAYS:
            streaks.setdefault(game, now)
    return msgspec.structs.replace(known, puzzles=puzzles, days=days, streaks=streaks)
