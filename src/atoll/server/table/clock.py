"""Clocks: when the time of who is asked is up, and how much of it is left."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Final

import msgspec

from atoll.store import GameRow, SeatRow

from ..domain.model import Clock
from ..domain.playing_hours import Calendar, Running
from .live_table import Live

_SOON_MS: Final = 20_000
"""Whoever moves at once needn't be told."""

_REMINDED_MS: Final = 3_600_000
"""With less time nobody is reminded."""


def clock_of(row: GameRow) -> Clock | None:
    """How much time a table gives."""
    return None if row.clock is None else Clock(**row.clock)


def calendar_of(seat: SeatRow) -> Calendar:
    """When whoever sits there plays."""
    return msgspec.convert(seat.calendar, Calendar)


def running(row: GameRow, clock: Clock, seat: SeatRow) -> Running:
    """When a seat's time runs."""
    calendar = calendar_of(seat)
    still = [*(calendar.vacation if clock.vacation else ())]
    if row.pause is not None:
        still.append((row.pause[0], row.pause[1]))
    return Running(calendar, clock.hours, clock.weekend, still)


def left(row: GameRow, clock: Clock, seat: SeatRow, now: int) -> int:
    """How much time a seat has, in milliseconds."""
    bank = 1000 * clock.bank_s if seat.bank_ms is None else seat.bank_ms
    return bank if seat.due is None else min(bank, running(row, clock, seat).elapsed(now, seat.due))


def held(live: Live, seat: SeatRow, now: int) -> int | None:
    """What a seat's clock holds, in milliseconds; None as long as it has never run."""
    clock = clock_of(live.row)
    return seat.bank_ms if clock is None or seat.bank_ms is None else left(live.row, clock, seat, now)


def _runs(seat: SeatRow) -> bool:
    return seat.kind == "person" and not seat.away


def ask(live: Live, seat: SeatRow, is_asked: bool, now: int) -> None:
    """From now on this seat is asked, or isn't: its time runs, or stops and is refilled."""
    clock = clock_of(live.row)
    if is_asked and seat.asked is None:
        seat.asked = now
        if clock is not None and _runs(seat):
            if seat.bank_ms is None:
                seat.bank_ms = 1000 * clock.bank_s
            seat.due = running(live.row, clock, seat).after(now, seat.bank_ms)
        live.pending.seats.add(seat.seat)
        _tell(live, seat, now)
    elif not is_asked and seat.asked is not None:
        if clock is not None and seat.due is not None:
            seat.bank_ms = left(live.row, clock, seat, now)
        stop(live, seat)
        # A sealed answer can be taken back and given again; time is added once, when it is opened.
        if live.position is None or seat.seat not in live.position.sealed_answers:
            refill(live, seat)


def _tell(live: Live, seat: SeatRow, now: int) -> None:
    """Whoever is asked, and isn't playing alone, is told so; and again with half and a tenth of the time left."""
    if seat.user_id not in live.reached or not _runs(seat):
        return
    others = any(each.kind == "person" and each.user_id != seat.user_id for each in live.seats)
    if not (others or seat.due is not None):
        return
    live.notify("turn", seat.user_id, now, mark=f"{seat.seat}.{now}", asked=now, due=now + _SOON_MS, ends=seat.due)
    clock = clock_of(live.row)
    if clock is None or seat.due is None or seat.bank_ms is None or seat.bank_ms < _REMINDED_MS:
        return
    runs = running(live.row, clock, seat)
    for share in (50, 90):
        due = runs.after(now, seat.bank_ms * share // 100)
        mark = f"{seat.seat}.{now}.{share}"
        live.notify("reminder", seat.user_id, now, mark=mark, asked=now, due=due, ends=seat.due, share=share)


def stop(live: Live, seat: SeatRow) -> None:
    """This seat's time no longer runs; whoever is asked next gets it anew."""
    seat.asked = seat.due = None
    seat.overdue = False
    live.pending.seats.add(seat.seat)


def refill(live: Live, seat: SeatRow) -> None:
    """A turn of this seat has ended: it gets the increment, up to the cap."""
    clock = clock_of(live.row)
    if clock is not None and seat.bank_ms is not None and _runs(seat):
        seat.bank_ms = min(seat.bank_ms + 1000 * clock.increment_s, 1000 * clock.cap_s)
        live.pending.seats.add(seat.seat)


def retime(live: Live, seats: Iterable[SeatRow], now: int, change: Callable[[], None]) -> None:
    """Change when time runs: what is left to those who are asked stays the same."""
    clock = clock_of(live.row)
    found = (
        []
        if clock is None
        else [(seat, left(live.row, clock, seat, now)) for seat in seats if seat.due is not None and not seat.overdue]
    )
    change()
    for seat, rest in found:
        assert clock is not None
        seat.due = running(live.row, clock, seat).after(now, rest)
    set_alarm(live, live.row.status == "running")


def is_paused(row: GameRow, now: int) -> bool:
    """Whether no clock runs."""
    return row.pause is not None and row.pause[0] <= now < row.pause[1]


def deadlines(live: Live) -> dict[int, int]:
    """When the time of each seat that is asked and has a clock runs out; those are left out where it has."""
    return {seat.seat: seat.due for seat in live.seats if seat.due is not None and not seat.overdue}


def set_alarm(live: Live, running: bool) -> None:
    """When somebody has to look whether a time is up."""
    if live.row.clock is None:
        return
    due = min(deadlines(live).values(), default=None) if running else None
    if due == live.clock_due:
        return
    live.clock_due = due
    if due is None:
        live.pending.done.append(f"clock:{live.row.id}")
    else:
        live.set_job("clock", due)
