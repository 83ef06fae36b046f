"""The choices of the toy. The order here is file format."""

from collections.abc import Mapping
from typing import Final

from atoll.engine import Domain, Kind, Vocabulary, numbers

SHELLS: Final = 4
MOST_SEATS: Final = 4

SHELL: Final = Domain("shell", ("white", "pink", "blue", "black"))
AMOUNT: Final = numbers("amount", 0, 60)
CARD: Final = Domain("card", size=8)
CHARM: Final = Domain("charm", size=6)
SEAT: Final = numbers("seat", 0, MOST_SEATS - 1, counts=False)

VOCABULARY: Final = Vocabulary()
WISH: Final[Kind] = VOCABULARY.kind("wish", SHELL)
ENOUGH: Final[Kind] = VOCABULARY.kind("enough")
BID: Final[Kind] = VOCABULARY.kind("bid", AMOUNT)
PAY: Final[Kind] = VOCABULARY.kind("pay", SHELL, AMOUNT)
TAKE: Final[Kind] = VOCABULARY.kind("take", SHELL)
PLAY: Final[Kind] = VOCABULARY.kind("play", CARD)
DIVE: Final[Kind] = VOCABULARY.kind("dive")
GIVE: Final[Kind] = VOCABULARY.kind("give")
REST: Final[Kind] = VOCABULARY.kind("rest")
KEEP: Final[Kind] = VOCABULARY.kind("keep", CARD)
RECEIVER: Final[Kind] = VOCABULARY.kind("receiver", SEAT)
GIFT: Final[Kind] = VOCABULARY.kind("gift", CARD)
DISCARD: Final[Kind] = VOCABULARY.kind("discard", CARD)
RETURN: Final[Kind] = VOCABULARY.kind("return", SHELL)
ECHO: Final[Kind] = VOCABULARY.kind("echo", SEAT)

START: Final[Kind] = VOCABULARY.chance("start", SEAT)
DRAW: Final[Kind] = VOCABULARY.chance("draw", CARD)
DRAW_CHARM: Final[Kind] = VOCABULARY.chance("draw_charm", CHARM)
DIE: Final[Kind] = VOCABULARY.chance("die", numbers("pips", 1, 6))

PROMPTS: Final[Mapping[str, tuple[Kind, ...]]] = {
    "wish": (WISH, ENOUGH),
    "bid": (BID,),
    "pay": (PAY,),
    "take": (TAKE,),
    "act": (PLAY, DIVE, GIVE, REST),
    "keep": (KEEP,),
    "receiver": (RECEIVER,),
    "gift": (GIFT,),
    "storm": (DISCARD, RETURN),
    "echo": (ECHO,),
    "answer_echo": (PLAY, REST),
}
"""The kinds of answers to each question. Their order is file format too."""

ABOUTS: Final[Mapping[str, int]] = {"n": 99, "seat_2": MOST_SEATS - 1}
"""The placeholders in questions, each with the highest number that it can have."""
