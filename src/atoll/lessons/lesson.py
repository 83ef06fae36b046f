"""The schema of a lesson, and reading `learn/<lesson>.toml` next to the rules of its game."""

from __future__ import annotations

import importlib.resources
import tomllib
from collections.abc import Mapping
from functools import cache
from typing import Annotated, Any, Final, Literal

from msgspec import Meta, field

from atoll.engine import Game
from atoll.engine.component_schema import Id, Schema, Words, read
from atoll.engine.errors import AtollError, ComponentError

FIRST: Final = "first"
"""Name of a game's first lesson."""


class LessonError(AtollError, ValueError):
    """A lesson, one of its positions or one of its steps is invalid; the message names it."""


class LessonHeader(Schema):
    """The header of a lesson.

    Attributes:
        minutes: Duration in minutes, 1 to 30.
        seats: Number of seats of the game.
        learner: Seat of the learner.
        options: Options of the game.
        covers: Keys of the rules (`rule.<key>`) that the lesson teaches.
        next: Name of the lesson that is offered afterwards; empty for none.
    """

    minutes: Annotated[int, Meta(ge=1, le=30)]
    seats: int
    learner: int = 0
    options: dict[str, Any] = field(default_factory=dict)
    covers: tuple[Id, ...] = ()
    next: str = ""


class PositionSource(Schema):
    """The source of a position.

    At most one of `build`, `save` and `start` is set. Without them a new game is used.

    Attributes:
        build: Function in the game's `learn/positions.py` that returns a `ScriptedGame`.
        save: A saved position.
        start: Name of an earlier position to continue from.
        play: Moves to play then, separated by line breaks or `|`, as in rule tests: `p0 visit loyal
            quarry`; a chance outcome without a seat.
    """

    build: str = ""
    save: str = ""
    start: str = ""
    play: str = ""


class Response(Schema):
    """The response to some choices; the first response that matches a choice counts.

    Attributes:
        on: Patterns of choices as in `data-choice`.
        say: Key of the reaction.
        passes: Whether the choice is right.
        then: Moves that follow, of others and of chance; a right choice without them uses those of
            the step.
        score: Scores that must hold afterwards, see `LessonStep`.
        lead: Lead that must hold afterwards, see `LessonStep`.
        shows: Numbers that must be shown afterwards, see `LessonStep`.
    """

    on: Words
    say: Id
    passes: bool = field(default=False, name="pass")
    then: str = ""
    score: tuple[int, ...] | None = None
    lead: int | None = None
    shows: dict[str, float] = field(default_factory=dict)


class LessonStep(Schema):
    """A step of a lesson: a sentence and the position that it is about.

    Attributes:
        id: Id of the step.
        at: Name of the position. Exactly one of `at` and `after` is set.
        after: Id of the step whose outcome is shown: the result of its first right response.
        ask: `show` asks nothing, `choose` asks for a legal choice, `refuse` asks for an illegal one
            that is refused with `reason`.
        spot: Ids of elements that get a ring.
        hint: Ids of elements that make a right choice when clicked in this order.
        answers: Responses to choices.
        then: Moves after a right choice; if nothing is asked, before the next step.
        reply: Whether the next seat answers a choice without such moves, with its best choice for
            its lead.
        reason: Key of the reason why the choice is illegal.
        score: Scores of all seats that must hold here; None to check nothing.
        lead: Learner's lead over the best of the others that must hold here; None to check nothing.
        over: Whether the game must be over.
        shows: Id of an element -> the number that it must show.
        explain: Whether the learner's score lines are shown below the text.
    """

    id: Id
    at: str = ""
    after: str = ""
    ask: Literal["show", "choose", "refuse"] = "show"
    spot: tuple[str, ...] = ()
    hint: tuple[str, ...] = ()
    answers: tuple[Response, ...] = ()
    then: str = ""
    reply: bool = False
    reason: str = ""
    score: tuple[int, ...] | None = None
    lead: int | None = None
    over: bool = False
    shows: dict[str, float] = field(default_factory=dict)
    explain: bool = False


class _File(Schema):
    """The file of a lesson; a position is a text of moves, or a table."""

    lesson: LessonHeader
    step: Annotated[tuple[LessonStep, ...], Meta(min_length=1)]
    positions: dict[str, Any] = field(default_factory=dict)


class _Position(Schema):
    """A table of a position in a schema of its own, so that an error can name it."""

    position: PositionSource


