"""A table in memory: its rows, its position, and what a command is about to change in them.

Nothing here waits or does input and output. The keeper holds the table's lock, lets one command change it, writes what
`collect` gives, and throws the whole object away if anything goes wrong on the way: the database is the truth.
"""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Container, Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import zip_longest
from typing import Any

import msgspec

from atoll.engine import CHANCE, PUBLIC, AtollError, Event, Game, Position, PublicView, Stage
from atoll.learn.coach import Caution
from atoll.store import (
    Change,
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
    seldom_of_game,
    seldom_of_seat,
)

from ..domain import names
from ..domain.model import Advice, Analysis, LogEntry, User
from .fair_chance import as_heard, public_lines, undo_line
from .playback import CoachedAct


def version(public: int, mark: int | None) -> str:
    """A version as a reader knows it: the public count, for a seat's holder with its own."""
    return str(public) if mark is None else f"{public}.{mark}"


def encode(data: Any) -> str:
    """Compact JSON text."""
    return msgspec.json.encode(data).decode()


@dataclass
class Pending:
    """What a command has changed and nobody has written yet.

    dirty: whether it changed something at all. public: others can notice. timed: when, may be told. listed: lists of
    tables look different now. moved: the position went on. cut: the record is dropped from this number on. seats: the
    rows that changed. retold, unsigned: see Change. done: ids of jobs that needn't be done any more. All else is to be
    added.
    """

    dirty: bool = False
    public: bool = False
    timed: bool = False
    listed: bool = False
    moved: bool = False
    cut: int | None = None
    seats: set[int] = field(default_factory=set)
    choices: list[ChoiceRow] = field(default_factory=list)
    undone: list[UndoneRow] = field(default_factory=list)
    checkpoints: list[CheckpointRow] = field(default_factory=list)
    events: list[EventRow] = field(default_factory=list)
    messages: list[MessageRow] = field(default_factory=list)
    notes: list[NoteRow] = field(default_factory=list)
    retold: list[EventRow] = field(default_factory=list)
    unsigned: list[MessageRow] = field(default_factory=list)
    invites: list[InviteRow] = field(default_factory=list)
    used_invites: list[str] = field(default_factory=list)
    jobs: list[JobRow] = field(default_factory=list)
    notices: list[NoticeRow] = field(default_factory=list)
    done: list[str] = field(default_factory=list)


