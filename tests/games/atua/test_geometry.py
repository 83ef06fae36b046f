"""Placement of cards: examples E7-E22 and E37 of RULES.md, rulings, and fast against slow code."""

from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from atoll.games.atua.component_loader import load_components
from atoll.games.atua.components import BIRD, SYMBOLS, AtuaComponents
from atoll.games.atua.faces import CODES, SIDES, PrintError, faces_of
from atoll.games.atua.geometry import Island
from atoll.games.atua.lattice import PLACEMENTS, REACH, lattice_for, placement, position
from atoll.games.atua.placement_faults import REASONS, PlacementFault, faults
from atoll.games.atua.placement_faults import reasons as reasons_of
from tests.games.atua.islands import BOX, CARDS, E37, card, e37, island_of, reasons
from tests.games.atua.reference import Print, SlowIsland, printed_data

DATA = printed_data()
PRINTS = {card["id"]: card for card in DATA["island"] + DATA["village"]}


def positions(island: Island, name: str) -> set[tuple[int, int, int]]:
    return {position(number) for number in island.placements(card(name))}


def slow(island: Island, components: AtuaComponents = BOX, prints: dict[str, Any] = PRINTS) -> SlowIsland:
    twin = SlowIsland()
    for number, x, y, rot in island.cards():
        twin.place(Print(prints[components.cards[number].id], rot), x, y)
    return twin


VILLAGE_1 = ("village_1",)
VILLAGE_2 = ("village_2",)
BOARD_P = ("village_1", "island_36 0 4 0")


# -- worked examples -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("example", "board", "placing", "expected"),
    [
        ("E7", VILLAGE_2, "island_11 -4 0 0", ()),
        ("E8", VILLAGE_2, "island_11 -3 0 0", ("star_covered", "symbol_cut")),
        ("E9", VILLAGE_2, "island_11 5 5 0", ("symbol_cut", "no_symbol_covered")),
        ("E10", VILLAGE_2, "island_11 6 0 0", ("no_symbol_covered",)),
        ("E10", VILLAGE_2, "island_11 -4 -4 0", ("no_symbol_covered",)),
        ("E10", VILLAGE_2, "island_11 0 0 0", ("star_covered",)),
        ("E11", VILLAGE_1, "island_33 4 -4 2", ()),
        ("E11", VILLAGE_1, "island_33 4 -3 2", ("beach_end_blocked",)),
        ("E11", VILLAGE_1, "island_33 4 -2 2", ("sea_touches_land", "beach_end_blocked")),
        ("E11", VILLAGE_1, "island_33 4 -4 0", ("sea_touches_land",)),
        ("E14", BOARD_P, "island_37 4 4 0", ()),
        ("E15", BOARD_P, "island_37 3 4 0", ("symbol_cut",)),
        ("E15", BOARD_P, "island_37 4 5 0", ("beach_end_blocked",)),
        ("E16", BOARD_P, "island_33 4 5 0", ()),
        ("E16", BOARD_P, "island_33 4 4 0", ("beach_end_blocked",)),
        ("E17", BOARD_P, "island_11 4 4 0", ("sea_touches_land", "beach_end_blocked")),
        ("E18", BOARD_P, "island_37 0 8 1", ()),
        ("E19", BOARD_P, "island_11 0 8 0", ()),
        ("E19", BOARD_P, "island_11 2 8 0", ("sea_touches_land",)),
    ],
)
def test_reasons_of_the_worked_examples(
    example: str, board: tuple[str, ...], placing: str, expected: tuple[str, ...]
) -> None:
    """Rule AU-8.4."""
    island = island_of(*board)
    assert reasons(island, placing) == expected, example
    name, x, y, rot = placing.split()
    assert ((int(x), int(y), int(rot)) in positions(island, name)) == (expected == ()), example


