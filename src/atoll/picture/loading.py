"""What draws a game: its own `picture.py` and `table.css`, or the plain table of picture/plain.py."""

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
    """The module that draws a game. Raises whatever that does when it is imported."""
    own = importlib.util.find_spec(f"{package}.picture") is not None
    return importlib.import_module(f"{package}.picture") if own else default_table


def style_of(package: str) -> str:
    """The style sheet of a game's table."""
    own = importlib.resources.files(package).joinpath("table.css")
    found = own if own.is_file() else importlib.resources.files(__package__).joinpath("plain.css")
    return with_windows(found.read_text("utf-8"))
