"""Ratings of bots: each bot plays each other one, and the ratings explain all results at once.

The rating is the Elo scale of the model of Bradley and Terry (1952): 400 points more are odds of
ten to one to finish ahead. It is fitted as in Hunter (2004), with one imagined tie per pair, so
that a bot without a loss has a finite rating.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import log10
from typing import Final

import numpy as np
from numpy.typing import NDArray

from atoll.bots import bot_names
from atoll.engine import Game

from .plan import PlanError
from .series import MatchSeries
from .statistics import bootstraps

_ELO: Final = 400.0
_ROUNDS: Final = 200  # resamples of the bootstrap
_CLOSE: Final = 1e-4  # relative change of the strengths below which a fit ends

_Pairs = Mapping[tuple[int, int], Sequence[float]]


@dataclass(frozen=True, slots=True)
class RatedBot:
    """A rated bot.

    Attributes:
        bot: Name of the bot.
        rating: Its rating; the first bot of the ladder has 0.
        low: Lower bound of the 95 % bootstrap interval over the games of each pair.
        high: Upper bound.
    """

    bot: str
    rating: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Ratings:
    """The ratings of several bots.

    Attributes:
        rungs: The bots, the strongest first.
        shares: (bot, other) -> share of the games in which the bot finished ahead, 0 to 1.
        games: Number of games per pair.
    """

    bots: tuple[RatedBot, ...]
    shares: Mapping[tuple[str, str], float]
    games: int


def default_bots(game: Game, seats: int) -> list[str]:
    """Return all bots that differ: `search` is the same as the level expert.

    Args:
        game: The game.
        seats: Number of seats.
    """
    return [name for name in bot_names(game, seats) if name != "search"]


def ladder(series: MatchSeries, bots: Sequence[str], *, games: int = 20) -> Ratings:
    """Let each bot play the given number of games against each other one.

    Args:
        series: Settings of all matches.
        bots: Names of the bots; the first has the rating 0.
        games: Number of games per pair.

    Returns:
        The ratings.

    Raises:
        PlanError: If there are fewer than two different bots, or the games can't be played.
        ResultsError: If a file of the folder contains other games.
    """
    if len(bots) < 2:
        raise PlanError("a ladder needs at least two bots")
    if len(set(bots)) < len(bots):
        raise PlanError(f"a ladder needs different bots, not {', '.join(bots)}")
    found: dict[tuple[int, int], Sequence[float]] = {}
    for one, two in combinations(range(len(bots)), 2):
        match = series.match(bots[one], bots[two])
        match.play(games)
        found[one, two] = match.shares[:games]
    return fit_ratings(bots, found, games)


def fit_ratings(bots: Sequence[str], found: _Pairs, games: int) -> Ratings:
    """Fit ratings to results.

    Args:
        bots: Names of the bots; the first has the rating 0.
        found: (index of a bot, index of another) -> the share of the second in each game.
        games: Number of games per pair.

    Returns:
        The ratings with their intervals.
    """

    def ratings(*samples: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the ratings that one resample of each pair gives."""
        met = {
            pair: (float(np.mean(drawn)) * len(found[pair]), len(found[pair]))
            for pair, drawn in zip(found, samples, strict=True)
        }
        return np.array(fit_bradley_terry(len(bots), met))

    rating = fit_bradley_terry(len(bots), {pair: (sum(shares), len(shares)) for pair, shares in found.items()})
    low, high = bootstraps(list(found.values()), ratings, rounds=_ROUNDS)
    rungs = [RatedBot(bot, rating[at], float(low[at]), float(high[at])) for at, bot in enumerate(bots)]
    shares: dict[tuple[str, str], float] = {}
    for (one, two), each in found.items():
        shares[bots[two], bots[one]] = sum(each) / len(each)
        shares[bots[one], bots[two]] = 1 - sum(each) / len(each)
    return Ratings(tuple(sorted(rungs, key=lambda rung: -rung.rating)), shares, games)


def fit_bradley_terry(count: int, found: Mapping[tuple[int, int], tuple[float, int]]) -> list[float]:
    """Return the ratings of bots; the first has 0.

    Args:
        count: Number of bots.
        found: (index of a bot, index of another) -> the sum of the second's shares, and the games.

    Returns:
        The rating of each bot.
    """
    won = [0.0] * count
    met = [[0.0] * count for _ in range(count)]
    for (one, two), (share, games) in found.items():
        won[two] += share + 0.5
        won[one] += games - share + 0.5
        met[one][two] = met[two][one] = games + 1
    strengths = [1.0] * count
    change = 1.0
    while change > _CLOSE:
        following = [
            won[bot] / sum(met[bot][other] / (own + strengths[other]) for other in range(count) if met[bot][other])
            for bot, own in enumerate(strengths)
        ]
        scale = count / sum(following)
        following = [scale * each for each in following]
        change = max(abs(new - old) / old for new, old in zip(following, strengths, strict=True))
        strengths = following
    return [_ELO * log10(each / strengths[0]) for each in strengths]
