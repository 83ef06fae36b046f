"""The vocabulary of Gin Rummy. Its order is part of the file format: append, never change.

Cards are numbered suit by suit, from the ace up: card = suit * RANKS + rank.

Melds are numbered in this order:

- The sets by rank. Those of three cards come first, by the missing suit, then the set of four.
- The runs of three, four and five cards, each by suit and lowest rank. A longer run is two melds.
"""

from typing import Final

from atoll.engine import Domain, Kind, Vocabulary, numbers

SEATS: Final = 2
RANK_IDS: Final = ("a", "2", "3", "4", "5", "6", "7", "8", "9", "10", "j", "q", "k")
SUIT_IDS: Final = ("s", "c", "d", "h")
RANKS: Final = len(RANK_IDS)
SUITS: Final = len(SUIT_IDS)
CARDS: Final = RANKS * SUITS


def _melds() -> list[tuple[int, ...]]:
    found = []
    for rank in range(RANKS):
        four = [suit * RANKS + rank for suit in range(SUITS)]
        found += [tuple(card for card in four if card != missing) for missing in four]
        found.append(tuple(four))
    for length in (3, 4, 5):
        for suit in range(SUITS):
            lowest = suit * RANKS
            found += [tuple(range(at, at + length)) for at in range(lowest, lowest + RANKS - length + 1)]
    return found


MELDS: Final = tuple(_melds())
"""The cards of each meld, ascending."""

CARD: Final = Domain("card", [f"{RANK_IDS[card % RANKS]}{SUIT_IDS[card // RANKS]}" for card in range(CARDS)])
MELD: Final = Domain("meld", ["+".join(CARD.names[card] for card in meld) for meld in MELDS])

VOCABULARY: Final = Vocabulary()
DISCARD: Final[Kind] = VOCABULARY.kind("discard", CARD)
TAKE: Final[Kind] = VOCABULARY.kind("take")
DRAW: Final[Kind] = VOCABULARY.kind("draw")
PASS: Final[Kind] = VOCABULARY.kind("pass")
KNOCK: Final[Kind] = VOCABULARY.kind("knock")
LAY: Final[Kind] = VOCABULARY.kind("lay", MELD)
LAY_OFF: Final[Kind] = VOCABULARY.kind("lay_off", CARD)
DONE: Final[Kind] = VOCABULARY.kind("done")
DEAL: Final[Kind] = VOCABULARY.chance("deal", CARD)
START: Final[Kind] = VOCABULARY.chance("start", numbers("seat", 0, SEATS - 1))
