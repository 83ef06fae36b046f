"""A table in memory: its rows, its position, and the pending changes of a command.

Nothing here waits or does I/O. The executor holds the table's lock, lets one command change the
table, and writes the result of `unit_of_work`. If anything fails on the way, the executor evicts
the whole object, because the database is the source of truth.
"""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Container, Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import zip_longest
from typing import Any

import msgspec

from atoll.engine import AtollError, Event, Game, Position, PublicView, TurnDraft
from atoll.lessons.coach import BlunderWarning
from atoll.store import (
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
    UnitOfWork,
    competition_job,
    stable_seat_values,
    stable_table_values,
)

from ..domain import names
from ..domain.model import Advice, Analysis, LogEntry, RatingChange, User
from ..domain.notices import PERSONAL
from .playback import CoachedAct
from .takebacks import ToldAnswer, reader_lines, told_by_rows


def version(public: int, mark: int | None) -> str:
    """Return the version of a table for one reader.

    Args:
        public: Count of public changes.
        mark: Count of changes that only the reader can notice; None for readers without a seat.
    """
    return str(public) if mark is None else f"{public}.{mark}"


def seat_stamp(row: TableRow, seat: SeatRow) -> str:
    """Return the stamp of a seat: it changes with the position and the seat's choices."""
    return f"{row.sequence}.{seat.revision}"


def encode(data: Any) -> str:
    """Return data as compact JSON text."""
    return msgspec.json.encode(data).decode()


@dataclass
class PendingChanges:
    """The changes of a command that aren't written yet.

    Attributes:
        dirty: Whether anything changed.
        public: Whether others can notice the change.
        timed: Whether the time of the change may be public.
        listed: Whether the table looks different in lists.
        position_changed: Whether the position changed.
        truncate_choices_at: Number from which the record is truncated, or None.
        seats: Seats whose rows changed.
        choices: Answers to append.
        undone: Take-backs to append.
        rounds: Rounds of chance to append.
        checkpoints: Checkpoints to append.
        events: Events to append.
        results: Results of the game that has ended.
        departures: Departures to add.
        seekers: Users whose search ends with this new table; see `UnitOfWork`.
        messages: Chat messages to append.
        notes: Private notes to replace.
        rewritten_events: Existing events to rewrite; see `UnitOfWork`.
        deleted_messages: Existing messages that their authors delete.
        hidden_messages: Existing messages that moderators hide or show again.
        renamed_messages: Existing messages with another name of their author.
        invites: Invites to add.
        used_invites: Hashes of invites that were used.
        swapped_seats: Pairs of seats whose invites change places.
        jobs: Jobs to set.
        notices: Notices to add.
        finished_jobs: Ids of jobs to remove.
    """

    dirty: bool = False
    public: bool = False
    timed: bool = False
    listed: bool = False
    position_changed: bool = False
    truncate_choices_at: int | None = None
    seats: set[int] = field(default_factory=set)
    choices: list[ChoiceRow] = field(default_factory=list)
    undone: list[TakebackRow] = field(default_factory=list)
    rounds: list[RoundRow] = field(default_factory=list)
    checkpoints: list[CheckpointRow] = field(default_factory=list)
    events: list[EventRow] = field(default_factory=list)
    results: list[ResultRow] = field(default_factory=list)
    departures: list[DepartureRow] = field(default_factory=list)
    seekers: list[str] = field(default_factory=list)
    messages: list[MessageRow] = field(default_factory=list)
    notes: list[NoteRow] = field(default_factory=list)
    rewritten_events: list[EventRow] = field(default_factory=list)
    deleted_messages: list[MessageRow] = field(default_factory=list)
    hidden_messages: list[MessageRow] = field(default_factory=list)
    renamed_messages: list[MessageRow] = field(default_factory=list)
    invites: list[InviteRow] = field(default_factory=list)
    used_invites: list[str] = field(default_factory=list)
    swapped_seats: list[tuple[int, int]] = field(default_factory=list)
    jobs: list[JobRow] = field(default_factory=list)
    notices: list[NoticeRow] = field(default_factory=list)
    finished_jobs: list[str] = field(default_factory=list)


