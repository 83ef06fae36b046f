"""The vocabulary. Its order is part of the file format: only append to it."""

from collections.abc import Mapping
from typing import Final

from atoll.engine import Domain, Kind, Vocabulary

MOST_SEATS: Final = 4

DIVER: Final = Domain("diver", [str(number) for number in range(1, 41)])
PEARL: Final = Domain("pearl", size=12)

VOCABULARY: Final = Vocabulary()
SEND: Final[Kind] = VOCABULARY.kind("send", DIVER)
DEAL: Final[Kind] = VOCABULARY.chance("deal", DIVER)
SURFACE: Final[Kind] = VOCABULARY.chance("surface", PEARL)

PROMPTS: Final[Mapping[str, tuple[Kind, ...]]] = {"send": (SEND,)}
"""Keys of all questions with the kinds of their answers. The order is part of the file format."""
