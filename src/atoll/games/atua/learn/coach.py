"""The notes of Atua's coach: coconuts in the row, the bonuses, and the next scoring window."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from atoll.engine import ExplainContext

from ..components import SOURCES, AtuaComponents
from ..state import NO_RESIDENT, NOT_SCORED, AtuaState

_MANY: Final = 2  # coconuts on a card from which the coach mentions them


def notes(seen: ExplainContext[AtuaState, AtuaComponents]) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Yield notes about coconuts in the row, and the bonuses that the seat would get now.

    Args:
        seen: The state and the decision of the seat.

    Yields:
        Key and placeholders of a note.
    """
    s, live = seen.s, seen.view["live"]
    most = max(s.row_coconuts, default=0)
    if most >= _MANY:
        yield "coconuts", {"n": most}
    if seen.view["seats"] > 1 and live["sheets"]:
        held = dict(live["sheets"][seen.seat])
        for bonus in ("beach_bonus", "coconut_bonus"):
            if held.get(bonus):
                yield bonus, {}


def soon(seen: ExplainContext[AtuaState, AtuaComponents]) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Yield notes about the next scoring window, the open sources and the resident.

    Args:
        seen: The state and the decision of the seat.

    Yields:
        Key and placeholders of a note.
    """
    s, live, seat = seen.s, seen.view["live"], seen.seat
    if not live["sources"]:
        return
    open_sources = [source for source, points in enumerate(s.sheet[seat]) if points == NOT_SCORED]
    if s.window < len(s.stacks):
        left, number = s.stacks[s.window], seen.components.windows[s.window].sources_to_score
        if left > seen.view["seats"]:
            yield "window", {"left": left, "n": number}
        elif open_sources:
            best = max(open_sources, key=lambda source: live["sources"][seat][source])
            yield "window_now", {"n": number, "source": best, "points": live["sources"][seat][best]}
    if 0 < len(open_sources) < len(SOURCES):
        yield "open", {"n": len(open_sources)}
    if s.residents[seat] != NO_RESIDENT:
        yield "resident", {}
