"""The Box of Atacama: sub-boards, concessions, rigs, and who gets what, built from `components.toml`.

No rules live here.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from .kinds import SIDE

ORES: Final = ("gold", "silver", "copper")
MOST_IN_LINE: Final = (SIDE + 1) // 2  # rigs in a line stand at least two apart
MOST_RIGS: Final = (28, 6)
"""Of each kind: the table has room for no more."""
MOST_TURNS: Final = 30
"""Of all players together: the length of a game is bounded by it."""


@dataclass(frozen=True, slots=True)
class AtacamaComponents:
    """The Box of Atacama; sub-boards by letter A to I, concessions and axes in the order of their domains.

    ore, amount: per sub-board its 9 fields from the top left, as index of ORES and number of nuggets.
    basic_position: per sub-board its place 0..8 in the basic setup; basic_ore, basic_amount: the 81 fields of that.
    multiplier: per concession and ore +1 or -1.
    factor: per kind of rig. line_minimum: so many rigs make a line count.
    allotment: (players, tactic) -> rigs of each kind per player. roles: players -> per place in turn order
    (axis, concession). batches: (turns done when it is laid, places to fill in order).
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
