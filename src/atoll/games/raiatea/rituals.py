"""§ Tattoos and ranks, drawing and carrying out rituals, and the free actions of one's own turn (F1b)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from atoll.engine import Asking, Choose, Draw, Flow, Only, only, put

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
from .effects import carry_out, flow, test
from .kinds import (
    CARD,
    DECLINE,
    DONE,
    DRAW,
    KEEP,
    MIRROR,
    MIRROR_MASK,
    PERFORM,
    SHAMAN,
    SHAMAN_CARD,
    SKIP,
    WINDOWS,
)
from .markets import take_mana
from .state import NOBODY, RaiateaState

FREE_FIRST: Final = SHAMAN.first
FREE_END: Final = MIRROR.end
"""The choices of free actions are those from FREE_FIRST to FREE_END - 1."""


def distinct(cards: Sequence[int]) -> list[int]:
    """Each card once, ascending: copies of a card are one choice."""
    return sorted(set(cards))


# -- § Tattoos, Ränge, Tahua -------------------------------------------------------------------------------------------


@flow(GAIN_TATTOO)
def resolve_gain_tattoo(s: RaiateaState, seat: int, effect: Effect, actor: int, source: str) -> Flow:
    """Tattoos; what goes beyond the end of the track is lost."""
    yield from gain_tattoo(s, seat, effect.amount)


@test(GAIN_TATTOO)
def would_gain_tattoo(s: RaiateaState, seat: int, effect: Effect) -> bool:
    """Not at the end of the track."""
    most: int = s.box.max_tattoos
    return s.tattoos[seat] < most


def gain_tattoo(s: RaiateaState, seat: int, amount: int) -> Flow:
    """§ Marae. The tattoo marker moves on; a new rank counts at once (R14).

    Who becomes Tahua may carry out one ritual of the hand for nothing, at once and only once (R16, R17).
    """
    before = s.tattoos[seat]
    s.tattoos[seat] = min(s.box.max_tattoos, before + amount)
    if s.tattoos[seat] > before:
        s.tell("tattoos", seat=seat, n=s.tattoos[seat] - before, total=s.tattoos[seat])
    if s.rank(seat) != s.box.rank_at[before]:
        s.tell("rank", seat=seat, rank=s.rank(seat))
    if not s.tahua_spent[seat] and s.rank(seat) == len(s.box.rank_ids) - 1:
        s.tahua_spent[seat] = True
        yield from perform_from_hand(s, seat, "tahua_ritual", s.box.rank_ids[-1])


# -- § Ritualkarten ziehen ---------------------------------------------------------------------------------------------


def open_decks(s: RaiateaState, seat: int) -> list[int]:
    """The decks that the rank allows and that have a card, in the deck or on its discard pile (R11)."""
    return [deck for deck in s.box.rank_decks[s.rank(seat)] if s.decks[deck] or s.discards[deck]]


@flow(DRAW_RITUALS)
def draw_rituals(s: RaiateaState, seat: int, effect: Effect, actor: int, source: str) -> Flow:
    """§ Ritualkarten ziehen. Draw by rank from a deck of one's choice, or decline before any card is seen (R15)."""
    options = [DRAW.first + deck for deck in open_decks(s, seat)]
    if not options:
        return
    options.append(DECLINE.first)
    choice: int = yield Choose(seat, "choose_deck", options, source=source, rule="draw")
    if choice != DECLINE.first:
        yield from draw_and_keep(s, seat, choice - DRAW.first, effect.keep + s.bonus[seat][KEEP_ANY])


@test(DRAW_RITUALS)
def would_draw_rituals(s: RaiateaState, seat: int, effect: Effect) -> bool:
    """There is a card in a deck that the rank allows."""
    return bool(open_decks(s, seat))


def kept_at_marae(s: RaiateaState, seat: int) -> int:
    """How many cards of a draw at the Marae are kept."""
    return 1 + s.bonus[seat][KEEP_ANY] + s.bonus[seat][KEEP_MARAE]


