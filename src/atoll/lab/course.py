"""The course of games: scores and leads over time, the moment of decision, and comebacks."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from .play import Row
from .proportions import MeanEstimate, Proportion

STEPS: Final = 20
"""Number of equal parts into which each game is divided."""


@dataclass(frozen=True, slots=True)
class Course:
    """Means over all games at `STEPS` + 1 moments from the start to the end.

    Attributes:
        scores: Points so far, mean of the seats.
        expected: Expected final points, mean of the seats.
        leads: Lead in points of the best seat.
        expected_leads: Expected lead of the best seat.
        winner_leads: Expected lead of the seat that wins; negative while it is behind.
        moments: Per game the part of it, in percent, after which the winner always was ahead; None
            if no game has a sole winner.
        deficits: Largest expected deficit that each winner made up for, in points; None likewise.
        comebacks: Games whose winner was behind at half; None likewise.
    """

    scores: list[float]
    expected: list[float]
    leads: list[float]
    expected_leads: list[float]
    winner_leads: list[float]
    moments: MeanEstimate | None
    deficits: MeanEstimate | None
    comebacks: Proportion | None


def course_of(games: Iterable[Row]) -> Course | None:
    """Return the course of games.

    Args:
        games: Rows of the games.

    Returns:
        The course, or None if no row has one.
    """
    rows = [row for row in games if "course" in row]
    if not rows:
        return None
    scores = np.array([_at_equal_steps(row, "scores") for row in rows])
    expected = np.array([_at_equal_steps(row, "expected") for row in rows])
    several = scores.shape[2] > 1
    nothing = [0.0] * (STEPS + 1)
    ahead = [_winner_lead(row["places"].index(1), each) for row, each in _decided(rows, expected)] if several else []
    winners = np.array(ahead)
    return Course(
        scores=_means(scores),
        expected=_means(expected),
        leads=_means(_lead(scores)) if several else nothing,
        expected_leads=_means(_lead(expected)) if several else nothing,
        winner_leads=_means(winners) if ahead else nothing,
        moments=MeanEstimate("moment of decision in %", tuple(map(moment_of_decision, ahead))) if ahead else None,
        deficits=MeanEstimate("largest deficit of the winner", tuple(max(0.0, -float(each.min())) for each in ahead))
        if ahead
        else None,
        comebacks=Proportion("winner behind at half", float((winners[:, STEPS // 2] < 0).sum()), len(ahead), 0.5)
        if ahead
        else None,
    )


def moment_of_decision(leads: Sequence[float] | NDArray[np.float64]) -> float:
    """Return the part of a game, in percent, after which the winner always was ahead.

    Args:
        leads: Expected leads of the winner at equal steps.
    """
    behind = [step for step, lead in enumerate(leads) if lead <= 0]
    return 100 * min(behind[-1] + 1, len(leads) - 1) / (len(leads) - 1) if behind else 0.0


def _at_equal_steps(row: Row, key: str) -> NDArray[np.float64]:
    """Return the values of all seats at equal steps of a game: the last that were noted before."""
    at = np.array(row["course"]["at"])
    wanted = np.linspace(0, at[-1], STEPS + 1)
    found: NDArray[np.float64] = np.array(row["course"][key], dtype=np.float64)[
        np.maximum(0, np.searchsorted(at, wanted, side="right") - 1)
    ]
    return found


def _decided(rows: Sequence[Row], expected: NDArray[np.float64]) -> list[tuple[Row, NDArray[np.float64]]]:
    """Return the games with a sole winner."""
    return [(row, each) for row, each in zip(rows, expected, strict=True) if row["places"].count(1) == 1]


def _lead(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the lead of the best seat over the next one."""
    ordered = np.sort(values, axis=-1)
    found: NDArray[np.float64] = ordered[..., -1] - ordered[..., -2]
    return found


def _winner_lead(winner: int, values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the lead of a seat over the best other one at each step."""
    found: NDArray[np.float64] = values[:, winner] - np.delete(values, winner, axis=1).max(axis=1)
    return found


def _means(values: NDArray[np.float64]) -> list[float]:
    """Return the mean over games, and seats if there are any, at each step."""
    other = tuple(axis for axis in range(values.ndim) if axis != 1)
    return [float(each) for each in values.mean(axis=other)]
