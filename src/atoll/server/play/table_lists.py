"""Lists of tables: the lobby, and a user's own tables; public information about seats."""

from __future__ import annotations

import functools
import time
from collections.abc import Awaitable, Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Final, Literal

from atoll.engine import Position
from atoll.store import ALL_TABLES, BlockedUsers, LobbyFilter, SeatRow, Store, TableRow

from ..domain import wall_clock
from ..domain.model import Clock, SeatInfo, User
from ..domain.settings import ServerSettings
from ..domain.table_card import TableCard
from ..table.clock import calendar_of, clock_of, is_paused
from ..table.clock import time_left_ms as time_left
from ..table.live_table import seat_stamp
from ..table.permissions import (
    has_named_person,
    is_asked_for_by,
    is_reserved_for,
    require_user,
    table_not_found,
)
from .store_errors import is_fresh, refuse_on_store_error
from .subscriptions import EventHub

PAGE: Final = 30
"""Number of tables on a page of the lobby."""

_MOST_PAGES: Final = 50
_NEVER: Final = datetime.max.replace(tzinfo=UTC)
_ORDER: Final = {"running": 0, "repair": 0, "gathering": 1}


@dataclass(frozen=True, slots=True)
class _CachedPage:
    """A page of the lobby in memory.

    Attributes:
        rows: Its tables with their seats.
        changes: Number of changes of the lobby before it was read.
        read_at: When it was read; see `is_fresh`.
        external_version: Value of `Store.external_version` at that time.
    """

    rows: Sequence[tuple[TableRow, list[SeatRow]]]
    changes: int
    read_at: float
    external_version: Hashable


class TableLists:
    """Lists of tables.

    Args:
        store: The database.
        hub: Counts the changes of the lobby.
        settings: Settings of the server.
        blocks_around: Returns the blocks around a user.
    """

    def __init__(
        self,
        store: Store,
        hub: EventHub,
        settings: ServerSettings,
        blocks_around: Callable[[str], Awaitable[BlockedUsers]],
        stands_since: Callable[[], int | None] = lambda: None,
    ) -> None:
        self._store: Store = store
        self._hub: EventHub = hub
        self._settings: ServerSettings = settings
        self._blocks_around: Callable[[str], Awaitable[BlockedUsers]] = blocks_around
        self._stands_since: Callable[[], int | None] = stands_since
        self._pages: dict[tuple[int, LobbyFilter], _CachedPage] = {}

    async def lobby(self, who: User | None, page: int = 0, only: LobbyFilter = ALL_TABLES) -> tuple[TableCard, ...]:
        """Return a page of the lobby with at most `PAGE` tables.

        Tables that wait for players come first, in the order of the filter. Running tables follow.
        Tables with somebody from whom a block keeps the reader apart are left out.

        Args:
            who: The reader, or None.
            page: Number of the page, from 0.
            only: The tables to list.
        """
        if who is not None and (await self._blocks_around(who.id)).apart:
            only = replace(only, reader=who.id)
        cached = self._pages.get((page, only))
        if cached is None or not self._is_current(cached):
            cached = await self._read_page(page, only)
        return tuple(card(row, seats, who, self._stands_since()) for row, seats in cached.rows)

    def _is_current(self, page: _CachedPage) -> bool:
        fresh = is_fresh(self._store, page.read_at, page.external_version, self._settings.trust_s)
        return fresh and page.changes == self._hub.lobby_changes

    async def _read_page(self, page: int, only: LobbyFilter) -> _CachedPage:
        changes, version, now = self._hub.lobby_changes, self._store.external_version(), time.monotonic()
        with refuse_on_store_error():
            ids = await self._store.lobby(self._settings.lobby_per_host, only)
            rows = await self._store.listed(ids[page * PAGE : (page + 1) * PAGE])
        if len(self._pages) >= _MOST_PAGES:
            self._pages.clear()
        cached = _CachedPage(rows, changes, now, version)
        if only.mu is None and not only.reader:  # ratings and blocks change without a change of the lobby
            self._pages[page, only] = cached
        return cached

    async def mine(self, who: User | None) -> tuple[TableCard, ...]:
        """Return the user's open tables, those where it is their turn first.

        Tables with a reserved seat are included.

        Args:
            who: The user, or None.

        Raises:
            Refused: If the user isn't signed in.
        """
        user = require_user(who)
        with refuse_on_store_error():
            found = await self._store.open_tables_of(user.id)
        cards = [card(row, seats, who, self._stands_since()) for row, seats in found]
        return tuple(sorted(cards, key=lambda card: (not card.my_turn, _ORDER[card.status])))

    async def ended(
        self, who: User | None, limit: int, before: str = "", *, status: Literal["", "over", "cancelled"] = ""
    ) -> tuple[TableCard, ...]:
        """Return the user's tables that are over or canceled, most recently ended first.

        Args:
            who: The user.
            limit: Largest number of tables.
            before: Id of a table; only tables after it in this order are returned. "" for the first
                page. New tables don't change the pages.
            status: "over" or "cancelled" for only these, and only games that had begun; "" for all.

        Raises:
            Refused: If the user isn't signed in or `before` isn't one of their ended tables.
        """
        user = require_user(who)
        with refuse_on_store_error():
            at = await self._store.end_of_table(before, user.id) if before else None
            if before and at is None:
                refused = table_not_found()
                raise refused
            found = await self._store.ended_tables_of(
                user.id, limit, None if at is None else (at, before), status=status
            )
        return tuple(card(row, seats, who) for row, seats in found)

    async def next(self, who: User | None, after: str) -> str:
        """Return the table where the user's time runs out first and that waits for them.

        Args:
            who: The user.
            after: Id of a table to leave out.

        Returns:
            The id of the table, or "".

        Raises:
            Refused: If the user isn't signed in.
        """
        waiting = (card.id for card in by_time_left(await self.mine(who)) if card.my_turn and card.id != after)
        return next(waiting, "")

    async def has_next(self, who: User | None, after: str) -> bool:
        """Return whether `next` has a result.

        Args:
            who: The user.
            after: Id of a table to leave out.

        Raises:
            Refused: If the user isn't signed in.
        """
        with refuse_on_store_error():
            return await self._store.is_awaited_elsewhere(require_user(who).id, after)


