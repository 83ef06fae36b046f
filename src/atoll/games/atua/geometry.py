"""Islands of overlapping cards (AU-8), in exact integers.

An island stores *planes*: integers with one bit per unit of a frame around the village.
`placements.py` computes from them where the next card may lie. `placement_faults.py` checks one
position unit by unit and names the offending units.

Positions are relative to the village, which lies at (0, 0) with rot 0. x grows to the right, y
downwards.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from mypy_extensions import mypyc_attr

from atoll.engine import new_without_init

from .components import STARS, SYMBOLS, VOLCANO, AtuaComponents, Card
from .faces import CARD_UNITS, CODE_END, CODE_FLANK, CODE_LAND, CODE_SEA, ROTATIONS, SLOT_UNITS, Face
from .lattice import CARD_INTS, Frame, Lattice, cards_in
from .placements import LegalPlacements, meeting
from .strips import Shore, all_cards, beside, joined, left_of, most_cards, strips_at, strips_of


@dataclass(frozen=True, slots=True)
class Beach:
    """A connected beach.

    Attributes:
        cards: The indices of its cards in the order of placing; 0 is the village.
        units: Its units (x, y).
    """

    cards: tuple[int, ...]
    units: tuple[tuple[int, int], ...]


_SEEN: Final = (
    "counts", "frame", "land", "lattice", "marks", "paths", "placed", "sea", "starry", "stars", "strips", "tops",
)  # fmt: skip
"""The slots that make up an island; the others are caches."""


@mypyc_attr(serializable=True, allow_interpreted_subclasses=True)
class Island:  # noqa: PLW1641 - it grows, so it has no hash
    """A village and the cards placed over it, oldest first.

    `placed` determines everything else. The frame grows with the island. Legal placements are
    cached until the next card is placed. Clones share that cache, and lists and marks, which are
    replaced and never changed.

    Attributes:
        lattice: The lattice of the game.
        frame: The frame of the planes.
        placed: Four ints per card: its number in the components, x, y, rot.
        land: Plane of the visible land units.
        sea: Plane of the visible sea units.
        paths: Planes of the visible beach units with a path side to N, E, S and W.
        tops: Plane of the top-left units of the visible symbols that can be covered.
        starry: Plane of the origins from which a card would overlap a star.
        marks: The visible symbols by (x, y) of their top-left units.
        stars: The symbols that can't be covered, as (symbol, x, y).
        counts: Per symbol, how often it is visible.
        strips: The connected beach units of single cards.
    """

    __slots__ = (
        "_grown",
        "_openings",
        "_shores",
        "counts",
        "frame",
        "land",
        "lattice",
        "marks",
        "paths",
        "placed",
        "sea",
        "starry",
        "stars",
        "strips",
        "tops",
    )

    def __init__(self, components: AtuaComponents, village: int, lattice: Lattice) -> None:
        """Start an island.

        Args:
            components: The components.
            village: The number of the village card.
            lattice: The lattice of the game.
        """
        self.lattice: Lattice = lattice
        self.frame: Frame = lattice.frame(0)
        self.placed: list[int] = []
        self.land: int = 0
        self.sea: int = 0
        self.paths: list[int] = [0, 0, 0, 0]
        self.tops: int = 0
        self.starry: int = 0
        self.marks: dict[tuple[int, int], int] = {}
        self.stars: list[tuple[int, int, int]] = []
        self.counts: list[int] = [0] * len(SYMBOLS)
        self.strips: list[Shore] = []
        self._shores: list[Shore] | None = None
        self._openings: LegalPlacements | None = None
        self._grown: Island | None = None
        self.place(components, village, 0, 0, 0)

    @classmethod
    def load(cls, components: AtuaComponents, placed: Sequence[int], lattice: Lattice) -> Island:
        """Return the island of a saved `placed`.

        Args:
            components: The components.
            placed: Four ints per card, the village first.
            lattice: The lattice of the game.

        Raises:
            ValueError: If it isn't four ints per card, or a card, position or rotation is invalid.
        """
        cards = [tuple(placed[index : index + CARD_INTS]) for index in range(0, len(placed), CARD_INTS)]
        for index, card in enumerate(cards):
            numbers = range(components.island_cards) if index else range(components.island_cards, len(components.cards))
            if len(card) != CARD_INTS or card[0] not in numbers or card[3] not in range(ROTATIONS):
                raise ValueError(
                    f"invalid {'island' if index else 'village'} card {list(card)}: "
                    f"expected a number from {numbers[0]} to {numbers[-1]}, x, y, and rot from 0 to 3"
                )
        if not cards or cards[0][1:] != (0, 0, 0):
            raise ValueError(f"invalid island {list(placed)}: expected the village first, at x 0, y 0, rot 0")
        island = cls(components, placed[0], lattice)
        for number, x, y, rot in cards[1:]:
            island.place(components, number, x, y, rot)
        return island

    def __eq__(self, other: object) -> bool:
        """Return whether both islands are equal in everything but cached values."""
        if not isinstance(other, Island):
            return NotImplemented
        return all(getattr(self, name) == getattr(other, name) for name in _SEEN)

    def clone(self) -> Island:
        """Return a copy that can grow independently."""
        other = new_without_init(Island)
        other.lattice = self.lattice
        other.frame = self.frame
        other.placed = self.placed
        other.land = self.land
        other.sea = self.sea
        other.paths = self.paths
        other.tops = self.tops
        other.starry = self.starry
        other.marks = self.marks
        other.stars = self.stars
        other.counts = self.counts
        other.strips = self.strips
        other._shores = self._shores
        other._openings = self._openings
        other._grown = None
        return other

    # -- placing cards -----------------------------------------------------------------------------

    def grown(self, components: AtuaComponents, number: int, x: int, y: int, rot: int) -> Island:
        """Return the island with one more card.

        The last result is cached, for turns that are played again. The arguments are those of
        `place`.

        Args:
            components: The components.
            number: The number of the card.
            x: Column of its top-left unit.
            y: Row of its top-left unit.
            rot: Its rotation, 0 to 3.

        Raises:
            ValueError: If the position is outside of the lattice.
        """
        island = self._grown
        if island is None or island.placed[-CARD_INTS:] != [number, x, y, rot]:
            island = self._grown = self.clone()
            island.place(components, number, x, y, rot)
        return island

    def place(self, components: AtuaComponents, number: int, x: int, y: int, rot: int) -> None:
        """Place a card on top; it hides what it covers permanently.

        The placement must be legal. The caller checks this with `faults` or `placements`.
        Rule AU-8.2, rulings R12 and R15.

        Args:
            components: The components.
            number: The number of the card.
            x: Column of its top-left unit.
            y: Row of its top-left unit.
            rot: Its rotation, 0 to 3.

        Raises:
            ValueError: If the position is outside of the lattice.
        """
        self.lattice.check(x, y)
        frame = self.lattice.frame(max(abs(x), abs(y)))
        if frame.reach > self.frame.reach:
            self._change_frame(frame)
        frame = self.frame
        face = components.cards[number].faces[rot]
        at = frame.at(x, y)
        covered = frame.card_plane << at
        planes = []
        for plane, mask in zip((self.land, self.sea, *self.paths), (face.land, face.sea, *face.paths), strict=True):
            under = plane & covered
            if under:
                plane ^= under  # noqa: PLW2901 - the variable holds the new plane
            if mask:
                plane |= frame.spread(mask) << at  # noqa: PLW2901
            planes.append(plane)  # the plane as it is with the card
        self.land, self.sea, *self.paths = planes
        self._place_symbols(face, x, y, covered)
        strips = left_of(frame, self.strips, covered)
        self.strips = [*strips, *self._strips(face, at)] if face.beach else strips
        self.placed = [*self.placed, number, x, y, rot]
        self._shores = None
        self._openings = None
        self._grown = None

    def _change_frame(self, frame: Frame) -> None:
        """Move all planes into a larger frame."""
        moved = self.frame.moved
        self.land = moved(self.land, frame)
        self.sea = moved(self.sea, frame)
        self.paths = [moved(plane, frame) for plane in self.paths]
        self.tops = moved(self.tops, frame)
        # Origins beyond the old frame's edge weren't stored, so `starry` is computed again.
        self.starry = meeting(frame, self.stars)
        self.strips = [
            strip for cards, units, _ in self.strips for strip in strips_of(frame, cards, moved(units, frame))
        ]
        self.frame = frame

    def _place_symbols(self, face: Face, x: int, y: int, covered: int) -> None:
        frame = self.frame
        counts = self.counts.copy()
        marks = self.marks.copy()
        under = self.tops & covered
        for bit in frame.bits(under):
            counts[marks.pop(frame.unit(bit))] -= 1
        tops = self.tops ^ under
        stars = []
        for right, down, symbol in face.symbols:
            spot = x + right, y + down
            marks[spot] = symbol
            counts[symbol] += 1
            if symbol in STARS:
                stars.append((symbol, *spot))
            else:
                tops |= 1 << frame.at(*spot)
        self.marks = marks
        self.counts = counts
        self.tops = tops
        if stars:
            self.stars = self.stars + stars
            self.starry |= meeting(frame, stars)

    def _strips(self, face: Face, at: int) -> list[Shore]:
        """Return the beach strips of the next card."""
        return strips_at(self.frame, 1 << cards_in(self.placed), face.beach, at)

    # -- visible things ----------------------------------------------------------------------------

    def cards(self) -> list[tuple[int, int, int, int]]:
        """Return number, x, y and rot of each card, the village first."""
        each = iter(self.placed)
        return list(zip(each, each, each, each, strict=True))

    def symbols(self) -> list[tuple[int, int, int]]:
        """Return the visible symbols and stars as (symbol, x, y) of their top-left units."""
        return [(symbol, x, y) for (x, y), symbol in self.marks.items()]

    def volcano_distances(self) -> list[int]:
        """Return the squared distance of each volcano to the village, in the order of `symbols`."""
        village_x = village_y = 0
        volcanoes = []
        for symbol, x, y in self.stars:
            if symbol == VOLCANO:
                volcanoes.append((x, y))
            else:
                village_x, village_y = x, y
        return [(x - village_x) ** 2 + (y - village_y) ** 2 for x, y in volcanoes]

    def shores(self) -> list[Shore]:
        """Return the connected beaches."""
        shores = self._shores
        if shores is None:
            shores = self._shores = joined(self.strips)
        return shores

    def beaches(self) -> list[Beach]:
        """Return all connected beaches, in the order of their oldest cards."""
        found = []
        for cards, units, _ in sorted(self.shores(), key=lambda shore: shore[0] & -shore[0]):
            numbers = [number for number in range(cards.bit_length()) if cards >> number & 1]
            found.append(Beach(tuple(numbers), tuple(self.frame.unit(bit) for bit in self.frame.bits(units))))
        return found

    def longest_beach(self) -> int:
        """Return the greatest number of different cards in one connected beach; 0 without any.

        Rule AU-8.5.
        """
        return most_cards(self.shores())

    def beach_cards(self) -> int:
        """Return the number of cards that show at least one beach unit. Rule AU-8.5, ruling R41."""
        return all_cards(self.shores())

    # -- legal placements --------------------------------------------------------------------------

    def openings(self) -> LegalPlacements:
        """Return the legal placements on the island as it is now."""
        openings = self._openings
        if openings is None:
            openings = self._openings = LegalPlacements(
                self.frame, self.land, self.sea, self.paths, self.tops, self.starry
            )
        return openings

    def fits(self, card: Card) -> bool:
        """Return whether the card has any legal placement."""
        return self.openings().fits(card)

    def placements(self, card: Card) -> Sequence[int]:
        """Return all legal placements of a card, ascending: by x, then y, then rot. Rule AU-8.4."""
        return self.openings().placements(card)

    def covered(self, x: int, y: int) -> list[tuple[int, int, int]]:
        """Return the visible symbols (symbol, x, y) that a card here would cover completely."""
        right, bottom = x + CARD_UNITS - SLOT_UNITS, y + CARD_UNITS - SLOT_UNITS
        return [
            (symbol, left, top)
            for symbol, left, top in self.symbols()
            if x <= left <= right and y <= top <= bottom and symbol not in STARS
        ]

    def met(self, x: int, y: int) -> list[tuple[int, int, int]]:
        """Return the visible symbols and stars (symbol, x, y) that a card here would overlap."""
        return [
            (symbol, left, top)
            for symbol, left, top in self.symbols()
            if x - SLOT_UNITS < left < x + CARD_UNITS and y - SLOT_UNITS < top < y + CARD_UNITS
        ]

    def covers_beach(self, x: int, y: int) -> bool:
        """Return whether a card at this position would cover any visible beach unit."""
        covered = self.frame.card_plane << self.frame.at(x, y)
        for strip in self.strips:  # noqa: SIM110 - any() would need a generator
            if strip[1] & covered:
                return True
        return False

    def shores_beside(self, x: int, y: int) -> Sequence[Shore]:
        """Return the connected beaches that remain if a card is placed here, without its own."""
        return beside(self.frame, self.strips, self.shores(), self.frame.card_plane << self.frame.at(x, y))

    def beach_with(self, face: Face, x: int, y: int, shores: Sequence[Shore]) -> tuple[int, int]:
        """Return `longest_beach` and `beach_cards` of the island with one more card.

        Args:
            face: The card in its rotation.
            x: Column of its top-left unit.
            y: Row of its top-left unit.
            shores: The beaches that remain; see `shores_beside`.
        """
        if face.beach:
            shores = joined(self._strips(face, self.frame.at(x, y)), shores)
        return most_cards(shores), all_cards(shores)

    def code_at(self, x: int, y: int, side: int) -> int:
        """Return the code that a visible unit shows towards a side.

        Args:
            x: Column of the unit.
            y: Row of the unit.
            side: The side, 0 to 3 for N, E, S, W.

        Returns:
            One of CODE_*; -1 if no card lies there.
        """
        frame = self.frame
        bit = frame.at(x, y)
        if bit < 0 or not 0 <= y + frame.reach < frame.height:
            return -1
        if self.land >> bit & 1:
            return CODE_LAND
        if self.sea >> bit & 1:
            return CODE_SEA
        if self.paths[side] >> bit & 1:
            return CODE_END
        return CODE_FLANK if any(plane >> bit & 1 for plane in self.paths) else -1
