"""The worked examples of RULES.md, by their numbers."""

from .tables import AREAS, TILES, at, finish, gates, hold, points, stand
from .test_search import rolled


def test_e1_search_with_submarine_and_roll() -> None:
    """Rules AL-3.4 and AL-3.5."""
    table = stand(4, "5 4 6", tiles=["blacksmith_1"], stock={"blacksmith": "4 weapon 1 gem"}, submarine="blacksmith")
    table.play("p2 search blacksmith", "p2 take weapon", "p2 take_extra gem", "die 6", "p2 gain blacksmith weapon")
    assert hold(table, 2) == {"weapon": 2, "gem": 1}
    assert at(table, "blacksmith") == {"weapon": 2}
    assert table.events("empty") == []


def test_e2_empty_library() -> None:
    """Rules AL-5.3 and AL-5.4."""
    stock = {"library": "1 book", "black_market": "1 book", "inn": "1 book", "blacksmith": "3 book"}
    table = stand(4, "2 4 6 6", tiles=["library_1"], stock=stock, holds=["1 book", "2 book", "0 book", "3 book"])
    table.play("p1 search library", "die 1", "open library_3")  # Amir 0, Juliane 1 (to move), Nadja 2, Kirsten 3
    assert [points(table, seat) for seat in range(4)] == [0, 3, 0, 3]
    assert table.state.won[1] == [TILES.index("library_1")]
    assert at(table, "black_market") == {"book": 3}
    assert at(table, "library") == {"book": 5}
    assert at(table, "inn") == {"book": 1}
    assert at(table, "blacksmith") == {"book": 3}
    assert [hold(table, seat) for seat in range(4)] == [{}, {}, {}, {}]


def test_e3_clock() -> None:
    """Rule AL-3.6."""
    table = stand(4, "4 6", tiles=["engineering_works_3"], clock=7, holds=["2 gem", "2 gem", "", ""], start=1)
    table.play("p0 search black_market")
    assert table.state.clock == 10
    assert table.position.to_move == (1,)
    assert table.options(1) == ["donate gem 0", "donate gem 2"]


def test_e4_swap() -> None:
    """Rule AL-4.5."""
    stock = {"jewelers": "6 gem", "blacksmith": "7 weapon"}
    table = stand(4, "1 4 6", tiles=["jewelers_2"], stock=stock)
    table.play("p2 search jewelers", "p2 swap gem blacksmith weapon")
    assert hold(table, 2) == {"gem": 1}
    assert at(table, "jewelers") == {"gem": 4, "weapon": 1}
    assert at(table, "blacksmith") == {"weapon": 6, "gem": 1}


def test_e5_chain_to_the_market() -> None:
    """Rule AL-4.9."""
    stock = {"jewelers": "5 gem", "black_market": "2 gem"}
    table = stand(4, "1 4 6", tiles=["jewelers_3"], stock=stock, submarine="inn")
    table.play("p2 search jewelers", "die 6", "die 6")
    assert hold(table, 2) == {"gem": 2}
    assert at(table, "black_market") == {"gem": 1}
    assert gates(table) == {"engineering_works": 1, "black_market": 1}
    assert table.position.to_move == (3,)


def test_e6_submarine() -> None:
    """Rule AL-4.8."""
    table = stand(4, "4 5 6", submarine="library").play("p2 search engineering_works", "p2 move_submarine black_market")
    assert hold(table, 2) == {"tool": 1}
    assert AREAS[table.state.submarine] == "black_market"


def test_e7_submarine_onto_the_searched_area() -> None:
    """Rules AL-3.5 and AL-4.8."""
    table = stand(4, "4 5 6", submarine="library")
    table.play("p2 search engineering_works", "p2 move_submarine engineering_works")
    assert hold(table, 2) == {"tool": 1}
    assert table.position.to_move == (3,)


def test_e8_single_winner_and_two_seconds() -> None:
    """Rule AL-5.2."""
    table = stand(4, "1 4 6", stock={"jewelers": "1 gem"}, holds=["4 gem", "2 gem", "1 gem", ""])
    table.play("p2 search jewelers", "open jewelers_1")
    assert [points(table, seat) for seat in range(4)] == [3, 1, 1, 0]
    assert len(table.state.won[0]) == 1


def test_e9_die_of_a_used_up_district() -> None:
    """Rule AL-3.2."""
    assert gates(rolled(1, 1, 2, 6, 5, 4, 3, used_up="jewelers"))["black_market"] == 3


def test_e10_early_end() -> None:
    """Rule AL-7.1."""
    table = stand(3, "3 1 2 4 5 6 6", tiles=["inn_1"], clock=22).play("p0 search inn", "die 3")
    assert table.state.clock == 23
    finish(table)
    assert len(table.events("search")) == 6
    assert table.events("clock") == []
    assert table.position.over
