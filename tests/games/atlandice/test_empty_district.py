"""Empty districts (AL-5): majorities, the next tile, several districts at once, used-up districts."""

import copy

import pytest

from atoll.engine.scripted_game import ScriptedGame
from atoll.games.atlandice import GAME
from atoll.games.atlandice.scoring import majority
from atoll.games.atlandice.state import USED_UP

from .tables import AREAS, TILES, at, gates, hold, lay_out, points, stand


@pytest.mark.parametrize(
    ("counts", "first", "second"),
    [
        ([3, 2, 1, 0], [0], [1]),
        ([4, 2, 2, 0], [0], [1, 2]),
        ([3, 3, 1, 0], [0, 1], []),
        ([2, 2, 2, 2], [0, 1, 2, 3], []),
        ([2, 0, 0, 0], [0], []),
        ([0, 0, 0, 0], [], []),
        ([0, 1, 5], [2], [1]),
    ],
)
def test_majority(counts: list[int], first: list[int], second: list[int]) -> None:
    """Rule AL-5.2, rulings R23 and R24."""
    assert majority(counts) == (first, second)


def test_an_emptied_district_is_scored_after_the_effect() -> None:
    """Rule AL-5.1, ruling R17."""
    stock = {"jewelers": "1 gem"}
    table = stand(4, "1 4 6", tiles=["jewelers_1"], stock=stock, holds=["2 gem", "2 gem"]).play("p2 search jewelers")
    assert table.events("empty") == []  # the effect is running: a roll is awaited
    table.play("die 2", "open jewelers_2")
    assert [points(table, seat) for seat in range(4)] == [3, 3, 0, 0]


def test_scoring_with_one_winner_and_one_second() -> None:
    """Rules AL-5.2 and AL-5.3."""
    holds = ["3 gem", "1 gem", "1 gem", ""]
    table = stand(4, "1 4 6", stock={"jewelers": "1 gem"}, holds=holds).play("p2 search jewelers", "open jewelers_1")
    assert [points(table, seat) for seat in range(4)] == [3, 0, 1, 0]
    assert table.state.won[0] == [TILES.index("jewelers_2")]


def test_scoring_with_a_tie_for_first_has_no_second() -> None:
    """Rules AL-5.2 and AL-5.3."""
    holds = ["", "2 gem", "1 gem", "1 gem"]
    table = stand(4, "1 4 6", stock={"jewelers": "1 gem"}, holds=holds).play("p2 search jewelers", "open jewelers_1")
    assert [points(table, seat) for seat in range(4)] == [0, 3, 3, 0]


def test_scoring_with_a_tie_for_second_gives_each_a_point() -> None:
    """Rules AL-5.2 and AL-5.3."""
    holds = ["2 gem", "2 gem", "2 gem", ""]
    table = stand(4, "1 4 6", stock={"jewelers": "1 gem"}, holds=holds).play("p2 search jewelers", "open jewelers_1")
    assert [points(table, seat) for seat in range(4)] == [1, 1, 3, 0]


def test_the_tile_of_a_tie_goes_to_the_first_clockwise_from_the_actor() -> None:
    """Rule AL-5.3, ruling R25."""
    holds = ["2 gem", "", "1 gem", "2 gem"]
    table = stand(4, "1 4 6", stock={"jewelers": "1 gem"}, holds=holds).play("p2 search jewelers", "open jewelers_1")
    assert table.state.won == [[], [], [1], []]
    assert [sum(ties) for ties in table.state.ties] == [1, 0, 0, 1]
    holds = ["2 gem", "", "", "2 gem"]
    table = stand(4, "1 4 6", stock={"jewelers": "1 gem"}, holds=holds).play("p2 search jewelers", "open jewelers_1")
    assert table.state.won == [[], [], [], [1]]


