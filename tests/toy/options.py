"""Options of the toy game."""

from typing import Final

from atoll.engine import Enum, Flag, Int, Option

HAND_SIZES: Final = {"short": 3, "long": 5}
MOST_ROUNDS: Final = 6

OPTIONS: Final[tuple[Option, ...]] = (
    Flag("gifts", True),
    Enum("deal", tuple(HAND_SIZES), "short"),
    Int("rounds", 3, lo=1, hi=MOST_ROUNDS),
)
