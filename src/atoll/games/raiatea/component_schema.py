"""The schema of Raiatea's `components.toml`: its tables, their fields and bounds."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from atoll.engine.component_schema import EntrySchema, NamedEntrySchema, Schema, SourcedSchema, Text

from .components import (
    MOST,
    MOST_CLIPS,
    MOST_COPIES,
    MOST_GODS,
    MOST_PIPS,
    MOST_PRIESTS,
    MOST_RITUALS,
    MOST_TASKS,
    MOST_TATTOOS,
    Category,
    Colour,
    Condition,
    Discounted,
    Modifier,
    RitualKind,
    TaskKind,
    Trigger,
    Verb,
    Who,
)
from .kinds import (
    COMMODITIES,
    LEVELS,
    STATUES,
)

PatternKey = Literal["uru", "taro", "mahi_mahi", "tiare", "same", "same_other", "different", "any"]
Many = Annotated[int, Meta(ge=1, le=MOST)]
Number = Annotated[int, Meta(ge=0, le=MOST)]
Copies = Annotated[int, Meta(ge=1, le=MOST_COPIES)]
Deck = Literal["normal", "forbidden"]
Rows = Annotated[list[Many], Meta(min_length=1)]


class Effect(Schema):
    """An effect: a verb and its parameters."""

    verb: Verb
    amount: Many | Literal["all"] | None = None
    who: Who | None = None
    per_player: Many | None = None
    keep: Many | None = None
    look: Many | None = None
    free: bool | None = None
    commodities: Number | None = None
    pearls: Number | None = None


Effects = list[Effect]


class TriggerPart(Schema):
    """A trigger of a permanent ritual, and its effects."""

    on: Trigger
    effects: Annotated[Effects, Meta(min_length=1)]


class ModifierPart(Schema):
    """A passive modifier of a permanent ritual."""

    modifier: Modifier
    amount: Many
    scope: Literal["marae", "any"] | None = None
    category: Discounted | None = None


class Game(SourcedSchema):
    """The game and its numbers of players."""

    id: Literal["raiatea"]
    name: Text
    players_min: Literal[3]
    players_max: Literal[5]
    schema: Literal[1]


class BoxCounts(SourcedSchema):
    """The numbers of components in the box."""

    board: Literal[1]
    location_cards: Literal[6]
    screens: Literal[5]
    ritual_cards: int
    sacrificial_bag: Literal[1]
    tasks: int
    ritual_clips: Number
    clips_per_player: Annotated[int, Meta(ge=0, le=MOST_CLIPS)]
    forest_cards: int
    round_marker: Literal[1]
    price_markers: Literal[4]
    player_discs: Number
    discs_per_player: Literal[2]
    start_cards: int
    start_player_marker: Literal[1]
    favour_stones: Literal[5]
    die: Literal[1]
    pearl_tokens: Number
    mana_tokens: Number


class Composition(SourcedSchema):
    """The numbers of cards and tiles by kind."""

    ritual_normal: int
    ritual_forbidden: int
    ritual_tane_normal: int
    ritual_tane_forbidden: int
    task_vp1: int
    task_vp2: int
    task_vp3: int
    start_assistants: int
    start_commodities: int
    start_masks: int
    forest_masks: int
    forest_commodities: int
    forest_assistants: int


class Die(SourcedSchema):
    """The die."""

    faces: Annotated[list[Annotated[int, Meta(ge=1, le=MOST_PIPS)]], Meta(min_length=1)]


class Supply(SourcedSchema):
    """The supply of pearls and mana."""

    pearls: Literal["unlimited"]
    mana: Literal["unlimited"]
    token_values: list[Many]


class Vocabulary(SourcedSchema):
    """The keywords that the data declare; they must be those that the rules know."""

    verbs: tuple[Verb, ...] = ()
    who: tuple[Who, ...] = ()
    triggers: tuple[Trigger, ...] = ()
    modifiers: tuple[Modifier, ...] = ()
    condition_keys: tuple[Condition, ...] = ()
    cost_keys: tuple[Discounted, ...] = ()
    commodity_pattern_keys: tuple[PatternKey, ...] = ()
    ritual_kinds: tuple[RitualKind, ...] = ()
    ritual_decks: tuple[Deck, ...] = ()
    task_kinds: tuple[TaskKind, ...] = ()
    task_categories: tuple[Category, ...] = ()


Draws = Annotated[list[Number], Meta(min_length=1, max_length=2)]


class RitualsKept(Schema):
    """The numbers of rituals that each place in seat order keeps from each draw."""

    of_three: tuple[Draws, Draws, Draws] = msgspec.field(name="3")
    of_four: tuple[Draws, Draws, Draws, Draws] = msgspec.field(name="4")
    of_five: tuple[Draws, Draws, Draws, Draws, Draws] = msgspec.field(name="5")


class Setup(SourcedSchema):
    """The possessions and cards at the start of the game."""

    start_pearls: Number
    start_mana: Number
    start_priests: Number
    start_tattoos: Number
    start_masks_per_player: Literal[1]
    ritual_draw: Copies
    price_marker_start: Annotated[int, Meta(ge=1, le=LEVELS)]
    forest_display: Literal["players + 1"]
    rituals_kept: RitualsKept


class Field(EntrySchema):
    """A field of the round track."""

    type: Literal["action", "feast"]
    min_players: Literal[3, 4, 5]
    max_players: Literal[3, 4, 5]
    feast: Annotated[int, Meta(ge=1, le=STATUES)] | None = None


class TattooTrack(SourcedSchema):
    """The track of tattoos."""

    max: Annotated[int, Meta(ge=1, le=MOST_TATTOOS)]


class Rank(NamedEntrySchema):
    """A rank, the number of tattoos that it needs, and its benefits."""

    tattoos: Number
    vp: Number
    ritual_draw: Copies
    decks: list[Deck]
    clips: Annotated[int, Meta(ge=0, le=MOST_CLIPS)]
    on_reach: Literal["tahua_bonus"] | None = None


class TrainCosts(Schema):
    """The prices of training one priest and two priests."""

    one: Number = msgspec.field(name="1")
    two: Number = msgspec.field(name="2")


class PriestTrack(SourcedSchema):
    """The path on which priests are counted."""

    min: Literal[0]
    max: Annotated[int, Meta(ge=1, le=MOST_PRIESTS)]
    train_costs: TrainCosts


class Location(NamedEntrySchema):
    """A location card."""

    text: Text
    kahuna: Text
    bonus_roll: str | None = None
    kahuna_pearls: Number = 0
    kahuna_priests: Number = 0
    hire_cost: Number = 0


class Commodity(NamedEntrySchema):
    """A type of commodity."""

    gloss: Text


class PriceField(EntrySchema):
    """A price field of a commodity, with the bonus of a sale."""

    commodity: str
    level: Annotated[int, Meta(ge=1, le=LEVELS)]
    effects: Annotated[Effects, Meta(min_length=1)]


class Gift(EntrySchema):
    """A gift of act 4."""

    effects: Effects


class Assistant(NamedEntrySchema):
    """A type of assistant."""

    start: Number
    forest: Number
    permanent: Text
    send: Text


class Rewards(SourcedSchema):
    """The rewards of the bonus roll, by type of assistant."""

    gatherer: Effect
    trader: Effect
    shaman: Effect
    pearl_diver: Effect


class Goods(Schema):
    """Numbers of commodities by type."""

    uru: Number = 0
    taro: Number = 0
    mahi_mahi: Number = 0
    tiare: Number = 0


class CommodityCards(SourcedSchema):
    """The numbers of commodity cards at the start and in the forest."""

    start: Goods
    forest: Goods


class PerTask(Schema, tag="per_task", tag_field="family"):
    """Scoring of a mask pair: points per task of a category."""

    category: Category
    vp: Many


class PerAssistant(Schema, tag="per_assistant", tag_field="family"):
    """Scoring of a mask pair: points per assistant of a type."""

    assistant: str
    vp: Many


class PerColour(Schema, tag="per_colour", tag_field="family"):
    """Scoring of a mask pair: points per color among the pairs."""

    vp: Many
    max: Many


class God(NamedEntrySchema):
    """A god with its color and its scoring."""

    colour: Colour
    scoring: PerTask | PerAssistant | PerColour


class MaskCard(EntrySchema):
    """A mask card of the start or of the forest."""

    god: str
    set: Literal["start", "forest"]
    treasure: Effects


class Mirror(SourcedSchema):
    """The rainbow mirror."""

    name: Text
    text: Text


class Statue(SourcedSchema):
    """A statue with its rows of task spaces."""

    id: int
    vp: int
    rows: Rows
    unlock: str


class Pattern(Schema):
    """A pattern of commodities.

    The keys ask for commodities of a given type, of one type, of a second type, of different types,
    or of any type.
    """

    uru: Copies | None = None
    taro: Copies | None = None
    mahi_mahi: Copies | None = None
    tiare: Copies | None = None
    same: Copies | None = None
    same_other: Copies | None = None
    different: Annotated[int, Meta(ge=1, le=COMMODITIES)] | None = None
    any: Copies | None = None


class Cost(Schema):
    """The price of a resource task."""

    pearls: Number | None = None
    mana: Number | None = None
    commodities: Pattern | None = None
    rituals: Number | None = None
    masks: Number | None = None


class ConditionPart(Schema):
    """The condition of a condition task."""

    min_rank: str | None = None
    min_priests: Many | None = None
    min_assistants: Many | None = None
    min_same_assistants: Many | None = None


class Task(EntrySchema):
    """A task tile."""

    vp: Annotated[int, Meta(ge=1, le=STATUES)]
    kind: TaskKind
    category: Category
    copies: Copies
    cost: Cost | None = None
    condition: ConditionPart | None = None


class Ritual(NamedEntrySchema):
    """A ritual card."""

    deck: Deck
    kind: RitualKind
    tane: bool
    cost: Number
    copies: Copies
    effects: tuple[Effect, ...] = ()
    triggers: tuple[TriggerPart, ...] = ()
    passive: tuple[ModifierPart, ...] = ()
    vp: Number = 0


class File(Schema):
    """The whole file."""

    game: Game
    box: BoxCounts
    composition: Composition
    die: Die
    supply: Supply
    vocabulary: Vocabulary
    seat_colour: list[NamedEntrySchema]
    setup: Setup
    round_track: list[Field]
    tattoo_track: TattooTrack
    rank: Annotated[list[Rank], Meta(min_length=1)]
    priest_track: PriestTrack
    location: list[Location]
    commodity: list[Commodity]
    price_field: list[PriceField]
    gift: list[Gift]
    assistant: list[Assistant]
    bonus_roll_rewards: Rewards
    commodity_cards: CommodityCards
    mask_god: Annotated[list[God], Meta(min_length=1, max_length=MOST_GODS)]
    mask_card: list[MaskCard]
    mirror: Mirror
    statue: list[Statue]
    task: Annotated[list[Task], Meta(min_length=1, max_length=MOST_TASKS)]
    ritual: Annotated[list[Ritual], Meta(min_length=1, max_length=MOST_RITUALS)]
