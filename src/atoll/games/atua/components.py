"""The Box of Atua: cards, tiles and numbers, built from parsed TOML (``components.toml`` or an owner's own file).

RULES.md says what the data means. Numbers a designer may want to change live in the Box; symbols, the unit lattice and
the six harmony sources are fixed by the rulebook and are constants. No rules here.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, Final, Literal

import msgspec
from msgspec import Meta
from msgspec.structs import astuple

from atoll.engine import ComponentError
from atoll.engine.components import At, Entry, Part, Source, Table, Text, Words, in_order, read

from .faces import BEACH, SIDES, Face, PrintError, faces_of

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

_PAIRS: Final = ((FISHER, FISH), (HUNTRESS, BIRD), (CANOE, PALM))
_ON_ISLANDS: Final = (FISHER, FISH, HUNTRESS, BIRD, CANOE, PALM, *TOTEMS, VOLCANO)
_ROW_THINGS: Final = (*_ON_ISLANDS, TOTEM, BEACH_CARD)
_GAINED: Final = (FISHER, FISH, HUNTRESS, BIRD, CANOE, PALM, *TOTEMS, COCONUT)
_CATEGORIES: Final = (FISH, FISHER, BIRD, HUNTRESS, PALM, CANOE, TOTEM, VOLCANO, BEACH_CARD, COCONUT)
_OPTIONS: Final[Mapping[str, tuple[bool | int | str, ...]]] = {
    "players": (1, 2, 3, 4, 5, 6),
    "residents": (True, False),
    "fates": (True, False),
    "solo_difficulty": DIFFICULTIES,
    "start_player": ("random", "seat_1"),
    "volcano_ruler": ("finite", "open_end"),
}

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
    """An island card or a village card. ``terrain`` is as printed, top row first; ``faces`` are its four rotations."""

    id: str
    name: Text
    terrain: tuple[str, ...]
    beach: bool
    symbols: tuple[int, ...]
    faces: tuple[Face, ...]


@dataclass(frozen=True, slots=True)
class Resident:
    """A tile: it scores ``row_points`` per two ``row_thing`` in the row, then adds symbols for good.

    ``row_thing`` is an index into COUNTED; ``gains`` are (symbol, count).
    """

    id: str
    name: Text
    text: Text
    row_thing: int
    row_points: int
    gains: tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class Fate:
    """A bet: the owner gains ``payoff[k]`` points for the majority in exactly k of the ``categories`` (of COUNTED)."""

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
    """The volcano ruler: ``points[i]`` for the first band with squared distance <= ``max_d2[i]``.

    Farther volcanoes score ``beyond``, or ``beyond_open_end`` where the ruler has an open end.
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
class AtuaBox:
    """Everything in the box. ``stacks[n]`` are the sizes of A, B, C for n players (1 is solo, 0 is empty).

    ``cards`` are the island cards followed by the village cards: a card's number is its place there.
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
    windows: Sequence[Window]
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


# -- the file --------------------------------------------------------------------------------------------------------

_Number = Annotated[int, Meta(ge=0, le=1000)]
_Points = Annotated[int, Meta(ge=0, le=50)]
_Row = Annotated[str, Meta(pattern="^[LBS]{6}$", description="six rows of six letters L (land), B (beach), S (sea)")]
_End = Annotated[str, Meta(pattern="^[NESW][0-5]$", description="a side N, E, S or W with an index 0 to 5, such as W2")]
_Value = bool | int | str


class _Spoken(Entry):
    """What people call by a name in both languages."""

    en: Words
    de: Words

    @property
    def name(self) -> Text:
        return Text(self.en, self.de)


class _Told(_Spoken):
    """What has a text besides its name."""

    text_en: Words
    text_de: Words

    @property
    def text(self) -> Text:
        return Text(self.text_en, self.text_de)


class _Players(Table):
    min: Literal[1]
    max: Literal[6]


class _Counts(Table):
    island_cards: Annotated[int, Meta(ge=0, le=ISLAND_CARDS)]
    village_cards: Annotated[int, Meta(ge=0, le=VILLAGES)]
    solo_cards: Literal[1]
    residents: Annotated[int, Meta(ge=0, le=RESIDENTS)]
    fates: Annotated[int, Meta(ge=0, le=FATES)]
    coconuts: Annotated[int, Meta(ge=0, le=MAX_COCONUTS)]
    volcano_rulers: Literal[1]
    score_sheets: _Number


class _Stack(Part):
    a: Annotated[int, Meta(ge=1, le=ISLAND_CARDS)]
    b: Annotated[int, Meta(ge=1, le=ISLAND_CARDS)]
    c: Annotated[int, Meta(ge=1, le=ISLAND_CARDS)]


class _Stacks(Part):
    solo: _Stack = msgspec.field(name="1")
    two: _Stack = msgspec.field(name="2")
    three: _Stack = msgspec.field(name="3")
    four: _Stack = msgspec.field(name="4")
    five: _Stack = msgspec.field(name="5")
    six: _Stack = msgspec.field(name="6")


class _Setup(Table):
    row_size: Literal[4]
    start_coconuts: _Number
    villages_per_player: Literal[1]
    residents_per_player: Literal[1]
    fates_revealed_extra: _Number
    rounds: Annotated[int, Meta(ge=3, le=MAX_CARDS)]
    stacks: _Stacks


class Window(Entry):
    """A scoring window: when its stack is empty, at the end of ``round``, everyone scores ``sources_to_score``."""

    round: Annotated[int, Meta(ge=1, le=MAX_CARDS)]
    sources_to_score: Annotated[int, Meta(ge=0, le=len(SOURCES))]


class _Bonus(Table):
    longest_beach: _Number
    most_coconuts: _Number


class _Difficulty(Part):
    easy: _Number
    medium: _Number
    hard: _Number
    legendary: _Number


class Solo(Table):
    """The numbers of the game against Tahuma."""

    player_coconuts: _Number
    hut_coconuts: _Number
    left_card_price: _Number
    right_card_gain: _Number
    discard_price: _Number
    tahuma_volcano_points: _Number
    beach_bonus: _Number
    hut_coconut_points: _Number
    coconut_bonus: Literal[0]
    difficulty: _Difficulty

    @property
    def start_points(self) -> tuple[int, ...]:
        """Tahuma's, in the order of DIFFICULTIES."""
        return astuple(self.difficulty)


