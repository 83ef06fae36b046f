"""A tiny variant of Wutaki, made from its components, on which exact methods run: OpenSpiel's `atoll_tiny_wutaki`.

Each of two has one worker and keeps one of two secret pacts, for having the most gold or none. Three places with room
for one are open: the market gives a gold while there are any, one place gives 2 points, another one 3 for a gold. Who
has so many points begins the end. No pact can be fulfilled, no omen be played, and round cards change nothing.

Cards that are printed alike are the same: `atoll.env.alike`.
"""

from __future__ import annotations

import copy
from collections.abc import Mapping
from typing import Any, ClassVar, Final

import pyspiel

import atoll
from atoll.engine import Game

from .alike import AlikeState
from .openspiel import PREFIX, SpielGame, game_type

WUTAKI: Final = "tiny_wutaki"
ENDS: Final = range(7, 11)
_USUAL: Final = 9
_GOLD: Final = 4  # as many as seats that the components know, which could all begin with one
_SEATS: Final = 4
_CLOSED: Final = [3]  # fields that two don't have
_OPEN: Final[dict[str, dict[str, Any]]] = {
    "market": {"yields": [1, 1, 1]},
    "vp_or_gift": {"effects": [{"do": "vp", "n": 2}]},
    "trade": {"effects": [{"do": "vp", "n": 3}], "pay": {"gold": 1}},
}


def tiny_wutaki(end: int) -> Game:
    """Wutaki for two with one worker each and three places, which ends when somebody has so many points.

    Raises ValueError.
    """
    if end not in ENDS:
        raise ValueError(f"end {end!r}: allowed are {ENDS.start} to {ENDS.stop - 1}")
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
    """Only gold, which nobody has to begin with; all cost markers are alike."""
    for resource in data["resource"]:
        resource["tokens"] = _GOLD if resource["id"] == "gold" else 0
        data["start_stock"][resource["id"]] = 0
    data["counts"]["resource_tokens"] = _GOLD
    for number, marker in enumerate(data["cost_marker"]):
        marker |= {"id": f"marker_{number}", "kind": "wood"}


def _print_cards(data: dict[str, Any]) -> None:
    """As few cards as components can have."""
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
    """Cards that are printed alike."""
    name = {"en": kind}
    return [{"id": f"{kind}_{number}", "name": name, "source": "reconstructed", **printed} for number in range(count)]


class TinyWutaki(SpielGame):
    """The tiny variant of Wutaki. end: with how many points it does."""

    home: ClassVar[str] = __name__

    def __init__(self, params: Mapping[str, Any] | None = None) -> None:
        end = int(dict(params or {}).get("end", _USUAL))
        fixed = {"players": 2, "start_player": "first_seat"}
        super().__init__(tiny_wutaki(end), fixed, kind=_TYPE, shown={"end": end})

    def new_initial_state(self) -> AlikeState:
        """The first moment."""
        return AlikeState(self)


_TYPE: Final = game_type(atoll.games["wutaki"], {"end": _USUAL}, WUTAKI)
if PREFIX + WUTAKI not in {each.short_name for each in pyspiel.registered_games()}:
    pyspiel.register_game(_TYPE, TinyWutaki)
