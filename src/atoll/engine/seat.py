"""What a bot gets to see: one seat's view of a position, and consistent guesses at the rest."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .decisions import Choose
from .position import Position
from .rules import Rules


class SeatView:
    """A seat's knowledge at its own decision. It holds no Position; only `sample` gives some, and these are guesses.

    seat: whose. game: the rules. view: all that the seat may know. decision: what it is asked. legal: its choices.
    """

    __slots__ = ("_sample", "decision", "game", "legal", "seat", "view")

    def __init__(self, position: Position, seat: int) -> None:
        """Raises WrongSeat if the seat isn't asked now."""
        self.seat: int = seat
        self.game: Rules = position.game
        self.decision: Choose = position.decision(seat)
        self.legal: list[int] = position.legal(seat)
        self.view: dict[str, Any] = position.view(seat)
        origin = position.fork()
        self._sample: Callable[[int, bool], Position] = lambda seed, snapshots: _sample(origin, seat, seed, snapshots)

    def sample(self, seed: int, *, snapshots: bool = True) -> Position:
        """A position like this one as far as the seat knows, the rest guessed, with its own source of chance.

        seed: a whole number from 0. snapshots=False: for play-outs, see `Game.new`.
        """
        return self._sample(seed, snapshots)


def _sample(origin: Position, seat: int, seed: int, snapshots: bool) -> Position:
    guess = origin.fork(seed)
    guess.redeal(seat, seed)
    if not snapshots:
        guess._become_playout()
    return guess
