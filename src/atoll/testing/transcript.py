"""Random games as lines of hashes, to compare them between processes."""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
from random import Random

from atoll.engine import Game

from .cases import game_at
from .play import full_knowledge, step


def transcript(game: Game, seed: int) -> list[str]:
    """Return a hash of everything known after each answer of a random game.

    Args:
        game: The game.
        seed: Seed of options, seats, chance and answers.
    """
    rng = Random(seed)
    seats = rng.choice(game.seat_counts)
    position = game.new(seats, rng.choice(game.option_sets(seats)), seed=seed)
    lines = []
    while True:
        known = {"save": position.save_data(), "events": [event.to_json() for event in position.take_events()]}
        if position.over:
            known = full_knowledge(position)
        lines.append(hashlib.sha256(json.dumps(known).encode()).hexdigest()[:12])
        if position.over:
            return lines
        step(position, rng)


def in_other_process(paths: list[str], seed: int, hash_seed: int) -> list[str]:
    """Return the transcripts of games from a process with another hash seed.

    Args:
        paths: Ids of the games, or locations like `module:name`.
        seed: Seed of the games.
        hash_seed: Hash seed of the process.

    Raises:
        CalledProcessError: If the process fails.
    """
    ran = subprocess.run(  # noqa: S603 - this module
        [sys.executable, "-m", __name__, str(seed), *paths],
        env={**os.environ, "PYTHONHASHSEED": str(hash_seed)},
        capture_output=True,
        text=True,
        check=True,
    )
    return ran.stdout.splitlines()


if __name__ == "__main__":
    for path in sys.argv[2:]:
        for number, line in enumerate(transcript(game_at(path), int(sys.argv[1]))):
            sys.stdout.write(f"{path} {number} {line}\n")
