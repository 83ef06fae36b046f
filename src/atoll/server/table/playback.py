"""Playback of a game, act by act, from its answers and from the log that the reader sees anyway."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass

import msgspec

from atoll.engine import CHANCE
from atoll.lessons.coach import StandingChange

from ..domain.model import Act, LogEntry


@dataclass(frozen=True, slots=True)
class CoachedAct:
    """An act as a coach explains it to a seat.

    Attributes:
        log: Its log entries, as the seat may know them.
        changes: Changes that it made for the seat.
    """

    log: tuple[LogEntry, ...]
    changes: tuple[StandingChange, ...]


def acts(steps: Sequence[tuple[int, int]], log: Sequence[LogEntry], last: int, *, over: bool) -> list[Act]:
    """Return all acts of a game; the first one is its beginning.

    Args:
        steps: Sequence number and seat of each answer; see `LiveTable.steps`.
        log: Log entries of the reader.
        last: Sequence number of the position.
        over: Whether the log is complete. Otherwise the last act may still get entries, and is left
            out as long as it has none.
    """
    chose: dict[int, list[int]] = {}
    for sequence, seat in steps:
        if seat != CHANCE and seat not in chose.setdefault(sequence, []):
            chose[sequence].append(seat)
    ends = [*sorted(chose), last]
    entries_by_act: list[list[LogEntry]] = [[] for _ in ends]
    for entry in log:
        if not entry.undone:
            entries_by_act[min(bisect_left(ends, entry.sequence), len(ends) - 1)].append(entry)
    first = steps[0][0] if steps else last
    found = [Act(first, ends[0], (), tuple(entries_by_act[0]))]
    for start, end, entries in zip(ends, ends[1:], entries_by_act[1:], strict=False):
        act = Act(start, end, tuple(sorted(chose[start])), tuple(entries))
        if not found[-1].log and found[-1].seats == act.seats:
            act = msgspec.structs.replace(act, start=found.pop().start)
        found.append(act)
    if not over and len(found) > 1 and not found[-1].log:
        found.pop()
    return found


def moment_after_last_choice(steps: Sequence[tuple[int, int]], seat: int | None, last: int) -> int | None:
    """Return the moment after a seat's last choice and its automatic consequences.

    Args:
        steps: Sequence number and seat of each answer.
        seat: The seat, or None.
        last: Sequence number of the position.

    Returns:
        A sequence number, or None if the seat made no choice.
    """
    own_moments = [sequence for sequence, each in steps if each == seat]
    if seat is None or not own_moments:
        return None
    return min((sequence for sequence, each in steps if each != CHANCE and sequence > own_moments[-1]), default=last)
