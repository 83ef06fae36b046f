"""Islands of overlapping cards and where the next card may lie (RULES.md, "Geometry"), in exact integers.

An island keeps *planes*: whole numbers with one bit per unit of a window around the village. A question about all
positions at once ("where would this card cut a symbol?") is a few shifts of planes; the answer is a plane of
*origins*, the positions of the card's top-left unit. faults.py asks the same questions of one position, unit by unit,
and names the offending ones.

Positions are relative to the village, which lies at (0, 0) with rot 0; x to the right, y downwards.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from mypy_extensions import mypyc_attr

from atoll.engine import blank

from .components import STARS, SYMBOLS, VILLAGE_STAR, VOLCANO, AtuaBox, Card
from .faces import CARD_UNITS, CODE_END, CODE_FLANK, CODE_LAND, CODE_SEA, ROTATIONS, SLOT_UNITS, Face, Run
from .lattice import CARD_INTS, Lattice, cards_in

_COVERING: Final = CARD_UNITS - SLOT_UNITS + 1
"""From so many positions in a line a card covers a symbol completely; from the last with the card's first units."""

_MEETING: Final = CARD_UNITS + SLOT_UNITS - 1
"""From so many it meets the symbol at all: one more at either end, from which it covers half of it."""


@dataclass(frozen=True, slots=True)
class Beach:
    """A connected beach: the indices of its cards in the order of placing (0 is the village), and its units (x, y)."""

    cards: tuple[int, ...]
    units: tuple[tuple[int, int], ...]


_SEEN: Final = (
    "counts", "land", "lattice", "marks", "paths", "placed", "sea", "stars", "strip_cards", "strips", "tops",
)  # fmt: skip
"""What is to be seen of an island; the rest is only remembered."""


