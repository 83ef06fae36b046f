"""Playing hours and vacations, which the clocks of all tables respect.

A calendar is stored with its person and copied to each of their seats, so that a clock needs no
other data. Changed hours apply from the next turn on, vacations immediately.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import date
from typing import ClassVar, Final

import msgspec

from atoll.store import Store

from ..domain import wall_clock
from ..domain.model import Refused, User
from ..domain.playing_hours import DAY_MS, Calendar, Span, Vacation, days, midnight, year_of, zones
from ..table import permissions
from ..table.clock import calendar_of, clock_of, has_vacation_left, recompute
from ..table.live_table import LiveTable
from .commands import Command
from .executor import CommandExecutor
from .store_errors import refuse_on_store_error
from .users import Users, user_of

LEAST_HOURS: Final = 8
"""Smallest number of playing hours per day; with fewer hours tables would stand still."""

_LEAST: Final = {"least": LEAST_HOURS}
_KEPT_MS: Final = 2 * 366 * DAY_MS
_AHEAD_MS: Final = 366 * DAY_MS


def checked_hours(zone: str, first: int, last: int) -> None:
    """Check a time zone and playing hours.

    Args:
        zone: Name of the time zone, or "" for UTC.
        first: Hour at which playing begins.
        last: Hour at which it ends; equal to `first` for the whole day.

    Raises:
        Refused: If the zone is unknown, or the hours are invalid or too few.
    """
    if zone and zone not in zones():
        raise Refused("bad_zone", 422, f"unknown time zone {zone[:40]!r}: use a name such as Europe/Berlin")
    if not (0 <= first <= 23 and 0 <= last <= 23):
        raise Refused("bad_hours", 422, "playing hours begin and end at a full hour from 0 to 23", fields=_LEAST)
    if first != last and (last - first) % 24 < LEAST_HOURS:
        raise Refused("bad_hours", 422, f"playing hours: at least {LEAST_HOURS} a day", fields=_LEAST)


class Calendars:
    """Playing hours and vacations of users."""

    def __init__(self, executor: CommandExecutor, users: Users) -> None:
        self._executor: CommandExecutor = executor
        self._store: Store = executor.store
        self._users: Users = users
        self._allowed: int = executor.settings.vacation_days

    async def set_hours(self, who: User | None, zone: str, first: int, last: int) -> User:
        """Set the user's playing hours; open turns keep their time.

        Args:
            who: The user.
            zone: Name of the time zone, or "" for UTC.
            first: Hour at which playing begins.
            last: Hour at which it ends; equal to `first` for the whole day.

        Returns:
            The user with the new calendar.

        Raises:
            Refused: If the zone is unknown, or the hours are invalid or too few.
        """
        user = permissions.require_user(who)
        checked_hours(zone, first, last)
        return await self._change(user.id, lambda old: msgspec.structs.replace(old, zone=zone, first=first, last=last))

    async def set_quiet(self, who: User | None, first: int, last: int) -> User:
        """Set the user's quiet hours, during which no notifications are sent.

        Args:
            who: The user.
            first: Hour at which they begin, in the user's time zone.
            last: Hour at which they end; equal to `first` for none.

        Returns:
            The user with the new calendar.

        Raises:
            Refused: If an hour isn't valid.
        """
        user = permissions.require_user(who)
        if not (0 <= first <= 23 and 0 <= last <= 23):
            raise Refused("bad_hours", 422, "quiet hours begin and end at a full hour from 0 to 23", fields=_LEAST)
        return await self._change(user.id, lambda old: msgspec.structs.replace(old, quiet=(first, last)))

    def vacation(self, who: User | None) -> Vacation:
        """Return the user's days of vacation in this year."""
        user = permissions.require_user(who)
        return Vacation(self._allowed, _days_taken(user.calendar, year_of(wall_clock.now_ms())))

    async def take(self, who: User | None, count: int, begin: date | None = None) -> User:
        """Start or plan a vacation.

        Args:
            who: The user.
            count: Number of days.
            begin: First day in the user's time zone, or None for now.

        Returns:
            The user with the new calendar.

        Raises:
            Refused: If it begins too late, is too long, or overlaps another vacation.
        """
        user = permissions.require_user(who)
        now = wall_clock.now_ms()

        def taken(old: Calendar) -> Calendar:
            """Add the vacation to a calendar."""
            first = now if begin is None else max(now, midnight(old.zone, begin))
            if first > now + _AHEAD_MS:
                raise Refused("bad_vacation", 422, "a vacation begins within a year")
            span = (first, first + count * DAY_MS)
            rest = self._allowed - _days_taken(old, year_of(first))
            if not 1 <= count <= rest:
                fields = {"rest": max(0, rest)}
                raise Refused("no_vacation", 409, f"days of vacation: 1 to {max(0, rest)} in this year", fields=fields)
            if any(begins < span[1] and span[0] < ends for begins, ends in old.vacation):
                raise Refused("on_vacation", 409, "these days are vacation already")
            return _with_vacation(old, span, now)

        return await self._change(user.id, taken)

    async def end(self, who: User | None) -> User:
        """End the current vacation and cancel planned ones; only days that have begun count.

        Args:
            who: The user.

        Returns:
            The user with the new calendar.

        Raises:
            Refused: If there is nothing to end.
        """
        user = permissions.require_user(who)
        now = wall_clock.now_ms()

        def ended(old: Calendar) -> Calendar:
            """Remove what hasn't begun."""
            spans = tuple((begin, min(end, now)) for begin, end in old.vacation if begin < now)
            if spans == old.vacation:
                raise Refused("nothing", 409, "you aren't on vacation")
            return msgspec.structs.replace(old, vacation=spans)

        return await self._change(user.id, ended)

    async def take_day_before_timeout(self, table: str) -> None:
        """Take a day of vacation for players whose time has run out, if the clock allows it."""
        now = wall_clock.now_ms()
        async with self._executor.locked(table) as live:
            clock = clock_of(live.row)
            if live.row.status != "running" or clock is None or not clock.vacation:
                return
            late = {
                seat.user_id
                for seat in live.seats
                if seat.due is not None and seat.due <= now and has_vacation_left(live.row, calendar_of(seat))
            }
        for user_id in late - {None}:
            assert user_id is not None

            def taken(old: Calendar) -> Calendar:
                """Add a day from now on, unless the person is on vacation or has no days left."""
                away = any(begin <= now < end for begin, end in old.vacation)
                spent = _days_taken(old, year_of(now)) >= self._allowed
                return old if away or spent else _with_vacation(old, (now, now + DAY_MS), now)

            await self._change(user_id, taken, table)

    async def _change(self, user_id: str, change: Callable[[Calendar], Calendar], first: str = "") -> User:
        """Change a user's calendar and then their clocks.

        Args:
            user_id: The user.
            change: Returns the new calendar.
            first: Table to update before others.

        Returns:
            The user with the new calendar.

        Raises:
            Refused: If the user doesn't exist any more.
        """
        while True:
            with refuse_on_store_error():
                row = await self._store.user(user_id)
            if row is None:
                raise Refused("sign_in", 401, "enter a name first")
            new = change(msgspec.convert(row.calendar, Calendar))
            plain = msgspec.to_builtins(new)
            with refuse_on_store_error():
                if plain == row.calendar or await self._store.change_calendar(user_id, row.calendar, plain):
                    break
        self._users.forget(user_id)
        with refuse_on_store_error():
            tables = await self._store.open_tables_of(user_id)
        open_ = [game.id for game, _ in tables if game.status in ("gathering", "running")]
        for table in sorted(open_, key=lambda table: table != first):
            await self._executor.execute(table, ApplyCalendar(user_id, new))
        row.calendar = plain
        return user_of(row)


