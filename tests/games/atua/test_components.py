"""Components of Atua: the statements of RULES.md, and the errors for damaged data."""

from collections.abc import Callable, Mapping
from random import Random
from typing import Any

import pytest

from atoll.engine import ComponentError
from atoll.games.atua import GAME
from atoll.games.atua.component_loader import load_components
from atoll.games.atua.components import (
    BEACH_CARD,
    COUNTED,
    DIFFICULTIES,
    SOURCES,
    SYMBOLS,
    TOTEMS,
    VILLAGE_STAR,
    VOLCANO,
)
from tests.games.atua.reference import printed_data

BOX = GAME.components


def test_the_pieces_are_as_many_as_the_rulebook_says() -> None:
    """Rule AU-1.1."""
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
    """Rule AU-1.1."""
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
    """Rule AU-1.1."""
    assert [card.beach for card in BOX.cards[:58]] == [False] * 32 + [True] * 26
    assert [card.id for card in BOX.cards[:58]] == [f"island_{number:02}" for number in range(1, 59)]
    assert sum(VOLCANO in card.symbols for card in BOX.cards[:32]) == 10


def test_a_village_is_land_with_a_star_in_the_middle_and_four_symbols() -> None:
    """Rule AU-1.1."""
    for village in BOX.cards[58:]:
        assert set("".join(village.terrain)) == {"L"}
        assert (2, 2, VILLAGE_STAR) in village.faces[0].symbols
        assert len(village.symbols) == 5


def test_tiles_are_as_in_the_rulebook() -> None:
    """Rules AU-5.6 and AU-5.7."""
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
    sources = {table: {each["source"] for each in GAME.data[table]} for table in ("island", "village")}
    assert sources == {"island": {"reconstructed"}, "village": {"reconstructed"}}
    assert {fate["price_source"] for fate in GAME.data["fate"]} == {"reconstructed"}
    assert [one["id"] for one in GAME.data["resident"] if one["source"] != "rulebook"] == ["taraho"]


def test_cards_are_found_by_id() -> None:
    assert BOX.cards[BOX.card("village_2")].id == "village_2"
    with pytest.raises(ComponentError, match="unknown card 'island_59'; allowed: island_01, "):
        BOX.card("island_59")


# -- own components ------------------------------------------------------------------------------------------------


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
    components = load_components(data)
    assert components.start_coconuts == 4
    assert components.pairs[0].points_per_pair == 5
    assert (components.fates[0].categories, components.fates[0].payoff) == ((BEACH_CARD,), (0, 7))
    assert components.cards[0].name.en == "My Card"
    assert components.cards[0].faces[1].symbols == ((2, 0, SYMBOLS.index("canoe")),)
    assert load_components(printed_data()) == BOX != components


