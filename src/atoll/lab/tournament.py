"""Whether each level of a game's bots plays better than the one below, and how surely."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from time import perf_counter

from .plan import PlanError
from .series import MatchSeries
from .statistics import MeanTest, bootstrap

GOAL = 0.65


@dataclass(frozen=True, slots=True)
class Match:
    """Two bots against each other.

    share: in how many pairs of seats (higher bot, lower bot) of a game the higher one came in ahead, ties half; the
    mean over the games. low, high: its 95 % bootstrap interval. verdict: "above" or "below" the goal, "" if undecided.
    """

    lower: str
    higher: str
    games: int
    share: float
    low: float
    high: float
    verdict: str


def tournament(
    series: MatchSeries,
    bots: Sequence[str],
    *,
    goal: float = GOAL,
    most_games: int = 2000,
    minutes: float = 60.0,
) -> list[Match]:
    """Let each bot play the one before it, until it's clear whether it reaches the goal, or games or time run out.

    Args:
        series: Settings of all matches. Of stored games the first `most_games` count.
        bots: Bots from the weakest to the strongest.
        goal: Share of pairs in which the higher bot should be ahead.
        most_games: Largest number of games of a match.
        minutes: Longest time of all matches together, shared equally.

    Raises:
        PlanError: The bots or the goal make no tournament, or the games can't be played.
        ResultsError: The folder holds other games in a match's file.
    """
    if len(bots) < 2:
        raise PlanError("a tournament needs at least two bots")
    twice = [higher for lower, higher in pairwise(bots) if lower == higher]
    if twice:
        raise PlanError(f"{twice[0]} can't come in ahead of itself; a tournament needs different bots side by side")
    if not 0 < goal < 1:
        raise PlanError(f"goal {goal}: allowed is a share between 0 and 1")
    found = []
    for lower, higher in pairwise(bots):
        games = series.match(lower, higher)
        test = MeanTest(goal)
        for share in games.shares[:most_games]:
            test.add(share)
        end = perf_counter() + 60 * minutes / (len(bots) - 1)
        if not test.verdict and perf_counter() < end:
            games.play(most_games, _until(test, end))
        found.append(_match(lower, higher, games.shares[:most_games], test.verdict))
    return found


def _until(test: MeanTest, end: float) -> Callable[[float], bool]:
    """Whether a match goes on after a game with such a share."""
    return lambda share: not test.add(share) and perf_counter() < end


def _match(lower: str, higher: str, shares: Sequence[float], verdict: str) -> Match:
    low, high = bootstrap(shares) if shares else (0.0, 1.0)
    return Match(lower, higher, len(shares), sum(shares) / len(shares) if shares else 0.0, low, high, verdict)
