"""Omens, vengeance cards, secret pacts."""

from __future__ import annotations

from collections.abc import Sequence

from atoll.engine import Choose, Draw, Flow, only, put

from .components import (
    BURN_OMENS,
    DRAW_OMEN,
    DRAW_SECRET_PACT,
    DRAW_VENGEANCE,
    END_VP,
    FLAG,
    GIFT_VENGEANCE,
    PLAY_OMEN,
    RETURN_VENGEANCE,
    TAKE_OMEN,
    Effect,
)
from .kinds import DISCARD, FROM, GIVE_VENGEANCE, PASS, PLAY, TO
from .kinds import DRAW_OMEN as DRAW_OMEN_KIND
from .kinds import DRAW_SECRET_PACT as DRAW_SECRET_PACT_KIND
from .kinds import DRAW_VENGEANCE as DRAW_VENGEANCE_KIND
from .kinds import RETURN_VENGEANCE as RETURN_VENGEANCE_KIND
from .state import WutakiState, drop_vengeance, forget, gain_vp, hold_vengeance, others, secret
from .tokens import discard_omen, pay_cost
from .verbs import TESTS, Rest, always, can_pay, flow, is_possible, run_effects, test

# -- § Omen -----------------------------------------------------------------------------------------------------------


def draw_omens(s: WutakiState, p: int, n: int) -> Flow:
    """§ Omen ziehen. Draw n omens to the hand; an empty deck is made anew from the discard, else the draw is lost."""
    for _ in range(n):
        if not s.omen_deck:
            s.omen_deck, s.omen_discard = s.omen_discard, []
        if not s.omen_deck:
            return
        card: int = yield Draw(DRAW_OMEN_KIND, s.omen_deck, audience=only(p))
        s.omen_deck.remove(card)
        put(s.omens[p], card)
        if s.told is not None:
            s.tell("omen_drawn", seat=p, omen=secret(card, p))


@flow(DRAW_OMEN)
def resolve_draw_omen(s: WutakiState, p: int, effect: Effect, must: bool) -> Flow:
    """Draw n omens."""
    return draw_omens(s, p, effect.n)


@test(DRAW_OMEN)
def would_draw_omen(s: WutakiState, p: int, effect: Effect, hand: Sequence[int]) -> bool:
    """Deck or discard has a card; one that is being played doesn't count as discarded yet (R61)."""
    return bool(s.omen_deck or s.omen_discard)


def playable(s: WutakiState, p: int, hand: Sequence[int]) -> list[int]:
    """The omens of a hand that are possible (R60), each once."""
    found = []
    last = -1
    for index, card in enumerate(hand):
        if card != last:
            last = card
            if can_play(s, p, hand, index):
                found.append(card)
    return found


def can_play(s: WutakiState, p: int, hand: Sequence[int], index: int) -> bool:
    """Whether an omen of a hand is possible. None pays for itself or plays itself (R61)."""
    omen = s.box.omens[hand[index]]
    if omen.selfish:
        hand = [*hand[:index], *hand[index + 1 :]]
    return is_possible(s, p, omen.action, hand)


@flow(PLAY_OMEN)
def resolve_play_omen(s: WutakiState, p: int, effect: Effect, must: bool) -> Flow:
    """§ Omen ausspielen. Play up to n omens, one after the other; the first one isn't optional if the seat must.

    Where declining is allowed, whoever has cards is asked, even if none can be played: silence would betray the hand.
    """
    for number in range(effect.n):
        if not s.omens[p]:
            return
        options = [PLAY.first + card for card in playable(s, p, s.omens[p])]
        if number or not must or not options:
            options.append(PASS)
        choice: int = yield Choose(p, "play_omen", options, source=effect.source, rule="omens")
        if choice == PASS:
            return
        yield from play_omen(s, p, choice - PLAY.first)


@test(PLAY_OMEN)
def would_play_omen(s: WutakiState, p: int, effect: Effect, hand: Sequence[int]) -> bool:
    """The hand has an omen that is possible."""
    omens = s.box.omens
    for index, card in enumerate(hand):
        omen = omens[card]
        if omen.selfish:
            if can_play(s, p, hand, index):
                return True
            continue
        action = omen.action
        if (action.cost.is_free or can_pay(s, p, action.cost, hand)) and TESTS[action.first.verb](
            s, p, action.first, hand
        ):
            return True
    return False


