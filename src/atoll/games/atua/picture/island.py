"""The large island on the open sea, the ruler around its village, what its volcanoes are worth."""

from __future__ import annotations

import json
from collections.abc import Container
from typing import Any, Final

from atoll.picture import Drawing, Region, kept

from .. import scoring
from ..components import (
    VOLCANO,
)
from ..faces import CARD_UNITS, SLOT_UNITS
from ..geometry import Island
from ..outline import UNIT
from .drawing import draw, face_of
from .placing import Placing

_PHONE: Final = 366  # pixels that a board has on a phone

_SLANT: Final = 0.5**0.5
_SIDES: Final = ((1, 0), (0, 1), (-1, 0), (0, -1), *((dx, dy) for dx in (_SLANT, -_SLANT) for dy in (_SLANT, -_SLANT)))


def _is_inside(spot: tuple[float, float], box: tuple[int, int, int, int]) -> bool:
    """Whether a spot lies within a box of units, clear of its edge."""
    x, y, width, height = box
    return 1 <= spot[0] / UNIT - x <= width - 1 and 1 <= spot[1] / UNIT - y <= height - 1


def _is_read(spot: tuple[float, float], island: Island, bounds: tuple[int, int, int, int]) -> bool:
    """Whether a number there is on the open sea, and in the drawing."""
    cards = ((x - 2, y - 2, CARD_UNITS + 4, CARD_UNITS + 4) for _, x, y, _ in island.cards())
    return _is_inside(spot, bounds) and not any(_is_inside(spot, card) for card in cards)


class LargeIsland(Placing):
    """The viewer's island, for spectators that of whose turn it is."""

    def island(self) -> Region:
        """The viewer's island (for spectators that of whose turn it is) on the open sea."""
        return self._large_island(self.shown)

    @kept
    def _large_island(self, seat: int) -> Region:
        island = self.island_of(seat)
        left, top, width, height = self.worked["bounds", seat]
        visible = set(island.symbols())
        cards = [self._placed(placed, visible) for placed in island.cards()]
        size = max(16.0, 14.6 * width * UNIT / _PHONE)
        markup = draw(
            "island",
            width=width * UNIT,
            height=height * UNIT,
            left=-left * UNIT,
            top=-top * UNIT,
            cards=cards,
            size=size,
            rings=self._rings(island, (left, top, width, height), active=self._is("active", seat)),
            worths=self._worths(island),
            faces=self.faces(),
            hold=self.hold(island, left, top),
            zoom=json.dumps({each: self._say(f"zoom.{each}") for each in ("in", "out", "all")}),
        )
        name = self._say("island", seat=seat)
        return Region(
            "island",
            name,
            "board",
            [Drawing("island", width * UNIT, height * UNIT, markup, name)],
            flow="fit",
        )

    def _placed(self, placed: tuple[int, int, int, int], visible: Container[tuple[int, int, int]]) -> dict[str, Any]:
        number, x, y, rot = placed
        face = self.box.cards[number].faces[rot]
        left = [symbol for at_x, at_y, symbol in face.symbols if (symbol, x + at_x, y + at_y) in visible]
        shows = self._say("card", title=self._title(number), symbols=self._shows(left))
        return {
            "id": f"placed-{self.box.cards[number].id}",
            "name": shows,
            "piece": self.box.cards[number].id,
            "x": x * UNIT,
            "y": y * UNIT,
            "face": face_of(face),
        }

    def _rings(self, island: Island, bounds: tuple[int, int, int, int], *, active: bool) -> list[dict[str, Any]]:
        """The bands of the ruler around the village: while a volcano is there, or in the hand, if it is its turn.

        What they are worth stands on the side of the village with most of the open sea.
        """
        if not island.counts[VOLCANO] and not (active and self.worked["in_hand", VOLCANO]):
            return []
        x, y = self._village(island)
        ruler = self.box.ruler
        bands = [*zip([0, *(limit + 1 for limit in ruler.max_d2[:-1])], ruler.max_d2, ruler.points, strict=True)]
        middles = [(start**0.5 + (limit + 1) ** 0.5) / 2 * UNIT for start, limit, _ in bands]
        sides = [[(x + middle * dx, y + middle * dy) for middle in middles] for dx, dy in _SIDES]
        labels = max(sides, key=lambda each: sum(_is_read(spot, island, bounds) for spot in each))
        return [
            {
                "x": x,
                "y": y,
                "r": round((limit + 0.5) ** 0.5 * UNIT, 1),
                "label_x": round(label[0], 1),
                "label_y": round(label[1], 1),
                "points": points if _is_read(label, island, bounds) else None,
            }
            for (_, limit, points), label in zip(bands, labels, strict=True)
        ]

    def _worths(self, island: Island) -> list[dict[str, Any]]:
        """What each volcano is worth, beside it."""
        open_end = self.view["options"]["volcano_ruler"] == "open_end"
        volcanoes = [(x, y) for symbol, x, y in island.symbols() if symbol == VOLCANO]
        return [
            {
                "x": (x + SLOT_UNITS) * UNIT - 4,
                "y": y * UNIT + 6,
                "points": scoring.ruler_points(self.box.ruler, d2, open_end=open_end),
            }
            for (x, y), d2 in zip(volcanoes, island.volcano_distances(), strict=True)
        ]
