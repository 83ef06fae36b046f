"""When people play: their hours and vacation, which their clocks at all tables heed.

What a person has set is kept with it, and with each of its seats, so that a clock needs nothing else. Hours that are
changed count from the next turn on, vacation at once.
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
from ..table.clock import calendar_of, clock_of, retime
from ..table.live_table import Live
from .commands import Command
from .executor import Keeper
from .store_errors import database
from .users import People, user_of

LEAST_HOURS: Final = 8
"""So many hours a day somebody plays at least: less would let a table stand still."""

_LEAST: Final = {"least": LEAST_HOURS}
_KEPT_MS: Final = 2 * 366 * DAY_MS
_AHEAD_MS: Final = 366 * DAY_MS


def checked_hours(zone: str, first: int, last: int) -> None:
    """Refuse hours and zones that don't exist, and hours that are too few. Raises Refused."""
    if zone and zone not in zones():
        raise Refused("bad_zone", 422, f"{zone[:40]!r} is no time zone; allowed: names such as Europe/Berlin")
    if not (0 <= first <= 23 and 0 <= last <= 23):
        raise Refused("bad_hours", 422, "playing hours begin and end at a full hour from 0 to 23", fields=_LEAST)
    if first != last and (last - first) % 24 < LEAST_HOURS:
        raise Refused("bad_hours", 422, f"playing hours: at least {LEAST_HOURS} a day", fields=_LEAST)


class Calendars:
    """Hours and vacation."""

    def __init__(self, keeper: Keeper, people: People) -> None:
        self._keeper: Keeper = keeper
        self._store: Store = keeper.store
        self._people: People = people
        self._allowed: int = keeper.settings.vacation_days

    async def set_hours(self, who: User | None, zone: str, first: int, last: int) -> User:
        """From when until when I play, in my time zone; the same hour twice: all day. Open turns keep their time."""
        user = permissions.signed_in(who)
        checked_hours(zone, first, last)
        return await self._change(user.id, lambda old: msgspec.structs.replace(old, zone=zone, first=first, last=last))

    async def set_quiet(self, who: User | None, first: int, last: int) -> User:
        """From which hour until which of my time zone I am not told of anything; the same hour twice: never."""
        user = permissions.signed_in(who)
        if not (0 <= first <= 23 and 0 <= last <= 23):
            raise Refused("bad_hours", 422, "quiet hours begin and end at a full hour from 0 to 23", fields=_LEAST)
        return await self._change(user.id, lambda old: msgspec.structs.replace(old, quiet=(first, last)))

    def vacation(self, who: User | None) -> Vacation:
        """My days of vacation in this year."""
        user = permissions.signed_in(who)
        return Vacation(self._allowed, _taken(user.calendar, year_of(wall_clock.now_ms())))

    async def take(self, who: User | None, count: int, begin: date | None = None) -> User:
        """Go on vacation for so many days, from now on or from the beginning of a day of my time zone."""
        user = permissions.signed_in(who)
        now = wall_clock.now_ms()

        def taken(old: Calendar) -> Calendar:
            first = now if begin is None else max(now, midnight(old.zone, begin))
            if first > now + _AHEAD_MS:
                raise Refused("bad_vacation", 422, "a vacation begins within a year")
            span = (first, first + count * DAY_MS)
            rest = self._allowed - _taken(old, year_of(first))
            if not 1 <= count <= rest:
                fields = {"rest": max(0, rest)}
                raise Refused("no_vacation", 409, f"days of vacation: 1 to {max(0, rest)} in this year", fields=fields)
            if any(begins < span[1] and span[0] < ends for begins, ends in old.vacation):
                raise Refused("on_vacation", 409, "these days are vacation already")
            return _with(old, span, now)

        return await self._change(user.id, taken)

    async def end(self, who: User | None) -> User:
        """My vacation is over, and none is planned any more; days that hadn't begun aren't counted."""
        user = permissions.signed_in(who)
        now = wall_clock.now_ms()

        def ended(old: Calendar) -> Calendar:
            spans = tuple((begin, min(end, now)) for begin, end in old.vacation if begin < now)
            if spans == old.vacation:
                raise Refused("nothing", 409, "you aren't on vacation")
            return msgspec.structs.replace(old, vacation=spans)

        return await self._change(user.id, ended)

    async def spare(self, table: str) -> None:
        """Before somebody at this table is timed out, a day of its vacation is taken, if the clock heeds that."""
        now = wall_clock.now_ms()
        async with self._keeper.held(table) as live:
            clock = clock_of(live.row)
            if live.row.status != "running" or clock is None or not clock.vacation:
                return
            late = {seat.user_id for seat in live.seats if seat.due is not None and seat.due <= now}
        for user_id in late - {None}:
            assert user_id is not None

            def taken(old: Calendar) -> Calendar:
                away = any(begin <= now < end for begin, end in old.vacation)
                spent = _taken(old, year_of(now)) >= self._allowed
                return old if away or spent else _with(old, (now, now + DAY_MS), now)

            await self._change(user_id, taken, table)

    async def _change(self, user_id: str, change: Callable[[Calendar], Calendar], first: str = "") -> User:
        """Change somebody's calendar, and then its clocks. first: the table where that is done before others."""
        while True:
            with database():
                row = await self._store.user(user_id)
            if row is None:
                raise Refused("sign_in", 401, "give yourself a name first")
            new = change(msgspec.convert(row.calendar, Calendar))
            plain = msgspec.to_builtins(new)
            with database():
                if plain == row.calendar or await self._store.change_calendar(user_id, row.calendar, plain):
                    break
        self._people.forget(user_id)
        with database():
            tables = await self._store.open_tables_of(user_id)
        open_ = [game.id for game, _ in tables if game.status in ("gathering", "running")]
        for table in sorted(open_, key=lambda table: table != first):
            await self._keeper.carry_out(table, Heed(user_id, new))
        row.calendar = plain
        return user_of(row)


def _taken(calendar: Calendar, year: int) -> int:
    return sum(days(span) for span in calendar.vacation if year_of(span[0]) == year)


def _with(calendar: Calendar, span: Span, now: int) -> Calendar:
    """With one more vacation; those of earlier years are forgotten."""
    kept = [each for each in calendar.vacation if each[1] > now - _KEPT_MS]
    return msgspec.structs.replace(calendar, vacation=tuple(sorted([*kept, span])))


@dataclass(slots=True)
class Heed(Command[None]):
    """A person's clock at this table goes by its calendar."""

    name: ClassVar[str] = "heed calendar"
    only_seen: ClassVar[bool] = False
    user_id: str
    calendar: Calendar
    user: None = None

    def act(self, live: Live, now: int) -> None:
        """See Command."""
        mine = [live.seats[seat] for seat in live.seats_of(self.user_id)]
        if all(calendar_of(seat) == self.calendar for seat in mine):
            return
        clock = clock_of(live.row)
        before = {moment for seat in mine for moment in calendar_of(seat).vacation}
        plain = msgspec.to_builtins(self.calendar)

        def change() -> None:
            for seat in mine:
                seat.calendar = plain

        if set(self.calendar.vacation) == before:
            change()
        else:
            retime(live, mine, now, change)
            new = set(self.calendar.vacation) - before
            if live.row.status == "running" and clock is not None and clock.vacation:
                for begin, end in new:
                    if begin <= now < end:
                        live.tell("vacation", now, seat=mine[0].seat, name=mine[0].name, n=days((now, end)))
        live.touch(*(seat.seat for seat in mine))
