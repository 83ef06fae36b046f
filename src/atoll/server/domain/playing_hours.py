"""Clock schedules: playing hours, weekends, vacations and pauses of a table.

All moments are milliseconds since 1970, UTC. Days and hours are those of the person's time zone.
The hours of a night belong to the day on which they begin.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from functools import lru_cache
from typing import Final
from zoneinfo import ZoneInfo, available_timezones

from msgspec import Struct

DAY_MS: Final = 86_400_000
_SATURDAY: Final = 5
_FOREVER: Final = 1 << 62

Span = tuple[int, int]


class Calendar(Struct, frozen=True):
    """A person's playing hours, for tables whose time control respects them.

    Attributes:
        zone: Name of the time zone, or "" for UTC.
        first: Hour of the day at which playing begins.
        last: Hour at which it ends; equal to `first` for the whole day.
        vacation: Spans in which clocks stand still, in milliseconds UTC.
        quiet: First and last hour without notifications; equal for none.
    """

    zone: str = ""
    first: int = 0
    last: int = 0
    vacation: tuple[tuple[int, int], ...] = ()
    quiet: tuple[int, int] = (0, 0)


class Vacation(Struct, frozen=True):
    """A person's days of vacation in this year.

    Attributes:
        allowed: Days per year.
        taken: Days taken so far.
    """

    allowed: int
    taken: int


@lru_cache(maxsize=1)
def zones() -> frozenset[str]:
    """Return the names of all time zones."""
    return frozenset(available_timezones())


def zone_of(name: str) -> ZoneInfo:
    """Return the time zone with this name, or UTC if it is unknown."""
    return ZoneInfo(name if name in zones() else "UTC")


def days(span: Span) -> int:
    """Return the days of vacation that a span costs; a day that has begun counts."""
    return -(-(span[1] - span[0]) // DAY_MS)


def first_days(spans: Sequence[Span], start: int, most: int) -> list[Span]:
    """Return the first days of vacations after a moment.

    Args:
        spans: The vacations.
        start: The moment, in milliseconds.
        most: Largest number of days.
    """
    found = []
    left = most * DAY_MS
    for begin, end in sorted(spans):
        first = max(begin, start)
        last = min(end, first + left)
        if first < last:
            found.append((first, last))
            left -= last - first
    return found


def year_of(moment: int) -> int:
    """Return the year that a day of vacation counts for."""
    return datetime.fromtimestamp(moment / 1000, UTC).year


def midnight(zone: str, day: date) -> int:
    """Return the moment at which a day begins in a time zone."""
    return _moment(zone_of(zone), day, 0)


def _moment(zone: ZoneInfo, day: date, hour: int) -> int:
    return int(1000 * datetime(day.year, day.month, day.day, hour, tzinfo=zone).timestamp())


@dataclass(frozen=True, slots=True)
class ClockSchedule:
    """The times at which a person's clock runs.

    Attributes:
        calendar: The person's calendar.
        hours: Whether the clock stops outside of the playing hours.
        weekend: Whether it stops on weekends.
        still: Other spans in which it stops.
    """

    calendar: Calendar
    hours: bool = False
    weekend: bool = False
    still: Sequence[Span] = ()

    def elapsed(self, begin: int, end: int) -> int:
        """Return for how many milliseconds the clock runs between two moments."""
        found = 0
        for first, last in self._spans(begin):
            if first >= end:
                break
            found += min(last, end) - first
        return found

    def after(self, begin: int, amount: int) -> int:
        """Return when the clock has run for `amount` milliseconds; for 0, when it runs next."""
        for first, last in self._spans(begin):
            if amount <= last - first:
                return first + amount
            amount -= last - first
        raise AssertionError

    def _spans(self, begin: int) -> Iterator[Span]:
        """Yield the spans in which the clock runs, from a moment on and without end."""
        still = sorted(span for span in self.still if span[1] > begin)
        for first, last in self._open(begin):
            for stop, again in still:
                if stop >= last:
                    break
                if stop > first:
                    yield first, stop
                first = max(first, again)  # noqa: PLW2901 - the rest of the span
            if first < last:
                yield first, last

    def _open(self, begin: int) -> Iterator[Span]:
        first, last = (self.calendar.first, self.calendar.last) if self.hours else (0, 0)
        if first == last and not self.weekend:
            yield begin, _FOREVER
            return
        zone = zone_of(self.calendar.zone)
        day = datetime.fromtimestamp(begin / 1000, zone).date() - timedelta(1)
        if first == last:
            first = last = 0
        while True:
            following = day + timedelta(1)
            if not (self.weekend and day.weekday() >= _SATURDAY):
                opens = max(begin, _moment(zone, day, first))
                closes = _moment(zone, following if last <= first else day, last)
                if opens < closes:
                    yield opens, closes
            day = following
