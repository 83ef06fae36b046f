"""Timeouts: a job checks whether a seat's time has run out, and applies the time control."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from ..table import lifecycle, results
from ..table.clock import clock_of, deadlines, schedule_timeout_check
from ..table.live_table import LiveTable
from .calendars import Calendars
from .commands import Command
from .departures import Level, replace_with_bot
from .executor import CommandExecutor
from .votes import apply_passed_votes


class Timeouts:
    """Handling of timeouts."""

    def __init__(self, executor: CommandExecutor, calendars: Calendars) -> None:
        self._executor: CommandExecutor = executor
        self._calendars: Calendars = calendars

    async def decide(self, table: str) -> None:
        """Check a table for a timeout (job): take a day of vacation, or apply the time control.

        Args:
            table: Id of the table.

        Raises:
            Refused: If the table doesn't exist or the database fails.
        """
        await self._calendars.take_day_before_timeout(table)
        await self._executor.execute(table, ApplyTimeout(self._executor.catalogue.stand_in))


@dataclass(slots=True)
class ApplyTimeout(Command[None]):
    """Apply the time control's action: replace the player, start a vote, or end the game."""

    name: ClassVar[str] = "time out"
    level: Level
    user: None = None

    def apply(self, live: LiveTable, now: int) -> None:
        """Apply the action to each seat whose time has run out."""
        if live.row.status != "running":
            return
        for seat, due in deadlines(live).items():
            if due <= now and self._ends(live, seat, now):
                return
        if not live.pending.dirty and deadlines(live):
            # The check came too early. This job ends, and a new one checks again.
            live.clock_due = None
            schedule_timeout_check(live, running=True)
            live.pending.dirty = True

    def _ends(self, live: LiveTable, seat: int, now: int) -> bool:
        """Apply the action to a seat, and return whether the game has ended."""
        clock = clock_of(live.row)
        assert clock is not None
        row = live.seats[seat]
        row.bank_ms = 0
        results.count_late_turn(row)
        if clock.at_zero == "stand_in":
            replace_with_bot(live, row, "timed_out", self.level, now)
            return False
        live.log_event("timed_out", now, seat=seat, name=row.name)
        if clock.at_zero == "end":
            results.note_departure(live, row, "time", now)
            lifecycle.cancel(live, now)
            return True
        row.overdue = True
        live.drop_plan(seat)
        live.mark_changed(seat)
        schedule_timeout_check(live, running=True)
        apply_passed_votes(live, self.level, now)
        return live.row.status != "running"
