"""What was answered since a checkpoint, and the segments before it that a seat can still take back."""

from __future__ import annotations

from typing import Final, TypeAlias

from mypy_extensions import mypyc_attr

from .state import State

# Who gave an answer of a segment: a seat (0..), chance (-1), or one of these codes.
DETERMINIZED: Final = -2  # the "choice" is seed * SEATS + seat
AUTO_ANSWERED: Final = 32  # + seat: a public single option, taken unasked
SEALED: Final = 64  # + seat: part of a sealed decision
MAX_SEATS: Final = 32  # more seats than any game has


@mypyc_attr(serializable=True)
class Segment:
    """One run of `play`, as far as it has come.

    base: the state at the checkpoint with which it began; shared by forks, never changed. choices, who, audiences: the
    answers since, who gave each (see above), and who learns it. sequence, chances: how many answers, and how many
    outcomes of chance among them, the game had at the checkpoint. saved: the base as JSON, once it was asked for.
    """

    __slots__ = ("actors", "audiences", "base", "chances", "choices", "saved", "sequence")

    def __init__(self, base: State, sequence: int, chances: int, choices: list[int], who: list[int]) -> None:
        self.base: State = base
        self.sequence: int = sequence
        self.chances: int = chances
        self.choices: list[int] = choices
        self.actors: list[int] = who
        self.audiences: list[int] = []  # of what hasn't been replayed they aren't known
        self.saved: bytes | None = None

    def add(self, who: int, choice: int, audience: int) -> None:
        """One more answer."""
        self.choices.append(choice)
        self.actors.append(who)
        self.audiences.append(audience)

    def answers(self) -> list[tuple[int, int, int]]:
        """The answers as in a record: seat or CHANCE, choice, audience."""
        told = zip(self.actors, self.choices, self.audiences, strict=True)
        return [
            (who if who < AUTO_ANSWERED else who % MAX_SEATS, choice, audience)
            for who, choice, audience in told
            if who != DETERMINIZED
        ]

    def prefix(self, length: int) -> Segment:
        """The same segment when it had this many answers; the base is shared."""
        return Segment(self.base, self.sequence, self.chances, self.choices[:length], self.actors[:length])

    def asked_actors(self) -> list[int]:
        """Who gave each answer, without those that were taken unasked."""
        return [each for each in self.actors if not AUTO_ANSWERED <= each < SEALED]

    def last_asked_length(self) -> int:
        """How many answers there are up to the last one that wasn't taken unasked; 0 if all were."""
        end = len(self.actors)
        while end and AUTO_ANSWERED <= self.actors[end - 1] < SEALED:
            end -= 1
        return end


Trail: TypeAlias = tuple[Segment, ...]
"""The finished segments, oldest first, whose last choices one seat can still take back."""


def extend_trail(trail: Trail, segment: Segment) -> Trail:
    """The trail when a segment has ended. It grows as long as one seat alone brings the game forward.

    After chance, a sealed decision or another seat nothing before can be taken back, but the segment itself can be if
    a seat's choice ended it.
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
