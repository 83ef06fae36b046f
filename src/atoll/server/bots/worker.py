"""The program of a bot worker: `python -m atoll.server.bots.worker SETTINGS`.

The settings are JSON with `memory`, `nice` and `components`. Questions and answers are lines of
JSON. Progress lines may precede the answer to a long question. A bot gets only a SeatView.
"""

from __future__ import annotations

import contextlib
import os
import sys
import time
from collections.abc import Callable, Sequence
from typing import Any, Final

import msgspec

import atoll.bots
from atoll.engine import AtollError, Position
from atoll.engine.record import advance
from atoll.lessons.coach import blunder_warning, decisive_line

from ..domain.game_offer import replace_components
from ..domain.memory import limit_memory

_PROGRESS_S: Final = 0.5
_LONGEST_LOOK_S: Final = 1.5  # seconds per decision of a finished game; more time wouldn't change the result
_LONGEST_REASON_S: Final = 1.0  # seconds for games that are played on from a turning point

SendProgress = Callable[[dict[str, Any]], None]
"""Sends a progress line."""


def answer(question: dict[str, Any], tell: SendProgress = lambda progress: None) -> dict[str, Any]:
    """Return the answer to a question, or an error.

    Args:
        question: The question.
        tell: Sends a progress line.
    """
    if not question:
        return {}
    try:
        return _ANSWERS[question["ask"]](question, tell)
    except Exception as error:  # any failure of a bot must reach the server
        return {"error": f"{type(error).__name__}: {error}"}


def _choose(question: dict[str, Any], tell: SendProgress) -> dict[str, Any]:
    position = atoll.load(question["saved"])
    bot = atoll.bots.bot(position.game, question["level"])
    view = atoll.SeatView(position, question["seat"])
    return {"choices": bot.choose(view, question["seconds"], question["seed"])}


def _advise(question: dict[str, Any], tell: SendProgress) -> dict[str, Any]:
    """Return a strong bot's advice after the drafted choices, based on the seat's knowledge."""
    position = atoll.load(question["saved"])
    seat = question["seat"]
    for choice in question["staged"]:
        position.apply(choice, seat)
    view = atoll.SeatView(position, seat)
    found = atoll.bots.suggest(view, question["seconds"], question["seed"], iterations=question["iterations"])
    return {"advice": found.to_json(position.game)}


def _analyse(question: dict[str, Any], tell: SendProgress) -> dict[str, Any]:
    """Return the analysis of a finished game, within the time for the whole game."""
    saved, steps = question["saved"], [(who, choice) for who, choice in question["steps"]]
    each = min(_LONGEST_LOOK_S, question["seconds"] / max(1, _decisions(atoll.load(saved), steps)))
    last = 0.0

    def watch(done: int, of: int) -> None:
        """Send the progress, but not too often."""
        nonlocal last
        if time.monotonic() - last >= _PROGRESS_S:
            last = time.monotonic()
            tell({"done": done, "of": of})

    position = atoll.load(saved)
    iterations = question["iterations"]
    found = atoll.bots.analyze_from(
        position,
        steps,
        each,
        question["seed"],
        iterations=iterations,
        watch=watch,
        explain=lambda view, judged: _reason(view, judged, question["seed"]),
    )
    return {"analysis": found.to_json(position.game)}


def _reason(view: atoll.SeatView, judged: atoll.bots.Judgment, seed: int) -> Any:
    """Return the score line that explains a turning point, as plain data; None if there is none."""
    found = decisive_line(view, judged.taken.choice, judged.best.choice, judged.lost, _LONGEST_REASON_S, seed)
    return None if found is None else msgspec.to_builtins(found)


def _decisions(position: Position, steps: Sequence[tuple[int, int]]) -> int:
    """Return how many of the steps were decisions with several choices."""
    count = 0
    for index, (who, choice) in enumerate(steps):
        count += atoll.bots.is_decision(position, index, who)
        advance(position, index, who, choice)
    return count


def _verify(question: dict[str, Any], tell: SendProgress) -> dict[str, Any]:
    """Return the verdict on a saved game, or the reason for which the file isn't valid."""
    from ..table import game_verification  # noqa: PLC0415 - loads the store, half of a worker's start

    try:
        kept = game_verification.read_kept(question["kept"])
        found = game_verification.verify(atoll.games, question["text"], kept)
    except AtollError as error:
        return {"verified": {"wrong": str(error)[:500]}}
    return {"verified": {"verdict": found}}


def _warn(question: dict[str, Any], tell: SendProgress) -> dict[str, Any]:
    """Return the strongest objection to a seat's choices by its own knowledge, or None."""
    position = atoll.load(question["saved"])
    found = blunder_warning(position, question["seat"], question["choices"], question["seconds"], question["seed"])
    return {"caution": None if found is None else msgspec.to_builtins(found)}


_ANSWERS: Final[dict[str, Callable[[dict[str, Any], SendProgress], dict[str, Any]]]] = {
    "choose": _choose,
    "advise": _advise,
    "warn": _warn,
    "analyse": _analyse,
    "verify": _verify,
}


def main() -> None:
    """Answer questions until the server closes the pipe."""
    # Only answers may reach the server's pipe. Output of bots goes to the server's log.
    with os.fdopen(os.dup(sys.stdout.fileno()), "wb") as out:
        os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
        settings = msgspec.json.decode(sys.argv[1])
        os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # each thread of NumPy's BLAS takes memory and a core
        limit_memory(settings["memory"])
        if settings["nice"]:
            with contextlib.suppress(AttributeError, OSError):
                os.nice(settings["nice"])
        replace_components(settings["components"])

        def write(data: dict[str, Any]) -> None:
            """Send a line to the server."""
            out.write(msgspec.json.encode(data) + b"\n")
            out.flush()

        for line in sys.stdin.buffer:
            write(answer(msgspec.json.decode(line), write))


if __name__ == "__main__":
    with contextlib.suppress(BrokenPipeError):  # the server has ended
        main()
