"""The table: every field says who may see it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from atoll.engine import SEAT, State, known, nobody, public

from .components import GinComponents
from .kinds import CARDS, MELDS, SEATS
from .melds import cards_in, discards_for, fitting, layable, mask_of

DEALING: Final = 0  # phases
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
MOST_DEALS: Final = 5
MOST_IN_HAND: Final = 11
MOST_WORTH: Final = MOST_IN_HAND * 15
EVERYBODY: Final = (1 << SEATS) - 1
"""Who knows a card that was taken from the discards: a mask of seats."""


@dataclass(slots=True)
class GinState(State[GinComponents]):
    """The table. Cards and melds are counted as in `kinds`.

    phase: DEALING to LAYING_OFF. deal: the number of this deal, from 1 (0 before the first). start_player: who began
    it. turn: who acts. limit: the most deadwood to knock with in this deal.
    stock: nobody has them. discards: the last one lies on top, face up. hands: of each seat; known_by: card by card
    the mask of the seats that know it. passes: how often the first card that lay face up was refused. takes: cards
    taken from the discards in this deal. offered: the card that lay face up when this turn's card was drawn, or
    NO_CARD. again: whether the last discard was the card that had just been taken.
    knocker: the seat that has knocked, or NOBODY. melds: those laid by each seat; laid_off: cards added to the
    knocker's; rests: deadwood of each seat that lies open.
    knocks, gins, undercuts: per seat the differences in deadwood of the deals that it has won in this way.
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
        """Whether both have just refused the first card, so that the next one comes from the stock."""
        return self.passes == SEATS and self.offered == NO_CARD

    @property
    def laying_limit(self) -> int:
        """The most deadwood that the seat whose turn it is may keep beside its melds. Rule GI-4.1."""
        return self.limit if self.turn == self.knocker else NO_LIMIT

    def knocking_discards(self) -> list[int]:
        """Return the cards that the seat whose turn it is can discard and knock, at the wall with the last discard."""
        hand = self.hands[self.turn]
        if self.phase == FACING_WALL:
            hand = [*hand, self.discards[-1]]
        return discards_for(mask_of(hand), self.components.worths, self.limit)

    def layable_melds(self) -> list[int]:
        """Return the melds that the seat whose turn it is can lay. Rule GI-4.1."""
        return layable(mask_of(self.hands[self.turn]), self.components.worths, self.laying_limit)

    def fitting_cards(self) -> list[int]:
        """Return the cards of the seat whose turn it is that go on a meld of the knocker. Rule GI-4.2."""
        fits = fitting(self.melds[self.knocker], mask_of(self.laid_off))
        return list(cards_in(mask_of(self.hands[self.turn]) & fits))

    def receive(self, seat: int, card: int, mask: int) -> None:
        """A card comes into a hand; the seats of the mask know it. A hand is sorted by mask, then by card."""
        pairs = sorted([*zip(self.known_by[seat], self.hands[seat], strict=True), (mask, card)])
        self.known_by[seat] = [known_by for known_by, _ in pairs]
        self.hands[seat] = [each for _, each in pairs]

    def give_up(self, seat: int, card: int) -> None:
        """A card leaves a hand, and all see which one."""
        at = self.hands[seat].index(card)
        del self.hands[seat][at]
        del self.known_by[seat][at]
