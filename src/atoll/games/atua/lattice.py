"""Where cards of Atua can lie at all: positions, rotations, and the window of units around the village."""

from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from .components import MAX_CARDS
from .faces import CARD_UNITS, ROTATIONS, SLOT_UNITS

_PUSH: Final = CARD_UNITS - SLOT_UNITS
REACH: Final = _PUSH * MAX_CARDS
"""No card can lie farther from the village, to any side: each must cover a symbol and so pushes the outline by 4."""

SIDE: Final = 2 * REACH + 1
PLACEMENTS: Final = SIDE * SIDE * ROTATIONS
"""A *placement* is a position and a rotation as one int: ((x + REACH) * SIDE + y + REACH) * 4 + rot."""

CARD_INTS: Final = 4
"""How many ints a card has in a list of placed cards: its number in the Box, x, y, rot."""

_BITS_OF: Final = tuple(tuple(bit for bit in range(8) if byte >> bit & 1) for byte in range(256))
_STEPS_OF: Final = tuple(tuple(ROTATIONS * bit for bit in bits) for bits in _BITS_OF)


def placement(x: int, y: int, rot: int) -> int:
    """The int of a position and a rotation, all of them inside their bounds."""
    return ((x + REACH) * SIDE + y + REACH) * ROTATIONS + rot


def position(number: int) -> tuple[int, int, int]:
    """The position and rotation (x, y, rot) of a placement."""
    rest, rot = divmod(number, ROTATIONS)
    x, y = divmod(rest, SIDE)
    return x - REACH, y - REACH, rot


def cards_in(placed: Sequence[int]) -> int:
    """How many cards a list of placed cards has, the village among them."""
    return len(placed) // CARD_INTS


class Lattice:
    """The window in which islands of at most ``cards`` cards (without the village) lie: positions -reach..reach.

    Bit ``(x + reach) * height + y + reach`` of a plane is unit (x, y). A column of the window is so much higher than
    the units in use that an origin beyond one end of the column comes out, in the next column, beyond the other end:
    no origin inside -reach..reach is ever reached by wrapping.
    """

    __slots__ = ("_placement_of_byte", "_spread", "along", "box", "domain", "height", "outside", "reach")

    def __init__(self, cards: int) -> None:
        self.reach = _PUSH * cards
        self.height = 2 * self.reach + 8
        self._spread: dict[int, int] = {}
        self.box = self.spread((1 << CARD_UNITS * CARD_UNITS) - 1)
        side = 2 * self.reach + 1
        self.domain = sum((1 << side) - 1 << x * self.height for x in range(side))
        # From a card's origin to the first unit outside of each side, and the step along that side.
        self.outside = (-1, CARD_UNITS * self.height, CARD_UNITS, -self.height)
        self.along = (self.height, 1, self.height, 1)
        # Columns are whole bytes: within one, the next bit is the next y.
        self._placement_of_byte = [
            placement(bit // self.height - self.reach, bit % self.height - self.reach, 0)
            for bit in range(0, self.height * side, 8)
        ]

    def at(self, x: int, y: int) -> int:
        """The bit of a unit."""
        return (x + self.reach) * self.height + y + self.reach

    def unit(self, bit: int) -> tuple[int, int]:
        """The unit (x, y) of a bit."""
        x, y = divmod(bit, self.height)
        return x - self.reach, y - self.reach

    def check(self, x: int, y: int) -> None:
        """Refuse a position outside of the window with a ValueError."""
        if abs(x) > self.reach or abs(y) > self.reach:
            raise ValueError(f"no position x {x}, y {y}; allowed: {-self.reach} to {self.reach} each")

    def spread(self, mask: int) -> int:
        """The plane of a card's mask with the card in the window's top left corner."""
        plane = self._spread.get(mask)
        if plane is None:
            column = (1 << CARD_UNITS) - 1
            plane = sum((mask >> CARD_UNITS * x & column) << self.height * x for x in range(CARD_UNITS))
            self._spread[mask] = plane
        return plane

    def bits(self, plane: int) -> list[int]:
        """The bits of a plane, ascending: by x, then y."""
        data = plane.to_bytes((plane.bit_length() + 7) >> 3, "little")
        return [8 * index + bit for index, byte in enumerate(data) if byte for bit in _BITS_OF[byte]]

    def placements_of(self, origins: int) -> list[int]:
        """The placements with rot 0 of a plane of origins inside the domain, ascending."""
        first = ((origins & -origins).bit_length() - 1) // 8 if origins else 0
        origins >>= 8 * first
        data = origins.to_bytes((origins.bit_length() + 7) >> 3, "little")
        placement_of = self._placement_of_byte
        return [
            placement_of[index] + step for index, byte in enumerate(data, first) if byte for step in _STEPS_OF[byte]
        ]

    def around(self, plane: int) -> int:
        """The units of a plane and their orthogonal neighbours."""
        height = self.height
        return plane | plane << 1 | plane >> 1 | plane << height | plane >> height

    def pieces(self, plane: int) -> list[int]:
        """The connected parts of a plane."""
        pieces = []
        while plane:
            piece, grown = 0, plane & -plane
            while grown != piece:
                piece, grown = grown, self.around(grown) & plane
            pieces.append(piece)
            plane ^= piece
        return pieces


@lru_cache
def lattice_for(cards: int) -> Lattice:
    """The one lattice for islands of at most ``cards`` cards besides the village."""
    return Lattice(cards)
