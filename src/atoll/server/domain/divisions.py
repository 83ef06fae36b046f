"""Divisions: groups of players whose games are arranged by difference sets.

In the games of a division every player sits equally often in every seat and meets every other
player equally often.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import permutations
from typing import Final

GameSeats = tuple[int, ...]
"""The numbers of the players of one game, in the order of its seats."""


@dataclass(frozen=True, slots=True)
class Division:
    """The arrangement of a division's games.

    Game `i` of a base seats player `(b + i) mod size` for each `b` of the base, in the order
    written.

    Attributes:
        name: Name within the number of seats, such as "7", or "7x2" for twice as many games.
        seats: Seats of a game.
        size: Number of players.
        bases: The difference sets, each with its seats in order.
    """

    name: str
    seats: int
    size: int
    bases: tuple[tuple[int, ...], ...]

    @property
    def games_each(self) -> int:
        """The number of games of each player."""
        return self.seats * len(self.bases)

    @property
    def meetings(self) -> int:
        """The number of games in which two players meet."""
        return self.games_each * (self.seats - 1) // (self.size - 1)

    def is_valid(self) -> bool:
        """Return whether each difference other than 0 occurs equally often."""
        differences = Counter((one - other) % self.size for base in self.bases for one, other in permutations(base, 2))
        expected, rest = divmod(self.games_each * (self.seats - 1), self.size - 1)
        return not rest and [differences[each] for each in range(self.size)] == [0, *[expected] * (self.size - 1)]

    def games(self, vacancy: int | None = None, *, smaller: bool = False) -> list[GameSeats]:
        """Return all games of the division.

        Args:
            vacancy: Number of the place that nobody has, or None.
            smaller: Whether a game with the vacancy is played with one seat less; otherwise it
                isn't played.
        """
        full = [tuple((b + i) % self.size for b in base) for base in self.bases for i in range(self.size)]
        if smaller and self.seats > 2:
            return [tuple(player for player in game if player != vacancy) for game in full]
        return [game for game in full if vacancy not in game]


def _pairs(size: int) -> tuple[tuple[int, ...], ...]:
    """Return the bases of all ordered pairs."""
    return tuple((0, difference) for difference in range(1, size))


DIVISIONS: Final = (
    *(Division(str(size), 2, size, _pairs(size)) for size in (6, 7, 8)),
    Division("7", 3, 7, ((0, 1, 3),)),
    Division("7x2", 3, 7, ((0, 1, 3), (0, 6, 4))),
    Division("7", 4, 7, ((0, 3, 5, 6),)),
    Division("13", 4, 13, ((0, 1, 3, 9),)),
    Division("11", 5, 11, ((1, 3, 4, 5, 9),)),
    Division("21", 5, 21, ((3, 6, 7, 12, 14),)),
    Division("11", 6, 11, ((0, 2, 6, 7, 8, 10),)),
)
"""All divisions, by number of seats and size."""


def divisions_for(seats: int) -> tuple[Division, ...]:
    """Return the divisions of games with this number of seats."""
    return tuple(each for each in DIVISIONS if each.seats == seats)


def find_division(seats: int, name: str) -> Division:
    """Return a division.

    Args:
        seats: Seats of a game.
        name: Name of the division.

    Raises:
        ValueError: If the name isn't the name of a division for these seats.
    """
    possible = divisions_for(seats)
    for each in possible:
        if each.name == name:
            return each
    allowed = ", ".join(each.name for each in possible) or "none with this number of seats"
    raise ValueError(f"no division {name[:20]!r} for {seats} seats: allowed: {allowed}")


# -- the number of divisions -----------------------------------------------------------------------


def division_sizes(entrants: int, size: int) -> list[int]:
    """Return the number of players of each division, the divisions with a vacancy last.

    Entrants who would leave a division with more than one vacancy aren't counted.

    Args:
        entrants: Number of entrants.
        size: Number of places of a division.
    """
    players = min(entrants, entrants // (size - 1) * size)
    count = -(-players // size)
    vacancies = count * size - players
    return [size] * (count - vacancies) + [size - 1] * vacancies


def tiers(divisions: Sequence[int]) -> list[list[int]]:
    """Return the sizes of the divisions by tier; each tier has twice as many as the one above.

    Args:
        divisions: Sizes of the divisions, of the highest tier first.
    """
    found: list[list[int]] = []
    first, width = 0, 1
    while first < len(divisions):
        found.append(list(divisions[first : first + width]))
        first, width = first + width, 2 * width
    return found
