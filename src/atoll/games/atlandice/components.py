"""The printed matter of Atlandice: district tiles, clock, amounts and points."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal, TypeVar

import msgspec

from atoll.engine import ComponentError

from .effects import Step, read_effect
from .kinds import AREA, DISTRICTS, FACES, KINDS, MOST, RESOURCE, STACK

START_SPACE: Final = -3  # spaces of the clock; 0 to 4 are the inventories of one resource
BLANK: Final = -2
WAVE: Final = -1
INVENTORY_ALL: Final = KINDS
DONATION: Final = KINDS + 1

MOST_DICE: Final = 20
MOST_SPACES: Final = 60
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


_Source = Literal["rulebook", "public", "reconstructed"]


class _Name(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    en: str
    de: str


class _Table(msgspec.Struct, forbid_unknown_fields=True, kw_only=True):
    source: _Source


class _Game(_Table):
    id: Literal["atlandice"]
    name: _Name
    players_min: Literal[2]
    players_max: Literal[4]


class _Resource(_Table):
    id: str
    name: _Name
    plural: _Name
    home: str
    count: int


class _Area(_Table):
    id: str
    kind: Literal["district", "market"]
    die_face: int
    name: _Name
    resource: str | None = None
    tiles: int | None = None
    hands: int | None = None


class _Tile(_Table):
    id: str
    area: str
    hands: int
    vp: int
    name: _Name
    effect: list[Any]
    effect_source: _Source
    hands_source: _Source


class _Clock(_Table):
    spaces: int
    start: int
    end: int


class _Space(_Table):
    index: int
    kind: Literal["start", "blank", "inventory", "inventory_all", "donation", "wave"]
    resource: str | None = None


class _Dice(_Table):
    count: int
    faces: list[int]


class _Submarine(_Table):
    count: Literal[1]
    start_area: str


class _Token(_Table):
    count: Literal[1]
    front: Literal["start_player"]
    back: Literal["neutral_player"]


class _Points(_Table):
    supply: Literal["unlimited"]
    district_tile: int
    district_first: int
    district_second: int
    inventory: int
    donation_cost: int
    donation_points: int
    final_first: int
    final_second: int


class _Players(_Table):
    dice: int
    district_resources: int
    dice_per_player: int
    dice_to_neutral_per_player: int
    neutral_player: bool


class _Setup(_Table):
    market_per_resource: int
    market_refill_to: int
    players_2: _Players
    players_3: _Players
    players_4: _Players


_TABLES: Final = ("game", "clock", "dice", "submarine", "start_player_token", "victory_points", "setup")
_LISTS: Final = ("resources", "areas", "district_tiles", "clock_spaces")

_T = TypeVar("_T")
_E = TypeVar("_E", _Resource, _Area)


def load_box(data: Mapping[str, Any]) -> AtlandiceBox:
    """The Box from parsed component data. Raises ComponentError."""
    for table in data:
        if table not in _TABLES + _LISTS:
            raise ComponentError(f"[{table}] is unknown; allowed: {', '.join(_TABLES + _LISTS)}")
    game = _table(data, "game", _Game)
    _table(data, "start_player_token", _Token)
    resources = _in_order("resources", _list(data, "resources", _Resource, "id"), RESOURCE.names or ())
    areas = _in_order("areas", _list(data, "areas", _Area, "id"), AREA.names or ())
    _check_areas(areas, resources)
    points = _table(data, "victory_points", _Points)
    _check_points(points)
    tiles = _tiles(_list(data, "district_tiles", _Tile, "id"), points)
    setup = _table(data, "setup", _Setup)
    submarine = _table(data, "submarine", _Submarine).start_area
    if submarine not in (AREA.names or ()):
        raise ComponentError(f"[submarine] start_area {submarine!r} is unknown; allowed: {', '.join(AREA.names or ())}")
    return AtlandiceBox(
        resources=tuple(resource.count for resource in resources),
        tiles=tuple(tile.id for tile in tiles),
        hands=tuple(tile.hands for tile in tiles),
        effects=tuple(read_effect(tile.id, tile.effect) for tile in tiles),
        tile_points=points.district_tile,
        market_hands=areas[-1].hands or 0,
        market=setup.market_per_resource,
        refill=setup.market_refill_to,
        spaces=_spaces(_table(data, "clock", _Clock), _list(data, "clock_spaces", _Space, "index")),
        submarine=(AREA.names or ()).index(submarine),
        first=points.district_first,
        second=points.district_second,
        final_first=points.final_first,
        final_second=points.final_second,
        inventory=points.inventory,
        donation_cost=points.donation_cost,
        donation_points=points.donation_points,
        allotment=_allotments(setup, resources, _table(data, "dice", _Dice)),
        titles={
            language: {
                "resource": tuple(getattr(each.name, language) for each in resources),
                "resources": tuple(getattr(each.plural, language) for each in resources),
                "area": tuple(getattr(each.name, language) for each in areas),
                "district": tuple(getattr(each.name, language) for each in areas[:DISTRICTS]),
                "tile": tuple(getattr(each.name, language) for each in tiles),
            }
            for language in msgspec.structs.asdict(game.name)
        },
    )


def _table(data: Mapping[str, Any], table: str, kind: type[_T]) -> _T:
    if table not in data:
        raise ComponentError(f"[{table}] is missing")
    try:
        return msgspec.convert(data[table], kind)
    except msgspec.ValidationError as error:
        raise ComponentError(f"[{table}]: {error}") from None


def _list(data: Mapping[str, Any], table: str, kind: type[_T], key: str) -> list[_T]:
    if not isinstance(data.get(table), list):
        raise ComponentError(f"[[{table}]] is missing")
    found = []
    for number, entry in enumerate(data[table], 1):
        name = entry.get(key, f"number {number}") if isinstance(entry, dict) else f"number {number}"
        try:
            found.append(msgspec.convert(entry, kind))
        except msgspec.ValidationError as error:
            raise ComponentError(f"[[{table}]] {name!r}: {error}") from None
    return found


def _in_order(table: str, entries: Sequence[_E], ids: Sequence[str]) -> list[_E]:
    by_id: dict[str, _E] = {}
    for entry in entries:
        if entry.id not in ids:
            raise ComponentError(f"[[{table}]] {entry.id!r} is unknown; allowed: {', '.join(ids)}")
        if entry.id in by_id:
            raise ComponentError(f"[[{table}]] {entry.id!r} stands twice")
        by_id[entry.id] = entry
    for each in ids:
        if each not in by_id:
            raise ComponentError(f"[[{table}]] {each!r} is missing")
    return [by_id[each] for each in ids]


def _number(where: str, value: int, low: int, high: int) -> None:
    if not low <= value <= high:
        raise ComponentError(f"{where} {value}: allowed are {low} to {high}")


def _check_areas(areas: Sequence[_Area], resources: Sequence[_Resource]) -> None:
    for number, area in enumerate(areas):
        where = f"[[areas]] {area.id!r}:"
        if area.die_face != number + 1:
            raise ComponentError(f"{where} die_face {area.die_face}; allowed: {number + 1}")
        if number == DISTRICTS:
            if area.kind != "market" or area.resource is not None or area.tiles is not None or area.hands is None:
                raise ComponentError(f"{where} it must be a market with hands, without resource and tiles")
            _number(f"{where} hands", area.hands, 1, MOST_SPACES)
            continue
        if area.kind != "district" or area.hands is not None:
            raise ComponentError(f"{where} it must be a district; its hands stand on its tiles")
        if area.resource != resources[number].id:
            raise ComponentError(f"{where} resource {area.resource!r}; allowed: {resources[number].id}")
        if area.tiles != STACK:
            raise ComponentError(f"{where} tiles {area.tiles}; allowed: {STACK}")
        if resources[number].home != area.id:
            raise ComponentError(
                f"[[resources]] {resources[number].id!r}: home {resources[number].home!r}; allowed: {area.id}"
            )
    for resource in resources:
        _number(f"[[resources]] {resource.id!r}: count", resource.count, 1, MOST - 1)


def _check_points(points: _Points) -> None:
    for key, value in msgspec.structs.asdict(points).items():
        if isinstance(value, int):
            _number(f"[victory_points] {key}", value, 1 if key == "donation_cost" else 0, MOST)


def _tiles(tiles: Sequence[_Tile], points: _Points) -> list[_Tile]:
    districts = (AREA.names or ())[:DISTRICTS]
    seen = set()
    for tile in tiles:
        where = f"[[district_tiles]] {tile.id!r}:"
        if tile.id in seen:
            raise ComponentError(f"{where} stands twice")
        seen.add(tile.id)
        if tile.area not in districts:
            raise ComponentError(f"{where} area {tile.area!r} is no district; allowed: {', '.join(districts)}")
        _number(f"{where} hands", tile.hands, 1, MOST_SPACES)
        if tile.vp != points.district_tile:
            raise ComponentError(f"{where} vp {tile.vp}; allowed: {points.district_tile}, as in [victory_points]")
    for district in districts:
        count = sum(tile.area == district for tile in tiles)
        if count != STACK:
            raise ComponentError(f"[[district_tiles]]: {count} tiles of {district!r}; needed: {STACK}")
    return sorted(tiles, key=lambda tile: districts.index(tile.area))


def _spaces(clock: _Clock, entries: Sequence[_Space]) -> tuple[int, ...]:
    _number("[clock] spaces", clock.spaces, 2, MOST_SPACES)
    if (clock.start, clock.end) != (0, clock.spaces - 1):
        raise ComponentError(f"[clock]: start {clock.start}, end {clock.end}; allowed: 0 and {clock.spaces - 1}")
    if [entry.index for entry in entries] != list(range(clock.spaces)):
        raise ComponentError(f"[[clock_spaces]]: the indices must be 0 to {clock.spaces - 1}, in this order")
    plain = {
        "start": START_SPACE,
        "blank": BLANK,
        "wave": WAVE,
        "inventory_all": INVENTORY_ALL,
        "donation": DONATION,
    }
    found = []
    for entry in entries:
        where = f"[[clock_spaces]] {entry.index}:"
        if (entry.kind == "start") != (entry.index == clock.start):
            raise ComponentError(f"{where} kind {entry.kind!r}; 'start' is the first space and no other")
        if (entry.kind == "wave") != (entry.index == clock.end):
            raise ComponentError(f"{where} kind {entry.kind!r}; 'wave' is the last space and no other")
        if entry.kind != "inventory":
            if entry.resource is not None:
                raise ComponentError(f"{where} kind {entry.kind!r} has no resource")
            found.append(plain[entry.kind])
        elif entry.resource in (RESOURCE.names or ()):
            found.append((RESOURCE.names or ()).index(entry.resource))
        else:
            raise ComponentError(
                f"{where} resource {entry.resource!r} is unknown; allowed: {', '.join(RESOURCE.names or ())}"
            )
    return tuple(found)


def _allotments(setup: _Setup, resources: Sequence[_Resource], dice: _Dice) -> dict[int, Allotment]:
    _number("[dice] count", dice.count, 1, MOST_DICE)
    if dice.faces != list(range(1, FACES + 1)):
        raise ComponentError(f"[dice] faces {dice.faces}: allowed are 1 to {FACES}, in this order")
    _number("[setup] market_per_resource", setup.market_per_resource, 0, MOST)
    _number("[setup] market_refill_to", setup.market_refill_to, 0, MOST)
    found = {}
    for seats, each in zip(SEAT_COUNTS, (setup.players_2, setup.players_3, setup.players_4), strict=True):
        where = f"[setup.players_{seats}]"
        neutral = seats == 2
        if (each.neutral_player, each.dice_to_neutral_per_player) != (neutral, int(neutral)):
            raise ComponentError(
                f"{where}: neutral_player must be {str(neutral).lower()} and dice_to_neutral_per_player {int(neutral)}"
            )
        _number(f"{where} dice_per_player", each.dice_per_player, 1 + neutral, MOST_DICE)
        _number(f"{where} dice", each.dice, 1, dice.count)
        if each.dice != seats * each.dice_per_player + 1:
            raise ComponentError(f"{where} dice {each.dice}: one die must stay, so {seats} x dice_per_player + 1")
        _number(f"{where} district_resources", each.district_resources, 1, MOST)
        for resource in resources:
            if each.district_resources + setup.market_per_resource > resource.count:
                raise ComponentError(
                    f"{where} district_resources {each.district_resources}: with {setup.market_per_resource} on the "
                    f"market that is more than the {resource.count} of {resource.id!r}"
                )
        found[seats] = Allotment(each.dice, each.district_resources, each.dice_per_player, neutral)
    return found
