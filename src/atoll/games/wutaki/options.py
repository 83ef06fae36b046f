"""The options that a host can choose."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from atoll.engine import Enum, Int, Option, OptionError, StartPlayer

FEWEST_ROUNDS: Final = 10

OPTIONS: Final[tuple[Option, ...]] = (
    Enum("board", ("standard", "extreme"), "standard"),
    Enum("masterboards", ("symmetric", "asymmetric"), "symmetric"),
    Enum("player_boards", ("a", "b"), "a"),
    StartPlayer("first_seat"),
    Int("max_rounds", 30, lo=0, hi=60),
)


def check_options(options: Mapping[str, Any]) -> None:
    """Check that the guard against endless games is off (0) or leaves time for a game.

    Rules WU-1.1 and WU-10.4, ruling R2.

    Args:
        options: The options of the game.

    Raises:
        OptionError: If `max_rounds` is too low.
    """
    if 0 < options["max_rounds"] < FEWEST_ROUNDS:
        raise OptionError(
            f"option 'max_rounds': {options['max_rounds']} isn't allowed; allowed: 0 (off), {FEWEST_ROUNDS} to 60"
        )
