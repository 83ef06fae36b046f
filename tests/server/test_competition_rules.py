"""The rules of competitions without a server: divisions, points, standings, draws, movement, pairing."""

import hmac
import random
from collections import Counter
from fractions import Fraction
from itertools import combinations, product

import pytest

from atoll.server.domain.divisions import DIVISIONS, Division, division_sizes, find_division, tiers
from atoll.server.domain.draw import Entrant, Finish, bar_days, draw, ladder, lot, seed_hash, serpentine
from atoll.server.domain.pairing import History, groups, table_sizes
from atoll.server.domain.standings import PlayedGame, results_of_pairs, standings

SEED = "5a" * 32


# -- divisions -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("division", DIVISIONS, ids=lambda each: f"{each.seats} of {each.name}")
def test_everybody_has_every_seat_and_meets_everybody_equally_often(division: Division) -> None:
    assert division.is_valid()
    games = division.games()
    seats = Counter((player, seat) for game in games for seat, player in enumerate(game))
    meetings = Counter(frozenset(pair) for game in games for pair in combinations(game, 2))
    assert all(len(set(game)) == division.seats for game in games)
    assert {seats[each] for each in product(range(division.size), range(division.seats))} == {len(division.bases)}
    assert {meetings[frozenset(p)] for p in combinations(range(division.size), 2)} == {division.meetings}
    for vacancy, smaller in product(range(division.size), (False, True)):
        rest = division.games(vacancy, smaller=smaller)
        played = Counter(player for game in rest for player in game)
        assert vacancy not in played and len(played) == division.size - 1
        kept = division.games_each - (0 if smaller and division.seats > 2 else division.meetings)
        assert set(played.values()) == {kept}, "every other player loses the same number of games"


def test_the_table_of_divisions() -> None:
    rows = [(each.seats, each.name, len(each.games()), each.games_each, each.meetings) for each in DIVISIONS]
    assert rows == [
        *[(2, "6", 30, 10, 2), (2, "7", 42, 12, 2), (2, "8", 56, 14, 2)],
        *[(3, "7", 7, 3, 1), (3, "7x2", 14, 6, 2), (4, "7", 7, 4, 2), (4, "13", 13, 4, 1)],
        *[(5, "11", 11, 5, 2), (5, "21", 21, 5, 1), (6, "11", 11, 6, 3)],
    ]
    assert not Division("wrong", 4, 13, ((0, 1, 3, 8),)).is_valid()
    with pytest.raises(ValueError, match=r"no division '12' for 4 seats: allowed: 7, 13"):
        find_division(4, "12")


@pytest.mark.parametrize("size", [6, 7, 8, 11, 13, 21])
def test_divisions_are_full_but_for_one_vacancy_each(size: int) -> None:
    for entrants in range(10 * size):
        sizes = division_sizes(entrants, size)
        assert set(sizes) <= {size, size - 1} and sizes == sorted(sizes, reverse=True)
        assert sum(sizes) <= entrants and bool(sizes) == (entrants >= size - 1)
        assert entrants - sum(sizes) < size - 1, "nobody waits who would fill another division"
        widths = [len(tier) for tier in tiers(sizes)]
        assert all(width == 2**tier for tier, width in enumerate(widths[:-1]))
        assert sum(widths) == len(sizes)


# -- points and standings ------------------------------------------------------------------------------------------

EXAMPLE = [
    *["ADFG 1234", "BEGA 2143", "CFAB 1134", "DGBC 3124"],
    *["EACD 1243", "FBDE 2413", "GCEF 1324"],
]


def example() -> list[PlayedGame]:
    found = []
    for line in EXAMPLE:
        names, places = line.split()
        found.append(PlayedGame(tuple("ABCDEFG".index(n) for n in names), tuple(map(int, places)), (1, 1, 1, 1)))
    assert [each.players for each in found] == find_division(4, "7").games()
    return found


def test_the_example_exactly() -> None:
    lines = standings(example(), range(7), {})
    told = [("ABCDEFG"[line.player], line.points, line.beaten, line.wins) for line in lines]
    assert told == [
        ("E", Fraction(3), Fraction(95, 18), Fraction(2)),
        ("A", Fraction(7, 3), Fraction(13, 3), Fraction(1)),
        ("D", Fraction(7, 3), Fraction(37, 9), Fraction(1)),
        ("G", Fraction(2), Fraction(65, 18), Fraction(2)),
        ("F", Fraction(11, 6), Fraction(127, 36), Fraction(1, 2)),
        ("B", Fraction(4, 3), Fraction(47, 18), Fraction(0)),
        ("C", Fraction(7, 6), Fraction(77, 36), Fraction(1, 2)),
    ]
    assert sum(line.points for line in lines) == 14
    assert [line.decided for line in lines] == ["", "", "beaten", "", "", "", ""]
    assert [[game.points(seat) for seat in range(4)] for game in example()][2] == [
        Fraction(5, 6),
        Fraction(5, 6),
        Fraction(1, 3),
        0,
    ]


