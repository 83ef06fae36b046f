"""The sheet with all points, and Tahuma's possessions."""

from __future__ import annotations

from typing import Final, NamedTuple

from markupsafe import Markup

from atoll.engine.translations import GameMessages
from atoll.picture import Drawing, Fact, Fragment, Region, Row, fragment, size_of

from ..components import DIFFICULTIES, SOURCES, WINDOWS
from ..state import NOT_SCORED
from ..view import AtuaView
from .drawing import LINED, PILED, draw
from .table import ROWS, components_of, say

_TOP: Final = 56  # height of the heads above the first line
_LINE: Final = 34


class Cell(NamedTuple):
    """Points in a line of the sheet.

    Attributes:
        column: The number of the column.
        points: The points.
        final: Whether they can't change any more.
    """

    column: int
    points: int
    final: bool


class Grid(NamedTuple):
    """The columns of a sheet: one per seat, and in the solo game a second one for Tahuma.

    Attributes:
        seats: The number of seats.
        columns: The number of columns.
        label: The width of the labels.
        column: The width of a column.
    """

    seats: int
    columns: int
    label: int
    column: int

    @property
    def named(self) -> bool:
        """True if the lines have room for their names."""
        return self.seats <= 3

    @property
    def width(self) -> int:
        """The width of the sheet."""
        return self.label + self.column * self.columns


Column = dict[str, tuple[int, bool]]
"""Per line of the sheet, the points and whether they are final."""


def sheet(words: GameMessages, seen: AtuaView) -> Region:
    """Return the sheet: the points of scored sources, and all others as if the game ended now."""
    seats = seen.seats
    columns = [_seat_column(seen, seat) for seat in range(seats)]
    if seen.solo:
        columns.append(_tahuma_column(words, seen))
    label = 152 if seats <= 3 else 46
    grid = Grid(seats, len(columns), label, 66 if seats <= 3 else min(66, (356 - label) // seats))
    keys = [key for key in ("start", *ROWS) if any(key in column for column in columns)]
    lines = []
    for place, key in enumerate(keys):
        cells = [Cell(at, *column[key]) for at, column in enumerate(columns) if key in column]
        lines.append(_line(words, grid, key, place, *cells))
    totals = tuple(sum(points for points, _ in column.values()) for column in columns)
    return _sheet(words, grid, totals, _moment(words, seen), seen.state.stacks, *lines)


@fragment
def _sheet(words: GameMessages, grid: Grid, totals: Row, moment: Fact, stacks: Row, *lines: Fragment) -> Region:
    size = grid.width, _TOP + _LINE * (len(lines) + 1) + 4
    parts: tuple[Markup | Fragment, ...] = (
        _heads(words, grid, len(lines)),
        *lines,
        draw("sheet_total", grid=grid, total=say(words, "total"), totals=totals, y=_TOP + _LINE * len(lines)),
    )
    title = say(words, "sheet")
    facts = [moment]
    for stack, left in zip(WINDOWS, stacks, strict=True):
        facts.append(Fact(f"stack-{stack}", say(words, "stack", stack=stack.upper()), str(left), number=left))
    return Region("sheet", title, "shared", [Drawing.of_parts("sheet", *size, parts, title)], facts)


@fragment
def _heads(words: GameMessages, grid: Grid, lines: int) -> Markup:
    """Return the paper and the heads of the columns."""
    heads = [{"id": f"head-{seat}", "seat": seat, "name": words.seat(seat)} for seat in range(grid.seats)]
    if grid.columns > grid.seats:
        heads.append({"id": "head-tahuma", "seat": None, "name": say(words, "tahuma")})
    return draw("sheet_heads", grid=grid, heads=heads, lines=lines, top=_TOP)


@fragment
def _line(words: GameMessages, grid: Grid, key: str, place: int, *cells: Cell) -> Fragment:
    """Return a line of the sheet.

    Args:
        words: The game's messages.
        grid: The columns of the sheet.
        key: The key of the line.
        place: Its number from the top.
        *cells: The points in it.
    """
    label = say(words, f"row.{key}")
    spoken = "; ".join(_cell_in_words(words, grid, cell) for cell in cells)
    line = {
        "id": f"sheet-{key}",
        "row": key,
        "label": label,
        "name": f"{label}: {spoken}",
        "choice": f"score {key}" if key in SOURCES else "",
        "cells": cells,
        "y": _TOP + _LINE * place,
    }
    return Fragment.of(draw("sheet_line", grid=grid, line=line))


def _cell_in_words(words: GameMessages, grid: Grid, cell: Cell) -> str:
    who = words.seat(cell.column) if cell.column < grid.seats else say(words, "tahuma")
    return say(words, "cell.final" if cell.final else "cell.open", name=who, points=cell.points)


def _seat_column(seen: AtuaView, seat: int) -> Column:
    column: Column = {}
    for key, points in seen.live.sheets[seat]:
        final = seen.over or key == "resident"
        if key in SOURCES:
            final = seen.state.sheet[seat][SOURCES.index(key)] != NOT_SCORED
        column[key] = points + column.get(key, (0, False))[0], final
    return column


def _tahuma_column(words: GameMessages, seen: AtuaView) -> Column:
    """Return Tahuma's points; until the end only those that he starts with."""
    difficulty = seen.options.solo_difficulty
    start = components_of(words).solo.start_points[DIFFICULTIES.index(difficulty)]
    lines = seen.live.tahuma or ((f"start_{difficulty}", start),)
    return {"start" if key.startswith("start_") else key: (points, True) for key, points in lines}


def _moment(words: GameMessages, seen: AtuaView) -> Fact:
    components = components_of(words)
    turns = components.solo_turns if seen.solo else components.rounds
    return _round(words, seen.solo, min(seen.state.turn // seen.seats + 1, turns), seen.state.window)


@fragment
def _round(words: GameMessages, solo: bool, now: int, window: int) -> Fact:
    """Return the number of the round; its help text announces the next scoring window."""
    components = components_of(words)
    coming = ""
    if window < len(WINDOWS):
        number = components.windows[window].sources_to_score
        coming = say(words, "next_window", stack=WINDOWS[window].upper(), number=number)
    label = say(words, "turn" if solo else "round")
    shown = say(words, "of", number=now, all=components.solo_turns if solo else components.rounds)
    return Fact("round", label, shown, help=coming)


# -- Tahuma ----------------------------------------------------------------------------------------


def tahuma(words: GameMessages, seen: AtuaView) -> Region:
    """Return the opponent in the solo game: the hut, the pile and the points."""
    (pile,) = seen.state.tahuma_pile
    return _tahuma(
        words, seen.state.hut, size_of(pile), sum(points for points, _ in _tahuma_column(words, seen).values())
    )


@fragment
def _tahuma(words: GameMessages, hut: int, pile: int, points: int) -> Region:
    facts = [
        Fact("hut", say(words, "hut"), str(hut), draw("icon", name="coconut"), hut),
        Fact("pile", say(words, "pile"), str(pile), draw("points", d=PILED), pile),
        Fact("tahuma-points", say(words, "tahuma.points"), str(points), draw("points", d=LINED), points),
    ]
    return Region("tahuma", say(words, "tahuma"), "seat", facts=facts, seat=0)