def draw_and_keep(s: RaiateaState, seat: int, deck: int, keep: int) -> Flow:
    """§ Ritualkarten ziehen. Draw as many as the rank says, keep exactly so many, discard the others face up."""
    yield from draw_by_rank(s, seat, deck)
    cards = s.drawn[seat]
    if keep < len(cards):
        kept = yield from choose_kept(cards, seat, keep)
    else:
        kept = cards[:]
    keep_drawn(s, seat, kept)


def draw_by_rank(s: RaiateaState, seat: int, deck: int) -> Flow:
    """The number of the rank, more with `draw_bonus`; stops when deck and discard pile are empty."""
    n = s.box.rank_draw[s.rank(seat)] + s.bonus[seat][DRAW_BONUS]
    yield from draw_cards(s, seat, deck, n)
    s.tell("drew", seat=seat, deck=deck, n=len(s.drawn[seat]))


def draw_cards(s: RaiateaState, seat: int, deck: int, n: int) -> Flow:
    """Cards drawn in private; an empty deck is made anew of its own discard pile (R11)."""
    for _ in range(n):
        if not s.decks[deck]:
            if not s.discards[deck]:
                return
            s.decks[deck], s.discards[deck] = s.discards[deck], []
            s.tell("reshuffled", deck=deck)
        card: int = yield Draw(CARD, s.decks[deck], audience=only(seat))
        s.decks[deck].remove(card)
        put(s.drawn[seat], card)


def choose_kept(cards: Sequence[int], seat: int, keep: int) -> Asking[list[int]]:
    """Exactly so many of the drawn cards, chosen in ascending order (R15). Changes nothing."""
    kept: list[int] = []
    start = 0
    while len(kept) < keep:
        last = len(cards) - (keep - len(kept)) + 1
        options = [KEEP.first + card for card in distinct(cards[start:last])]
        about = {"n": keep - len(kept)}
        choice: int = yield Choose(
            seat, "keep_rituals", options, rule="draw", audience=only(seat), reveals=True, about=about
        )
        card = choice - KEEP.first
        start = cards.index(card, start) + 1
        kept.append(card)
    return kept


def keep_drawn(s: RaiateaState, seat: int, kept: Sequence[int]) -> None:
    """The kept cards go to the hand in secret, the others face up to their discard piles."""
    for card in kept:
        s.drawn[seat].remove(card)
        put(s.hands[seat], card)
    rejected = s.drawn[seat]
    s.drawn[seat] = []
    for card in rejected:
        s.discard_ritual(card)
    s.tell("kept", seat=seat, n=len(kept), ritual=Only(list(kept), only(seat)))
    if rejected:
        s.tell("rejected", seat=seat, ritual=rejected)


# -- § Rituale ausführen -----------------------------------------------------------------------------------------------


def execute(s: RaiateaState, seat: int, card: int) -> Flow:
    """§ EXECUTE. A permanent ritual lies in front of its owner; any other acts and is then discarded (R62, R63).

    The card has left hand or row. seat: NOBODY for a general ritual of the blessing.
    """
    if seat == NOBODY:
        s.tell("general_ritual", ritual=card)
    else:
        s.tell("ritual", seat=seat, ritual=card)
    if s.box.ritual_kind[card] == PERMANENT:
        s.lay_permanent(seat, card)
    else:
        yield from carry_out(s, seat, s.box.ritual_effects[card], s.box.ritual_ids[card])
        s.discard_ritual(card)


@flow(EXECUTE_RITUAL)
def execute_ritual(s: RaiateaState, seat: int, effect: Effect, actor: int, source: str) -> Flow:
    """May carry out one ritual of the hand, of any cost and kind, without mana (R64)."""
    yield from perform_from_hand(s, seat, "execute_ritual", source)


@test(EXECUTE_RITUAL)
def would_execute_ritual(s: RaiateaState, seat: int, effect: Effect) -> bool:
    """The seat has a ritual, as far as all know."""
    return s.ritual_count(seat) > 0


