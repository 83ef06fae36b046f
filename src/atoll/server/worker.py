"""The program that a bot worker runs: `python -m atoll.server.worker SETTINGS` (JSON: memory, plugins, components).

It reads questions and writes answers, one line of JSON each. A bot gets a SeatView only.
"""

from __future__ import annotations

import contextlib
import os
import sys
from typing import Any

import msgspec

import atoll.bots

from .installed import install


def limit_memory(most: int) -> None:
    """From now on this process gets no more memory than so many bytes, where the system can enforce it."""
    try:
        import resource  # noqa: PLC0415 - not everywhere
    except ImportError:
        return
    with contextlib.suppress(ValueError, OSError):
        resource.setrlimit(resource.RLIMIT_AS, (most, most))


def answer(question: dict[str, Any]) -> dict[str, Any]:
    """What a bot chooses, or why it doesn't."""
    if not question:
        return {}
    try:
        position = atoll.load(question["saved"])
        bot = atoll.bots.bot(position.game, question["level"])
        view = atoll.SeatView(position, question["seat"])
        return {"choices": bot.choose(view, question["seconds"], question["seed"])}
    except Exception as error:  # whatever a bot does, it is the server's to hear of it
        return {"error": f"{type(error).__name__}: {error}"}


def main() -> None:
    """Answer until the server closes the line."""
    # The line to the server is ours alone: what a bot prints goes to the server's log.
    with os.fdopen(os.dup(sys.stdout.fileno()), "wb") as out:
        os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
        settings = msgspec.json.decode(sys.argv[1])
        limit_memory(settings["memory"])
        install(settings["plugins"], settings["components"])
        for line in sys.stdin.buffer:
            out.write(msgspec.json.encode(answer(msgspec.json.decode(line))) + b"\n")
            out.flush()


if __name__ == "__main__":
    main()
