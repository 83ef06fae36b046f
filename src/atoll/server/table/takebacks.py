"""Answers as readers are told them: records with take-backs, parsed and replayed by the rules."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Sequence
from typing import Final, Literal, NamedTuple, TypeVar

import msgspec

from atoll.engine import CHANCE, PUBLIC, AtollError, Game, Position, RevealCheck, SaveError
from atoll.engine.state import may_know
from atoll.store import ChoiceRow, TakebackRow

from .chance_protocol import record_lines

_TEXT: Final = re.compile(r"(undo|again) (\d{1,9}) (\d{1,9}) (p\d{1,2} [^|]+(?: \| p\d{1,2} [^|]+)*)")

T = TypeVar("T")
"""An entry of a record."""

TextAnswer = tuple[int, str]
"""An answer: a seat (or `CHANCE`) and the text of its choice."""


class ToldAnswer(NamedTuple):
    """An answer or a take-back, with everybody who is told it.

    Attributes:
        who: The seat; `CHANCE` for chance and take-backs.
        text: Text of the choice, or the line of a take-back.
        audience: The seats that learn it immediately, encoded as in the engine.
        auto: Whether the rules gave the answer without asking.
    """

    who: int
    text: str
    audience: int
    auto: bool


class SavedAnswer(msgspec.Struct):
    """An answer of a saved game.

    Attributes:
        seat: The seat, or None for chance.
        choice: Text of the choice, or None if it is hidden.
        audience: The seats that learned it immediately; None for everybody.
        auto: Whether the rules gave it without asking.
    """

    seat: int | None
    choice: str | None
    audience: tuple[int, ...] | None = None
    auto: bool = False

    def told(self) -> ToldAnswer:
        """Return the answer with its audience, as the file says."""
        mask = PUBLIC if self.audience is None else sum({1 << seat for seat in self.audience if 0 <= seat < 64})
        return ToldAnswer(CHANCE if self.seat is None else self.seat, self.choice or "", mask, self.auto)


class Takeback(msgspec.Struct):
    """Answers that were removed from the record of a saved game.

    Attributes:
        kind: "undo" if all agreed; "again" if the rules were fixed and the open turn started over.
        length: Number of answers left in the record.
        sequence: Sequence number of the moment that the game returned to.
        record: The answers that were removed.
    """

    kind: Literal["undo", "again"]
    length: int
    sequence: int
    record: list[SavedAnswer]

    def answers(self) -> list[TextAnswer]:
        """Return the removed answers."""
        return [(CHANCE if each.seat is None else each.seat, each.choice or "") for each in self.record]


# -- records as they were told ---------------------------------------------------------------------


def with_takebacks(record: Sequence[T], undone: Sequence[tuple[int, Sequence[T]]], marks: Sequence[T]) -> list[T]:
    """Return a record including its take-backs, in chronological order.

    Args:
        record: The entries that count in the end.
        undone: Per take-back, the length of the record after it, and the entries that it removed.
        marks: The entry that stands for each take-back.
    """
    stands = list(record)
    parts: list[Sequence[T]] = []
    for mark, (length, removed) in zip(reversed(marks), reversed(undone), strict=True):
        parts += [stands[length:], [mark]]
        stands[length:] = removed
    return [each for part in (stands, *reversed(parts)) for each in part]


def _mark(kind: str, sequence: int) -> ToldAnswer:
    """Return the entry that stands for a take-back to a moment."""
    return ToldAnswer(CHANCE, f"{kind} {sequence}", PUBLIC, True)


def told_by_rows(
    game: Game, choices: Sequence[ChoiceRow], undone: Sequence[TakebackRow] = (), first: int = 0
) -> list[ToldAnswer]:
    """Return the answers of a table in the order in which they were told.

    Args:
        game: The game.
        choices: Rows of the record.
        undone: All take-backs, if `choices` is the whole record.
        first: Number of the first row of the record.
    """

    def told(rows: Sequence[ChoiceRow]) -> list[ToldAnswer]:
        """Return answers with their audiences."""
        return [ToldAnswer(row.seat, game.text(row.choice), row.audience, row.auto) for row in rows]

    removed = [(row.length - first, told(row.choices())) for row in undone]
    return with_takebacks(told(choices), removed, [_mark(row.kind, row.sequence) for row in undone])


def told_by_file(record: Sequence[SavedAnswer], undone: Sequence[Takeback]) -> list[ToldAnswer]:
    """Return the answers of a saved game in the order in which they were told, as the file says."""
    removed = [(each.length, [answer.told() for answer in each.record]) for each in undone]
    return with_takebacks(
        [answer.told() for answer in record], removed, [_mark(each.kind, each.sequence) for each in undone]
    )


def _is_known(answer: ToldAnswer, seats: Collection[int]) -> bool:
    """Return whether a reader with these seats learns an answer immediately."""
    audience = answer.audience
    return audience == PUBLIC or answer.who in seats or any(may_know(audience, seat) for seat in seats)


def reader_lines(answers: Iterable[ToldAnswer], seats: Collection[int], last: str = "") -> list[str]:
    """Return the lines of the record for a reader.

    Args:
        answers: The answers as they were told.
        seats: The reader's seats.
        last: The line before, or "".
    """
    return record_lines(((each.who, each.text if _is_known(each, seats) else None) for each in answers), last)


def last_own_line(answers: Sequence[ToldAnswer], reader: Collection[int], seats: Collection[int]) -> int:
    """Return the number of lines up to the last answer of some seats.

    Args:
        answers: The answers as they were told.
        reader: The seats that the lines are written for.
        seats: The seats. Answers that the rules gave without asking don't count.
    """
    last = max((at for at, each in enumerate(answers, 1) if each.who in seats and not each.auto), default=0)
    return len(reader_lines(answers[:last], reader))


# -- notation --------------------------------------------------------------------------------------


def takeback_text(kind: str, length: int, sequence: int, answers: Sequence[TextAnswer]) -> str:
    """Return a take-back in the notation of records.

    Args:
        kind: "undo" or "again".
        length: Number of answers left in the record.
        sequence: Sequence number of the moment that the game returned to.
        answers: The answers that were removed.
    """
    return f"{kind} {length} {sequence} " + " | ".join(f"p{who} {text}" for who, text in answers)


def parse_takeback(text: str) -> Takeback:
    """Return the take-back that `takeback_text` wrote.

    Args:
        text: The text of the record.

    Raises:
        SaveError: If the text isn't valid.
    """
    found = _TEXT.fullmatch(text)
    if found is None:
        raise SaveError(f"{text[:80]!r} isn't a take-back: expected its kind, length, sequence number and answers")
    answers = (each[1:].split(" ", 1) for each in found[4].split(" | "))
    kind: Literal["undo", "again"] = "undo" if found[1] == "undo" else "again"
    return Takeback(kind, int(found[2]), int(found[3]), [SavedAnswer(int(seat), choice) for seat, choice in answers])


# -- replay ----------------------------------------------------------------------------------------


class Recorder:
    """A position that is replayed, with its record as it is told.

    Attributes:
        position: The position.
        entries: All entries so far.
    """

    def __init__(self, game: Game, position: Position) -> None:
        self._game: Game = game
        self.position: Position = position
        self._own: int = 0
        self.entries: list[ToldAnswer] = []
        self._take(0)

    def _take(self, asked: int) -> None:
        """Add new entries of the position's record; those after the first `asked` are automatic."""
        record = self.position.record
        assert record is not None
        new = record[self._own :]
        self._own = len(record)
        text = self._game.text
        self.entries += [
            ToldAnswer(who, text(choice), audience, at >= asked) for at, (who, choice, audience) in enumerate(new)
        ]

    def advance(self, length: int, who: int, choice: int) -> None:
        """Apply an answer, unless the rules have already given it.

        Exceptions of the rules are passed on.

        Args:
            length: Number of answers before it.
            who: A seat, or `CHANCE`.
            choice: The choice.

        Raises:
            SaveError: If the rules gave another answer automatically.
        """
        position = self.position
        if length < len(self.entries):
            taken = self.entries[length]
            if (taken.who, taken.text) != (who, self._game.text(choice)):
                raise SaveError(f"the rules took {taken.text!r} automatically, not {self._game.text(choice)!r}")
            return
        asked = 1 + sum(map(len, position.sealed_answers.values())) if position.sealed else 1
        position.apply(choice, None if who == CHANCE else who)
        self._take(asked)

    def fork(self) -> tuple[Position, int]:
        """Return a copy of the position and the number of entries, to return to."""
        return self.position.fork(), len(self.entries)

    def revert_to(self, position: Position, entries: int) -> None:
        """Return to an earlier position.

        Args:
            position: The position; it isn't changed.
            entries: Number of entries there.
        """
        self.position = position.fork(record=True)
        self._own = 0
        del self.entries[entries:]


