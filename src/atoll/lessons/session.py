"""The session of a lesson: the position of each step, and the outcome of each choice."""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from atoll.engine import AtollError, Position, Reason
from atoll.engine.scripted_game import ScriptedGame, play_line
from atoll.engine.translations import GameMessages
from atoll.picture.elements import Element
from atoll.picture.patterns import matching_choices

from .lesson import Lesson, LessonError, LessonStep, PositionSource, Response

OTHER: Final = "other"
"""Key of the reaction to a choice that no response matches."""
REFUSED: Final = "refused"
"""Key of the reaction to the illegal choice that was asked for."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """The outcome of a choice.

    Attributes:
        choice: The choice.
        say: Key of the reaction; empty if only the reason is shown.
        passes: Whether the choice is right.
        position: The position after the choice and the moves that follow.
        answer: The response that matched; None if none did.
        reason: The reason why the choice isn't legal; nothing has changed then. None for a legal
            choice.
    """

    choice: int
    say: str
    passes: bool
    position: Position
    answer: Response | None = None
    reason: Reason | None = None


class LessonSession:
    """A lesson that is played on the engine.

    Its positions never change; choices are tried on forks.

    Attributes:
        lesson: The lesson.
    """

    def __init__(self, lesson: Lesson) -> None:
        self.lesson: Lesson = lesson
        self._places: dict[str, Position] = {}
        self._following: dict[str, Position] = {}

    @property
    def learner(self) -> int:
        """The seat of the learner."""
        return self.lesson.about.learner

    # -- positions ---------------------------------------------------------------------------------

    def position(self, step: LessonStep) -> Position:
        """Return the position that a step shows.

        Args:
            step: The step.

        Raises:
            LessonError: If the position can't be reached.
        """
        return self._place(step.at) if step.at else self.following(self._step(step.after))

    def _step(self, id: str) -> LessonStep:
        """Return a step by its id."""
        return next(step for step in self.lesson.steps if step.id == id)

    def _place(self, name: str) -> Position:
        """Return a named position.

        Args:
            name: Name of the position.

        Raises:
            LessonError: If it can't be reached.
        """
        if name not in self._places:
            try:
                self._places[name] = self._reach(self.lesson.places[name])
            except AtollError as error:
                raise LessonError(f"{self.lesson}: position {name!r}: {error}") from error
        return self._places[name]

    def _reach(self, place: PositionSource) -> Position:
        """Return the position of a source.

        Args:
            place: The source.

        Raises:
            LessonError: If it can't be reached or has other seats or options than the lesson.
        """
        about, game = self.lesson.about, self.lesson.game
        if place.start:
            position = self._place(place.start).fork()
        elif place.build:
            module = importlib.import_module(f"{game.package}.learn.positions")
            if not hasattr(module, place.build):
                raise LessonError(f"{module.__name__} has no function {place.build!r}")
            built: ScriptedGame = getattr(module, place.build)()
            position = built.position
        elif place.save:
            position = game.load(place.save)
        else:
            position = game.new(about.seats, about.options)
        wanted = (about.seats, game.resolve_options(about.options, about.seats))
        if (position.seats, dict(position.options)) != wanted:
            raise LessonError(f"wrong seats or options: {position.seats}, {position.options}")
        return play_moves(position, place.play)

    def following(self, step: LessonStep) -> Position:
        """Return the position after a step.

        It follows the first right choice, or the moves of a step that asks nothing.

        Args:
            step: The step.

        Raises:
            LessonError: If the step has no right choice, or a move fails.
        """
        if step.id not in self._following:
            if step.ask == "choose":
                self._following[step.id] = self.react(step, self.right(step)).position
            else:
                self._following[step.id] = self._play(step, self.position(step).fork(), step.then)
        return self._following[step.id]

    def _play(self, step: LessonStep, position: Position, lines: str) -> Position:
        """Return the position after moves.

        Args:
            step: The step.
            position: The position before the moves.
            lines: The moves, separated by line breaks or `|`.

        Raises:
            LessonError: If a move fails; the message names the step.
        """
        try:
            return play_moves(position, lines)
        except AtollError as error:
            raise LessonError(f"{self.lesson}: step {step.id!r}: {error}") from error

    # -- choices -----------------------------------------------------------------------------------

    def legal(self, step: LessonStep) -> list[int]:
        """Return the learner's legal choices; an empty list if nothing is asked."""
        return [] if step.ask == "show" else self.position(step).legal_choices(self.learner)

    def right(self, step: LessonStep) -> int:
        """Return the first right choice of a step.

        Args:
            step: The step.

        Raises:
            LessonError: If the step has none.
        """
        legal = self.legal(step)
        for answer in step.answers:
            found = matching_choices(answer.on, self.lesson.game, legal)
            if answer.passes and found:
                return found[0]
        raise LessonError(f"{self.lesson}: step {step.id!r} has no right choice")

    def react(self, step: LessonStep, choice: int) -> Outcome:
        """Return the outcome of the learner's choice, legal or not.

        Args:
            step: The step.
            choice: The choice.

        Raises:
            MalformedChoice: If the number isn't a choice.
            LessonError: If a move that follows fails.
        """
        before, game = self.position(step), self.lesson.game
        game.text(choice)
        if choice not in self.legal(step):
            reason = game.why_not(before.view(self.learner), choice)
            passes = step.ask == "refuse" and reason is not None and reason.key == step.reason
            return Outcome(choice, REFUSED if passes else "", passes, before, reason=reason)
        position = before.fork()
        position.apply(choice, self.learner)
        answer = next((each for each in step.answers if matching_choices(each.on, game, [choice])), None)
        passes = answer is not None and answer.passes
        lines = (answer.then if answer is not None else "") or (step.then if passes else "")
        if lines:
            position = self._play(step, position, lines)
        elif step.reply:
            _reply(position, self.learner)
        return Outcome(choice, OTHER if answer is None else answer.say, passes, position, answer)

    def target_elements(self, step: LessonStep, shown: Mapping[str, Element]) -> list[str]:
        """Return the ids of the elements in which the right choice is made.

        Args:
            step: The step.
            shown: Elements of the picture by id.

        Returns:
            The elements of the hint, or those that represent the right choice; none if nothing is
            asked.
        """
        if step.ask == "show":
            return []
        if step.hint:
            return [id for id in step.hint if id in shown]
        right = [self.right(step)]
        return [id for id, element in shown.items() if matching_choices(element.choice, self.lesson.game, right)]

    def title(self, words: GameMessages) -> str:
        """Return the title of the lesson."""
        return words.say(self.lesson.key("title"))

    # -- texts -------------------------------------------------------------------------------------

    def say(self, words: GameMessages, step: LessonStep, outcome: Outcome | None = None) -> str:
        """Return the sentence of a step, or the reaction to an outcome.

        Placeholders in addition to those of the game's components:

        - `{mine}`, `{theirs}`: the scores of the learner and of the best of the others.
        - `{gain}`: the change of the learner's score, in a reaction.
        - `{choice}`: the choice as text, in a reaction.
        - `{reason}`: the reason why the choice isn't legal, in a reaction.

        Args:
            words: Messages of the language.
            step: The step.
            outcome: The outcome; None for the sentence of the step.

        Raises:
            WordsError: If the text is missing or has an unknown placeholder.
        """
        if outcome is None:
            return words.say(self.lesson.key(step.id), {**self._facts(), **self._scores(self.position(step))})
        reason = "" if outcome.reason is None else words.reason(outcome.reason)
        if not outcome.say:
            return reason
        fields = self._scores(outcome.position)
        gain = fields["mine"] - self._scores(self.position(step))["mine"]
        reaction = {"gain": gain, "choice": words.choice(outcome.choice).removesuffix("."), "reason": reason}
        return words.say(self.lesson.key(step.id, outcome.say), {**self._facts(), **fields, **reaction})

    def _scores(self, position: Position) -> Mapping[str, int]:
        """Return the values of `{mine}` and `{theirs}`."""
        mine, theirs = score_and_best_other(position, self.learner)
        return {"mine": mine, "theirs": theirs}

    def _facts(self) -> Mapping[str, int | str]:
        """Return the placeholders that texts of the rules may use too."""
        game, about = self.lesson.game, self.lesson.about
        return game.rule_facts(game.components, about.seats, game.resolve_options(about.options, about.seats))


