"""Everything stored about one user, for export and for deletion."""

from __future__ import annotations

from collections.abc import Sequence, Set
from typing import Any, Final

from sqlalchemy import Connection, bindparam, delete, select, union, update

from . import schema
from .bus import NOTIFY
from .codec import encode, to_row
from .competitions import forget_in_host_logs
from .database import Postgres, Sqlite
from .jobs import set_job
from .moderation import forget_user
from .rows import JobRow, MessageRow, NoticeRow, TokenRow
from .statements import Rows

_OWN: Final = (
    schema.tokens,
    schema.challenges,
    schema.credentials,
    schema.former_names,
    schema.blocks,
    schema.channels,
    schema.notices,
    schema.notes,
    schema.commands,
    schema.entries,
    schema.ratings,
    schema.seekers,
    schema.follows,
)
"""Tables whose rows belong to one user alone."""


class AccountStore:
    """Queries and writes that concern a user account as a whole."""

    def __init__(self, database: Sqlite | Postgres) -> None:
        self._database: Sqlite | Postgres = database
        self._set_job: Rows = Rows(database.writer.dialect, set_job(database.url.get_backend_name()), JobRow)

    async def tokens_of(self, user_id: str) -> list[TokenRow]:
        """Return a user's tokens, oldest first."""
        table = schema.tokens
        query = select(table).where(table.c.user_id == user_id).order_by(table.c.created, table.c.hash)
        return await self._database.read(lambda c: [to_row(TokenRow, row) for row in c.execute(query)])

    async def messages_of(self, user_id: str) -> list[MessageRow]:
        """Return a user's chat messages, oldest first."""
        table = schema.messages
        query = select(table).where(table.c.user_id == user_id).order_by(table.c.at, table.c.game_id, table.c.number)
        return await self._database.read(lambda c: [to_row(MessageRow, row) for row in c.execute(query)])

    async def close(self, user_id: str, job: JobRow, notice: str, hashes: Sequence[str], now: int) -> None:
        """Delete the data that belongs to a user alone, and set the job that does the rest.

        Args:
            user_id: The user whose account is deleted.
            job: Job that removes the user from all tables.
            notice: Payload for other servers (PostgreSQL only), or "" to send none.
            hashes: Hashes of the credentials under which sanctions stay; see `subject_hash`.
            now: The current time in milliseconds.
        """
        users = schema.users
        cleared = (
            update(users)
            .where(users.c.id == user_id)
            .values(
                settings="{}",
                learning="{}",
                calendar="{}",
                profile="{}",
                skeleton=None,
                role="",
                unread=False,
                reachable=False,
            )
        )

        def work(connection: Connection) -> None:
            """Delete the data, set the job and notify the other servers."""
            for table in _OWN:
                connection.execute(delete(table).where(table.c.user_id == user_id))
            forget_user(connection, user_id, hashes, now)
            forget_in_host_logs(connection, user_id)
            connection.execute(delete(schema.follows).where(schema.follows.c.followed_id == user_id))
            connection.execute(cleared)
            self._set_job.write(connection, [job])
            if notice:
                connection.execute(NOTIFY, {"payload": notice})

        await self._database.write(work)

    async def tables_of(self, user_id: str) -> list[str]:
        """Return the sorted ids of the tables that refer to a user.

        A table refers to a user who sits there, has a reserved seat, hosts it, wrote a message, or
        is named in an event of the table.
        """
        seats, games, messages, events = (
            each.c for each in (schema.seats, schema.games, schema.messages, schema.events)
        )
        # A user who left before the start has no seat, but is named in events.
        query = union(
            select(seats.game_id).where(seats.user_id == user_id),
            select(games.id).where(games.host == user_id),
            select(messages.game_id).where(messages.user_id == user_id),
            select(events.game_id).where(events.user_id == user_id),
        )
        return await self._database.read(lambda connection: sorted(connection.scalars(query)))

    async def remove_names(self, game_id: str, names: Set[str]) -> None:
        """Remove these names from the notices about a table."""
        table = schema.notices
        query = select(table).where(table.c.game_id == game_id)
        change = update(table).where(table.c.id == bindparam("old")).values(data=bindparam("new"))

        def work(connection: Connection) -> None:
            """Rewrite the notices that contain one of the names."""
            changed = []
            for row in [to_row(NoticeRow, each) for each in connection.execute(query)]:
                data = _without(row.data, names)
                if data != row.data:
                    changed.append({"old": row.id, "new": encode(data).decode()})
            if changed:
                connection.execute(change, changed)

        await self._database.write(work)

    async def delete_user(self, user_id: str) -> None:
        """Delete a user whom no table refers to any more."""
        users = schema.users
        await self._database.write(lambda connection: connection.execute(delete(users).where(users.c.id == user_id)))


def _without(data: dict[str, Any], names: Set[str]) -> dict[str, Any]:
    """Return the data of a notice with these names replaced by ""."""
    result = dict(data)
    if "name" in result and result["name"] in names:
        result["name"] = ""
    if "names" in result:
        result["names"] = ["" if name in names else name for name in result["names"]]
    if "seats" in result:
        result["seats"] = [["" if name in names and not bot else name, bot] for name, bot in result["seats"]]
    return result
