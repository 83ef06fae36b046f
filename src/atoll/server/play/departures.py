"""What happens when a player leaves, and comes back: before the start the seat is free, later a bot stands in."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar

from atoll.store import GameRow, SeatRow

from ..domain.model import Refused, User
from ..table import lifecycle, permissions
from ..table.clock import stop
from ..table.live_table import Live
from .commands import Command
from .executor import Keeper
from .table_factory import share_anew

Level = Callable[[GameRow], str]
"""By which bot somebody is replaced at a table."""


class Leaving:
    """Going, and coming back."""

    def __init__(self, keeper: Keeper) -> None:
        self._keeper: Keeper = keeper

    async def leave(self, who: User | None, table: str, seat: int) -> None:
        """Leave a seat: before the start it becomes free, also one that is kept for me and that I don't want; later a
        bot plays it on, and I may come back.
        """
        await self._keeper.carry_out(table, Leave(permissions.signed_in(who), seat, self._keeper.catalogue.stand_in))

    async def come_back(self, who: User | None, table: str, seat: int) -> None:
        """Take my seat over from the bot again."""
        await self._keeper.carry_out(table, ComeBack(permissions.signed_in(who), seat))


def stand_in(live: Live, row: SeatRow, key: str, level: Level, now: int) -> None:
    """From now on a bot plays this person's seat. key: why, as the table is told."""
    live.tell(key, now, seat=row.seat, name=row.name)
    row.away = True
    row.bot = level(live.row)
    row.draft = []
    live.drop_plan(row.seat)
    row.revision += 1
    stop(live, row)
    live.row.votes = {}
    live.tell("stand_in", now, seat=row.seat, name=row.name, bot=row.bot)
    live.touch(row.seat)
    lifecycle.settle(live, now)


def free(live: Live, row: SeatRow, now: int) -> None:
    """Before the start: nobody sits here any more, or has a seat kept that it doesn't want."""
    live.tell("left" if row.kind == "person" else "declined", now, seat=row.seat, name=row.name)
    row.kind, row.user_id, row.name, row.share = permissions.free_kind(live.row), None, "", None
    row.commitment = None
    row.calendar = {}
    live.touch(row.seat)
    share_anew(live)
    live.pending.done.append(f"start:{live.row.id}")


def pass_on(live: Live, user_id: str) -> bool:
    """If a host has no seat any more, the first person left is host; whether there is one."""
    if live.row.host == user_id and not live.seats_of(user_id):
        others = [seat.user_id for seat in live.seats if seat.kind == "person" and seat.user_id]
        if not others:
            return False
        live.row.host = others[0]
    return True


@dataclass(slots=True)
class Leave(Command[None]):
    """Give a seat up."""

    name: ClassVar[str] = "leave"
    user: User
    seat: int
    level: Level

    def act(self, live: Live, now: int) -> None:
        """See Command."""
        row = live.seats[permissions.existing_seat(live, self.seat)]
        if live.row.status == "gathering" and permissions.is_kept_for(row, self.user):
            free(live, row, now)
            return
        row = permissions.own_seat(live, self.user, self.seat)
        if live.row.status == "gathering":
            free(live, row, now)
            if not pass_on(live, self.user.id):
                lifecycle.cancel(live, now)
        elif live.row.status == "running":
            if row.away:
                raise Refused("nothing", 409, "a bot plays this seat already")
            stand_in(live, row, "resigned", self.level, now)
        else:
            raise Refused("over", 409, "this game isn't running")


@dataclass(slots=True)
class ComeBack(Command[None]):
    """Take a seat back from the bot that stood in."""

    name: ClassVar[str] = "come back"
    user: User
    seat: int

    def act(self, live: Live, now: int) -> None:
        """See Command."""
        row = permissions.own_seat(live, self.user, self.seat)
        permissions.check_running(live)
        if not row.away:
            raise Refused("nothing", 409, "no bot plays this seat")
        row.away = False
        row.bot = ""
        row.revision += 1
        stop(live, row)
        if live.row.clock is not None and row.bank_ms is not None:
            # Who lost on time gets one increment to move on with.
            row.bank_ms = max(row.bank_ms, 1000 * live.row.clock["increment_s"])
        live.tell("returned", now, seat=self.seat, name=row.name)
        live.touch(self.seat)
        lifecycle.settle(live, now)
