"""Pages of tryouts, which are private what-if games, and of plans, which are made like them.

The address contains the whole state of a tryout, so nothing is stored.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final
from urllib.parse import urlencode

import msgspec
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from atoll.engine.state import declarations
from atoll.engine.translations import domain_of
from atoll.engine.vocabulary import Numbers
from atoll.picture import Region
from atoll.picture.elements import Element, elements
from atoll.picture.patterns import choice_for_pattern, mentions_any

from ...domain.model import Refused, TableSeats, User
from ...domain.planned_answers import Plan, PlannedAnswer
from ...play.tryouts import Tryout, TryoutStep, TryoutTurn
from ...presentation import pictures, texts
from ...presentation.log_lines import lines
from ...presentation.question import ChoiceText, Question, fallback_reason, options_of, question_of
from ...table import permissions
from ..session import tables
from .context import FRAGMENTS, Handler, Pages, redirect, render, render_html, texts_of_table
from .forms import FormFields, form, parse_number, query
from .history import seats_at
from .table import LONGEST_LIST, safe_json, table_id, view_of

_LONGEST: Final = 4000

pages = Pages()


@dataclass(frozen=True, slots=True)
class _Turn:
    """A turn of a tryout, in words.

    Attributes:
        name: Name of the seat.
        chosen: The choices.
        drawn: Outcomes of chance that the viewing seat sees.
        unseen: Number of outcomes that it doesn't see.
        lines: Lines of the log.
    """

    name: str
    chosen: tuple[str, ...]
    drawn: tuple[str, ...]
    unseen: int
    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _TryoutRequest:
    """A request about a tryout.

    Attributes:
        user: The reader, or None.
        sitting: Seats of the table.
        table: Id of the table.
        seat: The seat that tries.
        step: The step of the tryout.
        path: Its part of the address: "try", or "plan" for a plan.
    """

    user: User | None
    sitting: TableSeats
    table: str
    seat: int
    step: TryoutStep
    path: str

    @property
    def plans(self) -> bool:
        """True if a plan is made."""
        return self.path == "plan"

    def address(self, found: Tryout, step: TryoutStep) -> str:
        """Return the address of a step of a tryout."""
        return f"/t/{found.table}/{self.path}?{urlencode({'seat': found.seat, 'step': _text_of(step)})}"


def _both(path: str, method: str = "GET") -> Callable[[Handler], Handler]:
    """Return a decorator that routes a path below tryouts and below plans to the function."""

    def add(handler: Handler) -> Handler:
        """Add both routes of the function."""
        for kind in ("try", "plan"):
            pages.route(f"/t/{{id}}/{kind}/{path}", method)(handler)
        return handler

    return add


@pages.route("/t/{id}/try")
async def tryout(request: Request) -> Response:
    """Show a step of a tryout; without a step, start one from the current moment."""
    given = query(request)
    asked = await _asked(request, given)
    found, answers = await _found(request, asked)
    if not given.text("step"):
        return redirect(asked.address(found, TryoutStep(found.sequence)))
    return await _shown(request, asked, found, answers)


@_both("choose", "POST")
async def choose(request: Request) -> Response:
    """Try more choices; scripts get the new page, and forms are redirected to its address."""
    given = await form(request)
    asked = await _asked(request, given)
    found, answers = await _found(request, asked, _more(given))
    return await _after(request, asked, found, answers)


@_both("undo", "POST")
async def undo(request: Request) -> Response:
    """Remove a picked member of a set."""
    given = await form(request)
    asked = await _asked(request, given)
    choice = given.number("choice")
    services = tables(request).tryouts
    found = await services.without(asked.user, asked.table, asked.seat, asked.step, choice, planning=asked.plans)
    step = TryoutStep(found.sequence, found.guess, found.choices)
    found, answers = await _found(request, replace(asked, step=step))
    return await _after(request, asked, found, answers)


@_both("preview")
async def preview(request: Request) -> Response:
    """Return the picture after some choices, before chance and replies."""
    given = query(request)
    asked = await _asked(request, given)
    services = tables(request).tryouts
    seen = await services.ahead(asked.user, asked.table, asked.seat, asked.step, _more(given), planning=asked.plans)
    if seen is None:
        return JSONResponse({"html": None, "question": None, "why": ""})
    game, words, _ = texts_of_table(request, asked.sitting)
    question = question_of(game, seen, words)
    picture = render_html(request, "regions", **_picture(request, asked, seen))
    asked_then = None if question is None else question.to_json()
    return JSONResponse({"html": picture, "question": asked_then, "why": ""})


@_both("why")
async def why_not(request: Request) -> Response:
    """Return the reason why the action of an element isn't possible now."""
    given = query(request)
    asked = await _asked(request, given)
    found, _ = await _found(request, asked)
    game, words, site = texts_of_table(request, asked.sitting)
    if found.asked is None:
        return JSONResponse({"text": site.text("why.over", names=""), "rule": ""})
    for pattern in given.text("choice", 1000).split(";"):
        choice = choice_for_pattern(game, pattern, found.legal)
        reason = None if choice is None or choice in found.legal else game.why_not(found.view, choice)
        if reason is not None:
            return JSONResponse({"text": words.reason(reason), "rule": reason.rule})
    return JSONResponse({"text": fallback_reason(found.view, words, site), "rule": ""})


