"""Actions at a table apart from moves: chat, notes, leaving, returning, votes and nudges."""

from __future__ import annotations

from typing import Final

from starlette.requests import Request
from starlette.responses import Response

from ...domain.sanitize import NOTE_LENGTH
from ..session import tables
from .context import Pages, redirect
from .forms import form
from .table import after, table_id

_MAX_READ: Final = 16_000
"""Largest number of characters read of a message; the chat refuses messages far below it."""

pages = Pages()


@pages.route("/t/{id}/say", "POST")
async def say(request: Request) -> Response:
    """Post a chat message or a reaction."""
    given = await form(request)
    text, reaction = given.text("text", _MAX_READ), given.text("reaction", 20)
    if text.strip() or reaction:
        await tables(request).chat.say(request.state.user, table_id(request), text, given.key, reaction)
    return await after(request, given)


@pages.route("/t/{id}/notices", "POST")
async def choose_notices(request: Request) -> Response:
    """Choose what the reader hears of a table."""
    wish = (await form(request)).text("notices", 10)
    await tables(request).table_notices.choose(request.state.user, table_id(request), wish)
    return redirect(f"/t/{table_id(request)}")


@pages.route("/t/{id}/notes", "POST")
async def note(request: Request) -> Response:
    """Save private notes."""
    given = await form(request)
    await tables(request).notes.write(request.state.user, table_id(request), given.text("text", 2 * NOTE_LENGTH))
    return await after(request, given)


@pages.route("/t/{id}/leave", "POST")
async def leave(request: Request) -> Response:
    """Leave a seat; in a running game a bot replaces the player."""
    given = await form(request)
    await tables(request).departures.leave(request.state.user, table_id(request), given.seat)
    return redirect(f"/t/{table_id(request)}")


@pages.route("/t/{id}/return", "POST")
async def come_back(request: Request) -> Response:
    """Take a seat back from the bot that replaced the player."""
    given = await form(request)
    await tables(request).departures.come_back(request.state.user, table_id(request), given.seat)
    return redirect(f"/t/{table_id(request)}")


@pages.route("/t/{id}/vote", "POST")
async def vote(request: Request) -> Response:
    """Agree to a vote, start it, or withdraw the agreement."""
    given = await form(request)
    agrees = given.text("answer", 8) == "yes"
    await tables(request).votes.vote(
        request.state.user, table_id(request), given.seat, given.text("subject", 40), agrees
    )
    return await after(request, given)


@pages.route("/t/{id}/nudge", "POST")
async def nudge(request: Request) -> Response:
    """Remind another player to move."""
    given = await form(request)
    await tables(request).nudges.nudge(request.state.user, table_id(request), given.number("take"))
    return redirect(f"/t/{table_id(request)}")
