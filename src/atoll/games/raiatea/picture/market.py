"""The market: goods with their prices in stalls, helpers for hire, masks."""

from __future__ import annotations

from typing import Any, Final

from markupsafe import Markup

from atoll.engine.translations import GameMessages
from atoll.picture import Drawing, Fragment, Region, Row, fragment

from ..kinds import ASSISTANT, COMMODITY, LEVELS
from .cards import CARD, about, mask
from .drawing import area, draw, inline, spread
from .signs import effect_signs
from .texts import components_of, describer, id_of, say

_NAMED: Final = 10
"""The largest number of masks that have names.

More masks are so small that names can be read only in the lens.
"""
_NAMELESS: Final = (58, 60)


@fragment
def stalls(words: GameMessages, prices: Row, goods: Row) -> Region:
    """Draw the goods on the market with their prices.

    Args:
        words: The messages of the game.
        prices: By commodity the level of its price marker, from 1.
        goods: By commodity its number of cards on the market.

    Returns:
        The region.
    """
    markup = Markup().join(_stall(words, *each) for each in zip(range(COMMODITY.size), prices, goods, strict=True))
    return area("stalls", say(words, "prices"), Drawing("stalls", 244, 202, markup))


@fragment
def _stall(words: GameMessages, commodity: int, marker: int, count: int) -> Markup:
    """Draw the goods of a kind on the market above its prices."""
    what = say(words, "market", n=count, what=words.name("commodity", commodity))
    name = f"{what}. {say(words, 'column', commodity=commodity, n=marker)}"
    levels = [_level(words, commodity, level, marker) for level in range(LEVELS, 0, -1)]
    return draw("stall", id=COMMODITY.label(commodity), x=61 * commodity, levels=levels, name=name, count=count)


def _level(words: GameMessages, commodity: int, level: int, marker: int) -> dict[str, Any]:
    """Return a price field; level from 1."""
    key = "price" if level <= marker else "price.above"
    text, from_top = describer(words).price(commodity, level - 1), (LEVELS - level) * 33
    parts = effect_signs(components_of(words).prices[commodity][level - 1])
    return {
        "level": level,
        "y": 70 + from_top,
        "reached": level <= marker,
        "marker": level == marker,
        "parts": inline(parts, 61 * commodity + 33, 86 + from_top, 42, scale=0.56, size=17),
        "name": say(words, key, commodity=commodity, level=level - 1, text=text),
    }


@fragment
def hire(words: GameMessages, counts: Row) -> Region:
    """Draw the helpers for hire; `counts` has the number of each kind."""
    parts = tuple(_for_hire(words, assistant, count) for assistant, count in enumerate(counts))
    return area("hire", say(words, "markets"), Drawing.of_parts("hire", 244, 56, parts))


@fragment
def _for_hire(words: GameMessages, assistant: int, count: int) -> Fragment:
    id, help = ASSISTANT.label(assistant), about(words, assistant)
    name = say(words, "market", n=count, what=words.name("assistant", assistant))
    values = {"id": f"market-{id}", "name": name, "sign": id, "help": help, "count": count}
    return Fragment.of(draw("hire", **values, x=61 * assistant, choice=f"hire {id}; enlist {id}"))


@fragment
def masks(words: GameMessages, at: str, gods: Row) -> Region:
    """Draw the masks on the market.

    Args:
        words: The messages of the game.
        at: "feast-" at a feast, else "".
        gods: The gods of the masks.

    Returns:
        The region.
    """
    size = CARD if len(gods) <= _NAMED else _NAMELESS
    spots, title = spread(len(gods), 290, 160, size), say(words, "masks")
    parts = []
    for place, (god, spot) in enumerate(zip(gods, spots, strict=True)):
        choice = f"claim {id_of(words, 'mask', god)}"
        parts.append(Fragment.of(mask(words, god, f"market-mask-{place}", choice, spot, height=size[1])))
    return area(f"{at}masks", title, Drawing.of_parts("masks", 290, 160, tuple(parts), title))
