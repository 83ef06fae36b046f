"""Where chance comes from. Rules never see a source; the driver asks it for the n-th number of a game."""

from __future__ import annotations

from random import Random
from typing import Final, Protocol


class ChanceSource(Protocol):
    """Gives the outcome of the n-th chance event of a game, the same however often it is asked."""

    def pick(self, index: int, size: int) -> int:
        """A number from 0 to `size - 1`, all equally likely, for chance event number `index` (0, 1, ...)."""


_AHEAD: Final = 16
"""So many numbers are drawn at once."""


class SeededSource:
    """A fast source for simulations: the n-th chance event uses the n-th number of a seeded generator."""

    __slots__ = ("_numbers", "_random", "seed")

    def __init__(self, seed: int) -> None:
        self.seed: int = seed
        self._random: Random = Random(seed)
        self._numbers: list[float] = []

    def pick(self, index: int, size: int) -> int:
        """See ChanceSource."""
        numbers = self._numbers
        if index >= len(numbers):
            draw = self._random.random
            numbers.extend([draw() for _ in range(len(numbers), index + _AHEAD)])
        return int(numbers[index] * size)
