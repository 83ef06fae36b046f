"""Omens (WU-8.8), vengeance cards, secret pacts."""

from __future__ import annotations

from collections.abc import Sequence

from atoll.engine import Choose, Draw, Flow, audience_of_seats, insert_sorted, pick_set, remove_sorted

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
from .effects import DONE, FLOWS, TESTS, Done, always, is_possible, run_effects
from .kinds import DISCARD, FROM, GIVE_VENGEANCE, PASS, PLAY, TO
from .kinds import DRAW_OMEN as DRAW_OMEN_KIND
from .kinds import DRAW_SECRET_PACT as DRAW_SECRET_PACT_KIND
from .kinds import DRAW_VENGEANCE as DRAW_VENGEANCE_KIND
from .kinds import RETURN_VENGEANCE as RETURN_VENGEANCE_KIND
from .prices import can_pay
from .state import WutakiState, drop_vengeance, forget, gain_vp, hold_vengeance, others, secret
from .tokens import discard_omen, pay_cost

# -- WU-8.8 Omens ----------------------------------------------------------------------------------


def draw_omens(s: WutakiState, seat: int, n: int) -> Flow:
    """Draw omens to the hand; an empty deck is rebuilt from the discard, else the draw is lost.

    Rules WU-8.5 and WU-8.8.

    Args:
        s: The state.
        seat: The seat concerned.
        n: The number of omens.

    Returns:
        The flow.
    """
    for _ in range(n):
        if not s.omen_deck:
            s.omen_deck, s.omen_discard = s.omen_discard, []
        if not s.omen_deck:
            return
        card: int = yield Draw(DRAW_OMEN_KIND, s.omen_deck, audience=audience_of_seats(seat))
        remove_sorted(s.omen_deck, card)
        insert_sorted(s.omens[seat], card)
        if s.events is not None:
            s.emit("omen_drawn", seat=seat, omen=secret(card, seat))


@FLOWS.of(DRAW_OMEN)
def resolve_draw_omen(s: WutakiState, seat: int, effect: Effect, must: bool) -> Flow:
    """Draw `n` omens.

    Args:
        s: The state.
        seat: The seat that carries out the effect.
        effect: The effect to carry out.
        must: Whether the seat may not decline.

    Returns:
        The flow.
    """
    return draw_omens(s, seat, effect.n)


@TESTS.of(DRAW_OMEN)
def would_draw_omen(s: WutakiState, seat: int, effect: Effect, hand: Sequence[int]) -> bool:
    """Return whether deck or discard has a card; one being played isn't discarded yet.

    Rule WU-8.7, ruling R61.

    Args:
        s: The state.
        seat: The seat that would carry out the effect.
        effect: The effect to test.
        hand: The omens that the seat could use.
    """
    return bool(s.omen_deck or s.omen_discard)


def playable(s: WutakiState, seat: int, hand: Sequence[int]) -> list[int]:
    """Return the omens of a hand that are possible, each once. Rule WU-8.7, ruling R60.

    Args:
        s: The state.
        seat: The seat concerned.
        hand: The omens in hand.
    """
    found = []
    last = -1
    for index, card in enumerate(hand):
        if card != last:
            last = card
            if can_play(s, seat, hand, index):
                found.append(card)
    return found


def can_play(s: WutakiState, seat: int, hand: Sequence[int], index: int) -> bool:
    """Return whether an omen of a hand is possible. No omen pays for itself or plays itself.

    Rule WU-8.7, ruling R61.

    Args:
        s: The state.
        seat: The seat concerned.
        hand: The omens in hand.
        index: The index of the omen in `hand`.
    """
    omen = s.components.omens[hand[index]]
    if omen.selfish:
        hand = [*hand[:index], *hand[index + 1 :]]
    return is_possible(s, seat, omen.action, hand)


