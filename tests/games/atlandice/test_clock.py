"""The clock hand, inventory, donation and the start player marker: AL-3.6, AL-3.7 and AL-6."""

from typing import Any

import pytest

from atoll.engine import IllegalChoice, TurnDraft
from atoll.engine.scripted_game import ScriptedGame
from atoll.games.atlandice import GAME
from atoll.games.atlandice.state import DONATE_RESOURCES, OPEN_GATES

from .tables import at, hold, lay_out, points, stand


def last_pick(*lines: str, area: int = 4, clock: int = 0, tiles: tuple[str, ...] = (), **table: Any) -> ScriptedGame:
    """Play the last pick of a round of four.

    It takes a die at the empty black market, and another die stays at an area.
    """
    made = stand(4, f"{area} 6", clock=clock, tiles=tiles, **table)
    return made.play("p3 search black_market", *lines)


@pytest.mark.parametrize(
    ("area", "tiles", "hands"),
    [
        (4, ("engineering_works_1",), 1),
        (4, ("engineering_works_2",), 2),
        (4, ("engineering_works_3",), 3),
        (1, ("jewelers_1",), 1),
        (5, ("blacksmith_3",), 3),
    ],
)
def test_hand_moves_by_the_hands_of_the_area_of_the_last_die(area: int, tiles: tuple[str, ...], hands: int) -> None:
    """Rules AL-1.2 and AL-3.6."""
    assert last_pick(area=area, tiles=tiles, clock=10).state.clock == 10 + hands


def test_the_black_market_has_two_hands() -> None:
    """Rule AL-3.6."""
    table = stand(4, "6 6", clock=11)
    assert table.state.clock == 13  # the only area with dice: searched unasked
    table = stand(4, "1 6", clock=11, used_up=["jewelers"])
    assert table.state.clock == 13


def test_the_tile_that_is_open_at_the_end_counts() -> None:
    """Rule AL-3.6, ruling R31."""
    table = stand(4, "1 1", tiles=["jewelers_1"], stock={"jewelers": "1 gem"})
    table.play("die 2", "open jewelers_3")  # R31
    assert table.state.clock == 3


def test_spaces_passed_have_no_effect() -> None:
    """Rule AL-3.6."""
    table = last_pick(tiles=("engineering_works_3",), clock=0, holds=["1 gem 2 book"])
    assert table.state.clock == 3
    assert [each["resources"] for each in table.events("inventory")] == [1]


def test_inventory_of_a_kind_gives_a_point_to_the_most() -> None:
    """Rule AL-6.1."""
    table = last_pick(clock=1, holds=["2 gem", "1 gem 5 book", "", ""])
    assert [points(table, seat) for seat in range(4)] == [1, 0, 0, 0]
    assert hold(table, 0) == {"gem": 2}  # nothing is given back


def test_inventory_gives_a_point_to_all_tied() -> None:
    """Rule AL-6.1."""
    table = last_pick(clock=1, holds=["2 gem", "2 gem", "1 gem", ""])
    assert [points(table, seat) for seat in range(4)] == [1, 1, 0, 0]


def test_inventory_of_what_nobody_has_gives_nothing() -> None:
    """Rule AL-6.1, ruling R40."""
    assert [points(last_pick(clock=1), seat) for seat in range(4)] == [0, 0, 0, 0]


def test_inventory_of_all_counts_everything() -> None:
    """Rule AL-6.1."""
    table = last_pick(clock=8, holds=["2 gem", "1 gem 2 book", "", "3 tool"])
    assert [points(table, seat) for seat in range(4)] == [0, 1, 0, 1]


def test_inventory_of_a_used_up_kind_gives_nothing() -> None:
    """Rule AL-6.1."""
    table = last_pick(clock=1, holds=["2 book"], used_up=["jewelers"])
    assert points(table, 0) == 0


def test_donation_goes_round_once_from_the_start_player() -> None:
    """Rule AL-6.2, ruling R32."""
    table = last_pick(clock=3, holds=["2 gem", "1 gem", "", "2 book"], start=0)
    assert table.state.phase == DONATE_RESOURCES
    assert table.position.to_move == (0,)
    table.play("p0 donate gem 2")
    assert table.position.to_move == (3,)  # who holds fewer than two isn't asked
    table.play("p3 donate book 0")
    assert [each["seat"] for each in table.events("donation") + table.events("no_donation")] == [0, 1, 2, 3]
    assert [points(table, seat) for seat in range(4)] == [1, 0, 0, 0]


def test_donated_resources_go_to_the_district_of_their_kind() -> None:
    """Rule AL-6.2."""
    table = last_pick("p0 donate gem 3", clock=3, holds=["3 gem 2 book"])  # 1 book must follow
    assert table.state.round == 2
    assert at(table, "jewelers") == {"gem": 9 + 3}
    assert at(table, "library") == {"book": 9 + 1}
    assert hold(table, 0) == {"book": 1}
    assert points(table, 0) == 2


def test_donation_is_even_in_all() -> None:
    """Rule AL-6.2, ruling R32."""
    table = last_pick("p0 donate gem 1", clock=3, holds=["2 gem 3 book"])
    assert table.options(0) == ["donate book 1", "donate book 3"]
    with pytest.raises(IllegalChoice, match="donate book 2"):
        table.play("p0 donate book 2")


def test_a_donation_is_made_of_its_kinds_in_any_order() -> None:
    """Rule AL-6.2."""
    position = last_pick(clock=3, holds=["2 gem 3 book"]).position
    gem, book = position.parse("donate gem 1"), position.parse("donate book 3")
    for order in ([gem, book], [book, gem]):
        draft = TurnDraft(position, 0)
        draft.add(order)
        assert draft.choices[:2] == [gem, book]
    reason = GAME.why_not(TurnDraft(position, 0).view([gem]), position.parse("donate book 2"))
    assert reason is not None
    assert (reason.key, reason.fields) == ("not_whole", {"n": 2})


def test_donation_may_be_nothing() -> None:
    """Rule AL-6.2."""
    table = last_pick("p0 donate gem 0", clock=3, holds=["1 gem 1 book"])
    assert hold(table, 0) == {"gem": 1, "book": 1}  # nothing but 0 was left to offer of the books
    assert points(table, 0) == 0


def test_donation_onto_an_unstocked_tile_stocks_it() -> None:
    """Rule AL-6.2, ruling R35."""
    s = lay_out(4, "4 6", clock=3, holds=["2 gem"], stock={"jewelers": ""})
    s.stocked[0] = False
    table = ScriptedGame.at(GAME, s).play("p3 search black_market", "p0 donate gem 2")
    assert table.state.stocked[0]
    assert table.events("empty") == []


def test_the_marker_goes_clockwise() -> None:
    """Rule AL-3.7."""
    table = last_pick(clock=0, start=0)
    assert (table.state.start_player, table.state.round, table.state.phase) == (1, 2, OPEN_GATES)
    assert sum(table.state.dice) == sum(table.state.taken) == 0
    assert last_pick_of(3).state.start_player == 0


def last_pick_of(start: int) -> ScriptedGame:
    return stand(4, "4 6", start=start).play(f"p{(start + 7) % 4} search black_market")
