"""Determinization: random guesses of hidden information that are consistent with a seat's view.

The cards that a seat doesn't know are collected by card back, shuffled, and dealt into the same
places. Everything here works in place on a state.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from operator import attrgetter, itemgetter
from typing import Any, TypeAlias, cast

from .chance import SeededSource
from .rules import Rules
from .state import State, Visibility, declarations, may_know


def _pools(value: list[Any]) -> list[list[int]]:
    """Return the innermost lists of a list of pools with any nesting."""
    if value and isinstance(value[0], list):
        return [pool for each in value for pool in _pools(each)]
    return [value]


Place: TypeAlias = tuple[list[int], int]
"""The place of a card: a list and an index in it."""


def _unknown(s: State, name: str, visibility: Visibility, seat: int | None) -> Iterator[tuple[int, Place]]:
    """Yield the places of a field's cards that the seat doesn't know, each after its owner or -1.

    Args:
        s: The state.
        name: Name of the field.
        visibility: Declaration of the field.
        seat: The seat; None for a spectator.
    """
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


def hidden_slots(game: Rules, s: State, seat: int | None) -> dict[str, list[Place]]:
    """Return the places of all cards that a seat doesn't know, per card back.

    Places of one owner are consecutive. The split of an owner's cards between zones, which may be
    secret, therefore doesn't influence the cards that others get.

    Args:
        game: The rules.
        s: The state.
        seat: The seat; None for a spectator.
    """
    found: dict[str, list[tuple[int, Place]]] = {}
    one_back = (
        type(game).card_back is Rules.card_back
    )  # the same for all cards of a field, so `card_back` needn't be called
    for name, visibility in declarations(type(s)):
        if not visibility.back or (visibility.at_end and cast(Any, s).over):
            continue
        unknown = _unknown(s, name, visibility, seat)
        if one_back:
            found.setdefault(visibility.back, []).extend(unknown)
        else:
            for owner, (cards, index) in unknown:
                found.setdefault(game.card_back(name, cards[index]), []).append((owner, (cards, index)))
    return {back: [place for _, place in sorted(owned, key=itemgetter(0))] for back, owned in found.items()}


def hidden_card_counts(game: Rules, s: State, seat: int | None) -> Counter[tuple[str, int]]:
    """Count the cards that a seat doesn't know.

    Args:
        game: The rules.
        s: The state.
        seat: The seat; None for a spectator.

    Returns:
        The count of each pair of card back and card.
    """
    slots = hidden_slots(game, s, seat)
    return Counter((back, zone[index]) for back, places in slots.items() for zone, index in places)


def sort_unordered_zones(s: State) -> None:
    """Sort every unordered zone, so that its order doesn't disclose where a card came from."""
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
                _sort_by_mask(cards, masks)


def _sort_by_mask(cards: list[int], masks: list[int]) -> None:
    """Sort the cards of a zone by mask, then by card.

    In the order of cards alone, the masks would disclose the rank of unknown cards.
    """
    pairs = sorted(zip(masks, cards, strict=True))
    masks[:] = [mask for mask, _ in pairs]
    cards[:] = [card for _, card in pairs]


_Pile: TypeAlias = tuple[list[int], list[tuple[int, int, int, bool]], list[tuple[int, int, int]]]
"""All unknown cards of one back, sorted, and the places that they are dealt to.

The second item lists zones that are filled completely: number of the zone, range of the shuffled
cards (start, end), and whether the zone is unordered. The third item lists single places: number of
the zone, index in it, index of the shuffled card.
"""


