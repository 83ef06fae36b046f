"""A random consistent guess at what a seat can't know, made in place."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from operator import attrgetter, itemgetter
from typing import Any, TypeAlias, cast

from .chance import SeededSource
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


def hidden_slots(game: Rules, s: State, seat: int | None) -> dict[str, list[Place]]:
    """Per back all places of cards that the seat (None: a spectator) doesn't know, those of one owner together.

    So how an owner has split its cards between zones, which may be secret, makes no difference to what the others get.
    """
    found: dict[str, list[tuple[int, Place]]] = {}
    one_back = type(game).card_back is Rules.card_back  # in every field; then there's no need to ask card by card
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
    """How often each card lies where the seat (None: a spectator) doesn't know it, by its back and itself."""
    slots = hidden_slots(game, s, seat)
    return Counter((back, zone[index]) for back, places in slots.items() for zone, index in places)


def sort_unordered_zones(s: State) -> None:
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
                _sort_by_mask(cards, masks)


def _sort_by_mask(cards: list[int], masks: list[int]) -> None:
    """By mask first: in card order the masks would tell the rank of a card that the viewer doesn't know."""
    pairs = sorted(zip(masks, cards, strict=True))
    masks[:] = [mask for mask, _ in pairs]
    cards[:] = [card for _, card in pairs]


_Pile: TypeAlias = tuple[list[int], list[tuple[int, int, int, bool]], list[tuple[int, int, int]]]
"""All unknown cards of one back, in order, and where they go once they are shuffled.

First the zones that are filled anew: number, the first of their cards and the one after the last, whether they are in
no order. Then single places: number of the zone, index in it, which card.
"""


class Determinizer:
    """How all cards that a seat doesn't know are dealt anew among the places where they can be, back by back.

    What doesn't depend on chance is found out once, so that it needn't be again for other copies of the same table.
    seat: who doesn't know them.
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
        # With two more, as an attrgetter of fewer names gives no tuple.
        self._read: Callable[[State], tuple[Any, ...]] = attrgetter("seats", "over", *(name for name, _ in fields))
        self._depths: list[int] = [_depth(getattr(s, name)) for name, _ in fields]
        self._masks: list[tuple[int, str, int]] = []  # zones in order of masks: number, and where the masks are
        self._unordered: list[int] = []  # zones in no order of which only some places are dealt
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
        self._tidies: bool = twin != s  # what isn't dealt is in an order that may tell something

    def _pile(self, places: list[Place], numbers: dict[int, int], loose: set[int]) -> _Pile:
        """The cards at some places, and where they go."""
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
        """Deal on a copy of the table, which is changed, by the first numbers of a fresh source."""
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
    """How deep the lists of a zone lie in a field: 0 is the field itself, 1 is one list of them; 2 is anything else."""
    if not value or not isinstance(value[0], list):
        return 0
    return 2 if any(isinstance(each, list) for zone in value for each in zone) else 1


def determinize(game: Rules, s: State, seat: int, seed: int) -> None:
    """Deal all cards that the seat doesn't know anew among the places where they can be, back by back."""
    Determinizer(game, s, seat).deal(s, SeededSource(seed))
