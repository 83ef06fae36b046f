"""The Box of Atlandice: district tiles, clock, amounts and points, built from `components.toml`. No rules live here."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from .effects import Step
from .kinds import KINDS

START_SPACE: Final = -3  # spaces of the clock; 0 to 4 are the inventories of one resource
BLANK: Final = -2
WAVE: Final = -1
INVENTORY_ALL: Final = KINDS
DONATION: Final = KINDS + 1

MOST_DICE: Final = 20
MOST_SPACES: Final = 60
MOST_ROLLED: Final = 210
"""Dice in all rounds together: the length of a game is bounded by it."""
SEAT_COUNTS: Final = (2, 3, 4)


@dataclass(frozen=True, slots=True)
class Allotment:
    """What a number of players begins with.

    dice: rolled each round. stock: resources of its own kind on each district. picks: dice that each player takes a
    round. neutral: whether there is a neutral player, to whom each player hands one of the dice.
    """

    dice: int
    stock: int
    picks: int
    neutral: bool


@dataclass(frozen=True, slots=True)
class AtlandiceComponents:
    """The Box of Atlandice; resources, districts and areas in the order of their domains.

    resources: how many there are of each kind. tiles: ids, three per district in a row; hands, effects: per tile;
    tile_points: points of each. market_hands: hands of the black market. market: resources of each kind there at setup;
    refill: up to so many are refilled. spaces: per space of the clock what it does. submarine: area where it begins.
    first, second: points for a majority when a district is scored; final_first, final_second: in the end.
    inventory: points for an inventory. donation_cost resources give donation_points.
    allotment: number of players -> Allotment.
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