class _Option(_Spoken):
    values: list[_Value]
    default: _Value
    forced_when_solo: _Value | None = None


class _Geometry(Table):
    card_units: Literal[6]
    slot_units: Literal[2]
    slots_per_side: Literal[3]
    rotations: Literal[4]


class _VolcanoRuler(Table):
    max_d2: Annotated[list[Annotated[int, Meta(ge=0, le=1000**2)]], Meta(min_length=1)]
    points: list[_Points]
    beyond_points: _Points
    beyond_points_open_end: _Points
    length_units: _Number


class _Symbol(_Spoken):
    group: Literal["consumer", "resource", "totem", "star", "coconut"]
    coverable: bool


class _Pairs(_Spoken, tag="pairs", tag_field="kind"):
    consumer: str
    resource: str
    points_per_pair: _Points


class _Coconuts(_Spoken, tag="coconuts", tag_field="kind"):
    points_each: _Points


class _Totems(_Spoken, tag="totems", tag_field="kind"):
    table: Annotated[list[_Points], Meta(min_length=len(TOTEMS) + 1, max_length=len(TOTEMS) + 1)]


class _Volcanoes(_Spoken, tag="volcanoes", tag_field="kind"):
    pass


class _ScoreRowPairs(Part, tag="score_row_pairs", tag_field="verb"):
    of: str
    points: _Points


class _AddSymbols(Part, tag="add_symbols", tag_field="verb"):
    symbol: str
    count: Annotated[int, Meta(ge=1, le=50)]


class _FinalMajority(Part, tag="final_majority", tag_field="verb"):
    categories: Annotated[list[str], Meta(min_length=1)]
    payoff: list[Annotated[int, Meta(ge=-1000, le=1000)]]


class _Resident(_Told):
    effects: list[_ScoreRowPairs | _AddSymbols]


