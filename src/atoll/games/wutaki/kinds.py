"""The vocabulary of Wutaki: everything that can be chosen and drawn.

The order of definition is part of the file format. Only what the rulebook fixes is named here
(resources, elements, workers, places). Cards are named by the components. Copies of a card are one
choice, because nobody could distinguish them.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from atoll.engine import Domain, Kind, Vocabulary, numbers

RESOURCES: Final = ("gold", "sheep", "wood", "oil", "stone")
GOLD, SHEEP, WOOD, OIL, STONE = range(5)

ELEMENTS: Final = ("fire", "water", "earth", "wind")

WORKERS: Final = ("loyal", "extra", "special")
LOYAL, EXTRA, SPECIAL = range(3)
WORKER_TYPES: Final = 3

STANDARD_PLACES: Final = ("merchant", "pasture", "market", "quarry", "lumberyard", "village")
MAIN_PLACES: Final = (
    *("pyramid", "chase", "accept_pact", "gift_pact", "renew_pacts", "upgrade"),
    *STANDARD_PLACES,
    *("vp_or_gift", "plunder", "play_omen", "draw_omen", "trade", "start_player"),
)
FIRST_STANDARD: Final = MAIN_PLACES.index("merchant")
VILLAGE: Final = MAIN_PLACES.index("village")
PYRAMID: Final = MAIN_PLACES.index("pyramid")
CHASE: Final = MAIN_PLACES.index("chase")
PLUNDER: Final = MAIN_PLACES.index("plunder")

ROUND_PLACE: Final = len(MAIN_PLACES)
"""The place of the current round card."""
OWN_PLACE: Final = ROUND_PLACE + 1
"""The place of a masterboard.