@pytest.mark.parametrize(
    ("example", "board", "numbers"),
    [
        ("E12", VILLAGE_1, {"island_36": 36, "island_43": 12, "island_45": 4, "island_50": 60, "island_58": 32}),
        ("E12", VILLAGE_2, {"island_36": 21, "island_43": 2, "island_45": 1, "island_50": 40, "island_58": 24}),
        (
            "E20",
            BOARD_P,
            {
                "island_11": 72,
                "island_33": 33,
                "island_36": 39,
                "island_37": 39,
                "island_45": 20,
                "island_50": 52,
                "island_56": 47,
                "island_58": 26,
            },
        ),
    ],
)
def test_numbers_of_legal_placements(example: str, board: tuple[str, ...], numbers: dict[str, int]) -> None:
    """Rule AU-8.4."""
    island = island_of(*board)
    assert {name: len(island.placements(card(name))) for name in numbers} == numbers, example


def test_e12_land_cards_and_the_single_placements() -> None:
    """Rule AU-8.4."""
    first, second = island_of(*VILLAGE_1), island_of(*VILLAGE_2)
    for land in BOX.cards[:32]:
        assert (len(first.placements(land)), len(second.placements(land))) == (96, 76), land.id
    assert positions(first, "island_45") == {(4, 4, 0), (-4, 4, 1), (-4, -4, 2), (4, -4, 3)}
    assert positions(second, "island_45") == {(4, 4, 0)}


