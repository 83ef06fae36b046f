"""The interface of all bots, and the random bot."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from atoll.engine import SeatView

from .seeds import derive_seed


class Bot(Protocol):
    """Decides for a seat from the seat's view, and never gets a position of the real game."""

    def choose(self, seat_view: SeatView, budget: float, seed: int) -> list[int]:
        """Return the next choices of a seat, at least one.

        The same view and seed give the same choices, unless the time limit stops the bot.

        Args:
            seat_view: View of the seat.
            budget: Time limit in seconds.
            seed: Seed of the bot.
        """


class RandomBot:
    """Takes any legal choice with equal probability."""

    def choose(self, seat_view: SeatView, budget: float, seed: int) -> list[int]:
        """Return one random choice.

        Args:
            seat_view: View of the seat.
            budget: Not used.
            seed: Seed of the bot.
        """
        return [self.pick(seat_view.legal, seed)]

    def pick(self, legal: Sequence[int], seed: int) -> int:
        """Return one of the legal choices.

        Simulations call this directly, because a view costs more time than a random move.
        """
        return legal[derive_seed(seed) % len(legal)]
