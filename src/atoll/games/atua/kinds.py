"""The vocabulary of Atua. Its order is part of the file format."""

from collections.abc import Mapping
from typing import Final

from atoll.engine import Domain, Kind, Vocabulary, numbers

from .components import FATES, ISLAND_CARDS, RESIDENTS, SOURCES, VILLAGES
from .faces import ROTATIONS
from .lattice import REACH

ROW: Final = 4
LEFT: Final = 0
RIGHT: Final = 1

# Slots and rotations are named elements: a domain of numbers would be entered with a stepper.
SLOT: Final = Domain("slot", [str(slot) for slot in range(ROW)])
ROT: Final = Domain("rot", [str(rot) for rot in range(ROTATIONS)])
SIDE: Final = Domain("side", ("left", "right"))
SOURCE: Final = Domain("source", SOURCES)
CARD: Final = Domain("card", size=ISLAND_CARDS)
VILLAGE: Final = Domain("village", size=VILLAGES)
RESIDENT: Final = Domain("resident", size=RESIDENTS)
FATE: Final = Domain("fate", size=FATES)

VOCABULARY: Final = Vocabulary()
# PLACE is the first kind, so that each of the hundreds of placements is already the choice.
PLACE: Final[Kind] = VOCABULARY.kind("place", numbers("x", -REACH, REACH), numbers("y", -REACH, REACH), ROT)
TAKE: Final[Kind] = VOCABULARY.kind("take", SLOT)
TAKE_SIDE: Final[Kind] = VOCABULARY.kind("take_side", SIDE)
KEEP_OTHER: Final[Kind] = VOCABULARY.kind("keep_other")
DISCARD_OTHER: Final[Kind] = VOCABULARY.kind("discard_other")
BUY_FATE: Final[Kind] = VOCABULARY.kind("buy_fate", FATE)
PASS_FATE: Final[Kind] = VOCABULARY.kind("pass_fate")
PLAY_RESIDENT: Final[Kind] = VOCABULARY.kind("play_resident")
PASS_RESIDENT: Final[Kind] = VOCABULARY.kind("pass_resident")
SCORE: Final[Kind] = VOCABULARY.kind("score", SOURCE)

START: Final[Kind] = VOCABULARY.chance("start", numbers("seat", 0, 5))
DEAL_VILLAGE: Final[Kind] = VOCABULARY.chance("deal_village", VILLAGE)
REVEAL_CARD: Final[Kind] = VOCABULARY.chance("reveal_card", CARD)
DEAL_RESIDENT: Final[Kind] = VOCABULARY.chance("deal_resident", RESIDENT)
REVEAL_FATE: Final[Kind] = VOCABULARY.chance("reveal_fate", FATE)

PROMPTS: Final[Mapping[str, tuple[Kind, ...]]] = {
    "take": (TAKE,),
    "take_side": (TAKE_SIDE,),
    "place": (PLACE,),
    "other": (KEEP_OTHER, DISCARD_OTHER),
    "fate": (BUY_FATE, PASS_FATE),
    "resident": (PLAY_RESIDENT, PASS_RESIDENT),
    "window": (SCORE,),
}
"""Per prompt, the kinds of its choices. The order is part of the file format."""
ABOUTS: Final = {"card": 63, "n": 20}
"""Per placeholder of the prompts, its highest value. The order is part of the file format."""
