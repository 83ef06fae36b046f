"""Channels and notices: the outbox of notifications, stored until they are delivered."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any, Final

from sqlalchemy import Connection, delete, func, insert, select, text, update
from sqlalchemy.dialects import postgresql, sqlite

from . import schema
from .codec import encode, to_row, values
from .database import Postgres, Sqlite
from .rows import ChannelRow, NoticeRow

_JSON: Final = ("kinds", "address")
_FREE = f"{schema.WAITING} AND {schema.FREE}"
_LEASED = f"{schema.WAITING} AND {schema.LEASED}"


def add_if_new(dialect: str) -> Any:
    """Return the statement that adds a notice unless one with its id exists."""
    module: Any = sqlite if dialect == "sqlite" else postgresql
    return module.insert(schema.notices).on_conflict_do_nothing()


def _update_reachable(connection: Connection, user_id: str) -> bool:
    """Store whether a user has a confirmed channel, and return it."""
    channels = schema.channels.c
    confirmed = select(channels.id).where(channels.user_id == user_id, channels.confirmed).limit(1)
    found = connection.scalar(confirmed) is not None
    connection.execute(update(schema.users).where(schema.users.c.id == user_id).values(reachable=found))
    return found


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

    async def reachable(self, user_ids: Collection[str]) -> set[str]:
        """Return those of the users who have a confirmed channel."""
        users = schema.users.c
        query = select(users.id).where(users.id.in_(sorted(user_ids)), users.reachable)
        return await self._database.read(lambda c: set(c.scalars(query)), short=True)

    async def add_channel(self, row: ChannelRow) -> bool:
        """Add a channel; it replaces the user's channel of the same kind and address.

        Args:
            row: The channel.

        Returns:
            Whether the user has a confirmed channel now.
        """
        table = schema.channels.c
        plain = values(row)
        same = (table.user_id == row.user_id) & (table.kind == row.kind) & (table.address == plain["address"])

        def work(connection: Connection) -> bool:
            """Replace the channel."""
            connection.execute(delete(schema.channels).where(same))
            connection.execute(insert(schema.channels), plain)
            return _update_reachable(connection, row.user_id)

        return await self._database.write(work)

    async def change_channel(self, id: str, user_id: str, **given: Any) -> bool:
        """Write some columns of a user's channel.

        Args:
            id: The channel.
            user_id: The user that must own it.
            **given: Values by column.

        Returns:
            Whether the user has such a channel.
        """
        plain = {name: encode(value).decode() if name in _JSON else value for name, value in given.items()}
        table = schema.channels
        statement = update(table).where(table.c.id == id, table.c.user_id == user_id).values(**plain)
        return await self._database.write(lambda c: c.execute(statement).rowcount > 0)

    async def confirm_channel(self, id: str, user_id: str) -> bool:
        """Store that the owner of an address agreed, and return whether the user is reachable."""
        table = schema.channels
        statement = update(table).where(table.c.id == id, table.c.user_id == user_id).values(confirmed=True)
        return await self._change_reach(statement, user_id)

    async def drop_channel(self, id: str, user_id: str) -> bool:
        """Delete a user's channel, and return whether they still have a confirmed one."""
        table = schema.channels
        statement = delete(table).where(table.c.id == id, table.c.user_id == user_id)
        return await self._change_reach(statement, user_id)

    async def _change_reach(self, statement: Any, user_id: str) -> bool:
        """Change a channel of a user, and return whether the user has a confirmed channel then."""

        def work(connection: Connection) -> bool:
            """Change the channel and the user."""
            connection.execute(statement)
            return _update_reachable(connection, user_id)

        return await self._database.write(work)

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
        free, leased = await self._next_times()
        if not any(each is not None and each <= now for each in (free, leased)):
            return []
        table = schema.notices
        expired = update(table).where(text(_LEASED), table.c.lease <= now).values(lease=0)
        due = select(table.c.id).where(text(_FREE), table.c.due <= now).order_by(table.c.due).limit(limit)
        mine = due.with_for_update(skip_locked=True).cte("due_notices")
        statement = update(table).where(table.c.id.in_(select(mine.c.id))).values(lease=until).returning(*table.c)

        def work(connection: Connection) -> list[NoticeRow]:
            """Release expired leases, and lease notices."""
            if leased is not None and leased <= now:
                connection.execute(expired)
            return [to_row(NoticeRow, row) for row in connection.execute(statement)]

        return await self._database.write(work)

    async def release(self) -> None:
        """End all leases. Only for a server that uses its database alone, at its start."""
        table = schema.notices
        statement = update(table).where(table.c.lease > 0).values(lease=0)
        await self._do(statement)

    async def next_due(self) -> int | None:
        """Return when the next notice can be leased, in milliseconds; None if none waits."""
        return min((each for each in await self._next_times() if each is not None), default=None)

    async def _next_times(self) -> tuple[int | None, int | None]:
        """Return the earliest due time of the free notices, and the earliest end of a lease."""
        table = schema.notices.c
        free = select(func.min(table.due)).where(text(_FREE)).scalar_subquery()
        leased = select(func.min(table.lease)).where(text(_LEASED)).scalar_subquery()

        def work(connection: Connection) -> tuple[int | None, int | None]:
            """Read both times, each from its index."""
            found = connection.execute(select(free, leased)).one()
            return found[0], found[1]

        return await self._database.read(work, short=True)

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

    async def due_on_channel(self, channel: ChannelRow, now: int) -> list[NoticeRow]:
        """Return the notices that are due on a channel, oldest first."""
        table = schema.notices
        of_channel = (table.c.user_id == channel.user_id, table.c.channel_id == channel.id)
        mine = (*of_channel, table.c.state == "waiting", table.c.due <= now)
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
