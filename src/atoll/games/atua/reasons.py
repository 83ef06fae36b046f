"""Why something can't be chosen now, judged from what its seat sees."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from atoll.engine import Judges, Reason, Seen

from .components import AtuaBox
from .faults import NO_SYMBOL_COVERED, REASONS, Fault, faults
from .geometry import Island
from .kinds import (
    BUY_FATE,
    DISCARD_OTHER,
    KEEP_OTHER,
    LEFT,
    PASS_FATE,
    PASS_RESIDENT,
    PLACE,
    PLAY_RESIDENT,
    SCORE,
    TAKE,
    TAKE_SIDE,
    VOCABULARY,
)
from .lattice import lattice_for, position
from .state import NO_RESIDENT, NOT_SCORED, NOTHING_HELD

JUDGES: Final[Judges] = Judges(VOCABULARY, turn="turn")

_SEAM_RULE: Final = {"sea_touches_land": "sea", "beach_end_blocked": "beach"}


def faults_of(box: AtuaBox, view: Mapping[str, Any], seat: int, card: int, placement: int) -> list[Fault]:
    """Everything that makes a placement of an island card on a seat's island illegal, the most telling first."""
    x, y, rot = position(placement)
    lattice = lattice_for(box.solo_turns if view["seats"] == 1 else box.rounds)
    if max(abs(x), abs(y)) > lattice.reach:
        return [Fault(NO_SYMBOL_COVERED, x, y)]
    island = Island.load(box, view["state"]["placed"][seat], lattice)
    return faults(island, box.cards[card].faces[rot], x, y)


@JUDGES.of(PLACE)
def placing(seen: Seen, choice: int) -> Reason | None:
    """§ 2. Insel erweitern: the card that was taken, where the three rules allow it."""
    s = seen.s
    if s.held == NOTHING_HELD:
        return Reason("take_first", rule="turn") if _is_taking(seen) else None
    faults = faults_of(seen.box, seen.view, seen.seat, s.row[s.held], PLACE.of(choice))
    reasons = [reason for reason in REASONS if any(fault.reason == reason for fault in faults)]
    where = [[fault.reason, fault.x, fault.y, fault.side] for fault in faults]
    return Reason(reasons[0], {"reasons": reasons, "faults": where}, _SEAM_RULE.get(reasons[0], "cover"))


def _is_taking(seen: Seen) -> bool:
    return seen.prompt in ("take", "take_side")


@JUDGES.of(TAKE, TAKE_SIDE)
def taking(seen: Seen, choice: int) -> Reason | None:
    """§ 1. Inselkarte nehmen: a card that can be paid for and fits somewhere; in the solo game one of two."""
    s = seen.s
    solo = seen.view["seats"] == 1
    rule = "solo" if solo else "take"
    if (choice in TAKE_SIDE) != solo:
        return Reason("only_solo" if choice in TAKE_SIDE else "not_solo", rule=rule)
    if s.held != NOTHING_HELD:
        return Reason("held", {"card": s.row[s.held]}, rule="place")
    if not _is_taking(seen):
        return None
    supply = s.supply[seen.seat]
    if solo:
        side = TAKE_SIDE.of(choice)
        price, card = seen.box.solo.left_card_price if side == LEFT else 0, s.row[side]
    else:
        price = TAKE.of(choice)
        card = s.row[price]
    if price > supply:
        return Reason("too_expensive", {"price": price, "supply": supply}, rule)
    return Reason("no_fit", {"card": card}, rule="place")


@JUDGES.of(KEEP_OTHER, DISCARD_OTHER)
def leaving_the_other(seen: Seen, choice: int) -> Reason | None:
    """§ Spielablauf Solospiel: what becomes of the card not placed, which is asked after placing."""
    return Reason("no_tahuma", rule="solo_other") if seen.view["seats"] > 1 else None


@JUDGES.of(BUY_FATE, PASS_FATE)
def buying_a_fate(seen: Seen, choice: int) -> Reason | None:
    """§ 4. Schicksalsplättchen kaufen: one that lies face up and can be paid for, after placing."""
    s = seen.s
    if not seen.view["options"]["fates"]:
        return Reason("no_fates")
    if choice in PASS_FATE:
        return None
    fate = BUY_FATE.of(choice)
    for seat, owned in enumerate(s.fates):
        if fate in owned:
            return Reason("fate_owned", {"seat": seat}, rule="fate")
    if fate not in s.fate_row:
        return Reason("fate_not_in_play", rule="fate")
    if seen.prompt == "fate":
        price, supply = seen.box.fates[fate].price, s.supply[seen.seat]
        return Reason("too_expensive", {"price": price, "supply": supply}, rule="fate")
    return Reason("fate_later", rule="fate")


@JUDGES.of(PLAY_RESIDENT, PASS_RESIDENT)
def playing_the_resident(seen: Seen, choice: int) -> Reason:
    """§ 5. Bewohner spielen: once a game, at the end of a turn."""
    if not seen.view["options"]["residents"]:
        return Reason("no_residents")
    if seen.s.revealed[seen.seat] != NO_RESIDENT:
        return Reason("resident_played", rule="resident")
    return Reason("resident_later", rule="resident")


@JUDGES.of(SCORE)
def scoring_a_source(seen: Seen, choice: int) -> Reason:
    """§ 6. Zwischenwertung: a source not scored yet, when a stack is empty."""
    source = SCORE.of(choice)
    if seen.s.sheet[seen.seat][source] != NOT_SCORED:
        return Reason("source_scored", {"source": source}, rule="window")
    if seen.prompt == "window":
        return Reason("sources_chosen", rule="window")
    return Reason("window_later", rule="window")
