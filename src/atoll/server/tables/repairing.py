"""Tables whose rules failed, tried on the rules of today."""

from __future__ import annotations

import contextlib
from dataclasses import dataclass
from typing import ClassVar

from ..model import Refused
from . import course
from .commands import Command
from .database import database
from .keeper import Keeper
from .live import Live


@dataclass(slots=True)
class Repair(Command[None]):
    """The table goes on if its rules can again."""

    name: ClassVar[str] = "repair"
    user: None = None

    def act(self, live: Live, now: int) -> None:
        """See Command."""
        if live.row.status == "repair" and not live.broken and live.position is not None:
            course.repaired(live, now)


async def repair(keeper: Keeper) -> None:
    """Those that can go on, do."""
    with database():
        tables = await keeper.store.to_repair()
    for table in tables:
        with contextlib.suppress(Refused):
            await keeper.carry_out(table, Repair())
