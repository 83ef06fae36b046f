"""Profiles of accounts, following, and the statistics of a person."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Final

import msgspec

from atoll.store import ArchiveQuery, Opponent, PlaceCount, ResultRow, Store, UserRow

from ..domain import achievements, wall_clock
from ..domain.limits import Limits
from ..domain.model import Refused, User
from ..domain.profile import Achievement, Followed, GamePlaces, Profile, ProfileVisibility
from ..domain.progress import LearningProgress
from ..domain.statistics import (
    OpponentRecord,
    PersonalStatistics,
    PlayedScore,
    PointSource,
    SeatRecord,
)
from ..table import permissions
from .archive import Archive, account, shown_to, visibility_of
from .executor import CommandExecutor
from .presence import Presence
from .ratings import Ratings
from .store_errors import refuse_on_store_error
from .table_lists import moment

_RECENT: Final = 10
_MOST_RESULTS: Final = 1000
_MOST_PLAYED: Final = 10_000
"""Largest number of games in which achievements are looked for."""
_MOST_OPPONENTS: Final = 20
_MOST_FOLLOWED: Final = 500
_HERE_MS: Final = 5 * 60_000
"""Time after the last activity for which a person counts as being here."""


class Profiles:
    """Profiles, and the accounts that users follow.

    Args:
        executor: The executor.
        limits: Rate limits.
        archive: The archive.
        ratings: Ratings and reliability.
    """

    def __init__(
        self, executor: CommandExecutor, limits: Limits, archive: Archive, ratings: Ratings, presence: Presence
    ) -> None:
        self._presence: Presence = presence
        self._ratings: Ratings = ratings
        self._executor: CommandExecutor = executor
        self._store: Store = executor.store
        self._limits: Limits = limits
        self._archive: Archive = archive

    # -- profiles ----------------------------------------------------------------------------------

    async def profile(self, who: User | None, name: str) -> Profile:
        """Return the profile of an account, as a reader may see it.

        Args:
            who: The reader, or None.
            name: Name of the account.

        Raises:
            Refused: If no account has the name.
        """
        row = await account(self._store, name)
        shown = await self._shown(row, who)
        reader = None if who is None else who.id
        own = reader == row.id
        results = self._store.results
        with refuse_on_store_error():
            follows = reader is not None and not own and await results.follows(reader, row.id)
            together = 0 if reader is None or own else await results.games_between(reader, row.id)
            query = ArchiveQuery(reader, (reader or "", row.id), limit=1)
            last = await results.archive(query) if together else []
            places = await results.place_counts(row.id, reader) if "results" in shown else []
        recent = await self._archive.page(who, ArchiveQuery(reader, (row.id,), limit=_RECENT)) if places else ()
        return Profile(
            name=row.name,
            own=own,
            shown=tuple(sorted(shown)),
            since=moment(row.created) if "since" in shown else None,
            online=await self._is_here(row.id, row.seen) if "online" in shown else None,
            follows=follows,
            ratings=await self._ratings.of_user(row.id) if "ratings" in shown else (),
            reliability=await self._ratings.reliability(row.id) if "reliability" in shown else None,
            places=_places(places),
            recent=recent,
            together=together,
            last_together=last[0][1] if last else "",
            achievements=await self._achievements(row, reader) if "achievements" in shown else (),
        )

    async def of_seat(self, who: User | None, table: str, seat: int) -> str:
        """Return the name of the account that holds a seat.

        Args:
            who: The reader, or None.
            table: Id of the table.
            seat: The seat.

        Raises:
            Refused: If the reader may not see the table, or no account holds the seat.
        """
        async with self._executor.locked(table) as live:
            permissions.require_visible(live, who)
            found = live.seats[permissions.require_seat(live, seat)]
            user_id = found.user_id if permissions.has_named_person(found) and not found.guest else None
        with refuse_on_store_error():
            row = None if user_id is None else await self._store.user(user_id)
        if row is None or row.kind != "account":
            raise Refused("no_player", 404, f"seat {seat} has no account", fields={"name": ""})
        return row.name

    async def _shown(self, row: UserRow, who: User | None) -> frozenset[str]:
        """Return the parts of a profile that a reader sees on this server."""
        shown = await shown_to(self._store, row, who)
        if self._archive.is_open or (who is not None and who.id == row.id):
            return shown
        return shown - {"results", "statistics", "achievements"}

    async def _achievements(self, row: UserRow, reader: str | None) -> tuple[Achievement, ...]:
        with refuse_on_store_error():
            results = await self._store.results.results_of(row.id, reader, limit=_MOST_PLAYED)
            opponents = await self._store.results.opponents_of(row.id, reader, limit=10 * _MOST_PLAYED)
        learning = msgspec.convert(row.learning, LearningProgress)
        return achievements.achievements(_played(results, opponents), learning.streaks)

    async def statistics(self, who: User | None, name: str, game: str) -> PersonalStatistics:
        """Return the statistics of an account in a game, from the games that a reader may see.

        Args:
            who: The reader, or None.
            name: Name of the account.
            game: Id of the game.

        Raises:
            Refused: If no account has the name, or it doesn't show its statistics to the reader.
        """
        row = await account(self._store, name)
        if "statistics" not in await self._shown(row, who):
            raise Refused("not_shown", 403, f"{row.name} doesn't show statistics", fields={"name": row.name})
        reader = None if who is None else who.id
        with refuse_on_store_error():
            results = await self._store.results.results_of(row.id, reader, game, _MOST_RESULTS)
            opponents = await self._store.results.opponents_of(row.id, reader, game)
        return personal_statistics(row.name, game, results, opponents)

    async def _is_here(self, user_id: str, seen: int) -> bool:
        """Return whether a user is here: with an open page, or active a moment ago."""
        return seen > wall_clock.now_ms() - _HERE_MS or await self._presence.is_here(user_id)

    # -- the reader's own --------------------------------------------------------------------------

    async def visibility(self, who: User | None) -> ProfileVisibility:
        """Return who sees which part of the reader's profile.

        Args:
            who: The user.

        Raises:
            Refused: If the user has no account.
        """
        user = require_account(who)
        with refuse_on_store_error():
            row = await self._store.user(user.id)
        return ProfileVisibility() if row is None else visibility_of(row)

    async def set_visibility(self, who: User | None, visibility: ProfileVisibility) -> None:
        """Set who sees which part of the user's profile.

        Args:
            who: The user.
            visibility: The audience of each part.

        Raises:
            Refused: If the user has no account.
        """
        user = require_account(who)
        with refuse_on_store_error():
            await self._store.change_user(user.id, profile=msgspec.to_builtins(visibility))

    # -- following ---------------------------------------------------------------------------------

    async def followed(self, who: User | None) -> tuple[Followed, ...]:
        """Return the accounts that the user follows, by name.

        Args:
            who: The user.

        Raises:
            Refused: If the user has no account.
        """
        user = require_account(who)
        with refuse_on_store_error():
            rows = await self._store.results.followed_by(user.id)
        found = []
        for id, name, seen, profile, mutual in rows:
            shown = msgspec.convert(profile, ProfileVisibility).shown(own=False, followed=mutual)
            online = await self._is_here(id, seen) if "online" in shown else None
            found.append(Followed(name, online, "invitations" in shown))
        return tuple(found)

    async def follow(self, who: User | None, name: str, yes: bool = True) -> str:
        """Follow an account, or follow it no longer; the other person isn't notified.

        Args:
            who: The user.
            name: Name of the account.
            yes: Whether to follow it.

        Returns:
            Its name as its owner writes it.

        Raises:
            Refused: If the user has no account, no account has the name, it is the user's own, or
                the user follows too many.
        """
        user = require_account(who)
        self._limits.hit("command", user.id)
        row = await account(self._store, name)
        if row.id == user.id:
            raise Refused("yourself", 422, "you can't follow yourself")
        with refuse_on_store_error():
            if not yes:
                await self._store.results.unfollow(user.id, row.id)
            elif await self._store.results.count_followed(user.id) >= _MOST_FOLLOWED:
                raise Refused("full_follows", 409, f"you can follow at most {_MOST_FOLLOWED} people")
            else:
                await self._store.results.follow(user.id, row.id, wall_clock.now_ms())
        return row.name


def require_account(who: User | None) -> User:
    """Return the user, who must have an account.

    Args:
        who: The user, or None.

    Raises:
        Refused: If the user isn't signed in or is a guest.
    """
    user = permissions.require_user(who)
    if not user.has_account:
        raise Refused("needs_account", 403, "this needs an account: keep your name first")
    return user


# -- figures ---------------------------------------------------------------------------------------


def _places(counts: Sequence[PlaceCount]) -> tuple[GamePlaces, ...]:
    """Return places per game and number of seats, the most recently played first."""
    last: dict[tuple[str, int], int] = defaultdict(int)
    found: dict[tuple[str, int], dict[int, int]] = defaultdict(dict)
    for each in counts:
        key = each.game, each.seats
        last[key] = max(last[key], each.last)
        found[key][each.place] = each.games
    ordered = sorted(found, key=lambda key: (-last[key], key))
    return tuple(
        GamePlaces(game, seats, tuple(found[game, seats].get(place, 0) for place in range(1, max(2, seats) + 1)))
        for game, seats in ordered
    )


def _played(results: Sequence[ResultRow], opponents: Sequence[Opponent]) -> list[achievements.PlayedGame]:
    """Return a person's games with what achievements need of them."""
    by_table = _by_table(opponents)
    return [
        achievements.PlayedGame(
            table=row.game_id,
            game=row.game,
            seats=row.seats,
            seat=row.seat,
            place=row.place,
            ended=row.ended,
            penalized=any(points < 0 for points in row.points.values()),
            others_penalized=any(each.penalized for each in by_table[row.game_id]),
            people=frozenset(each.user_id for each in by_table[row.game_id] if each.user_id is not None),
            others=any(not each.bot for each in by_table[row.game_id]),
            bots=frozenset(each.bot for each in by_table[row.game_id] if each.bot),
        )
        for row in results
        if not row.departure
    ]


