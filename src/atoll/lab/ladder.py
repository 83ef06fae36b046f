"""How strong bots are beside each other: each plays each, and a rating explains all results at once.

The rating is Elo's scale of the model of Bradley and Terry (1952): 400 points more are odds of ten to one to come in
ahead of a bot. It is fitted as in Hunter 2004, with one imagined tie in each pair, so that who never lost has one, too.
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
_ROUNDS: Final = 200  # of the bootstrap
_CLOSE: Final = 1e-4  # a fit is done when no strength changes by more than this part

_Pairs = Mapping[tuple[int, int], Sequence[float]]


@dataclass(frozen=True, slots=True)
class Rung:
    """One bot. rating: the first bot has 0. low, high: its 95 % bootstrap interval over the games of each pair."""

    bot: str
    rating: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Ladder:
    """All of them, the strongest first. shares: (bot, other) -> how often it came in ahead; games: how many of each."""

    rungs: tuple[Rung, ...]
    shares: Mapping[tuple[str, str], float]
    games: int


def default_bots(game: Game) -> list[str]:
    """All bots of a game that differ: `search` is what the level expert does."""
    return [name for name in bot_names(game) if name != "search"]


def ladder(series: MatchSeries, bots: Sequence[str], *, games: int = 20) -> Ladder:
    """Let each bot play so many games against each other one.

    Args:
        series: Settings of all matches.
        bots: Names of the bots; the first has the rating 0.
        games: Number of games of each pair.

    Raises:
        PlanError: The bots make no ladder, or the games can't be played.
        ResultsError: The folder holds other games in a match's file.
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
    return rated(bots, found, games)


def rated(bots: Sequence[str], found: _Pairs, games: int) -> Ladder:
    """The ladder that results make. found: (place of a bot, of another) -> per game the share of the second."""

    def ratings(*samples: NDArray[np.float64]) -> NDArray[np.float64]:
        met = {
            pair: (float(np.mean(drawn)) * len(found[pair]), len(found[pair]))
            for pair, drawn in zip(found, samples, strict=True)
        }
        return np.array(fit(len(bots), met))

    rating = fit(len(bots), {pair: (sum(shares), len(shares)) for pair, shares in found.items()})
    low, high = bootstraps(list(found.values()), ratings, rounds=_ROUNDS)
    rungs = [Rung(bot, rating[at], float(low[at]), float(high[at])) for at, bot in enumerate(bots)]
    shares: dict[tuple[str, str], float] = {}
    for (one, two), each in found.items():
        shares[bots[two], bots[one]] = sum(each) / len(each)
        shares[bots[one], bots[two]] = 1 - sum(each) / len(each)
    return Ladder(tuple(sorted(rungs, key=lambda rung: -rung.rating)), shares, games)


def fit(count: int, found: Mapping[tuple[int, int], tuple[float, int]]) -> list[float]:
    """Ratings of so many bots; the first has 0. found: (a bot, another) -> sum of the second's shares, and games."""
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