@FLOWS.of(PLAY_OMEN)
def resolve_play_omen(s: WutakiState, seat: int, effect: Effect, must: bool) -> Flow:
    """Play up to `n` omens, one after the other; the first isn't optional if the seat must.

    If declining is allowed, every seat that has cards is asked, even if none can be played. Silence
    would betray the hand.
    Rule WU-8.8.

    Args:
        s: The state.
        seat: The seat that carries out the effect.
        effect: The effect to carry out.
        must: Whether the seat may not decline.

    Returns:
        The flow.
    """
    for number in range(effect.n):
        if not s.omens[seat]:
            return
        options = PLAY.all_choices(playable(s, seat, s.omens[seat]))
        if number or not must or not options:
            options.append(PASS)
        choice: int = yield Choose(seat, "play_omen", options, source=effect.source, rule=hand_rule(options, "omens"))
        if choice == PASS:
            return
        yield from play_omen(s, seat, PLAY.part(choice))


def hand_rule(options: Sequence[int], rule: str) -> str:
    """Return the rule behind a question about a hand.

    If only "no" is left, the question is asked to hide that, and the rule says so.
    """
    return "kept_secret" if len(options) == 1 and options[0] == PASS else rule


@TESTS.of(PLAY_OMEN)
def would_play_omen(s: WutakiState, seat: int, effect: Effect, hand: Sequence[int]) -> bool:
    """Return whether the hand has an omen that is possible.

    Args:
        s: The state.
        seat: The seat that would carry out the effect.
        effect: The effect to test.
        hand: The omens that the seat could use.
    """
    components = s.components
    for index, card in enumerate(hand):
        omen = components.omens[card]
        if omen.selfish:
            if can_play(s, seat, hand, index):
                return True
            continue
        action = omen.action
        if (action.cost.is_free or can_pay(s, seat, action.cost, hand)) and TESTS[action.first.verb](
            s, seat, action.first, hand
        ):
            return True
    return False


def play_omen(s: WutakiState, seat: int, card: int) -> Flow:
    """Show the card, pay its cost, run its effects; then discard it or leave it on the table.

    While it is being played it is neither in the hand nor in the discard. Only one permanent omen
    can lie in front of a player. The older one is discarded when the new one is laid down.
    Rule WU-8.8, ruling R62.

    Args:
        s: The state.
        seat: The seat concerned.
        card: The omen.

    Returns:
        The flow.
    """
    omen = s.components.omens[card]
    s.omens[seat].remove(card)
    s.playing.append(card)
    if s.events is not None:
        s.emit("omen_played", seat=seat, omen=card)
    yield from pay_cost(s, seat, omen.action.cost, omen.action.source)
    yield from run_effects(s, seat, omen.action.effects, must=True)
    s.playing.pop()
    if not omen.permanent:
        insert_sorted(s.omen_discard, card)
        return
    if s.permanent[seat] >= 0:
        insert_sorted(s.omen_discard, s.permanent[seat])
        s.emit("omen_replaced", seat=seat, omen=s.permanent[seat])
    s.permanent[seat] = card


@FLOWS.of(END_VP)
@FLOWS.of(FLAG)
def resolve_permanent(s: WutakiState, seat: int, effect: Effect, must: bool) -> Done:
    """Do nothing now: a permanent omen counts while it lies on the table. Rule WU-8.9.

    Args:
        s: The state.
        seat: The seat that carries out the effect.
        effect: The effect to carry out.
        must: Whether the seat may not decline.

    Returns:
        `DONE`, because nobody is asked.
    """
    return DONE


TESTS.of(END_VP)(always)
TESTS.of(FLAG)(always)


@FLOWS.of(TAKE_OMEN)
def resolve_take_omen(s: WutakiState, seat: int, effect: Effect, must: bool) -> Flow:
    """Choose another player with omens in hand and take `n` of them at random. Rule WU-8.6.

    Args:
        s: The state.
        seat: The seat that carries out the effect.
        effect: The effect to carry out.
        must: Whether the seat may not decline.

    Returns:
        The flow.
    """
    victims = sorted(other for other in others(s, seat) if s.omens[other])
    if not victims:
        return
    victim = victims[0]
    if len(victims) > 1:
        choice: int = yield Choose(seat, "steal_from", FROM.all_choices(victims), source=effect.source, rule="omens")
        victim = FROM.part(choice)
    for _ in range(min(effect.n, len(s.omens[victim]))):
        card: int = yield Draw(DRAW_OMEN_KIND, s.omens[victim], audience=audience_of_seats(seat, victim))
        s.omens[victim].remove(card)
        insert_sorted(s.omens[seat], card)
        s.emit("omen_taken", seat=seat, seat_2=victim, omen=secret(card, seat, victim))