def test_e13_a_quarter_turn() -> None:
    """Rule AU-8.1."""
    face = card("island_39").faces[1]
    rows = ["".join(letter_of(face, x, y) for x in range(6)) for y in range(6)]
    assert rows == ["SSSBLL", "SSSBLL", "SSBBLL", "SSBLLL", "SSBLLL", "SSBLLL"]
    ends = {SIDES[index // 6] + str(index % 6) for index, code in enumerate(face.edge) if code == "E"}
    assert ends == {"N3", "S2"}
    symbols = {(SYMBOLS[symbol], x, y) for x, y, symbol in face.symbols}
    assert symbols == {("fisher", 4, 0), ("canoe", 2, 0), ("fish", 0, 2), ("fish", 0, 4)}


def letter_of(face: object, x: int, y: int) -> str:
    (letter,) = [
        letter
        for letter, name in (("L", "land"), ("B", "beach"), ("S", "sea"))
        if getattr(face, name) >> (6 * x + y) & 1
    ]
    return letter


@pytest.mark.parametrize(
    ("example", "added", "longest"),
    [
        ("E14", "island_37 4 4 0", 2),
        ("E16", "island_33 4 5 0", 2),
        ("E18", "island_37 0 8 1", 2),
        ("E19", "island_11 0 8 0", 1),
    ],
)
def test_longest_beach_of_the_worked_examples(example: str, added: str, longest: int) -> None:
    """Rule AU-8.5."""
    island = island_of(*BOARD_P, added)
    assert island.longest_beach() == longest, example


def test_e7_and_e14_the_covered_symbols() -> None:
    """Rule AU-8.2."""
    assert [SYMBOLS[symbol] for symbol, _, _ in island_of(*VILLAGE_2).covered(-4, 0)] == ["bird"]
    assert [SYMBOLS[symbol] for symbol, _, _ in island_of(*BOARD_P).covered(4, 4)] == ["fish"]


def test_board_p_shows_its_symbols_and_no_more() -> None:
    """Rule AU-8.2."""
    symbols = {(SYMBOLS[symbol], x, y) for symbol, x, y in island_of(*BOARD_P).symbols()}
    assert symbols == {
        ("fisher", 0, 0),
        ("palm", 4, 0),
        ("village_star", 2, 2),
        ("totem_mask", 2, 4),
        ("fisher", 0, 6),
        ("fish", 4, 8),
    }


@pytest.mark.parametrize(
    ("example", "cards", "d2"),
    [
        ("E21", ("village_1", "island_09 4 4 0"), 8),
        ("E21", ("village_1", "island_09 4 4 2"), 72),
        ("E22", ("village_1", "island_11 4 4 0", "island_01 8 6 0"), 100),
        ("E22", ("village_1", "island_11 4 4 0", "island_01 8 4 0"), 80),
    ],
)
def test_volcano_distances_of_the_worked_examples(example: str, cards: tuple[str, ...], d2: int) -> None:
    """Rule AU-5.5."""
    assert island_of(*cards).volcano_distances() == [d2], example


def test_e37_a_whole_island() -> None:
    """Rules AU-8.4 and AU-8.5."""
    island = island_of("village_3")
    for placing, number, covered in E37:
        name, x, y, rot = placing.split()
        assert len(island.placements(card(name))) == number, placing
        assert [SYMBOLS[symbol] for symbol, _, _ in island.covered(int(x), int(y))] == covered, placing
        assert reasons(island, placing) == ()
        island.place(BOX, BOX.card(name), int(x), int(y), int(rot))
    assert [e37(cards).longest_beach() for cards in (4, 7, 9)] == [2, 4, 5]
    longest = max(island.beaches(), key=lambda beach: len(beach.cards))
    assert longest.cards == (3, 4, 5, 6, 8)
    assert island.beach_cards() == 5
    assert e37(4).volcano_distances() == [20]


# -- seams and faults ----------------------------------------------------------------------------------------------


SEAM_LAW = {
    "LL": "",
    "LS": "sea_touches_land",
    "LE": "beach_end_blocked",
    "LF": "",
    "SS": "",
    "SE": "beach_end_blocked",
    "SF": "",
    "EE": "",
    "EF": "",
    "FF": "",
}


def hem_box() -> tuple[AtuaComponents, dict[str, Any]]:
    """Return components with one card whose beach runs along its edge, which no printed card has.

    The beach shows a flank there.
    """
    data = printed_data()
    for one in data["island"]:
        if one["id"] == "island_45":
            one.update(terrain=["BBBBBB", *["LLLLLL"] * 5], ends=["W0", "E0"])
    return load_components(data), {one["id"]: one for one in data["island"] + data["village"]}


def test_every_pair_of_codes_meets_as_the_table_of_seams_says() -> None:
    """Rule AU-8.3, rulings R3 and R4."""
    met = set()
    components, _ = hem_box()
    for seed in range(60):
        rng = Random(seed)
        island = random_island(rng, 4, components)
        face = components.cards[rng.choice([44, 44, *range(32, 58)])].faces[seed % 4]
        for x, y in slow(island).nearby()[::7]:
            found = {(fault.x, fault.y, fault.side): fault.reason for fault in faults(island, face, x, y)}
            for side, (step_x, step_y) in enumerate(((0, -1), (1, 0), (0, 1), (-1, 0))):
                for index in range(6):
                    unit_x, unit_y = ((x + index, y), (x + 5, y + index), (x + index, y + 5), (x, y + index))[side]
                    other = island.code_at(unit_x + step_x, unit_y + step_y, (side + 2) % 4)
                    if other < 0:
                        assert (unit_x, unit_y, side) not in found
                        continue
                    codes = face.edge[6 * side + index] + CODES[other]
                    met.add(codes)
                    expected = SEAM_LAW.get(codes, SEAM_LAW.get(codes[::-1]))
                    assert found.get((unit_x, unit_y, side), "") == expected, codes
    assert len(met) == 16


def test_a_beach_along_the_edge_fast_and_slow() -> None:
    components, prints = hem_box()
    hem = components.card("island_45")
    for seed in range(60):
        rng = Random(seed)
        island = random_island(rng, 3, components)
        legal = island.placements(components.cards[hem])
        if hem not in island.placed[::4] and legal:
            island.place(components, hem, *position(rng.choice(legal)))
        twin = slow(island, components, prints)
        check_what_is_visible(island, twin)
        for number in (hem, rng.randrange(32, 58)):
            check_placements(island, twin, number, rng.randrange(4), components, prints)


def test_faults_name_the_offending_places_in_the_order_of_priority() -> None:
    """Rule AU-8.4."""
    island = island_of(*BOARD_P)
    assert faults(island, card("island_37").faces[0], 1, 1) == [
        PlacementFault("star_covered", 2, 2),
        PlacementFault("symbol_cut", 0, 0),
        PlacementFault("symbol_cut", 4, 0),
        PlacementFault("symbol_cut", 0, 6),
        PlacementFault("sea_touches_land", 1, 5, SIDES.index("W")),
        PlacementFault("sea_touches_land", 1, 6, SIDES.index("W")),
        PlacementFault("beach_end_blocked", 1, 4, SIDES.index("W")),
    ]
    assert faults(island, card("island_11").faces[0], 20, -9) == [PlacementFault("no_symbol_covered", 20, -9)]
    assert reasons(island, "island_37 1 1 0") == tuple(reason for reason in REASONS if reason != "no_symbol_covered")


# -- rulings -------------------------------------------------------------------------------------------------------


def test_r7_the_empty_table_is_no_terrain() -> None:
    """Sea, land and beach ends all stick out of this island, and the next card may enclose empty units.

    Rule AU-8.3, ruling R7.
    """
    island = island_of(*BOARD_P)
    assert reasons(island, "island_37 4 4 0") == ()
    assert island.code_at(6, 7, SIDES.index("W")) == -1


def test_r8_land_and_sea_may_touch_at_a_corner() -> None:
    """Rule AU-8.3, ruling R8."""
    island = island_of("village_5", "island_36 -4 -3 1", "island_57 -2 4 0")
    face = card("island_45").faces[0]
    assert letter_of(face, 5, 5) == "S"
    assert CODES[island.code_at(-2, 4, 0)] == "L"
    assert faults(island, face, -8, -2) == []


def test_r9_to_r11_village_symbols_may_be_covered_but_no_star() -> None:
    """Rule AU-8.4, rulings R9 to R11."""
    island = island_of("village_1", "island_09 4 4 0")
    assert island.symbols()[0] == (SYMBOLS.index("fisher"), 0, 0)
    assert reasons(island, "island_11 -4 -4 0") == ()
    assert "star_covered" in reasons(island, "island_11 5 5 0")
    assert [SYMBOLS[symbol] for symbol, _, _ in island.covered(6, 2)] == ["totem_moon"]
    assert reasons(island, "island_11 6 2 0") == ()
    assert island_of("village_1", "island_09 4 4 0", "island_11 6 2 0").volcano_distances() == [8]


def test_r12_a_covered_symbol_neither_counts_nor_is_covered_again() -> None:
    """Rule AU-8.2, ruling R12."""
    island = island_of("village_2", "island_11 -4 0 0")
    assert island.counts[BIRD] == 2
    assert {(x, y) for symbol, x, y in island.symbols() if symbol == BIRD} == {(-4, 0), (0, 2)}
    assert island_of(*VILLAGE_2).counts[BIRD] == 1


def test_r16_a_card_may_be_placed_exactly_over_another() -> None:
    """Rule AU-8.4, ruling R16."""
    island = island_of(*BOARD_P, "island_37 0 4 0")
    assert (island.beach_cards(), island.longest_beach()) == (1, 1)
    assert island.beaches()[0].cards == (2,)
    assert len(island.cards()) == 3


def test_r43_and_a_bare_village_has_no_beach() -> None:
    """Rule AU-8.5, ruling R43."""
    island = island_of(*VILLAGE_1)
    assert (island.longest_beach(), island.beach_cards(), island.beaches()) == (0, 0, [])


def test_r44_two_strips_of_one_card() -> None:
    """A channel's two strips are two beaches of one card; strips joined through another card count their card once.

    Rule AU-8.5, ruling R44.
    """
    channel = island_of("village_1", "island_58 -4 4 0")
    assert [beach.cards for beach in channel.beaches()] == [(1,), (1,)]
    assert (channel.longest_beach(), channel.beach_cards()) == (1, 1)
    joined = island_of("village_4", "island_47 -4 -2 2", "island_45 -6 -4 2")
    assert len(joined.strips) == 3
    assert [beach.cards for beach in joined.beaches()] == [(1, 2)]
    assert (joined.longest_beach(), joined.beach_cards()) == (2, 2)


# -- the state of an island ----------------------------------------------------------------------------------------


def test_a_clone_grows_on_its_own() -> None:
    island = e37(6)
    before = island.placements(card("island_37"))
    twin = island.clone()
    assert twin.placements(card("island_37")) == before
    twin.place(BOX, BOX.card("island_15"), 6, 1, 1)
    assert island.cards() == e37(6).cards()
    assert island.symbols() == e37(6).symbols()
    assert island.counts == e37(6).counts
    assert island.beaches() == e37(6).beaches()
    assert island.placements(card("island_37")) == before
    assert twin.placements(card("island_37")) == e37(7).placements(card("island_37")) != before


def test_an_island_grows_into_a_new_one_and_remembers_the_last() -> None:
    island = e37(6)
    number = BOX.card("island_15")
    grown = island.grown(BOX, number, 6, 1, 1)
    assert grown == e37(7)
    assert island == e37(6)
    assert island.grown(BOX, number, 6, 1, 1) is grown
    x, y, rot = next(at for at in map(position, island.placements(BOX.cards[number])) if at != (6, 1, 1))
    other = island.clone()
    other.place(BOX, number, x, y, rot)
    assert island.grown(BOX, number, x, y, rot) == other != grown
    assert island.grown(BOX, number, 6, 1, 1) == grown
    island.place(BOX, number, 6, 1, 1)
    twin = island.grown(BOX, BOX.card("island_37"), 1, -12, 2)
    assert twin == e37(8)


def test_an_island_is_restored_from_its_cards_alone() -> None:
    island = e37(9)
    again = Island.load(BOX, list(island.placed), lattice_for(CARDS))
    assert again.symbols() == island.symbols()
    assert again.beaches() == island.beaches()
    assert again.counts == island.counts
    for one in BOX.cards[:58]:
        assert again.placements(one) == island.placements(one)


@pytest.mark.parametrize(
    ("placed", "message"),
    [
        ([], "invalid island"),
        ([58, 0, 0, 0, 1], "invalid island card"),
        ([1, 0, 0, 0], "invalid village card"),
        ([64, 0, 0, 0], "invalid village card"),
        ([58, 1, 0, 0], "the village first, at x 0, y 0, rot 0"),
        ([58, 0, 0, 0, 58, 4, 4, 0], "a number from 0 to 57"),
        ([58, 0, 0, 0, 3, 4, 4, 4], "rot from 0 to 3"),
        ([58, 0, 0, 0, 3, 37, 4, 0], "-36 to 36"),
    ],
)
def test_damaged_islands_are_refused(placed: list[int], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        Island.load(BOX, placed, lattice_for(CARDS))


def test_a_placement_is_one_int_for_position_and_rotation() -> None:
    corners = [placement(x, y, rot) for x in (-REACH, REACH) for y in (-REACH, REACH) for rot in range(4)]
    assert corners[0] == 0
    assert corners[-1] == PLACEMENTS - 1
    assert corners == sorted(corners)
    for number in (*corners, 40_000, 40_001, 40_147):
        assert placement(*position(number)) == number


# -- fast against slow ---------------------------------------------------------------------------------------------


def random_island(rng: Random, cards: int, components: AtuaComponents = BOX) -> Island:
    """An island of random legal placements of different cards, fewer than `cards` if none fits."""
    island = Island(components, 58 + rng.randrange(6), lattice_for(CARDS))
    for number in rng.sample(range(58), cards):
        legal = island.placements(components.cards[number])
        if legal:
            island.place(components, number, *position(rng.choice(legal)))
    return island


def check_placements(
    island: Island,
    twin: SlowIsland,
    number: int,
    rot: int,
    components: AtuaComponents = BOX,
    prints: dict[str, Any] = PRINTS,
) -> None:
    """All legal placements of a card in one rotation have no fault, and some of the others their faults."""
    card = components.cards[number]
    print_ = Print(prints[card.id], rot)
    face = card.faces[rot]
    reach = island.lattice.reach
    near = [(x, y) for x, y in twin.nearby() if max(abs(x), abs(y)) <= reach]
    against = {(x, y): twin.reasons(print_, x, y) for x, y in near}
    found = [position(one) for one in island.placements(card)]
    assert found == sorted(found)
    assert {(x, y) for x, y, turned in found if turned == rot} == {at for at, why in against.items() if not why}
    assert not any(faults(island, face, x, y) for x, y, turned in found if turned == rot)
    for x, y in list(against)[:: max(1, len(against) // 25)]:
        assert reasons_of(faults(island, face, x, y)) == [reason for reason in REASONS if reason in against[x, y]]


def check_what_is_visible(island: Island, twin: SlowIsland) -> None:
    for x, y in twin.nearby():
        for side in range(4):
            code = island.code_at(x, y, side)
            assert (CODES[code] if code >= 0 else "") == (
                twin.code((x, y), SIDES[side]) if (x, y) in twin.units else ""
            )
    assert sorted((x, y, SYMBOLS[symbol]) for symbol, x, y in island.symbols()) == sorted(twin.symbols)
    names = [symbol for _, _, symbol in twin.symbols]
    assert island.counts == [names.count(symbol) for symbol in SYMBOLS]
    beaches = sorted((sorted(cards), sorted(units)) for cards, units in twin.beaches())
    assert sorted((list(beach.cards), sorted(beach.units)) for beach in island.beaches()) == beaches
    assert island.longest_beach() == max((len(cards) for cards, _ in beaches), default=0)
    assert island.beach_cards() == twin.beach_cards()
    assert sorted(island.volcano_distances()) == twin.volcano_distances()


def test_what_a_card_would_do_to_the_beaches_is_what_it_does() -> None:
    for seed in range(60):
        rng = Random(seed)
        island = random_island(rng, seed % (CARDS + 1))
        number = rng.randrange(58)
        legal = [position(one) for one in island.placements(BOX.cards[number])]
        for x, y, rot in rng.sample(legal, min(8, len(legal))):
            grown = island.clone()
            grown.place(BOX, number, x, y, rot)
            left = island.shores_beside(x, y)
            found = island.beach_with(BOX.cards[number].faces[rot], x, y, left)
            assert found == (grown.longest_beach(), grown.beach_cards())
            assert (left != island.shores()) == island.covers_beach(x, y)


@pytest.mark.parametrize("batch", range(10))
def test_random_islands_fast_and_slow(batch: int) -> None:
    for seed in range(60 * batch, 60 * (batch + 1)):
        rng = Random(seed)
        island = random_island(rng, rng.randrange(CARDS + 1))
        check_placements(island, slow(island), rng.randrange(58), rng.randrange(4))


@pytest.mark.parametrize("seed", range(12))
def test_a_placement_is_legal_if_it_has_no_fault_anywhere_in_the_vocabulary(seed: int) -> None:
    """All places around an island, and others as far away as a choice can name."""
    rng = Random(seed)
    island = random_island(rng, rng.randrange(CARDS + 1))
    printed = BOX.cards[rng.randrange(58)]
    legal = set(island.placements(printed))
    near = [placement(x, y, rot) for x, y in slow(island).nearby() if max(abs(x), abs(y)) <= REACH for rot in range(4)]
    assert legal < set(near)
    for number in (*near, *rng.sample(range(PLACEMENTS), 500)):
        x, y, rot = position(number)
        assert (number in legal) == (not faults(island, printed.faces[rot], x, y)), (x, y, rot)


def test_what_is_visible_on_random_islands() -> None:
    for seed in range(100):
        island = random_island(Random(seed), 1 + seed % CARDS)
        check_what_is_visible(island, slow(island))


@given(
    village=st.integers(58, 63),
    steps=st.lists(st.tuples(st.integers(0, 57), st.integers(0, 300)), max_size=CARDS, unique_by=lambda step: step[0]),
    number=st.integers(0, 57),
    rot=st.integers(0, 3),
)
def test_any_island_fast_and_slow(village: int, steps: list[tuple[int, int]], number: int, rot: int) -> None:
    island = Island(BOX, village, lattice_for(CARDS))
    for step, choice in steps:
        legal = island.placements(BOX.cards[step])
        if legal:
            island.place(BOX, step, *position(legal[choice % len(legal)]))
    twin = slow(island)
    check_what_is_visible(island, twin)
    check_placements(island, twin, number, rot)


@pytest.mark.parametrize(("step_x", "step_y", "rot"), [(4, 4, 0), (-4, 4, 1), (-4, -4, 2), (4, -4, 3)])
@pytest.mark.parametrize("cards", [9, 18])
def test_the_window_holds_the_longest_way_to_each_corner(cards: int, step_x: int, step_y: int, rot: int) -> None:
    """A chain of land cards, each over the corner symbol of the one before, ends at the lattice's corner.

    Rule AU-8.1.
    """
    island = Island(BOX, BOX.card("village_1"), lattice_for(cards))
    land = BOX.card("island_01")
    for index in range(1, cards):
        assert faults(island, BOX.cards[land].faces[rot], step_x * index, step_y * index) == []
        island.place(BOX, land, step_x * index, step_y * index, rot)
    twin = slow(island)
    for number in (land, BOX.card("island_36"), BOX.card("island_58")):
        for turned in range(4):
            check_placements(island, twin, number, turned)
    assert (step_x * cards, step_y * cards, rot) in [position(one) for one in island.placements(BOX.cards[land])]
    island.place(BOX, land, step_x * cards, step_y * cards, rot)
    twin = slow(island)
    check_what_is_visible(island, twin)
    check_placements(island, twin, land, rot)


@pytest.mark.parametrize("village", range(58, 64))
def test_an_island_that_comes_far_is_the_same_in_every_frame(village: int) -> None:
    """Of many placements the farthest is taken, so that one frame after another becomes too small."""
    rng = Random(village)
    island = Island(BOX, village, lattice_for(18))
    reaches = {island.frame.reach}
    for number in rng.sample(range(58), 58):
        legal = [position(one) for one in island.placements(BOX.cards[number])]
        if legal and len(island.cards()) <= 18:
            island.place(BOX, number, *max(rng.choices(legal, k=60), key=lambda at: max(abs(at[0]), abs(at[1]))))
            if island.frame.reach not in reaches or len(island.cards()) > 18:
                reaches.add(island.frame.reach)
                twin = slow(island)
                check_what_is_visible(island, twin)
                for rot in range(4):
                    check_placements(island, twin, rng.randrange(58), rot)
    assert reaches == {12, 24, 36, 72}


# -- prints --------------------------------------------------------------------------------------------------------


LAND = ("LLLLLL",) * 6
LAGOON = ("LLLLLL", "LBBBBL", "LBSSBL", "LBSSBL", "LBBBBL", "LLLLLL")


def test_a_beach_around_a_lagoon_needs_no_end() -> None:
    face = faces_of(LAGOON, (), ())[0]
    assert face.edge == "L" * 24
    assert sum(path.bit_count() for path in face.paths) == 2 * face.beach.bit_count() == 24


def test_four_turns_give_the_print_again() -> None:
    """Rule AU-8.1."""
    for one in BOX.cards:
        for rot, face in enumerate(one.faces):
            print_ = Print(PRINTS[one.id], rot)
            assert {unit: letter_of(face, *unit) for unit in print_.letters} == print_.letters
            assert sorted((x, y, SYMBOLS[symbol]) for x, y, symbol in face.symbols) == sorted(print_.symbols)
            for side, plane in zip(SIDES, face.paths, strict=True):
                assert {(x, y) for x, y in print_.letters if plane >> (6 * x + y) & 1} == {
                    unit for unit, sides in print_.paths.items() if side in sides
                }


@pytest.mark.parametrize(
    ("terrain", "ends", "message"),
    [
        (("LSLLLL", *LAND[1:]), (), "side by side at column 0, row 0"),
        (("LLLLLL", "LLLLLL", "LLLLLL", "LLLLLL", "LLLLLL", "SLLLLL"), (), "side by side at column 0, row 4"),
        (LAND, ((0, 3),), "ends has N3', 'beach units of that side, each once"),
        (("BBBBBB", *("SSSSSS",) * 5), ((3, 0), (3, 0)), "ends has W0"),
        (("BBBBBB", *("SSSSSS",) * 5), ((3, 0),), "column 5, row 0 continues through 1 sides"),
        (("BBBBBB", *("SSSSSS",) * 5), ((3, 0), (1, 0), (0, 2)), "column 2, row 0 continues through 3 sides"),
        (("BBLLLL", "BBLLLL", *LAND[2:]), ((0, 0),), "column 0, row 0 continues through 3 sides \\(NES\\)"),
    ],
)
def test_impossible_prints_are_refused(
    terrain: tuple[str, ...], ends: tuple[tuple[int, int], ...], message: str
) -> None:
    with pytest.raises(PrintError, match=message):
        faces_of(terrain, ends, ())
