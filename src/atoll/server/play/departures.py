"""Leaving and returning: before the start the seat becomes free, later a bot takes over."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar, Final

from atoll.store import SeatRow, TableRow

from ..domain.model import Refused, User
from ..table import chance_rounds, lifecycle, permissions, results
from ..table.clock import stop
from ..table.live_table import LiveTable
from .commands import Command
from .executor import CommandExecutor

Level = Callable[[TableRow], str]
"""Returns the level of the bot that replaces a player at a table."""

_CAUSES: Final = {"resigned": "resigned", "timed_out": "time", "removed": "removed"}
"""Cause of a departure by key of its log entry."""

_RELEASED: Final = {
    ("person", False): "left",
    ("person", True): "removed_before",
    ("invite", False): "declined",
    ("request", False): "withdrawn",
    ("request", True): "turned_down",
}
"""Key of the log entry by kind of a seat that becomes free, and whether the host has decided so."""


class Departures:
    """Leaving a seat, and returning to it."""

    def __init__(self, executor: CommandExecutor) -> None:
        self._executor: CommandExecutor = executor

    async def leave(self, who: User | None, table: str, seat: int) -> None:
        """Leave a seat, decline a reserved one, or withdraw a request for one.

        Before the start the seat becomes free. Later a bot takes over, and the user may return.

        Args:
            who: The user.
            table: Id of the table.
            seat: The user's seat.

        Raises:
            Refused: If the seat isn't the user's, a bot plays it already, or the game isn't
                running.
        """
        await self._executor.execute(
            table, LeaveSeat(permissions.require_user(who), seat, self._executor.catalogue.stand_in)
        )

    async def come_back(self, who: User | None, table: str, seat: int) -> None:
        """Take a seat back from the bot.

        Args:
            who: The user.
            table: Id of the table.
            seat: The user's seat.

        Raises:
            Refused: If the seat isn't the user's, or no bot replaces them.
        """
        await self._executor.execute(table, ReturnToSeat(permissions.require_user(who), seat))


def replace_with_bot(live: LiveTable, row: SeatRow, key: str, level: Level, now: int) -> None:
    """Replace the player of a seat with a bot and log the reason.

    Args:
        live: The table.
        row: The seat.
        key: Key of the log entry with the reason.
        level: Returns the level of the bot.
        now: The current time in milliseconds.
    """
    live.log_event(key, now, seat=row.seat, name=row.name)
    if key in _CAUSES:  # the end of a season isn't a departure
        results.note_departure(live, row, _CAUSES[key], now)
    row.away = True
    row.bot = level(live.row)
    row.draft = []
    live.drop_plan(row.seat)
    row.revision += 1
    stop(live, row)
    live.row.votes = {}
    live.log_event("stand_in", now, seat=row.seat, name=row.name, bot=row.bot)
    live.mark_changed(row.seat)
    live.wake_competition(now)
    lifecycle.schedule_next(live, now)


def release_seat(live: LiveTable, row: SeatRow, now: int, *, removed: bool = False) -> None:
    """Free a seat before the start, after its player has left, declined, withdrawn or was removed.

    Args:
        live: The table.
        row: The seat.
        now: The current time in milliseconds.
        removed: Whether the host has removed the player, or has declined the request.
    """
    live.log_event(_RELEASED[row.kind, removed], now, seat=row.seat, name=row.name)
    chance_rounds.drop_seal(live, row, now, "left", (row.seat,))
    row.kind, row.user_id, row.name = permissions.free_kind(live.row), None, ""
    row.calendar, row.guest = {}, False
    live.mark_changed(row.seat)
    live.pending.finished_jobs.append(f"start:{live.row.id}")


def give_seat_to_bot(live: LiveTable, row: SeatRow, now: int, level: str) -> None:
    """Give the seat of a deleted account to a bot before the start of a competition's game.

    Args:
        live: The table.
        row: The seat.
        now: The current time in milliseconds.
        level: Level of the bot.
    """
    chance_rounds.drop_seal(live, row, now, "seat")
    row.kind, row.bot, row.name, row.guest = "bot", level, level, False
    live.mark_changed(row.seat)


def notify_of_request(live: LiveTable, row: SeatRow, now: int) -> None:
    """Notify the host of a person who asks for a seat.

    Args:
        live: The table.
        row: The seat.
        now: The current time in milliseconds.
    """
    live.notify("request", live.row.host, now, mark=f"{row.seat}.{row.revision}", name=row.name)


def transfer_host(live: LiveTable, user_id: str, now: int) -> bool:
    """Make another person host if the user has no seat any more.

    The new host is notified of people who ask for a seat.

    Args:
        live: The table.
        user_id: The user who left.
        now: The current time in milliseconds.

    Returns:
        Whether the table has a host.
    """
    if live.row.host == user_id and not live.seats_of(user_id):
        others = [seat.user_id for seat in live.seats if seat.kind == "person" and seat.user_id]
        if not others:
            return False
        live.row.host = others[0]
        for row in live.seats:
            if row.kind == "request":
                notify_of_request(live, row, now)
    return True


@dataclass(slots=True)
class LeaveSeat(Command[None]):
    """Leave a seat, decline a reserved one or withdraw a request.

    Attributes:
        user: The user.
        seat: The seat.
        level: Returns the level of the bot that takes over.
    """

    name: ClassVar[str] = "leave"
    user: User
    seat: int
    level: Level

    def apply(self, live: LiveTable, now: int) -> None:
        """Free the seat before the start; replace the player with a bot later."""
        row = live.seats[permissions.require_seat(live, self.seat)]
        waits = permissions.is_reserved_for(row, self.user) or permissions.is_asked_for_by(row, self.user)
        if live.row.status == "gathering" and waits:
            release_seat(live, row, now)
            return
        row = permissions.require_own_seat(live, self.user, self.seat)
        if live.row.status == "gathering":
            permissions.require_no_competition(live)
            release_seat(live, row, now)
            if not transfer_host(live, self.user.id, now):
                lifecycle.cancel(live, now)
        elif live.row.status == "running":
            if row.away:
                raise Refused("nothing", 409, "a bot plays this seat already")
            replace_with_bot(live, row, "resigned", self.level, now)
        else:
            raise Refused("over", 409, "this game isn't running")


@dataclass(slots=True)
class ReturnToSeat(Command[None]):
    """Return to a seat that a bot plays."""

    name: ClassVar[str] = "come back"
    user: User
    seat: int

    def apply(self, live: LiveTable, now: int) -> None:
        """Give the seat back to its player, and ask them if it is their turn."""
        row = permissions.require_own_seat(live, self.user, self.seat)
        permissions.require_running(live)
        if not row.away:
            raise Refused("nothing", 409, "no bot plays this seat")
        if not permissions.may_return(live, self.user):
            raise Refused("dropped_out", 409, "you dropped out of this competition, so a bot finishes the game")
        row.away = False
        row.bot = row.departure = ""
        row.revision += 1
        stop(live, row)
        if live.row.clock is not None and row.bank_ms is not None:
            # A player who timed out returns with at least one increment.
            row.bank_ms = max(row.bank_ms, 1000 * live.row.clock["increment_s"])
        live.log_event("returned", now, seat=self.seat, name=row.name)
        live.mark_changed(self.seat)
        lifecycle.schedule_next(live, now)
