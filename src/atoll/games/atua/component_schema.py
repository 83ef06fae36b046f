"""The schema of Atua's `components.toml`: its tables, their fields and bounds."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Literal

import msgspec
from msgspec import Meta

from atoll.engine.component_schema import EntrySchema, Schema, Source, SourcedSchema, Text, Words, spoken, text_of

from .components import FATES, ISLAND_CARDS, MAX_CARDS, MAX_COCONUTS, RESIDENTS, SOURCES, TOTEMS, VILLAGES

Number = Annotated[int, Meta(ge=0, le=1000)]
Points = Annotated[int, Meta(ge=0, le=50)]
Row = Annotated[str, Meta(pattern="^[LBS]{6}$", description="six rows of six letters L (land), B (beach), S (sea)")]
End = Annotated[str, Meta(pattern="^[NESW][0-5]$", description="a side N, E, S or W with an index 0 to 5, such as W2")]
Value = bool | int | str


if TYPE_CHECKING:
    _Named = EntrySchema
else:
    _Named = spoken(EntrySchema)


class Spoken(_Named):
    """An entry with a name: one key per language."""

    @property
    def name(self) -> Text:
        """The name."""
        return text_of(self)


if TYPE_CHECKING:
    _Explained = Spoken
else:
    _Explained = spoken(Spoken, "text_{}")


class Told(_Explained):
    """An entry with a text in addition to its name: one key `text_...` per language."""

    @property
    def text(self) -> Text:
        """The text."""
        return text_of(self, "text_{}")


class Players(SourcedSchema):
    """The range of numbers of players."""

    min: Literal[1]
    max: Literal[6]


class Counts(SourcedSchema):
    """The number of pieces of each sort."""

    island_cards: Annotated[int, Meta(ge=0, le=ISLAND_CARDS)]
    village_cards: Annotated[int, Meta(ge=0, le=VILLAGES)]
    solo_cards: Literal[1]
    residents: Annotated[int, Meta(ge=0, le=RESIDENTS)]
    fates: Annotated[int, Meta(ge=0, le=FATES)]
    coconuts: Annotated[int, Meta(ge=0, le=MAX_COCONUTS)]
    volcano_rulers: Literal[1]
    score_sheets: Number


class Stack(Schema):
    """The island cards of a setup, by stack."""

    a: Annotated[int, Meta(ge=1, le=ISLAND_CARDS)]
    b: Annotated[int, Meta(ge=1, le=ISLAND_CARDS)]
    c: Annotated[int, Meta(ge=1, le=ISLAND_CARDS)]


class Stacks(Schema):
    """The stacks by number of players."""

    solo: Stack = msgspec.field(name="1")
    two: Stack = msgspec.field(name="2")
    three: Stack = msgspec.field(name="3")
    four: Stack = msgspec.field(name="4")
    five: Stack = msgspec.field(name="5")
    six: Stack = msgspec.field(name="6")


class Setup(SourcedSchema):
    """The numbers of the setup."""

    row_size: Literal[4]
    start_coconuts: Number
    villages_per_player: Literal[1]
    residents_per_player: Literal[1]
    fates_revealed_extra: Number
    rounds: Annotated[int, Meta(ge=3, le=MAX_CARDS)]
    stacks: Stacks


class Window(EntrySchema):
    """A scoring window: the round at whose end it comes, and the number of sources to score."""

    round: Annotated[int, Meta(ge=1, le=MAX_CARDS)]
    sources_to_score: Annotated[int, Meta(ge=0, le=len(SOURCES))]


class Difficulty(Schema):
    """Tahuma's start points by difficulty."""

    easy: Number
    medium: Number
    hard: Number
    legendary: Number


class Solo(SourcedSchema):
    """The numbers of the game against Tahuma."""

    player_coconuts: Number
    hut_coconuts: Number
    left_card_price: Number
    right_card_gain: Number
    discard_price: Number
    tahuma_volcano_points: Number
    beach_bonus: Number
    hut_coconut_points: Number
    coconut_bonus: Literal[0]
    difficulty: Difficulty


class Bonus(SourcedSchema):
    """The points of the bonuses."""

    longest_beach: Number
    most_coconuts: Number


class Option(Spoken):
    """An option: its values, the default, and the value forced in the solo game, if any."""

    values: list[Value]
    default: Value
    forced_when_solo: Value | None = None


class Geometry(SourcedSchema):
    """The size of a card and of its slots, in units."""

    card_units: Literal[6]
    slot_units: Literal[2]
    slots_per_side: Literal[3]
    rotations: Literal[4]


class VolcanoRuler(SourcedSchema):
    """The volcano ruler: bands by squared distance with their points, and those beyond."""

    max_d2: Annotated[list[Annotated[int, Meta(ge=0, le=1000**2)]], Meta(min_length=1)]
    points: list[Points]
    beyond_points: Points
    beyond_points_open_end: Points
    length_units: Number


class Symbol(Spoken):
    """A printed symbol."""

    group: Literal["consumer", "resource", "totem", "star", "coconut"]
    coverable: bool


class Pairs(Spoken, tag="pairs", tag_field="kind"):
    """A harmony source that pairs consumers with resources."""

    consumer: str
    resource: str
    points_per_pair: Points


class Coconuts(Spoken, tag="coconuts", tag_field="kind"):
    """The harmony source of coconuts."""

    points_each: Points


class Totems(Spoken, tag="totems", tag_field="kind"):
    """The harmony source of totems: points by their number."""

    table: Annotated[list[Points], Meta(min_length=len(TOTEMS) + 1, max_length=len(TOTEMS) + 1)]


class Volcanoes(Spoken, tag="volcanoes", tag_field="kind"):
    """The harmony source of volcanoes."""


class ScoreRowPairs(Schema, tag="score_row_pairs", tag_field="verb"):
    """An effect that scores each two of a thing in the row."""

    of: str
    points: Points


class AddSymbols(Schema, tag="add_symbols", tag_field="verb"):
    """An effect that adds symbols permanently."""

    symbol: str
    count: Annotated[int, Meta(ge=1, le=50)]


class FinalMajority(Schema, tag="final_majority", tag_field="verb"):
    """An effect that scores majorities at the end."""

    categories: Annotated[list[str], Meta(min_length=1)]
    payoff: list[Annotated[int, Meta(ge=-1000, le=1000)]]


class Resident(Told):
    """A resident tile."""

    effects: list[ScoreRowPairs | AddSymbols]


class Fate(Told):
    """A fate tile."""

    price: Number
    effects: tuple[FinalMajority]
    price_source: Source | None = None
    categories_source: Source | None = None


class Print(Schema):
    """A symbol printed on a card, with its slot 0 to 8 from the top left."""

    slot: Annotated[int, Meta(ge=0, le=8)]
    symbol: str


class Card(Spoken):
    """An island card or a village card as printed."""

    coast: Words
    beach: bool
    terrain: tuple[Row, Row, Row, Row, Row, Row]
    ends: list[End]
    symbols: list[Print]


class File(Schema):
    """The whole file."""

    schema: Literal[1]
    game: Literal["atua"]
    name: Text
    players: Players
    counts: Counts
    setup: Setup
    scoring_window: list[Window]
    bonus: Bonus
    solo: Solo
    option: list[Option]
    geometry: Geometry
    volcano_ruler: VolcanoRuler
    symbol: list[Symbol]
    harmony_source: list[Pairs | Coconuts | Totems | Volcanoes]
    resident: list[Resident]
    fate: list[Fate]
    solo_card: tuple[Told]
    village: list[Card]
    island: list[Card]
