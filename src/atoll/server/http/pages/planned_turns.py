"""The page for planning ahead: answers of a seat to future questions, in order.

The reader first chooses a question, then an answer of a kind that the game declares for it. Long
lists of answers are filtered by search words, and by the values of parts of large kinds. The
address contains all values of the form.
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
from .context import Pages, redirect, render, texts_of_table
from .forms import FormFields, form, query
from .table import table_id, view_of

_MAX_LISTED: Final = 120
"""Largest number of choices that are listed. In larger kinds, the reader first chooses parts."""

pages = Pages()


@dataclass(frozen=True, slots=True)
class ChoiceGroup:
    """The choices of one kind.

    Attributes:
        title: Text of the kind, with gaps for its parts.
        parts: For each part of a large kind, the name of its form field, its values in words, and
            the index of the chosen value or None.
        choices: Text form and words of each listed choice.
    """

    title: str
    parts: tuple[tuple[str, tuple[str, ...], int | None], ...]
    choices: tuple[tuple[str, str], ...]

    @property
    def is_set(self) -> bool:
        """True if all parts of a large kind are chosen."""
        return bool(self.parts) and all(chosen is not None for _, _, chosen in self.parts)


@pages.route("/t/{id}/plan")
async def plan(request: Request) -> Response:
    """Show the plan of the reader's seat, and the form that extends it."""
    permissions.require_user(request.state.user)
    given = query(request)
    view = await view_of(request, given.number_if_any("seat"))
    if view.seat is None:
        raise Refused("not_yours", 403, "only players can plan ahead")
    game, words, _ = texts_of_table(request, view)
    current = _active_plan(view)
    may = f"plan:{view.seat}" in view.can and not current.repeat and len(current.steps) < MOST_STEPS
    prompt = given.text("prompt", 100)
    prompt = prompt if may and prompt in game.prompts else ""
    groups = list(choice_groups(game, words, prompt, given)) if prompt else []
    taken = {text for text in given.texts("choices", 200) if prompt and _may_answer(game, prompt, text)}
    listed = {text for group in groups for text, _ in group.choices}
    if not taken:
        # If the chosen parts leave a single choice, it needs no further click.
        taken = {group.choices[0][0] for group in groups if group.is_set and len(group.choices) == 1}
    return render(
        request,
        "plan",
        view=view,
        may=may,
        plan=current,
        steps=[(words.question(step.prompt), _choices_in_words(game, words, step.choices)) for step in current.steps],
        prompts=[(each, words.question(each)) for each in game.prompts] if may else [],
        prompt=prompt,
        question=words.question(prompt) if prompt else "",
        groups=groups,
        taken=taken,
        unlisted=[(text, _choices_in_words(game, words, [text])) for text in sorted(taken - listed)],
        find=given.text("find", 100),
        several=len(listed) > 1,
        repeat="repeat" in given,
        untouched="untouched" in given or "narrowed" not in given,
        link=f"/t/{view.id}/plan?seat={view.seat}",
    )


@pages.route("/t/{id}/plan", "POST")
async def change(request: Request) -> Response:
    """Filter the choices, add an answer to the plan, or delete the plan."""
    permissions.require_user(request.state.user)
    given = await form(request)
    view = await view_of(request, given.seat)
    act, address = given.text("act", 8), f"/t/{view.id}/plan?seat={given.seat}"
    if act == "narrow":
        return redirect(f"{address}&{_form_query(given)}")
    current = _active_plan(view)
    wanted = Plan(())
    if act != "drop":
        step = PlannedAnswer(given.text("prompt", 100), tuple(given.texts("choices", 200)))
        wanted = replace(current, steps=(*current.steps, step))
        if not current.steps:
            wanted = replace(wanted, repeat="repeat" in given, untouched="untouched" in given)
    await tables(request).planned_turns.plan(request.state.user, table_id(request), given.seat, wanted)
    return redirect(address)


def _form_query(given: FormFields) -> str:
    """Return the values of the form as a query string."""
    fields = [("prompt", given.text("prompt", 100)), ("narrowed", "1"), ("find", given.text("find", 100))]
    fields += [(name, given.text(name, 20)) for name in given.names() if name.startswith("part.")]
    fields += [(name, "1") for name in ("repeat", "untouched") if name in given]
    fields += [("choices", text) for text in given.texts("choices", 200)]
    return urlencode([(name, value) for name, value in fields if value])


def _active_plan(view: TableView) -> Plan:
    """Return the active plan; an empty one without it."""
    return view.plan if view.plan is not None and not view.plan.ended else Plan(())


def _choices_in_words(game: Game, words: GameTexts, choices: Sequence[str]) -> str:
    """Return the choices in words."""
    return ", ".join(words.choice(game.parse(text)).removesuffix(".") for text in choices)


def _may_answer(game: Game, prompt: str, text: str) -> bool:
    """Return whether a text is a choice that may answer a question."""
    try:
        choice = game.parse(text)
    except MalformedChoice:
        return False
    return any(choice in kind for kind in game.prompts[prompt])


def choice_groups(game: Game, words: GameTexts, prompt: str, given: FormFields) -> Iterator[ChoiceGroup]:
    """Yield the possible answers to a question by kind; kinds with a single choice come first.

    Args:
        game: The game.
        words: Texts of the game.
        prompt: Key of the question.
        given: The form, with search words and chosen parts.

    Yields:
        A group per kind that has answers.
    """
    wanted = given.text("find", 100).casefold().split()
    for kind in sorted(game.prompts[prompt], key=lambda kind: kind.size > 1):
        # A domain may have more places than the game has cards.
        values = [range(len(game.notation.names(domain.name))) for domain in kind.domains]
        parts: list[tuple[str, tuple[str, ...], int | None]] = []
        if prod(map(len, values)) > _MAX_LISTED:
            for number in words.parts(kind):
                domain = kind.domains[number]
                field = f"part.{kind.name}.{number}"
                chosen = given.number_if_any(field)
                chosen = chosen if chosen is not None and chosen < len(values[number]) else None
                parts.append((field, tuple(words.name(domain.name, value) for value in values[number]), chosen))
                if chosen is not None:
                    values[number] = range(chosen, chosen + 1)
        choices = list(_choices(game, words, kind, values)) if prod(map(len, values)) <= _MAX_LISTED else []
        found = [(text, said) for text, said in choices if all(each in said.casefold() for each in wanted)]
        if found or parts:
            yield ChoiceGroup(words.kind(kind), tuple(parts), tuple(found))


def _choices(game: Game, words: GameTexts, kind: Kind, values: list[range]) -> Iterator[tuple[str, str]]:
    """Yield the text form and the words of choices whose parts have these values."""
    for parts in product(*values):
        choice = kind.choice(*parts)
        yield game.text(choice), words.choice(choice)
