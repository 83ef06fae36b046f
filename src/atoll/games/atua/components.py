"""The components of Atua: cards, tiles and numbers, built from parsed TOML.

RULES.md explains the meaning of the data. The components hold the numbers that a designer may want
to change. Symbols, the unit lattice and the six harmony sources are fixed by the rulebook, so they
are constants. No rules live here.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from atoll.engine import ComponentError
from atoll.engine.component_schema import Text

from .faces import Face

SYMBOLS: Final = (
    "fisher",
    "fish",
    "huntress",
    "bird",
    "canoe",
    "palm",
    "totem_lizard",
    "totem_mask",
    "totem_moon",
    "totem_sun",
    "totem_turtle",
    "totem_ray",
    "totem_wave",
    "volcano",
    "village_star",
    "coconut",
)
FISHER: Final = 0
FISH: Final = 1
HUNTRESS: Final = 2
BIRD: Final = 3
CANOE: Final = 4
PALM: Final = 5
TOTEM_LIZARD: Final = 6
TOTEM_WAVE: Final = 12
VOLCANO: Final = 13
VILLAGE_STAR: Final = 14
COCONUT: Final = 15
STARS: Final = (VOLCANO, VILLAGE_STAR)
TOTEMS: Final = range(TOTEM_LIZARD, TOTEM_WAVE + 1)

# Two more things are counted in addition to single symbols, on islands and in the row.
TOTEM: Final = 16
BEACH_CARD: Final = 17
COUNTED: Final = (*SYMBOLS, "totem", "beach_card")

SOURCES: Final = ("fishing", "hunting", "seafaring", "coconuts", "totems", "volcanoes")
WINDOWS: Final = ("a", "b", "c")
DIFFICULTIES: Final = ("easy", "medium", "hard", "legendary")

ISLAND_CARDS: Final = 58
VILLAGES: Final = 6
RESIDENTS: Final = 6
FATES: Final = 10
"""The maxima are the numbers of the rulebook's components; the vocabulary is sized for them."""

MAX_CARDS: Final = 18
"""The most cards that a player can add to an island; the vocabulary is sized for it."""

MAX_COCONUTS: Final = 100
"""The most coconuts that components can define."""

MAX_POINTS: Final = 5000
"""An upper bound of the points of a source or resident, with any components."""


@dataclass(frozen=True, slots=True)
class Card:
    """An island card or a village card.

    Attributes:
        id: Id in the file.
        name: Name by language.
        terrain: Six rows of six letters as printed, top row first.
        beach: Whether any of its units is a beach.
        symbols: The symbols printed on it.
        faces: The card in its four rotations.
    """

    id: str
    name: Text
    terrain: tuple[str, ...]
    beach: bool
    symbols: tuple[int, ...]
    faces: tuple[Face, ...]


@dataclass(frozen=True, slots=True)
class Resident:
    """A resident tile: it scores pairs in the row, then adds symbols permanently.

    Attributes:
        id: Id in the file.
        name: Name by language.
        text: Effect in words, by language.
        row_thing: The thing whose pairs in the row score, an index into COUNTED.
        row_points: Points for each two of it.
        gains: The symbols added, as (symbol, count).
    """

    id: str
    name: Text
    text: Text
    row_thing: int
    row_points: int
    gains: tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class Fate:
    """A fate tile: a bet on majorities at the end of the game.

    Attributes:
        id: Id in the file.
        name: Name by language.
        text: Effect in words, by language.
        price: Price in coconuts.
        categories: The things compared, indices into COUNTED.
        payoff: Points by the number of categories in which the owner has the majority.
    """

    id: str
    name: Text
    text: Text
    price: int
    categories: tuple[int, ...]
    payoff: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class PairSource:
    """A source that pairs consumers with resources.

    Attributes:
        consumer: The symbol of the consumer.
        resource: The symbol of the resource.
        points_per_pair: Points for each pair.
    """

    consumer: int
    resource: int
    points_per_pair: int


