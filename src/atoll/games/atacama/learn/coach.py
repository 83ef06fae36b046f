"""The notes of Atacama's coach: lines of the seat's own direction, and the rigs and fields left."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from atoll.engine import ExplainContext

from ..components import AtacamaComponents
from ..kinds import COLUMNS, SIDE
from ..state import NO_ROLE, NOT_LAID, AtacamaState

_FEW: Final = 6  # free fields from which the coach warns that nobody can place a rig soon


def notes(seen: ExplainContext[AtacamaState, AtacamaComponents]) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Yield notes about lines that can't count any more, and lines that need one more rig to count.

    Args:
        seen: The state and the decision of the seat.

    Yields:
        Key and placeholders of a note.
    """
    s, axis = seen.s, seen.s.axis[seen.seat]
    if axis == NO_ROLE:
        return
    room = [0] * SIDE
    for field in (*s.free, *(field for field, ore in enumerate(s.ore) if ore == NOT_LAID)):
        room[field % SIDE if axis == COLUMNS else field // SIDE] += 1
    name = "column" if axis == COLUMNS else "row"
    for line, rigs in enumerate(seen.view["live"]["rigs"][axis]):
        short = seen.components.line_minimum - rigs
        if short > room[line]:
            yield f"dead_{name}", {"line": line + 1}
        elif short == 1:
            yield f"one_short_{name}", {"line": line + 1}


def soon(seen: ExplainContext[AtacamaState, AtacamaComponents]) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Yield notes about the remaining length of the game.

    Args:
        seen: The state and the decision of the seat.

    Yields:
        Key and placeholders of a note.
    """
    s, seat = seen.s, seen.seat
    left = s.base[seat] + s.double[seat]
    if s.stack:
        yield "lay", {}
    elif len(s.free) <= _FEW:
        yield "few_fields", {"n": len(s.free)}
    if left == 1:
        yield "last_rig", {}
    elif 1 < left <= 3:
        yield "last_rigs", {"n": left}
