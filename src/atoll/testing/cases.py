"""Which games, numbers of seats and options the laws are tried on."""

from __future__ import annotations

import importlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import combinations
from random import Random
from typing import Any

from atoll.engine import Game
from atoll.engine.registry import games


@dataclass(frozen=True)
class Case:
    """One game with one number of seats and one set of options; the seed decides what is played on it."""

    game: Game
    seats: int
    chosen: tuple[tuple[str, Any], ...]
    seed: int = 0

    @property
    def options(self) -> dict[str, Any]:
        """The options as `Game.new` takes them."""
        return dict(self.chosen)

    def __str__(self) -> str:
        return "-".join([self.game.id, str(self.seats), *(f"{name}={value}".lower() for name, value in self.chosen)])


def pairwise(sets: list[dict[str, Any]], rng: Random) -> list[dict[str, Any]]:
    """A few of these option sets in which every pair of values occurs that occurs in any of them (greedy)."""

    def pairs(options: Mapping[str, Any]) -> set[tuple[Any, ...]]:
        values = sorted((name, repr(value)) for name, value in options.items())
        return set(combinations(values, 2)) | {(value,) for value in values}

    waiting = [(options, pairs(options)) for options in sets]
    rng.shuffle(waiting)
    missing: set[tuple[Any, ...]] = set().union(*(each for _, each in waiting))
    chosen: list[dict[str, Any]] = []
    while missing or not chosen:
        best, covered = max(waiting, key=lambda each: len(each[1] & missing))
        chosen.append(best)
        missing -= covered
    return chosen


def cases(found: Mapping[str, Game], *, every: bool = False, seed: int = 0) -> Iterator[Case]:
    """For every game and number of seats a pairwise choice of option sets, or every one."""
    for game in found.values():
        for seats in game.seat_counts:
            sets = game.option_sets(seats)
            picked = sets if every else pairwise(sets, Random(seed))
            for number, options in enumerate(picked):
                yield Case(game, seats, tuple(options.items()), seed + number)


def game_at(path: str) -> Game:
    """The game of an id, or that a text like `tests.toy:GAME` names."""
    module, _, name = path.partition(":")
    game: Game = getattr(importlib.import_module(module), name) if name else games[path]
    return game
