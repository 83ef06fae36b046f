"""Lessons: each step is an address, and so is what came of a choice in it. Nothing is kept but the step last read."""

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
from atoll.engine.words import Words
from atoll.learn import Course, Lesson, Outcome, Step, course
from atoll.learn.puzzle import PREFIX, Puzzle, rule_of
from atoll.picture.elements import Element, elements
from atoll.picture.patterns import choice_meant

from ...domain.model import Refused, SeatInfo, TableView
from ...presentation import pictures, texts
from ...presentation.question import Question, first_of_all, options_of, question_of
from .context import FRAGMENTS, Pages, covers, game_of, go, html, language_of, render
from .forms import Fields, form, query, whole_number
from .progress_cookie import keep_learning, learning_of
from .table import LONGEST_LIST, safe_json

_PATIENCE: Final = 2
"""After so many wrong choices in a step what is right is lit."""
_LONGEST_TEXT: Final = 1000
_NEVER: Final = datetime(1970, 1, 1, tzinfo=UTC)

pages = Pages()


@dataclass(frozen=True, slots=True)
class Asked:
    """What an address names: a step of a lesson by its number from 1, and what was chosen in it.

    wrong: how many choices in this step were wrong so far. lit: whether what is right is shown.
    """

    course: Course
    number: int
    outcome: Outcome | None
    wrong: int
    lit: bool

    @property
    def lesson(self) -> Lesson:
        """What is read."""
        return self.course.lesson

    @property
    def step(self) -> Step:
        """The step of it."""
        return self.lesson.steps[self.number - 1]

    @property
    def open(self) -> bool:
        """Whether something is asked that isn't answered yet; what is refused changes nothing."""
        if self.step.ask == "show":
            return False
        return self.outcome is None or (self.outcome.reason is not None and not self.outcome.passes)

    @property
    def position(self) -> Position:
        """The table that is shown."""
        return self.course.position(self.step) if self.outcome is None else self.outcome.position

    def address(self, **query: Any) -> str:
        """The address of a step of this lesson, this one if it isn't said."""
        given = {"step": self.number, **query}
        return f"{path_of(self.lesson)}?{urlencode({name: value for name, value in given.items() if value})}"

    def here(self) -> str:
        """The address of what is shown."""
        choice = "" if self.outcome is None else self.lesson.game.text(self.outcome.choice)
        return self.address(choice=choice, wrong=self.wrong, show=int(self.lit and self.wrong < _PATIENCE))


def path_of(lesson: Lesson) -> str:
    """Where a lesson is, or a puzzle, which is read like one."""
    if lesson.name.startswith(PREFIX):
        return f"/puzzles/{lesson.game.id}/{lesson.name.removeprefix(PREFIX)}"
    return f"/learn/{lesson.game.id}/{lesson.name}"


def theme_of(found: Puzzle, words: Words) -> str:
    """What a puzzle is about: the heading of the rule that its question comes from; "" if the game has none."""
    return texts.heading(words, rule_of(words.game, found.id))


def title_of(number: int, theme: str, site: texts.Texts) -> str:
    """What a puzzle is called in the list of its game. number: from 1."""
    return ": ".join(filter(None, (site.text("puzzle.title", n=number), theme)))


# -- pages -----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Taught:
    """A game that can be learned here. lessons: each with its name and the step where the reader stopped.

    tried: of how many puzzles the reader has tried a choice, solved: how many of them at the first try. following: the
    first that it hasn't tried, its id and what it is called.
    """

    cover: pictures.Cover
    lessons: list[tuple[Lesson, str, int]]
    tried: int
    solved: int
    following: tuple[str, str] | None


