"""A bot that takes the greedy choice unless a short search finds a clearly better one.

A short search alone is weaker than the greedy bot in some games: its few iterations spread over
many choices, and chance decides between them.
"""

from __future__ import annotations

from math import sqrt
from typing import Final

from atoll.engine import SeatView

from .evaluation import evaluation
from .greedy import FAR_AHEAD, GreedyBot
from .search import SearchResult
from .search_bot import SearchBot
from .seeds import derive_seed

_DOUBT: Final = 0.3  # about two standard errors of the reward of one iteration


class SecondLookBot(SearchBot):
    """Greedy with a short search.

    The search must have tried the other choice more often than the greedy one, with a reward that
    is higher by more than chance.
    """

    def decided(self, findings: SearchResult, seat_view: SeatView, seed: int) -> int:
        """Return the choice that the bot takes after a search.

        Args:
            findings: Result of the search.
            seat_view: View of the seat.
            seed: Seed of the bot.
        """
        found = findings.decided(seat_view.legal)
        if evaluation(seat_view.game).choice_values is None:
            return found
        (usual,) = GreedyBot().choose(seat_view, 0.0, derive_seed(seed, 0))
        challenger, arm = findings.arms.get(found), findings.arms.get(usual)
        if found == usual or challenger is None or arm is None or not challenger.visits or not arm.visits:
            return usual
        if challenger.value >= FAR_AHEAD and challenger.nearness / challenger.visits > arm.nearness / arm.visits:
            return found
        if challenger.visits <= arm.visits:
            return usual
        doubt = _DOUBT * sqrt(1 / challenger.visits + 1 / arm.visits)
        return found if challenger.value > arm.value + doubt else usual
