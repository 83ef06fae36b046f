"""Commodities, prices, assistants, masks, the forest deck, and gains of pearls, mana and priests.

This module has the verbs that take from a market (RA-6.3), and the plain gains (RA-6.2).
"""

from __future__ import annotations

from atoll.engine import Choose, Draw, Flow, audience_of_seats, insert_sorted, pick_set, remove_sorted

from .components import (
    ADD_MANA_TO_SOURCE,
    DRAW_FOREST,
    EVERY,
    FAVOUR_FIRST,
    GAIN_MANA,
    GAIN_PEARLS,
    GAIN_PRIEST,
    RAISE_PRICES,
    READY_ASSISTANTS,
    TAKE_ASSISTANT,
    TAKE_COMMODITY,
    TAKE_MASK,
    Effect,
)
from .effects import FLOWS, INSTANT, NO_QUESTION, TESTS, NoQuestion, carry_out
from .kinds import (
    ASSISTANTS,
    CLAIM,
    COMMODITIES,
    DECLINE,
    DONE,
    ENLIST,
    FIRST_FOREST_MASK,
    LEVELS,
    PICK,
    READY,
    REVEAL,
    TAKE,
)
from .state import RaiateaState, some

# -- gains -----------------------------------------------------------------------------------------


@INSTANT.of(GAIN_PEARLS)
def gain_pearls(s: RaiateaState, seat: int, effect: Effect, actor: int) -> None:
    """Give pearls from the supply. Rule RA-6.2.

    Args:
        s: The state.
        seat: The seat that the effect concerns.
        effect: The effect to carry out.
        actor: The seat that carries out the effect; `NOBODY` for a general ritual of the blessing.
    """
    take_pearls(s, seat, effect.amount)


def take_pearls(s: RaiateaState, seat: int, amount: int) -> None:
    """Give pearls from the supply, which never runs out. Rule RA-1.2, ruling R4.

    Args:
        s: The state.
        seat: The seat concerned.
        amount: The number of pearls.
    """
    s.pearls[seat] += amount
    if s.events is not None:
        s.emit("pearls", seat=seat, n=amount)


@INSTANT.of(GAIN_MANA)
def gain_mana(s: RaiateaState, seat: int, effect: Effect, actor: int) -> None:
    """Give mana from the supply. Rule RA-6.2.

    Args:
        s: The state.
        seat: The seat that the effect concerns.
        effect: The effect to carry out.
        actor: The seat that carries out the effect; `NOBODY` for a general ritual of the blessing.
    """
    take_mana(s, seat, effect.amount)


def take_mana(s: RaiateaState, seat: int, amount: int) -> None:
    """Give mana from the supply, which never runs out. Rule RA-1.2, ruling R4.

    Args:
        s: The state.
        seat: The seat concerned.
        amount: The number of mana.
    """
    s.mana[seat] += amount
    if s.events is not None:
        s.emit("mana", seat=seat, n=amount)


@INSTANT.of(GAIN_PRIEST)
def gain_priest(s: RaiateaState, seat: int, effect: Effect, actor: int) -> None:
    """Train as many priests as fit on the track. Rule RA-6.2.

    Args:
        s: The state.
        seat: The seat that the effect concerns.
        effect: The effect to carry out.
        actor: The seat that carries out the effect; `NOBODY` for a general ritual of the blessing.
    """
    train(s, seat, effect.amount)


@TESTS.of(GAIN_PRIEST)
def would_gain_priest(s: RaiateaState, seat: int, effect: Effect) -> bool:
    """Return whether the priest marker isn't at the end of the track.

    Args:
        s: The state.
        seat: The seat that the effect concerns.
        effect: The effect to test.
    """
    return priest_room(s, seat) > 0


def priest_room(s: RaiateaState, seat: int) -> int:
    """Return how far the priest marker is from the end of the track."""
    return s.components.max_priests - s.priests[seat]


def train(s: RaiateaState, seat: int, amount: int) -> None:
    """Move the priest marker on; a surplus beyond the end of the track is lost. Rule RA-6.7.

    Args:
        s: The state.
        seat: The seat concerned.
        amount: The number of priests.
    """
    trained = min(amount, priest_room(s, seat))
    s.priests[seat] += trained
    if trained and s.events is not None:
        s.emit("priests", seat=seat, n=trained, total=s.priests[seat])


