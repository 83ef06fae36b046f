"""What all drawings of Raiatea begin with: whether a feast is on, and texts made from the owner's data."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from atoll.engine import Game
from atoll.engine.words import Words
from atoll.picture import Drawing, Region, TablePicture

from ..components import RaiateaBox
from ..describe import Describer
from ..state import BEFORE_DANCE


class Table(TablePicture):
    """One view in pictures."""

    box: RaiateaBox

    def __init__(self, game: Game, view: Mapping[str, Any], words: Words) -> None:
        super().__init__(game, view, words)
        self.describer: Describer = Describer(game.package, game.box, words.language)
        self.texts: Mapping[str, Sequence[str]] = self.box.texts[words.language]

    @property
    def feast(self) -> bool:
        """Whether a feast is on: then the festival ground is the middle of the table, else the court."""
        return bool(self.s["phase"] >= BEFORE_DANCE)

    def _area(self, id: str, title: str, drawing: Drawing, role: str = "shared") -> Region:
        return Region(id, title, role, [drawing], flow="fit")

    def _in_turn(self, key: str, seats: Sequence[int]) -> str:
        return f"{self._say(key)}: {' → '.join(map(self.words.seat, seats))}"
