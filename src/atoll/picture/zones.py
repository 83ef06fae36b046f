"""Rows of numbers and zones of cards in the typed views of games."""

from __future__ import annotations

from typing import TypeAlias

import msgspec

Row: TypeAlias = tuple[int, ...]
"""A list of numbers."""
Rows: TypeAlias = tuple[Row, ...]
"""A list of rows."""


class Hidden(msgspec.Struct, frozen=True):
    """A zone whose cards the viewer doesn't see.

    Attributes:
        count: Number of cards.
    """

    count: int


Zone: TypeAlias = Row | Hidden
"""The cards of a zone, or their count."""


def cards_of(zone: Zone | None) -> Row:
    """Return the cards of a zone that the viewer sees; none for a hidden zone."""
    return zone if isinstance(zone, tuple) else ()


def size_of(zone: Zone) -> int:
    """Return the number of cards in a zone."""
    return zone.count if isinstance(zone, Hidden) else len(zone)
