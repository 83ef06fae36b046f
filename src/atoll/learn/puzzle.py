"""Puzzles: moments of real games in which one choice is clearly best, kept as data beside the rules of their game.

Here is what a puzzle holds, reading and checking it; it is played like a lesson of one step. Finding is in find.py.
"""

from __future__ import annotations

import importlib.resources
from collections.abc import Mapping
from datetime import date
from functools import cache
from pathlib import Path
from typing import Annotated, Any, Final, Literal

import msgspec
from msgspec import Meta, Struct

from atoll.engine import AtollError, Game, Position, SeatView
from atoll.engine.words import Words
from atoll.picture.elements import Element

from .lesson import Lesson, LessonError, Step
from .play import Course, Outcome

PREFIX: Final = "puzzle-"
"""Before the id of a puzzle, where it is read like a lesson."""
STEP: Final = "find"
_HERE: Final = "here"

Stake = Literal["all", "only", "safe", "stay", "seize"]
_LITTLE: Final = 10
_MIDDLE: Final = 66
_MUCH: Final = 90
_MANY: Final = (4, 8)
_CLOSE: Final = (50, 30)


class Way(Struct, forbid_unknown_fields=True, frozen=True):
    """One way in which a game ends after a choice. totals: of all seats. lines: what makes up the learner's.

    A line is its words key, its values, and its points.
    """

    totals: tuple[int, ...]
    lines: tuple[tuple[str, dict[str, Any], int], ...]


class Tried(Struct, forbid_unknown_fields=True, frozen=True):
    """A choice of a puzzle, as text. share: the part of the others that it is ahead of at the end, in percent.

    way: how one such game ended, the one nearest to the mean of them.
    """

    choice: str
    share: Annotated[int, Meta(ge=0, le=100)]
    way: Way


class Puzzle(Struct, forbid_unknown_fields=True, frozen=True):
    """A moment and its answer.

    id: how many seats, and the seed of the game it is from. learner: the seat that is asked. legal: how many choices it
    has. tried: the best choice, then the others as good as they are; what isn't among them was never worth a try.
    save: the position.
    """

    id: Annotated[str, Meta(pattern=r"^\d+-\d+$")]
    learner: int
    legal: Annotated[int, Meta(ge=2)]
    tried: Annotated[tuple[Tried, ...], Meta(min_length=2)]
    save: dict[str, Any]

    @property
    def best(self) -> Tried:
        """The choice that is looked for."""
        return self.tried[0]

    @property
    def margin(self) -> int:
        """By how many percent the best is ahead of the next."""
        return self.best.share - self.tried[1].share

    @property
    def stake(self) -> Stake:
        """What the right choice is worth, as far as the shares tell; nothing of which it is."""
        best, second = self.best.share, self.tried[1].share
        if second <= _LITTLE:
            return "all" if best >= _MUCH else "only"
        if best >= _MUCH:
            return "safe"
        return "stay" if best <= _MIDDLE else "seize"

    @property
    def level(self) -> int:
        """How hard it is, 1 to 3: by how many choices there are, and how close to the best the next one comes."""
        many, close = (sum(self.legal > most for most in _MANY), sum(self.margin < least for least in _CLOSE))
        return max(1, min(3, many + close))

    def lesson(self, game: Game) -> Lesson:
        """The puzzle as a lesson of one step. Raises LessonError."""
        position = game.load(self.save)
        answer = {"on": self.best.choice, "say": "right", "pass": True}
        return Lesson(
            game,
            PREFIX + self.id,
            {
                "lesson": {
                    "minutes": 1,
                    "seats": position.seats,
                    "learner": self.learner,
                    "options": dict(position.options),
                },
                "positions": {_HERE: {"save": msgspec.json.encode(self.save).decode()}},
                "step": [{"id": STEP, "at": _HERE, "ask": "choose", "answers": [answer]}],
            },
        )


class Puzzles(Struct, forbid_unknown_fields=True):
    """The file of a game's puzzles. box: the data of which they are true."""

    box: str
    puzzles: tuple[Puzzle, ...]


def file_of(game: Game) -> Path:
    """Where the puzzles of a game lie, or would lie."""
    return Path(str(importlib.resources.files(game.package))) / "learn" / "puzzles.json"


def read(game: Game, path: Path) -> Puzzles:
    """A file as it is, of whatever data it may be; empty if there is none. Raises LessonError."""
    if not path.is_file():
        return Puzzles(game.box_hash, ())
    try:
        return msgspec.json.decode(path.read_bytes(), type=Puzzles)
    except msgspec.DecodeError as error:
        raise LessonError(f"puzzles of {game.id}: {error}") from None


def written(found: Puzzles) -> str:
    """The text of such a file: a line for each puzzle, so that a change of one is seen as that."""
    lines = ",\n".join(msgspec.json.encode(each).decode() for each in found.puzzles)
    return f'{{"box":"{found.box}","puzzles":[\n{lines}\n]}}\n'


@cache
def puzzles(game: Game) -> Mapping[str, Puzzle]:
    """The puzzles of a game by their ids; none for other data than those of which they are true. Raises LessonError."""
    found = read(game, file_of(game))
    return {each.id: each for each in found.puzzles} if found.box == game.box_hash else {}


@cache
def rule_of(game: Game, id: str) -> str:
    """The rule that a puzzle's question comes from. Raises LessonError, KeyError if there is none of this id."""
    puzzle = puzzles(game)[id]
    return game.load(puzzle.save).decision(puzzle.learner).rule


def of_the_day(game: Game, day: date) -> Puzzle | None:
    """The puzzle of a day: all in turn, another each day; None if the game has none."""
    found = list(puzzles(game).values())
    return found[day.toordinal() % len(found)] if found else None


class PuzzleCourse(Course):
    """A puzzle that is played like a lesson. What is said of it is the same for all games: it is the site's to say."""

    def __init__(self, game: Game, puzzle: Puzzle) -> None:
        super().__init__(puzzle.lesson(game))
        self.puzzle: Puzzle = puzzle

    def aims(self, step: Step, shown: Mapping[str, Element]) -> list[str]:
        """Nothing: where the best choice lies is for the reader to find."""
        return []

    def title(self, words: Words) -> str:
        """See Course."""
        return words.title()

    def say(self, words: Words, step: Step, outcome: Outcome | None = None) -> str:
        """Why a choice isn't legal; else nothing."""
        return words.reason(outcome.reason) if outcome is not None and outcome.reason is not None else ""


@cache
def course_of(game: Game, id: str) -> PuzzleCourse:
    """A puzzle to be played. Raises LessonError, KeyError if there is none of this id."""
    return PuzzleCourse(game, puzzles(game)[id])


def faults(game: Game, puzzle: Puzzle) -> list[str]:
    """What the engine has against a puzzle; nothing, if the moment is whole and its choices are those that it names."""
    try:
        position: Position = game.load(puzzle.save)
        if puzzle.learner not in position.to_move:
            return [f"seat {puzzle.learner} isn't asked, but {position.to_move}"]
        legal = SeatView(position, puzzle.learner).legal
        wrong = [] if len(legal) == puzzle.legal else [f"{len(legal)} choices, not {puzzle.legal}"]
        illegal = (each.choice for each in puzzle.tried if game.parse(each.choice) not in legal)
        wrong += [f"{choice!r} isn't legal" for choice in illegal]
        shares = [each.share for each in puzzle.tried]
        if shares != sorted(shares, reverse=True):
            wrong.append(f"the choices aren't in the order of their shares: {shares}")
    except AtollError as error:
        return [str(error)]
    return wrong