# -- requests --------------------------------------------------------------------------------------


async def _asked(request: Request, given: FormFields) -> _TryoutRequest:
    """Return the tryout that a request names.

    Args:
        request: The request.
        given: Submitted values.

    Raises:
        Refused: If the reader has no seat at the table.
    """
    user, table = permissions.require_user(request.state.user), table_id(request)
    found = await tables(request).table_views.table_seats(user, table, given.number_if_any("seat"))
    if found.seat is None:
        raise Refused("not_yours", 403, "only players can start a tryout")
    path = request.url.path.split("/")[3]
    return _TryoutRequest(user, found, table, found.seat, step_of(given.text("step", _LONGEST + 1)), path)


async def _found(
    request: Request, asked: _TryoutRequest, more: Sequence[int] = ()
) -> tuple[Tryout, tuple[PlannedAnswer, ...]]:
    """Return the tryout of a request after further choices, with the answers of a plan."""
    services = tables(request).tryouts
    if asked.plans:
        return await services.plan(asked.user, asked.table, asked.seat, asked.step, more)
    return await services.tryout(asked.user, asked.table, asked.seat, asked.step, more), ()


def _more(given: FormFields) -> list[int]:
    """Return the choices that are made now."""
    return [parse_number(text) for text in given.text("choices").split(",") if text]


def step_of(text: str) -> TryoutStep:
    """Return the step in an address; an empty text means the current moment.

    Args:
        text: The step, or "".

    Raises:
        Refused: If the text is malformed or too long.
    """
    if len(text) > _LONGEST:
        raise Refused("malformed", 422, f"the step is too long: expected at most {_LONGEST} characters")
    if not text:
        return TryoutStep()
    sequence, *rest = [parse_number(part) for part in text.split(".")]
    return TryoutStep(sequence, rest[0] if rest else 0, tuple(rest[1:]))


def _text_of(step: TryoutStep) -> str:
    """Return a step as it is written in addresses."""
    return ".".join(map(str, (step.sequence, step.guess, *step.choices)))


# -- rendering -------------------------------------------------------------------------------------


async def _after(
    request: Request, asked: _TryoutRequest, found: Tryout, answers: tuple[PlannedAnswer, ...]
) -> Response:
    """Return the response to a change: the new page for scripts, else a redirect."""
    if FRAGMENTS in request.headers:
        return await _shown(request, asked, found, answers)
    return redirect(asked.address(found, TryoutStep(found.sequence, found.guess, found.choices)))


async def _shown(
    request: Request, asked: _TryoutRequest, found: Tryout, answers: tuple[PlannedAnswer, ...]
) -> Response:
    """Return the page of a tryout."""
    template = "tryout_main" if FRAGMENTS in request.headers else "tryout"
    values = _values(request, asked, found)
    words, shown = values["words"], values["regions"]
    kept = Plan(())
    if asked.plans:
        view = await view_of(request, asked.seat)
        now = pictures.regions(words.game, view.view, words)
        unsure = _changed_elements(shown, now)
        if view.plan is not None and not view.plan.ended:
            kept = view.plan
    else:
        start = found
        if any(each.drawn for each in found.tried):
            begun = TryoutStep(found.sequence, found.guess)
            start = await tables(request).tryouts.tryout(request.state.user, found.table, found.seat, begun)
        unsure = _guessed_elements(found, shown, pictures.regions(words.game, start.view, words), words)
    values |= {"answers": len(answers), "plan": kept, "steps": plan_texts(kept, words)}
    return render(request, template, **values, data=_data(asked, found, values, unsure))


