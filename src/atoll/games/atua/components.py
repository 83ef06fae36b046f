"""The Box of Atua: cards, tiles and numbers, built from parsed TOML (``components.toml`` or an owner's own file).

RULES.md says what the data means. Numbers a designer may want to change live in the Box; symbols, the unit lattice and
the six harmony sources are fixed by the rulebook and are constants. No rules here.
"""

import tomllib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib import resources
from typing import Final, TypeVar

from atoll.engine import ComponentError

from .faces import (
    BEACH,
    CARD_UNITS,
    ROTATIONS,
    SIDES,
    SLOT_UNITS,
    SLOTS_PER_SIDE,
    Face,
    PrintError,
    faces_of,
)

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

_SOURCE_KINDS: Final = ("pairs", "pairs", "pairs", "coconuts", "totems", "volcanoes")
_SOURCE_SYMBOLS: Final = ((FISHER, FISH), (HUNTRESS, BIRD), (CANOE, PALM))
_ROW_THINGS: Final = (FISHER, FISH, HUNTRESS, BIRD, CANOE, PALM, *TOTEMS, VOLCANO, TOTEM, BEACH_CARD)
_GAINED: Final = (FISHER, FISH, HUNTRESS, BIRD, CANOE, PALM, *TOTEMS, COCONUT)
_CATEGORIES: Final = (FISH, FISHER, BIRD, HUNTRESS, PALM, CANOE, TOTEM, VOLCANO, BEACH_CARD, COCONUT)
_ON_ISLANDS: Final = (FISHER, FISH, HUNTRESS, BIRD, CANOE, PALM, *TOTEMS, VOLCANO)
_PROVENANCES: Final = ("rulebook", "public", "reconstructed")
_OPTIONS: Final[Mapping[str, tuple[int | str, ...]]] = {
    "players": (1, 2, 3, 4, 5, 6),
    "residents": (True, False),
    "fates": (True, False),
    "solo_difficulty": DIFFICULTIES,
    "start_player": ("random", "seat_1"),
    "volcano_ruler": ("finite", "open_end"),
}
_MANY: Final = 1000
_POINTS: Final = 50

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

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Text:
    """The same words in both languages."""

    en: str
    de: str


@dataclass(frozen=True, slots=True)
class Card:
    """An island card or a village card. ``terrain`` is as printed, top row first; ``faces`` are its four rotations.

    ``source`` says where the print comes from: rulebook, public or reconstructed.
    """

    id: str
    source: str
    name: Text
    coast: str
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
    source: str
    name: Text
    text: Text
    row_thing: int
    row_points: int
    gains: tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class Fate:
    """A bet: the owner gains ``payoff[k]`` points for the majority in exactly k of the ``categories`` (of COUNTED)."""

    id: str
    source: str
    price_source: str
    categories_source: str
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
class Window:
    """A scoring window: when its stack is empty, at the end of ``round``, everyone scores ``sources_to_score``."""

    id: str
    round: int
    sources_to_score: int


@dataclass(frozen=True, slots=True)
class Solo:
    """The numbers of the game against Tahuma; ``start_points`` are in the order of DIFFICULTIES."""

    player_coconuts: int
    hut_coconuts: int
    left_card_price: int
    right_card_gain: int
    discard_price: int
    tahuma_volcano_points: int
    beach_bonus: int
    hut_coconut_points: int
    start_points: tuple[int, ...]
    name: Text
    text: Text


@dataclass(frozen=True, slots=True)
class OptionData:
    """What a host can choose: the values offered, the usual one, and the one forced in solo (None: free)."""

    id: str
    values: tuple[int | str, ...]
    default: int | str
    forced_when_solo: int | str | None
    text: Text


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
    min_players: int
    max_players: int
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
        """The number of the card with this id.

        Raises:
            ComponentError: there is none.
        """
        for number, card in enumerate(self.cards):
            if card.id == card_id:
                return number
        raise ComponentError(f"no card {card_id!r}; allowed: {', '.join(card.id for card in self.cards)}")


