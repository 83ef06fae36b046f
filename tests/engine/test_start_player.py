"""The start player, if the host may choose it."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from atoll.engine import Domain, Draw, OptionError, StartPlayer, Vocabulary, find_start_player

START = Vocabulary().chance("start", Domain("seat", ("1", "2", "3", "4")))


def table(value: str, seats: int = 3) -> Any:
    return SimpleNamespace(seats=seats, options={"start_player": value})


def test_a_random_start_player_is_drawn_among_all_seats() -> None:
    flow = find_start_player(table("random"), START)
    ask = next(flow)
    assert isinstance(ask, Draw)
    assert (ask.kind, list(ask.pool)) == (START, [0, 1, 2])
    with pytest.raises(StopIteration) as end:
        flow.send(2)
    assert end.value.value == 2


@pytest.mark.parametrize(("value", "seat"), [("first_seat", 0), ("seat_1", 0), ("seat_3", 2)])
def test_a_named_start_player_needs_no_chance(value: str, seat: int) -> None:
    with pytest.raises(StopIteration) as end:
        next(find_start_player(table(value), START))
    assert end.value.value == seat


def test_a_start_player_must_play() -> None:
    option = StartPlayer("seat_1", "seat_2", "seat_3")
    option.check_seats("random", 2)
    option.check_seats("seat_2", 2)
    with pytest.raises(OptionError, match="'seat_3' doesn't exist with 2 players; allowed: random, seat_1, seat_2"):
        option.check_seats("seat_3", 2)


def test_the_option_is_a_list_of_values() -> None:
    option = StartPlayer("first_seat", default="first_seat")
    assert option.describe() == {
        "id": "start_player",
        "type": "enum",
        "default": "first_seat",
        "allowed": ["random", "first_seat"],
    }
    with pytest.raises(ValueError, match="invalid start player 'last': expected one of first_seat, seat_1"):
        StartPlayer("last")
