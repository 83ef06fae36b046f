"""Pages for learning: overviews, and lessons step by step.

Each step of a lesson has an address, and so does the outcome of a choice in it. Only the last step
that the reader has read is stored.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Any, Final
from urllib.parse import urlencode

import msgspec
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from atoll.engine import AtollError, Game, Position
from atoll.engine.translations import GameMessages
from atoll.lessons import Lesson, LessonSession, LessonStep, Outcome, lesson_session
from atoll.lessons.puzzle import PREFIX, Puzzle, rule_of
from atoll.picture.elements import Element, elements
from atoll.picture.patterns import choice_for_pattern, matches

from ...domain.model import Refused, SeatInfo, TableView
from ...presentation import pictures, texts
from ...presentation.question import Question, fallback_reason, options_of, question_of
from .context import FRAGMENTS, Pages, covers, game_of, language_of, redirect, render, render_html
from .forms import FormFields, form, parse_number, query
from .progress_cookie import progress_of, store_progress
from .table import LONGEST_LIST, safe_json

_TRIES_BEFORE_HINT: Final = 2
"""Number of wrong choices in a step after which the right one is highlighted."""
_LONGEST_TEXT: Final = 1000
_NEVER: Final = datetime(1970, 1, 1, tzinfo=UTC)

pages = Pages()


@dataclass(frozen=True, slots=True)
class LessonRequest:
    """A request for a step of a lesson, and for the outcome of a choice in it.

    Attributes:
        session: Session of the lesson.
        number: Number of the step, from 1.
        outcome: Outcome of the choice, or None without a choice.
        wrong: Number of wrong choices in this step so far.
        lit: Whether the right choice is highlighted.
    """

    session: LessonSession
    number: int
    outcome: Outcome | None
    wrong: int
    lit: bool

    @property
    def lesson(self) -> Lesson:
        """The lesson."""
        return self.session.lesson

    @property
    def step(self) -> LessonStep:
        """The step."""
        return self.lesson.steps[self.number - 1]

    @property
    def open(self) -> bool:
        """True if the step waits for an answer; an illegal choice doesn't answer it."""
        if self.step.ask == "show":
            return False
        return self.outcome is None or (self.outcome.reason is not None and not self.outcome.passes)

    @property
    def position(self) -> Position:
        """The position that is shown."""
        return self.session.position(self.step) if self.outcome is None else self.outcome.position

    def address(self, **query: Any) -> str:
        """Return the address of a step of this lesson; `query` overrides its parameters."""
        given = {"step": self.number, **query}
        return f"{path_of(self.lesson)}?{urlencode({name: value for name, value in given.items() if value})}"

    def here(self) -> str:
        """Return the address of what the page shows."""
        choice = "" if self.outcome is None else self.lesson.game.text(self.outcome.choice)
        return self.address(choice=choice, wrong=self.wrong, show=int(self.lit and self.wrong < _TRIES_BEFORE_HINT))


def path_of(lesson: Lesson) -> str:
    """Return the path of a lesson, or of a puzzle, which is played like a lesson."""
    if lesson.name.startswith(PREFIX):
        return f"/puzzles/{lesson.game.id}/{lesson.name.removeprefix(PREFIX)}"
    return f"/learn/{lesson.game.id}/{lesson.name}"


def theme_of(found: Puzzle, words: GameMessages) -> str:
    """Return the theme of a puzzle: the heading of the rule that its question comes from, or ""."""
    return texts.heading(words, rule_of(words.game, found.id))


def title_of(number: int, theme: str, site: texts.Texts) -> str:
    """Return the title of a puzzle in the list of its game.

    Args:
        number: Number of the puzzle, from 1.
        theme: Theme of the puzzle, or "".
        site: Texts of the site.
    """
    return ": ".join(filter(None, (site.text("puzzle.title", n=number), theme)))


# -- pages -----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class GameLessons:
    """A game that can be learned here.

    Attributes:
        cover: Cover of the game.
        lessons: Its lessons, each with its title and the step at which the reader stopped.
        tried: Number of puzzles that the reader has tried.
        solved: Number of puzzles that the reader solved on the first try.
        following: Id and title of the first puzzle that the reader hasn't tried, or None.
    """

    cover: pictures.GameCover
    lessons: list[tuple[Lesson, str, int]]
    tried: int
    solved: int
    following: tuple[str, str] | None


