"""The vocabulary of Atacama. Its order is part of the file format."""

from collections.abc import Mapping
from typing import Final

from atoll.engine import Domain, Kind, Vocabulary, numbers

SIDE: Final = 9
FIELDS: Final = SIDE * SIDE
BASE: Final = 0
DOUBLE: Final = 1
COLUMNS: Final = 0
ROWS: Final = 1

PLACE_FIELDS: Final[tuple[tuple[int, ...], ...]] = tuple(
    tuple((place // 3 * 3 + i // 3) * SIDE + place % 3 * 3 + i % 3 for i in range(9)) for place in range(9)
)
"""Per place of a sub-board, 0 to 8 from the top left, its fields."""


def _neighbors(field: int) -> tuple[int, ...]:
    """Return the fields that share an edge with a field."""
    row, column = divmod(field, SIDE)
    around = ((row - 1, column), (row, column - 1), (row, column + 1), (row + 1, column))
    return tuple(r * SIDE + c for r, c in around if 0 <= r < SIDE and 0 <= c < SIDE)


NEIGHBORS: Final = tuple(_neighbors(field) for field in range(FIELDS))
"""Per field, the fields that share an edge with it."""

FIELD: Final = Domain("field", [f"r{row + 1}c{column + 1}" for row in range(SIDE) for column in range(SIDE)])
RIG: Final = Domain("rig", ("base", "double"))
CONCESSION: Final = Domain("concession", ("turquoise", "orange"))
AXIS: Final = Domain("axis", ("columns", "rows"))
SUB_BOARD: Final = Domain("sub_board", tuple("ABCDEFGHI"))

VOCABULARY: Final = Vocabulary()
PLACE: Final[Kind] = VOCABULARY.kind("place", FIELD, RIG)
BUY: Final[Kind] = VOCABULARY.kind("buy", CONCESSION, AXIS, RIG)
START: Final[Kind] = VOCABULARY.chance("start", numbers("seat", 0, 3))
LAY: Final[Kind] = VOCABULARY.chance("lay", SUB_BOARD)

PROMPTS: Final[Mapping[str, tuple[Kind, ...]]] = {
    "turn": (PLACE, BUY),
    "place": (PLACE,),
    "must_buy": (BUY,),
}
"""Per prompt, the kinds of its choices. The order is part of the file format."""
