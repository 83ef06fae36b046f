"""Benchmarks of the rules and the engine on one core, through the public API.

Times are processor times in seconds.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from random import Random
from time import process_time
from typing import Final

from atoll import SeatView
from atoll.bots import game_tuning
from atoll.bots.search import Search
from atoll.engine import Game, Position

_REPEATS: Final = 3
_SEARCHED: Final = 8  # positions of a game


@dataclass(frozen=True, slots=True)
class BenchmarkResult:
    """Rates per second of one game, each the best of a few runs.

    `docs/develop/explanation-performance.md` defines the figures.

    Attributes:
        game: Id of the game.
        seats: Number of seats.
        decisions: Random decisions per second in rollouts.
        games: Random games per second in rollouts.
        recorded: Random decisions per second in positions that keep a record and snapshots.
        forks: Forks of a position per second.
        samples: Determinizations of a seat's view per second.
        views: Views per second.
        searches: Search iterations per second.
    """

    game: str
    seats: int
    decisions: float
    games: float
    recorded: float
    forks: float
    samples: float
    views: float
    searches: float


def measure(game: Game, seconds: float, seats: int | None = None) -> BenchmarkResult:
    """Measure one game with default options.

    Args:
        game: The game.
        seconds: Approximate processor time per figure.
        seats: Number of seats; None for the game's `min_multiplayer_seats`.

    Returns:
        The rates per second.
    """
    number = game.min_multiplayer_seats if seats is None else seats
    moments = _positions_of_game(game, number)
    part = seconds / _REPEATS
    decisions, games = max(_decisions(game, number, part, snapshots=False) for _ in range(_REPEATS))
    return BenchmarkResult(
        game.id,
        number,
        decisions=decisions,
        games=games,
        recorded=_best(lambda: _decisions(game, number, part, snapshots=True)[0]),
        forks=_best(lambda: _rate(part, [moment.fork for moment in moments])),
        samples=_best(lambda: _rate(part, [_sampler(moment) for moment in moments])),
        views=_best(lambda: _rate(part, [_viewer(moment) for moment in moments])),
        searches=_best(lambda: _searches(moments, part)),
    )


def _best(run: Callable[[], float]) -> float:
    """Return the highest result of a few runs."""
    return max(run() for _ in range(_REPEATS))


def _decisions(game: Game, seats: int, seconds: float, *, snapshots: bool) -> tuple[float, float]:
    """Return random decisions and games per second over entire games.

    Setup and chance events are included.
    """
    random = Random(1).random
    count = number = 0
    start = process_time()
    end = start + seconds
    while True:
        number += 1
        position = game.new(seats, seed=number, snapshots=snapshots)
        while position.to_move:
            seat = position.to_move[0]
            legal = position.legal_choices(seat)
            position.apply(legal[int(random() * len(legal))], seat)
            count += 1
        now = process_time()
        if now >= end:
            return count / (now - start), number / (now - start)


def _positions_of_game(game: Game, seats: int) -> list[Position]:
    """Return a fork of every position of one random game."""
    position = game.new(seats, seed=1)
    random = Random(1)
    found = []
    while not position.over:
        found.append(position.fork())
        seat = random.choice(position.to_move)
        position.apply(random.choice(position.legal_choices(seat)), seat)
    return found


def _sampler(moment: Position) -> Callable[[], object]:
    """Return a function that determinizes the view of the seat to move."""
    view = SeatView(moment, moment.to_move[0])
    return lambda: view.sample(1)


def _searches(moments: list[Position], seconds: float) -> float:
    """Return search iterations per second with the game's tuning, at positions of one game."""
    chosen = moments[:: max(1, len(moments) // _SEARCHED)][:_SEARCHED]
    tuning = game_tuning(chosen[0].game)
    count = 0
    start = process_time()
    for number, moment in enumerate(chosen, 1):
        search = Search(SeatView(moment, moment.to_move[0]), tuning, number)
        search.iterate()
        while process_time() < start + seconds * number / len(chosen):
            search.iterate()
        count += search.iterations
    return count / (process_time() - start)


def _viewer(moment: Position) -> Callable[[], object]:
    """Return a function that builds the view of the seat to move."""
    return lambda: moment.view(moment.to_move[0])


def _rate(seconds: float, calls: list[Callable[[], object]]) -> float:
    """Return calls per second when all functions are called in turn."""
    count = 0
    start = process_time()
    end = start + seconds
    while True:
        for call in calls:
            call()
        count += len(calls)
        now = process_time()
        if now >= end:
            return count / (now - start)
