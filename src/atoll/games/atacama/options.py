"""What the host of a game of Atacama can choose."""

from typing import Final

from atoll.engine import Enum, Flag, Option

OPTIONS: Final[tuple[Option, ...]] = (
    Enum("setup", ("basic", "enhanced"), "basic"),
    Flag("tactic", False),
    Enum("start_player", ("random", "seat_1", "seat_2", "seat_3", "seat_4"), "random"),
)
