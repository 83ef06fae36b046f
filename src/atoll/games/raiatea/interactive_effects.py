"""The verbs of the interactive rituals (RA-6.4), which the Tāne game adds (RA-10.2).

Losses can't be declined. A player without anything to lose is unaffected (R94).
"""

from __future__ import annotations

from atoll.engine import PUBLIC, Choose, Draw, Flow, Only, audience_of_seats, pick_set

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
from .effects import FLOWS, INSTANT, TESTS
from .kinds import (
    ASSISTANTS,
    CANCEL,
    COMMODITIES,
    DECLINE,
    DONE,
    EXHAUST,
    EXHAUSTED_STANCE,
    READY_STANCE,
    STOLEN,
)
from .kinds import STEAL_ASSISTANT as STEAL_ASSISTANT_KIND
from .kinds import STEAL_MASK as STEAL_MASK_KIND
from .rituals import distinct
from .state import NOBODY, RaiateaState


@INSTANT.of(STEAL_PEARLS)
def steal_pearls(s: RaiateaState, seat: int, effect: Effect, actor: int) -> None:
    """Move pearls from the target, or all it has. Rule RA-6.4.

    Args:
        s: The state.
        seat: The seat that the effect concerns.
        effect: The effect to carry out.
        actor: The seat that carries out the effect; `NOBODY` for a general ritual of the blessing.
    """
    move_pearls(s, seat, actor, effect.amount)


@TESTS.of(STEAL_PEARLS)
def has_pearls(s: RaiateaState, seat: int, effect: Effect) -> bool:
    """Return whether the target has pearls.

    Args:
        s: The state.
        seat: The seat that the effect concerns.
        effect: The effect to test.
    """
    return s.pearls[seat] > 0


def move_pearls(s: RaiateaState, seat: int, actor: int, most: int) -> None:
    """Move pearls from one seat to another: `most`, or all of them if there are fewer.

    Args:
        s: The state.
        seat: The seat that loses pearls.
        actor: The seat that gains pearls.
        most: The largest number of pearls.
    """
    n = min(most, s.pearls[seat])
    s.pearls[seat] -= n
    s.pearls[actor] += n
    if n:
        s.emit("stole_pearls", seat=actor, seat_2=seat, n=n)


@INSTANT.of(STEAL_MANA)
def steal_mana(s: RaiateaState, seat: int, effect: Effect, actor: int) -> None:
    """Move mana from the target, or all it has. Rule RA-6.4.

    Args:
        s: The state.
        seat: The seat that the effect concerns.
        effect: The effect to carry out.
        actor: The seat that carries out the effect; `NOBODY` for a general ritual of the blessing.
    """
    n = min(effect.amount, s.mana[seat])
    s.mana[seat] -= n
    s.mana[actor] += n
    if n:
        s.emit("stole_mana", seat=actor, seat_2=seat, n=n)


@TESTS.of(STEAL_MANA)
def has_mana(s: RaiateaState, seat: int, effect: Effect) -> bool:
    """Return whether the target has mana.

    Args:
        s: The state.
        seat: The seat that the effect concerns.
        effect: The effect to test.
    """
    return s.mana[seat] > 0


@FLOWS.of(STEAL_GOODS)
def steal_goods(s: RaiateaState, seat: int, effect: Effect, actor: int, source: str) -> Flow:
    """Steal commodities at random and pearls.

    Only thief and victim learn a type that others can't tell.
    Rule RA-6.4, ruling R93.

    Args:
        s: The state.
        seat: The seat that the effect concerns.
        effect: The effect to carry out.
        actor: The seat that carries out the effect; `NOBODY` for a general ritual of the blessing.
        source: Id of the card, place or board that asks.
    """
    for _ in range(effect.commodities):
        pool = [commodity for commodity, n in enumerate(s.goods_of(seat)) for _ in range(n)]
        if not pool:
            break
        plain = pool[0] == pool[-1] and not s.veiled[seat]
        known = PUBLIC if plain else audience_of_seats(seat, actor)
        commodity: int = yield Draw(STOLEN, pool, audience=known)
        if plain:
            s.goods[seat][commodity] -= 1
            s.goods[actor][commodity] += 1
        else:
            veil(s, seat, actor, commodity)
        s.emit("stole_commodity", seat=actor, seat_2=seat, commodity=Only(commodity, known))
    move_pearls(s, seat, actor, effect.pearls)


