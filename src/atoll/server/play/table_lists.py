"""Lists of tables: the lobby, one's own; and a table's seats as everybody may see them."""

from __future__ import annotations

import functools
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from typing import Final, Literal

from atoll.engine import Position
from atoll.store import GameRow, SeatRow, Store

from ..domain import wall_clock
from ..domain.model import Clock, SeatInfo, User
from ..domain.table_card import TableCard
from ..table.clock import calendar_of, clock_of, is_paused
from ..table.clock import left as time_left
from ..table.permissions import is_kept_for, no_table, signed_in
from .store_errors import database

PAGE: Final = 30
"""Tables on a page of the lobby."""

_NEVER: Final = datetime.max.replace(tzinfo=UTC)
_ORDER: Final = {"running": 0, "repair": 0, "gathering": 1}


class Lists:
    """Tables to choose from. per_host: how many that gather, and that run, the lobby shows of one host."""

    def __init__(self, store: Store, per_host: int) -> None:
        self._store: Store = store
        self._per_host: int = per_host

    async def lobby(self, who: User | None, page: int = 0, game: str = "") -> tuple[TableCard, ...]:
        """A page of the tables that are listed for all, at most PAGE.

        First those that gather, who waits longest first; then those that run. Of each kind a host has only a few.
        game: of this one alone.
        """
        with database():
            found = await self._store.lobby(page * PAGE, PAGE, self._per_host, game)
        return tuple(card(row, seats, who) for row, seats in found)

    async def mine(self, who: User | None) -> tuple[TableCard, ...]:
        """The tables that aren't over where this person holds a seat or has one kept for it; its turn first."""
        user = signed_in(who)
        with database():
            found = await self._store.open_tables_of(user.id)
        cards = [card(row, seats, who) for row, seats in found]
        return tuple(sorted(cards, key=lambda card: (not card.my_turn, _ORDER[card.status])))

    async def ended(
        self, who: User | None, limit: int, before: str = "", *, status: Literal["", "over", "cancelled"] = ""
    ) -> tuple[TableCard, ...]:
        """The tables where this person held a seat and that are over or were cancelled, those that ended last first.

        before: one of them, after which the others come; new ones change nothing in these pages. status: of one kind
        alone; of those that were cancelled only games that had begun.
        """
        user = signed_in(who)
        with database():
            at = await self._store.ended(before, user.id) if before else None
            if before and at is None:
                raise no_table()
            found = await self._store.ended_tables_of(
                user.id, limit, None if at is None else (at, before), status=status
            )
        return tuple(card(row, seats, who) for row, seats in found)

    async def next(self, who: User | None, after: str) -> str:
        """The table that waits for me first by time left, besides the one that I come from; "" if none does."""
        waiting = (card.id for card in by_time_left(await self.mine(who)) if card.my_turn and card.id != after)
        return next(waiting, "")

    async def has_next(self, who: User | None, after: str) -> bool:
        """Return whether `next` has a table to lead to."""
        with database():
            return await self._store.is_awaited_elsewhere(signed_in(who).id, after)


def by_time_left(cards: Iterable[TableCard]) -> list[TableCard]:
    """Tables that wait for the reader before others; first those whose time is up first."""
    return sorted(cards, key=lambda card: (not card.my_turn, card.due or _NEVER))


@functools.lru_cache(4096)
def moment(at: int) -> datetime:
    """A time that is kept in milliseconds, for people."""
    return datetime.fromtimestamp(at / 1000, UTC)


def card(row: GameRow, seats: Sequence[SeatRow], who: User | None) -> TableCard:
    """A table as it stands in lists."""
    infos = seat_infos(row, seats, who, None)
    result = row.result or {"places": (), "totals": ()}
    return TableCard(
        id=row.id,
        game=row.game,
        status=row.status,  # type: ignore[arg-type]
        options=row.options,
        clock=clock_of(row),
        seats=infos,
        advice=row.advice,
        my_turn=any(info.mine and info.to_move and not seat.away for info, seat in zip(infos, seats, strict=True)),
        created=moment(row.created),
        changed=moment(row.changed),
        paused_until=paused_until(row),
        due=min((info.due for info in infos if info.mine and info.due is not None), default=None),
        places=tuple(result["places"]),
        totals=tuple(result["totals"]),
        ended=None if seats[0].ended is None else moment(seats[0].ended),
        invited=who is not None and row.status == "gathering" and any(is_kept_for(seat, who) for seat in seats),
    )


def paused_until(row: GameRow) -> datetime | None:
    """Until when no clock of a running game runs; None if they do."""
    paused = row.status == "running" and row.pause is not None and is_paused(row, wall_clock.now_ms())
    return moment(row.pause[1]) if paused and row.pause is not None else None


def _vacation(clock: Clock | None, seat: SeatRow, now: int) -> datetime | None:
    """Until when whoever sits there is on vacation, as far as its clock heeds that."""
    if clock is None or not clock.vacation:
        return None
    return next((moment(end) for begin, end in calendar_of(seat).vacation if begin <= now < end), None)


def seat_infos(
    row: GameRow, seats: Sequence[SeatRow], who: User | None, position: Position | None
) -> tuple[SeatInfo, ...]:
    """A table's seats. position: of the game, where it is known who has answered a sealed decision."""
    now = wall_clock.now_ms()
    clock = clock_of(row)
    ready = None if position is None else position.ready
    infos = []
    for seat in seats:
        left: int | None = None
        timed = clock is not None and row.status == "running" and seat.kind == "person" and not seat.away
        # What is left after a sealed answer would tell when it was given.
        if timed and clock is not None and (ready is None or seat.asked is not None):
            left = 60 * -(-time_left(row, clock, seat, now) // 60_000)
        infos.append(
            SeatInfo(
                seat=seat.seat,
                kind=seat.kind,  # type: ignore[arg-type]
                name=seat.name,
                mine=who is not None and seat.user_id == who.id and seat.kind == "person",
                bot=seat.bot,
                stand_in=seat.away,
                to_move=seat.asked is not None,
                ready=None if ready is None else ready[seat.seat],
                contributed=bool(seat.share),
                time_left_s=left,
                committed=bool(seat.commitment),
                due=moment(seat.due) if seat.due is not None and timed else None,
                overdue=seat.overdue,
                vacation_until=_vacation(clock, seat, now) if timed else None,
            )
        )
    return tuple(infos)