class _Fate(_Told):
    price: _Number
    effects: tuple[_FinalMajority]
    price_source: Source | None = None
    categories_source: Source | None = None


class _Print(Part):
    slot: Annotated[int, Meta(ge=0, le=8)]
    symbol: str


class _Card(_Spoken):
    coast: Words
    beach: bool
    terrain: tuple[_Row, _Row, _Row, _Row, _Row, _Row]
    ends: list[_End]
    symbols: list[_Print]


class _File(Part):
    schema: Literal[1]
    game: Literal["atua"]
    name: Text
    players: _Players
    counts: _Counts
    setup: _Setup
    scoring_window: list[Window]
    bonus: _Bonus
    solo: Solo
    option: list[_Option]
    geometry: _Geometry
    volcano_ruler: _VolcanoRuler
    symbol: list[_Symbol]
    harmony_source: list[_Pairs | _Coconuts | _Totems | _Volcanoes]
    resident: list[_Resident]
    fate: list[_Fate]
    solo_card: tuple[_Told]
    village: list[_Card]
    island: list[_Card]


def load_box(data: Mapping[str, Any]) -> AtuaBox:
    """Build the Box from parsed TOML of the shape of ``components.toml``, complete. Raises ComponentError."""
    file = read(data, _File)
    setup = file.setup
    stacks = ((0, 0, 0), *(tuple(astuple(one)) for one in astuple(setup.stacks)))
    windows = in_order("scoring_window", file.scoring_window, WINDOWS)
    _check_windows(windows, setup.rounds)
    _check_stacks(stacks, windows)
    _check_symbols(file.symbol)
    sources = in_order("harmony_source", file.harmony_source, SOURCES)
    pairs, coconut_points, totem_table = _sources(sources)
    _check_ids(file)
    _check_counts(file, stacks)
    in_order("solo_card", file.solo_card, ("tahuma",))
    islands = tuple(_card(At("island", one.id), one, _ON_ISLANDS) for one in file.island)
    villages = tuple(_card(At("village", one.id), one, (*_ON_ISLANDS, VILLAGE_STAR)) for one in file.village)
    _check_coasts(file)
    return AtuaBox(
        name=file.name,
        cards=islands + villages,
        island_cards=len(file.island),
        residents=tuple(_resident(At("resident", one.id), one) for one in file.resident),
        fates=tuple(_fate(At("fate", one.id), one) for one in file.fate),
        coconuts=file.counts.coconuts,
        row_size=setup.row_size,
        start_coconuts=setup.start_coconuts,
        fates_revealed_extra=setup.fates_revealed_extra,
        rounds=setup.rounds,
        solo_turns=sum(stacks[1]) // 2,
        stacks=stacks,
        windows=windows,
        pairs=pairs,
        coconut_points=coconut_points,
        totem_table=totem_table,
        source_names=tuple(one.name for one in sources),
        symbol_names=tuple(one.name for one in in_order("symbol", file.symbol, SYMBOLS)),
        ruler=_ruler(file.volcano_ruler),
        beach_bonus=file.bonus.longest_beach,
        coconut_bonus=file.bonus.most_coconuts,
        solo=file.solo,
        options=tuple(_option(one) for one in in_order("option", file.option, tuple(_OPTIONS))),
    )


def _check_windows(windows: Sequence[Window], rounds: int) -> None:
    last = 0
    for window in windows:
        At("scoring_window", window.id).need(window.round > last, f"round is {window.round}", f"later than {last}")
        last = window.round
    At("scoring_window", windows[-1].id).need(last == rounds, f"round is {last}", f"{rounds}, the last round of setup")
    scored = [window.sources_to_score for window in windows]
    right = sum(scored) == len(SOURCES)
    At("scoring_window").need(right, f"sources_to_score is {' + '.join(map(str, scored))}", f"{len(SOURCES)} in sum")


