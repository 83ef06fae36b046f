"""§ Tāne-Spiel: the verbs of the interactive rituals. Losses can't be declined; who has nothing is unaffected (R94)."""

from __future__ import annotations

from atoll.engine import PUBLIC, Choose, Draw, Flow, Only, only

from .components import (
    CANCEL_RITUAL,
    EXHAUST_ASSISTANTS,
    LOSE_PRIEST,
    STEAL_ASSISTANT,
    STEAL_GOODS,
    STEAL_MANA,
    STEAL_MASK,
    STEAL_PEARLS,
    Effect,
)
from .effects import flow, instant, test
from .kinds import (
    ASSISTANTS,
    CANCEL,
    COMMODITIES,
    DECLINE,
    DONE,
    EXHAUST,
    EXHAUSTED_STANCE,
    READY_STANCE,
    RITUAL,
    STANCE,
    STOLEN,
)
from .kinds import STEAL_ASSISTANT as STEAL_ASSISTANT_KIND
from .kinds import STEAL_MASK as STEAL_MASK_KIND
from .rituals import distinct
from .state import NOBODY, RaiateaState


@instant(STEAL_PEARLS)
def steal_pearls(s: RaiateaState, seat: int, effect: Effect, actor: int) -> None:
    """The target hands over so many pearls, or all it has."""
    move_pearls(s, seat, actor, effect.amount)


@test(STEAL_PEARLS)
def has_pearls(s: RaiateaState, seat: int, effect: Effect) -> bool:
    """The target has pearls."""
    return s.pearls[seat] > 0


def move_pearls(s: RaiateaState, seat: int, actor: int, most: int) -> None:
    """Up to so many pearls go from one seat to another."""
    n = min(most, s.pearls[seat])
    s.pearls[seat] -= n
    s.pearls[actor] += n
    if n:
        s.tell("stole_pearls", seat=actor, seat_2=seat, n=n)


@instant(STEAL_MANA)
def steal_mana(s: RaiateaState, seat: int, effect: Effect, actor: int) -> None:
    """The target hands over so much mana, or all it has."""
    n = min(effect.amount, s.mana[seat])
    s.mana[seat] -= n
    s.mana[actor] += n
    if n:
        s.tell("stole_mana", seat=actor, seat_2=seat, n=n)


@test(STEAL_MANA)
def has_mana(s: RaiateaState, seat: int, effect: Effect) -> bool:
    """The target has mana."""
    return s.mana[seat] > 0


@flow(STEAL_GOODS)
def steal_goods(s: RaiateaState, seat: int, effect: Effect, actor: int, source: str) -> Flow:
    """Commodities at random and pearls. Only thief and victim learn a type that others can't tell (R93)."""
    for _ in range(effect.commodities):
        pool = [commodity for commodity, n in enumerate(s.goods_of(seat)) for _ in range(n)]
        if not pool:
            break
        plain = pool[0] == pool[-1] and not s.veiled[seat]
        known = PUBLIC if plain else only(seat, actor)
        commodity: int = yield Draw(STOLEN, pool, audience=known)
        if plain:
            s.goods[seat][commodity] -= 1
            s.goods[actor][commodity] += 1
        else:
            veil(s, seat, actor, commodity)
        s.tell("stole_commodity", seat=actor, seat_2=seat, commodity=Only(commodity, known))
    move_pearls(s, seat, actor, effect.pearls)


@test(STEAL_GOODS)
def has_goods(s: RaiateaState, seat: int, effect: Effect) -> bool:
    """The target has one of the things that would be taken."""
    return (effect.commodities > 0 and s.goods_count(seat) > 0) or (effect.pearls > 0 and s.pearls[seat] > 0)


def veil(s: RaiateaState, victim: int, thief: int, stolen: int) -> None:
    """A stolen commodity changes hands, and nobody else can tell any more what the victim has left."""
    both = only(victim, thief)
    cards = [(mask & both, card) for mask, card in zip(s.veiled_masks[victim], s.veiled[victim], strict=True)]
    for commodity in range(COMMODITIES):
        cards += [(both, commodity)] * s.goods[victim][commodity]
    s.goods[victim] = [0] * COMMODITIES
    cards.sort()
    cards.remove(next(each for each in cards if each[1] == stolen))
    _lay_veiled(s, victim, cards)
    theirs = [*zip(s.veiled_masks[thief], s.veiled[thief], strict=True), (both, stolen)]
    _lay_veiled(s, thief, sorted(theirs))


def _lay_veiled(s: RaiateaState, seat: int, cards: list[tuple[int, int]]) -> None:
    s.veiled_masks[seat] = [mask for mask, _ in cards]
    s.veiled[seat] = [card for _, card in cards]