class _Entry:
    """One table of the data, read key by key; `done` refuses what was not read."""

    __slots__ = ("_data", "_read", "_where")

    def __init__(self, data: object, where: str) -> None:
        if not isinstance(data, Mapping):
            raise ComponentError(f"{where} is {data!r}; allowed: a table")
        self._data: Mapping[str, object] = data
        self._where = where
        self._read: list[str] = []

    def fault(self, key: str, allowed: str) -> ComponentError:
        return ComponentError(f"{self._at(key)} is {self._data.get(key)!r}; allowed: {allowed}")

    def _at(self, key: str) -> str:
        return f"{self._where}: {key}" if self._where else key

    def _take(self, key: str, allowed: str) -> object:
        if key not in self._data:
            raise ComponentError(f"{self._at(key)} is missing; allowed: {allowed}")
        self._read.append(key)
        return self._data[key]

    def has(self, key: str) -> bool:
        return key in self._data

    def words(self, key: str) -> str:
        value = self._take(key, "a text")
        if not isinstance(value, str) or not value.strip():
            raise self.fault(key, "a text that is not empty")
        return value

    def text(self, before: str = "") -> Text:
        return Text(self.words(f"{before}en"), self.words(f"{before}de"))

    def number(self, key: str, low: int, high: int) -> int:
        allowed = f"a whole number from {low} to {high}"
        value = _whole(self._take(key, allowed), low, high)
        if value is None:
            raise self.fault(key, allowed)
        return value

    def numbers(self, key: str, length: int, low: int, high: int) -> tuple[int, ...]:
        allowed = f"a list of {length} whole numbers from {low} to {high}"
        values = self.items(key, allowed)
        numbers = tuple(number for number in (_whole(value, low, high) for value in values) if number is not None)
        if len(values) != length or len(numbers) != length:
            raise self.fault(key, allowed)
        return numbers

    def items(self, key: str, allowed: str) -> Sequence[object]:
        value = self._take(key, allowed)
        if not isinstance(value, Sequence) or isinstance(value, str):
            raise self.fault(key, allowed)
        return value

    def one_of(self, key: str, allowed: Sequence[str]) -> str:
        value = self._take(key, ", ".join(allowed))
        if not isinstance(value, str) or value not in allowed:
            raise self.fault(key, ", ".join(allowed))
        return value

    def counted(self, key: str, allowed: Sequence[int]) -> int:
        return COUNTED.index(self.one_of(key, [COUNTED[thing] for thing in allowed]))

    def exactly(self, key: str, value: int | str | bool) -> None:
        """Read a key that the rulebook leaves no choice for."""
        found = self._take(key, repr(value))
        if found != value or type(found) is not type(value):
            raise self.fault(key, f"{value!r} only")

    def option_value(self, key: str, allowed: Sequence[int | str]) -> int | str:
        value = self._take(key, ", ".join(str(one) for one in allowed))
        for one in allowed:
            if type(one) is type(value) and one == value:
                return one
        raise self.fault(key, ", ".join(str(one) for one in allowed))

    def entry(self, key: str) -> "_Entry":
        inner = f"{key} of {self._where}" if self._where else key
        return _Entry(self._take(key, "a table"), inner)

    def entries(self, key: str) -> list["_Entry"]:
        return [
            _Entry(one, f"{self._at(key)}[{index}]") for index, one in enumerate(self.items(key, "a list of tables"))
        ]

    def named(self, key: str) -> list["_Entry"]:
        """The entries of a list, each called by its id from here on; two equal ids are refused."""
        found = self.entries(key)
        ids: list[str] = []
        for one in found:
            one._where = one.words("id")
            if one._where in ids:
                raise ComponentError(f"{key}: id {one._where!r} occurs twice; allowed: each id once")
            ids.append(one._where)
        return found

    def id(self) -> str:
        return self._where

    def done(self) -> None:
        unknown = sorted(set(self._data) - set(self._read))
        if unknown:
            where = self._where or "the file"
            raise ComponentError(
                f"{where}: unknown {'key' if len(unknown) == 1 else 'keys'} {', '.join(unknown)}; "
                f"allowed: {', '.join(self._read)}"
            )


def _whole(value: object, low: int, high: int) -> int | None:
    if isinstance(value, int) and not isinstance(value, bool) and low <= value <= high:
        return value
    return None