@mypyc_attr(serializable=True, allow_interpreted_subclasses=True)
class Island:  # noqa: PLW1641 - it grows, so it has no hash
    """A village and the cards placed over it, oldest first.

    ``placed`` alone says it all: four ints a card (number in the Box, x, y, rot). The rest is worked out from it:
    planes of the visible land, sea and beach units with a path side to N, E, S, W; planes of the top-left units of
    visible coverable symbols and of stars; ``marks``, the visible symbols, each behind the bit of its top-left unit;
    ``counts``, how many of each symbol are visible; ``strips``, connected beach units of one card each, with the index
    of that card among those placed in ``strip_cards``.

    Legal origins are remembered until the next card is placed; clones share that memory.
    """

    __slots__ = (
        "_open",
        "_origins",
        "_sweeps",
        "counts",
        "land",
        "lattice",
        "marks",
        "paths",
        "placed",
        "sea",
        "stars",
        "strip_cards",
        "strips",
        "tops",
    )

    def __init__(self, box: AtuaBox, village: int, lattice: Lattice) -> None:
        """An island that is only the village card ``village`` (a card number)."""
        self.lattice = lattice
        self.placed: list[int] = []
        self.land = 0
        self.sea = 0
        self.paths = [0, 0, 0, 0]
        self.tops = 0
        self.stars = 0
        self.marks: list[tuple[int, int]] = []
        self.counts = [0] * len(SYMBOLS)
        self.strips: list[int] = []
        self.strip_cards: list[int] = []
        self._open = -1
        self._origins: dict[str, int] = {}
        self._sweeps: dict[tuple[int, int, int], int] = {}
        self.place(box, village, 0, 0, 0)

    @classmethod
    def load(cls, box: AtuaBox, placed: Sequence[int], lattice: Lattice) -> "Island":
        """The island of a saved ``placed``.

        Raises:
            ValueError: it is not four ints a card, or there is no such card, position or rotation.
        """
        cards = [tuple(placed[index : index + CARD_INTS]) for index in range(0, len(placed), CARD_INTS)]
        for index, card in enumerate(cards):
            numbers = range(box.island_cards) if index else range(box.island_cards, len(box.cards))
            if len(card) != CARD_INTS or card[0] not in numbers or card[3] not in range(ROTATIONS):
                raise ValueError(
                    f"no {'island' if index else 'village'} card {list(card)}; "
                    f"allowed: a number from {numbers[0]} to {numbers[-1]}, x, y, and rot from 0 to 3"
                )
        if not cards or cards[0][1:] != (0, 0, 0):
            raise ValueError(f"no island {list(placed)}; allowed: the village first, at x 0, y 0, rot 0")
        island = cls(box, placed[0], lattice)
        for number, x, y, rot in cards[1:]:
            island.place(box, number, x, y, rot)
        return island

    def __eq__(self, other: object) -> bool:
        """Whether the same is to be seen on both, from the same cards; what is only remembered doesn't matter."""
        if not isinstance(other, Island):
            return NotImplemented
        return all(getattr(self, name) == getattr(other, name) for name in _SEEN)

    def clone(self) -> "Island":
        """A copy that can grow on its own."""
        other = blank(Island)
        other.lattice = self.lattice
        other.placed = self.placed.copy()
        other.land = self.land
        other.sea = self.sea
        other.paths = self.paths.copy()
        other.tops = self.tops
        other.stars = self.stars
        other.marks = self.marks.copy()
        other.counts = self.counts.copy()
        other.strips = self.strips.copy()
        other.strip_cards = self.strip_cards.copy()
        other._open = self._open
        other._origins = self._origins
        other._sweeps = self._sweeps
        return other

    # ------------------------------------------------------------ placing cards

    def place(self, box: AtuaBox, number: int, x: int, y: int, rot: int) -> None:
        """Place a card on top, legally: that is the caller's question to `faults` or `placements`.

        Raises:
            ValueError: the position lies outside of the lattice.
        """
        lattice = self.lattice
        lattice.check(x, y)
        face = box.cards[number].faces[rot]
        at = lattice.at(x, y)
        covered = lattice.box << at
        # (plane | covered) ^ covered clears the covered units without a negative number, which & ~ would make.
        self.land = ((self.land | covered) ^ covered) | lattice.spread(face.land) << at
        self.sea = ((self.sea | covered) ^ covered) | lattice.spread(face.sea) << at
        self.paths = [
            ((plane | covered) ^ covered) | lattice.spread(mask) << at
            for plane, mask in zip(self.paths, face.paths, strict=True)
        ]
        self._place_symbols(face, at, covered)
        self._place_beach(face, at, covered)
        self.placed += (number, x, y, rot)
        self._forget()

    def _place_symbols(self, face: Face, at: int, covered: int) -> None:
        marks = [mark for mark in self.marks if not covered >> mark[0] & 1]
        self.tops = (self.tops | covered) ^ covered
        height = self.lattice.height
        for x, y, symbol in face.symbols:
            bit = at + height * x + y
            marks.append((bit, symbol))
            if symbol in STARS:
                self.stars |= 1 << bit
            else:
                self.tops |= 1 << bit
        self.marks = marks
        self.counts = [0] * len(SYMBOLS)
        for _, symbol in marks:
            self.counts[symbol] += 1

    def _place_beach(self, face: Face, at: int, covered: int) -> None:
        strips, cards = [], []
        for strip, card in zip(self.strips, self.strip_cards, strict=True):
            pieces = self.lattice.pieces((strip | covered) ^ covered) if strip & covered else [strip]
            strips += pieces
            cards += [card] * len(pieces)
        if face.beach:
            pieces = self.lattice.pieces(self.lattice.spread(face.beach) << at)
            strips += pieces
            cards += [cards_in(self.placed)] * len(pieces)
        self.strips = strips
        self.strip_cards = cards

    # ------------------------------------------------------------ what is visible

    def cards(self) -> list[tuple[int, int, int, int]]:
        """Number, x, y and rot of each card, the village first."""
        each = iter(self.placed)
        return list(zip(each, each, each, each, strict=True))

    def symbols(self) -> list[tuple[int, int, int]]:
        """The visible symbols and stars: symbol and top-left unit (symbol, x, y)."""
        return [(symbol, *self.lattice.unit(bit)) for bit, symbol in self.marks]

    def volcano_distances(self) -> list[int]:
        """The squared distance of each volcano to the village, in the order of `symbols`."""
        seen = self.symbols()
        ((village_x, village_y),) = [(x, y) for symbol, x, y in seen if symbol == VILLAGE_STAR]
        return [(x - village_x) ** 2 + (y - village_y) ** 2 for symbol, x, y in seen if symbol == VOLCANO]

    def beaches(self) -> list[Beach]:
        """All connected beaches, in the order of their oldest cards."""
        units = self.lattice.unit
        return [
            Beach(tuple(sorted(cards)), tuple(units(bit) for bit in self.lattice.bits(plane)))
            for cards, plane in self._joined()
        ]

    def longest_beach(self) -> int:
        """The greatest number of different cards in one connected beach; 0 without any visible beach."""
        return max((len(cards) for cards, _ in self._joined()), default=0)

    def beach_cards(self) -> int:
        """How many cards show at least one beach unit."""
        return len(set(self.strip_cards))

    def _joined(self) -> list[tuple[set[int], int]]:
        """The cards and units of each connected beach: strips that touch, joined."""
        joined = []
        rest = list(zip(self.strips, self.strip_cards, strict=True))
        while rest:
            plane, card = rest[0]
            cards = {card}
            rest = rest[1:]
            grown = True
            while grown:
                near = self.lattice.around(plane)
                touching = [pair for pair in rest if pair[0] & near]
                rest = [pair for pair in rest if not pair[0] & near]
                for strip, card in touching:
                    plane |= strip
                    cards.add(card)
                grown = bool(touching)
            joined.append((cards, plane))
        return joined

    # ------------------------------------------------------------ where a card may lie

    def fits(self, card: Card) -> bool:
        """Whether the card has any legal placement."""
        return any(self.origins(face) for face in card.faces)

    def placements(self, card: Card) -> list[int]:
        """All legal placements of a card, ascending: by x, then y, then rot."""
        found: list[int] = []
        by_edge: dict[str, list[int]] = {}
        for rot, face in enumerate(card.faces):
            unturned = by_edge.get(face.edge)
            if unturned is None:
                unturned = by_edge[face.edge] = self.lattice.placements_of(self.origins(face))
            found += [each + rot for each in unturned] if rot else unturned
        found.sort()
        return found

    def origins(self, face: Face) -> int:
        """The plane of legal positions of a card in one rotation."""
        origins = self._origins.get(face.edge)
        if origins is None:
            if self._open < 0:
                self._open = self._open_origins()
            outside, along = self.lattice.outside, self.lattice.along
            illegal = 0
            for run in face.runs:
                conflicts = self._sweep(run)
                offset = outside[run.side] + along[run.side] * run.start
                illegal |= conflicts >> offset if offset > 0 else conflicts << -offset
            origins = (self._open | illegal) ^ illegal
            self._origins[face.edge] = origins
        return origins

    def _open_origins(self) -> int:
        """The origins where a card covers a symbol, cuts none and leaves all stars free, whatever its edge.

        A card covers a symbol when its origin lies in the square of units that ends at the symbol's top-left unit. It
        cuts it from the ring around that square: a row above and below it, a column to either side. It touches a star
        from square and ring.
        """
        down, right = 1, self.lattice.height  # from a unit to the next one, in bits
        square = _swept(_swept(self.tops, down, _COVERING), right, _COVERING)
        row = _swept(self.tops << right, right, _MEETING)
        column = _swept(self.tops << down, down, _MEETING)
        ring = row << down | row >> _COVERING * down | column << right | column >> _COVERING * right
        starry = _swept(_swept(self.stars << right + down, down, _MEETING), right, _MEETING)
        legal = square & self.lattice.domain
        illegal = ring | starry
        return (legal | illegal) ^ illegal

    def _sweep(self, run: Run) -> int:
        """The units where a run may not start: where one of ``length`` units along the side meets what it may not."""
        key = (run.side, run.code, run.length)
        swept = self._sweeps.get(key)
        if swept is None:
            path = self.paths[(run.side + 2) % 4]
            if run.code == CODE_LAND:
                swept = self.sea | path
            elif run.code == CODE_SEA:
                swept = self.land | path
            else:
                swept = self.land | self.sea
            swept = self._sweeps[key] = _swept(swept, self.lattice.along[run.side], run.length)
        return swept

    def covered(self, x: int, y: int) -> list[tuple[int, int, int]]:
        """The visible symbols (symbol, x, y) that a card at this position would cover completely."""
        right, bottom = x + CARD_UNITS - SLOT_UNITS, y + CARD_UNITS - SLOT_UNITS
        return [
            (symbol, left, top)
            for symbol, left, top in self.symbols()
            if x <= left <= right and y <= top <= bottom and symbol not in STARS
        ]

    def covers_beach(self, x: int, y: int) -> bool:
        """Whether a card at this position would cover any visible beach unit."""
        covered = self.lattice.box << self.lattice.at(x, y)
        return any(strip & covered for strip in self.strips)

    def code_at(self, x: int, y: int, side: int) -> int:
        """What the visible unit shows towards a side, one of CODE_*; -1 where no card lies."""
        lattice = self.lattice
        bit = lattice.at(x, y)
        if bit < 0 or not 0 <= y + lattice.reach < lattice.height:
            return -1
        if self.land >> bit & 1:
            return CODE_LAND
        if self.sea >> bit & 1:
            return CODE_SEA
        if self.paths[side] >> bit & 1:
            return CODE_END
        return CODE_FLANK if any(plane >> bit & 1 for plane in self.paths) else -1

    def _forget(self) -> None:
        self._open = -1
        self._origins = {}
        self._sweeps = {}


def _swept(plane: int, step: int, length: int) -> int:
    """All from where a plane is met within ``length`` units, each ``step`` bits ahead of the one before."""
    done = 1
    while done < length:
        more = min(done, length - done)
        plane |= plane >> step * more
        done += more
    return plane
