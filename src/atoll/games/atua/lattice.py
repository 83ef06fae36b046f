"""The positions where cards of Atua can lie, placements as ints, and frames of units."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import compress
from typing import Final

from .components import MAX_CARDS
from .faces import CARD_UNITS, CODES, ROTATIONS, SLOT_UNITS, Face, Run

_PUSH: Final = CARD_UNITS - SLOT_UNITS
REACH: Final = _PUSH * MAX_CARDS
"""The greatest distance of a card from the village: each covers a symbol, so it adds at most 4."""

SIDE: Final = 2 * REACH + 1
PLACEMENTS: Final = SIDE * SIDE * ROTATIONS
"""The number of placements. A placement is one int: ((x + REACH) * SIDE + y + REACH) * 4 + rot."""

CARD_INTS: Final = 4
"""The ints per card in a list of placed cards: its number in the components, x, y, rot."""

_BITS_OF: Final = tuple(tuple(bit for bit in range(8) if byte >> bit & 1) for byte in range(256))
_STEPS_OF: Final = tuple(tuple(ROTATIONS * bit for bit in bits) for bits in _BITS_OF)
_STEPS_TURNED: Final = tuple(
    tuple(tuple(step + rot for step in steps) for steps in _STEPS_OF) for rot in range(ROTATIONS)
)
_STEPS_IN_ALL_TURNS: Final = tuple(
    tuple(step + rot for step in steps for rot in range(ROTATIONS)) for steps in _STEPS_OF
)


def placement(x: int, y: int, rot: int) -> int:
    """Return the placement of a position and a rotation, which must be in range.

    Args:
        x: Column of the card's top-left unit, -REACH to REACH.
        y: Row of the card's top-left unit, -REACH to REACH.
        rot: Its rotation, 0 to 3.
    """
    return ((x + REACH) * SIDE + y + REACH) * ROTATIONS + rot


def position(number: int) -> tuple[int, int, int]:
    """Return the position and rotation (x, y, rot) of a placement."""
    rest, rot = divmod(number, ROTATIONS)
    x, y = divmod(rest, SIDE)
    return x - REACH, y - REACH, rot


def cards_in(placed: Sequence[int]) -> int:
    """Return the number of cards in a list of placed cards, including the village."""
    return len(placed) // CARD_INTS


class Frame:
    """A square around the village that holds an island and the next card.

    Cards lie within -reach..reach. Bit `(x + reach) * height + y + reach` of a plane is unit (x,
    y). A column is high enough that shifts can't wrap around: an origin shifted beyond one end of
    its column ends up in the next column, but outside -reach..reach.

    Attributes:
        reach: The greatest distance of a card's origin from the village, in x and y.
        height: The height of a column, in bits.
        card_plane: The plane of a card in the top-left corner.
        domain: The plane of all origins within the reach.
        along: Per side N, E, S, W, the bits from a unit to the next one along the side.
    """

    __slots__ = (
        "_outside",
        "_placement_of_byte",
        "_seams",
        "_spread",
        "along",
        "card_plane",
        "domain",
        "height",
        "reach",
    )

    def __init__(self, reach: int) -> None:
        self.reach = reach
        self.height = 2 * reach + 8
        self._spread: dict[int, int] = {}
        self.card_plane = self.spread((1 << CARD_UNITS * CARD_UNITS) - 1)
        side = 2 * reach + 1
        self.domain = sum((1 << side) - 1 << x * self.height for x in range(side))
        # From a card's origin to the first unit outside of each side, and the step along that side.
        self._seams: dict[str, list[tuple[Run, int, int]]] = {}
        self._outside: tuple[int, ...] = (-1, CARD_UNITS * self.height, CARD_UNITS, -self.height)
        self.along: tuple[int, ...] = (self.height, 1, self.height, 1)
        # Columns are whole bytes: within one, the next bit is the next y.
        self._placement_of_byte = [
            placement(bit // self.height - reach, bit % self.height - reach, 0)
            for bit in range(0, self.height * side, 8)
        ]

    def at(self, x: int, y: int) -> int:
        """Return the bit of a unit."""
        return (x + self.reach) * self.height + y + self.reach

    def unit(self, bit: int) -> tuple[int, int]:
        """Return the unit (x, y) of a bit."""
        x, y = divmod(bit, self.height)
        return x - self.reach, y - self.reach

    def spread(self, mask: int) -> int:
        """Return the plane of a card's mask, with the card in the top-left corner of the frame."""
        plane = self._spread.get(mask)
        if plane is None:
            column = (1 << CARD_UNITS) - 1
            plane = sum((mask >> CARD_UNITS * x & column) << self.height * x for x in range(CARD_UNITS))
            self._spread[mask] = plane
        return plane

    def seams(self, face: Face) -> list[tuple[Run, int, int]]:
        """Return the runs of a card's edge, each with its kind and offset.

        Args:
            face: The card in its rotation.

        Returns:
            Per run: the run, its kind, and the bits from the card's origin to the first unit that
            it touches. The kind is a number shared by all runs with the same side, code and length.
        """
        seams = self._seams.get(face.edge)
        if seams is None:
            seams = self._seams[face.edge] = [
                (
                    run,
                    (run.side * len(CODES) + run.code) * (CARD_UNITS + 1) + run.length,
                    self._outside[run.side] + self.along[run.side] * run.start,
                )
                for run in face.runs
            ]
        return seams

    def bits(self, plane: int) -> list[int]:
        """Return the bits of a plane, ascending: by x, then y."""
        found = []
        while plane:
            lowest = plane & -plane
            found.append(lowest.bit_length() - 1)
            plane ^= lowest
        return found

    def placements_of(self, origins: int, rot: int | None) -> list[int]:
        """Return the placements of a plane of origins inside the domain, ascending.

        Args:
            origins: The plane.
            rot: Their rotation; None for all rotations.
        """
        first = ((origins & -origins).bit_length() - 1) // 8 if origins else 0
        origins >>= 8 * first
        data = origins.to_bytes((origins.bit_length() + 7) >> 3, "little")
        steps_of = _STEPS_IN_ALL_TURNS if rot is None else _STEPS_TURNED[rot]
        filled = zip(compress(self._placement_of_byte[first:], data), filter(None, data), strict=True)
        return [number + step for number, byte in filled for step in steps_of[byte]]

    def moved(self, plane: int, frame: Frame) -> int:
        """Return the same units as a plane of a larger frame."""
        data = plane.to_bytes((plane.bit_length() + 7) >> 3, "little")
        column = self.height // 8
        columns = [data[start : start + column] for start in range(0, len(data), column)]
        wider = bytes(frame.height // 8 - column).join(columns)
        return int.from_bytes(wider, "little") << frame.at(-self.reach, -self.reach)


@lru_cache
def frame_for(reach: int) -> Frame:
    """Return the shared frame with this reach."""
    return Frame(reach)


_REACHES: Final = (12, 24, 36)
"""The reaches of the smaller frames, for small islands: a smaller frame has shorter planes."""


class Lattice:
    """The positions -reach..reach of the cards of an island with a maximum number of cards.

    Rule AU-8.1.

    Attributes:
        reach: The greatest distance of a card's origin from the village, in x and y.
    """

    __slots__ = ("_frames", "reach")

    def __init__(self, cards: int) -> None:
        self.reach = _PUSH * cards
        reaches = [reach for reach in _REACHES if reach < self.reach]
        self._frames = [frame_for(reach) for reach in (*reaches, self.reach)]

    def check(self, x: int, y: int) -> None:
        """Check that a position is inside the lattice.

        Args:
            x: Column of the top-left unit.
            y: Row of the top-left unit.

        Raises:
            ValueError: If it isn't.
        """
        if abs(x) > self.reach or abs(y) > self.reach:
            raise ValueError(f"invalid position x {x}, y {y}: expected {-self.reach} to {self.reach} each")

    def frame(self, farthest: int) -> Frame:
        """Return the smallest frame for cards within -farthest..farthest and one more card."""
        for frame in self._frames:
            if farthest + _PUSH <= frame.reach:
                return frame
        return self._frames[-1]


@lru_cache
def lattice_for(cards: int) -> Lattice:
    """Return the shared lattice for islands of at most `cards` cards in addition to the village."""
    return Lattice(cards)
