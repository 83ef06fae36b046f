"""The bot of the level master: a search with the value net of the game.

If no net fits the table (another number of seats, other options), it searches without one, as the
level below does.
"""

from __future__ import annotations

from atoll.engine import SeatView

from .search import Evaluator
from .search_bot import SearchBot
from .value_net import net_for


class MasterBot(SearchBot):
    """A searching bot that evaluates positions with the game's value net, if one fits."""

    def _evaluator(self, seat_view: SeatView) -> Evaluator | None:
        guess = seat_view.sample(0, snapshots=False)
        return net_for(seat_view.game, guess.seats, guess.options)
