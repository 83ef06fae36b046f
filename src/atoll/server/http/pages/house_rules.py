"""Pages with which people protect themselves: blocks, reports, own messages, and sanctions."""

from __future__ import annotations

from typing import Any, Final

from starlette.requests import Request
from starlette.responses import Response

from ...domain import wall_clock
from ...domain.model import Refused
from ...domain.standing import REASONS
from ...play.chat import DELETE_MINUTES
from ...play.reports import GivenReport
from ...play.subjects import FoundSubject, Subject
from ...play.table_views import message as message_of
from ...presentation.texts import person, site
from ..session import address, tables
from .context import SANCTIONS, Pages, language_of, redirect, refusal_text, render
from .forms import FormFields, form, query
from .table import table_id

BLOCKS: Final = "/blocks"
REPORT: Final = "/report"
_FIELD_OF_REFUSAL: Final = {"no_subject": "text", "bad_note": "text", "bad_mail": "mail"}
"""Refusal code -> field of the form that shows the reason."""

pages = Pages()


def _subject(given: FormFields) -> Subject | None:
    """Return the person, message or table that a form or address names; None without one."""
    table, name = given.text("table", 32), given.text("name", 100)
    if not table and not name:
        return None
    return Subject(table, given.number_if_any("seat"), given.number_if_any("message"), name)


# -- a person or message ---------------------------------------------------------------------------


@pages.route("/t/{id}/person/{seat}")
async def person_page(request: Request) -> Response:
    """Show what the reader can do about a player: block and report."""
    given = FormFields({"table": table_id(request), "seat": request.path_params["seat"]})
    return await _person_page(request, given)


@pages.route("/t/{id}/message/{message}")
async def message_page(request: Request) -> Response:
    """Show what the reader can do about a message: delete the own one, block and report others."""
    given = FormFields({"table": table_id(request), "message": request.path_params["message"]})
    return await _person_page(request, given)


@pages.route(REPORT)
async def report_page(request: Request) -> Response:
    """Show the form of a report, about an account by its name or about anything."""
    return await _person_page(request, query(request))


async def _person_page(request: Request, given: FormFields, wrong: Refused | None = None) -> Response:
    """Return the page about a person or message, with the form of a report.

    Args:
        request: The request.
        given: Fields that name the subject, and of a submitted report.
        wrong: The reason why the report was refused, or None.
    """
    found, who, subject = tables(request), request.state.user, _subject(given)
    about = FoundSubject(None, "") if subject is None else await found.subjects.find(who, subject)
    mine = who is not None and about.user_id == who.id
    shown = None if about.message is None else message_of(about.message, who)
    young = about.message is not None and wall_clock.now_ms() - about.message.at <= DELETE_MINUTES * 60_000
    texts = site(language_of(request))
    return render(
        request,
        "person",
        status=200 if wrong is None else wrong.status,
        problems={} if wrong is None else {_FIELD_OF_REFUSAL[wrong.code]: refusal_text(request, wrong)},
        typed=given,
        subject=subject,
        about=person(about.name, texts) if about.name or about.message is not None else "",
        guest=about.guest,
        message=shown,
        mine=mine,
        deletable=mine and young and not (shown is None or shown.deleted_by),
        minutes=DELETE_MINUTES,
        blockable=who is not None and about.user_id is not None and not mine,
        blocked=about.user_id is not None and await found.blocks.has_blocked(who, about.user_id),
        reasons=REASONS,
        contactable=who is None and found.reports.contactable,
        sent=bool(given.text("sent", 8)) and wrong is None,
    )


@pages.route(REPORT, "POST")
async def report(request: Request) -> Response:
    """File a report."""
    given = await form(request)
    reported = GivenReport(
        given.text("reason", 20),
        given.text("text", 20_000),
        given.text("mail", 300),
        address(request.scope),
        language_of(request),
    )
    try:
        await tables(request).reports.file(request.state.user, _subject(given), reported)
    except Refused as error:
        if error.code not in _FIELD_OF_REFUSAL:
            raise
        return await _person_page(request, given, error)
    return redirect(f"{REPORT}?sent=yes")


@pages.route("/t/{id}/message/{message}/delete", "POST")
async def delete_message(request: Request) -> Response:
    """Delete an own message."""
    number = FormFields(request.path_params).number("message")
    await tables(request).chat.delete(request.state.user, table_id(request), number)
    return redirect(f"/t/{table_id(request)}")


# -- blocks ----------------------------------------------------------------------------------------


@pages.route(BLOCKS)
async def blocks_page(request: Request) -> Response:
    """Show the people whom the reader has blocked."""
    who = request.state.user
    if who is None:
        return redirect("/sign-in")
    return render(request, "blocks", blocks=await tables(request).blocks.mine(who))


@pages.route(BLOCKS, "POST")
async def block(request: Request) -> Response:
    """Block the person that the form names."""
    given, who = await form(request), request.state.user
    other = await tables(request).subjects.person(who, _subject(given) or Subject())
    await tables(request).blocks.add(who, other)
    return redirect(BLOCKS)


@pages.route(f"{BLOCKS}/{{block}}/lift", "POST")
async def lift(request: Request) -> Response:
    """Lift a block."""
    await tables(request).blocks.lift(request.state.user, request.path_params["block"])
    return redirect(BLOCKS)


# -- sanctions of the reader -----------------------------------------------------------------------


@pages.route(SANCTIONS)
async def sanctions_page(request: Request) -> Response:
    """Show the actions of moderators about the reader, with reasons, and the form to object."""
    return await _sanctions_page(request)


async def _sanctions_page(request: Request, wrong: tuple[str, Refused] | None = None) -> Response:
    """Return the page.

    Args:
        request: The request.
        wrong: Id of the sanction whose objection was refused, and the reason; or None.
    """
    who = request.state.user
    if who is None:
        return redirect("/sign-in")
    values: dict[str, Any] = {"problems": {}}
    if wrong is not None:
        values = {"problems": {wrong[0]: refusal_text(request, wrong[1])}, "status": wrong[1].status}
    return render(request, "sanctions", sanctions=await tables(request).sanctions.mine(who), **values)


@pages.route(f"{SANCTIONS}/read", "POST")
async def read(request: Request) -> Response:
    """Note that the reader has read everything."""
    await tables(request).sanctions.read(request.state.user)
    return redirect(SANCTIONS)


@pages.route(f"{SANCTIONS}/{{sanction}}/object", "POST")
async def object_to(request: Request) -> Response:
    """Object to a sanction."""
    id, text = request.path_params["sanction"], (await form(request)).text("text", 20_000)
    try:
        await tables(request).sanctions.object(request.state.user, id, text)
    except Refused as error:
        if error.code not in ("no_statement", "bad_note"):
            raise
        return await _sanctions_page(request, (id, error))
    return redirect(SANCTIONS)
