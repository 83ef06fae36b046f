"""Gates, searches and the submarine: AL-3.2 to AL-3.5."""

import pytest

from atoll.engine import IllegalChoice
from atoll.engine.scripted_game import ScriptedGame
from atoll.games.atlandice import GAME
from atoll.games.atlandice.state import OPEN_GATES

from .tables import at, finish, gates, hold, lay_out, stand
from .test_preparation import OPENED


def rolled(*faces: int, used_up: str = "") -> ScriptedGame:
    """A table of three at the start of a round, after this roll."""
    s = lay_out(3, "1 2 3 4 5 6 6", used_up=used_up.split())
    s.phase = OPEN_GATES
    s.dice = [0] * 6
    return ScriptedGame.at(GAME, s).play(*(f"die {face}" for face in faces))


def test_gates_open_by_the_numbers() -> None:
    """Rule AL-3.2."""
    assert gates(rolled(1, 1, 2, 3, 4, 5, 6)) == {
        "jewelers": 2,
        "library": 1,
        "inn": 1,
        "engineering_works": 1,
        "blacksmith": 1,
        "black_market": 1,
    }


def test_dice_for_used_up_districts_open_the_black_market() -> None:
    """Rule AL-3.2, ruling R27."""
    assert gates(rolled(1, 1, 2, 2, 3, 3, 6, used_up="jewelers inn")) == {"library": 2, "black_market": 5}


def test_search_begins_with_the_start_player_and_goes_clockwise() -> None:
    """Rules AL-3.1 and AL-3.3."""
    table = ScriptedGame("atlandice", 3, {"start_player": "seat_2"}).play(*OPENED, *["die 6"] * 7)
    order = []
    for _ in range(6):  # all dice lie at the black market, so only the kind is asked
        order.append(table.position.to_move[0])
        table.play(f"p{order[-1]} {table.options(order[-1])[0]}")
    assert order == [1, 2, 0, 1, 2, 0]


@pytest.mark.parametrize("seats", [3, 4])
def test_everybody_takes_two_dice_and_one_stays(seats: int) -> None:
    """Rules AL-3.1 and AL-3.3."""
    table = stand(seats, "1 2 3 4 5 6 6" if seats == 3 else "1 2 3 4 5 6 6 6 6")
    finish(table)
    assert len(table.events("search")) == 2 * seats
    assert len(table.events("clock")) == 1
    assert [sum(each["seat"] == seat for each in table.events("search")) for seat in range(seats)] == [2] * seats


def test_without_a_die_there_is_no_search() -> None:
    """Rule AL-3.3."""
    table = stand(4, "1 3 6")
    assert table.options(2) == ["search jewelers", "search inn", "search black_market"]
    with pytest.raises(IllegalChoice, match="search library"):
        table.play("p2 search library")


def test_the_die_is_taken_away() -> None:
    """Rule AL-3.3."""
    table = stand(4, "2 2 4").play("p2 search library")
    assert gates(table) == {"library": 1, "engineering_works": 1}


def test_foreign_resources_in_a_district_may_be_taken() -> None:
    """Rule AL-3.4, ruling R7."""
    table = stand(4, "2 6", stock={"library": "1 book 1 gem 1 weapon"})
    table.play("p3 search library")
    assert table.options(3) == ["take gem", "take book", "take weapon"]
    table.play("p3 take weapon")
    assert hold(table, 3) == {"weapon": 1}
    assert at(table, "library") == {"gem": 1, "book": 1}


def test_an_empty_area_may_be_searched_for_its_effect() -> None:
    """Rule AL-3.3, ruling R8."""
    s = lay_out(3, "4 6", stock={"engineering_works": ""}, holds=["", "", "1 book"])
    s.stocked[3] = False  # R8, R18: a tile that got no resource
    table = ScriptedGame.at(GAME, s).play("p2 search engineering_works")
    assert hold(table, 2) == {"book": 1}
    assert table.options(2)[0] == "move_submarine jewelers"


def test_an_empty_black_market_may_be_searched_for_nothing() -> None:
    """Rule AL-3.3, ruling R8."""
    table = stand(4, "6 4 4").play("p2 search black_market")
    assert hold(table, 2) == {}
    assert table.position.to_move == (3,)


def test_a_single_resource_is_taken_unasked() -> None:
    """Rule AL-3.4."""
    table = stand(4, "1 6 6").play("p2 search jewelers")
    assert hold(table, 2) == {"gem": 1}


def test_submarine_gives_one_more_of_any_kind() -> None:
    """Rule AL-3.5."""
    table = stand(4, "6 4 4", stock={"black_market": "1 gem 2 tool"}).play("p2 search black_market", "p2 take tool")
    assert table.options(2) == ["take_extra gem", "take_extra tool", "decline"]
    assert hold(table.play("p2 take_extra gem"), 2) == {"gem": 1, "tool": 1}
    assert table.position.to_move == (3,)


def test_submarine_extra_may_be_declined() -> None:
    """Rule AL-3.5, ruling R9."""
    table = stand(4, "6 4 4", stock={"black_market": "1 gem 2 tool"})
    table.play("p2 search black_market", "p2 take tool", "p2 decline")
    assert hold(table, 2) == {"tool": 1}
    assert table.events("declined") == [{"seat": 2}]


def test_submarine_gives_nothing_where_nothing_is_left() -> None:
    """Rule AL-3.5."""
    table = stand(4, "6 4 4", stock={"black_market": "1 gem"}).play("p2 search black_market")
    assert hold(table, 2) == {"gem": 1}
    assert table.position.to_move == (3,)


def test_submarine_elsewhere_gives_nothing() -> None:
    """Rule AL-3.5."""
    table = stand(4, "6 4 4", stock={"black_market": "1 gem 1 book"}, submarine="inn")
    table.play("p2 search black_market", "p2 take gem")
    assert table.position.to_move == (3,)
