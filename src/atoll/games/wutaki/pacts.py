"""Pacts (WU-6): display, accepting, giving, renewing and fulfilling them, tracks, counter."""

from __future__ import annotations

from collections.abc import Sequence

from atoll.engine import Choose, Draw, Flow, RequestFlow, insert_sorted, remove_sorted

from .cards import draw_omens
from .components import (
    ACCEPT_PACT,
    ALL_DRAW_OMEN,
    DISCARD_PACT,
    FULFIL_PACT,
    GIFT_PACT,
    RENEW_PACTS,
    UPKEEP,
    Effect,
)
from .effects import DONE, FLOWS, TESTS, Done, run_effects
from .kinds import ACCEPT, DRAW_PACT, FULFIL, GIFT, GOLD, PASS, TO
from .kinds import DISCARD_PACT as DISCARD_PACT_KIND
from .prices import can_pay, can_pay_reduced
from .state import WutakiState, board, clockwise, gain, masterboard, others, pay
from .tokens import pay_cost
from .workers import pay_upkeep

# -- the display -----------------------------------------------------------------------------------


def refill(s: WutakiState) -> Flow:
    """Slide open pacts right without overtaking; new ones enter from the left.

    The first one goes farthest right. An empty deck is rebuilt from the discard.
    Rules WU-6.3 and WU-8.5, ruling R44.

    Args:
        s: The state.

    Returns:
        The flow.
    """
    kept = [card for card in s.display if card >= 0]
    gaps = len(s.display) - len(kept)
    s.display = [-1] * gaps + kept
    for slot in range(gaps - 1, -1, -1):
        if not s.pact_deck:
            s.pact_deck, s.pact_discard = s.pact_discard, []
            if not s.pact_deck:
                return
        card: int = yield Draw(DRAW_PACT, s.pact_deck)
        remove_sorted(s.pact_deck, card)
        s.display[slot] = card
        if s.events is not None:
            s.emit("pact_dealt", pact=card, n=slot + 1)


def take_from_display(s: WutakiState, card: int) -> None:
    """Take a card from the display and leave a gap."""
    s.display[s.display.index(card)] = -1


@FLOWS.of(RENEW_PACTS)
def resolve_renew_pacts(s: WutakiState, seat: int, effect: Effect, must: bool) -> Flow:
    """Discard the open pacts and deal four new ones from right to left. Rule WU-6.4, ruling R19.

    Args:
        s: The state.
        seat: The seat that carries out the effect.
        effect: The effect to carry out.
        must: Whether the seat may not decline.
    """
    for card in s.display:
        if card >= 0:
            insert_sorted(s.pact_discard, card)
    s.display = [-1] * len(s.display)
    s.emit("pacts_renewed")
    yield from refill(s)


@TESTS.of(RENEW_PACTS)
def would_renew_pacts(s: WutakiState, seat: int, effect: Effect, hand: Sequence[int]) -> bool:
    """Return whether there is a pact in the display, the deck or the discard.

    Args:
        s: The state.
        seat: The seat that would carry out the effect.
        effect: The effect to test.
        hand: The omens that the seat could use.
    """
    return bool(s.pact_deck or s.pact_discard or max(s.display) >= 0)


# -- WU-6.1 Accepting a pact -----------------------------------------------------------------------


def acceptable(s: WutakiState, seat: int, bonus: bool) -> list[int]:
    """Return the open pacts that the seat can accept; it must have the gold that a slot costs.

    Rule WU-6.1.

    Args:
        s: The state.
        seat: The seat concerned.
        bonus: Whether the slot's gold counts.
    """
    gold = s.stock[seat][GOLD]
    printed = board(s).slot_gold
    found = []
    for slot, card in enumerate(s.display):
        if card >= 0 and (not bonus or gold + printed[slot] >= 0):
            found.append(card)
    found.sort()
    return found


@FLOWS.of(ACCEPT_PACT)
def resolve_accept_pact(s: WutakiState, seat: int, effect: Effect, must: bool) -> Flow:
    """Take an open pact into the own stock, unfulfilled, with its slot's gold bonus or price.

    Rule WU-6.1.

    Args:
        s: The state.
        seat: The seat that carries out the effect.
        effect: The effect to carry out.
        must: Whether the seat may not decline.

    Returns:
        The flow.
    """
    cards = acceptable(s, seat, effect.bonus)
    if not cards:
        return
    card = cards[0]
    if len(cards) > 1:
        options = ACCEPT.all_choices(cards)
        choice: int = yield Choose(seat, "accept_pact", options, source=effect.source, rule="accept_pact")
        card = ACCEPT.part(choice)
    slot = s.display.index(card)
    take_from_display(s, card)
    insert_sorted(s.pacts[seat], card)
    if s.events is not None:
        s.emit("pact_accepted", seat=seat, pact=card)
    if effect.bonus:
        gold = board(s).slot_gold[slot]
        if gold < 0:
            pay(s, seat, GOLD, -gold)
        else:
            gain(s, seat, GOLD, gold)
    yield from refill(s)


