"""The legal placements of the next card on an island (AU-8.4).

A question about all positions at once, such as whether a card would cut a symbol, takes a few
shifts of planes. The answer is a plane of *origins*: the positions of the card's top-left unit.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from .components import Card
from .faces import CARD_UNITS, SLOT_UNITS, Face, Run
from .lattice import Frame
from .seams import CONFLICTS

_COVERING: Final = CARD_UNITS - SLOT_UNITS + 1
"""The number of positions in a line from which a card covers a symbol completely."""

_MEETING: Final = CARD_UNITS + SLOT_UNITS - 1
"""The number of positions in a line from which a card covers at least half of a symbol."""

_REACHING: Final[tuple[tuple[int, ...], ...]] = ((), (), (1,), (1, 1), (1, 2), (1, 2, 1), (1, 2, 2), (1, 2, 3))
"""Per length, the shift of each step of `_swept`. The steps at most double the reach."""


class LegalPlacements:
    """The legal placements on an island as it is now, computed on demand and cached."""

    __slots__ = ("_frame", "_land", "_open", "_origins", "_paths", "_placements", "_sea", "_sweeps")

    def __init__(self, frame: Frame, land: int, sea: int, paths: Sequence[int], tops: int, starry: int) -> None:
        self._frame = frame
        self._land = land
        self._sea = sea
        self._paths = paths
        self._open = _open_origins(frame, tops, starry)
        self._origins: dict[str, int] = {}
        self._sweeps: dict[int, int] = {}
        self._placements: dict[str, list[int]] = {}

    def fits(self, card: Card) -> bool:
        """Return whether the card has any legal placement."""
        for face in card.faces:  # noqa: SIM110 - any() would need a generator
            if self.origins(face):
                return True
        return False

    def placements(self, card: Card) -> Sequence[int]:
        """Return all legal placements of a card, ascending: by x, then y, then rot."""
        edge = card.faces[0].edge
        found = self._placements.get(edge)
        if found is None:
            found = self._placements[edge] = self._list_placements(card)
        return found

    def _list_placements(self, card: Card) -> list[int]:
        first = card.faces[0]
        if all(face.edge == first.edge for face in card.faces):
            return self._frame.placements_of(self.origins(first), None)
        found: list[int] = []
        for rot, face in enumerate(card.faces):
            found += self._frame.placements_of(self.origins(face), rot)
        found.sort()
        return found

    def origins(self, face: Face) -> int:
        """Return the plane of legal positions of a card in one rotation. Rule AU-8.4."""
        origins = self._origins.get(face.edge)
        if origins is None:
            illegal = 0
            sweeps = self._sweeps
            for run, kind, offset in self._frame.seams(face):
                conflicts = sweeps.get(kind, -1)
                if conflicts < 0:
                    conflicts = sweeps[kind] = self._sweep(run)
                illegal |= conflicts >> offset if offset > 0 else conflicts << -offset
            origins = self._origins[face.edge] = (self._open | illegal) ^ illegal
        return origins

    def _sweep(self, run: Run) -> int:
        """Return the units where a run may not start, because one of its units would conflict."""
        planes = (self._land, self._sea, self._paths[(run.side + 2) % 4])  # by code; flanks touch anything
        one, other = CONFLICTS[run.code]
        return _swept(planes[one] | planes[other], self._frame.along[run.side], run.length)


def _open_origins(frame: Frame, tops: int, starry: int) -> int:
    """Return the origins where a card covers a symbol, cuts none and leaves all stars free.

    The card's edge doesn't matter here.
    A card covers a symbol when its origin lies in the square of units that ends at the symbol's
    top-left unit. It cuts the symbol from the ring around that square: a row above and below it, a
    column to either side.
    Rule AU-8.4.
    """
    down, right = 1, frame.height  # from a unit to the next one, in bits
    square = _swept(_swept(tops, down, _COVERING), right, _COVERING)
    row = _swept(tops << right, right, _MEETING)
    column = _swept(tops << down, down, _MEETING)
    ring = row << down | row >> _COVERING * down | column << right | column >> _COVERING * right
    legal = square & frame.domain
    illegal = ring | starry
    return (legal | illegal) ^ illegal


def meeting(frame: Frame, symbols: Iterable[tuple[int, int, int]]) -> int:
    """Return the origins from which a card would overlap one of these symbols (symbol, x, y)."""
    down, right = 1, frame.height
    plane = 0
    for _, x, y in symbols:
        plane |= 1 << frame.at(x + 1, y + 1)
    return _swept(_swept(plane, down, _MEETING), right, _MEETING)


def _swept(plane: int, step: int, length: int) -> int:
    """Return all bits from which the plane is met within `length` units, `step` bits apart."""
    for more in _REACHING[length]:
        plane |= plane >> step * more
    return plane
