"""The option for the start player.

A game adds `StartPlayer("seat_1", "seat_2", ...)` to its options. Its rules then contain

    s.start_player = yield from find_start_player(s, START)

with the kind of chance, over the domain of seats, by which a random start player is drawn.
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
"""Value of the option for a random start player."""
SEATS: Final[Mapping[str, int]] = {"first_seat": 0, **{f"seat_{seat + 1}": seat for seat in range(6)}}
"""Values of the option that name a seat, with the seat."""


class StartPlayer(Enum):
    """The option `start_player`: random, or a seat that the host chooses.

    Args:
        *named: Values other than `random`, from `SEATS`.
        default: Default value.

    Raises:
        ValueError: If a value isn't in `SEATS`.
    """

    def __init__(self, *named: str, default: str = RANDOM) -> None:
        for value in named:
            if value not in SEATS:
                raise ValueError(f"invalid start player {value!r}: expected one of {', '.join(SEATS)}")
        super().__init__("start_player", (RANDOM, *named), default)

    def check_seats(self, value: OptionValue, seats: int) -> None:
        """Reject a value that names a seat which doesn't play, with an OptionError."""
        if value != RANDOM and SEATS[str(value)] >= seats:
            there = [each for each in self.allowed if each == RANDOM or SEATS[each] < seats]
            raise OptionError(
                f"option {self.id!r}: {value!r} doesn't exist with {seats} players; allowed: {', '.join(there)}"
            )


def find_start_player(s: State, kind: Kind) -> RequestFlow[int]:
    """Return the start player: the chosen seat, or an outcome of `kind`.

    Args:
        s: The state, whose options include `start_player`.
        kind: Kind of chance over the seats.

    Returns:
        The seat.
    """
    named = str(s.options["start_player"])
    if named != RANDOM:
        return SEATS[named]
    seat: int = yield Draw(kind, range(cast(Any, s).seats))
    return seat
