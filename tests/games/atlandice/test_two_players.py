"""The neutral player: AL-8.1."""

from atoll.engine.scripted_game import ScriptedGame

from .tables import at, finish, hold, points, stand
from .test_preparation import OPENED

NEUTRAL = 2


def both(*areas: str) -> list[str]:
    return [f"search {area}" for area in areas] + [f"search_neutral {area}" for area in areas]


def test_each_takes_three_dice_in_turn_and_one_stays() -> None:
    """Rules AL-2.1 and AL-8.1."""
    table = ScriptedGame("atlandice", 2, {"start_player": "seat_2"}).play(*OPENED, *["die 6"] * 7)
    while table.state.round == 1 and table.position.to_move:
        seat = table.position.to_move[0]
        table.play(f"p{seat} {table.options(seat)[0]}")
    seats = [event.fields["seat"] for event in table.position.events if event.key in ("search", "search_neutral")]
    assert seats == [1, 0, 1, 0, 1, 0]
    assert len(table.events("clock")) == 1


def test_the_neutral_die_may_be_any_of_the_three() -> None:
    """Rule AL-8.1."""
    table = stand(2, "1 2 3 4 5 6 6")
    areas = ("jewelers", "library", "inn", "engineering_works", "blacksmith", "black_market")
    assert table.options(0) == both(*areas)
    assert stand(2, "1 2 6 6 6").options(0) == both("jewelers", "library", "black_market")


def test_once_handed_over_the_others_are_ones_own() -> None:
    """Rule AL-8.1."""
    assert stand(2, "1 2 6 6 6", handed=[0]).options(0) == ["search jewelers", "search library", "search black_market"]


def test_the_third_die_must_be_handed_over_if_none_was() -> None:
    """Rule AL-8.1."""
    assert stand(2, "1 2 6", handed=[1]).options(0) == [
        "search_neutral jewelers",
        "search_neutral library",
        "search_neutral black_market",
    ]


def test_exactly_two_dice_of_a_round_are_for_the_neutral_player() -> None:
    """Rule AL-8.1."""
    table = finish(stand(2, "1 2 3 4 5 6 6"))
    assert len(table.events("search_neutral")) == 2
    assert {each["seat"] for each in table.events("search_neutral")} == {0, 1}
    assert len(table.events("search")) == 4


def test_the_actor_decides_and_the_neutral_player_receives() -> None:
    """Rule AL-8.1."""
    table = stand(2, "6 1 2", handed=[1], stock={"black_market": "1 gem 1 book 1 tool"}, submarine="inn")
    table.play("p0 search_neutral black_market")
    assert table.options(0) == ["take gem", "take book", "take tool"]
    table.play("p0 take book")
    assert hold(table, NEUTRAL) == {"book": 1}
    assert hold(table, 0) == {}


def test_the_submarine_extra_is_compulsory_for_the_neutral_player() -> None:
    """Rules AL-3.5 and AL-8.1, ruling R33."""
    table = stand(2, "6 1 2", handed=[1], stock={"black_market": "1 gem 1 book 1 tool"})
    table.play("p0 search_neutral black_market", "p0 take book")
    assert table.options(0) == ["take_extra gem", "take_extra tool"]
    assert hold(table.play("p0 take_extra gem"), NEUTRAL) == {"gem": 1, "book": 1}


def test_effects_give_to_the_neutral_player_without_declining() -> None:
    """Rules AL-4.3 and AL-8.1, ruling R33."""
    table = stand(2, "2 1 3", handed=[1], tiles=["library_1"]).play("p0 search_neutral library", "die 5")
    assert table.options(0) == [
        "gain jewelers gem",
        "gain inn provision",
        "gain engineering_works tool",
        "gain blacksmith weapon",
    ]
    assert hold(table.play("p0 gain inn provision"), NEUTRAL) == {"book": 1, "provision": 1}


def test_moves_are_as_the_actor_likes() -> None:
    """Rule AL-8.1."""
    table = stand(2, "4 1 2", handed=[1]).play("p0 search_neutral engineering_works")
    assert len(table.options(0)) == 5
    assert table.play("p0 move_submarine jewelers").state.submarine == 0


