"""What all drawings of Atlandice begin with: how areas, spaces and holders are called, what a district would score."""

from __future__ import annotations

from typing import Any, Final

from atoll.picture import TablePicture

from .. import effects
from ..components import BLANK, DONATION, INVENTORY_ALL, START_SPACE, WAVE, AtlandiceBox
from ..kinds import BLACK_MARKET, DISTRICTS, KINDS
from ..state import USED_UP
from ..tile_words import tile_text
from .signs import all_steps

PLAIN_SPACES: Final = {
    START_SPACE: "start",
    BLANK: "blank",
    WAVE: "wave",
    INVENTORY_ALL: "inventory_all",
    DONATION: "donation",
}


class Table(TablePicture):
    """One view in pictures."""

    box: AtlandiceBox

    def _work_out(self, what: str, about: Any) -> bool:
        """moves: whether the effect running now moves something from an area."""
        here = self.s["here"]
        if not 0 <= here < DISTRICTS:
            return False
        steps = all_steps(self.box.effects[self.s["open_tile"][here]])
        moves = (each for each in steps if isinstance(each, effects.Move))
        return any((here if each.source == "here" else BLACK_MARKET) == about for each in moves)

    def _holder(self, holder: int) -> str:
        return self.words.seat(holder) if holder < self.view["seats"] else self._say("neutral")

    def _stakes(self, kind: int) -> str:
        """Who would get how many points if the district of a kind were scored now; "" if nobody would."""
        points = self.live["stakes"][kind]
        shares = [self._say("share", name=self._holder(holder), points=n) for holder, n in enumerate(points) if n]
        return self._say("stakes", shares=", ".join(shares)) if shares else ""

    def _area_name(self, area: int) -> str:
        tile = self.s["open_tile"][area] if area < DISTRICTS else -1
        if tile == USED_UP:
            return self._say("area.used_up", area=area)
        hands = self.live["hands"][area]
        if tile >= 0:
            text = tile_text(self.words, tile)
            return self._say("area", area=area, pips=area, tile=tile, text=text, hands=hands)
        if area < DISTRICTS:
            return self._say("area.covered", area=area, pips=area)
        return self._say("area.market", area=area, pips=area, hands=hands)

    def _space_text(self, index: int) -> str:
        space = self.box.spaces[index]
        if 0 <= space < KINDS:
            return self._say("space.inventory", resources=space)
        return self._say(f"space.{PLAIN_SPACES[space]}")
