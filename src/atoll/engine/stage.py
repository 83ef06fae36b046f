"""A seat's open turn: choices made but not yet confirmed, seen only by that seat."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from .errors import AtollError, NothingToUndo, WrongSeat

if TYPE_CHECKING:
    from .position import Position


class Stage:
    """A fork without a source of chance, on which one seat tries its turn.

    It stops by itself where chance, a reveal or another seat follows: then nothing more can be chosen, and the choices
    are confirmed by applying them to the real position: `position.apply(stage.choices, seat)`.
    choices: what was chosen so far. position: the moment after them (`legal`, `view` and so on as the seat sees it).
    """

    __slots__ = ("_origin", "choices", "position", "seat")

    def __init__(self, origin: Position, seat: int, choices: Sequence[int] = ()) -> None:
        """Start a turn, with choices already made. Raises what `Position.apply` raises."""
        origin._check_seat(seat)
        if seat not in origin.to_move:
            raise WrongSeat(f"seat {seat} isn't asked now; {origin._whose_move()}")
        self._origin: Position = origin
        self.seat: int = seat
        self.choices: list[int] = []
        self.position: Position = self._fresh()
        for choice in choices:
            self.apply(choice)

    def _fresh(self) -> Position:
        """A copy of the origin on which a sealed decision never opens, even if this seat is the last to answer."""
        fork = self._origin.fork()
        fork._hold = True
        return fork

    @property
    def open(self) -> bool:
        """Whether the seat can go on choosing; if not, there is only to confirm or to undo."""
        return self.seat in self.position.to_move and self.position.sealed == self._origin.sealed

    def apply(self, choice: int | Sequence[int]) -> None:
        """Choose on the stage. Raises WrongSeat where the turn has ended, IllegalChoice, MalformedChoice."""
        if not self.open:
            raise WrongSeat("the turn is complete; confirm it or take something back")
        before = len(self.choices)
        try:
            for each in [choice] if isinstance(choice, int) else choice:
                if not self.open:
                    raise WrongSeat("the turn is complete before the last of these choices")
                self.position.apply(each, self.seat)
                self.choices.append(each)
        except AtollError:
            self._return_to(before)
            raise

    def undo(self) -> None:
        """Take the last choice back. Raises NothingToUndo."""
        if not self.choices:
            raise NothingToUndo("nothing was chosen in this turn yet")
        self._return_to(len(self.choices) - 1)

    def restart(self) -> None:
        """Take the whole turn back."""
        self._return_to(0)

    def _return_to(self, count: int) -> None:
        kept = self.choices[:count]
        self.choices = []
        self.position = self._fresh()
        for choice in kept:
            self.position.apply(choice, self.seat)
            self.choices.append(choice)

    def view(self) -> dict[str, Any]:
        """What the seat sees with its staged choices carried out."""
        return self.position.view(self.seat)

    def legal(self) -> list[int]:
        """What the seat can choose next; [] when the turn is complete."""
        return self.position.legal(self.seat)
