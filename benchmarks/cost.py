"""What things cost in instructions of the processor, held against the figures in `cost.toml`.

    make cost                    # measure everything; what costs over 3 % more than it did, or than its ceiling, fails
    make cost ARGS=--accept      # keep today's figures; the reason belongs into the commit
    make cost ARGS="wutaki"      # what has this in its name
    make cost ARGS=--held        # nothing where no figures of this build of Python are kept: for CI

Instructions are counted by valgrind, so that neither other work on the machine nor its clock changes them. All is
imported and warmed up once; each measure is carried out in a fork of that process, and what a fork that does nothing
has counted is taken off. The server runs without threads, its clocks stand still, and it draws the same each time.
Counts depend on how Python was built: they are held against figures of the same build alone.

The server has ceilings instead of figures, for instructions and for the bytes of an update (the median of a random
game): a percent more or less isn't noticed by anybody.
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
"""How many times as much as it did a thing may cost."""

_BESIDE: Final = 2
_DECISIONS: Final = 400
_FORKS: Final = 150
_ITERATIONS: Final = 40
_STEPS: Final = 120
_UPDATES_OF: Final = 10  # moves
_ROUNDS: Final = 12

_OF_A_GAME: Final = ("decision", "environment step", "fork", "search iteration", "update")

Measure = Callable[[], int]
"""Does something and says how many times."""


# -- what is measured ------------------------------------------------------------------------------


def moments(game: Game, count: int) -> list[Position]:
    """Positions all along random games with the fewest seats, at which somebody is asked."""
    random = Random(1)
    found: list[Position] = []
    position = game.new(seed=1)
    while len(found) < count:
        if position.over:
            position = game.new(seed=len(found))
        found.append(position.fork())
        seat = position.to_move[0]
        position.apply(random.choice(position.legal(seat)), seat)
    return found


def decide(game: Game) -> int:
    """Random decisions through the public API, from the empty table on."""
    random = Random(1)
    count = 0
    seed = 0
    while count < _DECISIONS:
        seed += 1
        position = game.new(seed=seed, snapshots=False)
        while not position.over:
            seat = position.to_move[0]
            position.apply(random.choice(position.legal(seat)), seat)
            count += 1
    return count


def copy(positions: list[Position]) -> int:
    """Copies of moments all along a game."""
    for position in positions:
        position.fork()
    return len(positions)


def search(position: Position) -> int:
    """Iterations of the search at one moment, with the game's own tuning."""
    view = SeatView(position, position.to_move[0])
    found = Search(view, game_tuning(view.game), 1)
    for _ in range(_ITERATIONS):
        found.iterate()
    return _ITERATIONS


def step(table: Any) -> int:
    """Steps of the environment, with what is observed at each."""
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
    """What has this in its name, by its name: what does it, and what does all of it but that; warmed up."""
    found: dict[str, tuple[Measure, Measure | None]] = {}
    for game in atoll.games.values():
        names = [name for name in _OF_A_GAME if wanted in f"{game.id} {name}"]
        if not names:
            continue
        positions = moments(game, _FORKS)
        middle = next(each for each in positions[_FORKS // 3 :] if len(each.legal(each.to_move[0])) > 1)
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
                served.updates(game.id, 1, pages=True)()  # templates are compiled once, fragments drawn anew
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
    """Carry every measure out in a fork of its own; valgrind writes what each has counted, by its process."""
    running: set[int] = set()

    def begin(name: str, way: Measure) -> None:
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
    """Instructions of each thing, once."""
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
    """Instructions of everything with this in its name. Raises CalledProcessError if something fails."""
    with tempfile.TemporaryDirectory() as name, tempfile.TemporaryDirectory() as first:
        folder = Path(name)
        valgrind = ("valgrind", "-q", "--tool=cachegrind", "--cache-sim=no", f"--cachegrind-out-file={folder}/%p")
        inside = (sys.executable, "-m", "benchmarks.cost", "--inside")
        # Uncounted at first: in a new tree modules are compiled by whoever imports them before others.
        for command in ((*inside, first, wanted), (*valgrind, *inside, name, wanted)):
            subprocess.run(command, env={**os.environ, "PYTHONHASHSEED": "0"}, check=True)
        return counted(folder)


# -- against what it was ---------------------------------------------------------------------------


def build() -> str:
    """How this Python was built."""
    return f"{sys.implementation.name} {platform.python_version()}, {platform.python_compiler()}, {platform.machine()}"


def compare(found: Mapping[str, float], kept: Mapping[str, float], ceilings: Mapping[str, float]) -> list[str]:
    """A line for everything that costs more than it may, or was never measured before."""
    lines = []
    for name, cost in found.items():
        if name in ceilings:
            if cost > ceilings[name]:
                lines.append(f"{name}: {cost:,.0f}; allowed: {ceilings[name]:,.0f}")
        elif name not in kept:
            lines.append(f"{name}: no figure is kept; keep one with --accept")
        elif cost > kept[name] * ALLOWED:
            lines.append(f"{name}: {cost / kept[name]:.3f} times what it was; allowed: {ALLOWED}")
    return lines


def read() -> tuple[str, dict[str, float], dict[str, float]]:
    """Of which build the kept figures are, the figures, and the ceilings of what has none."""
    kept = tomllib.loads(FIGURES.read_text("utf-8"))
    return kept["build"], kept["cost"], kept["ceiling"]


def write(found: Mapping[str, float], ceilings: Mapping[str, float]) -> None:
    """Keep these figures."""
    lines = ["# Instructions of the processor (make cost); a change comes with its reason, in the same commit.", ""]
    lines += [f'build = "{build()}"', "", "[cost]"]
    lines += [f'"{name}" = {round(cost)}' for name, cost in sorted(found.items()) if name not in ceilings]
    lines += ["", "[ceiling]", *(f'"{name}" = {most}' for name, most in ceilings.items())]
    FIGURES.write_text("\n".join(lines) + "\n", "utf-8")


def main() -> int:
    """The exit status: 1 if something costs more than it may."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("wanted", nargs="?", default="", help="only what has this in its name")
    parser.add_argument("--accept", action="store_true", help="keep today's figures")
    parser.add_argument("--held", action="store_true", help="only if figures of this build of Python are kept")
    parser.add_argument("--inside", type=Path, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.inside is not None:
        count_all(arguments.inside, arguments.wanted)
        return 0
    of, kept, ceilings = read()
    if arguments.held and of != build():
        print(f"nothing is counted: the kept figures are of another build of Python, {of}; this is {build()}")
        return 0
    found = {**measure(arguments.wanted), **sizes(arguments.wanted)}
    if not found:
        parser.error(f"nothing is called {arguments.wanted!r}")
    limits = {**kept, **ceilings}
    for name, cost in found.items():
        ratio = f"{cost / limits[name]:8.3f}" if name in limits else ""
        print(f"{name:28s}{cost:14,.0f}{ratio}")
    if arguments.accept:
        write({**kept, **found}, ceilings)
        return 0
    if of != build():
        print(f"not held against the kept figures, which are of another build of Python: {of}")
        return 0
    worse = compare(found, kept, ceilings)
    for line in worse:
        print(line, file=sys.stderr)
    return 1 if worse else 0


if __name__ == "__main__":
    sys.exit(main())
