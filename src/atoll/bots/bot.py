"""What every bot is, and the simplest one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from atoll.engine import SeatView

from .seeds import mix


class Bot(Protocol):
    """Decides for a seat from what the seat may know. It never holds a position of the real game."""

    def choose(self, seat_view: SeatView, budget: float, seed: int) -> list[int]:
        """The next choices of the seat, at least one, made within `budget` seconds.

        The same view and seed give the same choices, as long as the bot isn't cut off by the clock.
        """


class RandomBot:
    """Takes any legal choice, all equally likely."""

    def choose(self, seat_view: SeatView, budget: float, seed: int) -> list[int]:
        """See Bot."""
        return [self.pick(seat_view.legal, seed)]

    def pick(self, legal: Sequence[int], seed: int) -> int:
        """The choice among these. Simulations call this, because building a view costs more than a random move."""
        return legal[mix(seed) % len(legal)]
