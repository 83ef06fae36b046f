"""A random consistent guess at what a seat can't know, made in place."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from operator import itemgetter
from random import Random
from typing import Any, TypeAlias

from .rules import Rules
from .state import State, Visibility, declarations, may_know


def _pools(value: list[Any]) -> list[list[int]]:
    """The innermost lists of a (nested) list of pools."""
    if value and isinstance(value[0], list):
        return [pool for each in value for pool in _pools(each)]
    return [value]


Place: TypeAlias = tuple[list[int], int]
"""A list and the index in it at which a card lies."""


def _unknown(s: State, name: str, visibility: Visibility, seat: int | None) -> Iterator[tuple[int, Place]]:
    """All places of one field that hold a card which the seat doesn't know, each after its owner (-1: nobody)."""
    value = getattr(s, name)
    if visibility.who == "nobody":
        for pool in _pools(value):
            yield from ((-1, (pool, index)) for index in range(len(pool)))
    elif visibility.who == "known":
        for other, (cards, masks) in enumerate(zip(value, getattr(s, visibility.masks), strict=True)):
            yield from ((other, (cards, index)) for index, mask in enumerate(masks) if not may_know(mask, seat))
    elif visibility.who == "owner":
        for other, zone in enumerate(value):
            if other == seat:
                continue
            if isinstance(zone, list):
                yield from ((other, (zone, index)) for index in range(len(zone)))
            elif zone >= 0:
                yield other, (value, other)


def unknown_slots(game: Rules, s: Any, seat: int | None) -> dict[str, list[Place]]:
    """Per back all places of cards that the seat (None: a spectator) doesn't know, those of one owner together.

    So how an owner has split its cards between zones, which may be secret, makes no difference to what the others get.
    """
    found: dict[str, list[tuple[int, Place]]] = {}
    one_back = type(game).back is Rules.back  # in every field; then there's no need to ask card by card
    for name, visibility in declarations(type(s)):
        if not visibility.back or (visibility.at_end and s.over):
            continue
        unknown = _unknown(s, name, visibility, seat)
        if one_back:
            found.setdefault(visibility.back, []).extend(unknown)
        else:
            for owner, (cards, index) in unknown:
                found.setdefault(game.back(name, cards[index]), []).append((owner, (cards, index)))
    return {back: [place for _, place in sorted(owned, key=itemgetter(0))] for back, owned in found.items()}


def unknown_cards(game: Rules, s: Any, seat: int | None) -> Counter[tuple[str, int]]:
    """How often each card lies where the seat (None: a spectator) doesn't know it, by its back and itself."""
    slots = unknown_slots(game, s, seat)
    return Counter((back, zone[index]) for back, places in slots.items() for zone, index in places)


def tidy(s: State) -> None:
    """Sort every unordered zone again, so that no order tells where a card came from."""
    for name, visibility in declarations(type(s)):
        if visibility.who == "nobody":
            for pool in _pools(getattr(s, name)):
                pool.sort()
        elif visibility.who == "owner" and visibility.back:
            for zone in getattr(s, name):
                if isinstance(zone, list):
                    zone.sort()
        elif visibility.who == "known":
            for cards, masks in zip(getattr(s, name), getattr(s, visibility.masks), strict=True):
                # By mask first: in card order the masks would tell the rank of a card that the viewer doesn't know.
                pairs = sorted(zip(masks, cards, strict=True))
                masks[:] = [mask for mask, _ in pairs]
                cards[:] = [card for _, card in pairs]


def redeal(game: Rules, s: State, seat: int, seed: int) -> None:
    """Deal all cards that the seat doesn't know anew among the places where they can be, back by back."""
    rng = Random(seed)
    random = rng.random
    slots = unknown_slots(game, s, seat)
    for back in sorted(slots):
        places = slots[back]
        cards = sorted([zone[index] for zone, index in places])
        cards.sort(key=lambda _: random())  # as good as a shuffle, and three times as fast
        for (zone, index), card in zip(places, cards, strict=True):
            zone[index] = card
    tidy(s)
    game.redeal(s, seat, rng)
    game.derive(s)
