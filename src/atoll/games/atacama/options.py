"""The options of Atacama."""

from typing import Final

from atoll.engine import Enum, Flag, Option, StartPlayer

OPTIONS: Final[tuple[Option, ...]] = (
    Enum("setup", ("basic", "enhanced"), "basic"),
    Flag("tactic", False),
    StartPlayer("seat_1", "seat_2", "seat_3", "seat_4"),
)
