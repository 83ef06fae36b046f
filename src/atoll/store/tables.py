"""Queries of tables: rows, records, logs and chats."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any, Final

from sqlalchemy import Connection, Table, bindparam, delete, func, insert, literal, select, text, tuple_

from . import schema
from .checkpoints import CheckpointStore
from .codec import to_row, values
from .lobby import ALL_TABLES, LobbyFilter
from .rows import (
    AnalysisRow,
    ChoiceRow,
    EventRow,
    InviteRow,
    MessageRow,
    RoundRow,
    SeatRow,
    TableRow,
    TakebackRow,
)
from .statements import R, first_row

LOBBY_TABLES: Final = 300
"""Largest number of waiting tables in the lobby, and of running ones."""

_AT_ONCE: Final = 200
_MOST_GAMES: Final = 10_000
"""Largest number of games of a competition."""
_GAME = select(schema.games).where(schema.games.c.id == bindparam("id"))
_SEATS = select(schema.seats).where(schema.seats.c.game_id == bindparam("id")).order_by(schema.seats.c.seat)
_REVISION = select(schema.games.c.revision).where(schema.games.c.id == bindparam("id"))
_UNFINISHED = select(func.count()).where(
    schema.games.c.host == bindparam("host"),
    schema.games.c.competition_id.is_(None),
    schema.games.c.status.in_(("gathering", "running", "repair")),
)


class TableStore(CheckpointStore):
    """Reads tables and removes old ones; `Writer` writes all other changes."""

    async def table(self, game_id: str) -> tuple[TableRow, list[SeatRow]] | None:
        """Return a table and its seats in order, or None if it doesn't exist."""

        def work(connection: Connection) -> tuple[TableRow, list[SeatRow]] | None:
            """Read the table and its seats."""
            found = connection.execute(_GAME, {"id": game_id}).first()
            if found is None:
                return None
            return to_row(TableRow, found), [
                to_row(SeatRow, row) for row in connection.execute(_SEATS, {"id": game_id})
            ]

        return await self._database.read(work, short=True)

    async def revision(self, game_id: str) -> int | None:
        """Return the current revision of a table, or None if it doesn't exist."""
        value = await self._scalar(_REVISION, {"id": game_id}, short=True)
        return value if value is None else int(value)

    async def open_tables_of(self, user_id: str, limit: int = 1000) -> list[tuple[TableRow, list[SeatRow]]]:
        """Return a user's tables that aren't over, most recently changed first."""
        seats = schema.seats.c
        mine = select(seats.game_id).where(seats.user_id == user_id, seats.ended.is_(None))
        return await self._tables(schema.games.c.id.in_(mine), limit, (schema.games.c.changed.desc(),))

    async def ended_tables_of(
        self, user_id: str, limit: int, before: tuple[int, str] | None = None, *, status: str = ""
    ) -> list[tuple[TableRow, list[SeatRow]]]:
        """Return a user's tables that are over or canceled, most recently ended first.

        Args:
            user_id: The user that holds a seat.
            limit: The largest number of tables.
            before: End time and id of a table; only tables after it in this order are returned.
                None for the first page.
            status: "over" or "cancelled" for only these, and only games that had begun; "" for all.
        """
        seats, games = schema.seats.c, schema.games.c
        page = select(seats.game_id, seats.ended).where(seats.user_id == user_id, seats.ended.is_not(None)).distinct()
        if status:
            begun = games.id == seats.game_id, games.status == status, games.position.is_not(None)
            page = page.where(select(games.id).where(*begun).exists())
        if before is not None:
            page = page.where(tuple_(seats.ended, seats.game_id) < tuple_(*map(literal, before)))
        mine = page.order_by(seats.ended.desc(), seats.game_id.desc()).limit(limit).subquery()
        order = (mine.c.ended.desc(), mine.c.game_id.desc())
        return await self._tables(schema.games.c.id == mine.c.game_id, limit, order)

    async def tables(self, ids: Sequence[str]) -> list[tuple[TableRow, list[SeatRow]]]:
        """Return tables with their seats in the order of these ids; unknown ids are left out."""
        found = {row.id: (row, seats) for row, seats in await self._tables(schema.games.c.id.in_(ids), len(ids), ())}
        return [found[id] for id in ids if id in found]

    async def is_awaited_elsewhere(self, user_id: str, game_id: str) -> bool:
        """Return whether another table waits for a user, on a seat that no bot plays for them."""
        seats = schema.seats.c
        asked = (seats.user_id == user_id, seats.ended.is_(None), seats.asked.is_not(None), seats.away.is_(False))
        query = select(seats.seat).where(*asked, seats.kind == "person", seats.game_id != game_id).limit(1)
        return await self._scalar(query, short=True) is not None

    async def has_finished(self, user_id: str, game: str = "") -> bool:
        """Return whether a user holds a seat at a finished table, of one game or of any."""
        seats, games = schema.seats.c, schema.games.c
        theirs = [games.id == seats.game_id, games.status == "over", *([games.game == game] if game else [])]
        mine = select(seats.seat).where(seats.user_id == user_id, seats.ended.is_not(None))
        query = mine.where(select(games.id).where(*theirs).exists()).limit(1)
        return await self._scalar(query, short=True) is not None

    async def end_of_table(self, game_id: str, user_id: str) -> int | None:
        """Return when a table ended where a user sits.

        Args:
            game_id: The table.
            user_id: The user.

        Returns:
            Milliseconds, or None if the table is still open or the user has no seat there.
        """
        seats = schema.seats.c
        query = select(seats.ended).where(seats.game_id == game_id, seats.user_id == user_id)
        found: int | None = await self._scalar(query, short=True)
        return found

    async def lobby(self, per_host: int, only: LobbyFilter = ALL_TABLES) -> list[str]:
        """Return the ids of the listed tables, with at most `per_host` of each status per host.

        Tables that wait for players come first, in the order of the filter. Running tables
        follow, most recently changed first. There are at most `LOBBY_TABLES` of each.

        Args:
            per_host: The largest number of tables of a status that one host may list.
            only: The tables to list.
        """
        games = schema.games.c
        rows = select(games.id, games.host).limit(LOBBY_TABLES)
        rows = rows.where(*only.conditions())
        order = [only.waiting_order()] if only.order else []
        waiting = rows.where(text(schema.OPEN_IN_LOBBY)).order_by(*order, games.created, games.id)
        running = rows.where(text(schema.RUNNING_IN_LOBBY)).order_by(games.changed.desc(), games.id.desc())

        def work(connection: Connection) -> list[str]:
            """Read the tables of both kinds, and leave out those that are too many of a host."""
            found: list[str] = []
            for query in (waiting, running):
                by_host: Counter[str] = Counter()
                for table, host in connection.execute(query):
                    by_host[host] += 1
                    if by_host[host] <= per_host:
                        found.append(table)
            return found

        return await self._database.read(work, short=True)

    async def listed(self, ids: Sequence[str]) -> list[tuple[TableRow, list[SeatRow]]]:
        """Return tables for a list, in the order of their ids, without those that don't exist."""
        found = {row.id: (row, seats) for row, seats in await self._tables(schema.games.c.id.in_(ids), len(ids), ())}
        return [found[id] for id in ids if id in found]

    async def unfinished_tables(self) -> list[str]:
        """Return the ids of the tables that aren't over, in order."""
        status = schema.games.c.status.in_(("gathering", "running", "repair"))
        query = select(schema.games.c.id).where(status).order_by(schema.games.c.id)
        return await self._database.read(lambda connection: list(connection.scalars(query)))

    async def broken_tables(self) -> list[str]:
        """Return the ids of the tables whose rules failed."""
        query = select(schema.games.c.id).where(schema.games.c.status == "repair")
        return await self._database.read(lambda connection: list(connection.scalars(query)))

    async def _tables(self, condition: Any, limit: int, order: Sequence[Any]) -> list[tuple[TableRow, list[SeatRow]]]:
        # Saves can be long, and lists of tables don't need them.
        columns = [
            literal(None).label(column.name) if column.name in ("position", "start") else column
            for column in schema.games.c
        ]
        query = select(*columns).where(condition).order_by(*order).limit(limit)

        def work(connection: Connection) -> list[tuple[TableRow, list[SeatRow]]]:
            """Read the tables, and the seats of all of them."""
            games = [to_row(TableRow, row) for row in connection.execute(query)]
            seats = (
                select(schema.seats)
                .where(schema.seats.c.game_id.in_([game.id for game in games]))
                .order_by(schema.seats.c.seat)
            )
            by_game: dict[str, list[SeatRow]] = {game.id: [] for game in games}
            for row in connection.execute(seats):
                by_game[row.game_id].append(to_row(SeatRow, row))
            return [(game, by_game[game.id]) for game in games]

        return await self._database.read(work)

    async def tables_of_competition(self, competition_id: str) -> list[tuple[TableRow, list[SeatRow]]]:
        """Return the tables of a competition."""
        games = schema.games.c
        return await self._tables(games.competition_id == competition_id, _MOST_GAMES, (games.id,))

    async def count_tables(self, user_id: str) -> int:
        """Return the number of unfinished tables that a user hosts outside of competitions."""
        return int(await self._scalar(_UNFINISHED, {"host": user_id}, short=True) or 0)

    async def stale_tables(self, before: int) -> list[str]:
        """Return the ids of tables that wait for players and haven't changed since `before`."""
        games = schema.games.c
        query = select(games.id).where(games.status == "gathering", games.changed < before)
        return await self._database.read(lambda connection: list(connection.scalars(query)))

    async def drop_tables(self, before: int, *, begun: bool) -> int:
        """Delete tables that ended before a time, with everything that belongs to them.

        Tables of a competition stay until the competition is over.

        Args:
            before: The time, in milliseconds.
            begun: Whether to delete tables whose game had begun, or only the others.

        Returns:
            The number of deleted tables.
        """
        games = schema.games.c
        competitions = schema.competitions.c
        counts = select(competitions.id).where(
            competitions.id == games.competition_id, competitions.state.not_in(("over", "cancelled"))
        )
        ended = games.status.in_(("over", "cancelled")) & (games.changed < before) & ~counts.exists()
        batch = select(games.id).where(ended, games.position.is_not(None) if begun else games.position.is_(None))
        dropped = 0
        while True:
            count = await self._execute(delete(schema.games).where(games.id.in_(batch.limit(_AT_ONCE))))
            dropped += count
            if not count:
                return dropped

    async def drop_table(self, game_id: str) -> None:
        """Delete a table with everything that belongs to it."""
        await self._execute(delete(schema.games).where(schema.games.c.id == game_id))

    async def choices(self, game_id: str, first: int = 0) -> list[ChoiceRow]:
        """Return the record of a table from number `first` on."""
        return await self._numbered(ChoiceRow, schema.choices, game_id, first)

    async def undone(self, game_id: str) -> list[TakebackRow]:
        """Return the take-backs of a table in order."""
        return await self._numbered(TakebackRow, schema.undone, game_id, 0)

    async def rounds(self, game_id: str) -> list[RoundRow]:
        """Return the earlier rounds of a table's chance in order."""
        return await self._numbered(RoundRow, schema.rounds, game_id, 0)

    async def events(self, game_id: str, first: int = 0) -> list[EventRow]:
        """Return the events of a table from number `first` on."""
        return await self._numbered(EventRow, schema.events, game_id, first)

    async def messages(self, game_id: str, first: int = 0) -> list[MessageRow]:
        """Return the chat messages of a table from number `first` on."""
        return await self._numbered(MessageRow, schema.messages, game_id, first)

    async def _numbered(self, row_type: type[R], table: Table, game_id: str, first: int) -> list[R]:
        query = select(table).where(table.c.game_id == game_id, table.c.number >= first).order_by(table.c.number)
        return await self._rows(row_type, query)

    async def analysis(self, game_id: str) -> AnalysisRow | None:
        """Return the analysis of a table, or None."""
        query = select(schema.analyses).where(schema.analyses.c.game_id == game_id)
        return first_row(await self._rows(AnalysisRow, query))

    async def store_analysis(self, analysis: AnalysisRow) -> None:
        """Store the analysis of a table; it replaces an older one."""
        old = delete(schema.analyses).where(schema.analyses.c.game_id == analysis.game_id)

        def work(connection: Connection) -> None:
            """Replace the analysis."""
            connection.execute(old)
            connection.execute(insert(schema.analyses), values(analysis))

        await self._database.write(work)

    async def note(self, game_id: str, user_id: str) -> str:
        """Return a user's private note at a table; "" if there is none."""
        notes = schema.notes.c
        query = select(notes.text).where(notes.game_id == game_id, notes.user_id == user_id)
        text = await self._scalar(query, short=True)
        return text or ""

    async def invite(self, link_hash: str) -> InviteRow | None:
        """Return the invite whose secret has this hash, or None."""
        return first_row(
            await self._rows(InviteRow, select(schema.invites).where(schema.invites.c.hash == link_hash), short=True)
        )
