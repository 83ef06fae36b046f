"""Measures how fast the states of all games clone themselves, and how fast positions fork.

python benchmarks/clones.py                             # microseconds, the best of several runs
PYTHONPATH=../other/src python benchmarks/clones.py     # another checkout, for comparison
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random
from time import process_time

import atoll
from atoll.engine import Game, Position

REPEATS = 9
ROUNDS = 20  # rounds over all positions, in one measurement
EVERY = 7  # decisions between two positions


def moments(game: Game) -> list[Position]:
    """Return positions all over one random game with all seats."""
    rng = Random(1)
    position = game.new(game.seat_counts[-1], seed=1)
    found: list[Position] = []
    count = 0
    while not position.over:
        if count % EVERY == 0:
            found.append(position.fork())
        count += 1
        seat = position.to_move[0]
        position.apply(rng.choice(position.legal_choices(seat)), seat)
    return found


def best(calls: Sequence[Callable[[], object]]) -> float:
    """Return the microseconds of one call, the best mean of several runs."""
    times = []
    for _ in range(REPEATS):
        start = process_time()
        for _ in range(ROUNDS):
            for call in calls:
                call()
        times.append(process_time() - start)
    return min(times) / ROUNDS / len(calls) * 1e6


def main() -> None:
    """Print one line per game."""
    print(f"{'game':<12}{'clone':>8}{'fork':>8}")
    for game in atoll.games.values():
        found = moments(game)
        clones = best([moment.state.clone for moment in found])
        forks = best([moment.fork for moment in found])
        print(f"{game.id:<12}{clones:>8.2f}{forks:>8.2f}")


if __name__ == "__main__":
    main()