def told_by_rules(
    game: Game, begin: Callable[[], Position], answers: Sequence[TextAnswer], undone: Sequence[Takeback]
) -> list[ToldAnswer]:
    """Return the answers of a game in the order in which they were told, by its rules.

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
    record = list(path.recorder.entries)
    removed = []
    for number, each in reversed([*enumerate(undone, 1)]):
        try:
            path.revert_to(each)
            for answer in each.answers():
                path.play(*answer, is_taken=True)
        except AtollError as error:
            raise SaveError(f"take-back {number}: {error}"[:300]) from None
        removed.append((each.length, path.recorder.entries[each.length :]))
    return with_takebacks(record, removed[::-1], [_mark(each.kind, each.sequence) for each in undone])


class _Path:
    """A game during a replay, which can return to some earlier moments.

    Attributes:
        recorder: The position with its record.
    """

    def __init__(self, game: Game, position: Position, stops: Collection[int]) -> None:
        self._game: Game = game
        self.recorder: Recorder = Recorder(game, position)
        self._stops: Collection[int] = stops
        self._checkpoints: dict[int, tuple[Position, int]] = {}
        self._length: int = 0
        self._stop()

    def _stop(self) -> None:
        if self._length in self._stops and self._length not in self._checkpoints:
            self._checkpoints[self._length] = self.recorder.fork()

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
        position = self.recorder.position
        is_new = self._length >= len(self.recorder.entries)
        is_decision = is_taken and is_new and (who == CHANCE or who in position.to_move)
        before = RevealCheck(position, who) if is_decision else None
        self.recorder.advance(self._length, who, self._game.parse(text))
        if before is not None and before.reveals(position):
            raise SaveError(f"{text[:80]!r} can't be taken back: it was chance or revealed something")
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
        self.recorder.revert_to(earlier, entries)
        position = self.recorder.position
        if position.sequence != undone.sequence:
            raise SaveError(f"invalid moment {undone.sequence}: expected {position.sequence}")
        self._length = undone.length
