"""The Box of Atua: what RULES.md states about the printed components, and how damaged data is refused."""

from collections.abc import Callable, Mapping
from random import Random
from typing import Any

import pytest

from atoll.engine import ComponentError
from atoll.games.atua.components import (
    BEACH_CARD,
    COUNTED,
    DIFFICULTIES,
    SOURCES,
    SYMBOLS,
    TOTEMS,
    VILLAGE_STAR,
    VOLCANO,
    load_box,
    printed_box,
)
from tests.games.atua.reference import printed_data

BOX = printed_box()


def test_the_pieces_are_as_many_as_the_rulebook_says() -> None:
    assert BOX.island_cards == 58
    assert len(BOX.cards) - BOX.island_cards == 6
    assert (len(BOX.residents), len(BOX.fates), BOX.coconuts) == (6, 10, 36)
    assert BOX.stacks[1:] == ((16, 12, 8), (8, 6, 4), (12, 9, 6), (16, 12, 8), (20, 15, 10), (24, 18, 12))
    assert [(window.round, window.sources_to_score) for window in BOX.windows] == [(4, 1), (7, 2), (9, 3)]
    assert (BOX.rounds, BOX.solo_turns, BOX.row_size, BOX.start_coconuts) == (9, 18, 4, 5)
    assert dict(zip(DIFFICULTIES, BOX.solo.start_points, strict=True)) == {
        "easy": 20,
        "medium": 28,
        "hard": 35,
        "legendary": 42,
    }


def test_the_58_cards_show_196_symbols() -> None:
    shown = [symbol for card in BOX.cards[:58] for symbol in card.symbols]
    numbers = {SYMBOLS[symbol]: shown.count(symbol) for symbol in set(shown)}
    totems = {SYMBOLS[totem]: 4 for totem in TOTEMS}
    assert numbers == {
        "fish": 38,
        "fisher": 28,
        "bird": 28,
        "palm": 24,
        "huntress": 20,
        "canoe": 18,
        "volcano": 12,
        **totems,
    }
    assert len(shown) == 196


def test_32_land_cards_come_before_26_beach_cards() -> None:
    assert [card.beach for card in BOX.cards[:58]] == [False] * 32 + [True] * 26
    assert [card.id for card in BOX.cards[:58]] == [f"island_{number:02}" for number in range(1, 59)]
    assert sum(VOLCANO in card.symbols for card in BOX.cards[:32]) == 10


def test_a_village_is_land_with_a_star_in_the_middle_and_four_symbols() -> None:
    for village in BOX.cards[58:]:
        assert set("".join(village.terrain)) == {"L"}
        assert (2, 2, VILLAGE_STAR) in village.faces[0].symbols
        assert len(village.symbols) == 5


def test_tiles_are_as_in_the_rulebook() -> None:
    residents = {
        one.id: (COUNTED[one.row_thing], one.row_points, {SYMBOLS[symbol]: number for symbol, number in one.gains})
        for one in BOX.residents
    }
    assert residents == {
        "akroa": ("bird", 3, {"bird": 2}),
        "vaihere": ("beach_card", 3, {"canoe": 1, "fish": 1}),
        "tehani": ("totem", 3, {"huntress": 1, "palm": 1}),
        "niuriki": ("palm", 4, {"palm": 1, "coconut": 2}),
        "ikanoa": ("fish", 2, {"fish": 3}),
        "taraho": ("fisher", 3, {"fisher": 1, "coconut": 2}),
    }
    payoffs = sorted(fate.payoff for fate in BOX.fates)
    assert payoffs == [(-8, 2, 10)] * 2 + [(-5, 8)] * 2 + [(-4, 6)] * 3 + [(-3, 4)] * 3
    assert all(len(fate.payoff) == len(fate.categories) + 1 for fate in BOX.fates)


def test_what_the_rulebook_does_not_state_is_marked_as_reconstructed() -> None:
    assert {card.source for card in BOX.cards} == {"reconstructed"}
    assert {fate.price_source for fate in BOX.fates} == {"reconstructed"}
    assert [one.id for one in BOX.residents if one.source != "rulebook"] == ["taraho"]


def test_cards_are_found_by_id() -> None:
    assert BOX.cards[BOX.card("village_2")].id == "village_2"
    with pytest.raises(ComponentError, match="no card 'island_59'; allowed: island_01, "):
        BOX.card("island_59")


# ---------------------------------------------------------------- own components


def changed(data: dict[str, Any], path: str, value: object) -> None:
    """Set what lies at a path such as "island.6.symbols.0.slot"; a value of ... takes it away."""
    *way, last = path.split(".")
    at: Any = data
    for step in way:
        at = at[int(step) if isinstance(at, list) else step]
    key: Any = int(last) if isinstance(at, list) else last
    if value is ...:
        del at[key]
    else:
        at[key] = value


