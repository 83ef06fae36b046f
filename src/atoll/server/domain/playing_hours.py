"""When a person's time runs: in its playing hours, but not on weekends, on vacation, or while the table pauses.

All moments are milliseconds since 1970, UTC; days and hours are those of the person's time zone. A night's hours belong
to the day on which they begin.
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
    """When a person plays, for tables whose clock heeds that.

    zone: name of its time zone, "" for UTC. first, last: the hours of the day from and until when it plays; the same:
    all day. vacation: spans in which its time stands still, milliseconds UTC. quiet: from which hour until which it
    isn't told of anything; the same: never.
    """

    zone: str = ""
    first: int = 0
    last: int = 0
    vacation: tuple[tuple[int, int], ...] = ()
    quiet: tuple[int, int] = (0, 0)


class Vacation(Struct, frozen=True):
    """A person's days of vacation in this year: how many are allowed, how many it has taken."""

    allowed: int
    taken: int


@lru_cache(maxsize=1)
def zones() -> frozenset[str]:
    """The names of all time zones."""
    return frozenset(available_timezones())


def zone_of(name: str) -> ZoneInfo:
    """A time zone by its name; one that isn't known is UTC."""
    return ZoneInfo(name if name in zones() else "UTC")


def days(span: Span) -> int:
    """How many days of vacation a span counts as: those that have begun."""
    return -(-(span[1] - span[0]) // DAY_MS)


def year_of(moment: int) -> int:
    """The year that a day of vacation counts for."""
    return datetime.fromtimestamp(moment / 1000, UTC).year


def midnight(zone: str, day: date) -> int:
    """When a day begins in a time zone."""
    return _moment(zone_of(zone), day, 0)


def _moment(zone: ZoneInfo, day: date, hour: int) -> int:
    return int(1000 * datetime(day.year, day.month, day.day, hour, tzinfo=zone).timestamp())


@dataclass(frozen=True, slots=True)
class Running:
    """When somebody's time runs. hours, weekend: whether it stands still outside of its hours, and on weekends.

    still: spans in which it stands still besides.
    """

    calendar: Calendar
    hours: bool = False
    weekend: bool = False
    still: Sequence[Span] = ()

    def elapsed(self, begin: int, end: int) -> int:
        """How much time runs from one moment to another; 0 if that isn't later."""
        found = 0
        for first, last in self._spans(begin):
            if first >= end:
                break
            found += min(last, end) - first
        return found

    def after(self, begin: int, amount: int) -> int:
        """When so much time has run; of none, when it runs next."""
        for first, last in self._spans(begin):
            if amount <= last - first:
                return first + amount
            amount -= last - first
        raise AssertionError

    def _spans(self, begin: int) -> Iterator[Span]:
        """The spans in which it runs, from a moment on and without end."""
        still = sorted(span for span in self.still if span[1] > begin)
        for first, last in self._open(begin):
            for stop, again in still:
                if stop >= last:
                    break
                if stop > first:
                    yield first, stop
                first = max(first, again)  # noqa: PLW2901 - what is left of it
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
