"""Pacts: the display, accepting, giving, renewing and fulfilling them, pact tracks and the pact counter."""

from __future__ import annotations

from collections.abc import Sequence

from atoll.engine import Asking, Choose, Draw, Flow, put

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
from .kinds import ACCEPT, DRAW_PACT, FULFIL, GIFT, GOLD, PASS, TO
from .kinds import DISCARD_PACT as DISCARD_PACT_KIND
from .state import WutakiState, board, clockwise, gain, masterboard, others, pay
from .tokens import can_pay_reduced, pay_cost
from .verbs import Rest, can_pay, flow, run_effects, test
from .workers import pay_upkeep

# -- the display ------------------------------------------------------------------------------------------------------


def refill(s: WutakiState) -> Flow:
    """Open pacts slide right without overtaking; then new ones enter from the left, the first one farthest right.

    § Decks: an empty deck is made anew from the discard.
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
        s.pact_deck.remove(card)
        s.display[slot] = card
        if s.told is not None:
            s.tell("pact_dealt", pact=card, n=slot + 1)


def take_from_display(s: WutakiState, card: int) -> None:
    """Leave a gap where the card was."""
    s.display[s.display.index(card)] = -1


@flow(RENEW_PACTS)
def resolve_renew_pacts(s: WutakiState, p: int, effect: Effect, must: bool) -> Flow:
    """§ Pakte erneuern. The open pacts are discarded, four new ones dealt from right to left."""
    for card in s.display:
        if card >= 0:
            put(s.pact_discard, card)
    s.display = [-1] * len(s.display)
    s.tell("pacts_renewed")
    yield from refill(s)


@test(RENEW_PACTS)
def would_renew_pacts(s: WutakiState, p: int, effect: Effect, hand: Sequence[int]) -> bool:
    """There's a pact in the display, the deck or the discard."""
    return bool(s.pact_deck or s.pact_discard or max(s.display) >= 0)


# -- § Pakt annehmen --------------------------------------------------------------------------------------------------


def acceptable(s: WutakiState, p: int, bonus: bool) -> list[int]:
    """The open pacts that the seat can accept: where the slot costs gold, it must be there."""
    if not bonus:
        return sorted(card for card in s.display if card >= 0)
    gold = s.stock[p][GOLD]
    printed = board(s).slot_gold
    return sorted(card for card, amount in zip(s.display, printed, strict=True) if card >= 0 and gold + amount >= 0)


@flow(ACCEPT_PACT)
def resolve_accept_pact(s: WutakiState, p: int, effect: Effect, must: bool) -> Flow:
    """§ Pakt annehmen. An open pact goes into the own stock, unfulfilled, with its slot's gold bonus or price."""
    cards = acceptable(s, p, effect.bonus)
    if not cards:
        return
    card = cards[0]
    if len(cards) > 1:
        options = [ACCEPT.first + each for each in cards]
        choice: int = yield Choose(p, "accept_pact", options, source=effect.source, rule="accept_pact")
        card = choice - ACCEPT.first
    slot = s.display.index(card)
    take_from_display(s, card)
    put(s.pacts[p], card)
    s.tell("pact_accepted", seat=p, pact=card)
    if effect.bonus:
        gold = board(s).slot_gold[slot]
        if gold < 0:
            pay(s, p, GOLD, -gold)
        else:
            gain(s, p, GOLD, gold)
    yield from refill(s)


@test(ACCEPT_PACT)
def would_accept_pact(s: WutakiState, p: int, effect: Effect, hand: Sequence[int]) -> bool:
    """The display has a card whose gold cost, if any, can be paid."""
    if s.display[0] >= 0 and (not effect.bonus or s.box.boards[s.side].slot_gold[0] >= 0):
        return True
    return bool(acceptable(s, p, effect.bonus))


# -- § Pakt verschenken -----------------------------------------------------------------------------------------------


@flow(GIFT_PACT)
def resolve_gift_pact(s: WutakiState, p: int, effect: Effect, must: bool) -> Flow:
    """§ Pakt verschenken. A pact of the display, or an own unfulfilled one, goes to somebody who can't refuse."""
    cards = sorted(s.pacts[p] if effect.own else [card for card in s.display if card >= 0])
    if not cards:
        return
    card = cards[0]
    if len(cards) > 1:
        options = [GIFT.first + each for each in cards]
        choice: int = yield Choose(p, "gift_pact", options, source=effect.source, rule="gift_pact")
        card = choice - GIFT.first
    receiver: int = yield from choose_receiver(s, p, effect.source, "gift_pact_to")
    if effect.own:
        s.pacts[p].remove(card)
    else:
        take_from_display(s, card)
    put(s.pacts[receiver], card)
    s.tell("pact_given", seat=p, pact=card, seat_2=receiver)
    if not effect.own:
        yield from refill(s)


def choose_receiver(s: WutakiState, p: int, source: str, prompt: str) -> Asking[int]:
    """Another player of choice."""
    receivers = sorted(others(s, p))
    if len(receivers) == 1:
        return receivers[0]
    choice: int = yield Choose(p, prompt, [TO.first + q for q in receivers], source=source, rule="gift_pact")
    return choice - TO.first