In the state, that of a seat is spot `OWN_PLACE + seat`. Other places are their own spot.
"""
PLACES: Final = (*MAIN_PLACES, "round_place", "own_place")

WHERES: Final = (*PLACES, "idle", "home")
"""The places of a hired worker: at a place, in the idle zone, available at home."""
IDLE: Final = len(PLACES)
HOME: Final = IDLE + 1

MOST_SEATS: Final = 4
MOST_FIELDS: Final = 6
MOST_TOKENS: Final = 60
"""The most tokens of one kind; the amounts that can be chosen end here."""
MOST_OPTIONS: Final = 4

RESOURCE: Final = Domain("resource", RESOURCES)
AMOUNT: Final = numbers("amount", 0, MOST_TOKENS)
WORKER: Final = Domain("worker", WORKERS)
PLACE: Final = Domain("place", PLACES)
WHERE: Final = Domain("where", WHERES)
STANDARD: Final = Domain("standard_place", STANDARD_PLACES)
SEAT: Final = numbers("seat", 0, MOST_SEATS - 1, counts=False)
MASTERBOARD: Final = Domain("masterboard", size=5)
ABILITY: Final = Domain("ability", size=6)
ELEMENT_CARD: Final = Domain("element_card", size=4)
COST_MARKER: Final = Domain("cost_marker", size=4)
SECRET_PACT: Final = Domain("secret_pact", size=20)
PACT: Final = Domain("pact", size=68)
OMEN: Final = Domain("omen", size=45)
VENGEANCE: Final = Domain("vengeance", size=19)
ROUND_CARD: Final = Domain("round_card", size=20)
TOWER_UPGRADE: Final = Domain("tower_upgrade", size=9)

VOCABULARY: Final = Vocabulary()

# Setup
KEEP: Final = VOCABULARY.kind("keep", SECRET_PACT)
TAKE_BOARD: Final = VOCABULARY.kind("take_board", MASTERBOARD)
# A turn
VISIT: Final = VOCABULARY.kind("visit", WORKER, PLACE)
CROWD_IN: Final = VOCABULARY.kind("crowd_in", WORKER, PLACE)
BESIDE: Final = VOCABULARY.kind("beside", numbers("field", 1, MOST_FIELDS, counts=False))
IDLE_WORKER: Final = VOCABULARY.kind("idle", WORKER)
AGAIN: Final = VOCABULARY.kind("again")
MOVE_IN: Final = VOCABULARY.kind("move_in")
# Tokens
PAY: Final = VOCABULARY.kind("pay", RESOURCE, AMOUNT)
TAKE: Final = VOCABULARY.kind("take", RESOURCE, AMOUNT)
BONUS: Final = VOCABULARY.kind("bonus", RESOURCE)
TRADE: Final = VOCABULARY.kind("trade", Domain("trade", ("swap", "vp_for_resources")))
RAID: Final = VOCABULARY.kind("raid")
# Pacts
ACCEPT: Final = VOCABULARY.kind("accept", PACT)
GIFT: Final = VOCABULARY.kind("gift", PACT)
DISCARD_PACT: Final = VOCABULARY.kind("discard_pact", PACT)
FULFIL: Final = VOCABULARY.kind("fulfil", PACT)
# Workers
HIRE: Final = VOCABULARY.kind("hire")
CHASE_GROUP: Final = VOCABULARY.kind("chase", PLACE, SEAT)
LEAVE: Final = VOCABULARY.kind("leave", WORKER, WHERE)
RECALL: Final = VOCABULARY.kind("recall", WORKER, PLACE)
# Upgrades
UPGRADE: Final = VOCABULARY.kind("upgrade", STANDARD)
BUILD: Final = VOCABULARY.kind("build", TOWER_UPGRADE)
MARKER: Final = VOCABULARY.kind("marker", STANDARD, numbers("slot", 1, 2, counts=False))
# Cards
PLAY: Final = VOCABULARY.kind("play", OMEN)
DISCARD: Final = VOCABULARY.kind("discard", OMEN)
GIVE_VENGEANCE: Final = VOCABULARY.kind("give_vengeance", VENGEANCE)
RETURN_VENGEANCE: Final = VOCABULARY.kind("return_vengeance", VENGEANCE)
# Other seats
TO: Final = VOCABULARY.kind("to", SEAT)
FROM: Final = VOCABULARY.kind("from", SEAT)
WINNER: Final = VOCABULARY.kind("winner", SEAT)
# Anywhere
OPTION: Final = VOCABULARY.kind("option", numbers("option", 1, MOST_OPTIONS, counts=False))
USE: Final = VOCABULARY.kind("use", ABILITY)
PASS_KIND: Final = VOCABULARY.kind("pass")

DEAL_ELEMENT: Final = VOCABULARY.chance("deal_element", ELEMENT_CARD)
DEAL_COST_MARKER: Final = VOCABULARY.chance("deal_cost_marker", COST_MARKER)
DEAL_ABILITY: Final = VOCABULARY.chance("deal_ability", ABILITY)
START: Final = VOCABULARY.chance("start", SEAT)
DRAW_SECRET_PACT: Final = VOCABULARY.chance("draw_secret_pact", SECRET_PACT)
DRAW_PACT: Final = VOCABULARY.chance("draw_pact", PACT)
DRAW_OMEN: Final = VOCABULARY.chance("draw_omen", OMEN)
DRAW_VENGEANCE: Final = VOCABULARY.chance("draw_vengeance", VENGEANCE)
DRAW_ROUND_CARD: Final = VOCABULARY.chance("draw_round_card", ROUND_CARD)

# These are choices without parts, and those that the rules name.
PASS: Final = PASS_KIND.choice()
AGAIN_NOW: Final = AGAIN.choice()
MOVE_IN_NOW: Final = MOVE_IN.choice()
RAID_NOW: Final = RAID.choice()
HIRE_NOW: Final = HIRE.choice()
SWAP: Final = TRADE.choice(0)
VP_FOR_RESOURCES: Final = TRADE.choice(1)

PROMPTS: Final[Mapping[str, tuple[Kind, ...]]] = {
    "keep_secret_pact": (KEEP,),
    "masterboard": (TAKE_BOARD,),
    "first_pacts": (ACCEPT,),
    "turn": (VISIT, CROWD_IN, USE, PASS_KIND),
    "beside": (BESIDE,),
    "again": (AGAIN, USE, PASS_KIND),
    "bonus": (FULFIL, USE, PASS_KIND),
    "move_in": (MOVE_IN, PASS_KIND),
    "winner": (WINNER,),
    "pay": (PAY,),
    "swap": (PAY,),
    "take": (TAKE,),
    "buy_with_points": (TAKE,),
    "plunder": (TAKE,),
    "rob": (FROM,),
    "rob_tokens": (TAKE,),
    "raid": (RAID, PASS_KIND),
    "trade": (TRADE,),
    "option": (OPTION,),
    "hire": (HIRE, PASS_KIND),
    "chase": (CHASE_GROUP,),
    "give_up_worker": (LEAVE, BESIDE),
    "let_worker_go": (LEAVE, BESIDE),
    "recall_worker": (RECALL, BESIDE, PASS_KIND),
    "marker_bonus": (BONUS,),
    "accept_pact": (ACCEPT,),
    "gift_pact": (GIFT,),
    "gift_pact_to": (TO,),
    "discard_pact": (DISCARD_PACT,),
    "fulfil_pact": (FULFIL,),
    "upgrade": (UPGRADE, BUILD, PASS_KIND),
    "replace_upgrade": (MARKER,),
    "remove_upgrade": (MARKER,),
    "on_climb": (OPTION, PASS_KIND),
    "play_omen": (PLAY, PASS_KIND),
    "steal_from": (FROM,),
    "discard_omen": (DISCARD,),
    "burn_omens": (DISCARD, PASS_KIND),
    "return_vengeance": (RETURN_VENGEANCE, PASS_KIND),
    "gift_vengeance_to": (TO, PASS_KIND),
    "gift_vengeance": (GIVE_VENGEANCE,),
}
"""The keys of all questions, each with the kinds of its answers. Their order is file format too."""
ABOUTS: Final = {"n": 999, "resource": 4, "worker": 2, "discount": 60, "free": 1, "vp": 99, "seat_2": 3, "place": 22}
"""The numbers in questions, each with its highest value. Their order is file format too."""
