"""Charts of statistics: a person's scores over time, and shares with their intervals."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from babel.numbers import format_decimal

from ..domain.statistics import Estimate, PlayedScore

WIDTH: Final = 400
HEIGHT: Final = 210
LEFT: Final = 56
RIGHT: Final = 14
TOP: Final = 16
BOTTOM: Final = 16
_MOST: Final = 100
"""Largest number of games in the chart; the last ones are shown."""
_SMOOTH: Final = 5
"""Number of games of a moving mean."""
_STEPS: Final = (1, 2, 5)
BAR: Final = 160
"""Width of a bar for 100 %."""


def decimal(value: float, language: str) -> str:
    """Return a number with one decimal place, as the language writes it."""
    return format_decimal(round(value, 1), "0.0", language).replace("-", "−")


@dataclass(frozen=True, slots=True)
class Dot:
    """A game.

    Attributes:
        x: Horizontal position.
        y: Vertical position.
        won: Whether the person won.
        score: The score.
    """

    x: float
    y: float
    won: bool
    score: int


@dataclass(frozen=True, slots=True)
class ScoreChart:
    """A person's scores, the oldest at the left.

    Attributes:
        dots: One dot per game.
        mean: Points of the SVG polyline of the moving mean; "" with fewer than two games.
        levels: Scores of the grid lines with their vertical positions.
    """

    dots: tuple[Dot, ...]
    mean: str
    levels: tuple[tuple[int, float], ...]


def score_chart(scores: Sequence[PlayedScore]) -> ScoreChart:
    """Return the chart of a person's scores.

    Args:
        scores: The scores, oldest first; at least one.
    """
    shown = scores[-_MOST:]
    values = [each.score for each in shown]
    levels = _levels(min(values), max(values))
    low, high = levels[0], levels[-1]

    def x(index: int) -> float:
        """Return the horizontal position of a game."""
        return LEFT + (WIDTH - LEFT - RIGHT) * (index + 0.5) / len(shown)

    def y(score: float) -> float:
        """Return the vertical position of a score."""
        return TOP + (HEIGHT - TOP - BOTTOM) * (high - score) / (high - low)

    dots = tuple(Dot(x(index), y(each.score), each.place == 1, each.score) for index, each in enumerate(shown))
    before = len(scores) - len(shown)
    means = []
    for index in range(len(shown)):
        near = scores[max(0, before + index + 1 - _SMOOTH) : before + index + 1]
        means.append(f"{x(index):.1f},{y(sum(each.score for each in near) / len(near)):.1f}")
    return ScoreChart(dots, " ".join(means) if len(means) > 1 else "", tuple((level, y(level)) for level in levels))


def _levels(low: int, high: int) -> list[int]:
    """Return three to six round numbers around these, whose first and last enclose them."""
    power = 1
    while True:
        for step in _STEPS:
            first, last = low // (step * power), -(-max(high, low + 1) // (step * power))
            if last - first <= 5:
                return [each * step * power for each in range(first, last + 1)]
        power *= 10


@dataclass(frozen=True, slots=True)
class ShareBar:
    """A share as a bar, with its interval and the share to expect.

    Attributes:
        value: Length for the share.
        low: Position of the interval's lower bound.
        high: Position of its upper bound.
        fair: Position of the share to expect.
    """

    value: float
    low: float
    high: float
    fair: float


def share_bar(share: Estimate, fair: float) -> ShareBar:
    """Return the bar of a share.

    Args:
        share: The share, 0 to 1, with its interval.
        fair: The share to expect without any effect.
    """
    return ShareBar(*(round(BAR * each, 1) for each in (share.value, share.low, share.high, fair)))
