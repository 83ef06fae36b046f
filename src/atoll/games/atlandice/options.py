"""What the host of a game of Atlandice can choose. All numbers that a designer may want to change are components."""

from typing import Final

from atoll.engine import Enum, Option

OPTIONS: Final[tuple[Option, ...]] = (
    Enum("start_player", ("random", "seat_1", "seat_2", "seat_3", "seat_4"), "random"),
)