def test_a_tile_that_nobody_can_win_leaves_the_game() -> None:
    """Rule AL-5.3."""
    stock = {"library": "1 gem", "jewelers": "1 gem"}
    table = stand(4, "2 4 6", tiles=["library_3"], stock=stock).play("p2 search library", "open library_1")
    assert table.state.won == [[]] * 4
    assert [TILES[tile] for tile in table.state.lost] == ["library_3"]
    assert [points(table, seat) for seat in range(4)] == [0] * 4


def test_resources_go_back_to_the_market_up_to_three_before_the_new_tile() -> None:
    """Rule AL-5.4."""
    stock = {"jewelers": "1 gem", "black_market": "1 gem 2 book", "inn": "2 gem 1 provision"}
    table = stand(4, "1 4 6", tiles=["jewelers_1"], stock=stock, holds=["2 gem 1 book", "3 gem", "", "1 gem"])
    table.play("p2 search jewelers", "die 2", "open jewelers_3")
    assert at(table, "black_market") == {"gem": 3, "book": 2}
    assert at(table, "jewelers") == {"gem": 5}
    assert at(table, "inn") == {"gem": 2, "provision": 1}  # what lies elsewhere stays there
    assert [hold(table, seat) for seat in range(4)] == [{"book": 1}, {}, {}, {}]


def test_a_market_with_more_than_three_keeps_them() -> None:
    """Rule AL-5.4, ruling R21."""
    stock = {"jewelers": "1 gem", "black_market": "5 gem"}
    table = stand(4, "1 4 4", tiles=["jewelers_1"], stock=stock, holds=["1 gem"])
    table.play("p2 search jewelers", "die 2", "open jewelers_3")
    assert at(table, "black_market") == {"gem": 5}
    assert at(table, "jewelers") == {"gem": 2}


def test_a_new_tile_without_resources_is_not_scored_until_it_had_some() -> None:
    """Rules AL-5.1 and AL-5.4, rulings R18 and R22."""
    stock = {"jewelers": "1 gem"}
    table = stand(4, "1 1 6", tiles=["jewelers_1"], stock=stock).play("p2 search jewelers", "die 2", "open jewelers_3")
    assert at(table, "black_market") == {"gem": 1}
    assert at(table, "jewelers") == {}
    assert not table.state.stocked[0]
    table.play("p3 search jewelers", "die 2")  # R18
    assert len(table.events("empty")) == 1


def test_dice_beside_an_emptied_district_stay() -> None:
    """Rule AL-5.4."""
    table = stand(4, "1 1 6", tiles=["jewelers_1"], stock={"jewelers": "1 gem"})
    table.play("p2 search jewelers", "die 2", "open jewelers_3")
    assert gates(table) == {"jewelers": 1, "black_market": 1}


def test_an_effect_empties_the_searched_district() -> None:
    """Rule AL-5.1."""
    stock = {"library": "2 book"}
    table = stand(4, "2 4 6", stock=stock).play("p2 search library")  # library_2 moves the second book away
    table.play("open library_1")
    assert at(table, "black_market") == {"book": 2}
    assert at(table, "library") == {}
    assert table.state.won[2] == [TILES.index("library_2")]


def test_an_effect_empties_another_district() -> None:
    """Rule AL-5.1, ruling R20."""
    stock = {"inn": "1 provision"}
    table = stand(4, "2 4 6", tiles=["library_1"], stock=stock, holds=["2 provision"])
    table.play("p2 search library", "die 5", "p2 gain inn provision", "open inn_1")
    assert [points(table, seat) for seat in range(4)] == [3, 0, 1, 0]
    assert at(table, "black_market") == {"provision": 3}


def test_two_districts_emptied_by_one_action_the_searched_one_first() -> None:
    """Rule AL-5.1, ruling R19."""
    stock = {"library": "1 book", "jewelers": "1 gem"}
    table = stand(4, "2 4 6", tiles=["library_1"], stock=stock, holds=["1 gem"])
    table.play("p2 search library", "die 5", "p2 gain jewelers gem", "open library_2", "open jewelers_1")
    assert [each["district"] for each in table.events("empty")] == [1, 0]
    assert [points(table, seat) for seat in range(4)] == [3, 0, 6, 0]


