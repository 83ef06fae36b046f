"""Pages for exporting and deleting the reader's account."""

from __future__ import annotations

from typing import Final

from starlette.requests import Request
from starlette.responses import Response

from ...domain.model import Refused
from ..download import download
from ..session import sign_out, tables
from .context import Pages, redirect, refusal_text, render
from .forms import FormFields, form

_HERE: Final = "/settings/delete"

pages = Pages()


@pages.route("/settings/kept.json")
async def export_account(request: Request) -> Response:
    """Return all stored data about the reader as a file."""
    return await download(tables(request), request.state.user)


@pages.route(_HERE)
async def confirm_deletion(request: Request) -> Response:
    """Show the form that deletes the account, and the consequences."""
    return await _confirmation_page(request)


async def _confirmation_page(
    request: Request, wrong: Refused | None = None, given: FormFields | None = None
) -> Response:
    """Return the page that asks for confirmation.

    Args:
        request: The request.
        wrong: The reason why the account wasn't deleted, or None.
        given: The submitted form, or None.
    """
    who = request.state.user
    if who is None:
        return redirect("/settings")
    return render(
        request,
        "delete",
        status=200 if wrong is None else wrong.status,
        problems={} if wrong is None else {"name": refusal_text(request, wrong)},
        typed="" if given is None else given.text("name", 60),
        open_tables=len(await tables(request).table_lists.mine(who)),
    )


@pages.route(_HERE, "POST")
async def delete(request: Request) -> Response:
    """Delete the account if the reader has confirmed it by its name."""
    given = await form(request)
    try:
        await tables(request).accounts.delete(request.state.user, given.text("name", 200))
    except Refused as error:
        if error.code != "not_confirmed":
            raise
        return await _confirmation_page(request, error, given)
    response = redirect("/deleted")
    sign_out(response, request)
    return response


@pages.route("/deleted")
async def deleted(request: Request) -> Response:
    """Show the page after the deletion of an account."""
    return render(request, "deleted") if request.state.user is None else redirect("/settings")
