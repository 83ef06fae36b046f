"""Tournaments: a sequential test of whether each level of bots is stronger than the one below."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from time import perf_counter

from .plan import PlanError
from .series import MatchSeries
from .statistics import MeanTest, bootstrap

GOAL = 0.65
"""Default share of seat pairs in which the higher bot should finish ahead."""


@dataclass(frozen=True, slots=True)
class Match:
    """The result of two bots against each other.

    Attributes:
        lower: Name of the bot that is compared with.
        higher: Name of the bot whose share counts.
        games: Number of games.
        share: Mean share of seat pairs in which the higher bot finished ahead, ties counted as
            half.
        low: Lower bound of its 95 % bootstrap interval.
        high: Upper bound.
        verdict: `above` or `below` the goal; an empty string if undecided.
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
    """Let each bot play the one before it.

    A match ends when it is clear whether the share reaches the goal, or when games or time run out.

    Args:
        series: Settings of all matches. The first `most_games` stored games count.
        bots: Names of the bots, from the weakest to the strongest.
        goal: Share of seat pairs in which the higher bot should finish ahead, between 0 and 1.
        most_games: Highest number of games of a match.
        minutes: Time limit of all matches together, divided equally.

    Returns:
        The results of the matches.

    Raises:
        PlanError: If there are fewer than two bots, a bot is listed twice in a row, the goal is out
            of range, or the games can't be played.
        ResultsError: If a file of the folder contains other games.
    """
    if len(bots) < 2:
        raise PlanError("a tournament needs at least two bots")
    twice = [higher for lower, higher in pairwise(bots) if lower == higher]
    if twice:
        raise PlanError(f"{twice[0]} can't come in ahead of itself; a tournament needs different bots side by side")
    if not 0 < goal < 1:
        raise PlanError(f"invalid goal {goal}: expected a share between 0 and 1")
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
    """Return a function that tests the share of a game and returns whether the match continues."""
    return lambda share: not test.add(share) and perf_counter() < end


def _match(lower: str, higher: str, shares: Sequence[float], verdict: str) -> Match:
    """Return the result of a match."""
    low, high = bootstrap(shares) if shares else (0.0, 1.0)
    return Match(lower, higher, len(shares), sum(shares) / len(shares) if shares else 0.0, low, high, verdict)
