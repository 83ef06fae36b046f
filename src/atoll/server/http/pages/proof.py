"""Pages that verify games.

They check the chance of a table, publish its public record, and replay games by the rules.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import msgspec
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from ...domain.model import Refused
from ...presentation.texts import site
from ...table.game_verification import LONGEST, Finding, overall_state
from ..session import address, tables
from .context import Pages, language_of, render, texts_of_table
from .forms import form, query
from .table import safe_json, table_id, view_of

pages = Pages()

PLACEHOLDERS: Final = ("all", "due", "found", "kind", "known", "lines", "names", "number", "rest", "times")
"""Placeholders that scripts fill in."""

MESSAGE_KEYS: Final = (
    *("verdict_right", "verdict_wrong", "verdict_open", "draw_right", "draw_wrong"),
    *("kept_commitment_right", "kept_commitment_wrong", "kept_commitment_open"),
    *("kept_share_right", "kept_share_wrong", "kept_share_left_out", "kept_share_unshown", "kept_share_open"),
    *("kept_commitments_right", "kept_commitments_wrong", "kept_commitments_open", "kept_rounds_open"),
    *("kept_record_right", "kept_record_wrong", "kept_record_mended", "kept_record_open"),
    *("seed_right", "seed_wrong", "draws_right", "draws_wrong", "record_wrong", "order_right", "order_wrong"),
    *("shares_right", "shares_wrong", "shares_loose", "shares_none", "shares_withheld"),
    *("follow_right", "follow_open"),
)
"""Keys of the messages that the page's script can show."""


@pages.route("/t/{id}/fairness")
async def fairness(request: Request) -> Response:
    """Show the page whose script verifies that chance was fixed before the game."""
    view = await view_of(request)
    proof, answers = await tables(request).history.proof(request.state.user, view.id)
    _, words, site = texts_of_table(request, view)
    over = proof.seed is not None
    data = {
        "table": view.id,
        "commitment": proof.commitment,
        "commitments": proof.commitments,
        "contributions": proof.contributions or (),
        "seed": proof.seed or "",
        "draws": msgspec.to_builtins(proof.draws or ()),
        "answers": [(each.seat, each.choice, each.public) for each in answers],
        "names": [words.seat(seat) for seat in range(len(view.seats))],
        "mine": view.my_seats,
        "mended": any(entry.origin == "table" and entry.key == "restarted" for entry in view.log),
        "texts": {
            key: site.text(f"proof.{key}", **{name: f"{{{name}}}" for name in PLACEHOLDERS}) for key in MESSAGE_KEYS
        },
    }
    return render(request, "fairness", view=view, proof=proof, over=over, words=words, data=safe_json(data))


@pages.route("/t/{id}/record")
async def record(request: Request) -> Response:
    """Return the public answers of the game, for scripts that store their digest."""
    first = query(request).number_if_any("first") or 0
    found = await tables(request).history.record(request.state.user, table_id(request), first)
    return JSONResponse(msgspec.to_builtins(found))


@pages.route("/t/{id}/verify", "POST")
async def verify_table(request: Request) -> Response:
    """Verify a finished table by replaying its game."""
    await form(request)
    table = table_id(request)
    found = await tables(request).verification.table(request.state.user, address(request.scope), table)
    return _findings_page(request, found, f"/t/{table}/fairness")


@pages.route("/verify")
async def verify(request: Request) -> Response:
    """Show the form that verifies a saved game of any server."""
    return render(request, "verify", problem="")


@pages.route("/verify", "POST")
async def verify_file(request: Request) -> Response:
    """Verify a saved game by replaying it, and compare it with a browser's record."""
    given = await form(request)
    text, kept = given.text("game", LONGEST + 1), given.text("kept", LONGEST + 1)
    try:
        found = await tables(request).verification.file(address(request.scope), text, kept)
    except Refused as error:
        if error.code not in ("no_game", "long_game"):
            raise
        problem = site(language_of(request)).text(f"refused.{error.code}", **error.fields)
        return render(request, "verify", status=error.status, problem=problem)
    return _findings_page(request, found, "/verify")


def _findings_page(request: Request, findings: Sequence[Finding], back: str) -> Response:
    """Return the page with the findings; `back` is the address that it links to."""
    return render(request, "verified", findings=findings, verdict=overall_state(findings), back=back)
