"""Why a placement or purchase isn't legal, as the table lies."""

from __future__ import annotations

from typing import Final

from atoll.engine import Judges, Reason, Seen

from .kinds import BUY, DOUBLE, NEIGHBOURS, PLACE, PLACE_FIELDS, VOCABULARY
from .state import NO_RIG, NO_ROLE, NOT_LAID

JUDGES: Final[Judges] = Judges(VOCABULARY, turn="turn")


@JUDGES.of(PLACE)
def placement(seen: Seen, choice: int) -> Reason:
    """§ Ablauf: an empty field of a sub-board that lies there, no rig beside it, with a rig that one still has."""
    s = seen.s
    field, rig = PLACE.parts(choice)
    place = next(place for place, fields in enumerate(PLACE_FIELDS) if field in fields)
    if s.sub_boards[place] == NOT_LAID:
        return Reason("not_laid", {"field": field}, rule="batches")
    if s.rigs[field] != NO_RIG:
        return Reason("occupied", {"field": field}, rule="turn")
    beside = [near for near in NEIGHBOURS[field] if s.rigs[near] != NO_RIG]
    if beside:
        return Reason("adjacent", {"field": field, "field_2": beside[0]}, rule="turn")
    if not s[("base", "double")[rig]][seen.seat]:
        return _no_rig(seen, rig)
    return Reason("must_buy", rule="buy")


@JUDGES.of(BUY)
def purchase(seen: Seen, choice: int) -> Reason:
    """§ Aufbauspiel: once in an enhanced game, paid with a rig that one still has."""
    _, _, rig = BUY.parts(choice)
    if seen.view["options"]["setup"] == "basic":
        return Reason("no_buying", rule="buy")
    if seen.s.axis[0] != NO_ROLE:
        return Reason("sold", rule="buy")
    return _no_rig(seen, rig)


def _no_rig(seen: Seen, rig: int) -> Reason:
    """§ Taktikvariante: only there are two kinds of rigs, so only there can one kind be used up before the other."""
    if not seen.view["options"]["tactic"] and rig == DOUBLE:
        return Reason("no_doubles", rule="turn")
    return Reason("no_rig", {"rig": rig}, rule="tactic" if seen.view["options"]["tactic"] else "turn")
