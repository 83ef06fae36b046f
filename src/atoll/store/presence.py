"""Presence: the users who have an event stream at a server, known to all servers.

A server writes rows for its own users. A row counts until its time, and while its server lives.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from sqlalchemy import Connection, delete, select, tuple_, update
from sqlalchemy.dialects import postgresql, sqlite

from . import schema
from .servers import LOST_MS
from .statements import Queries

_TABLE = schema.presence
_COLUMNS = _TABLE.c


class PresenceStore(Queries):
    """Reads and writes of presence."""

    async def change(self, server_id: str, here: Collection[str], gone: Collection[str], until: int) -> None:
        """Store that users have come to a server, and that others have left it.

        Args:
            server_id: The server.
            here: Users who have an event stream there now.
            gone: Users who have none any more.
            until: Time until which the rows count.
        """
        rows = [{"user_id": each, "server_id": server_id, "until": until} for each in sorted(here)]
        module: Any = sqlite if self.dialect == "sqlite" else postgresql
        insert = module.insert(_TABLE)
        add = insert.on_conflict_do_update(
            index_elements=["user_id", "server_id"], set_={"until": insert.excluded.until}
        )
        left = [(each, server_id) for each in sorted(gone)]

        def work(connection: Connection) -> None:
            """Write the rows."""
            if rows:
                connection.execute(add, rows)
            if left:
                connection.execute(delete(_TABLE).where(tuple_(_COLUMNS.user_id, _COLUMNS.server_id).in_(left)))

        await self._database.write(work)

    async def renew(self, server_id: str, until: int) -> None:
        """Let all rows of a server count until a time."""
        await self._execute(update(_TABLE).where(_COLUMNS.server_id == server_id).values(until=until))

    async def is_present(self, user_id: str, now: int) -> bool:
        """Return whether a user has an event stream at a server that lives.

        Args:
            user_id: The user.
            now: The current time in milliseconds.
        """
        servers = schema.servers.c
        lives = (servers.id == _COLUMNS.server_id) & (servers.seen > now - LOST_MS) & (servers.place != "")
        query = select(_COLUMNS.user_id).join(schema.servers, lives)
        query = query.where(_COLUMNS.user_id == user_id, _COLUMNS.until > now).limit(1)
        return await self._scalar(query, short=True) is not None

    async def end(self, server_id: str) -> None:
        """Delete all rows of a server."""
        await self._execute(delete(_TABLE).where(_COLUMNS.server_id == server_id))

    async def sweep(self, now: int) -> None:
        """Delete rows that don't count any more, for example those of servers that were killed."""
        await self._execute(delete(_TABLE).where(_COLUMNS.until <= now))
