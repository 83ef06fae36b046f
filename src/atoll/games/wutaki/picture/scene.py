"""The places of all regions on the page, and the elements that lines of the log light up."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from markupsafe import Markup

from atoll.picture import Layout, Scene, Sound, Tab

PLANKS: Final = ("accept_pact", "gift_pact", "renew_pacts")
PLANK: Final = 172

STAGE: Final = (1084, 676)

# The rim of stones on which points are counted: 0 in the lower left corner, then clockwise.
RIM: Final = 26
SIDES: Final = {"left": range(21), "top": range(21, 50), "right": range(50, 71), "bottom": range(71, 100)}
RIMS: Final = {
    "left": (0, 0, RIM, STAGE[1]),
    "top": (RIM, 0, STAGE[0] - 2 * RIM, RIM),
    "right": (STAGE[0] - RIM, 0, RIM, STAGE[1]),
    "bottom": (RIM, STAGE[1] - RIM, STAGE[0] - 2 * RIM, RIM),
}

_ISLAND: Final = Layout(
    *STAGE,
    {
        **{f"rim-{side}": rect for side, rect in RIMS.items()},
        "pyramid": (30, 26, 198, 234),
        "start_player": (80, 268, 104, 123),
        "trade": (60, 424, 108, 128),
        "supply": (32, 584, 216, 66),
        "merchant": (238, 28, 158, 129),
        "pasture": (230, 164, 158, 129),
        "market": (238, 300, 158, 129),
        "quarry": (690, 28, 158, 129),
        "lumberyard": (698, 164, 158, 129),
        "village": (690, 300, 158, 129),
        "round": (402, 28, 280, 100),
        "maw": (410, 128, 262, 222),
        "plunder": (468, 350, 148, 56),
        "counter": (398, 406, 290, 45),
        "pact-deck": (276, 452, 66, 143),
        **{f"slot-{slot}": (350 + slot * 122, 452, 116, 143) for slot in range(4)},
        **{id: (314 + place * 176, 594, PLANK, 57) for place, id in enumerate(PLANKS)},
        "draw_omen": (858, 28, 98, 116),
        "play_omen": (957, 28, 98, 116),
        "decks": (860, 146, 196, 66),
        "vp_or_gift": (858, 216, 98, 116),
        "chase": (957, 216, 98, 116),
        "upgrade": (858, 336, 98, 116),
        "round-deck": (966, 362, 86, 66),
        "towers": (858, 458, 196, 96),
        "idle": (862, 576, 186, 47),
    },
    ground="wutaki-island",
    least=(0.734, 0.734),
)

_BOTH: Final = zip(("merchant", "quarry", "pasture", "lumberyard", "market", "village"), range(6), strict=True)
SCENE: Final = Scene(
    wide={"": _ISLAND},
    tabs=(
        Tab(
            "volcano",
            Markup('<path d="M3 20L9 8l3 2 3-2 6 12zM9 8c1 4 5 4 6 0M12 2v3"/>'),
            Layout(
                390,
                628,
                {
                    "round": (2, 2, 236, 86),
                    "maw": (238, 22, 150, 130),
                    "plunder": (34, 92, 168, 64),
                    "counter": (6, 158, 346, 48),
                    **{id: (12 + at % 2 * 192, 210 + at // 2 * 139, 174, 138) for id, at in _BOTH},
                },
                ground="wutaki-ashland",
            ),
        ),
        Tab(
            "pacts",
            Markup('<path d="M5 21V9c0-7 14-7 14 0v12zM9 10h6M9 14h6M9 18h4"/>'),
            Layout(
                390,
                628,
                {
                    **{f"slot-{slot}": (28 + slot % 2 * 180, 6 + slot // 2 * 194, 152, 188) for slot in range(4)},
                    "accept_pact": (4, 396, 190, 64),
                    "gift_pact": (197, 396, 190, 64),
                    "renew_pacts": (4, 466, 190, 64),
                    "pact-deck": (254, 466, 70, 158),
                },
                ground="wutaki-meadow",
            ),
            low=Layout(
                784,
                276,
                {
                    **{f"slot-{slot}": (6 + slot * 158, 4, 152, 188) for slot in range(4)},
                    "pact-deck": (664, 6, 80, 180),
                    **{id: (6 + place * 198, 204, 190, 64) for place, id in enumerate(PLANKS)},
                },
            ),
        ),
        Tab(
            "temple",
            Markup('<path d="M2 20h20v-4h-3v-4h-3V8h-3V4h-2v4H8v4H5v4H2z"/>'),
            Layout(
                390,
                628,
                {
                    "pyramid": (4, 4, 236, 278),
                    "draw_omen": (252, 2, 126, 142),
                    "play_omen": (252, 148, 126, 142),
                    "decks": (60, 306, 270, 90),
                    "vp_or_gift": (20, 420, 160, 190),
                    "chase": (208, 420, 160, 190),
                },
                ground="wutaki-meadow",
            ),
        ),
        Tab(
            "harbour",
            Markup('<path d="M2 16h20c-1 4-4 5-6 5H8c-3 0-5-2-6-5zM11 13V2c6 2 8 6 8 11z"/>'),
            Layout(
                390,
                628,
                {
                    "upgrade": (8, 4, 138, 163),
                    "towers": (156, 24, 228, 112),
                    "start_player": (8, 180, 140, 166),
                    "round-deck": (200, 200, 124, 96),
                    "trade": (20, 376, 140, 166),
                    "idle": (176, 420, 206, 56),
                    "supply": (40, 548, 310, 78),
                },
                ground="wutaki-shore",
            ),
        ),
    ),
    dock=164,
)

# The ids of the elements that a line of the log names, by the key of its event.
LIGHTS: Final[Mapping[str, Sequence[str]]] = {
    "start_marker": ("start-{seat}",),
    "claimed": ("claim-{seat}", "place-start_player"),
    "masterboard_taken": ("face-of-{seat}",),
    "ability_dealt": ("ability-{seat}",),
    "ability_used": ("ability-{seat}",),
    "multiplier": ("face-of-{seat}",),
    "round_card": ("place-round_place",),
    "pact_dealt": ("pact-deck",),
    "pacts_renewed": ("pact-deck",),
    "pact_fulfilled": ("count-fulfilled-{seat}",),
    "counter": ("pact-counter",),
    "visit": ("place-{place}",),
    "moved_in": ("place-{place}",),
    "chased": ("place-{place}",),
    "recalled": ("place-{place}", "crew-{seat}-{worker}"),
    "idle": ("idle-zone",),
    "hired": ("crew-{seat}-{worker}",),
    "to_tower": ("crew-{seat}-{worker}",),
    "place_upgraded": ("place-{standard_place}", "markers-{seat}"),
    "marker_replaced": ("place-{standard_place}",),
    "marker_removed": ("place-{standard_place}",),
    "climbed": ("place-pyramid", "level-{n}"),
    "vp": ("vp-{seat}",),
    "vp_lost": ("vp-{seat}",),
    "gain": ("{resource}-{seat}",),
    "pay": ("{resource}-{seat}",),
    "sacrifice": ("{resource}-{seat}", "buka"),
    "plunder": ("{resource}-{seat}", "buka"),
    "robbed": ("{resource}-{seat}", "{resource}-{seat_2}"),
    "maw_emptied": ("buka",),
    "omen_drawn": ("omen-deck", "count-omens-{seat}"),
    "omen_played": ("count-omens-{seat}",),
    "omen_discarded": ("count-omens-{seat}",),
    "omen_taken": ("count-omens-{seat}", "count-omens-{seat_2}"),
    "vengeance_drawn": ("vengeance-deck", "count-vengeance-{seat}"),
    "vengeance_returned": ("vengeance-deck", "count-vengeance-{seat}"),
    "vengeance_given": ("count-vengeance-{seat}", "count-vengeance-{seat_2}"),
    "secret_pact_drawn": ("secret_pact-deck", "count-secret_pacts-{seat}"),
}

SOUNDS: Final[Mapping[Sound, Sequence[str]]] = {
    "piece": ("visit", "moved_in", "climbed", "hired", "recalled", "to_tower"),
    "cards": (
        *("pact_accepted", "pact_given", "pact_discarded", "pact_fulfilled", "pacts_renewed", "secret_pact_kept"),
        *("omen_drawn", "omen_played", "omen_discarded", "omen_replaced", "omen_taken", "round_card"),
        *("vengeance_drawn", "vengeance_returned", "vengeance_given"),
    ),
    "coins": ("gain", "pay", "sacrifice", "plunder", "robbed", "vp", "vp_lost"),
}
"""Per sound, the events that it belongs to."""
