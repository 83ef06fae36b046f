"""Puzzles: positions of real games in which one choice is clearly best, stored next to their rules.

This module has the format, reading and checking; `puzzle_mining.py` finds puzzles. A puzzle is
played like a lesson with one step.
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
from atoll.engine.translations import GameMessages
from atoll.picture.elements import Element

from .lesson import Lesson, LessonError, LessonStep
from .session import LessonSession, Outcome

PREFIX: Final = "puzzle-"
"""Prefix of a puzzle's id in the name of its lesson."""
STEP: Final = "find"
_HERE: Final = "here"

Stake = Literal["all", "only", "safe", "stay", "seize"]
_LITTLE: Final = 10
_MIDDLE: Final = 66
_MUCH: Final = 90
_MANY: Final = (4, 8)
_CLOSE: Final = (50, 30)


class PuzzleEnding(Struct, forbid_unknown_fields=True, frozen=True):
    """One ending of a game after a choice.

    Attributes:
        totals: Scores of all seats.
        lines: Score lines of the learner: message key, values, points.
    """

    totals: tuple[int, ...]
    lines: tuple[tuple[str, dict[str, Any], int], ...]


class RatedChoice(Struct, forbid_unknown_fields=True, frozen=True):
    """A choice of a puzzle with its result.

    Attributes:
        choice: The choice as text.
        share: Mean final share in percent, 0 to 100.
        way: The ending that is nearest to the mean.
    """

    choice: str
    share: Annotated[int, Meta(ge=0, le=100)]
    way: PuzzleEnding


class Puzzle(Struct, forbid_unknown_fields=True, frozen=True):
    """A position and its answer.

    Attributes:
        id: Number of seats and seed of the game, joined by `-`.
        learner: The seat that is asked.
        legal: Number of its legal choices.
        tried: The best choices, best first. Other choices were clearly worse.
        save: The saved position.
    """

    id: Annotated[str, Meta(pattern=r"^\d+-\d+$")]
    learner: int
    legal: Annotated[int, Meta(ge=2)]
    tried: Annotated[tuple[RatedChoice, ...], Meta(min_length=2)]
    save: dict[str, Any]

    @property
    def best(self) -> RatedChoice:
        """The right choice."""
        return self.tried[0]

    @property
    def margin(self) -> int:
        """The distance between the best and the second share, in percentage points."""
        return self.best.share - self.tried[1].share

    @property
    def stake(self) -> Stake:
        """The stake of the right choice, judged from the shares; it doesn't reveal the choice."""
        best, second = self.best.share, self.tried[1].share
        if second <= _LITTLE:
            return "all" if best >= _MUCH else "only"
        if best >= _MUCH:
            return "safe"
        return "stay" if best <= _MIDDLE else "seize"

    @property
    def level(self) -> int:
        """The difficulty, 1 to 3, from the number of choices and the margin."""
        many, close = (sum(self.legal > most for most in _MANY), sum(self.margin < least for least in _CLOSE))
        return max(1, min(3, many + close))

    def lesson(self, game: Game) -> Lesson:
        """Return the puzzle as a lesson with one step.

        Args:
            game: The game.

        Raises:
            SaveError: If the position can't be loaded.
            LessonError: If the lesson is invalid.
        """
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
    """The file of a game's puzzles.

    Attributes:
        box: Hash of the components for which they are correct.
        puzzles: The puzzles.
    """

    box: str
    puzzles: tuple[Puzzle, ...]


def puzzle_file(game: Game) -> Path:
    """Return the path of a game's puzzle file, which may not exist."""
    return Path(str(importlib.resources.files(game.package))) / "learn" / "puzzles.json"


def read(game: Game, path: Path) -> Puzzles:
    """Return the puzzles of a file, for any components; none if the file doesn't exist.

    Args:
        game: The game.
        path: Path of the file.

    Raises:
        LessonError: If the file isn't valid.
    """
    if not path.is_file():
        return Puzzles(game.components_hash, ())
    try:
        return msgspec.json.decode(path.read_bytes(), type=Puzzles)
    except msgspec.DecodeError as error:
        raise LessonError(f"puzzles of {game.id}: {error}") from None


def dump_puzzles(found: Puzzles) -> str:
    """Return the text of a puzzle file, one line per puzzle so that diffs are readable."""
    lines = ",\n".join(msgspec.json.encode(each).decode() for each in found.puzzles)
    return f'{{"box":"{found.box}","puzzles":[\n{lines}\n]}}\n'


@cache
def puzzles(game: Game) -> Mapping[str, Puzzle]:
    """Return the puzzles of a game by id; none if they belong to other components.

    Args:
        game: The game.

    Raises:
        LessonError: If the file isn't valid.
    """
    found = read(game, puzzle_file(game))
    return {each.id: each for each in found.puzzles} if found.box == game.components_hash else {}


@cache
def rule_of(game: Game, id: str) -> str:
    """Return the rule that the question of a puzzle comes from.

    Args:
        game: The game.
        id: Id of the puzzle.

    Raises:
        KeyError: If the game has no puzzle with this id.
        LessonError: If the puzzle file isn't valid.
        SaveError: If the position can't be loaded.
    """
    puzzle = puzzles(game)[id]
    return game.load(puzzle.save).decision(puzzle.learner).rule


def puzzle_of_the_day(game: Game, day: date) -> Puzzle | None:
    """Return the puzzle of a day, a different one each day in turn; None if the game has none.

    Args:
        game: The game.
        day: The day.

    Raises:
        LessonError: If the puzzle file isn't valid.
    """
    found = list(puzzles(game).values())
    return found[day.toordinal() % len(found)] if found else None


class PuzzleSession(LessonSession):
    """The session of a puzzle, played like a lesson.

    Its texts are the same for all games and belong to the site.

    Attributes:
        puzzle: The puzzle.
    """

    def __init__(self, game: Game, puzzle: Puzzle) -> None:
        super().__init__(puzzle.lesson(game))
        self.puzzle: Puzzle = puzzle

    def target_elements(self, step: LessonStep, shown: Mapping[str, Element]) -> list[str]:
        """Return no elements: finding them is the task."""
        return []

    def title(self, words: GameMessages) -> str:
        """Return the title of the game."""
        return words.title()

    def say(self, words: GameMessages, step: LessonStep, outcome: Outcome | None = None) -> str:
        """Return the reason why a choice isn't legal, otherwise an empty string.

        Args:
            words: Messages of the language.
            step: The step.
            outcome: The outcome; None for none.
        """
        return words.reason(outcome.reason) if outcome is not None and outcome.reason is not None else ""


@cache
def puzzle_session(game: Game, id: str) -> PuzzleSession:
    """Return the cached session of a puzzle.

    Args:
        game: The game.
        id: Id of the puzzle.

    Raises:
        KeyError: If the game has no puzzle with this id.
        LessonError: If the puzzle file isn't valid.
        SaveError: If the position can't be loaded.
    """
    return PuzzleSession(game, puzzles(game)[id])


def faults(game: Game, puzzle: Puzzle) -> list[str]:
    """Return the faults of a puzzle that the engine finds; an empty list for a valid puzzle."""
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
