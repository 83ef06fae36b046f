"""Explanations why a choice isn't legal.

An explainer names a reason that holds independently of the current question. It returns None if the
choice only comes after another question; then that question is named.
"""

from __future__ import annotations

from typing import Final

from atoll.engine import NO_AMOUNT, ExplainContext, Explainers, Kind, Reason, unless

from .components import AUCTION, CONDITION, GENERAL, RESOURCE, RaiateaComponents
from .feast import clips_used, gift_would_do, tied_rituals
from .kinds import (
    ACCEPT,
    BID,
    BUILD,
    BUY,
    CLAIM,
    COMMODITIES,
    DRAW,
    ENLIST,
    FIRST,
    FOREST,
    GATHER,
    GATHERER,
    GO,
    HIRE,
    MARAE,
    MARKETPLACE,
    MIRROR,
    MIRROR_MASK,
    NEIGHBOURHOOD,
    PATH,
    PAY,
    PEARL_DIVER,
    PERFORM,
    PICK,
    PLACE,
    PREPARE,
    PRIEST,
    READY,
    SACRIFICE,
    SELL,
    SHAMAN,
    SHAMAN_CARD,
    SPACES_EACH,
    TAKE,
    TRADE,
    TRADER,
    TRAIN,
    VOCABULARY,
)
from .locations import train_options
from .marketplace import below_top, can_pay_hire, sale_would_do
from .markets import can_draw_forest, priest_room
from .own_turn import rituals_for_shaman
from .rituals import can_gain_tattoo, open_decks
from .state import BUY_RITUALS, EXTRA_GIFTS, GIFTS, LAY_OUT, NO_TILE, OFFERING, PREPARE_RITUALS, RaiateaState
from .tasks import (
    amounts_left,
    auctions_due,
    candidates,
    highest_bid,
    is_last_building,
    is_new_condition,
    owned_payments,
)

EXPLAINERS: Final[Explainers] = Explainers(VOCABULARY, turn="round")

_PLACES: Final[dict[Kind, int]] = {
    PICK: FOREST,
    GATHER: FOREST,
    SACRIFICE: MARAE,
    DRAW: MARAE,
    PRIEST: PATH,
    TRAIN: PATH,
    PLACE: NEIGHBOURHOOD,
    CLAIM: NEIGHBOURHOOD,
    SELL: MARKETPLACE,
    HIRE: MARKETPLACE,
    TRADE: MARKETPLACE,
}
"""The locations at which the choices of a kind are made, apart from cards that allow them."""
_ACTS: Final[dict[Kind, tuple[int, tuple[int, ...]]]] = {
    BUY: (2, (BUY_RITUALS,)),
    PREPARE: (3, (PREPARE_RITUALS,)),
    BID: (4, (OFFERING,)),
    ACCEPT: (4, (GIFTS, EXTRA_GIFTS)),
    FIRST: (5, (LAY_OUT,)),
}
"""Per kind the act of a feast to which it belongs: its number and its phases."""


def _elsewhere(seen: ExplainContext[RaiateaState, RaiateaComponents], kind: Kind) -> Reason | None:
    """Return the location to which the kind belongs, if it isn't being carried out."""
    here = seen.asks(kind) or seen.s.location == _PLACES[kind]
    return unless(here, "at_location", "round", location=_PLACES[kind])


def _other_act(seen: ExplainContext[RaiateaState, RaiateaComponents], kind: Kind) -> Reason | None:
    """Return the act of a feast to which the kind belongs, if it isn't celebrated now."""
    act, phases = _ACTS[kind]
    return unless(seen.asks(kind) or seen.s.phase in phases, "in_act", "round", n=act)


def _no_commodity(seen: ExplainContext[RaiateaState, RaiateaComponents], commodity: int, rule: str) -> Reason | None:
    return unless(commodity in seen.s.goods_held(seen.seat), "no_commodity", rule, commodity=commodity)


def _not_ready(seen: ExplainContext[RaiateaState, RaiateaComponents], assistant: int) -> Reason | None:
    return unless(seen.s.ready[seen.seat][assistant], "not_ready", "assistants", assistant=assistant)


