"""Blocks between users."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, Select, delete, func, insert, select

from . import schema
from .codec import to_row, values
from .database import Postgres, Sqlite
from .rows import BlockRow, UserRow

_TABLE = schema.blocks
_COLUMNS = _TABLE.c
_FOLLOWS = schema.follows


@dataclass(frozen=True, slots=True)
class BlockedUsers:
    """The blocks around one user.

    Attributes:
        mine: Users whom the user has blocked.
        apart: They, and users who have blocked the user.
    """

    mine: frozenset[str]
    apart: frozenset[str]


def users_apart(user_id: str) -> tuple[Select[Any], Select[Any]]:
    """Return queries for the ids of users whom a user has blocked, and who have blocked them."""
    blocked = select(_COLUMNS.blocked_id).where(_COLUMNS.user_id == user_id)
    return blocked, select(_COLUMNS.user_id).where(_COLUMNS.blocked_id == user_id)


class BlockStore:
    """Reads and writes of blocks."""

    def __init__(self, database: Sqlite | Postgres) -> None:
        self._database: Sqlite | Postgres = database

    async def around(self, user_id: str) -> BlockedUsers:
        """Return the blocks around a user."""
        blocked, blocking = users_apart(user_id)

        def work(connection: Connection) -> BlockedUsers:
            """Read both directions."""
            mine = frozenset(connection.scalars(blocked))
            return BlockedUsers(mine, mine.union(connection.scalars(blocking)))

        return await self._database.read(work, short=True)

    async def of_user(self, user_id: str) -> list[tuple[BlockRow, UserRow]]:
        """Return the blocks of a user with the blocked users, newest first."""
        users = schema.users
        query = select(_TABLE).where(_COLUMNS.user_id == user_id).order_by(_COLUMNS.created.desc(), _COLUMNS.id)

        def work(connection: Connection) -> list[tuple[BlockRow, UserRow]]:
            """Read the blocks and their users."""
            rows = [to_row(BlockRow, row) for row in connection.execute(query)]
            named = select(users).where(users.c.id.in_([row.blocked_id for row in rows]))
            by_id = {row.id: to_row(UserRow, row) for row in connection.execute(named)}
            return [(row, by_id[row.blocked_id]) for row in rows]

        return await self._database.read(work)

    async def add(self, row: BlockRow, most: int) -> bool:
        """Add a block unless the user has blocked the other one already, and end their following.

        Args:
            row: The block.
            most: Largest number of blocks of a user.

        Returns:
            Whether the block exists now; False if the user has too many.
        """
        mine = _COLUMNS.user_id == row.user_id
        same = select(_COLUMNS.id).where(mine, _COLUMNS.blocked_id == row.blocked_id)

        def work(connection: Connection) -> bool:
            """Add the block, one of a user at a time."""
            connection.execute(select(schema.users.c.id).where(schema.users.c.id == row.user_id).with_for_update())
            if connection.scalar(same) is not None:
                return True
            if int(connection.scalar(select(func.count()).select_from(_TABLE).where(mine)) or 0) >= most:
                return False
            connection.execute(insert(_TABLE), values(row))
            pair = (row.user_id, row.blocked_id)
            connection.execute(delete(_FOLLOWS).where(_FOLLOWS.c.user_id.in_(pair), _FOLLOWS.c.followed_id.in_(pair)))
            return True

        return await self._database.write(work)

    async def lift(self, id: str, user_id: str) -> str | None:
        """Delete a block of a user, and return the id of the other user; None if there is none."""
        statement = delete(_TABLE).where(_COLUMNS.id == id, _COLUMNS.user_id == user_id).returning(_COLUMNS.blocked_id)
        return await self._database.write(lambda connection: connection.scalar(statement))