def test_an_owner_may_put_in_other_numbers_and_cards() -> None:
    data = printed_data()
    changed(data, "setup.start_coconuts", 4)
    changed(data, "harmony_source.0.points_per_pair", 5)
    changed(data, "fate.0.effects.0", {"verb": "final_majority", "categories": ["beach_card"], "payoff": [0, 7]})
    changed(data, "island.0.symbols", [{"slot": 3, "symbol": "canoe"}])
    changed(data, "island.0.en", "My Card")
    box = load_box(data)
    assert box.start_coconuts == 4
    assert box.pairs[0].points_per_pair == 5
    assert (box.fates[0].categories, box.fates[0].payoff) == ((BEACH_CARD,), (0, 7))
    assert box.cards[0].name.en == "My Card"
    assert box.cards[0].faces[1].symbols == ((2, 0, SYMBOLS.index("canoe")),)
    assert load_box(printed_data()) == BOX != box


@pytest.mark.parametrize(
    ("path", "value", "message"),
    [
        ("island.6.colour", "red", "island_07: unknown key colour; allowed: id, source, en, de, coast, terrain, ends"),
        ("island.6.en", ..., "island_07: en is missing"),
        ("island.6.en", " ", "island_07: en is ' '; allowed: a text that is not empty"),
        ("island.6.id", ..., r"island\[6\]: id is missing"),
        ("island.6.id", "island_01", "island: id 'island_01' occurs twice"),
        ("island.6.id", "akroa", "akroa: id is used for two components"),
        ("island.6.source", "guess", "island_07: source is 'guess'; allowed: rulebook, public, reconstructed"),
        ("island.6.terrain", ["LLLLLL"], "island_07: terrain is .*; allowed: six rows of six letters"),
        ("island.6.terrain", [1, 2, 3, 4, 5, 6], "island_07: terrain is .*; allowed: six rows of six letters"),
        ("island.6.terrain", "LLLLLL", "island_07: terrain is 'LLLLLL'; allowed: six rows"),
        ("island.32.terrain.1", "SLLLLL", "island_33: terrain has land and sea side by side at column 0, row 0"),
        ("island.32.ends", ["W2"], "island_33: the beach unit at column 5, row 2 continues through 1 sides"),
        ("island.32.ends", ["W2", "E7"], r"island_33: ends is \['W2', 'E7'\]; allowed: a side N, E, S or W"),
        ("island.32.beach", False, "island_33: beach is False; allowed: True only"),
        ("island.0.beach", True, "island_01: beach is True; allowed: False only"),
        (
            "island.32.coast",
            "straight_3",
            "island_36: coast is 'straight_3', but terrain or ends differ from island_33",
        ),
        ("island.6.symbols.0.slot", 9, r"island_07: symbols\[0\]: slot is 9; allowed: a whole number from 0 to 8"),
        ("island.6.symbols.0.slot", True, r"island_07: symbols\[0\]: slot is True; allowed: a whole number"),
        ("island.6.symbols.0.slot", 3, "island_07: symbols is .*; allowed: at most one symbol in a slot"),
        ("island.6.symbols.0.symbol", "shark", r"island_07: symbols\[0\]: symbol is 'shark'; allowed: fisher, fish, "),
        ("island.6.symbols.0.symbol", "coconut", r"island_07: symbols\[0\]: symbol is 'coconut'; allowed: fisher"),
        ("island.6.symbols.0.symbol", "village_star", r"island_07: symbols\[0\]: symbol is 'village_star'; allowed"),
        ("island.6.symbols.0", "bird", r"island_07: symbols\[0\] is 'bird'; allowed: a table"),
        ("island.6", ..., "counts: island_cards is 58, but the file has 57; allowed: the same number"),
        ("village.1.symbols.2", ..., "village_2: symbols has 0 village_star; allowed: exactly one"),
        ("resident.2.effects.0.of", "dolphin", r"tehani: effects\[0\]: of is 'dolphin'; allowed: fisher, .*beach_card"),
        ("resident.2.effects.0.verb", "score", r"tehani: effects\[0\]: verb is 'score'; allowed: 'score_row_pairs'"),
        ("resident.2.effects.1.symbol", "volcano", r"tehani: effects\[1\]: symbol is 'volcano'; allowed: fisher"),
        ("resident.2.effects.1.count", 0, r"tehani: effects\[1\]: count is 0; allowed: a whole number from 1"),
        ("resident.2.effects", [], "tehani: effects is .*; allowed: score_row_pairs, then add_symbols"),
        (
            "fate.4.effects.0.categories",
            ["bird", "sun"],
            r"fate_people: effects\[0\]: categories is .*; allowed: a list",
        ),
        ("fate.4.effects.0.categories", ["bird", "bird"], r"fate_people: effects\[0\]: .*one or more, each once"),
        ("fate.4.effects.0.payoff", [1, 2], r"fate_people: effects\[0\]: payoff is .*; allowed: a list of 3 whole"),
        ("fate.4.effects", [], "fate_people: effects is .*; allowed: exactly one final_majority"),
        ("fate.4.price", -1, "fate_people: price is -1; allowed: a whole number from 0"),
        ("symbol.0.group", "resource", "fisher: group is 'resource'; allowed: 'consumer' only"),
        ("symbol.0.id", "angler", "symbol: ids are angler, .*; allowed: fisher, fish"),
        ("harmony_source.4.table", [0, 1], "totems: table is .*; allowed: a list of 8 whole numbers"),
        ("harmony_source.0.resource", "bird", "fishing: resource is 'bird'; allowed: 'fish' only"),
        ("volcano_ruler.max_d2", [8, 8, 80, 143, 224, 324], "volcano_ruler: max_d2 is .*; allowed: .* rise"),
        ("volcano_ruler.points", [0, 1], "volcano_ruler: points is .*; allowed: a list of 6 whole numbers"),
        ("volcano_ruler.length_units", 17, "volcano_ruler: length_units is 17; allowed: the root of the last max_d2"),
        ("geometry.card_units", 8, "geometry: card_units is 8; allowed: 6 only"),
        ("setup.stacks.3.a", 11, "stacks of setup: a is 11 for 3 players; allowed: 12"),
        ("setup.stacks.1.a", 15, "stacks of setup: a is 15 for 1 player; allowed: an even number"),
        ("setup.stacks.1.a", 18, "stacks of setup: 38 cards for 1 player; allowed: at most 36"),
        ("setup.stacks.7", {"a": 1}, "stacks of setup: unknown key 7; allowed: 1, 2, 3, 4, 5, 6"),
        ("setup.row_size", 5, "setup: row_size is 5; allowed: a whole number from 4 to 4"),
        ("setup.start_coconuts", 7, "counts: 36 coconuts for all players; allowed: at least 42"),
        ("setup.fates_revealed_extra", 5, "counts: 10 fates; allowed: at least 11"),
        ("counts.villages", 6, "counts: unknown key villages"),
        ("scoring_window.1.round", 4, "scoring_window b: round is 4; allowed: later than 4"),
        ("scoring_window.2.round", 8, "scoring_window c: round is 8; allowed: 9, the last round of setup"),
        ("scoring_window.0.sources_to_score", 2, r"scoring_window: sources_to_score is 2 \+ 2 \+ 3; allowed: 6 in sum"),
        ("option.1.values", [True, True], "residents: values is .*; allowed: a choice of True, False, each once"),
        ("option.1.values", [1, 0], "residents: values is .*; allowed: a choice of True, False"),
        ("option.0.default", 7, "players: default is 7; allowed: 1, 2, 3, 4, 5, 6"),
        ("option.3.default", "brutal", "solo_difficulty: default is 'brutal'; allowed: easy, medium, hard, legendary"),
        ("solo.difficulty.brutal", 60, "difficulty of solo: unknown key brutal"),
        ("solo.coconut_bonus", 5, "solo: coconut_bonus is 5; allowed: 0 only"),
        ("solo_card.0.id", "hut", "solo_card: ids are hut; allowed: tahuma"),
        ("schema", 2, "^schema is 2; allowed: 1 only"),
        ("game", "motu", "game is 'motu'; allowed: 'atua' only"),
        ("extra", 1, "the file: unknown key extra; allowed: schema, game, name"),
        ("bonus", ..., "^bonus is missing; allowed: a table"),
        ("bonus", 5, "bonus is 5; allowed: a table"),
        ("fate", {}, "fate is {}; allowed: a list of tables"),
    ],
)
def test_damaged_data_is_refused_by_name(path: str, value: object, message: str) -> None:
    data = printed_data()
    changed(data, path, value)
    with pytest.raises(ComponentError, match=message):
        load_box(data)