def _not_in_hand(seen: ExplainContext[RaiateaState, RaiateaComponents], card: int, rule: str) -> Reason | None:
    return unless(card in seen.s.hands[seen.seat], "not_in_hand", rule, ritual=card)


def _no_deck(seen: ExplainContext[RaiateaState, RaiateaComponents], deck: int) -> Reason | None:
    """Explain that the rank doesn't allow the deck or that it has no card. Rule RA-7.1."""
    rank = seen.s.rank(seen.seat)
    return unless(deck in seen.components.rank_decks[rank], "rank_too_low", "ranks", rank=rank) or unless(
        deck in open_decks(seen.s, seen.seat), "deck_empty", "draw", deck=deck
    )


# -- RA-4 Locations --------------------------------------------------------------------------------


@EXPLAINERS.of(GO)
def going(seen: ExplainContext[RaiateaState, RaiateaComponents], choice: int) -> Reason | None:
    """Explain why a location card can't be taken: it must be one that is left. Rule RA-3.1."""
    return unless(GO.part(choice) not in seen.s.taken, "location_taken", "round", location=GO.part(choice))


@EXPLAINERS.of(PICK)
def picking(seen: ExplainContext[RaiateaState, RaiateaComponents], choice: int) -> Reason | None:
    """Explain why a card can't be picked.

    It is a card of the display, with a gatherer a commodity on top, or by a ritual one of those
    looked at.
    Rule RA-4.1.

    Args:
        seen: The view and the question of the seat that asks.
        choice: The choice that isn't legal.

    Returns:
        The reason; None if another question comes first.
    """
    card = PICK.part(choice)
    if not seen.asks(PICK):
        return _elsewhere(seen, PICK)
    if seen.prompt == "draw_forest":
        return unless(card in seen.s.looked[seen.seat], "not_looked_at", "forest", forest_card=card)
    return unless(card in seen.s.display, "not_in_display", "forest", forest_card=card) or unless(
        seen.prompt != "forest_extra" or card < COMMODITIES, "extra_commodity", "forest"
    )


@EXPLAINERS.of(GATHER)
def gathering(seen: ExplainContext[RaiateaState, RaiateaComponents], choice: int) -> Reason | None:
    """Explain why no gatherer can be sent: one for each pick, if a forest card can be added.

    Rule RA-5.5.

    Args:
        seen: The view and the question of the seat that asks.
        choice: The choice that isn't legal.

    Returns:
        The reason; None if another question comes first.
    """
    found = _not_ready(seen, GATHERER) or _elsewhere(seen, GATHER)
    if found is not None or seen.prompt != "forest_pick":
        return found
    return unless(can_draw_forest(seen.s), "no_forest_card", "forest") or unless(
        seen.asks(GATHER), "gatherer_used", "forest"
    )


@EXPLAINERS.of(SACRIFICE)
def sacrificing(seen: ExplainContext[RaiateaState, RaiateaComponents], choice: int) -> Reason | None:
    """Explain why a commodity can't be sacrificed: own ones, before any draw, not at the end.

    Rule RA-4.2.

    Args:
        seen: The view and the question of the seat that asks.
        choice: The choice that isn't legal.

    Returns:
        The reason; None if another question comes first.
    """
    return (
        _elsewhere(seen, SACRIFICE)
        or _no_commodity(seen, SACRIFICE.part(choice), "marae")
        or unless(can_gain_tattoo(seen.s, seen.seat), "tattoos_full", "marae")
        or unless(seen.prompt != "marae" or seen.placeholders["n"], "sacrifices_used", "marae")
    )


@EXPLAINERS.of(DRAW)
def drawing(seen: ExplainContext[RaiateaState, RaiateaComponents], choice: int) -> Reason | None:
    """Explain why rituals can't be drawn from a deck. Rule RA-7.1."""
    return (
        _no_deck(seen, DRAW.part(choice))
        or _elsewhere(seen, DRAW)
        or unless(seen.prompt != "marae" or seen.placeholders["draws"], "draws_used", "marae")
    )


@EXPLAINERS.of(PRIEST)
def training_for_nothing(seen: ExplainContext[RaiateaState, RaiateaComponents], choice: int) -> Reason | None:
    """Explain why the Kahuna's free priest isn't offered. Rule RA-4.5."""
    return _elsewhere(seen, PRIEST)


