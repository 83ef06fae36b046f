"""The groups of a round of an evening: players with similar scores who haven't met yet."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import combinations, permutations
from typing import Final

_MET: Final = Fraction(4)
"""Cost of a repeated meeting, compared with the square of a difference of one point."""
_PASSES: Final = 8


@dataclass(slots=True)
class History:
    """The rounds of an evening so far.

    Attributes:
        points: Points by player.
        met: Number of games together, by pair.
        sat: Number of games by player and seat.
        rested: Players who have had a round without a game.
    """

    points: dict[int, Fraction] = field(default_factory=dict)
    met: Counter[frozenset[int]] = field(default_factory=Counter)
    sat: Counter[tuple[int, int]] = field(default_factory=Counter)
    rested: set[int] = field(default_factory=set)

    def add(self, players: Sequence[int]) -> None:
        """Count a game.

        Args:
            players: The players, in the order of the seats.
        """
        self.met.update(frozenset(pair) for pair in combinations(players, 2))
        self.sat.update((player, seat) for seat, player in enumerate(players))


def table_sizes(players: int, seats: int, possible: Collection[int]) -> list[int]:
    """Return the sizes of the tables of a round; players who fit nowhere rest.

    Args:
        players: Number of players.
        seats: Usual number of seats.
        possible: All numbers of seats that the game allows. A table may have one seat less.
    """
    smaller = seats - 1 in possible and seats > 2
    for playing in range(players, seats - 1 - smaller, -1):
        tables = -(-playing // seats)
        lacking = tables * seats - playing
        if not lacking or (smaller and lacking <= tables):
            return [seats] * (tables - lacking) + [seats - 1] * lacking
    return []


def groups(
    players: Collection[int], seats: int, possible: Collection[int], history: History, lots: Mapping[int, str]
) -> tuple[list[tuple[int, ...]], list[int]]:
    """Return the tables of the next round, in the order of the seats, and the players who rest.

    The cost of a table is the sum over its pairs of the squared difference of points, and of a
    penalty for each game together. Tables are filled greedily from the top. Then players of two
    tables are swapped as long as that lowers the cost.

    Args:
        players: The players.
        seats: Usual number of seats.
        possible: All numbers of seats that the game allows.
        history: The rounds so far.
        lots: Lot per player. It decides between equal players.
    """
    order = sorted(players, key=lambda player: (-history.points.get(player, Fraction(0)), lots[player]))
    sizes = table_sizes(len(order), seats, possible)
    surplus = len(order) - sum(sizes)
    from_the_end = order[::-1]
    resting = sorted(from_the_end, key=lambda player: player in history.rested)[:surplus]
    left = [player for player in order if player not in resting]
    tables: list[list[int]] = []
    for size in sizes:
        table = [left.pop(0)]
        while len(table) < size:
            best = min(left, key=lambda player: (_cost([*table, player], history), lots[player]))
            left.remove(best)
            table.append(best)
        tables.append(table)
    _improve(tables, history)
    return [_seated(table, history, lots) for table in tables], resting


def _cost(table: Sequence[int], history: History) -> Fraction:
    """Return the cost of a table."""
    points = history.points
    return sum(
        (
            (points.get(one, Fraction(0)) - points.get(other, Fraction(0))) ** 2
            + _MET * history.met[frozenset((one, other))]
            for one, other in combinations(table, 2)
        ),
        Fraction(0),
    )


def _improve(tables: list[list[int]], history: History) -> None:
    """Swap players of two tables as long as that lowers the cost."""
    for _ in range(_PASSES):
        improved = False
        for one, other in combinations(tables, 2):
            for i in range(len(one)):
                for j in range(len(other)):
                    before = _cost(one, history) + _cost(other, history)
                    one[i], other[j] = other[j], one[i]
                    if _cost(one, history) + _cost(other, history) < before:
                        improved = True
                    else:
                        one[i], other[j] = other[j], one[i]
        if not improved:
            return


def _seated(table: Sequence[int], history: History, lots: Mapping[int, str]) -> tuple[int, ...]:
    """Return the players in the seats that they have had least often."""
    ordered = sorted(table, key=lots.__getitem__)
    return min(
        permutations(ordered),
        key=lambda seats: sum((history.sat[player, seat] + 1) ** 2 for seat, player in enumerate(seats)),
    )