@INSTANT.of(ADD_MANA_TO_SOURCE)
def add_mana_to_source(s: RaiateaState, seat: int, effect: Effect, actor: int) -> None:
    """Add mana per player from the supply to the bag, which is the source of act 5.

    Rule RA-6.2, rulings R56 and R58.

    Args:
        s: The state.
        seat: The seat that the effect concerns.
        effect: The effect to carry out.
        actor: The seat that carries out the effect; `NOBODY` for a general ritual of the blessing.
    """
    amount = effect.amount * s.seats
    s.bag_mana += amount
    s.emit("source", n=amount, total=s.bag_mana)


@INSTANT.of(FAVOUR_FIRST)
def favour_first(s: RaiateaState, seat: int, effect: Effect, actor: int) -> None:
    """Move the own favor stone to the first space; the others keep their order.

    A laid row stays.
    Rule RA-6.2, ruling R54.

    Args:
        s: The state.
        seat: The seat that the effect concerns.
        effect: The effect to carry out.
        actor: The seat that carries out the effect; `NOBODY` for a general ritual of the blessing.
    """
    s.favour.remove(seat)
    s.favour.insert(0, seat)
    s.emit("favour", seat=list(s.favour))


@TESTS.of(FAVOUR_FIRST)
def would_move_favour(s: RaiateaState, seat: int, effect: Effect) -> bool:
    """Return whether the seat isn't first in favor.

    Args:
        s: The state.
        seat: The seat that the effect concerns.
        effect: The effect to test.
    """
    return s.favour[0] != seat


# -- RA-5.2 Commodities and price markers ----------------------------------------------------------


@FLOWS.of(TAKE_COMMODITY)
def take_commodity(s: RaiateaState, seat: int, effect: Effect, actor: int, source: str) -> Flow:
    """Take any commodities of the market one by one, raising the price each time.

    It stops when the market is empty.
    Rule RA-6.3, ruling R96.

    Args:
        s: The state.
        seat: The seat that the effect concerns.
        effect: The effect to carry out.
        actor: The seat that carries out the effect; `NOBODY` for a general ritual of the blessing.
        source: Id of the card, place or board that asks.

    Returns:
        The flow.
    """
    for _ in range(effect.amount):
        options = TAKE.all_choices(some(s.goods_market))
        if not options:
            return
        options.append(DECLINE.first)
        choice: int = yield Choose(seat, "take_commodity", options, source=source, rule="prices")
        if choice in DECLINE:
            return
        commodity = TAKE.part(choice)
        s.good_from_market(seat, commodity)
        s.emit("took", seat=seat, commodity=commodity)


@TESTS.of(TAKE_COMMODITY)
def would_take_commodity(s: RaiateaState, seat: int, effect: Effect) -> bool:
    """Return whether the commodity market has a card.

    Args:
        s: The state.
        seat: The seat that the effect concerns.
        effect: The effect to test.
    """
    return any(s.goods_market)


@INSTANT.of(RAISE_PRICES)
def raise_prices(s: RaiateaState, seat: int, effect: Effect, actor: int) -> None:
    """Raise all price markers to the top. Rule RA-6.3.

    Args:
        s: The state.
        seat: The seat that the effect concerns.
        effect: The effect to carry out.
        actor: The seat that carries out the effect; `NOBODY` for a general ritual of the blessing.
    """
    s.prices = [LEVELS] * COMMODITIES
    s.emit("prices")


@TESTS.of(RAISE_PRICES)
def would_raise_prices(s: RaiateaState, seat: int, effect: Effect) -> bool:
    """Return whether some marker isn't at the top.

    Args:
        s: The state.
        seat: The seat that the effect concerns.
        effect: The effect to test.
    """
    return min(s.prices) < LEVELS


# -- RA-5.1 Assistants -----------------------------------------------------------------------------