@EXPLAINERS.of(TRAIN)
def training(seen: ExplainContext[RaiateaState, RaiateaComponents], choice: int) -> Reason | None:
    """Explain why this number of priests can't be trained: pearls and room on the track.

    Rule RA-4.5.

    Args:
        seen: The view and the question of the seat that asks.
        choice: The choice that isn't legal.

    Returns:
        The reason; None if another question comes first.
    """
    n, s = TRAIN.part(choice), seen.s
    return (
        unless(n <= priest_room(s, seen.seat), "priests_full", "path")
        or unless(choice in train_options(s, seen.seat), "too_few_pearls", "path", n=seen.components.train_cost[n])
        or _elsewhere(seen, TRAIN)
    )


@EXPLAINERS.of(PLACE)
def placing(seen: ExplainContext[RaiateaState, RaiateaComponents], choice: int) -> Reason | None:
    """Explain why a mask can't be placed: it is an own one that isn't paired. Rule RA-4.6."""
    s, mask = seen.s, PLACE.part(choice)
    may_place = s.location != NEIGHBOURHOOD or not s.placed[seen.seat]
    return (
        unless(mask in s.masks[seen.seat], "not_your_mask", "masks", mask=mask)
        or unless(may_place, "mask_placed", "neighbourhood")
        or _elsewhere(seen, PLACE)
    )


@EXPLAINERS.of(CLAIM)
def claiming(seen: ExplainContext[RaiateaState, RaiateaComponents], choice: int) -> Reason | None:
    """Explain why a mask of the market can't be taken for one that was laid there. Rule RA-4.6."""
    there = CLAIM.part(choice) in seen.s.mask_market
    return unless(there, "not_on_market", "neighbourhood") or _elsewhere(seen, CLAIM)


@EXPLAINERS.of(SELL)
def selling(seen: ExplainContext[RaiateaState, RaiateaComponents], choice: int) -> Reason | None:
    """Explain why a commodity can't be sold for a bonus.

    The bonus is one up to the marker that would do something.
    Rule RA-4.8.

    Args:
        seen: The view and the question of the seat that asks.
        choice: The choice that isn't legal.

    Returns:
        The reason; None if another question comes first.
    """
    commodity, level = SELL.parts(choice)
    marker = seen.s.prices[commodity]
    found = (
        _elsewhere(seen, SELL)
        or _no_commodity(seen, commodity, "marketplace")
        or unless(level < marker, "price_too_low", "prices", commodity=commodity, n=marker)
    )
    if found is not None or seen.prompt != "market":
        return found
    return unless(seen.placeholders["n"], "sales_used", "marketplace") or unless(
        sale_would_do(seen.s, seen.seat, commodity, level), "no_effect", "prices"
    )


@EXPLAINERS.of(HIRE)
def hiring(seen: ExplainContext[RaiateaState, RaiateaComponents], choice: int) -> Reason | None:
    """Explain why an assistant of the market can't be hired for pearls. Rule RA-4.9."""
    return (
        _elsewhere(seen, HIRE)
        or unless(seen.s.assistant_market[HIRE.part(choice)], "not_on_market", "assistants")
        or unless(seen.prompt != "market" or seen.placeholders["hires"], "hires_used", "marketplace")
        or unless(can_pay_hire(seen.s, seen.seat), "too_few_pearls", "marketplace", n=seen.components.hire_cost)
    )


@EXPLAINERS.of(TRADE)
def sending_a_trader(seen: ExplainContext[RaiateaState, RaiateaComponents], choice: int) -> Reason | None:
    """Explain why no trader can be sent: one at a visit of the marketplace. Rule RA-5.6."""
    commodity = TRADE.part(choice)
    return (
        _not_ready(seen, TRADER)
        or _elsewhere(seen, TRADE)
        or unless(commodity in below_top(seen.s), "price_at_top", "prices", commodity=commodity)
        or unless(seen.asks(TRADE) or seen.prompt != "market", "trader_used", "assistants")
    )


