"""The draw of a competition: chance from a published seed, tiers, divisions and movement.

The hash of the seed is published when sign-up opens, and the seed with the draw. Together with the
published entries anybody can repeat the draw.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import cycle
from typing import Final

from .divisions import division_sizes, tiers

_UP: Final = 2
_DOWN: Final = 2
"""Players of a division that move up or down."""


def seed_hash(seed: str) -> str:
    """Return the hash by which a seed is committed; both are in hex."""
    return hashlib.sha256(bytes.fromhex(seed)).hexdigest()


def lot(seed: str, competition: str, name: str) -> str:
    """Return the lot of an entry: HMAC-SHA-256 of the competition's id, a line feed, and the name.

    Args:
        seed: The seed in hex, which is the key.
        competition: Id of the competition.
        name: Name of the entry.

    Returns:
        The lot in hex. Smaller lots come first.
    """
    return hmac.new(bytes.fromhex(seed), f"{competition}\n{name}".encode(), hashlib.sha256).hexdigest()


@dataclass(frozen=True, slots=True)
class Entrant:
    """An entry as the draw sees it.

    Attributes:
        name: Name of the entry.
        entered: Time of the sign-up.
        lot: Its lot.
        ladder: Position on the ladder of the previous season, from 1; None for newcomers.
        rating: Rating, or None without one.
    """

    name: str
    entered: int
    lot: str
    ladder: int | None = None
    rating: int | None = None


@dataclass(frozen=True, slots=True)
class Place:
    """A place that the draw gave.

    Attributes:
        tier: The tier, from 1.
        division: The division, counted over all tiers from 1.
        number: Number within the division, from 0. A vacancy has the highest number.
    """

    tier: int
    division: int
    number: int


def draw(entrants: Sequence[Entrant], size: int) -> dict[str, Place]:
    """Return the places by name. Entrants without a place stay on the waiting list.

    Players of the previous season come in the order of the ladder, and newcomers in the order of
    their sign-up; half of the lowest tier is reserved for newcomers. The tiers are filled from the
    top, and the divisions of a tier by a serpentine in the order of the ratings. The lots decide
    between equal ratings, and give the numbers in a division.

    Args:
        entrants: The entries.
        size: Number of places of a division.
    """
    by_tier = tiers(division_sizes(len(entrants), size))
    places = sum(map(sum, by_tier))
    if not places:
        return {}
    known = sorted((each for each in entrants if each.ladder is not None), key=lambda each: (each.ladder, each.lot))
    new = sorted((each for each in entrants if each.ladder is None), key=lambda each: (each.entered, each.lot))
    reserved = min(len(new), sum(by_tier[-1]) // 2)
    staying = known[: places - reserved]
    coming = sorted(new[: places - len(staying)], key=_by_rating)
    order = [*staying, *coming]
    found: dict[str, Place] = {}
    first = 1
    for tier, sizes in enumerate(by_tier, 1):
        players, order = order[: sum(sizes)], order[sum(sizes) :]
        for division, members in enumerate(serpentine(sorted(players, key=_by_rating), sizes), first):
            for number, each in enumerate(sorted(members, key=lambda each: each.lot)):
                found[each.name] = Place(tier, division, number)
        first += len(sizes)
    return found


def _by_rating(entrant: Entrant) -> tuple[bool, int, str]:
    """Return the order of the ratings, best first; entrants without a rating come last."""
    return entrant.rating is None, -(entrant.rating or 0), entrant.lot


def serpentine(players: Sequence[Entrant], sizes: Sequence[int]) -> list[list[Entrant]]:
    """Return the players of each division, dealt forth and back.

    Args:
        players: The players in order.
        sizes: Sizes of the divisions, whose sum is the number of players.
    """
    found: list[list[Entrant]] = [[] for _ in sizes]
    forth = range(len(sizes))
    turns = cycle((*forth, *reversed(forth)))
    for player in players:
        found[next(each for each in turns if len(found[each]) < sizes[each])].append(player)
    return found


# -- movement between seasons ----------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Finish:
    """The result of a player in a season.

    Attributes:
        tier: The tier.
        rank: Rank in the division.
        size: Number of players of the division.
        points: Points per game.
        lot: The lot of the entry.
    """

    tier: int
    rank: int
    size: int
    points: Fraction
    lot: str

    def next_tier(self, lowest: int) -> int:
        """Return the tier to which the player would move: two go up and two go down.

        Args:
            lowest: The lowest tier of the season.
        """
        if self.rank <= _UP and self.tier > 1:
            return self.tier - 1
        return min(self.tier + 1, lowest) if self.rank > self.size - _DOWN else self.tier


def ladder(finishes: Mapping[str, Finish]) -> list[str]:
    """Return the players of a season in the order in which the next season's tiers are filled.

    For each tier, those who stay or come down are before those who move up. A place for which
    nobody moved up is therefore taken by rank, never by lot.

    Args:
        finishes: The results by player, without those who dropped out.
    """
    lowest = max((each.tier for each in finishes.values()), default=1)

    def order(player: str) -> tuple[int, bool, int, int, Fraction, str]:
        """Return the position of a player."""
        each = finishes[player]
        target = each.next_tier(lowest)
        return target, target < each.tier, each.tier, each.rank, -each.points, each.lot

    return sorted(finishes, key=order)


# -- bars ------------------------------------------------------------------------------------------

BAR_DAYS: Final = 63
"""Days for which the first dropout bars from competitions."""
RELIEF_DAYS: Final = 3
"""Days by which each game that was finished since shortens the bar."""


def bar_days(dropouts: int, finished: int) -> int:
    """Return the days after a dropout for which a player can't enter.

    Args:
        dropouts: Number of dropouts in the last year.
        finished: Number of games that the player finished since the last one.
    """
    return max(0, BAR_DAYS * dropouts - RELIEF_DAYS * finished)
