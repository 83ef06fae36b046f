"""The printed matter of Atlandice: district tiles, clock, amounts and points."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, Final, Literal

from msgspec import Meta

from atoll.engine.components import At, Named, Part, Source, Table, Text, in_order, read, titles

from .effects import Step, Steps, check_effect
from .kinds import AREA, DISTRICTS, KINDS, MOST, RESOURCE, STACK

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
class AtlandiceBox:
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


_Amount = Annotated[int, Meta(ge=0, le=MOST)]
_Hands = Annotated[int, Meta(ge=1, le=MOST_SPACES)]
_Dice = Annotated[int, Meta(ge=1, le=MOST_DICE)]


class _Game(Table):
    id: Literal["atlandice"]
    name: Text
    players_min: Literal[2]
    players_max: Literal[4]


class _Resource(Named):
    plural: Text
    home: str
    count: Annotated[int, Meta(ge=1, lt=MOST)]


class _District(Named, tag="district", tag_field="kind"):
    die_face: int
    resource: str
    tiles: Literal[3]


class _Market(Named, tag="market", tag_field="kind"):
    die_face: int
    hands: _Hands


class _Tile(Named):
    area: str
    hands: _Hands
    vp: int
    effect: Steps
    effect_source: Source | None = None
    hands_source: Source | None = None


class _Clock(Table):
    spaces: Annotated[int, Meta(ge=2, le=MOST_SPACES)]
    start: Literal[0]
    end: int


class _Space(Table):
    index: int
    kind: Literal["start", "blank", "inventory", "inventory_all", "donation", "wave"]
    resource: str | None = None


class _DiceTable(Table):
    count: _Dice
    faces: tuple[Literal[1], Literal[2], Literal[3], Literal[4], Literal[5], Literal[6]]


class _Submarine(Table):
    count: Literal[1]
    start_area: str


class _Token(Table):
    count: Literal[1]
    front: Literal["start_player"]
    back: Literal["neutral_player"]


class _Points(Table):
    supply: Literal["unlimited"]
    district_tile: _Amount
    district_first: _Amount
    district_second: _Amount
    inventory: _Amount
    donation_cost: Annotated[int, Meta(ge=1, le=MOST)]
    donation_points: _Amount
    final_first: _Amount
    final_second: _Amount


class _Players(Table):
    dice: _Dice
    district_resources: Annotated[int, Meta(ge=1, le=MOST)]
    dice_per_player: _Dice
    dice_to_neutral_per_player: int
    neutral_player: bool


class _Setup(Table):
    market_per_resource: _Amount
    market_refill_to: _Amount
    players_2: _Players
    players_3: _Players
    players_4: _Players


class _File(Part):
    game: _Game
    resources: list[_Resource]
    areas: list[_District | _Market]
    district_tiles: list[_Tile]
    clock: _Clock
    clock_spaces: list[_Space]
    dice: _DiceTable
    submarine: _Submarine
    start_player_token: _Token
    victory_points: _Points
    setup: _Setup


def load_box(data: Mapping[str, Any]) -> AtlandiceBox:
    """The Box from parsed component data. Raises ComponentError."""
    file = read(data, _File)
    resources = in_order("resources", file.resources, RESOURCE)
    areas = in_order("areas", file.areas, AREA)
    market_hands = _market_hands(areas, resources)
    points = file.victory_points
    tiles = _tiles(file.district_tiles, points)
    spaces = _spaces(file.clock, file.clock_spaces)
    allotment = _allotments(file.setup, resources, file.dice)
    dice = (len(spaces) - 1) * max(each.dice for each in allotment.values())
    At("clock").need(dice <= MOST_ROLLED, f"spaces is {len(spaces)}: {dice} dice in all rounds", f"up to {MOST_ROLLED}")
    return AtlandiceBox(
        resources=tuple(resource.count for resource in resources),
        tiles=tuple(tile.id for tile in tiles),
        hands=tuple(tile.hands for tile in tiles),
        effects=tuple(tile.effect for tile in tiles),
        tile_points=points.district_tile,
        market_hands=market_hands,
        market=file.setup.market_per_resource,
        refill=file.setup.market_refill_to,
        spaces=spaces,
        submarine=At("submarine").one_of("start_area", file.submarine.start_area, AREA),
        first=points.district_first,
        second=points.district_second,
        final_first=points.final_first,
        final_second=points.final_second,
        inventory=points.inventory,
        donation_cost=points.donation_cost,
        donation_points=points.donation_points,
        allotment=allotment,
        titles=titles(
            resource=resources,
            resources=[each.plural for each in resources],
            area=areas,
            district=areas[:DISTRICTS],
            tile=tiles,
        ),
    )


def _market_hands(areas: Sequence[_District | _Market], resources: Sequence[_Resource]) -> int:
    """The districts, each with its resource and face, come before the market."""
    hands = 0
    for number, area in enumerate(areas):
        at = At("areas", area.id)
        at.need(area.die_face == number + 1, f"die_face is {area.die_face}", number + 1)
        if isinstance(area, _Market):
            hands = area.hands
            at.need(number == DISTRICTS, "kind is 'market'", "district")
        else:
            at.need(number < DISTRICTS, "kind is 'district'", "market")
            home = resources[number]
            at.need(area.resource == home.id, f"resource is {area.resource!r}", home.id)
            At("resources", home.id).need(home.home == area.id, f"home is {home.home!r}", area.id)
    return hands


def _tiles(tiles: Sequence[_Tile], points: _Points) -> list[_Tile]:
    districts = AREA.names[:DISTRICTS]
    stacks: list[list[_Tile]] = [[] for _ in districts]
    for tile in tiles:
        at = At("district_tiles", tile.id)
        stacks[at.one_of("area", tile.area, districts)].append(tile)
        at.need(tile.vp == points.district_tile, f"vp is {tile.vp}", f"{points.district_tile}, as in victory_points")
        check_effect(at, tile.effect)
    for district, stack in zip(districts, stacks, strict=True):
        At("district_tiles").need(len(stack) == STACK, f"{len(stack)} tiles with area {district!r}", STACK)
    return [tile for stack in stacks for tile in stack]


def _spaces(clock: _Clock, entries: Sequence[_Space]) -> tuple[int, ...]:
    end = clock.spaces - 1
    At("clock").need(clock.end == end, f"end is {clock.end}", f"{end}, the last of {clock.spaces} spaces")
    At("clock_spaces").need(
        [entry.index for entry in entries] == list(range(clock.spaces)), "index doesn't count", f"0 to {end}, in order"
    )
    codes = {
        "start": START_SPACE,
        "blank": BLANK,
        "wave": WAVE,
        "inventory_all": INVENTORY_ALL,
        "donation": DONATION,
    }
    found = []
    for entry in entries:
        at = At("clock_spaces", f"index = {entry.index}")
        fixed = {0: "start", end: "wave"}.get(entry.index)
        inside = fixed is None and entry.kind not in ("start", "wave")
        at.need(entry.kind == fixed or inside, f"kind is {entry.kind!r}", "start first, wave last, neither elsewhere")
        if entry.kind == "inventory":
            found.append(at.one_of("resource", entry.resource or "", RESOURCE))
        else:
            at.need(entry.resource is None, f"resource is {entry.resource!r}", "nothing, but for kind = inventory")
            found.append(codes[entry.kind])
    return tuple(found)


def _allotments(setup: _Setup, resources: Sequence[_Resource], dice: _DiceTable) -> dict[int, Allotment]:
    found = {}
    for seats, each in zip(SEAT_COUNTS, (setup.players_2, setup.players_3, setup.players_4), strict=True):
        at = At(f"setup.players_{seats}")
        neutral = seats == 2
        at.need(each.neutral_player == neutral, f"neutral_player is {each.neutral_player}", str(neutral).lower())
        to_neutral = each.dice_to_neutral_per_player
        at.need(to_neutral == neutral, f"dice_to_neutral_per_player is {to_neutral}", int(neutral))
        picks = each.dice_per_player
        at.need(picks > to_neutral, f"dice_per_player is {picks}", f"at least {to_neutral + 1}")
        at.need(each.dice <= dice.count, f"dice is {each.dice}", f"up to {dice.count}, as in dice")
        at.need(each.dice == seats * picks + 1, f"dice is {each.dice}", f"{seats * picks + 1}, so that one die stays")
        stock = each.district_resources
        for resource in resources:
            allowed = (
                f"up to {resource.count - setup.market_per_resource}, as there are {resource.count} of {resource.id}"
            )
            right = stock + setup.market_per_resource <= resource.count
            at.need(right, f"district_resources is {stock}", allowed)
        found[seats] = Allotment(each.dice, stock, picks, neutral)
    return found
