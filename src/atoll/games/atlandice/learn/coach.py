"""The notes of Atlandice's coach: majorities, districts about to be scored, and the clock."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from atoll.engine import ExplainContext

from ..components import AtlandiceComponents
from ..kinds import DISTRICTS
from ..state import AtlandiceState


def notes(seen: ExplainContext[AtlandiceState, AtlandiceComponents]) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Yield notes about the seat's majorities, and districts with one resource left.

    Args:
        seen: The state and the decision of the seat.

    Yields:
        Key and placeholders of a note.
    """
    live = seen.view["live"]
    for kind, leaders in enumerate(live["leaders"]):
        if leaders == [seen.seat]:
            yield "most", {"resource": kind}
    for area in range(DISTRICTS):
        if live["left"][area] == 1 and seen.s.open_tile[area] >= 0:
            yield "last_one", {"area": area}


def soon(seen: ExplainContext[AtlandiceState, AtlandiceComponents]) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Yield notes about the distance of the clock from the end.

    Args:
        seen: The state and the decision of the seat.

    Yields:
        Key and placeholders of a note.
    """
    live, end = seen.view["live"], len(seen.components.spaces) - 1
    yield "clock", {"n": end - seen.s.clock}
    if any(dice and stop >= end for dice, stop in zip(live["dice"], live["stop"], strict=True)):
        yield "last_round", {}
