"""The schema of Atacama's `components.toml`: its tables, their fields and bounds."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta

from atoll.engine.component_schema import EntrySchema, Id, NamedEntrySchema, Schema, SourcedSchema, Text

from .components import MOST_IN_LINE, MOST_TURNS
from .kinds import FIELDS

Ore = Literal["gold", "silver", "copper"]
Amount = Annotated[int, Meta(ge=1, le=5)]
Third = Annotated[int, Meta(ge=0, le=2)]
Number = Annotated[int, Meta(ge=0, le=FIELDS)]


class Game(SourcedSchema):
    """General data of the game."""

    id: Literal["atacama"]
    name: Text
    player_counts: tuple[Literal[2], Literal[4]]
    board_rows: Literal[9]
    board_columns: Literal[9]
    line_minimum_rigs: Annotated[int, Meta(ge=1, le=MOST_IN_LINE)]


class Ores(NamedEntrySchema):
    """An ore, and the range of nuggets that a field of it can hold."""

    amount_min: Amount
    amount_max: Amount


class SubBoard(EntrySchema):
    """A sub-board: its place in the basic setup, and its fields by row."""

    basic_position: tuple[Third, Third]
    ore: tuple[tuple[Ore, Ore, Ore], tuple[Ore, Ore, Ore], tuple[Ore, Ore, Ore]]
    amount: tuple[tuple[Amount, Amount, Amount], tuple[Amount, Amount, Amount], tuple[Amount, Amount, Amount]]


class Multiplier(Schema):
    """The sign of each ore for a concession."""

    gold: Literal[1, -1]
    silver: Literal[1, -1]
    copper: Literal[1, -1]


class Concessions(NamedEntrySchema):
    """A concession."""

    text: Text
    multiplier: Multiplier


class ConcessionCard(EntrySchema):
    """A printed concession card: front and back."""

    front: Id
    back_axis: Id
    back_concessions: list[Id]


class Axes(NamedEntrySchema):
    """An axis, and the side of the board at which its card lies."""

    card_place: str


class Rig(NamedEntrySchema):
    """A kind of rig: the number of pieces, and the factor of its field."""

    count: Number
    factor: Annotated[int, Meta(ge=1, le=9)]


class Allotment(SourcedSchema):
    """The rigs of each player, by number of players and variant."""

    players: Literal[2, 4]
    tactic: bool
    base: Number
    double: Number


class Role(SourcedSchema):
    """The axis and the concession of a place in turn order."""

    players: Literal[2, 4]
    seat: Literal[1, 2, 3, 4]
    axis: str
    concession: str


class Batch(EntrySchema):
    """Sub-boards that are laid at once: the turns played before, and the places to fill."""

    turn: Annotated[int, Meta(ge=0, lt=MOST_TURNS)]
    positions: list[tuple[Third, Third]]


class Enhanced(SourcedSchema):
    """The numbers of the enhanced setup."""

    concession_price_rigs: Literal[1]
    turns_per_player: Number


class File(Schema):
    """The whole file."""

    game: Game
    ores: list[Ores]
    sub_boards: list[SubBoard]
    concessions: list[Concessions]
    concession_cards: list[ConcessionCard]
    axes: list[Axes]
    rigs: list[Rig]
    rig_allotments: list[Allotment]
    roles: list[Role]
    reveal_batches: Annotated[list[Batch], Meta(min_length=1, max_length=3)]
    enhanced: Enhanced
