"""Ratings: applied in the transaction that ends a rated game, and recomputed from their changes."""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from statistics import median
from typing import Final

from sqlalchemy import Connection, delete, func, insert, or_, select, text, update

from atoll.ratings import (
    MODEL,
    WINDOW_MS,
    Rating,
    SeatEnd,
    continues_absence,
    counted_seats,
    is_early,
    new_ratings,
    weight,
)

from . import schema
from .codec import to_row, values
from .rows import DepartureRow, RatingChangeRow, RatingRow, ResultRow
from .statements import Queries

_LOCK: Final = 0x726174696E67
"""Advisory lock of PostgreSQL under which rated games are applied one by one."""
_ABSENCES_MS: Final = 60 * 86_400_000
"""Milliseconds before a timeout in which the begin of its absence is searched."""
_LENGTHS: Final = 200
_FEWEST_LENGTHS: Final = 10
"""Number of finished games from which on their median length counts, not the game's own."""
_RATINGS: Final = schema.ratings
_CHANGES: Final = schema.rating_changes


@dataclass(frozen=True, slots=True)
class RatedName:
    """A place on a leaderboard.

    Attributes:
        name: Name of the account.
        row: Its rating.
    """

    name: str
    row: RatingRow


class RatingStore(Queries):
    """Reads and recomputes ratings; `Writer` applies new games."""

    async def of_user(self, user_id: str) -> list[RatingRow]:
        """Return all ratings of an account, the most played game first."""
        query = select(_RATINGS).where(_RATINGS.c.user_id == user_id)
        return await self._rows(RatingRow, query.order_by(_RATINGS.c.games.desc(), _RATINGS.c.game))

    async def of_users(self, game: str, users: Iterable[str]) -> dict[str, RatingRow]:
        """Return the ratings of several accounts in a game, by user; newcomers have none."""
        query = select(_RATINGS).where(_RATINGS.c.game == game, _RATINGS.c.user_id.in_(list(users)))
        return {row.user_id: row for row in await self._rows(RatingRow, query)}

    async def changes_of_table(self, game_id: str) -> list[RatingChangeRow]:
        """Return the changes of a table in order of the seats; none if its game doesn't count."""
        query = select(_CHANGES).where(_CHANGES.c.game_id == game_id).order_by(_CHANGES.c.seat)
        return await self._rows(RatingChangeRow, query)

    async def changes_of_user(self, user_id: str) -> list[RatingChangeRow]:
        """Return the changes of an account, oldest first."""
        query = select(_CHANGES).where(_CHANGES.c.user_id == user_id, _CHANGES.c.weight > 0)
        return await self._rows(RatingChangeRow, query.order_by(_CHANGES.c.number))

    async def leaderboard(self, game: str, sigma: float, since: int, now: int, limit: int) -> list[RatedName]:
        """Return the best accounts in a game that show their ratings to all and aren't banned.

        Args:
            game: Id of the game.
            sigma: Only ratings with less uncertainty.
            since: Only accounts with a rated game since this time, in milliseconds.
            now: The current time in milliseconds.
            limit: The largest number of accounts.
        """
        users = schema.users.c
        hidden = or_(*(users.profile.contains(f'"ratings":"{who}"', autoescape=True) for who in ("followed", "nobody")))
        banned = func.coalesce(users.banned_until, 0) > now
        query = (
            select(users.name, *_RATINGS.c)
            .join(_RATINGS, _RATINGS.c.user_id == users.id)
            .where(_RATINGS.c.game == game, _RATINGS.c.sigma < sigma, _RATINGS.c.last >= since, ~hidden, ~banned)
            .order_by(_RATINGS.c.mu.desc(), _RATINGS.c.user_id)
            .limit(limit)
        )
        return await self._database.read(
            lambda connection: [RatedName(row.name, to_row(RatingRow, row)) for row in connection.execute(query)]
        )

    async def clocked_turns(self, user_id: str, limit: int = 100) -> list[tuple[int, int]]:
        """Return the clocked turns and the late ones of a user's last games, most recent first.

        Args:
            user_id: The user.
            limit: The largest number of games.
        """
        table = schema.results.c
        query = select(table.turns, table.late).where(table.user_id == user_id, table.turns > 0)
        query = query.order_by(table.ended.desc(), table.game_id.desc()).limit(limit)
        return await self._database.read(lambda connection: [(row[0], row[1]) for row in connection.execute(query)])

    async def count_departures(self, user_id: str, since: int) -> int:
        """Return the number of a user's departures since a time in milliseconds."""
        table = schema.departures.c
        return int(await self._scalar(select(func.count()).where(table.user_id == user_id, table.at >= since)) or 0)

    async def count_running(self, user_id: str) -> int:
        """Return the number of running games at which a user plays."""
        seats, games = schema.seats.c, schema.games.c
        query = (
            select(func.count(seats.game_id.distinct()))
            .join(schema.games, games.id == seats.game_id)
            .where(seats.user_id == user_id, seats.ended.is_(None), seats.away.is_(False), games.status == "running")
        )
        return int(await self._scalar(query) or 0)

    async def recompute(self, *, check: bool = False) -> tuple[int, int]:
        """Rebuild all ratings from the places of rated games.

        The places are stored with the changes, so that deleted tables count as well.

        Args:
            check: Whether to change nothing.

        Returns:
            The number of rated games, and of ratings that change.
        """
        return await self._database.write(lambda connection: _recompute(connection, check=check))


