"""Measures the speed of all games' environments: `python benchmarks/environments.py [game...]`.

Random games with the fewest seats above one are played, in processor time. The figures are:

- microseconds per observation, in each form;
- `engine`: decisions per second without observations;
- `env`: steps per second through PettingZoo, each with an observation and a mask;
- `rl`: steps per second through OpenSpiel's `rl_environment`, with information states;
- `batch` and `tokens`: steps per second of a batch of 256 games, whose arrays are used again.

OpenSpiel's own games in Python follow, through `rl_environment` in the same way.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from random import Random
from time import process_time
from typing import Any

import numpy as np
import open_spiel.python.games  # noqa: F401 - registers them
import pyspiel
from numpy.typing import NDArray
from open_spiel.python.rl_environment import Environment

import atoll
import atoll.env.openspiel  # noqa: F401 - registers the games
from atoll.engine import Game
from atoll.env.interface import SpaceCodec
from atoll.env.pettingzoo import env
from atoll.env.vector import VectorGames

SECONDS = 1.0
REPEATS = 3
BATCH = 256
PEERS = ("python_block_dominoes", "python_team_dominoes", "python_liars_poker", "python_tic_tac_toe")


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
        position = game.new(game.min_multiplayer_seats, seed=random.getrandbits(30), snapshots=False)
        count = 0
        while not position.over:
            seat = position.to_move[0]
            position.apply(random.choice(position.legal_choices(seat)), seat)
            count += 1
        return count

    return play


def looking(codec: SpaceCodec) -> Callable[[], int]:
    """Return a function that observes each position of a random game."""
    random = Random(1)
    position = codec.game.new(codec.seats, seed=1)
    moments = []
    while not position.over:
        seat = position.to_move[0]
        moments.append((position.fork(), seat))
        position.apply(random.choice(position.legal_choices(seat)), seat)
    out = np.zeros(codec.shape, codec.dtype)

    def all_of_them() -> int:
        for moment, seat in moments:
            codec.write(moment, seat, out)
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


def through_rl_environment(name: str) -> Callable[[], int]:
    """Return a function that plays a random game through OpenSpiel's agent environment."""
    random = Random(1)
    table = Environment(pyspiel.load_game(name))
    table.seed(1)

    def play() -> int:
        moment = table.reset()
        count = 0
        while not moment.last():
            legal = moment.observations["legal_actions"][moment.observations["current_player"]]
            moment = table.step([random.choice(legal)])
            count += 1
        return count

    return play


def batch(game: Game, form: str = "flat") -> Callable[[], int]:
    """Return a function that makes a step in each game of a batch."""
    random = np.random.default_rng(1)
    table = VectorGames(game, games=BATCH, form=form, copy=False)
    arrays = table.reset()

    def step() -> int:
        nonlocal arrays
        arrays = table.step(random_actions(arrays.masks, random))
        return BATCH

    return step


def random_actions(masks: NDArray[np.int8], random: np.random.Generator) -> NDArray[np.intp]:
    """Return a random legal action of each game."""
    games, actions = masks.view(np.bool_).nonzero()
    amounts = np.bincount(games, minlength=len(masks))
    chosen = (random.random(len(masks)) * amounts).astype(np.intp)
    found: NDArray[np.intp] = actions[np.cumsum(amounts) - amounts + chosen]
    return found


def measure(game: Game) -> dict[str, float]:
    """Return all figures of one game."""
    forms = {form: SpaceCodec(game, game.min_multiplayer_seats, form=form) for form in ("flat", "onehot", "tokens")}
    found = {f"{form} us": 1e6 / rate(looking(codec)) for form, codec in forms.items()}
    return {
        **found,
        "engine /s": rate(engine(game)),
        "env /s": rate(stepping(env(game))),
        "candidates /s": rate(stepping(env(game, actions="candidates"))),
        "rl /s": rate(through_rl_environment(f"atoll_{game.id}")),
        "batch /s": rate(batch(game)),
        "tokens /s": rate(batch(game, "tokens")),
    }


def main() -> None:
    """Print one line per game."""
    names = sys.argv[1:] or list(atoll.games)
    for number, name in enumerate(names):
        found = measure(atoll.games[name])
        if not number:
            print(f"{'game':<22}" + "".join(f"{key:>15}" for key in found))
        print(f"{name:<22}" + "".join(f"{value:>15,.1f}" for value in found.values()), flush=True)
    for name in PEERS:
        print(f"{name:<22}{'rl /s':>15}{rate(through_rl_environment(name)):>15,.1f}", flush=True)


if __name__ == "__main__":
    main()
