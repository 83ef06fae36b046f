"""The evaluation of Gin Rummy for the bots: the worth of a hand, and its prospects."""

from __future__ import annotations

from typing import Final

from atoll.engine import Choose

from .kinds import CARDS, DISCARD, DRAW, KNOCK, LAY, LAY_OFF, MELDS, TAKE
from .melds import MELD_MASKS, arrangements, cards_in, deadwood, mask_of, most_melded, worth_of
from .rules import totals
from .state import DEALING, NOBODY, GinState

SPREAD: Final = 18.0
TUNING: Final = {"cut": 6}

_DRAW: Final = 2.5  # average improvement of a hand by a card of the stock
_NEAR: Final = 1.6  # worth of a pair that could become a meld
_KNOCK: Final = 100.0  # more than any other choice: a knock ends the deal, usually well
_EARLY: Final = 0.6  # worth of a point of deadwood in an unfinished hand


PARTNERS: Final = tuple(
    mask_of(other for meld in MELDS if len(meld) == 3 and card in meld for other in meld if other != card)
    for card in range(CARDS)
)
"""Per card, the mask of the cards that can be in one meld with it."""


def promise(mask: int, melded: int) -> float:
    """Return the worth of the pairs outside of melds that could become melds.

    Args:
        mask: The cards of the hand.
        melded: The cards in melds.

    Returns:
        The worth in points of deadwood.
    """
    rest = mask & ~melded
    return _NEAR * sum((PARTNERS[card] & rest).bit_count() for card in cards_in(rest)) / 2


def quality(mask: int, worths: tuple[int, ...]) -> float:
    """Return the quality of a hand of any size, in points; higher is better.

    It is the promise of its pairs minus its deadwood.
    """
    melded = max(arrangements(mask), key=lambda each: worth_of(each, worths))
    return promise(mask, melded) - worth_of(mask & ~melded, worths)


def best_after_discard(mask: int, worths: tuple[int, ...]) -> float:
    """Return the quality of the hand after the best discard."""
    return max(quality(mask & ~(1 << card), worths) for card in cards_in(mask))


def expected_scores(s: GinState) -> list[float]:
    """Return the points so far plus the expected ones of this deal.

    Before a knock these are a part of the difference in deadwood, afterwards all of it.
    """
    scores = [float(score) for score in totals(s)]
    if s.over or s.phase == DEALING:
        return scores
    rests = [_deadwood(s, seat) for seat in range(s.seats)]
    if s.knocker == NOBODY:
        ahead = 0 if rests[0] < rests[1] else 1
        scores[ahead] += (rests[1 - ahead] - rests[ahead]) * _EARLY
        return scores
    difference = rests[1 - s.knocker] - rests[s.knocker]
    if rests[s.knocker] == 0:
        scores[s.knocker] += difference + s.components.gin
    elif difference > 0:
        scores[s.knocker] += difference
    else:
        scores[1 - s.knocker] += s.components.undercut - difference
    return scores


def _deadwood(s: GinState, seat: int) -> int:
    """Return the worth of a seat's cards outside of melds, in the hand or open."""
    return deadwood(mask_of(s.hands[seat]), s.components.worths) + worth_of(mask_of(s.rests[seat]), s.components.worths)


def choice_values(s: GinState, ask: Choose) -> list[float]:
    """Return the worth of each choice, in points."""
    hand = mask_of(s.hands[ask.seat])
    return [_worth_of(s, ask, hand, choice) for choice in ask.choices]


def _worth_of(s: GinState, ask: Choose, hand: int, choice: int) -> float:
    worths = s.components.worths
    if choice in DISCARD:
        return quality(hand & ~(1 << DISCARD.part(choice)), worths)
    if choice == TAKE.first:
        return best_after_discard(hand | 1 << s.discards[-1], worths) - quality(hand, worths)
    if choice == DRAW.first:
        return _DRAW
    if choice == KNOCK.first:
        return _KNOCK
    if choice in LAY:
        melded = MELD_MASKS[LAY.part(choice)]
        return float(worth_of(melded, worths) + most_melded(hand & ~melded, worths))
    if choice in LAY_OFF:
        card = LAY_OFF.part(choice)
        saved = deadwood(hand, worths) - deadwood(hand & ~(1 << card), worths)
        return saved - 0.5
    return _DRAW if ask.prompt == "offer" else 0.0
