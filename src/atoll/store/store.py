"""Reading and writing. Writes to tables come as a `Change`; those that arrive together share one transaction."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from operator import attrgetter
from typing import Any, Final, TypeVar, cast

import msgspec
from sqlalchemy import (
    ClauseElement,
    Connection,
    Dialect,
    Executable,
    Insert,
    Select,
    Table,
    Update,
    bindparam,
    case,
    delete,
    func,
    insert,
    literal,
    select,
    text,
    tuple_,
    update,
)
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.engine import URL
from sqlalchemy.exc import SQLAlchemyError

from . import schema
from .changes import Change, Conflict
from .codec import TEXTS, encode, names, to_row, values
from .database import CHANNEL, Postgres, Sqlite, StoreError, database_at
from .migrate import migrate
from .notices import Notices, add_if_new
from .rows import (
    AnalysisRow,
    CheckpointRow,
    ChoiceRow,
    CommandRow,
    EventRow,
    GameRow,
    InviteRow,
    JobRow,
    MessageRow,
    NoteRow,
    NoticeRow,
    SeatRow,
    ServerRow,
    TokenRow,
    UndoneRow,
    UserRow,
)
from .servers import Sign, sign_of_life
from .watch import missing_jobs

_BATCH: Final = 200
_R = TypeVar("_R")


def _execute(connection: Connection, statement: Executable, rows: Sequence[dict[str, Any]]) -> None:
    """A statement for each row, if there is any."""
    if rows:
        connection.execute(statement, rows)


def _cursor(connection: Connection) -> Any:
    """The driver's own cursor: through SQLAlchemy a statement costs more than the database takes for it."""
    return connection.connection.cursor()


class _Rows:
    """A statement that writes rows of one type, compiled once. prefix: of its parameters' names."""

    def __init__(self, dialect: Dialect, statement: Executable, row_type: type[Any], prefix: str = "") -> None:
        compiled: Any = cast(ClauseElement, statement).compile(dialect=dialect)
        self._sql: str = str(compiled)
        wanted = [name.removeprefix(prefix) for name in compiled.positiontup]
        missing = {*wanted} - {name for name, _ in names(row_type)}
        assert not missing, missing
        self._read: Callable[[Any], tuple[Any, ...]] = attrgetter(*wanted)
        self._texts: list[int] = [index for index, name in enumerate(wanted) if name in TEXTS]

    def write(self, connection: Connection, rows: Sequence[Any]) -> None:
        """All these rows."""
        if rows:
            cursor = _cursor(connection)
            cursor.executemany(self._sql, [self._values(row) for row in rows])
            cursor.close()

    def _values(self, row: Any) -> Sequence[Any]:
        if not self._texts:
            return self._read(row)
        values = list(self._read(row))
        for index in self._texts:
            if values[index] is not None:
                values[index] = encode(values[index]).decode()
        return values


class _Written(asyncio.Future[None]):
    """A change that is on its way to the database. That can't be stopped: nobody would know whether it got there."""

    def cancel(self, msg: Any = None) -> bool:
        """Never; see asyncio."""
        return False


class _Writer:
    """The statements by which changes are written."""

    def __init__(self, dialect: Dialect) -> None:
        self.add_game = _Rows(dialect, insert(schema.games), GameRow)
        self.change_game = _Rows(dialect, _UPDATE_GAME, GameRow, "new_")
        self.add_seat = _Rows(dialect, insert(schema.seats), SeatRow)
        self.change_seat = _Rows(dialect, _UPDATE_SEAT, SeatRow, "new_")
        self.add_notice = _Rows(dialect, add_if_new(dialect.name), NoticeRow)
        self.add_invite = _Rows(dialect, insert(schema.invites), InviteRow)
        self.set_job = _Rows(dialect, _set_job(sqlite if dialect.name == "sqlite" else postgresql), JobRow)
        self.set_note = _Rows(dialect, _set_note(sqlite if dialect.name == "sqlite" else postgresql), NoteRow)
        self.append = [(kind, _Rows(dialect, insert(table), row_type)) for kind, table, row_type in _APPENDED]


