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
from ..faces import SLOT_UNITS
from ..geometry import Island
from ..outline import UNIT
from .drawing import draw, face_of
from .placing import Placing

_PHONE: Final = 366  # pixels that a board has on a phone


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
            rings=self._rings(island, active=self._is("active", seat)),
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

    def _rings(self, island: Island, *, active: bool) -> list[dict[str, Any]]:
        """The bands of the ruler around the village: while a volcano is there, or in the hand, if it is its turn."""
        if not island.counts[VOLCANO] and not (active and self.worked["in_hand", VOLCANO]):
            return []
        x, y = self._village(island)
        ruler = self.box.ruler
        inner = [0, *(limit + 1 for limit in ruler.max_d2[:-1])]
        return [
            {
                "x": x,
                "y": y,
                "r": round((limit + 0.5) ** 0.5 * UNIT, 1),
                "label": x + round(((start**0.5 + (limit + 1) ** 0.5) / 2) * UNIT, 1),
                "points": points,
            }
            for start, limit, points in zip(inner, ruler.max_d2, ruler.points, strict=True)
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
