"""Matches of two bots each, played game by game and stored in files."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from atoll.engine import Game

from .plan import PlanError, SimulationPlan
from .play import Row
from .results import ResultsFile, make_folder, read
from .run import run

_AT_ONCE: Final = 4000  # games planned ahead


def pair_share(game: Row, higher: str) -> float:
    """Return the share of seat pairs in which one bot finished ahead of the other.

    Args:
        game: Row of a game between two bots.
        higher: Name of the bot whose share counts.

    Returns:
        The share, 0 to 1; ties count half.
    """
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
        game: The game.
        seats: Number of seats; None for the game's `min_multiplayer_seats`.
        options: Options that differ from their defaults.
        seconds: Time limit of a bot per decision, in seconds of processor time.
        iterations: Iterations per decision of a searching bot; None for the time limit.
        seed: Seed of each match.
        workers: Number of processes; 0 for one per core.
        engine: `local` or `ray`.
        folder: Folder of the results files; None to store nothing. Stored games count and aren't
            played again.
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

        Returns:
            The games of the match.

        Raises:
            PlanError: If two bots can't play with these settings.
            SeatCountError: If the game can't be played with this number of seats.
            OptionError: If an option or its value is invalid.
            UnknownBot: If no bot has one of these names.
            ResultsError: If the match's file contains other games.
        """
        more = {"seed": self.seed, "seconds": self.seconds, "iterations": self.iterations}
        plan = SimulationPlan.make(self.game, self.seats, self.options, (lower, higher), **more)
        if plan.seats < 2:
            raise PlanError(f"{plan.seats} seats: bots play against each other with 2 or more")
        return MatchGames(self, plan)


class MatchGames:
    """The games of a match between two bots.

    Attributes:
        shares: For each game, the share of seat pairs in which the higher bot finished ahead.
    """

    def __init__(self, series: MatchSeries, plan: SimulationPlan) -> None:
        """Read the stored games.

        Args:
            series: Settings of the match.
            plan: Plan of the games, with the lower bot first.

        Raises:
            ResultsError: If the match's file contains other games.
        """
        self._series: MatchSeries = series
        self._plan: SimulationPlan = plan
        self._file: Path | None = None
        self.shares: list[float] = []
        if series.folder is not None:
            make_folder(series.folder)
            self._file = series.folder / f"{plan.game.id}_{plan.seats}_{'_'.join(plan.bots).replace(':', '-')}.jsonl"
            ResultsFile(self._file, plan.to_json()).close()
            self.shares = [pair_share(row, plan.bots[1]) for row in read(self._file) if row["row"] == "game"]

    def play(self, most: int, goes_on: Callable[[float], bool] = lambda share: True) -> None:
        """Play games until there are enough.

        Args:
            most: Number of games to reach, stored ones included.
            goes_on: Function that gets the share of each game and returns whether to continue.

        Raises:
            ResultsError: If another program writes to the file.
            AtollError: If the rules or a bot fail in a game.
        """
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
                    self.shares.append(pair_share(game, higher))
                    more = goes_on(self.shares[-1])
                    if not more:
                        break
                self._series.watch(f"{higher} : {lower}", len(self.shares), sum(self.shares) / len(self.shares))
                if not more:
                    break
        finally:
            if results is not None:
                results.close()