def _by_table(opponents: Sequence[Opponent]) -> Mapping[str, list[Opponent]]:
    found: dict[str, list[Opponent]] = defaultdict(list)
    for each in opponents:
        found[each.game_id].append(each)
    return found


def personal_statistics(
    name: str, game: str, results: Sequence[ResultRow], opponents: Sequence[Opponent]
) -> PersonalStatistics:
    """Return a person's statistics in a game.

    Args:
        name: Name of the account.
        game: Id of the game.
        results: The person's results.
        opponents: The other seats at the person's tables.
    """
    by_table = _by_table(opponents)
    winners = {
        row.game_id: 1 + sum(each.place == 1 for each in by_table[row.game_id]) for row in results if row.place == 1
    }
    seats: dict[tuple[int, int], list[float]] = defaultdict(list)
    against: dict[tuple[str, str], list[float]] = defaultdict(list)
    for row in results:
        seats[row.seats, row.seat].append(1 / winners[row.game_id] if row.place == 1 else 0.0)
        for each in by_table[row.game_id]:
            if each.name or each.bot:
                ahead = 0.5 if row.place == each.place else float(row.place < each.place)
                against[each.name, each.bot].append(ahead)
    common = {each.seats: sum(other.seats == each.seats for other in results) for each in results}
    by_seat = sorted(seats, key=lambda key: (-common[key[0]], key))
    most = sorted(against, key=lambda key: (-len(against[key]), key))[:_MOST_OPPONENTS]
    return PersonalStatistics(
        name=name,
        game=game,
        scores=tuple(
            PlayedScore(row.game_id, moment(row.ended), row.score, row.place, row.seats) for row in reversed(results)
        ),
        by_seat=tuple(
            SeatRecord(count, seat, len(seats[count, seat]), _mean(seats[count, seat])) for count, seat in by_seat
        ),
        opponents=tuple(
            OpponentRecord(other, bot, len(against[other, bot]), _mean(against[other, bot])) for other, bot in most
        ),
        sources=_sources(results),
    )


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values)


def _sources(results: Sequence[ResultRow]) -> tuple[PointSource, ...]:
    """Return the mean points by kind of score line, in won games and in others."""
    won = [row for row in results if row.place == 1]
    others = [row for row in results if row.place != 1]

    def mean(rows: Sequence[ResultRow], key: str) -> float | None:
        """Return the mean points in these games, or None without any."""
        return sum(row.points.get(key, 0) for row in rows) / len(rows) if rows else None

    totals: dict[str, int] = defaultdict(int)
    for row in results:
        for key, points in row.points.items():
            totals[key] += points
    keys = sorted(totals, key=lambda key: (-totals[key], key))
    return tuple(PointSource(key, mean(won, key), mean(others, key)) for key in keys)
