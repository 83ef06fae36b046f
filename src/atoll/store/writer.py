"""The writer of tables: one `UnitOfWork` per command, several of them per transaction."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence, Set
from typing import Any, Final

from sqlalchemy import (
    Connection,
    Dialect,
    Executable,
    Insert,
    Integer,
    Table,
    Update,
    bindparam,
    delete,
    insert,
    text,
    update,
)
from sqlalchemy.dialects import postgresql, sqlite

from . import schema
from .address import StoreError
from .codec import encode
from .database import Postgres, Sqlite
from .jobs import set_job
from .notices import add_if_new
from .ratings import settle
from .rows import (
    STABLE_SEAT_COLUMNS,
    STABLE_TABLE_COLUMNS,
    CheckpointRow,
    ChoiceRow,
    CommandRow,
    DepartureRow,
    EventRow,
    InviteRow,
    JobRow,
    MessageRow,
    NoteRow,
    NoticeRow,
    ResultRow,
    RoundRow,
    SeatRow,
    TableRow,
    TakebackRow,
)
from .seekers import take_seekers
from .statements import Rows, cursor_of
from .unit_of_work import UnitOfWork, WriteConflict

_BATCH: Final = 200
_FIXED: Final[Mapping[str, frozenset[str]]] = {
    "games": frozenset(
        {
            *("id", "game", "advice", "chat_after", "pace", "least_reliability", "approval", "language", "created"),
            "competition_id",
        }
    ),
    "seats": frozenset({"game_id", "seat"}),
}


def _change_game(*besides: str) -> Update:
    """Return the update of a table's row, without constant columns and those named."""
    return (
        update(schema.games)
        .where(schema.games.c.id == bindparam("new_id"))
        .values(_new(schema.games, {*_FIXED["games"], *besides}))
    )


def _change_seat(*besides: str) -> Update:
    """Return the update of a seat's row, without constant columns and those named."""
    return (
        update(schema.seats)
        .where(schema.seats.c.game_id == bindparam("new_game_id"), schema.seats.c.seat == bindparam("new_seat"))
        .values(_new(schema.seats, {*_FIXED["seats"], *besides}))
    )


def _change_line(table: Table, *columns: str) -> Update:
    """Return the update of these columns of an existing event or message."""
    return (
        update(table)
        .where(table.c.game_id == bindparam("new_game_id"), table.c.number == bindparam("new_number"))
        .values({name: bindparam(f"new_{name}") for name in columns})
    )


def _new(table: Table, besides: Set[str]) -> dict[str, Any]:
    return {name: bindparam(f"new_{name}") for name in table.columns.keys() if name not in besides}  # noqa: SIM118


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
_SWAP_INVITES = (
    update(schema.invites)
    .where(
        schema.invites.c.game_id == bindparam("table"),
        schema.invites.c.seat.in_([bindparam("first"), bindparam("second")]),
    )
    .values(seat=bindparam("sum", type_=Integer) - schema.invites.c.seat)
)
_USE_INVITE = update(schema.invites).where(schema.invites.c.hash == bindparam("link")).values(used=bindparam("now"))
_DROP_JOB = delete(schema.jobs).where(schema.jobs.c.id == bindparam("job"))
_APPENDED: Final = (
    ("choices", schema.choices, ChoiceRow),
    ("undone", schema.undone, TakebackRow),
    ("rounds", schema.rounds, RoundRow),
    ("checkpoints", schema.checkpoints, CheckpointRow),
    ("events", schema.events, EventRow),
    ("results", schema.results, ResultRow),
    ("departures", schema.departures, DepartureRow),
    ("messages", schema.messages, MessageRow),
    ("commands", schema.commands, CommandRow),
)


class _Written(asyncio.Future[None]):
    """The pending result of a write.

    It can't be canceled, because nobody would know whether the write succeeded.
    """

    def cancel(self, msg: Any = None) -> bool:
        """Ignore the request."""
        return False


