"""Environments can be copied and pickled at any moment, and the copy continues like the original."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable
from typing import Any

import numpy as np
import pyspiel
import pytest

import atoll
from atoll.env import endgames, tiny  # noqa: F401 - they enter their games
from atoll.env.gymnasium import LearnerEnv
from atoll.env.pettingzoo import GameEnv, env, raw_env


def pickled(table: Any) -> Any:
    return pickle.loads(pickle.dumps(table))  # noqa: S301 - our own


COPIES: list[Callable[[Any], Any]] = [copy.deepcopy, pickled]
in_both_ways = pytest.mark.parametrize("copied", COPIES, ids=["deepcopy", "pickle"])


def learner_goes_on(table: LearnerEnv, steps: int) -> list[Any]:
    """Return the observations and rewards of some steps, beyond the end of the game."""
    found: list[Any] = []
    for _ in range(steps):
        mask = table.action_masks()
        observation, reward, ended, _, _ = table.step(int(np.flatnonzero(mask)[len(found) % mask.sum()]))
        found.append((observation["observation"].tolist(), reward, ended))
        if ended:
            table.reset()
    return found


@in_both_ways
@pytest.mark.parametrize(
    "settings",
    [
        {"opponents": "random", "form": "tokens"},
        {"opponents": "greedy", "actions": "candidates"},
        {"opponents": "expert", "iterations": 3, "form": "onehot"},
        {"opponents": "random", "render_mode": "ansi"},
    ],
    ids=str,
)
@pytest.mark.parametrize("game", list(atoll.games))
def test_a_learners_game_goes_on_in_its_copy(game: str, settings: dict[str, Any], copied: Callable[[Any], Any]) -> None:
    table = LearnerEnv(game, **settings)
    fresh = copied(table)
    for each in (table, fresh):
        each.reset(seed=3)
    assert learner_goes_on(table, 9) == learner_goes_on(fresh, 9)
    other = copied(table)
    assert other.position.digest() == table.position.digest()
    steps = 60 if settings["opponents"] == "random" else 5
    assert learner_goes_on(table, steps) == learner_goes_on(other, steps)


def agents_go_on(table: GameEnv, steps: int) -> list[Any]:
    found: list[Any] = []
    for _ in range(steps):
        observation, reward, ended, _, _ = table.last()
        legal = np.flatnonzero(observation["action_mask"])
        found.append((observation["observation"].tolist(), reward, ended))
        table.step(None if ended else int(legal[len(found) % len(legal)]))
        if not table.agents:
            table.reset()
    return found


@in_both_ways
@pytest.mark.parametrize("name", list(atoll.games))
def test_a_table_goes_on_in_its_copy(name: str, copied: Callable[[Any], Any]) -> None:
    table = env(name)
    fresh = copied(table)
    for each in (table, fresh):
        each.reset(seed=3)
    assert agents_go_on(table, 12) == agents_go_on(fresh, 12)
    assert agents_go_on(copied(table), 80) == agents_go_on(table, 80)


@pytest.mark.parametrize(
    "name",
    ["atoll_wutaki(players=3)", "atoll_atacama(tactic=True)", "atoll_tiny_atacama", "atoll_late_raiatea(deals=2)"],
)
def test_openspiels_games_and_states_can_be_pickled(name: str) -> None:
    game = pyspiel.load_game(name)
    other = pickled(game)
    assert (str(other), type(other)) == (str(game), type(game))
    state = game.new_initial_state()
    for _ in range(2):
        state.apply_action(state.legal_actions()[0])
    assert str(pickled(state)) == str(state)


def test_a_copy_is_a_game_of_its_own() -> None:
    table = raw_env("atacama")
    table.reset(seed=1)
    other = copy.deepcopy(table)
    before = table.observe("seat_0")["observation"]
    agents_go_on(other, 5)
    assert (table.observe("seat_0")["observation"] == before).all()