def test_two_districts_emptied_elsewhere_in_ascending_order() -> None:
    """Rule AL-5.1, ruling R19."""
    stock = {"jewelers": "1 gem", "engineering_works": "1 gem", "inn": "2 gem", "black_market": "1 gem"}
    table = stand(4, "1 2 6", tiles=["jewelers_1"], stock=stock, last=["jewelers"]).play("p2 search jewelers", "die 2")
    table.play("open inn_1", "open engineering_works_2")  # the gems leave the game
    assert [each["district"] for each in table.events("empty")] == [0, 2, 3]


def test_the_area_of_a_chained_search_has_no_precedence() -> None:
    """Rule AL-5.1, ruling R19."""
    stock = {"jewelers": "2 gem", "blacksmith": "1 weapon", "library": "1 book"}
    fifth = [{"verb": "gain", "from": "other_district"}]
    data = copy.deepcopy(dict(GAME.data))
    data["district_tiles"][12]["effect"] = fifth
    s = lay_out(4, "1 4 6", tiles=["jewelers_3", "blacksmith_1"], stock=stock)
    table = ScriptedGame.at(type(GAME)(data), s)
    table.play("p2 search jewelers", "die 6", "die 5", "p2 gain library book", "open library_1", "open blacksmith_2")
    assert [each["district"] for each in table.events("empty")] == [1, 4]  # R19


def test_empty_in_between_does_not_count() -> None:
    """Rule AL-5.1, ruling R17."""
    stock = {"blacksmith": "1 weapon", "black_market": "1 gem"}
    table = stand(4, "5 4 6", stock=stock).play("p2 search blacksmith", "p2 move gem blacksmith")  # R17
    assert table.events("empty") == []
    assert at(table, "blacksmith") == {"gem": 1}


def test_the_third_tile_is_scored_and_its_resource_leaves_the_game_everywhere() -> None:
    """Rule AL-5.5, rulings R26 and R27."""
    stock = {"jewelers": "1 gem", "black_market": "3 gem 1 book", "inn": "2 gem 1 provision"}
    s = lay_out(4, "1 1 4", tiles=["jewelers_1"], stock=stock, holds=["4 gem 1 book"], last=["jewelers"])
    s.submarine = 0
    table = ScriptedGame.at(GAME, s).play("p2 search jewelers", "die 2")
    assert points(table, 0) == 3
    assert points(table, 2) == 1
    assert table.state.open_tile[0] == USED_UP
    assert hold(table, 0) == {"book": 1}
    assert at(table, "black_market") == {"book": 1}
    assert at(table, "inn") == {"provision": 1}
    assert table.state.out[0] == 1 + 3 + 2 + 4
    assert gates(table) == {"engineering_works": 1, "black_market": 1}  # R27
    assert AREAS[table.state.submarine] == "black_market"


def test_removal_can_empty_another_district() -> None:
    """Rules AL-5.1 and AL-5.5, ruling R26."""
    stock = {"jewelers": "1 gem", "inn": "2 gem"}
    table = stand(4, "1 4 6", tiles=["jewelers_1"], stock=stock, holds=["", "2 provision"], last=["jewelers"])
    table.play("p2 search jewelers", "die 2", "open inn_1")
    assert [each["district"] for each in table.events("empty")] == [0, 2]
    assert points(table, 1) == 3
    assert at(table, "black_market") == {"provision": 2}


def test_a_used_up_kind_scores_no_more() -> None:
    """Rule AL-5.5."""
    table = stand(4, "2 4 6", used_up=["jewelers"])
    assert table.position.view(0)["live"]["stakes"][0] == [0] * 4
    assert table.position.view(0)["live"]["leaders"][0] == []