@lru_cache(maxsize=1)
def printed_box() -> AtuaBox:
    """The Box of the edition that comes with Atoll."""
    return load_box(tomllib.loads((resources.files(__package__) / "components.toml").read_text(encoding="utf-8")))


def load_box(data: Mapping[str, object]) -> AtuaBox:
    """Build the Box from parsed TOML of the shape of ``components.toml``, complete.

    Raises:
        ComponentError: a key is missing or unknown, a value is not allowed, or parts contradict each other.
    """
    file = _Entry(data, "")
    file.exactly("schema", 1)
    file.exactly("game", "atua")
    name = _read(file.entry("name"), _Entry.text)
    min_players, max_players = _read(file.entry("players"), _players)
    counts = _read(file.entry("counts"), _counts)
    setup = file.entry("setup")
    _provenance(setup)
    stacks = _read(setup.entry("stacks"), _stacks)
    row_size = setup.number("row_size", 4, 4)
    start_coconuts = setup.number("start_coconuts", 0, _MANY)
    setup.exactly("villages_per_player", 1)
    setup.exactly("residents_per_player", 1)
    fates_revealed_extra = setup.number("fates_revealed_extra", 0, _MANY)
    rounds = setup.number("rounds", 3, MAX_CARDS)
    setup.done()
    windows = _windows(file, rounds)
    _check_stacks(stacks, windows)
    bonus = file.entry("bonus")
    _provenance(bonus)
    beach_bonus = bonus.number("longest_beach", 0, _MANY)
    coconut_bonus = bonus.number("most_coconuts", 0, _MANY)
    bonus.done()
    solo = _solo(file)
    options = _options(file)
    _read(file.entry("geometry"), _geometry)
    ruler = _read(file.entry("volcano_ruler"), _ruler)
    symbol_names = _symbols(file)
    pairs, coconut_points, totem_table, source_names = _sources(file)
    islands = tuple(_card(one, _ON_ISLANDS) for one in file.named("island"))
    villages = tuple(_card(one, (*_ON_ISLANDS, VILLAGE_STAR)) for one in file.named("village"))
    residents = tuple(_resident(one) for one in file.named("resident"))
    fates = tuple(_fate(one) for one in file.named("fate"))
    file.done()

    _check_villages(villages)
    _check_coasts(islands + villages)
    _check_ids((*islands, *villages), residents, fates)
    for key, found in (
        ("island_cards", len(islands)),
        ("village_cards", len(villages)),
        ("residents", len(residents)),
        ("fates", len(fates)),
    ):
        if counts[key] != found:
            raise ComponentError(f"counts: {key} is {counts[key]}, but the file has {found}; allowed: the same number")
    for what, needed, found in (
        ("island cards", max(sum(sizes) for sizes in stacks) + row_size, len(islands)),
        ("village cards", max_players, len(villages)),
        ("residents", max_players, len(residents)),
        ("fates", max_players + fates_revealed_extra, len(fates)),
        ("coconuts for all players", max_players * start_coconuts, counts["coconuts"]),
        ("coconuts for the solo game", solo.player_coconuts + solo.hut_coconuts, counts["coconuts"]),
    ):
        if found < needed:
            raise ComponentError(f"counts: {found} {what}; allowed: at least {needed}, the setup needs them")
    return AtuaBox(
        name=name,
        cards=islands + villages,
        island_cards=len(islands),
        residents=residents,
        fates=fates,
        coconuts=counts["coconuts"],
        min_players=min_players,
        max_players=max_players,
        row_size=row_size,
        start_coconuts=start_coconuts,
        fates_revealed_extra=fates_revealed_extra,
        rounds=rounds,
        solo_turns=sum(stacks[1]) // 2,
        stacks=stacks,
        windows=windows,
        pairs=pairs,
        coconut_points=coconut_points,
        totem_table=totem_table,
        source_names=source_names,
        symbol_names=symbol_names,
        ruler=ruler,
        beach_bonus=beach_bonus,
        coconut_bonus=coconut_bonus,
        solo=solo,
        options=options,
    )


def _read(entry: _Entry, how: Callable[[_Entry], T]) -> T:
    result = how(entry)
    entry.done()
    return result


