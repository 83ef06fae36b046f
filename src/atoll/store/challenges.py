"""One-time secrets on the way to a session.

Each step is one statement that changes a row only in the expected state, so that two browsers can't
both take it.
"""

from __future__ import annotations

from typing import Any, Final

from sqlalchemy import Connection, delete, insert, select, update

from . import schema
from .codec import encode, to_row, values
from .database import Postgres, Sqlite
from .rows import ChallengeRow

DEVICE_LINK: Final = "device"
"""Kind of the challenges that sign in another device of their user."""

_TABLE = schema.challenges
_COLUMNS = _TABLE.c


class ChallengeStore:
    """Reads and writes of challenges."""

    def __init__(self, database: Sqlite | Postgres) -> None:
        self._database: Sqlite | Postgres = database

    async def add(self, row: ChallengeRow) -> None:
        """Add a challenge; it replaces the other ones of this kind of the same user or browser."""
        owner = _COLUMNS.session_hash == row.session_hash
        if row.user_id is not None:
            owner = _COLUMNS.user_id == row.user_id

        def work(connection: Connection) -> None:
            """Replace the challenges."""
            connection.execute(delete(_TABLE).where(owner, _COLUMNS.kind == row.kind))
            connection.execute(insert(_TABLE), values(row))

        await self._database.write(work)

    async def find(self, kind: str, now: int, **given: str) -> list[ChallengeRow]:
        """Return the valid challenges of one kind, oldest first.

        Args:
            kind: The kind.
            now: The current time in milliseconds.
            **given: Required values by column, for example `hash` or `user_id`.
        """
        query = select(_TABLE).where(_COLUMNS.kind == kind, _COLUMNS.expires > now)
        query = query.where(*(_COLUMNS[name] == value for name, value in given.items())).order_by(_COLUMNS.created)
        return await self._database.read(lambda c: [to_row(ChallengeRow, row) for row in c.execute(query)])

    async def claim(self, kind: str, hash: str, session_hash: str, data: dict[str, Any], now: int) -> bool:
        """Use a challenge that is valid and unused.

        Args:
            kind: Its kind.
            hash: Hash of the secret.
            session_hash: Hash of the secret of the browser that uses it.
            data: Facts to store.
            now: The current time in milliseconds.

        Returns:
            Whether it was valid and unused.
        """
        free = (_COLUMNS.kind == kind, _COLUMNS.hash == hash, _COLUMNS.used.is_(None), _COLUMNS.expires > now)
        used = {"used": now, "session_hash": session_hash, "data": encode(data).decode()}
        return await self._changed(update(_TABLE).where(*free).values(**used))

    async def take(self, kind: str, hash: str, session_hash: str, now: int) -> ChallengeRow | None:
        """Return a challenge that is valid, unused and made for this browser, and use it up.

        Args:
            kind: Its kind.
            hash: Hash of the secret.
            session_hash: Hash of the secret of the browser that it was made for.
            now: The current time in milliseconds.
        """
        mine = (_COLUMNS.kind == kind, _COLUMNS.hash == hash, _COLUMNS.session_hash == session_hash)
        free = (_COLUMNS.used.is_(None), _COLUMNS.expires > now)
        statement = update(_TABLE).where(*mine, *free).values(used=now).returning(*_COLUMNS)
        found = await self._database.write(lambda c: [to_row(ChallengeRow, row) for row in c.execute(statement)])
        return found[0] if found else None

    async def change(self, row: ChallengeRow, data: dict[str, Any]) -> bool:
        """Replace the facts of a challenge, and return whether they were still the same."""
        return await self._changed(update(_TABLE).where(*_unchanged(row)).values(data=encode(data).decode()))

    async def drop(self, row: ChallengeRow) -> bool:
        """Delete a challenge, and return whether it was still the same."""
        return await self._changed(delete(_TABLE).where(*_unchanged(row)))

    async def _changed(self, statement: Any) -> bool:
        return await self._database.write(lambda c: c.execute(statement).rowcount == 1)


def _unchanged(row: ChallengeRow) -> tuple[Any, ...]:
    """Return the conditions under which a row is as it was read."""
    return _COLUMNS.hash == row.hash, _COLUMNS.data == encode(row.data).decode()
