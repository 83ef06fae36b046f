"""The table of the toy, with one field for each way in which something can be known."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from atoll.engine import State, insert_sorted, known, nobody, owner, public, trackable

from .kinds import CARD, CHARM, MOST_SEATS, SHELLS
from .options import MOST_ROUNDS

PREPARE: Final = 0  # phases
BIDDING: Final = 1
ROLL: Final = 2
ACT: Final = 3

NO_CHARM: Final = -1
MOST_SHELLS: Final = 60
MOST_CARDS: Final = 72


@dataclass(slots=True)
class Bid:
    """A revealed bid."""

    seat: int
    amount: int


@dataclass(slots=True)
class ToyState(State):
    """The table.

    phase: PREPARE, BIDDING, ROLL or ACT. round: the current one, from 1. order: seats in turn order; turn: whose turn
    it is, as index in the order. actions: how many are left in this turn. bids: the last ones, in turn order.
    supply: shells per colour; shells: per seat and colour; paid: shells that a seat has paid in the whole game.
    deck, discard, hands, played: cards, sorted. drawn: what a diver has drawn and not chosen from yet.
    gifts: per seat the face-down cards before it, gift_masks who knows each. charm_box: charms nobody has;
    charms: one per seat or NO_CHARM. wishes: colours per seat, ascending.
    """

    seats: int = public(lo=2, hi=MOST_SEATS)
    over: bool = public()
    phase: int = public(hi=ACT)
    round: int = public(hi=MOST_ROUNDS)
    order: list[int] = public(hi=MOST_SEATS - 1, size=MOST_SEATS)
    turn: int = public(hi=MOST_SEATS)
    actions: int = public(hi=2)
    bids: list[Bid] = public(size=MOST_SEATS)
    supply: list[int] = public(hi=MOST_SHELLS, size=SHELLS)
    shells: list[list[int]] = public(hi=MOST_SHELLS, size=SHELLS)
    paid: list[int] = trackable(hi=999, size=MOST_SEATS)
    deck: list[int] = nobody(back="card", hi=CARD.size - 1, size=MOST_CARDS)
    discard: list[int] = public(hi=CARD.size - 1, size=MOST_CARDS)
    hands: list[list[int]] = owner(back="card", hi=CARD.size - 1, size=MOST_CARDS)
    drawn: list[list[int]] = owner(back="card", hi=CARD.size - 1, size=2)
    played: list[list[int]] = public(hi=CARD.size - 1, size=MOST_CARDS)
    gifts: list[list[int]] = known(back="card", masks="gift_masks", at_end=True, hi=CARD.size - 1, size=MOST_CARDS)
    gift_masks: list[list[int]] = public(hi=(1 << MOST_SEATS) - 1, size=MOST_CARDS)
    charm_box: list[int] = nobody(back="charm", hi=CHARM.size - 1, size=CHARM.size)
    charms: list[int] = owner(back="charm", at_end=True, lo=NO_CHARM, hi=CHARM.size - 1, size=MOST_SEATS)
    wishes: list[list[int]] = owner(back="", count="hidden", at_end=True, hi=SHELLS - 1, size=3)

    @property
    def active(self) -> int:
        """The seat whose turn it is."""
        return self.order[self.turn]

    def others(self, seat: int) -> list[int]:
        """All other seats in turn order, beginning after this one."""
        start = self.order.index(seat) + 1
        return self.order[start:] + self.order[: start - 1]

    def can_pay_for(self, seat: int, card: int) -> bool:
        """Return whether a seat has the shells for a card."""
        price: int = self.components.price[card]
        return price <= sum(self.shells[seat])

    def pay_shells(self, seat: int, shell: int, amount: int) -> None:
        """Shells go from a seat to the supply."""
        self.shells[seat][shell] -= amount
        self.supply[shell] += amount

    def take_shells(self, seat: int, shell: int, amount: int) -> int:
        """Shells go from the supply to a seat, as many as there are; gives how many."""
        taken = min(amount, self.supply[shell])
        self.supply[shell] -= taken
        self.shells[seat][shell] += taken
        return taken

    def lay_gift(self, receiver: int, card: int, mask: int) -> None:
        """A card comes face down before a seat; the zone stays sorted by mask, then by card."""
        pairs = sorted([*zip(self.gift_masks[receiver], self.gifts[receiver], strict=True), (mask, card)])
        self.gift_masks[receiver] = [each for each, _ in pairs]
        self.gifts[receiver] = [each for _, each in pairs]

    def discard_card(self, seat: int, card: int) -> None:
        """A card goes from a hand to the discards."""
        self.hands[seat].remove(card)
        insert_sorted(self.discard, card)