class Lesson:
    """A lesson as written; nothing is played yet.

    Attributes:
        game: The game.
        name: Name of the lesson's file without the suffix.
        about: The header.
        places: Sources of positions by name.
        steps: The steps in order.
    """

    def __init__(self, game: Game, name: str, data: Mapping[str, Any]) -> None:
        """Read a lesson.

        Args:
            game: The game.
            name: Name of the lesson.
            data: Content of its file.

        Raises:
            LessonError: If the data isn't a valid lesson.
        """
        self.game: Game = game
        self.name: str = name
        try:
            file = read(data, _File)
        except ComponentError as error:
            raise LessonError(f"{self}: {error}") from None
        self.about: LessonHeader = file.lesson
        self.places: dict[str, PositionSource] = {key: self._place(key, place) for key, place in file.positions.items()}
        self.steps: tuple[LessonStep, ...] = file.step
        self._check_names()

    def _place(self, name: str, written: Any) -> PositionSource:
        """Return the source of a position.

        Args:
            name: Name of the position.
            written: The source as written in the file.

        Raises:
            LessonError: If it is invalid.
        """
        if isinstance(written, str):
            return PositionSource(play=written)
        try:
            return read({"position": written}, _Position).position
        except ComponentError as error:
            raise LessonError(f"{self}: position {name!r}: {error.wrong}; allowed: {error.allowed}") from None

    def _check_names(self) -> None:
        """Check that names of steps and positions are unique and defined before their use.

        Raises:
            LessonError: If one isn't.
        """
        before: set[str] = set()
        for name, place in self.places.items():
            begins = [key for key in ("build", "save", "start") if getattr(place, key)]
            self._require(len(begins) < 2, f"position {name!r} has {' and '.join(begins)}", ["one of them"])
            if place.start:
                self._require(place.start in before, f"position {name!r} starts at {place.start!r}", before)
            before.add(name)
        before = set()
        for step in self.steps:
            self._require(step.id not in before, f"step {step.id!r} is defined twice", ["each id once"])
            self._require(
                bool(step.at) != bool(step.after), f"step {step.id!r} has both at and after, or none", ["one of them"]
            )
            if step.at:
                self._require(step.at in self.places, f"step {step.id!r} is at {step.at!r}", self.places)
            else:
                self._require(step.after in before, f"step {step.id!r} is after {step.after!r}", before)
            before.add(step.id)

    def _require(self, holds: bool, wrong: str, allowed: Any) -> None:
        """Raise an error with the valid values unless a condition holds.

        Args:
            holds: The condition.
            wrong: The wrong value, for the message.
            allowed: The valid values, for the message.

        Raises:
            LessonError: If the condition doesn't hold.
        """
        if not holds:
            raise LessonError(f"{self}: {wrong}; allowed: {', '.join(allowed) or 'none'}")

    def key(self, step: str, reaction: str = "") -> str:
        """Return the message key of a step, or of a reaction in it, without the game's id."""
        return f"learn.{self.name}.{step}" + (f".{reaction}" if reaction else "")

    def __repr__(self) -> str:
        return f"lesson {self.game.id} {self.name}"


def lesson_names(game: Game) -> list[str]:
    """Return the names of the files of a game's lessons."""
    folder = importlib.resources.files(game.package).joinpath("learn")
    files = folder.iterdir() if folder.is_dir() else ()
    return sorted(file.name.removesuffix(".toml") for file in files if file.name.endswith(".toml"))


@cache
def lessons(game: Game) -> Mapping[str, Lesson]:
    """Return the lessons of a game by name: `first` and its successors, then the others.

    A game with custom components has no lessons, because positions and numbers are those of the
    built-in components.

    Args:
        game: The game.

    Raises:
        LessonError: If a lesson is invalid.
    """
    if game.components_hash != type(game)().components_hash:
        return {}
    found: dict[str, Lesson] = {}
    for name in lesson_names(game):
        text = importlib.resources.files(game.package).joinpath("learn", f"{name}.toml").read_text("utf-8")
        try:
            found[name] = Lesson(game, name, tomllib.loads(text))
        except tomllib.TOMLDecodeError as error:
            raise LessonError(f"lesson {game.id} {name}: not valid TOML ({error})") from None
    return {name: found[name] for name in _in_order(found)}


def _in_order(found: Mapping[str, Lesson]) -> list[str]:
    """Return the names of lessons in the order in which they are offered."""
    order: list[str] = []
    for name in sorted(found, key=lambda name: (name != FIRST, name)):
        following = name
        while following in found and following not in order:
            order.append(following)
            following = found[following].about.next
    return order
