"""Each recipe learns something in a few seconds: in the end it beats the random bot more often than at first."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from examples.recipes import maskable_ppo_sb3, masked_ppo_rllib, ppo_jax, ppo_torchrl

UPDATES = 20


def rise(curve: Sequence[float]) -> float:
    """How much the mean reward of the last three updates is above that of the first three."""
    assert len(curve) == UPDATES
    return float(np.mean(curve[-3:]) - np.mean(curve[:3]))


def test_ppo_in_one_file_learns() -> None:
    """With JAX alone."""
    _, curve = ppo_jax.train(UPDATES)
    assert rise(curve) > 0.25


def test_maskable_ppo_of_stable_baselines_learns() -> None:
    """The games' own masks are asked for."""
    _, curve = maskable_ppo_sb3.train(UPDATES)
    assert rise(curve) > 0.25


def test_ppo_of_torchrl_learns() -> None:
    """With what TorchRL makes of the games."""
    _, curve = ppo_torchrl.train(UPDATES)
    assert rise(curve) > 0.25


def test_ppo_of_rllib_learns_and_leaves_nothing_behind() -> None:
    """With a module of ours that masks; by itself RLlib would keep a folder of each run."""
    usual = Path.home() / "ray_results"
    before = set(usual.glob("*"))
    assert rise(masked_ppo_rllib.train(UPDATES)) > 0.25
    assert set(usual.glob("*")) == before
