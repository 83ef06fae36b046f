"""Clocks: the time left to the seats that are asked, and the moment when it runs out."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Final

import msgspec

from atoll.store import SeatRow, TableRow

from ..domain.model import Clock
from ..domain.playing_hours import DAY_MS, Calendar, ClockSchedule, first_days
from .live_table import LiveTable

_SOON_MS: Final = 20_000
"""Delay of a notification that it is somebody's turn. Players who move at once don't need one."""

SEASON_VACATION_DAYS: Final = 14
"""Largest number of days of vacation that stop the clock in a game of a competition."""

_REMINDED_MS: Final = 3_600_000
"""Smallest bank with which a player gets reminders."""


def clock_of(row: TableRow) -> Clock | None:
    """Return the time control of a table, or None."""
    return None if row.clock is None else Clock(**row.clock)


def calendar_of(seat: SeatRow) -> Calendar:
    """Return the calendar of the seat's player."""
    return msgspec.convert(seat.calendar, Calendar)


def clock_schedule(row: TableRow, clock: Clock, seat: SeatRow) -> ClockSchedule:
    """Return the schedule by which a seat's clock runs.

    Args:
        row: The table.
        clock: Its time control.
        seat: The seat.
    """
    calendar = calendar_of(seat)
    still = [*(calendar.vacation if clock.vacation else ())]
    if row.competition_id is not None:
        still = first_days(still, row.created, SEASON_VACATION_DAYS)
    if row.pause is not None:
        still.append((row.pause[0], row.pause[1]))
    return ClockSchedule(calendar, clock.hours, clock.weekend, still)


def has_vacation_left(row: TableRow, calendar: Calendar) -> bool:
    """Return whether another day of vacation would stop the clock of a player at a table."""
    if row.competition_id is None:
        return True
    spent = first_days(calendar.vacation, row.created, SEASON_VACATION_DAYS)
    return sum(end - begin for begin, end in spent) < SEASON_VACATION_DAYS * DAY_MS


def time_left_ms(row: TableRow, clock: Clock, seat: SeatRow, now: int) -> int:
    """Return the milliseconds left on a seat's clock.

    Args:
        row: The table.
        clock: Its time control.
        seat: The seat.
        now: The current time in milliseconds.
    """
    bank = 1000 * clock.bank_s if seat.bank_ms is None else seat.bank_ms
    return bank if seat.due is None else min(bank, clock_schedule(row, clock, seat).elapsed(now, seat.due))


def bank_ms(live: LiveTable, seat: SeatRow, now: int) -> int | None:
    """Return the milliseconds on a seat's clock, or None if the clock has never run.

    Args:
        live: The table.
        seat: The seat.
        now: The current time in milliseconds.
    """
    clock = clock_of(live.row)
    return seat.bank_ms if clock is None or seat.bank_ms is None else time_left_ms(live.row, clock, seat, now)


def _runs(seat: SeatRow) -> bool:
    return seat.kind == "person" and not seat.away


def start_or_stop(live: LiveTable, seat: SeatRow, is_asked: bool, now: int) -> None:
    """Start a seat's clock when the seat is asked, or stop and refill it when it isn't.

    Args:
        live: The table.
        seat: The seat.
        is_asked: Whether the seat is asked now.
        now: The current time in milliseconds.
    """
    clock = clock_of(live.row)
    if is_asked and seat.asked is None:
        seat.asked = now
        if clock is not None and _runs(seat):
            if seat.bank_ms is None:
                seat.bank_ms = 1000 * clock.bank_s
            seat.due = clock_schedule(live.row, clock, seat).after(now, seat.bank_ms)
        live.pending.seats.add(seat.seat)
        _notify_turn(live, seat, now)
    elif not is_asked and seat.asked is not None:
        if clock is not None and seat.due is not None:
            seat.bank_ms = time_left_ms(live.row, clock, seat, now)
        stop(live, seat)
        # A sealed answer can be taken back and given again. The increment is added once, when all
        # answers are opened.
        if live.position is None or seat.seat not in live.position.sealed_answers:
            refill(live, seat)


def _notify_turn(live: LiveTable, seat: SeatRow, now: int) -> None:
    """Notify the asked player, and again when 50 and 10 % of the time are left.

    Without other persons and without a clock nobody is notified.
    """
    if seat.user_id not in live.notifiable_users or not _runs(seat):
        return
    others = any(each.kind == "person" and each.user_id != seat.user_id for each in live.seats)
    if not (others or seat.due is not None):
        return
    live.notify("turn", seat.user_id, now, mark=f"{seat.seat}.{now}", asked=now, due=now + _SOON_MS, ends=seat.due)
    clock = clock_of(live.row)
    if clock is None or seat.due is None or seat.bank_ms is None or seat.bank_ms < _REMINDED_MS:
        return
    runs = clock_schedule(live.row, clock, seat)
    for share in (50, 90):
        due = runs.after(now, seat.bank_ms * share // 100)
        mark = f"{seat.seat}.{now}.{share}"
        live.notify("reminder", seat.user_id, now, mark=mark, asked=now, due=due, ends=seat.due, share=share)


def stop(live: LiveTable, seat: SeatRow) -> None:
    """Stop a seat's clock."""
    seat.asked = seat.due = None
    seat.overdue = False
    live.pending.seats.add(seat.seat)


def refill(live: LiveTable, seat: SeatRow) -> None:
    """Add the increment to a seat's clock after its turn, up to the cap."""
    clock = clock_of(live.row)
    if clock is not None and seat.bank_ms is not None and _runs(seat):
        seat.bank_ms = min(seat.bank_ms + 1000 * clock.increment_s, 1000 * clock.cap_s)
        live.pending.seats.add(seat.seat)


def recompute(live: LiveTable, seats: Iterable[SeatRow], now: int, change: Callable[[], None]) -> None:
    """Change the schedule of clocks so that the time left on running clocks stays the same.

    Args:
        live: The table.
        seats: The seats concerned.
        now: The current time in milliseconds.
        change: Makes the change.
    """
    clock = clock_of(live.row)
    found = (
        []
        if clock is None
        else [
            (seat, time_left_ms(live.row, clock, seat, now))
            for seat in seats
            if seat.due is not None and not seat.overdue
        ]
    )
    change()
    for seat, rest in found:
        assert clock is not None
        seat.due = clock_schedule(live.row, clock, seat).after(now, rest)
    schedule_timeout_check(live, live.row.status == "running")


def is_paused(row: TableRow, now: int) -> bool:
    """Return whether a pause stops all clocks."""
    return row.pause is not None and row.pause[0] <= now < row.pause[1]


def deadlines(live: LiveTable) -> dict[int, int]:
    """Return when each running clock runs out, by seat; seats that are overdue are left out."""
    return {seat.seat: seat.due for seat in live.seats if seat.due is not None and not seat.overdue}


def schedule_timeout_check(live: LiveTable, running: bool) -> None:
    """Set the job that checks for a timeout, or end it if no clock runs."""
    if live.row.clock is None:
        return
    due = min(deadlines(live).values(), default=None) if running else None
    if due == live.clock_due:
        return
    live.clock_due = due
    if due is None:
        live.pending.finished_jobs.append(f"clock:{live.row.id}")
    else:
        live.set_job("clock", due)