# -- the end of a game -----------------------------------------------------------------------------


def settle(connection: Connection, results: Sequence[ResultRow]) -> None:
    """Apply a rated game to the ratings of its players, and set `rated` in its results.

    Args:
        connection: Connection inside the transaction that writes the results.
        results: The results of all seats, which aren't written yet.
    """
    if connection.dialect.name == "postgresql":  # SQLite has one writer
        connection.execute(text("SELECT pg_advisory_xact_lock(:lock)"), {"lock": _LOCK})
    users = [row.user_id for row in results if row.user_id is not None]
    game, ended = results[0].game, results[0].ended
    group = _group_hash(game, users)
    earlier = select(func.count(_CHANGES.c.number.distinct())).where(
        _CHANGES.c.group_hash == group, _CHANGES.c.ended > ended - WINDOW_MS
    )
    part = weight(int(connection.scalar(earlier) or 0))
    ends = _ends(connection, results)
    stored = select(_RATINGS).where(_RATINGS.c.game == game, _RATINGS.c.user_id.in_(users))
    known = {row.user_id: to_row(RatingRow, row) for row in connection.execute(stored)}
    before = [None if row.user_id is None else _rating(known.get(row.user_id)) for row in results]
    counts = counted_seats(ends) if part else [False] * len(results)
    after = new_ratings(before, ends, counts, part)
    for row, new in zip(results, after, strict=True):
        row.rated = new is not None
    if not any(row.rated for row in results):
        return
    number = int(connection.scalar(select(func.coalesce(func.max(_CHANGES.c.number), 0))) or 0) + 1
    changes = []
    for row, old, new in zip(results, before, after, strict=True):
        if row.user_id is None or old is None:
            continue
        changes.append(_change(row, number, group, old, new, part))
        if new is not None:
            _store(connection, known.get(row.user_id), _counted(row, known.get(row.user_id), new))
    connection.execute(insert(_CHANGES), list(map(values, changes)))


def _rating(row: RatingRow | None) -> Rating:
    return MODEL.newcomer if row is None else Rating(row.mu, row.sigma)


def _counted(result: ResultRow, old: RatingRow | None, new: Rating) -> RatingRow:
    """Return a rating after a game that counts."""
    assert result.user_id is not None
    games = 1 + (0 if old is None else old.games)
    return RatingRow(result.user_id, result.game, new.mu, new.sigma, games, result.ended)


def _store(connection: Connection, old: RatingRow | None, new: RatingRow) -> None:
    if old is None:
        connection.execute(insert(_RATINGS), values(new))
    else:
        same = update(_RATINGS).where(_RATINGS.c.user_id == new.user_id, _RATINGS.c.game == new.game)
        connection.execute(same.values(mu=new.mu, sigma=new.sigma, games=new.games, last=new.last))


def _change(row: ResultRow, number: int, group: str, old: Rating, new: Rating | None, part: float) -> RatingChangeRow:
    after = old if new is None else new
    return RatingChangeRow(
        row.game_id,
        row.seat,
        number,
        row.game,
        row.user_id,
        group,
        row.ended,
        old.mu,
        old.sigma,
        after.mu,
        after.sigma,
        0.0 if new is None else part,
        MODEL.name,
        row.place,
        bool(row.departure),
    )


def _group_hash(game: str, users: Iterable[str]) -> str:
    """Return the same text for the same people in the same game."""
    return hashlib.sha256(":".join([game, *sorted(users)]).encode()).hexdigest()[:32]


def _ends(connection: Connection, results: Sequence[ResultRow]) -> list[SeatEnd]:
    """Return the ends of all seats, with the facts about departures that decide what they cost."""
    found = []
    length: float | None = None
    for row in results:
        if not row.departure:
            found.append(SeatEnd(row.place))
            continue
        table = schema.departures
        query = select(table).where(table.c.game_id == row.game_id, table.c.seat == row.seat)
        last = connection.execute(query.order_by(table.c.at.desc()).limit(1)).first()
        if last is None:
            found.append(SeatEnd(row.place, left=True))
            continue
        if length is None:
            length = _usual_length(connection, row)
        departure = to_row(DepartureRow, last)
        continued = row.departure == "time" and _continues(connection, departure)
        found.append(SeatEnd(row.place, True, is_early(departure.progress, length), continued))
    return found


