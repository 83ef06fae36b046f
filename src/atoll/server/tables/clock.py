"""Clocks: since when a seat is asked, how much of its time is left, and when that is up."""

from __future__ import annotations

from atoll.store import SeatRow

from .live import Live


def _runs(live: Live, seat: SeatRow) -> bool:
    return live.row.clock is not None and seat.kind == "person" and not seat.away


def ask(live: Live, seat: SeatRow, is_asked: bool, now: int) -> None:
    """From now on this seat is asked, or isn't: its time runs, or stops and is refilled."""
    clock = live.row.clock
    if is_asked and seat.asked is None:
        seat.asked = now
        if clock is not None and _runs(live, seat) and seat.bank_ms is None:
            seat.bank_ms = 1000 * clock["bank_s"]
        live.pending.seats.add(seat.seat)
    elif not is_asked and seat.asked is not None:
        if _runs(live, seat) and seat.bank_ms is not None:
            seat.bank_ms = max(0, seat.bank_ms - max(0, now - seat.asked))
        seat.asked = None
        live.pending.seats.add(seat.seat)
        # A sealed answer can be taken back and given again; time is added once, when it is opened.
        if live.position is None or seat.seat not in live.position.sealed_answers:
            refill(live, seat)


def refill(live: Live, seat: SeatRow) -> None:
    """A turn of this seat has ended: it gets the increment, up to the cap."""
    clock = live.row.clock
    if clock is not None and seat.bank_ms is not None and _runs(live, seat):
        seat.bank_ms = min(seat.bank_ms + 1000 * clock["increment_s"], 1000 * clock["cap_s"])
        live.pending.seats.add(seat.seat)


def deadlines(live: Live) -> dict[int, int]:
    """When the time of each seat that is asked and has a clock runs out."""
    return {
        seat.seat: seat.asked + seat.bank_ms
        for seat in live.seats
        if seat.asked is not None and seat.bank_ms is not None and _runs(live, seat)
    }


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
