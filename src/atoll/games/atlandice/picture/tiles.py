"""The effects of the areas in words."""

from __future__ import annotations

from typing import Any, Final

from markupsafe import Markup

from atoll.picture import Drawing, Region, kept
from atoll.picture.brush import wrap

from ..kinds import AREAS, BLACK_MARKET, DISTRICTS
from ..state import USED_UP
from ..tile_words import tile_text
from .drawing import AREA_NAMES, NARROW, draw
from .signs import plate_of
from .table import Table

_EFFECT: Final = (378, 44, 18, 4)  # width of a card of an effect, height of its head and of a line, what is between two
_EFFECT_TEXT: Final = (248, 15.5)  # how wide its words may be, their size
_EFFECT_BELOW: Final = 30  # height of a tile that lies below


class Tiles(Table):
    """What the open tiles do."""

    @kept
    def tiles(self) -> Region:
        """The effects of the areas in words, for who doesn't see them beside their signs, and what lies below."""
        width, _, _, gap = _EFFECT
        cards, y = [], 1.0
        for area in range(AREAS):
            card = self._effect(area)
            cards.append(draw("effect", card=card, y=y))
            y += card["height"] + gap
        title = self._say("tiles")
        drawing = Drawing("tiles", width, y - gap + 1, Markup("").join(cards), title)
        return Region("tiles", title, "shared", [drawing], flow="fit")

    def _effect(self, area: int) -> dict[str, Any]:
        width, head, line, _ = _EFFECT
        room, size = _EFFECT_TEXT
        tile = self.s["open_tile"][area] if area < DISTRICTS else -1
        below = self.s["below"][area] if area < DISTRICTS and tile != USED_UP else ()
        help = [self._say("below", n=len(below), tile=below)] if below else []
        help += [f"{self.words.name('tile', each)}: {tile_text(self.words, each)}" for each in below]
        text = tile_text(self.words, tile) if tile >= 0 else ""
        lines = wrap(text, room, size * NARROW)
        under = self.words.name("tile", tile) if tile >= 0 else ""
        if tile == USED_UP:
            under = self._say("sunk")
        elif area == BLACK_MARKET:
            under = self.words.say("effect.none")
        return {
            "id": f"effect-{AREA_NAMES[area]}",
            "name": self._area_name(area),
            "help": " ".join(help),
            "css": "used-up" if tile == USED_UP else "market" if area == BLACK_MARKET else "district",
            "face": area + 1,
            "title": self.words.name("area", area),
            "under": under,
            "plate": self._plate(tile) if tile >= 0 else None,
            "hands": self.live["hands"][area] if area == BLACK_MARKET else 0,
            "lines": lines,
            "below": [self._plate(each) for each in below],
            "width": width,
            "height": head + max(line * len(lines) + 5 if lines else 2, _EFFECT_BELOW * len(below)),
        }

    def _plate(self, tile: int) -> dict[str, Any]:
        return plate_of(self.words, self.box, tile)
