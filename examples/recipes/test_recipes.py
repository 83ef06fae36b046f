"""Tests that each recipe learns within seconds: it beats the random bot more often than at first."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from examples.recipes import baselines, maskable_ppo_sb3, masked_ppo_rllib, ppo_jax, ppo_torchrl

UPDATES = 20


def rise(curve: Sequence[float]) -> float:
    """Return the mean reward of the last three updates minus that of the first three."""
    assert len(curve) == UPDATES
    return float(np.mean(curve[-3:]) - np.mean(curve[:3]))


def test_ppo_in_one_file_learns() -> None:
    """With JAX alone."""
    _, curve = ppo_jax.train(UPDATES)
    assert rise(curve) > 0.25


def test_advantages_of_seats_that_take_turns() -> None:
    """Each seat looks from its own decision to its next one; the end of a game pays all seats."""
    seats = np.array([[0], [1], [0], [1]])
    rewards = np.zeros((4, 1, 2))
    rewards[2, 0] = 1, -1
    values = np.array([[0.5], [0.25], [0.75], [0.125]])
    ends = np.array([[False], [False], [True], [False]])
    found = baselines.advantages(seats, rewards, values, ends, np.array([0]), np.array([9.0]))[:, 0]
    assert found.tolist() == [0.25 + ppo_jax.LAMBDA * 0.25, -1.25, 0.25, 0.0]


def test_ppo_by_self_play_learns() -> None:
    """It beats the random bot more often at the end of a short training."""
    _, curve = baselines.train("atacama", UPDATES, seed=1, every=UPDATES)
    assert curve[-1]["random"] > curve[0]["random"] + 0.1


def test_maskable_ppo_of_stable_baselines_learns() -> None:
    """The games' own masks are asked for."""
    _, curve = maskable_ppo_sb3.train(UPDATES)
    assert rise(curve) > 0.25


def test_ppo_of_torchrl_learns() -> None:
    """TorchRL's wrappers of the games give enough information to learn."""
    _, curve = ppo_torchrl.train(UPDATES)
    assert rise(curve) > 0.25


def test_ppo_of_rllib_learns_and_leaves_nothing_behind() -> None:
    """Our module does the masking. Without a storage path RLlib would store a folder for each run."""
    usual = Path.home() / "ray_results"
    before = set(usual.glob("*"))
    assert rise(masked_ppo_rllib.train(UPDATES)) > 0.25
    assert set(usual.glob("*")) == before
