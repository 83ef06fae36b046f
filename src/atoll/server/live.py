"""A table in memory: its rows, its position, and what a command is about to change in them.

Nothing here waits or does input and output. The service holds the table's lock, lets one command change it, writes what
`collect` gives, and throws the whole object away if anything goes wrong on the way: the database is the truth.
"""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from atoll.engine import CHANCE, AtollError, Draw, Event, Game, Position, SaveError, Stage
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
    SeatRow,
)

from .chance import FairChance
from .model import Advice, Analysis, LogEntry


def encode(data: Any) -> str:
    """Compact JSON text."""
    return msgspec.json.encode(data).decode()


class Live:
    """A table in memory.

    lock: to be held by whoever reads or changes it. gone: it was thrown away; get the table anew. broken: why the rules
    can't go on here ("" if they can). dirty: a command has changed something that isn't written yet. read_at: when it
    was last known to be as in the database (monotonic seconds). advised: per seat what a bot has said on its open turn.
    analysis: of the finished game, once it was read.
    """

    def __init__(self, row: GameRow, seats: list[SeatRow], games: Mapping[str, Game]) -> None:
        self.row: GameRow = row
        self.seats: list[SeatRow] = seats
        self.lock: asyncio.Lock = asyncio.Lock()
        self.gone: bool = False
        self.broken: str = ""
        self.read_at: float = 0.0
        self.events: list[EventRow] | None = None
        self.messages: list[MessageRow] | None = None
        self.moments: list[int] | None = None
        self.advised: dict[int, Advice] = {}
        self.analysis: Analysis | None = None
        self.position: Position | None = None
        self._checkpoint: int = -1
        self._quiet: str = ""
        self._stages: dict[int, Stage] = {}
        self._logs: dict[int | None, tuple[int, list[LogEntry]]] = {}
        self._clock_due: int | None = None
        self._forget_changes()
        self.game: Game | None = None
        try:
            self.game = games[row.game]
            if row.position is not None:
                self._load(row.position)
        except (AtollError, ImportError, LookupError) as error:
            self.broken = str(error) or type(error).__name__

    # -- what will be written ------------------------------------------------------------------------------------

    def _forget_changes(self) -> None:
        self.dirty: bool = False
        self.public: bool = False
        self.timed: bool = False
        self.listed: bool = False
        self.moved: bool = False
        self.cut: int | None = None
        self.new_choices: list[ChoiceRow] = []
        self.new_checkpoints: list[CheckpointRow] = []
        self.new_events: list[EventRow] = []
        self.new_messages: list[MessageRow] = []
        self.new_invites: list[InviteRow] = []
        self.used_invites: list[str] = []
        self.jobs: list[JobRow] = []
        self.done: list[str] = []
        self.touched: set[int] = set()

    def touch(self, *seats: int, public: bool = True, timed: bool = True, listed: bool = True) -> None:
        """Something changed, in these seats too.

        public: others can notice. timed: when, may be told. listed: lists of tables look different now.
        """
        self.dirty = True
        self.public |= public
        self.timed |= public and timed
        self.listed |= public and listed
        self.touched.update(seats)

    def collect(self, now: int, command: CommandRow | None, notice: str, *, is_new: bool = False) -> Change:
        """All writes of the command that has just changed this table."""
        row = self.row
        expected = row.revision
        if not is_new:
            row.revision += 1
        if self.moved:
            row.position = self._saved()
        return Change(
            game=row,
            expected=expected,
            is_new=is_new,
            cut_choices=self.cut,
            seats=self.seats if is_new else [self.seats[seat] for seat in sorted(self.touched)],
            choices=self.new_choices,
            checkpoints=self.new_checkpoints,
            events=self.new_events,
            messages=self.new_messages,
            invites=self.new_invites,
            used_invites=self.used_invites,
            commands=() if command is None else (command,),
            jobs=self.jobs,
            done=self.done,
            notice=notice,
        )

    def stamp_versions(self, now: int) -> None:
        """Count this change, before anything is told of it."""
        if self.public:
            self.row.version += 1
        if self.timed:
            self.row.changed = now

    def written(self) -> None:
        """The change is in the database."""
        if self.events is not None:
            self.events.extend(self.new_events)
        if self.messages is not None:
            self.messages.extend(self.new_messages)
        if self.cut is not None:
            self.moments = None
        elif self.moments is not None:
            self.moments.extend(row.sequence for row in self.new_choices if not row.auto)
        self._forget_changes()

    # -- who is who ----------------------------------------------------------------------------------------------

    def seats_of(self, user_id: str | None) -> tuple[int, ...]:
        """The seats that a user holds, also those where a bot stands in."""
        if user_id is None:
            return ()
        return tuple(row.seat for row in self.seats if row.kind == "person" and row.user_id == user_id)

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
        """The version as one reader knows it."""
        mark = None if user_id is None else self.marks().get(user_id)
        return version(self.row.version, mark)

    def stamp(self, seat: int) -> str:
        """What every command of this seat's turn must carry."""
        return f"{self.row.sequence}.{self.seats[seat].revision}"

    # -- telling -------------------------------------------------------------------------------------------------

    def _add_event(self, origin: str, data: dict[str, Any], now: int) -> None:
        row = self.row
        self.new_events.append(EventRow(row.id, row.told, row.sequence, origin, data, now))
        row.told += 1

    def tell(self, key: str, now: int, **fields: Any) -> None:
        """An event of the table itself: somebody came, went, a bot took over."""
        self._add_event("table", {"key": key, "fields": fields}, now)

    def say(self, user_id: str, seat: int | None, name: str, text: str, now: int) -> MessageRow:
        """A chat message."""
        row = self.row
        message = MessageRow(row.id, row.said, user_id, seat, name, text, now)
        self.new_messages.append(message)
        row.said += 1
        self.touch(listed=False)
        return message

    def log(self, viewer: int | None) -> list[LogEntry]:
        """What has happened, as the viewer may know it. Needs `events`. Not to be changed."""
        assert self.events is not None
        told, entries = self._logs.get(viewer, (0, []))
        if told < len(self.events):
            add_entries(entries, self.events[told:], viewer)
            self._logs[viewer] = len(self.events), entries
        return entries

    # -- the game ------------------------------------------------------------------------------------------------

    def _load(self, saved: str) -> None:
        assert self.game is not None
        try:
            self.position = self.game.load(saved)
        except SaveError:
            # The rules were mended and a choice of the open segment doesn't fit any more: start the segment again.
            data = msgspec.json.decode(saved)
            lost = len(data["since"])
            self.position = self.game.load({**data, "since": [], "sealed": {}})
            self.row.number -= lost
            self.row.sequence = self.position.sequence
            self.cut = self.row.number
            self.moved = True
            for seat in self.seats:
                seat.draft = []
                seat.revision += 1
                self.touch(seat.seat)
        self._checkpoint = self.position.checkpoint_sequence

    def settle_load(self, now: int) -> None:
        """After loading: go on if the rules were changed so that the game can't stand still here."""
        if self.position is None or self.row.status != "running":
            return
        if self.cut is not None:
            self.tell("restarted", now)
        if self.position.chance is not None or self.position.over:
            self.touch()
        if self.dirty:
            self._draw(now)
            self.settle(now)

    def begin(self, now: int, position: Position | None = None) -> None:
        """The game starts; all chance before the first decision is drawn. position: to start from another moment."""
        row = self.row
        game = self.game
        assert game is not None
        row.status = "running"
        row.rules_version, row.box = game.rules_version, game.box_hash
        for seat in self.seats:
            if seat.share is None:
                seat.share = ""
        self.tell("started", now)
        if position is None:
            self.position = game.new(len(self.seats), row.options)
            self._keep(0, 0, 0, None, now)
        else:
            self.position = position
            row.sequence = position.sequence
            self._checkpoint = position.checkpoint_sequence
            self.new_checkpoints.append(CheckpointRow(row.id, 0, row.sequence, encode(position.save_data())))
        self.moved = True
        self.touch(*range(len(self.seats)))
        self.done.append(f"start:{row.id}")
        self._draw(now)
        self.settle(now)

    def enact(self, record: Sequence[tuple[int, int]], now: int) -> None:
        """A game that was played elsewhere: every answer (seat or chance, choice) as recorded. Raises AtollError."""
        row = self.row
        game = self.game
        assert game is not None
        row.status = "running"
        self.tell("imported", now)
        self.position = game.new(len(self.seats), row.options)
        self._keep(0, 0, 0, None, now)
        assert self.position.record is not None
        for index, (who, choice) in enumerate(record):
            # A sealed answer is in the record when all are; what the rules took unasked is there already.
            waiting = sum(map(len, self.position.sealed_answers.values()))
            if index < len(self.position.record) + waiting:
                continue
            ask = self.position.chance
            self._feed(who, choice, now, sorted(ask.pool) if isinstance(ask, Draw) else None)
        self.moved = True
        self.touch(*range(len(self.seats)))
        self.settle(now)

    def _draw(self, now: int) -> None:
        """Let all chance happen that is asked for."""
        position = self.position
        assert position is not None
        ask = position.chance
        if ask is None:
            return
        source = FairChance(self.row.seed, self.row.id, [seat.share or "" for seat in self.seats])
        while ask is not None:
            if isinstance(ask, Draw):
                pool = sorted(ask.pool)
                outcome = pool[source.pick(position.chances, len(pool))]
                self._feed(CHANCE, ask.kind.first + outcome, now, pool)
            else:
                self._feed(CHANCE, ask.kind.first + source.pick(position.chances, ask.kind.size), now)
            ask = position.chance

    def _feed(self, who: int, choice: int, now: int, pool: list[int] | None = None) -> None:
        """One answer; what follows from it is kept."""
        position = self.position
        assert position is not None and position.record is not None
        before = len(position.record)
        sequence = position.sequence
        own = 1 + sum(map(len, position.sealed_answers.values())) if position.sealed else 1
        position.apply(choice, None if who == CHANCE else who)
        self._keep(before, sequence, own, pool, now)

    def _keep(self, before: int, sequence: int, own: int, pool: list[int] | None, now: int) -> None:
        """Keep what one answer added to the record: itself (or all of a sealed decision), then what went unasked."""
        row = self.row
        position = self.position
        assert position is not None and position.record is not None
        self._stages.clear()
        self.moved = True
        for offset, (who, choice, audience) in enumerate(position.record[before:]):
            auto = offset >= own
            at = sequence + (1 + offset - own if auto and own else offset if auto else 0)
            self.new_choices.append(
                ChoiceRow(row.id, row.number, at, who, choice, audience, auto, pool if not offset else None, now)
            )
            row.number += 1
        row.sequence = position.sequence
        for event in position.take_events():
            self._add_event("game", event.to_json(), now)
        if position.checkpoint_sequence != self._checkpoint:
            self._checkpoint = position.checkpoint_sequence
            data = position.save_data()
            since = data["since"]
            data["since"], data["sealed"] = [], {}
            self._quiet = encode(data)
            self.new_checkpoints.append(CheckpointRow(row.id, row.number - len(since), self._checkpoint, self._quiet))

    def _saved(self) -> str:
        """The position as it is to be saved."""
        position = self.position
        assert position is not None
        if position.sequence == self._checkpoint and self._quiet and not position.sealed_answers:
            return self._quiet
        return encode(position.save_data())

    def stage(self, seat: int) -> Stage:
        """The seat's open turn with its staged choices. Raises WrongSeat if it isn't asked."""
        assert self.position is not None
        if seat not in self._stages:
            try:
                self._stages[seat] = self.position.stage(seat, self.seats[seat].draft)
            except AtollError:
                self._stages[seat] = self.position.stage(seat)
        return self._stages[seat]

    def advice_for(self, seat: int) -> Advice | None:
        """What a bot has said on the seat's turn as it is now."""
        found = self.advised.get(seat)
        return found if found is not None and found.stamp == self.stamp(seat) else None

    def keep_draft(self, seat: int, choices: Sequence[int]) -> None:
        """These are the seat's staged choices now; nobody else notices."""
        row = self.seats[seat]
        row.draft = list(choices)
        row.revision += 1
        self._stages.pop(seat, None)
        self.touch(seat, public=False)

    def answer(self, seat: int, choices: Sequence[int], now: int, *, by_bot: bool = False) -> None:
        """A seat's final choices: they are applied, chance happens, the next ones are asked."""
        position = self.position
        assert position is not None
        row = self.seats[seat]
        row.draft = []
        row.revision += 1
        sealed = position.sealed
        waiting = position.sealed_answers
        sequence = position.sequence
        for choice in choices:
            self._feed(seat, choice, now)
        self._draw(now)
        if sealed and position.sequence != sequence:
            # All are in: everybody gets the time for this turn, also who is asked again at once.
            for other in waiting:
                if other != seat:
                    self._refill(self.seats[other])
            self._settle_seat(row, False, now)
        # When somebody has answered a sealed decision isn't told, only that it has.
        self.touch(seat, timed=not (position.sealed and seat in position.sealed_answers))
        self.settle(now, by_bot=by_bot)

    def withdraw(self, seat: int, now: int) -> list[int]:
        """Take a seat's answer to an open sealed decision back. Gives the choices that it was made of."""
        position = self.position
        assert position is not None
        answers = position.sealed_answers.get(seat, [])
        for _ in answers:
            position.undo(seat)
        self._stages.clear()
        self.moved = True
        self.touch(seat, timed=False)
        self.settle(now)
        return answers

    # -- what follows from the moment ----------------------------------------------------------------------------

    def settle(self, now: int, *, by_bot: bool = False) -> None:
        """Whom the game asks now, whose time runs, what has to happen by itself.

        by_bot: the one who changed the table looks after the bots anyway.
        """
        row = self.row
        position = self.position
        if row.status == "running" and position is not None and position.over:
            row.status = "over"
            row.votes = {}
            row.result = {"places": position.ranking(), "totals": position.scores()}
            self.tell("ended", now)
        running = row.status == "running" and position is not None
        asked = position.to_move if running and position is not None else ()
        for seat in self.seats:
            self._settle_seat(seat, seat.seat in asked, now)
        if running and not by_bot and any(self.seats[seat].bot for seat in asked):
            self._set_job("bot", now)
        self._settle_clock(running)

    def _settle_seat(self, seat: SeatRow, is_asked: bool, now: int) -> None:
        clock = self.row.clock
        timed = clock is not None and seat.kind == "person" and not seat.away
        if is_asked and seat.asked is None:
            seat.asked = now
            if timed and clock is not None and seat.bank_ms is None:
                seat.bank_ms = 1000 * clock["bank_s"]
            self.touched.add(seat.seat)
        elif not is_asked and seat.asked is not None:
            if timed and seat.bank_ms is not None:
                seat.bank_ms = max(0, seat.bank_ms - (now - seat.asked))
            seat.asked = None
            self.touched.add(seat.seat)
            # A sealed answer can be taken back and given again; time is added once, when it is opened.
            if self.position is None or seat.seat not in self.position.sealed_answers:
                self._refill(seat)
        if self.row.status in ("over", "cancelled") and seat.draft:
            seat.draft = []
            self.touched.add(seat.seat)

    def _refill(self, seat: SeatRow) -> None:
        clock = self.row.clock
        if clock is not None and seat.bank_ms is not None and seat.kind == "person" and not seat.away:
            seat.bank_ms = min(seat.bank_ms + 1000 * clock["increment_s"], 1000 * clock["cap_s"])
            self.touched.add(seat.seat)

    def deadlines(self) -> dict[int, int]:
        """When the time of each seat that is asked and has a clock runs out."""
        return {
            seat.seat: seat.asked + seat.bank_ms
            for seat in self.seats
            if seat.asked is not None and seat.bank_ms is not None and seat.kind == "person" and not seat.away
        }

    def _settle_clock(self, running: bool) -> None:
        if self.row.clock is None:
            return
        due = min(self.deadlines().values(), default=None) if running else None
        if due == self._clock_due:
            return
        self._clock_due = due
        if due is None:
            self.done.append(f"clock:{self.row.id}")
        else:
            self._set_job("clock", due)

    def set_start(self, due: int) -> None:
        """The table is full: begin at the latest then."""
        self._set_job("start", due)

    def _set_job(self, kind: str, due: int) -> None:
        self.jobs.append(JobRow(f"{kind}:{self.row.id}", kind, self.row.id, due, secrets.token_hex(4)))

    def score_lines(self) -> tuple[tuple[dict[str, Any], ...], ...]:
        """Per seat the lines that make up its score, as plain data."""
        assert self.position is not None
        return tuple(map(tuple, msgspec.to_builtins(self.position.explain())))


def add_entries(entries: list[LogEntry], events: Sequence[EventRow], viewer: int | None) -> None:
    """Add events as the viewer may know them, numbered without gaps: a gap would tell of what is hidden."""
    for row in events:
        if row.origin == "table":
            data, lacking = row.data, ()
        else:
            seen = Event.from_json(row.data).seen_by(viewer)
            if seen is None:
                continue
            data, lacking = seen, tuple(seen["lacking"])
        number = len(entries)
        entries.append(LogEntry(number, row.sequence, row.origin, data["key"], data["fields"], lacking))  # type: ignore[arg-type]


def version(public: int, mark: int | None) -> str:
    """A version as a reader knows it: the public count, for a seat's holder with its own."""
    return str(public) if mark is None else f"{public}.{mark}"
