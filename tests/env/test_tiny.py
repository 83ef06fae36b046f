"""Exact methods run on the tiny variants, through OpenSpiel."""

from __future__ import annotations

from collections.abc import Iterator

import pyspiel
import pytest

from atoll.engine import audience_of_seats
from atoll.env.tiny import as_tree, tiny_atacama
from atoll.env.tiny_atua import tiny_atua
from atoll.env.tiny_wutaki import tiny_wutaki
from examples.exact import of_bots, of_cfr


def terminals(state: pyspiel.State) -> int:
    """Return the number of paths to the end."""
    return 1 if state.is_terminal() else sum(terminals(state.child(action)) for action in state.legal_actions())


def deciders(state: pyspiel.State) -> Iterator[int]:
    """Yield the player of each decision with a choice."""
    if len(state.legal_actions()) > 1 and not state.is_chance_node():
        yield state.current_player()
    for action in state.legal_actions():
        yield from deciders(state.child(action))


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
        with pytest.raises(ValueError, match="expected 1 to 2"):
            tiny_atacama(rigs)
    for chosen in (2, -1):
        with pytest.raises(ValueError, match="expected 0 to 1"):
            tiny_atua(chosen)
    for end in (6, 11):
        with pytest.raises(ValueError, match="expected 7 to 10"):
            tiny_wutaki(end)
    for name in ("atacama", "atua", "wutaki"):
        with pytest.raises(pyspiel.SpielError, match="players"):
            pyspiel.load_game(f"atoll_tiny_{name}(players=4)")


@pytest.mark.parametrize(
    ("name", "ends", "even", "greedy"), [("atua", 231, 0.8605, 0), ("wutaki(end=7)", 108, 0.6071, 0.2)]
)
def test_both_seats_decide_and_a_solver_leaves_little_to_be_won(
    name: str, ends: int, even: float, greedy: float
) -> None:
    game = pyspiel.load_game(f"atoll_tiny_{name}")
    assert terminals(as_tree(game).new_initial_state()) == ends
    assert set(deciders(game.new_initial_state())) == {0, 1}
    bots = dict(of_bots(game, names=("greedy",)))
    cfr = dict(of_cfr(game, rounds=(1, 300)))
    assert bots["even chances"] == pytest.approx(cfr["CFR, 1 rounds"]) == pytest.approx(even, abs=0.0001)
    assert bots["greedy"] == pytest.approx(greedy)
    assert 0 <= cfr["CFR, 300 rounds"] < 0.007


def test_cards_that_are_printed_alike_are_one_outcome_of_chance() -> None:
    game = pyspiel.load_game("atoll_tiny_atua")
    state = game.new_initial_state()
    for _ in range(2):
        ((village, chance),) = state.chance_outcomes()
        assert chance == 1
        state.apply_action(village)
    texts = {state.action_to_string(outcome): chance for outcome, chance in state.chance_outcomes()}
    assert texts == {"reveal_card shore_0": 21 / 22, "reveal_card mountain_0": 1 / 22}
    shore, mountain = (outcome for outcome, _ in state.chance_outcomes())
    state.apply_action(mountain)
    ((shore, chance),) = state.chance_outcomes()
    assert (state.action_to_string(shore), chance) == ("reveal_card shore_0", 1)


def test_what_is_scored_in_secret_is_one_of_six_in_atua() -> None:
    state = pyspiel.load_game("atoll_tiny_atua(chosen=1)").new_initial_state()
    while len(state.legal_actions()) < 6:
        state.apply_action(state.legal_actions()[0])
    first = state.current_player()
    states = [state.child(action) for action in state.legal_actions()]
    other = 1 - first
    assert [each.current_player() for each in states] == [other] * 6
    assert len({each.information_state_string(other) for each in states}) == 1


def dealt(state: pyspiel.State, seat: int, kinds: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], str]]:
    """Yield the knowledge of a seat for each deal of secret pacts.

    Each item has the kinds of its pacts, and all that it knows when it chooses the pact to keep.
    """
    for action in state.legal_actions():
        text = state.action_to_string(action)
        drawn = state.is_chance_node() and text.startswith("draw_secret_pact")
        mine = drawn and state.position.pending_chance.audience == audience_of_seats(seat)
        after = state.child(action)
        known = (*kinds, text.rstrip("0123456789")) if mine else kinds
        if after.current_player() == seat:
            yield known, after.information_state_string(seat)
        elif after.is_chance_node() or after.current_player() == 0:
            yield from dealt(after, seat, known)


@pytest.mark.parametrize("seat", [0, 1])
def test_the_number_of_a_card_tells_nothing_of_the_others(seat: int) -> None:
    start = pyspiel.load_game("atoll_tiny_wutaki").new_initial_state()
    found = set(dealt(start, seat))
    assert len({kinds for kinds, _ in found}) == len(found) == 4


def test_of_choices_that_mean_the_same_one_is_legal() -> None:
    state = pyspiel.load_game("atoll_tiny_wutaki").new_initial_state()
    while state.is_chance_node():
        state.apply_action(state.legal_actions()[0])
    both = state.position.legal_choices(0)
    assert [state.position.game.text(choice) for choice in both] == ["keep most_gold_0", "keep most_gold_1"]
    assert state.legal_actions() == both[:1]
    assert [state.representative(choice) for choice in both] == [both[0]] * 2
