"""Attempts that are limited for all servers of a database together."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from sqlalchemy import Connection, delete, func, insert, select

from . import schema
from .database import Postgres, Sqlite

_TABLE = schema.attempts
_COLUMNS = _TABLE.c
_DAY_MS: Final = 86_400_000


@dataclass(frozen=True, slots=True)
class AttemptLimit:
    """A limit for one key.

    Attributes:
        category: Kind of attempt.
        key: Hash of the address that attempts.
        most: Largest number of attempts.
        window_ms: Milliseconds in which they are counted, at most a day.
    """

    category: str
    key: str
    most: int
    window_ms: int


class AttemptStore:
    """Counts of attempts."""

    def __init__(self, database: Sqlite | Postgres) -> None:
        self._database: Sqlite | Postgres = database

    async def count(self, limits: Sequence[AttemptLimit], now: int) -> int:
        """Count an attempt if all limits permit it.

        Args:
            limits: The limits.
            now: The current time in milliseconds.

        Returns:
            0, or the milliseconds to wait if nothing was counted.
        """

        def work(connection: Connection) -> int:
            """Look at the counts, and add the attempt, one transaction per key at a time."""
            if connection.dialect.name == "postgresql":  # SQLite has one writer
                for key in sorted({each.key for each in limits}):
                    connection.execute(select(func.pg_advisory_xact_lock(func.hashtext(key))))
            connection.execute(delete(_TABLE).where(_COLUMNS.at <= now - _DAY_MS))
            waits = [0]
            for each in limits:
                same = (_COLUMNS.category == each.category, _COLUMNS.key == each.key)
                recent = select(_COLUMNS.at).where(*same, _COLUMNS.at > now - each.window_ms)
                oldest = connection.scalar(recent.order_by(_COLUMNS.at.desc()).offset(each.most - 1).limit(1))
                if oldest is not None:
                    waits.append(oldest + each.window_ms - now)
            if not any(waits):
                keys = dict.fromkeys((each.category, each.key) for each in limits)
                rows = [{"category": category, "key": key, "at": now} for category, key in keys]
                connection.execute(insert(_TABLE), rows)
            return max(waits)

        return await self._database.write(work) if limits else 0