def plan_texts(plan: Plan, words: texts.GameTexts) -> list[tuple[str, str]]:
    """Return the answers of a plan in words, each with its question."""
    game = words.game
    return [
        (
            words.question(step.prompt),
            ", ".join(words.choice(game.parse(text)).removesuffix(".") for text in step.choices),
        )
        for step in plan.steps
    ]


def _picture(request: Request, asked: _TryoutRequest, view: Any) -> dict[str, Any]:
    """Return the picture of the table, as the asked seat sees it."""
    sitting = asked.sitting
    game, words, site = texts_of_table(request, sitting)
    then = msgspec.structs.replace(sitting, seats=seats_at(sitting, view), seat=view["viewer"])
    return vars(
        pictures.table_regions(
            game, view, then, words, site, papers=site.text("plan.tab" if asked.plans else "try.tab")
        )
    )


def _values(request: Request, asked: _TryoutRequest, found: Tryout) -> dict[str, Any]:
    """Return the values of the templates, without those that need the table or another tryout."""
    sitting = asked.sitting
    game, words, site = texts_of_table(request, sitting)
    question = question_of(game, found.view, words, found.legal, found.mix) if found.legal else None
    step = TryoutStep(found.sequence, found.guess, found.choices)
    picked = options_of(game, found.picked, words)
    title = site.text("plan.title" if asked.plans else "try.title")
    back = "" if not found.choices else asked.address(found, TryoutStep(step.sequence, step.guess, step.choices[:-1]))
    return _picture(request, asked, found.view) | {
        "game": game,
        "words": words,
        "scripts": pictures.scripts(game),
        "symbols": pictures.symbols(game),
        "title": title,
        "page_title": " – ".join((title, words.title(), "Atoll")),
        "path": asked.path,
        "plans": asked.plans,
        "tryout": found,
        "picked": picked,
        "step": _text_of(step),
        "question": question,
        "longest_list": LONGEST_LIST,
        "back": back,
        "start": asked.address(found, TryoutStep(step.sequence, step.guess, ())),
        "other": asked.address(found, TryoutStep(step.sequence, step.guess + 1, ())),
        "turns": [_turn(each, words, site) for each in reversed(found.tried)],
        "guesses": sum(len(each.drawn) for each in found.tried),
    }


def _changed_elements(shown: Sequence[Region], now: Sequence[Region]) -> list[str]:
    """Return the ids of the elements that look otherwise than at the table now."""
    known = elements(now)
    return [
        each.id
        for each in elements(shown).values()
        if each.id not in known or (known[each.id].name, known[each.id].number) != (each.name, each.number)
    ]


def _guessed_elements(
    found: Tryout, shown: Sequence[Region], start: Sequence[Region], words: texts.GameTexts
) -> list[str]:
    """Return the ids of the elements that show guesses.

    These are elements in the hand of another seat, and elements that chance changed during the
    tryout. An element that looks as it did at the start isn't a guess.

    Args:
        found: The tryout.
        shown: Regions of the picture.
        start: Regions of the picture at the start of the tryout.
        words: Texts of the game.
    """
    drawn, rolled = _drawn(found, words)
    held = _private_elements(found, words) if found.asked not in (None, found.seat) else _NamedElements(words)
    hands = {region.id for region in shown if region.role == "hand"}
    before = elements(start)
    return [
        each.id
        for each in elements(shown).values()
        if (each.region in hands and held.has(each))
        or (
            (each.id not in before or before[each.id].choice != each.choice or before[each.id].name != each.name)
            and (each.id in rolled or drawn.has(each))
        )
    ]


class _NamedElements:
    """Named elements of a game, such as cards.

    An element of a picture is recognized by the choices that it offers, or by its name.
    """

    def __init__(self, words: texts.GameTexts) -> None:
        self._words: texts.GameTexts = words
        self._named: set[tuple[str, str]] = set()
        self._titles: set[str] = set()

    def add(self, domain: str, index: int) -> None:
        """Add an element of a domain by its index."""
        self._named.add((domain, self._words.game.notation.name(domain, index)))
        self._titles.add(self._words.name(domain, index))

    def has(self, element: Element) -> bool:
        """Return whether an element of the picture shows one of them."""
        return mentions_any(element.choice, self._words.game, self._named) or element.name.startswith(
            tuple(self._titles)
        )


