"""The components of Atacama: sub-boards, concessions, rigs and their allotments.

They are built from `components.toml`. No rules live here.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from .kinds import SIDE

ORES: Final = ("gold", "silver", "copper")
MOST_IN_LINE: Final = (SIDE + 1) // 2
"""The greatest number of rigs in a line, which stand at least two fields apart."""
MOST_RIGS: Final = (28, 6)
"""The greatest number of rigs of each kind: the state has room for no more."""
MOST_TURNS: Final = 30
"""The greatest number of turns of all players together; it bounds the length of a game."""


@dataclass(frozen=True, slots=True)
class AtacamaComponents:
    """The components of Atacama.

    Sub-boards are ordered by letter, A to I; concessions and axes as in their domains.

    Attributes:
        ore: Per sub-board, the ores of its 9 fields from the top left, as indices into ORES.
        amount: Per sub-board, the nuggets on its 9 fields from the top left.
        basic_position: Per sub-board, its place 0 to 8 in the basic setup.
        basic_ore: The ores of all 81 fields in the basic setup.
        basic_amount: The nuggets on all 81 fields in the basic setup.
        multiplier: Per concession and ore, 1 or -1.
        factor: Per kind of rig, the factor of its field.
        line_minimum: The number of rigs from which a line counts.
        allotment: Rigs of each kind per player, by (players, tactic).
        roles: By number of players, the (axis, concession) of each place in turn order.
        batches: Per batch, the turns done when it is laid and the places that it fills, in order.
        titles: Per language and domain, the names of the elements.
    """

    ore: tuple[tuple[int, ...], ...]
    amount: tuple[tuple[int, ...], ...]
    basic_position: tuple[int, ...]
    basic_ore: tuple[int, ...]
    basic_amount: tuple[int, ...]
    multiplier: tuple[tuple[int, ...], ...]
    factor: tuple[int, ...]
    line_minimum: int
    allotment: Mapping[tuple[int, bool], tuple[int, int]]
    roles: Mapping[int, tuple[tuple[int, int], ...]]
    batches: tuple[tuple[int, tuple[int, ...]], ...]
    titles: Mapping[str, Mapping[str, tuple[str, ...]]]