class Store:
    """All that lasts. Make it with `Store.open`.

    dialect: "sqlite" or "postgresql". url: with its driver.
    """

    def __init__(self, database: Sqlite | Postgres) -> None:
        self._database: Sqlite | Postgres = database
        self.url: URL = database.url
        self.dialect: str = database.url.get_backend_name()
        self.notices: Notices = Notices(database)
        self._writer: _Writer = _Writer(database.writer.dialect)
        self._pending: list[tuple[Change, _Written]] = []
        self._arrived: asyncio.Event = asyncio.Event()
        self._closing: bool = False
        self._task: asyncio.Task[None] | None = None

    @classmethod
    async def open(cls, url: str, *, full: bool = False) -> Store:
        """Connect and bring the schema up to date. full: every commit survives a power cut too (SQLite only).

        Raises StoreError.
        """
        store = cls(database_at(url, full=full))
        try:
            await migrate(store._database)
        except (OSError, SQLAlchemyError, ValueError) as error:
            await store.close()
            raise StoreError(f"the database {store.url.render_as_string()} can't be opened: {error}") from error
        store._task = asyncio.create_task(store._write_all(), name="store writer")
        return store

    async def close(self) -> None:
        """Let go of the database, once all that was given to `commit` is written."""
        self._closing = True
        if self._task is not None:
            self._arrived.set()
            await self._task
        await self._database.close()

    # -- writing tables ------------------------------------------------------------------------------------------

    async def commit(self, change: Change) -> None:
        """Write it all; when this returns, it lasts. Raises Conflict or StoreError, and then nothing was written.

        Whoever is cancelled meanwhile still hears how it ended, and is cancelled at the next wait.
        """
        if self._closing:
            raise StoreError("the store was closed")
        future = _Written()
        self._pending.append((change, future))
        self._arrived.set()
        try:
            await future
        except asyncio.CancelledError:
            task = asyncio.current_task()
            assert task is not None
            task.uncancel()
            task.cancel()
        future.result()

    async def _write_all(self) -> None:
        """The writer: takes what has arrived, at most one change per table, and writes it in one transaction."""
        while self._pending or not self._closing:
            await self._arrived.wait()
            batch: list[tuple[Change, _Written]] = []
            rest: list[tuple[Change, _Written]] = []
            taken: set[str] = set()
            for each in self._pending:
                change, _ = each
                if len(batch) < _BATCH and change.game.id not in taken:
                    taken.add(change.game.id)
                    batch.append(each)
                else:
                    rest.append(each)
            self._pending = rest
            if not rest:
                self._arrived.clear()
            if batch:
                await self._write_batch(batch)

    async def _write_batch(self, batch: Sequence[tuple[Change, _Written]]) -> None:
        changes = [change for change, _ in batch]
        try:
            stale = await self._database.write(lambda connection: self._write(connection, changes))
        except Exception as error:
            if len(batch) > 1:
                # One of them is at fault; the others mustn't suffer.
                for each in batch:
                    await self._write_batch([each])
                return
            change, future = batch[0]
            failure = StoreError(f"table {change.game.id} can't be written: {error}")
            failure.__cause__ = error
            future.set_exception(failure)
            return
        for change, future in batch:
            if change.game.id in stale:
                future.set_exception(Conflict(f"table {change.game.id} has changed meanwhile"))
            else:
                future.set_result(None)

    def _write(self, connection: Connection, changes: Sequence[Change]) -> set[str]:
        """Write the changes whose table still is as they expect; gives the ids of the others."""
        ids = sorted(change.game.id for change in changes if not change.is_new)
        found = self._revisions(connection, ids) if ids else {}
        stale = {each.game.id for each in changes if not each.is_new and found.get(each.game.id) != each.expected}
        good = [change for change in changes if change.game.id not in stale]
        new = [change for change in good if change.is_new]
        old = [change for change in good if not change.is_new]

        writer = self._writer
        writer.add_game.write(connection, [each.game for each in new])
        writer.change_game.write(connection, [each.game for each in old])
        writer.add_seat.write(connection, [row for each in new for row in each.seats])
        writer.change_seat.write(connection, [row for each in old for row in each.seats])
        cuts = [{"id": each.game.id, "first": each.cut_choices} for each in good if each.cut_choices is not None]
        _execute(connection, _CUT, cuts)
        _execute(connection, _CUT_CHECKPOINTS, cuts)
        for kind, rows in writer.append:
            rows.write(connection, [row for each in good for row in getattr(each, kind)])
        writer.set_note.write(connection, [row for each in good for row in each.notes])
        invites = [row for each in good for row in each.invites]
        _execute(connection, _REPLACE_INVITE, [{"table": row.game_id, "place": row.seat} for row in invites])
        writer.add_invite.write(connection, invites)
        used = [{"link": link, "now": each.game.changed} for each in good for link in each.used_invites]
        _execute(connection, _USE_INVITE, used)
        _execute(connection, _DROP_JOB, [{"job": job} for each in good for job in each.done])
        writer.set_job.write(connection, [job for each in good for job in each.jobs])
        writer.add_notice.write(connection, [row for each in good for row in each.notices])
        if self.dialect == "postgresql":
            _execute(connection, _NOTIFY, [{"payload": each.notice} for each in good if each.notice])
        return stale

    def _revisions(self, connection: Connection, ids: Sequence[str]) -> dict[str, int]:
        """The revisions of tables, which nobody else can change from now on."""
        cursor = _cursor(connection)
        if self.dialect == "sqlite":  # whose writer is alone
            listed = (encode(ids).decode(),)
            cursor.execute("SELECT id, revision FROM games WHERE id IN (SELECT value FROM json_each(?))", listed)
        else:
            cursor.execute("SELECT id, revision FROM games WHERE id = ANY($1) ORDER BY id FOR UPDATE", (ids,))
        found = dict(cursor.fetchall())
        cursor.close()
        return found

    # -- reading tables ------------------------------------------------------------------------------------------

    async def table(self, game_id: str) -> tuple[GameRow, list[SeatRow]] | None:
        """A table and its seats in order; None if there's no such table."""

        def work(connection: Connection) -> tuple[GameRow, list[SeatRow]] | None:
            found = connection.execute(_GAME, {"id": game_id}).first()
            if found is None:
                return None
            return to_row(GameRow, found), [to_row(SeatRow, row) for row in connection.execute(_SEATS, {"id": game_id})]

        return await self._database.read(work)

    async def revision(self, game_id: str) -> int | None:
        """The table's revision now; None if there's no such table."""
        value = await self._scalar(_REVISION, {"id": game_id})
        return value if value is None else int(value)

    async def tables_of(self, user_id: str, limit: int = 200) -> list[tuple[GameRow, list[SeatRow]]]:
        """The tables where a user holds a seat, those that changed last first."""
        mine = select(schema.seats.c.game_id).where(schema.seats.c.user_id == user_id)
        return await self._tables(schema.games.c.id.in_(mine), limit, (schema.games.c.changed.desc(),))

    async def lobby(self, first: int = 0, limit: int = 100, per_host: int = 100) -> list[tuple[GameRow, list[SeatRow]]]:
        """The tables that are listed for all: first those that gather, the one that waits longest first, then those
        that run, the one that changed last first; of each kind only so many of one host. first: how many to leave out.
        """
        games = schema.games.c
        gathers = games.status == "gathering"
        waiting = case((gathers, games.created), else_=-games.changed)
        own = func.row_number().over(partition_by=(games.host, games.status), order_by=(waiting, games.id))
        listed = (
            select(games.id, own.label("own"))
            .where(games.visibility == "lobby", games.status.in_(("gathering", "running")))
            .subquery()
        )
        fair = select(listed.c.id).where(listed.c.own <= per_host)
        order = (case((gathers, 0), else_=1), waiting, games.id)
        return await self._tables(games.id.in_(fair), limit, order, first)

    async def to_repair(self) -> list[str]:
        """The ids of all tables whose rules failed."""
        query = select(schema.games.c.id).where(schema.games.c.status == "repair")
        return await self._database.read(lambda connection: list(connection.scalars(query)))

    async def _tables(
        self, condition: Any, limit: int, order: Sequence[Any], first: int = 0
    ) -> list[tuple[GameRow, list[SeatRow]]]:
        # The saved position can be long, and a list of tables doesn't need it.
        columns = [
            literal(None).label("position") if column.name == "position" else column for column in schema.games.c
        ]
        query = select(*columns).where(condition).order_by(*order).limit(limit).offset(first)

        def work(connection: Connection) -> list[tuple[GameRow, list[SeatRow]]]:
            games = [to_row(GameRow, row) for row in connection.execute(query)]
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

    async def count_tables(self, user_id: str) -> int:
        """How many tables that aren't finished a user hosts."""
        return int(await self._scalar(_UNFINISHED, {"host": user_id}) or 0)

    async def choices(self, game_id: str, first: int = 0) -> list[ChoiceRow]:
        """The record of a table from a number on."""
        return await self._numbered(ChoiceRow, schema.choices, game_id, first)

    async def undone(self, game_id: str) -> list[UndoneRow]:
        """What was taken back at a table by agreement, in its order."""
        return await self._numbered(UndoneRow, schema.undone, game_id, 0)

    async def events(self, game_id: str, first: int = 0) -> list[EventRow]:
        """What happened at a table from a number on."""
        return await self._numbered(EventRow, schema.events, game_id, first)

    async def messages(self, game_id: str, first: int = 0) -> list[MessageRow]:
        """The chat of a table from a number on."""
        return await self._numbered(MessageRow, schema.messages, game_id, first)

    async def _numbered(self, row_type: type[_R], table: Table, game_id: str, first: int) -> list[_R]:
        query = select(table).where(table.c.game_id == game_id, table.c.number >= first).order_by(table.c.number)
        return await self._rows(row_type, query)

    async def _rows(
        self, row_type: type[_R], query: Select[Any], parameters: Mapping[str, Any] | None = None
    ) -> list[_R]:
        return await self._database.read(
            lambda connection: [to_row(row_type, row) for row in connection.execute(query, parameters or {})]
        )

    async def _scalar(self, query: Select[Any], parameters: Mapping[str, Any] | None = None) -> Any:
        return await self._database.read(lambda connection: connection.scalar(query, parameters or {}))

    async def checkpoint(self, game_id: str, sequence: int) -> CheckpointRow | None:
        """The last checkpoint of a table at or before a sequence number."""
        table = schema.checkpoints.c
        query = (
            select(schema.checkpoints)
            .where(table.game_id == game_id, table.sequence <= sequence)
            .order_by(table.number.desc())
            .limit(1)
        )
        return _first(await self._rows(CheckpointRow, query))

    async def checkpoints(self, game_id: str) -> list[CheckpointRow]:
        """All checkpoints of a table in order."""
        return await self._numbered(CheckpointRow, schema.checkpoints, game_id, 0)

    async def analysis(self, game_id: str) -> AnalysisRow | None:
        """The analysis of a table, if it was made."""
        query = select(schema.analyses).where(schema.analyses.c.game_id == game_id)
        return _first(await self._rows(AnalysisRow, query))

    async def keep_analysis(self, analysis: AnalysisRow) -> None:
        """Keep a table's analysis in the place of an older one."""
        old = delete(schema.analyses).where(schema.analyses.c.game_id == analysis.game_id)

        def work(connection: Connection) -> None:
            connection.execute(old)
            connection.execute(insert(schema.analyses), values(analysis))

        await self._database.write(work)

    async def note(self, game_id: str, user_id: str) -> str:
        """What somebody has noted at a table; "" for nothing."""
        notes = schema.notes.c
        text = await self._scalar(select(notes.text).where(notes.game_id == game_id, notes.user_id == user_id))
        return text or ""

    async def invite(self, link_hash: str) -> InviteRow | None:
        """The invite whose secret has this hash."""
        return _first(await self._rows(InviteRow, select(schema.invites).where(schema.invites.c.hash == link_hash)))

    async def command(self, user_id: str, key: str) -> CommandRow | None:
        """What was answered to a user's command with this idempotency key."""
        table = schema.commands.c
        query = select(schema.commands).where(table.user_id == user_id, table.key == key)
        return _first(await self._rows(CommandRow, query))

    # -- people --------------------------------------------------------------------------------------------------

    async def add_user(self, user: UserRow, tokens: Iterable[TokenRow]) -> None:
        """A new user with its first tokens, if any."""
        rows = [values(token) for token in tokens]

        def work(connection: Connection) -> None:
            connection.execute(insert(schema.users), values(user))
            if rows:
                connection.execute(insert(schema.tokens), rows)

        await self._database.write(work)

    async def user(self, user_id: str) -> UserRow | None:
        """The user with this id."""
        return _first(await self._rows(UserRow, select(schema.users).where(schema.users.c.id == user_id)))

    async def user_by_token(self, token_hash: str, kinds: Sequence[str], now: int) -> UserRow | None:
        """Whose token this is, if it is of one of these kinds and hasn't expired."""
        values = {"token": token_hash, "kinds": kinds, "now": now}
        return _first(await self._rows(UserRow, _USER_BY_TOKEN, values))

    async def change_user(self, user_id: str, **values: Any) -> None:
        """Write some columns of a user: name, settings, seen."""
        encoded = {
            name: msgspec.json.encode(value).decode() if name in TEXTS else value for name, value in values.items()
        }
        await self._execute(update(schema.users).where(schema.users.c.id == user_id).values(**encoded))

    async def change_calendar(self, user_id: str, old: Mapping[str, Any], new: Mapping[str, Any]) -> bool:
        """Write a user's calendar if it still is the old one; whether it was."""
        users = schema.users.c
        texts = [msgspec.json.encode(each).decode() for each in (old, new)]
        same = update(schema.users).where(users.id == user_id, users.calendar == texts[0])
        return await self._execute(same.values(calendar=texts[1])) > 0

    async def _execute(self, statement: Executable) -> int:
        """One statement in a transaction of its own; how many rows it touched."""
        return await self._database.write(lambda connection: connection.execute(statement).rowcount)

    async def add_token(self, token: TokenRow, *, replace: bool = False) -> None:
        """A new token; with `replace` the user's others of the same kind end."""
        tokens = schema.tokens
        old = delete(tokens).where(tokens.c.user_id == token.user_id, tokens.c.kind == token.kind)

        def work(connection: Connection) -> None:
            if replace:
                connection.execute(old)
            connection.execute(insert(tokens), values(token))

        await self._database.write(work)

    async def drop_token(self, token_hash: str) -> bool:
        """End a token. Gives whether there was one."""
        return await self._execute(delete(schema.tokens).where(schema.tokens.c.hash == token_hash)) > 0

    # -- jobs ----------------------------------------------------------------------------------------------------

    async def lease_jobs(self, now: int, until: int, limit: int = 50) -> list[JobRow]:
        """Take jobs that are due and that nobody works on; they are this server's until `until`."""
        jobs = schema.jobs
        due = select(jobs.c.id).where(jobs.c.due <= now, jobs.c.lease <= now).order_by(jobs.c.due).limit(limit)
        ids = await self._database.read(lambda connection: list(connection.scalars(due)))
        if not ids:
            return []
        statement = (
            update(jobs)
            .where(jobs.c.id.in_(ids), jobs.c.due <= now, jobs.c.lease <= now)
            .values(lease=until, attempts=jobs.c.attempts + 1)
            .returning(*jobs.c)
        )
        return await self._database.write(
            lambda connection: [to_row(JobRow, row) for row in connection.execute(statement)]
        )

    async def finish_jobs(self, jobs: Sequence[JobRow]) -> None:
        """Remove jobs that are done, unless they were set anew meanwhile."""
        pair = tuple_(schema.jobs.c.id, schema.jobs.c.token)
        await self._execute(delete(schema.jobs).where(pair.in_([(job.id, job.token) for job in jobs])))

    async def postpone_job(self, job: JobRow, due: int) -> None:
        """Let a leased job wait, unless it was set anew meanwhile."""
        await self._execute(_this_job(job).values(due=due, lease=0))

    async def extend_lease(self, job: JobRow, until: int) -> None:
        """Keep a leased job for longer, unless it was set anew meanwhile."""
        await self._execute(_this_job(job).where(schema.jobs.c.lease > 0).values(lease=until))

    async def release_jobs(self) -> None:
        """End all leases. Only for a server that is alone with its database, when it starts."""
        await self._execute(update(schema.jobs).values(lease=0))

    async def set_jobs(self, jobs: Sequence[JobRow]) -> None:
        """Set jobs that belong to no table."""
        await self._database.write(lambda connection: self._writer.set_job.write(connection, jobs))

    async def has_job(self, job_id: str) -> bool:
        """Whether a job is set, done by somebody now or not."""
        return await self._scalar(select(schema.jobs.c.id).where(schema.jobs.c.id == job_id)) is not None

    async def next_due(self) -> int | None:
        """When the next job is due that nobody works on; None without one."""
        jobs = schema.jobs.c
        value = await self._scalar(select(func.min(_later(self.dialect, jobs.due, jobs.lease))))
        return value if value is None else int(value)

    async def sweep(self, commands_before: int, now: int) -> None:
        """Remove idempotency keys older than a moment, and tokens that have expired."""
        await self._execute(delete(schema.commands).where(schema.commands.c.at < commands_before))
        await self._execute(delete(schema.tokens).where(schema.tokens.c.expires <= now))

    async def waiting_since(self, before: int) -> list[str]:
        """The tables that gather and at which nothing has happened since a moment."""
        games = schema.games.c
        query = select(games.id).where(games.status == "gathering", games.changed < before)
        return await self._database.read(lambda connection: list(connection.scalars(query)))

    async def drop_tables(self, before: int, *, begun: bool) -> int:
        """Remove tables that ended before a moment, with all that belongs to them; how many.

        begun: those of games that had begun, or those of others.
        """
        games = schema.games.c
        ended = games.status.in_(("over", "cancelled")) & (games.changed < before)
        batch = select(games.id).where(ended, games.position.is_not(None) if begun else games.position.is_(None))
        dropped = 0
        while True:
            count = await self._execute(delete(schema.games).where(games.id.in_(batch.limit(_BATCH))))
            dropped += count
            if not count:
                return dropped

    async def drop_strangers(self, before: int) -> int:
        """Remove people who were never at a table and gave no sign of life since a moment; how many."""
        users = schema.users.c
        held: tuple[Any, ...] = (schema.seats.c.user_id, schema.games.c.host, schema.messages.c.user_id)
        nowhere = [~select(column).where(column == users.id).exists() for column in held]
        return await self._execute(delete(schema.users).where(users.seen < before, *nowhere))

    async def idle_tables(self) -> list[JobRow]:
        """The jobs that tables lack: of a bot or a plan that is asked, a clock that runs, a full table that waits."""
        return await self._database.read(missing_jobs)

    # -- servers among each other --------------------------------------------------------------------------------

    async def servers(self) -> list[ServerRow]:
        """The servers that have said that they are alive, and those that have ended last."""
        return await self._rows(ServerRow, select(schema.servers))

    async def sign_of_life(self, server: ServerRow, *, begins: bool = False, gone: Sequence[str] = ()) -> Sign:
        """Write that a server is alive, and give time back in which none was; see servers.sign_of_life."""
        alone = self.dialect == "sqlite"
        return await self._database.write(
            lambda connection: sign_of_life(connection, server, begins=begins, alone=alone, gone=gone)
        )

    def listening(self, heard: Callable[[str], None]) -> contextlib.AbstractAsyncContextManager[asyncio.Event]:
        """Hear what other servers (and this one) notify, as long as the context lasts. PostgreSQL only.

        Gives an event that is set when the connection has ended; then enter a new context.
        """
        assert isinstance(self._database, Postgres)
        return self._database.listening(heard)