@TESTS.of(TAKE_OMEN)
def would_take_omen(s: WutakiState, seat: int, effect: Effect, hand: Sequence[int]) -> bool:
    """Return whether another player has an omen in hand.

    Args:
        s: The state.
        seat: The seat that would carry out the effect.
        effect: The effect to test.
        hand: The omens that the seat could use.
    """
    return any(s.omens[other] for other in others(s, seat))


@FLOWS.of(BURN_OMENS)
def resolve_burn_omens(s: WutakiState, seat: int, effect: Effect, must: bool) -> Flow:
    """Discard 1 to `n` omens from the hand for VP each. Rule WU-9.5.

    Args:
        s: The state.
        seat: The seat that carries out the effect.
        effect: The effect to carry out.
        must: Whether the seat may not decline.
    """
    most = min(effect.n, len(s.omens[seat]))
    picked: list[int] = yield from pick_set(
        seat,
        "burn_omens",
        DISCARD.all_choices(s.omens[seat]),
        1,
        most,
        end=PASS,
        source=effect.source,
        rule="abilities",
        about={"n": effect.vp},
    )
    for choice in picked:
        discard_omen(s, seat, DISCARD.part(choice))
        gain_vp(s, seat, effect.vp)


@TESTS.of(BURN_OMENS)
def would_burn_omens(s: WutakiState, seat: int, effect: Effect, hand: Sequence[int]) -> bool:
    """Return whether there is an omen in the hand.

    Args:
        s: The state.
        seat: The seat that would carry out the effect.
        effect: The effect to test.
        hand: The omens that the seat could use.
    """
    return bool(hand)


# -- WU-8.6 Vengeance cards ------------------------------------------------------------------------


@FLOWS.of(DRAW_VENGEANCE)
def resolve_draw_vengeance(s: WutakiState, seat: int, effect: Effect, must: bool) -> Flow:
    """Draw `n` vengeance cards face down; from an empty deck the draw is lost.

    Rules WU-8.5 and WU-8.6, ruling R9.

    Args:
        s: The state.
        seat: The seat that carries out the effect.
        effect: The effect to carry out.
        must: Whether the seat may not decline.

    Returns:
        The flow.
    """
    for _ in range(effect.n):
        if not s.vengeance_deck:
            return
        card: int = yield Draw(DRAW_VENGEANCE_KIND, s.vengeance_deck, audience=audience_of_seats(seat))
        remove_sorted(s.vengeance_deck, card)
        forget(s.returned, seat, card)
        hold_vengeance(s, seat, card, audience_of_seats(seat))
        if s.events is not None:
            s.emit("vengeance_drawn", seat=seat, vengeance=secret(card, seat))


@TESTS.of(DRAW_VENGEANCE)
def would_draw_vengeance(s: WutakiState, seat: int, effect: Effect, hand: Sequence[int]) -> bool:
    """Return whether the deck isn't empty.

    Args:
        s: The state.
        seat: The seat that would carry out the effect.
        effect: The effect to test.
        hand: The omens that the seat could use.
    """
    return bool(s.vengeance_deck)


@FLOWS.of(RETURN_VENGEANCE)
def resolve_return_vengeance(s: WutakiState, seat: int, effect: Effect, must: bool) -> Flow:
    """Shuffle up to `n` own vengeance cards back into the deck; only their owner knows which.

    Rule WU-8.6, ruling R59.

    Args:
        s: The state.
        seat: The seat that carries out the effect.
        effect: The effect to carry out.
        must: Whether the seat may not decline.

    Returns:
        The flow.
    """
    for number in range(effect.n):
        options = RETURN_VENGEANCE_KIND.all_choices(sorted(s.vengeance[seat]))
        if not options:
            return
        if number or not must:
            options.append(PASS)
        choice = options[0]
        if len(options) > 1:
            choice = yield Choose(
                seat,
                "return_vengeance",
                options,
                source=effect.source,
                rule="vengeance",
                audience=audience_of_seats(seat),
            )
        if choice == PASS:
            return
        card = RETURN_VENGEANCE_KIND.part(choice)
        drop_vengeance(s, seat, card, audience_of_seats(seat))
        insert_sorted(s.vengeance_deck, card)
        insert_sorted(s.returned[seat], card)
        s.emit("vengeance_returned", seat=seat, vengeance=secret(card, seat))