def _check_stacks(stacks: Sequence[Sequence[int]], windows: Sequence[Window]) -> None:
    """A stack ends with the last player's turn of its window's round; in solo each turn draws two cards."""
    for players, sizes in enumerate(stacks):
        at, last = At("setup.stacks", players), 0
        for window, size in zip(windows, sizes, strict=True):
            turns, last = window.round - last, window.round
            if players > 1:
                cards = players * turns
                at.need(size == cards, f"{window.id} is {size}", f"{cards}, one card a turn until round {last}")
            at.need(players != 1 or size % 2 == 0, f"{window.id} is {size}", "an even number, for one player")
    solo = sum(stacks[1])
    At("setup.stacks", 1).need(solo <= 2 * MAX_CARDS, f"{solo} cards in all", f"up to {2 * MAX_CARDS}, two a turn")


def _check_symbols(symbols: Sequence[_Symbol]) -> None:
    for number, symbol in enumerate(in_order("symbol", symbols, SYMBOLS)):
        if number in STARS or number == COCONUT:
            group = "star" if number in STARS else "coconut"
        else:
            group = "totem" if number in TOTEMS else "consumer" if number in (FISHER, HUNTRESS, CANOE) else "resource"
        at, coverable = At("symbol", symbol.id), number < VOLCANO
        at.need(symbol.group == group, f"group is {symbol.group!r}", group)
        at.need(symbol.coverable == coverable, f"coverable is {symbol.coverable}", str(coverable).lower())


def _sources(sources: Sequence[_Spoken]) -> tuple[tuple[PairSource, ...], int, tuple[int, ...]]:
    pairs: list[PairSource] = []
    coconut_points, totem_table = 0, tuple[int, ...]()
    kinds = (_Pairs, _Pairs, _Pairs, _Coconuts, _Totems, _Volcanoes)
    for number, (source, kind) in enumerate(zip(sources, kinds, strict=True)):
        at = At("harmony_source", source.id)
        at.need(isinstance(source, kind), "kind is that of another source", kind.__struct_config__.tag)
        if isinstance(source, _Pairs):
            consumer, resource = _PAIRS[number]
            at.one_of("consumer", source.consumer, (SYMBOLS[consumer],))
            at.one_of("resource", source.resource, (SYMBOLS[resource],))
            pairs.append(PairSource(consumer, resource, source.points_per_pair))
        elif isinstance(source, _Coconuts):
            coconut_points = source.points_each
        elif isinstance(source, _Totems):
            totem_table = tuple(source.table)
    return tuple(pairs), coconut_points, totem_table


def _check_ids(file: _File) -> None:
    seen: set[str] = set()
    for table in ("island", "village", "resident", "fate"):
        for one in getattr(file, table):
            At(table, one.id).need(one.id not in seen, "the id is used for two components", "each id once")
            seen.add(one.id)


def _check_counts(file: _File, stacks: Sequence[Sequence[int]]) -> None:
    """The numbers of pieces are as stated, and enough of them for every setup."""
    setup, counts, players = file.setup, file.counts, file.players.max
    for what, stated, found, needed in (
        ("island_cards", counts.island_cards, len(file.island), max(map(sum, stacks)) + setup.row_size),
        ("village_cards", counts.village_cards, len(file.village), players),
        ("residents", counts.residents, len(file.resident), players),
        ("fates", counts.fates, len(file.fate), players + setup.fates_revealed_extra),
        ("coconuts", counts.coconuts, counts.coconuts, players * setup.start_coconuts),
        ("coconuts", counts.coconuts, counts.coconuts, file.solo.player_coconuts + file.solo.hut_coconuts),
    ):
        At("counts").need(stated == found, f"{what} is {stated}", f"{found}, as there are entries")
        At("counts").need(found >= needed, f"{what} is {found}", f"at least {needed}, the setup needs them")


def _check_coasts(file: _File) -> None:
    coasts: dict[str, _Card] = {}
    for table, cards in (("island", file.island), ("village", file.village)):
        for card in cards:
            other = coasts.setdefault(card.coast, card)
            same = (other.terrain, sorted(other.ends)) == (card.terrain, sorted(card.ends))
            At(table, card.id).need(
                same, f"coast is {card.coast!r}", f"terrain and ends as on {other.id}, or another name"
            )


