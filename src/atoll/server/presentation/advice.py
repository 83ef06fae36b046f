"""What a strong bot advises, in words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from atoll.engine.words import Catalogue, Words

from ..domain import model
from .question import Option

_MOST_PROSPECTS: Final = 3
_SELDOM: Final = 20  # a choice tried so many times less often than the best is hardly known


@dataclass(frozen=True, slots=True)
class Prospect:
    """A choice in words, with what a strong bot expects of it: the chance, and per seat the score."""

    choice: int
    words: str
    chance: str
    scores: tuple[tuple[str, int], ...]


def prospects(advice: model.Advice | None, words: Words, texts: Catalogue, options: Sequence[Option]) -> list[Prospect]:
    """What a bot advises, the best first; choices that it hardly tried are left out, as little is known of them.

    options: those of the question, as the page words them.
    """
    if advice is None:
        return []
    enough = advice.prospects[0].visits / _SELDOM
    known = [each for each in advice.prospects if each.visits >= enough][:_MOST_PROSPECTS]
    worded = {option.choice: option.words for option in options}
    return [prospect(each, words, texts, worded.get(each.choice, "")) for each in known]


def prospect(found: model.Prospect, words: Words, texts: Catalogue, worded: str = "") -> Prospect:
    """What a bot expects of a choice. worded: the choice, if its question words it."""
    scores = tuple((words.seat(seat), round(points)) for seat, points in enumerate(found.points))
    said = worded or words.choice(found.choice)
    return Prospect(found.choice, said, _chance(found.share, len(scores), texts), scores)


def _chance(share: float, seats: int, texts: Catalogue) -> str:
    """How well a seat is expected to do. With more than two seats it isn't the chance to win."""
    return texts.text("advice.win" if seats < 3 else "advice.ahead", percent=round(100 * share))
