"""Finds the nets of a game's package: files of its folder `nets`.

Their content is in `value_net.py`, which needs NumPy.
"""

from __future__ import annotations

from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Final

from atoll.engine import Rules

_FOLDER: Final = "nets"


def net_name(game: Rules, seats: int) -> str:
    """Return the file name of a net.

    A net fits one number of seats and the components that it was trained with.
    """
    return f"{seats}_{game.components_hash}.npz"


@cache
def find_net(game: Rules, seats: int) -> Path | None:
    """Return the file of the game's net for its components; None if there isn't one.

    Args:
        game: The game.
        seats: Number of seats.
    """
    package = find_spec(game.package) if game.package else None
    places = package.submodule_search_locations if package else None
    files = (Path(place) / _FOLDER / net_name(game, seats) for place in places or ())
    return next((file for file in files if file.is_file()), None)


def has_net(game: Rules, seats: int | None = None) -> bool:
    """Return whether the game has a net for the number of seats, or for any number if None."""
    return any(find_net(game, each) for each in (game.seat_counts if seats is None else (seats,)))
