"""The places of all regions on Raiatea's page, and the elements that lines of the log light up.

There are layouts for the day and for a feast.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from markupsafe import Markup

from atoll.picture import Layout, Scene, Sound, Tab
from atoll.picture.scene import Rect

from ..kinds import STATUES
from ..state import BEFORE_DANCE, CHOOSE

_ALWAYS: Final[Mapping[str, Rect]] = {
    "track": (380, 3, 324, 32),
    **{f"statue-{statue}": (266 + 191 * statue, 38, 184, 322) for statue in range(STATUES)},
}

_SIDES: Final[Mapping[str, Rect]] = {
    "place-forest": (28, 6, 196, 118),
    "display": (8, 130, 250, 156),
    "place-path": (28, 292, 196, 118),
    "place-marketplace": (862, 4, 196, 118),
    "stalls": (838, 126, 242, 200),
    "hire": (838, 330, 242, 56),
}

_SHORE: Final[Mapping[str, Rect]] = {
    "priests": (8, 416, 250, 104),
    "place-reef": (20, 564, 196, 118),
    "place-neighbourhood": (868, 392, 196, 118),
    "masks": (790, 516, 288, 166),
}

_YARD: Final[Mapping[str, Rect]] = {
    "decks": (276, 400, 150, 92),
    "place-marae": (444, 390, 196, 118),
    "tattoos": (400, 512, 250, 92),
    "favour": (300, 610, 340, 76),
    "bag": (656, 594, 100, 94),
}

_TEMPLE: Final[Mapping[str, Rect]] = {
    "feast-decks": (56, 6, 150, 92),
    "priests": (8, 102, 250, 100),
    "tattoos": (8, 206, 250, 98),
    "feast-favour": (4, 308, 232, 76),
    "stalls": (838, 20, 242, 206),
    "hire": (838, 232, 242, 58),
    "acts": (266, 380, 566, 58),
}

_GIVING: Final[Mapping[str, Rect]] = {"feast-bag": (60, 388, 130, 122), "feast-masks": (838, 384, 242, 160)}
_WIDE_TRAY: Final[Rect] = (8, 442, 1068, 244)
_ACT: Final[Rect] = (214, 442, 616, 244)


def _wide(*parts: Mapping[str, Rect], ground: str) -> Layout:
    boxes = dict(_ALWAYS)
    for part in parts:
        boxes |= part
    return Layout(1084, 692, boxes, ground=ground)


_PLACES: Final = ("forest", "marketplace", "neighbourhood", "marae", "path", "reef")
_LOW: Final = Layout(
    784,
    330,
    {
        **{f"place-{id}": (2 + 197 * (at % 3), 2 + 114 * (at // 3), 194, 112) for at, id in enumerate(_PLACES)},
        "display": (596, 2, 186, 118),
        "decks": (600, 124, 180, 106),
        "favour": (4, 232, 286, 96),
        "bag": (300, 230, 64, 98),
        "track": (376, 254, 400, 44),
        "acts-tall": (0, 2, 390, 54),
        "feast-favour": (4, 62, 382, 96),
        "feast-decks": (14, 170, 180, 150),
        "feast-bag": (216, 164, 150, 160),
        "act": (394, 2, 386, 324),
        "row": (394, 2, 386, 324),
        "choose": (2, 2, 780, 326),
    },
)
SCENE: Final = Scene(
    wide={
        "": _wide(_SIDES, _SHORE, _YARD, ground="raiatea-court"),
        "choose": _wide(_SIDES, _SHORE, {"choose": (264, 392, 522, 294)}, ground="raiatea-court"),
        "choose-many": _wide(_SIDES, {"choose": _WIDE_TRAY}, ground="raiatea-court"),
        "row": _wide(
            _SIDES, _SHORE, {"place-marae": _YARD["place-marae"], "row": (264, 510, 522, 178)}, ground="raiatea-court"
        ),
        "feast": _wide(_TEMPLE, _GIVING, {"act": _ACT, "row": (8, 442, 822, 244)}, ground="raiatea-dusk"),
        "feast-choose": _wide(_TEMPLE, _GIVING, {"choose": _ACT}, ground="raiatea-dusk"),
        "feast-choose-many": _wide(_TEMPLE, {"choose": _WIDE_TRAY}, ground="raiatea-dusk"),
    },
    tabs=(
        Tab(
            "court",
            Markup('<path d="M3 20v-4h4v-4h10v4h4v4zM8 12V5h3v7M13 12V5h3v7"/>'),
            Layout(
                390,
                640,
                {
                    "track": (33, 2, 324, 30),
                    **{
                        f"place-{id}": (196 * (at % 2), 34 + 114 * (at // 2), 194, 112) for at, id in enumerate(_PLACES)
                    },
                    "display": (4, 378, 238, 150),
                    "decks": (246, 380, 142, 88),
                    "favour": (4, 534, 286, 102),
                    "bag": (294, 480, 94, 156),
                    "acts-tall": (0, 34, 390, 54),
                    "feast-favour": (4, 90, 382, 82),
                    "feast-decks": (14, 176, 150, 92),
                    "feast-bag": (226, 174, 110, 96),
                    "act": (0, 276, 390, 240),
                    "row": (2, 274, 386, 364),
                    "choose": (4, 36, 382, 602),
                },
                ground="raiatea-shore",
            ),
            low=_LOW,
        ),
        Tab(
            "feast",
            Markup('<path d="M12 3c1 4 5 5 5 9a5 5 0 0 1-10 0c0-2 1-3 2-4 0 2 1 3 2 3 1-3-1-5 1-8M8 21h8"/>'),
            Layout(390, 640, {"row": (4, 8, 382, 560)}, ground="raiatea-shore"),
            low=Layout(784, 320, {"row": (4, 4, 776, 312)}),
        ),
        Tab(
            "market",
            Markup('<path d="M3 9l3-5h12l3 5zM5 9v11M19 9v11M5 14h14"/>'),
            Layout(
                390,
                640,
                {
                    "stalls": (4, 2, 382, 318),
                    "hire": (4, 326, 382, 90),
                    "masks": (4, 422, 382, 214),
                    "feast-masks": (4, 422, 382, 214),
                },
                ground="raiatea-shore",
            ),
        ),
        Tab(
            "statues",
            Markup('<path d="M8 3h8l2 5-2 4v3l3 2v4H5v-4l3-2v-3L6 8zM9 8h2M13 8h2M10 12h4"/>'),
            Layout(
                390,
                640,
                {
                    "statue-0": (0, 2, 194, 318),
                    "statue-1": (196, 2, 194, 318),
                    "statue-2": (0, 321, 194, 318),
                    "priests-tall": (198, 322, 188, 156),
                    "tattoos-tall": (198, 482, 188, 156),
                },
                ground="raiatea-shore",
            ),
        ),
    ),
    dock=150,
)

# The ids of the elements that a line of the log names, by the key of its event.
LIGHTS: Final[Mapping[str, Sequence[str]]] = {
    "action_round": ("round",),
    "feast": ("round",),
    "went": ("location-{location}",),
    "bonus_roll": ("helper-{seat}-{assistant}",),
    "priests": ("priests-{seat}",),
    "lost_priests": ("priests-{seat}",),
    "tattoos": ("rank-{seat}", "scale-tattoos", "scale-tattoos-tall"),
    "rank": ("rank-{seat}", "scale-tattoos", "scale-tattoos-tall"),
    "to_market": ("forest-deck",),
    "display": ("forest-deck",),
    "forest_rebuilt": ("forest-deck",),
    "took": ("market-{commodity}", "goods-{seat}"),
    "enlisted": ("market-{assistant}", "helper-{seat}-{assistant}"),
    "hired": ("market-{assistant}", "helper-{seat}-{assistant}"),
    "readied": ("helper-{seat}-{assistant}",),
    "exhausted": ("helper-{seat}-{assistant}",),
    "sacrificed": ("goods-{seat}",),
    "sold": ("market-{commodity}", "goods-{seat}"),
    "sent_trader": ("market-{commodity}",),
    "drew": ("ritual-deck-{deck}", "rituals-{seat}"),
    "kept": ("rituals-{seat}",),
    "reshuffled": ("ritual-deck-{deck}",),
    "bought": ("ritual-deck-{deck}", "rituals-{seat}"),
    "nothing_to_buy": ("ritual-deck-{deck}",),
    "favour": ("favour-stones",),
    "gift": ("favour-stones",),
    "row": ("mana-source",),
    "source": ("mana-source", "bag"),
    "source_paid": ("mana-source",),
    "failed": ("mana-source",),
    "auction": ("space-{space}",),
    "won_auction": ("space-{space}",),
    "completed": ("space-{space}", "tasks-{seat}"),
    "paid_goods": ("goods-{seat}",),
    "paid_ritual": ("rituals-{seat}",),
    "stole_commodity": ("goods-{seat}", "goods-{seat_2}"),
    "stole_assistant": ("helper-{seat}-{assistant}", "helper-{seat_2}-{assistant}"),
}

SOUNDS: Final[Mapping[Sound, Sequence[str]]] = {
    "dice": ("bonus_roll", "reef_roll"),
    "coins": ("sold", "hired", "paid_pearls", "pearls", "stole_pearls"),
    "cards": (
        *("picked", "gathered", "took", "drew", "kept", "rejected", "bought", "ritual", "general_ritual", "row"),
        *("paid_ritual", "dealt_mask", "claimed", "placed", "paired", "stole_mask"),
    ),
}
"""Per sound, the events that it belongs to."""

_MANY: Final = 4
"""With more cards to choose from than this, the tray needs the whole width."""


def mode(view: Mapping[str, Any]) -> str:
    """Return the face of the table: the court by day, or the feast.

    Suffixes say that there are cards to choose from, or the last row.
    """
    state = view["state"]
    choices = _to_choose(view)
    faces = ["feast"] if state["phase"] >= BEFORE_DANCE else []
    if choices:
        faces.append("choose")
        if choices > _MANY:
            faces.append("many")
    elif state["phase"] == CHOOSE and state["blessed"]:
        faces.append("row")
    return "-".join(faces)


def _to_choose(view: Mapping[str, Any]) -> int:
    """Return the number of cards that the viewer has to choose from."""
    viewer = view["viewer"]
    return 0 if viewer is None else len(view["state"]["drawn"][viewer]) + len(view["state"]["looked"][viewer])
