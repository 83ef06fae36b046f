"""How fast other engines are, measured in the same manner as `atoll bench`: `python benchmarks/peers.py [--seconds 1]`.

Each peer is installed from the package index into a virtual environment of its own under `build/peers`, and measured
there on one core: random decisions per second over whole games (set-up, chance and the search for legal choices
included), and copies per second of moments all along one random game. Best of three runs; seconds of the processor,
so that other work on the machine matters little.
"""

from __future__ import annotations

import argparse
import json
import random
import subprocess
import sys
import venv
from collections.abc import Callable
from copy import deepcopy
from dataclasses import asdict
from pathlib import Path
from time import process_time
from types import SimpleNamespace
from typing import Any

REPEATS = 3
PEERS = {
    "open_spiel": ("open_spiel", ("backgammon", "gin_rummy", "hearts", "quoridor", "chess")),
    "catanatron": ("catanatron", ("catan",)),
    "rlcard": ("rlcard", ("gin-rummy", "uno", "doudizhu")),
    "pettingzoo": ("pettingzoo[classic]", ("hanabi_v5", "chess_v6", "connect_four_v3")),
}


class OpenSpiel:
    """Games in C++ behind Python. Chance is a player of its own; only decisions are counted."""

    def __init__(self, name: str) -> None:
        import pyspiel  # noqa: PLC0415 - each peer lives in its own environment

        self.game: Any = pyspiel.load_game(name)

    def new(self) -> Any:
        """A game at its first decision."""
        return self._past_chance(self.game.new_initial_state())

    def _past_chance(self, state: Any) -> Any:
        while state.is_chance_node():
            outcomes, weights = zip(*state.chance_outcomes(), strict=True)
            state.apply_action(random.choices(outcomes, weights)[0])
        return state

    def step(self, state: Any) -> bool:
        """A random decision; whether the game goes on."""
        state.apply_action(random.choice(state.legal_actions()))
        return not self._past_chance(state).is_terminal()

    def copy(self, state: Any) -> Any:
        """An independent copy."""
        return state.clone()


class Catanatron:
    """Catan for four in Python."""

    def __init__(self, name: str) -> None:
        from catanatron import Color, Game, RandomPlayer  # noqa: PLC0415

        self.make: Callable[[], Any] = lambda: Game([RandomPlayer(color) for color in Color])

    def new(self) -> Any:
        """See OpenSpiel."""
        return self.make()

    def step(self, state: Any) -> bool:
        """See OpenSpiel."""
        state.play_tick()
        return state.winning_color() is None and state.state.num_turns < 1000

    def copy(self, state: Any) -> Any:
        """See OpenSpiel."""
        return state.copy()


class RLCard:
    """Card games in Python; its copies are Python's deepcopy of the game without the environment around it."""

    def __init__(self, name: str) -> None:
        import rlcard  # noqa: PLC0415

        self.make: Callable[[], Any] = lambda: rlcard.make(name)
        self.env: Any = self.make()

    def new(self) -> Any:
        """See OpenSpiel."""
        seen = self.env.reset()[0]
        return SimpleNamespace(game=self.env.game, seen=seen)

    def step(self, state: Any) -> bool:
        """See OpenSpiel."""
        state.seen = self.env.step(random.choice(list(state.seen["legal_actions"])))[0]
        return not self.env.is_over()

    def copy(self, state: Any) -> Any:
        """See OpenSpiel."""
        return SimpleNamespace(game=deepcopy(state.game))


