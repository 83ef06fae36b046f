"""Golden games: complete records with a hash per checkpoint, replayed with the current rules."""

from __future__ import annotations

from atoll.engine import record
from atoll.engine.registry import games


def difference_of(text: str) -> str | None:
    """Return the first difference of a golden game; None if it replays to its end.

    Args:
        text: The record.

    Raises:
        SaveError: If the record can't be read.
        UnknownGame: If no game has its id.
    """
    read = record.read(text)
    found = record.check(games[read.game], text)
    if found is not None:
        return found
    if read.scores is None:
        return "the game isn't finished"
    return None if sum(bool(step.digest) for step in read.steps) > 2 else "the record has too few checkpoints"
