"""Where a time-out is decided: a job looks when a seat's time may be up; if it is, a bot stands in."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from .clock import deadlines, set_alarm
from .commands import Command
from .keeper import Keeper
from .leaving import Level, stand_in
from .live import Live


class TimeOuts:
    """Time that runs out."""

    def __init__(self, keeper: Keeper) -> None:
        self._keeper: Keeper = keeper

    async def decide(self, table: str) -> None:
        """Somebody's time may be up (job): then a bot stands in."""
        await self._keeper.carry_out(table, TimeOut(self._keeper.catalogue.strongest))


@dataclass(slots=True)
class TimeOut(Command[None]):
    """Replace whoever's time is up."""

    name: ClassVar[str] = "time out"
    level: Level
    user: None = None

    def act(self, live: Live, now: int) -> None:
        """See Command."""
        if live.row.status != "running":
            return
        for seat, due in deadlines(live).items():
            if due <= now:
                live.seats[seat].bank_ms = 0
                stand_in(live, live.seats[seat], "timed_out", self.level, now)
        if not live.pending.dirty and deadlines(live):
            # Too early: this job ends, so another one looks again.
            live.clock_due = None
            set_alarm(live, running=True)
            live.pending.dirty = True
