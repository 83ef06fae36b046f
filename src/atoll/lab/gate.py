"""Gates: plays each level against the one below, and stores which levels are offered.

Both levels play with fixed iterations that stand for the seconds that they have at a table. A match
ends when its 95 % interval lies on one side of 50 %, or after 200 games. No other command uses its
seeds, so its games have chosen nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from statistics import fmean
from time import perf_counter, process_time
from typing import Final

import msgspec

from atoll.bots import GreedyBot, Level, SearchBot, derive_seed
from atoll.bots.bundled_nets import has_net
from atoll.bots.gates import MOST_GAMES, Agreement, GateMatch, Gates
from atoll.bots.levels import LEVELS, SearchSettings, offered_levels
from atoll.engine import Game, SeatView

from .plan import PlanError
from .series import MatchSeries
from .statistics import MeanTest, confidence_sequence

_SEEDS: Final = 0x6761746573  # the seeds differ from those of all other commands
_SAMPLE: Final = 0  # the game whose decisions are measured
_COMPARED: Final = 1  # the game whose decisions are compared
_RATE_S: Final = 0.4  # time of a search that measures the rate
_RATE_DECISIONS: Final = 4  # searches that measure the rate
_USUAL_GAMES: Final = 60  # games of a match whose higher level is ahead in two of three pairs
_RISK: Final = 0.05


@dataclass(frozen=True, slots=True)
class GatePlan:
    """A match to play.

    Attributes:
        seats: Number of seats.
        lower: The lower level.
        higher: The higher level.
        iterations: Level -> iterations per decision, for the levels that search.
        seconds: Level -> seconds per decision that its iterations stand for.
        game_s: Processor time of a game in seconds, an estimate.
    """

    seats: int
    lower: Level
    higher: Level
    iterations: dict[str, int]
    seconds: dict[str, float]
    game_s: float

    @property
    def usual_hours(self) -> float:
        """The processor hours of 60 games, enough for levels that differ clearly."""
        return _USUAL_GAMES * self.game_s / 3600

    @property
    def most_hours(self) -> float:
        """The processor hours of all 200 games."""
        return MOST_GAMES * self.game_s / 3600

    def bot_name(self, level: Level) -> str:
        """Return the name of a level's bot with its iterations."""
        count = self.iterations.get(level.name)
        return level.name if count is None else f"{level.name}:iterations={count}"


