"""The state of Atacama.

Nothing in it is secret. The order of the sub-boards in the stack is decided when they are laid.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from mypy_extensions import mypyc_attr

from atoll.engine import SEAT, State, public

from .components import AtacamaComponents
from .kinds import BASE, FIELDS, NEIGHBORS

# The phases.
START: Final = 0
LAY_BATCH: Final = 1
TURN: Final = 2

NO_RIG: Final = -1
NOT_LAID: Final = -1
NO_ROLE: Final = -1


@mypyc_attr(serializable=True, allow_interpreted_subclasses=True)
@dataclass(slots=True)
class AtacamaState(State[AtacamaComponents]):
    """The state of Atacama.

    Attributes:
        seats: The number of seats.
        over: Whether the game is over.
        phase: START, LAY_BATCH or TURN.
        start_player: The seat that begins.
        active: The seat whose turn it is.
        turn: Turns done by all players together.
        turns: The greatest number of turns: one for each rig.
        sub_boards: Per place 0 to 8, its sub-board, or NOT_LAID.
        stack: Sub-boards not laid yet, ascending.
        batch: The number of batches laid in the enhanced game.
        ore: Per field, its ore, or NOT_LAID.
        amount: Per field, its nuggets; 0 if not laid.
        rigs: Per field, the kind of its rig, or NO_RIG.
        free: Fields on which a rig may be placed, ascending.
        base: Base rigs left per seat.
        double: Double rigs left per seat.
        paid: Rigs paid for a concession, by kind.
        axis: Axis per seat, NO_ROLE before it is known.
        concession: Concession per seat, NO_ROLE before it is known.
        last: The field of the last placement, or -1.
    """

    seats: int = public(lo=2, hi=4)
    over: bool = public()
    phase: int = public(hi=2)
    start_player: int = public(hi=3, holds=SEAT)
    active: int = public(hi=3, holds=SEAT)
    turn: int = public(hi=FIELDS)
    turns: int = public(hi=FIELDS)
    sub_boards: list[int] = public(lo=NOT_LAID, hi=8, size=9, fixed=True)
    stack: list[int] = public(hi=8, size=9)
    batch: int = public(hi=3)
    ore: list[int] = public(lo=NOT_LAID, hi=2, size=FIELDS, fixed=True)
    amount: list[int] = public(hi=5, size=FIELDS, fixed=True)
    rigs: list[int] = public(lo=NO_RIG, hi=1, size=FIELDS, fixed=True)
    free: list[int] = public(hi=FIELDS - 1, size=FIELDS)
    base: list[int] = public(hi=28, size=4, by=SEAT)
    double: list[int] = public(hi=6, size=4, by=SEAT)
    paid: list[int] = public(hi=1, size=2, fixed=True)
    axis: list[int] = public(lo=NO_ROLE, hi=1, size=4, by=SEAT)
    concession: list[int] = public(lo=NO_ROLE, hi=1, size=4, by=SEAT)
    last: int = public(lo=-1, hi=FIELDS - 1)

    @property
    def sold(self) -> bool:
        """True once roles are known: from the start in the basic game, else after the purchase."""
        return self.axis[0] != NO_ROLE

    @property
    def must_buy(self) -> bool:
        """True in the last turn if nobody has bought a concession. Rule AC-4.2, ruling R12."""
        return not self.sold and self.turn == self.turns - 1

    def rigs_left(self, seat: int, rig: int) -> int:
        """Return the number of rigs of a kind that a seat can still place or pay with."""
        return self.base[seat] if rig == BASE else self.double[seat]

    def rig_near(self, field: int) -> int:
        """Return the first field with a rig that shares an edge with a field, or -1."""
        for near in NEIGHBORS[field]:
            if self.rigs[near] != NO_RIG:
                return near
        return -1
