"""The kinds of choices of Raiatea (RA-11.1). Their order is part of the file format.

Rituals, tasks and masks are designs: copies of a card are one choice. A forest card is a commodity
(0 to 3), an assistant (4 to 7) or a mask with its treasure (from 8 on). Mask 0 is the mirror, the
others are gods.
"""

from collections.abc import Mapping
from typing import Final

from atoll.engine import Domain, Kind, Vocabulary, numbers

MOST_SEATS: Final = 5
COMMODITIES: Final = 4
ASSISTANTS: Final = 4
STATUES: Final = 3
SPACES_EACH: Final = 16
LEVELS: Final = 4
MIRROR_MASK: Final = 0
FIRST_FOREST_MASK: Final = COMMODITIES + ASSISTANTS

FOREST, MARAE, REEF, PATH, NEIGHBOURHOOD, MARKETPLACE = range(6)
URU, TARO, MAHI_MAHI, TIARE = range(COMMODITIES)
GATHERER, TRADER, SHAMAN_CARD, PEARL_DIVER = range(ASSISTANTS)
NORMAL, FORBIDDEN = range(2)
GIFT_TATTOO, GIFT_COMMODITY, GIFT_PEARLS = range(3)
READY_STANCE, EXHAUSTED_STANCE = range(2)
ASK, SKIP = range(2)

SEAT: Final = numbers("seat", 0, MOST_SEATS - 1, counts=False)
LOCATION: Final = Domain("location", ("forest", "marae", "reef", "path", "neighbourhood", "marketplace"))
COMMODITY: Final = Domain("commodity", ("uru", "taro", "mahi_mahi", "tiare"))
ASSISTANT: Final = Domain("assistant", ("gatherer", "trader", "shaman", "pearl_diver"))
DECK: Final = Domain("deck", ("normal", "forbidden"))
GIFT: Final = Domain("gift", ("gift_tattoo", "gift_commodity", "gift_pearls"))
STANCE: Final = Domain("stance", ("ready", "exhausted"))
MODE: Final = Domain("mode", ("ask", "skip"))
LEVEL: Final = numbers("level", 1, LEVELS, counts=False)
PRIESTS: Final = numbers("priests", 0, 2)
AMOUNT: Final = numbers("amount", 0, 250)
COUNT: Final = numbers("count", 0, 9)
RITUAL: Final = Domain("ritual", size=92)
TASK: Final = Domain("task", size=68)
SPACE: Final = Domain("space", size=STATUES * SPACES_EACH)
MASK: Final = Domain("mask", size=24)
FOREST_CARD: Final = Domain("forest_card", size=72)

VOCABULARY: Final = Vocabulary()
GO: Final[Kind] = VOCABULARY.kind("go", LOCATION)
PICK: Final[Kind] = VOCABULARY.kind("pick", FOREST_CARD)
GATHER: Final[Kind] = VOCABULARY.kind("gather")
SACRIFICE: Final[Kind] = VOCABULARY.kind("sacrifice", COMMODITY)
DRAW: Final[Kind] = VOCABULARY.kind("draw", DECK)
KEEP: Final[Kind] = VOCABULARY.kind("keep", RITUAL)
PRIEST: Final[Kind] = VOCABULARY.kind("priest")
TRAIN: Final[Kind] = VOCABULARY.kind("train", PRIESTS)
PLACE: Final[Kind] = VOCABULARY.kind("place", MASK)
CLAIM: Final[Kind] = VOCABULARY.kind("claim", MASK)
SELL: Final[Kind] = VOCABULARY.kind("sell", COMMODITY, LEVEL)
HIRE: Final[Kind] = VOCABULARY.kind("hire", ASSISTANT)
TRADE: Final[Kind] = VOCABULARY.kind("trade", COMMODITY)
TAKE: Final[Kind] = VOCABULARY.kind("take", COMMODITY)
ENLIST: Final[Kind] = VOCABULARY.kind("enlist", ASSISTANT)
READY: Final[Kind] = VOCABULARY.kind("ready", ASSISTANT)
BUY: Final[Kind] = VOCABULARY.kind("buy", DECK)
PREPARE: Final[Kind] = VOCABULARY.kind("prepare", RITUAL)
BID: Final[Kind] = VOCABULARY.kind("bid", AMOUNT)
ACCEPT: Final[Kind] = VOCABULARY.kind("accept", GIFT)
FIRST: Final[Kind] = VOCABULARY.kind("first", RITUAL)
BUILD: Final[Kind] = VOCABULARY.kind("build", SPACE)
PAY: Final[Kind] = VOCABULARY.kind("pay", COMMODITY, COUNT)
PAY_RITUAL: Final[Kind] = VOCABULARY.kind("pay_ritual", RITUAL)
PAY_MASK: Final[Kind] = VOCABULARY.kind("pay_mask", MASK)
PERFORM: Final[Kind] = VOCABULARY.kind("perform", RITUAL)
SHAMAN: Final[Kind] = VOCABULARY.kind("shaman", RITUAL)
MIRROR: Final[Kind] = VOCABULARY.kind("mirror", MASK)
TARGET: Final[Kind] = VOCABULARY.kind("target", SEAT)
STEAL_MASK: Final[Kind] = VOCABULARY.kind("steal_mask", MASK)
STEAL_ASSISTANT: Final[Kind] = VOCABULARY.kind("steal_assistant", ASSISTANT, STANCE)
EXHAUST: Final[Kind] = VOCABULARY.kind("exhaust", ASSISTANT)
CANCEL: Final[Kind] = VOCABULARY.kind("cancel", SEAT, RITUAL)
WINDOWS: Final[Kind] = VOCABULARY.kind("windows", MODE)
DECLINE: Final[Kind] = VOCABULARY.kind("decline")
DONE: Final[Kind] = VOCABULARY.kind("done")
PASS: Final[Kind] = VOCABULARY.kind("pass")

