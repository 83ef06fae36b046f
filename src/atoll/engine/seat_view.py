"""What a bot gets to see: one seat's view of a position, and consistent guesses at the rest."""

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
    """A seat's knowledge at its own decision. It holds no Position; only `sample` gives some, and these are guesses.

    seat: whose. game: the rules. view: all that the seat may know. decision: what it is asked. legal: its choices.
    """

    __slots__ = ("_sample", "decision", "game", "legal", "seat", "view")

    def __init__(self, position: Position, seat: int) -> None:
        """Raises WrongSeat if the seat isn't asked now."""
        self.seat: int = seat
        self.game: Rules = position.game
        self.decision: Choose = position.decision(seat)
        self.legal: list[int] = position.legal_choices(seat)
        self.view: JsonObject = position.view(seat)
        self._sample: Callable[[SupportsIndex, bool], Position] = _determinizer_at(position.fork(), seat)

    def sample(self, seed: SupportsIndex, *, snapshots: bool = True) -> Position:
        """A position like this one as far as the seat knows, the rest guessed, with its own source of chance.

        seed: a whole number from 0. snapshots=False: for play-outs, see `Game.new`.
        """
        return self._sample(seed, snapshots)


def _determinizer_at(origin: Position, seat: int) -> Callable[[SupportsIndex, bool], Position]:
    """What makes guesses at a moment, as `fork` and `redeal` would; what they have in common is found out once."""
    dealing: Determinizer | None = None

    def sample(seed: SupportsIndex, snapshots: bool) -> Position:
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