def _drawn(found: Tryout, words: texts.GameTexts) -> tuple[_NamedElements, set[str]]:
    """Return the outcomes of chance that the viewing seat learns.

    Args:
        found: The tryout.
        words: Messages of the game.

    Returns:
        The elements that were drawn, and the ids of picture elements at which numbers were rolled.
    """
    vocabulary = words.game.vocabulary
    things, rolled = _NamedElements(words), set()
    for tried in found.tried:
        numbers = set()
        for choice in tried.drawn:
            if choice is not None:
                kind = vocabulary.kind_of(choice)
                domain = kind.domains[0]
                if isinstance(domain, Numbers):
                    numbers.add(domain.name)
                elif domain.name != "seat":
                    things.add(domain.name, kind.part(choice))
        for line in tried.log:
            if any(domain_of(field) in numbers for field in line.fields):
                rolled.update(pictures.named(words.game, line))
    return things, rolled


def _private_elements(found: Tryout, words: texts.GameTexts) -> _NamedElements:
    """Return the private elements of the asked seat, of domains named after a card back."""
    things, domains = _NamedElements(words), words.game.vocabulary.domains()
    for name, visibility in declarations(words.game.state_type):
        domain = next((each for each in (visibility.back, f"{visibility.back}_card") if each in domains), None)
        if visibility.who in ("owner", "known") and domain is not None:
            zone = found.view["state"][name][found.asked]
            for card in zone if isinstance(zone, list) else [zone]:
                if type(card) is int and card >= 0:
                    things.add(domain, card)
    return things


def _turn(tried: TryoutTurn, words: texts.GameTexts, site: texts.Texts) -> _Turn:
    """Return a turn of the tryout in words."""
    return _Turn(
        words.seat(tried.seat),
        tuple(words.choice(choice).removesuffix(".") for choice in tried.choices),
        tuple(words.choice(choice).removesuffix(".") for choice in tried.drawn if choice is not None),
        tried.drawn.count(None),
        tuple(line.words for line in lines(tried.log, words, site)),
    )


def _data(asked: _TryoutRequest, found: Tryout, values: Mapping[str, Any], unsure: list[str]) -> Any:
    """Return the JSON for the page's scripts."""
    step = TryoutStep(found.sequence, found.guess, found.choices)
    data = private_game_data(
        found,
        values["words"],
        values["question"],
        values["picked"],
        address=f"/t/{found.table}/{asked.path}",
        step=_text_of(step),
        here=asked.address(found, step),
        title=values["page_title"],
    )
    return safe_json({**data, "unsure": unsure})


def private_game_data(
    found: Tryout,
    words: texts.GameTexts,
    question: Question | None,
    picked: Sequence[ChoiceText],
    *,
    address: str,
    step: str,
    here: str,
    title: str,
) -> dict[str, Any]:
    """Return what scripts need to play a game that only the reader sees, on a table's page.

    Args:
        found: The game.
        words: Messages of the game.
        question: The open question; None if nothing is asked.
        picked: Picked members of a set.
        address: Address below which the page's commands lie.
        step: Step that the commands continue.
        here: Address of the page.
        title: Title of the page.
    """
    return {
        "table": "",
        "address": address,
        "step": step,
        "wrong": 0,
        "here": here,
        "title": title,
        "version": "",
        "seat": found.seat,
        "sequence": 0,
        "over": False,
        "curtain": False,
        "seats": [],
        "names": [words.seat(seat) for seat in range(found.view["seats"])],
        "staged": False,
        "stamp": here,
        "mine": question is not None,
        "confirm": False,
        "chance": None,
        "chance_table": "",
        "question": None if question is None else question.to_json(),
        "picked": [option.to_json() for option in picked],
        "advised": "",
        "acted": None,
        "acts": [],
        "record": None,
        "refuses": False,
        "aims": [],
        "spot": [],
        "unsure": [],
        "lit": [],
        "right": "",
    }
