"""The explanations of why a placement or a purchase isn't legal."""

from __future__ import annotations

from typing import Final

from atoll.engine import ExplainContext, Explainers, Reason, unless

from .components import AtacamaComponents
from .kinds import BUY, DOUBLE, PLACE, VOCABULARY
from .state import NO_RIG, NOT_LAID, AtacamaState

EXPLAINERS: Final[Explainers] = Explainers(VOCABULARY, turn="turn")


@EXPLAINERS.of(PLACE)
def placement(seen: ExplainContext[AtacamaState, AtacamaComponents], choice: int) -> Reason | None:
    """Return why a rig can't be placed.

    The field isn't laid, occupied or blocked, no such rig is left, or the player must buy.
    Rule AC-3.2.
    """
    s = seen.s
    field, rig = PLACE.parts(choice)
    near = s.rig_near(field)
    return (
        unless(s.ore[field] != NOT_LAID, "not_laid", "batches", field=field)
        or unless(s.rigs[field] == NO_RIG, "occupied", "turn", field=field)
        or unless(near < 0, "adjacent", "turn", field=field, field_2=near)
        or _no_rig(seen, rig)
        or unless(not s.must_buy, "must_buy", "buy")
    )


@EXPLAINERS.of(BUY)
def purchase(seen: ExplainContext[AtacamaState, AtacamaComponents], choice: int) -> Reason | None:
    """Return why no concession can be bought: none is for sale, or no such rig is left.

    Rule AC-4.2.
    """
    s = seen.s
    return (
        unless(s.options["setup"] != "basic", "no_buying", "buy")
        or unless(not s.sold, "sold", "buy")
        or _no_rig(seen, BUY.parts(choice)[2])
    )


def _no_rig(seen: ExplainContext[AtacamaState, AtacamaComponents], rig: int) -> Reason | None:
    """Return that no such rig is left; only the tactic variant has two kinds. Rule AC-5.1."""
    left = seen.s.rigs_left(seen.seat, rig)
    if seen.s.options["tactic"]:
        return unless(left, "no_rig", "tactic", rig=rig)
    return unless(left, "no_doubles", "turn") if rig == DOUBLE else unless(left, "no_rig", "turn", rig=rig)
