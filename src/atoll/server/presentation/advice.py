"""A strong bot's advice as text."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from atoll.bots import lead
from atoll.engine.translations import GameMessages, MessageCatalogue

from ..domain import model
from .question import ChoiceText

_MOST_PROSPECTS: Final = 3
_SELDOM: Final = 20  # choices with fewer visits, relative to the best one, have unreliable values


@dataclass(frozen=True, slots=True)
class ProspectText:
    """A choice with a strong bot's evaluation, as text.

    Attributes:
        choice: The choice.
        words: The choice as text.
        chance: The expected share as text.
        scores: Name and expected score per seat.
    """

    choice: int
    words: str
    chance: str
    scores: tuple[tuple[str, int], ...]


def prospects(
    advice: model.Advice | None, words: GameMessages, texts: MessageCatalogue, options: Sequence[ChoiceText]
) -> list[ProspectText]:
    """Return a bot's advice as text, best choice first.

    Choices with few visits are left out, because their values are unreliable.

    Args:
        advice: The advice, or None.
        words: Messages of the game.
        texts: Messages of the site.
        options: The choices of the decision, as the page words them.
    """
    if advice is None:
        return []
    enough = advice.prospects[0].visits / _SELDOM
    known = [each for each in advice.prospects if each.visits >= enough][:_MOST_PROSPECTS]
    worded = {option.choice: option.words for option in options}
    return [prospect(each, words, texts, worded.get(each.choice, "")) for each in known]


def prospect(found: model.Prospect, words: GameMessages, texts: MessageCatalogue, worded: str = "") -> ProspectText:
    """Return a choice with its evaluation as text.

    Args:
        found: The choice with its evaluation.
        words: Messages of the game.
        texts: Messages of the site.
        worded: The choice as its decision words it, or "".
    """
    scores = tuple((words.seat(seat), round(points)) for seat, points in enumerate(found.points))
    text = worded or words.choice(found.choice)
    return ProspectText(found.choice, text, _chance(found.share, len(scores), texts), scores)


def reason_of(judged: model.Judgment, words: GameMessages, texts: MessageCatalogue) -> str:
    """Return why the best choice of a judgment was better than the one that was made, or "".

    Args:
        judged: The judgment.
        words: Messages of the game.
        texts: Messages of the site.
    """
    found, name = judged.reason, words.seat(judged.seat)
    if found is not None:
        return texts.text(
            f"analysis.why.{found.about}",
            name=name,
            line=words.say(f"score.{found.key}", found.fields),
            points=found.points,
            rival=words.seat(found.seat),
            games=found.games,
        )
    better = round(lead(judged.best.points, judged.seat) - lead(judged.taken.points, judged.seat))
    return texts.text("analysis.why.points", name=name, points=better) if better > 0 else ""


def _chance(share: float, seats: int, texts: MessageCatalogue) -> str:
    """Return an expected share as text. With more than two seats it isn't the chance to win."""
    return texts.text("advice.win" if seats < 3 else "advice.ahead", percent=round(100 * share))