def perform_from_hand(s: RaiateaState, seat: int, prompt: str, source: str) -> Flow:
    """One ritual of the hand for nothing, or none. Who has rituals as far as all know is asked (R102)."""
    if not s.ritual_count(seat):
        return
    options = [PERFORM.first + card for card in distinct(s.hands[seat])]
    options.append(DECLINE.first)
    choice: int = yield Choose(seat, prompt, options, source=source, rule="ranks")
    if choice != DECLINE.first:
        card = choice - PERFORM.first
        s.hands[seat].remove(card)
        yield from execute(s, seat, card)


def trigger(s: RaiateaState, seat: int, event: int) -> Flow:
    """The triggers of the seat's permanent rituals, once per card."""
    for card in tuple(s.permanents[seat]):
        for on, effects in s.box.ritual_triggers[card]:
            if on == event:
                yield from carry_out(s, seat, effects, s.box.ritual_ids[card])


def priest_income(s: RaiateaState, seat: int) -> Flow:
    """§ PRIEST_INCOME. One mana per priest, then what permanent rituals add."""
    if s.priests[seat]:
        take_mana(s, seat, s.priests[seat])
    if s.permanents[seat]:
        yield from trigger(s, seat, PRIEST_INCOME)


# -- F1b: the own turn -------------------------------------------------------------------------------------------------


def has_free_action(s: RaiateaState, seat: int) -> bool:
    """Whether a window opens for the seat; it depends on public facts only (R67)."""
    return may_send_shaman(s, seat) or may_place_mirror(s, seat)


def may_send_shaman(s: RaiateaState, seat: int) -> bool:
    """A ready shaman, a priest and a ritual in hand."""
    return s.ready[seat][SHAMAN_CARD] > 0 and s.priests[seat] > 0 and s.ritual_count(seat) > 0


def may_place_mirror(s: RaiateaState, seat: int) -> bool:
    """An unpaired mirror and an unpaired god."""
    masks = s.masks[seat]
    return len(masks) > 1 and masks[0] == MIRROR_MASK and masks[-1] != MIRROR_MASK


def free_actions(s: RaiateaState, seat: int) -> list[int]:
    """§ Schamane B, § Regenbogenspiegel. The seat's free actions now; ascending."""
    options: list[int] = []
    if s.ready[seat][SHAMAN_CARD]:
        priests = s.priests[seat]
        cost = s.box.ritual_cost
        options = [SHAMAN.first + card for card in distinct(s.hands[seat]) if cost[card] <= priests]
    if may_place_mirror(s, seat):
        options += [MIRROR.first + mask for mask in s.masks[seat] if mask != MIRROR_MASK]
    return options


def free_action(s: RaiateaState, seat: int, choice: int) -> Flow:
    """Send a shaman for a ritual that costs no more than the own priests (R66), or slide a mirror under a mask."""
    if choice >= MIRROR.first:
        place_mirror(s, seat, choice - MIRROR.first)
        return
    card = choice - SHAMAN.first
    s.send(seat, SHAMAN_CARD)
    s.hands[seat].remove(card)
    s.tell("sent_shaman", seat=seat, ritual=card)
    yield from execute(s, seat, card)


def place_mirror(s: RaiateaState, seat: int, mask: int) -> None:
    """§ Regenbogenspiegel. A joker under any own unpaired god; the pair is that god's, and it stays."""
    s.masks[seat].remove(MIRROR_MASK)
    s.masks[seat].remove(mask)
    put(s.mirrored[seat], mask)
    s.tell("mirror", seat=seat, mask=mask)


def window(s: RaiateaState, seat: int) -> Flow:
    """A window that no other question opens: free actions until the seat is done. Who skips windows isn't asked."""
    while not s.skipping[seat] and has_free_action(s, seat):
        options = [*free_actions(s, seat), WINDOWS.first + SKIP, DONE.first]
        choice: int = yield Choose(seat, "window", options, rule="free")
        if choice == DONE.first:
            return
        if choice == WINDOWS.first + SKIP:
            s.skipping[seat] = True
            return
        yield from free_action(s, seat, choice)
