"""PPO of RLlib learns Atacama against the random bot; its module gives actions that aren't legal no probability.

    python -m examples.recipes.masked_ppo_rllib --updates 40

All runs in one process. `num_env_runners=8` plays in as many others; those that don't have this folder enter the games
by `ray.tune.register_env`.
"""

from __future__ import annotations

import argparse
from tempfile import TemporaryDirectory
from typing import Any
from unittest.mock import patch

import ray
import torch
from ray.rllib.algorithms.algorithm import Algorithm
from ray.rllib.algorithms.ppo import PPOConfig
from ray.rllib.core.columns import Columns
from ray.rllib.core.rl_module.apis.value_function_api import ValueFunctionAPI
from ray.rllib.core.rl_module.rl_module import RLModuleSpec
from ray.rllib.core.rl_module.torch.torch_rl_module import TorchRLModule
from torch import nn

import atoll.env  # noqa: F401 - enters the games

GAME = "atoll/Atacama-v1"
SETTINGS: dict[str, Any] = {"opponents": "random", "form": "onehot"}
GAMES = 32  # in lockstep
STEPS = 64  # of each between two updates
WIDTH = 128


def new_net(inputs: int, outputs: int) -> nn.Sequential:
    """Two hidden layers."""
    return nn.Sequential(
        nn.Linear(inputs, WIDTH), nn.ReLU(), nn.Linear(WIDTH, WIDTH), nn.ReLU(), nn.Linear(WIDTH, outputs)
    )


class Masked(TorchRLModule, ValueFunctionAPI):
    """A net that chooses, at first nearly at random, and one that values."""

    def setup(self) -> None:
        """Make the nets."""
        seen: Any = self.observation_space
        done: Any = self.action_space
        size = seen["observation"].shape[0]
        self.policy = new_net(size, int(done.n))
        self.value = new_net(size, 1)
        with torch.no_grad():
            self.policy[-1].weight *= 0.01

    def _forward(self, batch: dict[str, Any], **_: Any) -> dict[str, Any]:
        seen = batch[Columns.OBS]
        logits = self.policy(seen["observation"])
        return {Columns.ACTION_DIST_INPUTS: logits.masked_fill(seen["action_mask"] == 0, -1e9)}

    def compute_values(self, batch: dict[str, Any], embeddings: Any = None) -> torch.Tensor:
        """Return the value of each observation."""
        return self.value(batch[Columns.OBS]["observation"]).squeeze(-1)


def new_learner(seed: int) -> Algorithm:
    """A learner in this process."""
    config = PPOConfig()
    config.environment(GAME, env_config=SETTINGS)
    config.env_runners(num_env_runners=0, num_envs_per_env_runner=GAMES, rollout_fragment_length=STEPS)
    config.learners(num_learners=0)
    config.rl_module(rl_module_spec=RLModuleSpec(module_class=Masked))
    config.training(
        train_batch_size_per_learner=GAMES * STEPS,
        minibatch_size=256,
        num_epochs=4,
        lr=1e-3,
        gamma=1.0,
        lambda_=0.95,
        clip_param=0.2,
        use_kl_loss=False,
        vf_loss_coeff=0.5,
        entropy_coeff=0.01,
        grad_clip=0.5,
    )
    config.debugging(seed=seed, log_level="ERROR")
    return config.build_algo()


def train(updates: int, seed: int = 1) -> list[float]:
    """Per update the mean reward of the last hundred games that ended before it."""
    torch.set_num_threads(1)  # the net is small
    ray.init("local", num_cpus=1, include_dashboard=False, log_to_driver=False, object_store_memory=100_000_000)
    # Else each run leaves a folder in ~/ray_results; no setting says where.
    with TemporaryDirectory() as folder, patch("ray.tune.trainable.trainable.DEFAULT_STORAGE_PATH", folder):
        learner = new_learner(seed)
        curve = [float(learner.train()["env_runners"]["episode_return_mean"]) for _ in range(updates)]
        learner.stop()
    ray.shutdown()
    return curve


def main() -> None:
    """Train, and tell how well it plays meanwhile."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--updates", type=int, default=40, help=f"of about {STEPS * GAMES} decisions each")
    for number, reward in enumerate(train(parser.parse_args().updates)):
        print(f"{number:>4} {reward:+.2f}")


if __name__ == "__main__":
    main()
