"""Pages of the operator's link into an account; see `play.rescues`."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import Response

from ..session import address, device, tables
from .context import Pages, redirect, render
from .forms import form, token_of_link
from .sign_in import signed_in

pages = Pages()


@pages.route("/rescue")
async def rescue_page(request: Request) -> Response:
    """Show the field for a link; a script posts the token after the #."""
    return render(request, "door", action="/rescue", purpose="rescue", cover=None)


@pages.route("/rescue", "POST")
async def sign_in(request: Request) -> Response:
    """Sign in with a link, and lead to the page where a new credential is added."""
    token = token_of_link(await form(request))
    tables(request).limits.hit("token", address(request.scope))
    return await signed_in(
        request, await tables(request).rescues.sign_in(token, device(request.scope)), "/account#ways"
    )


@pages.route("/rescue/{rescue}/refuse")
async def refusal_page(request: Request) -> Response:
    """Ask whether to refuse a link. A notification leads here."""
    return render(request, "rescue", rescue=request.path_params["rescue"], done=False)


@pages.route("/rescue/{rescue}/refuse", "POST")
async def refuse(request: Request) -> Response:
    """Refuse a link."""
    tables(request).limits.hit("token", address(request.scope))
    await tables(request).rescues.refuse(request.path_params["rescue"])
    return redirect("/account") if request.state.user else render(request, "rescue", rescue="", done=True)
