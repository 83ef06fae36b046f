"""The component loader of Atlandice.

It builds the components from `components.toml` and rejects impossible values.
"""

from __future__ import annotations

from collections.abc import Sequence

from atoll.engine import JsonMapping
from atoll.engine.component_schema import FileLocation, in_order, localized_names, read

from . import component_schema as schema
from .components import (
    BLANK,
    DONATION,
    INVENTORY_ALL,
    MOST_ROLLED,
    SEAT_COUNTS,
    START_SPACE,
    WAVE,
    Allotment,
    AtlandiceComponents,
)
from .effects import IfSecondDie, Roll, Step
from .kinds import AREA, DISTRICTS, RESOURCE, STACK


def load_components(data: JsonMapping) -> AtlandiceComponents:
    """Return the components described by parsed component data.

    Rule AL-1.1.

    Args:
        data: Content of a `components.toml`.

    Raises:
        ComponentError: If a table or key is missing or unknown, or a value is impossible.
    """
    file = read(data, schema.File)
    resources = in_order("resources", file.resources, RESOURCE)
    areas = in_order("areas", file.areas, AREA)
    market_hands = _market_hands(areas, resources)
    points = file.victory_points
    tiles = _tiles(file.district_tiles, points)
    spaces = _spaces(file.clock, file.clock_spaces)
    allotment = _allotments(file.setup, resources, file.dice)
    dice = (len(spaces) - 1) * max(each.dice for each in allotment.values())
    FileLocation("clock").need(
        dice <= MOST_ROLLED, f"spaces is {len(spaces)}: {dice} dice in all rounds", f"up to {MOST_ROLLED}"
    )
    return AtlandiceComponents(
        resources=tuple(resource.count for resource in resources),
        tiles=tuple(tile.id for tile in tiles),
        hands=tuple(tile.hands for tile in tiles),
        effects=tuple(tile.effect for tile in tiles),
        tile_points=points.district_tile,
        market_hands=market_hands,
        market=file.setup.market_per_resource,
        refill=file.setup.market_refill_to,
        spaces=spaces,
        submarine=FileLocation("submarine").one_of("start_area", file.submarine.start_area, AREA),
        first=points.district_first,
        second=points.district_second,
        final_first=points.final_first,
        final_second=points.final_second,
        inventory=points.inventory,
        donation_cost=points.donation_cost,
        donation_points=points.donation_points,
        allotment=allotment,
        titles=localized_names(
            resource=resources,
            resources=[each.plural for each in resources],
            area=areas,
            district=areas[:DISTRICTS],
            tile=tiles,
        ),
    )


def _market_hands(areas: Sequence[schema.District | schema.Market], resources: Sequence[schema.Resource]) -> int:
    """Return the hands of the black market, and check that the districts come before it.

    Each district has its own resource and face.
    """
    hands = 0
    for number, area in enumerate(areas):
        at = FileLocation("areas", area.id)
        at.need(area.die_face == number + 1, f"die_face is {area.die_face}", number + 1)
        if isinstance(area, schema.Market):
            hands = area.hands
            at.need(number == DISTRICTS, "kind is 'market'", "district")
        else:
            at.need(number < DISTRICTS, "kind is 'district'", "market")
            home = resources[number]
            at.need(area.resource == home.id, f"resource is {area.resource!r}", home.id)
            FileLocation("resources", home.id).need(home.home == area.id, f"home is {home.home!r}", area.id)
    return hands


def _tiles(tiles: Sequence[schema.Tile], points: schema.Points) -> list[schema.Tile]:
    """Return the tiles in the order of their districts, three for each. Rule AL-1.2."""
    districts = AREA.names[:DISTRICTS]
    stacks: list[list[schema.Tile]] = [[] for _ in districts]
    for tile in tiles:
        at = FileLocation("district_tiles", tile.id)
        stacks[at.one_of("area", tile.area, districts)].append(tile)
        at.need(tile.vp == points.district_tile, f"vp is {tile.vp}", f"{points.district_tile}, as in victory_points")
        _check_effect(at, tile.effect)
    for district, stack in zip(districts, stacks, strict=True):
        FileLocation("district_tiles").need(len(stack) == STACK, f"{len(stack)} tiles with area {district!r}", STACK)
    return [tile for stack in stacks for tile in stack]


def _check_effect(at: FileLocation, steps: Sequence[Step]) -> None:
    """Check that each roll names every face at most once."""
    for step in steps:
        if isinstance(step, Roll):
            at.need(len(set(step.on)) == len(step.on), f"on is {list(step.on)}", "different faces")
        if isinstance(step, Roll | IfSecondDie):
            _check_effect(at, step.then)


def _spaces(clock: schema.Clock, entries: Sequence[schema.Space]) -> tuple[int, ...]:
    """Return the effect of each space of the clock. Rule AL-1.3."""
    end = clock.spaces - 1
    FileLocation("clock").need(clock.end == end, f"end is {clock.end}", f"{end}, the last of {clock.spaces} spaces")
    FileLocation("clock_spaces").need(
        [entry.index for entry in entries] == list(range(clock.spaces)),
        "the indices aren't consecutive",
        f"0 to {end}, in order",
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
        at = FileLocation("clock_spaces", f"index = {entry.index}")
        fixed = {0: "start", end: "wave"}.get(entry.index)
        inside = fixed is None and entry.kind not in ("start", "wave")
        at.need(
            entry.kind == fixed or inside, f"kind is {entry.kind!r}", "start first, wave last, and neither elsewhere"
        )
        if entry.kind == "inventory":
            found.append(at.one_of("resource", entry.resource or "", RESOURCE))
        else:
            at.need(entry.resource is None, f"resource is {entry.resource!r}", "no resource unless kind is inventory")
            found.append(codes[entry.kind])
    return tuple(found)


def _allotments(
    setup: schema.Setup, resources: Sequence[schema.Resource], dice: schema.DiceTable
) -> dict[int, Allotment]:
    found = {}
    for seats, each in zip(SEAT_COUNTS, (setup.players_2, setup.players_3, setup.players_4), strict=True):
        at = FileLocation(f"setup.players_{seats}")
        neutral = seats == 2
        at.need(each.neutral_player == neutral, f"neutral_player is {each.neutral_player}", str(neutral).lower())
        to_neutral = each.dice_to_neutral_per_player
        at.need(to_neutral == neutral, f"dice_to_neutral_per_player is {to_neutral}", int(neutral))
        picks = each.dice_per_player
        at.need(picks > to_neutral, f"dice_per_player is {picks}", f"at least {to_neutral + 1}")
        at.need(each.dice <= dice.count, f"dice is {each.dice}", f"up to {dice.count}, as in dice")
        at.need(each.dice == seats * picks + 1, f"dice is {each.dice}", f"{seats * picks + 1}, so that one die is left")
        stock = each.district_resources
        for resource in resources:
            allowed = (
                f"up to {resource.count - setup.market_per_resource}, as there are {resource.count} of {resource.id}"
            )
            right = stock + setup.market_per_resource <= resource.count
            at.need(right, f"district_resources is {stock}", allowed)
        found[seats] = Allotment(each.dice, stock, picks, neutral)
    return found
