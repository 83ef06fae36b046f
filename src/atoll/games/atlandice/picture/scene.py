"""The layout of Atlandice's page, and the elements that log lines highlight."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from markupsafe import Markup

from atoll.picture import Layout, Scene, Sound, Tab
from atoll.picture.scene import Rect

from .city import PANEL
from .clock import CLOCK

_TAKEN: Final = ("pile-{area}-{resource}", "hold-{seat}-{resource}")

# Per event, the ids of the elements that its line of the log highlights.
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

SOUNDS: Final[Mapping[Sound, Sequence[str]]] = {
    "dice": ("gates", "rolled", "search_rolled", "set_die"),
    "piece": ("took", "took_neutral", "moved", "swapped", "moved_submarine"),
    "coins": ("donated", "donation"),
    "cards": ("opened", "tile_won", "tile_lost"),
}
"""Per sound, the events that it belongs to."""


_NORTH: Final = ("blacksmith", "jewelers", "library")
_SOUTH: Final = ("engineering_works", "black_market", "inn")
_PITCH: Final = 304  # from one area to the next

_Band = tuple[float, float]
"""The upper edge and the height of something."""


def _city(left: float, scale: float, north: _Band, middle: _Band, south: _Band) -> dict[str, Rect]:
    """Return the boxes of the areas and of the clock between them.

    Args:
        left: The left edge of the city.
        scale: The size of its things.
        north: The areas above the clock.
        middle: The clock.
        south: The areas below the clock.
    """
    clock: Rect = (left, middle[0], CLOCK[0] * scale, middle[1])
    return {"clock": clock} | _areas(left, scale, north, south)


def _areas(left: float, scale: float, north: _Band, south: _Band) -> dict[str, Rect]:
    """Return the boxes of the areas alone; see `_city`."""
    return {
        name: (left + _PITCH * scale * place, top, PANEL[0] * scale, height)
        for row, (top, height) in ((_NORTH, north), (_SOUTH, south))
        for place, name in enumerate(row)
    }


# The majorities are on the left bank of the city, and the harbor is below the lighthouse.
_WIDE: Final = Layout(
    900,
    796,
    {
        **dict.fromkeys(("majorities", "majorities-wide"), (6, 8, 284, 208)),
        **dict.fromkeys(("harbour", "wrecks"), (6, 500, 284, 296)),
        **_city(301.5, 0.6567, (4, 214.1), (218.1, 359.9), (577.9, 214.1)),
    },
    ground="atlandice-night",
    least=(0.6, 0.6),
)
_TALL: Final = Layout(390, 640, _city(6, 0.42, (6, 196), (198, 244), (438, 196)), ground="atlandice-night")

# In a low window the clock is at the right of the areas.
# The empty left side of its drawing lies behind them.
_LOW_SCALE: Final = 772 / 1624
_LOW: Final = Layout(
    784,
    320,
    _areas(6, _LOW_SCALE, (2, 157), (162, 157))
    | {"clock": (778 - CLOCK[0] * _LOW_SCALE, 0, CLOCK[0] * _LOW_SCALE, 320)},
)

# The neutral barge, if there is one, lies below the majorities.
_COUNTED: Final = Layout(
    390,
    640,
    {"majorities": (6, 6, 378, 300), "harbour": (6, 316, 378, 322), "standings": (6, 6, 378, 628)},
    ground="atlandice-shore",
)
_COUNTED_LOW: Final = Layout(
    784,
    320,
    {
        **dict.fromkeys(("majorities", "majorities-wide"), (6, 4, 424, 312)),
        **dict.fromkeys(("harbour", "wrecks"), (436, 4, 342, 312)),
    },
)
_EFFECTS: Final = Layout(390, 640, {"tiles": (6, 6, 378, 628)}, ground="atlandice-night")
_EFFECTS_LOW: Final = Layout(784, 320, {"tiles": (6, 4, 772, 312)})

SCENE: Final = Scene(
    wide={"": _WIDE},
    tabs=(
        Tab("city", Markup('<path d="M4 21V9l4-4 4 4v12M12 21V12l4-3 4 3v9M2 21h20"/>'), _TALL, _LOW),
        Tab(
            "majorities",
            Markup('<path d="M8 21h8M12 17v4M7 3h10v6a5 5 0 0 1-10 0zM4 4h3M17 4h3"/>'),
            _COUNTED,
            _COUNTED_LOW,
        ),
        Tab("tiles", Markup('<path d="M4 5h16v6H4zM6 14h12M8 18h8"/>'), _EFFECTS, _EFFECTS_LOW),
    ),
    dock=60,
)
