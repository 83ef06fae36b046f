"""The commands for the operator of a server.

Command functions are private. Their docstrings and options are the help of the command line.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Annotated, TypeVar

import typer

from .configuration import fail
from .files import DEFAULT_DATABASE, Database, needs_extra, say

if TYPE_CHECKING:
    from atoll.store import Store

T = TypeVar("T")

admin = typer.Typer(name="admin", help="Help the users of a server, and apply its house rules.")

Account = Annotated[str, typer.Argument(metavar="NAME", help="name of the account")]
User = Annotated[str, typer.Argument(metavar="NAME", help="name of the account, or id of any user")]
Reason = Annotated[
    str, typer.Option("--reason", metavar="REASON", help="spam, insult, illegal, cheating, leaving or name")
]
Statement = Annotated[str, typer.Option("--text", metavar="TEXT", help="statement that the person reads")]


@admin.callback()
def _group() -> None:
    """Help the users of a server, and apply its house rules."""


def _run(db: str, work: Callable[[Store], Awaitable[T]]) -> T:
    """Return the result of work on the database; known errors end the command with one line."""
    import asyncio  # noqa: PLC0415

    from atoll.server.domain.model import Refused  # noqa: PLC0415
    from atoll.store import Store  # noqa: PLC0415

    async def opened() -> T:
        """Do the work on the open database."""
        store = await Store.open(db)
        try:
            return await work(store)
        finally:
            await store.close()

    try:
        return asyncio.run(opened())
    except (ValueError, Refused) as error:
        fail(str(error))


@admin.command("link")
def _link(
    name: Account,
    db: Database = DEFAULT_DATABASE,
    public_url: Annotated[
        str, typer.Option("--public-url", envvar="ATOLL_PUBLIC_URL", metavar="URL", help="public address of the server")
    ] = "http://localhost:8765",
) -> None:
    """Print a link into an account whose user has lost all ways in.

    It works once, after seven days. Until then the account's sessions and channels can refuse it.
    """
    with needs_extra("serve"):
        from atoll.server.play.rescues import WAIT_DAYS, create_rescue  # noqa: PLC0415

    token = _run(db, lambda store: create_rescue(store, name))
    say(f"{public_url.rstrip('/')}/rescue#{token}")
    say(f"It works once, in {WAIT_DAYS} days, unless a session or channel of the account refuses it.")


# -- roles -----------------------------------------------------------------------------------------


@admin.command("grant")
def _grant(
    name: Account,
    role: Annotated[str, typer.Argument(metavar="ROLE", help="moderator or operator")],
    db: Database = DEFAULT_DATABASE,
) -> None:
    """Give a role to an account."""
    from atoll.server.play.sanctions import grant  # noqa: PLC0415

    _run(db, lambda store: grant(store, name, role))
    say(f"{name} is {role} now.")


@admin.command("revoke")
def _revoke(name: Account, db: Database = DEFAULT_DATABASE) -> None:
    """Take the role of an account away."""
    from atoll.server.play.sanctions import grant  # noqa: PLC0415

    _run(db, lambda store: grant(store, name, ""))
    say(f"{name} has no role any more.")


@admin.command("list")
def _list(db: Database = DEFAULT_DATABASE) -> None:
    """List the accounts with a role."""
    staff = _run(db, lambda store: store.moderation.staff())
    for user in sorted(staff, key=lambda user: (user.role, user.name)):
        say(f"{user.role:10} {user.name}")
    if not staff:
        say("No account has a role: atoll admin grant NAME moderator")


# -- house rules -----------------------------------------------------------------------------------


@admin.command("ban")
def _ban(
    name: User,
    reason: Reason,
    text: Statement,
    days: Annotated[int, typer.Option("--days", min=0, max=365, help="duration; 0: without an end")] = 0,
    db: Database = DEFAULT_DATABASE,
) -> None:
    """Ban a user. Bots play on at the user's tables."""
    from atoll.server.play.sanctions import Actor, Decision, find_user, impose  # noqa: PLC0415

    async def ban(store: Store) -> str:
        """Ban the user."""
        user = await find_user(store, name)
        await impose(store, Actor(), user, Decision("ban", reason, text, days))
        return user.name

    banned = _run(db, ban)
    say(f"{banned} is banned " + (f"for {days} days." if days else "without an end."))


