"""Planning ahead: a page on which a person says what its seat will answer, one question after the other.

A question is chosen first, then an answer among the kinds that the game declares for it. Many are narrowed: by words
that are looked for, and where even a kind has many by the values of its parts. What is set stands in the address.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from math import prod
from typing import Final
from urllib.parse import urlencode

from msgspec.structs import replace
from starlette.requests import Request
from starlette.responses import Response

from atoll.engine import Game, Kind, MalformedChoice

from ...domain.model import Refused, TableView
from ...domain.planned_answers import Plan, PlannedAnswer
from ...play.planned_turns import MOST_STEPS
from ...presentation.texts import GameTexts
from ...table import permissions
from ..session import tables
from .context import Pages, at_table, go, render
from .forms import Fields, form, query
from .table import table_id, view_of

_LONGEST: Final = 120
"""So many choices of a kind are a list; of more, the values of its parts are asked for first."""

pages = Pages()


@dataclass(frozen=True, slots=True)
class Group:
    """The choices of a kind. title: what it says, with gaps. parts: of a large kind, for each of its parts the name of
    the field, the values in words and the one that is set. choices: text and words of those that are listed.
    """

    title: str
    parts: tuple[tuple[str, tuple[str, ...], int | None], ...]
    choices: tuple[tuple[str, str], ...]

    @property
    def is_set(self) -> bool:
        """Whether all of its parts are set."""
        return bool(self.parts) and all(chosen is not None for _, _, chosen in self.parts)


@pages.at("/t/{id}/plan")
async def plan(request: Request) -> Response:
    """What my seat will answer, and a form to say so."""
    permissions.signed_in(request.state.user)
    given = query(request)
    view = await view_of(request, given.number_if_any("seat"))
    if view.seat is None:
        raise Refused("not_yours", 403, "only those who play plan ahead")
    game, words, _ = at_table(request, view)
    current = _current(view)
    may = f"plan:{view.seat}" in view.can and not current.repeat and len(current.steps) < MOST_STEPS
    prompt = given.text("prompt", 100)
    prompt = prompt if may and prompt in game.prompts else ""
    groups = list(groups_of(game, words, prompt, given)) if prompt else []
    taken = {text for text in given.texts("choices", 200) if prompt and _answers(game, prompt, text)}
    listed = {text for group in groups for text, _ in group.choices}
    if not taken:
        # What is told apart by its parts needs no further click.
        taken = {group.choices[0][0] for group in groups if group.is_set and len(group.choices) == 1}
    return render(
        request,
        "plan",
        view=view,
        may=may,
        plan=current,
        steps=[(words.question(step.prompt), _said(game, words, step.choices)) for step in current.steps],
        prompts=[(each, words.question(each)) for each in game.prompts] if may else [],
        prompt=prompt,
        question=words.question(prompt) if prompt else "",
        groups=groups,
        taken=taken,
        unlisted=[(text, _said(game, words, [text])) for text in sorted(taken - listed)],
        find=given.text("find", 100),
        several=len(listed) > 1,
        repeat="repeat" in given,
        untouched="untouched" in given or "narrowed" not in given,
        link=f"/t/{view.id}/plan?seat={view.seat}",
    )


@pages.at("/t/{id}/plan", "POST")
async def change(request: Request) -> Response:
    """Narrow what can be answered, add an answer to the plan, or give the plan up."""
    permissions.signed_in(request.state.user)
    given = await form(request)
    view = await view_of(request, given.seat)
    act, address = given.text("act", 8), f"/t/{view.id}/plan?seat={given.seat}"
    if act == "narrow":
        return go(f"{address}&{_set(given)}")
    current = _current(view)
    wanted = Plan(())
    if act != "drop":
        step = PlannedAnswer(given.text("prompt", 100), tuple(given.texts("choices", 200)))
        wanted = replace(current, steps=(*current.steps, step))
        if not current.steps:
            wanted = replace(wanted, repeat="repeat" in given, untouched="untouched" in given)
    await tables(request).planning.plan(request.state.user, table_id(request), given.seat, wanted)
    return go(address)


def _set(given: Fields) -> str:
    """What is set in the form, for the address."""
    fields = [("prompt", given.text("prompt", 100)), ("narrowed", "1"), ("find", given.text("find", 100))]
    fields += [(name, given.text(name, 20)) for name in given.names() if name.startswith("part.")]
    fields += [(name, "1") for name in ("repeat", "untouched") if name in given]
    fields += [("choices", text) for text in given.texts("choices", 200)]
    return urlencode([(name, value) for name, value in fields if value])


def _current(view: TableView) -> Plan:
    """The plan that holds; one without answers if none does."""
    return view.plan if view.plan is not None and not view.plan.ended else Plan(())


def _said(game: Game, words: GameTexts, choices: Sequence[str]) -> str:
    return ", ".join(words.choice(game.parse(text)).removesuffix(".") for text in choices)


def _answers(game: Game, prompt: str, text: str) -> bool:
    """Whether a text is a choice that may answer a question."""
    try:
        choice = game.parse(text)
    except MalformedChoice:
        return False
    return any(choice in kind for kind in game.prompts[prompt])


def groups_of(game: Game, words: GameTexts, prompt: str, given: Fields) -> Iterator[Group]:
    """The answers to a question by kind, those first that leave no choice. given: by what they are narrowed."""
    wanted = given.text("find", 100).casefold().split()
    for kind in sorted(game.prompts[prompt], key=lambda kind: kind.size > 1):
        # A domain may have more places than the game has cards.
        values = [range(len(game.notation.names(domain.name))) for domain in kind.domains]
        parts: list[tuple[str, tuple[str, ...], int | None]] = []
        if prod(map(len, values)) > _LONGEST:
            for number in words.parts(kind):
                domain = kind.domains[number]
                field = f"part.{kind.name}.{number}"
                chosen = given.number_if_any(field)
                chosen = chosen if chosen is not None and chosen < len(values[number]) else None
                parts.append((field, tuple(words.name(domain.name, value) for value in values[number]), chosen))
                if chosen is not None:
                    values[number] = range(chosen, chosen + 1)
        choices = list(_choices(game, words, kind, values)) if prod(map(len, values)) <= _LONGEST else []
        found = [(text, said) for text, said in choices if all(each in said.casefold() for each in wanted)]
        if found or parts:
            yield Group(words.kind(kind), tuple(parts), tuple(found))


def _choices(game: Game, words: GameTexts, kind: Kind, values: list[range]) -> Iterator[tuple[str, str]]:
    for parts in product(*values):
        choice = kind.at(*parts)
        yield game.text(choice), words.choice(choice)
