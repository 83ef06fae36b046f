"""The HTML pages.

Each page works without JavaScript: every action is a form whose POST is answered by a redirect.
With the header `X-Fragments`, the same requests return the part of the page that changed, or JSON.
"""

from __future__ import annotations

from . import (
    account,
    archive,
    competitions,
    devices,
    docs,
    files,
    history,
    house_rules,
    learn,
    legal,
    moderation,
    new_table,
    notices,
    operation,
    planned_turns,
    presence,
    profiles,
    proof,
    puzzles,
    quick,
    rescue,
    rules,
    settings,
    sign_in,
    site,
    table,
    table_setup,
    tryouts,
    turn,
    waiting,
    workshop,
)
from .context import refusal_page

__all__ = ["refusal_page", "routes"]

_PARTS = (
    table,  # first, because it is requested most often
    turn,
    site,
    competitions,
    rules,
    settings,
    account,
    devices,
    sign_in,
    rescue,
    notices,
    waiting,
    new_table,
    quick,
    table_setup,
    planned_turns,
    tryouts,
    presence,
    history,
    learn,
    puzzles,
    proof,
    legal,
    house_rules,
    moderation,
    operation,
    archive,
    profiles,
    files,
    docs,
    workshop,
)

routes = [each for part in _PARTS for each in part.pages]