@FLOWS.of(TAKE_ASSISTANT)
def take_assistant(s: RaiateaState, seat: int, effect: Effect, actor: int, source: str) -> Flow:
    """Take any assistants of the market one by one, ready and free of charge. Rule RA-6.3.

    Args:
        s: The state.
        seat: The seat that the effect concerns.
        effect: The effect to carry out.
        actor: The seat that carries out the effect; `NOBODY` for a general ritual of the blessing.
        source: Id of the card, place or board that asks.

    Returns:
        The flow.
    """
    for _ in range(effect.amount):
        options = ENLIST.all_choices(some(s.assistant_market))
        if not options:
            return
        options.append(DECLINE.first)
        choice: int = yield Choose(seat, "take_assistant", options, source=source, rule="assistants")
        if choice in DECLINE:
            return
        assistant = ENLIST.part(choice)
        s.assistant_market[assistant] -= 1
        s.ready[seat][assistant] += 1
        s.emit("enlisted", seat=seat, assistant=assistant)


@TESTS.of(TAKE_ASSISTANT)
def would_take_assistant(s: RaiateaState, seat: int, effect: Effect) -> bool:
    """Return whether the assistant market has a card.

    Args:
        s: The state.
        seat: The seat that the effect concerns.
        effect: The effect to test.
    """
    return any(s.assistant_market)


@FLOWS.of(READY_ASSISTANTS)
def ready_assistants(s: RaiateaState, seat: int, effect: Effect, actor: int, source: str) -> Flow:
    """Ready own exhausted assistants; with nothing to choose between, all at once. Rule RA-6.3.

    Args:
        s: The state.
        seat: The seat that the effect concerns.
        effect: The effect to carry out.
        actor: The seat that carries out the effect; `NOBODY` for a general ritual of the blessing.
        source: Id of the card, place or board that asks.
    """
    chosen = READY.all_choices(each for each in range(ASSISTANTS) for _ in range(s.exhausted[seat][each]))
    if effect.amount != EVERY and effect.amount < len(chosen):
        chosen = yield from pick_set(
            seat, "ready", chosen, 0, effect.amount, end=DONE.first, source=source, rule="assistants"
        )
    for assistant in range(ASSISTANTS):
        n = chosen.count(READY.choice(assistant))
        if n:
            s.exhausted[seat][assistant] -= n
            s.ready[seat][assistant] += n
            s.emit("readied", seat=seat, assistant=assistant, n=n)


@TESTS.of(READY_ASSISTANTS)
def would_ready(s: RaiateaState, seat: int, effect: Effect) -> bool:
    """Return whether the seat has an exhausted assistant.

    Args:
        s: The state.
        seat: The seat that the effect concerns.
        effect: The effect to test.
    """
    return any(s.exhausted[seat])


# -- RA-5.3 Masks ----------------------------------------------------------------------------------


@FLOWS.of(TAKE_MASK)
def take_mask(s: RaiateaState, seat: int, effect: Effect, actor: int, source: str) -> Flow:
    """Take a mask of choice from the mask market, without a treasure. Rule RA-6.3, ruling R28.

    Args:
        s: The state.
        seat: The seat that the effect concerns.
        effect: The effect to carry out.
        actor: The seat that carries out the effect; `NOBODY` for a general ritual of the blessing.
        source: Id of the card, place or board that asks.

    Returns:
        The flow.
    """
    for _ in range(effect.amount):
        options = CLAIM.all_choices(sorted(set(s.mask_market)))
        if not options:
            return
        options.append(DECLINE.first)
        choice: int = yield Choose(seat, "take_mask", options, source=source, rule="masks")
        if choice in DECLINE:
            return
        claim_mask(s, seat, CLAIM.part(choice))


def claim_mask(s: RaiateaState, seat: int, mask: int) -> None:
    """Move a mask from the market to a seat.

    Args:
        s: The state.
        seat: The seat concerned.
        mask: The mask.
    """
    s.mask_market.remove(mask)
    s.emit("claimed", seat=seat, mask=mask)
    s.gain_mask(seat, mask)


@TESTS.of(TAKE_MASK)
def would_take_mask(s: RaiateaState, seat: int, effect: Effect) -> bool:
    """Return whether the mask market has any.

    Args:
        s: The state.
        seat: The seat that the effect concerns.
        effect: The effect to test.
    """
    return bool(s.mask_market)


# -- RA-5.9 Forest deck ----------------------------------------------------------------------------


def can_draw_forest(s: RaiateaState) -> bool:
    """Return whether a forest card can be drawn, also from a deck made of the commodity market.

    Rule RA-5.9, rulings R22, R23 and R24.
    """
    return bool(s.forest_deck) or max(s.goods_market) > 1