def _usual_length(connection: Connection, row: ResultRow) -> float:
    """Return the median length of finished games with this number of seats, or this game's own."""
    table = schema.results.c
    query = select(table.length).where(table.game == row.game, table.seats == row.seats, table.seat == 0)
    lengths = list(connection.scalars(query.order_by(table.ended.desc()).limit(_LENGTHS)))
    return median(lengths) if len(lengths) >= _FEWEST_LENGTHS else row.length


def _continues(connection: Connection, departure: DepartureRow) -> bool:
    """Return whether a timeout belongs to an absence that an earlier one at a rated table began."""
    if departure.user_id is None:
        return False
    table, games = schema.departures.c, schema.games.c
    first = departure.at - _ABSENCES_MS
    theirs = (table.user_id == departure.user_id, table.cause == "time", table.at >= first, table.at <= departure.at)
    rated = select(table.at).join(schema.games, games.id == table.game_id).where(*theirs, games.rated)
    timeouts = list(connection.scalars(rated.order_by(table.at)))
    if len(timeouts) < 2:
        return False
    return continues_absence(timeouts, _answers(connection, departure.user_id, timeouts[0], departure.at))


def _answers(connection: Connection, user_id: str, first: int, last: int) -> list[int]:
    """Return the times of a user's own answers between two times, ascending.

    Answers of a stand-in, from a departure on while the user hasn't returned, don't count.
    """
    seats, choices, departures = schema.seats.c, schema.choices.c, schema.departures.c
    left = (
        select(func.max(departures.at))
        .where(departures.game_id == seats.game_id, departures.seat == seats.seat)
        .scalar_subquery()
    )
    query = (
        select(choices.at)
        .join(schema.seats, (choices.game_id == seats.game_id) & (choices.seat == seats.seat))
        .where(
            seats.user_id == user_id,
            seats.ended.is_(None) | (seats.ended >= first),
            choices.at > first,
            choices.at < last,
            choices.auto.is_(False),
            seats.away.is_(False) | (choices.at <= left),
        )
    )
    return sorted(connection.scalars(query.distinct()))


# -- recomputing -----------------------------------------------------------------------------------


def _recompute(connection: Connection, *, check: bool) -> tuple[int, int]:
    """Apply all rated games again, in their order."""
    query = select(_CHANGES).order_by(_CHANGES.c.number, _CHANGES.c.seat)
    games: dict[int, list[RatingChangeRow]] = defaultdict(list)
    for found in connection.execute(query):
        change = to_row(RatingChangeRow, found)
        games[change.number].append(change)
    ratings: dict[tuple[str, str], RatingRow] = {}
    ends: dict[str, list[int]] = defaultdict(list)
    rebuilt: list[RatingChangeRow] = []
    for changes in games.values():
        rebuilt += _again(changes, ratings, ends)
    stored = {(row.user_id, row.game): to_row(RatingRow, row) for row in connection.execute(select(_RATINGS))}
    changed = sum(stored.get(key) != ratings.get(key) for key in {*stored, *ratings})
    if not check:
        connection.execute(delete(_RATINGS))
        connection.execute(delete(_CHANGES))
        for target, rows in ((_RATINGS, list(ratings.values())), (_CHANGES, rebuilt)):
            if rows:
                connection.execute(insert(target), list(map(values, rows)))
    return len(games), changed


def _again(
    changes: Sequence[RatingChangeRow],
    ratings: dict[tuple[str, str], RatingRow],
    ends: dict[str, list[int]],
) -> list[RatingChangeRow]:
    """Apply a rated game again.

    Args:
        changes: Its stored changes, in order of the seats.
        ratings: Current ratings by user and game, changed in place.
        ends: Ends of earlier games by group, changed in place.

    Returns:
        The changes as they are now.
    """
    group, ended, game = changes[0].group_hash, changes[0].ended, changes[0].game
    part = weight(sum(each > ended - WINDOW_MS for each in ends[group]))
    ends[group].append(ended)
    before = [
        Rating(change.mu_before, change.sigma_before)
        if change.user_id is None
        else _rating(ratings.get((change.user_id, game)))
        for change in changes
    ]
    seat_ends = [SeatEnd(change.place, change.departed) for change in changes]
    after = new_ratings(before, seat_ends, [change.weight > 0 for change in changes], part)
    rebuilt = []
    for stored, old, new in zip(changes, before, after, strict=True):
        shown = old if new is None else new
        change = replace(
            stored,
            mu_before=old.mu,
            sigma_before=old.sigma,
            mu=shown.mu,
            sigma=shown.sigma,
            weight=0.0 if new is None else part,
            model=MODEL.name,
        )
        rebuilt.append(change)
        if change.user_id is not None and change.weight:
            key = (change.user_id, game)
            count = 1 + (ratings[key].games if key in ratings else 0)
            ratings[key] = RatingRow(*key, change.mu, change.sigma, count, ended)
    return rebuilt
