"""The pieces that a game's picture consists of."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Final, Protocol

from markupsafe import Markup

from .fragments import Fragment

if TYPE_CHECKING:
    from atoll.engine import Game
    from atoll.engine.translations import GameMessages

ROLES: Final = ("board", "shared", "hand", "seat", "dialog")
FLOWS: Final = ("fit", "wrap", "fan")


@dataclass(frozen=True, slots=True)
class Drawing:
    """A piece of SVG, `width` x `height` CSS pixels at its natural size.

    markup: what stands inside the <svg>. name: what a screen reader calls the whole drawing; its elements have names of
    their own. id: unique on the page, and the same for the same thing in every view. parts: the same markup in pieces;
    a page gets only the fragments that it doesn't have.
    """

    id: str
    width: float
    height: float
    markup: Markup
    name: str = ""
    parts: tuple[Markup | Fragment, ...] = ()

    @classmethod
    def of_parts(
        cls, id: str, width: float, height: float, parts: tuple[Markup | Fragment, ...], name: str = ""
    ) -> Drawing:
        """Return a large drawing that consists of several parts."""
        return cls(id, width, height, Markup().join(parts), name, parts)


@dataclass(frozen=True, slots=True)
class Fact:
    """A labelled value, such as a supply or a score. Facts are set as text, so they read well at any width.

    symbol: markup of an SVG symbol, 24 x 24. value: what is shown. number: the same as a number, so that previews can
    show by how much it changes. choice: choices that the fact stands for, as in `element`. help: one sentence.
    """

    id: str
    label: str
    value: str
    symbol: Markup = field(default_factory=Markup)
    number: float | None = None
    choice: str = ""
    help: str = ""

    def comparison_copy(self) -> Fact:
        """The same once more, where it can be compared with that of other seats; it stands for no choice there."""
        return replace(self, id=f"{self.id}-again", choice="")


@dataclass(frozen=True, slots=True, eq=False)
class Region:
    """A part of the table that belongs together: a board, a market, a hand, a seat's possessions, a dialog.

    A region is equal to itself alone. What a page makes of it is cached as long as the region is.

    role: where the page puts it.
      board   an area of the scene; read first
      shared  an area of the scene, too: markets, tracks, reserves
      hand    what only its owner sees: the dock, on a phone the line of goods and the tab of one's own
      seat    what lies before the seat `seat`: all seats' regions stand together, the viewer's own first
      dialog  opened by a button in the strip while a legal choice's kind is in `opens`
    flow: how its drawings stand. `fit`: scaled to the region's room; `wrap`: natural size, in lines; `fan`: natural
    size, each as far under the next as the dock's room needs, in lines on a phone.
    """

    id: str
    title: str
    role: str
    drawings: Sequence[Drawing] = ()
    facts: Sequence[Fact] = ()
    seat: int | None = None
    flow: str = "wrap"
    opens: Sequence[str] = ()

    def __post_init__(self) -> None:
        if self.role not in ROLES:
            raise ValueError(f"region {self.id!r}: role {self.role!r}; allowed: {', '.join(ROLES)}")
        if self.flow not in FLOWS:
            raise ValueError(f"region {self.id!r}: flow {self.flow!r}; allowed: {', '.join(FLOWS)}")
        if (self.role == "seat") != (self.seat is not None):
            raise ValueError(f"region {self.id!r}: a seat's region, and no other, names its seat")
        if (self.role == "dialog") != bool(self.opens):
            raise ValueError(f"region {self.id!r}: a dialog, and no other region, names the kinds that open it")


class Regions(Protocol):
    """What a game's `picture.py` offers as `regions`."""

    def __call__(self, game: Game, view: Mapping[str, Any], words: GameMessages) -> list[Region]:
        """The whole picture of a view, in the order in which it is read."""