class _Statements:
    """The compiled statements that write changes."""

    def __init__(self, dialect: Dialect) -> None:
        self.add_game = Rows(dialect, insert(schema.games), TableRow)
        self.change_game = Rows(dialect, _change_game(), TableRow, "new_")
        self.change_game_briefly = Rows(dialect, _change_game(*STABLE_TABLE_COLUMNS), TableRow, "new_")
        self.add_seat = Rows(dialect, insert(schema.seats), SeatRow)
        self.change_seat = Rows(dialect, _change_seat(), SeatRow, "new_")
        self.change_seat_briefly = Rows(dialect, _change_seat(*STABLE_SEAT_COLUMNS), SeatRow, "new_")
        self.add_notice = Rows(dialect, add_if_new(dialect.name), NoticeRow)
        self.add_invite = Rows(dialect, insert(schema.invites), InviteRow)
        self.set_job = Rows(dialect, set_job(dialect.name), JobRow)
        self.set_note = Rows(dialect, _set_note(dialect.name), NoteRow)
        self.rewrite_event = Rows(dialect, _change_line(schema.events, "data", "user_id"), EventRow, "new_")
        # Each change of a message writes only its own columns, as the row may be older than
        # another change.
        messages = schema.messages
        delete_message = _change_line(messages, "text", "reaction", "deleted_by")
        hide_message = _change_line(messages, "deleted_by").where(text("deleted_by <> 'author'"))
        self.delete_message = Rows(dialect, delete_message, MessageRow, "new_")
        self.hide_message = Rows(dialect, hide_message, MessageRow, "new_")
        self.rename_message = Rows(dialect, _change_line(messages, "user_id", "name"), MessageRow, "new_")
        self.append = [(kind, Rows(dialect, insert(table), row_type)) for kind, table, row_type in _APPENDED]


_COMPILED: Final[dict[str, _Statements]] = {}
"""The statements by dialect, compiled once in a process."""


