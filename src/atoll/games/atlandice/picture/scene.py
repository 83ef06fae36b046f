"""Where everything of Atlandice lies on the page, and what a line of the log lights up."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from markupsafe import Markup

from atoll.picture import Layout, Scene, Tab

# What a line of the log names, by the ids of elements.
_TAKEN: Final = ("pile-{area}-{resource}", "hold-{seat}-{resource}")

LIGHTS: Final[Mapping[str, Sequence[str]]] = {
    "search": ("area-{area}",),
    "search_neutral": ("area-{area}",),
    "search_rolled": ("area-{area}",),
    "took": _TAKEN,
    "took_neutral": _TAKEN[:1],
    "took_extra": _TAKEN,
    "took_extra_neutral": _TAKEN[:1],
    "gained": _TAKEN,
    "gained_neutral": _TAKEN[:1],
    "moved": ("pile-{area}-{resource}", "pile-{area_2}-{resource}"),
    "swapped": ("pile-{area_2}-{resource}", "pile-{area}-{resource_2}"),
    "advanced": ("clock-hand",),
    "clock": ("clock-hand",),
    "set_die": ("area-{area}", "area-{area_2}"),
    "moved_submarine": ("submarine",),
    "tile_won": ("won-{seat}",),
    "tied_first": ("score-{seat}",),
    "second": ("score-{seat}",),
    "inventory_won": ("score-{seat}",),
    "donated": ("hold-{seat}-{resource}",),
    "donation": ("score-{seat}",),
    "marker": ("start-player",),
    "final": ("score-{seat}",),
}


def _tab(region: str) -> Layout:
    """A region that fills a phone's scene; below who leads where lies the neutral barge, if there is one."""
    if region == "majorities":
        boxes = {region: (6, 6, 378, 300), "harbour": (6, 316, 378, 322), "standings": (6, 6, 378, 628)}
        return Layout(390, 640, boxes, ground="atlandice-shore")
    return Layout(390, 640, {region: (6, 6, 378, 628)}, ground="atlandice-night")


# The city lies in its night; on its left bank hangs who leads where, below the lighthouse lies the harbour.
SCENE: Final = Scene(
    wide={
        "": Layout(
            900,
            796,
            {
                **dict.fromkeys(("majorities", "majorities-wide"), (6, 8, 284, 208)),
                **dict.fromkeys(("harbour", "wrecks"), (6, 500, 284, 296)),
                "city": (300, 4, 594, 788),
            },
            ground="atlandice-night",
        )
    },
    tabs=(
        Tab("city", Markup('<path d="M4 21V9l4-4 4 4v12M12 21V12l4-3 4 3v9M2 21h20"/>'), _tab("city")),
        Tab(
            "majorities",
            Markup('<path d="M8 21h8M12 17v4M7 3h10v6a5 5 0 0 1-10 0zM4 4h3M17 4h3"/>'),
            _tab("majorities"),
        ),
        Tab("tiles", Markup('<path d="M4 5h16v6H4zM6 14h12M8 18h8"/>'), _tab("tiles")),
    ),
    dock=60,
)
