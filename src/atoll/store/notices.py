"""Channels and notices: the outbox of notifications, stored until they are delivered."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sqlalchemy import Connection, delete, func, insert, select, update
from sqlalchemy.dialects import postgresql, sqlite

from . import schema
from .codec import encode, to_row, values
from .database import Postgres, Sqlite
from .rows import ChannelRow, NoticeRow


def add_if_new(dialect: str) -> Any:
    """Return the statement that adds a notice unless one with its id exists."""
    module: Any = sqlite if dialect == "sqlite" else postgresql
    return module.insert(schema.notices).on_conflict_do_nothing()


class NotificationOutbox:
    """Channels of users, and the notices to deliver through them."""

    def __init__(self, database: Sqlite | Postgres) -> None:
        self._database: Sqlite | Postgres = database
        self._dialect: str = database.url.get_backend_name()

    async def _do(self, statement: Any, rows: Sequence[dict[str, Any]] = ()) -> None:
        def work(connection: Connection) -> None:
            """Execute the statement for all rows."""
            connection.execute(statement, list(rows) or None)

        await self._database.write(work)

    # -- channels ----------------------------------------------------------------------------------

    async def channels_of(self, user_id: str) -> list[ChannelRow]:
        """Return a user's channels, oldest first."""
        table = schema.channels
        query = select(table).where(table.c.user_id == user_id).order_by(table.c.created, table.c.id)
        return await self._database.read(lambda c: [to_row(ChannelRow, row) for row in c.execute(query)])

    async def channel(self, id: str) -> ChannelRow | None:
        """Return the channel with this id, or None."""
        query = select(schema.channels).where(schema.channels.c.id == id)
        found = await self._database.read(lambda c: [to_row(ChannelRow, row) for row in c.execute(query)])
        return found[0] if found else None

    async def users_with_channels(self) -> set[str]:
        """Return the ids of the users that have a channel."""
        query = select(schema.channels.c.user_id).distinct()
        return await self._database.read(lambda c: set(c.scalars(query)))

    async def add_channel(self, row: ChannelRow) -> None:
        """Add a channel; it replaces the user's channel of the same kind and address."""
        table = schema.channels.c
        plain = values(row)
        same = (table.user_id == row.user_id) & (table.kind == row.kind) & (table.address == plain["address"])

        def work(connection: Connection) -> None:
            """Replace the channel."""
            connection.execute(delete(schema.channels).where(same))
            connection.execute(insert(schema.channels), plain)

        await self._database.write(work)

    async def change_channel(self, id: str, user_id: str, **given: Any) -> bool:
        """Write some columns of a user's channel.

        Args:
            id: The channel.
            user_id: The user that must own it.
            **given: Values by column.

        Returns:
            Whether the user has such a channel.
        """
        plain = {name: encode(value).decode() if name == "kinds" else value for name, value in given.items()}
        table = schema.channels
        statement = update(table).where(table.c.id == id, table.c.user_id == user_id).values(**plain)
        return await self._database.write(lambda c: c.execute(statement).rowcount > 0)

    async def drop_channel(self, id: str, user_id: str) -> bool:
        """Delete a user's channel, and return whether it existed."""
        table = schema.channels
        statement = delete(table).where(table.c.id == id, table.c.user_id == user_id)
        return await self._database.write(lambda c: c.execute(statement).rowcount > 0)

    # -- notices -----------------------------------------------------------------------------------

    async def add(self, rows: Sequence[NoticeRow]) -> None:
        """Add notices, except those whose id exists."""
        plain = [values(row) for row in rows]
        await self._do(add_if_new(self._dialect), plain)

    async def lease(self, now: int, until: int, limit: int = 100) -> list[NoticeRow]:
        """Lease due, unleased notices that wait for delivery.

        Args:
            now: The current time in milliseconds.
            until: End of the leases in milliseconds.
            limit: The largest number of notices.

        Returns:
            The notices that are leased now.
        """
        table = schema.notices
        free = (table.c.state == "waiting", table.c.due <= now, table.c.lease <= now)
        due = select(table.c.id).where(*free).order_by(table.c.due).limit(limit)
        ids = await self._database.read(lambda c: list(c.scalars(due)))
        if not ids:
            return []
        statement = update(table).where(table.c.id.in_(ids), *free).values(lease=until).returning(*table.c)
        return await self._database.write(lambda c: [to_row(NoticeRow, row) for row in c.execute(statement)])

    async def release(self) -> None:
        """End all leases. Only for a server that uses its database alone, at its start."""
        table = schema.notices
        statement = update(table).where(table.c.lease > 0).values(lease=0)
        await self._do(statement)

    async def next_due(self) -> int | None:
        """Return when the next notice is due, in milliseconds; None if none waits."""
        table = schema.notices.c
        later: Any = func.max if self._dialect == "sqlite" else func.greatest
        query = select(func.min(later(table.due, table.lease))).where(table.state == "waiting")
        found = await self._database.read(lambda c: c.scalar(query))
        return None if found is None else int(found)

    async def split_by_channel(self, row: NoticeRow, rows: Sequence[NoticeRow]) -> None:
        """Replace a notice with one notice per channel of its user."""
        old = update(schema.notices).where(schema.notices.c.id == row.id).values(state="void")
        plain = [values(each) for each in rows]

        def work(connection: Connection) -> None:
            """Replace the notice."""
            connection.execute(old)
            if plain:
                connection.execute(add_if_new(self._dialect), plain)

        await self._database.write(work)

    async def due_on_channel(self, channel_id: str, now: int) -> list[NoticeRow]:
        """Return the notices that are due on a channel, oldest first."""
        table = schema.notices
        mine = (table.c.channel_id == channel_id, table.c.state == "waiting", table.c.due <= now)
        query = select(table).where(*mine).order_by(table.c.at)
        return await self._database.read(lambda c: [to_row(NoticeRow, row) for row in c.execute(query)])

    async def begin(self, ids: Sequence[str]) -> list[str]:
        """Count a delivery attempt for notices that still wait.

        Call it before sending. A notice that isn't returned must not be sent.

        Args:
            ids: Ids of the notices to send.

        Returns:
            The ids of those that still wait.
        """
        table = schema.notices
        still = update(table).where(table.c.id.in_(ids), table.c.state == "waiting")
        statement = still.values(begun=table.c.begun + 1).returning(table.c.id)
        return await self._database.write(lambda c: list(c.scalars(statement)))

    async def end(self, ids: Sequence[str], state: str, *, due: int | None = None) -> None:
        """Store the result of a delivery attempt.

        Args:
            ids: The notices that were sent together.
            state: Their new state: "sent", "failed", "void" or "waiting".
            due: When to try again, in milliseconds; None if the result is final.
        """
        table = schema.notices
        changes: dict[str, Any] = {"state": state, "lease": 0}
        if state == "failed" or due is not None:
            changes["failed"] = table.c.failed + 1
        if due is not None:
            changes["due"] = due
        statement = update(table).where(table.c.id.in_(ids)).values(**changes)
        await self._do(statement)

    async def postpone(self, id: str, due: int) -> None:
        """Make a notice due later, and release it."""
        await self._do(update(schema.notices).where(schema.notices.c.id == id).values(due=due, lease=0))

    async def sweep(self, before: int) -> None:
        """Delete notices from before a time, except those that still wait."""
        table = schema.notices
        statement = delete(table).where(table.c.state != "waiting", table.c.at < before)
        await self._do(statement)