def play_omen(s: WutakiState, p: int, card: int) -> Flow:
    """§ Omenkarten. The card is shown, its cost paid, its effects run; then it is discarded or stays on the table.

    While it is being played it is neither in the hand nor in the discard. Of permanent omens only one can lie before a
    player: the older one goes to the discard when the new one is laid down (R62).
    """
    omen = s.box.omens[card]
    s.omens[p].remove(card)
    s.playing.append(card)
    s.tell("omen_played", seat=p, omen=card)
    yield from pay_cost(s, p, omen.action.cost, omen.action.source)
    yield from run_effects(s, p, omen.action.effects, must=True)
    s.playing.pop()
    if not omen.permanent:
        put(s.omen_discard, card)
        return
    if s.permanent[p] >= 0:
        put(s.omen_discard, s.permanent[p])
        s.tell("omen_replaced", seat=p, omen=s.permanent[p])
    s.permanent[p] = card


@flow(END_VP)
@flow(FLAG)
def resolve_permanent(s: WutakiState, p: int, effect: Effect, must: bool) -> Rest:
    """§ Dauerhafte Omenkarten. What lies on the table counts there; playing the card does nothing else."""
    return ()


test(END_VP)(always)
test(FLAG)(always)


@flow(TAKE_OMEN)
def resolve_take_omen(s: WutakiState, p: int, effect: Effect, must: bool) -> Flow:
    """Choose another player with omens in hand and take n of them at random."""
    victims = sorted(q for q in others(s, p) if s.omens[q])
    if not victims:
        return
    victim = victims[0]
    if len(victims) > 1:
        choice: int = yield Choose(
            p, "steal_from", [FROM.first + q for q in victims], source=effect.source, rule="omens"
        )
        victim = choice - FROM.first
    for _ in range(min(effect.n, len(s.omens[victim]))):
        card: int = yield Draw(DRAW_OMEN_KIND, s.omens[victim], audience=only(p, victim))
        s.omens[victim].remove(card)
        put(s.omens[p], card)
        s.tell("omen_taken", seat=p, seat_2=victim, omen=secret(card, p, victim))


@test(TAKE_OMEN)
def would_take_omen(s: WutakiState, p: int, effect: Effect, hand: Sequence[int]) -> bool:
    """Another player has an omen in hand."""
    return any(s.omens[q] for q in others(s, p))


@flow(BURN_OMENS)
def resolve_burn_omens(s: WutakiState, p: int, effect: Effect, must: bool) -> Flow:
    """Discard 1 to n omens from the hand for VP each; chosen in ascending order."""
    least = 0
    for number in range(effect.n):
        options = [DISCARD.first + card for card in sorted(set(s.omens[p])) if card >= least]
        if number:
            options.append(PASS)
        if not options:
            return
        choice: int = yield Choose(
            p, "burn_omens", options, source=effect.source, rule="abilities", about={"n": effect.vp}
        )
        if choice == PASS:
            return
        least = choice - DISCARD.first
        discard_omen(s, p, least)
        gain_vp(s, p, effect.vp)


@test(BURN_OMENS)
def would_burn_omens(s: WutakiState, p: int, effect: Effect, hand: Sequence[int]) -> bool:
    """There's an omen in the hand."""
    return bool(hand)


# -- § Rachekarten ----------------------------------------------------------------------------------------------------


@flow(DRAW_VENGEANCE)
def resolve_draw_vengeance(s: WutakiState, p: int, effect: Effect, must: bool) -> Flow:
    """§ Rachekarten. Draw n and keep them face down; from an empty deck the draw is lost (R9)."""
    for _ in range(effect.n):
        if not s.vengeance_deck:
            return
        card: int = yield Draw(DRAW_VENGEANCE_KIND, s.vengeance_deck, audience=only(p))
        s.vengeance_deck.remove(card)
        forget(s.returned, p, card)
        hold_vengeance(s, p, card, only(p))
        if s.told is not None:
            s.tell("vengeance_drawn", seat=p, vengeance=secret(card, p))


