"""Scoring: the examples E21-E42 of RULES.md that need no turn, and the rulings on scoring."""

from random import Random

import pytest

from atoll.engine import ScoreLine
from atoll.games.atua.components import COCONUT, COUNTED, DIFFICULTIES, SOURCES, SYMBOLS, Card, Resident
from atoll.games.atua.geometry import Island
from atoll.games.atua.lattice import lattice_for
from atoll.games.atua.scoring import (
    count,
    count_cards,
    has_most,
    ruler_points,
    score_beach_bonus,
    score_coconut_bonus,
    score_fate,
    score_resident,
    score_solo_beach_bonus,
    score_source,
    score_tahuma,
    tahumas_points,
)
from tests.games.atua.islands import BOX, CARDS, e37, island_of


def cards(*names: str) -> list[Card]:
    return [BOX.cards[BOX.card(name)] for name in names]


def fate(name: str) -> int:
    return [one.id for one in BOX.fates].index(name)


def resident(name: str) -> Resident:
    (found,) = [one for one in BOX.residents if one.id == name]
    return found


def counts(**numbers: int) -> list[int]:
    found = [numbers.get(thing, 0) for thing in COUNTED]
    found[COUNTED.index("totem")] += sum(number for thing, number in numbers.items() if thing.startswith("totem_"))
    return found


def source(name: str, of: list[int], distances: tuple[int, ...] = (), *, solo: bool = False) -> ScoreLine:
    return score_source(BOX, SOURCES.index(name), of, distances, solo=solo)


def numbers(line: ScoreLine) -> dict[str, int]:
    """Return the counts of a line, and check that its parts sum up to it."""
    assert sum(part.points for part in line.parts) == line.points
    return {part.key: part.fields["number"] for part in line.parts if part.key != "scoring_totems"}


# -- sources -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "consumers", "resources", "points", "rule"),
    [
        ("fishing", 3, 5, 6, "pairs"),
        ("fishing", 3, 3, 6, "pairs"),
        ("fishing", 4, 3, 0, "too_many"),
        ("fishing", 0, 5, 0, "pairs"),
        ("hunting", 2, 4, 6, "pairs"),
        ("hunting", 3, 2, 0, "too_many"),
        ("seafaring", 2, 2, 8, "pairs"),
        ("seafaring", 1, 0, 0, "too_many"),
        ("seafaring", 0, 0, 0, "pairs"),
    ],
)
def test_e24_pairs(name: str, consumers: int, resources: int, points: int, rule: str) -> None:
    """Rule AU-5.2, ruling R31."""
    consumer, resource = {
        "fishing": ("fisher", "fish"),
        "hunting": ("huntress", "bird"),
        "seafaring": ("canoe", "palm"),
    }[name]
    line = source(name, counts(**{consumer: consumers, resource: resources}))
    assert (line.key, line.points, line.rule) == (name, points, rule)
    assert numbers(line) == {consumer: consumers, resource: resources}
    assert line.fields["pairs"] * line.fields["each"] == points


@pytest.mark.parametrize(
    ("totems", "points"),
    [
        ({"lizard": 1, "mask": 1, "moon": 2, "sun": 1}, 4),
        (dict.fromkeys(("lizard", "mask", "moon", "sun", "turtle", "ray", "wave"), 1), 22),
        ({"ray": 2}, 0),
        ({"ray": 3, "sun": 1, "moon": 1}, 2),
        ({"wave": 1}, 0),
        ({}, 0),
    ],
)
def test_e25_only_totems_without_a_twin_score(totems: dict[str, int], points: int) -> None:
    """Also R29: three alike score as little as two. Rule AU-5.4."""
    line = source("totems", counts(**{f"totem_{kind}": number for kind, number in totems.items()}))
    assert (line.points, line.rule) == (points, "without_twin")
    assert numbers(line) == {f"totem_{kind}": number for kind, number in totems.items()}


def test_the_table_of_totems() -> None:
    """Rule AU-5.4."""
    kinds = [symbol for symbol in SYMBOLS if symbol.startswith("totem_")]
    table = [source("totems", counts(**dict.fromkeys(kinds[:number], 1))).points for number in range(8)]
    assert table == [0, 0, 2, 4, 7, 11, 16, 22]


def test_e26_a_residents_coconuts_count_as_symbols() -> None:
    """Rules AU-5.1 and AU-5.3, ruling R34."""
    found = count(island_of("village_1"), 4, resident("niuriki"))
    assert source("coconuts", found).points == 6
    assert source("coconuts", count(island_of("village_1"), 4)).points == 4


