"""Tattoos and ranks, drawing and executing rituals."""

from __future__ import annotations

from collections.abc import Sequence

from atoll.engine import (
    Choose,
    Draw,
    Flow,
    Only,
    RequestFlow,
    audience_of_seats,
    insert_sorted,
    pick_set,
    remove_sorted,
)

from .components import (
    DRAW_BONUS,
    DRAW_RITUALS,
    EXECUTE_RITUAL,
    GAIN_TATTOO,
    KEEP_ANY,
    KEEP_MARAE,
    PERMANENT,
    PRIEST_INCOME,
    Effect,
)
from .effects import FLOWS, NO_QUESTION, TESTS, NoQuestion, carry_out
from .kinds import (
    CARD,
    DECLINE,
    DRAW,
    KEEP,
    PERFORM,
)
from .markets import take_mana
from .state import NOBODY, RaiateaState


def distinct(cards: Sequence[int]) -> list[int]:
    """Return each card of a sorted zone once, because copies of a card are one choice."""
    found: list[int] = []
    before = -1
    for card in cards:
        if card != before:
            found.append(card)
            before = card
    return found


# -- RA-7.9 Tattoos and ranks ----------------------------------------------------------------------


@FLOWS.of(GAIN_TATTOO)
def resolve_gain_tattoo(s: RaiateaState, seat: int, effect: Effect, actor: int, source: str) -> Flow | NoQuestion:
    """Give tattoos; a surplus beyond the end of the track is lost. Rule RA-6.2.

    Args:
        s: The state.
        seat: The seat that the effect concerns.
        effect: The effect to carry out.
        actor: The seat that carries out the effect; `NOBODY` for a general ritual of the blessing.
        source: Id of the card, place or board that asks.

    Returns:
        The flow, or `NO_QUESTION` if it asks nobody.
    """
    return gain_tattoo(s, seat, effect.amount)


@TESTS.of(GAIN_TATTOO)
def would_gain_tattoo(s: RaiateaState, seat: int, effect: Effect) -> bool:
    """Return whether the tattoo marker isn't at the end of the track.

    Args:
        s: The state.
        seat: The seat that the effect concerns.
        effect: The effect to test.
    """
    return can_gain_tattoo(s, seat)


def can_gain_tattoo(s: RaiateaState, seat: int) -> bool:
    """Return whether the tattoo marker isn't at the end of the track."""
    return s.tattoos[seat] < s.components.max_tattoos


def gain_tattoo(s: RaiateaState, seat: int, amount: int) -> Flow | NoQuestion:
    """Move the tattoo marker; a new rank counts at once.

    A seat that becomes Tahua may execute one ritual of the hand for nothing, at once and only once.
    Rules RA-7.9 and RA-7.10, rulings R14, R16 and R17.

    Args:
        s: The state.
        seat: The seat concerned.
        amount: The number of tattoos.

    Returns:
        The flow, or `NO_QUESTION` if it asks nobody.
    """
    components = s.components
    before = s.tattoos[seat]
    s.tattoos[seat] = min(components.max_tattoos, before + amount)
    if s.tattoos[seat] > before and s.events is not None:
        s.emit("tattoos", seat=seat, n=s.tattoos[seat] - before, total=s.tattoos[seat])
    if s.rank(seat) != components.rank_at[before]:
        s.emit("rank", seat=seat, rank=s.rank(seat))
    if becomes_tahua(s, seat, 0):
        s.tahua_spent[seat] = True
        return perform_from_hand(s, seat, "tahua_ritual", components.rank_ids[-1])
    return NO_QUESTION


def becomes_tahua(s: RaiateaState, seat: int, amount: int) -> bool:
    """Return whether this number of tattoos makes the seat Tahua for the first time.

    Rule RA-7.10.

    Args:
        s: The state.
        seat: The seat concerned.
        amount: The number of tattoos.
    """
    components = s.components
    reached = min(components.max_tattoos, s.tattoos[seat] + amount)
    return not s.tahua_spent[seat] and components.rank_at[reached] == len(components.rank_ids) - 1


# -- RA-7.1 Drawing rituals ------------------------------------------------------------------------


def open_decks(s: RaiateaState, seat: int) -> list[int]:
    """Return the decks that the rank allows and that have a card, discard pile included.

    Rule RA-7.1, ruling R11.
    """
    found = []
    for deck in s.components.rank_decks[s.rank(seat)]:
        if has_cards(s, deck):
            found.append(deck)  # noqa: PERF401 - two at most: a comprehension costs more
    return found