@pages.at("/learn")
async def games(request: Request) -> Response:
    """All games with their lessons, puzzles and rules, and how far the reader is in each."""
    known, site = learning_of(request).puzzles, texts.site(language_of(request))
    found = []
    for cover in covers(request):
        game, words = cover.game, cover.words
        puzzles = pictures.puzzles_of(game)
        tries = [known[f"{game.id}.{id}"] for id in puzzles if f"{game.id}.{id}" in known]
        untried = (each for each in enumerate(puzzles.values(), 1) if f"{game.id}.{each[1].id}" not in known)
        following = next(((each.id, title_of(n, theme_of(each, words), site)) for n, each in untried), None)
        shown = [
            (each, words.say(each.key("title")), _last(request, each)) for each in pictures.lessons_of(game).values()
        ]
        found.append(Taught(cover, shown, len(tries), sum(tries), following))
    return render(request, "learning", courses=found)


@pages.at("/puzzles")
@pages.at("/rules")
async def elsewhere(_request: Request) -> Response:
    """Puzzles and rules of all games stand where these are learned."""
    return go("/learn")


@pages.at("/learn/{game}")
async def overview(request: Request) -> Response:
    """The lessons of a game, with the step where the reader stopped."""
    game = game_of(request, request.path_params["game"])
    words = texts.game_texts(game, language_of(request))
    found = [
        (
            each,
            words.say(each.key("title")),
            [words.say(f"rule.{key}.title") for key in each.about.covers],
            _last(request, each),
        )
        for each in pictures.lessons_of(game).values()
    ]
    if not found:
        raise Refused("no_page", 404, "this game has no lessons")
    cover = pictures.cover(game, words.language)
    return render(request, "lessons", title=words.title(), game=game, lessons=found, cover=cover)


@pages.at("/learn/{game}/{lesson}")
async def lesson(request: Request) -> Response:
    """A step of a lesson, and what came of a choice in it; without a step, the one where the reader stopped."""
    given = query(request)
    if "step" not in given:
        found = _lesson(request)
        last = _last(request, found)
        return go(f"{path_of(found)}?step={max(last, 1) if last < len(found.steps) else 1}")
    return await _answer(request, asked_of(request, course(_lesson(request)), given))


@pages.at("/learn/{game}/{lesson}/choose", "POST")
async def choose(request: Request) -> Response:
    """Try a choice: scripts get the page as it is then, a form is led to its address."""
    asked = asked_of(request, course(_lesson(request)), await form(request))
    return await _answer(request, asked) if FRAGMENTS in request.headers else go(asked.here())


@pages.at("/learn/{game}/{lesson}/preview")
async def preview(request: Request) -> Response:
    """The picture after a choice, before anybody answers it."""
    return ahead(request, course(_lesson(request)))


@pages.at("/learn/{game}/{lesson}/why")
async def why_not(request: Request) -> Response:
    """Why what an element stands for can't be done now."""
    return why(request, course(_lesson(request)))


def ahead(request: Request, found: Course) -> Response:
    """The picture after a choice in a course, before anybody answers it."""
    given = query(request)
    asked = asked_of(request, found, given, choice="")
    legal = asked.course.legal(asked.step) if asked.open else []
    choices = [whole_number(text) for text in given.text("choices").split(",") if text]
    if len(choices) != 1 or choices[0] not in legal:
        return JSONResponse({"html": None, "question": None, "why": ""})
    position = asked.position.fork()
    position.apply(choices[0], asked.course.learner)
    values = _picture(request, asked, position)
    picture = html(request, "regions", **values)
    return JSONResponse({"html": picture, "question": None, "why": ""})


def why(request: Request, found: Course) -> Response:
    """Why what an element stands for can't be done now in a course."""
    given = query(request)
    asked = asked_of(request, found, given, choice="")
    site = texts.site(language_of(request))
    if not asked.open:
        return JSONResponse({"text": site.text("learn.why"), "rule": ""})
    choice = _meant(asked.course, asked.step, given.text("choice", _LONGEST_TEXT))
    reason = None if choice is None else asked.course.react(asked.step, choice).reason
    words = words_at(request, asked)
    if reason is None:
        said = first_of_all(asked.position.view(asked.course.learner), words, site)
        return JSONResponse({"text": said, "rule": ""})
    return JSONResponse({"text": words.reason(reason), "rule": reason.rule})