class Determinizer:
    """Deals hidden cards again, for many copies of one state.

    The constructor computes everything that doesn't depend on chance, so `deal` is fast.

    Args:
        game: The rules.
        s: The state.
        seat: The seat whose knowledge is retained.

    Attributes:
        seat: The seat whose knowledge is retained.
    """

    __slots__ = (
        "_count",
        "_depths",
        "_game",
        "_has_more",
        "_masks",
        "_piles",
        "_read",
        "_tidies",
        "_unordered",
        "seat",
    )

    def __init__(self, game: Rules, s: State, seat: int) -> None:
        self.seat: int = seat
        self._game: Rules = game
        self._has_more: bool = type(game).determinize is not Rules.determinize
        slots = hidden_slots(game, s, seat)
        touched = {id(zone) for places in slots.values() for zone, _ in places}
        fields = [
            (name, visibility)
            for name, visibility in declarations(type(s))
            if visibility.back and any(id(zone) in touched for zone in _pools(getattr(s, name)))
        ]
        # Two more names, because an attrgetter of a single name doesn't return a tuple.
        self._read: Callable[[State], tuple[Any, ...]] = attrgetter("seats", "over", *(name for name, _ in fields))
        self._depths: list[int] = [_depth(getattr(s, name)) for name, _ in fields]
        self._masks: list[tuple[int, str, int]] = []  # zones sorted by mask: number, field and index of the masks
        self._unordered: list[int] = []  # unordered zones that are dealt in part
        numbers: dict[int, int] = {}
        loose: set[int] = set()
        for name, visibility in fields:
            pools = _pools(getattr(s, name))
            for index, zone in enumerate(pools):
                number = numbers[id(zone)] = len(numbers)
                if visibility.who == "known":
                    if len(set(getattr(s, visibility.masks)[index])) == 1:
                        loose.add(number)
                    elif id(zone) in touched:
                        self._masks.append((number, visibility.masks, index))
                elif visibility.who == "nobody" or isinstance(getattr(s, name)[0], list):
                    loose.add(number)
        self._piles: list[_Pile] = [self._pile(slots[back], numbers, loose) for back in sorted(slots)]
        self._count: int = sum(len(cards) for cards, _, _ in self._piles)
        twin = s.clone()
        sort_unordered_zones(twin)
        self._tidies: bool = twin != s  # the order of the other cards may disclose something

    def _pile(self, places: list[Place], numbers: dict[int, int], loose: set[int]) -> _Pile:
        """Return the cards at some places, and the places that they are dealt to."""
        whole: list[tuple[int, int, int, bool]] = []
        single: list[tuple[int, int, int]] = []
        start = 0
        while start < len(places):
            zone = places[start][0]
            number = numbers[id(zone)]
            end = start + 1
            while end < len(places) and places[end][0] is zone:
                end += 1
            if end - start == len(zone):
                whole.append((number, start, end, number in loose))
            else:
                single += [(number, places[card][1], card) for card in range(start, end)]
                if number in loose and number not in self._unordered:
                    self._unordered.append(number)
            start = end
        return sorted([zone[index] for zone, index in places]), whole, single

    def deal(self, s: State, source: SeededSource) -> None:
        """Deal the hidden cards of a state, in place.

        Args:
            s: A copy of the state that the constructor got.
            source: A fresh source; the first numbers are used.
        """
        zones: list[list[int]] = []
        for depth, value in zip(self._depths, self._read(s)[2:], strict=True):
            if depth == 1:
                zones += value
            else:
                zones += _pools(value)
        drawn = source.first(self._count)
        first = 0
        for cards, whole, single in self._piles:
            keys = drawn[first : first + len(cards)]
            first += len(cards)
            order = sorted(range(len(cards)), key=keys.__getitem__)  # as good as a shuffle, and faster
            dealt = [*map(cards.__getitem__, order)]
            for number, start, end, is_loose in whole:
                part = dealt[start:end]
                if is_loose:
                    part.sort()
                zones[number][:] = part
            for number, index, card in single:
                zones[number][index] = dealt[card]
        for number in self._unordered:
            zones[number].sort()
        for number, name, index in self._masks:
            _sort_by_mask(zones[number], getattr(s, name)[index])
        if self._tidies:
            sort_unordered_zones(s)
        if self._has_more:
            self._game.determinize(s, self.seat, source.after(self._count))
        self._game.derive(s)


def _depth(value: list[Any]) -> int:
    """Return the nesting of a field's zones: 0 for a flat field, 1 for a list, 2 for others."""
    if not value or not isinstance(value[0], list):
        return 0
    return 2 if any(isinstance(each, list) for zone in value for each in zone) else 1


def determinize(game: Rules, s: State, seat: int, seed: int) -> None:
    """Replace all information that a seat can't know by a random guess, in place.

    Args:
        game: The rules.
        s: The state.
        seat: The seat whose knowledge is retained.
        seed: Seed of the guess; at least 0.
    """
    Determinizer(game, s, seat).deal(s, SeededSource(seed))
