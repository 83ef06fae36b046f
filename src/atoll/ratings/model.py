"""Rating models: estimates of strengths that are updated by the places of a game."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from openskill.models import (
    BradleyTerryFull,
    BradleyTerryPart,
    PlackettLuce,
    ThurstoneMostellerFull,
    ThurstoneMostellerPart,
)

KINDS: Final[Mapping[str, Any]] = {
    "PlackettLuce": PlackettLuce,
    "BradleyTerryFull": BradleyTerryFull,
    "BradleyTerryPart": BradleyTerryPart,
    "ThurstoneMostellerFull": ThurstoneMostellerFull,
    "ThurstoneMostellerPart": ThurstoneMostellerPart,
}
"""The kinds of models, by name (Weng and Lin 2011)."""


@dataclass(frozen=True, slots=True)
class Rating:
    """An estimate of a player's strength.

    Attributes:
        mu: Expected strength.
        sigma: Standard deviation of the estimate.
    """

    mu: float
    sigma: float

    def moved(self, new: Rating, weight: float) -> Rating:
        """Return the rating after a part of a change.

        Args:
            new: The rating after the whole change.
            weight: The part, 0 to 1.
        """
        mu = self.mu + weight * (new.mu - self.mu)
        return Rating(mu, self.sigma + weight * (new.sigma - self.sigma))


_START: Final = 25.0


class RatingModel:
    """A model with its parameters.

    Attributes:
        name: Name of the model with its parameters, which is stored with every change.
        newcomer: The rating of a player without rated games.

    Args:
        kind: A name of `KINDS`.
        sigma: Uncertainty of a newcomer. The luck of a game is always 25/6, so that a small value
            means games with much luck.
        tau: Uncertainty that each game adds, so that ratings never freeze.

    References:
        Weng, Lin (2011), A Bayesian approximation method for online ranking.
    """

    def __init__(self, kind: str, sigma: float, tau: float) -> None:
        self.name: str = f"{kind} {sigma:g} {tau:g}"
        self.newcomer: Rating = Rating(_START, sigma)
        self._model: Any = KINDS[kind](tau=tau)

    def rate(self, ratings: Sequence[Rating], places: Sequence[int]) -> list[Rating]:
        """Return the ratings after a game.

        Args:
            ratings: Ratings of the players before the game, at least two.
            places: Their places: 1 for the best; equal for ties.
        """
        teams = [[self._model.rating(each.mu, each.sigma)] for each in ratings]
        changed = self._model.rate(teams, ranks=list(map(float, places)))
        return [Rating(player.mu, player.sigma) for (player,) in changed]

    def chance(self, one: Rating, other: Rating) -> float:
        """Return the stated chance that one player finishes ahead of another one, 0 to 1."""
        teams = [[self._model.rating(each.mu, each.sigma)] for each in (one, other)]
        stated: float = self._model.predict_win(teams)[0]
        return stated
