"""Why a choice isn't offered to a seat, as far as the seat can see the table.

What a judge says holds by itself, whatever else is asked; where only another question stands before the choice, it says
nothing, and that question is named.
"""

from __future__ import annotations

from typing import Any, Final

from atoll.engine import Judges, Kind, Reason, Seen

from .components import AUCTION, CONDITION, GENERAL, RESOURCE
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
    FORBIDDEN,
    FOREST,
    GATHER,
    GATHERER,
    GO,
    HIRE,
    LEVELS,
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
from .state import BUY_RITUALS, EXTRA_GIFTS, GIFTS, LAY_OUT, NO_TILE, OFFERING, PREPARE_RITUALS
from .tasks import is_last_building

JUDGES: Final[Judges] = Judges(VOCABULARY, turn="round")

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
"""Where the choices of a kind are made, save for what cards allow."""
_ACTS: Final[dict[Kind, tuple[int, tuple[int, ...]]]] = {
    BUY: (2, (BUY_RITUALS,)),
    PREPARE: (3, (PREPARE_RITUALS,)),
    BID: (4, (OFFERING,)),
    ACCEPT: (4, (GIFTS, EXTRA_GIFTS)),
    FIRST: (5, (LAY_OUT,)),
}
"""In which act of a feast: its number and its phases."""


def _elsewhere(seen: Seen, kind: Kind) -> Reason | None:
    """The location to which the kind belongs, if it isn't being carried out."""
    if seen.asks(kind) or seen.s.location == _PLACES[kind]:
        return None
    return Reason("at_location", {"location": _PLACES[kind]}, rule="round")


def _other_act(seen: Seen, kind: Kind) -> Reason | None:
    """The act of a feast to which the kind belongs, if it isn't celebrated now."""
    act, phases = _ACTS[kind]
    return None if seen.s.phase in phases else Reason("in_act", {"n": act}, rule="round")


def _left(seen: Seen, what: str) -> int:
    """How often something may still be done, as the question says."""
    left: int = seen.view["decision"]["about"][what]
    return left


def _no_commodity(seen: Seen, commodity: int, rule: str) -> Reason | None:
    held = seen.s.goods[seen.seat][commodity] + seen.s.veiled[seen.seat].count(commodity)
    return None if held else Reason("no_commodity", {"commodity": commodity}, rule=rule)


def _not_ready(seen: Seen, assistant: int) -> Reason | None:
    if seen.s.ready[seen.seat][assistant]:
        return None
    return Reason("not_ready", {"assistant": assistant}, rule="assistants")


def _not_in_hand(seen: Seen, card: int, rule: str) -> Reason | None:
    return None if card in seen.s.hands[seen.seat] else Reason("not_in_hand", {"ritual": card}, rule=rule)


def _no_deck(seen: Seen, deck: int) -> Reason | None:
    """§ Ritualkarten ziehen. The rank must allow the deck, and it must have a card."""
    rank = seen.box.rank_at[seen.s.tattoos[seen.seat]]
    if deck == FORBIDDEN and FORBIDDEN not in seen.box.rank_decks[rank]:
        return Reason("rank_too_low", {"rank": rank}, rule="ranks")
    if not seen.s.decks[deck]["count"] and not seen.s.discards[deck]:
        return Reason("deck_empty", {"deck": deck}, rule="draw")
    return None


# -- § Aktionsrunde ----------------------------------------------------------------------------------------------------


@JUDGES.of(GO)
def going(seen: Seen, choice: int) -> Reason | None:
    """§ A. Aktionsrunde: a location card that is left."""
    if GO.of(choice) in seen.s.taken:
        return Reason("location_taken", {"location": GO.of(choice)}, rule="round")
    return None


@JUDGES.of(PICK)
def picking(seen: Seen, choice: int) -> Reason | None:
    """§ Wald: a card of the display; with a gatherer a commodity on top. By a ritual: one of those looked at."""
    card = PICK.of(choice)
    if seen.asks(PICK):
        if seen.prompt == "draw_forest":
            return Reason("not_looked_at", {"forest_card": card}, rule="forest")
        if card not in seen.s.display:
            return Reason("not_in_display", {"forest_card": card}, rule="forest")
        if seen.prompt == "forest_extra" and card >= COMMODITIES:
            return Reason("extra_commodity", rule="forest")
    return _elsewhere(seen, PICK)


