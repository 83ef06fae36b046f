"""People who look for a game now."""

from __future__ import annotations

from typing import Final

from sqlalchemy import Connection, delete, func, insert, select, text, update

from . import schema
from .codec import to_row, values
from .rows import SeekerRow
from .statements import Queries
from .unit_of_work import UnitOfWork

_SEEKERS: Final = schema.seekers
_S: Final = schema.seekers.c
_GONE_MS: Final = 60_000
"""Milliseconds after which the row of a user who has left is deleted."""


class SeekerStore(Queries):
    """Reads and writes of seekers; `Writer` gives them their tables."""

    async def begin(self, row: SeekerRow) -> None:
        """Begin a user's search; it replaces an earlier one."""

        def work(connection: Connection) -> None:
            """Replace the row."""
            connection.execute(delete(_SEEKERS).where(_S.user_id == row.user_id))
            connection.execute(insert(_SEEKERS), values(row))

        await self._database.write(work)

    async def stay(self, user_id: str, now: int, until: int) -> tuple[SeekerRow | None, list[SeekerRow]]:
        """Report that a user still searches.

        Args:
            user_id: The user.
            now: The current time in milliseconds.
            until: Time until which the user is here, unless this is called again.

        Returns:
            The user's row, or None if they don't search, and the others who wait for such a game,
            those who wait longest first.
        """

        def work(connection: Connection) -> tuple[SeekerRow | None, list[SeekerRow]]:
            """Extend the row, forget those who have left, and read the others."""
            connection.execute(delete(_SEEKERS).where(_S.until < now - _GONE_MS))
            here = update(_SEEKERS).where(_S.user_id == user_id).values(until=until).returning(*_S)
            found = connection.execute(here).first()
            if found is None:
                return None, []
            mine = to_row(SeekerRow, found)
            same = (_S.game == mine.game, _S.players == mine.players, _S.pace == mine.pace, _S.rated == mine.rated)
            waiting = select(_SEEKERS).where(*same, _S.user_id != user_id, _S.game_id.is_(None), _S.until >= now)
            rows = connection.execute(waiting.order_by(_S.since, _S.user_id))
            return mine, [to_row(SeekerRow, row) for row in rows]

        return await self._database.write(work)

    async def end(self, user_id: str) -> None:
        """End a user's search."""
        await self._execute(delete(_SEEKERS).where(_S.user_id == user_id))

    async def count(self, now: int) -> dict[str, int]:
        """Return the number of users who search now, by game."""
        query = select(_S.game, func.count()).where(_S.game_id.is_(None), _S.until >= now).group_by(_S.game)
        return await self._database.read(lambda connection: {row[0]: row[1] for row in connection.execute(query)})


def take_seekers(connection: Connection, change: UnitOfWork) -> bool:
    """Give a new table to the users that searched for it.

    Args:
        connection: Connection inside the transaction that creates the table.
        change: The new table.

    Returns:
        Whether all of them still searched. If not, nothing has changed.
    """
    table, now = change.game.id, change.game.created
    if connection.dialect.name == "postgresql":  # SQLite has one writer
        connection.execute(text("SELECT pg_advisory_xact_lock(hashtext(:game))"), {"game": f"seek {change.game.game}"})
    free = (_S.user_id.in_(change.seekers), _S.game_id.is_(None), _S.until >= now)
    taken = connection.execute(update(_SEEKERS).where(*free).values(game_id=table)).rowcount
    if taken == len(change.seekers):
        return True
    connection.execute(update(_SEEKERS).where(_S.game_id == table).values(game_id=None))
    return False
