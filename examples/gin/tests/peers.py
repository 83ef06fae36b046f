"""Common frame of the comparisons with other engines: choices, number of deals, counts."""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Callable, Sequence
from random import Random

from atoll.bots import bot
from atoll.engine import Position, SeatView
from atoll_gin import GAME

Play = Callable[[int], Counter[str]]
"""Plays the deal of a number on both sides; gives what happened in it, counted. Raises AssertionError."""


def pick(ours: Position, seed: int, rng: Random, clever: float, among: Sequence[int]) -> int:
    """Return a choice for the seat that is asked.

    Args:
        ours: The position here.
        seed: Seed of the greedy bot.
        rng: Source of random numbers.
        clever: Probability with which the greedy bot chooses.
        among: The allowed choices. If the greedy bot's isn't one of them, the choice is random.
    """
    if rng.random() < clever:
        (seat,) = ours.to_move
        wanted = bot(GAME, "greedy").choose(SeatView(ours, seat), 1.0, seed)[0]
        if wanted in among:
            return wanted
    return rng.choice(among)


def many(play: Play, games: int) -> Counter[str]:
    """Play this number of deals and return the counts of all that happened in them."""
    met: Counter[str] = Counter()
    for seed in range(games):
        met += play(seed)
    return met


def main(play: Play, said: str | None) -> None:
    """Play many deals and print the counts of all that happened in them.

    Args:
        play: Plays the deal of a seed.
        said: The help text of the command.
    """
    parser = argparse.ArgumentParser(description=said, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=1000)
    for name, count in sorted(many(play, parser.parse_args().games).items()):
        print(f"{count:>9,} {name}")
