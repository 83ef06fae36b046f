"""The check of a lesson against engine, picture and texts: it reports all faults as sentences."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Final, TypeAlias

from atoll.engine import AtollError, Game, Position, SaveError
from atoll.engine.languages import LANGUAGES
from atoll.engine.rulebook import rulebook
from atoll.engine.translations import GameMessages, catalogue, catalogue_keys
from atoll.picture.elements import Element, elements
from atoll.picture.loading import picture_of
from atoll.picture.patterns import choice_for_pattern, matching_choices

from .lesson import Lesson, LessonError, LessonStep, Response, lessons
from .session import LessonSession, Outcome, score_and_best_other

LONGEST: Final = 240
"""Maximum length of a text in characters."""
TITLE: Final = "title"
_NUMBER: Final = re.compile(r"(?<!\w)\d+(?!\w)")
_PLACEHOLDER: Final = re.compile(r"\{[^{}]*\}")

Numbers: TypeAlias = Callable[[], Iterable[str]]
"""Returns the numbers that a text may contain, on demand because that needs a picture."""


def check(lesson: Lesson) -> list[str]:
    """Return the faults of a lesson; an empty list if every step can be read and answered."""
    return list(_Check(lesson).faults())


def orphaned_texts(package: str, game: str, found: Mapping[str, Lesson]) -> list[str]:
    """Return the keys of texts that belong to no lesson.

    Args:
        package: Package of the game.
        game: Id of the game.
        found: The lessons by name.
    """
    prefix = f"{game}.learn."
    keys = {key for language in LANGUAGES for key in catalogue_keys(package, language) if key.startswith(prefix)}
    return sorted(key for key in keys if key.removeprefix(prefix).partition(".")[0] not in found)


def lessons_by_rule(game: Game) -> dict[str, list[str]]:
    """Return where each rule is taught.

    A rule is a text `rule.<key>` with a heading.

    Args:
        game: The game.

    Returns:
        Key of the rule -> names of the lessons that cover it, and ids of the sections of the rules
        page.

    Raises:
        LessonError: If a lesson of the game is invalid.
    """
    prefix, keys = f"{game.id}.rule.", catalogue_keys(game.package, LANGUAGES[0])
    found: dict[str, list[str]] = {
        key.removeprefix(prefix): [] for key in sorted(keys) if key.startswith(prefix) and f"{key}.title" in keys
    }
    places = [(name, lesson.about.covers) for name, lesson in lessons(game).items()]
    places += [(f"rules: {part.id}", tuple(key for key, _ in part.rules())) for part in rulebook(game).section]
    for place, covered in places:
        for key in covered:
            found.setdefault(key, []).append(place)
    return found


class _Check:
    """The check of one lesson.

    Attributes:
        lesson: The lesson.
        session: The session in which it is played.
        game: Its game.
        learner: The learner's seat.
        words: Messages by language.
        picture: Picture of the game.
        said: Names of the texts that the lesson uses, filled by the check.
    """

    def __init__(self, lesson: Lesson) -> None:
        self.lesson: Lesson = lesson
        self.session: LessonSession = LessonSession(lesson)
        self.game = lesson.game
        self.learner: int = lesson.about.learner
        self.words = {language: GameMessages(lesson.game, language) for language in LANGUAGES}
        self.picture = picture_of(lesson.game.package)
        self.used_texts: set[str] = {TITLE}

    def faults(self) -> Iterator[str]:
        """Yield all faults."""
        wrong = self._wrong_seats()
        if wrong:
            yield wrong
            return
        yield from self._header_faults()
        for step in self.lesson.steps:
            try:
                yield from (f"{step.id}: {fault}" for fault in self._step(step))
            except LessonError as error:
                yield str(error)
        yield from self._unused_texts()

    def _wrong_seats(self) -> str:
        """Return the fault of `seats` or `learner`; an empty string if there is none."""
        about = self.lesson.about
        if about.seats not in self.game.seat_counts:
            return f"seats is {about.seats}; allowed: {', '.join(map(str, self.game.seat_counts))}"
        if not 0 <= about.learner < about.seats:
            return f"learner is {about.learner}; allowed: 0 to {about.seats - 1}"
        return ""

    def _header_faults(self) -> Iterator[str]:
        """Yield the faults of the header."""
        about, words = self.lesson.about, self.words["en"]
        yield from (f"covers {key!r}, which isn't a rule" for key in about.covers if not words.has(self._rule(key)))
        if about.next and about.next not in lessons(self.game):
            yield f"next is {about.next!r}; allowed: {', '.join(lessons(self.game))}"
        for language in LANGUAGES:
            yield from self._text(language, lambda words: words.say(self.lesson.key(TITLE)), TITLE, tuple)

    def _rule(self, key: str) -> str:
        """Return the message key of a rule."""
        return f"{self.game.id}.rule.{key}"

    # -- a step ------------------------------------------------------------------------------------

    def _step(self, step: LessonStep) -> Iterator[str]:
        """Yield the faults of a step."""
        position = self.session.position(step)
        shown = self._elements(position)
        try:
            self.game.load(position.save())
        except SaveError as error:
            yield f"the position is invalid: {str(error).removeprefix('damaged save: ')}"
        yield from (f"{id!r} isn't in the picture" for id in (*step.spot, *step.hint) if id not in shown)
        yield from self._failed_claims(step, position, shown)
        if position.over != step.over:
            yield f"the game is {'over' if position.over else 'not over'}"
        self.used_texts.add(step.id)

        def known_numbers() -> Iterator[str]:
            """Yield the numbers that the text may contain."""
            yield from self._numbers(step, shown)
            yield from self._score_numbers(step, position)

        for language in LANGUAGES:
            yield from self._text(language, lambda words: self.session.say(words, step), step.id, known_numbers)
        if step.ask == "show":
            yield from self._shows(step)
        elif self.learner not in position.to_move:
            yield f"the learner isn't to move, but {position.to_move}"
        else:
            yield from self._asks(step, position, shown, known_numbers)

    def _shows(self, step: LessonStep) -> Iterator[str]:
        """Yield the faults of a step that asks nothing."""
        for key in ("answers", "hint", "reason", "reply"):
            if getattr(step, key):
                yield f"{key} has no meaning in a step that asks nothing"
        if step.then:
            self.session.following(step)

    def _asks(
        self, step: LessonStep, position: Position, shown: Mapping[str, Element], known: Numbers
    ) -> Iterator[str]:
        """Yield the faults of a step that asks for a choice."""
        legal = position.legal_choices(self.learner)
        outcomes = {choice: self.session.react(step, choice) for choice in legal}
        yield from self._patterns(step, legal)
        yield from self._choosing(step, outcomes) if step.ask == "choose" else self._refusing(step)
        tried = [*outcomes.values(), *self._hinted(step, shown, legal)]
        yield from self._hint(step, tried, shown, legal)
        faults = (fault for outcome in tried for fault in self._outcome(step, outcome, known))
        yield from dict.fromkeys(faults)

    def _outcome(self, step: LessonStep, outcome: Outcome, known: Numbers) -> Iterator[str]:
        """Yield the faults of one outcome."""
        answer = outcome.answer

        def numbers() -> Iterator[str]:
            """Yield the numbers that the reaction may contain."""
            yield from known()
            drawn = self._elements(outcome.position)
            yield from self._numbers(step, drawn)
            yield from self._score_numbers(step, outcome.position)
            if answer is not None:
                yield from self._numbers(answer, drawn)

        if answer is not None:
            drawn = self._elements(outcome.position) if answer.shows else {}
            where = f"{answer.say}, {self.game.text(outcome.choice)}"
            yield from (f"{where}: {fault}" for fault in self._failed_claims(answer, outcome.position, drawn))
        if outcome.say:
            name = f"{step.id}.{outcome.say}"
            self.used_texts.add(name)
            for language in LANGUAGES:
                yield from self._text(language, lambda words: self.session.say(words, step, outcome), name, numbers)

    def _patterns(self, step: LessonStep, legal: Sequence[int]) -> Iterator[str]:
        """Yield patterns that match no legal choice, or only choices of earlier responses."""
        taken: set[int] = set()
        for answer in step.answers:
            for pattern in filter(str.strip, answer.on.split(";")):
                found = set(matching_choices(pattern, self.game, legal))
                if not found:
                    yield f"{pattern.strip()!r} matches no legal choice"
                elif found <= taken:
                    yield f"{pattern.strip()!r} matches only choices of earlier answers"
                taken |= found

    def _choosing(self, step: LessonStep, outcomes: Mapping[int, Outcome]) -> Iterator[str]:
        """Yield the faults of a step in which a legal choice is wanted."""
        if step.reason:
            yield "reason has no meaning in a step that asks for a legal choice"
        if not any(outcome.passes for outcome in outcomes.values()):
            yield "no choice passes"
        if any(answer.lead is not None for answer in step.answers):
            for choice, outcome in outcomes.items():
                mine, theirs = score_and_best_other(outcome.position, self.learner)
                if not outcome.passes and mine > theirs:
                    yield f"a puzzle, but {self.game.text(choice)!r} also wins"

    def _refusing(self, step: LessonStep) -> Iterator[str]:
        """Yield the faults of a step in which an illegal choice is wanted."""
        if not step.reason:
            yield "reason is missing in a step that asks for an illegal choice"
        yield from (
            f"answer {answer.say!r} passes in a step that asks for an illegal choice"
            for answer in step.answers
            if answer.passes
        )

    def _hinted(self, step: LessonStep, shown: Mapping[str, Element], legal: Sequence[int]) -> list[Outcome]:
        """Return the outcome of a click on the hinted element, if an illegal choice is wanted."""
        if step.ask != "refuse" or not step.hint or step.hint[0] not in shown:
            return []
        patterns = shown[step.hint[0]].choice.split(";")
        choices = (choice_for_pattern(self.game, pattern, legal) for pattern in patterns)
        found = [self.session.react(step, choice) for choice in choices if choice is not None and choice not in legal]
        return [outcome for outcome in found if outcome.reason is not None][:1]

    def _hint(
        self, step: LessonStep, tried: Sequence[Outcome], shown: Mapping[str, Element], legal: Sequence[int]
    ) -> Iterator[str]:
        """Yield the faults of a hint.

        Clicking its elements in order must leave only right choices.
        """
        if step.ask == "refuse":
            refused = [outcome for outcome in tried if outcome.reason is not None]
            if not any(outcome.passes for outcome in refused):
                reasons = ", ".join(outcome.reason.key for outcome in refused if outcome.reason) or "nothing"
                yield f"a click on the hint isn't refused with {step.reason!r}, but with {reasons}"
            return
        left = list(legal)
        for id in step.hint:
            if id in shown:
                left = matching_choices(shown[id].choice, self.game, left)
        passing = {outcome.choice for outcome in tried if outcome.passes}
        if step.hint and not (left and set(left) <= passing):
            meaning = ", ".join(self.game.text(choice) for choice in left[:6]) or "nothing legal"
            yield f"the hint must match only right choices, but matches {meaning}"

    # -- claims and texts --------------------------------------------------------------------------

    def _elements(self, position: Position) -> dict[str, Element]:
        """Return the elements of a position's picture by id."""
        return elements(self.picture.regions(self.game, position.view(self.learner), self.words["en"]))

    def _failed_claims(
        self, claim: LessonStep | Response, position: Position, shown: Mapping[str, Element]
    ) -> Iterator[str]:
        """Yield claims of a step or response that don't hold."""
        scores = tuple(position.scores())
        if claim.score is not None and claim.score != scores:
            yield f"the score is {list(scores)}, not {list(claim.score)}"
        mine, theirs = score_and_best_other(position, self.learner)
        if claim.lead is not None and claim.lead != mine - theirs:
            yield f"the lead is {mine - theirs}, not {claim.lead}"
        for id, number in claim.shows.items():
            if id not in shown:
                yield f"{id!r} isn't in the picture"
            elif shown[id].number != number:
                yield f"{id!r} shows {shown[id].number}, not {number:g}"

    def _numbers(self, claim: LessonStep | Response, shown: Mapping[str, Element]) -> list[str]:
        """Return the numbers that a text may contain: claims, and names of highlighted elements."""
        found = [str(abs(number)) for number in (*(claim.score or ()), *([] if claim.lead is None else [claim.lead]))]
        found += [f"{abs(number):g}" for number in claim.shows.values()]
        if isinstance(claim, LessonStep):
            names = (shown[id].name for id in (*claim.spot, *claim.hint) if id in shown)
            found += [number for name in names for number in _NUMBER.findall(name)]
        return found

    def _score_numbers(self, step: LessonStep, position: Position) -> list[str]:
        """Return the numbers of the score lines that are shown below the text."""
        if not step.explain:
            return []
        words = self.words["en"]
        lines = position.explain()[self.learner]
        texts = [f"{words.score(line)} {abs(line.points)}" for line in lines]
        return [number for text in texts for number in _NUMBER.findall(text)]

    def _text(self, language: str, say: Callable[[GameMessages], str], name: str, known: Numbers) -> Iterator[str]:
        """Yield the faults of a text: missing, too long, or with numbers that nothing verifies."""
        try:
            text = say(self.words[language])
        except AtollError as error:
            yield str(error)
            return
        if len(text) > LONGEST:
            yield f"text {name!r} in {language!r}: {len(text)} characters; allowed: {LONGEST}"
        key = f"{self.game.id}.{self.lesson.key(name)}"
        template = catalogue(self.game.package, language).gettext(key)
        for number in _NUMBER.findall(_PLACEHOLDER.sub("", template)):
            if number not in known():
                yield f"text {name!r} in {language!r}: {number} is neither claimed nor in the name of a spot or hint"

    def _unused_texts(self) -> Iterator[str]:
        """Yield texts of the lesson that nothing uses."""
        prefix = f"{self.game.id}.learn.{self.lesson.name}."
        for language in LANGUAGES:
            keys = catalogue_keys(self.game.package, language)
            written = {key.removeprefix(prefix) for key in keys if key.startswith(prefix)}
            yield from (f"text {key!r} in {language!r} is never used" for key in sorted(written - self.used_texts))
