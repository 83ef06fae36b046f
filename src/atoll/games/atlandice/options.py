"""The options of Atlandice. All numbers that a designer may want to change are components."""

from typing import Final

from atoll.engine import Option, StartPlayer

OPTIONS: Final[tuple[Option, ...]] = (StartPlayer("seat_1", "seat_2", "seat_3", "seat_4"),)
