"""The table of Atacama. Nothing on it is secret; which sub-boards lie deeper in the stack is decided when laid."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from mypy_extensions import mypyc_attr

from atoll.engine import SEAT, State, public

from .components import AtacamaComponents
from .kinds import BASE, FIELDS, NEIGHBOURS

START: Final = 0  # phases
LAY_BATCH: Final = 1
TURN: Final = 2

NO_RIG: Final = -1
NOT_LAID: Final = -1
NO_ROLE: Final = -1


@mypyc_attr(serializable=True, allow_interpreted_subclasses=True)
@dataclass(slots=True)
class AtacamaState(State[AtacamaComponents]):
    """The table.

    phase: START, LAY_BATCH or TURN. start_player, active: seats. turn: turns done by all players together;
    turns: how many there are at most, one for each rig.
    sub_boards: per place 0..8 the sub-board there or NOT_LAID. stack: sub-boards not laid yet, sorted.
    batch: how many batches are laid (enhanced). ore, amount: per field, NOT_LAID and 0 where nothing lies.
    rigs: per field the kind of rig or NO_RIG. free: fields where a rig may be placed, ascending.
    base, double: rigs left per seat; paid: rigs paid for a concession, per kind.
    axis, concession: role per seat, NO_ROLE before it is known. last: the field of the last placement, or -1.
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
        """Whether roles are known: always in the basic game, in the enhanced one after the purchase."""
        return self.axis[0] != NO_ROLE

    @property
    def must_buy(self) -> bool:
        """Return whether it is the last turn and nobody has bought a concession. Rule AC-4.2, ruling R12."""
        return not self.sold and self.turn == self.turns - 1

    def rigs_left(self, seat: int, rig: int) -> int:
        """Return the number of rigs of a kind that a seat can still place or pay with."""
        return self.base[seat] if rig == BASE else self.double[seat]

    def rig_near(self, field: int) -> int:
        """Return the first field with a rig edge to edge with a field, or -1."""
        for near in NEIGHBOURS[field]:
            if self.rigs[near] != NO_RIG:
                return near
        return -1
