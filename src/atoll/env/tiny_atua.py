"""A tiny variant of Atua for exact methods: OpenSpiel's `atoll_tiny_atua`.

The variant has three rounds for two players, without residents and fates. Its cards differ from the
printed game:

- On each village one symbol can be covered, by a card in one position. Symbols of that card can be
  covered in the same position again.
- Twenty-one cards are shores. One is a mountain: its two volcanoes can't be covered, so a player
  who takes it stops building.
- A card costs as many coconuts as it has cards to its left, and gives the coconuts that lie on it.
  Each player starts with one.

Equal cards are one chance outcome, see `atoll.env.equivalent_states`.
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

ATUA: Final = "tiny_atua"
ROUNDS: Final = 3
MOST_CHOSEN: Final = 1
_CAPE: Final = ["LLLBSS", "LLLBSS", "LLLBSS", "BBBBSS", "SSSSSS", "SSSSSS"]  # fits in one orientation only
_SHORE: Final = {0: "fish"}
_MOUNTAIN: Final = {0: "volcano", 8: "volcano"}
_VILLAGE: Final = {0: "fish", **dict.fromkeys(range(1, 9), "volcano"), 4: "village_star"}


def tiny_atua(chosen: int) -> Game:
    """Return Atua for two with other cards and three rounds.

    Args:
        chosen: Number of sources that each player chooses and scores after the second round; 0 or
            1.

    Raises:
        ValueError: If `chosen` is out of range.
    """
    if chosen not in range(MOST_CHOSEN + 1):
        raise ValueError(f"invalid chosen {chosen!r}: expected 0 to {MOST_CHOSEN}")
    game = atoll.games["atua"]
    data: dict[str, Any] = copy.deepcopy(dict(game.data))
    sources = len(data["harmony_source"])
    for number, (window, scored) in enumerate(
        zip(data["scoring_window"], (0, chosen, sources - chosen), strict=True), 1
    ):
        window["round"], window["sources_to_score"] = number, scored
    setup = data["setup"]
    setup["rounds"], setup["start_coconuts"] = ROUNDS, 1
    for players, stacks in setup["stacks"].items():
        stacks.update(dict.fromkeys(stacks, max(2, int(players))))
    count = sum(setup["stacks"]["6"].values()) + setup["row_size"]
    data["counts"]["island_cards"] = count
    data["island"] = [_card("shore", number, _CAPE, _SHORE) for number in range(count - 1)]
    data["island"].append(_card("mountain", 0, _CAPE, _MOUNTAIN))
    data["village"] = [_card("village", number, ["LLLLLL"] * 6, _VILLAGE) for number in range(len(data["village"]))]
    return type(game)(data)


def _card(kind: str, number: int, terrain: list[str], symbols: Mapping[int, str]) -> dict[str, Any]:
    """Return a card; cards of a kind differ only by their number."""
    return {
        "id": f"{kind}_{number}",
        "source": "reconstructed",
        "en": kind,
        "coast": kind if terrain is not _CAPE else "cape",
        "beach": terrain is _CAPE,
        "terrain": terrain,
        "ends": ["W3", "N3"] if terrain is _CAPE else [],
        "symbols": [{"slot": slot, "symbol": symbol} for slot, symbol in sorted(symbols.items())],
    }


class TinyAtua(SpielGame):
    """The tiny variant of Atua.

    Its parameter `chosen` is the number of sources that each player secretly chooses to score after
    the second round.
    """

    home: ClassVar[str] = __name__

    def __init__(self, params: Mapping[str, Any] | None = None) -> None:
        chosen = int(dict(params or {}).get("chosen", 0))
        fixed = {"players": 2, "residents": False, "fates": False, "start_player": "seat_1"}
        super().__init__(tiny_atua(chosen), fixed, kind=_TYPE, shown={"chosen": chosen})

    def new_initial_state(self) -> EquivalenceState:
        """Return the initial state."""
        return EquivalenceState(self)


_TYPE: Final = game_type(atoll.games["atua"], {"chosen": 0}, ATUA, seats=2)
if PREFIX + ATUA not in {each.short_name for each in pyspiel.registered_games()}:
    pyspiel.register_game(_TYPE, TinyAtua)
