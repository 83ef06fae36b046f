"""Pages of moderators; see `play.moderation`."""

from __future__ import annotations

from typing import Any, Final

from starlette.requests import Request
from starlette.responses import Response

from ...domain.standing import ACTIONS, REASONS
from ...play.sanctions import LONGEST_DAYS, Decision
from ...presentation.flags import flag_text
from ..session import tables
from .cards import cards_of
from .context import Pages, covers, language_of, redirect, render
from .forms import form, query

_HERE: Final = "/moderation"
_DAYS: Final = (1, 3, 7, 30, 90, LONGEST_DAYS)

pages = Pages()


@pages.route(_HERE)
async def queue(request: Request) -> Response:
    """Show open reports and objections, and the search for people."""
    asked, found, who = query(request), tables(request).moderation, request.state.user
    name = asked.text("name", 100)
    people = await found.find(who, name) if name.strip() else ()
    return render(request, "moderation", queue=await found.queue(who), people=people, name=name)


@pages.route(f"{_HERE}/log")
async def log(request: Request) -> Response:
    """Show the audit log."""
    return render(request, "moderation_log", acts=await tables(request).moderation.log(request.state.user))


@pages.route(f"{_HERE}/reports/{{report}}")
async def report(request: Request) -> Response:
    """Show a report with its context, and the form for an action."""
    case = await tables(request).moderation.case(request.state.user, request.path_params["report"])
    titles, language = {each.game.id: each.title for each in covers(request)}, language_of(request)
    signs = {each.id: flag_text(each.context, titles, language) for each in case.reports if "flag" in each.context}
    return render(request, "moderation_report", case=case, signs=signs, actions=ACTIONS, **_choices())


def _choices() -> dict[str, Any]:
    """Return the values of the form for an action."""
    return {"reasons": REASONS, "days": _DAYS}


@pages.route(f"{_HERE}/reports/{{report}}", "POST")
async def decide(request: Request) -> Response:
    """Take a report, or close it."""
    given, id = await form(request), request.path_params["report"]
    what = given.text("what", 10)
    if what == "take":
        await tables(request).moderation.take(request.state.user, id)
        return redirect(f"{_HERE}/reports/{id}")
    await tables(request).moderation.close(request.state.user, id, what)
    return redirect(_HERE)


@pages.route(f"{_HERE}/people/{{member}}")
async def person(request: Request) -> Response:
    """Show everything that moderators know of a person, and the form for an action."""
    file = await tables(request).moderation.person(request.state.user, request.path_params["member"])
    actions = [each for each in ACTIONS if each not in ("hide", "close")]
    cards = cards_of(request, file.tables)
    return render(request, "moderation_person", file=file, cards=cards, actions=actions, **_choices())


@pages.route(f"{_HERE}/people/{{member}}", "POST")
async def act(request: Request) -> Response:
    """Impose a sanction on a person."""
    given, id = await form(request), request.path_params["member"]
    decision = Decision(
        given.text("kind", 10),
        given.text("reason", 20),
        given.text("text", 20_000),
        given.number_if_any("days") or 0,
        given.text("new_name", 200),
        given.text("table", 32),
        given.number_if_any("message"),
        given.text("report", 32) or None,
    )
    await tables(request).moderation.act(request.state.user, id, decision)
    return redirect(_HERE if decision.report_id else f"{_HERE}/people/{id}")


@pages.route(f"{_HERE}/sanctions/{{sanction}}", "POST")
async def answer(request: Request) -> Response:
    """Decide an objection, or lift a sanction."""
    given = await form(request)
    lifts = given.text("what", 8) == "lift"
    await tables(request).moderation.answer(request.state.user, request.path_params["sanction"], lifts=lifts)
    return redirect(given.text("back", 100) or _HERE)
