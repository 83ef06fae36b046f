"""Where the areas of a table stand: one table of coordinates per game, from which pages and still pictures are made.

A scene is drawn once and laid out three times. On a desktop it is one landscape whose proportions are kept. On a phone
it consists of tabs, each of which fills the room there is: upright as the game says, held sideways folded. Boxes are
given in units: a wide scene of 1084 x 692 is that many pixels on a screen of 1400 x 900.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from markupsafe import Markup

from .svg_macros import number

Rect = tuple[float, float, float, float]
"""x, y, width, height."""

Scale = tuple[float, float]
"""Pixels per unit of width, and per unit of height."""

_WIDE_LEAST: Final[Scale] = (0.72, 0.72)
_UPRIGHT_LEAST: Final[Scale] = (0.92, 0.84)
_LOW_LEAST: Final[Scale] = (0.86, 0.86)
"""The smallest scales of layouts: their texts have 11 pixels on a desktop, 13 on a phone."""

_GAP: Final = 4
"""How far boxes may reach over a fold, in units."""


@dataclass(frozen=True, slots=True)
class Layout:
    """A place and where in it the regions stand.

    Attributes:
        width: Its width in units.
        height: Its height in units.
        boxes: The places of the regions, by their ids. A region that has no box here isn't shown here.
        ground: The id of the symbol that is drawn below all of it.
        least: The smallest scale at which it is legible. It is panned where it has less room.
            None for layouts with texts of usual sizes.
    """

    width: float
    height: float
    rects: Mapping[str, Rect]
    ground: str = ""
    least: Scale | None = None


@dataclass(frozen=True, slots=True)
class Tab:
    """A part of a phone's scene.

    Attributes:
        id: Its id. Its word is `table.tab.<id>`.
        sign: The lines of its sign, an SVG of 24 x 24.
        layout: Its areas on a phone that is held upright.
        low: Its areas on a phone that is held sideways, in a landscape of their own; None if `layout` is folded.
            It has regions of `layout` and regions that nobody can choose anything in.
    """

    id: str
    sign: Markup
    layout: Layout
    low: Layout | None = None


@dataclass(frozen=True, slots=True)
class Scene:
    """All layouts of a game's table.

    wide: by mode, which a game's `mode(view)` names (a game without it has one, ""). tabs: the parts on a phone, in
    order; the page adds one for one's own things and one for the seats. dock: how many pixels high the wide dock is.
    """

    wide: Mapping[str, Layout]
    tabs: Sequence[Tab] = field(default_factory=tuple)
    dock: int = 120
    _shown: dict[str, str] = field(default_factory=dict, init=False, repr=False, compare=False)

    def tabs_of(self, region: str) -> str:
        """The tabs that show a region, with a space between each two."""
        if region not in self._shown:
            self._shown[region] = " ".join(tab.id for tab in self.tabs if region in tab.layout.rects)
        return self._shown[region]


def folded(layout: Layout) -> Layout:
    """Return an upright layout as a landscape: its lower part stands at the right of its upper part.

    It is divided between boxes, where the higher part is lowest. A layout that can't be divided stays as it is.
    """
    boxes = layout.rects
    ends = {y + height for _, y, _, height in boxes.values()}
    found = [fold for end in ends if (fold := _fold(layout, end)) is not None]
    if not found:
        return layout
    end, top, height = min(found, key=lambda fold: fold[2])
    moved = {
        id: (x + layout.width, y - top + _GAP / 2, width, tall) if y >= end - _GAP else (x, y, width, tall)
        for id, (x, y, width, tall) in boxes.items()
    }
    return replace(layout, width=2 * layout.width, height=height, rects=moved)


def _fold(layout: Layout, end: float) -> tuple[float, float, float] | None:
    """Return where the upper part ends, where the lower one begins, and the height of both side by side.

    None if there is no lower part, or if a box lies in both.
    """
    edges = [(y, y + height) for _, y, _, height in layout.rects.values()]
    lower = [edge for edge in edges if edge[0] >= end - _GAP]
    if not lower or len(lower) + sum(edge[1] <= end for edge in edges) < len(edges):
        return None
    top = min(start for start, _ in lower)
    return end, top, max(end, max(low for _, low in lower) - top + _GAP)


def style(game: str, scene: Scene) -> str:
    """The style sheet that puts every region into its place, in every kind of window."""
    wide = [f".{game} .play {{ --dock: {scene.dock}px; }}"]
    for mode, layout in scene.wide.items():
        inside = f'.{game} .stage[data-mode="{mode}"]'
        ratio = number(layout.width / layout.height)
        wide.append(f"{inside} {{ --ratio: {ratio}; aspect-ratio: {ratio}; {_least(layout, _WIDE_LEAST)} }}")
        wide += _places(inside, layout)
    phone: list[str] = []
    upright: list[str] = []
    low: list[str] = []
    for tab in scene.tabs:
        inside = f".{game}:has(#tab-{tab.id}:checked) .stage"
        phone.append(f'{inside} > .ground:not([data-tab="{tab.id}"]) {{ display: none; }}')
        upright.append(f"{inside} {{ {_least(tab.layout, _UPRIGHT_LEAST)} }}")
        upright += _places(inside, tab.layout)
        landscape = tab.low or folded(tab.layout)
        ratio = number(landscape.width / landscape.height)
        low.append(f"{inside} {{ --ratio: {ratio}; {_least(landscape, _LOW_LEAST)} }}")
        low += _places(inside, landscape)
    windows = {"desktop": wide, "phone": phone, "upright": upright, "low": low}
    return "".join("\n".join([f"@media (--{name}) {{", *rules, "}", ""]) for name, rules in windows.items())


def _least(layout: Layout, usual: Scale) -> str:
    """Return the smallest size at which a layout is legible."""
    across, down = layout.least or usual
    return f"min-width: {number(layout.width * across)}px; min-height: {number(layout.height * down)}px;"


def _places(inside: str, layout: Layout) -> Iterator[str]:
    for id, (x, y, width, height) in layout.rects.items():
        sides = (
            f"{name}: {number(100 * value / whole)}%"
            for name, value, whole in (
                ("left", x, layout.width),
                ("top", y, layout.height),
                ("width", width, layout.width),
                ("height", height, layout.height),
            )
        )
        yield f"{inside} > #region-{id} {{ display: grid; {'; '.join(sides)}; }}"