def _days_taken(calendar: Calendar, year: int) -> int:
    return sum(days(span) for span in calendar.vacation if year_of(span[0]) == year)


def _with_vacation(calendar: Calendar, span: Span, now: int) -> Calendar:
    """Return a calendar with one more vacation, without those of earlier years."""
    recent = [each for each in calendar.vacation if each[1] > now - _KEPT_MS]
    return msgspec.structs.replace(calendar, vacation=tuple(sorted([*recent, span])))


@dataclass(slots=True)
class ApplyCalendar(Command[None]):
    """Apply a person's new calendar to their clock at a table.

    Attributes:
        user_id: The person.
        calendar: Their new calendar.
    """

    name: ClassVar[str] = "heed calendar"
    requires_visibility: ClassVar[bool] = False
    user_id: str
    calendar: Calendar
    user: None = None

    def apply(self, live: LiveTable, now: int) -> None:
        """Copy the calendar to the person's seats and recompute their clocks."""
        mine = [live.seats[seat] for seat in live.seats_of(self.user_id)]
        if all(calendar_of(seat) == self.calendar for seat in mine):
            return
        clock = clock_of(live.row)
        before = {moment for seat in mine for moment in calendar_of(seat).vacation}
        plain = msgspec.to_builtins(self.calendar)

        def change() -> None:
            """Copy the calendar."""
            for seat in mine:
                seat.calendar = plain

        if set(self.calendar.vacation) == before:
            change()
        else:
            recompute(live, mine, now, change)
            new = set(self.calendar.vacation) - before
            if live.row.status == "running" and clock is not None and clock.vacation:
                for begin, end in new:
                    if begin <= now < end:
                        live.log_event("vacation", now, seat=mine[0].seat, name=mine[0].name, n=days((now, end)))
        live.mark_changed(*(seat.seat for seat in mine))
