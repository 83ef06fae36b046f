"""Compares Atoll, plain and compiled, with other engines, measured in the same way in one run.

    make bench                      # everything; also written to build/benchmarks.md
    python benchmarks/peers.py --only atoll,catanatron --seconds 5
    python benchmarks/peers.py --only atoll,open_spiel,rlcard --games gin    # one game

Each peer is installed from the package index into its own virtual environment in `build/peers`, and
measured there on one core:

- random decisions and games per second over entire games, with setup, chance and legal choices;
- `steps`: the same through PettingZoo's or the engine's own environment for agents, with the
  observation of the seat that is asked;
- `rl_environment`: the same through OpenSpiel's environment for agents;
- `batch`: the same in many games at once;
- copies per second of positions all over one random game;
- iterations per second of its own tree search, if it has one.

Of Atoll's games also Gin Rummy (`examples/gin`) is measured, which other engines have too. The
figures are the best of three runs, in processor time, so that other work on the machine matters
little.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import subprocess
import sys
import venv
from collections.abc import Callable, Sequence
from copy import deepcopy
from pathlib import Path
from time import process_time
from types import SimpleNamespace
from typing import Any

REPEATS = 3
SEARCHED = 4  # positions of a game
SIMULATIONS = 50  # iterations of a search
BATCH = 1024  # games that pgx plays at once
STEPS = 50  # steps of a batch between two reads of the clock
PEERS = {
    "open_spiel": ("open_spiel", ("backgammon", "gin_rummy", "hearts", "quoridor", "chess")),
    "open_spiel_python": ("open_spiel", ("python_block_dominoes", "python_team_dominoes", "python_tic_tac_toe")),
    "catanatron": ("catanatron", ("catan",)),
    "rlcard": ("rlcard", ("gin-rummy", "uno", "doudizhu")),
    "pettingzoo": ("pettingzoo[classic]", ("hanabi_v5", "chess_v6", "connect_four_v3")),
    "pgx": ("pgx", ("backgammon", "connect_four")),
}
"""Peer -> its package and its games."""
FIGURES = ("decisions", "games", "steps", "rl_environment", "batch", "copies", "searches")
ENVIRONMENTS = ("steps", "rl_environment", "batch")
COMPARED = ("decisions", "copies")
SAME_GAME = ("decisions", *ENVIRONMENTS, "copies")
GIN = Path(__file__).parents[1] / "examples" / "gin" / "src"
OURS = ("atoll", "compiled")


class OpenSpiel:
    """Games in C++ with a Python interface.

    Chance is a player of its own; only decisions are counted.
    """

    def __init__(self, name: str) -> None:
        import pyspiel  # noqa: PLC0415 - each peer lives in its own environment

        if name.startswith("python_"):
            import open_spiel.python.games  # noqa: F401, PLC0415 - registers them

        self.game: Any = pyspiel.load_game(name)
        self.environment: Any = None

    def play_steps(self) -> int:
        """Play a random game through the agent environment, and return the number of decisions."""
        if self.environment is None:
            from open_spiel.python.rl_environment import Environment  # noqa: PLC0415

            self.environment = Environment(self.game)
        moment = self.environment.reset()
        count = 0
        while not moment.last():
            legal = moment.observations["legal_actions"][moment.observations["current_player"]]
            moment = self.environment.step([random.choice(legal)])
            count += 1
        return count

    def new(self) -> Any:
        """Return a game at its first decision."""
        return self._past_chance(self.game.new_initial_state())

    def _past_chance(self, state: Any) -> Any:
        while state.is_chance_node():
            outcomes, weights = zip(*state.chance_outcomes(), strict=True)
            state.apply_action(random.choices(outcomes, weights)[0])
        return state

    def step(self, state: Any) -> bool:
        """Make a random decision, and return whether the game continues."""
        state.apply_action(random.choice(state.legal_actions()))
        return not self._past_chance(state).is_terminal()

    def copy(self, state: Any) -> Any:
        """Return an independent copy."""
        return state.clone()

    def searcher(self) -> Any:
        """Return the engine's tree search with rollouts to the end.

        It doesn't see hidden information.
        """
        import pyspiel  # noqa: PLC0415

        complete = self.game.get_type().information == pyspiel.GameType.Information.PERFECT_INFORMATION
        judge = pyspiel.RandomRolloutEvaluator(1, 1)
        if complete:
            return pyspiel.MCTSBot(self.game, judge, 2.0, SIMULATIONS, 1000, False, 1, False)
        final = pyspiel.ISMCTSFinalPolicyType.MAX_VISIT_COUNT
        return pyspiel.ISMCTSBot(1, judge, 2.0, SIMULATIONS, -1, final, False, False)


class Catanatron:
    """Catan for four in Python."""

    def __init__(self, name: str) -> None:
        from catanatron import Color, Game, RandomPlayer  # noqa: PLC0415

        self.make: Callable[[], Any] = lambda: Game([RandomPlayer(color) for color in Color])

    def new(self) -> Any:
        """Return a game at its first decision."""
        return self.make()

    def step(self, state: Any) -> bool:
        """Make a random decision, and return whether the game continues."""
        state.play_tick()
        return state.winning_color() is None and state.state.num_turns < 1000

    def copy(self, state: Any) -> Any:
        """Return an independent copy."""
        return state.copy()


class RLCard:
    """Card games in Python; a copy is a deep copy of the game without its environment."""

    def __init__(self, name: str) -> None:
        import rlcard  # noqa: PLC0415

        self.make: Callable[[], Any] = lambda: rlcard.make(name)
        self.env: Any = self.make()

    def new(self) -> Any:
        """Return a game at its first decision."""
        seen = self.env.reset()[0]
        return SimpleNamespace(game=self.env.game, seen=seen)

    def step(self, state: Any) -> bool:
        """Make a random decision, and return whether the game continues."""
        state.seen = self.env.step(random.choice(list(state.seen["legal_actions"])))[0]
        return not self.env.is_over()

    def copy(self, state: Any) -> Any:
        """Return an independent copy."""
        return SimpleNamespace(game=deepcopy(state.game))


class PettingZoo:
    """Agent environments in Python. Steps include observations; copies are deep copies."""

    def __init__(self, name: str) -> None:
        from importlib import import_module  # noqa: PLC0415

        self.env: Any = import_module(f"pettingzoo.classic.{name}").raw_env()

    def new(self) -> Any:
        """Return a game at its first decision."""
        self.env.reset(seed=random.randrange(2**31))
        return self.env

    def step(self, state: Any) -> bool:
        """Make a random decision, and return whether the game continues."""
        seen, _, over, cut, info = state.last()
        if over or cut:
            return False
        mask = seen["action_mask"] if "action_mask" in seen else info["action_mask"]
        state.step(random.choice(mask.nonzero()[0].tolist()))
        return bool(state.agents) and not any(state.terminations.values())

    def copy(self, state: Any) -> Any:
        """Return an independent copy."""
        return deepcopy(state)


class Pgx:
    """Games in JAX: many of them run at once in vectorized code.

    States are immutable and not copied.
    """

    def __init__(self, name: str) -> None:
        import jax  # noqa: PLC0415
        import pgx  # noqa: PLC0415

        env = pgx.make(name)

        def turn(state: Any, key: Any) -> tuple[Any, Any]:
            choose, go = jax.random.split(key)
            logits = jax.numpy.log(state.legal_action_mask.astype(jax.numpy.float32))
            actions = jax.random.categorical(choose, logits, axis=-1)
            following = jax.vmap(env.step)(state, actions, jax.random.split(go, BATCH))
            over = following.terminated | following.truncated
            fresh = jax.vmap(env.init)(jax.random.split(go, BATCH))

            def replaced(new: Any, old: Any) -> Any:
                return jax.numpy.where(over.reshape((-1,) + (1,) * (old.ndim - 1)), new, old)

            return jax.tree_util.tree_map(replaced, fresh, following), over.sum()

        def turns(state: Any, key: Any) -> tuple[Any, Any]:
            state, ended = jax.lax.scan(turn, state, jax.random.split(key, STEPS))
            return state, ended.sum()

        self._turns: Any = jax.jit(turns)
        self._state: Any = jax.vmap(env.init)(jax.random.split(jax.random.PRNGKey(0), BATCH))
        self._key: Callable[[int], Any] = jax.random.PRNGKey
        self._run(1)

    def _run(self, seed: int) -> int:
        self._state, ended = self._turns(self._state, self._key(seed))
        return int(ended)

    def rates(self, seconds: float) -> tuple[float, float]:
        """Return decisions and games per second of processor time, added over all cores."""
        count = games = 0
        start = process_time()
        while process_time() < start + seconds:
            games += self._run(count)
            count += 1
        took = process_time() - start
        return count * STEPS * BATCH / took, games / took


KINDS: dict[str, Callable[[str], Any]] = {
    "open_spiel": OpenSpiel,
    "open_spiel_python": OpenSpiel,
    "catanatron": Catanatron,
    "rlcard": RLCard,
    "pettingzoo": PettingZoo,
    "pgx": Pgx,
}


def measure(peer: str, game: str, seconds: float) -> dict[str, Any]:
    """Return the figures of one game of a peer."""
    rules = KINDS[peer](game)
    part = seconds / REPEATS
    found: dict[str, Any] = {"engine": peer, "game": game}
    rates = rules.rates if hasattr(rules, "rates") else lambda seconds: rates_of(rules, seconds)
    found["decisions"], found["games"] = max(rates(part) for _ in range(REPEATS))
    if hasattr(rules, "play_steps"):
        found["rl_environment"] = max(steps_per_second(rules.play_steps, part) for _ in range(REPEATS))
    elif hasattr(rules, "env"):
        found["steps"] = found["decisions"]  # the environment is the only way to play
    elif hasattr(rules, "rates"):
        found["batch"] = found["decisions"]
    if not hasattr(rules, "copy"):
        return found
    random.seed(1)
    state = rules.new()
    moments = [rules.copy(state)]
    while rules.step(state) and len(moments) < 200:
        moments.append(rules.copy(state))
    found["copies"] = max(copies_per_second(rules, moments, part) for _ in range(REPEATS))
    if hasattr(rules, "searcher") and peer == "open_spiel":
        found["searches"] = searches_per_second(rules, moments, seconds)
    return found


def rates_of(rules: Any, seconds: float) -> tuple[float, float]:
    """Return random decisions and games per second over entire games."""
    random.seed(1)
    count = games = 0
    start = process_time()
    while process_time() < start + seconds:
        state = rules.new()
        games += 1
        count += 1
        while rules.step(state):
            count += 1
    took = process_time() - start
    return count / took, games / took


def steps_per_second(play: Callable[[], int], seconds: float) -> float:
    """Return environment steps per second over entire random games."""
    random.seed(1)
    count = 0
    start = process_time()
    while not count or process_time() < start + seconds:
        count += play()
    return count / (process_time() - start)


def copies_per_second(rules: Any, moments: list[Any], seconds: float) -> float:
    """Return copies per second, of all positions in turn."""
    count = 0
    start = process_time()
    while process_time() < start + seconds:
        for moment in moments:
            rules.copy(moment)
        count += len(moments)
    return count / (process_time() - start)


def searches_per_second(rules: Any, moments: list[Any], seconds: float) -> float:
    """Return iterations per second of the peer's search, at positions with several choices."""
    moments = [moment for moment in moments if len(moment.legal_actions()) > 1]
    chosen = moments[:: max(1, len(moments) // SEARCHED)][:SEARCHED]
    count = 0
    start = process_time()
    while not count or process_time() < start + seconds:
        for moment in chosen:
            rules.searcher().step(moment)
        count += SIMULATIONS * len(chosen)
    return count / (process_time() - start)


def install(peer: str, folder: Path) -> Path | None:
    """Return the Python of a peer's environment, created if needed; None if that fails."""
    package, _ = PEERS[peer]
    home = folder / package.partition("[")[0]
    python = home / "bin" / "python"
    if not (home / "ok").exists():
        venv.create(home, with_pip=True, clear=True)
        found = subprocess.run([python, "-m", "pip", "install", "--quiet", package], check=False)
        if found.returncode:
            sys.stderr.write(f"{package} can't be installed here and is skipped\n")
            return None
        (home / "ok").touch()
    return python


def run(
    python: Path | str, name: str, seconds: float, games: str = "", path: Path | None = None
) -> list[dict[str, Any]]:
    """Let an engine measure itself in a process of its own.

    Args:
        python: The Python to run.
        name: Name of the engine.
        seconds: Time per figure.
        games: Text that the names of the games must contain.
        path: Folder of the Atoll package; None for the installed one.

    Returns:
        The figures of each game.
    """
    environment = dict(os.environ)
    if name in OURS:
        places = [str(GIN), str(path.resolve()) if path else environment.get("PYTHONPATH", "")]
        environment |= {"PYTHONPATH": os.pathsep.join(filter(None, places)), "ATOLL_PLUGINS": "atoll_gin"}
    command = [python, __file__, "--measure", name, "--seconds", str(seconds), "--games", games]
    found = subprocess.run(command, check=False, stdout=subprocess.PIPE, text=True, env=environment)
    if found.returncode:
        sys.stderr.write(f"{name} ended with status {found.returncode}; its figures so far are used\n")
    return [json.loads(line) for line in found.stdout.splitlines() if line.startswith("{")]


def measure_atoll(engine: str, seconds: float, wanted: str) -> None:
    """Print the same figures of Atoll's games as lines of JSON."""
    # Its requirements are missing in the peers' environments.
    from environments import batch, stepping, through_rl_environment  # noqa: PLC0415

    from atoll import games  # noqa: PLC0415
    from atoll.engine import position  # noqa: PLC0415
    from atoll.env.pettingzoo import env  # noqa: PLC0415
    from atoll.lab import bench  # noqa: PLC0415

    if (engine == "atoll") != (position.__file__ or "").endswith(".py"):
        raise SystemExit(f"{engine}: this is the package in {position.__file__}")
    for game in games.values():
        if wanted not in game.id:
            continue
        speed = bench.measure(game, seconds)
        plays = (stepping(env(game)), through_rl_environment(f"atoll_{game.id}"), batch(game))
        figures = {"decisions": speed.decisions, "games": speed.games, "copies": speed.forks}
        for key, play in zip(ENVIRONMENTS, plays, strict=True):
            figures[key] = max(steps_per_second(play, seconds / REPEATS) for _ in range(REPEATS))
        row = {"engine": engine, "game": f"{game.id} ({speed.seats} seats)", **figures, "searches": speed.searches}
        print(json.dumps(row), flush=True)


def line(row: dict[str, Any]) -> str:
    """Return a line of the table of figures."""
    figures = [f"{row[key]:,.0f}" if key in row else "-" for key in FIGURES]
    return "| " + " | ".join([row["engine"], row["game"], *figures]) + " |"


def ratios(rows: list[dict[str, Any]]) -> list[str]:
    """Return tables of ratios: Atacama and peers, all games and Catan, environments, Gin Rummy."""
    atacama = [row for row in rows if row["engine"] in OURS and row["game"].startswith("atacama (")]
    catan = [row for row in rows if row["engine"] == "catanatron"]
    peers = [row for row in rows if row["engine"] not in OURS]
    ours = [row for row in rows if row["engine"] in OURS and "decisions" in row]
    environments = [(row, key) for row in peers for key in ENVIRONMENTS if key in row]
    heads = [f"{name}: {key}" for name in ("plain", "compiled")[: len(atacama)] for key in COMPARED]
    lines = _table(
        ["Atacama beside", "game", *heads],
        [[peer["engine"], peer["game"], *(_times(one, peer) for one in atacama)] for peer in peers if atacama],
    )
    lines += _table(
        ["game beside Catan", "", *COMPARED],
        [[one["game"], one["engine"], _times(one, peer)] for peer in catan for one in ours],
    )
    lines += _table(
        ["environment steps beside", "", *(f"{peer['engine']}: {peer['game']} ({key})" for peer, key in environments)],
        [
            [one["game"], one["engine"], *(_times(one, peer, (key,)) for peer, key in environments)]
            for one in rows
            if one["engine"] in OURS and environments
        ],
    )
    gin = [row for row in rows if row["game"].startswith("gin") and "decisions" in row]
    return lines + _table(
        ["Gin Rummy beside", "", *SAME_GAME],
        [
            [peer["engine"], one["engine"], _times(one, peer, SAME_GAME)]
            for peer in gin
            for one in gin
            if one["engine"] in OURS and peer["engine"] not in OURS
        ],
    )


def _table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> list[str]:
    """Return a table whose first two columns are text; an empty list without rows."""
    if not rows:
        return []
    lines = [f"| {' | '.join(head)} |", "|---|---|" + "--:|" * (len(head) - 2)]
    return [*lines, *(f"| {' | '.join(row)} |" for row in rows), ""]


def _times(one: dict[str, Any], other: dict[str, Any], keys: Sequence[str] = COMPARED) -> str:
    return " | ".join(f"{one[key] / other[key]:.2g}" if key in other else "-" for key in keys)


def main() -> None:
    """Measure, print a table, and write it to a file."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=1.0, help="time per figure")
    parser.add_argument("--only", default=f"atoll,{','.join(PEERS)}", help="names of engines, with commas")
    parser.add_argument("--games", default="", help="only games whose names contain this")
    parser.add_argument("--folder", type=Path, default=Path("build/peers"), help="folder of the peers")
    parser.add_argument("--wheel", type=Path, default=Path("build/wheel/site"), help="folder of the compiled Atoll")
    parser.add_argument("--out", type=Path, default=Path("build/benchmarks.md"))
    parser.add_argument("--measure", choices=(*OURS, *PEERS), help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.measure in OURS:
        measure_atoll(given.measure, given.seconds, given.games)
        return
    if given.measure:
        for game in PEERS[given.measure][1]:
            if given.games not in game:
                continue
            print(json.dumps(measure(given.measure, game, given.seconds)), flush=True)
        return
    lines = [
        f"| engine | game | {' | '.join(f'{figure}/s' for figure in FIGURES)} |",
        "|---|---|" + "--:|" * len(FIGURES),
    ]
    print("\n".join(lines), flush=True)
    rows = []
    for name in given.only.split(","):
        if name == "atoll":
            found = run(sys.executable, "atoll", given.seconds, given.games)
            if given.wheel.is_dir():
                found += run(sys.executable, "compiled", given.seconds, given.games, given.wheel)
            else:
                sys.stderr.write(f"no compiled wheel in {given.wheel} (make wheel); it is skipped\n")
        else:
            python = install(name, given.folder)
            found = run(python, name, given.seconds, given.games) if python else []
        rows += found
        fresh = [line(row) for row in found]
        print("\n".join(fresh), flush=True)
        lines += fresh
    lines = [*ratios(rows), *lines]
    given.out.parent.mkdir(parents=True, exist_ok=True)
    given.out.write_text("\n".join(lines) + "\n", "utf-8")


if __name__ == "__main__":
    main()