@dataclass(slots=True)
class Gate:
    """The gate of a game.

    Attributes:
        game: The game.
        gates: The results so far.
        part: Part of the table's seconds that the iterations stand for.
        seed: Number of the seed; another one gives other games.
    """

    game: Game
    gates: Gates
    part: float = 1.0
    seed: int = 1

    def __post_init__(self) -> None:
        """Check the part.

        Raises:
            PlanError: If it is out of range.
        """
        if not 0 < self.part <= 1:
            raise PlanError(f"invalid part {self.part}: expected more than 0, at most 1")

    def seat_counts(self) -> tuple[int, ...]:
        """Return the fewest and the most seats at which bots play against each other."""
        counts = [count for count in self.game.seat_counts if count > 1]
        return tuple(dict.fromkeys((counts[0], counts[-1]))) if counts else ()

    def plans(self, seats: Sequence[int], wanted: Sequence[str] = ()) -> Iterator[GatePlan]:
        """Yield the matches that aren't decided yet, the lowest levels first.

        A level meets the strongest offered one below it. The plans are made one by one, because a
        result may change what comes next.

        Args:
            seats: Numbers of seats.
            wanted: Names of the higher levels; all if empty.

        Yields:
            The matches.

        Raises:
            PlanError: If a name isn't that of a level with one below it, or bots can't play against
                each other with a number of seats.
            SeatCountError: If the game can't be played with a number of seats.
        """
        names = [level.name for level in LEVELS[1:]]
        for name in wanted:
            if name not in names:
                raise PlanError(f"invalid level {name[:40]!r}; allowed: {', '.join(names)}")
        for count in seats:
            self.game.new(count)
            if count < 2:
                raise PlanError(f"{count} seats: bots play against each other with 2 or more")
        for place, higher in enumerate(LEVELS[1:], 1):
            for count in seats:
                trained = has_net(self.game, count)
                if (wanted and higher.name not in wanted) or (higher.trained and not trained):
                    continue
                offered = offered_levels(self.gates, count, trained=trained)
                lower = next(level for level in reversed(LEVELS[:place]) if level in offered)
                if not self._is_decided(lower, higher, count):
                    yield self._plan(count, lower, higher)

    def _is_decided(self, lower: Level, higher: Level, seats: int) -> bool:
        """Return whether the match of two levels with exactly these seats has a result."""
        match = self.gates.match(lower.name, higher.name, seats)
        return match is not None and match.seats == seats

    def _plan(self, seats: int, lower: Level, higher: Level) -> GatePlan:
        """Return the plan of a match."""
        iterations, seconds, costs = {}, {}, []
        views, decisions = _decisions(self.game, seats, _SAMPLE, _RATE_DECISIONS)
        for level in (lower, higher):
            bot = level.make(SearchSettings(clock=process_time))
            seconds[level.name] = round(level.seconds * self.part, 6)
            if isinstance(bot, SearchBot):
                rate = self._rate(level, bot, seats, views)
                iterations[level.name] = max(1, round(rate * seconds[level.name]))
                costs.append(seconds[level.name] * bot.share)
            else:
                start = process_time()
                for view in views:
                    bot.choose(view, level.seconds, 1)
                costs.append((process_time() - start) / len(views))
        return GatePlan(seats, lower, higher, iterations, seconds, decisions * fmean(costs))

    def _rate(self, level: Level, bot: SearchBot, seats: int, views: Sequence[SeatView]) -> float:
        """Return the iterations per second of a level; it is measured once and stored."""
        known = self.gates.rates.setdefault(str(seats), {})
        if level.name not in known:
            start = process_time()
            done = sum(bot.explore(view, _RATE_S / bot.share, 1).iterations for view in views)
            known[level.name] = float(f"{done / (process_time() - start):.2g}")
        return known[level.name]

    def play(
        self,
        plan: GatePlan,
        folder: Path,
        *,
        minutes: float = 60.0,
        workers: int = 0,
        engine: str = "local",
        watch: Callable[[str, int, float], object] = lambda match, games, share: None,
    ) -> GateMatch | None:
        """Play a match until it is decided or the time is over, and store its result.

        Args:
            plan: The match.
            folder: Folder of the games. Stored games count and aren't played again.
            minutes: Time limit.
            workers: Number of processes; 0 for one per core.
            engine: `local` or `ray`.
            watch: Callback that gets the match, its number of games, and the share so far.

        Returns:
            The result so far; None without games.

        Raises:
            PlanError: If the engine is unknown.
            ResultsError: If a file of the folder contains other games.
        """
        series = MatchSeries(
            self.game,
            plan.seats,
            seconds=3600.0,
            seed=derive_seed(_SEEDS, self.seed),
            workers=workers,
            engine=engine,
            folder=folder,
            watch=watch,
        )
        games = series.match(plan.bot_name(plan.lower), plan.bot_name(plan.higher))
        test = MeanTest(0.5, _RISK / 2)
        for number, share in enumerate(games.shares):
            if test.add(share):
                del games.shares[number + 1 :]
                break
        end = perf_counter() + 60 * minutes
        if not test.verdict and perf_counter() < end:
            games.play(MOST_GAMES, lambda share: not test.add(share) and perf_counter() < end)
        shares = games.shares[:MOST_GAMES]
        if not shares:
            return None
        low, high = confidence_sequence(shares, risk=_RISK)
        found = GateMatch(
            plan.seats,
            plan.lower.name,
            plan.higher.name,
            len(shares),
            round(fmean(shares), 4),
            low,
            high,
            self.seed,
            plan.seconds,
            plan.iterations,
            version("atoll"),
            datetime.now(UTC).date().isoformat(),
        )
        same = (found.seats, found.lower, found.higher)
        others = [each for each in self.gates.matches if (each.seats, each.lower, each.higher) != same]
        order = {level.name: place for place, level in enumerate(LEVELS)}
        self.gates.matches = sorted([*others, found], key=lambda each: (order.get(each.higher, 0), each.seats))
        return found

    def searches(self, level: Level) -> bool:
        """Return whether the bot of a level searches."""
        return isinstance(level.make(SearchSettings()), SearchBot)

    def compare(self, level: Level, seats: int, decisions: int) -> Agreement:
        """Compare the choices of fixed iterations with those of a level in the table's seconds.

        Args:
            level: A level that searches.
            seats: Number of seats.
            decisions: Number of decisions.

        Returns:
            The comparison, which is stored.

        Raises:
            PlanError: If the level doesn't search.
        """
        patient = level.make(SearchSettings(clock=process_time))
        if not isinstance(patient, SearchBot):
            raise PlanError(f"{level.name} doesn't search")
        views, _ = _decisions(self.game, seats, _COMPARED, decisions)
        rate = self._rate(level, patient, seats, _decisions(self.game, seats, _SAMPLE, _RATE_DECISIONS)[0])
        iterations = max(1, round(rate * level.seconds * self.part))
        quick = level.make(SearchSettings(iterations))
        assert isinstance(quick, SearchBot)
        same = again = 0
        for number, view in enumerate(views):
            choices = [
                bot.decided(bot.explore(view, level.seconds, 3 * number + place), view, number)
                for place, bot in enumerate((patient, quick, patient))
            ]
            same += choices[1] == choices[0]
            again += choices[2] == choices[0]
        found = Agreement(level.name, seats, iterations, level.seconds, len(views), same, again)
        others = [e for e in self.gates.agreements if (e.level, e.seats) != (level.name, seats)]
        self.gates.agreements = [*others, found]
        return found


def write_gates(gates: Gates, file: Path) -> None:
    """Write the results.

    Args:
        gates: The results.
        file: The file.

    Raises:
        PlanError: If the file can't be written.
    """
    try:
        file.write_bytes(msgspec.json.format(msgspec.json.encode(gates), indent=1) + b"\n")
    except OSError as error:
        raise PlanError(f"{file}: can't be written ({error.strerror}); name another one by --out") from None


def _decisions(game: Game, seats: int, number: int, count: int) -> tuple[list[SeatView], int]:
    """Return views of decisions that are spread over a game of greedy bots.

    Args:
        game: The game.
        seats: Number of seats.
        number: Number of the game.
        count: Number of decisions.

    Returns:
        The views, and the number of decisions of the game with more than one choice.
    """
    seed = derive_seed(_SEEDS, 0, number)
    position = game.new(seats, seed=seed)
    bot, views = GreedyBot(), []
    while not position.over:
        seat = position.to_move[0]
        view = SeatView(position.fork(), seat)
        if len(view.legal) > 1:
            views.append(view)
        for choice in bot.choose(view, 1.0, derive_seed(seed, position.sequence)):
            position.apply(choice, seat)
    step = max(1, len(views) // count)
    return views[step // 2 :: step][:count], len(views)
