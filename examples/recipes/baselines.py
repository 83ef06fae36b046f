"""Baselines of a game: PPO that learned by self-play, and a search, each against all levels.

    python -m examples.recipes.baselines atacama --updates 2000 --out build/baselines/atacama

The net is that of `ppo_jax.py`. It plays all seats of many games in lockstep, so each seat's answers are a trajectory
of its own: a seat's advantage at a decision follows from its next decision, or from the end of the game. The folder
gets `config.json` (everything that decides the result), `curve.csv` and `curve.svg` (the share against two bots during
the training), `net.npz`, and `table.md`. A share is the part of the other seats that a player came in ahead of.
"""

from __future__ import annotations

import argparse
import csv
import json
from collections.abc import Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Any

import jax
import numpy as np

import atoll
from atoll.bots import level_names
from atoll.env.gymnasium import LearnerEnv
from atoll.env.vector import VectorGames
from atoll.lab.plots import curves
from atoll.lab.series import MatchSeries
from atoll.lab.statistics import wilson
from examples.recipes.ppo_jax import (
    CLIP,
    ENTROPY,
    GAMES,
    LAMBDA,
    PARTS,
    PASSES,
    RATE,
    STEPS,
    WIDTH,
    Learner,
    Net,
    Seen,
    draw,
    new_net,
)

FORM = "onehot"
CURVE = ("random", "greedy")
"""The bots of the learning curve."""
CURVE_GAMES = 40


def advantages(seats: Any, rewards: Any, values: Any, ends: Any, last_seats: Any, last_values: Any) -> Any:
    """Generalized advantages of decisions whose seats take turns.

    A seat whose next decision isn't known keeps the value of its last one.

    Args:
        seats: Who decided: (steps, games).
        rewards: Of all seats: (steps, games, seats), 0 but at the end of a game.
        values: Expected by the net: (steps, games).
        ends: Whether the game ended: (steps, games).
        last_seats: Who decides next: (games,).
        last_values: Expected by the net then: (games,).
    """
    games = np.arange(len(last_seats))
    after = np.full(rewards.shape[1:], np.nan)  # per game and seat: value and advantage of its next decision
    ahead = np.zeros(rewards.shape[1:])
    after[games, last_seats] = last_values
    found = np.zeros_like(values)
    for step in reversed(range(len(values))):
        over = ends[step] > 0
        after[over], ahead[over] = rewards[step][over], 0
        seat = seats[step]
        following = after[games, seat]
        following = np.where(np.isnan(following), values[step], following)
        found[step] = following - values[step] + LAMBDA * ahead[games, seat]
        after[games, seat], ahead[games, seat] = values[step], found[step]
    return found


def train(game: str, updates: int, seed: int, every: int) -> tuple[Net, list[dict[str, float]]]:
    """A net that learned by self-play, and its learning curve."""
    tables = VectorGames(game, games=GAMES, seed=seed, form=FORM)
    key, own = jax.random.split(jax.random.PRNGKey(seed))
    net = new_net(own, tables.interface.size, tables.actions)
    learner = Learner(net, seed)
    arrays = tables.reset()
    curve: list[dict[str, float]] = []
    for update in range(updates + 1):
        if update % every == 0 or update == updates:
            shares = {name: float(np.mean(play(game, net, name, CURVE_GAMES, seed + 1))) for name in CURVE}
            curve.append({"decisions": update * STEPS * GAMES, **shares})
            print(", ".join(f"{name} {value:,.3f}" for name, value in curve[-1].items()), flush=True)
        if update == updates:
            break
        rows, ends = [], []
        for _ in range(STEPS):
            key, own = jax.random.split(key)
            action, chance, value = map(np.asarray, draw(net, own, arrays.observations, arrays.masks))
            before = (arrays.observations, arrays.masks, action, chance, value, arrays.seats)
            arrays = tables.step(action)
            rows.append((*before, arrays.rewards))
            ends.append(arrays.dones)
        observation, mask, action, chance, value, seats, rewards = (np.stack(each) for each in zip(*rows, strict=True))
        last = np.asarray(draw(net, own, arrays.observations, arrays.masks)[2])
        gain = advantages(seats, rewards, value, np.stack(ends), arrays.seats, last)
        net = learner.learn(net, Seen(observation, mask, action, chance, value, gain))
    tables.close()
    return net, curve