@JUDGES.of(GATHER)
def gathering(seen: Seen, choice: int) -> Reason | None:
    """§ Sammlerin B: one for each pick, if a forest card is there to be added."""
    found = _not_ready(seen, GATHERER) or _elsewhere(seen, GATHER)
    if found is not None or seen.prompt != "forest_pick":
        return found
    if not seen.s.forest_deck["count"] and max(seen.s.goods_market) < 2:
        return Reason("no_forest_card", rule="forest")
    return Reason("gatherer_used", rule="forest")


@JUDGES.of(SACRIFICE)
def sacrificing(seen: Seen, choice: int) -> Reason | None:
    """§ Waren opfern: commodities one has, before any draw, and not at the end of the track."""
    found = _elsewhere(seen, SACRIFICE) or _no_commodity(seen, SACRIFICE.of(choice), "marae")
    if found is not None:
        return found
    if seen.s.tattoos[seen.seat] >= seen.box.max_tattoos:
        return Reason("tattoos_full", rule="marae")
    if seen.prompt == "marae" and not _left(seen, "n"):
        return Reason("sacrifices_used", rule="marae")
    return None


@JUDGES.of(DRAW)
def drawing(seen: Seen, choice: int) -> Reason | None:
    """§ Ritualkarten ziehen."""
    found = _no_deck(seen, DRAW.of(choice)) or _elsewhere(seen, DRAW)
    if found is None and seen.prompt == "marae" and not _left(seen, "draws"):
        return Reason("draws_used", rule="marae")
    return found


@JUDGES.of(PRIEST)
def training_for_nothing(seen: Seen, choice: int) -> Reason | None:
    """§ Pfad der Götter, Kahuna-Bonus."""
    return _elsewhere(seen, PRIEST)


@JUDGES.of(TRAIN)
def training(seen: Seen, choice: int) -> Reason | None:
    """§ Pfad der Götter: what one can pay, and what the track has room for."""
    n = TRAIN.of(choice)
    if seen.s.priests[seen.seat] + n > seen.box.max_priests:
        return Reason("priests_full", rule="path")
    if seen.s.pearls[seen.seat] < seen.box.train_cost[n]:
        return Reason("too_few_pearls", {"n": seen.box.train_cost[n]}, rule="path")
    return _elsewhere(seen, TRAIN)


@JUDGES.of(PLACE)
def placing(seen: Seen, choice: int) -> Reason | None:
    """§ Nachbarschaft: one own mask that isn't paired."""
    if PLACE.of(choice) not in seen.s.masks[seen.seat]:
        return Reason("not_your_mask", {"mask": PLACE.of(choice)}, rule="masks")
    if seen.s.location == NEIGHBOURHOOD and seen.s.placed[seen.seat]:
        return Reason("mask_placed", rule="neighbourhood")
    return _elsewhere(seen, PLACE)


@JUDGES.of(CLAIM)
def claiming(seen: Seen, choice: int) -> Reason | None:
    """§ Nachbarschaft: a mask of the market for one that was laid there."""
    if CLAIM.of(choice) not in seen.s.mask_market:
        return Reason("not_on_market", rule="neighbourhood")
    return _elsewhere(seen, CLAIM)


@JUDGES.of(SELL)
def selling(seen: Seen, choice: int) -> Reason | None:
    """§ Waren verkaufen: one's commodities, for a bonus up to the marker that would do something."""
    commodity, level = SELL.parts(choice)
    marker = seen.s.prices[commodity]
    found = _elsewhere(seen, SELL) or _no_commodity(seen, commodity, "marketplace")
    if found is not None:
        return found
    if level >= marker:
        return Reason("price_too_low", {"commodity": commodity, "n": marker}, rule="prices")
    if seen.prompt != "market":
        return None
    return Reason("no_effect", rule="prices") if _left(seen, "n") else Reason("sales_used", rule="marketplace")