@EXPLAINERS.of(TAKE, ENLIST, READY)
def gaining(seen: ExplainContext[RaiateaState, RaiateaComponents], choice: int) -> Reason | None:
    """Explain why something isn't gained by a roll, a bonus or a ritual. Rule RA-6.7."""
    s, kind = seen.s, VOCABULARY.kind_of(choice)
    if not seen.asks(kind):
        is_diver = choice == READY.choice(PEARL_DIVER) and s.ready[seen.seat][PEARL_DIVER]
        return Reason("diver_later", rule="building") if is_diver else Reason("by_effect", rule="assistants")
    if kind is READY:
        return unless(s.exhausted[seen.seat][READY.part(choice)], "not_exhausted", "assistants")
    there = s.goods_market[TAKE.part(choice)] if kind is TAKE else s.assistant_market[ENLIST.part(choice)]
    return unless(there, "not_on_market", "prices")


# -- RA-8 Feast ------------------------------------------------------------------------------------


@EXPLAINERS.of(BUY)
def buying(seen: ExplainContext[RaiateaState, RaiateaComponents], choice: int) -> Reason | None:
    """Explain why no ritual can be bought from a deck. Rule RA-8.1."""
    return _no_deck(seen, BUY.part(choice)) or _other_act(seen, BUY)


@EXPLAINERS.of(PREPARE)
def preparing(seen: ExplainContext[RaiateaState, RaiateaComponents], choice: int) -> Reason | None:
    """Explain why a ritual can't be prepared.

    There is one for each clip, and general ones in addition, by cost.
    Rule RA-8.4.

    Args:
        seen: The view and the question of the seat that asks.
        choice: The choice that isn't legal.

    Returns:
        The reason; None if another question comes first.
    """
    card, clips = PREPARE.part(choice), seen.s.clips[seen.seat]
    found = _not_in_hand(seen, card, "prepare")
    if found is not None or seen.prompt != "prepare":
        return found or _other_act(seen, PREPARE)
    if seen.components.ritual_kind[card] == GENERAL:
        return unless(choice in seen.choices, "general_by_cost", "prepare", ritual=card)
    return unless(clips_used(seen.s, seen.picked) < clips, "no_clip", "prepare", n=clips)


@EXPLAINERS.of(BID)
def bidding(seen: ExplainContext[RaiateaState, RaiateaComponents], choice: int) -> Reason | None:
    """Explain why this amount of mana can't be offered or bid. Rules RA-7.3 and RA-8.5."""
    n = BID.part(choice)
    return unless(n <= highest_bid(seen.s, seen.seat), "too_little_mana", "offering", n=n) or _other_act(seen, BID)


@EXPLAINERS.of(ACCEPT)
def accepting(seen: ExplainContext[RaiateaState, RaiateaComponents], choice: int) -> Reason | None:
    """Explain why a gift can't be chosen: one of those left, with `extra_gift` any with an effect.

    Rule RA-8.6.

    Args:
        seen: The view and the question of the seat that asks.
        choice: The choice that isn't legal.

    Returns:
        The reason; None if another question comes first.
    """
    s, gift = seen.s, ACCEPT.part(choice)
    if seen.prompt != "gift":
        return _other_act(seen, ACCEPT)
    if s.phase == GIFTS:
        return unless(gift in s.gifts, "gift_taken", "gifts")
    return unless(gift_would_do(s, seen.seat, gift), "no_effect", "gifts")


@EXPLAINERS.of(FIRST)
def ordering(seen: ExplainContext[RaiateaState, RaiateaComponents], choice: int) -> Reason | None:
    """Explain why a card can't come next among the seat's own cards of one cost. Rule RA-8.7."""
    s, card = seen.s, FIRST.part(choice)
    if not seen.asks(FIRST):
        return _other_act(seen, FIRST)
    tied = [each for each in (tied_rituals(s, seen.seat, index) for index in range(len(s.row))) if len(each) > 1]
    return unless(any(card in each for each in tied), "not_tied", "blessing")