def by_time_left(cards: Iterable[TableCard]) -> list[TableCard]:
    """Return tables sorted: those that wait for the reader first, then by the end of their time."""
    return sorted(cards, key=lambda card: (not card.my_turn, card.due or _NEVER))


@functools.lru_cache(4096)
def moment(at: int) -> datetime:
    """Return a time in milliseconds as a UTC datetime."""
    return datetime.fromtimestamp(at / 1000, UTC)


def card(row: TableRow, seats: Sequence[SeatRow], who: User | None, stands_since: int | None = None) -> TableCard:
    """Return a table as an entry of a list.

    Args:
        row: The table.
        seats: Its seats.
        who: The reader, or None.
        stands_since: Time at which maintenance stopped all clocks, or None.
    """
    infos = seat_infos(row, seats, who, None, stands_since)
    gathers = row.status == "gathering"
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
        invited=who is not None and gathers and any(is_reserved_for(seat, who) for seat in seats),
        rated=row.rated,
        least_reliability=row.least_reliability,
        approval=row.approval,
        asks=who is not None and gathers and any(is_asked_for_by(seat, who) for seat in seats),
        is_asked=who is not None and who.id == row.host and gathers and any(seat.kind == "request" for seat in seats),
    )


def paused_until(row: TableRow) -> datetime | None:
    """Return the end of a pause of a running game's clocks; None if they run."""
    paused = row.status == "running" and row.pause is not None and is_paused(row, wall_clock.now_ms())
    return moment(row.pause[1]) if paused and row.pause is not None else None


def _vacation(clock: Clock | None, seat: SeatRow, now: int) -> datetime | None:
    """Return the end of a player's vacation if it stops their clock, or None."""
    if clock is None or not clock.vacation:
        return None
    return next((moment(end) for begin, end in calendar_of(seat).vacation if begin <= now < end), None)


def seat_infos(
    row: TableRow,
    seats: Sequence[SeatRow],
    who: User | None,
    position: Position | None,
    stands_since: int | None = None,
) -> tuple[SeatInfo, ...]:
    """Return public information about a table's seats.

    Args:
        row: The table.
        seats: Its seats.
        who: The reader, or None.
        position: The position, which knows who has answered a sealed decision; None if it isn't
            loaded.
        stands_since: Time at which maintenance stopped all clocks, or None.
    """
    now = wall_clock.now_ms() if stands_since is None else stands_since
    clock = clock_of(row)
    ready = None if position is None else position.sealed_ready
    infos = []
    for seat in seats:
        left_s: int | None = None
        timed = clock is not None and row.status == "running" and seat.kind == "person" and not seat.away
        # The time left after a sealed answer would disclose when it was given.
        if timed and clock is not None and (ready is None or seat.asked is not None):
            left_s = 60 * -(-time_left(row, clock, seat, now) // 60_000)
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
                time_left_s=left_s,
                due=moment(seat.due) if seat.due is not None and timed and stands_since is None else None,
                overdue=seat.overdue,
                vacation_until=_vacation(clock, seat, now) if timed else None,
                guest=has_named_person(seat) and seat.guest and bool(seat.name),
                account=has_named_person(seat) and not seat.guest and seat.user_id is not None,
                stamp=seat_stamp(row, seat) if seat.kind == "request" else "",
            )
        )
    return tuple(infos)
