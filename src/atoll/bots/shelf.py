"""Which nets a game's package brings: files of its folder `nets`. What is in them: net.py, which brings NumPy."""

from __future__ import annotations

from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Final

from atoll.engine import Rules

_FOLDER: Final = "nets"


def net_name(game: Rules, seats: int) -> str:
    """The file of a net: it fits one number of seats and the components that it was trained with."""
    return f"{seats}_{game.box_hash}.npz"


@cache
def net_file(game: Rules, seats: int) -> Path | None:
    """The net that the game's package brings for so many seats and the game's components; None without."""
    package = find_spec(game.package) if game.package else None
    places = package.submodule_search_locations if package else None
    files = (Path(place) / _FOLDER / net_name(game, seats) for place in places or ())
    return next((file for file in files if file.is_file()), None)


def has_net(game: Rules, seats: int | None = None) -> bool:
    """Whether there is a net for so many seats, or for any number of them."""
    return any(net_file(game, each) for each in (game.seat_counts if seats is None else (seats,)))
