"""Versions of tables, and subscriptions to their changes.

The executor publishes each change that it has written through `EventHub.publish`.
"""

from __future__ import annotations

import contextlib
from collections.abc import Sequence

from ..domain.model import Refused, User
from ..table import permissions
from ..table.live_table import version
from .executor import CommandExecutor
from .store_errors import refuse_on_store_error
from .subscriptions import LOBBY, Subscription


class TableUpdates:
    """Versions of tables and subscriptions."""

    def __init__(self, executor: CommandExecutor) -> None:
        self._executor: CommandExecutor = executor

    async def versions(self, who: User | None, watch: Sequence[str]) -> dict[str, str]:
        """Return the versions of the user's open tables, and of visible watched tables.

        Args:
            who: The reader, or None.
            watch: Ids of tables to watch; `LOBBY` is ignored.
        """
        found: dict[str, str] = {}
        if who is not None:
            with refuse_on_store_error():
                tables = await self._executor.store.open_tables_of(who.id)
            for row, seats in tables:
                mine = [seat.revision for seat in seats if seat.kind == "person" and seat.user_id == who.id]
                found[row.id] = version(row.version, sum(mine) if mine else None)
        for table in watch:
            if table in found or table == LOBBY:
                continue
            with contextlib.suppress(Refused):
                async with self._executor.locked(table) as live:
                    permissions.require_visible(live, who)
                    found[table] = live.version_for(None if who is None else who.id)
        return found

    async def others_at(self, who: User | None, table: str) -> tuple[int, ...]:
        """Return the seats of other people who have the table open and let others see that.

        Args:
            who: The reader, or None.
            table: Id of the table.

        Raises:
            Refused: If the reader may not see the table.
        """
        people = self._executor.hub.people_at(table) - {"" if who is None else who.id}
        if not people:
            return ()
        async with self._executor.locked(table) as live:
            permissions.require_visible(live, who)
            return tuple(row.seat for row in live.seats if row.kind == "person" and row.user_id in people)

    async def open_stream(self, who: User | None, watch: Sequence[str], *, is_page: bool = False) -> Subscription:
        """Return a subscription to the user's tables and to watched ones.

        It starts with the current version of each table, so that a reader who comes back has missed
        nothing. The caller must pass it to `hub.remove` at the end.

        Args:
            who: The reader, or None.
            watch: Ids of tables to watch, and `LOBBY`.
            is_page: Whether it belongs to pages, which show who is at a table.

        Raises:
            Refused: If the server has too many subscriptions.
        """
        hub = self._executor.hub
        if len(hub) >= self._executor.settings.streams:
            raise Refused("streams", 503, "too many open streams; poll instead", retry_after=30)
        shown = who is not None and who.settings.presence
        stream = Subscription(None if who is None else who.id, watch, is_page=is_page, shown=shown)
        hub.add(stream)
        try:
            # Later changes arrive through the subscription, and earlier ones are part of the
            # versions.
            current = await self.versions(who, watch)
        except BaseException:
            hub.remove(stream)
            raise
        hub.narrow(stream, {table for table in watch if table in current or table == LOBBY})
        stream.put_read(current)
        return stream
