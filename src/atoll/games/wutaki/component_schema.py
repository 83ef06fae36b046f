"""The schema of Wutaki's `components.toml`: its tables, their fields and bounds."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from atoll.engine.component_schema import EntrySchema, NamedEntrySchema, Schema, SourcedSchema, Text

from .components import (
    MOST_LEVELS,
    MOST_POSITIONS,
    MOST_TRACK,
    Condition,
    CounterEvent,
    Modifier,
    TurnPoint,
    Verb,
)
from .kinds import (
    MOST_FIELDS,
    MOST_OPTIONS,
    MOST_SEATS,
    MOST_TOKENS,
)

Amount = Annotated[int, Meta(ge=0, le=MOST_TOKENS)]
Points = Annotated[int, Meta(ge=0, le=99)]
Seats = Annotated[int, Meta(ge=2, le=MOST_SEATS)]
Fields = Annotated[list[Seats], Meta(min_length=1, max_length=MOST_FIELDS)]
Yield = Annotated[int, Meta(ge=1, le=MOST_TOKENS)]
Resource = Literal["gold", "sheep", "wood", "oil", "stone"]
Element = Literal["fire", "water", "earth", "wind"]


class Tokens(Schema):
    """Amounts of resource tokens."""

    gold: Amount = 0
    sheep: Amount = 0
    wood: Amount = 0
    oil: Amount = 0
    stone: Amount = 0
    any: Amount = 0
    cost_marker: Amount = 0


class Cost(Tokens):
    """A price of tokens, omens, points and workers."""

    omen: Points = 0
    vp: Points = 0
    worker: Points = 0


class Effect(Schema):
    """A verb with the keys of all verbs; `PARAMETERS` lists the keys of each verb."""

    do: Verb
    n: Points | None = None
    vp: Points | None = None
    per: Annotated[int, Meta(ge=1, le=99)] | None = None
    max: Annotated[int, Meta(ge=1, le=20)] | None = None
    discount: Amount | None = None
    free: bool | None = None
    bonus: bool | None = None
    relocate: bool | None = None
    source: Literal["display", "own"] | None = msgspec.field(name="from", default=None)
    metric: str | None = None
    id: Literal["protected_workers", "free_upkeep"] | None = None
    kind: Modifier | None = None
    places: list[str] | None = None
    options: Annotated[list[Option], Meta(min_length=1, max_length=MOST_OPTIONS)] | None = None
    gold: Amount | None = None
    sheep: Amount | None = None
    wood: Amount | None = None
    oil: Amount | None = None
    stone: Amount | None = None
    any: Amount | None = None
    cost_marker: Amount | None = None


Effects = Annotated[list[Effect], Meta(min_length=1)]


class Option(Schema):
    """An option of the verb `choose`."""

    effects: Effects
    pay: Cost | None = None
    sacrifice: Cost | None = None


class Game(SourcedSchema):
    """The game, its numbers of players and its limits of points."""

    id: Literal["wutaki"]
    name: Text
    players: tuple[Literal[2], Literal[3], Literal[4]]
    start_vp: Annotated[int, Meta(ge=0, le=500)]
    end_vp: Annotated[int, Meta(ge=1, le=500)]


class Counts(Schema):
    """The numbers of components in the box."""

    resource_tokens: int
    cost_markers: int
    element_cards: int
    tower_upgrades: int
    secret_pacts: int
    pacts: int
    omens: int
    vengeance: int
    round_cards: int
    abilities: int
    masterboards: Literal[4]
    player_boards: Literal[4]
    neutral_markers: Amount
    start_markers: Literal[1]
    loyal_workers_per_player: Annotated[int, Meta(ge=1, le=4)]
    extra_workers_per_player: Annotated[int, Meta(ge=0, le=4)]
    special_workers_per_player: Literal[1]
    upgrade_markers_per_player: Annotated[int, Meta(ge=0, le=6)]
    vp_markers_per_player: Literal[1]


class Stock(Schema):
    """The tokens of each seat at the start."""

    gold: Amount
    sheep: Amount
    wood: Amount
    oil: Amount
    stone: Amount


class ResourceKind(NamedEntrySchema):
    """A kind of resource and its number of tokens."""

    tokens: Amount


class CostMarker(EntrySchema):
    """A cost marker."""

    kind: Resource


class ElementCard(NamedEntrySchema):
    """An element card."""

    element: Element
    anti: Element
    bonus: Points
    malus: Points


class ConditionPart(Schema):
    """The condition of a secret pact."""

    type: Condition
    metric: str
    n: Points | None = None


class SecretPact(NamedEntrySchema):
    """A secret pact."""

    vp: Points
    condition: ConditionPart


class Pact(NamedEntrySchema):
    """A pact."""

    element: Element
    sacrifice: Cost
    reward: list[Effect]


class Omen(NamedEntrySchema):
    """An omen."""

    kind: Literal["once", "permanent"]
    effects: Effects
    copies: Annotated[int, Meta(ge=1, le=45)] = 1
    pay: Cost | None = None
    sacrifice: Cost | None = None


class Vengeance(NamedEntrySchema):
    """A vengeance card."""

    metric: str
    limit: Points
    penalty: Points


class RoundCard(NamedEntrySchema):
    """A round card."""

    type: Literal["place", "modifier", "instant"]
    chain: bool
    effects: Effects
    fields: Fields | None = None
    who: Literal["all", "table"] | None = None
    pay: Cost | None = None
    sacrifice: Cost | None = None


class TowerPrices(Schema):
    """The prices of tower upgrades, by slot."""

    element: Amount
    resource: Amount


class ElementUpgrade(NamedEntrySchema, tag="element", tag_field="slot"):
    """A tower upgrade for an element."""

    element: Element
    anti: Element
    bonus: Points
    malus: Points


class ResourceUpgrade(NamedEntrySchema, tag="resource", tag_field="slot"):
    """A tower upgrade for a resource."""

    kind: Resource
    place: str
    n: Points


class Step(Schema):
    """A step of a pact track."""

    at: Annotated[int, Meta(ge=1, le=MOST_TRACK)]
    effects: Effects
    players: Annotated[tuple[Seats, ...], Meta(min_length=1)] = tuple(range(2, MOST_SEATS + 1))


class OwnPlace(Schema):
    """The place of a masterboard."""

    id: str
    fields: Fields
    effects: Effects
    pay: Cost | None = None
    sacrifice: Cost | None = None


class OnClimb(Schema):
    """The offer of a masterboard after each climb."""

    effects: Effects
    optional: bool
    pay: Cost | None = None
    sacrifice: Cost | None = None


class Masterboard(NamedEntrySchema):
    """A face of a masterboard."""

    side: Literal["a", "b"]
    copies: Annotated[int, Meta(ge=1, le=MOST_SEATS)]
    recommended_from: Seats = 2
    last_space: Annotated[int, Meta(ge=1, le=MOST_TRACK)] | None = None
    pact_track: list[Step] | None = None
    place: OwnPlace | None = None
    multiplier: Annotated[tuple[Annotated[int, Meta(ge=1, le=9)], ...], Meta(min_length=1, max_length=9)] = (1,)
    on_climb: OnClimb | None = None


class Ability(NamedEntrySchema):
    """An ability."""

    when: list[TurnPoint]
    effects: tuple[Effect]


class HirePrice(Schema):
    """The price of a worker."""

    cost_marker: Amount = 0
    gold: Amount = 0


class HireSlot(EntrySchema):
    """A slot of the tower with the price of its worker."""

    pay: HirePrice


class Level(SourcedSchema):
    """A level of the pyramid."""

    level: int
    room: Annotated[int, Meta(ge=1, le=MOST_SEATS)]
    vp: Points
    extras: list[Effect]
    pay: Cost | None = None
    sacrifice: Cost | None = None


class CounterEventPart(SourcedSchema):
    """An event of the pact counter."""

    id: CounterEvent
    position: Annotated[int, Meta(ge=0, lt=MOST_POSITIONS)]


class Place(NamedEntrySchema):
    """A place of the main board."""

    fields: Fields
    effects: Effects
    standard: bool = False
    kind: Literal["gold", "sheep", "wood", "oil", "stone", "hire"] | None = None
    yields: tuple[Yield, Yield, Yield] | None = None
    marker_bonus: list[Resource] | None = None
    pay: Cost | None = None
    sacrifice: Cost | None = None


SlotGold = Annotated[int, Meta(ge=-9, le=9)]


class Board(NamedEntrySchema):
    """A side of the main board."""

    slot_gold: tuple[SlotGold, SlotGold, SlotGold, SlotGold]
    extra_workers: int
    hire_slots: list[str]
    place_upgrade_prices: tuple[Amount, Amount]
    pact_counter_min_players: Annotated[list[Seats], Meta(min_length=1, max_length=MOST_POSITIONS)]
    pyramid_level: Annotated[list[Level], Meta(min_length=1, max_length=MOST_LEVELS)]
    counter_event: list[CounterEventPart]
    place: list[Place]


class File(Schema):
    """The whole file."""

    game: Game
    counts: Counts
    resource: list[ResourceKind]
    start_stock: Stock
    cost_marker: list[CostMarker]
    element_card: list[ElementCard]
    secret_pact: Annotated[list[SecretPact], Meta(min_length=1, max_length=20)]
    pact: Annotated[list[Pact], Meta(min_length=1, max_length=68)]
    omen: Annotated[list[Omen], Meta(min_length=1, max_length=45)]
    vengeance: Annotated[list[Vengeance], Meta(min_length=1, max_length=19)]
    round_card: Annotated[list[RoundCard], Meta(min_length=1, max_length=20)]
    tower_prices: TowerPrices
    tower_upgrade: Annotated[list[ElementUpgrade | ResourceUpgrade], Meta(min_length=1, max_length=9)]
    masterboard: Annotated[list[Masterboard], Meta(min_length=1, max_length=5)]
    ability: Annotated[list[Ability], Meta(min_length=1, max_length=6)]
    hire_slot: Annotated[list[HireSlot], Meta(min_length=1)]
    board: list[Board]
