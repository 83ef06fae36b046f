"""The reader's settings: name, display and playing hours."""

from __future__ import annotations

from collections.abc import Awaitable
from datetime import date
from typing import Final

from starlette.requests import Request
from starlette.responses import Response

from atoll.engine.languages import LANGUAGES

from ...domain import wall_clock
from ...domain.model import HANDS, THEMES, Refused, Settings
from ...domain.playing_hours import zones
from ...play.calendars import LEAST_HOURS
from ...play.table_lists import moment
from ..session import set_cookie, tables
from .context import (
    FRAGMENTS,
    NO_SHORTCUTS,
    PACES,
    PREFERENCES,
    Pages,
    redirect,
    refusal_text,
    render,
    settings_of,
    site_address,
    text_size_of,
)
from .forms import FormFields, form, query

_FIELD_OF_REFUSAL: Final = {
    "bad_name": "name",
    "name_reserved": "name",
    "name_taken": "name",
    "renamed": "name",
    "bad_zone": "zone",
    "bad_hours": "last",
    "bad_date": "begin",
    "bad_vacation": "begin",
    "on_vacation": "begin",
    "no_vacation": "days",
    "no_number": "days",
}
"""Refusal code -> field of the form that shows the reason."""

pages = Pages()


@pages.route("/settings")
async def settings(request: Request) -> Response:
    """Show the reader's settings."""
    return _settings_page(request)


def _settings_page(
    request: Request,
    deadlines: str = "",
    wrong: Refused | None = None,
    given: FormFields | None = None,
) -> Response:
    """Return the page.

    Args:
        request: The request.
        deadlines: Address of the calendar feed to show, or "".
        wrong: The reason why the submitted form was refused, or None.
        given: The submitted form, whose values the page shows again, or None.
    """
    now = wall_clock.now_ms()
    who = request.state.user
    spans = () if who is None else tuple(span for span in who.calendar.vacation if span[1] > now)
    return render(
        request,
        "settings",
        status=200 if wrong is None else wrong.status,
        problems={} if wrong is None else {_FIELD_OF_REFUSAL[wrong.code]: refusal_text(request, wrong)},
        typed=lambda name, usual: given.text(name, 60) if given is not None and name in given else usual,
        saved=query(request).text("saved", 20),
        deadlines=deadlines,
        now=moment(now),
        zones=sorted(name for name in zones() if "/" in name and not name.startswith("Etc/")),
        least_hours=LEAST_HOURS,
        vacation=None if who is None else tables(request).calendars.vacation(who),
        spans=[(moment(begin), moment(end)) for begin, end in spans],
    )


async def _apply_form(request: Request, given: FormFields, work: Awaitable[object], done: str) -> Response:
    """Return the response to a form: a redirect, or the page with the reason of a refusal.

    Args:
        request: The request.
        given: The form.
        work: Applies the form.
        done: Name of the change, for the message of success.

    Raises:
        Refused: If the refusal belongs to no field of the form.
    """
    try:
        await work
    except Refused as error:
        if error.code not in _FIELD_OF_REFUSAL:
            raise
        return _settings_page(request, wrong=error, given=given)
    return redirect(f"/settings?saved={done}#time")


@pages.route("/settings", "POST")
async def change_settings(request: Request) -> Response:
    """Change the submitted settings, and return to the page where the reader was."""
    given = await form(request)
    old = settings_of(request)
    language = given.text("language", 4) if "language" in given else old.language
    theme = given.text("theme", 20) if "theme" in given else old.theme
    hand = given.text("hand", 8) if "hand" in given else old.hand
    pace = given.text("pace", 8) if "pace" in given else old.pace
    whole = "whole" in given
    changed = Settings(
        language=language if language in LANGUAGES else "",
        theme=theme if theme in THEMES else "auto",  # type: ignore[arg-type]
        text_size=text_size_of(given.text("text_size", 4)) if "text_size" in given else old.text_size,
        hand=hand if hand in HANDS else "right",  # type: ignore[arg-type]
        confirm_single=bool(given.text("confirm")) if whole else old.confirm_single,
        shortcuts=bool(given.text("shortcuts")) if whole else old.shortcuts,
        pace=pace if pace in PACES else "normal",  # type: ignore[arg-type]
        presence=bool(given.text("presence")) if whole and request.state.user is not None else old.presence,
        notices=old.notices,
    )
    who = request.state.user
    if who is not None:
        if whole and "name" in given and given.text("name") != who.name:
            try:
                who = await tables(request).users.rename(who, given.text("name"))
            except Refused as error:
                return _settings_page(request, wrong=error, given=given)
        await tables(request).users.set_settings(who, changed)
    response = (
        Response(status_code=204) if FRAGMENTS in request.headers else redirect(given.text("back") or "/settings")
    )
    shortcuts = "" if changed.shortcuts else NO_SHORTCUTS
    chosen = (changed.language, changed.theme, shortcuts, changed.pace, str(changed.text_size), changed.hand)
    set_cookie(response, request, PREFERENCES, ".".join(chosen))
    return response


@pages.route("/settings/calendar", "POST")
async def show_calendar(request: Request) -> Response:
    """Show a secret address of the reader's deadlines as a calendar feed."""
    token = await tables(request).deadlines.token(request.state.user)
    return _settings_page(request, deadlines=f"{site_address(request)}calendar/{token}.ics")


@pages.route("/settings/hours", "POST")
async def set_hours(request: Request) -> Response:
    """Set the reader's playing hours and time zone."""
    given = await form(request)
    zone = given.text("zone", 60).strip()
    work = tables(request).calendars.set_hours(request.state.user, zone, given.number("first"), given.number("last"))
    return await _apply_form(request, given, work, "hours")


@pages.route("/settings/vacation", "POST")
async def take_vacation(request: Request) -> Response:
    """Start or plan a vacation."""
    given = await form(request)
    return await _apply_form(request, given, _start_vacation(request, given), "vacation")


async def _start_vacation(request: Request, given: FormFields) -> None:
    """Start or plan the vacation in the form.

    Args:
        request: The request.
        given: Submitted values.

    Raises:
        Refused: If the date is malformed or the vacation isn't possible.
    """
    text = given.text("begin", 10)
    try:
        begin = date.fromisoformat(text) if text else None
    except ValueError:
        raise Refused("bad_date", 422, f"invalid date {text!r}: expected a date such as 2026-07-31") from None
    await tables(request).calendars.take(request.state.user, given.number("days"), begin)


@pages.route("/settings/vacation/end", "POST")
async def end_vacation(request: Request) -> Response:
    """End the reader's vacation."""
    await tables(request).calendars.end(request.state.user)
    return redirect("/settings#time")
