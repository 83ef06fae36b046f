"""PPO in one file, with JAX: a net learns Atacama against the random bot, in many games in lockstep.

    python -m examples.recipes.ppo_jax --updates 40

Actions that aren't legal get no probability. Games end and are replaced within a batch, so advantages stop at the end
of each (Schulman et al. 2017; Huang et al. 2022, whose details it follows).
"""

from __future__ import annotations

import argparse
from itertools import pairwise
from typing import Any, NamedTuple

import gymnasium
import jax
import jax.numpy as jnp
import numpy as np
import optax

import atoll.env  # noqa: F401 - enters the games

GAME = "atoll/Atacama-v1"
SETTINGS: dict[str, Any] = {"opponents": "random", "form": "onehot"}
GAMES = 32  # in lockstep
STEPS = 64  # of each between two updates
PASSES = 4
PARTS = 8
WIDTH = 128
LAMBDA = 0.95  # nothing is discounted: games end
CLIP = 0.2
ENTROPY = 0.01
RATE = 1e-3

Net = list[tuple[jax.Array, jax.Array]]


class Seen(NamedTuple):
    """Observations and actions, shaped (STEPS, GAMES, ...), later flattened to one row."""

    observation: Any
    mask: Any
    action: Any
    chance: Any
    value: Any
    gain: Any


def new_net(key: jax.Array, inputs: int, actions: int) -> Net:
    """Two hidden layers; the last has a number for each action, and one for the value."""
    sizes = (inputs, WIDTH, WIDTH, actions + 1)
    net = []
    for size, after in pairwise(sizes):
        key, own = jax.random.split(key)
        scale = 0.01 if after == sizes[-1] else (2 / size) ** 0.5
        net.append((jax.random.normal(own, (size, after)) * scale, jnp.zeros(after)))
    return net


def ask(net: Net, observation: Any, mask: Any) -> tuple[jax.Array, jax.Array]:
    """The logarithm of each action's probability, and the value."""
    found = jnp.asarray(observation)
    for weights, bias in net[:-1]:
        found = jax.nn.relu(found @ weights + bias)
    weights, bias = net[-1]
    found = found @ weights + bias
    return jax.nn.log_softmax(jnp.where(mask > 0, found[..., :-1], -1e9)), found[..., -1]


@jax.jit
def draw(net: Net, key: jax.Array, observation: Any, mask: Any) -> tuple[jax.Array, jax.Array, jax.Array]:
    """An action for each game, the logarithm of its probability, and the value."""
    chances, value = ask(net, observation, mask)
    action = jax.random.categorical(key, chances)
    return action, jnp.take_along_axis(chances, action[:, None], axis=1)[:, 0], value


def loss(net: Net, seen: Seen) -> jax.Array:
    """Return the loss of PPO."""
    chances, value = ask(net, seen.observation, seen.mask)
    now = jnp.take_along_axis(chances, seen.action[:, None], axis=1)[:, 0]
    ratio = jnp.exp(now - seen.chance)
    gain = (seen.gain - seen.gain.mean()) / (seen.gain.std() + 1e-8)
    policy = -jnp.minimum(ratio * gain, jnp.clip(ratio, 1 - CLIP, 1 + CLIP) * gain).mean()
    entropy = -(jnp.exp(chances) * jnp.where(seen.mask > 0, chances, 0)).sum(-1).mean()
    return policy + 0.5 * ((value - seen.value - seen.gain) ** 2).mean() - ENTROPY * entropy


def gains(rewards: Any, values: Any, ends: Any, last: Any) -> Any:
    """Generalized advantages; (STEPS, GAMES)."""
    found = np.zeros_like(values)
    ahead = np.zeros_like(last)
    for step in reversed(range(len(values))):
        goes_on = 1.0 - ends[step]
        after = last if step == len(values) - 1 else values[step + 1]
        ahead = rewards[step] + goes_on * after - values[step] + goes_on * LAMBDA * ahead
        found[step] = ahead
    return found


class Learner:
    """Updates a net with the observations and actions since the last update."""

    def __init__(self, net: Net, seed: int) -> None:
        self._rule: Any = optax.chain(optax.clip_by_global_norm(0.5), optax.adam(RATE))
        self._state: Any = self._rule.init(net)
        self._random = np.random.default_rng(seed)
        self._step = jax.jit(self._changed)

    def _changed(self, net: Net, state: Any, seen: Seen) -> tuple[Net, Any]:
        change, state = self._rule.update(jax.grad(loss)(net, seen), state, net)
        return optax.apply_updates(net, change), state

    def learn(self, net: Net, seen: Seen) -> Net:
        """Return the net after some passes over everything that was seen, in parts."""
        whole = [each.reshape(STEPS * GAMES, *each.shape[2:]) for each in seen]
        for _ in range(PASSES):
            for part in np.split(self._random.permutation(STEPS * GAMES), PARTS):
                net, self._state = self._step(net, self._state, Seen(*(each[part] for each in whole)))
        return net


def train(updates: int, seed: int = 1) -> tuple[Net, list[float]]:
    """A net, and per update the mean reward of the games that ended before it."""
    tables: Any = gymnasium.make_vec(GAME, num_envs=GAMES, **SETTINGS)
    key, own = jax.random.split(jax.random.PRNGKey(seed))
    shape = tables.single_observation_space["observation"].shape
    net = new_net(own, shape[0], int(tables.single_action_space.n))
    learner = Learner(net, seed)
    seen, _ = tables.reset(seed=seed)
    curve = []
    for _ in range(updates):
        rows, rewards, ends = [], [], []
        for _ in range(STEPS):
            key, own = jax.random.split(key)
            action, chance, value = map(np.asarray, draw(net, own, seen["observation"], seen["action_mask"]))
            rows.append((seen["observation"], seen["action_mask"], action, chance, value))
            seen, reward, ended, _, _ = tables.step(action)
            rewards.append(reward)
            ends.append(ended)
        curve.append(float(np.array(rewards).sum() / max(1, np.array(ends).sum())))
        observation, mask, action, chance, value = (np.stack(each) for each in zip(*rows, strict=True))
        last = np.asarray(draw(net, own, seen["observation"], seen["action_mask"])[2])
        gain = gains(np.stack(rewards), value, np.stack(ends), last)
        net = learner.learn(net, Seen(observation, mask, action, chance, value, gain))
    tables.close()
    return net, curve


def main() -> None:
    """Train, and tell how well it plays meanwhile."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--updates", type=int, default=40, help=f"of {STEPS * GAMES} decisions each")
    _, curve = train(parser.parse_args().updates)
    for number, reward in enumerate(curve):
        print(f"{number:>4} {reward:+.2f}")


if __name__ == "__main__":
    main()
