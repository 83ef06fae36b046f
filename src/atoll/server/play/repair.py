"""Repair of tables whose rules failed, with the current rules."""

from __future__ import annotations

import contextlib
from dataclasses import dataclass
from typing import ClassVar

from ..domain.model import Refused
from ..table import lifecycle
from ..table.live_table import LiveTable
from .commands import Command
from .executor import CommandExecutor
from .store_errors import refuse_on_store_error


@dataclass(slots=True)
class RepairTable(Command[None]):
    """Continue the game if its rules work again."""

    name: ClassVar[str] = "repair"
    user: None = None

    def apply(self, live: LiveTable, now: int) -> None:
        """Continue the game if its position could be loaded."""
        if live.row.status == "repair" and not live.broken and live.position is not None:
            lifecycle.try_repair(live, now)


async def repair(executor: CommandExecutor) -> None:
    """Try to continue all tables whose rules failed."""
    with refuse_on_store_error():
        tables = await executor.store.broken_tables()
    for table in tables:
        with contextlib.suppress(Refused):
            await executor.execute(table, RepairTable())