def restock_forest(s: RaiateaState) -> bool:
    """Build an empty forest deck from the commodity market; one card of each type stays.

    Prices don't move.
    Rule RA-5.9, rulings R22, R23 and R24.

    Args:
        s: The state.

    Returns:
        Whether there is a card to draw.
    """
    if not s.forest_deck:
        for commodity in range(COMMODITIES):
            surplus = max(0, s.goods_market[commodity] - 1)
            s.goods_market[commodity] -= surplus
            s.forest_deck += [commodity] * surplus
        if not s.forest_deck:
            return False
        s.emit("forest_rebuilt", n=len(s.forest_deck))
    return True


def fill_display(s: RaiateaState) -> Flow:
    """Reveal one card more than there are players; a display that can't be filled stays short.

    Rule RA-3.3, ruling R22.
    """
    for _ in range(s.seats + 1):
        if not restock_forest(s):
            break
        card: int = yield Draw(REVEAL, s.forest_deck)
        remove_sorted(s.forest_deck, card)
        s.display.append(card)
    if s.events is not None:
        s.emit("display", forest_card=list(s.display))


def clear_display(s: RaiateaState) -> None:
    """Move the rest of the display to its markets; commodities lower their price.

    Rule RA-3.3, ruling R26.
    """
    for card in s.display:
        card_to_market(s, card)
    s.display = []


def card_to_market(s: RaiateaState, card: int) -> None:
    """Move a forest card to its market, without a treasure. Rule RA-5.2, ruling R26."""
    if card < COMMODITIES:
        s.good_to_market(card)
    elif card < FIRST_FOREST_MASK:
        s.assistant_market[card - COMMODITIES] += 1
    else:
        insert_sorted(s.mask_market, s.components.mask_cards[card - FIRST_FOREST_MASK][0])
    if s.events is not None:
        s.emit("to_market", forest_card=card)


def gain_forest_card(s: RaiateaState, seat: int, card: int) -> Flow | NoQuestion:
    """Take a forest card: no price moves, assistants are ready, a treasure comes at once.

    Rule RA-4.10, ruling R28.

    Args:
        s: The state.
        seat: The seat concerned.
        card: The forest card.

    Returns:
        The flow, or `NO_QUESTION` if it asks nobody.
    """
    if s.events is not None:
        s.emit("picked", seat=seat, forest_card=card)
    if card < COMMODITIES:
        s.goods[seat][card] += 1
    elif card < FIRST_FOREST_MASK:
        s.ready[seat][card - COMMODITIES] += 1
    else:
        mask, treasure = s.components.mask_cards[card - FIRST_FOREST_MASK]
        s.gain_mask(seat, mask)
        if treasure:
            return carry_out(s, seat, treasure, s.components.forest_ids[card])
    return NO_QUESTION


@FLOWS.of(DRAW_FOREST)
def draw_forest(s: RaiateaState, seat: int, effect: Effect, actor: int, source: str) -> Flow:
    """Look at forest cards in private and take up to `keep`.

    Then show all, and put the rest on the markets.
    Rule RA-6.3.

    Args:
        s: The state.
        seat: The seat that the effect concerns.
        effect: The effect to carry out.
        actor: The seat that carries out the effect; `NOBODY` for a general ritual of the blessing.
        source: Id of the card, place or board that asks.
    """
    for _ in range(effect.look):
        if not restock_forest(s):
            break
        card: int = yield Draw(REVEAL, s.forest_deck, audience=audience_of_seats(seat))
        remove_sorted(s.forest_deck, card)
        insert_sorted(s.looked[seat], card)
    for _ in range(effect.keep):
        options = PICK.all_choices(sorted(set(s.looked[seat])))
        if not options:
            break
        options.append(DECLINE.first)
        choice: int = yield Choose(seat, "draw_forest", options, source=source, rule="forest")
        if choice in DECLINE:
            break
        card = PICK.part(choice)
        s.looked[seat].remove(card)
        yield from gain_forest_card(s, seat, card)
    rejected = s.looked[seat]
    s.looked[seat] = []
    for card in rejected:
        card_to_market(s, card)


@TESTS.of(DRAW_FOREST)
def would_draw_forest(s: RaiateaState, seat: int, effect: Effect) -> bool:
    """Return whether there is a card to look at.

    Args:
        s: The state.
        seat: The seat that the effect concerns.
        effect: The effect to test.
    """
    return can_draw_forest(s)