@lru_cache(maxsize=64)
def lesson_session(lesson: Lesson) -> LessonSession:
    """Return the cached session of a lesson."""
    return LessonSession(lesson)


def score_and_best_other(position: Position, seat: int) -> tuple[int, int]:
    """Return the current score of a seat, and the best of the others (0 in a solo game)."""
    scores = position.scores()
    return scores[seat], max((score for other, score in enumerate(scores) if other != seat), default=0)


def play_moves(position: Position, lines: str) -> Position:
    """Play moves.

    Args:
        position: The position; changed in place.
        lines: The moves, separated by line breaks or `|`.

    Returns:
        The position.

    Raises:
        LessonError: If a move fails; the message names it.
    """
    for line in filter(None, map(str.strip, lines.replace("|", "\n").splitlines())):
        try:
            play_line(position, line)
        except AtollError as error:
            raise LessonError(f"{line!r}: {error}") from error
    return position


def _reply(position: Position, learner: int) -> None:
    """Let the next seat take the best choice for its lead, unless it is the learner."""
    if not position.to_move or learner in position.to_move:
        return
    seat = position.to_move[0]

    def lead(choice: int) -> int:
        """Return the lead of the seat after a choice."""
        tried = position.fork()
        tried.apply(choice, seat)
        mine, theirs = score_and_best_other(tried, seat)
        return mine - theirs

    position.apply(max(position.legal_choices(seat), key=lead), seat)
