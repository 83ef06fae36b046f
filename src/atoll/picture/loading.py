"""Loading of a game's `picture.py` and `table.css`, with the default table as fallback."""

from __future__ import annotations

import importlib
import importlib.resources
import importlib.util
from functools import lru_cache
from typing import Any

from . import default_table
from .windows import with_windows


@lru_cache(maxsize=256)
def picture_of(package: str) -> Any:
    """Return the module that draws a game.

    Exceptions of its import are passed on.

    Args:
        package: Package of the game.
    """
    own = importlib.util.find_spec(f"{package}.picture") is not None
    return importlib.import_module(f"{package}.picture") if own else default_table


def style_of(package: str) -> str:
    """Return the style sheet of a game's table."""
    own = importlib.resources.files(package).joinpath("table.css")
    found = own if own.is_file() else importlib.resources.files(__package__).joinpath("plain.css")
    return with_windows(found.read_text("utf-8"))
