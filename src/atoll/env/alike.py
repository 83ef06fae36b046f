"""States of games in which cards that are printed alike are the same: one outcome of chance, one choice.

Which of them it is makes no difference, so that games on them are the same with fewer ways to the end. Cards are alike
whose ids differ by the number at their end alone: `shore_3`, `shore_7`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

from atoll.engine import only

from .openspiel import SpielState

_NUMBER: Final = re.compile(r"_\d+\b")


class AlikeState(SpielState):
    """One moment of a game for two."""

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """One of each kind of outcomes, with the probability of all of its kind.

        What the second seat alone will know is the last of its kind, so that its number says nothing of what the first
        one has.
        """
        outcomes, chance = self.position.outcomes(), self.position.chance
        assert chance is not None
        first = self.position.game.vocabulary.decisions
        kinds = self._kinds(sorted(outcomes, reverse=chance.audience == only(1)))
        total = sum(outcomes.values())
        return [(alike[0] - first, sum(outcomes[each] for each in alike) / total) for alike in kinds]

    def _legal_actions(self, player: int) -> list[int]:
        return [alike[0] for alike in self._kinds(super()._legal_actions(player))]

    def stands_for(self, choice: int) -> int:
        """The one of its kind that is legal here."""
        kinds = self._kinds(super()._legal_actions(self.current_player()))
        return next(alike[0] for alike in kinds if choice in alike)

    def _kinds(self, choices: Iterable[int]) -> list[list[int]]:
        kinds: dict[str, list[int]] = {}
        for choice in choices:
            kinds.setdefault(_NUMBER.sub("", self.position.game.text(choice)), []).append(choice)
        return list(kinds.values())