def two(places: tuple[int, int], scores: tuple[int, int] = (1, 1), left: tuple[int, int] = (0, 0)) -> PlayedGame:
    return PlayedGame((0, 1), places, scores, left_ms=left)


@pytest.mark.parametrize(
    ("games", "one", "other", "by"),
    [
        ([two((1, 1), (3, 3), (5, 9))], 1, 0, "time"),
        ([two((1, 1), (3, 3))], 1, 0, "lot"),
        ([two((1, 1), (-1, 3), (9, 5))], 0, 1, "time"),  # a negative score: shares don't count
        ([two((1, 2), (9, 1)), two((2, 1), (4, 6))], 0, 1, "share"),
        # 0 and 1 have one win each, against players with one point, and 0 beat 1.
        ([PlayedGame(each, (1, 2), (1, 1)) for each in ((0, 1), (1, 3), (2, 0), (2, 4), (3, 4))], 0, 1, "direct"),
        ([PlayedGame(each, (1, 2), (1, 1)) for each in ((0, 1), (1, 2), (2, 0))] + [two((1, 1))], 0, 1, "beaten"),
    ],
)
def test_tie_breaks_in_order(games: list[PlayedGame], one: int, other: int, by: str) -> None:
    lots = {0: "b", 1: "a", 2: "c", 3: "d", 4: "e"}
    lines = standings(games, sorted({p for game in games for p in game.players}), lots)
    assert [line.rank for line in lines] == [*range(1, len(lines) + 1)]
    order = [line.player for line in lines]
    assert order.index(other) == order.index(one) + 1 and lines[order.index(other)].decided == by


def test_absent_seats_get_nothing_and_the_others_are_ranked_among_themselves() -> None:
    game = PlayedGame((0, 1, 2, 3), (1, 3, 2, 4), (9, 5, 7, 1), absent=frozenset({0}))
    assert [game.points(seat) for seat in range(4)] == [0, Fraction(1, 2), 1, 0]
    assert [game.win(seat) for seat in range(4)] == [0, 0, 1, 0]
    assert game.share(2) == Fraction(7, 13)
    alone = PlayedGame((0, 1), (2, 1), (3, 8), absent=frozenset({1}))
    assert [alone.points(0), alone.win(0), alone.points(1)] == [1, 1, 0]
    nobody = PlayedGame((0, 1), (2, 1), (3, 8), absent=frozenset({0, 1}))
    assert [nobody.points(0), nobody.win(1), nobody.share(0)] == [0, 0, 0]
    lines = standings([game, alone], range(4), {0: "d", 1: "c", 2: "b", 3: "a"}, out={2})
    assert [line.player for line in lines] == [0, 1, 3, 2] and lines[-1].out
    assert results_of_pairs([game]) == {(1, 2): 0, (2, 1): 1, (1, 3): 1, (3, 1): 0, (2, 3): 1, (3, 2): 0}


def test_points_add_up_whatever_happens() -> None:
    rng = random.Random(5)
    for _ in range(300):
        division = rng.choice(DIVISIONS)
        games = []
        for players in division.games():
            k = len(players)
            absent = frozenset(seat for seat in range(k) if rng.random() < 0.1)
            places = tuple(rng.randint(1, k) for _ in players)
            games.append(PlayedGame(players, places, places, absent))
        lots = {player: lot(SEED, "c", str(player)) for player in range(division.size)}
        lines = standings(games, range(division.size), lots)
        assert sum(line.points for line in lines) == sum(
            Fraction(len(g.present()), 2 if len(g.present()) > 1 else 1) for g in games
        )
        assert sum(line.wins for line in lines) == sum(bool(game.present()) for game in games)
        order = [(line.points, line.beaten, line.wins, line.direct, line.share) for line in lines]
        assert order == sorted(order, reverse=True)
        shuffled = rng.sample(games, len(games))
        assert standings(shuffled, range(division.size), lots) == lines


# -- the draw ------------------------------------------------------------------------------------------------------


def entrants(count: int, known: int = 0, rated: bool = False) -> list[Entrant]:
    return [
        Entrant(f"P{i}", i, lot(SEED, "c", f"P{i}"), i + 1 if i < known else None, 1500 - i if rated else None)
        for i in range(count)
    ]


def test_a_lot_is_an_hmac_that_anybody_can_repeat() -> None:
    assert seed_hash("00" * 32) == "66687aadf862bd776c8fc18b8e9f8e20089714856ee233b3902a591d0d5f2925"
    assert lot("00" * 32, "abc", "Ada") == hmac.digest(bytes(32), b"abc\nAda", "sha256").hex()


