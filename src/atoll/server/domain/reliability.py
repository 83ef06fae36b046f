"""Reliability: how often a person moves in time and plays games to the end."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, Literal

from msgspec import Struct

ReliabilityWord = Literal["new", "reliable", "mostly", "unreliable"]

_TURNS: Final = 100
_NEW_BELOW: Final = 50
_RELIABLE: Final = 95
_MOSTLY: Final = 85
_DEPARTURE: Final = 5
"""A departure counts as so many late turns."""
_NEWCOMERS_GAMES: Final = 2

LEAST_RELIABILITY: Final = (0, _MOSTLY, _RELIABLE)
"""Reliability in percent that a table may require; 0 for none."""


class Reliability(Struct, frozen=True):
    """The reliability of a person.

    Attributes:
        word: "new" (fewer than 50 clocked turns), "reliable" (at least 95 %), "mostly" (at least
            85 %) or "unreliable".
        percent: Percentage of the last 100 clocked turns that were in time; each departure of the
            last 12 months counts as five late turns. None for "new".
    """

    word: ReliabilityWord = "new"
    percent: int | None = None

    def passes(self, least: int, running: int) -> bool:
        """Return whether a person may take a seat at a table.

        Args:
            least: Reliability that the table requires, in percent.
            running: Number of the person's running games.
        """
        if self.percent is None:
            return not least or running <= _NEWCOMERS_GAMES
        return self.percent >= least


def reliability(games: Iterable[tuple[int, int]], departures: int) -> Reliability:
    """Return the reliability of a person.

    Args:
        games: Clocked turns and late turns of the person's games, most recent first.
        departures: Number of departures in the last 12 months.
    """
    turns = late = 0
    for some, missed in games:
        turns, late = turns + some, late + missed
        if turns >= _TURNS:
            break
    if turns < _NEW_BELOW:
        return Reliability()
    counted = turns + _DEPARTURE * departures
    percent = 100 * (turns - late) // counted
    word: ReliabilityWord = "reliable" if percent >= _RELIABLE else "mostly" if percent >= _MOSTLY else "unreliable"
    return Reliability(word, percent)
