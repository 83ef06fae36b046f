"""The HTML pages.

Each works without JavaScript: every action is a form that is posted and answered by a redirect. With the header
`X-Fragment` the same requests answer with the part of the page that changed, or with JSON.
"""

from __future__ import annotations

from . import (
    account,
    files,
    gathering,
    history,
    learn,
    new_table,
    notices,
    people,
    planning,
    presence,
    proof,
    puzzles,
    rules,
    site,
    table,
    trying,
    turn,
    waiting,
)
from .context import refused

__all__ = ["refused", "routes"]

_PARTS = (
    table,  # asked for most often
    turn,
    site,
    rules,
    people,
    account,
    notices,
    waiting,
    new_table,
    gathering,
    planning,
    trying,
    presence,
    history,
    learn,
    puzzles,
    proof,
    files,
)

routes = [each for part in _PARTS for each in part.pages]
