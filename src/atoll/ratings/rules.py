"""The rules of games that count: weights, the consequences of leaving, and the numbers shown."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from .model import Rating, RatingModel

MODEL: Final = RatingModel("BradleyTerryPart", 2.8, 0.08)
"""The model in use. `atoll ratings calibrate` measures it against the others."""

_DAY_MS: Final = 86_400_000
WINDOW_MS: Final = 30 * _DAY_MS
"""Milliseconds in which rated games of the same group are counted."""
_WEIGHTS: Final = (1.0, 1.0, 0.5, 0.25, 0.125)
_LONGEST_ABSENCE_MS: Final = 14 * _DAY_MS
_EARLY_PART: Final = 3
"""A player who leaves in the first of so many parts of a game leaves early."""

NEW_BELOW: Final = 5
"""Number of rated games below which a player counts as new."""
_BASE: Final = 1500
_SCALE: Final = 40


def weight(earlier: int) -> float:
    """Return the weight of a game of a group; 0 if it doesn't count any more.

    Args:
        earlier: Number of rated games of the same group within `WINDOW_MS` before.
    """
    return _WEIGHTS[earlier] if earlier < len(_WEIGHTS) else 0.0


# -- leaving ---------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class SeatEnd:
    """The end of a rated game for one seat.

    Attributes:
        place: Place of the seat. For a player who left, the stand-in's, which never counts.
        left: Whether the player left and a stand-in played to the end.
        early: Whether the player left in the first third of the game.
        continued: Whether the departure belongs to an absence that has cost rating before.
    """

    place: int
    left: bool = False
    early: bool = False
    continued: bool = False


def is_early(choices: int, length: float) -> bool:
    """Return whether a departure is in the first third of a game.

    Args:
        choices: Number of choices before the departure.
        length: Median number of choices of such games.
    """
    return _EARLY_PART * choices < length


def counted_seats(ends: Sequence[SeatEnd]) -> list[bool]:
    """Return for each seat whether its rating changes.

    Args:
        ends: The ends of all seats.
    """
    spoiled = any(each.left and each.early for each in ends)
    return [not each.continued if each.left else not spoiled for each in ends]


def new_ratings(
    ratings: Sequence[Rating | None], ends: Sequence[SeatEnd], counts: Sequence[bool], part: float
) -> list[Rating | None]:
    """Return the ratings after a game; None where a rating doesn't change.

    Players who left are last, behind all who stayed. Players who stayed are rated among themselves;
    one who stayed alone is rated against those who left.

    Args:
        ratings: Ratings before the game; None for a deleted account.
        ends: The ends of all seats.
        counts: Whether each seat's rating changes; see `counted_seats`.
        part: Weight of the game.
    """
    known = [seat for seat, rating in enumerate(ratings) if rating is not None]
    stayed = [seat for seat in known if not ends[seat].left]
    among = stayed if len(stayed) > 1 else known
    last = 1 + max(each.place for each in ends)
    found: list[Rating | None] = [None] * len(ends)
    for seats, rated in ((among, stayed), (known, [seat for seat in known if ends[seat].left])):
        if len(seats) < 2 or not rated:
            continue
        before = [ratings[seat] or MODEL.newcomer for seat in seats]
        after = MODEL.rate(before, [last if ends[seat].left else ends[seat].place for seat in seats])
        for seat, old, new in zip(seats, before, after, strict=True):
            if seat in rated and counts[seat]:
                found[seat] = old.moved(new, part)
    return found


def continues_absence(timeouts: Sequence[int], answers: Sequence[int]) -> bool:
    """Return whether the last timeout belongs to an absence that an earlier one has begun.

    An absence lasts from a timeout to the player's next answer at any table, at most 14 days.

    Args:
        timeouts: Times of a player's timeouts at rated tables in milliseconds, ascending.
        answers: Times of the player's answers in milliseconds.
    """
    begun: int | None = None
    continued = False
    for at in timeouts:
        open_ = begun is not None and at - begun <= _LONGEST_ABSENCE_MS
        continued = open_ and not any(begun is not None and begun < each < at for each in answers)
        if not continued:
            begun = at
    return continued


# -- numbers that people see -----------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class ShownRating:
    """A rating as people see it.

    Attributes:
        points: The rating, rounded to tens.
        plus_minus: Its uncertainty, rounded to tens.
        new: Whether the player has too few rated games for a number.
    """

    points: int
    plus_minus: int
    new: bool


def points(mu: float) -> float:
    """Return the points of an expected strength, without rounding."""
    return _BASE + _SCALE * (mu - MODEL.newcomer.mu)


def mu_distance(distance: float) -> float:
    """Return a distance of ratings in points as a difference of expected strengths."""
    return distance / _SCALE


def shown(rating: Rating, games: int) -> ShownRating:
    """Return a rating as people see it.

    Args:
        rating: The rating.
        games: Number of rated games.
    """
    return ShownRating(_tens(points(rating.mu)), _tens(_SCALE * rating.sigma), games < NEW_BELOW)


def _tens(value: float) -> int:
    return 10 * round(value / 10)
