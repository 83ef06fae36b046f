"""Where chance comes from. Rules never see a source; the driver asks it for the n-th number of a game."""

from __future__ import annotations

import operator
from itertools import repeat, starmap
from math import floor, nan
from random import Random
from typing import Final, Protocol, SupportsIndex


class ChanceSource(Protocol):
    """Gives the outcome of the n-th chance event of a game, the same however often it is asked."""

    def outcome(self, index: int, size: int) -> int:
        """A number from 0 to `size - 1`, all equally likely, for chance event number `index` (0, 1, ...)."""


_AHEAD: Final = 16
"""So many numbers are drawn at once."""

_BITS: Final = 64
"""So many a generator uses up for a number."""


def seeded_source(seed: SupportsIndex) -> SeededSource:
    """The source of a seed that somebody gives. Raises ValueError for what is no whole number."""
    try:
        return SeededSource(operator.index(seed))
    except TypeError:
        raise ValueError(f"seed {seed!r}: a whole number is needed") from None


def check_determinization_seed(seed: SupportsIndex) -> int:
    """The seed of a guess at what is hidden, which saves can hold. Raises ValueError for what is none."""
    try:
        number = -1 if isinstance(seed, bool) else operator.index(seed)
    except TypeError:
        number = -1
    if number < 0:
        raise ValueError(f"seed {seed!r}: a whole number from 0 is needed")
    return number


class SeededSource:
    """A fast source for simulations: the n-th chance event uses the n-th number of a seeded generator.

    Nothing is drawn before it is asked for, as most guesses of a search end before many numbers are.
    """

    __slots__ = ("_numbers", "_random", "seed")

    def __init__(self, seed: int) -> None:
        self.seed: int = seed
        self._random: Random | None = None
        self._numbers: list[float] = []  # NaN for those that were passed over

    def outcome(self, index: int, size: int) -> int:
        """See ChanceSource."""
        try:  # `floor` takes half as long as `int`
            return floor(self._numbers[index] * size)
        except (IndexError, ValueError):  # ValueError: of NaN
            self._draw(index, _AHEAD)
            return floor(self._numbers[index] * size)

    def first(self, count: int) -> list[float]:
        """The numbers of the first so many events, from 0 to below 1."""
        numbers = self._numbers
        if count and (len(numbers) < count or numbers[0] != numbers[0]):
            self._draw(0, count)
        return numbers[:count]

    def after(self, count: int) -> Random:
        """A generator that goes on after the numbers of the first so many events; this source keeps its own."""
        random = self._random
        if random is None or len(self._numbers) != count:
            random = Random(self.seed)
            if count:
                random.getrandbits(_BITS * count)
        else:
            self._random = None  # it is given away: should this source need one again, it begins anew
        return random

    def _draw(self, index: int, count: int) -> None:
        """Draw so many numbers from that of an event on, and pass over those before it."""
        numbers = self._numbers
        if self._random is None or index < len(numbers):
            self._random = Random(self.seed)
            numbers.clear()
        passed = index - len(numbers)
        if passed:
            self._random.getrandbits(_BITS * passed)
            numbers.extend([nan] * passed)
        numbers.extend(starmap(self._random.random, repeat((), count)))  # half as dear as a comprehension
