"""Rows of numbers and zones of cards, as the typed views of games have them."""

from __future__ import annotations

from typing import TypeAlias

import msgspec

Row: TypeAlias = tuple[int, ...]
Rows: TypeAlias = tuple[Row, ...]


class Hidden(msgspec.Struct, frozen=True):
    """A zone whose cards the viewer doesn't see."""

    count: int


Zone: TypeAlias = Row | Hidden
"""The cards of a zone whose size everybody knows."""


def cards_of(zone: Zone | None) -> Row:
    """Return the cards of a zone that the viewer sees, none of a zone that is hidden."""
    return zone if isinstance(zone, tuple) else ()


def size_of(zone: Zone) -> int:
    """Return the number of cards in a zone."""
    return zone.count if isinstance(zone, Hidden) else len(zone)
