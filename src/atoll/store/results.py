"""Queries of results: the archive, the games of a person, and the figures of a game."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

import msgspec
from sqlalchemy import (
    ColumnElement,
    Connection,
    Select,
    and_,
    delete,
    func,
    insert,
    literal,
    or_,
    select,
    tuple_,
    update,
)

from . import schema
from .codec import encode
from .rows import DepartureRow, ResultRow
from .statements import Queries

_RESULTS: Final = schema.results
_R: Final = schema.results.c


@dataclass(frozen=True, slots=True)
class ArchiveQuery:
    """A page of the archive, most recently ended games first.

    Attributes:
        reader: The reader, or None.
        users: Users that sat at the table, none for the games of the lobby. With users, the games
            at which the reader sat are included, whatever their visibility.
        game: Only this game; "" for all.
        seats: Only games with this number of seats; 0 for all.
        usual: Hashes of the usual options.
        options: "usual" or "other" for games with or without usual options; "" for all.
        place: Only games in which the first user has this place; 0 for all.
        since: Time of the earliest end, in milliseconds; None without a limit.
        until: Time before which games ended, in milliseconds; None without a limit.
        before: End and id of a game; only games after it in this order are returned. None for the
            first page.
        limit: The largest number of games.
    """

    reader: str | None
    users: tuple[str, ...] = ()
    game: str = ""
    seats: int = 0
    usual: tuple[str, ...] = ()
    options: str = ""
    place: int = 0
    since: int | None = None
    until: int | None = None
    before: tuple[int, str] | None = None
    limit: int = 30


@dataclass(frozen=True, slots=True)
class PlaceCount:
    """Number of a user's games with one place.

    Attributes:
        game: Id of the game.
        seats: Number of seats.
        place: The place.
        games: Number of games.
        last: End of the last one, in milliseconds.
    """

    game: str
    seats: int
    place: int
    games: int
    last: int


@dataclass(frozen=True, slots=True)
class Opponent:
    """Another seat at a table of a user.

    Attributes:
        game_id: Id of the table.
        place: Place of the other seat.
        user_id: Account that held it, or None.
        name: Name of the account, or "".
        bot: Level of the bot that held it, or "".
        penalized: Whether the seat lost points by a line of the score.
    """

    game_id: str
    place: int
    user_id: str | None
    name: str
    bot: str
    penalized: bool


@dataclass(frozen=True, slots=True)
class CountedGame:
    """A finished game of people, for the figures of its game.

    Attributes:
        id: Id of the table.
        seats: Number of seats.
        options_hash: Hash of the options.
        options: The options.
        length: Number of decisions.
        places: Place per seat.
        scores: Score per seat.
        starts: First choice per seat, encoded; None for a seat that had none.
    """

    id: str
    seats: int
    options_hash: str
    options: dict[str, Any]
    length: int
    places: tuple[int, ...]
    scores: tuple[int, ...]
    starts: tuple[int | None, ...]


class ResultStore(Queries):
    """Reads results and departures; `Writer` writes them. Also follows and stored figures."""

    # -- results -----------------------------------------------------------------------------------

    async def of_table(self, game_id: str) -> list[ResultRow]:
        """Return the results of a table by seat; none if its game isn't over."""
        return await self._rows(ResultRow, select(_RESULTS).where(_R.game_id == game_id).order_by(_R.seat))

    async def departures_of(self, user_id: str, since: int = 0) -> list[DepartureRow]:
        """Return a user's departures since a time in milliseconds, oldest first."""
        table = schema.departures
        query = select(table).where(table.c.user_id == user_id, table.c.at >= since).order_by(table.c.at)
        return await self._rows(DepartureRow, query)

    async def archive(self, query: ArchiveQuery) -> list[tuple[int, str]]:
        """Return end and id of the games on a page of the archive."""
        # One row stands for each game: that of the first user, or else that of the first seat.
        found: Select[Any] = select(_R.ended, _R.game_id)
        if query.users:
            first, *others = query.users
            found = found.where(_R.user_id == first, _R.kind == "person", _is_visible(query.reader))
            for user_id in others:
                found = found.where(_sits_too(user_id))
        else:
            found = found.where(_R.seat == 0, _R.listed)
        if query.place:
            found = found.where(_R.place == query.place)
        found = _filtered(found, query)
        found = found.order_by(_R.ended.desc(), _R.game_id.desc()).limit(query.limit)
        return await self._database.read(lambda connection: [(row[0], row[1]) for row in connection.execute(found)])

    async def end_of(self, game_id: str, reader: str | None) -> int | None:
        """Return when a game ended that a reader may see in the archive, or None.

        Args:
            game_id: Id of the table.
            reader: The reader, or None.
        """
        query = select(_R.ended).where(_R.game_id == game_id, _R.seat == 0, _is_visible(reader))
        found: int | None = await self._scalar(query, short=True)
        return found

    async def place_counts(self, user_id: str, reader: str | None) -> list[PlaceCount]:
        """Return how often a user has had each place, in games that a reader may see.

        Args:
            user_id: The user.
            reader: The reader, or None.
        """
        query = (
            select(_R.game, _R.seats, _R.place, func.count(), func.max(_R.ended))
            .where(_R.user_id == user_id, _R.kind == "person", _is_visible(reader))
            .group_by(_R.game, _R.seats, _R.place)
        )
        return await self._database.read(lambda connection: [PlaceCount(*row) for row in connection.execute(query)])

    async def results_of(self, user_id: str, reader: str | None, game: str = "", limit: int = 1000) -> list[ResultRow]:
        """Return a user's results in games that a reader may see, most recent first.

        Args:
            user_id: The user.
            reader: The reader, or None.
            game: Only this game; "" for all.
            limit: The largest number of results.
        """
        query = select(_RESULTS).where(_R.user_id == user_id, _R.kind == "person", _is_visible(reader))
        if game:
            query = query.where(_R.game == game)
        return await self._rows(ResultRow, query.order_by(_R.ended.desc(), _R.game_id.desc()).limit(limit))

    async def opponents_of(self, user_id: str, reader: str | None, game: str = "", limit: int = 5000) -> list[Opponent]:
        """Return the other seats at a user's tables that a reader may see, most recent games first.

        Args:
            user_id: The user.
            reader: The reader, or None.
            game: Only this game; "" for all.
            limit: The largest number of seats.
        """
        other, seats, users = schema.results.alias("other"), schema.seats, schema.users
        joined = (
            schema.results.join(other, and_(other.c.game_id == _R.game_id, other.c.seat != _R.seat))
            .join(seats, and_(seats.c.game_id == other.c.game_id, seats.c.seat == other.c.seat))
            .outerjoin(users, and_(users.c.id == other.c.user_id, users.c.kind == "account"))
        )
        is_bot = seats.c.kind == "bot"
        penalized = other.c.points.contains(":-")  # the JSON of a negative number
        query = (
            select(_R.game_id, other.c.place, users.c.id, users.c.name, seats.c.bot, is_bot, penalized)
            .select_from(joined)
            .where(_R.user_id == user_id, _R.kind == "person", _is_visible(reader))
            .order_by(_R.ended.desc(), _R.game_id, other.c.seat)
            .limit(limit)
        )
        if game:
            query = query.where(_R.game == game)
        return await self._database.read(
            lambda connection: [
                Opponent(table, place, id, name or "", bot if plays else "", bool(is_penalized))
                for table, place, id, name, bot, plays, is_penalized in connection.execute(query)
            ]
        )

    async def games_between(self, user_id: str, other_id: str) -> int:
        """Return the number of finished games that two users played together."""
        query = select(func.count()).where(_R.user_id == user_id, _R.kind == "person", _sits_too(other_id))
        return int(await self._scalar(query) or 0)

    # -- figures -----------------------------------------------------------------------------------

    async def counted_games(self, game: str, box: str, limit: int = 20_000) -> list[CountedGame]:
        """Return the last finished games in which people played all seats to the end.

        Args:
            game: Id of the game.
            box: Hash of the components that they used.
            limit: The largest number of games.
        """
        games, choices = schema.games.c, schema.choices.c
        other = schema.results.alias("other")
        unfit = select(other.c.seat).where(
            other.c.game_id == _R.game_id, or_(other.c.kind != "person", other.c.departure != "")
        )
        counted = (
            select(_R.game_id)
            .join(schema.games, games.id == _R.game_id)
            .where(_R.game == game, _R.seat == 0, games.box == box, ~unfit.exists())
            .order_by(_R.ended.desc())
            .limit(limit)
            .subquery()
        )
        results = (
            select(_R.game_id, _R.seats, _R.options_hash, games.options, _R.length, _R.place, _R.score)
            .join(counted, counted.c.game_id == _R.game_id)
            .join(schema.games, games.id == _R.game_id)
            .order_by(_R.game_id, _R.seat)
        )
        first = (
            select(choices.game_id, choices.seat, func.min(choices.number).label("number"))
            .join(counted, counted.c.game_id == choices.game_id)
            .where(choices.seat >= 0, choices.auto.is_(False))
            .group_by(choices.game_id, choices.seat)
            .subquery()
        )
        starts = select(choices.game_id, choices.seat, choices.choice).join(
            first, and_(first.c.game_id == choices.game_id, first.c.number == choices.number)
        )

        def work(connection: Connection) -> list[CountedGame]:
            """Read the results, and the first choice of each seat."""
            by_seat = {(table, seat): choice for table, seat, choice in connection.execute(starts)}
            found: dict[str, list[Any]] = {}
            for row in connection.execute(results):
                found.setdefault(row.game_id, []).append(row)
            return [
                CountedGame(
                    id,
                    rows[0].seats,
                    rows[0].options_hash,
                    msgspec.json.decode(rows[0].options),
                    rows[0].length,
                    tuple(row.place for row in rows),
                    tuple(row.score for row in rows),
                    tuple(by_seat.get((id, seat)) for seat in range(len(rows))),
                )
                for id, rows in found.items()
            ]

        return await self._database.read(work)

    async def store_figures(self, game: str, data: Any, now: int) -> None:
        """Store the figures of a game; they replace older ones.

        Args:
            game: Id of the game.
            data: The figures as plain data.
            now: The current time in milliseconds.
        """
        table = schema.statistics
        row = {"game": game, "data": encode(data).decode(), "at": now}

        def work(connection: Connection) -> None:
            """Replace the figures."""
            if not connection.execute(update(table).where(table.c.game == game).values(row)).rowcount:
                connection.execute(insert(table), row)

        await self._database.write(work)

    async def figures(self, game: str) -> tuple[Any, int] | None:
        """Return the stored figures of a game and their time in milliseconds, or None."""
        table = schema.statistics
        query = select(table.c.data, table.c.at).where(table.c.game == game)
        found = await self._database.read(lambda connection: connection.execute(query).first(), short=True)
        return None if found is None else (msgspec.json.decode(found[0]), found[1])

    # -- follows -----------------------------------------------------------------------------------

    async def follow(self, user_id: str, followed_id: str, now: int) -> None:
        """Let a user follow an account; nothing changes if they do so already.

        Args:
            user_id: The user.
            followed_id: The account.
            now: The current time in milliseconds.
        """
        table = schema.follows
        same = and_(table.c.user_id == user_id, table.c.followed_id == followed_id)

        def work(connection: Connection) -> None:
            """Add the row unless it exists; requests of one user wait for each other."""
            connection.execute(select(schema.users.c.id).where(schema.users.c.id == user_id).with_for_update())
            if connection.execute(select(table.c.created).where(same)).first() is None:
                connection.execute(insert(table), {"user_id": user_id, "followed_id": followed_id, "created": now})

        await self._database.write(work)

    async def unfollow(self, user_id: str, followed_id: str) -> None:
        """Let a user no longer follow an account."""
        table = schema.follows
        same = and_(table.c.user_id == user_id, table.c.followed_id == followed_id)
        await self._execute(delete(table).where(same))

    async def follows(self, user_id: str, followed_id: str) -> bool:
        """Return whether a user follows an account."""
        table = schema.follows.c
        query = select(table.created).where(table.user_id == user_id, table.followed_id == followed_id)
        return await self._scalar(query, short=True) is not None

    async def count_followed(self, user_id: str) -> int:
        """Return the number of accounts that a user follows."""
        return int(await self._scalar(select(func.count()).where(schema.follows.c.user_id == user_id)) or 0)

    async def followed_by(self, user_id: str) -> list[tuple[str, str, int, dict[str, Any], bool]]:
        """Return the accounts that a user follows, by name.

        Args:
            user_id: The user.

        Returns:
            Id, name, time of the last activity and stored visibility of each account, and whether
            it follows the user.
        """
        table, users, back = schema.follows.c, schema.users.c, schema.follows.alias("back")
        follows_back = select(back.c.created).where(back.c.user_id == users.id, back.c.followed_id == user_id).exists()
        query = (
            select(users.id, users.name, users.seen, users.profile, follows_back)
            .join(schema.follows, table.followed_id == users.id)
            .where(table.user_id == user_id)
            .order_by(func.lower(users.name))
        )
        return await self._database.read(
            lambda connection: [
                (id, name, seen, msgspec.json.decode(profile), bool(mutual))
                for id, name, seen, profile, mutual in connection.execute(query)
            ]
        )

    async def follow_rows(self, user_id: str) -> list[tuple[str, int]]:
        """Return name and time of the accounts that a user follows, for export."""
        table, users = schema.follows.c, schema.users.c
        query = (
            select(users.name, table.created)
            .join(schema.follows, table.followed_id == users.id)
            .where(table.user_id == user_id)
            .order_by(table.created)
        )
        return await self._database.read(lambda connection: [(row[0], row[1]) for row in connection.execute(query)])


def _filtered(found: Select[Any], query: ArchiveQuery) -> Select[Any]:
    """Return a query with the filters that don't depend on the users."""
    if query.game:
        found = found.where(_R.game == query.game)
    if query.seats:
        found = found.where(_R.seats == query.seats)
    if query.options:
        is_usual = _R.options_hash.in_(query.usual)
        found = found.where(is_usual if query.options == "usual" else ~is_usual)
    if query.since is not None:
        found = found.where(_R.ended >= query.since)
    if query.until is not None:
        found = found.where(_R.ended < query.until)
    if query.before is not None:
        found = found.where(tuple_(_R.ended, _R.game_id) < tuple_(*map(literal, query.before)))
    return found


def _sits_too(user_id: str) -> ColumnElement[bool]:
    """Return the condition that a user has a seat at the table of a result."""
    other = schema.results.alias()
    return select(other.c.seat).where(other.c.game_id == _R.game_id, other.c.user_id == user_id).exists()


def _is_visible(reader: str | None) -> ColumnElement[bool]:
    """Return the condition that a reader may see the game of a result: listed, or with own seat."""
    return _R.listed if reader is None else or_(_R.listed, _sits_too(reader))