@test(DRAW_VENGEANCE)
def would_draw_vengeance(s: WutakiState, p: int, effect: Effect, hand: Sequence[int]) -> bool:
    """The deck isn't empty."""
    return bool(s.vengeance_deck)


@flow(RETURN_VENGEANCE)
def resolve_return_vengeance(s: WutakiState, p: int, effect: Effect, must: bool) -> Flow:
    """Shuffle up to n own vengeance cards back into the deck; only their owner knows which."""
    for number in range(effect.n):
        options = [RETURN_VENGEANCE_KIND.first + card for card in sorted(s.vengeance[p])]
        if not options:
            return
        if number or not must:
            options.append(PASS)
        choice = options[0]
        if len(options) > 1:
            choice = yield Choose(
                p, "return_vengeance", options, source=effect.source, rule="vengeance", audience=only(p)
            )
        if choice == PASS:
            return
        card = choice - RETURN_VENGEANCE_KIND.first
        drop_vengeance(s, p, card, only(p))
        put(s.vengeance_deck, card)
        put(s.returned[p], card)
        s.tell("vengeance_returned", seat=p, vengeance=secret(card, p))


@test(RETURN_VENGEANCE)
@test(GIFT_VENGEANCE)
def would_pass_vengeance_on(s: WutakiState, p: int, effect: Effect, hand: Sequence[int]) -> bool:
    """The seat has a vengeance card."""
    return bool(s.vengeance[p])


@flow(GIFT_VENGEANCE)
def resolve_gift_vengeance(s: WutakiState, p: int, effect: Effect, must: bool) -> Flow:
    """Give n own vengeance cards away, one by one; only giver and receiver see which. Optional unless the seat must."""
    receivers = [TO.first + q for q in sorted(others(s, p))]
    for number in range(effect.n):
        if not s.vengeance[p]:
            return
        options = receivers if must or number else [*receivers, PASS]
        choice = options[0]
        if len(options) > 1:
            choice = yield Choose(p, "gift_vengeance_to", options, source=effect.source, rule="vengeance")
        if choice == PASS:
            return
        yield from hand_over_vengeance(s, p, choice - TO.first, effect.source)


def hand_over_vengeance(s: WutakiState, p: int, receiver: int, source: str) -> Flow:
    """The giver picks the card; the receiver can't refuse (R46)."""
    cards = sorted(s.vengeance[p])
    card = cards[0]
    if len(cards) > 1:
        options = [GIVE_VENGEANCE.first + each for each in cards]
        choice: int = yield Choose(
            p,
            "gift_vengeance",
            options,
            source=source,
            rule="vengeance",
            audience=only(p, receiver),
            about={"seat_2": receiver},
        )
        card = choice - GIVE_VENGEANCE.first
    known_by = drop_vengeance(s, p, card, only(p, receiver))
    hold_vengeance(s, receiver, card, known_by)
    s.tell("vengeance_given", seat=p, seat_2=receiver, vengeance=secret(card, p, receiver))


# -- § Geheimpakte ----------------------------------------------------------------------------------------------------


def draw_secret_pact(s: WutakiState, p: int) -> Flow:
    """Draw a secret pact and keep it; from an empty deck the draw is lost (R9)."""
    if not s.secret_pact_deck:
        return
    card: int = yield Draw(DRAW_SECRET_PACT_KIND, s.secret_pact_deck, audience=only(p))
    s.secret_pact_deck.remove(card)
    forget(s.rejected, p, card)
    put(s.secret_pacts[p], card)
    s.tell("secret_pact_drawn", seat=p, secret_pact=secret(card, p))


@flow(DRAW_SECRET_PACT)
def resolve_draw_secret_pact(s: WutakiState, p: int, effect: Effect, must: bool) -> Flow:
    """Draw n secret pacts."""
    for _ in range(effect.n):
        yield from draw_secret_pact(s, p)


@test(DRAW_SECRET_PACT)
def would_draw_secret_pact(s: WutakiState, p: int, effect: Effect, hand: Sequence[int]) -> bool:
    """The deck isn't empty."""
    return bool(s.secret_pact_deck)
