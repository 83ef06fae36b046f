"""Confidence intervals of shares and means, and a sequential test."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import ceil, floor

import numpy as np
from numpy.typing import NDArray

_AT_ONCE = 100  # resamples in memory at once
_STEPS = 200  # goals of a confidence sequence


def wilson(wins: float, games: int) -> tuple[float, float]:
    """Return the 95 % Wilson score interval of a share (Wilson 1927); (0, 1) without games.

    Fractional wins are interpolated between the intervals of the whole numbers around them.

    Args:
        wins: Number of wins, 0 to `games`. Shared wins may count as fractions.
        games: Number of games.

    Returns:
        Lower and upper bound.
    """
    if games == 0:
        return 0.0, 1.0
    from scipy.stats import binomtest  # noqa: PLC0415 - takes half a second, also of a server's start

    floored = floor(wins)
    ends = [binomtest(min(each, games), games).proportion_ci(method="wilson") for each in (floored, ceil(wins))]
    low, high = (float(below + (wins - floored) * (above - below)) for below, above in zip(*ends, strict=True))
    return low, high


def bootstrap(values: Sequence[float], *, rounds: int = 1000, seed: int = 1) -> tuple[float, float]:
    """Return the 95 % percentile bootstrap interval of the mean.

    Args:
        values: Observations, at least one.
        rounds: Number of resamples.
        seed: Seed of the resamples.

    Returns:
        Lower and upper bound.

    Raises:
        ValueError: If `values` is empty.

    References:
        Efron (1979), Bootstrap methods: another look at the jackknife.
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
    """Return the 95 % percentile bootstrap intervals of several statistics of independent samples.

    Args:
        samples: Values of each sample, at least one per sample.
        figures: Function that gets a resample of each sample, as arguments, and returns the
            statistics.
        rounds: Number of resamples.
        seed: Seed of the resamples.

    Returns:
        Lower and upper bounds, in the order of the statistics.
    """
    from scipy import stats  # noqa: PLC0415 - see `wilson`

    # SciPy needs two values per sample. Repeating a single value doesn't change any resample.
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
    """A sequential test of whether the mean of values between 0 and 1 is above or below a goal.

    The result may be checked after each value. Each side is bet against with a capital that can
    only grow if that side is wrong. When a capital reaches 1 / `risk`, the side is rejected. The
    probability of an error is at most `risk`, for any number of checks.

    Attributes:
        goal: The goal, between 0 and 1.
        risk: Highest probability of an error per side.
        count: Number of values.
        verdict: `above`, `below`, or an empty string while undecided.

    References:
        Ville (1939), Étude critique de la notion de collectif.
        Waudby-Smith, Ramdas (2024), Estimating means of bounded random variables by betting; the
        bets are their plug-in bets.
    """

    def __init__(self, goal: float, risk: float = 0.05) -> None:
        self.goal: float = goal
        self.risk: float = risk
        self.count: int = 0
        self._sum: float = 0.5  # one imagined value of 1/2 makes the first bets cautious
        self._squares: float = 0.25
        self._above: float = 1.0
        self._below: float = 1.0
        self.verdict: str = ""

    def add(self, value: float) -> str:
        """Add a value, 0 to 1, and return the verdict."""
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


def confidence_sequence(values: Sequence[float], *, risk: float = 0.05) -> tuple[float, float]:
    """Return an interval of the mean of values between 0 and 1.

    It holds after any number of values, so it may be checked after each one. It contains the goals
    that `MeanTest` doesn't reject, in steps of 0.005.

    Args:
        values: The values.
        risk: Highest probability that the interval ever misses the mean.

    Returns:
        Lower and upper bound; (0, 1) without values.
    """
    low, high = 0.0, 1.0
    for step in range(1, _STEPS):
        test = MeanTest(step / _STEPS, risk / 2)
        for value in values:
            test.add(value)
        if test.verdict == "above":
            low = step / _STEPS
        elif test.verdict == "below":
            high = min(high, step / _STEPS)
    return low, high
