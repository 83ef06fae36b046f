"""Golden games: whole records with a hash per checkpoint, replayed on today's rules."""

from __future__ import annotations

from atoll.engine import record
from atoll.engine.registry import games


def difference_of(text: str) -> str | None:
    """What is wrong with a golden game; None if it goes as it went, to its end. Raises SaveError, UnknownGame."""
    read = record.read(text)
    found = record.check(games[read.game], text)
    if found is not None:
        return found
    if read.scores is None:
        return "it isn't played to its end"
    return None if sum(bool(step.digest) for step in read.steps) > 2 else "it has no checkpoints to compare"