START: Final[Kind] = VOCABULARY.chance("start", SEAT)
DEAL_MASK: Final[Kind] = VOCABULARY.chance("deal_mask", MASK)
REVEAL: Final[Kind] = VOCABULARY.chance("reveal", FOREST_CARD)
TILE: Final[Kind] = VOCABULARY.chance("tile", TASK)
CARD: Final[Kind] = VOCABULARY.chance("card", RITUAL)
DIE: Final[Kind] = VOCABULARY.chance("die", numbers("pips", 1, 6))
STOLEN: Final[Kind] = VOCABULARY.chance("stolen", COMMODITY)

PROMPTS: Final[Mapping[str, tuple[Kind, ...]]] = {
    "choose_location": (GO, SHAMAN, MIRROR, WINDOWS),
    "window": (SHAMAN, MIRROR, WINDOWS, DONE),
    "forest_pick": (PICK, GATHER, SHAMAN, MIRROR, WINDOWS, DECLINE),
    "forest_extra": (PICK, WINDOWS, DECLINE),
    "marae": (SACRIFICE, DRAW, SHAMAN, MIRROR, WINDOWS, DONE),
    "choose_deck": (DRAW, WINDOWS, DECLINE),
    "keep_rituals": (KEEP, WINDOWS),
    "kahuna_priest": (PRIEST, SHAMAN, MIRROR, WINDOWS, DECLINE),
    "train": (TRAIN, SHAMAN, MIRROR, WINDOWS),
    "early_task": (BUILD, SHAMAN, MIRROR, WINDOWS, DECLINE),
    "late_task": (BUILD, SHAMAN, MIRROR, WINDOWS, DECLINE),
    "place_mask": (PLACE, SHAMAN, MIRROR, WINDOWS, DECLINE),
    "swap_mask": (CLAIM, SHAMAN, MIRROR, WINDOWS, DECLINE),
    "market": (SELL, HIRE, TRADE, SHAMAN, MIRROR, WINDOWS, DONE),
    "take_commodity": (TAKE, WINDOWS, DECLINE),
    "take_assistant": (ENLIST, WINDOWS, DECLINE),
    "take_mask": (CLAIM, WINDOWS, DECLINE),
    "draw_forest": (PICK, WINDOWS, DECLINE),
    "ready": (READY, WINDOWS, DONE),
    "dance": (TRAIN, WINDOWS),
    "buy": (BUY, WINDOWS, DECLINE),
    "prepare": (PREPARE, WINDOWS, DONE),
    "offering": (BID, WINDOWS),
    "auction_bid": (BID, WINDOWS),
    "gift": (ACCEPT, WINDOWS),
    "shaman_tattoo": (ACCEPT, WINDOWS, DECLINE),
    "order_own": (FIRST, WINDOWS),
    "build": (BUILD, SHAMAN, MIRROR, WINDOWS, PASS),
    "diver": (BUILD, SHAMAN, MIRROR, WINDOWS, DECLINE),
    "complete_task": (BUILD, WINDOWS, DECLINE),
    "free_task": (BUILD, WINDOWS, DECLINE),
    "pay_goods": (PAY, WINDOWS),
    "pay_rituals": (PAY_RITUAL, WINDOWS),
    "pay_masks": (PAY_MASK, WINDOWS),
    "tahua_ritual": (PERFORM, WINDOWS, DECLINE),
    "execute_ritual": (PERFORM, WINDOWS, DECLINE),
    "target": (TARGET, WINDOWS),
    "steal_mask": (STEAL_MASK, WINDOWS, DECLINE),
    "steal_assistant": (STEAL_ASSISTANT, WINDOWS, DECLINE),
    "exhaust": (EXHAUST, WINDOWS),
    "cancel": (CANCEL, WINDOWS, DONE),
    "last_mirror": (MIRROR, WINDOWS, DONE),
}
"""The keys of all questions, each with the kinds of its answers.

Their order is part of the file format.
"""
ABOUTS: Final = {"n": 250, "hires": 20, "draws": 20, "task": 67}
"""The numbers in questions, each with its highest value. Their order is part of the file format."""
