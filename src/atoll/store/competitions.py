"""Competitions, their entries and games.

Each method is one transaction. Steps of a competition name the state that they start from, so that
a step that was done already, or is being done by another server, changes nothing.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

import msgspec
from sqlalchemy import Connection, Table, delete, func, insert, select, update
from sqlalchemy.dialects import postgresql, sqlite

from . import schema
from .codec import TEXTS, encode, to_row, values
from .database import Postgres, Sqlite
from .jobs import set_job
from .notices import add_if_new
from .rows import CompetitionGameRow, CompetitionRow, EntryRow, JobRow, NoticeRow
from .statements import Queries, Rows, first_row

_ENDED: Final = ("over", "cancelled")


def competition_job(id: str, due: int, part: str = "") -> JobRow:
    """Return the job that continues a competition.

    Args:
        id: Id of the competition.
        due: When it is due, in milliseconds.
        part: Suffix of the job's id, so that it doesn't replace the job for the next step.
    """
    suffix = f":{part}" if part else ""
    return JobRow(f"competition:{id}{suffix}", "competition", None, due, secrets.token_hex(4))


class CompetitionStore(Queries):
    """Reads and writes of competitions."""

    def __init__(self, database: Sqlite | Postgres) -> None:
        super().__init__(database)
        self._set_job: Rows = Rows(database.writer.dialect, set_job(self.dialect), JobRow)
        self._add_notice: Rows = Rows(database.writer.dialect, add_if_new(self.dialect), NoticeRow)

    # -- reading -----------------------------------------------------------------------------------

    async def competition(self, id: str) -> CompetitionRow | None:
        """Return a competition, or None."""
        table = schema.competitions
        return first_row(await self._rows(CompetitionRow, select(table).where(table.c.id == id), short=True))

    async def listed(self, *, ended: bool, limit: int) -> list[CompetitionRow]:
        """Return the competitions that lists show, most recent first.

        Args:
            ended: Whether to return those that are over, or those that aren't.
            limit: The largest number.
        """
        table = schema.competitions
        state = table.c.state == "over" if ended else table.c.state.not_in(_ENDED)
        query = select(table).where(state, table.c.listed).order_by(table.c.opens.desc(), table.c.id).limit(limit)
        return await self._rows(CompetitionRow, query)

    async def series(self, league_id: str) -> list[CompetitionRow]:
        """Return all competitions of a series, oldest first."""
        table = schema.competitions
        query = select(table).where(table.c.league_id == league_id).order_by(table.c.season, table.c.opens, table.c.id)
        return await self._rows(CompetitionRow, query)

    async def hosted(self, user_id: str) -> int:
        """Return the number of competitions of a host that aren't over."""
        table = schema.competitions.c
        query = select(func.count()).where(table.host_id == user_id, table.state.not_in(_ENDED))
        return int(await self._scalar(query))

    async def entries(self, id: str) -> list[EntryRow]:
        """Return the entries of a competition, in the order of the sign-up."""
        table = schema.entries
        query = select(table).where(table.c.competition_id == id).order_by(table.c.entered, table.c.user_id)
        return await self._rows(EntryRow, query)

    async def entries_of(self, user_id: str) -> list[tuple[EntryRow, CompetitionRow]]:
        """Return the entries of a user with their competitions, newest first."""
        entries, competitions = schema.entries, schema.competitions
        query = select(entries).where(entries.c.user_id == user_id)
        others = select(competitions).where(
            competitions.c.id.in_(select(entries.c.competition_id).where(entries.c.user_id == user_id))
        )

        def work(connection: Connection) -> list[tuple[EntryRow, CompetitionRow]]:
            """Read both."""
            found = [to_row(CompetitionRow, row) for row in connection.execute(others)]
            by_id = {row.id: row for row in found}
            mine = [to_row(EntryRow, row) for row in connection.execute(query)]
            return sorted(
                ((row, by_id[row.competition_id]) for row in mine), key=lambda pair: (-pair[1].opens, pair[1].id)
            )

        return await self._database.read(work)

    async def games(self, id: str) -> list[CompetitionGameRow]:
        """Return the games of a competition in order."""
        table = schema.competition_games
        order = (table.c.round, table.c.division, table.c.number)
        return await self._rows(CompetitionGameRow, select(table).where(table.c.competition_id == id).order_by(*order))

    async def counts(self, ids: Sequence[str]) -> dict[str, int]:
        """Return the number of entries of competitions."""
        table = schema.entries.c
        query = (
            select(table.competition_id, func.count())
            .where(table.competition_id.in_(ids))
            .group_by(table.competition_id)
        )
        return await self._database.read(lambda c: {id: count for id, count in c.execute(query)})  # noqa: C416

    async def finished_since(self, user_id: str, since: int) -> int:
        """Return the number of games that a user has played to the end since a time."""
        seats, games = schema.seats.c, schema.games.c
        over = select(games.id).where(games.id == seats.game_id, games.status == "over")
        mine = (seats.user_id == user_id, seats.ended > since, seats.away.is_(False), seats.kind == "person")
        return int(await self._scalar(select(func.count()).where(*mine, over.exists())))

    # -- writing -----------------------------------------------------------------------------------

    async def add(self, row: CompetitionRow, entries: Sequence[EntryRow] = ()) -> bool:
        """Add a competition with its job, unless it exists, and return whether it is new."""

        def work(connection: Connection) -> bool:
            """Add the rows."""
            return self._add(connection, row, entries)

        return await self._database.write(work)

    def _add(self, connection: Connection, row: CompetitionRow, entries: Sequence[EntryRow]) -> bool:
        added = connection.execute(self._new(schema.competitions).values(values(row))).rowcount > 0
        if added and entries:
            connection.execute(insert(schema.entries), [values(each) for each in entries])
        if added:
            self._set_job.write(connection, [competition_job(row.id, row.opens)])
        return added

    def _new(self, table: Table) -> Any:
        """Return the statement that adds a row unless it exists."""
        module: Any = sqlite if self.dialect == "sqlite" else postgresql
        return module.insert(table).on_conflict_do_nothing()

    async def enter(self, entry: EntryRow, states: Sequence[str], most: int | None, job: JobRow | None) -> str:
        """Add an entry.

        Args:
            entry: The entry.
            states: States of the competition in which it takes entries.
            most: Largest number of entries, or None.
            job: Job to set, or None.

        Returns:
            "entered", "known" (the user has an entry), "full" or "closed".
        """
        competitions, entries = schema.competitions, schema.entries
        # The update locks the row, so that two users who sign up at once are counted one by one.
        lock = update(competitions).where(competitions.c.id == entry.competition_id, competitions.c.state.in_(states))
        count = select(func.count()).where(entries.c.competition_id == entry.competition_id)

        def work(connection: Connection) -> str:
            """Add the entry, if there is a place."""
            if not connection.execute(lock.values(state=competitions.c.state)).rowcount:
                return "closed"
            if connection.scalar(count.where(entries.c.user_id == entry.user_id)):
                return "known"
            if most is not None and int(connection.scalar(count) or 0) >= most:
                return "full"
            connection.execute(insert(entries), values(entry))
            if job is not None:
                self._set_job.write(connection, [job])
            return "entered"

        return await self._database.write(work)

    async def withdraw(self, id: str, user_id: str, states: Sequence[str]) -> bool:
        """Delete an entry.

        Args:
            id: The competition.
            user_id: The user.
            states: States of the competition in which that is possible.

        Returns:
            Whether there was such an entry.
        """
        competitions, entries = schema.competitions, schema.entries
        lock = update(competitions).where(competitions.c.id == id, competitions.c.state.in_(states))
        gone = delete(entries).where(entries.c.competition_id == id, entries.c.user_id == user_id)

        def work(connection: Connection) -> bool:
            """Delete the entry."""
            if not connection.execute(lock.values(state=competitions.c.state)).rowcount:
                return False
            return connection.execute(gone).rowcount > 0

        return await self._database.write(work)

    async def change_entry(
        self, id: str, user_id: str, states: Sequence[str], job: JobRow | None = None, **given: Any
    ) -> bool:
        """Change an entry that is in one of these states.

        Args:
            id: The competition.
            user_id: The user.
            states: States of the entry.
            job: Job to set, or None.
            **given: Values by column.

        Returns:
            Whether there was such an entry.
        """
        table = schema.entries
        mine = (table.c.competition_id == id, table.c.user_id == user_id, table.c.state.in_(states))
        statement = update(table).where(*mine).values(**given)

        def work(connection: Connection) -> bool:
            """Change the entry, and set the job."""
            changed = connection.execute(statement).rowcount > 0
            if changed and job is not None:
                self._set_job.write(connection, [job])
            return changed

        return await self._database.write(work)

    async def substitute(self, old: EntryRow, new: EntryRow) -> None:
        """Give the place of an entry to another user; the old entry stays without a place."""
        table = schema.entries
        mine = (table.c.competition_id == old.competition_id, table.c.user_id == old.user_id)
        without = update(table).where(*mine).values(division=None, number=None)

        def work(connection: Connection) -> None:
            """Change both entries."""
            connection.execute(without)
            connection.execute(insert(table), values(new))

        await self._database.write(work)

    async def change_game(self, game_id: str, *, only_new: str = "", **given: Any) -> None:
        """Write some columns of a game.

        Args:
            game_id: Id of its table.
            only_new: Column that must be empty; "" for none.
            **given: Values by column.
        """
        table = schema.competition_games
        statement = update(table).where(table.c.game_id == game_id)
        if only_new:
            statement = statement.where(table.c[only_new].is_(None))
        await self._execute(statement.values(**_plain(given)))

    async def step(
        self,
        row: CompetitionRow,
        *,
        given: Mapping[str, Any],
        entries: Iterable[tuple[EntryRow, Mapping[str, Any]]] = (),
        games: Sequence[CompetitionGameRow] = (),
        notices: Sequence[NoticeRow] = (),
        following: Sequence[tuple[CompetitionRow, Sequence[EntryRow]]] = (),
    ) -> bool:
        """Do a step of a competition, completely or not at all.

        Args:
            row: The competition as it was read. Nothing happens if its state or round has changed.
            given: New values by column.
            entries: Entries as they were read, with new values by column.
            games: Games to add.
            notices: Notifications to add.
            following: Competitions to add, with their entries.

        Returns:
            Whether the step was done. False if the competition or an entry has changed meanwhile.
        """
        table, entry_table = schema.competitions, schema.entries
        here = (table.c.id == row.id, table.c.state == row.state, table.c.round == row.round)
        change = update(table).where(*here).values(**_plain(given))

        def work(connection: Connection) -> bool:
            """Do all writes."""
            if not connection.execute(change).rowcount:
                return False
            for entry, new in entries:
                mine = (entry_table.c.competition_id == row.id, entry_table.c.user_id == entry.user_id)
                same = update(entry_table).where(*mine, entry_table.c.state == entry.state)
                if not connection.execute(same.values(**_plain(new))).rowcount:
                    raise _EntryChanged
            if games:
                connection.execute(insert(schema.competition_games), [values(each) for each in games])
            for competition, theirs in following:
                self._add(connection, competition, theirs)
            self._add_notice.write(connection, notices)
            return True

        try:
            return await self._database.write(work)
        except _EntryChanged:
            return False

    async def add_notices(self, notices: Sequence[NoticeRow]) -> None:
        """Add notifications, except those whose id exists."""
        await self._database.write(lambda connection: self._add_notice.write(connection, notices))


class _EntryChanged(Exception):
    """An entry has changed since it was read."""


def _plain(given: Mapping[str, Any]) -> dict[str, Any]:
    """Return values as bind parameters."""
    return {
        name: encode(value).decode() if name in TEXTS and value is not None else value for name, value in given.items()
    }


def forget_in_host_logs(connection: Connection, user_id: str) -> None:
    """Remove a user whose account is deleted from the acts of hosts.

    Args:
        connection: Connection inside a transaction.
        user_id: The user.
    """
    table = schema.competitions
    named = select(table.c.id, table.c.host_log).where(table.c.host_log.contains(f'"{user_id}"', autoescape=True))
    for id, log in connection.execute(named).all():
        acts = [
            {**act, "users": [None if user == user_id else user for user in act.get("users", ())]}
            for act in msgspec.json.decode(log)
        ]
        connection.execute(update(table).where(table.c.id == id).values(host_log=encode(acts).decode()))
