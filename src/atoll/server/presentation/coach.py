"""A coach's advice as text."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from atoll.engine.translations import MessageCatalogue
from atoll.lessons.coach import BlunderWarning, StandingChange
from atoll.picture import Region
from atoll.picture.elements import elements
from atoll.picture.svg_macros import signed

from ..domain.model import TableView
from ..play.coaching import CoachAdvice
from . import texts
from .question import ChoiceText, Question

_MOST_OFFERED: Final = 6


@dataclass(frozen=True, slots=True)
class OthersTurn:
    """A turn of others.

    Attributes:
        lines: Its log lines.
        changes: Changes that it made for the reader.
    """

    lines: tuple[str, ...]
    changes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class CoachPanel:
    """The panel with the coach's advice to the reader.

    Attributes:
        meaning: Explanation of the decision, or "".
        kinds: Kinds of legal choices with their explanations.
        offered: Names of the few things on offer, if their kinds have no explanations.
        staged: Changes that the turn draft makes.
        others_turns: Turns of others since the reader's last one.
        soon: Upcoming events.
        checks: Whether the complete turn hasn't been checked yet.
        caution: Warning about the turn, or "".
        warns: Whether the coach checks turns at all.
    """

    meaning: str
    kinds: tuple[tuple[str, str], ...]
    offered: tuple[str, ...]
    staged: tuple[str, ...]
    others_turns: tuple[OthersTurn, ...]
    soon: tuple[str, ...]
    checks: bool
    caution: str
    warns: bool


def coach_of(
    said: CoachAdvice,
    view: TableView,
    question: Question | None,
    regions: Sequence[Region],
    words: texts.GameTexts,
    site: MessageCatalogue,
) -> CoachPanel:
    """Return the panel with a coach's advice to the viewing seat.

    Args:
        said: The advice.
        view: The table.
        question: The decision, or None.
        regions: The picture of the table.
        words: Messages of the game.
        site: Messages of the site.
    """
    complete = view.turn is not None and view.turn.can_confirm
    meaning = "" if question is None else _meaning(question, words)
    kinds = () if question is None else tuple(_kinds(question.options, words))
    return CoachPanel(
        meaning,
        kinds if len(kinds) > 1 else (),
        () if question is None or len(kinds) > 1 else _offered(question.options, regions),
        _changes(said.staged, words),
        tuple(
            OthersTurn(tuple(texts.log_line(entry, words, site) for entry in act.log), _changes(act.changes, words))
            for act in said.acts
            if act.log
        ),
        tuple(words.say(f"coach.soon.{key}", fields) for key, fields in said.soon),
        said.warns and complete and not said.checked,
        "" if said.caution is None else _caution(said.caution, words, site),
        said.warns,
    )


def _meaning(question: Question, words: texts.GameTexts) -> str:
    key = f"coach.prompt.{question.key}"
    if not words.has(f"{words.game.id}.{key}"):
        return ""
    return words.say(key)


def _kinds(options: Sequence[ChoiceText], words: texts.GameTexts) -> Iterable[tuple[str, str]]:
    """Yield the legal choices' kinds (or their last parts) for which the game has explanations."""
    game = words.game
    names: dict[str, str] = {}
    for option in options:
        kind = game.vocabulary.kind_of(option.choice)
        part = option.text.split(" ")[-1]
        for key, name in ((f"{kind.name}.{part}", option.parts[-1] if option.parts else ""), (kind.name, "")):
            if key not in names and words.has(f"{game.id}.coach.kind.{key}"):
                names[key] = name or option.words
                yield names[key], words.say(f"coach.kind.{key}")
            if key in names:
                break


def _offered(options: Sequence[ChoiceText], regions: Sequence[Region]) -> tuple[str, ...]:
    """Return the names of the elements that stand for these choices; none if there are many."""
    if len(options) > _MOST_OFFERED:
        return ()
    texts = {option.text for option in options}
    return tuple(dict.fromkeys(each.name for each in elements(regions).values() if each.choice in texts))


def _changes(changes: Sequence[StandingChange], words: texts.GameTexts) -> tuple[str, ...]:
    found = []
    for change in changes:
        key = f"score.{change.key}" if change.about == "score" else f"coach.{change.about}.{change.key}"
        if words.has(f"{words.game.id}.{key}"):
            text = words.say(key, change.fields)
            found.append(f"{text}: {signed(change.points)}" if change.about == "score" else text)
    return tuple(found)


def _caution(caution: BlunderWarning, words: texts.GameTexts, site: MessageCatalogue) -> str:
    """Return a warning as a sentence."""
    return site.text(
        f"coach.caution.{caution.about}",
        line=words.say(f"score.{caution.key}", caution.fields),
        points=caution.points,
        name=words.seat(caution.seat),
        games=caution.games,
    )
