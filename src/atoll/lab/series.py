"""Matches of two bots each, played game by game and stored in files."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from atoll.engine import Game

from .plan import Plan, PlanError
from .play import Row
from .results import ResultsFile, make_folder, read
from .run import run

_AT_ONCE: Final = 4000  # games that are planned ahead


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


@dataclass(frozen=True, slots=True)
class MatchSeries:
    """Settings that all matches of a tournament or a ladder share.

    Attributes:
        game: Game that is played.
        seats: Number of seats; the usual number if None.
        options: Options of the game.
        seconds: Longest time that a bot may think about a decision, in time of the processor.
        iterations: Number after which searching bots stop instead.
        seed: Seed of each match.
        workers: Number of processes; 0 for one per core.
        engine: `local` or `ray`.
        folder: Place of the games. Those already there count and aren't played again.
        watch: Callback that gets the match, its number of games, and the share so far.
    """

    game: Game
    seats: int | None = None
    options: Mapping[str, Any] = field(default_factory=dict)
    seconds: float = 0.05
    iterations: int | None = None
    seed: int = 1
    workers: int = 0
    engine: str = "local"
    folder: Path | None = None
    watch: Callable[[str, int, float], Any] = lambda match, games, share: None

    def match(self, lower: str, higher: str) -> MatchGames:
        """Return the games of one match, so far the stored ones.

        Args:
            lower: Bot that is compared with.
            higher: Bot whose share counts.

        Raises:
            PlanError: Two bots can't play like this.
            ResultsError: The folder holds other games in this match's file.
        """
        more = {"seed": self.seed, "seconds": self.seconds, "iterations": self.iterations}
        plan = Plan.make(self.game, self.seats, self.options, (lower, higher), **more)
        if plan.seats < 2:
            raise PlanError(f"{plan.seats} seats: bots play against each other with 2 or more")
        return MatchGames(self, plan)


class MatchGames:
    """The games of a match. shares: per game the part of the pairs in which the higher bot came in ahead."""

    def __init__(self, series: MatchSeries, plan: Plan) -> None:
        """Read the games that the folder has. Raises ResultsError."""
        self._series: MatchSeries = series
        self._plan: Plan = plan
        self._file: Path | None = None
        self.shares: list[float] = []
        if series.folder is not None:
            make_folder(series.folder)
            self._file = series.folder / f"{plan.game.id}_{plan.seats}_{'_'.join(plan.bots)}.jsonl"
            ResultsFile(self._file, plan.to_json()).close()
            self.shares = [ahead(row, plan.bots[1]) for row in read(self._file) if row["row"] == "game"]

    def play(self, most: int, goes_on: Callable[[float], bool] = lambda share: True) -> None:
        """Play until there are `most` games, or until `goes_on` says no to the share of a game."""
        if len(self.shares) >= most:
            return
        lower, higher = self._plan.bots
        results = None if self._file is None else ResultsFile(self._file, self._plan.to_json())
        try:
            numbers = range(len(self.shares), min(most, len(self.shares) + _AT_ONCE))
            for batch, _ in run(self._plan, numbers, workers=self._series.workers, engine=self._series.engine):
                more = True
                for *_, game in batch:
                    if results is not None:
                        results.add([game])
                    self.shares.append(ahead(game, higher))
                    more = goes_on(self.shares[-1])
                    if not more:
                        break
                self._series.watch(f"{higher} : {lower}", len(self.shares), sum(self.shares) / len(self.shares))
                if not more:
                    break
        finally:
            if results is not None:
                results.close()