class LiveTable:
    """A table in memory.

    Attributes:
        row: Row of the table.
        seats: Rows of its seats.
        notifiable_users: Users that have a channel for notifications.
        apart: Users whom a block keeps apart from the user of the command that is being applied.
        lock: Must be held to read or change the table.
        evicted: Whether the object is outdated; get the table from the executor again.
        broken: Reason for which the rules can't continue here, or "".
        read_at: When the table was last known to equal the database (monotonic seconds).
        external_version: Value of `Store.external_version` at that time.
        events: Event log; None until it is read.
        messages: Recent chat messages; None until they are read.
        steps: Per answered decision or chance event, its sequence number and the seat (or chance)
            that answered; None until it is read.
        told_answers: The answers in the order in which they were told; None until they are read.
        notes: Private notes by user; all of them if `notes_complete`.
        notes_complete: Whether all notes are in memory.
        advice: A bot's advice for the open turn, by seat.
        coached_acts: Per seat, the acts since its last choice as its coach explains them, after the
            moment (sequence number, number of events) that they belong to.
        blunder_warnings: Per seat, the coach's warning about its open turn or None, after the
            turn's stamp.
        analysis: Analysis of the finished game; None until it is read.
        rating_changes: Changes of ratings by the finished game; None until they are read.
        position: The position; None before the start, or if the rules are broken.
        checkpoint: Sequence number of the last checkpoint.
        checkpoint_save: Save at that checkpoint, or "".
        turn_drafts: The turn drafts in memory, by seat.
        clock_due: When the first clock runs out, or None.
        pending: Changes that aren't written yet.
        game: The game, or None if it can't be loaded.

    Args:
        row: Row of the table.
        seats: Rows of its seats.
        games: All games by id.
        reached: Users that have a channel for notifications.
    """

    def __init__(
        self, row: TableRow, seats: list[SeatRow], games: Mapping[str, Game], reached: Container[str] = ()
    ) -> None:
        self.row: TableRow = row
        self.seats: list[SeatRow] = seats
        self._stable_values: list[Any] = self._current_stable_values()
        self.notifiable_users: Container[str] = reached
        self.apart: frozenset[str] = frozenset()
        self.lock: asyncio.Lock = asyncio.Lock()
        self.evicted: bool = False
        self.broken: str = ""
        self.read_at: float = 0.0
        self.external_version: Hashable = None
        self.events: list[EventRow] | None = None
        self.messages: list[MessageRow] | None = None
        self.steps: list[tuple[int, int]] | None = None
        self.told_answers: list[ToldAnswer] | None = None
        self._reader_lines: dict[tuple[int, ...], tuple[int, list[str]]] = {}
        self.notes: dict[str, str] = {}
        self.notes_complete: bool = False
        self.advice: dict[int, Advice] = {}
        self.coached_acts: dict[int, tuple[tuple[int, int], tuple[CoachedAct, ...]]] = {}
        self.blunder_warnings: dict[int, tuple[str, BlunderWarning | None]] = {}
        self.analysis: Analysis | None = None
        self.rating_changes: tuple[RatingChange, ...] | None = None
        self.position: Position | None = None
        self.checkpoint: int = -1
        self.checkpoint_save: str = ""
        self.turn_drafts: dict[int, TurnDraft] = {}
        self.clock_due: int | None = None
        self.pending: PendingChanges = PendingChanges()
        self._logs: dict[int | None, tuple[int, list[LogEntry]]] = {}
        self._public: PublicView | None = None
        self.game: Game | None = None
        try:
            self.game = games[row.game]
        except (AtollError, ImportError, LookupError) as error:
            self.broken = str(error) or type(error).__name__

    # -- pending changes ---------------------------------------------------------------------------

    def mark_changed(self, *seats: int, public: bool = True, timed: bool = True, listed: bool = True) -> None:
        """Mark the table as changed.

        Args:
            *seats: Seats whose rows changed.
            public: Whether others can notice the change.
            timed: Whether the time of a public change may be public.
            listed: Whether a public change is visible in lists.
        """
        pending = self.pending
        pending.dirty = True
        pending.public |= public
        pending.timed |= public and timed
        pending.listed |= public and listed
        pending.seats.update(seats)

    def set_job(self, kind: str, due: int) -> None:
        """Set the table's job of a kind, replacing an earlier one."""
        self.pending.jobs.append(JobRow(f"{kind}:{self.row.id}", kind, self.row.id, due, secrets.token_hex(4)))

    def wake_competition(self, now: int) -> None:
        """Set the job with which the table's competition, if any, notices a change at the table."""
        if self.row.competition_id is not None:
            self.pending.jobs.append(competition_job(self.row.competition_id, now, "games"))

    def notify(
        self,
        kind: str,
        user_id: str | None,
        now: int,
        *,
        mark: int | str,
        due: int | None = None,
        asked: int | None = None,
        **data: Any,
    ) -> None:
        """Add a notification for a user, unless they have no channel or a block stops it.

        Args:
            kind: Kind of notification.
            user_id: The recipient, or None for nobody.
            now: The current time in milliseconds.
            mark: Distinguishes notifications of the same kind.
            due: When to send it, in milliseconds; None for immediately.
            asked: Time since which the seat is asked that it is about; see `NoticeRow`.
            **data: Values for the text.
        """
        if user_id is None or user_id not in self.notifiable_users or (kind in PERSONAL and user_id in self.apart):
            return
        others = (seat.name for seat in self.seats if seat.kind == "person" and seat.user_id != user_id)
        id = f"{kind}:{self.row.id}:{user_id}:{mark}"
        fields = {"game": self.row.game, "names": list(filter(None, others)), **data}
        when = now if due is None else due
        self.pending.notices.append(NoticeRow(id, user_id, kind, self.row.id, fields, when, now, asked))

    def stamp_versions(self, now: int) -> None:
        """Count the pending change and note its time, before it is published."""
        if self.pending.public:
            self.row.version += 1
        if self.pending.timed:
            self.row.changed = now

    def unit_of_work(self, command: CommandRow | None, *, is_new: bool = False) -> UnitOfWork:
        """Return all writes of the command that has just changed this table.

        Args:
            command: The answer to store under an idempotency key, or None.
            is_new: Whether the table doesn't exist in the database yet.
        """
        row = self.row
        pending = self.pending
        expected = row.revision
        if not is_new:
            row.revision += 1
        if pending.position_changed:
            row.position = self._current_save()
        seldom = self._current_stable_values()
        brief = not is_new and seldom == self._stable_values
        self._stable_values = seldom
        return UnitOfWork(
            game=row,
            expected=expected,
            is_new=is_new,
            truncate_choices_at=pending.truncate_choices_at,
            seats=self.seats if is_new else [self.seats[seat] for seat in sorted(pending.seats)],
            choices=pending.choices,
            undone=pending.undone,
            rounds=pending.rounds,
            checkpoints=pending.checkpoints,
            events=pending.events,
            results=pending.results,
            departures=pending.departures,
            seekers=pending.seekers,
            messages=pending.messages,
            notes=pending.notes,
            rewritten_events=pending.rewritten_events,
            deleted_messages=pending.deleted_messages,
            hidden_messages=pending.hidden_messages,
            renamed_messages=pending.renamed_messages,
            invites=pending.invites,
            used_invites=pending.used_invites,
            swapped_seats=pending.swapped_seats,
            commands=() if command is None else (command,),
            notices=pending.notices,
            jobs=pending.jobs,
            finished_jobs=pending.finished_jobs,
            brief=brief,
        )

    def _current_stable_values(self) -> list[Any]:
        """Return the values of the rarely changing columns."""
        return [stable_table_values(self.row), *map(stable_seat_values, self.seats)]

    def _current_save(self) -> str:
        """Return the current position as a save."""
        position = self.position
        assert position is not None
        if position.sequence == self.checkpoint and self.checkpoint_save and not position.sealed_answers:
            return self.checkpoint_save
        return encode(position.json_save())

    def mark_written(self) -> None:
        """Apply the pending changes to the cached data after they were written."""
        pending = self.pending
        if pending.rewritten_events:
            self.events = None
            self._logs = {}
        if pending.deleted_messages or pending.hidden_messages or pending.renamed_messages:
            self.messages = None
        if self.events is not None:
            self.events.extend(pending.events)
        if self.messages is not None:
            self.messages.extend(pending.messages)
        if pending.truncate_choices_at is not None:
            self.steps = None
            self.forget_told_answers()
        if self.steps is not None:
            self.steps.extend((row.sequence, row.seat) for row in pending.choices if not row.auto)
        if self.told_answers is not None and self.game is not None:
            self.told_answers += told_by_rows(self.game, pending.choices)
        self._public = None
        self.pending = PendingChanges()

    # -- seats and readers -------------------------------------------------------------------------

    def seats_of(self, user_id: str | None) -> tuple[int, ...]:
        """Return the seats that a user holds, including those where a bot replaces them."""
        if user_id is None:
            return ()
        return tuple([row.seat for row in self.seats if row.user_id == user_id and row.kind == "person"])

    def seats_held_by(self, who: User | None) -> tuple[int, ...]:
        """Return the seats that a reader holds; none for an unknown reader."""
        return () if who is None else self.seats_of(who.id)

    def name_for(self, name: str, seat: int | None = None) -> str:
        """Return a name, with a number if another name at this table looks like it.

        Args:
            name: The person's own name.
            seat: The seat that gets the name, if any.
        """
        others = [row.name for row in self.seats if row.kind != "bot" and row.seat != seat]
        return names.name_among(name, others)

    def name_of(self, user: User) -> str:
        """Return a user's name at this table: that of their first seat, or else their own."""
        mine = self.seats_of(user.id)
        return self.seats[mine[0]].name if mine else self.name_for(user.name)

    def human_seats(self) -> tuple[int, ...]:
        """Return the seats where a person is playing."""
        return tuple(row.seat for row in self.seats if row.kind == "person" and not row.away)

    def is_full(self) -> bool:
        """Return whether every seat has a person or a bot."""
        return all(row.kind in ("person", "bot") for row in self.seats)

    def draft_revisions_by_user(self) -> dict[str, int]:
        """Return the private part of the version by user: the changes of their drafts."""
        found: dict[str, int] = {}
        for row in self.seats:
            if row.kind == "person" and row.user_id is not None:
                found[row.user_id] = found.get(row.user_id, 0) + row.revision
        return found

    def version_for(self, user_id: str | None) -> str:
        """Return the version for one reader, including the pending change."""
        return self.version_of(self.seats_of(user_id))

    def version_of(self, mine: Sequence[int]) -> str:
        """Return the version for a reader with these seats, including the pending change."""
        seats = self.seats
        mark = sum([seats[seat].revision for seat in mine]) if mine else None
        return version(self.row.version + self.pending.public, mark)

    def stamp(self, seat: int) -> str:
        """Return the stamp that every command of this seat's turn must carry."""
        return seat_stamp(self.row, self.seats[seat])

    # -- the record --------------------------------------------------------------------------------

    def forget_told_answers(self) -> None:
        """Read the answers again before their next use."""
        self.told_answers = None
        self._reader_lines = {}

    def reader_lines(self, seats: tuple[int, ...]) -> list[str]:
        """Return a reader's record; needs `told_answers`, and must not be changed."""
        assert self.told_answers is not None
        count, lines = self._reader_lines.get(seats, (0, []))
        if count < len(self.told_answers):
            lines += reader_lines(self.told_answers[count:], seats, lines[-1] if lines else "")
            self._reader_lines[seats] = len(self.told_answers), lines
        return lines

    # -- views -------------------------------------------------------------------------------------

    def public_view(self) -> PublicView:
        """Return the part of the view that is the same for everybody; it is cached."""
        if self._public is None:
            assert self.position is not None
            self._public = self.position.public_view()
        return self._public

    # -- events ------------------------------------------------------------------------------------

    def add_event(self, origin: str, data: dict[str, Any], now: int) -> None:
        """Append an event to the log.

        Args:
            origin: "game" or "table".
            data: Key and fields.
            now: The current time in milliseconds.
        """
        row = self.row
        self.pending.events.append(EventRow(row.id, row.told, row.sequence, origin, data, now))
        row.told += 1

    def log_event(self, key: str, now: int, **fields: Any) -> None:
        """Log an event of the table itself, for example that somebody joined or left.

        Args:
            key: Key of the message.
            now: The current time in milliseconds.
            **fields: Values for the message. The user of the named `seat` is stored with the event.
        """
        self.add_event("table", {"key": key, "fields": fields}, now)
        if "seat" in fields:
            self.pending.events[-1].user_id = self.seats[fields["seat"]].user_id

    def log(self, viewer: int | None) -> list[LogEntry]:
        """Return the log as the viewer may know it; don't change it. Needs `events`."""
        assert self.events is not None
        count, entries = self._logs.get(viewer, (0, []))
        if count < len(self.events):
            known = len(entries)
            add_entries(entries, self.events[count:], viewer)
            if viewer is not None:
                # Entries that look the same to everybody are the same object for everybody, so that
                # pages find their cached fragments fast.
                public = self.log(None)
                entries[known:] = [
                    all_know if all_know == entry else entry
                    for entry, all_know in zip_longest(entries[known:], public[known : len(entries)])
                ]
            self._logs[viewer] = len(self.events), entries
        return entries

    # -- open turns --------------------------------------------------------------------------------

    def turn_draft(self, seat: int) -> TurnDraft:
        """Return the turn draft of a seat.

        Args:
            seat: The seat.

        Raises:
            WrongSeat: If the seat isn't asked.
        """
        assert self.position is not None
        if seat not in self.turn_drafts:
            try:
                self.turn_drafts[seat] = TurnDraft(self.position, seat, self.seats[seat].draft)
            except AtollError:
                self.turn_drafts[seat] = TurnDraft(self.position, seat)
        return self.turn_drafts[seat]

    def set_draft(self, seat: int, choices: Sequence[int]) -> None:
        """Store the choices of a seat's turn draft, which nobody else can notice."""
        row = self.seats[seat]
        row.draft = list(choices)
        row.revision += 1
        self.turn_drafts.pop(seat, None)
        self.mark_changed(seat, public=False)

    def has_plan(self, seat: int) -> bool:
        """Return whether the seat has planned answers that are still valid."""
        plan = self.seats[seat].plan
        return plan is not None and not plan["plan"]["ended"]

    def drop_plan(self, seat: int) -> None:
        """Delete the planned answers of a seat."""
        if self.seats[seat].plan is not None:
            self.seats[seat].plan = None
            self.pending.seats.add(seat)

    def advice_for(self, seat: int) -> Advice | None:
        """Return a bot's advice for the seat's current turn, or None."""
        found = self.advice.get(seat)
        return found if found is not None and found.stamp == self.stamp(seat) else None


def add_entries(entries: list[LogEntry], events: Sequence[EventRow], viewer: int | None) -> None:
    """Append events to a log as the viewer may know them.

    Entries are numbered without gaps, because a gap would disclose a hidden event.

    Args:
        entries: The log.
        events: The events to append.
        viewer: The viewing seat, or None for a spectator.
    """
    for row in events:
        data = row.data
        lacking: tuple[str, ...] = ()
        if row.origin == "table":
            if data["key"] == "undone":
                _mark_undone(entries, row.sequence)
        else:
            seen = Event.from_json(row.data).seen_by(viewer)
            if seen is None:
                continue
            data = seen
            lacking = tuple(seen["lacking"])
        number = len(entries)
        entries.append(LogEntry(number, row.sequence, row.origin, data["key"], data["fields"], lacking))  # type: ignore[arg-type]


def _mark_undone(entries: list[LogEntry], moment: int) -> None:
    """Mark the game's entries after a moment as taken back."""
    for index, each in enumerate(entries):
        if each.origin == "game" and each.sequence > moment:
            entries[index] = msgspec.structs.replace(each, undone=True)
