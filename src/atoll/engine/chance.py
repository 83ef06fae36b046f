"""Sources of chance outcomes.

Rules never see a source. They request a `Roll` or a `Draw`, and the driver asks the source for the
outcome with the next index. The index makes every game reproducible from its seed.
"""

from __future__ import annotations

import operator
from itertools import repeat, starmap
from math import floor, nan
from random import Random
from typing import Final, Protocol, SupportsIndex


class ChanceSource(Protocol):
    """A source of chance outcomes, indexed by chance event."""

    def outcome(self, index: int, size: int) -> int:
        """Return the outcome of one chance event.

        Repeated calls with the same arguments return the same number.

        Args:
            index: Number of the chance event in the game, from 0.
            size: Number of equally likely outcomes; at least 1.

        Returns:
            An int from 0 to `size - 1`.
        """


_AHEAD: Final = 16
"""Number of random numbers drawn at once."""

_BITS: Final = 64
"""Number of random bits that the generator consumes per number."""


def seeded_source(seed: SupportsIndex) -> SeededSource:
    """Return the source of chance of a seed.

    Args:
        seed: Any integer, also of another library such as NumPy.

    Raises:
        ValueError: If `seed` isn't an integer.
    """
    try:
        return SeededSource(operator.index(seed))
    except TypeError:
        raise ValueError(f"invalid seed {seed!r}: expected an integer") from None


def check_determinization_seed(seed: SupportsIndex) -> int:
    """Return the seed of a determinization as an int.

    Saves store this seed, so it must not be negative.

    Args:
        seed: An integer of at least 0, also of another library such as NumPy.

    Raises:
        ValueError: If `seed` is negative, a bool, or not an integer.
    """
    try:
        number = -1 if isinstance(seed, bool) else operator.index(seed)
    except TypeError:
        number = -1
    if number < 0:
        raise ValueError(f"invalid seed {seed!r}: expected an integer of at least 0")
    return number


class SeededSource:
    """A fast source for simulations that reads the numbers of a seeded generator by index.

    Numbers are drawn on demand, because most determinizations of a search end after few chance
    events. It isn't suited for games between people: the server uses a verifiable source instead.

    Args:
        seed: Seed of the generator.

    Attributes:
        seed: Seed of the generator.
    """

    __slots__ = ("_numbers", "_random", "seed")

    def __init__(self, seed: int) -> None:
        self.seed: int = seed
        self._random: Random | None = None
        self._numbers: list[float] = []  # NaN for numbers that were skipped

    def outcome(self, index: int, size: int) -> int:
        """Return the outcome of one chance event: an int from 0 to `size - 1`.

        Args:
            index: Number of the chance event in the game, from 0.
            size: Number of equally likely outcomes; at least 1.
        """
        try:  # `floor` takes half as long as `int`
            return floor(self._numbers[index] * size)
        except (IndexError, ValueError):  # ValueError: the number is NaN
            self._draw(index, _AHEAD)
            return floor(self._numbers[index] * size)

    def first(self, count: int) -> list[float]:
        """Return the numbers of the first `count` chance events, each from 0 to below 1."""
        numbers = self._numbers
        if count and (len(numbers) < count or numbers[0] != numbers[0]):
            self._draw(0, count)
        return numbers[:count]

    def after(self, count: int) -> Random:
        """Return a generator that continues after the numbers of the first `count` chance events.

        The generator belongs to the caller. Later calls of `outcome` aren't affected by it.
        """
        random = self._random
        if random is None or len(self._numbers) != count:
            random = Random(self.seed)
            if count:
                random.getrandbits(_BITS * count)
        else:
            self._random = None  # the caller owns it now; if this source needs one again, it makes a new one
        return random

    def _draw(self, index: int, count: int) -> None:
        """Draw `count` numbers from `index` on, and skip the numbers before it."""
        numbers = self._numbers
        if self._random is None or index < len(numbers):
            self._random = Random(self.seed)
            numbers.clear()
        passed = index - len(numbers)
        if passed:
            self._random.getrandbits(_BITS * passed)
            numbers.extend([nan] * passed)
        numbers.extend(starmap(self._random.random, repeat((), count)))  # takes half the time of a comprehension
