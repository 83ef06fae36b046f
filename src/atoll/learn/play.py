"""A lesson at its table: the position of each step, and what comes of a choice."""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from atoll.engine import AtollError, Position, Reason
from atoll.engine.script import Table, play_line
from atoll.engine.words import Words
from atoll.picture.elements import Element
from atoll.picture.patterns import meant

from .lesson import Answer, Lesson, LessonError, Place, Step

OTHER: Final = "other"
REFUSED: Final = "refused"


@dataclass(frozen=True, slots=True)
class Outcome:
    """What comes of a choice.

    say: the reaction's key; "" if only the reason is told. passes: whether it is right. position: the table after it,
    after what answers it, too. answer: the one that fitted. reason: why the choice isn't legal; then nothing happened.
    """

    choice: int
    say: str
    passes: bool
    position: Position
    answer: Answer | None = None
    reason: Reason | None = None


class Course:
    """A lesson that is played on the engine. Nobody changes its positions: what is tried is tried on forks.

    table: where it is played, if it isn't a new game; it has the seats and options of the lesson.
    """

    def __init__(self, lesson: Lesson) -> None:
        self.lesson: Lesson = lesson
        self._places: dict[str, Position] = {}
        self._following: dict[str, Position] = {}

    @property
    def learner(self) -> int:
        """The seat of whoever learns."""
        return self.lesson.about.learner

    # -- positions ---------------------------------------------------------------------------------

    def position(self, step: Step) -> Position:
        """The table that a step shows. Raises LessonError."""
        return self._place(step.at) if step.at else self.following(self._step(step.after))

    def _step(self, id: str) -> Step:
        return next(step for step in self.lesson.steps if step.id == id)

    def _place(self, name: str) -> Position:
        if name not in self._places:
            try:
                self._places[name] = self._reach(self.lesson.places[name])
            except AtollError as error:
                raise LessonError(f"{self.lesson}: position {name!r}: {error}") from error
        return self._places[name]

    def _reach(self, place: Place) -> Position:
        about, game = self.lesson.about, self.lesson.game
        if place.start:
            position = self._place(place.start).fork()
        elif place.build:
            module = importlib.import_module(f"{game.package}.learn.positions")
            if not hasattr(module, place.build):
                raise LessonError(f"{module.__name__} has no function {place.build!r}")
            built: Table = getattr(module, place.build)()
            position = built.position
        elif place.save:
            position = game.load(place.save)
        else:
            position = game.new(about.seats, about.options)
        wanted = (about.seats, game.resolve_options(about.options, about.seats))
        if (position.seats, dict(position.options)) != wanted:
            raise LessonError(f"it has seats and options {position.seats}, {position.options}")
        return play(position, place.play)

    def following(self, step: Step) -> Position:
        """What a step leads to: its first right choice, or where nothing is asked what is played before the next."""
        if step.id not in self._following:
            if step.ask == "choose":
                self._following[step.id] = self.react(step, self.right(step)).position
            else:
                self._following[step.id] = self._played(step, self.position(step).fork(), step.then)
        return self._following[step.id]

    def _played(self, step: Step, position: Position, lines: str) -> Position:
        try:
            return play(position, lines)
        except AtollError as error:
            raise LessonError(f"{self.lesson}: step {step.id!r}: {error}") from error

    # -- choices -----------------------------------------------------------------------------------

    def legal(self, step: Step) -> list[int]:
        """What the learner can choose; [] where nothing is asked."""
        return [] if step.ask == "show" else self.position(step).legal(self.learner)

    def right(self, step: Step) -> int:
        """The first right choice. Raises LessonError if the step has none."""
        legal = self.legal(step)
        for answer in step.answers:
            found = meant(answer.on, self.lesson.game, legal)
            if answer.passes and found:
                return found[0]
        raise LessonError(f"{self.lesson}: step {step.id!r} has no right choice")

    def react(self, step: Step, choice: int) -> Outcome:
        """What comes of the learner's choice, legal or not. Raises MalformedChoice, LessonError."""
        before, game = self.position(step), self.lesson.game
        game.text(choice)
        if choice not in self.legal(step):
            reason = game.why_not(before.view(self.learner), choice)
            passes = step.ask == "refuse" and reason is not None and reason.key == step.reason
            return Outcome(choice, REFUSED if passes else "", passes, before, reason=reason)
        position = before.fork()
        position.apply(choice, self.learner)
        answer = next((each for each in step.answers if meant(each.on, game, [choice])), None)
        passes = answer is not None and answer.passes
        lines = (answer.then if answer is not None else "") or (step.then if passes else "")
        if lines:
            position = self._played(step, position, lines)
        elif step.reply:
            _reply(position, self.learner)
        return Outcome(choice, OTHER if answer is None else answer.say, passes, position, answer)

    def aims(self, step: Step, shown: Mapping[str, Element]) -> list[str]:
        """Elements of the picture that what a step asks for is chosen in: those of its hint, or that stand for it."""
        if step.ask == "show":
            return []
        if step.hint:
            return [id for id in step.hint if id in shown]
        right = [self.right(step)]
        return [id for id, element in shown.items() if meant(element.choice, self.lesson.game, right)]

    def title(self, words: Words) -> str:
        """What it is called."""
        return words.say(self.lesson.key("title"))

    # -- words -------------------------------------------------------------------------------------

    def say(self, words: Words, step: Step, outcome: Outcome | None = None) -> str:
        """The sentence of a step, or what is said of an outcome. Raises WordsError.

        Placeholders, besides those of the game's components: `{mine}` and `{theirs}`, the scores of the learner and of
        the best of the others; of an outcome `{gain}`, by how much the learner's score changed,
        `{choice}`, the choice in words, and `{reason}`, why it isn't legal.
        """
        if outcome is None:
            return words.say(self.lesson.key(step.id), {**self._facts(), **self._scores(self.position(step))})
        reason = "" if outcome.reason is None else words.reason(outcome.reason)
        if not outcome.say:
            return reason
        fields = self._scores(outcome.position)
        gain = fields["mine"] - self._scores(self.position(step))["mine"]
        told = {"gain": gain, "choice": words.choice(outcome.choice).removesuffix("."), "reason": reason}
        return words.say(self.lesson.key(step.id, outcome.say), {**self._facts(), **fields, **told})

    def _scores(self, position: Position) -> Mapping[str, int]:
        mine, theirs = standing(position, self.learner)
        return {"mine": mine, "theirs": theirs}

    def _facts(self) -> Mapping[str, int | str]:
        """What the texts of the rules may name, too."""
        game, about = self.lesson.game, self.lesson.about
        return game.rule_facts(game.box, about.seats, game.resolve_options(about.options, about.seats))


@lru_cache(maxsize=64)
def course(lesson: Lesson) -> Course:
    """The course of a lesson, whose positions are kept."""
    return Course(lesson)


def standing(position: Position, seat: int) -> tuple[int, int]:
    """The score of a seat, and the best of the others' (0 for who plays alone), as if the game ended now."""
    scores = position.scores()
    return scores[seat], max((score for other, score in enumerate(scores) if other != seat), default=0)


def play(position: Position, lines: str) -> Position:
    """The position after these lines, separated by line breaks or `|`. Raises LessonError with the line."""
    for line in filter(None, map(str.strip, lines.replace("|", "\n").splitlines())):
        try:
            play_line(position, line)
        except AtollError as error:
            raise LessonError(f"{line!r}: {error}") from error
    return position


def _reply(position: Position, learner: int) -> None:
    """The seat that is asked next takes what is best for its lead."""
    if not position.to_move or learner in position.to_move:
        return
    seat = position.to_move[0]

    def lead(choice: int) -> int:
        tried = position.fork()
        tried.apply(choice, seat)
        mine, theirs = standing(tried, seat)
        return mine - theirs

    position.apply(max(position.legal(seat), key=lead), seat)
