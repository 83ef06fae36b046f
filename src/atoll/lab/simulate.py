"""Simulations: many games between bots, and their results."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from time import perf_counter
from typing import Any

from .plan import PlanError, SimulationPlan
from .play import Row
from .results import ResultsFile, make_folder, read
from .run import run


@dataclass(slots=True)
class Tally:
    """Results of a bot or a seat.

    Attributes:
        games: Number of games.
        wins: Number of wins; shared wins count in part.
        points: Sum of the final scores. If a bot has several seats in a game, their mean counts.
    """

    games: int = 0
    wins: float = 0.0
    points: float = 0.0

    def add(self, wins: float, points: float) -> None:
        """Count one game."""
        self.games += 1
        self.wins += wins
        self.points += points


@dataclass(slots=True)
class Summary:
    """Results of a series of games.

    Attributes:
        games: Number of games.
        beyond: Number of games in the file beyond those requested; they aren't counted.
        by_bot: Results of each bot. A bot with several seats in a game wins it with any of them.
        by_seat: Results of each seat.
        shared: Number of games with several winners.
        decisions: Decisions of each game.
        timed_decisions: Number of decisions in the games that were played now.
        seconds: Time of playing in seconds, added over all workers.
        elapsed: Elapsed time in seconds.
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
    plan: SimulationPlan,
    games: int,
    *,
    workers: int = 0,
    engine: str = "local",
    file: Path | None = None,
    records: Path | None = None,
    watch: Callable[[int, int], Any] = lambda done, games: None,
) -> Summary:
    """Play games 0 to `games - 1` of a plan.

    Games beyond them stay in the file but aren't counted.

    Args:
        plan: The plan.
        games: Number of games, at least 1.
        workers: Number of processes; 0 for one per core.
        engine: `local` or `ray`.
        file: Results file; None to store nothing. Games that are in it already aren't played again.
        records: Folder for the record of each game, if the plan wants records; None for none.
        watch: Callback that gets the number of games done and the number wanted.

    Returns:
        The results.

    Raises:
        PlanError: If `games` is below 1 or the games can't be run.
        ResultsError: If the file contains games of another plan, or the folder can't be created.
        AtollError: If the rules or a bot fail in a game.
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


def _write_record(folder: Path, plan: SimulationPlan, game: Row) -> None:
    """Move the record of a game from its row to a file."""
    text: str = game.pop("record")
    (folder / f"{plan.game.id}_{plan.seed}_{game['number']}.game").write_text(text, "utf-8")


def mean(values: Sequence[float]) -> float:
    """Return the arithmetic mean; 0 for no values."""
    return sum(values) / len(values) if values else 0.0
