"""Regions, drawings and facts: the parts of a game's picture."""

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
"""Roles of regions; see `Region`."""
FLOWS: Final = ("fit", "wrap", "fan")
"""Arrangements of a region's drawings; see `Region`."""


@dataclass(frozen=True, slots=True)
class Drawing:
    """A piece of SVG.

    Attributes:
        id: Id, unique on the page and the same for the same thing in every view.
        width: Natural width in CSS pixels.
        height: Natural height in CSS pixels.
        markup: Content of the `<svg>` element.
        name: Name of the whole drawing for screen readers; "" if its elements are named instead.
        parts: The same markup in parts; a page receives only parts that it doesn't have. Empty for
            small drawings.
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
        """Return a large drawing that consists of several parts.

        Args:
            id: Id, unique on the page.
            width: Natural width in CSS pixels.
            height: Natural height in CSS pixels.
            parts: Markup and fragments.
            name: Name of the whole drawing for screen readers.
        """
        return cls(id, width, height, Markup().join(parts), name, parts)


@dataclass(frozen=True, slots=True)
class Fact:
    """A labeled value, such as a supply or a score, set as text.

    Attributes:
        id: Id, unique on the page and the same in every view.
        label: The label.
        value: The text of the value.
        symbol: Markup of an SVG symbol, 24 x 24.
        number: The value as a number, for previews of its change; None if it isn't a number.
        choice: Pattern of the choices that the fact represents, as in `element`; "" for none.
        help: One sentence of explanation; "" for none.
    """

    id: str
    label: str
    value: str
    symbol: Markup = field(default_factory=Markup)
    number: float | None = None
    choice: str = ""
    help: str = ""

    def comparison_copy(self) -> Fact:
        """Return a copy for comparison with other seats, which represents no choice."""
        return replace(self, id=f"{self.id}-again", choice="")


@dataclass(frozen=True, slots=True, eq=False)
class Region:
    """A part of the table: a board, a market, a hand, the area of a seat, or a dialog.

    Regions are compared by identity, because pages cache what they make of them.

    The roles are:

    - `board`: an area of the scene, read first.
    - `shared`: another area of the scene, such as markets, tracks and reserves.
    - `hand`: visible to its owner only; in the dock, on phones in the line of goods and the own
      tab.
    - `seat`: the area of one seat. All of them are shown together, the viewer's first.
    - `dialog`: opened by a button in the strip while a choice of a kind in `opens` is legal.

    The flows are:

    - `fit`: scaled to the space of the region.
    - `wrap`: natural size, in lines.
    - `fan`: natural size, overlapping to fit the width of the dock; in lines on phones.

    Attributes:
        id: Id, unique on the page.
        title: Heading.
        role: Place on the page.
        drawings: Its drawings.
        facts: Its facts.
        seat: The seat of a region with the role `seat`; None for others.
        flow: Arrangement of the drawings.
        opens: Names of the kinds that open a dialog; empty for others.

    Raises:
        ValueError: If a value isn't allowed.
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
    """The function `regions` of a game's `picture.py`."""

    def __call__(self, game: Game, view: Mapping[str, Any], words: GameMessages) -> list[Region]:
        """Return the regions of a view in reading order.

        Args:
            game: The game.
            view: A view of a position.
            words: Messages of the game.
        """