@TESTS.of(RETURN_VENGEANCE)
@TESTS.of(GIFT_VENGEANCE)
def would_pass_vengeance_on(s: WutakiState, seat: int, effect: Effect, hand: Sequence[int]) -> bool:
    """Return whether the seat has a vengeance card.

    Args:
        s: The state.
        seat: The seat that would carry out the effect.
        effect: The effect to test.
        hand: The omens that the seat could use.
    """
    return bool(s.vengeance[seat])


@FLOWS.of(GIFT_VENGEANCE)
def resolve_gift_vengeance(s: WutakiState, seat: int, effect: Effect, must: bool) -> Flow:
    """Give `n` own vengeance cards away, one by one; only giver and receiver see which.

    It is optional unless the seat must.
    Rule WU-8.6, ruling R59.

    Args:
        s: The state.
        seat: The seat that carries out the effect.
        effect: The effect to carry out.
        must: Whether the seat may not decline.

    Returns:
        The flow.
    """
    receivers = TO.all_choices(sorted(others(s, seat)))
    for number in range(effect.n):
        if not s.vengeance[seat]:
            return
        options = receivers if must or number else [*receivers, PASS]
        choice = options[0]
        if len(options) > 1:
            choice = yield Choose(seat, "gift_vengeance_to", options, source=effect.source, rule="vengeance")
        if choice == PASS:
            return
        yield from hand_over_vengeance(s, seat, TO.part(choice), effect.source)


def hand_over_vengeance(s: WutakiState, seat: int, receiver: int, source: str) -> Flow:
    """Let the giver pick a vengeance card; the receiver can't refuse. Rule WU-5.1, ruling R46.

    Args:
        s: The state.
        seat: The giver.
        receiver: The seat that receives the card.
        source: Id of the card, place or board that asks.
    """
    cards = sorted(s.vengeance[seat])
    card = cards[0]
    if len(cards) > 1:
        options = GIVE_VENGEANCE.all_choices(cards)
        choice: int = yield Choose(
            seat,
            "gift_vengeance",
            options,
            source=source,
            rule="vengeance",
            audience=audience_of_seats(seat, receiver),
            placeholders={"seat_2": receiver},
        )
        card = GIVE_VENGEANCE.part(choice)
    known_by = drop_vengeance(s, seat, card, audience_of_seats(seat, receiver))
    hold_vengeance(s, receiver, card, known_by)
    s.emit("vengeance_given", seat=seat, seat_2=receiver, vengeance=secret(card, seat, receiver))


# -- WU-8.6 Secret pacts ---------------------------------------------------------------------------


def draw_secret_pact(s: WutakiState, seat: int) -> Flow:
    """Draw a secret pact and keep it; from an empty deck the draw is lost.

    Rule WU-8.5, ruling R9.

    Args:
        s: The state.
        seat: The seat concerned.

    Returns:
        The flow.
    """
    if not s.secret_pact_deck:
        return
    card: int = yield Draw(DRAW_SECRET_PACT_KIND, s.secret_pact_deck, audience=audience_of_seats(seat))
    remove_sorted(s.secret_pact_deck, card)
    forget(s.rejected, seat, card)
    insert_sorted(s.secret_pacts[seat], card)
    if s.events is not None:
        s.emit("secret_pact_drawn", seat=seat, secret_pact=secret(card, seat))


@FLOWS.of(DRAW_SECRET_PACT)
def resolve_draw_secret_pact(s: WutakiState, seat: int, effect: Effect, must: bool) -> Flow:
    """Draw `n` secret pacts.

    Args:
        s: The state.
        seat: The seat that carries out the effect.
        effect: The effect to carry out.
        must: Whether the seat may not decline.
    """
    for _ in range(effect.n):
        yield from draw_secret_pact(s, seat)


@TESTS.of(DRAW_SECRET_PACT)
def would_draw_secret_pact(s: WutakiState, seat: int, effect: Effect, hand: Sequence[int]) -> bool:
    """Return whether the deck isn't empty.

    Args:
        s: The state.
        seat: The seat that would carry out the effect.
        effect: The effect to test.
        hand: The omens that the seat could use.
    """
    return bool(s.secret_pact_deck)