def _ruler(ruler: _VolcanoRuler) -> Ruler:
    at, max_d2 = At("volcano_ruler"), ruler.max_d2
    at.need(max_d2 == sorted(set(max_d2)), f"max_d2 is {max_d2}", "squared distances that rise from band to band")
    at.need(len(ruler.points) == len(max_d2), f"points is {ruler.points}", f"{len(max_d2)} numbers, one a band")
    right = ruler.length_units**2 == max_d2[-1]
    at.need(right, f"length_units is {ruler.length_units}", f"the root of the last max_d2, {max_d2[-1]}")
    return Ruler(tuple(max_d2), tuple(ruler.points), ruler.beyond_points, ruler.beyond_points_open_end)


def _option(option: _Option) -> OptionData:
    at, allowed = At("option", option.id), _OPTIONS[option.id]

    def pick(key: str, value: _Value, values: Sequence[_Value]) -> _Value:
        at.need((type(value), value) in [(type(one), one) for one in values], f"{key} is {value!r}", _listed(values))
        return value

    offered = tuple(pick("values", value, allowed) for value in option.values)
    right = offered and len(set(offered)) == len(offered) and (allowed != (True, False) or len(offered) == 2)
    at.need(bool(right), f"values is {option.values}", f"{_listed(allowed)}, each once")
    forced = option.forced_when_solo
    return OptionData(
        option.id,
        tuple(one for one in allowed if one in offered),
        pick("default", option.default, offered),
        None if forced is None else pick("forced_when_solo", forced, allowed),
    )


def _listed(values: Sequence[_Value]) -> str:
    return ", ".join(str(value).lower() for value in values)


def _counted(at: At, key: str, value: str, allowed: Sequence[int]) -> int:
    return allowed[at.one_of(key, value, [COUNTED[thing] for thing in allowed])]


def _card(at: At, card: _Card, allowed: Sequence[int]) -> Card:
    ends = tuple((SIDES.index(end[0]), int(end[1])) for end in card.ends)
    symbols = tuple((one.slot, _counted(at, "symbol", one.symbol, allowed)) for one in card.symbols)
    slots = [slot for slot, _ in symbols]
    at.need(len(set(slots)) == len(slots), f"slot is {', '.join(map(str, slots))}", "at most one symbol in a slot")
    stars = [symbol for _, symbol in symbols].count(VILLAGE_STAR)
    at.need(VILLAGE_STAR not in allowed or stars == 1, f"{stars} times village_star", "exactly one")
    beach = any(BEACH in row for row in card.terrain)
    at.need(card.beach == beach, f"beach is {card.beach}", f"{str(beach).lower()}, as the terrain")
    try:
        faces = faces_of(card.terrain, ends, symbols)
    except PrintError as error:
        at.fail(*error.args)
    return Card(card.id, card.name, card.terrain, beach, tuple(symbol for _, symbol in symbols), faces)


def _resident(at: At, resident: _Resident) -> Resident:
    pairs = [effect for effect in resident.effects[:1] if isinstance(effect, _ScoreRowPairs)]
    added = [effect for effect in resident.effects[1:] if isinstance(effect, _AddSymbols)]
    right = pairs and added and len(pairs + added) == len(resident.effects)
    at.need(bool(right), "effects in another order", "score_row_pairs, then add_symbols once or more")
    thing = _counted(at, "of", pairs[0].of, _ROW_THINGS)
    gains = tuple((_counted(at, "symbol", one.symbol, _GAINED), one.count) for one in added)
    return Resident(resident.id, resident.name, resident.text, thing, pairs[0].points, gains)


def _fate(at: At, fate: _Fate) -> Fate:
    (effect,) = fate.effects
    categories = tuple(_counted(at, "categories", one, _CATEGORIES) for one in effect.categories)
    at.need(len(set(categories)) == len(categories), f"categories is {effect.categories}", "each once")
    number = len(categories) + 1
    at.need(len(effect.payoff) == number, f"payoff is {effect.payoff}", f"{number} numbers, from no category to all")
    return Fate(fate.id, fate.name, fate.text, fate.price, categories, tuple(effect.payoff))
