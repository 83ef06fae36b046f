"""Intervals of a share or a mean, and a test that may be looked at after each game."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import ceil, floor

import numpy as np
from numpy.typing import NDArray
from scipy import stats

_AT_ONCE = 100  # rounds of the bootstrap that are in memory together


def wilson(wins: float, games: int) -> tuple[float, float]:
    """Return the 95 % Wilson score interval of a share (Wilson 1927); (0, 1) without games.

    Shared wins may be fractions: their interval lies between those of the whole numbers around them.
    """
    if games == 0:
        return 0.0, 1.0
    whole = floor(wins)
    ends = [stats.binomtest(min(each, games), games).proportion_ci(method="wilson") for each in (whole, ceil(wins))]
    low, high = (float(below + (wins - whole) * (above - below)) for below, above in zip(*ends, strict=True))
    return low, high


def bootstrap(values: Sequence[float], *, rounds: int = 1000, seed: int = 1) -> tuple[float, float]:
    """Return the 95 % percentile bootstrap interval of the mean (Efron 1979).

    Raises:
        ValueError: There are no values.
    """
    if not values:
        raise ValueError("no values to take the mean of")
    low, high = bootstraps([values], lambda each: np.array([np.mean(each)]), rounds=rounds, seed=seed)
    return float(low[0]), float(high[0])


def bootstraps(
    samples: Sequence[Sequence[float]],
    figures: Callable[..., NDArray[np.float64]],
    *,
    rounds: int = 1000,
    seed: int = 1,
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the 95 % percentile bootstrap intervals of several figures, each sample drawn from separately.

    Args:
        samples: Values of each sample, at least one.
        figures: Figures that one drawing of each sample makes, given as an argument per sample.
        rounds: Number of drawings.
        seed: Seed of the drawings.

    Returns:
        The lower and the upper ends, in the order of the figures.
    """
    # scipy asks for two values in each sample; a single one is drawn every time, twice as well as once
    drawn = [np.array(each if len(each) > 1 else [*each, *each], dtype=np.float64) for each in samples]
    found = stats.bootstrap(
        drawn,
        figures,
        vectorized=False,
        n_resamples=rounds,
        batch=_AT_ONCE,
        method="percentile",
        rng=seed,
    ).confidence_interval
    return found.low, found.high


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
