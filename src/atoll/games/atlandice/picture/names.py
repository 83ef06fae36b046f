"""Texts of the picture that several modules need: names of areas, spaces and holders."""

from __future__ import annotations

from typing import Any, Final

from atoll.engine.translations import GameMessages
from atoll.picture import fragment

from ..components import BLANK, DONATION, INVENTORY_ALL, START_SPACE, WAVE, AtlandiceComponents
from ..kinds import DISTRICTS, KINDS
from ..state import USED_UP
from ..tile_texts import tile_text
from ..view import AtlandiceTable

PLAIN_SPACES: Final = {
    START_SPACE: "start",
    BLANK: "blank",
    WAVE: "wave",
    INVENTORY_ALL: "inventory_all",
    DONATION: "donation",
}

NO_TILE: Final = -1
"""The tile of the black market, and of a district that shows none yet."""


def say(words: GameMessages, key: str, /, **fields: Any) -> str:
    """Return a message of the table (`table.<key>`)."""
    return words.say(f"table.{key}", fields)


def tile_at(s: AtlandiceTable, area: int) -> int:
    """Return the open tile of an area, NO_TILE or USED_UP."""
    return s.open_tile[area] if area < DISTRICTS else NO_TILE


def holder_name(words: GameMessages, seats: int, holder: int) -> str:
    """Return the name of a holder. Holders from `seats` on are the neutral player.

    Args:
        words: The game's messages.
        seats: The number of seats.
        holder: The holder.
    """
    return words.seat(holder) if holder < seats else say(words, "neutral")


@fragment
def area_name(words: GameMessages, area: int, tile: int, hands: int) -> str:
    """Return the description of an area.

    Args:
        words: The game's messages.
        area: The area.
        tile: Its tile; see `tile_at`.
        hands: The number of clock hands printed there.
    """
    if tile == USED_UP:
        return say(words, "area.used_up", area=area)
    if tile >= 0:
        text = tile_text(words, tile)
        return say(words, "area", area=area, pips=area, tile=tile, text=text, hands=hands)
    if area < DISTRICTS:
        return say(words, "area.covered", area=area, pips=area)
    return say(words, "area.market", area=area, pips=area, hands=hands)


def space_text(words: GameMessages[AtlandiceComponents], index: int) -> str:
    """Return the effect of a space of the clock."""
    space = words.game.components.spaces[index]
    if 0 <= space < KINDS:
        return say(words, "space.inventory", resources=space)
    return say(words, f"space.{PLAIN_SPACES[space]}")


def stakes_text(words: GameMessages, seats: int, points: tuple[int, ...]) -> str:
    """Return the points of each holder if a district were scored now; empty if nobody would score.

    Args:
        words: The game's messages.
        seats: The number of seats.
        points: The points of each holder.
    """
    shares = [say(words, "share", name=holder_name(words, seats, each), points=n) for each, n in enumerate(points) if n]
    return say(words, "stakes", shares=", ".join(shares)) if shares else ""
