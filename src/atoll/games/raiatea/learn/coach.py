"""The notes of Raiatea's coach: prices, taken locations, and the distance to the next feast."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from atoll.engine import ExplainContext

from ..components import RaiateaComponents
from ..kinds import MIRROR_MASK, STATUES
from ..state import RaiateaState


def notes(seen: ExplainContext[RaiateaState, RaiateaComponents]) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Yield the prices and the locations taken in this round."""
    s = seen.s
    for commodity, level in enumerate(tuple(s.prices)):
        yield "price", {"commodity": commodity, "level": level - 1}
    for seat, location in enumerate(tuple(s.taken)):
        if location >= 0 and seat != seen.seat:
            yield "taken", {"location": location, "seat": seat}


def soon(seen: ExplainContext[RaiateaState, RaiateaComponents]) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Yield the next feast with what the seat has for it, and masks without a partner."""
    s, seat, fields = seen.s, seen.seat, seen.components.fields
    track = seen.components.track[seen.view["seats"]]
    ahead = [fields[at].feast for at in track[track.index(s.field) :]]
    rounds = next((number for number, feast in enumerate(ahead) if feast), None)
    if rounds:
        if rounds > 1:
            yield "feast", {"n": rounds}
        else:
            rituals = len(s.hands[seat]) + len(s.bag[seat])
            yield "feast_now", {"mana": s.mana[seat], "n": rituals}
        if ahead[rounds] == STATUES:
            yield "last_feast", {}
    single = [mask for mask in s.masks[seat] if mask != MIRROR_MASK]
    if single:
        yield "pairs", {"n": len(single)}