def test_r32_a_residents_consumer_can_tip_a_source() -> None:
    """Rule AU-5.2, ruling R32."""
    island = island_of("village_1")
    assert source("fishing", count(island, 0)).points == 2
    assert source("fishing", count(island, 0, resident("taraho"))).points == 0
    assert source("fishing", count(island, 0, resident("ikanoa"))).points == 2


@pytest.mark.parametrize(
    ("d2", "points"),
    [(0, 0), (8, 0), (9, 1), (35, 1), (36, 2), (80, 2), (81, 3), (143, 3), (144, 4), (224, 4), (225, 5), (324, 5)],
)
def test_e23_bands_of_the_ruler(d2: int, points: int) -> None:
    """Also R46: a band begins on its line. Rule AU-5.5."""
    assert ruler_points(BOX.ruler, d2) == ruler_points(BOX.ruler, d2, open_end=True) == points


def test_e23_and_r47_beyond_the_ruler() -> None:
    """Rule AU-5.5, ruling R47."""
    assert [ruler_points(BOX.ruler, d2) for d2 in (325, 10_000)] == [0, 0]
    assert [ruler_points(BOX.ruler, d2, open_end=True) for d2 in (325, 10_000)] == [5, 5]
    line = score_source(BOX, SOURCES.index("volcanoes"), counts(), [325], open_end=True)
    assert line.points == 5


def test_e21_and_e22_volcanoes_on_islands() -> None:
    """Rule AU-5.5."""
    for placed, points in (
        (("island_09 4 4 0",), 0),
        (("island_09 4 4 2",), 2),
        (("island_11 4 4 0", "island_01 8 6 0"), 3),
        (("island_11 4 4 0", "island_01 8 4 0"), 2),
    ):
        island = island_of("village_1", *placed)
        assert source("volcanoes", count(island, 0), tuple(island.volcano_distances())).points == points


def test_every_volcano_counts() -> None:
    """Rule AU-5.5."""
    line = source("volcanoes", counts(), (8, 100, 225))
    assert (line.points, [(part.fields["d2"], part.points) for part in line.parts]) == (8, [(8, 0), (100, 3), (225, 5)])


@pytest.mark.parametrize(
    ("placed", "expected"),
    [
        (4, {"fishing": 6, "hunting": 0, "seafaring": 4, "totems": 2, "volcanoes": 1}),
        (7, {"fishing": 8, "hunting": 3, "seafaring": 12, "totems": 7, "volcanoes": 1}),
        (9, {"fishing": 8, "hunting": 6, "seafaring": 12, "totems": 16, "volcanoes": 1}),
    ],
)
def test_e37_values_of_a_whole_island(placed: int, expected: dict[str, int]) -> None:
    """Rules AU-5.2, AU-5.4 and AU-5.5."""
    island = e37(placed)
    found = count(island, 0)
    distances = tuple(island.volcano_distances())
    assert {name: source(name, found, distances).points for name in expected} == expected


def test_e37_counts_of_a_whole_island() -> None:
    """Rule AU-5.1."""
    found = dict(zip(COUNTED, count(e37(4), 0), strict=True))
    assert {thing: number for thing, number in found.items() if number} == {
        "fisher": 3,
        "fish": 3,
        "bird": 2,
        "canoe": 1,
        "palm": 2,
        "totem_mask": 1,
        "totem_wave": 1,
        "totem": 2,
        "volcano": 1,
        "village_star": 1,
        "beach_card": 2,
    }


# -- residents, fates, bonuses -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("example", "name", "row", "number", "points", "gains"),
    [
        ("E27", "akroa", "32 01 03 33", 5, 6, {"bird": 2}),
        ("E28", "vaihere", "33 34 36 01", 3, 3, {"canoe": 1, "fish": 1}),
        ("E29", "tehani", "21 22 04 33", 5, 6, {"huntress": 1, "palm": 1}),
        ("E30", "niuriki", "26 14 34 32", 4, 8, {"palm": 1, "coconut": 2}),
        ("E31", "ikanoa", "45 44 33 01", 8, 8, {"fish": 3}),
        ("E32", "taraho", "33 34 12 01", 3, 3, {"fisher": 1, "coconut": 2}),
        ("R36", "akroa", "19 04 05 06", 2, 3, {"bird": 2}),
        ("no pair", "akroa", "01 04 05 06", 1, 0, {"bird": 2}),
    ],
)
def test_residents(example: str, name: str, row: str, number: int, points: int, gains: dict[str, int]) -> None:
    """Rule AU-5.6."""
    tile = resident(name)
    line = score_resident(tile, cards(*(f"island_{one}" for one in row.split())))
    assert (line.points, *numbers(line).values()) == (points, number), example
    island = island_of("village_1")
    more = [new - old for new, old in zip(count(island, 0, tile), count(island, 0), strict=True)]
    assert {COUNTED[thing]: gained for thing, gained in enumerate(more) if gained} == gains, example