def has_cards(s: RaiateaState, deck: int) -> bool:
    """Return whether a deck or its discard pile has a card (R11)."""
    return bool(s.decks[deck] or s.discards[deck])


@FLOWS.of(DRAW_RITUALS)
def draw_rituals(s: RaiateaState, seat: int, effect: Effect, actor: int, source: str) -> Flow:
    """Let a seat draw by rank from a deck of its choice, or decline before any card is seen.

    Rule RA-7.1, ruling R15.

    Args:
        s: The state.
        seat: The seat that the effect concerns.
        effect: The effect to carry out.
        actor: The seat that carries out the effect; `NOBODY` for a general ritual of the blessing.
        source: Id of the card, place or board that asks.

    Returns:
        The flow.
    """
    options = DRAW.all_choices(open_decks(s, seat))
    if not options:
        return
    options.append(DECLINE.first)
    choice: int = yield Choose(seat, "choose_deck", options, source=source, rule="draw")
    if choice not in DECLINE:
        yield from draw_and_keep(s, seat, DRAW.part(choice), effect.keep + s.bonus[seat][KEEP_ANY])


@TESTS.of(DRAW_RITUALS)
def would_draw_rituals(s: RaiateaState, seat: int, effect: Effect) -> bool:
    """Return whether a deck that the rank allows has a card.

    Args:
        s: The state.
        seat: The seat that the effect concerns.
        effect: The effect to test.
    """
    return bool(open_decks(s, seat))


def kept_at_marae(s: RaiateaState, seat: int) -> int:
    """Return the number of cards that a seat keeps from a draw at the Marae."""
    return 1 + s.bonus[seat][KEEP_ANY] + s.bonus[seat][KEEP_MARAE]


def draw_and_keep(s: RaiateaState, seat: int, deck: int, keep: int) -> Flow:
    """Draw the number of the rank, keep exactly the given number, discard the others face up.

    Rule RA-7.1, ruling R15.

    Args:
        s: The state.
        seat: The seat concerned.
        deck: The deck.
        keep: The number of cards to keep.
    """
    yield from draw_by_rank(s, seat, deck)
    cards = s.drawn[seat]
    if keep < len(cards):
        kept = yield from choose_kept(cards, seat, keep)
    else:
        kept = cards[:]
    keep_drawn(s, seat, kept)


def draw_by_rank(s: RaiateaState, seat: int, deck: int) -> Flow:
    """Draw the number of the rank, more with `draw_bonus`, until deck and discard pile are empty.

    Rules RA-7.1 and RA-6.6.

    Args:
        s: The state.
        seat: The seat concerned.
        deck: The deck.
    """
    n = s.components.rank_draw[s.rank(seat)] + s.bonus[seat][DRAW_BONUS]
    yield from draw_cards(s, seat, deck, n)
    if s.events is not None:
        s.emit("drew", seat=seat, deck=deck, n=len(s.drawn[seat]))


def draw_cards(s: RaiateaState, seat: int, deck: int, n: int) -> Flow:
    """Draw cards in private; an empty deck is rebuilt from its own discard pile.

    Rule RA-7.1, ruling R11.

    Args:
        s: The state.
        seat: The seat concerned.
        deck: The deck.
        n: The number of cards.

    Returns:
        The flow.
    """
    audience = audience_of_seats(seat)
    for _ in range(n):
        if not s.decks[deck]:
            if not s.discards[deck]:
                return
            s.decks[deck], s.discards[deck] = s.discards[deck], []
            s.emit("reshuffled", deck=deck)
        card: int = yield Draw(CARD, s.decks[deck], audience)
        remove_sorted(s.decks[deck], card)
        insert_sorted(s.drawn[seat], card)


def choose_kept(cards: Sequence[int], seat: int, keep: int) -> RequestFlow[list[int]]:
    """Ask which of the drawn cards to keep, in any order (R15). Doesn't change the state.

    Args:
        cards: The drawn cards.
        seat: The seat concerned.
        keep: The exact number to keep.

    Returns:
        The cards to keep.
    """
    members = KEEP.all_choices(cards)
    kept: list[int] = yield from pick_set(
        seat, "keep_rituals", members, keep, keep, rule="draw", audience=audience_of_seats(seat), reveals=True
    )
    return [KEEP.part(choice) for choice in kept]


