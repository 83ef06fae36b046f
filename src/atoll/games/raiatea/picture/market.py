"""The market: goods with their prices in stalls, helpers for hire, masks."""

from __future__ import annotations

from typing import Final

from markupsafe import Markup

from atoll.picture import Drawing, Region, kept

from ..kinds import ASSISTANT, COMMODITY, LEVELS
from .cards import CARD, Cards
from .drawing import draw, inline, spread
from .signs import effect_signs

_NAMED: Final = 10
"""Of more masks than this the names could be read only through the lens, where they are anyway."""
_NAMELESS: Final = (58, 60)


class Market(Cards):
    """What can be bought."""

    @kept
    def markets(self, at: str) -> list[Region]:
        """Goods with their prices in stalls, helpers for hire, masks."""
        stalls = Markup("").join(self._stall(commodity) for commodity in range(COMMODITY.size))
        hire = []
        for assistant, id in enumerate(ASSISTANT.names):
            count = self.s["assistant_market"][assistant]
            name = self._say("market", n=count, what=self.words.name("assistant", assistant))
            choice = f"hire {id}; enlist {id}"
            values = {"id": f"market-{id}", "name": name, "sign": id, "help": self._about(assistant), "count": count}
            hire.append(draw("hire", x=61 * assistant, choice=choice, **values))
        gods = self.s["mask_market"]
        size = CARD if len(gods) <= _NAMED else _NAMELESS
        spots = spread(len(gods), 290, 160, size)
        masks = [
            self._mask(god, f"market-mask-{place}", f"claim {self._id('mask', god)}", spot, height=size[1])
            for place, (god, spot) in enumerate(zip(gods, spots, strict=True))
        ]
        masks_name = self._say("masks")
        return [
            self._area("stalls", self._say("prices"), Drawing("stalls", 244, 202, stalls)),
            self._area("hire", self._say("markets"), Drawing("hire", 244, 56, Markup("").join(hire))),
            self._area(f"{at}masks", masks_name, Drawing("masks", 290, 160, Markup("").join(masks), masks_name)),
        ]

    def _stall(self, commodity: int) -> Markup:
        """The goods of a kind on the market; below them its prices, those up to the marker can be chosen."""
        id = COMMODITY.label(commodity)
        marker = self.s["prices"][commodity]
        count = self.s["goods_market"][commodity]
        x = 61 * commodity
        levels = [
            {
                "level": level,
                "y": 70 + (LEVELS - level) * 33,
                "reached": level <= marker,
                "marker": level == marker,
                "parts": inline(
                    effect_signs(self.box.prices[commodity][level - 1]),
                    x + 33,
                    86 + (LEVELS - level) * 33,
                    42,
                    scale=0.56,
                    size=17,
                ),
                "name": self._say(
                    "price" if level <= marker else "price.above",
                    commodity=commodity,
                    level=level - 1,
                    text=self.describer.price(commodity, level - 1),
                ),
            }
            for level in range(LEVELS, 0, -1)
        ]
        what = self._say("market", n=count, what=self.words.name("commodity", commodity))
        name = f"{what}. {self._say('column', commodity=commodity, n=marker)}"
        return draw("stall", id=id, x=x, levels=levels, name=name, count=count)