@pytest.mark.parametrize("size", [7, 13])
@pytest.mark.parametrize("known", [0, 9, 200])
def test_a_draw_fills_each_place_once_in_the_order_of_the_ladder(size: int, known: int) -> None:
    for count in range(0, 8 * size, 3):
        there = entrants(count, min(known, count))
        places = draw(there, size)
        sizes = division_sizes(count, size)
        assert Counter(place.division for place in places.values()) == dict(enumerate(sizes, 1))
        for division, members in enumerate(sizes, 1):
            numbers = sorted(place.number for place in places.values() if place.division == division)
            assert numbers == list(range(members)), "a vacancy has the highest number"
        assert draw(random.Random(count).sample(there, count), size) == places, "the order of the rows doesn't matter"
        tier = {name: place.tier for name, place in places.items()}
        stay = [tier.get(f"P{i}", 99) for i in range(min(known, count))]
        assert stay == sorted(stay), "the ladder decides"
        lowest = max(tier.values(), default=0)
        new = [tier[f"P{i}"] for i in range(known, count) if f"P{i}" in tier]
        if known and stay and lowest > 1 and known >= sum(sizes) / 2:
            assert set(new) <= {lowest}, "newcomers enter the lowest tier"


def test_half_of_the_lowest_tier_is_reserved_for_newcomers() -> None:
    there = [*entrants(14, 14), *(Entrant(f"N{i}", i, lot(SEED, "c", f"N{i}")) for i in range(6))]
    places = draw(there, 7)
    assert len(places) == 20
    there = [*entrants(14, 14), *(Entrant(f"N{i}", i, lot(SEED, "c", f"N{i}")) for i in range(3))]
    places = draw(there, 7)
    assert len(places) == 14 and sum(name.startswith("N") for name in places) == 3


def test_a_serpentine_makes_divisions_equally_strong() -> None:
    dealt = serpentine(entrants(14, rated=True), [5, 5, 4])
    assert [[int(each.name[1:]) for each in division] for division in dealt] == [
        *[[0, 5, 6, 11, 12], [1, 4, 7, 10, 13], [2, 3, 8, 9]]
    ]


def test_two_move_up_and_two_down_and_a_vacant_place_goes_by_rank() -> None:
    def season(without: int = 0) -> dict[str, Finish]:
        found = {}
        for tier, division in ((1, "a"), (2, "b"), (2, "c")):
            for rank in range(1, 8):
                found[f"{division}{rank}"] = Finish(tier, rank, 7, Fraction(8 - rank), division)
        for rank in range(1, without + 1):
            del found[f"a{rank}"]
        return found

    order = ladder(season())
    assert order[:9] == ["a1", "a2", "a3", "a4", "a5", "b1", "c1", "b2", "c2"]
    assert order[9:11] == ["a6", "a7"], "those who come down are before those who stay below"
    assert ladder(season(2))[:7] == ["a3", "a4", "a5", "b1", "c1", "b2", "c2"]
    assert ladder(season(5))[:6] == ["b1", "c1", "b2", "c2", "a6", "a7"]


def test_a_bar_grows_with_repetition_and_shrinks_with_finished_games() -> None:
    assert (bar_days(1, 0), bar_days(2, 0), bar_days(1, 10), bar_days(1, 99)) == (63, 126, 33, 0)


# -- evenings ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("players", "seats", "possible", "sizes"),
    [
        *[(8, 4, (2, 3, 4), [4, 4]), (9, 4, (2, 3, 4), [3, 3, 3]), (7, 4, (2, 4), [4]), (5, 4, (3, 4), [4])],
        *[(7, 2, (2, 4), [2, 2, 2]), (3, 4, (3, 4), [3]), (2, 4, (3, 4), [])],
    ],
)
def test_sizes_of_tables(players: int, seats: int, possible: tuple[int, ...], sizes: list[int]) -> None:
    assert table_sizes(players, seats, possible) == sizes


@pytest.mark.parametrize("count", [8, 11, 13, 40])
def test_rounds_avoid_repeated_meetings_and_balance_seats(count: int) -> None:
    rng = random.Random(count)
    lots = {player: lot(SEED, "c", str(player)) for player in range(count)}
    past = History()
    rested: Counter[int] = Counter()
    for _ in range(4):
        tables, resting = groups(range(count), 4, (2, 3, 4), past, lots)
        assert sorted([*resting, *(player for table in tables for player in table)]) == list(range(count))
        assert groups(rng.sample(range(count), count), 4, (2, 3, 4), past, lots) == (tables, resting)
        rested.update(resting)
        past.rested |= set(resting)
        for table in tables:
            past.add(table)
            for place, player in enumerate(rng.sample(table, len(table))):
                past.points[player] = past.points.get(player, Fraction(0)) + Fraction(place, len(table) - 1)
    assert max(rested.values(), default=0) <= 1
    repeats = sum(met - 1 for met in past.met.values())
    assert repeats <= {8: 28, 11: 16, 13: 12, 40: 2}[count]
