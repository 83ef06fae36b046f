"""The network of train_atacama.py as a bot at the table, next to Atoll's own levels.

    ATOLL_POLICY=policy.joblib atoll serve --plugin examples.trained_bot

Any bot comes to the table like this: a module calls `add_level` with a name, a time and a function
that creates the bot. The bot runs in a worker process and gets only what its seat may know. This
one has learned the basic game for two. In other games it plays like the greedy bot.
"""

from __future__ import annotations

import os
from functools import cache
from pathlib import Path

from sklearn.neural_network import MLPRegressor

from atoll.bots import GreedyBot, Level, add_level
from atoll.engine import SeatView
from examples.train_atacama import Trained


@cache
def network(file: str) -> MLPRegressor:
    """The network in a file, loaded once."""
    return Trained.load(Path(file)).network


class TrainedBot:
    """Plays what it has learned, and anything else too."""

    def choose(self, seat_view: SeatView, budget: float, seed: int) -> list[int]:
        """Return the choice of the net, or of the bot for all other games and options."""
        view = seat_view.view
        learned = len(view["state"]["axis"]) == 2 and view["options"]["setup"] == "basic"
        if not learned or view["options"]["tactic"]:
            return GreedyBot().choose(seat_view, budget, seed)
        return Trained(network(os.environ["ATOLL_POLICY"])).choose(seat_view, budget, seed)


add_level("atacama", Level("trained", 1.0, lambda thinking: TrainedBot()))
