"""Planning ahead: a page on which a person says what its seat will answer, one question after the other."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import Final

from msgspec.structs import replace
from starlette.requests import Request
from starlette.responses import Response

from atoll.engine import Game

from ...model import Refused, TableView
from ...plan import Plan, PlannedAnswer
from ...tables import rights
from ...tables.planning import MOST_STEPS
from ..session import tables
from ..texts import GameTexts
from .context import Pages, at_table, go, render
from .forms import form, query
from .table import table_id, view_of

_LARGEST_KIND: Final = 300
"""Of a kind with more choices, such as the fields of a large board, nobody picks one from a list."""

pages = Pages()


@pages.at("/t/{id}/plan")
async def plan(request: Request) -> Response:
    """What my seat will answer, and a form to say so."""
    rights.signed_in(request.state.user)
    view = await view_of(request, query(request).number_if_any("seat"))
    if view.seat is None:
        raise Refused("not_yours", 403, "only those who play plan ahead")
    game, words, _ = at_table(request, view)
    current = _current(view)
    may = f"plan:{view.seat}" in view.can and not current.repeat and len(current.steps) < MOST_STEPS
    return render(
        request,
        "plan",
        view=view,
        may=may,
        plan=current,
        steps=[(words.question(step.prompt), _said(game, words, step)) for step in current.steps],
        prompts=[(prompt, words.question(prompt)) for prompt in game.prompts] if may else [],
        left_out=any(kind.size > _LARGEST_KIND for kind in game.vocabulary.kinds if not kind.is_chance),
        groups=list(choices_of(game, words)) if may else [],
    )


@pages.at("/t/{id}/plan", "POST")
async def change(request: Request) -> Response:
    """Add an answer to the plan, or give the plan up."""
    rights.signed_in(request.state.user)
    given = await form(request)
    view = await view_of(request, given.seat)
    current = _current(view)
    wanted = Plan(())
    if given.text("act", 8) != "drop":
        step = PlannedAnswer(given.text("prompt", 100), tuple(given.texts("choices", 200)))
        wanted = replace(current, steps=(*current.steps, step))
        if not current.steps:
            wanted = replace(wanted, repeat="repeat" in given, untouched="untouched" in given)
    await tables(request).planning.plan(request.state.user, table_id(request), given.seat, wanted)
    return go(f"/t/{view.id}/plan?seat={given.seat}")


def _current(view: TableView) -> Plan:
    """The plan that holds; one without answers if none does."""
    return view.plan if view.plan is not None and not view.plan.ended else Plan(())


def _said(game: Game, words: GameTexts, step: PlannedAnswer) -> str:
    return ", ".join(words.choice(game.parse(text)).removesuffix(".") for text in step.choices)


def choices_of(game: Game, words: GameTexts) -> Iterator[list[tuple[str, str]]]:
    """The choices of each kind that can be picked from a list: text and words."""
    for kind in game.vocabulary.kinds:
        if kind.is_chance or kind.size > _LARGEST_KIND:
            continue
        # A domain may have more places than the game has cards.
        there = [range(len(game.notation.names(domain.name))) for domain in kind.domains]
        found = [kind.at(*parts) for parts in product(*there)]
        if found:
            yield [(game.text(choice), words.choice(choice)) for choice in found]
