"""Exact methods run on the tiny variants, through OpenSpiel."""

from __future__ import annotations

import pyspiel
import pytest

from atoll.env.tiny import as_tree, tiny_atacama
from examples.exact import of_bots, of_cfr


def terminals(state: pyspiel.State) -> int:
    """How many ways there are to the end."""
    return 1 if state.is_terminal() else sum(terminals(state.child(action)) for action in state.legal_actions())


def test_the_tree_is_the_game() -> None:
    game = pyspiel.load_game("atoll_tiny_atacama")
    tree = as_tree(game)
    count = terminals(game.new_initial_state())
    assert count == terminals(tree.new_initial_state()) == 9 * (9 * 4 + 4 * 9)  # place and buy, or buy and place
    assert (tree.num_players(), tree.utility_sum()) == (2, 0)


def test_a_solver_comes_to_nothing_that_could_be_won() -> None:
    game = pyspiel.load_game("atoll_tiny_atacama")
    even = dict(of_bots(game, names=("greedy",)))
    cfr = dict(of_cfr(game, rounds=(1, 300)))
    assert even["even chances"] == pytest.approx(cfr["CFR, 1 rounds"]) == pytest.approx(5 / 13)
    assert even["greedy"] == pytest.approx(0)
    assert 0 <= cfr["CFR, 300 rounds"] < 0.004


def test_only_what_can_be_solved_is_offered() -> None:
    for rigs in (0, 3, -1):
        with pytest.raises(ValueError, match="allowed are 1 to 2"):
            tiny_atacama(rigs)
    with pytest.raises(pyspiel.SpielError, match="players"):
        pyspiel.load_game("atoll_tiny_atacama(players=4)")
