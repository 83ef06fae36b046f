"""Whether each level of a game's bots plays better than the one below, and how surely."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from time import perf_counter
from typing import Any

from atoll.engine import Game

from .plan import Plan, PlanError
from .play import Row
from .results import ResultsFile, read
from .run import run
from .statistics import MeanTest, bootstrap

GOAL = 0.65
_AT_ONCE = 4000  # games that are planned ahead


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


def ahead(game: Row, higher: str) -> float:
    """The part of the pairs (a seat of `higher`, a seat of the other bot) in which the higher one came in ahead."""
    total = pairs = 0.0
    for seat, name in enumerate(game["bots"]):
        for other, rival in enumerate(game["bots"]):
            if name == higher != rival:
                pairs += 1
                mine, theirs = game["places"][seat], game["places"][other]
                total += 1.0 if mine < theirs else 0.5 if mine == theirs else 0.0
    return total / pairs


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
    are kept; those in it count and aren't played again. watch: hears which match, how many games, the share so far.
    Raises PlanError, ResultsError, and what the rules raise.
    """
    if len(bots) < 2:
        raise PlanError("a tournament needs at least two bots")
    if not 0 < goal < 1:
        raise PlanError(f"goal {goal}: allowed is a share between 0 and 1")
    found = []
    for lower, higher in pairwise(bots):
        plan = Plan.make(game, seats, options or {}, (lower, higher), seed=seed, seconds=seconds, iterations=iterations)
        file = None if folder is None else folder / f"{game.id}_{plan.seats}_{lower}_{higher}.jsonl"
        if plan.seats < 2:
            raise PlanError("a tournament needs at least two seats")
        match = _Series(plan, goal, file)
        end = perf_counter() + 60 * minutes / (len(bots) - 1)
        found.append(match.play(most_games, end, workers, engine, watch))
    return found


class _Series:
    """The games of one match."""

    def __init__(self, plan: Plan, goal: float, file: Path | None) -> None:
        self.plan: Plan = plan
        self.file: Path | None = file
        self.test: MeanTest = MeanTest(goal)
        self.shares: list[float] = []

    def play(self, most: int, end: float, workers: int, engine: str, watch: Callable[[str, int, float], Any]) -> Match:
        lower, higher = self.plan.bots
        results = None
        if self.file is not None:
            self.file.parent.mkdir(parents=True, exist_ok=True)
            results = ResultsFile(self.file, self.plan.to_json())
        try:
            for row in read(self.file) if self.file else ():
                if row["row"] == "game":
                    self._count(row)
            numbers = range(len(self.shares), min(most, len(self.shares) + _AT_ONCE))
            batches = run(self.plan, numbers, workers=workers, engine=engine) if self._open(most, end) else iter(())
            for batch, _ in batches:
                for *_, game in batch:
                    if not self._open(most, end):
                        break
                    if results is not None:
                        results.add([game])
                    self._count(game)
                watch(f"{higher} : {lower}", len(self.shares), sum(self.shares) / len(self.shares))
                if not self._open(most, end):
                    break
        finally:
            if results is not None:
                results.close()
        share = sum(self.shares) / len(self.shares) if self.shares else 0.0
        low, high = bootstrap(self.shares) if self.shares else (0.0, 1.0)
        return Match(lower, higher, len(self.shares), share, low, high, self.test.verdict)

    def _open(self, most: int, end: float) -> bool:
        return not self.test.verdict and len(self.shares) < most and perf_counter() < end

    def _count(self, game: Row) -> None:
        self.shares.append(ahead(game, self.plan.bots[1]))
        self.test.add(self.shares[-1])
