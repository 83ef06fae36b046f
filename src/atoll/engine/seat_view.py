"""The interface of bots: a seat's view at its decision, and determinizations."""

from __future__ import annotations

from collections.abc import Callable
from typing import SupportsIndex

from mypy_extensions import mypyc_attr

from .chance import SeededSource, check_determinization_seed
from .decisions import Choose
from .determinization import Determinizer
from .json_types import JsonObject
from .position import Position
from .rules import Rules


@mypyc_attr(allow_interpreted_subclasses=True)
class SeatView:
    """A seat's knowledge at one of its decisions.

    It doesn't contain a `Position`; `sample` returns determinizations.

    Args:
        position: The position.
        seat: The seat, which must be asked now.

    Attributes:
        seat: The seat.
        game: The rules.
        view: Everything that the seat may know; see `Position.view`.
        decision: The open decision.
        legal: The legal choices, ascending.

    Raises:
        WrongSeat: If the seat doesn't exist or isn't asked.
    """

    __slots__ = ("_sample", "decision", "game", "legal", "seat", "view")

    def __init__(self, position: Position, seat: int) -> None:
        self.seat: int = seat
        self.game: Rules = position.game
        self.decision: Choose = position.decision(seat)
        self.legal: list[int] = position.legal_choices(seat)
        self.view: JsonObject = position.view(seat)
        self._sample: Callable[[SupportsIndex, bool], Position] = _determinizer_at(position.fork(), seat)

    def sample(self, seed: SupportsIndex, *, snapshots: bool = True) -> Position:
        """Return a determinization: a position with the same view and its own chance.

        Args:
            seed: Seed of the guess and of its chance events, an integer of at least 0.
            snapshots: False for a rollout; see `Game.new`.

        Raises:
            ValueError: If `seed` is invalid.
        """
        return self._sample(seed, snapshots)


def _determinizer_at(origin: Position, seat: int) -> Callable[[SupportsIndex, bool], Position]:
    """Return a function that makes determinizations of a position from shared preparations."""
    dealing: Determinizer | None = None

    def sample(seed: SupportsIndex, snapshots: bool) -> Position:
        """Return the determinization of a seed."""
        nonlocal dealing
        number = check_determinization_seed(seed)
        known = dealing
        if known is None:
            known = dealing = Determinizer(origin.game, origin.state, seat)
        source = SeededSource(number)
        return origin.sample_determinization(
            seat, number, source, lambda state: known.deal(state, source), snapshots=snapshots
        )

    return sample
