"""Scenes: positions of the regions of a table, used by pages and static SVGs.

A scene has three layouts. On desktops it is one landscape with a fixed aspect ratio. On phones it
has tabs that fill the screen: upright as declared, or folded to a landscape. Rectangles are in
units; a wide scene of 1084 x 692 units has that many pixels in a window of 1400 x 900.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from markupsafe import Markup

from .svg_macros import number

Rect = tuple[float, float, float, float]
"""Left, top, width and height in units."""

Scale = tuple[float, float]
"""Pixels per unit of width, and per unit of height."""

_WIDE_LEAST: Final[Scale] = (0.72, 0.72)
_UPRIGHT_LEAST: Final[Scale] = (0.92, 0.84)
_LOW_LEAST: Final[Scale] = (0.86, 0.86)
"""Minimum scales of layouts: texts have 11 pixels on desktops and 13 on phones."""

_GAP: Final = 4
"""Maximum overlap of rectangles over a fold, in units."""


@dataclass(frozen=True, slots=True)
class Layout:
    """An arrangement of regions.

    Attributes:
        width: Width in units.
        height: Height in units.
        rects: Rectangles of the regions by id. Other regions aren't shown.
        ground: Id of the symbol drawn below everything; "" for none.
        least: Minimum legible scale; smaller spaces are panned. None for texts of usual sizes.
    """

    width: float
    height: float
    rects: Mapping[str, Rect]
    ground: str = ""
    least: Scale | None = None


@dataclass(frozen=True, slots=True)
class Tab:
    """A part of a scene on phones.

    Attributes:
        id: Its id; the label is the message `table.tab.<id>`.
        sign: Content of its icon, an SVG of 24 x 24.
        layout: Layout for upright phones.
        low: Layout for phones in landscape; None to fold `layout`. It has regions of `layout`, and
            regions without choices.
    """

    id: str
    sign: Markup
    layout: Layout
    low: Layout | None = None


@dataclass(frozen=True, slots=True)
class Scene:
    """All layouts of a game's table.

    Attributes:
        wide: Layouts for desktops by mode. The game's `mode(view)` returns the mode; a game without
            this function has the single mode "".
        tabs: Tabs on phones, in order. The page adds one for the viewer's own things and one for
            the seats.
        dock: Height of the wide dock in pixels.
    """

    wide: Mapping[str, Layout]
    tabs: Sequence[Tab] = field(default_factory=tuple)
    dock: int = 120
    _shown: dict[str, str] = field(default_factory=dict, init=False, repr=False, compare=False)

    def tabs_of(self, region: str) -> str:
        """Return the ids of the tabs that show a region, separated by spaces."""
        if region not in self._shown:
            self._shown[region] = " ".join(tab.id for tab in self.tabs if region in tab.layout.rects)
        return self._shown[region]


def folded(layout: Layout) -> Layout:
    """Return an upright layout as a landscape, with its lower part to the right of its upper part.

    The fold is between rectangles, at the position that gives the lowest height. A layout without
    such a position is returned unchanged.

    Args:
        layout: The upright layout.
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
    """Return the end of the upper part, the start of the lower one, and the height side by side.

    Args:
        layout: The upright layout.
        end: Candidate for the end of the upper part.

    Returns:
        The three values; None if a rectangle is in both parts or the lower part is empty.
    """
    edges = [(y, y + height) for _, y, _, height in layout.rects.values()]
    lower = [edge for edge in edges if edge[0] >= end - _GAP]
    if not lower or len(lower) + sum(edge[1] <= end for edge in edges) < len(edges):
        return None
    top = min(start for start, _ in lower)
    return end, top, max(end, max(low for _, low in lower) - top + _GAP)


def style(game: str, scene: Scene) -> str:
    """Return the style sheet that positions the regions of a scene in every kind of window.

    Args:
        game: Id of the game.
        scene: The scene.
    """
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
    """Return the CSS for the minimum size of a layout."""
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