@pytest.mark.parametrize(
    ("path", "value", "message"),
    [
        ("island.6.colour", "red", "[island] island_07: colour is unknown; allowed: coast, beach, terrain, ends"),
        ("island.6.en", ..., "[island] island_07: en is missing; allowed: a text that isn't empty"),
        ("island.6.en", " ", "[island] island_07: en is ' '; allowed: a text that isn't empty"),
        ("island.6.id", ..., "[island] number 7: id is missing; allowed: letters, digits and _ + # : . ' "),
        ("island.6.id", "island_01", "[island] island_01: duplicate id; allowed: each id once"),
        ("island.6.id", "akroa", "[resident] akroa: the id is used for two components; allowed: each id once"),
        ("island.6.source", "guess", "[island] island_07: source is 'guess'; allowed: public, reconstructed, rule"),
        ("island.6.terrain", ["LLLLLL"], "[island] island_07: terrain is ['LLLLLL']; allowed: a list of 6, each item "),
        (
            "island.6.terrain",
            [1, 2, 3, 4, 5, 6],
            "[island] island_07: terrain[0] is 1; allowed: six rows of six letters L (la",
        ),
        (
            "island.6.terrain",
            ["LLLLLL"] * 5,
            "[island] island_07: terrain is ['LLLLLL', 'LLLLLL', 'LLLLLL', 'LLLLLL', ",
        ),
        ("island.6.terrain.0", "LLLLLLL", "[island] island_07: terrain[0] is 'LLLLLLL'; allowed: six rows of six l"),
        ("island.6.terrain.5", "LLLLLX", "[island] island_07: terrain[5] is 'LLLLLX'; allowed: six rows of six let"),
        ("island.6.terrain", "LLLLLL", "[island] island_07: terrain is 'LLLLLL'; allowed: a list of 6, each item si"),
        (
            "island.32.terrain.1",
            "SLLLLL",
            "[island] island_33: terrain has land and sea side by side at column 0, row ",
        ),
        ("island.32.ends", ["W2"], "[island] island_33: the beach unit at column 5, row 2 continues through 1 s"),
        ("island.32.ends", ["W2", "E7"], "[island] island_33: ends[1] is 'E7'; allowed: a side N, E, S or W with an i"),
        ("island.32.beach", False, "[island] island_33: beach is False; allowed: true, as the terrain"),
        ("island.0.beach", True, "[island] island_01: beach is True; allowed: false, as the terrain"),
        (
            "island.32.coast",
            "straight_3",
            "[island] island_36: coast is 'straight_3'; allowed: terrain and ends as on ",
        ),
        ("island.6.symbols.0.slot", 9, "[island] island_07: symbols[0].slot is 9; allowed: a whole number from 0 to"),
        (
            "island.6.symbols.0.slot",
            True,
            "[island] island_07: symbols[0].slot is True; allowed: a whole number from 0",
        ),
        ("island.6.symbols.0.slot", 3, "[island] island_07: slot is 3, 3, 8; allowed: at most one symbol in a slot"),
        (
            "island.6.symbols.0.symbol",
            "shark",
            "[island] island_07: symbol is 'shark'; allowed: fisher, fish, huntress, bir",
        ),
        (
            "island.6.symbols.0.symbol",
            "coconut",
            "[island] island_07: symbol is 'coconut'; allowed: fisher, fish, huntress, b",
        ),
        (
            "island.6.symbols.0.symbol",
            "village_star",
            "[island] island_07: symbol is 'village_star'; allowed: fisher, fish, huntre",
        ),
        ("island.6.symbols.0", "bird", "[island] island_07: symbols[0] is 'bird'; allowed: a table with slot, symbo"),
        ("island.6", ..., "[counts]: island_cards is 58; allowed: 57, as there are entries"),
        ("village.1.symbols.2", ..., "[village] village_2: 0 times village_star; allowed: exactly one"),
        (
            "resident.2.effects.0.of",
            "dolphin",
            "[resident] tehani: of is 'dolphin'; allowed: fisher, fish, huntress, bird, ",
        ),
        (
            "resident.2.effects.0.verb",
            "score",
            "[resident] tehani: effects[0].verb is 'score'; allowed: score_row_pairs, ad",
        ),
        (
            "resident.2.effects.1.symbol",
            "volcano",
            "[resident] tehani: symbol is 'volcano'; allowed: fisher, fish, huntress, bi",
        ),
        (
            "resident.2.effects.1.count",
            0,
            "[resident] tehani: effects[1].count is 0; allowed: a whole number from 1 to",
        ),
        ("resident.2.effects", [], "[resident] tehani: effects are in another order; allowed: score_row_pairs, then"),
        (
            "fate.4.effects.0.categories",
            ["bird", "sun"],
            "[fate] fate_people: categories is 'sun'; allowed: fish, fisher, bird, huntr",
        ),
        (
            "fate.4.effects.0.categories",
            ["bird", "bird"],
            "[fate] fate_people: categories is ['bird', 'bird']; allowed: each once",
        ),
        (
            "fate.4.effects.0.payoff",
            [1, 2],
            "[fate] fate_people: payoff is [1, 2]; allowed: 3 numbers, from no category ",
        ),
        ("fate.4.effects", [], "[fate] fate_people: effects is []; allowed: a list of 1, each item a table "),
        ("fate.4.price", -1, "[fate] fate_people: price is -1; allowed: a whole number from 0 to 1000"),
        ("symbol.0.group", "resource", "[symbol] fisher: group is 'resource'; allowed: consumer"),
        ("symbol.0.id", "angler", "[symbol] angler: the id is unknown; allowed: fisher, fish, huntress, bird, "),
        (
            "harmony_source.4.table",
            [0, 1],
            "[harmony_source] totems: table is [0, 1]; allowed: a list of 8, each item a",
        ),
        ("harmony_source.0.resource", "bird", "[harmony_source] fishing: resource is 'bird'; allowed: fish"),
        (
            "volcano_ruler.max_d2",
            [8, 8, 80, 143, 224, 324],
            "[volcano_ruler]: max_d2 is [8, 8, 80, 143, 224, 324]; allowed: ascending squared dist",
        ),
        ("volcano_ruler.points", [0, 1], "[volcano_ruler]: points is [0, 1]; allowed: 6 numbers, one per band"),
        (
            "volcano_ruler.length_units",
            17,
            "[volcano_ruler]: length_units is 17; allowed: the root of the last max_d2, ",
        ),
        ("geometry.card_units", 8, "[geometry]: card_units is 8; allowed: 6"),
        ("setup.stacks.3.a", 11, "[setup.stacks] 3: a is 11; allowed: 12, one card per turn until round 4"),
        ("setup.stacks.1.a", 15, "[setup.stacks] 1: a is 15; allowed: an even number, for one player"),
        ("setup.stacks.1.a", 18, "[setup.stacks] 1: 38 cards in all; allowed: up to 36, two per turn"),
        ("setup.stacks.7", {"a": 1}, "[setup]: stacks.7 is unknown; allowed: 1, 2, 3, 4, 5, 6"),
        ("setup.row_size", 5, "[setup]: row_size is 5; allowed: 4"),
        ("setup.start_coconuts", 7, "[counts]: coconuts is 36; allowed: at least 42, the setup needs them"),
        ("setup.fates_revealed_extra", 5, "[counts]: fates is 10; allowed: at least 11, the setup needs them"),
        ("counts.villages", 6, "[counts]: villages is unknown; allowed: island_cards, village_cards, solo_c"),
        ("scoring_window.1.round", 4, "[scoring_window] b: round is 4; allowed: later than 4"),
        ("scoring_window.2.round", 8, "[scoring_window] c: round is 8; allowed: 9, the last round of setup"),
        ("scoring_window.0.sources_to_score", 2, "[scoring_window]: sources_to_score is 2 + 2 + 3; allowed: 6 in sum"),
        (
            "option.1.values",
            [True, True],
            "[option] residents: values is [True, True]; allowed: true, false, each once",
        ),
        ("option.1.values", [1, 0], "[option] residents: values is 1; allowed: true, false"),
        ("option.0.default", 7, "[option] players: default is 7; allowed: 1, 2, 3, 4, 5, 6"),
        ("option.3.default", "brutal", "[option] solo_difficulty: default is 'brutal'; allowed: easy, medium, hard,"),
        ("solo.difficulty.brutal", 60, "[solo]: difficulty.brutal is unknown; allowed: easy, medium, hard, legendar"),
        ("solo.coconut_bonus", 5, "[solo]: coconut_bonus is 5; allowed: 0"),
        ("solo_card.0.id", "hut", "[solo_card] hut: the id is unknown; allowed: tahuma"),
        ("schema", 2, "[schema]: it is 2; allowed: 1"),
        ("game", "motu", "[game]: it is 'motu'; allowed: atua"),
        ("extra", 1, "[extra]: it is unknown; allowed: schema, game, name, players, counts, setup"),
        ("bonus", ..., "[bonus]: it is missing; allowed: a table with longest_beach, most_coconuts"),
        ("bonus", 5, "[bonus]: it is 5; allowed: a table with longest_beach, most_coconuts"),
        ("fate", {}, "[fate]: it is {}; allowed: a list, each item a table with price, effects, "),
    ],
)
def test_damaged_data_is_refused_by_name(path: str, value: object, message: str) -> None:
    data = printed_data()
    changed(data, path, value)
    with pytest.raises(ComponentError) as caught:
        load_components(data)
    assert str(caught.value).startswith(message)


def _without_pair(data: dict[str, Any]) -> None:
    data["resident"][0]["effects"][0]["verb"] = "add_symbols"


def _too_few_cards(data: dict[str, Any]) -> None:
    del data["island"][40:]
    data["counts"]["island_cards"] = 40


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (_without_pair, "[resident] akroa: effects[0].of is unknown; allowed: verb, symbol, count"),
        (_too_few_cards, "[counts]: island_cards is 40; allowed: at least 58, the setup needs them"),
    ],
)
def test_parts_that_do_not_fit_together_are_refused(change: Callable[[dict[str, Any]], None], message: str) -> None:
    data = printed_data()
    change(data)
    with pytest.raises(ComponentError) as caught:
        load_components(data)
    assert str(caught.value).startswith(message)


def test_no_damage_escapes_as_another_error() -> None:
    """Any value replaced by any type gives either valid components or a ComponentError."""
    rng = Random(6)
    values: list[object] = [None, -7, "?", [], {}, [[]], 10**9, 0.5]
    refused = 0
    for path in rng.sample(_paths(printed_data()), 150):
        data = printed_data()
        changed(data, path, rng.choice(values))
        try:
            load_components(data)
        except ComponentError:
            refused += 1
    assert refused > 125


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
