"""The frame of the comparisons with other engines: how is chosen, how many deals are played, what is met in them."""

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
    """A choice for the seat that is asked: a greedy bot's as often as `clever` says, if it is among these, or any."""
    if rng.random() < clever:
        (seat,) = ours.to_move
        wanted = bot(GAME, "greedy").choose(SeatView(ours, seat), 1.0, seed)[0]
        if wanted in among:
            return wanted
    return rng.choice(among)


def many(play: Play, games: int) -> Counter[str]:
    """What happened in so many deals."""
    met: Counter[str] = Counter()
    for seed in range(games):
        met += play(seed)
    return met


def main(play: Play, said: str | None) -> None:
    """Play many deals and print what happened in them. said: the help."""
    parser = argparse.ArgumentParser(description=said, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=1000)
    for name, count in sorted(many(play, parser.parse_args().games).items()):
        print(f"{count:>9,} {name}")
