"""Optional parts that a game doesn't have, with their substitutes."""

from __future__ import annotations

import importlib.resources
from collections.abc import Iterator
from typing import Final

from atoll.engine import Game

_PARTS: Final = (
    ("words", "words/en.po and words/de.po: texts are made from the keys"),
    (
        "rules.toml",
        "rules.toml: the rules page shows a new table, options and texts; the card is made from counts",
    ),
    ("picture.py", "picture.py: the table is drawn in the plain style"),
    ("evaluate.py", "evaluate.py: bots compare scores and search with rollouts"),
    ("learn", "learn/: there are no lessons"),
)


def missing_parts(game: Game) -> Iterator[str]:
    """Yield the optional parts that a game doesn't have, each with its substitute."""
    folder = importlib.resources.files(game.package)
    for name, what in _PARTS:
        found = [folder.joinpath(each) for each in (name, name.removesuffix(".py"))]
        if not (found[0].is_file() or found[1].is_dir()):
            yield what
    if not game.placeholders and not hasattr(game, "prompts"):
        yield "prompts: there are no observations, so no training environments"
