"""Games of two bots against each other, played one after the other and kept in a file."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

from .plan import Plan
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


class Series:
    """The games of a plan with two bots. shares: per game the part of the pairs in which the second came in ahead."""

    def __init__(self, plan: Plan, folder: Path | None) -> None:
        """Games that the folder has of this series count and aren't played again. Raises ResultsError."""
        self.plan: Plan = plan
        self.shares: list[float] = []
        self._file: Path | None = None
        if folder is not None:
            make_folder(folder)
            self._file = folder / f"{plan.game.id}_{plan.seats}_{'_'.join(plan.bots)}.jsonl"
            ResultsFile(self._file, plan.to_json()).close()
            self.shares = [ahead(row, plan.bots[1]) for row in read(self._file) if row["row"] == "game"]

    def play(
        self, most: int, workers: int, engine: str, goes_on: Callable[[float], bool], watch: Callable[[int, float], Any]
    ) -> None:
        """Play until there are so many games, or until it needn't go on, which is asked with the share of each game.

        watch: hears how many games there are, and the share so far.
        """
        if len(self.shares) >= most:
            return
        results = None if self._file is None else ResultsFile(self._file, self.plan.to_json())
        try:
            numbers = range(len(self.shares), min(most, len(self.shares) + _AT_ONCE))
            for batch, _ in run(self.plan, numbers, workers=workers, engine=engine):
                more = True
                for *_, game in batch:
                    if results is not None:
                        results.add([game])
                    self.shares.append(ahead(game, self.plan.bots[1]))
                    more = goes_on(self.shares[-1])
                    if not more:
                        break
                watch(len(self.shares), sum(self.shares) / len(self.shares))
                if not more:
                    break
        finally:
            if results is not None:
                results.close()