def _provenance(entry: _Entry) -> str:
    return entry.one_of("source", _PROVENANCES)


def _players(entry: _Entry) -> tuple[int, int]:
    _provenance(entry)
    entry.exactly("min", 1)
    entry.exactly("max", 6)
    return 1, 6


def _counts(entry: _Entry) -> dict[str, int]:
    _provenance(entry)
    entry.exactly("solo_cards", 1)
    entry.exactly("volcano_rulers", 1)
    entry.number("score_sheets", 0, _MANY)
    return {
        key: entry.number(key, 0, most)
        for key, most in (
            ("island_cards", ISLAND_CARDS),
            ("village_cards", VILLAGES),
            ("residents", RESIDENTS),
            ("fates", FATES),
            ("coconuts", MAX_COCONUTS),
        )
    }


def _stacks(entry: _Entry) -> tuple[tuple[int, ...], ...]:
    sizes: list[tuple[int, ...]] = [(0, 0, 0)]
    for players in range(1, 7):
        one = entry.entry(str(players))
        sizes.append(tuple(one.number(window, 1, _MANY) for window in WINDOWS))
        one.done()
    return tuple(sizes)


def _windows(file: _Entry, rounds: int) -> tuple[Window, ...]:
    windows = []
    for entry in _exactly_these(file, "scoring_window", WINDOWS):
        _provenance(entry)
        windows.append(
            Window(entry.id(), entry.number("round", 1, rounds), entry.number("sources_to_score", 0, len(SOURCES)))
        )
        entry.done()
    last = 0
    for window in windows:
        if window.round <= last:
            raise ComponentError(f"scoring_window {window.id}: round is {window.round}; allowed: later than {last}")
        last = window.round
    if last != rounds:
        raise ComponentError(f"scoring_window c: round is {last}; allowed: {rounds}, the last round of setup")
    if sum(window.sources_to_score for window in windows) != len(SOURCES):
        raise ComponentError(
            "scoring_window: sources_to_score is "
            f"{' + '.join(str(window.sources_to_score) for window in windows)}; allowed: {len(SOURCES)} in sum"
        )
    return tuple(windows)


def _check_stacks(stacks: tuple[tuple[int, ...], ...], windows: tuple[Window, ...]) -> None:
    """A stack ends with the last player's turn of its window's round; in solo each turn draws two cards."""
    for index, window in enumerate(windows):
        turns = window.round - (windows[index - 1].round if index else 0)
        for players in range(2, 7):
            if stacks[players][index] != players * turns:
                raise ComponentError(
                    f"stacks of setup: {window.id} is {stacks[players][index]} for {players} players; "
                    f"allowed: {players * turns}, one card a turn until round {window.round}"
                )
        if stacks[1][index] % 2:
            raise ComponentError(
                f"stacks of setup: {window.id} is {stacks[1][index]} for 1 player; allowed: an even number"
            )
    if sum(stacks[1]) > 2 * MAX_CARDS:
        raise ComponentError(
            f"stacks of setup: {sum(stacks[1])} cards for 1 player; allowed: at most {2 * MAX_CARDS}, two a turn"
        )


def _solo(file: _Entry) -> Solo:
    entry = file.entry("solo")
    _provenance(entry)
    levels = entry.entry("difficulty")
    start_points = tuple(levels.number(level, 0, _MANY) for level in DIFFICULTIES)
    levels.done()
    entry.exactly("coconut_bonus", 0)
    numbers = {
        key: entry.number(key, 0, _MANY)
        for key in (
            "player_coconuts",
            "hut_coconuts",
            "left_card_price",
            "right_card_gain",
            "discard_price",
            "tahuma_volcano_points",
            "beach_bonus",
            "hut_coconut_points",
        )
    }
    entry.done()
    (card,) = _exactly_these(file, "solo_card", ("tahuma",))
    _provenance(card)
    name, text = card.text(), card.text("text_")
    card.done()
    return Solo(start_points=start_points, name=name, text=text, **numbers)


