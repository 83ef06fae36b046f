"""Helpers that read and write rows of any type."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar, cast

from sqlalchemy import ClauseElement, Connection, Dialect, Executable, Select

from .codec import TEXTS, names, reader, to_row
from .database import Postgres, Sqlite

R = TypeVar("R")
"""The row type of a query."""


def cursor_of(connection: Connection) -> Any:
    """Return the driver's own cursor.

    SQLAlchemy costs more per statement than the database itself.
    """
    return connection.connection.cursor()


class Rows:
    """A statement that writes rows of one type, compiled once.

    The optional `prefix` is the prefix of the names of its bind parameters.
    """

    def __init__(self, dialect: Dialect, statement: Executable, row_type: type[Any], prefix: str = "") -> None:
        compiled: Any = cast(ClauseElement, statement).compile(dialect=dialect)
        self._sql: str = str(compiled)
        columns = [name.removeprefix(prefix) for name in compiled.positiontup]
        missing = {*columns} - {name for name, _ in names(row_type)}
        assert not missing, missing
        self._values: Callable[[Any], tuple[Any, ...]] = reader(columns, TEXTS)

    def write(self, connection: Connection, rows: Sequence[Any]) -> None:
        """Execute the statement for these rows."""
        if rows:
            cursor = cursor_of(connection)
            cursor.executemany(self._sql, list(map(self._values, rows)))
            cursor.close()


def first_row(rows: Sequence[R]) -> R | None:
    """Return the first row, or None if there are none."""
    return rows[0] if rows else None


class Queries:
    """Base class of stores: reads and writes, each in its own transaction.

    Attributes:
        dialect: "sqlite" or "postgresql".
    """

    def __init__(self, database: Sqlite | Postgres) -> None:
        self._database: Sqlite | Postgres = database
        self.dialect: str = database.url.get_backend_name()

    async def _rows(
        self, row_type: type[R], query: Select[Any], parameters: Mapping[str, Any] | None = None, *, short: bool = False
    ) -> list[R]:
        return await self._database.read(
            lambda connection: [to_row(row_type, row) for row in connection.execute(query, parameters or {})],
            short=short,
        )

    async def _scalar(
        self, query: Select[Any], parameters: Mapping[str, Any] | None = None, *, short: bool = False
    ) -> Any:
        return await self._database.read(lambda connection: connection.scalar(query, parameters or {}), short=short)

    async def _execute(self, statement: Executable) -> int:
        """Execute one statement in its own transaction, and return the number of rows touched."""
        return await self._database.write(lambda connection: connection.execute(statement).rowcount)
