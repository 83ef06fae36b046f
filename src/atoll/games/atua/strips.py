"""Beaches (AU-8.3, AU-8.5): strips of single cards, and connected beaches of touching strips.

Both are *shores*: the cards that they consist of (bit 0 is the village, then in the order of
placing), the plane of their units, and the plane of these and all units that touch them.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import TypeAlias

from .lattice import Frame

Shore: TypeAlias = tuple[int, int, int]
"""Bits of the cards, plane of the units, plane of the units and their neighbors."""


def strips_of(frame: Frame, cards: int, units: int) -> list[Shore]:
    """Return the connected parts of a card's beach units that are still visible.

    Args:
        frame: The frame of the plane.
        cards: The bit of the card.
        units: The plane of the units.
    """
    first = (units & -units).bit_length() - 1
    return _shifted(_pieces(units >> first, frame.height), cards, first, frame.height)


def strips_at(frame: Frame, cards: int, beach: int, at: int) -> list[Shore]:
    """Return the strips of a card that is placed now.

    Args:
        frame: The frame of the planes.
        cards: The bit of the card.
        beach: The mask of its beach units.
        at: The bit of its origin.
    """
    return _shifted(_pieces(frame.spread(beach), frame.height), cards, at, frame.height)


def _shifted(pieces: Iterable[tuple[int, int]], cards: int, bits: int, margin: int) -> list[Shore]:
    return [(cards, piece << bits, near << bits >> margin) for piece, near in pieces]


@lru_cache(maxsize=4096)
def _pieces(units: int, height: int) -> tuple[tuple[int, int], ...]:
    """Return the connected parts of units, each with itself and its neighbors a column further."""
    pieces = []
    while units:
        piece, grown = 0, units & -units
        while grown != piece:
            piece, grown = grown, _around(grown << height, height) >> height & units
        pieces.append((piece, _around(piece << height, height)))
        units ^= piece
    return tuple(pieces)


def _around(units: int, height: int) -> int:
    """Return the units and their orthogonal neighbors."""
    return units | units << 1 | units >> 1 | units << height | units >> height


def left_of(frame: Frame, strips: Sequence[Shore], covered: int) -> list[Shore]:
    """Return the visible parts of strips after some units are covered.

    Args:
        frame: The frame of the planes.
        strips: The strips.
        covered: The plane of the covered units.
    """
    left: list[Shore] = []
    for strip in strips:
        under = strip[1] & covered
        if not under:
            left.append(strip)
        elif under != strip[1]:
            left += strips_of(frame, strip[0], strip[1] ^ under)
    return left


def joined(shores: Iterable[Shore], apart: Sequence[Shore] = ()) -> list[Shore]:
    """Return shores with those that touch joined into one.

    Rule AU-8.5.

    Args:
        shores: The shores to join.
        apart: More shores, which don't touch each other.
    """
    found = list(apart)
    for cards, units, near in shores:
        touching = [other for other in found if other[1] & near]
        if touching:
            found = [other for other in found if not other[1] & near]
            for other_cards, other_units, other_near in touching:
                cards |= other_cards  # noqa: PLW2901 - the shore grows while others are joined to it
                units |= other_units  # noqa: PLW2901
                near |= other_near  # noqa: PLW2901
        found.append((cards, units, near))
    return found


def beside(frame: Frame, strips: Sequence[Shore], shores: Sequence[Shore], covered: int) -> Sequence[Shore]:
    """Return the connected beaches that remain after some units are covered.

    Args:
        frame: The frame of the planes.
        strips: The strips of the beaches.
        shores: The connected beaches before.
        covered: The plane of the covered units.
    """
    remaining: list[Shore] = []
    cut = 0
    for shore in shores:
        if shore[1] & covered:
            cut |= shore[1]
        else:
            remaining.append(shore)
    if not cut:
        return shores
    return remaining + joined(left_of(frame, [strip for strip in strips if strip[1] & cut], covered))


def most_cards(shores: Iterable[Shore]) -> int:
    """Return the greatest number of cards in one of these shores; 0 without any.

    Rule AU-8.5, ruling R44.
    """
    return max([shore[0].bit_count() for shore in shores], default=0)


def all_cards(shores: Iterable[Shore]) -> int:
    """Return the number of cards in all of these shores."""
    cards = 0
    for shore in shores:
        cards |= shore[0]
    return cards.bit_count()
