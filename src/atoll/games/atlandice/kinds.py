"""The vocabulary of Atlandice. Its order is part of the file format."""

from collections.abc import Mapping
from typing import Final

from atoll.engine import Domain, Kind, Vocabulary, numbers

_RESOURCES: Final = ("gem", "book", "provision", "tool", "weapon")
_DISTRICTS: Final = ("jewelers", "library", "inn", "engineering_works", "blacksmith")

KINDS: Final = len(_RESOURCES)
DISTRICTS: Final = len(_DISTRICTS)
AREAS: Final = DISTRICTS + 1
BLACK_MARKET: Final = DISTRICTS
STACK: Final = 3
FACES: Final = 6
MOST: Final = 20
"""An upper bound of the resources of a kind. Amounts never reach the end of their domain."""

RESOURCE: Final = Domain("resource", _RESOURCES)
RESOURCE_2: Final = Domain("resource_2", _RESOURCES)
DISTRICT: Final = Domain("district", _DISTRICTS)
AREA: Final = Domain("area", (*_DISTRICTS, "black_market"))
TILE: Final = Domain("tile", size=DISTRICTS * STACK)
PIPS: Final = numbers("pips", 1, FACES, counts=False)
AMOUNT: Final = numbers("amount", 0, MOST)

VOCABULARY: Final = Vocabulary()
SEARCH: Final[Kind] = VOCABULARY.kind("search", AREA)
SEARCH_NEUTRAL: Final[Kind] = VOCABULARY.kind("search_neutral", AREA)
TAKE: Final[Kind] = VOCABULARY.kind("take", RESOURCE)
TAKE_EXTRA: Final[Kind] = VOCABULARY.kind("take_extra", RESOURCE)
GAIN: Final[Kind] = VOCABULARY.kind("gain", AREA, RESOURCE)
DECLINE: Final[Kind] = VOCABULARY.kind("decline")
MOVE: Final[Kind] = VOCABULARY.kind("move", RESOURCE, AREA)
SWAP: Final[Kind] = VOCABULARY.kind("swap", RESOURCE, DISTRICT, RESOURCE_2)
SET_DIE: Final[Kind] = VOCABULARY.kind("set_die", AREA, PIPS)
MOVE_SUBMARINE: Final[Kind] = VOCABULARY.kind("move_submarine", AREA)
DONATE: Final[Kind] = VOCABULARY.kind("donate", RESOURCE, AMOUNT)
START: Final[Kind] = VOCABULARY.chance("start", numbers("seat", 0, 3))
OPEN: Final[Kind] = VOCABULARY.chance("open", TILE)
DIE: Final[Kind] = VOCABULARY.chance("die", PIPS)

PROMPTS: Final[Mapping[str, tuple[Kind, ...]]] = {
    "search": (SEARCH,),
    "search_either": (SEARCH, SEARCH_NEUTRAL),
    "search_neutral": (SEARCH_NEUTRAL,),
    "take": (TAKE,),
    "take_neutral": (TAKE,),
    "take_extra": (TAKE_EXTRA, DECLINE),
    "take_extra_neutral": (TAKE_EXTRA,),
    "gain": (GAIN, DECLINE),
    "gain_neutral": (GAIN,),
    "move": (MOVE,),
    "swap": (SWAP,),
    "set_die": (SET_DIE,),
    "move_submarine": (MOVE_SUBMARINE,),
    "donate": (DONATE,),
}
"""Per prompt, the kinds of its choices. The order is part of the file format."""
ABOUTS: Final = {"n": 20}
"""Per placeholder of the prompts, its highest value. The order is part of the file format."""
