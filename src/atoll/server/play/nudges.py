"""Nudges: reminders that one player sends another, once a day."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from ..domain.limits import Limits
from ..domain.model import User
from ..table import permissions
from ..table.live_table import LiveTable
from .commands import Command
from .executor import CommandExecutor


class Nudges:
    """Sending nudges."""

    def __init__(self, executor: CommandExecutor, limits: Limits) -> None:
        self._executor: CommandExecutor = executor
        self._limits: Limits = limits

    async def nudge(self, who: User | None, table: str, seat: int) -> None:
        """Remind the player of a seat that the others wait.

        Args:
            who: The user.
            table: Id of the table.
            seat: The seat to nudge. It must have been asked for an hour.

        Raises:
            Refused: If the user has no seat, or the other one can't be nudged now.
        """
        user = permissions.require_user(who)
        self._limits.hit("chat", user.id)
        await self._executor.execute(table, SendNudge(user, seat))


@dataclass(slots=True)
class SendNudge(Command[None]):
    """Send a nudge.

    Attributes:
        user: The sender.
        seat: The seat to nudge.
    """

    name: ClassVar[str] = "nudge"
    user: User
    seat: int

    def apply(self, live: LiveTable, now: int) -> None:
        """Notify the player of the seat, and log it."""
        mine = permissions.require_own_seats(live, self.user)
        permissions.require_running(live)
        row = live.seats[permissions.require_seat(live, self.seat)]
        permissions.require_nudge(row, self.user, now, live.apart)
        row.nudged = now
        name = live.seats[mine[0]].name
        live.notify("nudge", row.user_id, now, mark=now, asked=row.asked, ends=row.due, name=name)
        live.log_event("nudged", now, seat=self.seat, name=row.name, other=name)
        live.mark_changed(self.seat, listed=False)