class PettingZoo:
    """Agent environments in Python; observations are part of every step; its copies are Python's deepcopy."""

    def __init__(self, name: str) -> None:
        from importlib import import_module  # noqa: PLC0415

        self.env: Any = import_module(f"pettingzoo.classic.{name}").raw_env()

    def new(self) -> Any:
        """See OpenSpiel."""
        self.env.reset(seed=random.randrange(2**31))
        return self.env

    def step(self, state: Any) -> bool:
        """See OpenSpiel."""
        seen, _, over, cut, info = state.last()
        if over or cut:
            return False
        mask = seen["action_mask"] if "action_mask" in seen else info["action_mask"]
        state.step(random.choice(mask.nonzero()[0].tolist()))
        return bool(state.agents) and not any(state.terminations.values())

    def copy(self, state: Any) -> Any:
        """See OpenSpiel."""
        return deepcopy(state)


KINDS = {"open_spiel": OpenSpiel, "catanatron": Catanatron, "rlcard": RLCard, "pettingzoo": PettingZoo}


def measure(peer: str, game: str, seconds: float) -> dict[str, Any]:
    """Decisions and copies per second of one game of a peer."""
    rules = KINDS[peer](game)
    part = seconds / REPEATS
    decisions = max(decisions_per_second(rules, part) for _ in range(REPEATS))
    random.seed(1)
    state = rules.new()
    moments = [rules.copy(state)]
    while rules.step(state) and len(moments) < 200:
        moments.append(rules.copy(state))
    copies = max(copies_per_second(rules, moments, part) for _ in range(REPEATS))
    return {"engine": peer, "game": game, "decisions": decisions, "copies": copies}


def decisions_per_second(rules: Any, seconds: float) -> float:
    """Random decisions over whole games."""
    random.seed(1)
    count = 0
    start = process_time()
    while process_time() < start + seconds:
        state = rules.new()
        count += 1
        while rules.step(state):
            count += 1
    return count / (process_time() - start)


def copies_per_second(rules: Any, moments: list[Any], seconds: float) -> float:
    """Copies of all these moments in turn."""
    count = 0
    start = process_time()
    while process_time() < start + seconds:
        for moment in moments:
            rules.copy(moment)
        count += len(moments)
    return count / (process_time() - start)


def run_peer(peer: str, folder: Path, seconds: float) -> list[dict[str, Any]]:
    """Install a peer if it isn't there yet, and let it measure itself; nothing if it can't be installed."""
    package, _ = PEERS[peer]
    home = folder / peer
    python = home / "bin" / "python"
    if not (home / "ok").exists():
        venv.create(home, with_pip=True, clear=True)
        found = subprocess.run([python, "-m", "pip", "install", "--quiet", package], check=False)
        if found.returncode:
            sys.stderr.write(f"{package} can't be installed here; it is left out\n")
            return []
        (home / "ok").touch()
    command = [python, __file__, "--measure", peer, "--seconds", str(seconds)]
    found = subprocess.run(command, check=True, capture_output=True, text=True)
    return [json.loads(line) for line in found.stdout.splitlines() if line.startswith("{")]


def ours(seconds: float) -> list[dict[str, Any]]:
    """The same figures of Atoll's games."""
    from atoll import games  # noqa: PLC0415 - the peers' environments don't have it
    from atoll.lab import bench  # noqa: PLC0415

    found = []
    for game in games.values():
        speed = asdict(bench.measure(game, seconds))
        found.append({"engine": "atoll", "game": game.id, "decisions": speed["decisions"], "copies": speed["forks"]})
    return found


def main() -> None:
    """Measure and print a table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=1.0, help="for each figure")
    parser.add_argument("--folder", type=Path, default=Path("build/peers"))
    parser.add_argument("--measure", choices=PEERS, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.measure:
        for game in PEERS[given.measure][1]:
            print(json.dumps(measure(given.measure, game, given.seconds)), flush=True)
        return
    found = ours(given.seconds)
    for peer in PEERS:
        found += run_peer(peer, given.folder, given.seconds)
    print("| engine | game | decisions/s | copies/s |")
    print("|---|---|--:|--:|")
    for each in found:
        print(f"| {each['engine']} | {each['game']} | {each['decisions']:,.0f} | {each['copies']:,.0f} |")


if __name__ == "__main__":
    main()