@pytest.mark.parametrize(
    ("example", "name", "seats", "points"),
    [
        ("E33", "fate_palms", [{"palm": 4}, {"palm": 3}, {"palm": 4}], 8),
        ("E33", "fate_palms", [{"palm": 3}, {"palm": 4}], -5),
        ("E33", "fate_fish", [{"fish": 5}, {"fish": 5}], 4),
        ("E33", "fate_fish", [{"fish": 4}, {"fish": 5}], -3),
        ("E34", "fate_people", [{"fisher": 4, "huntress": 2}, {"fisher": 3, "huntress": 2}], 10),
        ("E34", "fate_people", [{"fisher": 4, "huntress": 1}, {"fisher": 3, "huntress": 2}], 2),
        ("E34", "fate_people", [{"fisher": 3, "huntress": 1}, {"fisher": 4, "huntress": 2}], -8),
        ("E35", "fate_totems", [{"totem_sun": 3, "totem_ray": 2}, {"totem_mask": 4}], 6),
        ("E35", "fate_totems", [{"totem_sun": 4}, {"totem_mask": 5}], -4),
        ("E35", "fate_beaches", [{"beach_card": 2}, {"beach_card": 1}], 6),
        ("E35", "fate_beaches", [{"beach_card": 1}, {"beach_card": 2}], -4),
        ("E35", "fate_coconuts", [{"coconut": 6}, {"coconut": 6}], 4),
        ("E35", "fate_coconuts", [{"coconut": 5}, {"coconut": 6}], -3),
        ("E35", "fate_volcanoes", [{"volcano": 2}, {"volcano": 2}], 6),
        ("R37", "fate_volcanoes", [{}, {}], 6),
        ("R37", "fate_people", [{"fisher": 1}, {}], 10),
    ],
)
def test_fates(example: str, name: str, seats: list[dict[str, int]], points: int) -> None:
    """Rule AU-5.7."""
    line = score_fate(BOX, fate(name), [counts(**one) for one in seats], 0)
    assert (line.points, line.fields["fate"]) == (points, fate(name)), example
    *compared, held = line.parts
    assert (held.key, held.points, held.fields["of"]) == ("majorities", points, len(compared)), example
    for part in compared:
        thing = COUNTED.index(part.key.removeprefix("most_"))
        values = [counts(**one)[thing] for one in seats]
        assert (part.fields["number"], part.fields["against"]) == (values[0], max(values[1:])), example


def test_e36_final_scoring() -> None:
    """Rule AU-5.8."""
    seats = [
        counts(totem_sun=4, fisher=3, huntress=3, volcano=3, coconut=4),
        counts(totem_sun=4, fisher=5, huntress=2, volcano=1, coconut=6),
        counts(totem_sun=2, fisher=2, huntress=1, volcano=2, coconut=6),
    ]
    fates = [score_fate(BOX, fate(name), seats, seat).points for seat, name in enumerate(E36_FATES)]
    beaches = [score_beach_bonus(BOX, [3, 3, 2], seat).points for seat in range(3)]
    coconuts = [score_coconut_bonus(BOX, [one[COCONUT] for one in seats], seat).points for seat in range(3)]
    assert (fates, beaches, coconuts) == ([6, 2, -4], [5, 5, 0], [0, 5, 5])
    before = [40 + 6, 43 + 0, 38 + 4]
    totals = [sum(lines) for lines in zip(before, fates, beaches, coconuts, strict=True)]
    assert totals == [57, 55, 43]


E36_FATES = ("fate_totems", "fate_people", "fate_volcanoes")


def test_r37_and_r38_a_majority_is_shared_even_of_nothing_but_a_beach_must_be_laid() -> None:
    """Rules AU-5.1, AU-5.9 and AU-5.10."""
    assert [has_most([2, 3, 3], seat) for seat in range(3)] == [False, True, True]
    assert [has_most([0, 0], seat) for seat in range(2)] == [True, True]
    assert [score_beach_bonus(BOX, [0, 0, 0], seat).points for seat in range(3)] == [0, 0, 0]
    assert score_coconut_bonus(BOX, [0, 0], 1).points == 5
    assert score_beach_bonus(BOX, [0, 0], 1).rule == "longest"


