"""Quick match: people who look for a game now are seated together.

A seeker's page reports again every few seconds; a seeker who doesn't report has left. Each report
looks for a group. The server that completes a group creates its table in one transaction, which
fails if one of the seekers has left or has found another table. It makes no difference which
servers the seekers use.
"""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from typing import Final

from msgspec import Struct

from atoll.store import SeekerRow, Store, WriteConflict

from ..domain import wall_clock
from ..domain.limits import Limits
from ..domain.matching import ANY, OFFER_S, RANGES, Seeker, match
from ..domain.model import NewTable, Refused, SeatPlan, User
from ..domain.paces import PACES
from ..table import permissions
from ..table.live_table import LiveTable
from .executor import CommandExecutor
from .ratings import Ratings
from .store_errors import refuse_on_store_error
from .table_factory import start_times
from .table_setup import TableSetup, seat_person
from .users import Users, user_of

_HERE_MS: Final = 5_000
"""Milliseconds after a report in which a seeker counts as here."""


class Wish(Struct, frozen=True):
    """A game that somebody looks for.

    Attributes:
        game: Id of the game.
        seats: Number of seats.
        pace: Name of the time control; see `PACES`.
        rated: Whether the game counts for ratings.
        range: Largest distance of the others' ratings at first, in points; 0 for all.
    """

    game: str
    seats: int
    pace: str = "quick"
    rated: bool = False
    range: int = 0


class Search(Struct, frozen=True):
    """The state of a search.

    Attributes:
        wish: The game, or None if the user doesn't look for one.
        table: Id of the table that was found, or "".
        waited_s: Seconds since the search began.
        others: Number of others who look for such a game now.
        offered: Whether a table in the lobby is the better way by now.
    """

    wish: Wish | None = None
    table: str = ""
    waited_s: int = 0
    others: int = 0
    offered: bool = False


