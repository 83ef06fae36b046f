"""The words for what speaks against a choice."""

from __future__ import annotations

from typing import Final

from atoll.engine import Judges, Reason, Seen

from .faults import NO_SYMBOL_COVERED, REASONS, Fault, faults
from .kinds import (
    BUY_FATE,
    DISCARD_OTHER,
    KEEP_OTHER,
    PASS_FATE,
    PASS_RESIDENT,
    PLACE,
    PLAY_RESIDENT,
    SCORE,
    TAKE,
    TAKE_SIDE,
    VOCABULARY,
)
from .lattice import position
from .state import NO_RESIDENT, NOTHING_HELD, AtuaState

JUDGES: Final[Judges] = Judges(VOCABULARY, turn="turn")

_SEAM_RULE: Final = {"sea_touches_land": "sea", "beach_end_blocked": "beach"}


def faults_of(s: AtuaState, seat: int, card: int, placement: int) -> list[Fault]:
    """Everything that makes a placement of an island card on a seat's island illegal, the most telling first."""
    x, y, rot = position(placement)
    island = s.islands[seat]
    if max(abs(x), abs(y)) > island.lattice.reach:
        return [Fault(NO_SYMBOL_COVERED, x, y)]
    return faults(island, s.box.cards[card].faces[rot], x, y)


@JUDGES.of(PLACE)
def placing(seen: Seen, choice: int) -> Reason | None:
    """Tell why the card that was taken can't be placed there. Rules AU-3.4 and AU-8.4."""
    s: AtuaState = seen.s
    if s.held == NOTHING_HELD:
        return Reason("take_first", rule="turn") if _is_taking(seen) else None
    faults = faults_of(s, seen.seat, s.row[s.held], PLACE.of(choice))
    reasons = [reason for reason in REASONS if any(fault.reason == reason for fault in faults)]
    where = [[fault.reason, fault.x, fault.y, fault.side] for fault in faults]
    return Reason(reasons[0], {"reasons": reasons, "faults": where}, _SEAM_RULE.get(reasons[0], "cover"))


def _is_taking(seen: Seen) -> bool:
    return seen.prompt in ("take", "take_side")


@JUDGES.of(TAKE, TAKE_SIDE)
def taking(seen: Seen, choice: int) -> Reason | None:
    """Tell why a card can't be taken: it costs too much or fits nowhere.

    Rules AU-3.4 and AU-7.2, ruling R18.
    """
    s: AtuaState = seen.s
    if (choice in TAKE_SIDE) != s.solo:
        return Reason("not_solo" if s.solo else "only_solo", rule="solo" if s.solo else "take")
    if s.held != NOTHING_HELD:
        return Reason("held", {"card": s.row[s.held]}, rule="place")
    if not _is_taking(seen):
        return None
    slot = TAKE_SIDE.of(choice) if s.solo else TAKE.of(choice)
    if s.can_pay_for(seen.seat, slot):
        return Reason("no_fit", {"card": s.row[slot]}, rule="place")
    return _too_expensive(s, seen.seat, s.price_of(slot), "solo" if s.solo else "take")


def _too_expensive(s: AtuaState, seat: int, price: int, rule: str) -> Reason:
    return Reason("too_expensive", {"price": price, "supply": s.supply[seat]}, rule)


@JUDGES.of(KEEP_OTHER, DISCARD_OTHER)
def leaving_the_other(seen: Seen, choice: int) -> Reason | None:
    """Tell why the card not placed can't go there, or not yet. Rule AU-7.3."""
    return None if seen.s.solo else Reason("no_tahuma", rule="solo_other")


@JUDGES.of(BUY_FATE, PASS_FATE)
def buying_a_fate(seen: Seen, choice: int) -> Reason | None:
    """Tell why a fate can't be bought: it isn't open, costs too much, or the time is wrong. Rule AU-3.2."""
    s: AtuaState = seen.s
    if not s.options["fates"]:
        return Reason("no_fates")
    if choice in PASS_FATE:
        return None
    fate = BUY_FATE.of(choice)
    for seat, owned in enumerate(s.fates):
        if fate in owned:
            return Reason("fate_owned", {"seat": seat}, rule="fate")
    if fate not in s.fate_row:
        return Reason("fate_not_in_play", rule="fate")
    if seen.prompt == "fate" and not s.can_buy(seen.seat, fate):
        return _too_expensive(s, seen.seat, s.box.fates[fate].price, "fate")
    return Reason("fate_later", rule="fate")


@JUDGES.of(PLAY_RESIDENT, PASS_RESIDENT)
def playing_the_resident(seen: Seen, choice: int) -> Reason:
    """Tell why the resident can't be played now. Rule AU-3.3."""
    s: AtuaState = seen.s
    if not s.options["residents"]:
        return Reason("no_residents")
    played = s.residents[seen.seat] == NO_RESIDENT
    return Reason("resident_played" if played else "resident_later", rule="resident")


@JUDGES.of(SCORE)
def scoring_a_source(seen: Seen, choice: int) -> Reason:
    """Tell why a source can't be scored now: it was scored before, or no window is open. Rule AU-4.1."""
    source = SCORE.of(choice)
    if source not in seen.s.open_sources(seen.seat):
        return Reason("source_scored", {"source": source}, rule="window")
    return Reason("sources_chosen" if seen.prompt == "window" else "window_later", rule="window")
