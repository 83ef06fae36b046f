"""What a game does without, and what stands in for it: nothing that it must have."""

from __future__ import annotations

import importlib.resources
from collections.abc import Iterator
from typing import Final

from atoll.engine import Game

_PARTS: Final = (
    ("words", "words/en.po and words/de.po: its keys are read as well as they can be"),
    (
        "rules.toml",
        "rules.toml: its rules page has a new table, options and texts; its card is counted",
    ),
    ("picture.py", "picture.py: its table is the plain one"),
    ("evaluate.py", "evaluate.py: its bots look at scores, and search by play-outs"),
    ("learn", "learn/: nobody is taught it at the table"),
)


def lacks(game: Game) -> Iterator[str]:
    """What the package of a game doesn't hold, each with what is there instead."""
    folder = importlib.resources.files(game.package)
    for name, what in _PARTS:
        found = [folder.joinpath(each) for each in (name, name.removesuffix(".py"))]
        if not (found[0].is_file() or found[1].is_dir()):
            yield what
    if not game.abouts and not hasattr(game, "prompts"):
        yield "prompts: no observations, so no training environments"
