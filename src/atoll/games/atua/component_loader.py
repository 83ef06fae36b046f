"""The component loader of Atua.

It builds the components from `components.toml` and rejects impossible values.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from msgspec.structs import astuple

from atoll.engine import JsonMapping
from atoll.engine.component_schema import FileLocation, in_order, read

from . import component_schema as schema
from .components import (
    BEACH_CARD,
    BIRD,
    CANOE,
    COCONUT,
    COUNTED,
    DIFFICULTIES,
    FISH,
    FISHER,
    HUNTRESS,
    MAX_CARDS,
    PALM,
    SOURCES,
    STARS,
    SYMBOLS,
    TOTEM,
    TOTEMS,
    VILLAGE_STAR,
    VOLCANO,
    WINDOWS,
    AtuaComponents,
    Card,
    Fate,
    OptionData,
    PairSource,
    Resident,
    Ruler,
    Solo,
    Window,
)
from .faces import BEACH, SIDES, PrintError, faces_of

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


def load_components(data: JsonMapping) -> AtuaComponents:
    """Return the components described by parsed component data of the shape of `components.toml`.

    Rule AU-1.1.

    Args:
        data: Content of a `components.toml`.

    Raises:
        ComponentError: If a table or key is missing or unknown, or a value is impossible.
    """
    file = read(data, schema.File)
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
    islands = tuple(_card(FileLocation("island", one.id), one, _ON_ISLANDS) for one in file.island)
    villages = tuple(_card(FileLocation("village", one.id), one, (*_ON_ISLANDS, VILLAGE_STAR)) for one in file.village)
    _check_coasts(file)
    return AtuaComponents(
        name=file.name,
        cards=islands + villages,
        island_cards=len(file.island),
        residents=tuple(_resident(FileLocation("resident", one.id), one) for one in file.resident),
        fates=tuple(_fate(FileLocation("fate", one.id), one) for one in file.fate),
        coconuts=file.counts.coconuts,
        row_size=setup.row_size,
        start_coconuts=setup.start_coconuts,
        fates_revealed_extra=setup.fates_revealed_extra,
        rounds=setup.rounds,
        solo_turns=sum(stacks[1]) // 2,
        stacks=stacks,
        windows=tuple(Window(one.round, one.sources_to_score) for one in windows),
        pairs=pairs,
        coconut_points=coconut_points,
        totem_table=totem_table,
        source_names=tuple(one.name for one in sources),
        symbol_names=tuple(one.name for one in in_order("symbol", file.symbol, SYMBOLS)),
        ruler=_ruler(file.volcano_ruler),
        beach_bonus=file.bonus.longest_beach,
        coconut_bonus=file.bonus.most_coconuts,
        solo=_solo(file.solo),
        options=tuple(_option(one) for one in in_order("option", file.option, tuple(_OPTIONS))),
    )


def _solo(solo: schema.Solo) -> Solo:
    return Solo(
        player_coconuts=solo.player_coconuts,
        hut_coconuts=solo.hut_coconuts,
        left_card_price=solo.left_card_price,
        right_card_gain=solo.right_card_gain,
        discard_price=solo.discard_price,
        tahuma_volcano_points=solo.tahuma_volcano_points,
        beach_bonus=solo.beach_bonus,
        hut_coconut_points=solo.hut_coconut_points,
        start_points=astuple(solo.difficulty),
    )


def _check_windows(windows: Sequence[schema.Window], rounds: int) -> None:
    last = 0
    for window in windows:
        FileLocation("scoring_window", window.id).need(
            window.round > last, f"round is {window.round}", f"later than {last}"
        )
        last = window.round
    FileLocation("scoring_window", windows[-1].id).need(
        last == rounds, f"round is {last}", f"{rounds}, the last round of setup"
    )
    scored = [window.sources_to_score for window in windows]
    right = sum(scored) == len(SOURCES)
    FileLocation("scoring_window").need(
        right, f"sources_to_score is {' + '.join(map(str, scored))}", f"{len(SOURCES)} in sum"
    )


def _check_stacks(stacks: Sequence[Sequence[int]], windows: Sequence[schema.Window]) -> None:
    """Check that each stack ends with the last turn of its window's round.

    In the solo game each turn draws two cards instead.
    """
    for players, sizes in enumerate(stacks):
        at, last = FileLocation("setup.stacks", players), 0
        for window, size in zip(windows, sizes, strict=True):
            turns, last = window.round - last, window.round
            if players > 1:
                cards = players * turns
                at.need(size == cards, f"{window.id} is {size}", f"{cards}, one card per turn until round {last}")
            at.need(players != 1 or size % 2 == 0, f"{window.id} is {size}", "an even number, for one player")
    solo = sum(stacks[1])
    FileLocation("setup.stacks", 1).need(
        solo <= 2 * MAX_CARDS, f"{solo} cards in all", f"up to {2 * MAX_CARDS}, two per turn"
    )


def _check_symbols(symbols: Sequence[schema.Symbol]) -> None:
    for number, symbol in enumerate(in_order("symbol", symbols, SYMBOLS)):
        if number in STARS or number == COCONUT:
            group = "star" if number in STARS else "coconut"
        else:
            group = "totem" if number in TOTEMS else "consumer" if number in (FISHER, HUNTRESS, CANOE) else "resource"
        at, coverable = FileLocation("symbol", symbol.id), number < VOLCANO
        at.need(symbol.group == group, f"group is {symbol.group!r}", group)
        at.need(symbol.coverable == coverable, f"coverable is {symbol.coverable}", str(coverable).lower())


def _sources(sources: Sequence[schema.Spoken]) -> tuple[tuple[PairSource, ...], int, tuple[int, ...]]:
    pairs: list[PairSource] = []
    coconut_points, totem_table = 0, tuple[int, ...]()
    kinds = (schema.Pairs, schema.Pairs, schema.Pairs, schema.Coconuts, schema.Totems, schema.Volcanoes)
    for number, (source, kind) in enumerate(zip(sources, kinds, strict=True)):
        at = FileLocation("harmony_source", source.id)
        at.need(isinstance(source, kind), "kind belongs to another source", kind.__struct_config__.tag)
        if isinstance(source, schema.Pairs):
            consumer, resource = _PAIRS[number]
            at.one_of("consumer", source.consumer, (SYMBOLS[consumer],))
            at.one_of("resource", source.resource, (SYMBOLS[resource],))
            pairs.append(PairSource(consumer, resource, source.points_per_pair))
        elif isinstance(source, schema.Coconuts):
            coconut_points = source.points_each
        elif isinstance(source, schema.Totems):
            totem_table = tuple(source.table)
    return tuple(pairs), coconut_points, totem_table


def _check_ids(file: schema.File) -> None:
    seen: set[str] = set()
    for table in ("island", "village", "resident", "fate"):
        for one in getattr(file, table):
            FileLocation(table, one.id).need(one.id not in seen, "the id is used for two components", "each id once")
            seen.add(one.id)


def _check_counts(file: schema.File, stacks: Sequence[Sequence[int]]) -> None:
    """Check that the numbers of pieces are as stated, and suffice for every setup."""
    setup, counts, players = file.setup, file.counts, file.players.max
    for what, stated, found, needed in (
        ("island_cards", counts.island_cards, len(file.island), max(map(sum, stacks)) + setup.row_size),
        ("village_cards", counts.village_cards, len(file.village), players),
        ("residents", counts.residents, len(file.resident), players),
        ("fates", counts.fates, len(file.fate), players + setup.fates_revealed_extra),
        ("coconuts", counts.coconuts, counts.coconuts, players * setup.start_coconuts),
        ("coconuts", counts.coconuts, counts.coconuts, file.solo.player_coconuts + file.solo.hut_coconuts),
    ):
        FileLocation("counts").need(stated == found, f"{what} is {stated}", f"{found}, as there are entries")
        FileLocation("counts").need(found >= needed, f"{what} is {found}", f"at least {needed}, the setup needs them")


def _check_coasts(file: schema.File) -> None:
    coasts: dict[str, schema.Card] = {}
    for table, cards in (("island", file.island), ("village", file.village)):
        for card in cards:
            other = coasts.setdefault(card.coast, card)
            same = (other.terrain, sorted(other.ends)) == (card.terrain, sorted(card.ends))
            FileLocation(table, card.id).need(
                same, f"coast is {card.coast!r}", f"terrain and ends as on {other.id}, or another name"
            )


def _ruler(ruler: schema.VolcanoRuler) -> Ruler:
    at, max_d2 = FileLocation("volcano_ruler"), ruler.max_d2
    at.need(max_d2 == sorted(set(max_d2)), f"max_d2 is {max_d2}", "ascending squared distances")
    at.need(len(ruler.points) == len(max_d2), f"points is {ruler.points}", f"{len(max_d2)} numbers, one per band")
    right = ruler.length_units**2 == max_d2[-1]
    at.need(right, f"length_units is {ruler.length_units}", f"the root of the last max_d2, {max_d2[-1]}")
    return Ruler(tuple(max_d2), tuple(ruler.points), ruler.beyond_points, ruler.beyond_points_open_end)


def _option(option: schema.Option) -> OptionData:
    at, allowed = FileLocation("option", option.id), _OPTIONS[option.id]

    def pick(key: str, value: schema.Value, values: Sequence[schema.Value]) -> schema.Value:
        """Return a value of the option if it is one of the allowed ones.

        Args:
            key: The key that holds the value.
            value: The value.
            values: The allowed values.
        """
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


def _listed(values: Sequence[schema.Value]) -> str:
    return ", ".join(str(value).lower() for value in values)


def _counted(at: FileLocation, key: str, value: str, allowed: Sequence[int]) -> int:
    return allowed[at.one_of(key, value, [COUNTED[thing] for thing in allowed])]


def _card(at: FileLocation, card: schema.Card, allowed: Sequence[int]) -> Card:
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
        at.raise_error(*error.args)
    return Card(card.id, card.name, card.terrain, beach, tuple(symbol for _, symbol in symbols), faces)


def _resident(at: FileLocation, resident: schema.Resident) -> Resident:
    pairs = [effect for effect in resident.effects[:1] if isinstance(effect, schema.ScoreRowPairs)]
    added = [effect for effect in resident.effects[1:] if isinstance(effect, schema.AddSymbols)]
    right = pairs and added and len(pairs + added) == len(resident.effects)
    at.need(bool(right), "effects are in another order", "score_row_pairs, then add_symbols once or more")
    thing = _counted(at, "of", pairs[0].of, _ROW_THINGS)
    gains = tuple((_counted(at, "symbol", one.symbol, _GAINED), one.count) for one in added)
    return Resident(resident.id, resident.name, resident.text, thing, pairs[0].points, gains)


def _fate(at: FileLocation, fate: schema.Fate) -> Fate:
    (effect,) = fate.effects
    categories = tuple(_counted(at, "categories", one, _CATEGORIES) for one in effect.categories)
    at.need(len(set(categories)) == len(categories), f"categories is {effect.categories}", "each once")
    number = len(categories) + 1
    at.need(len(effect.payoff) == number, f"payoff is {effect.payoff}", f"{number} numbers, from no category to all")
    return Fate(fate.id, fate.name, fate.text, fate.price, categories, tuple(effect.payoff))
