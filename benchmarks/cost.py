"""Counts processor instructions of operations, and compares them with the figures in `cost.toml`.

    make cost                    # measure everything; fail above 1.03 of a figure, or a ceiling
    make cost ARGS=--accept      # store the current figures; the commit gives the reason
    make cost ARGS="wutaki"      # only operations with this in their name
    make cost ARGS=--held        # do nothing without figures of this build of Python: for CI

Valgrind counts the instructions, so that other work on the machine and its clock don't matter.
Everything is imported and warmed up once. Each operation runs in a fork of that process, and the
count of a fork that does nothing is subtracted. The server runs without threads, its clocks stand
still, and its random numbers are always the same. Counts depend on the build of Python and are
compared only with figures of the same build.

The server has ceilings instead of figures, for instructions and for the bytes of an update (the
median of a random game), because small changes of it don't matter.
"""

from __future__ import annotations

import argparse
import asyncio
import gc
import os
import platform
import statistics
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from random import Random
from typing import Any, Final

import atoll
from atoll import SeatView
from atoll.bots import game_tuning
from atoll.bots.search import Search
from atoll.engine import Game, Position
from atoll.env.pettingzoo import raw_env
from atoll.picture.fragments import cache_clear

from . import served, updates

FIGURES: Final = Path(__file__).with_name("cost.toml")
ALLOWED: Final = 1.03
"""Highest allowed ratio to the stored figure."""

_BESIDE: Final = 2
_DECISIONS: Final = 400
_FORKS: Final = 150
_ITERATIONS: Final = 40
_STEPS: Final = 120
_UPDATES_OF: Final = 10  # moves
_ROUNDS: Final = 12

_OF_A_GAME: Final = ("decision", "environment step", "fork", "search iteration", "update")

Measure = Callable[[], int]
"""Runs an operation and returns how many times it ran."""


# -- operations ------------------------------------------------------------------------------------


def moments(game: Game, count: int) -> list[Position]:
    """Return positions all over random games with the fewest seats, at which a seat is asked."""
    random = Random(1)
    found: list[Position] = []
    position = game.new(game.seat_counts[0], seed=1)
    while len(found) < count:
        if position.over:
            position = game.new(game.seat_counts[0], seed=len(found))
        found.append(position.fork())
        seat = position.to_move[0]
        position.apply(random.choice(position.legal_choices(seat)), seat)
    return found


def decide(game: Game) -> int:
    """Make random decisions through the public API, from the start of the game."""
    random = Random(1)
    count = 0
    seed = 0
    while count < _DECISIONS:
        seed += 1
        position = game.new(game.seat_counts[0], seed=seed, snapshots=False)
        while not position.over:
            seat = position.to_move[0]
            position.apply(random.choice(position.legal_choices(seat)), seat)
            count += 1
    return count


def copy(positions: list[Position]) -> int:
    """Fork positions."""
    for position in positions:
        position.fork()
    return len(positions)


def search(position: Position) -> int:
    """Run iterations of a search at one position, with the game's tuning."""
    view = SeatView(position, position.to_move[0])
    found = Search(view, game_tuning(view.game), 1)
    for _ in range(_ITERATIONS):
        found.iterate()
    return _ITERATIONS


def step(table: Any) -> int:
    """Make steps of the environment, with an observation at each."""
    random = Random(1)
    table.reset(seed=1)
    for count in range(1, _STEPS + 1):
        observation, _, termination, truncation, _ = table.last()
        if termination or truncation:
            table.reset(seed=count)
            continue
        table.step(random.choice(observation["action_mask"].nonzero()[0].tolist()))
    return _STEPS


