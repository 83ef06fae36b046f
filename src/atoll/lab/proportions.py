"""Win rates and means, each with its 95 % interval."""

from __future__ import annotations

from dataclasses import dataclass

from .statistics import bootstrap, wilson


@dataclass(frozen=True, slots=True)
class Proportion:
    """A win rate with its 95 % Wilson interval.

    Attributes:
        name: Name of the seats, bots or moves that are counted.
        wins: Number of wins; shared wins count in part.
        games: Number of games.
        fair: Win rate to expect without any effect, 0 to 1.
    """

    name: str
    wins: float
    games: int
    fair: float

    @property
    def share(self) -> float:
        """Wins per game; 0 without games."""
        return self.wins / self.games if self.games else 0.0

    @property
    def interval(self) -> tuple[float, float]:
        """The 95 % Wilson interval."""
        return wilson(self.wins, self.games)


@dataclass(frozen=True, slots=True)
class MeanEstimate:
    """A mean with its 95 % bootstrap interval over games.

    Attributes:
        name: Name of the figure.
        values: All values, at least one.
    """

    name: str
    values: tuple[float, ...]

    @property
    def mean(self) -> float:
        """The arithmetic mean."""
        return sum(self.values) / len(self.values)

    @property
    def interval(self) -> tuple[float, float]:
        """The 95 % bootstrap interval of the mean."""
        return bootstrap(self.values)
