"""Answers that were taken back by agreement, in a saved game: read, written, and played again by the rules."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Final

import msgspec

from atoll.engine import CHANCE, PUBLIC, AtollError, Before, Game, Position, SaveError
from atoll.engine import record as records

from .chance import as_heard, public_lines, undo_line

_TEXT: Final = re.compile(r"(\d{1,9}) (\d{1,9}) (p\d{1,2} [^|]+(?: \| p\d{1,2} [^|]+)*)")

Given = tuple[int, str]
"""An answer: a seat, or CHANCE, and the choice's text."""


class Answer(msgspec.Struct):
    """An answer of a saved game. seat: None for chance. choice: None where it is hidden."""

    seat: int | None
    choice: str | None


class Undone(msgspec.Struct):
    """What was taken back: the answers, how many the record had left, and at which moment the game stood then."""

    length: int
    sequence: int
    record: list[Answer]

    def answers(self) -> list[Given]:
        """Who had answered what."""
        return [(CHANCE if each.seat is None else each.seat, each.choice or "") for each in self.record]


def undone_text(length: int, sequence: int, answers: Sequence[Given]) -> str:
    """As a record tells it."""
    return f"{length} {sequence} " + " | ".join(f"p{who} {text}" for who, text in answers)


def read_undone(text: str) -> Undone:
    """What `undone_text` has written. Raises SaveError."""
    found = _TEXT.fullmatch(text)
    if found is None:
        raise SaveError(f"{text[:80]!r} doesn't say what was taken back")
    given = (each[1:].split(" ", 1) for each in found[3].split(" | "))
    return Undone(int(found[1]), int(found[2]), [Answer(int(seat), choice) for seat, choice in given])


def learnt(game: Game, position: Position) -> list[tuple[int, str | None]]:
    """The record of a position as everybody learnt it."""
    assert position.record is not None
    return [(who, game.text(choice) if audience == PUBLIC else None) for who, choice, audience in position.record]


def heard_lines(
    game: Game, begin: Callable[[], Position], answers: Sequence[Given], undone: Sequence[Undone]
) -> list[str]:
    """The public record of a game as it was heard. answers: those that count. Raises SaveError where it can't be."""
    stood = [answers]
    for each in reversed(undone):
        stood.append([*stood[-1][: each.length], *each.answers()])
    taken = []
    for number, (each, before) in enumerate(zip(undone, reversed(stood), strict=False), 1):
        try:
            taken.append((each.length, learnt(game, _played(game, begin(), before, each))[each.length :]))
        except AtollError as error:
            raise SaveError(f"{number}: {error}"[:300]) from None
    marks = [(CHANCE, undo_line(each.sequence)) for each in undone]
    return public_lines(as_heard(learnt(game, _played(game, begin(), answers, None)), taken, marks))


def _played(game: Game, position: Position, answers: Sequence[Given], undone: Undone | None) -> Position:
    """The position after these answers, of which the last ones were taken back. Raises AtollError."""
    assert position.record is not None
    length = len(answers) if undone is None else undone.length
    if undone is not None and not 0 <= length < len(answers):
        raise SaveError(f"of {len(answers)} answers {length} can't be left")
    for index, (who, text) in enumerate(answers):
        if undone is not None and index == length and position.sequence != undone.sequence:
            raise SaveError(f"moment {undone.sequence} is named where the game stood at {position.sequence}")
        asked = who == CHANCE or who in position.to_move
        before = Before(position, who) if index >= max(length, len(position.record)) and asked else None
        records.advance(position, index, who, game.parse(text))
        if before is not None and before.is_shown(position):
            raise SaveError(f"{text[:80]!r} was chance, or has shown what was hidden")
    return position