class QuickMatch:
    """Searches for games with other people."""

    def __init__(
        self, executor: CommandExecutor, limits: Limits, users: Users, ratings: Ratings, setup: TableSetup
    ) -> None:
        self._executor: CommandExecutor = executor
        self._store: Store = executor.store
        self._limits: Limits = limits
        self._users: Users = users
        self._ratings: Ratings = ratings
        self._setup: TableSetup = setup

    async def begin(self, who: User | None, wish: Wish) -> Search:
        """Begin to look for a game; this replaces an earlier search.

        Args:
            who: The user.
            wish: The game.

        Returns:
            The state of the search.

        Raises:
            Refused: If the game can't be played like that, or a guest wants a rated game.
        """
        user = permissions.require_user(who)
        self._limits.hit("table", user.id)
        self._check(user, wish)
        mine = (await self._ratings.in_game(user.id, wish.game)).points
        low, high = (mine - wish.range, mine + wish.range) if wish.range else ANY
        now = wall_clock.now_ms()
        row = SeekerRow(user.id, wish.game, wish.seats, wish.pace, wish.rated, mine, low, high, now, now + _HERE_MS)
        with refuse_on_store_error():
            await self._store.seekers.begin(row)
        return await self.stay(user)

    def _check(self, user: User, wish: Wish) -> None:
        """Refuse a game that can't be played like that."""
        counts = [count for count in self._executor.catalogue.game(wish.game).seat_counts if count > 1]
        if wish.seats not in counts:
            allowed = ", ".join(map(str, counts))
            detail = f"{wish.game} can't be played with {wish.seats} people; allowed: {allowed}"
            raise Refused("bad_seats", 422, detail)
        if wish.pace not in PACES:
            raise Refused("bad_option", 422, f"unknown pace {wish.pace[:40]!r}; allowed: {', '.join(PACES)}")
        if wish.range not in RANGES:
            raise Refused("bad_option", 422, f"range: expected one of {', '.join(map(str, RANGES))}")
        if wish.rated:
            self._ratings.require_enabled()
            permissions.require_rated(user)
            if not user.has_account:
                raise Refused("accounts_only", 403, "only accounts have ratings: look for a friendly game")

    async def stay(self, who: User | None) -> Search:
        """Report that the user still looks for a game, and seat a group that is complete.

        Args:
            who: The user.

        Returns:
            The state of the search.

        Raises:
            Refused: If the user isn't signed in, or hosts too many tables.
        """
        user = permissions.require_user(who)
        now = wall_clock.now_ms()
        with refuse_on_store_error():
            row, others = await self._store.seekers.stay(user.id, now, now + _HERE_MS)
        if row is None:
            return Search()
        if row.rated:
            permissions.require_rated(user)
        others = await self._reachable(user, others)
        table = row.game_id or await self._found(user, row, others, now)
        waited = max(0, now - row.since) // 1000
        return Search(_wish(row), table, waited, len(others), not table and waited >= OFFER_S)

    async def _reachable(self, user: User, others: Sequence[SeekerRow]) -> list[SeekerRow]:
        """Return the others, so that no block keeps anybody of the group apart."""
        found: list[SeekerRow] = []
        for each in others:
            apart = (await self._executor.blocks.around(each.user_id)).apart
            if not apart.intersection((user.id, *(other.user_id for other in found))):
                found.append(each)
        return found

    async def _found(self, user: User, row: SeekerRow, others: Sequence[SeekerRow], now: int) -> str:
        """Create the table of a group that is complete now, and return its id, or ""."""
        group = match(_seeker(row), [_seeker(each) for each in others], row.players, now)
        if group is None:
            return ""
        with refuse_on_store_error():
            found = [await self._store.user(each.user_id) for each in group]
        people = [user_of(each) for each in found if each is not None]
        if len(people) < len(group) or (row.rated and any(each.standing.is_unrated for each in people)):
            return ""
        live = self._table(user, people, row)
        try:
            table = await self._executor.add(live, user, seekers=[person.id for person in people])
        except WriteConflict:
            return ""  # somebody has just left, or has found another table
        for person in people:
            await self._users.update_coach(person, row.game)
        return table

    def _table(self, host: User, people: list[User], row: SeekerRow) -> LiveTable:
        """Return the new table, with the people in random order."""
        secrets.SystemRandom().shuffle(people)
        plans = tuple(SeatPlan("me" if person.id == host.id else "open") for person in people)
        new = NewTable(row.game, plans, clock=PACES[row.pace], advice=False, rated=row.rated)
        live = self._setup.new(host, new)
        times = start_times(self._executor.settings)
        for seat, person in zip(live.seats, people, strict=True):
            if person.id != host.id:
                seat_person(live, seat, person, live.row.created, times)
        return live

    async def end(self, who: User | None) -> None:
        """Stop looking for a game.

        Args:
            who: The user.

        Raises:
            Refused: If the user isn't signed in.
        """
        with refuse_on_store_error():
            await self._store.seekers.end(permissions.require_user(who).id)

    async def open_table(self, who: User | None) -> str:
        """Stop looking, and open a table in the lobby that waits for others.

        Args:
            who: The user.

        Returns:
            The id of the table.

        Raises:
            Refused: If the user doesn't look for a game, or hosts too many tables.
        """
        user = permissions.require_user(who)
        now = wall_clock.now_ms()
        with refuse_on_store_error():
            row, _ = await self._store.seekers.stay(user.id, now, now + _HERE_MS)
        if row is None:
            raise Refused("nothing", 409, "you don't look for a game any more")
        if row.game_id is not None:
            return row.game_id
        plans = (SeatPlan("me"), *[SeatPlan("open")] * (row.players - 1))
        new = NewTable(row.game, plans, clock=PACES[row.pace], advice=False, rated=row.rated)
        table = await self._setup.create(user, new)
        await self.end(user)
        return table

    async def waiting(self) -> dict[str, int]:
        """Return the number of people who look for a game now, by game."""
        with refuse_on_store_error():
            return await self._store.seekers.count(wall_clock.now_ms())


def _wish(row: SeekerRow) -> Wish:
    return Wish(row.game, row.players, row.pace, row.rated, 0 if (row.low, row.high) == ANY else row.high - row.rating)


def _seeker(row: SeekerRow) -> Seeker:
    return Seeker(row.user_id, row.rating, row.low, row.high, row.since)