class Live:
    """A table in memory.

    lock: to be held by whoever reads or changes it. gone: it was thrown away; get the table anew. broken: why the rules
    can't go on here ("" if they can). read_at: when it was last known to be as in the database (monotonic seconds),
    others: see Store.others. events, messages, lines: what happened, what was said, the public record; None until read.
    steps: of every answer that was asked for, how many came before it, and who gave it (a seat or chance); None until
    read. advised: per seat what a bot has said on its open turn. coached: per seat what was done since its last choice
    as its coach tells it, after the moment that it is for; cautions: what the coach has against its open turn, after
    the turn's stamp. notes: what people have noted, as far as that was read; noted: all of it was. analysis: of the
    finished game, once it was read. checkpoint: the sequence number of the last one; quiet: the save of that moment.
    clock_due: when the first time runs out. reached: the people who have a channel by which they can be told of
    something.
    """

    def __init__(
        self, row: GameRow, seats: list[SeatRow], games: Mapping[str, Game], reached: Container[str] = ()
    ) -> None:
        self.row: GameRow = row
        self.seats: list[SeatRow] = seats
        self._seldom: list[Any] = self._seldom_now()
        self.reached: Container[str] = reached
        self.lock: asyncio.Lock = asyncio.Lock()
        self.gone: bool = False
        self.broken: str = ""
        self.read_at: float = 0.0
        self.others: Hashable = None
        self.events: list[EventRow] | None = None
        self.messages: list[MessageRow] | None = None
        self.steps: list[tuple[int, int]] | None = None
        self.lines: list[str] | None = None
        self.notes: dict[str, str] = {}
        self.noted: bool = False
        self.advised: dict[int, Advice] = {}
        self.coached: dict[int, tuple[tuple[int, int], tuple[CoachedAct, ...]]] = {}
        self.cautions: dict[int, tuple[str, Caution | None]] = {}
        self.analysis: Analysis | None = None
        self.position: Position | None = None
        self.checkpoint: int = -1
        self.quiet: str = ""
        self.stages: dict[int, Stage] = {}
        self.clock_due: int | None = None
        self.pending: Pending = Pending()
        self._logs: dict[int | None, tuple[int, list[LogEntry]]] = {}
        self._public: PublicView | None = None
        self.game: Game | None = None
        try:
            self.game = games[row.game]
        except (AtollError, ImportError, LookupError) as error:
            self.broken = str(error) or type(error).__name__

    # -- what will be written ------------------------------------------------------------------------------------

    def touch(self, *seats: int, public: bool = True, timed: bool = True, listed: bool = True) -> None:
        """Something changed, in these seats too; see Pending."""
        pending = self.pending
        pending.dirty = True
        pending.public |= public
        pending.timed |= public and timed
        pending.listed |= public and listed
        pending.seats.update(seats)

    def set_job(self, kind: str, due: int) -> None:
        """Something has to happen at this table by itself; at most one thing of each kind is awaited."""
        self.pending.jobs.append(JobRow(f"{kind}:{self.row.id}", kind, self.row.id, due, secrets.token_hex(4)))

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
        """Somebody is to be told of something, now or when it is `due`. mark: tells apart what is told of this kind.

        asked: see the table `notices`. Who can't be reached is left out.
        """
        if user_id is None or user_id not in self.reached:
            return
        others = (seat.name for seat in self.seats if seat.kind == "person" and seat.user_id != user_id)
        id = f"{kind}:{self.row.id}:{user_id}:{mark}"
        said = {"game": self.row.game, "names": list(filter(None, others)), **data}
        when = now if due is None else due
        self.pending.notices.append(NoticeRow(id, user_id, kind, self.row.id, said, when, now, asked))

    def stamp_versions(self, now: int) -> None:
        """Count this change, before anything is told of it."""
        if self.pending.public:
            self.row.version += 1
        if self.pending.timed:
            self.row.changed = now

    def collect(self, command: CommandRow | None, notice: str, *, is_new: bool = False) -> Change:
        """All writes of the command that has just changed this table."""
        row = self.row
        pending = self.pending
        expected = row.revision
        if not is_new:
            row.revision += 1
        if pending.moved:
            row.position = self._saved()
        seldom = self._seldom_now()
        brief = not is_new and seldom == self._seldom
        self._seldom = seldom
        return Change(
            game=row,
            expected=expected,
            is_new=is_new,
            cut_choices=pending.cut,
            seats=self.seats if is_new else [self.seats[seat] for seat in sorted(pending.seats)],
            choices=pending.choices,
            undone=pending.undone,
            checkpoints=pending.checkpoints,
            events=pending.events,
            messages=pending.messages,
            notes=pending.notes,
            retold=pending.retold,
            unsigned=pending.unsigned,
            invites=pending.invites,
            used_invites=pending.used_invites,
            commands=() if command is None else (command,),
            notices=pending.notices,
            jobs=pending.jobs,
            done=pending.done,
            notice=notice,
            brief=brief,
        )

    def _seldom_now(self) -> list[Any]:
        """What seldom changes of the rows, as it is now."""
        return [seldom_of_game(self.row), *map(seldom_of_seat, self.seats)]

    def _saved(self) -> str:
        """The position as it is to be saved."""
        position = self.position
        assert position is not None
        if position.sequence == self.checkpoint and self.quiet and not position.sealed_answers:
            return self.quiet
        return encode(position.encodable_save())

    def written(self) -> None:
        """The change is in the database."""
        pending = self.pending
        if pending.retold:
            self.events = None
            self._logs = {}
        if pending.unsigned:
            self.messages = None
        if self.events is not None:
            self.events.extend(pending.events)
        if self.messages is not None:
            self.messages.extend(pending.messages)
        if pending.cut is not None:
            self.steps = self.lines = None
        if self.steps is not None:
            self.steps.extend((row.sequence, row.seat) for row in pending.choices if not row.auto)
        if self.lines is not None:
            self.hear(pending.choices)
        self._public = None
        self.pending = Pending()

    # -- who is who ----------------------------------------------------------------------------------------------

    def seats_of(self, user_id: str | None) -> tuple[int, ...]:
        """The seats that a user holds, also those where a bot stands in."""
        if user_id is None:
            return ()
        return tuple([row.seat for row in self.seats if row.user_id == user_id and row.kind == "person"])

    def seats_held_by(self, who: User | None) -> tuple[int, ...]:
        """The same of a reader, who need not be known."""
        return () if who is None else self.seats_of(who.id)

    def name_for(self, name: str, seat: int | None = None) -> str:
        """Return the name, with a number if another at this table looks like it.

        Args:
            name: The person's own name.
            seat: The seat that gets the name, if any.
        """
        others = [row.name for row in self.seats if row.kind != "bot" and row.seat != seat]
        return names.of_person(name, others)

    def name_of(self, user: User) -> str:
        """Return what a user is called here: by its first seat, or else by its own name."""
        mine = self.seats_of(user.id)
        return self.seats[mine[0]].name if mine else self.name_for(user.name)

    def persons(self) -> tuple[int, ...]:
        """The seats where a person is playing."""
        return tuple(row.seat for row in self.seats if row.kind == "person" and not row.away)

    def filled(self) -> bool:
        """Whether somebody sits on each seat."""
        return all(row.kind in ("person", "bot") for row in self.seats)

    def marks(self) -> dict[str, int]:
        """Per user at the table how often the drafts of its seats have changed: its private part of the version."""
        found: dict[str, int] = {}
        for row in self.seats:
            if row.kind == "person" and row.user_id is not None:
                found[row.user_id] = found.get(row.user_id, 0) + row.revision
        return found

    def version_for(self, user_id: str | None) -> str:
        """The version as one reader knows it; in the middle of a command, as it will be once that is written."""
        return self.version_of(self.seats_of(user_id))

    def version_of(self, mine: Sequence[int]) -> str:
        """The same for whoever holds these seats."""
        seats = self.seats
        mark = sum([seats[seat].revision for seat in mine]) if mine else None
        return version(self.row.version + self.pending.public, mark)

    def stamp(self, seat: int) -> str:
        """What every command of this seat's turn must carry."""
        return f"{self.row.sequence}.{self.seats[seat].revision}"

    def hear(self, choices: Sequence[ChoiceRow], undone: Sequence[UndoneRow] = ()) -> None:
        """What everybody learns of these further answers becomes part of the public record, which must be there.

        undone: what was taken back of the whole record, if that is what is heard.
        """
        assert self.lines is not None
        taken = [(row.length, self._answers(row.choices())) for row in undone]
        marks = [(CHANCE, undo_line(row.sequence)) for row in undone]
        self.lines.extend(public_lines(as_heard(self._answers(choices), taken, marks), self.lines[-1:]))

    def _answers(self, choices: Sequence[ChoiceRow]) -> list[tuple[int, str | None]]:
        """Who answered, and what, as everybody learns it."""
        assert self.game is not None
        return [(row.seat, self.game.text(row.choice) if row.audience == PUBLIC else None) for row in choices]

    # -- what is seen --------------------------------------------------------------------------------------------

    def public_view(self) -> PublicView:
        """What all see alike of the position; made once between two changes."""
        if self._public is None:
            assert self.position is not None
            self._public = self.position.public_view()
        return self._public

    # -- telling -------------------------------------------------------------------------------------------------

    def add_event(self, origin: str, data: dict[str, Any], now: int) -> None:
        """Something has happened."""
        row = self.row
        self.pending.events.append(EventRow(row.id, row.told, row.sequence, origin, data, now))
        row.told += 1

    def tell(self, key: str, now: int, **fields: Any) -> None:
        """An event of the table itself: somebody came, went, a bot took over. With it is kept whose `seat` it names."""
        data: dict[str, Any] = {"key": key, "fields": fields}
        if "seat" in fields:
            data["user"] = self.seats[fields["seat"]].user_id
        self.add_event("table", data, now)

    def log(self, viewer: int | None) -> list[LogEntry]:
        """What has happened, as the viewer may know it. Needs `events`. Not to be changed."""
        assert self.events is not None
        told, entries = self._logs.get(viewer, (0, []))
        if told < len(self.events):
            known = len(entries)
            add_entries(entries, self.events[told:], viewer)
            if viewer is not None:
                # What all know alike is the same object for all: pages that show it find quickly what they have kept.
                public = self.log(None)
                entries[known:] = [
                    all_know if all_know == entry else entry
                    for entry, all_know in zip_longest(entries[known:], public[known : len(entries)])
                ]
            self._logs[viewer] = len(self.events), entries
        return entries

    # -- the open turn -------------------------------------------------------------------------------------------

    def stage(self, seat: int) -> Stage:
        """The seat's open turn with its staged choices. Raises WrongSeat if it isn't asked."""
        assert self.position is not None
        if seat not in self.stages:
            try:
                self.stages[seat] = Stage(self.position, seat, self.seats[seat].draft)
            except AtollError:
                self.stages[seat] = Stage(self.position, seat)
        return self.stages[seat]

    def keep_draft(self, seat: int, choices: Sequence[int]) -> None:
        """These are the seat's staged choices now; nobody else notices."""
        row = self.seats[seat]
        row.draft = list(choices)
        row.revision += 1
        self.stages.pop(seat, None)
        self.touch(seat, public=False)

    def plans(self, seat: int) -> bool:
        """Whether the seat has said ahead what it will answer next, and no surprise has ended that."""
        kept = self.seats[seat].plan
        return kept is not None and not kept["plan"]["ended"]

    def drop_plan(self, seat: int) -> None:
        """Its person answers itself, or doesn't play any more."""
        if self.seats[seat].plan is not None:
            self.seats[seat].plan = None
            self.pending.seats.add(seat)

    def advice_for(self, seat: int) -> Advice | None:
        """What a bot has said on the seat's turn as it is now."""
        found = self.advised.get(seat)
        return found if found is not None and found.stamp == self.stamp(seat) else None


def add_entries(entries: list[LogEntry], events: Sequence[EventRow], viewer: int | None) -> None:
    """Add events as the viewer may know them, numbered without gaps: a gap would tell of what is hidden."""
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
    """What the game has told after a moment was taken back."""
    for index, each in enumerate(entries):
        if each.origin == "game" and each.sequence > moment:
            entries[index] = msgspec.structs.replace(each, undone=True)
