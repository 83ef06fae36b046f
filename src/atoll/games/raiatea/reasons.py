"""Why a choice isn't legal for a seat, as far as the seat can see the table."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from atoll.engine import Kind, Reason

from .components import AUCTION, CONDITION, RESOURCE, RaiateaBox
from .feast import PURCHASE
from .kinds import (
    ACCEPT,
    BID,
    BUILD,
    BUY,
    CLAIM,
    DRAW,
    ENLIST,
    FORBIDDEN,
    GATHER,
    GATHERER,
    GO,
    HIRE,
    MIRROR,
    MIRROR_MASK,
    PERFORM,
    PICK,
    PLACE,
    PREPARE,
    SACRIFICE,
    SELL,
    SHAMAN,
    SHAMAN_CARD,
    SPACES_EACH,
    TAKE,
    TRADE,
    TRADER,
    TRAIN,
)

Table = Mapping[str, Any]
Judge = Callable[[Table, int, int, RaiateaBox], Reason | None]
"""(table as seen, seat, choice, Box): the reason, if this judge knows one."""


def why_not(view: Mapping[str, Any], choice: int, box: RaiateaBox) -> Reason | None:
    """Why a choice isn't possible for the viewer; None if it is, or if nothing speaks against it."""
    seat = view["viewer"]
    decision = view["decision"] or {}
    if view["over"]:
        return Reason("over", rule="end")
    if choice in decision.get("options", ()):
        return None
    if seat is None or seat not in view["to_move"]:
        return Reason("not_your_turn", rule="round")
    for kind, judge in _JUDGES:
        if choice in kind:
            offered = any(each in kind for each in decision.get("options", ()))
            found = judge(view["state"], seat, choice, box) if offered or kind in _ALWAYS else None
            if found is not None:
                return found
    return Reason("not_now", rule=decision.get("rule") or "round")


def _goods(s: Table, seat: int, commodity: int) -> int:
    held: int = s["goods"][seat][commodity] + s["veiled"][seat].count(commodity)
    return held


def _rank(s: Table, seat: int, box: RaiateaBox) -> int:
    tattoos: int = s["tattoos"][seat]
    return box.rank_at[tattoos]


def _go(s: Table, seat: int, choice: int, box: RaiateaBox) -> Reason | None:
    return Reason("location_taken", {"location": GO.of(choice)}, rule="round")


def _pick(s: Table, seat: int, choice: int, box: RaiateaBox) -> Reason | None:
    return Reason("not_in_display", {"forest_card": PICK.of(choice)}, rule="forest")


def _gather(s: Table, seat: int, choice: int, box: RaiateaBox) -> Reason | None:
    if not s["ready"][seat][GATHERER]:
        return Reason("not_ready", {"assistant": GATHERER}, rule="assistants")
    return None


def _sacrifice(s: Table, seat: int, choice: int, box: RaiateaBox) -> Reason | None:
    if s["tattoos"][seat] >= box.max_tattoos:
        return Reason("tattoos_full", rule="marae")
    commodity = SACRIFICE.of(choice)
    if not _goods(s, seat, commodity):
        return Reason("no_commodity", {"commodity": commodity}, rule="marae")
    return Reason("sacrifices_used", rule="marae")


def _draw(s: Table, seat: int, choice: int, box: RaiateaBox) -> Reason | None:
    deck = DRAW.of(choice) if choice in DRAW else BUY.of(choice)
    if deck == FORBIDDEN and FORBIDDEN not in box.rank_decks[_rank(s, seat, box)]:
        return Reason("rank_too_low", {"rank": _rank(s, seat, box)}, rule="ranks")
    if not s["decks"][deck]["count"] and not s["discards"][deck]:
        return Reason("deck_empty", rule="draw")
    if choice in BUY and s["mana"][seat] < PURCHASE:
        return Reason("too_little_mana", {"n": PURCHASE}, rule="buy")
    return Reason("draws_used", rule="marae")


def _train(s: Table, seat: int, choice: int, box: RaiateaBox) -> Reason | None:
    n = TRAIN.of(choice)
    if s["priests"][seat] + n > box.max_priests:
        return Reason("priests_full", rule="path")
    return Reason("too_few_pearls", {"n": box.train_cost[n]}, rule="path")


def _own_mask(s: Table, seat: int, choice: int, box: RaiateaBox) -> Reason | None:
    return Reason("not_your_mask", {"mask": PLACE.of(choice)}, rule="masks")


def _claim(s: Table, seat: int, choice: int, box: RaiateaBox) -> Reason | None:
    return Reason("not_on_market", rule="neighbourhood")


