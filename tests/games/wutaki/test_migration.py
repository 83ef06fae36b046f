"""A running game of older rules goes on under today's."""

import json
from random import Random
from typing import Any

import pytest

from atoll.engine import Position, SaveError, SeededSource
from atoll.games.wutaki import GAME
from atoll.games.wutaki.learn.positions import accept, hire, stand, state, stock, table, take_board


def of_rules_1(position: Position) -> dict[str, Any]:
    """A save as rules 1 wrote it, with the components of its time."""
    data: dict[str, Any] = json.loads(position.save())
    assert (data["rules_version"], data["box"]) == (3, GAME.boxes[3])
    return {**data, "rules_version": 1, "box": GAME.boxes[1]}


def test_the_components_of_these_rules_are_known_by_their_hash() -> None:
    assert GAME.boxes[GAME.rules_version] == GAME.box_hash


@pytest.mark.parametrize("seats", [2, 4])
def test_a_game_of_rules_1_goes_on_to_its_end(seats: int) -> None:
    position = GAME.new(seats, {"masterboards": "asymmetric", "player_boards": "b"}, seed=3)
    rng = Random(3)
    for _ in range(150):
        seat = position.to_move[0]
        position.apply(rng.choice(position.legal(seat)), seat)
    again = GAME.load(of_rules_1(position), source=SeededSource(3))
    assert again.state == position.state
    while not again.over:
        seat = again.to_move[0]
        again.apply(rng.choice(again.legal(seat)), seat)


def test_thieves_of_rules_1_pay_by_the_track_for_their_number_of_players() -> None:
    s = state(4, masterboards="asymmetric")
    for seat, id in enumerate(("thieves", "architects", "intelligence", "fate")):
        take_board(s, seat, id)
    s.track[0] = 2
    accept(s, 0, "fire_03")
    stock(s, 0, wood=4, sheep=8, gold=1)
    again = GAME.load(of_rules_1(table(s).position), source=SeededSource(1))
    again.apply([GAME.parse("visit loyal quarry"), GAME.parse("fulfil fire_03")], 0)
    assert again.decision(0).prompt == "pay"


def test_a_choice_that_is_asked_no_more_starts_the_segment_again() -> None:
    s = state(2)
    s.counter = 4
    accept(s, 0, "fire_03")
    stock(s, 0, wood=4)
    stock(s, 1)
    hire(s, 1, extra=2)
    stand(s, 1, "extra", "quarry")
    stand(s, 1, "extra", "market")
    position = table(s).play("p0 visit loyal pasture").position
    old = of_rules_1(position)
    choices = [[0, GAME.parse("fulfil fire_03")], [1, GAME.parse("leave extra quarry")]]
    with pytest.raises(SaveError, match="doesn't fit the rules"):
        GAME.load({**old, "since": choices})
    again = GAME.load({**old, "since": []})  # what the server does then
    again.apply(GAME.parse("fulfil fire_03"), 0)
    assert again.state.tower[1] == [0, 4, 1]


def test_a_game_with_an_owners_components_keeps_them() -> None:
    old = of_rules_1(table(state(2)).position)
    with pytest.raises(SaveError, match="made with other components"):
        GAME.load({**old, "box": "0123"})
    with pytest.raises(SaveError, match="made with other components"):
        GAME.load({**old, "rules_version": 2})
    owners = type(GAME)({**GAME.data, "game": {**GAME.data["game"], "start_vp": 6}})
    with pytest.raises(SaveError, match="made with other components"):
        owners.load(old)
