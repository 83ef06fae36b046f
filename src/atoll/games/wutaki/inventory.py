"""The totals of all components, for the conservation tests, and cards known to be in a deck.

Determinizations use the latter.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from random import Random

from atoll.engine import audience_of_seats
from atoll.engine.state import may_know

from .kinds import RESOURCES, WORKER_TYPES
from .state import WutakiState


def _cards(*zones: Iterable[int]) -> int:
    """Return cards as one number: in base 8 a digit per card, its count. -1 stands for none."""
    return sum(8**card for zone in zones for card in zone if card >= 0)


def components(s: WutakiState) -> dict[str, int]:
    """Return totals of all components, which are the same at every checkpoint of a game."""
    found = {
        name: s.supply[kind] + s.maw[kind] + sum(stock[kind] for stock in s.stock)
        for kind, name in enumerate(RESOURCES)
    }
    found["pacts"] = _cards(s.pact_deck, s.pact_discard, s.display, *s.pacts, *s.fulfilled)
    found["omens"] = _cards(s.omen_deck, s.omen_discard, s.playing, s.permanent, *s.omens)
    found["vengeance"] = _cards(s.vengeance_deck, *s.vengeance)
    found["secret_pacts"] = _cards(s.secret_pact_deck, *s.secret_pacts)
    found["elements"] = _cards(s.element_pool, s.element)
    found["round_cards"] = _cards(s.round_deck, s.round_discard, [s.round_card])
    found["tower_upgrades"] = _cards(s.tower_left, *s.built)
    found["abilities"] = _cards(s.ability_pool, s.ability)
    guest = [s.guest[2]] if s.guest else []
    for seat in range(s.seats):
        for kind, name in enumerate(("loyal", "extra", "special")):
            who = seat * WORKER_TYPES + kind
            placed = sum(fields.count(who) for fields in s.fields) + guest.count(who)
            found[f"{name}_{seat}"] = s.home[seat][kind] + s.tower[seat][kind] + s.idle[seat][kind] + placed
        built = sum(card >= 0 for card in s.built[seat])
        laid = sum(owners.count(seat) for owners in s.markers)
        found[f"upgrade_markers_{seat}"] = s.upgrade_markers[seat] + laid + built + (s.pyramid[seat] > 0)
    return found


def keep_in_deck(
    deck: list[int], zones: Sequence[list[int]], masks: Sequence[list[int]], kept: Sequence[int], rng: Random
) -> None:
    """Swap the cards that are known to be in the deck back into it, each for a random other one.

    Args:
        deck: The deck; changed in place.
        zones: The cards of each seat; changed in place.
        masks: The seats that know each card, as masks by which the cards are sorted first.
        kept: The cards that are known to be in the deck.
        rng: The source of randomness.
    """
    for card in kept:
        if card in deck:
            continue
        holder = next(seat for seat, zone in enumerate(zones) if card in zone)
        swapped = rng.choice([each for each in deck if each not in kept])
        deck.remove(swapped)
        deck.append(card)
        zones[holder][zones[holder].index(card)] = swapped
        zones[holder][:] = [each for _, each in sorted(zip(masks[holder], zones[holder], strict=True))]
    deck.sort()


def remember(s: WutakiState, seat: int, rng: Random) -> None:
    """Keep the cards that the seat has put into a deck there, if nobody else can have drawn since.

    The state has just been dealt again for the seat. The seat doesn't know the cards that others
    have put into decks, nor which seats know cards that it doesn't know.
    Rule WU-13.2.

    Args:
        s: The state.
        seat: The seat whose knowledge is preserved.
        rng: The source of randomness.
    """
    alike = [[0] * len(cards) for cards in s.secret_pacts]
    keep_in_deck(s.secret_pact_deck, s.secret_pacts, alike, s.rejected[seat], rng)
    keep_in_deck(s.vengeance_deck, s.vengeance, s.vengeance_known, s.returned[seat], rng)
    for other in range(s.seats):
        if other != seat:
            s.rejected[other] = []
            s.returned[other] = []
            for index, mask in enumerate(s.vengeance_known[other]):
                if not may_know(mask, seat):
                    s.vengeance_known[other][index] = audience_of_seats(other)
            order = sorted(zip(s.vengeance_known[other], s.vengeance[other], strict=True))
            s.vengeance_known[other] = [mask for mask, _ in order]
            s.vengeance[other] = [card for _, card in order]