@test(GIFT_PACT)
def would_gift_pact(s: WutakiState, p: int, effect: Effect, hand: Sequence[int]) -> bool:
    """The display isn't empty, or (for an own pact) the seat has an unfulfilled one."""
    return bool(s.pacts[p]) if effect.own else max(s.display) >= 0


@flow(DISCARD_PACT)
def resolve_discard_pact(s: WutakiState, p: int, effect: Effect, must: bool) -> Flow:
    """Put n own unfulfilled pacts on the pact discard."""
    for _ in range(effect.n):
        cards = s.pacts[p]
        if not cards:
            return
        card = cards[0]
        if len(cards) > 1:
            options = [DISCARD_PACT_KIND.first + each for each in cards]
            choice: int = yield Choose(p, "discard_pact", options, source=effect.source, rule="pacts")
            card = choice - DISCARD_PACT_KIND.first
        s.pacts[p].remove(card)
        put(s.pact_discard, card)
        s.tell("pact_discarded", seat=p, pact=card)


@test(DISCARD_PACT)
def would_discard_pact(s: WutakiState, p: int, effect: Effect, hand: Sequence[int]) -> bool:
    """The seat has an unfulfilled pact."""
    return bool(s.pacts[p])


# -- § Pakte erfüllen -------------------------------------------------------------------------------------------------


def fulfillable(s: WutakiState, p: int, hand: Sequence[int], discount: int = 0, free: bool = False) -> list[int]:
    """The own unfulfilled pacts whose cost, reduced by the discount, can be paid. Discounts don't touch omens (R48)."""
    own = s.pacts[p]
    if free or not own:
        return own
    pacts, stock, marker = s.box.pacts, s.stock[p], s.cost_marker[p]
    found = []
    if discount:
        for card in own:
            cost = pacts[card].action.cost
            if len(hand) >= cost.omen and can_pay_reduced(stock, cost.tokens, marker, discount):
                found.append(card)
        return found
    prices = s.box.pact_prices[marker]
    for card in own:
        for kind, n in prices[card]:
            if stock[kind] < n:
                break
        else:
            cost = pacts[card].action.cost
            if cost.is_fixed or can_pay(s, p, cost, hand):
                found.append(card)
    return found


@flow(FULFIL_PACT)
def resolve_fulfil_pact(s: WutakiState, p: int, effect: Effect, must: bool) -> Flow:
    """Fulfil one own unfulfilled pact now, cheaper or for nothing; optional unless the seat must."""
    cards = fulfillable(s, p, s.omens[p], effect.discount, effect.free)
    if not cards:
        return
    options = [FULFIL.first + card for card in cards]
    if not must:
        options.append(PASS)
    choice = options[0]
    if len(options) > 1:
        choice = yield Choose(p, "fulfil_pact", options, source=effect.source, rule="fulfil_pact")
    if choice != PASS:
        yield from fulfil(s, p, choice - FULFIL.first, effect.discount, effect.free)


@test(FULFIL_PACT)
def would_fulfil_pact(s: WutakiState, p: int, effect: Effect, hand: Sequence[int]) -> bool:
    """There's an own unfulfilled pact whose reduced cost can be paid."""
    return bool(fulfillable(s, p, hand, effect.discount, effect.free))


def fulfil(s: WutakiState, p: int, card: int, discount: int = 0, free: bool = False) -> Flow:
    """§ Pakte erfüllen. Cost, card away, reward, own pact track, pact counter, in this order (R47).

    What has just been sacrificed is noted while the pact is being fulfilled, for raids.
    """
    action = s.box.pacts[card].action
    outer, maw = s.sacrificed, s.maw[:]
    if not free:
        yield from pay_cost(s, p, action.cost, action.source, discount)
    s.sacrificed = [now - before for now, before in zip(s.maw, maw, strict=True)]
    s.pacts[p].remove(card)
    put(s.fulfilled[p], card)
    s.tell("pact_fulfilled", seat=p, pact=card)
    yield from run_effects(s, p, action.effects, must=False)
    yield from advance_track(s, p)
    s.sacrificed = outer
    yield from advance_counter(s)


def advance_track(s: WutakiState, p: int) -> Rest:
    """§ Masterboards. The marker on the own pact track moves on, its space acts; at the end it stays (R54)."""
    track = masterboard(s, p).track
    if s.track[p] + 1 >= len(track):
        return ()
    s.track[p] += 1
    return run_effects(s, p, track[s.track[p]], must=False)


def advance_counter(s: WutakiState) -> Rest:
    """§ Allgemeiner Paktzähler. One position on, past those for more players, after the last one 0; then its event."""
    printed = board(s)
    s.counter = printed.counter_next[s.seats][s.counter]
    s.tell("counter", n=s.counter)
    event = printed.counter_event[s.counter]
    return happen(s, event) if event >= 0 else ()


def happen(s: WutakiState, event: int) -> Flow:
    """§ Allgemeiner Paktzähler. From the start player on, all draw an omen or pay their workers."""
    if event == ALL_DRAW_OMEN:
        for p in clockwise(s, s.start):
            yield from draw_omens(s, p, 1)
    elif event == UPKEEP:
        for p in clockwise(s, s.start):
            yield from pay_upkeep(s, p)
