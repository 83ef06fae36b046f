"""Who begins, where the host may choose it.

A game lists `StartPlayer("seat_1", "seat_2", ...)` among its options; its rule then reads

    s.start_player = yield from find_start_player(s, START)

with the kind of chance, whose domain is the seats, that a random start player is drawn by.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, cast

from .decisions import Draw, RequestFlow
from .errors import OptionError
from .options import Enum, OptionValue
from .state import State
from .vocabulary import Kind

RANDOM: Final = "random"
SEATS: Final[Mapping[str, int]] = {"first_seat": 0, **{f"seat_{seat + 1}": seat for seat in range(6)}}
"""The values that name a seat, with the seat that they name."""


class StartPlayer(Enum):
    """The option `start_player`: drawn by lot, or a seat that the host names.

    named: the values beside `random`, out of SEATS. A seat can only begin if it plays.
    """

    def __init__(self, *named: str, default: str = RANDOM) -> None:
        for value in named:
            if value not in SEATS:
                raise ValueError(f"start player {value!r}: allowed are {', '.join(SEATS)}")
        super().__init__("start_player", (RANDOM, *named), default)

    def check_seats(self, value: OptionValue, seats: int) -> None:
        """See Option."""
        if value != RANDOM and SEATS[str(value)] >= seats:
            there = [each for each in self.allowed if each == RANDOM or SEATS[each] < seats]
            raise OptionError(
                f"option {self.id!r}: {value!r} doesn't exist with {seats} players; allowed: {', '.join(there)}"
            )


def find_start_player(s: State, kind: Kind) -> RequestFlow[int]:
    """The seat that begins a game by its option `start_player`: an outcome of `kind`, or the seat that was named."""
    named = str(s.options["start_player"])
    if named != RANDOM:
        return SEATS[named]
    seat: int = yield Draw(kind, range(cast(Any, s).seats))
    return seat
