"""The state of Atua.

Only residents not yet played, and the cards and tiles still to be drawn, are secret.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, NamedTuple

from mypy_extensions import mypyc_attr

from atoll.engine import SEAT, State, derived, nobody, owner, public, trackable

from .components import (
    FATES,
    ISLAND_CARDS,
    MAX_CARDS,
    MAX_COCONUTS,
    MAX_POINTS,
    RESIDENTS,
    SOURCES,
    VILLAGES,
    WINDOWS,
    AtuaComponents,
    Resident,
)
from .geometry import Island
from .kinds import LEFT, ROW
from .lattice import CARD_INTS, REACH

# The phases.
SETUP: Final = 0
TURN: Final = 1
WINDOW: Final = 2

NOTHING_HELD: Final = -1
NO_RESIDENT: Final = -1
NOT_SCORED: Final = -1

SEATS: Final = 6
CARD: Final = (None,) * CARD_INTS
"""The four ints of a card on an island; none of them is a seat."""


class ScoredCounts(NamedTuple):
    """The counts of a seat when a window was scored, for later explanation.

    Together with the cards placed by then they determine the scores.

    Attributes:
        cards: The cards placed, without the village.
        supply: The coconuts.
        revealed: 1 if the resident was revealed, else 0.
    """

    cards: int
    supply: int
    revealed: int


@mypyc_attr(serializable=True, allow_interpreted_subclasses=True)
@dataclass(slots=True)
class AtuaState(State[AtuaComponents]):
    """The state of Atua.

    An island in the state is never changed: a placement puts a new one there, so copies of the
    state share them.

    Attributes:
        seats: The number of seats.
        over: Whether the game is over.
        phase: SETUP, TURN or WINDOW.
        start_player: The seat that begins.
        active: The seat whose turn it is.
        turn: Turns done by all players together.
        window: The next scoring window, 0 to 2, and also the stack in use; 3 after the last window.
        stacks: Cards left in the stacks A, B and C.
        deck: All island cards never seen so far, ascending. Those in the stacks are drawn from
            them.
        row: The face-up cards from left to right; in the solo game the two open ones.
        row_coconuts: The coconuts on each card of the row.
        held: The slot, or side in the solo game, whose card is being placed, or NOTHING_HELD.
        placed: Per seat four ints per card, oldest first: its number in the components, x, y, rot.
        removed: Island cards that left the game face up, ascending.
        supply: Coconuts per seat.
        hut: Coconuts on Tahuma's hut.
        residents: Per seat the tile not yet played, or NO_RESIDENT.
        resident_pool: Residents that no seat has.
        revealed: Per seat the resident that it has played, or NO_RESIDENT.
        resident_points: Per seat the points of the played resident.
        fate_row: Face-up fates, ascending.
        fates: Bought fates per seat, ascending.
        fate_pool: Fates that aren't in the game.
        village_pool: Villages that aren't in the game.
        sheet: Per seat the points of the six sources, NOT_SCORED for open ones.
        scored_in: Per seat the window in which each source was scored, or NOT_SCORED.
        had: Per seat the ints of ScoredCounts for each window already scored.
        tahuma_pile: The cards left to Tahuma, ascending: one list per seat, but only the first is
            used.
        islands: Per seat its island, derived from `placed`.
    """

    seats: int = public(lo=1, hi=SEATS)
    over: bool = public()
    phase: int = public(hi=WINDOW)
    start_player: int = public(hi=SEATS - 1, holds=SEAT)
    active: int = public(hi=SEATS - 1, holds=SEAT)
    turn: int = public(hi=ISLAND_CARDS)
    window: int = public(hi=len(WINDOWS))
    stacks: list[int] = public(hi=ISLAND_CARDS, size=len(WINDOWS), fixed=True)
    deck: list[int] = nobody(back="island", hi=ISLAND_CARDS - 1, size=ISLAND_CARDS)
    row: list[int] = public(hi=ISLAND_CARDS - 1, size=ROW, fixed=True)
    row_coconuts: list[int] = public(hi=MAX_COCONUTS, size=ROW, fixed=True)
    held: int = public(lo=NOTHING_HELD, hi=ROW - 1)
    placed: list[list[int]] = public(lo=-REACH, hi=REACH, size=CARD_INTS * (MAX_CARDS + 1), by=SEAT, holds=CARD)
    removed: list[int] = public(hi=ISLAND_CARDS - 1, size=ISLAND_CARDS)
    supply: list[int] = public(hi=MAX_COCONUTS, size=SEATS, by=SEAT)
    hut: int = public(hi=MAX_COCONUTS)
    residents: list[int] = owner(back="resident", hi=RESIDENTS - 1)
    resident_pool: list[int] = nobody(back="resident", hi=RESIDENTS - 1, size=RESIDENTS)
    revealed: list[int] = public(lo=NO_RESIDENT, hi=RESIDENTS - 1, size=SEATS, by=SEAT)
    resident_points: list[int] = public(hi=MAX_POINTS, size=SEATS, by=SEAT)
    fate_row: list[int] = public(hi=FATES - 1, size=FATES)
    fates: list[list[int]] = public(hi=FATES - 1, size=FATES, by=SEAT)
    fate_pool: list[int] = nobody(back="fate", hi=FATES - 1, size=FATES)
    village_pool: list[int] = nobody(back="village", hi=VILLAGES - 1, size=VILLAGES)
    sheet: list[list[int]] = public(lo=NOT_SCORED, hi=MAX_POINTS, size=len(SOURCES), by=SEAT, fixed=True)
    scored_in: list[list[int]] = public(lo=NOT_SCORED, hi=len(WINDOWS) - 1, size=len(SOURCES), by=SEAT, fixed=True)
    had: list[list[int]] = public(hi=MAX_COCONUTS, size=len(ScoredCounts._fields) * len(WINDOWS), by=SEAT, fixed=True)
    tahuma_pile: list[list[int]] = trackable(count="public", at_end=True, hi=ISLAND_CARDS - 1, size=MAX_CARDS)
    islands: list[Island] = derived(shared=True)

    @property
    def solo(self) -> bool:
        """True if this is the game against Tahuma."""
        return self.seats == 1

    @property
    def open_end(self) -> bool:
        """True if volcanoes beyond the ruler score the points of its last band.

        Rule AU-5.5, ruling R47.
        """
        return self.options["volcano_ruler"] == "open_end"

    def resident_of(self, seat: int) -> Resident | None:
        """Return the resident that the seat has played; None before."""
        number = self.revealed[seat]
        if number == NO_RESIDENT:
            return None
        return self.components.residents[number]

    def counted(self, seat: int) -> list[ScoredCounts]:
        """Return the counts of a seat in each window that is scored."""
        each = iter(self.had[seat])
        return [ScoredCounts(*numbers) for numbers in zip(each, each, each, strict=True)]

    def price_of(self, slot: int) -> int:
        """Return the coconuts that the card of a slot costs.

        Rules AU-3.4 and AU-7.2, ruling R18.
        """
        if not self.solo:
            return slot
        price = self.components.solo.left_card_price
        return price if slot == LEFT else 0

    def can_pay_for(self, seat: int, slot: int) -> bool:
        """Return whether the supply covers the card of a slot; payment comes first.

        Rule AU-3.4, ruling R20.
        """
        return self.price_of(slot) <= self.supply[seat]

    def fits(self, seat: int, slot: int) -> bool:
        """Return whether the card of a slot fits on the island of a seat.

        Rule AU-3.4, ruling R18.
        """
        components: AtuaComponents = self.components
        return self.islands[seat].fits(components.cards[self.row[slot]])

    def can_buy(self, seat: int, fate: int) -> bool:
        """Return whether the supply covers a fate. Rule AU-3.2."""
        return self.components.fates[fate].price <= self.supply[seat]

    def open_sources(self, seat: int) -> list[int]:
        """Return the sources that the seat has not scored yet, ascending. Rule AU-4.1."""
        return [source for source, points in enumerate(self.sheet[seat]) if points == NOT_SCORED]
