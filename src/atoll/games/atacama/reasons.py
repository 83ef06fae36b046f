"""The words for what speaks against a placement or purchase."""

from __future__ import annotations

from typing import Final

from atoll.engine import Judges, Reason, Seen

from .kinds import BUY, DOUBLE, PLACE, VOCABULARY
from .state import NO_RIG, NOT_LAID, AtacamaState

JUDGES: Final[Judges] = Judges(VOCABULARY, turn="turn")


@JUDGES.of(PLACE)
def placement(seen: Seen, choice: int) -> Reason:
    """Tell why a rig can't be placed: the field isn't laid, is occupied or blocked, or no such rig is left.

    Rule AC-3.2.
    """
    s: AtacamaState = seen.s
    field, rig = PLACE.parts(choice)
    if field in s.free:
        return Reason("must_buy", rule="buy") if s.rigs_left(seen.seat, rig) else _no_rig(s, rig)
    if s.ore[field] == NOT_LAID:
        return Reason("not_laid", {"field": field}, rule="batches")
    if s.rigs[field] != NO_RIG:
        return Reason("occupied", {"field": field}, rule="turn")
    return Reason("adjacent", {"field": field, "field_2": s.rig_near(field)}, rule="turn")


@JUDGES.of(BUY)
def purchase(seen: Seen, choice: int) -> Reason:
    """Tell why no concession can be bought: none is for sale, or no such rig is left. Rule AC-4.2."""
    s: AtacamaState = seen.s
    if s.options["setup"] == "basic":
        return Reason("no_buying", rule="buy")
    return Reason("sold", rule="buy") if s.sold else _no_rig(s, BUY.parts(choice)[2])


def _no_rig(s: AtacamaState, rig: int) -> Reason:
    """Tell that no such rig is left; only the tactic variant has two kinds. Rule AC-5.1."""
    if s.options["tactic"]:
        return Reason("no_rig", {"rig": rig}, rule="tactic")
    return Reason("no_doubles", rule="turn") if rig == DOUBLE else Reason("no_rig", {"rig": rig}, rule="turn")