def play(game: str, net: Net, opponents: str, games: int, seed: int, iterations: int = 1) -> list[float]:
    """The net's share in each of some games; its seat and the chance follow from the seed."""
    table = LearnerEnv(game, opponents=opponents, form=FORM, iterations=iterations)
    shares = []
    for number in range(games):
        key = jax.random.PRNGKey(seed + number)
        observation, _ = table.reset(seed=seed + number)
        ended, reward = False, 0.0
        while not ended:
            key, own = jax.random.split(key)
            action, _, _ = draw(net, own, observation["observation"][None], observation["action_mask"][None])
            observation, reward, ended, _, _ = table.step(int(action[0]))
        shares.append((reward + 1) / 2)
    return shares


def search(game: str, opponents: str, games: int, seed: int, iterations: int) -> list[float]:
    """The share of the search in each of some games."""
    match = MatchSeries(atoll.games[game], iterations=iterations, seed=seed).match(opponents, "search")
    match.play(games)
    return match.shares


def cell(shares: Sequence[float]) -> str:
    """A share with its 95 % interval."""
    low, high = wilson(sum(shares), len(shares))
    return f"{sum(shares) / len(shares):.0%} ({100 * low:.0f} to {100 * high:.0f})"


def main() -> None:
    """Train, play against all levels, and write everything down."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game", help="id of the game")
    parser.add_argument("--updates", type=int, default=2000, help=f"of {STEPS * GAMES} decisions each")
    parser.add_argument("--every", type=int, default=50, help="updates between two points of the curve")
    parser.add_argument("--games", type=int, default=200, help="games against each level")
    parser.add_argument("--iterations", type=int, default=200, help="of the search, and of levels that search")
    parser.add_argument("--seed", type=int, default=1, help="of everything")
    parser.add_argument("--out", type=Path, required=True, help="folder")
    given = parser.parse_args()
    game = atoll.games[given.game]
    given.out.mkdir(parents=True, exist_ok=True)
    config = {**vars(given), "out": None, "seats": game.min_multiplayer_seats, "options": {}, "form": FORM}
    config |= {"components": game.components_hash, "rules_version": game.rules_version, "atoll": version("atoll")}
    config |= {"lockstep": GAMES, "steps": STEPS, "passes": PASSES, "parts": PARTS, "width": WIDTH, "rate": RATE}
    config |= {"lambda": LAMBDA, "clip": CLIP, "entropy": ENTROPY}
    (given.out / "config.json").write_text(json.dumps(config, indent=1) + "\n", "utf-8")
    net, curve = train(given.game, given.updates, given.seed, given.every)
    arrays: dict[str, Any] = {}
    for layer, (weights, bias) in enumerate(net):
        arrays |= {f"weights{layer}": np.asarray(weights), f"bias{layer}": np.asarray(bias)}
    np.savez(given.out / "net.npz", **arrays)
    with (given.out / "curve.csv").open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, curve[0])
        writer.writeheader()
        writer.writerows(curve)
    points = {name: [(each["decisions"], each[name]) for each in curve] for name in CURVE}
    (given.out / "curve.svg").write_text(curves(points, "decisions", "share against"), "utf-8")
    levels = ("random", *level_names(game))
    players: dict[str, Any] = {
        "PPO by self-play": lambda name: play(
            given.game, net, name, given.games, given.seed + 10_000, given.iterations
        ),
        "search": lambda name: search(given.game, name, given.games, given.seed, given.iterations),
    }
    lines = [f"| {given.game} | {' | '.join(f'`{name}`' for name in levels)} |", f"| -- |{' -: |' * len(levels)}"]
    for player, shares_against in players.items():
        cells = [cell(shares_against(name)) for name in levels]
        lines.append(f"| {player} | {' | '.join(cells)} |")
    (given.out / "table.md").write_text("\n".join(lines) + "\n", "utf-8")
    print("\n".join(lines))


if __name__ == "__main__":
    main()