# -- solo ----------------------------------------------------------------------------------------------------------


def test_e40_solo_totems_count_with_their_twins() -> None:
    """Rule AU-7.4."""
    five = counts(totem_lizard=2, totem_mask=2, totem_moon=1)
    assert source("totems", five, solo=True).points == 11
    assert source("totems", five).points == 0
    assert source("totems", counts(totem_lizard=2, totem_mask=2, totem_moon=5), solo=True).points == 22
    assert source("totems", five, solo=True).rule == "all"


def test_e41_tahumas_sheet() -> None:
    """Rule AU-7.5."""
    pile = cards(*(f"island_{one}" for one in ["33", "34", "19", "18", "30", "01", "22"]))
    lines = score_tahuma(BOX, "medium", pile, hut=4, player_volcanoes=1, player_length=2)
    assert {line.key: line.points for line in lines} == {
        "start_medium": 28,
        "fishing": 4,
        "hunting": 9,
        "seafaring": 4,
        "coconuts": 4,
        "totems": 2,
        "volcanoes": 0,
        "beach_bonus": 5,
    }
    assert sum(line.points for line in lines) == 56
    assert [line.rule for line in lines if line.key == "hunting"] == ["half_of_too_many"]


def test_r53_tahuma_has_half_of_his_consumers_paid_without_any_resource() -> None:
    """Rule AU-7.5, ruling R53."""
    (hunting,) = [line for line in tahuma("island_30") if line.key == "hunting"]
    assert (hunting.points, hunting.fields["pairs"]) == (3, 1)
    (alone,) = [line for line in tahuma("island_26") if line.key == "hunting"]
    assert alone.points == 0


def test_r54_tahuma_needs_more_volcanoes_than_the_player() -> None:
    """Rule AU-7.5, ruling R54."""
    points = {
        volcanoes: [
            line.points
            for line in score_tahuma(BOX, "easy", cards("island_01", "island_02"), 0, volcanoes, 0)
            if line.key == "volcanoes"
        ]
        for volcanoes in (1, 2, 3)
    }
    assert points == {1: [7], 2: [0], 3: [0]}


def test_tahumas_points_are_what_his_sheet_adds_up_to() -> None:
    """Rule AU-7.5."""
    rng = Random(1)
    for _ in range(300):
        pile = rng.sample(BOX.cards[: BOX.island_cards], rng.randrange(19))
        level = rng.choice(DIFFICULTIES)
        hut, volcanoes, longest = rng.randrange(9), rng.randrange(4), rng.randrange(8)
        lines = score_tahuma(BOX, level, pile, hut, volcanoes, longest)
        assert tahumas_points(BOX, level, count_cards(pile), hut, volcanoes, longest) == sum(
            line.points for line in lines
        )


def tahuma(*pile: str) -> tuple[ScoreLine, ...]:
    return score_tahuma(BOX, "easy", cards(*pile), hut=0, player_volcanoes=0, player_length=0)


@pytest.mark.parametrize(
    ("length", "pile", "points"),
    [
        (2, ("island_33", "island_40"), (5, 5)),
        (3, ("island_33", "island_40"), (5, 0)),
        (1, ("island_33", "island_40"), (0, 5)),
        (0, ("island_01",), (0, 0)),
    ],
)
def test_solo_beach_bonus(length: int, pile: tuple[str, ...], points: tuple[int, int]) -> None:
    """Rule AU-7.6."""
    mine, his = score_solo_beach_bonus(BOX, length, cards(*pile))
    assert (mine.points, his.points) == points


def test_what_is_printed_on_cards() -> None:
    printed = dict(zip(COUNTED, count_cards(cards("island_22", "island_33")), strict=True))
    assert {thing: number for thing, number in printed.items() if number} == {
        "totem_mask": 1,
        "totem_turtle": 1,
        "totem": 2,
        "bird": 1,
        "fisher": 1,
        "canoe": 1,
        "fish": 2,
        "beach_card": 1,
    }


def test_counts_follow_what_is_covered() -> None:
    """R41: only cards with visible beach count, and R12: only visible symbols. Rules AU-5.1 and AU-8.2."""
    island = Island(BOX, BOX.card("village_1"), lattice_for(CARDS))
    island.place(BOX, BOX.card("island_36"), 0, 4, 0)
    island.place(BOX, BOX.card("island_37"), 0, 4, 0)
    found = dict(zip(COUNTED, count(island, 3), strict=True))
    assert (found["beach_card"], found["fisher"], found["palm"], found["totem"], found["coconut"]) == (1, 2, 2, 0, 3)
