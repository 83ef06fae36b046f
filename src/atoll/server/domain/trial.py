"""Trial of a third-party game before a server offers it: in its own process, with limits.

The trial imports a plugin and plays the game at random with the fewest and with the most seats. A
game that doesn't load, doesn't end, is slow or uses too much memory therefore never affects the
tables of other games. Later the game is confined by its rights. Bots get the knowledge of their
seat, in their own processes. Pictures and translations get a view. Rules get the table that they
are played at; `runaway_guard.py` interrupts them if they run too long.
"""

from __future__ import annotations

import importlib
import importlib.resources
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from importlib.resources.abc import Traversable
from random import Random
from typing import Any, Final

import msgspec

import atoll
from atoll.engine import Game
from atoll.engine.languages import LANGUAGES
from atoll.engine.translations import FallbackMessages

from .memory import limit_memory

_READ: Final = (".po", ".toml", ".css", ".js", ".jinja")


@dataclass(frozen=True, slots=True)
class TrialLimits:
    """Limits for a game in its trial.

    Attributes:
        seconds: Duration of the whole trial.
        step_s: Processor time for one answer or one view, in seconds.
        memory: Bytes of the process.
        view: Bytes of the largest view.
        save: Bytes of the largest save.
        choices: Size of the vocabulary.
        file: Bytes of the largest file that the server reads: translations, rules, components,
            lessons, styles.
    """

    seconds: float = 60.0
    step_s: float = 1.0
    memory: int = 1 << 30
    view: int = 1 << 20
    save: int = 4 << 20
    choices: int = 1_000_000
    file: int = 4 << 20


class LimitExceeded(Exception):
    """The game exceeds a limit."""


def trial_failure(id: str, bounds: TrialLimits) -> str:
    """Return the reason for which a game can't be offered, or ""."""
    return _failing("game", id, bounds)


def plugin_trial_failure(module: str, bounds: TrialLimits) -> str:
    """Return the reason for which a plugin can't be imported here, or ""."""
    return _failing("plugin", module, bounds)


def _failing(what: str, name: str, bounds: TrialLimits) -> str:
    command = [sys.executable, "-m", __name__, what, name, msgspec.json.encode(asdict(bounds)).decode()]
    try:
        ran = subprocess.run(  # noqa: S603 - this module
            command, capture_output=True, timeout=bounds.seconds, env=os.environ, check=False
        )
    except subprocess.TimeoutExpired:
        return f"its trial wasn't over after {bounds.seconds:g} s"
    if ran.returncode:
        lines = ran.stderr.decode(errors="replace").strip().splitlines()
        return (lines[-1] if lines else f"its trial ended with status {ran.returncode}")[:300]
    return ""


def _must_stay_below(most: float, what: str, value: float) -> None:
    if value > most:
        raise LimitExceeded(f"{what} {value:,.4g}; allowed: {most:,.4g}")


def _timed(most: float, what: str, act: Callable[[], Any]) -> Any:
    began = time.process_time()
    result = act()
    _must_stay_below(most, f"{what} takes seconds:", time.process_time() - began)
    return result


def try_out(game: Game, bounds: TrialLimits) -> None:
    """Play a game at random.

    Exceptions of the game pass through.

    Args:
        game: The game.
        bounds: Its limits.

    Raises:
        LimitExceeded: If the game exceeds a limit.
    """
    _must_stay_below(bounds.choices, "choices:", game.vocabulary.size)
    for file in _files(importlib.resources.files(game.package)):
        with file.open("rb") as text:
            _must_stay_below(bounds.file, f"bytes of {file.name}:", text.seek(0, os.SEEK_END))
    for language in LANGUAGES:
        FallbackMessages(game, language).title()
    for seats in {min(game.seat_counts), max(game.seat_counts)}:
        _play(game, seats, bounds)


def _files(folder: Traversable) -> Iterator[Traversable]:
    """Yield the files of a game that a server reads, except its modules."""
    for each in folder.iterdir():
        if each.is_dir():
            yield from _files(each)
        elif each.name.endswith(_READ):
            yield each


def _play(game: Game, seats: int, bounds: TrialLimits) -> None:
    rng = Random(seats)  # noqa: S311 - not a real game
    position = game.new(seats, seed=seats)
    size = 0
    while not position.over:
        size += 1
        _must_stay_below(game.max_answers, "answers in a game:", size)
        seat = rng.choice(position.to_move)
        choice = rng.choice(position.legal_choices(seat))
        _timed(bounds.step_s, f"an answer to {position.decision(seat).prompt!r}", lambda: position.apply(choice, seat))  # noqa: B023 - it is called at once
        view = _timed(bounds.step_s, "a view", lambda: position.view(seat))  # noqa: B023 - it is called at once
        _must_stay_below(bounds.view, "bytes of a view:", len(msgspec.json.encode(view)))
        _must_stay_below(bounds.save, "bytes of a save:", len(position.save()))
    position.explain()


def main() -> None:
    """Run `python -m atoll.server.domain.trial game|plugin NAME BOUNDS`.

    The exit status is 1 if the trial fails. The last line of the output is the reason.
    """
    what, name, limits = sys.argv[1:]
    bounds = msgspec.json.decode(limits, type=TrialLimits)
    limit_memory(bounds.memory)
    try:
        if what == "plugin":
            importlib.import_module(name)
        else:
            try_out(atoll.games[name], bounds)
    except MemoryError:
        sys.exit(f"it takes more than {bounds.memory:,} bytes of memory")
    except BaseException as error:
        sys.exit(f"{type(error).__name__}: {error}")


if __name__ == "__main__":
    main()