@flow(STEAL_MASK)
def steal_mask(s: RaiateaState, seat: int, effect: Effect, actor: int, source: str) -> Flow:
    """The thief takes an unpaired mask or mirror of the target, without a treasure; pairs are safe (R69, R70)."""
    for _ in range(effect.amount):
        if not s.masks[seat]:
            return
        options = [STEAL_MASK_KIND.first + mask for mask in distinct(s.masks[seat])]
        options.append(DECLINE.first)
        choice: int = yield Choose(actor, "steal_mask", options, source=source, rule="tane", about={"seat_2": seat})
        if choice == DECLINE.first:
            return
        mask = choice - STEAL_MASK_KIND.first
        s.masks[seat].remove(mask)
        s.tell("stole_mask", seat=actor, seat_2=seat, mask=mask)
        s.gain_mask(actor, mask)


@test(STEAL_MASK)
def has_mask(s: RaiateaState, seat: int, effect: Effect) -> bool:
    """The target has an unpaired mask."""
    return bool(s.masks[seat])


@flow(STEAL_ASSISTANT)
def steal_assistant(s: RaiateaState, seat: int, effect: Effect, actor: int, source: str) -> Flow:
    """The thief takes an assistant of the target, ready or exhausted; it arrives ready."""
    for _ in range(effect.amount):
        options = []
        for assistant in range(ASSISTANTS):
            first = STEAL_ASSISTANT_KIND.first + assistant * STANCE.size
            if s.ready[seat][assistant]:
                options.append(first + READY_STANCE)
            if s.exhausted[seat][assistant]:
                options.append(first + EXHAUSTED_STANCE)
        if not options:
            return
        options.append(DECLINE.first)
        choice: int = yield Choose(
            actor, "steal_assistant", options, source=source, rule="tane", about={"seat_2": seat}
        )
        if choice == DECLINE.first:
            return
        assistant, stance = divmod(choice - STEAL_ASSISTANT_KIND.first, STANCE.size)
        (s.ready if stance == READY_STANCE else s.exhausted)[seat][assistant] -= 1
        s.ready[actor][assistant] += 1
        s.tell("stole_assistant", seat=actor, seat_2=seat, assistant=assistant)


@test(STEAL_ASSISTANT)
def has_assistant(s: RaiateaState, seat: int, effect: Effect) -> bool:
    """The target has an assistant."""
    return any(s.ready[seat]) or any(s.exhausted[seat])


@instant(LOSE_PRIEST)
def lose_priest(s: RaiateaState, seat: int, effect: Effect, actor: int) -> None:
    """The target loses so many priests, or all it has."""
    n = min(effect.amount, s.priests[seat])
    s.priests[seat] -= n
    if n:
        s.tell("lost_priests", seat=seat, n=n, total=s.priests[seat])


@test(LOSE_PRIEST)
def has_priest(s: RaiateaState, seat: int, effect: Effect) -> bool:
    """The target has priests."""
    return s.priests[seat] > 0


@flow(EXHAUST_ASSISTANTS)
def exhaust_assistants(s: RaiateaState, seat: int, effect: Effect, actor: int, source: str) -> Flow:
    """The target turns so many ready assistants of its own choice, or all; they have no effect."""
    ready = s.ready[seat]
    lowest = 0
    for left in range(min(effect.amount, sum(ready)), 0, -1):
        # Types are chosen in ascending order: those from here on must have enough for the rest.
        options = [
            EXHAUST.first + each for each in range(lowest, ASSISTANTS) if ready[each] and sum(ready[each:]) >= left
        ]
        choice: int = yield Choose(seat, "exhaust", options, source=source, rule="tane", public=True, about={"n": left})
        lowest = choice - EXHAUST.first
        s.send(seat, lowest)
        s.tell("exhausted", seat=seat, assistant=lowest)


@test(EXHAUST_ASSISTANTS)
def has_ready_assistant(s: RaiateaState, seat: int, effect: Effect) -> bool:
    """The target has a ready assistant."""
    return any(s.ready[seat])


@flow(CANCEL_RITUAL)
def cancel_ritual(s: RaiateaState, seat: int, effect: Effect, actor: int, source: str) -> Flow:
    """Act 5 only: up to so many waiting cards with another player's clip are discarded unpaid (R68)."""
    for left in range(effect.amount, 0, -1):
        options = sorted({CANCEL.first + owner * RITUAL.size + card for owner, card in waiting(s, seat)})
        if not options:
            return
        options.append(DONE.first)
        choice: int = yield Choose(seat, "cancel", options, source=source, rule="tane", about={"n": left})
        if choice == DONE.first:
            return
        owner, card = CANCEL.parts(choice)
        place = next(place for place, each in enumerate(s.row) if each == card and s.row_owner[place] == owner)
        del s.row[place]
        del s.row_owner[place]
        s.discard_ritual(card)
        s.tell("cancelled", seat=seat, seat_2=owner, ritual=card)


def waiting(s: RaiateaState, seat: int) -> list[tuple[int, int]]:
    """The (owner, card) of the row that carry another player's clip; general cards carry none."""
    return [(owner, card) for owner, card in zip(s.row_owner, s.row, strict=True) if owner not in (NOBODY, seat)]


@test(CANCEL_RITUAL)
def has_waiting(s: RaiateaState, seat: int, effect: Effect) -> bool:
    """A card with another player's clip waits in the row."""
    return bool(waiting(s, seat))
