"""Measures the speed of all games' environments: `python benchmarks/environments.py [game...]`.

Random games with the fewest seats are played, in processor time. The figures are microseconds per
observation, and steps per second with an observation and a mask each, through PettingZoo and in a
batch. `engine` has decisions per second without observations.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from random import Random
from time import process_time
from typing import Any

import numpy as np

import atoll
from atoll.engine import Game
from atoll.env.interface import SpaceCodec
from atoll.env.pettingzoo import env
from atoll.env.vector import VectorGames

SECONDS = 1.0
REPEATS = 3
BATCH = 64


def rate(step: Callable[[], int]) -> float:
    """Return runs per second, the best of several measurements.

    Args:
        step: Function that runs something and returns how many times.
    """
    found = 0.0
    for _ in range(REPEATS):
        count, start = 0, process_time()
        while (spent := process_time() - start) < SECONDS:
            count += step()
        found = max(found, count / spent)
    return found


def engine(game: Game) -> Callable[[], int]:
    """Return a function that plays a random game."""
    random = Random(1)

    def play() -> int:
        position = game.new(seed=random.getrandbits(30), snapshots=False)
        count = 0
        while not position.over:
            seat = position.to_move[0]
            position.apply(random.choice(position.legal_choices(seat)), seat)
            count += 1
        return count

    return play


def looking(game: Game, look: Callable[[Any, int], Any]) -> Callable[[], int]:
    """Return a function that observes each position of a random game."""
    random = Random(1)
    position = game.new(seed=1)
    moments = []
    while not position.over:
        seat = position.to_move[0]
        moments.append((position.fork(), seat))
        position.apply(random.choice(position.legal_choices(seat)), seat)

    def all_of_them() -> int:
        for moment, seat in moments:
            look(moment, seat)
        return len(moments)

    return all_of_them


def stepping(table: Any) -> Callable[[], int]:
    """Return a function that plays a random game through PettingZoo."""
    random = Random(1)

    def play() -> int:
        table.reset(seed=random.getrandbits(30))
        count = 0
        for _ in table.agent_iter():
            observation, _, termination, truncation, _ = table.last()
            if termination or truncation:
                table.step(None)
                continue
            mask = observation["action_mask"]
            table.step(random.choice(mask.nonzero()[0].tolist()))
            count += 1
        return count

    return play


def batch(game: Game) -> Callable[[], int]:
    """Return a function that makes a step in each game of a batch."""
    random = Random(1)
    table = VectorGames(game.id, games=BATCH)
    arrays = table.reset()

    def step() -> int:
        nonlocal arrays
        arrays = table.step([random.choice(mask.nonzero()[0].tolist()) for mask in arrays.masks])
        return BATCH

    return step


def measure(game: Game) -> dict[str, float]:
    """Return all figures of one game."""
    seats = game.seat_counts[0]
    flat, onehot = (SpaceCodec(game, seats, form=form) for form in ("flat", "onehot"))
    ints, floats = np.zeros(flat.size, np.int32), np.zeros(onehot.size, np.float32)
    candidates = {"actions": "candidates"}
    return {
        "flat us": 1e6 / rate(looking(game, lambda moment, seat: flat.write(moment, seat, ints))),
        "onehot us": 1e6 / rate(looking(game, lambda moment, seat: onehot.write(moment, seat, floats))),
        "engine /s": rate(engine(game)),
        "env /s": rate(stepping(env(game))),
        "candidates /s": rate(stepping(env(game, **candidates))),
        "batch /s": rate(batch(game)),
    }


def main() -> None:
    """Print one line per game."""
    names = sys.argv[1:] or list(atoll.games)
    for number, name in enumerate(names):
        found = measure(atoll.games[name])
        if not number:
            print(f"{'game':<11}" + "".join(f"{key:>15}" for key in found))
        print(f"{name:<11}" + "".join(f"{value:>15,.1f}" for value in found.values()), flush=True)


if __name__ == "__main__":
    main()
