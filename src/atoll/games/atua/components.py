"""The Box of Atua: cards, tiles and numbers, built from parsed TOML (`components.toml` or an owner's own file).

RULES.md says what the data means. Numbers a designer may want to change live in the Box; symbols, the unit lattice and
the six harmony sources are fixed by the rulebook and are constants. No rules here.
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

# Besides single symbols two more things are counted, on islands and in the row.
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
"""How many of each there are in the rulebook's box, and can be at most: the vocabulary is built for them."""

MAX_CARDS: Final = 18
"""The most cards that a player can add to an island, with any components: the vocabulary is built for them."""

MAX_COCONUTS: Final = 100
"""The most coconuts that components can have."""

MAX_POINTS: Final = 5000
"""More than any source or resident can be worth, with any components."""


@dataclass(frozen=True, slots=True)
class Card:
    """An island card or a village card. `terrain` is as printed, top row first; `faces` are its four rotations."""

    id: str
    name: Text
    terrain: tuple[str, ...]
    beach: bool
    symbols: tuple[int, ...]
    faces: tuple[Face, ...]


@dataclass(frozen=True, slots=True)
class Resident:
    """A tile: it scores `row_points` per two `row_thing` in the row, then adds symbols for good.

    `row_thing` is an index into COUNTED; `gains` are (symbol, count).
    """

    id: str
    name: Text
    text: Text
    row_thing: int
    row_points: int
    gains: tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class Fate:
    """A bet: the owner gains `payoff[k]` points for the majority in exactly k of the `categories` (of COUNTED)."""

    id: str
    name: Text
    text: Text
    price: int
    categories: tuple[int, ...]
    payoff: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class PairSource:
    """A source that pairs consumers with resources."""

    consumer: int
    resource: int
    points_per_pair: int


@dataclass(frozen=True, slots=True)
class Ruler:
    """The volcano ruler: `points[i]` for the first band with squared distance <= `max_d2[i]`.

    Farther volcanoes score `beyond`, or `beyond_open_end` where the ruler has an open end.
    """

    max_d2: tuple[int, ...]
    points: tuple[int, ...]
    beyond: int
    beyond_open_end: int


@dataclass(frozen=True, slots=True)
class OptionData:
    """What a host can choose: the values offered, the usual one, and the one forced in solo (None: free)."""

    id: str
    values: tuple[bool | int | str, ...]
    default: bool | int | str
    forced_when_solo: bool | int | str | None


@dataclass(frozen=True, slots=True)
class Window:
    """A scoring window: when its stack is empty, at the end of `round`, everyone scores `sources_to_score`."""

    round: int
    sources_to_score: int


@dataclass(frozen=True, slots=True)
class Solo:
    """The numbers of the game against Tahuma. `start_points` are his, in the order of DIFFICULTIES."""

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
    """Everything in the box. `stacks[n]` are the sizes of A, B, C for n players (1 is solo, 0 is empty).

    `cards` are the island cards followed by the village cards: a card's number is its place there.
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
        """The number of the card with this id. Raises ComponentError if there is none."""
        ids = [card.id for card in self.cards]
        if card_id not in ids:
            raise ComponentError(f"there is no card {card_id!r}", ", ".join(ids))
        return ids.index(card_id)
