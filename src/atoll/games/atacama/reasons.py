"""The words for what speaks against a placement or purchase."""

from __future__ import annotations

from typing import Final

from atoll.engine import Judges, Reason, Seen

from .components import AtacamaBox
from .kinds import BUY, DOUBLE, PLACE, VOCABULARY
from .state import NO_RIG, NOT_LAID, AtacamaState

JUDGES: Final[Judges] = Judges(VOCABULARY, turn="turn")


@JUDGES.of(PLACE)
def placement(seen: Seen[AtacamaState, AtacamaBox], choice: int) -> Reason:
    """§ Ablauf: an empty field of a sub-board that lies there, no rig beside it, with a rig that one still has."""
    s = seen.s
    field, rig = PLACE.parts(choice)
    if field in s.free:
        return Reason("must_buy", rule="buy") if s.rigs_left(seen.seat, rig) else _no_rig(s, rig)
    if s.ore[field] == NOT_LAID:
        return Reason("not_laid", {"field": field}, rule="batches")
    if s.rigs[field] != NO_RIG:
        return Reason("occupied", {"field": field}, rule="turn")
    return Reason("adjacent", {"field": field, "field_2": s.rig_near(field)}, rule="turn")


@JUDGES.of(BUY)
def purchase(seen: Seen[AtacamaState, AtacamaBox], choice: int) -> Reason:
    """§ Aufbauspiel: once in an enhanced game, paid with a rig that one still has."""
    s = seen.s
    if s.options["setup"] == "basic":
        return Reason("no_buying", rule="buy")
    return Reason("sold", rule="buy") if s.sold else _no_rig(s, BUY.parts(choice)[2])


def _no_rig(s: AtacamaState, rig: int) -> Reason:
    """§ Taktikvariante: only there are two kinds of rigs, so only there can one kind be used up before the other."""
    if s.options["tactic"]:
        return Reason("no_rig", {"rig": rig}, rule="tactic")
    return Reason("no_doubles", rule="turn") if rig == DOUBLE else Reason("no_rig", {"rig": rig}, rule="turn")
