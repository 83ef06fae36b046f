"""Exact methods run on the ends of games, through OpenSpiel."""

from __future__ import annotations

import pyspiel
import pytest

import atoll
from atoll.env.endgames import LATE, deal, late_position
from examples.exact import of_cfr


@pytest.mark.parametrize("game_id", LATE)
def test_a_solver_comes_to_nothing_that_could_be_won(game_id: str) -> None:
    game = pyspiel.load_game(f"atoll_late_{game_id}")
    found = dict(of_cfr(game, rounds=(1, 100)))
    assert found["CFR, 1 rounds"] > 0.1
    assert 0 <= found["CFR, 100 rounds"] < found["CFR, 1 rounds"] / 50


def test_it_begins_so_many_decisions_before_the_end() -> None:
    game = atoll.games["atlandice"]
    early, late = (late_position(game, 2, 2, left) for left in (6, 1))
    assert early.sequence < late.sequence
    assert len(late.legal_choices(late.to_move[0])) > 1
    assert late_position(game, 2, 2, 6).digest() == early.digest()
    assert late_position(game, 2, 3, 6).digest() != early.digest()
    with pytest.raises(ValueError, match="had"):
        late_position(game, 2, 2, 10_000)
    with pytest.raises(ValueError, match="at least 1"):
        late_position(game, 2, 2, 0)


def test_what_the_seat_that_is_asked_knows_is_the_same_in_every_deal() -> None:
    position = late_position(atoll.games["raiatea"], 3, 11, 6)
    seat = position.to_move[0]
    deals = deal(position, 8)
    assert len(deals) > 1
    assert sum(chance for _, chance in deals) == pytest.approx(1)
    assert all(copy.view(seat) == position.view(seat) for copy, _ in deals)
    others = [other for other in range(3) if other != seat]
    assert any(copy.view(other) != position.view(other) for copy, _ in deals for other in others)
    assert deal(position, 1) == [(position, 1.0)]
    with pytest.raises(ValueError, match="at least 1"):
        deal(position, 0)


def test_chance_deals_first() -> None:
    state = pyspiel.load_game("atoll_late_raiatea(deals=8)").new_initial_state()
    assert state.is_chance_node()
    chances = dict(state.chance_outcomes())
    assert sum(chances.values()) == pytest.approx(1)
    firsts = [state.child(action) for action in chances]
    seat = firsts[0].current_player()
    assert len({first.information_state_string(seat) for first in firsts}) == 1
    assert len({str(first) for first in firsts}) == len(chances) > 1
    copy = state.clone()
    copy.apply_action(0)
    assert state.is_chance_node()
    assert not copy.is_chance_node()
