"""What the pictures of all tables begin with."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from atoll.engine import Game
    from atoll.engine.words import Words


class TablePicture:
    """One view in pictures. A game's `picture.py` derives a class from it, whose methods draw its regions.

    view: what the viewer may know; s and live: its state and its computed facts. words: texts in the viewer's language.
    A subclass says of which type its Box is: `box: AtuaBox`.
    """

    def __init__(self, game: Game, view: Mapping[str, Any], words: Words) -> None:
        self.game: Game = game
        self.box: Any = game.box
        self.view: Mapping[str, Any] = view
        self.s: Mapping[str, Any] = view["state"]
        self.live: Mapping[str, Any] = view["live"]
        self.words: Words = words

    def _say(self, key: str, /, **fields: Any) -> str:
        """A text of the table (`table.<key>`)."""
        return self.words.say(f"table.{key}", fields)

    def _id(self, domain: str, index: int) -> str:
        """The name of an element of a domain as it stands in choices."""
        return self.game.notation.name(domain, index)
