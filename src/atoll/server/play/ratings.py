"""Ratings and reliability of people, and the leaderboards."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from msgspec import Struct

from atoll.ratings import MODEL, Rating, mu_distance, points, shown
from atoll.store import LobbyFilter, RatingChangeRow, RatingRow, Store

from ..domain import wall_clock
from ..domain.model import PlayerRating, RatingChange, Refused, User
from ..domain.reliability import Reliability, reliability
from ..table import permissions
from .executor import CommandExecutor
from .game_catalogue import GameCatalogue
from .store_errors import refuse_on_store_error

_DAY_MS: Final = 86_400_000
_YEAR_MS: Final = 365 * _DAY_MS
_RECENT_MS: Final = 60 * _DAY_MS
_SURE: Final = 2.5
"""Uncertainty below which a rating is on the leaderboard: 100 points, about 20 games."""
_LISTED: Final = 100


class PlayerFacts(Struct, frozen=True):
    """Facts that others know about a person at a table before it starts.

    Attributes:
        seat: The person's seat.
        rating: Rating in the game of the table; None if the server has no ratings.
        reliability: The person's reliability.
    """

    seat: int
    rating: PlayerRating | None
    reliability: Reliability


class Ranked(Struct, frozen=True):
    """A place on a leaderboard.

    Attributes:
        place: The place, from 1.
        name: Name of the account.
        rating: Its rating.
    """

    place: int
    name: str
    rating: PlayerRating


class Ratings:
    """Reads ratings and reliability."""

    def __init__(self, executor: CommandExecutor) -> None:
        self._executor: CommandExecutor = executor
        self._store: Store = executor.store
        self._catalogue: GameCatalogue = executor.catalogue
        self.enabled: bool = not executor.settings.no_ratings

    def require_enabled(self) -> None:
        """Refuse requests for ratings on a server without them.

        Raises:
            Refused: If the operator has switched ratings off.
        """
        if not self.enabled:
            raise Refused("no_ratings", 404, "this server has no ratings: choose a friendly game")

    async def of_user(self, user_id: str) -> tuple[PlayerRating, ...]:
        """Return a person's ratings in all games, the most played one first."""
        if not self.enabled:
            return ()
        with refuse_on_store_error():
            rows = await self._store.ratings.of_user(user_id)
        return tuple(player_rating(row.game, row) for row in rows)

    async def in_game(self, user_id: str, game: str) -> PlayerRating:
        """Return a person's rating in a game; newcomers have the rating of newcomers."""
        with refuse_on_store_error():
            rows = await self._store.ratings.of_users(game, [user_id])
        return player_rating(game, rows.get(user_id))

    async def near(self, who: User | None, only: LobbyFilter, distance: int) -> LobbyFilter:
        """Return a filter of the lobby with a range around the reader's own rating.

        Args:
            who: The reader, or None for a newcomer.
            only: The filter, with a game.
            distance: Largest distance of the host's rating in points.
        """
        with refuse_on_store_error():
            rows = {} if who is None else await self._store.ratings.of_users(only.game, [who.id])
        row = None if who is None else rows.get(who.id)
        mine = MODEL.newcomer.mu if row is None else row.mu
        reach = mu_distance(distance)
        return replace(only, mu=(mine - reach, mine + reach), newcomer=MODEL.newcomer.mu)

    async def leaderboard(self, game: str) -> tuple[Ranked, ...]:
        """Return the best accounts in a game: with sure ratings, and a rated game in 60 days.

        Args:
            game: Id of the game.

        Raises:
            Refused: If the server has no ratings, or the game is unknown.
        """
        self.require_enabled()
        known = self._catalogue.game(game).id
        now = wall_clock.now_ms()
        with refuse_on_store_error():
            found = await self._store.ratings.leaderboard(known, _SURE, now - _RECENT_MS, now, _LISTED)
        return tuple(Ranked(place, each.name, player_rating(game, each.row)) for place, each in enumerate(found, 1))

    async def has_board(self, game: str) -> bool:
        """Return whether the leaderboard of a game lists anybody."""
        return self.enabled and bool(await self.leaderboard(game))

    async def reliability(self, user_id: str) -> Reliability:
        """Return a person's reliability."""
        with refuse_on_store_error():
            turns = await self._store.ratings.clocked_turns(user_id)
            departures = await self._store.ratings.count_departures(user_id, wall_clock.now_ms() - _YEAR_MS)
        return reliability(turns, departures)

    async def running(self, user_id: str) -> int:
        """Return the number of running games at which a person plays."""
        with refuse_on_store_error():
            return await self._store.ratings.count_running(user_id)

    async def players(self, who: User | None, table: str) -> tuple[PlayerFacts, ...]:
        """Return what a reader may know about the people at a table, in order of the seats.

        Args:
            who: The reader, or None.
            table: Id of the table.

        Raises:
            Refused: If the reader may not see the table.
        """
        async with self._executor.locked(table) as live:
            permissions.require_visible(live, who)
            game = live.row.game
            accounts = [each for each in live.seats if permissions.has_named_person(each) and not each.guest]
            seats = [(each.seat, each.user_id) for each in accounts]
        people = [(seat, user_id) for seat, user_id in seats if user_id is not None]
        with refuse_on_store_error():
            rows = await self._store.ratings.of_users(game, [user_id for _, user_id in people])
        return tuple(
            [
                PlayerFacts(
                    seat,
                    player_rating(game, rows.get(user_id)) if self.enabled else None,
                    await self.reliability(user_id),
                )
                for seat, user_id in people
            ]
        )


def player_rating(game: str, row: RatingRow | None) -> PlayerRating:
    """Return a rating as people see it.

    Args:
        game: Id of the game.
        row: The stored rating, or None for a newcomer.
    """
    games = 0 if row is None else row.games
    found = shown(MODEL.newcomer if row is None else Rating(row.mu, row.sigma), games)
    return PlayerRating(game, found.points, found.plus_minus, found.new, games)


def rating_change(row: RatingChangeRow) -> RatingChange:
    """Return the change of a rating as people see it."""
    after = shown(Rating(row.mu, row.sigma), 0)
    return RatingChange(row.seat, after.points, round(points(row.mu) - points(row.mu_before)), row.weight > 0)
