"""A table made from one seat's view, so that whatever judges from a view can use the rules' own tests.

What the seat doesn't know is laid out as so many unknown cards: how many there are is right, what they are isn't.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from atoll.engine.state import declarations

from .components import WutakiBox
from .state import WutakiState

UNKNOWN: Final = 0
"""Stands for a card that the seat doesn't know."""


def _cards(shown: Any) -> Any:
    """A zone as the view shows it: cards, or only how many."""
    if isinstance(shown, list):
        return list(shown)
    if shown is None:
        return []
    if not isinstance(shown, int) and isinstance(shown, Mapping):
        known = list(shown.get("known", ()))
        return known + [UNKNOWN] * (shown["count"] - len(known))
    return shown


def table_of(view: Mapping[str, Any], box: WutakiBox) -> WutakiState:
    """The table as far as the viewer knows it."""
    fields: dict[str, Any] = {}
    for name, visibility in declarations(WutakiState):
        shown = view["state"][name]
        if visibility.who == "public":
            is_list = isinstance(shown, list)
            fields[name] = [each if type(each) is int else _cards(each) for each in shown] if is_list else shown
        elif visibility.who == "nobody":
            fields[name] = _cards(shown)
        elif name == "element":
            fields[name] = [-1 if each is None else each for each in shown]
        else:
            fields[name] = [_cards(each) for each in shown]
    s = WutakiState(**fields)
    s.box = box
    s.options = view["options"]
    return s
