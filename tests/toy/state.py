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
    """The state of the toy game.

    Attributes:
        seats: Number of seats.
        over: Whether the game is over.
        phase: PREPARE, BIDDING, ROLL or ACT.
        round: The current round, from 1.
        order: The seats in turn order.
        turn: Index in `order` of the seat whose turn it is.
        actions: Number of actions left in this turn.
        bids: The last bids, in turn order.
        supply: Shells in the supply per color.
        shells: Shells per seat and color.
        paid: Per seat the shells paid in the whole game.
        deck: The deck, sorted.
        discard: The discard pile, sorted.
        hands: The hands, sorted.
        played: The played cards, sorted.
        drawn: The cards that a diver has drawn and not chosen from yet.
        gifts: Per seat the face-down cards in front of it.
        gift_masks: The seats that know each of these cards.
        charm_box: The charms that nobody has.
        charms: Per seat its charm, or NO_CHARM.
        wishes: Colors per seat, ascending.
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