def test_r44_the_second_die_is_the_second_that_the_actor_has_taken() -> None:
    """Rules AL-4.10 and AL-8.1, ruling R44."""
    after_own = stand(2, "2 2 2 6 6", tiles=["library_3"])
    assert after_own.play("p0 search library").options(0) == ["gain library book", "decline"]
    after_neutral = stand(2, "2 2 2 6 6", handed=[0], tiles=["library_3"])
    assert after_neutral.play("p0 search library").options(0) == ["gain library book", "decline"]
    for_neutral = stand(2, "2 2 2 6 6", tiles=["library_3"]).play("p0 search_neutral library")
    assert hold(for_neutral, NEUTRAL) == {"book": 2}  # the effect refers to the neutral player
    third = stand(2, "2 2 6", handed=[1], tiles=["library_3"]).play("p0 search_neutral library")
    assert hold(third, NEUTRAL) == {"book": 1}


def test_the_reroll_of_the_neutral_player_gives_to_it() -> None:
    """Rule AL-8.1."""
    table = stand(2, "1 4 6", handed=[1], tiles=["jewelers_3"], submarine="engineering_works")
    table.play("p0 search_neutral jewelers", "die 6", "die 4")
    assert hold(table, NEUTRAL) == {"gem": 1, "tool": 2}  # one more by the submarine, unasked
    assert table.options(0)[0] == "move_submarine jewelers"


def test_the_neutral_player_wins_tiles_and_points_and_returns_resources() -> None:
    """Rule AL-8.1."""
    stock = {"jewelers": "1 gem"}
    table = stand(2, "1 4 6", handed=[1], tiles=["jewelers_1"], stock=stock, holds=["2 gem", "1 gem", "2 gem"])
    table.play("p0 search_neutral jewelers", "die 2", "open jewelers_2")
    assert [points(table, holder) for holder in range(3)] == [1, 0, 3]
    assert [hold(table, holder) for holder in range(3)] == [{}, {}, {}]
    assert at(table, "jewelers") == {"gem": 3}


def test_the_neutral_player_takes_a_tied_tile_last() -> None:
    """Rules AL-5.3 and AL-8.1, ruling R25."""
    stock = {"jewelers": "1 gem"}
    table = stand(2, "1 4 6", handed=[1], tiles=["jewelers_1"], stock=stock, holds=["", "2 gem", "1 gem"])
    table.play("p0 search_neutral jewelers", "die 2", "open jewelers_2")
    assert table.state.won == [[], [0], []]
    assert [points(table, holder) for holder in range(3)] == [0, 3, 3]


def last_pick(clock: int, holds: list[str], tile: str = "engineering_works_1") -> ScriptedGame:
    table = stand(2, "4 6", handed=[0, 1], tiles=[tile], clock=clock, holds=holds)
    return table.play("p1 search black_market")


def test_the_neutral_player_takes_part_in_inventories() -> None:
    """Rule AL-8.1."""
    table = last_pick(1, ["1 gem", "", "2 gem"])
    assert [points(table, holder) for holder in range(3)] == [0, 0, 1]


def test_the_neutral_player_never_donates() -> None:
    """Rules AL-6.2 and AL-8.1, ruling R43."""
    table = last_pick(3, ["2 gem", "", "4 gem"]).play("p0 donate gem 0")
    assert table.state.round == 2
    assert hold(table, NEUTRAL) == {"gem": 4}


def test_the_neutral_player_is_scored_in_the_end_but_not_ranked() -> None:
    """Rules AL-7.3 and AL-8.1, ruling R38."""
    table = last_pick(22, ["2 gem 1 book", "1 gem", "3 gem 2 book 5 tool"])
    assert table.position.over
    assert table.position.scores() == [1 + 1, 0]
    assert table.position.ranking() == [1, 2]
    assert table.position.view(None)["live"]["scores"] == [2, 0, 9]
    assert len(table.position.explain()) == 2


def test_the_marker_alternates() -> None:
    """Rules AL-3.7 and AL-8.1."""
    table = last_pick(0, ["", "", ""])
    assert table.state.start_player == 1
    assert table.state.handed == [False, False]
    assert table.state.taken == [0, 0, 0]
