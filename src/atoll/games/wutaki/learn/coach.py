"""The notes of Wutaki's coach: payable pacts, full places, and the next pact counter event."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from atoll.engine import ExplainContext

from ..components import UPKEEP, WutakiComponents
from ..kinds import OWN_PLACE
from ..pacts import fulfillable
from ..state import WutakiState
from ..workers import upkeep

_NEAR: Final = 15  # Points before the end.


def notes(seen: ExplainContext[WutakiState, WutakiComponents]) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Yield payable pacts, open pacts, full places, and the next start player."""
    s, seat = seen.s, seen.seat
    for pact in fulfillable(s, seat, s.omens[seat]):
        yield "can_fulfil", {"pact": pact}
    for place, fields in enumerate(s.fields[:OWN_PLACE]):
        if fields and all(worker >= 0 for worker in fields):
            yield "full", {"place": place}
    if s.claimant >= 0:
        yield "starts", {"seat": s.claimant}


def soon(seen: ExplainContext[WutakiState, WutakiComponents]) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Yield the upkeep, debts and the end of the game."""
    s, seat, seats = seen.s, seen.seat, seen.view["seats"]
    printed = seen.components.boards[s.side]
    event = printed.counter_event[printed.counter_next[seats][s.counter]]
    owed = upkeep(s, seat)
    if event == UPKEEP and owed:
        marker = s.cost_marker[seat]
        yield "upkeep", {"owed": owed, "resource": marker, "held": s.stock[seat][marker]}
    if s.ending:
        if seat in s.last_turns or s.active == seat:
            yield "last_turn", {}
        return
    if s.pacts[seat]:
        yield "unfulfilled", {"n": len(s.pacts[seat])}
    first = max(range(seats), key=s.vp.__getitem__)
    if s.vp[first] >= seen.components.end_vp - _NEAR:
        yield "end_points", {"seat": first, "points": s.vp[first]}
