"""Whole random games as lines that two processes can compare: `python -m tests.wheel.games 7`."""

from __future__ import annotations

import builtins
import contextlib
import hashlib
import json
import os
import subprocess
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from random import Random
from typing import Any

import atoll
from atoll.bots.search import Search, SearchParameters
from atoll.engine import Game, Position, SeatView, record

ROOT = Path(__file__).parents[2]
EVERY = 25  # decisions between two looks at what forks and searches do
ITERATIONS = 20


def add(values: Iterable[Any], start: Any = 0) -> Any:
    """The sum, rounded after each step."""
    for value in values:
        start = start + value
    return start


@contextlib.contextmanager
def adding_alike() -> Iterator[None]:
    """Python's `sum` adds floats as compiled code does; since 3.12 it differs from that in the last bit."""
    before = builtins.sum
    builtins.sum = add
    try:
        yield
    finally:
        builtins.sum = before


def whole_game(game: Game, seats: int, options: dict[str, Any], seed: int) -> Iterator[str]:
    """Yield a random game: legal and made choices, states, and finally scores, explanations, record.

    At times a fork is played out, and a search looks at the position.
    """
    rng = Random(seed)
    position = game.new(seats, options, seed=seed)
    decisions = 0
    while not position.over:
        seat = rng.choice(position.to_move)
        legal = position.legal_choices(seat)
        choice = rng.choice(legal)
        yield f"{seat} {legal} {choice} {position.digest()}"
        decisions += 1
        if decisions % EVERY == 0:
            yield f"play-out {played_out(position, seed)} search {searched(position, seat, seed)}"
        position.apply(choice, seat)
    yield f"{position.scores()} {position.ranking()} {position.explain()}"
    yield json.dumps([position.save_data(), position.view(None), position.view(0)])
    yield record.write(position)


def played_out(position: Position, seed: int) -> list[int]:
    """The scores after a random play-out."""
    rng = Random(seed)
    fork = position.fork(seed, snapshots=False)
    while fork.to_move:
        seat = fork.to_move[0]
        fork.apply(rng.choice(fork.legal_choices(seat)), seat)
    return fork.scores()


def searched(position: Position, seat: int, seed: int) -> dict[int, tuple[int, float]]:
    """Return the number of visits and the value of each choice in a short search."""
    search = Search(SeatView(position, seat), SearchParameters(), seed)
    for _ in range(ITERATIONS):
        search.iterate()
    return {choice: (arm.visits, round(arm.value, 9)) for choice, arm in search.result().arms.items()}


def all_games(seed: int) -> Iterator[str]:
    """Yield a line with a hash per game and number of seats, with options by the seed."""
    for id in atoll.games:
        game = atoll.games[id]
        for seats in game.seat_counts:
            options = Random(seed).choice(game.option_sets(seats))
            lines = list(whole_game(game, seats, options, seed))
            told = hashlib.sha256("\n".join(lines).encode()).hexdigest()[:16]
            yield f"{id} {seats} {options} {len(lines)} {told}"


def in_other_process(folder: Path, seed: int) -> list[str]:
    """The lines of `all_games` as the package in another folder plays them; first where that lies."""
    environment = {**os.environ, "PYTHONPATH": str(folder)}
    command = [sys.executable, "-m", __name__, str(seed)]
    ran = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=True)
    return ran.stdout.splitlines()


if __name__ == "__main__":
    from atoll.engine import position as module

    sys.stdout.write(f"{module.__file__}\n")
    with adding_alike():
        for line in all_games(int(sys.argv[1])):
            sys.stdout.write(f"{line}\n")
