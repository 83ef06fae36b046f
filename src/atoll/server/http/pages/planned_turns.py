"""The page for planning ahead: answers of a seat to future questions, in order.

They are chosen on the table, as in a tryout; `tryouts.py` draws it. While the seat can't plan, the
page shows its plan alone.
"""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import Response

from ...domain.model import Refused
from ...domain.planned_answers import Plan
from ...table import permissions
from ..session import tables
from . import tryouts
from .context import Pages, redirect, render, texts_of_table
from .forms import form, query
from .table import table_id, view_of

pages = Pages()


@pages.route("/t/{id}/plan")
async def plan(request: Request) -> Response:
    """Show a step of the plan that the reader makes, or the plan of the reader's seat."""
    permissions.require_user(request.state.user)
    view = await view_of(request, query(request).number_if_any("seat"))
    if view.seat is None:
        raise Refused("not_yours", 403, "only players can plan ahead")
    if f"plan:{view.seat}" in view.can:
        return await tryouts.tryout(request)
    _, words, _ = texts_of_table(request, view)
    current = view.plan if view.plan is not None and not view.plan.ended else Plan(())
    return render(request, "plan", view=view, plan=current, steps=tryouts.plan_texts(current, words))


@pages.route("/t/{id}/plan", "POST")
async def change(request: Request) -> Response:
    """Replace the plan of the reader's seat by the submitted one, or delete it."""
    permissions.require_user(request.state.user)
    given = await form(request)
    table, seat, wanted = table_id(request), given.seat, Plan(())
    services, user = tables(request), request.state.user
    if given.text("act", 8) != "drop":
        _, answers = await services.tryouts.plan(user, table, seat, tryouts.step_of(given.text("step", 5000)))
        if not answers:
            raise Refused("bad_plan", 422, "the plan has no answer: choose at least one")
        wanted = Plan(answers, repeat="repeat" in given, untouched="untouched" in given)
    await services.planned_turns.plan(user, table, seat, wanted)
    return redirect(f"/t/{table}?seat={seat}" if wanted.steps else f"/t/{table}/plan?seat={seat}")
