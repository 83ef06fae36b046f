"""The open turn: choices, undo, previews, explanations, advice and the coach."""

from __future__ import annotations

from typing import Any, Final

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from atoll.picture.patterns import choice_for_pattern

from ...domain.model import Refused, TableView
from ...play.turns import MOST_CHOICES
from ...presentation import pictures, texts
from ...presentation.question import fallback_reason, question_of
from ...table import permissions
from ..session import tables
from .context import FRAGMENTS, Handler, Pages, redirect, render_html, texts_of_table, zone_of
from .forms import form, parse_number, query
from .table import after, answer, standing, table_id, view_of

CHANGED: Final = 409

pages = Pages()


@pages.route("/t/{id}/choose", "POST")
async def choose(request: Request) -> Response:
    """Make choices in the open turn."""
    given = await form(request)
    parts = filter(None, (part.strip() for part in given.text("choices").split(",")))
    choices = [_choice(part) for part in parts]
    confirm = True if given.text("confirm") else None
    turn = tables(request).turns
    await turn.choose(request.state.user, table_id(request), given.seat, choices, given.stamp, given.key, confirm)
    return await after(request, given)


@pages.route("/t/{id}/undo", "POST")
async def undo(request: Request) -> Response:
    """Undo the last choice, or remove a picked member of a set."""
    given = await form(request)
    named = given.text("choice").strip()
    choice = _choice(named) if named else None
    turn = tables(request).turns
    await turn.undo(request.state.user, table_id(request), given.seat, given.stamp, given.key, choice)
    return await after(request, given)


def _choice(text: str) -> int | str:
    """Return a choice by its number or its text; a text begins with the choice's kind.

    Args:
        text: Number or text of the choice.

    Raises:
        Refused: If the number is malformed.
    """
    return parse_number(text) if text[0].isdigit() else text


def _command(name: str) -> Handler:
    """Return a handler that calls a method of `Turns` without further arguments."""

    async def command(request: Request) -> Response:
        """Apply the command, and return the changed page."""
        given = await form(request)
        act = getattr(tables(request).turns, name)
        await act(request.state.user, table_id(request), given.seat, given.stamp, given.key)
        return await after(request, given)

    return command


for _name in ("restart", "confirm"):
    pages.route(f"/t/{{id}}/{_name}", "POST")(_command(_name))


@pages.route("/t/{id}/advice", "POST")
async def advice(request: Request) -> Response:
    """Ask a strong bot for advice on the open turn."""
    given = await form(request)
    await tables(request).bot_analysis.advise(request.state.user, table_id(request), given.seat, given.stamp)
    # Shown immediately, because only the server that asked the bot has its advice.
    return await answer(request, given.seat, asked_for=True)


@pages.route("/t/{id}/dismiss", "POST")
async def dismiss(request: Request) -> Response:
    """Dismiss the advice and the blunder warning on the open turn."""
    given = await form(request)
    await tables(request).bot_analysis.dismiss(request.state.user, table_id(request), given.seat)
    return await answer(request, given.seat, asked_for=True)


@pages.route("/t/{id}/check", "POST")
async def check(request: Request) -> Response:
    """Let the coach check the open turn before it is confirmed."""
    given = await form(request)
    try:
        await tables(request).coach.check(request.state.user, table_id(request), given.seat, given.stamp)
    except Refused as refusal:
        # Scripts send this request automatically, so an outdated turn isn't an error.
        if FRAGMENTS not in request.headers or refusal.status != CHANGED:
            raise
    return await answer(request, given.seat, asked_for=True)


@pages.route("/t/{id}/coach", "POST")
async def coach(request: Request) -> Response:
    """Set the coach in the game of this table: with warnings, without, or none."""
    given = await form(request)
    permissions.require_user(request.state.user)
    view = await view_of(request, given.number_if_any("seat"))
    wanted: Any = given.text("wanted", 8)
    await tables(request).coach.set(request.state.user, view.game, wanted)
    return redirect(f"/t/{view.id}" + ("" if view.seat is None else f"?seat={view.seat}"))


@pages.route("/t/{id}/preview")
async def preview(request: Request) -> Response:
    """Return the picture after some choices, with the next question.

    If the choices can't be made, the reason is returned instead. Nothing is stored.

    Args:
        request: The request.

    Returns:
        JSON with `html`, `question` and `why`.

    Raises:
        Refused: If the reader has no seat.
    """
    asked = query(request)
    view = await view_of(request, asked.number_if_any("seat"))
    if view.seat is None:
        raise Refused("not_asked", 409, "spectators can't make choices")
    choices = [parse_number(text) for text in asked.text("choices").split(",") if text]
    seen = await tables(request).previews.preview(request.state.user, view.id, view.seat, choices)
    game, words, site = texts_of_table(request, view)
    if seen is None:
        why = ""
        if view.turn is not None and len(choices) <= MOST_CHOICES:
            reason = await tables(request).previews.why_not(request.state.user, view.id, view.seat, *choices)
            why = "" if reason is None else texts.why_not(reason, words, site)
        return JSONResponse({"html": None, "question": None, "why": why})
    question = question_of(game, seen, words)
    shown = pictures.table_regions(game, seen, view, words, site, zone=zone_of(request))
    picture = render_html(request, "regions", at=view.view_sequence, **vars(shown))
    asked_then = question.to_json() if question is not None else None
    return JSONResponse({"html": picture, "question": asked_then, "why": ""})


@pages.route("/t/{id}/why")
async def why_not(request: Request) -> Response:
    """Return the reason why the action of an element isn't possible now."""
    asked = query(request)
    view = await view_of(request, asked.number_if_any("seat"))
    game, words, site = texts_of_table(request, view)
    if view.seat is None or view.turn is None or view.turn.sealed_in:
        return JSONResponse({"text": _waits_for(view, words, site), "rule": ""})
    for pattern in asked.text("choice", 1000).split(";"):
        choice = choice_for_pattern(game, pattern, view.turn.legal)
        if choice is None:
            continue
        reason = await tables(request).previews.why_not(request.state.user, view.id, view.seat, choice)
        if reason is not None:
            return JSONResponse({"text": texts.why_not(reason, words, site), "rule": reason.rule})
    return JSONResponse({"text": fallback_reason(view.view, words, site), "rule": ""})


def _waits_for(view: TableView, words: texts.GameTexts, site: texts.Texts) -> str:
    """Return the reason why a spectator, or a seat that isn't asked, can't choose anything."""
    if view.seat is None:
        return site.text("why.spectator")
    if view.status != "running":
        return standing(view, site)
    if view.turn is not None:
        return site.text("bar.sealed_in")
    if view.seats[view.seat].stand_in:
        return site.text("leave.away")
    waiting = [words.seat(info.seat) for info in view.seats if info.to_move]
    return site.text("why.not_your_turn", names=", ".join(waiting)) if waiting else site.text("bar.wait")
