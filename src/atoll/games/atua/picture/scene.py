"""The layout of Atua's page, with and without fates, and the elements that log lines highlight."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from markupsafe import Markup

from atoll.picture import Layout, Scene, Sound, Tab

from .drawing import LINED

# The island fills the screen, with the fates at its left and the sheet at its right.
# On a phone the row lies over the sea.
_SHEET: Final = (794, 10, 280, 672)

_ISLE: Final = Markup('<path d="M3 18c3-3 5-3 9-3s6 0 9 3M7 15c0-6 3-9 8-11M15 4c-3-1-5 0-6 2M15 4c2 0 3 2 3 4"/>')
SCENE: Final = Scene(
    wide={
        "fates": Layout(1084, 692, {"fates": (10, 10, 132, 672), "island": (150, 0, 634, 692), "sheet": _SHEET}),
        "": Layout(1084, 692, {"island": (0, 0, 784, 692), "sheet": _SHEET}),
    },
    tabs=(
        Tab(
            "island",
            _ISLE,
            Layout(390, 640, {"island": (0, 0, 390, 500), "row": (0, 510, 390, 130)}),
            low=Layout(784, 320, {"island": (0, 0, 480, 320)}),
        ),
        Tab(
            "sheet",
            Markup('<path d="{}"/>').format(LINED),
            Layout(390, 640, {"sheet": (8, 8, 374, 624)}),
            low=Layout(784, 320, {"sheet": (8, 4, 768, 312)}, least=(0.86, 0.98)),
        ),
        Tab(
            "fates",
            Markup('<path d="M4 6h16v12H4zM8 10h3M8 14h8"/>'),
            Layout(390, 640, {"fates": (8, 8, 374, 624)}),
            low=Layout(784, 320, {"fates": (8, 8, 768, 304)}),
        ),
    ),
    dock=156,
)

# Per event, the ids of the elements that its line of the log highlights.
LIGHTS: Final[Mapping[str, Sequence[str]]] = {
    "village": ("island-{seat}",),
    "card": ("row-{card}",),
    "taken": ("supply-{seat}",),
    "placed": ("placed-{card}", "island-{seat}"),
    "unplaceable": ("supply-{seat}",),
    "fate_revealed": ("fate-{fate}",),
    "fate_bought": ("supply-{seat}",),
    "resident": ("total-{seat}",),
    "scored": ("total-{seat}",),
    "beach_bonus": ("total-{seat}",),
    "coconut_bonus": ("total-{seat}",),
    "total": ("total-{seat}",),
    "discarded": ("supply-{seat}",),
}

SOUNDS: Final[Mapping[Sound, Sequence[str]]] = {
    "piece": ("placed",),
    "coins": ("fate_bought", "coconut_bonus"),
    "cards": ("village", "card", "taken", "discarded", "resident", "resident_dealt", "fate_revealed"),
}
"""Per sound, the events that it belongs to."""


def mode(view: Mapping[str, Any]) -> str:
    """Return the layout: with fates they are next to the island."""
    return "fates" if view["options"]["fates"] else ""
