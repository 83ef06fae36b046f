"""The clock in the middle of the city: its spaces, its hand, where it would stop; the sky above."""

from __future__ import annotations

from math import cos, pi, sin
from typing import Any, Final

from markupsafe import Markup

from atoll.picture import kept
from atoll.picture.brush import shorten, text_width

from ..kinds import AREAS, KINDS
from ..state import SEARCH_AREAS
from .drawing import KIND_NAMES, NARROW, draw
from .table import PLAIN_SPACES, Table

_CENTRE: Final = (450, 600)
_RING: Final = (254, 186)
_STOPS: Final = (158, 30)  # where the dice in the dial begin, and how far apart they stand
_SKY: Final = (888, 226, 35)  # where a line in the sky ends, how long it may be, its size


class Clock(Table):
    """How far the night is."""

    @kept
    def heaven(self) -> Markup:
        """What is written over the city: the round, and who begins it."""
        end, width, size = _SKY
        number, starter = self.s["round"], self.s["start_player"]
        label = self._say("round")
        text = shorten(self._say("starts", seat=starter), width - 32, size * NARROW)
        sky = {
            "x": end,
            "round": number,
            "round_name": f"{label}: {number}",
            "round_text": f"{label} {number}",
            "starter": starter,
            "starter_name": f"{self._say('start_player')}: {self.words.seat(starter)}",
            "starter_text": text,
            "starter_mark": end - text_width(text, size * NARROW) - 16,
            "width": width,
        }
        return draw("heaven", sky=sky)

    @kept
    def dial(self) -> Markup:
        """The spaces around the hand, which stands on one of them, and where it may stop."""
        spaces = self.box.spaces
        clock = {
            "x": _CENTRE[0],
            "y": _CENTRE[1],
            "outer": _RING[0],
            "inner": _RING[1],
            "spaces": [self._space(index) for index in range(len(spaces))],
            "stops": self._stops(),
            "angle": 360 * self.s["clock"] / len(spaces),
            "name": self._say("hand", space=self.s["clock"], last=len(spaces) - 1),
            "help": self.words.say("rule.clock"),
            "now": self.s["clock"],
        }
        return draw("dial", clock=clock)

    def _stops(self) -> list[dict[str, Any]]:
        """The spaces ahead where the hand may stop, each with the areas whose die would have to be the last."""
        found: list[dict[str, Any]] = []
        if self.s["phase"] != SEARCH_AREAS:
            return found
        for index in sorted(set(self.live["stop"])):
            areas = [area for area in range(AREAS) if self.live["dice"][area] and self.live["stop"][area] == index]
            if areas and index > self.s["clock"]:
                angle = 2 * pi * index / len(self.box.spaces)
                places = [_point(_STOPS[0] - _STOPS[1] * number, angle) for number in range(len(areas))]
                cubes = [{"face": area + 1, "x": x, "y": y} for area, (x, y) in zip(areas, places, strict=True)]
                name = self._say("stops", space=index, area=areas)
                found.append({"id": f"stop-{index}", "name": name, "cubes": cubes})
        return found

    def _space(self, index: int) -> Markup:
        clock = self.s["clock"]
        return self._wedge(index, index < clock, index == clock, *self.live["inventories"][index])

    @kept
    def _wedge(self, index: int, passed: bool, now: bool, *winners: int) -> Markup:
        """A space of the clock. winners: who would win its inventory now."""
        spaces = self.box.spaces
        half = pi / len(spaces)
        middle = 2 * pi * index / len(spaces)
        outer, inner = _RING
        corners = [_point(outer, middle - half), _point(outer, middle + half)]
        corners += [_point(inner, middle + half), _point(inner, middle - half)]
        x, y = _point((outer + inner) / 2, middle)
        space = spaces[index]
        values = {
            "id": f"space-{index}",
            "corners": corners,
            "x": x,
            "y": y,
            "sign": KIND_NAMES[space] if 0 <= space < KINDS else PLAIN_SPACES[space],
            "passed": passed,
            "now": now,
            "name": self._say("space", space=index, what=self._space_text(index)),
            "help": self._say("winners", holders=", ".join(self._holder(each) for each in winners)) if winners else "",
        }
        return draw("wedge", space=values)


def _point(radius: float, angle: float) -> tuple[float, float]:
    return _CENTRE[0] + radius * sin(angle), _CENTRE[1] - radius * cos(angle)
