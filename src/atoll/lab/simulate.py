"""Many games between bots, and what came out."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from time import perf_counter
from typing import Any

from .plan import Plan, PlanError
from .play import Row
from .results import ResultsFile, make_folder, read
from .run import run


@dataclass(slots=True)
class Tally:
    """How somebody fared. wins: shared ones count in part. points: per game; of several seats of a bot their mean."""

    games: int = 0
    wins: float = 0.0
    points: float = 0.0

    def add(self, wins: float, points: float) -> None:
        """One more game."""
        self.games += 1
        self.wins += wins
        self.points += points


@dataclass(slots=True)
class Summary:
    """What came out of a series of games.

    by_bot: a bot that has several seats in a game wins it with any of them. beyond: games of the file that nobody asked
    for; they aren't counted. seconds: of thinking and playing, added over all workers.
    """

    games: int = 0
    beyond: int = 0
    by_bot: dict[str, Tally] = field(default_factory=lambda: defaultdict(Tally))
    by_seat: dict[int, Tally] = field(default_factory=lambda: defaultdict(Tally))
    shared: int = 0
    decisions: list[int] = field(default_factory=list)
    timed_decisions: int = 0
    seconds: float = 0.0
    elapsed: float = 0.0

    def add(self, game: Row) -> None:
        """Count the row of a game."""
        self.games += 1
        winners = [seat for seat, place in enumerate(game["places"]) if place == 1]
        self.shared += len(winners) > 1
        self.decisions.append(game["decisions"])
        wins = [1 / len(winners) if seat in winners else 0.0 for seat in range(len(game["bots"]))]
        for seat, (win, points) in enumerate(zip(wins, game["scores"], strict=True)):
            self.by_seat[seat].add(win, points)
        for name in dict.fromkeys(game["bots"]):
            own = [seat for seat, other in enumerate(game["bots"]) if other == name]
            self.by_bot[name].add(sum(wins[seat] for seat in own), mean([game["scores"][seat] for seat in own]))


def simulate(
    plan: Plan,
    games: int,
    *,
    workers: int = 0,
    engine: str = "local",
    file: Path | None = None,
    records: Path | None = None,
    watch: Callable[[int, int], Any] = lambda done, games: None,
) -> Summary:
    """Play games 0 to `games - 1` of a plan. With a file, those that are in it already aren't played again.

    What a file holds beyond them stays in it, but isn't counted.

    records: a folder for the record of each game, if the plan keeps them.
    watch: hears how many games are done and wanted. Raises PlanError, ResultsError, and what the rules raise.
    """
    if games < 1:
        raise PlanError(f"{games} games; allowed: 1 or more")
    if records is not None:
        make_folder(records)
    summary = Summary()
    start = perf_counter()
    results = ResultsFile(file, plan.to_json()) if file else None
    try:
        if results is not None and results.games_done:
            assert file is not None
            for row in read(file):
                if row["row"] == "game" and row["number"] < games:
                    summary.add(row)
            summary.beyond = max(0, results.games_done - games)
        watch(summary.games, games)
        for batch, seconds in run(plan, range(summary.games, games), workers=workers, engine=engine):
            summary.seconds += seconds
            for rows in batch:
                if records is not None:
                    _write_record(records, plan, rows[-1])
                if results is not None:
                    results.add(rows)
                summary.add(rows[-1])
                summary.timed_decisions += rows[-1]["decisions"]
            watch(summary.games, games)
    finally:
        if results is not None:
            results.close()
    summary.elapsed = perf_counter() - start
    return summary


def _write_record(folder: Path, plan: Plan, game: Row) -> None:
    text: str = game.pop("record")
    (folder / f"{plan.game.id}_{plan.seed}_{game['number']}.game").write_text(text, "utf-8")


def mean(values: Sequence[float]) -> float:
    """The arithmetic mean; 0 of nothing."""
    return sum(values) / len(values) if values else 0.0
