"""The components of Atlandice: district tiles, clock, amounts and points.

They are built from `components.toml`. No rules live here.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from .effects import Step
from .kinds import KINDS

# The effects of the spaces of the clock. 0 to 4 are the inventories of one kind of resource.
START_SPACE: Final = -3
BLANK: Final = -2
WAVE: Final = -1
INVENTORY_ALL: Final = KINDS
DONATION: Final = KINDS + 1

MOST_DICE: Final = 20
MOST_SPACES: Final = 60
MOST_ROLLED: Final = 210
"""The greatest number of dice in all rounds together; it bounds the length of a game."""
SEAT_COUNTS: Final = (2, 3, 4)


@dataclass(frozen=True, slots=True)
class Allotment:
    """The setup for a number of players.

    Attributes:
        dice: Dice rolled each round.
        stock: Resources of its own kind on each district.
        picks: Dice that each player takes per round.
        neutral: Whether there is a neutral player, to whom each player hands one of the dice.
    """

    dice: int
    stock: int
    picks: int
    neutral: bool


@dataclass(frozen=True, slots=True)
class AtlandiceComponents:
    """The components of Atlandice.

    Resources, districts and areas are in the order of their domains.

    Attributes:
        resources: The number of resources, by kind.
        tiles: The ids of the tiles, three in a row per district.
        hands: The clock hands of each tile.
        effects: The effect of each tile.
        tile_points: The points of a tile.
        market_hands: The clock hands of the black market.
        market: Resources of each kind on the black market at setup.
        refill: The number of resources of a kind up to which the market is refilled.
        spaces: The effect of each space of the clock.
        submarine: The area where the submarine starts.
        first: Points for the most of a kind when a district is scored.
        second: Points for the second most.
        final_first: Points for the most of a kind at the end.
        final_second: Points for the second most at the end.
        inventory: Points for an inventory.
        donation_cost: Resources of one donation.
        donation_points: Points for one donation.
        allotment: The setup by number of players.
        titles: Per language and domain, the names of the elements.
    """

    resources: tuple[int, ...]
    tiles: tuple[str, ...]
    hands: tuple[int, ...]
    effects: tuple[tuple[Step, ...], ...]
    tile_points: int
    market_hands: int
    market: int
    refill: int
    spaces: tuple[int, ...]
    submarine: int
    first: int
    second: int
    final_first: int
    final_second: int
    inventory: int
    donation_cost: int
    donation_points: int
    allotment: Mapping[int, Allotment]
    titles: Mapping[str, Mapping[str, tuple[str, ...]]]