@pages.route("/learn")
async def games(request: Request) -> Response:
    """Show all games with their lessons, puzzles and rules, and the reader's progress."""
    known, site = progress_of(request).puzzles, texts.site(language_of(request))
    found = []
    for cover in covers(request):
        game, words = cover.game, cover.words
        puzzles = pictures.puzzles_of(game)
        tries = [known[f"{game.id}.{id}"] for id in puzzles if f"{game.id}.{id}" in known]
        untried = (each for each in enumerate(puzzles.values(), 1) if f"{game.id}.{each[1].id}" not in known)
        following = next(((each.id, title_of(n, theme_of(each, words), site)) for n, each in untried), None)
        shown = [
            (each, words.say(each.key("title")), _last_step(request, each))
            for each in pictures.lessons_of(game).values()
        ]
        found.append(GameLessons(cover, shown, len(tries), sum(tries), following))
    return render(request, "learning", courses=found)


@pages.route("/puzzles")
@pages.route("/rules")
async def redirect_to_overview(_request: Request) -> Response:
    """Redirect to the overview, which also links to the puzzles and rules of all games."""
    return redirect("/learn")


@pages.route("/learn/{game}")
async def overview(request: Request) -> Response:
    """Show the lessons of a game, with the step at which the reader stopped."""
    game = game_of(request, request.path_params["game"])
    words = texts.game_texts(game, language_of(request))
    found = [
        (
            each,
            words.say(each.key("title")),
            [words.say(f"rule.{key}.title") for key in each.about.covers],
            _last_step(request, each),
        )
        for each in pictures.lessons_of(game).values()
    ]
    if not found:
        raise Refused("no_page", 404, f"game {game.id!r} has no lessons")
    cover = pictures.cover(game, words.language)
    return render(request, "lessons", title=words.title(), game=game, lessons=found, cover=cover)


@pages.route("/learn/{game}/{lesson}")
async def lesson(request: Request) -> Response:
    """Show a step of a lesson, or redirect to the one at which the reader stopped."""
    given = query(request)
    if "step" not in given:
        found = _lesson(request)
        last = _last_step(request, found)
        return redirect(f"{path_of(found)}?step={max(last, 1) if last < len(found.steps) else 1}")
    return await _step_page(request, parse_request(request, lesson_session(_lesson(request)), given))


@pages.route("/learn/{game}/{lesson}/choose", "POST")
async def choose(request: Request) -> Response:
    """Try a choice; scripts get the new page, and forms are redirected to its address."""
    asked = parse_request(request, lesson_session(_lesson(request)), await form(request))
    return await _step_page(request, asked) if FRAGMENTS in request.headers else redirect(asked.here())


@pages.route("/learn/{game}/{lesson}/preview")
async def preview(request: Request) -> Response:
    """Return the picture after a choice, before any reply."""
    return preview_response(request, lesson_session(_lesson(request)))


@pages.route("/learn/{game}/{lesson}/why")
async def why_not(request: Request) -> Response:
    """Return the reason why the action of an element isn't possible now."""
    return reason_response(request, lesson_session(_lesson(request)))


def preview_response(request: Request, found: LessonSession) -> Response:
    """Return the picture after a choice in a session, before any reply.

    The picture is None if the choice isn't legal.
    """
    given = query(request)
    asked = parse_request(request, found, given, choice="")
    legal = asked.session.legal(asked.step) if asked.open else []
    choices = [parse_number(text) for text in given.text("choices").split(",") if text]
    if len(choices) != 1 or choices[0] not in legal:
        return JSONResponse({"html": None, "question": None, "why": ""})
    position = asked.position.fork()
    position.apply(choices[0], asked.session.learner)
    values = _picture(request, asked, position)
    picture = render_html(request, "regions", **values)
    return JSONResponse({"html": picture, "question": None, "why": ""})


def reason_response(request: Request, found: LessonSession) -> Response:
    """Return the reason why the action of an element isn't possible now in a session."""
    given = query(request)
    asked = parse_request(request, found, given, choice="")
    site = texts.site(language_of(request))
    if not asked.open:
        return JSONResponse({"text": site.text("learn.why"), "rule": ""})
    choice = _parse_choice(asked.session, asked.step, given.text("choice", _LONGEST_TEXT))
    reason = None if choice is None else asked.session.react(asked.step, choice).reason
    words = texts_of_lesson(request, asked)
    if reason is None:
        said = fallback_reason(asked.position.view(asked.session.learner), words, site)
        return JSONResponse({"text": said, "rule": ""})
    return JSONResponse({"text": words.reason(reason), "rule": reason.rule})


# -- requests --------------------------------------------------------------------------------------


def _lesson(request: Request) -> Lesson:
    """Return the lesson in the address, or refuse the request if it doesn't exist."""
    found = pictures.lessons_of(game_of(request, request.path_params["game"])).get(request.path_params["lesson"])
    if found is None:
        raise Refused("no_page", 404, "unknown lesson")
    return found


