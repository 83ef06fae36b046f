"""Channels and notices: what people are to be told, kept until it was."""

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
    """The statement that adds a notice unless there was one of this id."""
    module: Any = sqlite if dialect == "sqlite" else postgresql
    return module.insert(schema.notices).on_conflict_do_nothing()


class Notices:
    """The outbox."""

    def __init__(self, database: Sqlite | Postgres) -> None:
        self._database: Sqlite | Postgres = database
        self._dialect: str = database.url.get_backend_name()

    async def _do(self, statement: Any, rows: Sequence[dict[str, Any]] = ()) -> None:
        def work(connection: Connection) -> None:
            connection.execute(statement, list(rows) or None)

        await self._database.write(work)

    # -- channels ------------------------------------------------------------------------------------------------

    async def channels_of(self, user_id: str) -> list[ChannelRow]:
        """A person's channels, the oldest first."""
        table = schema.channels
        query = select(table).where(table.c.user_id == user_id).order_by(table.c.created, table.c.id)
        return await self._database.read(lambda c: [to_row(ChannelRow, row) for row in c.execute(query)])

    async def channel(self, id: str) -> ChannelRow | None:
        """A channel."""
        query = select(schema.channels).where(schema.channels.c.id == id)
        found = await self._database.read(lambda c: [to_row(ChannelRow, row) for row in c.execute(query)])
        return found[0] if found else None

    async def reached(self) -> set[str]:
        """The people who have a channel."""
        query = select(schema.channels.c.user_id).distinct()
        return await self._database.read(lambda c: set(c.scalars(query)))

    async def add_channel(self, row: ChannelRow) -> None:
        """A new channel in the place of the same one."""
        table = schema.channels.c
        plain = values(row)
        same = (table.user_id == row.user_id) & (table.kind == row.kind) & (table.address == plain["address"])

        def work(connection: Connection) -> None:
            connection.execute(delete(schema.channels).where(same))
            connection.execute(insert(schema.channels), plain)

        await self._database.write(work)

    async def change_channel(self, id: str, user_id: str, **given: Any) -> bool:
        """Write some columns of a person's channel; whether there is one."""
        plain = {name: encode(value).decode() if name == "kinds" else value for name, value in given.items()}
        table = schema.channels
        statement = update(table).where(table.c.id == id, table.c.user_id == user_id).values(**plain)
        return await self._database.write(lambda c: c.execute(statement).rowcount > 0)

    async def drop_channel(self, id: str, user_id: str) -> bool:
        """End a person's channel; whether there was one."""
        table = schema.channels
        statement = delete(table).where(table.c.id == id, table.c.user_id == user_id)
        return await self._database.write(lambda c: c.execute(statement).rowcount > 0)

    # -- notices -------------------------------------------------------------------------------------------------

    async def add(self, rows: Sequence[NoticeRow]) -> None:
        """Notices to be given, but for those that are there."""
        plain = [values(row) for row in rows]
        await self._do(add_if_new(self._dialect), plain)

    async def lease(self, now: int, until: int, limit: int = 100) -> list[NoticeRow]:
        """Take notices that are due and that nobody works on."""
        table = schema.notices
        free = (table.c.state == "waiting", table.c.due <= now, table.c.lease <= now)
        due = select(table.c.id).where(*free).order_by(table.c.due).limit(limit)
        ids = await self._database.read(lambda c: list(c.scalars(due)))
        if not ids:
            return []
        statement = update(table).where(table.c.id.in_(ids), *free).values(lease=until).returning(*table.c)
        return await self._database.write(lambda c: [to_row(NoticeRow, row) for row in c.execute(statement)])

    async def release(self) -> None:
        """End all leases. Only for a server that is alone with its database, when it starts."""
        table = schema.notices
        statement = update(table).where(table.c.lease > 0).values(lease=0)
        await self._do(statement)

    async def next_due(self) -> int | None:
        """When the next notice is due; None without one."""
        table = schema.notices.c
        later: Any = func.max if self._dialect == "sqlite" else func.greatest
        query = select(func.min(later(table.due, table.lease))).where(table.state == "waiting")
        found = await self._database.read(lambda c: c.scalar(query))
        return None if found is None else int(found)

    async def give_out(self, row: NoticeRow, rows: Sequence[NoticeRow]) -> None:
        """In the place of a notice those for its person's channels."""
        old = update(schema.notices).where(schema.notices.c.id == row.id).values(state="void")
        plain = [values(each) for each in rows]

        def work(connection: Connection) -> None:
            connection.execute(old)
            if plain:
                connection.execute(add_if_new(self._dialect), plain)

        await self._database.write(work)

    async def waiting(self, channel_id: str, now: int) -> list[NoticeRow]:
        """What is due on a channel, the oldest first."""
        table = schema.notices
        mine = (table.c.channel_id == channel_id, table.c.state == "waiting", table.c.due <= now)
        query = select(table).where(*mine).order_by(table.c.at)
        return await self._database.read(lambda c: [to_row(NoticeRow, row) for row in c.execute(query)])

    async def begin(self, ids: Sequence[str]) -> list[str]:
        """Before sending: notices that still wait count as begun; which they are."""
        table = schema.notices
        still = update(table).where(table.c.id.in_(ids), table.c.state == "waiting")
        statement = still.values(begun=table.c.begun + 1).returning(table.c.id)
        return await self._database.write(lambda c: list(c.scalars(statement)))

    async def end(self, ids: Sequence[str], state: str, *, due: int | None = None) -> None:
        """After sending: how it ended. due: when it is tried again."""
        table = schema.notices
        given: dict[str, Any] = {"state": state, "lease": 0}
        if state == "failed" or due is not None:
            given["failed"] = table.c.failed + 1
        if due is not None:
            given["due"] = due
        statement = update(table).where(table.c.id.in_(ids)).values(**given)
        await self._do(statement)

    async def postpone(self, id: str, due: int) -> None:
        """A notice isn't due yet."""
        await self._do(update(schema.notices).where(schema.notices.c.id == id).values(due=due, lease=0))

    async def sweep(self, before: int) -> None:
        """Forget what was settled before a moment."""
        table = schema.notices
        statement = delete(table).where(table.c.state != "waiting", table.c.at < before)
        await self._do(statement)
