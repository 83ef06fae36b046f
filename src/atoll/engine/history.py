"""The answers of a game: those since the last checkpoint, earlier segments, and the full record."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

from mypy_extensions import mypyc_attr

from .segment import AUTO_ANSWERED, MAX_SEATS, Segment, Trail, extend_trail
from .state import Event, State

Mark: TypeAlias = tuple[Segment, int, Trail, int]
"""A moment to return to: the segment, its length, the trail, and the length of the record."""


@mypyc_attr(serializable=True)
class History:
    """The answers of a game.

    Args:
        snapshots: False for rollouts.
        trail: Finished segments to start with.

    Attributes:
        snapshots: Whether answers are stored for copies, undo and saves. Rollouts only log the
            answers of seats since the last checkpoint.
        segment: Answers since the last checkpoint; None in rollouts.
        trail: Finished segments whose last choices one seat can still undo.
        record: All answers since recording started, as (actor, choice, audience); None without
            recording.
        log: In rollouts only: alternately choice and seat of the answers since the last checkpoint.
        events_taken: Number of events that `take_events` has returned.
    """

    __slots__ = ("_event_counts", "events_taken", "log", "record", "segment", "snapshots", "trail")

    def __init__(self, *, snapshots: bool = True, trail: Trail = ()) -> None:
        self.snapshots: bool = snapshots
        self.segment: Segment | None = None
        self.trail: Trail = trail
        self.record: list[tuple[int, int, int]] | None = None
        self.events_taken: int = 0
        if not snapshots:
            self.log: list[int] = []

    @property
    def open(self) -> Segment:
        """The current segment. Rollouts have none."""
        assert self.segment is not None
        return self.segment

    def start_recording(self) -> None:
        """Record every answer from now on."""
        self.record = []
        self._event_counts: list[int] = []  # per entry of the record the number of earlier events

    def become_rollout(self) -> None:
        """Turn into the history of a rollout; answers since the checkpoint move to its log."""
        self.log = [each for seat, choice, _ in self.open.answers() if seat >= 0 for each in (choice, seat)]
        self.snapshots = False
        self.segment = None

    def begin_segment(self, base: State, sequence: int, chances: int) -> None:
        """Start a segment at a checkpoint.

        Args:
            base: A copy of the state that nobody changes.
            sequence: Number of answers before the checkpoint.
            chances: Number of chance events among them.
        """
        if self.segment is not None:
            self.trail = extend_trail(self.trail, self.segment)
        self.segment = Segment(base, sequence, chances, [], [])

    def append(self, who: int, choice: int, audience: int, state: State) -> None:
        """Append an answer.

        Args:
            who: A seat, `CHANCE`, or a seat plus an offset of `segment`.
            choice: The answer.
            audience: Seats that learn it.
            state: The current state; its events happened before the answer.
        """
        segment = self.segment
        if segment is None:
            if who >= 0:
                self.log += choice, who % MAX_SEATS
            return
        segment.add(who, choice, audience)
        if self.record is not None:
            self.record.append((who if who < AUTO_ANSWERED else who % MAX_SEATS, choice, audience))
            self._event_counts.append(len(state.events or ()))

    def answers_of(self, seat: int) -> list[int]:
        """Return the answers of a seat since the last checkpoint, including automatic ones."""
        if self.segment is None:
            return [choice for choice, who in zip(self.log[::2], self.log[1::2], strict=True) if who == seat]
        return [choice for who, choice, _ in self.segment.answers() if who == seat]

    # -- going back -------------------------------------------------------------------------------

    def mark(self) -> Mark | None:
        """Return the current moment; None in rollouts, which can't go back."""
        segment, record = self.segment, self.record
        if segment is None:
            return None
        return segment, len(segment.choices), self.trail, 0 if record is None else len(record)

    def revert(self, mark: Mark, events: list[Event] | None) -> Segment:
        """Go back to a moment.

        Args:
            mark: The moment.
            events: All events; later ones are removed. None without events.

        Returns:
            The segment as it was then, to be replayed.
        """
        segment, length, self.trail, records = mark
        self.truncate(records, events)
        return segment.prefix(length)

    def truncate(self, length: int, events: list[Event] | None) -> None:
        """Shorten the record.

        Args:
            length: New length of the record.
            events: All events; those after the last entry are removed. None without events.
        """
        record = self.record
        if record is None or length >= len(record):
            return
        if events is not None:
            del events[self._event_counts[length] :]
            self.events_taken = min(self.events_taken, len(events))
        del record[length:]
        del self._event_counts[length:]

    def take_events(self, events: Sequence[Event] | None) -> list[Event]:
        """Return the events since the last call."""
        known = events or ()
        fresh = list(known[self.events_taken :])
        self.events_taken = len(known)
        return fresh
