"""Beaches (AU-8.3, AU-8.5): strips of single cards, and connected beaches, which are strips that touch.

Both are *shores*: the cards they are made of (bit 0 is the village, then in the order of placing), the plane of their
units, and the plane of these and all units that touch them.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import TypeAlias

from .lattice import Frame

Shore: TypeAlias = tuple[int, int, int]
"""Cards, units, units and neighbours."""


def strips_of(frame: Frame, cards: int, units: int) -> list[Shore]:
    """The connected parts of what is still visible of a card's beach units."""
    first = (units & -units).bit_length() - 1
    return _shifted(_pieces(units >> first, frame.height), cards, first, frame.height)


def strips_at(frame: Frame, cards: int, beach: int, at: int) -> list[Shore]:
    """The strips of a card whose beach units are this mask, with its origin at this bit."""
    return _shifted(_pieces(frame.spread(beach), frame.height), cards, at, frame.height)


def _shifted(pieces: Iterable[tuple[int, int]], cards: int, bits: int, margin: int) -> list[Shore]:
    return [(cards, piece << bits, near << bits >> margin) for piece, near in pieces]


@lru_cache(maxsize=4096)
def _pieces(units: int, height: int) -> tuple[tuple[int, int], ...]:
    """The connected parts of some units, each with itself and its neighbours, these a column further."""
    pieces = []
    while units:
        piece, grown = 0, units & -units
        while grown != piece:
            piece, grown = grown, _around(grown << height, height) >> height & units
        pieces.append((piece, _around(piece << height, height)))
        units ^= piece
    return tuple(pieces)


def _around(units: int, height: int) -> int:
    """The units and their orthogonal neighbours."""
    return units | units << 1 | units >> 1 | units << height | units >> height


def left_of(frame: Frame, strips: Sequence[Shore], covered: int) -> list[Shore]:
    """What can still be seen of strips when these units are covered."""
    left: list[Shore] = []
    for strip in strips:
        under = strip[1] & covered
        if not under:
            left.append(strip)
        elif under != strip[1]:
            left += strips_of(frame, strip[0], strip[1] ^ under)
    return left


def joined(shores: Iterable[Shore], apart: Sequence[Shore] = ()) -> list[Shore]:
    """Return these with those that touch as one. `apart`: some more, of which none touch each other.

    Rule AU-8.5.
    """
    found = list(apart)
    for cards, units, near in shores:
        touching = [other for other in found if other[1] & near]
        if touching:
            found = [other for other in found if not other[1] & near]
            for other_cards, other_units, other_near in touching:
                cards |= other_cards  # noqa: PLW2901 - it grows while others are taken in
                units |= other_units  # noqa: PLW2901
                near |= other_near  # noqa: PLW2901
        found.append((cards, units, near))
    return found


def beside(frame: Frame, strips: Sequence[Shore], shores: Sequence[Shore], covered: int) -> Sequence[Shore]:
    """What of connected beaches a card leaves that covers these units; `strips` are those that they consist of."""
    kept: list[Shore] = []
    cut = 0
    for shore in shores:
        if shore[1] & covered:
            cut |= shore[1]
        else:
            kept.append(shore)
    if not cut:
        return shores
    return kept + joined(left_of(frame, [strip for strip in strips if strip[1] & cut], covered))


def most_cards(shores: Iterable[Shore]) -> int:
    """Return the greatest number of cards in one of these; 0 without any. Rule AU-8.5, ruling R44."""
    return max([shore[0].bit_count() for shore in shores], default=0)


def all_cards(shores: Iterable[Shore]) -> int:
    """How many cards there are in all of these."""
    cards = 0
    for shore in shores:
        cards |= shore[0]
    return cards.bit_count()
