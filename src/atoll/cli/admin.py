"""The commands for the operator of a server.

Command functions are private. Their docstrings and options are the help of the command line.
"""

from __future__ import annotations

from typing import Annotated

import typer

from .configuration import fail
from .files import DEFAULT_DATABASE, Database, needs_extra, say

admin = typer.Typer(name="admin", help="Help the users of a server.")


@admin.callback()
def _group() -> None:
    """Help the users of a server."""


@admin.command("link")
def _link(
    name: Annotated[str, typer.Argument(metavar="NAME", help="name of the account")],
    db: Database = DEFAULT_DATABASE,
    public_url: Annotated[
        str, typer.Option("--public-url", envvar="ATOLL_PUBLIC_URL", metavar="URL", help="public address of the server")
    ] = "http://localhost:8765",
) -> None:
    """Print a link into an account whose user has lost all ways in.

    It works once, after seven days. Until then the account's sessions and channels can refuse it.
    """
    import asyncio  # noqa: PLC0415

    with needs_extra("serve"):
        from atoll.server.play.rescues import WAIT_DAYS, create_rescue  # noqa: PLC0415
        from atoll.store import Store  # noqa: PLC0415

    async def create() -> str:
        """Store the link."""
        store = await Store.open(db)
        try:
            return await create_rescue(store, name)
        finally:
            await store.close()

    try:
        token = asyncio.run(create())
    except ValueError as error:
        fail(str(error))
    say(f"{public_url.rstrip('/')}/rescue#{token}")
    say(f"It works once, in {WAIT_DAYS} days, unless a session or channel of the account refuses it.")
