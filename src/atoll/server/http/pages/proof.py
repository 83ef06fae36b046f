"""Pages that verify games.

They judge the chance of a table, give scripts its record, and replay games by the rules.
"""

from __future__ import annotations

from typing import Final

import msgspec
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from ...domain.model import Refused
from ...presentation.texts import GameTexts, Texts, game_texts, options_line, site
from ...presentation.verification_report import missing_text
from ...table.chance_verdict import Facts, Verdict
from ...table.game_verification import LONGEST
from ..session import address, tables
from .context import Pages, language_of, render, texts_of_table
from .forms import form, query
from .table import safe_json, table_id, view_of

pages = Pages()

PLACEHOLDERS: Final = ("all", "detail", "lines", "n", "number")
"""Placeholders that scripts fill in."""

VERDICT_KEYS: Final = (
    *("proven", "open", "wrong", "form.wrong", "seed.wrong", "seed.season", "seals.wrong", "rules.page"),
    *("draws.wrong", "start.open", "terms.nothing", "terms.open", "terms.wrong", "share.wrong", "share.twice"),
    *("share.shared", "record.open", "record.wrong", "starts.one", "starts.more", "draw_fits", "draw_differs"),
    *("unfinished_one", "unfinished_more"),
)
"""Keys of the messages that the page's script can show."""


@pages.route("/t/{id}/fairness")
async def fairness(request: Request) -> Response:
    """Show the page whose script judges whether chance was fixed before the game."""
    view = await view_of(request)
    proof, answers = await tables(request).history.proof(request.state.user, view.id)
    _, words, site = texts_of_table(request, view)
    data = {
        "table": view.chance_table,
        "address": f"/t/{view.id}",
        "fairness": proof,
        "answers": answers,
        "texts": {
            key: site.text(f"verdict.{key}", **{name: f"{{{name}}}" for name in PLACEHOLDERS}) for key in VERDICT_KEYS
        },
    }
    return render(request, "fairness", view=view, proof=proof, words=words, data=safe_json(data))


@pages.route("/t/{id}/record")
async def record(request: Request) -> Response:
    """Return the answers that the reader has learned, for scripts that store their head."""
    first = query(request).number_if_any("first") or 0
    found = await tables(request).history.record(request.state.user, table_id(request), first)
    return JSONResponse(msgspec.to_builtins(found))


@pages.route("/t/{id}/verify", "POST")
async def verify_table(request: Request) -> Response:
    """Judge a finished table by a replay, with the file that the reader's browser sends."""
    given = await form(request)
    table = table_id(request)
    kept = given.text("kept", LONGEST + 1)
    found = await tables(request).verification.table(request.state.user, address(request.scope), table, kept)
    return _verdict_page(request, found, f"/t/{table}/fairness", own=True)


@pages.route("/verify")
async def verify(request: Request) -> Response:
    """Show the form that verifies a saved game of any server."""
    return render(request, "verify", problem="")


@pages.route("/verify", "POST")
async def verify_file(request: Request) -> Response:
    """Judge a saved game by replaying it, and compare it with files that browsers have saved."""
    given = await form(request)
    text, kept = given.text("game", LONGEST + 1), given.text("kept", LONGEST + 1)
    try:
        found = await tables(request).verification.file(address(request.scope), text, kept)
    except Refused as error:
        if error.code not in ("no_game", "long_game"):
            raise
        problem = site(language_of(request)).text(f"refused.{error.code}", **error.fields)
        return render(request, "verify", status=error.status, problem=problem)
    return _verdict_page(request, found, "/verify")


def _verdict_page(request: Request, found: Verdict, back: str, *, own: bool = False) -> Response:
    """Return the page with a verdict.

    Args:
        request: The request.
        found: The verdict.
        back: Address that the page links to.
        own: Whether this server has judged a game of its own.
    """
    texts = site(language_of(request))
    sentences = [missing_text(texts, each) for each in found.missing]
    facts = None if found.facts is None else _facts(request, texts, found.facts)
    return render(request, "verified", verdict=found.value, sentences=sentences, facts=facts, back=back, own=own)


def _facts(request: Request, texts: Texts, facts: Facts) -> list[tuple[str, str]]:
    """Return the labels and values of the facts that the terms fix."""
    words: GameTexts | None = None
    if facts.game in tuple(tables(request).catalogue.by_id):
        words = game_texts(tables(request).catalogue.by_id[facts.game], language_of(request))
    options = "" if words is None else options_line(words, facts.options)
    given = facts.names if len(facts.names) == len(facts.seats) else facts.seats  # a malformed file names others
    names = [name or each for name, each in zip(given, facts.seats, strict=True)]
    return [
        (texts.text("fair.game"), facts.game if words is None else words.title()),
        (texts.text("gather.options"), options),
        (texts.text("fair.seats"), ", ".join(names)),
        (texts.text("fair.round"), str(facts.round)),
    ]