def _first(rows: Sequence[_R]) -> _R | None:
    return rows[0] if rows else None


def _this_job(job: JobRow) -> Update:
    return update(schema.jobs).where(schema.jobs.c.id == job.id, schema.jobs.c.token == job.token)


def _later(dialect: str, first: Any, second: Any) -> Any:
    """The greater of two columns: both databases have the function, under different names."""
    return func.max(first, second) if dialect == "sqlite" else func.greatest(first, second)


_GAME = select(schema.games).where(schema.games.c.id == bindparam("id"))
_SEATS = select(schema.seats).where(schema.seats.c.game_id == bindparam("id")).order_by(schema.seats.c.seat)
_USER_BY_TOKEN = (
    select(schema.users)
    .join(schema.tokens, schema.tokens.c.user_id == schema.users.c.id)
    .where(
        schema.tokens.c.hash == bindparam("token"),
        schema.tokens.c.kind.in_(bindparam("kinds", expanding=True)),
        schema.tokens.c.expires > bindparam("now"),
    )
)
_REVISION = select(schema.games.c.revision).where(schema.games.c.id == bindparam("id"))
_UNFINISHED = select(func.count()).where(
    schema.games.c.host == bindparam("host"), schema.games.c.status.in_(("gathering", "running", "repair"))
)

