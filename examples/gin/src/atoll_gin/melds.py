"""Hands as bit masks of 52 cards, and the sets and runs in them.

Nothing here depends on the state.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from .kinds import CARDS, MELDS, RANKS, SUITS

SUIT: Final = (1 << RANKS) - 1
"""The cards of the first suit."""
MELD_MASKS: Final = tuple(sum(1 << card for card in meld) for meld in MELDS)
_SETS: Final = 5  # melds of a rank: four of three cards and one of four
_FIRST_RUN: Final = RANKS * _SETS
_RUNS: Final = {length: RANKS - length + 1 for length in (3, 4, 5)}  # per suit
_FIRST: Final = {
    3: _FIRST_RUN,
    4: _FIRST_RUN + SUITS * _RUNS[3],
    5: _FIRST_RUN + SUITS * (_RUNS[3] + _RUNS[4]),
}


def mask_of(cards: Iterable[int]) -> int:
    """Return cards as a mask."""
    mask = 0
    for card in cards:
        mask |= 1 << card
    return mask


def cards_in(mask: int) -> Iterator[int]:
    """Yield the cards of a mask, ascending."""
    while mask:
        lowest = mask & -mask
        yield lowest.bit_length() - 1
        mask ^= lowest


def worths_of(values: Sequence[int]) -> tuple[int, ...]:
    """Return the worth of each set of cards of one suit, by its mask."""
    worths = [0]
    for value in values:
        worths += [worth + value for worth in worths]
    return tuple(worths)


def worth_of(mask: int, worths: Sequence[int]) -> int:
    """Return the total worth of the cards of a mask; `worths` comes from `worths_of`."""
    return (
        worths[mask & SUIT]
        + worths[mask >> RANKS & SUIT]
        + worths[mask >> 2 * RANKS & SUIT]
        + worths[mask >> 3 * RANKS & SUIT]
    )


def melds_in(mask: int) -> tuple[int, ...]:
    """Return the melds that can be made of the cards of a mask, ascending. Rule GI-1.1."""
    suits = [mask >> suit * RANKS & SUIT for suit in range(SUITS)]
    found: list[int] = []
    for rank in cards_in(_in_three(*suits)):
        held = [bool(suit >> rank & 1) for suit in suits]
        first = rank * _SETS
        if all(held):
            found += range(first, first + _SETS)
        else:
            found.append(first + held.index(False))
    for length in (3, 4, 5):
        for suit, held_ranks in enumerate(suits):
            starts = held_ranks & held_ranks >> 1 & held_ranks >> 2
            for more in range(3, length):
                starts &= held_ranks >> more
            found += [_FIRST[length] + suit * _RUNS[length] + rank for rank in cards_in(starts)]
    return tuple(found)


def _in_three(spades: int, clubs: int, diamonds: int, hearts: int) -> int:
    """Return the ranks that at least three of the suits have."""
    return (spades & clubs & (diamonds | hearts)) | (diamonds & hearts & (spades | clubs))


def arrangements(mask: int) -> tuple[int, ...]:
    """Return the masks of all unions of melds without a common card, ascending."""
    found = {0}
    for meld in melds_in(mask):
        cards = MELD_MASKS[meld]
        found |= {each | cards for each in found if not each & cards}
    return tuple(sorted(found))


def deadwood(mask: int, worths: Sequence[int]) -> int:
    """Return the worth of the cards outside of melds, in the best arrangement."""
    return worth_of(mask, worths) - max([worth_of(each, worths) for each in arrangements(mask)])


def discards_for(mask: int, worths: Sequence[int], limit: int) -> list[int]:
    """Return the cards whose discard brings the deadwood down to a limit, ascending.

    Args:
        mask: The cards of the hand.
        worths: The worth of the cards; see `worths_of`.
        limit: The most deadwood.
    """
    total = worth_of(mask, worths)
    rests = [(each, total - worth_of(each, worths) - limit) for each in arrangements(mask)]
    found = 0
    for melded, excess in rests:
        for card in cards_in(mask & ~melded & ~found):
            if worths[1 << card % RANKS] >= excess:
                found |= 1 << card
    return list(cards_in(found))


def layable(mask: int, worths: Sequence[int], limit: int) -> list[int]:
    """Return the melds after which the deadwood can still be brought down to a limit, ascending.

    Args:
        mask: The cards of the hand.
        worths: The worth of the cards; see `worths_of`.
        limit: The most deadwood.
    """
    wanted = worth_of(mask, worths) - limit
    return [
        meld
        for meld in melds_in(mask)
        if worth_of(MELD_MASKS[meld], worths) + most_melded(mask & ~MELD_MASKS[meld], worths) >= wanted
    ]


def most_melded(mask: int, worths: Sequence[int]) -> int:
    """Return the worth of the best arrangement."""
    return max([worth_of(each, worths) for each in arrangements(mask)])


def fitting(melds: Iterable[int], laid_off: int) -> int:
    """Return the mask of the cards that can be laid off on melds.

    Args:
        melds: The melds.
        laid_off: The mask of the cards that are already laid off on them.
    """
    found = 0
    for meld in melds:
        cards = MELD_MASKS[meld]
        if meld < _FIRST_RUN:
            rank = meld // _SETS
            found |= sum(1 << suit * RANKS + rank for suit in range(SUITS)) & ~cards
        else:
            found |= _ends(MELDS[meld], laid_off)
    return found & ~laid_off


def _ends(run: Sequence[int], laid_off: int) -> int:
    """Return the cards that continue a run at either end, beyond the laid-off ones."""
    suit = run[0] // RANKS
    low, high = run[0] - 1, run[-1] + 1
    while low >= suit * RANKS and laid_off >> low & 1:
        low -= 1
    while high < (suit + 1) * RANKS and laid_off >> high & 1:
        high += 1
    found = 1 << low if low >= suit * RANKS else 0
    return found | (1 << high if high < (suit + 1) * RANKS else 0)


assert len(MELDS) == _FIRST[5] + SUITS * _RUNS[5]
assert CARDS == SUITS * RANKS
