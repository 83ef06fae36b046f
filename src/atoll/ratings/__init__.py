"""Ratings: a model that estimates strengths from places, and the rules of games that count.

It knows no database and no server. The store applies it in the transaction that ends a game, and
the lab calibrates it.
"""

from .model import KINDS, Rating, RatingModel
from .rules import (
    MODEL,
    NEW_BELOW,
    WINDOW_MS,
    SeatEnd,
    ShownRating,
    continues_absence,
    counted_seats,
    is_early,
    mu_distance,
    new_ratings,
    points,
    shown,
    weight,
)

__all__ = [
    "KINDS",
    "MODEL",
    "NEW_BELOW",
    "WINDOW_MS",
    "Rating",
    "RatingModel",
    "SeatEnd",
    "ShownRating",
    "continues_absence",
    "counted_seats",
    "is_early",
    "mu_distance",
    "new_ratings",
    "points",
    "shown",
    "weight",
]
