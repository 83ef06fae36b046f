"""The cases on which the laws are tested: games, numbers of seats and options."""

from __future__ import annotations

import importlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import combinations
from random import Random
from typing import Any, Final

from atoll.engine import Game
from atoll.engine.registry import games

_SEATS: Final = ""  # no option has this id
"""Key of the number of seats, which is selected like an option."""


@dataclass(frozen=True)
class Case:
    """A game with a number of seats and a set of options.

    Attributes:
        game: The game.
        seats: Number of seats.
        chosen: The options as (id, value).
        seed: Seed of everything random in the tests of the case.
    """

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
    """Return a small selection of option sets with every pair of values that occurs in any of them.

    Args:
        sets: The option sets.
        rng: Source that breaks ties.

    Returns:
        The selection, found greedily.
    """

    def pairs(options: Mapping[str, Any]) -> set[tuple[Any, ...]]:
        """Return the pairs of values in an option set, and the single values."""
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
    """Yield the cases of games.

    Args:
        found: The games by id.
        every: Whether to use all option sets for each number of seats, instead of a pairwise
            selection.
        seed: Seed of the selection and of the cases.

    Yields:
        The cases by number of seats. Every value of an option occurs with every number of seats
        and every value of another option that it is allowed with.
    """
    for game in found.values():
        sets = [{_SEATS: seats, **options} for seats in game.seat_counts for options in game.option_sets(seats)]
        picked = sets if every else sorted(pairwise(sets, Random(seed)), key=lambda each: int(each[_SEATS]))
        for number, options in enumerate(picked):
            seats = options.pop(_SEATS)
            yield Case(game, seats, tuple(options.items()), seed + number)


def game_at(path: str) -> Game:
    """Return the game with an id, or at a location like `tests.toy:GAME`.

    Args:
        path: The id or location.

    Raises:
        UnknownGame: If no game has this id.
        ImportError: If the module can't be imported.
        AttributeError: If the module doesn't have the name.
    """
    module, _, name = path.partition(":")
    game: Game = getattr(importlib.import_module(module), name) if name else games[path]
    return game