def _sell(s: Table, seat: int, choice: int, box: RaiateaBox) -> Reason | None:
    commodity, level = SELL.parts(choice)
    if not _goods(s, seat, commodity):
        return Reason("no_commodity", {"commodity": commodity}, rule="marketplace")
    if level >= s["prices"][commodity]:
        return Reason("price_too_low", {"commodity": commodity, "n": s["prices"][commodity]}, rule="prices")
    return Reason("no_effect", rule="prices")


def _hire(s: Table, seat: int, choice: int, box: RaiateaBox) -> Reason | None:
    if s["pearls"][seat] < box.hire_cost:
        return Reason("too_few_pearls", {"n": box.hire_cost}, rule="marketplace")
    if not s["assistant_market"][HIRE.of(choice)]:
        return Reason("not_on_market", rule="assistants")
    return Reason("hires_used", rule="marketplace")


def _trade(s: Table, seat: int, choice: int, box: RaiateaBox) -> Reason | None:
    if not s["ready"][seat][TRADER]:
        return Reason("not_ready", {"assistant": TRADER}, rule="assistants")
    return Reason("trader_used", rule="assistants")


def _take(s: Table, seat: int, choice: int, box: RaiateaBox) -> Reason | None:
    return Reason("not_on_market", rule="prices")


def _prepare(s: Table, seat: int, choice: int, box: RaiateaBox) -> Reason | None:
    card = PREPARE.of(choice)
    if card not in s["hands"][seat]:
        return Reason("not_in_hand", rule="prepare")
    return Reason("no_clip", {"n": s["clips"][seat]}, rule="prepare")


def _bid(s: Table, seat: int, choice: int, box: RaiateaBox) -> Reason | None:
    return Reason("too_little_mana", {"n": BID.of(choice)}, rule="offering")


def _accept(s: Table, seat: int, choice: int, box: RaiateaBox) -> Reason | None:
    if ACCEPT.of(choice) not in s["gifts"]:
        return Reason("gift_taken", rule="gifts")
    return Reason("no_effect", rule="gifts")


def _build(s: Table, seat: int, choice: int, box: RaiateaBox) -> Reason | None:
    space = BUILD.of(choice)
    statue = space // SPACES_EACH
    if not s["unlocked"][statue]:
        return Reason("statue_locked", {"statue": statue + 1}, rule="task")
    task = s["tiles"][space]
    if task < 0:
        return Reason("no_task", rule="task")
    kind = box.task_kind[task]
    if kind == AUCTION:
        return Reason("auction_task", rule="auction")
    if kind == CONDITION and task in s["tasks_done"][seat]:
        return Reason("condition_once", {"task": task}, rule="task")
    return Reason("cannot_pay" if kind == RESOURCE else "condition_unmet", {"task": task}, rule="task")


def _perform(s: Table, seat: int, choice: int, box: RaiateaBox) -> Reason | None:
    return Reason("not_in_hand", rule="ranks")


def _shaman(s: Table, seat: int, choice: int, box: RaiateaBox) -> Reason | None:
    card = SHAMAN.of(choice)
    if not s["ready"][seat][SHAMAN_CARD]:
        return Reason("not_ready", {"assistant": SHAMAN_CARD}, rule="assistants")
    if card not in s["hands"][seat]:
        return Reason("not_in_hand", rule="free")
    if box.ritual_cost[card] > s["priests"][seat]:
        return Reason("too_few_priests", {"ritual": card, "n": box.ritual_cost[card]}, rule="free")
    return None


def _mirror(s: Table, seat: int, choice: int, box: RaiateaBox) -> Reason | None:
    if MIRROR_MASK not in s["masks"][seat]:
        return Reason("no_mirror", rule="masks")
    if MIRROR.of(choice) not in s["masks"][seat]:
        return Reason("not_your_mask", {"mask": MIRROR.of(choice)}, rule="masks")
    return None


_JUDGES: Final[tuple[tuple[Kind, Judge], ...]] = (
    (GO, _go),
    (PICK, _pick),
    (GATHER, _gather),
    (SACRIFICE, _sacrifice),
    (DRAW, _draw),
    (TRAIN, _train),
    (PLACE, _own_mask),
    (CLAIM, _claim),
    (SELL, _sell),
    (HIRE, _hire),
    (TRADE, _trade),
    (TAKE, _take),
    (ENLIST, _take),
    (BUY, _draw),
    (PREPARE, _prepare),
    (BID, _bid),
    (ACCEPT, _accept),
    (BUILD, _build),
    (PERFORM, _perform),
    (SHAMAN, _shaman),
    (MIRROR, _mirror),
)
_ALWAYS: Final = (SHAMAN, MIRROR, BUILD)
"""Kinds whose reason holds whatever is asked; of the others only those of which some choice is on offer."""
