"""MaskablePPO of Stable-Baselines3 (sb3-contrib) learns Atacama against the random bot.

    python -m examples.recipes.maskable_ppo_sb3 --updates 40

It asks each game for `action_masks()`, and sees the multi-hot observation alone. Its usual settings are for long games
with a reward in each step: here nothing is discounted, and many short games make up a batch (Huang and Ontañón 2022).
"""

from __future__ import annotations

import argparse
from typing import Any

import gymnasium
import numpy as np
import torch
from gymnasium.wrappers import TransformObservation
from sb3_contrib import MaskablePPO
from stable_baselines3.common.callbacks import BaseCallback
from stable_baselines3.common.env_util import make_vec_env

import atoll.env  # noqa: F401 - enters the games

GAME = "atoll/Atacama-v1"
GAMES = 32  # one after another, each step of all a batch for the net
STEPS = 64  # of each between two updates


def table() -> gymnasium.Env[Any, Any]:
    """One game, whose observations are an array: the mask goes another way."""
    env = gymnasium.make(GAME, opponents="random", form="onehot")
    space: Any = env.observation_space
    return TransformObservation(env, lambda seen: seen["observation"], space["observation"])


class Curve(BaseCallback):
    """Per update the mean reward of the games that ended before it."""

    def __init__(self) -> None:
        super().__init__()
        self.means: list[float] = []
        self._ended: list[float] = []

    def _on_step(self) -> bool:
        self._ended += [info["episode"]["r"] for info in self.locals["infos"] if "episode" in info]
        return True

    def _on_rollout_end(self) -> None:
        self.means.append(float(np.mean(self._ended)))
        self._ended = []


def train(updates: int, seed: int = 1) -> tuple[MaskablePPO, list[float]]:
    """A learner, and per update the mean reward of the games that ended before it."""
    torch.set_num_threads(1)  # the net is small
    tables = make_vec_env(table, n_envs=GAMES, seed=seed)
    learner = MaskablePPO(
        "MlpPolicy",
        tables,
        n_steps=STEPS,
        batch_size=256,
        n_epochs=4,
        learning_rate=1e-3,
        gamma=1.0,
        ent_coef=0.01,
        policy_kwargs={"net_arch": [128, 128], "activation_fn": torch.nn.ReLU},
        device="cpu",
        seed=seed,
    )
    curve = Curve()
    learner.learn(updates * GAMES * STEPS, callback=curve)
    tables.close()
    return learner, curve.means


def main() -> None:
    """Train, and tell how well it plays meanwhile."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--updates", type=int, default=40, help=f"of {STEPS * GAMES} decisions each")
    _, curve = train(parser.parse_args().updates)
    for number, reward in enumerate(curve):
        print(f"{number:>4} {reward:+.2f}")


if __name__ == "__main__":
    main()
