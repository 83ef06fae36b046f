"""PPO of TorchRL learns Atacama against the random bot.

    python -m examples.recipes.ppo_torchrl --updates 40

TorchRL itself restarts the games that ended. It can't read observations of several parts from
environments that restart games immediately. `MaskedCategorical` expects a boolean mask.
"""

from __future__ import annotations

import argparse
from typing import Any

import gymnasium
import torch
from tensordict.nn import TensorDictModule
from torch import nn
from torchrl.collectors import Collector
from torchrl.data import LazyTensorStorage, SamplerWithoutReplacement, TensorDictReplayBuffer
from torchrl.envs import DTypeCastTransform, GymWrapper, TransformedEnv
from torchrl.modules import MLP, MaskedCategorical, ProbabilisticActor, ValueOperator
from torchrl.objectives import ClipPPOLoss
from torchrl.objectives.value import GAE

import atoll.env  # noqa: F401 - enters the games

GAME = "atoll/Atacama-v1"
SETTINGS: dict[str, Any] = {"opponents": "random", "form": "onehot", "autoreset_mode": "Disabled"}
GAMES = 32  # in lockstep
STEPS = 64  # of each between two updates
PASSES = 4
PART = 256
WIDTHS = [128, 128]


def new_tables(seed: int) -> TransformedEnv:
    """The games in lockstep."""
    tables = GymWrapper(gymnasium.make_vec(GAME, num_envs=GAMES, **SETTINGS), categorical_action_encoding=True)
    tables = TransformedEnv(tables, DTypeCastTransform(torch.int8, torch.bool, in_keys=["action_mask"]))
    tables.set_seed(seed)
    return tables


def new_nets(tables: TransformedEnv) -> tuple[ProbabilisticActor, ValueOperator]:
    """Return the policy, which is nearly random at first, and the value network."""
    size = tables.observation_spec["observation"].shape[-1]
    net = MLP(size, tables.action_spec.space.n, num_cells=WIDTHS, activation_class=nn.ReLU)
    with torch.no_grad():
        net[-1].weight *= 0.01
    policy = ProbabilisticActor(
        TensorDictModule(net, ["observation"], ["logits"]),
        in_keys={"logits": "logits", "mask": "action_mask"},
        out_keys=["action"],
        distribution_class=MaskedCategorical,
        return_log_prob=True,
    )
    value = ValueOperator(MLP(size, 1, num_cells=WIDTHS, activation_class=nn.ReLU), in_keys=["observation"])
    return policy, value


def train(updates: int, seed: int = 1) -> tuple[ProbabilisticActor, list[float]]:
    """Train and return the policy, and the mean reward before each update.

    Args:
        updates: Number of updates.
        seed: Seed of the training.

    Returns:
        The policy, and per update the mean reward of the games that ended before it.
    """
    torch.set_num_threads(1)  # the net is small
    torch.manual_seed(seed)
    tables = new_tables(seed)
    policy, value = new_nets(tables)
    size = GAMES * STEPS
    collector = Collector(
        tables, policy, frames_per_batch=size, total_frames=updates * size, auto_register_policy_transforms=True
    )
    gains = GAE(gamma=1.0, lmbda=0.95, value_network=value)
    loss = ClipPPOLoss(policy, value, entropy_coeff=0.01, critic_coeff=0.5, normalize_advantage=True)
    rule = torch.optim.Adam(loss.parameters(), 1e-3)
    parts = TensorDictReplayBuffer(
        storage=LazyTensorStorage(size), sampler=SamplerWithoutReplacement(), batch_size=PART
    )
    curve = []
    for batch in collector:
        after = batch["next"]
        curve.append(float(after["reward"][after["done"]].mean()))
        gains(batch)
        parts.extend(batch.reshape(-1))
        for _ in range(PASSES):
            for part in parts:
                found = loss(part)
                rule.zero_grad()
                (found["loss_objective"] + found["loss_critic"] + found["loss_entropy"]).backward()
                nn.utils.clip_grad_norm_(loss.parameters(), 0.5)
                rule.step()
    collector.shutdown()
    return policy, curve


def main() -> None:
    """Train, and tell how well it plays meanwhile."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--updates", type=int, default=40, help=f"of {STEPS * GAMES} decisions each")
    _, curve = train(parser.parse_args().updates)
    for number, reward in enumerate(curve):
        print(f"{number:>4} {reward:+.2f}")


if __name__ == "__main__":
    main()