@EXPLAINERS.of(PAY)
def paying_goods(seen: ExplainContext[RaiateaState, RaiateaComponents], choice: int) -> Reason | None:
    """Explain why commodities can't be paid: own ones of the printed pattern. Rule RA-7.7."""
    if seen.prompt != "pay_goods":
        return None
    commodity, amount = PAY.parts(choice)
    task = seen.placeholders["task"]
    settled = [NO_AMOUNT] * COMMODITIES
    for each, paid in map(PAY.parts, seen.picked):
        settled[each] = paid
    fitting = amounts_left(owned_payments(seen.s, seen.seat, task), commodity, settled)
    return unless(settled[commodity] == NO_AMOUNT, "amount_chosen", "task", commodity=commodity) or unless(
        amount in fitting, "not_the_pattern", "task", task=task
    )


@EXPLAINERS.of(BUILD)
def building(seen: ExplainContext[RaiateaState, RaiateaComponents], choice: int) -> Reason | None:
    """Explain why a task can't be completed. Rule RA-7.2."""
    s, space = seen.s, BUILD.part(choice)
    statue, task = space // SPACES_EACH, s.tiles[space]
    if not s.unlocked[statue]:
        return Reason("statue_locked", {"statue": statue + 1}, rule="task")
    if task == NO_TILE:
        return Reason("no_task", rule="task")
    kind = seen.components.task_kind[task]
    if kind == AUCTION:
        return _auction(seen, space)
    able = candidates(s, seen.seat, free=seen.prompt == "free_task")
    return (
        unless(kind != CONDITION or is_new_condition(s, seen.seat, task), "condition_once", "task", task=task)
        or unless(seen.prompt in _BUILDING, "task_when", "task")
        or unless(space in able, "cannot_pay" if kind == RESOURCE else "condition_unmet", "task", task=task)
    )


_BUILDING: Final = ("build", "diver", "early_task", "late_task", "complete_task", "free_task")
"""The questions at which a task could be completed if it were paid for or met."""


def _auction(seen: ExplainContext[RaiateaState, RaiateaComponents], space: int) -> Reason:
    """Return when the task is auctioned: with its row, before the next building act, or never."""
    if not auctions_due(seen.s, seen.components.row_of[space]):
        return Reason("auction_task", rule="auction")
    return Reason("auction_over" if is_last_building(seen.s) else "auction_waits", rule="auction")


# -- rituals, shamans, masks -----------------------------------------------------------------------


@EXPLAINERS.of(PERFORM)
def performing(seen: ExplainContext[RaiateaState, RaiateaComponents], choice: int) -> Reason | None:
    """Explain why a ritual can't be executed for nothing: it comes from the hand. Rule RA-7.10."""
    return _not_in_hand(seen, PERFORM.part(choice), "ranks")


@EXPLAINERS.of(SHAMAN)
def sending_a_shaman(seen: ExplainContext[RaiateaState, RaiateaComponents], choice: int) -> Reason | None:
    """Explain why a shaman can't be sent for a ritual: it costs no more than the own priests.

    Rule RA-5.7.

    Args:
        seen: The view and the question of the seat that asks.
        choice: The choice that isn't legal.

    Returns:
        The reason; None if another question comes first.
    """
    s, seat, card = seen.s, seen.seat, SHAMAN.part(choice)
    able, in_hand = rituals_for_shaman(s, seat), card in s.hands[seat]
    if s.ready[seat][SHAMAN_CARD] and in_hand and card not in able:
        return Reason("too_few_priests", {"ritual": card, "n": seen.components.ritual_cost[card]}, rule="free")
    return (
        unless(s.ready[seat][SHAMAN_CARD], "no_shaman", "free")
        or unless(able, "no_ritual_for_shaman", "free", n=s.priests[seat])
        or unless(in_hand or not seen.asks(SHAMAN), "not_in_hand", "free", ritual=card)
    )


@EXPLAINERS.of(MIRROR)
def sliding_a_mirror(seen: ExplainContext[RaiateaState, RaiateaComponents], choice: int) -> Reason | None:
    """Explain why a mirror can't be placed: under an own mask that isn't paired. Rule RA-5.4."""
    masks, mask = seen.s.masks[seen.seat], MIRROR.part(choice)
    return unless(MIRROR_MASK in masks, "no_mirror", "masks") or unless(
        mask in masks, "not_your_mask", "masks", mask=mask
    )
