"""Being there or not: what people say and note, leaving and coming back, votes."""

from __future__ import annotations

from typing import Final

from starlette.requests import Request
from starlette.responses import Response

from ...domain.sanitize import NOTE_LENGTH
from ..session import tables
from .context import Pages, go
from .forms import form
from .table import after, table_id

_READ: Final = 16_000
"""So much of a message is read, of which only a part may be said: longer ones are refused by their length."""

pages = Pages()


@pages.at("/t/{id}/say", "POST")
async def say(request: Request) -> Response:
    """Write to the others."""
    given = await form(request)
    text = given.text("text", _READ)
    if text.strip():
        await tables(request).chat.say(request.state.user, table_id(request), text, given.key)
    return await after(request, given)


@pages.at("/t/{id}/notes", "POST")
async def note(request: Request) -> Response:
    """Keep private notes."""
    given = await form(request)
    await tables(request).notes.write(request.state.user, table_id(request), given.text("text", 2 * NOTE_LENGTH))
    return await after(request, given)


@pages.at("/t/{id}/leave", "POST")
async def leave(request: Request) -> Response:
    """Give up a seat; in a running game a bot takes it."""
    given = await form(request)
    await tables(request).leaving.leave(request.state.user, table_id(request), given.seat)
    return go(f"/t/{table_id(request)}")


@pages.at("/t/{id}/return", "POST")
async def come_back(request: Request) -> Response:
    """Take a seat back from the bot that stood in."""
    given = await form(request)
    await tables(request).leaving.come_back(request.state.user, table_id(request), given.seat)
    return go(f"/t/{table_id(request)}")


@pages.at("/t/{id}/vote", "POST")
async def vote(request: Request) -> Response:
    """Agree to cancel the game, to pause it, to let a bot take a seat or to take an answer back; or withdraw that."""
    given = await form(request)
    agrees = given.text("answer", 8) == "yes"
    await tables(request).votes.vote(
        request.state.user, table_id(request), given.seat, given.text("subject", 40), agrees
    )
    return await after(request, given)


@pages.at("/t/{id}/nudge", "POST")
async def nudge(request: Request) -> Response:
    """Ask somebody to move."""
    given = await form(request)
    await tables(request).nudging.nudge(request.state.user, table_id(request), given.number("take"))
    return go(f"/t/{table_id(request)}")
