"""What a lesson consists of, and reading it from its file: `learn/<lesson>.toml` beside the rules of its game."""

from __future__ import annotations

import importlib.resources
import tomllib
from collections.abc import Mapping
from functools import cache
from typing import Annotated, Any, Final, Literal

from msgspec import Meta, field

from atoll.engine import Game
from atoll.engine.components import Id, Part, Words, read
from atoll.engine.errors import AtollError, ComponentError

FIRST: Final = "first"


class LessonError(AtollError, ValueError):
    """A lesson can't be used: its file, one of its positions, or a step. It names the lesson and what is wrong."""


class About(Part):
    """What stands above the steps.

    minutes: how long it takes. seats, options: of the game that is shown. learner: the seat of whoever learns. covers:
    the keys of the rules (`rule.<key>`) that are taught here. next: the lesson that is offered after this one.
    """

    minutes: Annotated[int, Meta(ge=1, le=30)]
    seats: int
    learner: int = 0
    options: dict[str, Any] = field(default_factory=dict)
    covers: tuple[Id, ...] = ()
    next: str = ""


class Place(Part):
    """How a position is reached.

    build: a function in `learn/positions.py` of the game that returns a script.Table built by hand; else save: a saved
    position; else start: the position that it goes on from; else a new game. play: lines as in rule tests (`p0 visit
    loyal quarry`, an outcome of chance without seat), separated by line breaks or `|`.
    """

    build: str = ""
    save: str = ""
    start: str = ""
    play: str = ""


class Answer(Part):
    """What comes of some choices. The first answer that fits a choice counts.

    on: patterns as in `data-choice`. say: the reaction's key. pass: whether it is right. then: lines that are played
    after it: others' answers and chance; without them a right answer takes those of the step. score, lead, shows: what
    must hold after that (see Step).
    """

    on: Words
    say: Id
    passes: bool = field(default=False, name="pass")
    then: str = ""
    score: tuple[int, ...] | None = None
    lead: int | None = None
    shows: dict[str, float] = field(default_factory=dict)


class Step(Part):
    """One sentence and what it is about.

    at: the position; or after: the step whose outcome is shown, which is what its first right answer leads to. ask:
    "show" something, let "choose", or let something be tried that is "refused" with the reason `reason`.
    spot: elements with a ring, by their ids. hint: elements that, clicked in this order, make a right choice.
    then: lines played after a right answer, or before the next step if nothing is asked. reply: after a choice without
    such lines the seat that is asked next takes what is best for its lead.
    score: all totals; lead: the learner's total above the best of the others; over: whether the game is over; shows:
    numbers of elements by their ids: what must hold here, and may be said in numbers. explain: the learner's score
    stands below, line by line.
    """

    id: Id
    at: str = ""
    after: str = ""
    ask: Literal["show", "choose", "refuse"] = "show"
    spot: tuple[str, ...] = ()
    hint: tuple[str, ...] = ()
    answers: tuple[Answer, ...] = ()
    then: str = ""
    reply: bool = False
    reason: str = ""
    score: tuple[int, ...] | None = None
    lead: int | None = None
    over: bool = False
    shows: dict[str, float] = field(default_factory=dict)
    explain: bool = False


class _File(Part):
    """A lesson's file. A position is a text of lines, or a table."""

    lesson: About
    step: Annotated[tuple[Step, ...], Meta(min_length=1)]
    positions: dict[str, Any] = field(default_factory=dict)


class _Position(Part):
    """A table of a position, for itself: so what is wrong with it can be named."""

    position: Place


class Lesson:
    """A lesson as it is written: `about`, `places` by name, `steps` in order. Nothing is played yet.

    name: that of its file. Raises LessonError if the data isn't a lesson.
    """

    def __init__(self, game: Game, name: str, data: Mapping[str, Any]) -> None:
        self.game: Game = game
        self.name: str = name
        try:
            file = read(data, _File)
        except ComponentError as error:
            raise LessonError(f"{self}: {error}") from None
        self.about: About = file.lesson
        self.places: dict[str, Place] = {key: self._place(key, place) for key, place in file.positions.items()}
        self.steps: tuple[Step, ...] = file.step
        self._check_names()

    def _place(self, name: str, written: Any) -> Place:
        if isinstance(written, str):
            return Place(play=written)
        try:
            return read({"position": written}, _Position).position
        except ComponentError as error:
            raise LessonError(f"{self}: position {name!r}: {error.wrong}; allowed: {error.allowed}") from None

    def _check_names(self) -> None:
        """Steps and positions are known where they are named, and come before."""
        before: set[str] = set()
        for name, place in self.places.items():
            begins = [key for key in ("build", "save", "start") if getattr(place, key)]
            self._need(len(begins) < 2, f"position {name!r} has {' and '.join(begins)}", ["one of them"])
            if place.start:
                self._need(place.start in before, f"position {name!r} starts at {place.start!r}", before)
            before.add(name)
        before = set()
        for step in self.steps:
            self._need(step.id not in before, f"step {step.id!r} stands twice", ["each id once"])
            self._need(
                bool(step.at) != bool(step.after), f"step {step.id!r} has at and after, or none", ["one of them"]
            )
            if step.at:
                self._need(step.at in self.places, f"step {step.id!r} is at {step.at!r}", self.places)
            else:
                self._need(step.after in before, f"step {step.id!r} is after {step.after!r}", before)
            before.add(step.id)

    def _need(self, holds: bool, wrong: str, allowed: Any) -> None:
        if not holds:
            raise LessonError(f"{self}: {wrong}; allowed: {', '.join(allowed) or 'none'}")

    def key(self, step: str, reaction: str = "") -> str:
        """The words key of a step, or of a reaction in it, without the game's id in front."""
        return f"learn.{self.name}.{step}" + (f".{reaction}" if reaction else "")

    def __repr__(self) -> str:
        return f"lesson {self.game.id} {self.name}"


def lesson_names(game: Game) -> list[str]:
    """The names of the files of a game's lessons."""
    folder = importlib.resources.files(game.package).joinpath("learn")
    files = folder.iterdir() if folder.is_dir() else ()
    return sorted(file.name.removesuffix(".toml") for file in files if file.name.endswith(".toml"))


@cache
def lessons(game: Game) -> Mapping[str, Lesson]:
    """The lessons of a game by name: `first` and what follows it, then those that nothing leads to.

    None for a game with an owner's components, since positions and numbers are those of the printed ones. Raises
    LessonError.
    """
    if game.box_hash != type(game)().box_hash:
        return {}
    found: dict[str, Lesson] = {}
    for name in lesson_names(game):
        text = importlib.resources.files(game.package).joinpath("learn", f"{name}.toml").read_text("utf-8")
        try:
            found[name] = Lesson(game, name, tomllib.loads(text))
        except tomllib.TOMLDecodeError as error:
            raise LessonError(f"lesson {game.id} {name}: no valid TOML ({error})") from None
    return {name: found[name] for name in _in_order(found)}


def _in_order(found: Mapping[str, Lesson]) -> list[str]:
    order: list[str] = []
    for name in sorted(found, key=lambda name: (name != FIRST, name)):
        following = name
        while following in found and following not in order:
            order.append(following)
            following = found[following].about.next
    return order
