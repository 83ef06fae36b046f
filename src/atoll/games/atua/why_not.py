"""Why something can't be chosen now, judged from what its seat sees."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from atoll.engine import Reason

from .components import AtuaBox
from .geometry import NO_SYMBOL_COVERED, REASONS, Fault, Island, lattice_for, position
from .kinds import (
    BUY_FATE,
    LEFT,
    PASS_FATE,
    PASS_RESIDENT,
    PLACE,
    PLAY_RESIDENT,
    SCORE,
    TAKE,
    TAKE_SIDE,
)
from .state import NO_RESIDENT, NOT_SCORED, NOTHING_HELD

_SEAM_RULE: Final = {"sea_touches_land": "sea", "beach_end_blocked": "beach"}


def why_not(box: AtuaBox, view: Mapping[str, Any], choice: int) -> Reason | None:
    """The most telling reason against a choice of the viewer; None if there is none."""
    if view["over"]:
        return Reason("over", rule="end")
    if choice in (view["decision"] or {}).get("options", ()):
        return None
    if view["viewer"] not in view["to_move"]:
        return Reason("not_your_turn", rule="turn")
    if choice in PLACE:
        return _why_not_place(box, view, choice)
    if choice in TAKE or choice in TAKE_SIDE:
        return _why_not_take(box, view, choice)
    if choice in BUY_FATE or choice in PASS_FATE:
        return _why_not_fate(box, view, choice)
    if choice in PLAY_RESIDENT or choice in PASS_RESIDENT:
        return _why_not_resident(view)
    if choice in SCORE:
        return _why_not_score(view, SCORE.of(choice))
    return Reason("not_now", rule="solo_other" if view["seats"] == 1 else "turn")


def faults_of(box: AtuaBox, view: Mapping[str, Any], seat: int, card: int, placement: int) -> list[Fault]:
    """Everything that makes a placement of an island card on a seat's island illegal, the most telling first."""
    x, y, rot = position(placement)
    lattice = lattice_for(box.solo_turns if view["seats"] == 1 else box.rounds)
    if max(abs(x), abs(y)) > lattice.reach:
        return [Fault(NO_SYMBOL_COVERED, x, y)]
    island = Island.load(box, view["state"]["placed"][seat], lattice)
    return island.faults(box.cards[card].faces[rot], x, y)


def _why_not_place(box: AtuaBox, view: Mapping[str, Any], choice: int) -> Reason:
    s = view["state"]
    if s["held"] == NOTHING_HELD:
        return Reason("take_first" if view["decision"]["prompt"] in ("take", "take_side") else "not_now", rule="turn")
    faults = faults_of(box, view, view["viewer"], s["row"][s["held"]], PLACE.of(choice))
    reasons = [reason for reason in REASONS if any(fault.reason == reason for fault in faults)]
    where = [[fault.reason, fault.x, fault.y, fault.side] for fault in faults]
    return Reason(reasons[0], {"reasons": reasons, "faults": where}, _SEAM_RULE.get(reasons[0], "cover"))


def _why_not_take(box: AtuaBox, view: Mapping[str, Any], choice: int) -> Reason:
    s = view["state"]
    solo = view["seats"] == 1
    rule = "solo" if solo else "take"
    if (choice in TAKE_SIDE) != solo:
        return Reason("only_solo" if choice in TAKE_SIDE else "not_solo", rule=rule)
    if s["held"] != NOTHING_HELD:
        return Reason("held", {"card": s["row"][s["held"]]}, rule="place")
    if view["decision"]["prompt"] not in ("take", "take_side"):
        return Reason("not_now", rule="turn")
    supply = s["supply"][view["viewer"]]
    if solo:
        side = TAKE_SIDE.of(choice)
        price, card = box.solo.left_card_price if side == LEFT else 0, s["row"][side]
    else:
        price = TAKE.of(choice)
        card = s["row"][price]
    if price > supply:
        return Reason("too_expensive", {"price": price, "supply": supply}, rule)
    return Reason("no_fit", {"card": card}, rule="place")


def _why_not_fate(box: AtuaBox, view: Mapping[str, Any], choice: int) -> Reason:
    s = view["state"]
    if not view["options"]["fates"]:
        return Reason("no_fates")
    if choice in PASS_FATE:
        return Reason("not_now", rule="fate")
    fate = BUY_FATE.of(choice)
    for seat, owned in enumerate(s["fates"]):
        if fate in owned:
            return Reason("fate_owned", {"seat": seat}, rule="fate")
    if fate not in s["fate_row"]:
        return Reason("fate_not_in_play", rule="fate")
    supply = s["supply"][view["viewer"]]
    if view["decision"]["prompt"] == "fate":
        return Reason("too_expensive", {"price": box.fates[fate].price, "supply": supply}, rule="fate")
    return Reason("fate_later", rule="fate")


def _why_not_resident(view: Mapping[str, Any]) -> Reason:
    if not view["options"]["residents"]:
        return Reason("no_residents")
    if view["state"]["revealed"][view["viewer"]] != NO_RESIDENT:
        return Reason("resident_played", rule="resident")
    return Reason("resident_later", rule="resident")


def _why_not_score(view: Mapping[str, Any], source: int) -> Reason:
    if view["state"]["sheet"][view["viewer"]][source] != NOT_SCORED:
        return Reason("source_scored", {"source": source}, rule="window")
    if view["decision"]["prompt"] == "window":
        return Reason("source_order", rule="window")
    return Reason("window_later", rule="window")
