"""What the host of a game of Raiatea can choose. The three variants combine freely."""

from typing import Final

from atoll.engine import Flag, Option

OPTIONS: Final[tuple[Option, ...]] = (
    Flag("tane", False),
    Flag("oracle", False),
    Flag("mana_shortage", False),
)