def keep_drawn(s: RaiateaState, seat: int, kept: Sequence[int]) -> None:
    """Move the chosen cards to the hand secretly, and the others face up to their discard piles.

    Args:
        s: The state.
        seat: The seat concerned.
        kept: The cards to keep.
    """
    for card in kept:
        s.drawn[seat].remove(card)
        insert_sorted(s.hands[seat], card)
    rejected = s.drawn[seat]
    s.drawn[seat] = []
    for card in rejected:
        s.discard_ritual(card)
    if s.events is not None:
        s.emit("kept", seat=seat, n=len(kept), ritual=Only(list(kept), audience_of_seats(seat)))
        if rejected:
            s.emit("rejected", seat=seat, ritual=rejected)


# -- RA-7.5 Carrying out a ritual ------------------------------------------------------------------


def execute(s: RaiateaState, seat: int, card: int) -> Flow:
    """Lay a permanent ritual in front of its owner; let any other act, then discard it.

    The card has left hand or row.
    Rule RA-7.5, rulings R62 and R63.

    Args:
        s: The state.
        seat: The owner; NOBODY for a general ritual of the blessing.
        card: The ritual.
    """
    components = s.components
    if s.events is not None:
        if seat == NOBODY:
            s.emit("general_ritual", ritual=card)
        else:
            s.emit("ritual", seat=seat, ritual=card)
    if components.ritual_kind[card] == PERMANENT:
        s.lay_permanent(seat, card)
    else:
        yield from carry_out(s, seat, components.ritual_effects[card], components.ritual_ids[card])
        s.discard_ritual(card)


@FLOWS.of(EXECUTE_RITUAL)
def execute_ritual(s: RaiateaState, seat: int, effect: Effect, actor: int, source: str) -> Flow:
    """Let a seat execute one ritual of the hand, of any cost and kind, without mana.

    Rule RA-6.3, ruling R64.

    Args:
        s: The state.
        seat: The seat that the effect concerns.
        effect: The effect to carry out.
        actor: The seat that carries out the effect; `NOBODY` for a general ritual of the blessing.
        source: Id of the card, place or board that asks.

    Returns:
        The flow.
    """
    return perform_from_hand(s, seat, "execute_ritual", source)


@TESTS.of(EXECUTE_RITUAL)
def would_execute_ritual(s: RaiateaState, seat: int, effect: Effect) -> bool:
    """Return whether the seat has a ritual by what everybody knows.

    Args:
        s: The state.
        seat: The seat that the effect concerns.
        effect: The effect to test.
    """
    return s.ritual_count(seat) > 0


def perform_from_hand(s: RaiateaState, seat: int, prompt: str, source: str) -> Flow:
    """Let a seat execute one ritual of the hand for nothing, or none.

    Every seat that has rituals by public knowledge is asked.
    Rule RA-7.10, ruling R102.

    Args:
        s: The state.
        seat: The seat concerned.
        prompt: The key of the question.
        source: Id of the card, place or board that asks.

    Returns:
        The flow.
    """
    if not s.ritual_count(seat):
        return
    options = PERFORM.all_choices(distinct(s.hands[seat]))
    options.append(DECLINE.first)
    choice: int = yield Choose(seat, prompt, options, source=source, rule="ranks")
    if choice not in DECLINE:
        card = PERFORM.part(choice)
        s.hands[seat].remove(card)
        yield from execute(s, seat, card)


def trigger(s: RaiateaState, seat: int, event: int) -> Flow:
    """Carry out the triggers of the seat's permanent rituals, once per card. Rule RA-6.5.

    Args:
        s: The state.
        seat: The seat concerned.
        event: Index of `TRIGGERS`.
    """
    components = s.components
    for card in tuple(s.permanents[seat]):
        for on, effects in components.ritual_triggers[card]:
            if on == event:
                yield from carry_out(s, seat, effects, components.ritual_ids[card])


def priest_income(s: RaiateaState, seat: int) -> Flow | NoQuestion:
    """Give one mana per priest, then the additions of permanent rituals. Rule RA-7.4."""
    if s.priests[seat]:
        take_mana(s, seat, s.priests[seat])
    return trigger(s, seat, PRIEST_INCOME) if s.permanents[seat] else NO_QUESTION
