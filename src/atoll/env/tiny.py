"""A tiny variant of Atacama for exact methods: OpenSpiel's `atoll_tiny_atacama`.

    game = pyspiel.load_game("atoll_tiny_atacama(rigs=1)")
    table = as_tree(game)                          # the same as a C++ game tree of OpenSpiel
    solver = pyspiel.CFRSolver(table)

The variant changes only the game's components. `as_tree` visits every history once; after that
nothing runs in Python.
"""

from __future__ import annotations

import copy
from collections.abc import Mapping
from typing import Any, ClassVar, Final

import pyspiel
from open_spiel.python.algorithms.gambit import export_gambit

import atoll
from atoll.engine import Game

from .openspiel import PREFIX, SpielGame, game_type

ATACAMA: Final = "tiny_atacama"
MOST_RIGS: Final = 2
_PLACES: Final = [[line, column] for line in range(3) for column in range(3)]
_TURN_AFTER_END: Final = 29  # a turn after the last rig is placed


def tiny_atacama(rigs: int) -> Game:
    """Return Atacama for two with a board of nine fields.

    It is played with the enhanced setup and one drawn sub-board.

    Args:
        rigs: Number of rigs per player, and of rigs that a line needs; 1 or 2.

    Raises:
        ValueError: If `rigs` is out of range.
    """
    if rigs not in range(1, MOST_RIGS + 1):
        raise ValueError(f"invalid rigs {rigs!r}: expected 1 to {MOST_RIGS}")
    game = atoll.games["atacama"]
    data: dict[str, Any] = copy.deepcopy(dict(game.data))
    data["game"]["line_minimum_rigs"] = rigs
    data["enhanced"]["turns_per_player"] = rigs
    for allotment in data["rig_allotments"]:
        allotment["base"], allotment["double"] = rigs, 0
    first, later = data["reveal_batches"][:2]
    first["positions"] = _PLACES[:1]
    later["positions"], later["turn"] = _PLACES[1:], _TURN_AFTER_END
    data["reveal_batches"] = [first, later]
    return type(game)(data)


class TinyAtacama(SpielGame):
    """The tiny variant of Atacama; its parameter `rigs` is the number of rigs per player."""

    home: ClassVar[str] = __name__

    def __init__(self, params: Mapping[str, Any] | None = None) -> None:
        rigs = int(dict(params or {}).get("rigs", 1))
        fixed = {"players": 2, "setup": "enhanced", "start_player": "seat_1"}
        super().__init__(tiny_atacama(rigs), fixed, kind=_TYPE, shown={"rigs": rigs})


def as_tree(game: Any) -> Any:
    """Return the same game as a C++ game tree; every history is visited once."""
    return pyspiel.load_efg_game(export_gambit(game))


_TYPE: Final = game_type(atoll.games["atacama"], {"rigs": 1}, ATACAMA, seats=2)
if PREFIX + ATACAMA not in {each.short_name for each in pyspiel.registered_games()}:
    pyspiel.register_game(_TYPE, TinyAtacama)