@TESTS.of(STEAL_GOODS)
def has_goods(s: RaiateaState, seat: int, effect: Effect) -> bool:
    """Return whether the target has one of the things that would be taken.

    Args:
        s: The state.
        seat: The seat that the effect concerns.
        effect: The effect to test.
    """
    return (effect.commodities > 0 and s.goods_count(seat) > 0) or (effect.pearls > 0 and s.pearls[seat] > 0)


def veil(s: RaiateaState, victim: int, thief: int, stolen: int) -> None:
    """Move a stolen commodity, and veil the commodities that the victim has left.

    The other seats can no longer tell which types these are.

    Args:
        s: The state.
        victim: The seat that loses the commodity.
        thief: The seat that gains it.
        stolen: The type of the commodity.
    """
    both = audience_of_seats(victim, thief)
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


@FLOWS.of(STEAL_MASK)
def steal_mask(s: RaiateaState, seat: int, effect: Effect, actor: int, source: str) -> Flow:
    """Take an unpaired mask or mirror of the target, without a treasure; pairs are safe.

    Rule RA-6.4, rulings R69 and R70.

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
        if not s.masks[seat]:
            return
        options = STEAL_MASK_KIND.all_choices(distinct(s.masks[seat]))
        options.append(DECLINE.first)
        choice: int = yield Choose(
            actor, "steal_mask", options, source=source, rule="tane", placeholders={"seat_2": seat}
        )
        if choice in DECLINE:
            return
        mask = STEAL_MASK_KIND.part(choice)
        s.masks[seat].remove(mask)
        s.emit("stole_mask", seat=actor, seat_2=seat, mask=mask)
        s.gain_mask(actor, mask)


@TESTS.of(STEAL_MASK)
def has_mask(s: RaiateaState, seat: int, effect: Effect) -> bool:
    """Return whether the target has an unpaired mask.

    Args:
        s: The state.
        seat: The seat that the effect concerns.
        effect: The effect to test.
    """
    return bool(s.masks[seat])


@FLOWS.of(STEAL_ASSISTANT)
def steal_assistant(s: RaiateaState, seat: int, effect: Effect, actor: int, source: str) -> Flow:
    """Take an assistant of the target, ready or exhausted; it arrives ready. Rule RA-6.4.

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
        options = []
        for assistant in range(ASSISTANTS):
            if s.ready[seat][assistant]:
                options.append(STEAL_ASSISTANT_KIND.choice(assistant, READY_STANCE))
            if s.exhausted[seat][assistant]:
                options.append(STEAL_ASSISTANT_KIND.choice(assistant, EXHAUSTED_STANCE))
        if not options:
            return
        options.append(DECLINE.first)
        choice: int = yield Choose(
            actor, "steal_assistant", options, source=source, rule="tane", placeholders={"seat_2": seat}
        )
        if choice in DECLINE:
            return
        assistant, stance = STEAL_ASSISTANT_KIND.parts(choice)
        (s.ready if stance == READY_STANCE else s.exhausted)[seat][assistant] -= 1
        s.ready[actor][assistant] += 1
        s.emit("stole_assistant", seat=actor, seat_2=seat, assistant=assistant)


@TESTS.of(STEAL_ASSISTANT)
def has_assistant(s: RaiateaState, seat: int, effect: Effect) -> bool:
    """Return whether the target has an assistant.

    Args:
        s: The state.
        seat: The seat that the effect concerns.
        effect: The effect to test.
    """
    return any(s.ready[seat]) or any(s.exhausted[seat])