@JUDGES.of(HIRE)
def hiring(seen: Seen, choice: int) -> Reason | None:
    """§ Helfer anwerben: for pearls, from the market."""
    found = _elsewhere(seen, HIRE)
    if found is not None:
        return found
    if not seen.s.assistant_market[HIRE.of(choice)]:
        return Reason("not_on_market", rule="assistants")
    if seen.prompt == "market" and not _left(seen, "hires"):
        return Reason("hires_used", rule="marketplace")
    if seen.s.pearls[seen.seat] < seen.box.hire_cost:
        return Reason("too_few_pearls", {"n": seen.box.hire_cost}, rule="marketplace")
    return None


@JUDGES.of(TRADE)
def sending_a_trader(seen: Seen, choice: int) -> Reason | None:
    """§ Händler B: one at a visit of the marketplace."""
    commodity = TRADE.of(choice)
    found = _not_ready(seen, TRADER) or _elsewhere(seen, TRADE)
    if found is not None:
        return found
    if seen.s.prices[commodity] == LEVELS:
        return Reason("price_at_top", {"commodity": commodity}, rule="prices")
    return Reason("trader_used", rule="assistants") if seen.prompt == "market" else None


@JUDGES.of(TAKE, ENLIST, READY)
def gaining(seen: Seen, choice: int) -> Reason | None:
    """What rolls, bonuses and rituals bring, as far as there is any."""
    kind = VOCABULARY.kind_of(choice)
    if choice in READY and READY.of(choice) == PEARL_DIVER and seen.s.ready[seen.seat][PEARL_DIVER]:
        return Reason("diver_later", rule="building")
    if not seen.asks(kind):
        return Reason("by_effect", rule="assistants")
    return Reason("not_exhausted", rule="assistants") if kind is READY else Reason("not_on_market", rule="prices")


# -- § Festrunde -------------------------------------------------------------------------------------------------------


@JUDGES.of(BUY)
def buying(seen: Seen, choice: int) -> Reason | None:
    """§ 2. Ritualkarten kaufen."""
    return _no_deck(seen, BUY.of(choice)) or _other_act(seen, BUY)


@JUDGES.of(PREPARE)
def preparing(seen: Seen, choice: int) -> Reason | None:
    """§ 3. Vorbereitung der Rituale: as many as clips, general ones besides, by cost."""
    card = PREPARE.of(choice)
    found = _not_in_hand(seen, card, "prepare")
    if found is not None or seen.prompt != "prepare":
        return found or _other_act(seen, PREPARE)
    if seen.box.ritual_kind[card] == GENERAL:
        return Reason("general_by_cost", {"ritual": card}, rule="prepare")
    picked = [PREPARE.of(each) for each in seen.view["decision"]["set"]["picked"]]
    clips = seen.s.clips[seen.seat]
    used = sum(seen.box.ritual_kind[each] != GENERAL for each in picked)
    return Reason("no_clip", {"n": clips}, rule="prepare") if used == clips else None


@JUDGES.of(BID)
def bidding(seen: Seen, choice: int) -> Reason | None:
    """§ 4. Managabe, § Mana-Auktionsaufträge."""
    if seen.s.mana[seen.seat] < BID.of(choice):
        return Reason("too_little_mana", {"n": BID.of(choice)}, rule="offering")
    return _other_act(seen, BID)


@JUDGES.of(ACCEPT)
def accepting(seen: Seen, choice: int) -> Reason | None:
    """§ 4. Managabe, Schritt 2: one of those left. `extra_gift`: any with an effect."""
    if seen.s.phase == EXTRA_GIFTS and seen.asks(ACCEPT):
        return Reason("no_effect", rule="gifts")
    if seen.s.phase == GIFTS and ACCEPT.of(choice) not in seen.s.gifts:
        return Reason("gift_taken", rule="gifts")
    return _other_act(seen, ACCEPT)


@JUDGES.of(FIRST)
def ordering(seen: Seen, choice: int) -> Reason | None:
    """§ 5. Segen: among one's own cards of one cost."""
    return Reason("not_tied", rule="blessing") if seen.asks(FIRST) else _other_act(seen, FIRST)


