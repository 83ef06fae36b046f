"""States in which equally printed cards are interchangeable: one chance outcome, one choice.

The copy that is drawn or played makes no difference, so the game has fewer histories with the same
values. Cards are equal if their ids differ only by the number at their end: `shore_3`, `shore_7`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

from atoll.engine import audience_of_seats

from .openspiel import SpielState

_NUMBER: Final = re.compile(r"_\d+\b")


class EquivalenceState(SpielState):
    """A state of a two-player game in which equal cards are interchangeable."""

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Return one outcome of each class of equal outcomes, with the probability of the class.

        If only the second seat will see the outcome, it is the last of its class. Then its number
        tells nothing about the cards of the first seat.
        """
        outcomes, chance = self.position.outcomes(), self.position.pending_chance
        assert chance is not None
        first = self.position.game.vocabulary.decisions
        kinds = self._kinds(sorted(outcomes, reverse=chance.audience == audience_of_seats(1)))
        total = sum(outcomes.values())
        return [(alike[0] - first, sum(outcomes[each] for each in alike) / total) for alike in kinds]

    def _legal_actions(self, player: int) -> list[int]:
        return [alike[0] for alike in self._kinds(super()._legal_actions(player))]

    def representative(self, choice: int) -> int:
        """Return the legal choice that is equal to a choice."""
        kinds = self._kinds(super()._legal_actions(self.current_player()))
        return next(alike[0] for alike in kinds if choice in alike)

    def _kinds(self, choices: Iterable[int]) -> list[list[int]]:
        """Return the choices as classes of equal ones."""
        kinds: dict[str, list[int]] = {}
        for choice in choices:
            kinds.setdefault(_NUMBER.sub("", self.position.game.text(choice)), []).append(choice)
        return list(kinds.values())