@INSTANT.of(LOSE_PRIEST)
def lose_priest(s: RaiateaState, seat: int, effect: Effect, actor: int) -> None:
    """Take priests from the target, or all it has. Rule RA-6.4.

    Args:
        s: The state.
        seat: The seat that the effect concerns.
        effect: The effect to carry out.
        actor: The seat that carries out the effect; `NOBODY` for a general ritual of the blessing.
    """
    n = min(effect.amount, s.priests[seat])
    s.priests[seat] -= n
    if n:
        s.emit("lost_priests", seat=seat, n=n, total=s.priests[seat])


@TESTS.of(LOSE_PRIEST)
def has_priest(s: RaiateaState, seat: int, effect: Effect) -> bool:
    """Return whether the target has priests.

    Args:
        s: The state.
        seat: The seat that the effect concerns.
        effect: The effect to test.
    """
    return s.priests[seat] > 0


@FLOWS.of(EXHAUST_ASSISTANTS)
def exhaust_assistants(s: RaiateaState, seat: int, effect: Effect, actor: int, source: str) -> Flow:
    """Let the target exhaust ready assistants of its choice without effect. Rule RA-6.4.

    Args:
        s: The state.
        seat: The seat that the effect concerns.
        effect: The effect to carry out.
        actor: The seat that carries out the effect; `NOBODY` for a general ritual of the blessing.
        source: Id of the card, place or board that asks.
    """
    ready = EXHAUST.all_choices(each for each in range(ASSISTANTS) for _ in range(s.ready[seat][each]))
    n = min(effect.amount, len(ready))
    turned: list[int] = yield from pick_set(seat, "exhaust", ready, n, n, source=source, rule="tane", public=True)
    for choice in turned:
        s.send(seat, EXHAUST.part(choice))
        s.emit("exhausted", seat=seat, assistant=EXHAUST.part(choice))


@TESTS.of(EXHAUST_ASSISTANTS)
def has_ready_assistant(s: RaiateaState, seat: int, effect: Effect) -> bool:
    """Return whether the target has a ready assistant.

    Args:
        s: The state.
        seat: The seat that the effect concerns.
        effect: The effect to test.
    """
    return any(s.ready[seat])


@FLOWS.of(CANCEL_RITUAL)
def cancel_ritual(s: RaiateaState, seat: int, effect: Effect, actor: int, source: str) -> Flow:
    """Discard waiting cards with another player's clip unpaid, in act 5 only.

    Rule RA-6.4, ruling R68.

    Args:
        s: The state.
        seat: The seat that the effect concerns.
        effect: The effect to carry out.
        actor: The seat that carries out the effect; `NOBODY` for a general ritual of the blessing.
        source: Id of the card, place or board that asks.

    Returns:
        The flow.
    """
    for left in range(effect.amount, 0, -1):
        options = sorted({CANCEL.choice(owner, card) for owner, card in waiting(s, seat)})
        if not options:
            return
        options.append(DONE.first)
        choice: int = yield Choose(seat, "cancel", options, source=source, rule="tane", placeholders={"n": left})
        if choice in DONE:
            return
        owner, card = CANCEL.parts(choice)
        place = next(place for place, each in enumerate(s.row) if each == card and s.row_owner[place] == owner)
        del s.row[place]
        del s.row_owner[place]
        s.discard_ritual(card)
        s.emit("cancelled", seat=seat, seat_2=owner, ritual=card)


def waiting(s: RaiateaState, seat: int) -> list[tuple[int, int]]:
    """Return the (owner, card) in the row with another player's clip; general cards have none."""
    return [(owner, card) for owner, card in zip(s.row_owner, s.row, strict=True) if owner not in (NOBODY, seat)]


@TESTS.of(CANCEL_RITUAL)
def has_waiting(s: RaiateaState, seat: int, effect: Effect) -> bool:
    """Return whether a card with another player's clip waits in the row.

    Args:
        s: The state.
        seat: The seat that the effect concerns.
        effect: The effect to test.
    """
    return bool(waiting(s, seat))
