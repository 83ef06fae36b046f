"""Intervals: what may be said of a share or a mean after so many games."""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt
from random import Random
from typing import Final

Z95: Final = 1.959963984540054
"""The normal quantile of two-sided 95 % intervals."""


def wilson(wins: float, games: int, z: float = Z95) -> tuple[float, float]:
    """The Wilson score interval of a share (Wilson 1927); (0, 1) without games. Shared wins may be fractions."""
    if games == 0:
        return 0.0, 1.0
    share = wins / games
    spread = z * sqrt(share * (1 - share) / games + z * z / (4 * games * games))
    scale = 1 + z * z / games
    centre = share + z * z / (2 * games)
    return max(0.0, (centre - spread) / scale), min(1.0, (centre + spread) / scale)


def bootstrap(values: Sequence[float], *, rounds: int = 1000, seed: int = 1) -> tuple[float, float]:
    """The 95 % percentile bootstrap interval of the mean (Efron 1979). Raises ValueError without values."""
    if not values:
        raise ValueError("no values to take the mean of")
    random = Random(seed)
    size = len(values)
    means = sorted(sum(random.choices(values, k=size)) / size for _ in range(rounds))
    return means[int(0.025 * rounds)], means[min(rounds - 1, int(0.975 * rounds))]


class MeanTest:
    """Whether the mean of values between 0 and 1 is above or below a goal, judged after each value.

    A bet against each side whose capital can only grow if that side is wrong: when one has grown to 1 / risk, the side
    is given up. However long one looks, an error is no likelier than `risk` (Ville 1939; betting as in Waudby-Smith,
    Ramdas 2024, with their plug-in bets).
    """

    def __init__(self, goal: float, risk: float = 0.05) -> None:
        self.goal: float = goal
        self.risk: float = risk
        self.count: int = 0
        self._sum: float = 0.5  # one imagined value of 1/2, so that the first bets are careful
        self._squares: float = 0.25
        self._above: float = 1.0
        self._below: float = 1.0
        self.verdict: str = ""

    def add(self, value: float) -> str:
        """One more value; gives "above", "below", or "" as long as it isn't settled."""
        mean = self._sum / (self.count + 1)
        variance = self._squares / (self.count + 1)
        edge = mean - self.goal
        size = edge / (variance + edge * edge)
        self._above *= 1 + max(0.0, min(size, 0.5 / self.goal)) * (value - self.goal)
        self._below *= 1 + max(0.0, min(-size, 0.5 / (1 - self.goal))) * (self.goal - value)
        self.count += 1
        self._sum += value
        self._squares += (value - self._sum / (self.count + 1)) ** 2
        if not self.verdict:
            if self._above >= 1 / self.risk:
                self.verdict = "above"
            elif self._below >= 1 / self.risk:
                self.verdict = "below"
        return self.verdict
