"""The state of Atlandice.

Nothing in it is secret. The next tile of a stack is decided when it is opened.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from mypy_extensions import mypyc_attr

from atoll.engine import SEAT, State, public

from .components import MOST_DICE, MOST_SPACES, AtlandiceComponents
from .kinds import AREAS, BLACK_MARKET, DISTRICTS, FACES, KINDS, MOST, STACK

# The phases.
PREPARE: Final = 0
OPEN_GATES: Final = 1
SEARCH_AREAS: Final = 2
DONATE_RESOURCES: Final = 3

NOBODY: Final = -1  # no recipient, no area searched
FACE_DOWN: Final = -1  # open tile of a district before the game begins
USED_UP: Final = -2  # open tile of a district whose last tile was scored


@mypyc_attr(serializable=True, allow_interpreted_subclasses=True)
@dataclass(slots=True)
class AtlandiceState(State[AtlandiceComponents]):
    """The state of Atlandice.

    Holders are the seats and, with 2 players, the neutral player as number 2.

    Attributes:
        seats: The number of seats.
        over: Whether the game is over.
        phase: PREPARE, OPEN_GATES, SEARCH_AREAS or DONATE_RESOURCES.
        round: The round, from 1.
        start_player: The seat that begins the round.
        active: The seat whose turn it is.
        turn: Dice taken this round by all seats together; in a donation, the seats that are done.
        recipient: The holder that gets the resources of the current search, or NOBODY.
        here: The area being searched, or NOBODY.
        dice: Per face 0 to 5, the dice still at a gate.
        taken: Per holder, the dice taken in this round.
        handed: Per seat, whether it has handed a die to the neutral player in this round.
        stock: Per area and kind, the resources there.
        holds: Per holder and kind, its resources.
        out: Per kind, the resources that are out of the game.
        open_tile: Per district, its open tile, FACE_DOWN or USED_UP.
        below: Per district, the tiles below, ascending.
        stocked: Per district, whether its open tile has had a resource.
        submarine: The area of the submarine.
        clock: The space of the hand.
        won: Per holder, its tiles.
        lost: Tiles that nobody got.
        ties: Per holder and kind, the tied first places scored without the tile.
        seconds: Per holder and kind, the second places scored.
        inventories: Per holder, the inventories won of each kind, and last of all kinds.
        donations: Per holder, the number of donations of `donation_cost` resources.
    """

    seats: int = public(lo=2, hi=4)
    over: bool = public()
    phase: int = public(hi=DONATE_RESOURCES)
    round: int = public(lo=1, hi=MOST_SPACES)
    start_player: int = public(hi=3, holds=SEAT)
    active: int = public(hi=3, holds=SEAT)
    turn: int = public(hi=MOST_DICE)
    recipient: int = public(lo=NOBODY, hi=3, holds=SEAT)
    here: int = public(lo=NOBODY, hi=BLACK_MARKET)
    dice: list[int] = public(hi=MOST_DICE, size=FACES, fixed=True)
    taken: list[int] = public(hi=MOST_DICE, size=4, by=SEAT)
    handed: list[bool] = public(size=4, by=SEAT)
    stock: list[list[int]] = public(hi=MOST, size=KINDS, fixed=True)
    holds: list[list[int]] = public(hi=MOST, size=KINDS, by=SEAT, fixed=True)
    out: list[int] = public(hi=MOST, size=KINDS, fixed=True)
    open_tile: list[int] = public(lo=USED_UP, hi=DISTRICTS * STACK - 1, size=DISTRICTS, fixed=True)
    below: list[list[int]] = public(hi=DISTRICTS * STACK - 1, size=STACK)
    stocked: list[bool] = public(size=DISTRICTS, fixed=True)
    submarine: int = public(hi=AREAS - 1)
    clock: int = public(hi=MOST_SPACES - 1)
    won: list[list[int]] = public(hi=DISTRICTS * STACK - 1, size=DISTRICTS * STACK, by=SEAT)
    lost: list[int] = public(hi=DISTRICTS * STACK - 1, size=DISTRICTS * STACK)
    ties: list[list[int]] = public(hi=STACK, size=KINDS, by=SEAT, fixed=True)
    seconds: list[list[int]] = public(hi=STACK, size=KINDS, by=SEAT, fixed=True)
    inventories: list[list[int]] = public(hi=MOST_SPACES, size=KINDS + 1, by=SEAT, fixed=True)
    donations: list[int] = public(hi=MOST_SPACES * MOST, size=4, by=SEAT)

    def area_of(self, face: int) -> int:
        """Return the area of a die's face, 0 to 5.

        It is the black market for a 6 and for a district that is used up.
        Rule AL-3.2, ruling R27.
        """
        return BLACK_MARKET if self.is_used_up(face) else face

    def is_used_up(self, area: int) -> bool:
        """Return whether the last tile of a district was scored; the black market stays.

        Rule AL-5.5.
        """
        return area != BLACK_MARKET and self.open_tile[area] == USED_UP

    def dice_at(self, area: int) -> int:
        """Return the number of dice at the gate of an area."""
        return self.dice_by_area()[area]

    def dice_by_area(self) -> list[int]:
        """Return the number of dice at each area; the list must not be changed.

        Rule AL-3.2, ruling R27.
        """
        if USED_UP not in self.open_tile:
            return self.dice
        dice = self.dice[:]
        for district, tile in enumerate(self.open_tile):
            if tile == USED_UP:
                dice[BLACK_MARKET] += dice[district]
                dice[district] = 0
        return dice

    def hands(self, area: int) -> int:
        """Return the clock hands of an area: on its open tile, or on the black market.

        A district that is used up has none.
        Rule AL-3.6.
        """
        if area == BLACK_MARKET:
            return self.components.market_hands
        tile = self.open_tile[area]
        return self.components.hands[tile] if tile >= 0 else 0