def parse_request(
    request: Request, found: LessonSession, given: FormFields, choice: str | None = None
) -> LessonRequest:
    """Return the step, and the outcome of the choice, that a request names.

    Args:
        request: The request. A POST counts wrong choices.
        found: Session of the lesson.
        given: Fields of the request.
        choice: Choice to try; "" for none, None for the choice in the fields.

    Raises:
        Refused: If the step doesn't exist or the choice is malformed.
    """
    steps = found.lesson.steps
    number = given.number_if_any("step") or 1
    if number > len(steps):
        raise Refused("no_page", 404, f"invalid step {number}: expected 1 to {len(steps)}")
    asked = LessonRequest(found, number, None, given.number_if_any("wrong") or 0, bool(given.text("show")))
    tried = (given.text("choice", _LONGEST_TEXT) or given.text("choices", _LONGEST_TEXT)) if choice is None else choice
    if tried and asked.step.ask != "show":
        meant = _parse_choice(asked.session, asked.step, tried)
        if meant is None:
            shown = tried[:40]
            raise Refused("malformed", 422, f"{shown!r} isn't a choice of {found.lesson.game.id}")
        outcome = asked.session.react(asked.step, meant)
        counted = request.method == "POST"
        asked = replace(asked, outcome=outcome, wrong=asked.wrong + int(counted and not outcome.passes))
    return replace(asked, lit=asked.lit or asked.wrong >= _TRIES_BEFORE_HINT)


def _parse_choice(session: LessonSession, step: LessonStep, text: str) -> int | None:
    """Return the choice that a text means, or None.

    Args:
        session: Session of the lesson.
        step: The step.
        text: A choice as number or text, or an element's patterns. Of several choices, the first
            illegal one counts.
    """
    game, legal = session.lesson.game, session.legal(step)
    found: list[int] = []
    for pattern in text.split(";"):
        if pattern.strip().isdecimal():
            number = parse_number(pattern.strip())
            choice = number if number < game.vocabulary.decisions and _has_text(game, number) else None
        else:
            choice = choice_for_pattern(game, pattern, legal)
        if choice is not None:
            found.append(choice)
    return next((choice for choice in found if choice not in legal), found[0] if found else None)


def _has_text(game: Game, choice: int) -> bool:
    """Return whether a number is a choice of the game."""
    try:
        game.text(choice)
    except AtollError:
        return False
    return True


# -- rendering -------------------------------------------------------------------------------------


async def _step_page(request: Request, asked: LessonRequest) -> Response:
    """Return the page of a step, and store that the reader has read it."""
    response = render(
        request, "lesson_main" if FRAGMENTS in request.headers else "lesson", **lesson_values(request, asked)
    )
    await _store_step(response, request, asked)
    return response


def lesson_values(request: Request, asked: LessonRequest) -> dict[str, Any]:
    """Return the values of the templates for a step and the outcome of a choice in it."""
    game, words, step = asked.lesson.game, texts_of_lesson(request, asked), asked.step
    picture = _picture(request, asked, asked.position)
    shown = elements(picture["regions"])
    legal = asked.session.legal(step) if asked.open else []
    question = question_of(game, asked.position.view(asked.session.learner), words, legal) if legal else None
    right = asked.lit and not (asked.outcome is not None and asked.outcome.passes)
    spot = [id for id in step.spot if id in shown]
    lit = [id for id in step.hint if id in shown] if right else []
    right_text = game.text(asked.session.right(step)) if right and step.ask == "choose" else ""
    following = pictures.lessons_of(game).get(asked.lesson.about.next)
    title = asked.session.title(words)
    page_title = " – ".join(dict.fromkeys((title, words.title(), "Atoll")))
    return picture | {
        "game": game,
        "asked": asked,
        "puzzle": None,
        "title": title,
        "page_title": page_title,
        "address": path_of(asked.lesson),
        "scripts": pictures.scripts(game),
        "symbols": pictures.symbols(game),
        "sentence": asked.session.say(words, step),
        "reaction": "" if asked.outcome is None else asked.session.say(words, step, asked.outcome),
        "question": question,
        "listed": options_of(game, _listed_choices(asked, shown, legal), words) if question is not None else (),
        "longest_list": LONGEST_LIST,
        "right": right_text,
        "look": list(dict.fromkeys(_element_name(shown[id]) for id in (*lit, *spot))),
        "marked": [*spot, *lit, *_elements_for(right_text, shown)],
        "why": "",
        "score": _score_lines(asked, words) if step.explain else [],
        "total": len(asked.lesson.steps),
        "lessons": [(each, words.say(each.key("title"))) for each in pictures.lessons_of(game).values()],
        "following": following,
        "following_title": "" if following is None else words.say(following.key("title")),
        "data": _script_data(
            asked, question, asked.session.target_elements(step, shown), spot, lit, right_text, page_title
        ),
    }


