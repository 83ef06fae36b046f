"""Options that the host of a game of Raiatea can choose. All combine freely. Rule RA-1.1."""

from typing import Final

from atoll.engine import Enum, Flag, Option

FAVOUR: Final = "favour"
NEED_BID: Final = "need_bid"

OPTIONS: Final[tuple[Option, ...]] = (
    Flag("tane", False),
    Flag("oracle", False),
    Flag("mana_shortage", False),
    Enum("auctions", (FAVOUR, NEED_BID), FAVOUR),
)
