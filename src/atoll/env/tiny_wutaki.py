"""A tiny variant of Wutaki for exact methods: OpenSpiel's `atoll_tiny_wutaki`.

Each of two players has one worker and keeps one of two secret pacts: for the most gold, or for no
gold. Three places with one field each are open. The market gives a gold from a limited supply, one
place gives 2 points, another 3 points for a gold. A player who reaches the given points starts the
end of the game. No pact can be fulfilled, no omen can be played, and round cards have no effect.

Equal cards are interchangeable, see `atoll.env.equivalent_states`.
"""

from __future__ import annotations

import copy
from collections.abc import Mapping
from typing import Any, ClassVar, Final

import pyspiel

import atoll
from atoll.engine import Game

from .equivalent_states import EquivalenceState
from .openspiel import PREFIX, SpielGame, game_type

WUTAKI: Final = "tiny_wutaki"
ENDS: Final = range(7, 11)
_USUAL: Final = 9
_GOLD: Final = 4  # the components require one per seat of the largest game
_SEATS: Final = 4
_CLOSED: Final = [3]  # number of players from which the field is open: closed for two
_OPEN: Final[dict[str, dict[str, Any]]] = {
    "market": {"yields": [1, 1, 1]},
    "vp_or_gift": {"effects": [{"do": "vp", "n": 2}]},
    "trade": {"effects": [{"do": "vp", "n": 3}], "pay": {"gold": 1}},
}


def tiny_wutaki(end: int) -> Game:
    """Return Wutaki for two with one worker each and three places.

    Args:
        end: Number of points that starts the end of the game, 7 to 10.

    Raises:
        ValueError: If `end` is out of range.
    """
    if end not in ENDS:
        raise ValueError(f"invalid end {end!r}: expected {ENDS.start} to {ENDS.stop - 1}")
    game = atoll.games["wutaki"]
    data: dict[str, Any] = copy.deepcopy(dict(game.data))
    counts = data["counts"]
    data["game"]["end_vp"] = end
    counts["loyal_workers_per_player"], counts["extra_workers_per_player"] = 1, 0
    _lay_tokens(data)
    _print_cards(data)
    for board in data["board"]:
        board |= {"extra_workers": 0, "hire_slots": [], "counter_event": []}
        for place in board["place"]:
            place["fields"] = [2] if place["id"] in _OPEN else _CLOSED
            place.update(_OPEN.get(place["id"], {}))
    return type(game)(data)


def _lay_tokens(data: dict[str, Any]) -> None:
    """Leave only gold in the supply, give nobody a start stock, and make all cost markers equal."""
    for resource in data["resource"]:
        resource["tokens"] = _GOLD if resource["id"] == "gold" else 0
        data["start_stock"][resource["id"]] = 0
    data["counts"]["resource_tokens"] = _GOLD
    for number, marker in enumerate(data["cost_marker"]):
        marker |= {"id": f"marker_{number}", "kind": "wood"}


def _print_cards(data: dict[str, Any]) -> None:
    """Replace the cards by the smallest sets that the components allow."""
    for number, element in enumerate(data["element_card"]):
        element |= {"id": f"element_{number}", "bonus": 0, "malus": 0}
    most = {"vp": 3, "condition": {"type": "most", "metric": "gold"}}
    none = {"vp": 3, "condition": {"type": "at_most", "metric": "gold", "n": 0}}
    pact = {"element": "fire", "sacrifice": {"stone": 9}, "reward": [{"do": "vp", "n": 1}]}
    omen = {"copies": _SEATS, "kind": "once", "effects": [{"do": "vp", "n": 1}]}
    idle = [{"do": "modifier", "kind": "yield", "n": 1, "places": ["quarry"]}]
    data["secret_pact"] = [*_cards("most_gold", _SEATS, most), *_cards("no_gold", _SEATS, none)]
    data["pact"] = _cards("pact", 4 * _SEATS, pact)
    data["omen"] = _cards("omen", 1, omen)
    data["vengeance"] = data["vengeance"][:1]
    data["round_card"] = _cards("round", 1, {"type": "modifier", "chain": False, "effects": idle})
    data["counts"] |= {"omens": _SEATS, "vengeance": 1, "round_cards": 1}
    data["counts"] |= {"secret_pacts": 2 * _SEATS, "pacts": 4 * _SEATS}


def _cards(kind: str, count: int, printed: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return equally printed cards."""
    name = {"en": kind}
    return [{"id": f"{kind}_{number}", "name": name, "source": "reconstructed", **printed} for number in range(count)]


class TinyWutaki(SpielGame):
    """The tiny variant of Wutaki; its parameter `end` is the points that start the end."""

    home: ClassVar[str] = __name__

    def __init__(self, params: Mapping[str, Any] | None = None) -> None:
        end = int(dict(params or {}).get("end", _USUAL))
        fixed = {"players": 2, "start_player": "first_seat"}
        super().__init__(tiny_wutaki(end), fixed, kind=_TYPE, shown={"end": end})

    def new_initial_state(self) -> EquivalenceState:
        """Return the initial state."""
        return EquivalenceState(self)


_TYPE: Final = game_type(atoll.games["wutaki"], {"end": _USUAL}, WUTAKI, seats=2)
if PREFIX + WUTAKI not in {each.short_name for each in pyspiel.registered_games()}:
    pyspiel.register_game(_TYPE, TinyWutaki)
