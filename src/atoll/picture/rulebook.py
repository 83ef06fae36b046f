"""What a rules page shows besides texts: tables made from the data, and the pieces in the box.

A game's `rulebook.py` has `tables(game, words, seats, options) -> dict[str, RuleTable]` and
`gallery(game, words) -> dict[str, list[ComponentPicture]]`, by the ids that its `rules.toml` names.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from .region import Drawing

Cell = int | str
NOTHING: Final = "–"


@dataclass(frozen=True, slots=True)
class RuleTable:
    """A table of figures. Its caption is `rule.table.<id>`.

    head: what stands above the columns. rows: each begins with what stands at its left. current: the column of the
    number of players that the reader asks for.
    """

    head: Sequence[str]
    rows: Sequence[Sequence[Cell]]
    current: int | None = None


def by_seats(
    corner: str, counts: Sequence[int], seats: int, rows: Sequence[tuple[str, Callable[[int], Cell]]]
) -> RuleTable:
    """A table with a column for each number of players. corner: what stands above the names of the rows."""
    return RuleTable(
        head=(corner, *map(str, counts)),
        rows=[(name, *map(figure, counts)) for name, figure in rows],
        current=counts.index(seats) + 1,
    )


@dataclass(frozen=True, slots=True)
class ComponentPicture:
    """One kind of piece: its picture (None: words are enough), its name, how many there are, and what it does."""

    name: str
    count: int
    drawing: Drawing | None
    text: str = ""