@dataclass(frozen=True, slots=True)
class Ruler:
    """The volcano ruler.

    Attributes:
        max_d2: The greatest squared distance of each band, ascending.
        points: The points of each band.
        beyond: The points of volcanoes farther away.
        beyond_open_end: The same if the ruler has an open end.
    """

    max_d2: tuple[int, ...]
    points: tuple[int, ...]
    beyond: int
    beyond_open_end: int


@dataclass(frozen=True, slots=True)
class OptionData:
    """An option of the host as the component data defines it.

    Attributes:
        id: Id of the option.
        values: The values offered.
        default: The default value.
        forced_when_solo: The value that the solo game forces; None if it can be chosen.
    """

    id: str
    values: tuple[bool | int | str, ...]
    default: bool | int | str
    forced_when_solo: bool | int | str | None


@dataclass(frozen=True, slots=True)
class Window:
    """A scoring window. It opens when its stack is empty.

    Attributes:
        round: The round at whose end it opens.
        sources_to_score: The number of sources that each player scores.
    """

    round: int
    sources_to_score: int


@dataclass(frozen=True, slots=True)
class Solo:
    """The numbers of the game against Tahuma.

    Attributes:
        player_coconuts: Coconuts of the player at the start.
        hut_coconuts: Coconuts on Tahuma's hut at the start.
        left_card_price: Price of the left card, in coconuts.
        right_card_gain: Coconuts that the right card brings.
        discard_price: Price of removing the other card, in coconuts.
        tahuma_volcano_points: Points of Tahuma for more volcanoes than the player has.
        beach_bonus: Points for the longer beach.
        hut_coconut_points: Points of Tahuma for each coconut on the hut.
        start_points: Tahuma's start points, in the order of DIFFICULTIES.
    """

    player_coconuts: int
    hut_coconuts: int
    left_card_price: int
    right_card_gain: int
    discard_price: int
    tahuma_volcano_points: int
    beach_bonus: int
    hut_coconut_points: int
    start_points: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class AtuaComponents:
    """The components of Atua.

    Attributes:
        name: Name of the game, by language.
        cards: The island cards, then the village cards. A card's number is its place here.
        island_cards: The number of island cards.
        residents: The resident tiles.
        fates: The fate tiles.
        coconuts: The number of coconuts.
        row_size: The number of cards in the row.
        start_coconuts: Coconuts of each player at the start.
        fates_revealed_extra: Fates revealed in addition to one per player.
        rounds: The number of rounds.
        solo_turns: The number of turns of a solo game.
        stacks: Per number of players, the sizes of A, B and C; 1 is solo, 0 is unused.
        windows: The scoring windows.
        pairs: The three sources that pair symbols.
        coconut_points: Points of a coconut when its source is scored.
        totem_table: Points of the totems, by their number.
        source_names: Names of the sources, by language.
        symbol_names: Names of the symbols, by language.
        ruler: The volcano ruler.
        beach_bonus: Points for the longest beach.
        coconut_bonus: Points for the most coconuts.
        solo: The numbers of the game against Tahuma.
        options: The options of the host.
    """

    name: Text
    cards: tuple[Card, ...]
    island_cards: int
    residents: tuple[Resident, ...]
    fates: tuple[Fate, ...]
    coconuts: int
    row_size: int
    start_coconuts: int
    fates_revealed_extra: int
    rounds: int
    solo_turns: int
    stacks: tuple[tuple[int, ...], ...]
    windows: tuple[Window, ...]
    pairs: tuple[PairSource, ...]
    coconut_points: int
    totem_table: tuple[int, ...]
    source_names: tuple[Text, ...]
    symbol_names: tuple[Text, ...]
    ruler: Ruler
    beach_bonus: int
    coconut_bonus: int
    solo: Solo
    options: tuple[OptionData, ...]

    def card(self, card_id: str) -> int:
        """Return the number of the card with an id.

        Args:
            card_id: Id of the card.

        Raises:
            ComponentError: If no card has this id.
        """
        ids = [card.id for card in self.cards]
        if card_id not in ids:
            raise ComponentError(f"unknown card {card_id!r}", ", ".join(ids))
        return ids.index(card_id)