_FIXED: Final[Mapping[str, frozenset[str]]] = {
    "games": frozenset({"id", "game", "host", "commitment", "advice", "created"}),
    "seats": frozenset({"game_id", "seat"}),
}
_UPDATE_GAME = (
    update(schema.games)
    .where(schema.games.c.id == bindparam("new_id"))
    .values(
        {name: bindparam(f"new_{name}") for name in tuple(schema.games.columns.keys()) if name not in _FIXED["games"]}
    )
)
_UPDATE_SEAT = (
    update(schema.seats)
    .where(schema.seats.c.game_id == bindparam("new_game_id"), schema.seats.c.seat == bindparam("new_seat"))
    .values(
        {name: bindparam(f"new_{name}") for name in tuple(schema.seats.columns.keys()) if name not in _FIXED["seats"]}
    )
)
_CUT = delete(schema.choices).where(
    schema.choices.c.game_id == bindparam("id"), schema.choices.c.number >= bindparam("first")
)
_CUT_CHECKPOINTS = delete(schema.checkpoints).where(
    schema.checkpoints.c.game_id == bindparam("id"), schema.checkpoints.c.number > bindparam("first")
)
_REPLACE_INVITE = delete(schema.invites).where(
    schema.invites.c.game_id == bindparam("table"),
    schema.invites.c.seat == bindparam("place"),
    schema.invites.c.used.is_(None),
)
_USE_INVITE = update(schema.invites).where(schema.invites.c.hash == bindparam("link")).values(used=bindparam("now"))
_DROP_JOB = delete(schema.jobs).where(schema.jobs.c.id == bindparam("job"))
_NOTIFY = text(f"SELECT pg_notify('{CHANNEL}', :payload)")


def _set_job(dialect: Any) -> Insert:
    """A job as given, whether or not there was one with its id. dialect: the module of SQLAlchemy."""
    statement = dialect.insert(schema.jobs)
    new = {name: statement.excluded[name] for name in ("due", "lease", "attempts", "token")}
    found: Insert = statement.on_conflict_do_update(index_elements=["id"], set_=new)
    return found


def _set_note(dialect: Any) -> Insert:
    """A note as given, whether or not there was one. dialect: the module of SQLAlchemy."""
    statement = dialect.insert(schema.notes)
    new = {name: statement.excluded[name] for name in ("text", "at")}
    found: Insert = statement.on_conflict_do_update(index_elements=["game_id", "user_id"], set_=new)
    return found


_APPENDED: Final = (
    ("choices", schema.choices, ChoiceRow),
    ("undone", schema.undone, UndoneRow),
    ("checkpoints", schema.checkpoints, CheckpointRow),
    ("events", schema.events, EventRow),
    ("messages", schema.messages, MessageRow),
    ("commands", schema.commands, CommandRow),
)
