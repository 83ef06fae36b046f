"""What one command writes: all of it or nothing, and only if nobody else wrote to the table in between."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from .rows import (
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
    UndoneRow,
)


class Conflict(Exception):
    """Somebody else has written to this table since it was read. Nothing was changed: read again."""


@dataclass(slots=True)
class Change:
    """The writes of one command on one table.

    game: the row as it shall be, its `revision` one higher than `expected`, the one that was read. is_new: the table
    doesn't exist yet. seats: rows that changed (of a new table: all). brief: in the rows of game and seats nothing has
    changed that seldom does (`SELDOM_OF_GAME`, `SELDOM_OF_SEAT`): these columns aren't written. jobs: to be set,
    replacing those with the same id. done: ids of jobs to be removed. cut_choices: drop the record from this number on
    and the checkpoints after it, when something is taken back, or a segment starts again because the rules were mended.
    undone: what was taken back.
    notes: each replaces what the same person has noted there before. retold, unsigned: events and messages that are
    there already, in other words: those of somebody who is gone.
    notice: what other servers are told (PostgreSQL only), "" for nothing.
    """

    game: GameRow
    expected: int
    is_new: bool = False
    cut_choices: int | None = None
    seats: Sequence[SeatRow] = ()
    choices: Sequence[ChoiceRow] = ()
    undone: Sequence[UndoneRow] = ()
    checkpoints: Sequence[CheckpointRow] = ()
    events: Sequence[EventRow] = ()
    messages: Sequence[MessageRow] = ()
    notes: Sequence[NoteRow] = ()
    retold: Sequence[EventRow] = ()
    unsigned: Sequence[MessageRow] = ()
    invites: Sequence[InviteRow] = ()
    used_invites: Sequence[str] = ()
    commands: Sequence[CommandRow] = ()
    notices: Sequence[NoticeRow] = ()
    jobs: Sequence[JobRow] = ()
    done: Sequence[str] = field(default=())
    brief: bool = False
    notice: str = ""