@admin.command("unban")
def _unban(name: User, db: Database = DEFAULT_DATABASE) -> None:
    """Lift the bans of a user."""
    from atoll.server.play.sanctions import unban  # noqa: PLC0415

    count = _run(db, lambda store: unban(store, name))
    say(f"bans of {name} that were lifted: {count}")


@admin.command("rename")
def _rename(
    name: User,
    new_name: Annotated[str, typer.Argument(metavar="NEW_NAME", help="the new name")],
    text: Statement,
    reason: Reason = "name",
    db: Database = DEFAULT_DATABASE,
) -> None:
    """Give a user another name, also at all tables."""
    from atoll.server.play.sanctions import Actor, Decision, find_user, impose  # noqa: PLC0415

    async def rename(store: Store) -> None:
        """Rename the user."""
        await impose(store, Actor(), await find_user(store, name), Decision("rename", reason, text, name=new_name))

    _run(db, rename)
    say(f"{name} is {new_name} now.")


@admin.command("close")
def _close(
    table: Annotated[str, typer.Argument(metavar="TABLE", help="id of the table, the end of its address")],
    reason: Reason,
    text: Statement,
    db: Database = DEFAULT_DATABASE,
) -> None:
    """End a table without a result. Its host is notified."""
    from atoll.server.play.sanctions import close_table  # noqa: PLC0415

    _run(db, lambda store: close_table(store, table, reason, text))
    say(f"The server closes table {table} in a few seconds.")


@admin.command("announce")
def _announce(
    text: Annotated[str, typer.Argument(metavar="TEXT", help="the announcement, Markdown; empty to end it")],
    language: Annotated[str, typer.Option("--language", metavar="CODE", help="en or de")] = "en",
    site: Annotated[
        str, typer.Option("--site", envvar="ATOLL_SITE", metavar="DIR", help="folder with the operator's texts")
    ] = "",
    db: Database = DEFAULT_DATABASE,
) -> None:
    """Show an announcement at the top of all pages outside of tables, or end it."""
    with needs_extra("serve"):
        from atoll.server.presentation.operator_texts import OperatorTextError, announce  # noqa: PLC0415
    from atoll.engine.languages import LANGUAGES  # noqa: PLC0415
    from atoll.server.play.sanctions import audit_row  # noqa: PLC0415
    from atoll.store import ModerationWrites  # noqa: PLC0415

    if language not in LANGUAGES:
        fail(f"unknown language {language!r}: expected one of {', '.join(LANGUAGES)}")

    async def write(store: Store) -> bool:
        """Write the text, and note it in the audit log."""
        changed = announce(site, language, text.strip())
        if changed:
            audit = audit_row(None, "announce", "", language=language, text=text.strip())
            await store.moderation.write(ModerationWrites(audit=[audit]))
        return changed

    try:
        changed = _run(db, write)
    except OperatorTextError as error:
        fail(str(error))
    if not changed:
        say(f"There was no announcement ({language}).")
    else:
        say(f"Pages show the announcement ({language})." if text.strip() else f"The announcement ({language}) ended.")


@admin.command("end-sessions")
def _end_sessions(name: User, db: Database = DEFAULT_DATABASE) -> None:
    """End all sessions and API tokens of a user.

    A guest has no other way in, and loses the seats.
    """
    from atoll.server.play.sanctions import end_all_sessions  # noqa: PLC0415

    count = _run(db, lambda store: end_all_sessions(store, name))
    say(f"sessions and tokens of {name} that ended: {count}")
