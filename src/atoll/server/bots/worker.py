"""The program that a bot worker runs: `python -m atoll.server.bots.worker SETTINGS`.

Settings are JSON: memory, nice, components. It reads questions and writes answers, one line of JSON each;
before the answer to a long question come lines that say how far it is. A bot gets a SeatView only.
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
from atoll.learn.coach import warn

from ..domain.game_offer import install
from ..domain.memory import limit_memory
from ..table import game_verification

_PROGRESS_S: Final = 0.5
_LONGEST_LOOK_S: Final = 1.5  # at one decision of a finished game; more wouldn't change the picture

Tell = Callable[[dict[str, Any]], None]


def answer(question: dict[str, Any], tell: Tell = lambda progress: None) -> dict[str, Any]:
    """What a bot chooses, advises or says of a game, or why it doesn't. tell: hears how far it is."""
    if not question:
        return {}
    try:
        return _ANSWERS[question["ask"]](question, tell)
    except Exception as error:  # whatever a bot does, it is the server's to hear of it
        return {"error": f"{type(error).__name__}: {error}"}


def _choose(question: dict[str, Any], tell: Tell) -> dict[str, Any]:
    position = atoll.load(question["saved"])
    bot = atoll.bots.bot(position.game, question["level"])
    view = atoll.SeatView(position, question["seat"])
    return {"choices": bot.choose(view, question["seconds"], question["seed"])}


def _advise(question: dict[str, Any], tell: Tell) -> dict[str, Any]:
    """What a strong bot would do after the staged choices, from what the seat knows."""
    position = atoll.load(question["saved"])
    seat = question["seat"]
    for choice in question["staged"]:
        position.apply(choice, seat)
    view = atoll.SeatView(position, seat)
    found = atoll.bots.advise(view, question["seconds"], question["seed"], iterations=question["iterations"])
    return {"advice": found.to_json(position.game)}


def _analyse(question: dict[str, Any], tell: Tell) -> dict[str, Any]:
    """All decisions of a finished game, judged within the time for the whole."""
    saved, steps = question["saved"], [(who, choice) for who, choice in question["steps"]]
    each = min(_LONGEST_LOOK_S, question["seconds"] / max(1, _decisions(atoll.load(saved), steps)))
    last = 0.0

    def watch(done: int, of: int) -> None:
        nonlocal last
        if time.monotonic() - last >= _PROGRESS_S:
            last = time.monotonic()
            tell({"done": done, "of": of})

    position = atoll.load(saved)
    iterations = question["iterations"]
    found = atoll.bots.analyse_from(position, steps, each, question["seed"], iterations=iterations, watch=watch)
    return {"analysis": found.to_json(position.game)}


def _decisions(position: Position, steps: Sequence[tuple[int, int]]) -> int:
    """How many of the steps were a choice among several."""
    count = 0
    for index, (who, choice) in enumerate(steps):
        count += atoll.bots.is_decision(position, index, who)
        advance(position, index, who, choice)
    return count


def _verify(question: dict[str, Any], tell: Tell) -> dict[str, Any]:
    """What a saved game shows when it is played again, or what is wrong with the file."""
    try:
        kept = game_verification.read_kept(question["kept"]) if question["kept"] else None
        found = game_verification.verify(game_verification.read(atoll.games, question["text"]), kept)
    except AtollError as error:
        return {"verified": {"wrong": str(error)[:500]}}
    return {"verified": {"findings": found}}


def _warn(question: dict[str, Any], tell: Tell) -> dict[str, Any]:
    """What speaks against a seat's choices, from what it knows; None if nothing."""
    position = atoll.load(question["saved"])
    found = warn(position, question["seat"], question["choices"], question["seconds"], question["seed"])
    return {"caution": None if found is None else msgspec.to_builtins(found)}


_ANSWERS: Final[dict[str, Callable[[dict[str, Any], Tell], dict[str, Any]]]] = {
    "choose": _choose,
    "advise": _advise,
    "warn": _warn,
    "analyse": _analyse,
    "verify": _verify,
}


def main() -> None:
    """Answer until the server closes the line."""
    # The line to the server is ours alone: what a bot prints goes to the server's log.
    with os.fdopen(os.dup(sys.stdout.fileno()), "wb") as out:
        os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
        settings = msgspec.json.decode(sys.argv[1])
        os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # of NumPy: each thread more takes memory, and a core
        limit_memory(settings["memory"])
        if settings["nice"]:
            with contextlib.suppress(AttributeError, OSError):
                os.nice(settings["nice"])
        install(settings["components"])

        def write(data: dict[str, Any]) -> None:
            out.write(msgspec.json.encode(data) + b"\n")
            out.flush()

        for line in sys.stdin.buffer:
            write(answer(msgspec.json.decode(line), write))


if __name__ == "__main__":
    with contextlib.suppress(BrokenPipeError):  # the server has died
        main()
