"""Tables and component pictures of a rules page.

A game's `rulebook.py` has `tables(game, words, seats, options) -> dict[str, RuleTable]` and
`gallery(game, words) -> dict[str, list[ComponentPicture]]`. Their keys are the ids in its
`rules.toml`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from .region import Drawing

Cell = int | str
"""Content of a cell."""
NOTHING: Final = "–"
"""Text of an empty cell."""


@dataclass(frozen=True, slots=True)
class RuleTable:
    """A table of figures. Its caption is the message `rule.table.<id>`.

    Attributes:
        head: Headings of the columns.
        rows: Rows; the first cell is the heading of the row.
        current: Index of the column for the reader's number of players; None if there is none.
    """

    head: Sequence[str]
    rows: Sequence[Sequence[Cell]]
    current: int | None = None


def by_seats(
    corner: str, counts: Sequence[int], seats: int, rows: Sequence[tuple[str, Callable[[int], Cell]]]
) -> RuleTable:
    """Return a table with a column per number of players.

    Args:
        corner: Heading of the row headings.
        counts: Numbers of players.
        seats: The reader's number of players, one of `counts`.
        rows: Per row its heading, and a function that returns the cell for a number of players.
    """
    return RuleTable(
        head=(corner, *map(str, counts)),
        rows=[(name, *map(figure, counts)) for name, figure in rows],
        current=counts.index(seats) + 1,
    )


@dataclass(frozen=True, slots=True)
class ComponentPicture:
    """One type of component.

    Attributes:
        name: Its name.
        count: Number of pieces in the game.
        drawing: Its picture; None for components without one.
        text: Explanation; "" for none.
    """

    name: str
    count: int
    drawing: Drawing | None
    text: str = ""