def measures(wanted: str) -> dict[str, tuple[Measure, Measure | None]]:
    """Return the warmed-up operations with a text in their name.

    Args:
        wanted: The text.

    Returns:
        Name -> the operation, and an operation that does everything except the measured part; None
        if nothing is subtracted.
    """
    found: dict[str, tuple[Measure, Measure | None]] = {}
    for game in atoll.games.values():
        names = [name for name in _OF_A_GAME if wanted in f"{game.id} {name}"]
        if not names:
            continue
        positions = moments(game, _FORKS)
        middle = next(each for each in positions[_FORKS // 3 :] if len(each.legal_choices(each.to_move[0])) > 1)
        ways: dict[str, Measure] = {
            "decision": partial(decide, game),
            "environment step": partial(step, raw_env(game)),
            "fork": partial(copy, positions),
            "search iteration": partial(search, middle),
            "update": served.updates(game.id, _UPDATES_OF, pages=True),
        }
        for name in names:
            rest = None
            if name == "update":
                rest = served.updates(game.id, _UPDATES_OF, pages=False)
                served.updates(game.id, 1, pages=True)()  # compiles the templates; drawn fragments are dropped
                cache_clear()
            else:
                ways[name]()
            found[f"{game.id} {name}"] = ways[name], rest
    if wanted in "move":
        found["move"] = served.moves(_ROUNDS), served.moves(0)
    return found


def sizes(wanted: str) -> dict[str, float]:
    """Return the bytes of an update of each game whose name matches."""
    names = {game: f"{game} update bytes" for game in atoll.games}
    return {
        name: statistics.median(asyncio.run(updates.play(game, 1, 1, None)).sent)
        for game, name in names.items()
        if wanted in name
    }


# -- under valgrind --------------------------------------------------------------------------------


def count_all(folder: Path, wanted: str) -> None:
    """Run each operation in a fork; valgrind writes a count per process."""
    running: set[int] = set()

    def begin(name: str, way: Measure) -> None:
        """Run an operation in a fork."""
        while len(running) >= _BESIDE:
            running.remove(os.wait()[0])
        pid = os.fork()
        if not pid:
            status = 1
            try:
                (folder / f"{os.getpid()}.name").write_text(f"{way()} {name}", "utf-8")
                status = 0
            finally:
                os._exit(status)
        running.add(pid)

    ways = measures(wanted)
    gc.collect()
    gc.freeze()
    begin("nothing", lambda: 1)
    for name, (way, rest) in ways.items():
        begin(name, way)
        if rest is not None:
            begin(f"{name} -", rest)
    while running:
        running.remove(os.wait()[0])


def counted(folder: Path) -> dict[str, float]:
    """Return the instructions of one run of each operation."""
    totals: dict[str, tuple[int, int]] = {}
    for named in folder.glob("*.name"):
        times, _, name = named.read_text("utf-8").partition(" ")
        total = named.with_suffix("").read_text("ascii").rpartition("summary:")[2]
        totals[name] = int(times), int(total)
    nothing = totals.pop("nothing")
    found: dict[str, float] = {}
    for name, (count, sum_) in sorted(totals.items()):
        if not name.endswith(" -"):
            found[name] = (sum_ - totals.get(f"{name} -", nothing)[1]) / count
    return found


def measure(wanted: str) -> dict[str, float]:
    """Return the instructions of all operations with a text in their name.

    Args:
        wanted: The text.

    Raises:
        CalledProcessError: If an operation fails.
    """
    with tempfile.TemporaryDirectory() as name, tempfile.TemporaryDirectory() as first:
        folder = Path(name)
        valgrind = ("valgrind", "-q", "--tool=cachegrind", "--cache-sim=no", f"--cachegrind-out-file={folder}/%p")
        inside = (sys.executable, "-m", "benchmarks.cost", "--inside")
        # The first run isn't counted: in a new checkout it compiles the modules.
        for command in ((*inside, first, wanted), (*valgrind, *inside, name, wanted)):
            subprocess.run(command, env={**os.environ, "PYTHONHASHSEED": "0"}, check=True)
        return counted(folder)


# -- comparison ------------------------------------------------------------------------------------


def build() -> str:
    """Return a description of this build of Python."""
    return f"{sys.implementation.name} {platform.python_version()}, {platform.python_compiler()}, {platform.machine()}"


def compare(found: Mapping[str, float], stored: Mapping[str, float], ceilings: Mapping[str, float]) -> list[str]:
    """Return a line for each cost that is too high or has no stored figure."""
    lines = []
    for name, cost in found.items():
        if name in ceilings:
            if cost > ceilings[name]:
                lines.append(f"{name}: {cost:,.0f}; allowed: {ceilings[name]:,.0f}")
        elif name not in stored:
            lines.append(f"{name}: no figure is stored; store one with --accept")
        elif cost > stored[name] * ALLOWED:
            lines.append(f"{name}: {cost / stored[name]:.3f} times the stored figure; allowed: {ALLOWED}")
    return lines


def read() -> tuple[str, dict[str, float], dict[str, float]]:
    """Return the build of the stored figures, the figures, and the ceilings."""
    stored = tomllib.loads(FIGURES.read_text("utf-8"))
    return stored["build"], stored["cost"], stored["ceiling"]


def write(found: Mapping[str, float], ceilings: Mapping[str, float]) -> None:
    """Store figures."""
    lines = ["# Instructions of the processor (make cost); a change comes with its reason, in the same commit.", ""]
    lines += [f'build = "{build()}"', "", "[cost]"]
    lines += [f'"{name}" = {round(cost)}' for name, cost in sorted(found.items()) if name not in ceilings]
    lines += ["", "[ceiling]", *(f'"{name}" = {most}' for name, most in ceilings.items())]
    FIGURES.write_text("\n".join(lines) + "\n", "utf-8")


def main() -> int:
    """Measure and compare; return 1 if a cost is too high."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("wanted", nargs="?", default="", help="only operations with this in their name")
    parser.add_argument("--accept", action="store_true", help="store the current figures")
    parser.add_argument("--held", action="store_true", help="only if figures of this build of Python are stored")
    parser.add_argument("--inside", type=Path, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.inside is not None:
        count_all(arguments.inside, arguments.wanted)
        return 0
    of, stored, ceilings = read()
    if arguments.held and of != build():
        print(f"nothing is counted: the stored figures are of another build of Python, {of}; this is {build()}")
        return 0
    found = {**measure(arguments.wanted), **sizes(arguments.wanted)}
    if not found:
        parser.error(f"no operation has {arguments.wanted!r} in its name")
    limits = {**stored, **ceilings}
    for name, cost in found.items():
        ratio = f"{cost / limits[name]:8.3f}" if name in limits else ""
        print(f"{name:28s}{cost:14,.0f}{ratio}")
    if arguments.accept:
        write({**stored, **found}, ceilings)
        return 0
    if of != build():
        print(f"not compared with the stored figures, which are of another build of Python: {of}")
        return 0
    worse = compare(found, stored, ceilings)
    for line in worse:
        print(line, file=sys.stderr)
    return 1 if worse else 0


if __name__ == "__main__":
    sys.exit(main())