@TESTS.of(ACCEPT_PACT)
def would_accept_pact(s: WutakiState, seat: int, effect: Effect, hand: Sequence[int]) -> bool:
    """Return whether the display has a card whose gold cost, if any, can be paid.

    Args:
        s: The state.
        seat: The seat that would carry out the effect.
        effect: The effect to test.
        hand: The omens that the seat could use.
    """
    if s.display[0] >= 0 and (not effect.bonus or s.components.boards[s.side].slot_gold[0] >= 0):
        return True
    return bool(acceptable(s, seat, effect.bonus))


# -- WU-6.5 Giving a pact away ---------------------------------------------------------------------


@FLOWS.of(GIFT_PACT)
def resolve_gift_pact(s: WutakiState, seat: int, effect: Effect, must: bool) -> Flow:
    """Give a pact of the display, or an own unfulfilled one, to a player that can't refuse.

    Rule WU-6.5, rulings R20 and R46.

    Args:
        s: The state.
        seat: The seat that carries out the effect.
        effect: The effect to carry out.
        must: Whether the seat may not decline.

    Returns:
        The flow.
    """
    cards = sorted(s.pacts[seat] if effect.own else [card for card in s.display if card >= 0])
    if not cards:
        return
    card = cards[0]
    if len(cards) > 1:
        options = GIFT.all_choices(cards)
        choice: int = yield Choose(seat, "gift_pact", options, source=effect.source, rule="gift_pact")
        card = GIFT.part(choice)
    receiver: int = yield from choose_receiver(s, seat, effect.source, "gift_pact_to")
    if effect.own:
        s.pacts[seat].remove(card)
    else:
        take_from_display(s, card)
    insert_sorted(s.pacts[receiver], card)
    s.emit("pact_given", seat=seat, pact=card, seat_2=receiver)
    if not effect.own:
        yield from refill(s)


def choose_receiver(s: WutakiState, seat: int, source: str, prompt: str) -> RequestFlow[int]:
    """Ask for another player.

    Args:
        s: The state.
        seat: The seat concerned.
        source: Id of the card, place or board that asks.
        prompt: The key of the question.

    Returns:
        The seat chosen.
    """
    receivers = sorted(others(s, seat))
    if len(receivers) == 1:
        return receivers[0]
    choice: int = yield Choose(seat, prompt, TO.all_choices(receivers), source=source, rule="gift_pact")
    return TO.part(choice)


@TESTS.of(GIFT_PACT)
def would_gift_pact(s: WutakiState, seat: int, effect: Effect, hand: Sequence[int]) -> bool:
    """Return whether the display isn't empty or, for an own pact, the seat has an unfulfilled one.

    Args:
        s: The state.
        seat: The seat that would carry out the effect.
        effect: The effect to test.
        hand: The omens that the seat could use.
    """
    return bool(s.pacts[seat]) if effect.own else s.display.count(-1) < len(s.display)


@FLOWS.of(DISCARD_PACT)
def resolve_discard_pact(s: WutakiState, seat: int, effect: Effect, must: bool) -> Flow:
    """Put `n` own unfulfilled pacts on the pact discard. Rule WU-8.6.

    Args:
        s: The state.
        seat: The seat that carries out the effect.
        effect: The effect to carry out.
        must: Whether the seat may not decline.

    Returns:
        The flow.
    """
    for _ in range(effect.n):
        cards = s.pacts[seat]
        if not cards:
            return
        card = cards[0]
        if len(cards) > 1:
            options = DISCARD_PACT_KIND.all_choices(cards)
            choice: int = yield Choose(seat, "discard_pact", options, source=effect.source, rule="pacts")
            card = DISCARD_PACT_KIND.part(choice)
        s.pacts[seat].remove(card)
        insert_sorted(s.pact_discard, card)
        s.emit("pact_discarded", seat=seat, pact=card)


@TESTS.of(DISCARD_PACT)
def would_discard_pact(s: WutakiState, seat: int, effect: Effect, hand: Sequence[int]) -> bool:
    """Return whether the seat has an unfulfilled pact.

    Args:
        s: The state.
        seat: The seat that would carry out the effect.
        effect: The effect to test.
        hand: The omens that the seat could use.
    """
    return bool(s.pacts[seat])


# -- WU-6.6 Fulfilling a pact ----------------------------------------------------------------------


