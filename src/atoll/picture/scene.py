"""Where the areas of a table stand: one table of coordinates per game, from which pages and still pictures are made.

A scene is drawn once and laid out twice: wide, as one landscape whose proportions are kept, and tall, as tabs for a
phone, each of which fills the room there is. Boxes are given in units: a wide scene of 1084 x 692 is that many pixels
on a screen of 1400 x 900.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from markupsafe import Markup

from .brush import number

Box = tuple[float, float, float, float]
"""x, y, width, height."""

WIDE: Final = "(min-width: 62.5rem)"
TALL: Final = "(max-width: 62.4rem)"


@dataclass(frozen=True, slots=True)
class Layout:
    """A place of `width` x `height` units and where in it the regions stand, by their ids.

    A region that has no box here isn't shown here. ground: the id of the symbol that is drawn below all of it.
    """

    width: float
    height: float
    boxes: Mapping[str, Box]
    ground: str = ""


@dataclass(frozen=True, slots=True)
class Tab:
    """A part of the tall scene. Its word is `table.tab.<id>`; sign: SVG, 24 x 24, lines only."""

    id: str
    sign: Markup
    layout: Layout


@dataclass(frozen=True, slots=True)
class Scene:
    """All layouts of a game's table.

    wide: by mode, which a game's `mode(view)` names (a game without it has one, ""). tabs: the tall scene, in order;
    the page adds one for one's own things and one for the seats. dock: how many pixels high the wide dock is.
    """

    wide: Mapping[str, Layout]
    tabs: Sequence[Tab] = field(default_factory=tuple)
    dock: int = 120
    _shown: dict[str, str] = field(default_factory=dict, init=False, repr=False, compare=False)

    def tabs_of(self, region: str) -> str:
        """The tabs that show a region, with a space between each two."""
        if region not in self._shown:
            self._shown[region] = " ".join(tab.id for tab in self.tabs if region in tab.layout.boxes)
        return self._shown[region]


def style(game: str, scene: Scene) -> str:
    """The style sheet that puts every region into its place, on both kinds of screen."""
    wide = [f".{game} .play {{ --dock: {scene.dock}px; }}"]
    for mode, layout in scene.wide.items():
        inside = f'.{game} .stage[data-mode="{mode}"]'
        ratio = number(layout.width / layout.height)
        wide.append(f"{inside} {{ --ratio: {ratio}; aspect-ratio: {ratio}; }}")
        wide += _places(inside, layout)
    tall: list[str] = []
    for tab in scene.tabs:
        inside = f".{game}:has(#tab-{tab.id}:checked) .stage"
        tall.append(f'{inside} > .ground:not([data-tab="{tab.id}"]) {{ display: none; }}')
        tall += _places(inside, tab.layout)
    return "\n".join([f"@media {WIDE} {{", *wide, "}", f"@media {TALL} {{", *tall, "}", ""])


def _places(inside: str, layout: Layout) -> Iterator[str]:
    for id, (x, y, width, height) in layout.boxes.items():
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
