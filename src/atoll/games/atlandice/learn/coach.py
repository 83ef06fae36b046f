"""What Atlandice's coach notes: majorities, districts about to be scored, and the clock."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from atoll.engine import ExplainContext

from ..components import AtlandiceComponents
from ..kinds import DISTRICTS
from ..state import AtlandiceState


def notes(seen: ExplainContext[AtlandiceState, AtlandiceComponents]) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Of which resource the seat has the most, and where the last one lies."""
    live = seen.view["live"]
    for kind, leaders in enumerate(live["leaders"]):
        if leaders == [seen.seat]:
            yield "most", {"resource": kind}
    for area in range(DISTRICTS):
        if live["left"][area] == 1 and seen.s.open_tile[area] >= 0:
            yield "last_one", {"area": area}


def soon(seen: ExplainContext[AtlandiceState, AtlandiceComponents]) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """How far the clock is."""
    live, end = seen.view["live"], len(seen.components.spaces) - 1
    yield "clock", {"n": end - seen.s.clock}
    if any(dice and stop >= end for dice, stop in zip(live["dice"], live["stop"], strict=True)):
        yield "last_round", {}