def _options(file: _Entry) -> tuple[OptionData, ...]:
    options = []
    for entry in _exactly_these(file, "option", tuple(_OPTIONS)):
        allowed = _OPTIONS[entry.id()]
        values = entry.items("values", "a list")
        offered = tuple(one for one in allowed if any(type(one) is type(value) and one == value for value in values))
        if not offered or len(offered) != len(values):
            raise entry.fault("values", f"a choice of {', '.join(str(one) for one in allowed)}, each once")
        if allowed == (True, False) and len(offered) < len(allowed):
            raise entry.fault("values", "both true and false")
        default = entry.option_value("default", offered)
        forced = entry.option_value("forced_when_solo", allowed) if entry.has("forced_when_solo") else None
        options.append(OptionData(entry.id(), offered, default, forced, entry.text()))
        entry.done()
    return tuple(options)


def _geometry(entry: _Entry) -> None:
    _provenance(entry)
    entry.exactly("card_units", CARD_UNITS)
    entry.exactly("slot_units", SLOT_UNITS)
    entry.exactly("slots_per_side", SLOTS_PER_SIDE)
    entry.exactly("rotations", ROTATIONS)


def _ruler(entry: _Entry) -> Ruler:
    _provenance(entry)
    bands = len(entry.items("max_d2", "a list of squared distances"))
    max_d2 = entry.numbers("max_d2", bands, 0, _MANY * _MANY)
    if list(max_d2) != sorted(set(max_d2)) or not max_d2:
        raise entry.fault("max_d2", "squared distances that rise from band to band")
    points = entry.numbers("points", bands, 0, _POINTS)
    length = entry.number("length_units", 1, _MANY)
    if length * length != max_d2[-1]:
        raise entry.fault("length_units", f"the root of the last max_d2, {max_d2[-1]}")
    return Ruler(
        max_d2, points, entry.number("beyond_points", 0, _POINTS), entry.number("beyond_points_open_end", 0, _POINTS)
    )


def _symbols(file: _Entry) -> tuple[Text, ...]:
    names = []
    for number, entry in enumerate(_exactly_these(file, "symbol", SYMBOLS)):
        _provenance(entry)
        if number in TOTEMS:
            group = "totem"
        elif number in STARS:
            group = "star"
        elif number == COCONUT:
            group = "coconut"
        else:
            group = "consumer" if number in (FISHER, HUNTRESS, CANOE) else "resource"
        entry.exactly("group", group)
        entry.exactly("coverable", number < VOLCANO)
        names.append(entry.text())
        entry.done()
    return tuple(names)


def _sources(file: _Entry) -> tuple[tuple[PairSource, ...], int, tuple[int, ...], tuple[Text, ...]]:
    pairs, names = [], []
    coconut_points = 0
    totem_table: tuple[int, ...] = ()
    for number, entry in enumerate(_exactly_these(file, "harmony_source", SOURCES)):
        _provenance(entry)
        kind = _SOURCE_KINDS[number]
        entry.exactly("kind", kind)
        if kind == "pairs":
            consumer, resource = _SOURCE_SYMBOLS[number]
            entry.exactly("consumer", SYMBOLS[consumer])
            entry.exactly("resource", SYMBOLS[resource])
            pairs.append(PairSource(consumer, resource, entry.number("points_per_pair", 0, _POINTS)))
        elif kind == "coconuts":
            coconut_points = entry.number("points_each", 0, _POINTS)
        elif kind == "totems":
            totem_table = entry.numbers("table", len(TOTEMS) + 1, 0, _POINTS)
        names.append(entry.text())
        entry.done()
    return tuple(pairs), coconut_points, totem_table, tuple(names)


