"""Facts that may point to abuse of rated games and competitions, for the moderators' queue."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Final

import msgspec
from sqlalchemy import Connection, insert, or_, select

from . import schema
from .codec import values
from .rows import ReportRow
from .statements import Queries

_OPEN: Final = ("check_in", "starting", "running")


@dataclass(frozen=True, slots=True)
class RatedSeat:
    """A seat of a rated game, with the rating of its player before the game.

    Attributes:
        user_id: The player.
        place: Place, 1 for the best. It is the stand-in's if the player left.
        departure: "resigned", "time" or "removed"; "" if the player stayed.
        mu: Expected strength before the game.
        sigma: Its uncertainty.
    """

    user_id: str
    place: int
    departure: str
    mu: float
    sigma: float


@dataclass(frozen=True, slots=True)
class RatedGame:
    """A rated game.

    Attributes:
        id: Id of the table.
        game: Id of the game.
        ended: Time of the end.
        seats: Seats of people who still have an account.
    """

    id: str
    game: str
    ended: int
    seats: list[RatedSeat] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class SharedGame:
    """A game that counts and that two accounts with the same network play.

    Attributes:
        id: Id of the table.
        bank_s: Seconds of the time control's bank.
        users: Ids of the two accounts.
    """

    id: str
    bank_s: int
    users: tuple[str, str]


@dataclass(frozen=True, slots=True)
class SharedDivision:
    """A division in which two accounts with the same network play.

    Attributes:
        competition_id: The competition.
        division: Number of the division.
        users: Ids of the two accounts.
    """

    competition_id: str
    division: int
    users: tuple[str, str]


class FlagStore(Queries):
    """Reads what may point to abuse, and adds reports of the system."""

    async def rated_games(self, since: int) -> list[RatedGame]:
        """Return the rated games since a time, oldest first."""
        results, changes = schema.results, schema.rating_changes
        same = (results.c.game_id == changes.c.game_id) & (results.c.seat == changes.c.seat)
        query = (
            select(
                results.c.game_id,
                results.c.game,
                results.c.ended,
                results.c.user_id,
                results.c.place,
                results.c.departure,
                changes.c.mu_before,
                changes.c.sigma_before,
            )
            .join(changes, same)
            .where(changes.c.ended >= since, results.c.user_id.is_not(None))
            .order_by(changes.c.number, changes.c.seat)
        )

        def work(connection: Connection) -> list[RatedGame]:
            """Collect the seats of each game."""
            found: dict[str, RatedGame] = {}
            for id, game, ended, *seat in connection.execute(query):
                found.setdefault(id, RatedGame(id, game, ended)).seats.append(RatedSeat(*seat))
            return list(found.values())

        return await self._database.read(work)

    async def resigned(self, since: int) -> dict[str, list[tuple[str, int]]]:
        """Return the table and seat of resignations in games that count, by user, oldest first.

        Args:
            since: Only games that ended since this time.
        """
        results, games = schema.results.c, schema.games.c
        counts = or_(games.rated, games.competition_id.is_not(None))
        query = (
            select(results.user_id, results.game_id, results.seat)
            .join(schema.games, games.id == results.game_id)
            .where(results.departure == "resigned", results.ended >= since, results.user_id.is_not(None), counts)
            .order_by(results.ended, results.game_id)
        )

        def work(connection: Connection) -> dict[str, list[tuple[str, int]]]:
            """Collect the games of each user."""
            found: dict[str, list[tuple[str, int]]] = defaultdict(list)
            for user_id, table, seat in connection.execute(query):
                found[user_id].append((table, seat))
            return found

        return await self._database.read(work)

    async def shared_games(self, since: int) -> list[SharedGame]:
        """Return the games that count, with a clock, of pairs of accounts that share a network.

        Args:
            since: Only games that have changed since this time.
        """
        games, one, other = schema.games.c, schema.seats.alias(), schema.seats.alias()
        query = (
            select(games.id, games.clock, one.c.user_id, other.c.user_id.label("other"))
            .select_from(schema.games)
            .join(one, one.c.game_id == games.id)
            .join(other, (other.c.game_id == games.id) & (one.c.user_id < other.c.user_id))
            .where(games.changed >= since, games.status.in_(("running", "over")), games.clock.is_not(None))
            .where(or_(games.rated, games.competition_id.is_not(None)))
            .where(_share_network(one.c.user_id, other.c.user_id))
            .order_by(games.id)
            .distinct()
        )
        return await self._database.read(
            lambda connection: [
                SharedGame(id, int(msgspec.json.decode(clock)["bank_s"]), (a, b))
                for id, clock, a, b in connection.execute(query)
            ]
        )

    async def shared_divisions(self) -> list[SharedDivision]:
        """Return the divisions of running competitions in which accounts share a network."""
        competitions, one, other = schema.competitions.c, schema.entries.alias(), schema.entries.alias()
        same = (one.c.competition_id == other.c.competition_id) & (one.c.division == other.c.division)
        query = (
            select(one.c.competition_id, one.c.division, one.c.user_id, other.c.user_id.label("other"))
            .join(other, same & (one.c.user_id < other.c.user_id))
            .join(schema.competitions, competitions.id == one.c.competition_id)
            .where(competitions.state.in_(_OPEN), _share_network(one.c.user_id, other.c.user_id))
            .order_by(one.c.competition_id, one.c.user_id)
        )
        return await self._database.read(
            lambda connection: [SharedDivision(id, n, (a, b)) for id, n, a, b in connection.execute(query)]
        )

    async def answers(self, tables: Sequence[str], users: Sequence[str]) -> list[tuple[int, str]]:
        """Return the times of answers that users gave themselves, with the user, in order.

        Args:
            tables: Only at these tables.
            users: Only of these users.
        """
        choices, seats = schema.choices.c, schema.seats.c
        query = (
            select(choices.at, seats.user_id)
            .join(schema.seats, (seats.game_id == choices.game_id) & (seats.seat == choices.seat))
            .where(choices.game_id.in_(tables), seats.user_id.in_(users), choices.auto.is_(False))
            .order_by(choices.at, choices.game_id, choices.number)
        )
        return await self._database.read(lambda connection: [(at, user) for at, user in connection.execute(query)])

    async def add(self, row: ReportRow, since: int) -> bool:
        """Add a report of the system, unless there is one about the same thing.

        Args:
            row: The report.
            since: Closed reports about the same thing count if they were created since this time.

        Returns:
            Whether it was added.
        """
        reports = schema.reports
        known = select(reports.c.id).where(
            reports.c.subject == row.subject, or_(reports.c.state != "closed", reports.c.created >= since)
        )

        def work(connection: Connection) -> bool:
            """Add the report."""
            if connection.scalar(known) is not None:
                return False
            connection.execute(insert(reports), values(row))
            return True

        return await self._database.write(work)


def _share_network(one: Any, other: Any) -> Any:
    """Return the condition that two accounts have sessions in the same network."""
    mine, theirs = schema.tokens.alias(), schema.tokens.alias()
    same = select(mine.c.id).where(mine.c.user_id == one, theirs.c.user_id == other, mine.c.network == theirs.c.network)
    return same.exists()
