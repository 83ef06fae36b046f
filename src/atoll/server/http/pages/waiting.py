"""Tables that wait for the reader: the next one, and deadlines as a calendar feed."""

from __future__ import annotations

from datetime import timedelta

from icalendar import Alarm, Calendar, Event
from starlette.requests import Request
from starlette.responses import Response

from ...presentation.texts import site
from ..session import address, tables
from .context import Pages, game_of, language_of, redirect
from .forms import query

pages = Pages()


@pages.route("/next")
async def next_table(request: Request) -> Response:
    """Redirect to the next table that waits for the reader by time left, or to all tables.

    The parameter `after` is the table that the reader comes from.

    Args:
        request: The request.

    Returns:
        The redirect.
    """
    after = query(request).text("after", 32)
    found = await tables(request).table_lists.next(request.state.user, after)
    return redirect(f"/t/{found}" if found else "/mine")


@pages.route("/calendar/{token}.ics")
async def calendar(request: Request) -> Response:
    """Return the deadlines of the user who created this secret address, as an iCalendar feed."""
    tables(request).limits.hit("token", address(request.scope))
    user, cards = await tables(request).deadlines.of(request.path_params["token"])
    language = user.settings.language or language_of(request)
    words = site(language)
    feed = Calendar()
    feed.add("prodid", "-//Atoll//Deadlines//EN")
    feed.add("version", "2.0")
    feed.add("x-wr-calname", "Atoll")
    for card in cards:
        entry = Event()
        title = game_of(request, card.game).title(language)
        entry.add("uid", f"{card.id}.{user.id}@atoll")
        entry.add("dtstamp", card.changed)
        entry.add("dtstart", card.due)
        entry.add("dtend", card.due)
        entry.add("summary", words.text("calendar.deadline", game=title))
        entry.add("url", f"{tables(request).notification_settings.channels.base}t/{card.id}")
        alarm = Alarm()
        alarm.add("action", "DISPLAY")
        alarm.add("description", words.text("calendar.deadline", game=title))
        alarm.add("trigger", timedelta(hours=-3))
        entry.add_component(alarm)
        feed.add_component(entry)
    return Response(feed.to_ical(), media_type="text/calendar; charset=utf-8")