# -- what is asked for -----------------------------------------------------------------------------


def _lesson(request: Request) -> Lesson:
    found = pictures.lessons_of(game_of(request, request.path_params["game"])).get(request.path_params["lesson"])
    if found is None:
        raise Refused("no_page", 404, "there is no such lesson")
    return found


def asked_of(request: Request, found: Course, given: Fields, choice: str | None = None) -> Asked:
    """What a request names in a course. choice: instead of the one that it gives. Raises Refused."""
    steps = found.lesson.steps
    number = given.number_if_any("step") or 1
    if number > len(steps):
        raise Refused("no_page", 404, f"this lesson has {len(steps)} steps")
    asked = Asked(found, number, None, given.number_if_any("wrong") or 0, bool(given.text("show")))
    tried = (given.text("choice", _LONGEST_TEXT) or given.text("choices", _LONGEST_TEXT)) if choice is None else choice
    if tried and asked.step.ask != "show":
        meant = _meant(asked.course, asked.step, tried)
        if meant is None:
            shown = tried[:40]
            raise Refused("malformed", 422, f"{shown!r} is no choice of {found.lesson.game.id}")
        outcome = asked.course.react(asked.step, meant)
        counted = request.method == "POST"
        asked = replace(asked, outcome=outcome, wrong=asked.wrong + int(counted and not outcome.passes))
    return replace(asked, lit=asked.lit or asked.wrong >= _PATIENCE)


def _meant(course: Course, step: Step, text: str) -> int | None:
    """The choice of a number, a text, or an element's patterns: of these the first that isn't offered."""
    game, legal = course.lesson.game, course.legal(step)
    found: list[int] = []
    for pattern in text.split(";"):
        if pattern.strip().isdecimal():
            number = whole_number(pattern.strip())
            choice = number if number < game.vocabulary.decisions and _has_text(game, number) else None
        else:
            choice = choice_meant(game, pattern, legal)
        if choice is not None:
            found.append(choice)
    return next((choice for choice in found if choice not in legal), found[0] if found else None)


def _has_text(game: Game, choice: int) -> bool:
    try:
        game.text(choice)
    except AtollError:
        return False
    return True


# -- what is shown ---------------------------------------------------------------------------------


async def _answer(request: Request, asked: Asked) -> Response:
    response = render(request, "lesson_main" if FRAGMENTS in request.headers else "lesson", **values_of(request, asked))
    await _remember(response, request, asked)
    return response


def values_of(request: Request, asked: Asked) -> dict[str, Any]:
    """What the templates need for a step, and for what came of a choice in it."""
    game, words, step = asked.lesson.game, words_at(request, asked), asked.step
    picture = _picture(request, asked, asked.position)
    shown = elements(picture["regions"])
    legal = asked.course.legal(step) if asked.open else []
    question = question_of(game, asked.position.view(asked.course.learner), words, legal) if legal else None
    right = asked.lit and not (asked.outcome is not None and asked.outcome.passes)
    spot = [id for id in step.spot if id in shown]
    lit = [id for id in step.hint if id in shown] if right else []
    right_text = game.text(asked.course.right(step)) if right and step.ask == "choose" else ""
    following = pictures.lessons_of(game).get(asked.lesson.about.next)
    title = asked.course.title(words)
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
        "sentence": asked.course.say(words, step),
        "reaction": "" if asked.outcome is None else asked.course.say(words, step, asked.outcome),
        "question": question,
        "listed": options_of(game, _listed(asked, shown, legal), words) if question is not None else (),
        "longest_list": LONGEST_LIST,
        "right": right_text,
        "look": list(dict.fromkeys(_named(shown[id]) for id in (*lit, *spot))),
        "marked": [*spot, *lit],
        "score": _score(asked, words) if step.explain else [],
        "total": len(asked.lesson.steps),
        "lessons": [(each, words.say(each.key("title"))) for each in pictures.lessons_of(game).values()],
        "following": following,
        "following_title": "" if following is None else words.say(following.key("title")),
        "data": _data(asked, question, asked.course.aims(step, shown), spot, lit, right_text, page_title),
    }


