"""What all drawings of Atua begin with: the islands, and whose is shown large."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from atoll.picture import TablePicture, kept

from ..components import (
    SOURCES,
    VILLAGE_STAR,
    VOLCANO,
    AtuaBox,
)
from ..faces import CARD_UNITS
from ..geometry import Island
from ..lattice import lattice_for
from ..outline import UNIT
from ..state import NOTHING_HELD

_SEA: Final = 4.25  # units of open sea around an island: no card reaches farther
_SLIM: Final = 0.8  # of its height, the least width of the sea
ROWS: Final = (*SOURCES, "resident", "fate", "beach_bonus", "coconut_bonus")


class Table(TablePicture):
    """One view in pictures."""

    box: AtuaBox

    @property
    def solo(self) -> bool:
        """Whether Tahuma is the opponent."""
        return bool(self.view["seats"] == 1)

    @kept
    def island_of(self, seat: int) -> Island:
        """The island of a seat."""
        lattice = lattice_for(self.box.solo_turns if self.solo else self.box.rounds)
        return Island.load(self.box, self.s["placed"][seat], lattice)

    @property
    def shown(self) -> int:
        """The seat whose island is shown."""
        viewer = self.view["viewer"]
        shown: int = viewer if viewer is not None else self.s["active"]
        return shown

    def _work_out(self, what: str, about: Any) -> Any:
        """bounds: what is shown of the sea around a seat's island; in_hand: whether a volcano is about to be placed."""
        if what == "bounds":
            return self._bounds(about)
        held = self.s["held"]
        return held != NOTHING_HELD and VOLCANO in self.box.cards[self.s["row"][held]].symbols

    def _bounds(self, seat: int) -> tuple[float, float, float, float]:
        """What is shown of the sea: left, top, width, height in units.

        A card placed in the open turn doesn't widen it before the row is refilled, so that a preview lies exactly over
        the present picture.
        """
        cards = self.island_of(seat).cards()
        if self._is("active", seat) and not self.view["over"]:
            refilled = not self.solo and len(self.s["row"]) == self.box.row_size
            if not refilled:
                cards = cards[: 1 + self.s["turn"] // self.view["seats"]]
        left, right = min(card[1] for card in cards), max(card[1] for card in cards) + CARD_UNITS
        top, bottom = min(card[2] for card in cards), max(card[2] for card in cards) + CARD_UNITS
        height = bottom - top + 2 * _SEA
        width = max(right - left + 2 * _SEA, _SLIM * height)
        return (left + right - width) / 2, top - _SEA, width, height

    def _village(self, island: Island) -> tuple[int, int]:
        ((x, y),) = [(x, y) for symbol, x, y in island.symbols() if symbol == VILLAGE_STAR]
        return (x + 1) * UNIT, (y + 1) * UNIT

    def _symbol(self, symbol: int) -> str:
        return self.words.name("symbol", symbol)

    def _shows(self, symbols: Sequence[int]) -> str:
        return ", ".join(self._symbol(symbol) for symbol in symbols) or self._say("nothing")

    def _title(self, number: int) -> str:
        islands = self.box.island_cards
        return self.words.name("card", number) if number < islands else self.words.name("village", number - islands)