class Writer:
    """Writes changes of tables, one transaction after the other."""

    def __init__(self, database: Sqlite | Postgres) -> None:
        self._database: Sqlite | Postgres = database
        self.dialect: str = database.url.get_backend_name()
        if self.dialect not in _COMPILED:
            _COMPILED[self.dialect] = _Statements(database.writer.dialect)
        self._statements: _Statements = _COMPILED[self.dialect]
        self._pending: list[tuple[UnitOfWork, _Written]] = []
        self._arrived: asyncio.Event = asyncio.Event()
        self._closing: bool = False
        self._task: asyncio.Task[None] | None = None

    def begin(self) -> None:
        """Start to write."""
        self._task = asyncio.create_task(self._write_all(), name="store writer")

    async def close(self) -> None:
        """Write everything given to `commit`, and stop."""
        self._closing = True
        if self._task is not None:
            self._arrived.set()
            await self._task

    async def commit(self, change: UnitOfWork) -> None:
        """Write all changes of a command; they are durable when this returns.

        A task that is canceled meanwhile still learns the result, and is canceled at its next wait.

        Args:
            change: The changes of one table.

        Raises:
            WriteConflict: If another server has changed the table. Nothing was written.
            StoreError: If the database failed or the store is closed. Nothing was written.
        """
        if self._closing:
            raise StoreError("the store is closed")
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
        """Write pending changes in batches, with at most one change per table, until closed."""
        while self._pending or not self._closing:
            await self._arrived.wait()
            await self._gather()
            batch: list[tuple[UnitOfWork, _Written]] = []
            rest: list[tuple[UnitOfWork, _Written]] = []
            in_batch: set[str] = set()
            for each in self._pending:
                change, _ = each
                if len(batch) < _BATCH and change.game.id not in in_batch:
                    in_batch.add(change.game.id)
                    batch.append(each)
                else:
                    rest.append(each)
            self._pending = rest
            if not rest:
                self._arrived.clear()
            if batch:
                await self._write_batch(batch)

    async def _gather(self) -> None:
        """Let more changes arrive, because one transaction costs as much as several changes."""
        count = 0
        while count < len(self._pending) < _BATCH:
            count = len(self._pending)
            await asyncio.sleep(0)

    async def _write_batch(self, batch: Sequence[tuple[UnitOfWork, _Written]]) -> None:
        changes = [change for change, _ in batch]
        try:
            stale = await self._database.write(lambda connection: self._write(connection, changes), short=True)
        except Exception as error:
            if len(batch) > 1:
                # One change is at fault. The others are written on their own.
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
                future.set_exception(WriteConflict(f"table {change.game.id} has changed meanwhile"))
            else:
                future.set_result(None)

    def _write(self, connection: Connection, changes: Sequence[UnitOfWork]) -> set[str]:
        """Write the changes of unchanged tables, and return the ids of the other tables."""
        ids = sorted(change.game.id for change in changes if not change.is_new)
        found = self._revisions(connection, ids) if ids else {}
        stale = {each.game.id for each in changes if not each.is_new and found.get(each.game.id) != each.expected}
        stale |= {each.game.id for each in changes if each.seekers and not take_seekers(connection, each)}
        good = [change for change in changes if change.game.id not in stale]
        new = [change for change in good if change.is_new]
        old = [change for change in good if not (change.is_new or change.brief)]
        brief = [change for change in good if change.brief]

        write = self._statements
        write.add_game.write(connection, [each.game for each in new])
        write.change_game.write(connection, [each.game for each in old])
        write.change_game_briefly.write(connection, [each.game for each in brief])
        write.add_seat.write(connection, [row for each in new for row in each.seats])
        write.change_seat.write(connection, [row for each in old for row in each.seats])
        write.change_seat_briefly.write(connection, [row for each in brief for row in each.seats])
        cuts = [
            {"id": each.game.id, "first": each.truncate_choices_at}
            for each in good
            if each.truncate_choices_at is not None
        ]
        _execute(connection, _CUT, cuts)
        _execute(connection, _CUT_CHECKPOINTS, cuts)
        for each in good:
            if each.results and each.game.rated:
                settle(connection, each.results)
        for kind, rows in write.append:
            rows.write(connection, [row for each in good for row in getattr(each, kind)])
        write.rewrite_event.write(connection, [row for each in good for row in each.rewritten_events])
        write.delete_message.write(connection, [row for each in good for row in each.deleted_messages])
        write.hide_message.write(connection, [row for each in good for row in each.hidden_messages])
        write.rename_message.write(connection, [row for each in good for row in each.renamed_messages])
        write.set_note.write(connection, [row for each in good for row in each.notes])
        swaps = [(each.game.id, *pair) for each in good for pair in each.swapped_seats]
        _execute(
            connection,
            _SWAP_INVITES,
            [{"table": id, "first": one, "second": other, "sum": one + other} for id, one, other in swaps],
        )
        invites = [row for each in good for row in each.invites]
        _execute(connection, _REPLACE_INVITE, [{"table": row.game_id, "place": row.seat} for row in invites])
        write.add_invite.write(connection, invites)
        used = [{"link": link, "now": each.game.changed} for each in good for link in each.used_invites]
        _execute(connection, _USE_INVITE, used)
        _execute(connection, _DROP_JOB, [{"job": job} for each in good for job in each.finished_jobs])
        write.set_job.write(connection, [job for each in good for job in each.jobs])
        write.add_notice.write(connection, [row for each in good for row in each.notices])
        return stale

    def _revisions(self, connection: Connection, ids: Sequence[str]) -> dict[str, int]:
        """Return the revisions of tables, which are locked until the transaction ends."""
        cursor = cursor_of(connection)
        if self.dialect == "sqlite":  # SQLite has only one writer
            listed = (encode(ids).decode(),)
            cursor.execute("SELECT id, revision FROM games WHERE id IN (SELECT value FROM json_each(?))", listed)
        else:
            cursor.execute("SELECT id, revision FROM games WHERE id = ANY($1) ORDER BY id FOR UPDATE", (ids,))
        found = dict(cursor.fetchall())
        cursor.close()
        return found


def _execute(connection: Connection, statement: Executable, rows: Sequence[dict[str, Any]]) -> None:
    """Execute a statement for each row, if there are any."""
    if rows:
        connection.execute(statement, rows)


def _set_note(dialect: str) -> Insert:
    """Return the statement that sets a note, replacing an existing one."""
    module: Any = sqlite if dialect == "sqlite" else postgresql
    statement = module.insert(schema.notes)
    new = {name: statement.excluded[name] for name in ("text", "at")}
    found: Insert = statement.on_conflict_do_update(index_elements=["game_id", "user_id"], set_=new)
    return found
