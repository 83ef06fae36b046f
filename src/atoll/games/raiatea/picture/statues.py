"""The statues with their task tiles."""

from __future__ import annotations

from typing import Any

from atoll.picture import Drawing, Region, kept

from ..components import AUCTION, TASK_KINDS, RaiateaBox
from ..kinds import SPACES_EACH, STATUES
from ..state import NO_TILE
from .drawing import draw, inline
from .signs import task_signs
from .table import Table


class Statues(Table):
    """What can be built."""

    def statues(self) -> list[Region]:
        """The statues with their task tiles on them."""
        return [self._statue(statue) for statue in range(STATUES)]

    @kept
    def _statue(self, statue: int) -> Region:
        """The task rows of a statue, from top to bottom."""
        first = statue * SPACES_EACH
        tiles = []
        rows = [row for row in self.box.rows if row[0] in range(first, first + SPACES_EACH)]
        for number, row in enumerate(rows):
            for place, space in enumerate(row):
                tiles.append(self._tile(statue, space, 95.5 - len(row) * 23 + place * 46, 62 + number * 36))
        locked = not self.s["unlocked"][statue]
        title = self._say("statue.locked" if locked else "statue", number=statue + 1)
        plinth = inline([str(statue + 1), "#vp", *(["#lock"] if locked else [])], 95, 322, 120, scale=0.42, size=16)
        markup = draw("statue", number=statue, tiles=tiles, plinth=plinth, locked=locked)
        return self._area(f"statue-{statue}", title, Drawing(f"statue-{statue}", 190, 332, markup, title))

    def _tile(self, statue: int, space: int, x: float, y: float) -> dict[str, Any]:
        task = self.s["tiles"][space]
        tile: dict[str, Any] = {
            "id": self._id("space", space),
            "x": x,
            "y": y,
            "choice": "",
            "parts": [],
            "where": self.describer.space(space),
        }
        if task == NO_TILE:
            hidden = not self.s["revealed"][statue]
            tile |= {"kind": "hidden" if hidden else "empty"}
            tile["name"] = self._say("tile.hidden" if hidden else "tile.empty", n=statue + 1, where=tile["where"])
            return tile
        tile["kind"] = TASK_KINDS[self.box.task_kind[task]]
        tile["parts"] = task_parts(self.box, task, x, y)
        tile["name"] = self._say("tile", n=self.box.task_vp[task], text=self.describer.task(task), where=tile["where"])
        if self.box.task_kind[task] != AUCTION:
            tile["choice"] = f"build {tile['id']}"
        return tile


def task_parts(box: RaiateaBox, task: int, x: float, y: float) -> list[dict[str, Any]]:
    """What a task demands, in the middle of its tile."""
    return inline(task_signs(box, task), x + 22, y + 16.5, 39, scale=0.58, size=16, gap=1)