def _without_pair(data: dict[str, Any]) -> None:
    data["resident"][0]["effects"][0]["verb"] = "add_symbols"


def _too_few_cards(data: dict[str, Any]) -> None:
    del data["island"][40:]
    data["counts"]["island_cards"] = 40


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (_without_pair, r"akroa: effects\[0\]: verb is 'add_symbols'; allowed: 'score_row_pairs' only"),
        (_too_few_cards, "counts: 40 island cards; allowed: at least 58, the setup needs them"),
    ],
)
def test_parts_that_do_not_fit_together_are_refused(change: Callable[[dict[str, Any]], None], message: str) -> None:
    data = printed_data()
    change(data)
    with pytest.raises(ComponentError, match=message):
        load_box(data)


def test_no_damage_escapes_as_another_error() -> None:
    """Whatever value is replaced by whatever type: the Box can be built or a ComponentError says why not."""
    rng = Random(6)
    values: list[object] = [None, -7, "?", [], {}, [[]], 10**9, 0.5]
    refused = 0
    for path in rng.sample(_paths(printed_data()), 300):
        data = printed_data()
        changed(data, path, rng.choice(values))
        try:
            load_box(data)
        except ComponentError:
            refused += 1
    assert refused > 250


def _paths(value: Any, path: str = "") -> list[str]:
    steps: list[tuple[Any, Any]] = []
    if isinstance(value, Mapping):
        steps = list(value.items())
    elif isinstance(value, list):
        steps = list(enumerate(value))
    found = []
    for key, one in steps:
        here = f"{path}.{key}" if path else str(key)
        found += [here, *_paths(one, here)]
    return found


def test_sources_keep_the_rulebooks_order() -> None:
    assert len(BOX.source_names) == len(SOURCES) == 6
    assert [name.en for name in BOX.source_names][:2] == ["Fisher / fish", "Huntress / bird"]
