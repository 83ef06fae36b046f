"""The sheet with all points, and what Tahuma has."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from atoll.picture import Drawing, Fact, Region, kept

from ..components import (
    DIFFICULTIES,
    SOURCES,
    WINDOWS,
)
from ..state import NOT_SCORED
from .drawing import LINED, PILED, draw
from .table import ROWS, Table

_TOP: Final = 56  # height of the heads above the first line


class Sheet(Table):
    """All points, source by source, and those to come."""

    @kept
    def sheet(self) -> Region:
        """All points: scored sources for good, open ones as they are worth now, tiles and bonuses if it ended now."""
        seats = self.view["seats"]
        named = seats <= 3
        label = 152 if named else 46
        column = 66 if named else min(66, (356 - label) // seats)
        columns = [self._seat_column(seat) for seat in range(seats)]
        if self.solo:
            columns.append(self._tahuma_column())
        rows = [row for row in ("start", *ROWS) if any(row in column for column in columns)]
        lines = [self._sheet_row(row, columns, y) for y, row in enumerate(rows)]
        totals = [sum(points for points, _ in column.values()) for column in columns]
        heads = [{"id": f"head-{seat}", "seat": seat, "name": self.words.seat(seat)} for seat in range(seats)]
        if self.solo:
            heads.append({"id": "head-tahuma", "seat": None, "name": self._say("tahuma")})
        markup = draw(
            "sheet",
            label=label,
            column=column,
            named=named,
            rows=lines,
            heads=heads,
            totals=totals,
            total=self._say("total"),
            width=label + column * len(columns),
            top=_TOP,
        )
        size = (label + column * len(columns), _TOP + 34 * (len(lines) + 1) + 4)
        facts = [self._round()]
        for stack, left in zip(WINDOWS, self.s["stacks"], strict=True):
            facts.append(Fact(f"stack-{stack}", self._say("stack", stack=stack.upper()), str(left), number=left))
        drawing = Drawing("sheet", *size, markup, self._say("sheet"))
        return Region("sheet", self._say("sheet"), "shared", [drawing], facts)

    def _seat_column(self, seat: int) -> dict[str, tuple[int, bool]]:
        """Per row of the sheet the points, and whether they are final."""
        column: dict[str, tuple[int, bool]] = {}
        for key, points in self.live["sheets"][seat]:
            final = self.view["over"] or key == "resident"
            if key in SOURCES:
                final = self.s["sheet"][seat][SOURCES.index(key)] != NOT_SCORED
            column[key] = (points + column.get(key, (0, False))[0], final)
        return column

    def _tahuma_column(self) -> dict[str, tuple[int, bool]]:
        """Tahuma's points; until the end only those that he starts with."""
        difficulty = self.view["options"]["solo_difficulty"]
        start = self.box.solo.start_points[DIFFICULTIES.index(difficulty)]
        found: dict[str, tuple[int, bool]] = {}
        for key, points in self.live["tahuma"] or [[f"start_{difficulty}", start]]:
            found["start" if key.startswith("start_") else key] = (points, True)
        return found

    @kept
    def tahuma(self) -> Region:
        """§ Solospiel. What the only seat plays against: the hut, the pile, the points that Tahuma starts with."""
        hut, pile = self.s["hut"], self.s["tahuma_pile"][0]
        size = pile["count"] if isinstance(pile, dict) else len(pile)
        points = sum(points for points, _ in self._tahuma_column().values())
        facts = [
            Fact("hut", self._say("hut"), str(hut), draw("icon", name="coconut"), hut),
            Fact("pile", self._say("pile"), str(size), draw("points", d=PILED), size),
            Fact("tahuma-points", self._say("tahuma.points"), str(points), draw("points", d=LINED), points),
        ]
        return Region("tahuma", self._say("tahuma"), "seat", facts=facts, seat=0)

    def _sheet_row(self, row: str, columns: Sequence[Mapping[str, tuple[int, bool]]], number: int) -> dict[str, Any]:
        key = "table.row.fate" if row == "fate" else f"table.row.{row}"
        label = self.words.say(key)
        cells = []
        for place, column in enumerate(columns):
            points, final = column.get(row, (None, False))
            cells.append({"place": place, "points": points, "final": final, "id": f"cell-{row}-{place}"})
        spoken = "; ".join(self._cell_in_words(cell) for cell in cells if cell["points"] is not None)
        return {
            "id": f"sheet-{row}",
            "row": row,
            "label": label,
            "name": f"{label}: {spoken}",
            "choice": f"score {row}" if row in SOURCES else "",
            "cells": cells,
            "y": _TOP + 34 * number,
        }

    def _cell_in_words(self, cell: Mapping[str, Any]) -> str:
        seats = self.view["seats"]
        who = self.words.seat(cell["place"]) if cell["place"] < seats else self._say("tahuma")
        return self._say("cell.final" if cell["final"] else "cell.open", name=who, points=cell["points"])

    def _round(self) -> Fact:
        turns = self.box.solo_turns if self.solo else self.box.rounds
        now = min(self.s["turn"] // self.view["seats"] + 1, turns)
        window = self.s["window"]
        coming = ""
        if window < len(WINDOWS):
            number = self.box.windows[window].sources_to_score
            coming = self._say("next_window", stack=WINDOWS[window].upper(), number=number)
        label = self._say("turn" if self.solo else "round")
        return Fact("round", label, self._say("of", number=now, all=turns), help=coming)