def _listed_choices(asked: LessonRequest, shown: Mapping[str, Element], legal: list[int]) -> list[int]:
    """Return the choices in the list: the legal ones, and the one that the step wants refused."""
    tried: list[int] = []
    if asked.step.ask == "refuse":
        patterns = [pattern for id in asked.step.hint if id in shown for pattern in shown[id].choice.split(";")]
        found = (choice_for_pattern(asked.lesson.game, pattern, legal) for pattern in patterns)
        tried = [choice for choice in found if choice is not None]
    return sorted({*legal, *tried})


def _elements_for(text: str, shown: Mapping[str, Element]) -> list[str]:
    """Return the ids of the elements that stand for a choice; none for ""."""
    return [
        each.id for each in shown.values() if text and any(matches(pattern, text) for pattern in each.choice.split(";"))
    ]


def _element_name(element: Element) -> str:
    """Return the name of an element, without a final period."""
    return element.name.rstrip(".")


def _picture(request: Request, asked: LessonRequest, position: Position) -> dict[str, Any]:
    """Return the values of the table's templates: regions, layout, seats and texts."""
    game, view = asked.lesson.game, position.view(asked.session.learner)
    table, words, site = _table(asked, position), texts_of_lesson(request, asked), texts.site(language_of(request))
    papers = site.text("puzzle.bar" if asked.lesson.name.startswith(PREFIX) else "learn.tab")
    shown = pictures.table_regions(game, view, table, words, site, papers=papers)
    return {**vars(shown), "view": table, "words": words}


def texts_of_lesson(request: Request, asked: LessonRequest) -> texts.GameTexts:
    """Return the texts of the game, with seats named by their numbers."""
    seats = _seats(asked, asked.session.position(asked.lesson.steps[0]))
    return texts.game_texts(asked.lesson.game, language_of(request), seats)


def _seats(asked: LessonRequest, position: Position) -> tuple[SeatInfo, ...]:
    """Return the seats of the lesson's table, on which nobody sits."""
    ready = position.sealed_ready
    return tuple(
        SeatInfo(
            seat,
            "open",
            name="",
            mine=seat == asked.session.learner,
            bot="",
            stand_in=False,
            to_move=seat in position.to_move,
            ready=None if ready is None else ready[seat],
            time_left_s=None,
        )
        for seat in range(position.seats)
    )


def _table(asked: LessonRequest, position: Position) -> TableView:
    """Return the lesson's table in the form that the templates of a table expect."""
    learner = asked.session.learner
    return TableView(
        id="",
        game=asked.lesson.game.id,
        status="over" if position.over else "running",
        version="",
        options=position.options,
        clock=None,
        visibility="private",
        host=False,
        seats=_seats(asked, position),
        seat=learner,
        my_seats=(learner,),
        view=position.view(learner),
        view_sequence=0,
        turn=None,
        log=(),
        chat=(),
        votes=(),
        score=None,
        rematch="",
        advice=False,
        advised=None,
        can=(),
        created=_NEVER,
        changed=_NEVER,
    )


def _score_lines(asked: LessonRequest, words: texts.GameTexts) -> list[tuple[str, int]]:
    """Return the learner's score, line by line."""
    return [(words.score(line), line.points) for line in asked.position.explain()[asked.session.learner]]


def _script_data(
    asked: LessonRequest,
    question: Question | None,
    aims: list[str],
    spot: list[str],
    lit: list[str],
    right: str,
    title: str,
) -> Any:
    """Return the JSON for the page's scripts."""
    data = {
        "table": "",
        "address": path_of(asked.lesson),
        "step": asked.number,
        "wrong": asked.wrong,
        "here": asked.here(),
        "title": title,
        "version": "",
        "seat": None,
        "sequence": 0,
        "over": False,
        "curtain": False,
        "seats": [],
        "names": [],
        "staged": False,
        "stamp": asked.here(),
        "mine": question is not None,
        "confirm": False,
        "chance": None,
        "chance_table": "",
        "question": None if question is None else question.to_json(),
        "picked": [],
        "advised": "",
        "acted": None,
        "acts": [],
        "record": None,
        "refuses": asked.open and asked.step.ask == "refuse",
        "aims": aims,
        "spot": spot,
        "unsure": [],
        "lit": lit,
        "right": right,
    }
    return safe_json(data)


# -- progress --------------------------------------------------------------------------------------


def _last_step(request: Request, lesson: Lesson) -> int:
    """Return the number of the last step of a lesson that the reader has read, or 0."""
    return min(max(progress_of(request).lessons.get(f"{lesson.game.id}.{lesson.name}", 0), 0), len(lesson.steps))


async def _store_step(response: Response, request: Request, asked: LessonRequest) -> None:
    """Store the step as the last one that the reader has read."""
    known, name = progress_of(request), f"{asked.lesson.game.id}.{asked.lesson.name}"
    if known.lessons.get(name) != asked.number:
        lessons = {**known.lessons, name: asked.number}
        await store_progress(request, response, msgspec.structs.replace(known, lessons=lessons))
