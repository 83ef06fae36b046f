"""Signs of abuse in games that count.

A flag is a fact for moderators, never a verdict: nothing follows from it automatically.
`scripts/flag_rates.py` measures how often the thresholds flag honest people, and find cheats.
"""

from __future__ import annotations

import itertools
import math
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from atoll.ratings import MODEL, Rating
from atoll.store import RatedGame, RatedSeat

_FEWEST_GAMES: Final = 8
"""Number of games from which on results are compared with the ratings."""
_SURPRISE: Final = 3.0
"""Standard deviations by which results differ from what the ratings explain."""
_GAP: Final = 0.3
"""Least difference in points per game: in many games, small errors of the ratings add up."""
_SWING_GAMES: Final = 10
_SWING_SURPRISE: Final = 2.25
_VISIT_MS: Final = 5 * 60_000
"""Longest pause between two answers of one visit."""
_CHANGE_MS: Final = 30_000
_FEWEST_VISITS: Final = 10
THROWN: Final = 3
"""Number of resignations in won positions from which on they are a flag."""
WON: Final = 0.8
"""Expected share from which on a position is won."""


@dataclass(frozen=True, slots=True)
class Flag:
    """A sign of abuse.

    Attributes:
        kind: "one_sided", "swing", "thrown", "alternating" or "division".
        users: The user it is about, and the other one if there is one.
        facts: Values of its message.
        tables: Ids of the tables concerned.
        competition: Id of the competition concerned, or "".
    """

    kind: str
    users: tuple[str, ...]
    facts: dict[str, Any]
    tables: tuple[str, ...] = ()
    competition: str = ""


@dataclass(slots=True)
class _Tally:
    """Results against expectations.

    Attributes:
        points: Points that were made; a tie counts half.
        expected: Points that the ratings explain.
        variance: Variance of the points that the ratings explain.
        tables: Ids of the tables.
    """

    points: float = 0.0
    expected: float = 0.0
    variance: float = 0.0
    tables: list[str] = field(default_factory=list)

    def add(self, points: float, chance: float) -> None:
        """Add a comparison of two players."""
        self.points += points
        self.expected += chance
        self.variance += chance * (1 - chance)

    def surprise(self) -> float:
        """Return the difference in standard deviations."""
        return (self.points - self.expected) / math.sqrt(self.variance) if self.variance > 0 else 0.0


def _compared(one: RatedSeat, other: RatedSeat) -> tuple[float, float] | None:
    """Return the points of a seat against another one, and the expected ones.

    A player who resigned is behind. Games that ended by time or a vote aren't compared.
    """
    if {one.departure, other.departure} - {"", "resigned"}:
        return None
    ranks = [(seat.departure != "", 0 if seat.departure else seat.place) for seat in (one, other)]
    points = 0.5 if ranks[0] == ranks[1] else float(ranks[0] < ranks[1])
    return points, MODEL.chance(Rating(one.mu, one.sigma), Rating(other.mu, other.sigma))


def one_sided(games: Sequence[RatedGame]) -> list[Flag]:
    """Return the pairs of whom one finishes behind more often than the ratings explain.

    The first user of each flag is the one who finishes behind.

    Args:
        games: Rated games.
    """
    pairs: dict[tuple[str, str, str], _Tally] = defaultdict(_Tally)
    for game in games:
        for one in game.seats:
            for other in game.seats:
                found = _compared(one, other) if one.user_id < other.user_id else None
                if found is not None:
                    tally = pairs[game.game, one.user_id, other.user_id]
                    tally.add(*found)
                    tally.tables.append(game.id)
    flags = []
    for (name, one_id, other_id), tally in pairs.items():
        ahead, count = tally.surprise(), len(tally.tables)
        gap = abs(tally.points - tally.expected) / count
        if count < _FEWEST_GAMES or abs(ahead) < _SURPRISE or gap < _GAP:
            continue
        won, expected = (tally.points, tally.expected) if ahead > 0 else (count - tally.points, count - tally.expected)
        users = (other_id, one_id) if ahead > 0 else (one_id, other_id)
        facts = {"game": name, "n": count, "points": _half(won), "expected": round(expected, 1)}
        flags.append(Flag("one_sided", users, facts, tuple(tally.tables)))
    return flags


def swings(games: Sequence[RatedGame]) -> list[Flag]:
    """Return the accounts that first lose and then win more often than their ratings explain.

    The comparisons of one game aren't independent: in games of equals, two of them have the
    correlation 1/3.

    Args:
        games: Rated games, oldest first.
    """
    single: dict[tuple[str, str], list[_Tally]] = defaultdict(list)
    for game in games:
        for one in game.seats:
            tally = _Tally(tables=[game.id])
            for other in game.seats:
                found = None if other is one else _compared(one, other)
                if found is not None:
                    tally.add(*found)
            if tally.variance:
                tally.variance *= 1 + (len(game.seats) - 2) / 3
                single[one.user_id, game.game].append(tally)
    flags = []
    for (user_id, name), played in single.items():
        for middle in range(_SWING_GAMES, len(played) - _SWING_GAMES + 1):
            before = _sum(played[middle - _SWING_GAMES : middle])
            after = _sum(played[middle : middle + _SWING_GAMES])
            if before.surprise() <= -_SWING_SURPRISE and after.surprise() >= _SWING_SURPRISE:
                facts = {
                    "game": name,
                    "n": _SWING_GAMES,
                    "before": _half(before.points),
                    "before_expected": round(before.expected, 1),
                    "after": _half(after.points),
                    "after_expected": round(after.expected, 1),
                }
                flags.append(Flag("swing", (user_id,), facts, (*before.tables, *after.tables)))
                break
    return flags


def _sum(tallies: Sequence[_Tally]) -> _Tally:
    return _Tally(
        sum(each.points for each in tallies),
        sum(each.expected for each in tallies),
        sum(each.variance for each in tallies),
        [table for each in tallies for table in each.tables],
    )


def _half(points: float) -> float:
    """Return points rounded to halves, which is exact; without the noise of sums."""
    return round(2 * points) / 2


def joint_visits(answers: Sequence[tuple[int, str]]) -> tuple[int, int]:
    """Return the number of visits in which one user answers soon after the other, and of all.

    People of one household visit at different times most days. One person with two accounts uses
    both in each visit.

    Args:
        answers: Times of answers of two users with the user, in order.
    """
    visits: list[list[tuple[int, str]]] = []
    for at, user in answers:
        if visits and at - visits[-1][-1][0] <= _VISIT_MS:
            visits[-1].append((at, user))
        else:
            visits.append([(at, user)])
    return sum(map(_has_change, visits)), len(visits)


def _has_change(visit: Sequence[tuple[int, str]]) -> bool:
    return any(one != other and at - before <= _CHANGE_MS for (before, one), (at, other) in itertools.pairwise(visit))


def is_alternating(joint: int, visits: int) -> bool:
    """Return whether two accounts answer one after the other conspicuously often.

    Args:
        joint: Number of visits in which one answers soon after the other.
        visits: Number of all visits.
    """
    return joint >= _FEWEST_VISITS and 3 * joint >= visits
