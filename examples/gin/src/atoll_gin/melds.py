"""What a hand is worth: sets of cards as bit masks of 52, and the sets and runs in them. Nothing here knows a table."""

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
    """These cards as a mask."""
    mask = 0
    for card in cards:
        mask |= 1 << card
    return mask


def cards_in(mask: int) -> Iterator[int]:
    """The cards of a mask, ascending."""
    while mask:
        lowest = mask & -mask
        yield lowest.bit_length() - 1
        mask ^= lowest


def worths_of(values: Sequence[int]) -> tuple[int, ...]:
    """What each set of cards of one suit is worth, by its mask; values: of the ranks."""
    worths = [0]
    for value in values:
        worths += [worth + value for worth in worths]
    return tuple(worths)


def worth_of(mask: int, worths: Sequence[int]) -> int:
    """What all cards of a mask are worth together; worths: see worths_of."""
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
    """The ranks that at least three of the suits have."""
    return (spades & clubs & (diamonds | hearts)) | (diamonds & hearts & (spades | clubs))


def arrangements(mask: int) -> tuple[int, ...]:
    """What can be melded of the cards of a mask at once: the masks of all unions of melds without a common card."""
    found = {0}
    for meld in melds_in(mask):
        cards = MELD_MASKS[meld]
        found |= {each | cards for each in found if not each & cards}
    return tuple(sorted(found))


def deadwood(mask: int, worths: Sequence[int]) -> int:
    """What the cards are worth that no meld takes, in the best arrangement."""
    return worth_of(mask, worths) - max([worth_of(each, worths) for each in arrangements(mask)])


def discards_for(mask: int, worths: Sequence[int], limit: int) -> list[int]:
    """The cards after whose discard the deadwood isn't above a limit, ascending."""
    total = worth_of(mask, worths)
    rests = [(each, total - worth_of(each, worths) - limit) for each in arrangements(mask)]
    found = 0
    for melded, excess in rests:
        for card in cards_in(mask & ~melded & ~found):
            if worths[1 << card % RANKS] >= excess:
                found |= 1 << card
    return list(cards_in(found))


def layable(mask: int, worths: Sequence[int], limit: int) -> list[int]:
    """The melds of a hand after which its deadwood can still be brought down to a limit, ascending."""
    wanted = worth_of(mask, worths) - limit
    return [
        meld
        for meld in melds_in(mask)
        if worth_of(MELD_MASKS[meld], worths) + most_melded(mask & ~MELD_MASKS[meld], worths) >= wanted
    ]


def most_melded(mask: int, worths: Sequence[int]) -> int:
    """The worth of the best arrangement."""
    return max([worth_of(each, worths) for each in arrangements(mask)])


def fitting(melds: Iterable[int], laid_off: int) -> int:
    """The cards that can be laid off on melds, some of which have got cards already: a mask.

    laid_off: the mask of the cards that lie on these melds already.
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
    """The cards with which a run goes on at either end, beyond those that were laid off on it."""
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
