"""The state of Gin Rummy. Every field declares who may see it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from atoll.engine import SEAT, State, known, nobody, public

from .components import GinComponents
from .kinds import CARDS, MELDS, SEATS
from .melds import cards_in, discards_for, fitting, layable, mask_of

# The phases.
DEALING: Final = 0
OFFERING: Final = 1
DRAWING: Final = 2
DISCARDING: Final = 3
FACING_WALL: Final = 4
KNOCKING: Final = 5
LAYING: Final = 6
LAYING_OFF: Final = 7

NOBODY: Final = -1
NO_CARD: Final = -1
NO_LIMIT: Final = 1 << 10
"""More than any hand is worth: after a knock the other player may have any deadwood."""
MOST_DEALS: Final = 5
MOST_IN_HAND: Final = 11
MOST_WORTH: Final = MOST_IN_HAND * 15
EVERYBODY: Final = (1 << SEATS) - 1
"""The mask of the seats that know a card taken from the discards."""


@dataclass(slots=True)
class GinState(State[GinComponents]):
    """The state of Gin Rummy. Cards and melds are numbered as in `kinds`.

    Attributes:
        seats: The number of seats.
        over: Whether the game is over.
        phase: DEALING to LAYING_OFF.
        deal: The number of this deal, from 1; 0 before the first one.
        start_player: The seat that began this deal.
        turn: The seat whose turn it is.
        limit: The most deadwood to knock with in this deal.
        stock: The cards of the stock, ascending. No seat knows their order.
        discards: The discards, face up; the last one is on top.
        hands: The hand of each seat.
        known_by: Per seat and card of its hand, the mask of the seats that know the card.
        passes: The number of times that the first face-up card was refused.
        takes: The number of cards taken from the discards in this deal.
        offered: The face-up card when this turn's card was drawn, or NO_CARD.
        again: Whether the last discard was the card that had just been taken.
        knocker: The seat that has knocked, or NOBODY.
        melds: The melds laid by each seat.
        laid_off: The cards laid off on the knocker's melds.
        rests: The open deadwood of each seat.
        knocks: Per seat, the differences in deadwood of the deals that it won by knocking.
        gins: The same for gin.
        undercuts: The same for undercuts.
    """

    seats: int = public(lo=SEATS, hi=SEATS)
    over: bool = public()
    phase: int = public(hi=LAYING_OFF)
    deal: int = public(hi=MOST_DEALS)
    start_player: int = public(hi=SEATS - 1, holds=SEAT)
    turn: int = public(hi=SEATS - 1, holds=SEAT)
    limit: int = public(hi=30)
    stock: list[int] = nobody(back="card", hi=CARDS - 1, size=CARDS)
    discards: list[int] = public(hi=CARDS - 1, size=CARDS, domain="card")
    hands: list[list[int]] = known(back="card", masks="known_by", at_end=True, hi=CARDS - 1, size=MOST_IN_HAND)
    known_by: list[list[int]] = public(hi=EVERYBODY, size=MOST_IN_HAND)
    passes: int = public(hi=SEATS)
    takes: int = public(hi=50)
    offered: int = public(lo=NO_CARD, hi=CARDS - 1, domain="card")
    again: bool = public()
    knocker: int = public(lo=NOBODY, hi=SEATS - 1, holds=SEAT)
    melds: list[list[int]] = public(hi=len(MELDS) - 1, size=3, by=SEAT, domain="meld")
    laid_off: list[int] = public(hi=CARDS - 1, size=MOST_IN_HAND, domain="card")
    rests: list[list[int]] = public(hi=CARDS - 1, size=MOST_IN_HAND, by=SEAT, domain="card")
    knocks: list[list[int]] = public(hi=MOST_WORTH, size=MOST_DEALS, by=SEAT)
    gins: list[list[int]] = public(hi=MOST_WORTH, size=MOST_DEALS, by=SEAT)
    undercuts: list[list[int]] = public(hi=MOST_WORTH, size=MOST_DEALS, by=SEAT)

    @property
    def refused(self) -> bool:
        """True if both have just refused the first card; the next one then comes from the stock."""
        return self.passes == SEATS and self.offered == NO_CARD

    @property
    def laying_limit(self) -> int:
        """The most deadwood that the active seat may keep apart from its melds. Rule GI-4.1."""
        return self.limit if self.turn == self.knocker else NO_LIMIT

    def knocking_discards(self) -> list[int]:
        """Return the cards whose discard lets the active seat knock.

        At the wall, the last discard counts as part of the hand.
        """
        hand = self.hands[self.turn]
        if self.phase == FACING_WALL:
            hand = [*hand, self.discards[-1]]
        return discards_for(mask_of(hand), self.components.worths, self.limit)

    def layable_melds(self) -> list[int]:
        """Return the melds that the active seat can lay. Rule GI-4.1."""
        return layable(mask_of(self.hands[self.turn]), self.components.worths, self.laying_limit)

    def fitting_cards(self) -> list[int]:
        """Return the cards of the active seat that fit a meld of the knocker. Rule GI-4.2."""
        fits = fitting(self.melds[self.knocker], mask_of(self.laid_off))
        return list(cards_in(mask_of(self.hands[self.turn]) & fits))

    def receive(self, seat: int, card: int, mask: int) -> None:
        """Add a card to a hand, which is sorted by mask and then by card.

        Args:
            seat: The seat.
            card: The card.
            mask: The mask of the seats that know the card.
        """
        pairs = sorted([*zip(self.known_by[seat], self.hands[seat], strict=True), (mask, card)])
        self.known_by[seat] = [known_by for known_by, _ in pairs]
        self.hands[seat] = [each for _, each in pairs]

    def give_up(self, seat: int, card: int) -> None:
        """Remove a card from a hand. Everybody sees the card."""
        at = self.hands[seat].index(card)
        del self.hands[seat][at]
        del self.known_by[seat][at]