def _card(entry: _Entry, allowed: Sequence[int]) -> Card:
    source = _provenance(entry)
    name = entry.text()
    coast = entry.words("coast")
    rows = entry.items("terrain", "six rows of six letters")
    if not all(isinstance(row, str) for row in rows):
        raise entry.fault("terrain", "six rows of six letters L (land), B (beach), S (sea)")
    terrain = tuple(str(row) for row in rows)
    places = [side + str(index) for side in SIDES for index in range(CARD_UNITS)]
    ends = []
    for end in entry.items("ends", "a list of beach ends"):
        if not isinstance(end, str) or end not in places:
            raise entry.fault("ends", "a side N, E, S or W with an index 0 to 5 each, such as W2")
        ends.append((SIDES.index(end[0]), int(end[1])))
    symbols = []
    for one in entry.entries("symbols"):
        symbols.append((one.number("slot", 0, SLOTS_PER_SIDE**2 - 1), one.counted("symbol", allowed)))
        one.done()
    if len({slot for slot, _ in symbols}) < len(symbols):
        raise entry.fault("symbols", "at most one symbol in a slot")
    beach = any(BEACH in row for row in terrain)
    entry.exactly("beach", beach)
    entry.done()
    try:
        faces = faces_of(terrain, tuple(ends), tuple(symbols))
    except PrintError as error:
        raise ComponentError(f"{entry.id()}: {error}") from error
    return Card(entry.id(), source, name, coast, terrain, beach, tuple(symbol for _, symbol in symbols), faces)


def _resident(entry: _Entry) -> Resident:
    source = _provenance(entry)
    name, text = entry.text(), entry.text("text_")
    effects = entry.entries("effects")
    if len(effects) < 2:
        raise entry.fault("effects", "score_row_pairs, then add_symbols once or more")
    pairs, *additions = effects
    pairs.exactly("verb", "score_row_pairs")
    thing, points = pairs.counted("of", _ROW_THINGS), pairs.number("points", 0, _POINTS)
    pairs.done()
    gains = []
    for addition in additions:
        addition.exactly("verb", "add_symbols")
        gains.append((addition.counted("symbol", _GAINED), addition.number("count", 1, _POINTS)))
        addition.done()
    entry.done()
    return Resident(entry.id(), source, name, text, thing, points, tuple(gains))


def _fate(entry: _Entry) -> Fate:
    source = _provenance(entry)
    price_source = entry.one_of("price_source", _PROVENANCES)
    categories_source = entry.one_of("categories_source", _PROVENANCES)
    name, text = entry.text(), entry.text("text_")
    price = entry.number("price", 0, _MANY)
    effects = entry.entries("effects")
    if len(effects) != 1:
        raise entry.fault("effects", "exactly one final_majority")
    (effect,) = effects
    effect.exactly("verb", "final_majority")
    names = [COUNTED[thing] for thing in _CATEGORIES]
    categories = []
    for one in effect.items("categories", "a list of categories"):
        if one not in names:
            raise effect.fault("categories", f"a list of {', '.join(names)}")
        categories.append(COUNTED.index(str(one)))
    if not categories or len(set(categories)) < len(categories):
        raise effect.fault("categories", "one or more, each once")
    payoff = effect.numbers("payoff", len(categories) + 1, -_MANY, _MANY)
    effect.done()
    entry.done()
    return Fate(entry.id(), source, price_source, categories_source, name, text, price, tuple(categories), payoff)


def _exactly_these(file: _Entry, key: str, ids: Sequence[str]) -> list[_Entry]:
    """The named entries of a list that must hold exactly these ids, in this order."""
    entries = file.named(key)
    found = [entry.id() for entry in entries]
    if found != list(ids):
        raise ComponentError(f"{key}: ids are {', '.join(found)}; allowed: {', '.join(ids)}, in this order")
    return entries


def _check_villages(villages: Sequence[Card]) -> None:
    for village in villages:
        stars = village.symbols.count(VILLAGE_STAR)
        if stars != 1:
            raise ComponentError(f"{village.id}: symbols has {stars} village_star; allowed: exactly one")


def _check_coasts(cards: Sequence[Card]) -> None:
    first: dict[str, Card] = {}
    for card in cards:
        other = first.setdefault(card.coast, card)
        if (other.terrain, other.faces[0].edge) != (card.terrain, card.faces[0].edge):
            raise ComponentError(
                f"{card.id}: coast is {card.coast!r}, but terrain or ends differ from {other.id}; "
                "allowed: one coast shape under one name"
            )


def _check_ids(cards: Sequence[Card], residents: Sequence[Resident], fates: Sequence[Fate]) -> None:
    ids = [card.id for card in cards] + [one.id for one in residents] + [one.id for one in fates]
    for one in ids:
        if ids.count(one) > 1:
            raise ComponentError(f"{one}: id is used for two components; allowed: each id once")