def fulfillable(
    s: WutakiState, seat: int, hand: Sequence[int], most: int = 0, *, discount: int = 0, free: bool = False
) -> list[int]:
    """Return the own unfulfilled pacts whose cost, reduced by the discount, can be paid.

    Discounts don't touch omens.
    Rule WU-6.6, ruling R48.

    Args:
        s: The state.
        seat: The seat that would fulfill a pact.
        hand: Its omens in hand.
        most: Number of pacts after which the search at a full price ends; 0 for all.
        discount: Tokens that may be left out.
        free: Whether the whole cost is dropped.
    """
    own = s.pacts[seat]
    if free or not own:
        return own
    pacts, stock, marker = s.components.pacts, s.stock[seat], s.cost_marker[seat]
    found = []
    if discount:
        for card in own:
            cost = pacts[card].action.cost
            if len(hand) >= cost.omen and can_pay_reduced(stock, cost.tokens, marker, discount):
                found.append(card)
        return found
    prices = s.components.pact_prices[marker]
    for card in own:
        for kind, n in prices[card]:
            if stock[kind] < n:
                break
        else:
            cost = pacts[card].action.cost
            if cost.is_fixed or can_pay(s, seat, cost, hand):
                found.append(card)
                if len(found) == most:
                    break
    return found


@FLOWS.of(FULFIL_PACT)
def resolve_fulfil_pact(s: WutakiState, seat: int, effect: Effect, must: bool) -> Flow:
    """Fulfill one own unfulfilled pact now, cheaper or for nothing; optional unless the seat must.

    Rule WU-6.6, ruling R48.

    Args:
        s: The state.
        seat: The seat that carries out the effect.
        effect: The effect to carry out.
        must: Whether the seat may not decline.

    Returns:
        The flow.
    """
    cards = fulfillable(s, seat, s.omens[seat], discount=effect.discount, free=effect.free)
    if not cards:
        return
    options = FULFIL.all_choices(cards)
    if not must:
        options.append(PASS)
    choice = options[0]
    if len(options) > 1:
        about = {"discount": effect.discount, "free": effect.free}
        choice = yield Choose(
            seat, "fulfil_pact", options, source=effect.source, rule="fulfil_pact", placeholders=about
        )
    if choice != PASS:
        yield from fulfil(s, seat, FULFIL.part(choice), effect.discount, effect.free)


@TESTS.of(FULFIL_PACT)
def would_fulfil_pact(s: WutakiState, seat: int, effect: Effect, hand: Sequence[int]) -> bool:
    """Return whether there is an own unfulfilled pact whose reduced cost can be paid.

    Args:
        s: The state.
        seat: The seat that would carry out the effect.
        effect: The effect to test.
        hand: The omens that the seat could use.
    """
    return bool(fulfillable(s, seat, hand, discount=effect.discount, free=effect.free))


def fulfil(s: WutakiState, seat: int, card: int, discount: int = 0, free: bool = False) -> Flow:
    """Pay, turn the card over, take the reward, move own track and pact counter, in this order.

    The tokens just sacrificed are noted while the pact is being fulfilled, for raids.
    Rule WU-6.6, rulings R47 and R74.

    Args:
        s: The state.
        seat: The seat concerned.
        card: The pact.
        discount: Tokens that may be left out.
        free: Whether the whole cost is dropped.
    """
    action = s.components.pacts[card].action
    outer, maw = s.sacrificed, s.maw[:]
    if not free:
        yield from pay_cost(s, seat, action.cost, action.source, discount)
    s.sacrificed = [now - before for now, before in zip(s.maw, maw, strict=True)]
    s.pacts[seat].remove(card)
    insert_sorted(s.fulfilled[seat], card)
    if s.events is not None:
        s.emit("pact_fulfilled", seat=seat, pact=card)
    yield from run_effects(s, seat, action.effects, must=False)
    yield from advance_track(s, seat)
    s.sacrificed = outer
    yield from advance_counter(s)


def advance_track(s: WutakiState, seat: int) -> Flow | Done:
    """Move the marker on the own pact track; its space acts, and at the end it stays.

    Rule WU-9.1, ruling R54.

    Args:
        s: The state.
        seat: The seat concerned.

    Returns:
        The flow, or `DONE` if it asks nobody.
    """
    track = masterboard(s, seat).track[s.seats]
    if s.track[seat] + 1 >= len(track):
        return DONE
    s.track[seat] += 1
    return run_effects(s, seat, track[s.track[seat]], must=False)


def advance_counter(s: WutakiState) -> Flow | Done:
    """Move the pact counter to its next position, past those for more players, then run its event.

    After the last position comes 0. From the start player on, all draw an omen or pay their
    workers.
    Rule WU-6.2, ruling R50.

    Args:
        s: The state.

    Returns:
        The flow, or `DONE` if it asks nobody.
    """
    printed = board(s)
    s.counter = printed.counter_next[s.seats][s.counter]
    if s.events is not None:
        s.emit("counter", n=s.counter)
    event = printed.counter_event[s.counter]
    return DONE if event < 0 else _for_all(s, event)


def _for_all(s: WutakiState, event: int) -> Flow:
    """Run an event of the pact counter for all."""
    for seat in clockwise(s, s.start):
        if event == ALL_DRAW_OMEN:
            yield from draw_omens(s, seat, 1)
        else:
            assert event == UPKEEP
            yield from pay_upkeep(s, seat)
