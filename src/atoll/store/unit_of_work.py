"""All writes of one command: committed together, and only if nobody else wrote in between."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from .rows import (
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


class WriteConflict(Exception):
    """Another server has written to the table since it was read.

    Nothing was changed. Read the table again.
    """


@dataclass(slots=True)
class UnitOfWork:
    """All writes of one command to one table.

    Attributes:
        game: The table's new row. Its `revision` is `expected + 1`, or unchanged for a new table.
        expected: Revision of the row that was read. Another revision in the database is a conflict.
        is_new: Whether the table doesn't exist in the database yet.
        truncate_choices_at: Number from which the record is deleted, with all later checkpoints;
            None to keep it. Used for take-backs, and when a segment restarts after a fix of the
            rules.
        seats: Rows of seats that changed; all seats of a new table.
        choices: Answers to append to the record.
        undone: Take-backs to append.
        rounds: Rounds of chance to append.
        checkpoints: Checkpoints to append.
        events: Events to append.
        results: Results of the game that has ended.
        departures: Departures of players to add.
        seekers: Users whose search ends with this new table. It is a conflict if one of them has
            left or has found another table.
        messages: Chat messages to append.
        notes: Private notes; each replaces the previous note of the same user at this table.
        rewritten_events: Existing events without the name of a renamed or deleted account.
        deleted_messages: Existing messages that their authors delete.
        hidden_messages: Existing messages that moderators hide or show again. Deleted ones stay so.
        renamed_messages: Existing messages whose author is renamed or deleted.
        invites: Invites to add; each replaces the unused invite of the same seat.
        used_invites: Hashes of the invites that were accepted.
        swapped_seats: Pairs of seats whose invites change places.
        commands: Answers to store under their idempotency keys.
        notices: Notices to add to the outbox.
        jobs: Jobs to set; each replaces the job with the same id.
        finished_jobs: Ids of the jobs to remove.
        brief: Whether the rarely changing columns of table and seats (`STABLE_TABLE_COLUMNS`,
            `STABLE_SEAT_COLUMNS`) are unchanged, so that they aren't written.
    """

    game: TableRow
    expected: int
    is_new: bool = False
    truncate_choices_at: int | None = None
    seats: Sequence[SeatRow] = ()
    choices: Sequence[ChoiceRow] = ()
    undone: Sequence[TakebackRow] = ()
    rounds: Sequence[RoundRow] = ()
    checkpoints: Sequence[CheckpointRow] = ()
    events: Sequence[EventRow] = ()
    results: Sequence[ResultRow] = ()
    departures: Sequence[DepartureRow] = ()
    seekers: Sequence[str] = ()
    messages: Sequence[MessageRow] = ()
    notes: Sequence[NoteRow] = ()
    rewritten_events: Sequence[EventRow] = ()
    deleted_messages: Sequence[MessageRow] = ()
    hidden_messages: Sequence[MessageRow] = ()
    renamed_messages: Sequence[MessageRow] = ()
    invites: Sequence[InviteRow] = ()
    used_invites: Sequence[str] = ()
    swapped_seats: Sequence[tuple[int, int]] = ()
    commands: Sequence[CommandRow] = ()
    notices: Sequence[NoticeRow] = ()
    jobs: Sequence[JobRow] = ()
    finished_jobs: Sequence[str] = field(default=())
    brief: bool = False
