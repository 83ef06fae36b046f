"""The schema of Atlandice's `components.toml`: its tables, their fields and bounds."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta

from atoll.engine.component_schema import NamedEntrySchema, Schema, Source, SourcedSchema, Text

from .components import MOST_DICE, MOST_SPACES
from .effects import Steps
from .kinds import MOST

Amount = Annotated[int, Meta(ge=0, le=MOST)]
Hands = Annotated[int, Meta(ge=1, le=MOST_SPACES)]
Dice = Annotated[int, Meta(ge=1, le=MOST_DICE)]


class Game(SourcedSchema):
    """General data of the game."""

    id: Literal["atlandice"]
    name: Text
    players_min: Literal[2]
    players_max: Literal[4]


class Resource(NamedEntrySchema):
    """A kind of resource: its plural, its home district, and the number of its pieces."""

    plural: Text
    home: str
    count: Annotated[int, Meta(ge=1, lt=MOST)]


class District(NamedEntrySchema, tag="district", tag_field="kind"):
    """A district: its die face, resource and number of tiles."""

    die_face: int
    resource: str
    tiles: Literal[3]


class Market(NamedEntrySchema, tag="market", tag_field="kind"):
    """The black market: its die face, and the clock hands printed there."""

    die_face: int
    hands: Hands


class Tile(NamedEntrySchema):
    """A district tile: its district, clock hands, points and effect."""

    area: str
    hands: Hands
    vp: int
    effect: Steps
    effect_source: Source | None = None
    hands_source: Source | None = None


class Clock(SourcedSchema):
    """The clock: the number of its spaces, the first and the last one."""

    spaces: Annotated[int, Meta(ge=2, le=MOST_SPACES)]
    start: Literal[0]
    end: int


class Space(SourcedSchema):
    """A space of the clock, with the resource of its inventory if it has one."""

    index: int
    kind: Literal["start", "blank", "inventory", "inventory_all", "donation", "wave"]
    resource: str | None = None


class DiceTable(SourcedSchema):
    """The dice."""

    count: Dice
    faces: tuple[Literal[1], Literal[2], Literal[3], Literal[4], Literal[5], Literal[6]]


class Submarine(SourcedSchema):
    """The submarine."""

    count: Literal[1]
    start_area: str


class Token(SourcedSchema):
    """The token of the start player; its back is the neutral player's."""

    count: Literal[1]
    front: Literal["start_player"]
    back: Literal["neutral_player"]


class Points(SourcedSchema):
    """The victory points."""

    supply: Literal["unlimited"]
    district_tile: Amount
    district_first: Amount
    district_second: Amount
    inventory: Amount
    donation_cost: Annotated[int, Meta(ge=1, le=MOST)]
    donation_points: Amount
    final_first: Amount
    final_second: Amount


class Players(SourcedSchema):
    """The setup for a number of players."""

    dice: Dice
    district_resources: Annotated[int, Meta(ge=1, le=MOST)]
    dice_per_player: Dice
    dice_to_neutral_per_player: int
    neutral_player: bool


class Setup(SourcedSchema):
    """The setup."""

    market_per_resource: Amount
    market_refill_to: Amount
    players_2: Players
    players_3: Players
    players_4: Players


class File(Schema):
    """The whole file."""

    game: Game
    resources: list[Resource]
    areas: list[District | Market]
    district_tiles: list[Tile]
    clock: Clock
    clock_spaces: list[Space]
    dice: DiceTable
    submarine: Submarine
    start_player_token: Token
    victory_points: Points
    setup: Setup
