"""Whether each level of a game's bots plays better than the one below, and how surely."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import pairwise
from pathlib import Path
from time import perf_counter
from typing import Any

from atoll.engine import Game

from .plan import Plan, PlanError
from .series import Series
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
    game: Game,
    bots: Sequence[str],
    *,
    seats: int | None = None,
    options: Mapping[str, Any] | None = None,
    seconds: float = 0.05,
    iterations: int | None = None,
    goal: float = GOAL,
    most_games: int = 2000,
    minutes: float = 60.0,
    seed: int = 1,
    workers: int = 0,
    engine: str = "local",
    folder: Path | None = None,
    watch: Callable[[str, int, float], Any] = lambda match, games, share: None,
) -> list[Match]:
    """Let each bot play the one before it, until it's clear whether it reaches the goal, or games or time run out.

    bots: from the weakest to the strongest. minutes: for all matches together, shared equally. folder: where the games
    are kept; those in it count, as many as are asked for, and aren't played again. watch: hears which match, how many
    games, the share so far.
    Raises PlanError, ResultsError, and what the rules raise.
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
        plan = Plan.make(game, seats, options or {}, (lower, higher), seed=seed, seconds=seconds, iterations=iterations)
        if plan.seats < 2:
            raise PlanError("a tournament needs at least two seats")
        series = Series(plan, folder)
        test = MeanTest(goal)
        for share in series.shares[:most_games]:
            test.add(share)
        end = perf_counter() + 60 * minutes / (len(bots) - 1)
        if not test.verdict and perf_counter() < end:
            series.play(most_games, workers, engine, _until(test, end), partial(watch, f"{higher} : {lower}"))
        found.append(_match(series.plan.bots, series.shares[:most_games], test.verdict))
    return found


def _until(test: MeanTest, end: float) -> Callable[[float], bool]:
    """Whether a match goes on after a game with such a share."""
    return lambda share: not test.add(share) and perf_counter() < end


def _match(bots: Sequence[str], shares: Sequence[float], verdict: str) -> Match:
    lower, higher = bots
    low, high = bootstrap(shares) if shares else (0.0, 1.0)
    return Match(lower, higher, len(shares), sum(shares) / len(shares) if shares else 0.0, low, high, verdict)
