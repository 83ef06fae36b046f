"""Matching of people who look for a game: rating ranges that widen while they wait."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Final

_WIDENS: Final = 10
"""Points by which the range of a seeker widens per second, to both sides."""
_TRIED: Final = 12
"""Number of others that are combined at most."""

OFFER_S: Final = 60
"""Seconds after which a seeker is offered a table in the lobby."""

RANGES: Final = (150, 400, 0)
"""Ranges around a seeker's own rating in points; 0 for all ratings."""
ANY: Final = (0, 9999)


@dataclass(frozen=True, slots=True)
class Seeker:
    """Somebody who looks for a game.

    Attributes:
        user_id: The user.
        rating: Rating in points.
        low: Lowest accepted rating at first.
        high: Highest accepted rating at first.
        since: Begin of the search, in milliseconds.
    """

    user_id: str
    rating: int
    low: int
    high: int
    since: int

    def accepts(self, other: Seeker, now: int) -> bool:
        """Return whether the other's rating is within the range, which has widened since."""
        widened = _WIDENS * max(0, now - self.since) // 1000
        return self.low - widened <= other.rating <= self.high + widened


def match(
    mine: Seeker, others: Sequence[Seeker], seats: int, now: int, apart: Callable[[str, str], bool] = lambda a, b: False
) -> list[Seeker] | None:
    """Return a group in which everybody accepts everybody, or None.

    Args:
        mine: A seeker, who is part of the group.
        others: The others who look for the same game, those who wait longest first.
        seats: Size of the group.
        now: The current time in milliseconds.
        apart: Returns whether two users mustn't meet.
    """

    def fits(one: Seeker, other: Seeker) -> bool:
        """Return whether two seekers accept each other."""
        return one.accepts(other, now) and other.accepts(one, now) and not apart(one.user_id, other.user_id)

    near = [each for each in others if fits(mine, each)][:_TRIED]
    for group in combinations(near, seats - 1):
        if all(fits(one, other) for one, other in combinations(group, 2)):
            return [mine, *group]
    return None