def _listed(asked: Asked, shown: Mapping[str, Element], legal: list[int]) -> list[int]:
    """What stands in the list of choices: all that are legal; where something is to be refused, that among them."""
    tried: list[int] = []
    if asked.step.ask == "refuse":
        patterns = [pattern for id in asked.step.hint if id in shown for pattern in shown[id].choice.split(";")]
        found = (choice_meant(asked.lesson.game, pattern, legal) for pattern in patterns)
        tried = [choice for choice in found if choice is not None]
    return sorted({*legal, *tried})


def _named(element: Element) -> str:
    return element.name.rstrip(".")


def _picture(request: Request, asked: Asked, position: Position) -> dict[str, Any]:
    """What the templates of the table need: regions and where they stand, seats, words."""
    game, view = asked.lesson.game, position.view(asked.course.learner)
    table, words, site = _table(asked, position), words_at(request, asked), texts.site(language_of(request))
    papers = site.text("puzzle.bar" if asked.lesson.name.startswith(PREFIX) else "learn.tab")
    shown = pictures.shown(game, view, table, words, site, papers=papers)
    return {**vars(shown), "view": table, "words": words}


def words_at(request: Request, asked: Asked) -> texts.GameTexts:
    """The texts of the game, with the seats of the course by their numbers."""
    seats = _seats(asked, asked.course.position(asked.lesson.steps[0]))
    return texts.game_texts(asked.lesson.game, language_of(request), seats)


def _seats(asked: Asked, position: Position) -> tuple[SeatInfo, ...]:
    ready = position.ready
    return tuple(
        SeatInfo(
            seat,
            "open",
            name="",
            mine=seat == asked.course.learner,
            bot="",
            stand_in=False,
            to_move=seat in position.to_move,
            ready=None if ready is None else ready[seat],
            contributed=True,
            time_left_s=None,
        )
        for seat in range(position.seats)
    )


def _table(asked: Asked, position: Position) -> TableView:
    """The lesson's table as the templates of a table read one: nobody sits there and nothing is written."""
    learner = asked.course.learner
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
        commitment="",
        rematch="",
        advice=False,
        advised=None,
        can=(),
        created=_NEVER,
        changed=_NEVER,
    )


def _score(asked: Asked, words: texts.GameTexts) -> list[tuple[str, int]]:
    """The learner's score line by line."""
    return [(words.score(line), line.points) for line in asked.position.explain()[asked.course.learner]]


def _data(
    asked: Asked,
    question: Question | None,
    aims: list[str],
    spot: list[str],
    lit: list[str],
    right: str,
    title: str,
) -> Any:
    """What the page's scripts need."""
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
        "question": None if question is None else question.to_json(),
        "picked": [],
        "advised": "",
        "acted": None,
        "acts": [],
        "refuses": asked.open and asked.step.ask == "refuse",
        "aims": aims,
        "spot": spot,
        "unsure": [],
        "lit": lit,
        "right": right,
    }
    return safe_json(data)


# -- where the reader stopped ----------------------------------------------------------------------


def _last(request: Request, lesson: Lesson) -> int:
    """The step of a lesson that the reader read last; 0 if it wasn't begun."""
    return min(max(learning_of(request).lessons.get(f"{lesson.game.id}.{lesson.name}", 0), 0), len(lesson.steps))


async def _remember(response: Response, request: Request, asked: Asked) -> None:
    known, name = learning_of(request), f"{asked.lesson.game.id}.{asked.lesson.name}"
    if known.lessons.get(name) != asked.number:
        lessons = {**known.lessons, name: asked.number}
        await keep_learning(request, response, msgspec.structs.replace(known, lessons=lessons))
