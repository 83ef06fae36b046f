"""Pictures of a table: a game turns a view into regions, the page arranges them, a still picture composes them.

Each game's `picture.py` has `regions(game, view, words) -> list[Region]`. It sees a view and nothing else, so a picture
can show no more than its viewer may know. What a region's elements mean to the page is written in docs/table.md.
"""

from .fragments import Fragment, fragment
from .region import Drawing, Fact, Region, Regions
from .rulebook import ComponentPicture, RuleTable, by_seats
from .scene import Layout, Scene, Tab
from .sign_lines import SignForm, SignLines
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
