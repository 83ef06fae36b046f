"""The bot of the level master: the search, its moments judged by the net that the game's package brings.

At a table that no net fits (another number of seats, unusual options) it searches without one, as the level below does.
"""

from __future__ import annotations

from atoll.engine import SeatView

from .net import net_for
from .search import Judge
from .search_bot import SearchBot


class MasterBot(SearchBot):
    """See the module."""

    def _judge(self, seat_view: SeatView) -> Judge | None:
        guess = seat_view.sample(0, snapshots=False)
        return net_for(seat_view.game, guess.seats, guess.options)
