"""Segments: answers since a checkpoint, and the trail of segments that a seat can undo."""

from __future__ import annotations

from typing import Final, TypeAlias

from mypy_extensions import mypyc_attr

from .state import State

# The actor of an answer is a seat (from 0), `CHANCE` (-1), or one of these codes.
DETERMINIZED: Final = -2  # its "choice" is seed * MAX_SEATS + seat
AUTO_ANSWERED: Final = 32  # plus the seat: the single choice of a public decision, answered automatically
SEALED: Final = 64  # plus the seat: part of a sealed decision
MAX_SEATS: Final = 32  # more seats than any game has


@mypyc_attr(serializable=True)
class Segment:
    """One run of `Rules.play`: a checkpoint and the answers since.

    Args:
        base: State at the checkpoint.
        sequence: Number of answers before the checkpoint.
        chances: Number of chance events among them.
        choices: Answers since the checkpoint.
        who: Actor of each answer.

    Attributes:
        base: State at the checkpoint; shared by forks and never changed.
        sequence: Number of answers before the checkpoint.
        chances: Number of chance events among them.
        choices: Answers since the checkpoint.
        actors: Actor of each answer: a seat, `CHANCE`, or a code of this module.
        audiences: Audience of each answer; only filled once the answers were replayed.
        saved: The base as JSON; None until it is requested.
    """

    __slots__ = ("actors", "audiences", "base", "chances", "choices", "saved", "sequence")

    def __init__(self, base: State, sequence: int, chances: int, choices: list[int], who: list[int]) -> None:
        self.base: State = base
        self.sequence: int = sequence
        self.chances: int = chances
        self.choices: list[int] = choices
        self.actors: list[int] = who
        self.audiences: list[int] = []  # unknown until the answers are replayed
        self.saved: bytes | None = None

    def add(self, who: int, choice: int, audience: int) -> None:
        """Append an answer.

        Args:
            who: Actor: a seat, `CHANCE`, or a code of this module.
            choice: The answer.
            audience: Seats that learn it.
        """
        self.choices.append(choice)
        self.actors.append(who)
        self.audiences.append(audience)

    def answers(self) -> list[tuple[int, int, int]]:
        """Return the answers as in a record: seat or `CHANCE`, choice, audience."""
        answers = zip(self.actors, self.choices, self.audiences, strict=True)
        return [
            (who if who < AUTO_ANSWERED else who % MAX_SEATS, choice, audience)
            for who, choice, audience in answers
            if who != DETERMINIZED
        ]

    def prefix(self, length: int) -> Segment:
        """Return a copy with the first `length` answers and the same base."""
        return Segment(self.base, self.sequence, self.chances, self.choices[:length], self.actors[:length])

    def asked_actors(self) -> list[int]:
        """Return the actor of each answer, without automatic answers."""
        return [each for each in self.actors if not AUTO_ANSWERED <= each < SEALED]

    def last_asked_length(self) -> int:
        """Return the number of answers up to the last one that wasn't automatic; 0 if all were."""
        end = len(self.actors)
        while end and AUTO_ANSWERED <= self.actors[end - 1] < SEALED:
            end -= 1
        return end


Trail: TypeAlias = tuple[Segment, ...]
"""Finished segments, oldest first, whose last choices one seat can still undo."""


def extend_trail(trail: Trail, segment: Segment) -> Trail:
    """Return the trail after a segment has ended.

    The trail grows as long as a single seat makes all choices. Chance, a sealed decision or another
    seat's choice ends it; the new segment starts a new trail if a seat's choice was its last
    answer.
    """
    if not segment.actors:
        return trail
    deciders = segment.asked_actors()
    if not deciders:
        return (*trail, segment) if trail else ()
    seat = deciders[-1]
    if not 0 <= seat < AUTO_ANSWERED:
        return ()
    if trail and trail[0].asked_actors()[-1] == seat and deciders.count(seat) == len(deciders):
        return (*trail, segment)
    return (segment,)
