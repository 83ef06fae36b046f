"""Pictures of tables: a game converts a view into regions, and pages and static SVGs arrange them.

Each game's `picture.py` has `regions(game, view, words) -> list[Region]`. It receives a view only,
so a picture can't show more than the viewer may know. The meaning of a region's elements on the
page is described in docs/study/howto-draw-a-table.md.
"""

from .fragments import Fragment, fragment
from .region import Drawing, Fact, Region, Regions
from .rulebook import ComponentPicture, RuleTable, by_seats
from .scene import Layout, Scene, Tab
from .sign_lines import SignForm, SignLines
from .sounds import Sound
from .static_svg import compose_table, excerpt, render_table
from .svg_macros import PAGE_CLASSES, SvgMacros, element, wrap
from .zones import Hidden, Row, Rows, Zone, cards_of, size_of

__all__ = [
    "PAGE_CLASSES",
    "ComponentPicture",
    "Drawing",
    "Fact",
    "Fragment",
    "Hidden",
    "Layout",
    "Region",
    "Regions",
    "Row",
    "Rows",
    "RuleTable",
    "Scene",
    "SignForm",
    "SignLines",
    "Sound",
    "SvgMacros",
    "Tab",
    "Zone",
    "by_seats",
    "cards_of",
    "compose_table",
    "element",
    "excerpt",
    "fragment",
    "render_table",
    "size_of",
    "wrap",
]
