"""The explanations of why a choice isn't legal."""

from __future__ import annotations

from typing import Final

from atoll.engine import ExplainContext, Explainers, Reason, unless

from .components import AtuaComponents
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
from .placement_faults import faults, reasons
from .seams import BEACH_END_BLOCKED, SEA_TOUCHES_LAND
from .state import NO_RESIDENT, NOTHING_HELD, AtuaState

EXPLAINERS: Final[Explainers] = Explainers(VOCABULARY, turn="turn")

_SEAM_RULE: Final = {SEA_TOUCHES_LAND: "sea", BEACH_END_BLOCKED: "beach"}


@EXPLAINERS.of(PLACE)
def placing(seen: ExplainContext[AtuaState, AtuaComponents], choice: int) -> Reason | None:
    """Return why the card that was taken can't be placed there. Rules AU-3.4 and AU-8.4."""
    s = seen.s
    if s.held == NOTHING_HELD:
        return unless(not _is_taking(seen), "take_first", "turn")
    x, y, rot = position(PLACE.part(choice))
    found = faults(s.islands[seen.seat], s.components.cards[s.row[s.held]].faces[rot], x, y)
    if not found:
        return None
    keys = reasons(found)
    where = [[fault.reason, fault.x, fault.y, fault.side] for fault in found]
    return Reason(keys[0], {"reasons": keys, "faults": where}, _SEAM_RULE.get(keys[0], "cover"))


def _is_taking(seen: ExplainContext[AtuaState, AtuaComponents]) -> bool:
    return seen.prompt in ("take", "take_side")


@EXPLAINERS.of(TAKE, TAKE_SIDE)
def taking(seen: ExplainContext[AtuaState, AtuaComponents], choice: int) -> Reason | None:
    """Return why a card can't be taken: it costs too much or fits nowhere.

    Rules AU-3.4 and AU-7.2, ruling R18.
    """
    s = seen.s
    if (choice in TAKE_SIDE) != s.solo:
        return Reason("not_solo" if s.solo else "only_solo", rule="solo" if s.solo else "take")
    if s.held != NOTHING_HELD:
        return Reason("held", {"card": s.row[s.held]}, rule="place")
    if not _is_taking(seen):
        return None
    slot = TAKE_SIDE.part(choice) if s.solo else TAKE.part(choice)
    if not s.can_pay_for(seen.seat, slot):
        return _too_expensive(s, seen.seat, s.price_of(slot), "solo" if s.solo else "take")
    return unless(s.fits(seen.seat, slot), "no_fit", "place", card=s.row[slot])


def _too_expensive(s: AtuaState, seat: int, price: int, rule: str) -> Reason:
    return Reason("too_expensive", {"price": price, "supply": s.supply[seat]}, rule)


@EXPLAINERS.of(KEEP_OTHER, DISCARD_OTHER)
def leaving_the_other(seen: ExplainContext[AtuaState, AtuaComponents], choice: int) -> Reason | None:
    """Return why the other card can't be dealt with like this, or not yet. Rule AU-7.3."""
    return None if seen.s.solo else Reason("no_tahuma", rule="solo_other")


@EXPLAINERS.of(BUY_FATE, PASS_FATE)
def buying_a_fate(seen: ExplainContext[AtuaState, AtuaComponents], choice: int) -> Reason | None:
    """Return why a fate can't be bought: it isn't open, costs too much, or the time is wrong.

    Rule AU-3.2.
    """
    s = seen.s
    if not s.options["fates"]:
        return Reason("no_fates")
    if choice in PASS_FATE:
        return None
    fate = BUY_FATE.part(choice)
    if fate not in s.fate_row:
        owners = [seat for seat, owned in enumerate(s.fates) if fate in owned]
        return Reason("fate_owned", {"seat": owners[0]}, "fate") if owners else Reason("fate_not_in_play", rule="fate")
    if seen.prompt != "fate":
        return Reason("fate_later", rule="fate")
    return None if s.can_buy(seen.seat, fate) else _too_expensive(s, seen.seat, s.components.fates[fate].price, "fate")


@EXPLAINERS.of(PLAY_RESIDENT, PASS_RESIDENT)
def playing_the_resident(seen: ExplainContext[AtuaState, AtuaComponents], choice: int) -> Reason | None:
    """Return why the resident can't be played now. Rule AU-3.3."""
    s = seen.s
    if not s.options["residents"]:
        return Reason("no_residents")
    in_hand = s.residents[seen.seat] != NO_RESIDENT
    return unless(in_hand, "resident_played", "resident") or unless(
        seen.prompt == "resident", "resident_later", "resident"
    )


@EXPLAINERS.of(SCORE)
def scoring_a_source(seen: ExplainContext[AtuaState, AtuaComponents], choice: int) -> Reason | None:
    """Return why a source can't be scored now: it was scored before, or no window is open.

    Rule AU-4.1.
    """
    source = SCORE.part(choice)
    return (
        unless(source in seen.s.open_sources(seen.seat), "source_scored", "window", source=source)
        or unless(seen.prompt == "window", "window_later", "window")
        or unless(len(seen.picked) < seen.view["decision"]["set"]["high"], "sources_chosen", "window")
    )
