"""Take-backs in saved games: parsed, written, and replayed by the rules."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Sequence
from typing import Final

import msgspec

from atoll.engine import CHANCE, PUBLIC, AtollError, Game, Position, RevealCheck, SaveError
from atoll.engine import record as records

from .fair_chance import public_lines, undo_line, with_takebacks

_TEXT: Final = re.compile(r"(\d{1,9}) (\d{1,9}) (p\d{1,2} [^|]+(?: \| p\d{1,2} [^|]+)*)")

TextAnswer = tuple[int, str]
"""An answer: a seat (or `CHANCE`) and the text of its choice."""

Entry = tuple[int, int, int]
"""An entry of a position's record: seat, choice and audience."""


class SavedAnswer(msgspec.Struct):
    """An answer of a saved game.

    Attributes:
        seat: The seat, or None for chance.
        choice: Text of the choice, or None if it is hidden.
    """

    seat: int | None
    choice: str | None


class Takeback(msgspec.Struct):
    """A take-back of a saved game.

    Attributes:
        length: Number of answers left in the record.
        sequence: Sequence number of the moment that the game returned to.
        record: The answers that were removed.
    """

    length: int
    sequence: int
    record: list[SavedAnswer]

    def answers(self) -> list[TextAnswer]:
        """Return the removed answers."""
        return [(CHANCE if each.seat is None else each.seat, each.choice or "") for each in self.record]


def takeback_text(length: int, sequence: int, answers: Sequence[TextAnswer]) -> str:
    """Return a take-back in the notation of records.

    Args:
        length: Number of answers left in the record.
        sequence: Sequence number of the moment that the game returned to.
        answers: The answers that were removed.
    """
    return f"{length} {sequence} " + " | ".join(f"p{who} {text}" for who, text in answers)


def parse_takeback(text: str) -> Takeback:
    """Return the take-back that `takeback_text` wrote.

    Args:
        text: The text of the record.

    Raises:
        SaveError: If the text isn't valid.
    """
    found = _TEXT.fullmatch(text)
    if found is None:
        raise SaveError(f"{text[:80]!r} isn't a take-back: expected its length, sequence number and answers")
    answers = (each[1:].split(" ", 1) for each in found[3].split(" | "))
    return Takeback(int(found[1]), int(found[2]), [SavedAnswer(int(seat), choice) for seat, choice in answers])


def public_record(game: Game, entries: Sequence[Entry]) -> list[tuple[int, str | None]]:
    """Return entries of a position's record as the public learns them; secret texts are None."""
    return [(who, game.text(choice) if audience == PUBLIC else None) for who, choice, audience in entries]


def public_lines_with_takebacks(
    game: Game, begin: Callable[[], Position], answers: Sequence[TextAnswer], undone: Sequence[Takeback]
) -> list[str]:
    """Return the public record of a game, including its take-backs.

    Each answer is replayed only once, no matter how often answers were taken back. From its end,
    the game goes back to the moments at which other answers were given.

    Args:
        game: The game.
        begin: Creates the first position.
        answers: The answers that count in the end.
        undone: The take-backs in order.

    Raises:
        SaveError: If a take-back isn't possible by the rules.
    """
    path = _Path(game, begin(), {each.length for each in undone})
    for answer in answers:
        path.play(*answer)
    record = public_record(game, path.record)
    removed = []
    for number, each in reversed([*enumerate(undone, 1)]):
        try:
            path.revert_to(each)
            for answer in each.answers():
                path.play(*answer, is_taken=True)
        except AtollError as error:
            raise SaveError(f"take-back {number}: {error}"[:300]) from None
        removed.append((each.length, public_record(game, path.record[each.length :])))
    marks = [(CHANCE, undo_line(each.sequence)) for each in undone]
    return public_lines(with_takebacks(record, removed[::-1], marks))


class _Path:
    """A game during a replay, which can return to some earlier moments.

    Attributes:
        record: All entries of the position's record so far.
    """

    def __init__(self, game: Game, position: Position, stops: Collection[int]) -> None:
        self._game: Game = game
        self._position: Position = position
        self._stops: Collection[int] = stops
        self._checkpoints: dict[int, tuple[Position, int]] = {}
        self._length: int = 0
        self._own_length: int = 0
        self.record: list[Entry] = []
        self._stop()

    def _stop(self) -> None:
        if self._length in self._stops and self._length not in self._checkpoints:
            self._checkpoints[self._length] = (self._position.fork(), len(self.record))

    def play(self, who: int, text: str, *, is_taken: bool = False) -> None:
        """Apply the next answer.

        Args:
            who: A seat, or CHANCE.
            text: The choice.
            is_taken: Whether the answer was taken back, so that it can't be chance or a reveal.

        Raises:
            SaveError: If an answer that was taken back is chance or a reveal.
            AtollError: If the rules refuse the answer.
        """
        position = self._position
        choice = self._game.parse(text)
        if self._length < len(self.record):
            records.compare(position, self.record[self._length], who, choice)
        else:
            is_decision = is_taken and (who == CHANCE or who in position.to_move)
            before = RevealCheck(position, who) if is_decision else None
            position.apply(choice, None if who == CHANCE else who)
            if before is not None and before.reveals(position):
                raise SaveError(f"{text[:80]!r} can't be taken back: it was chance or revealed something")
            assert position.record is not None
            self.record += position.record[self._own_length :]
            self._own_length = len(position.record)
        self._length += 1
        self._stop()

    def revert_to(self, undone: Takeback) -> None:
        """Return to the moment before the answers of a take-back.

        Args:
            undone: The take-back.

        Raises:
            SaveError: If the game has no such moment.
        """
        while self._checkpoints and next(reversed(self._checkpoints)) > undone.length:
            self._checkpoints.popitem()
        if undone.length not in self._checkpoints or not undone.record:
            raise SaveError(f"{len(undone.record)} answers after {undone.length} of {self._length} can't be taken back")
        earlier, entries = self._checkpoints[undone.length]
        position = self._position = earlier.fork(record=True)
        if position.sequence != undone.sequence:
            raise SaveError(f"invalid moment {undone.sequence}: expected {position.sequence}")
        del self.record[entries:]
        self._length, self._own_length = undone.length, 0
