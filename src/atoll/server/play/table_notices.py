"""The choice of each person of what one table notifies: everything, less, or nothing."""

from __future__ import annotations

from typing import Final, cast

import msgspec

from ..domain.model import Refused, User
from ..domain.notices import TABLE_NOTICES, TableNotices
from ..table import permissions
from .executor import CommandExecutor
from .users import Users

MOST_TABLES: Final = 100
"""Largest number of tables with a choice of their own per user; the oldest ones are dropped."""


class TableNoticesChoice:
    """The choice of notifications for each table."""

    def __init__(self, executor: CommandExecutor, users: Users) -> None:
        self._executor: CommandExecutor = executor
        self._users: Users = users

    async def choose(self, who: User | None, table: str, wish: str) -> None:
        """Choose what the user hears of a table. The others don't notice it.

        Args:
            who: The user.
            table: Id of the table.
            wish: One of `TABLE_NOTICES`, or "" for everything.

        Raises:
            Refused: If the user isn't signed in or may not see the table, or the choice is unknown.
        """
        user = permissions.require_user(who)
        if wish not in ("", *TABLE_NOTICES):
            raise Refused("bad_option", 422, f"notices: expected one of {', '.join(TABLE_NOTICES)}, or nothing")
        async with self._executor.locked(table) as live:
            permissions.require_visible(live, user)
        others = tuple(each for each in user.settings.notices if each[0] != table)
        kept = (*others, (table, cast("TableNotices", wish)))[-MOST_TABLES:] if wish else others
        await self._users.set_settings(user, msgspec.structs.replace(user.settings, notices=kept))
