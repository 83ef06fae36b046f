"""Where a time-out is decided: a job looks when a seat's time may be up; if it is, the clock says what happens."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from ..table import lifecycle
from ..table.clock import clock_of, deadlines, set_alarm
from ..table.live_table import Live
from .calendars import Calendars
from .commands import Command
from .departures import Level, stand_in
from .executor import Keeper
from .votes import settle_votes


class TimeOuts:
    """Time that runs out."""

    def __init__(self, keeper: Keeper, calendars: Calendars) -> None:
        self._keeper: Keeper = keeper
        self._calendars: Calendars = calendars

    async def decide(self, table: str) -> None:
        """Somebody's time may be up (job): then a day of vacation is taken, or what the clock says happens."""
        await self._calendars.spare(table)
        await self._keeper.carry_out(table, TimeOut(self._keeper.catalogue.stand_in))


@dataclass(slots=True)
class TimeOut(Command[None]):
    """Whoever's time is up is replaced, the others decide, or the game ends."""

    name: ClassVar[str] = "time out"
    level: Level
    user: None = None

    def act(self, live: Live, now: int) -> None:
        """See Command."""
        if live.row.status != "running":
            return
        for seat, due in deadlines(live).items():
            if due <= now and self._ends(live, seat, now):
                return
        if not live.pending.dirty and deadlines(live):
            # Too early: this job ends, so another one looks again.
            live.clock_due = None
            set_alarm(live, running=True)
            live.pending.dirty = True

    def _ends(self, live: Live, seat: int, now: int) -> bool:
        """What happens to a seat whose time is up; whether the game ends by it."""
        clock = clock_of(live.row)
        assert clock is not None
        row = live.seats[seat]
        row.bank_ms = 0
        if clock.at_zero == "stand_in":
            stand_in(live, row, "timed_out", self.level, now)
            return False
        live.tell("timed_out", now, seat=seat, name=row.name)
        if clock.at_zero == "end":
            lifecycle.cancel(live, now)
            return True
        row.overdue = True
        live.drop_plan(seat)
        live.touch(seat)
        set_alarm(live, running=True)
        settle_votes(live, self.level, now)
        return live.row.status != "running"
