"""Repair of tables whose rules failed, with the current rules."""

from __future__ import annotations

import contextlib
from dataclasses import dataclass
from typing import ClassVar

from ..domain.model import Refused
from ..table import lifecycle
from ..table.live_table import Live
from .commands import Command
from .executor import Keeper
from .store_errors import database


@dataclass(slots=True)
class Repair(Command[None]):
    """Continue the game if its rules work again."""

    name: ClassVar[str] = "repair"
    user: None = None

    def act(self, live: Live, now: int) -> None:
        """Continue the game if its position could be loaded."""
        if live.row.status == "repair" and not live.broken and live.position is not None:
            lifecycle.repaired(live, now)


async def repair(keeper: Keeper) -> None:
    """Try to continue all tables whose rules failed."""
    with database():
        tables = await keeper.store.to_repair()
    for table in tables:
        with contextlib.suppress(Refused):
            await keeper.carry_out(table, Repair())