@JUDGES.of(PAY)
def paying_goods(seen: Seen, choice: int) -> Reason | None:
    """§ Task costs. Commodities of the printed pattern, of one's own."""
    if seen.prompt != "pay_goods":
        return None
    asked = seen.view["decision"]
    commodity, _ = PAY.parts(choice)
    if commodity in {PAY.parts(each)[0] for each in asked["set"]["picked"]}:
        return Reason("amount_chosen", {"commodity": commodity}, rule="task")
    if seen.options and commodity not in {PAY.parts(each)[0] for each in seen.options}:
        return None
    return Reason("not_the_pattern", {"task": asked["about"]["task"]}, rule="task")


@JUDGES.of(BUILD)
def building(seen: Seen, choice: int) -> Reason | None:
    """§ To'o-Aufträge."""
    space = BUILD.of(choice)
    statue = space // SPACES_EACH
    if not seen.s.unlocked[statue]:
        return Reason("statue_locked", {"statue": statue + 1}, rule="task")
    task = seen.s.tiles[space]
    if task == NO_TILE:
        return Reason("no_task", rule="task")
    kind = seen.box.task_kind[task]
    if kind == AUCTION:
        return _auction(seen, space)
    if kind == CONDITION and task in seen.s.tasks_done[seen.seat]:
        return Reason("condition_once", {"task": task}, rule="task")
    if not _may_build(seen):
        return Reason("task_when", rule="task")
    return Reason("cannot_pay" if kind == RESOURCE else "condition_unmet", {"task": task}, rule="task")


def _auction(seen: Seen, space: int) -> Reason:
    """Return when the task is auctioned: with its row, before the next building act, or never again."""
    tiles = [seen.s.tiles[each] for each in seen.box.rows[seen.box.row_of[space]]]
    if any(tile != NO_TILE and seen.box.task_kind[tile] != AUCTION for tile in tiles):
        return Reason("auction_task", rule="auction")
    is_over = is_last_building(seen.box, seen.s.field, seen.s.phase)
    return Reason("auction_over" if is_over else "auction_waits", rule="auction")


def _may_build(seen: Seen) -> bool:
    """Whether a task could be completed now, if one were paid for or met."""
    return seen.prompt in ("build", "diver", "early_task", "late_task", "complete_task", "free_task")


# -- rituals, shamans, masks -------------------------------------------------------------------------------------------


@JUDGES.of(PERFORM)
def performing(seen: Seen, choice: int) -> Reason | None:
    """§ Ränge: what is carried out for nothing comes from the hand."""
    return _not_in_hand(seen, PERFORM.of(choice), "ranks")


@JUDGES.of(SHAMAN)
def sending_a_shaman(seen: Seen, choice: int) -> Reason | None:
    """§ Schamane B: for a ritual of the hand that costs no more than one's priests."""
    card, priests, hand = SHAMAN.of(choice), seen.s.priests[seen.seat], seen.s.hands[seen.seat]
    if not seen.s.ready[seen.seat][SHAMAN_CARD]:
        return Reason("no_shaman", rule="free")
    if card in hand and seen.box.ritual_cost[card] > priests:
        return Reason("too_few_priests", {"ritual": card, "n": seen.box.ritual_cost[card]}, rule="free")
    if all(seen.box.ritual_cost[each] > priests for each in hand):
        return Reason("no_ritual_for_shaman", {"n": priests}, rule="free")
    return _not_in_hand(seen, card, "free") if seen.asks(SHAMAN) else None


@JUDGES.of(MIRROR)
def sliding_a_mirror(seen: Seen, choice: int) -> Reason | None:
    """§ Regenbogenspiegel: under an own mask that isn't paired."""
    masks: Any = seen.s.masks[seen.seat]
    if MIRROR_MASK not in masks:
        return Reason("no_mirror", rule="masks")
    if MIRROR.of(choice) not in masks:
        return Reason("not_your_mask", {"mask": MIRROR.of(choice)}, rule="masks")
    return None
