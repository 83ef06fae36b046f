"""The festival ground: the six acts, what happens in the current one, the row of rituals."""

from __future__ import annotations

from typing import Final

from markupsafe import Markup

from atoll.picture import Drawing, Region, kept

from ..kinds import GIFT, PREPARE
from ..state import BUILDING, BUY_RITUALS, EXTRA_GIFTS, GIFTS, LAY_OUT, NOBODY, OFFERING, PREPARE_RITUALS
from .cards import RITUAL, Cards
from .drawing import draw, inline

_ACTS: Final = ("dance", "buy", "bag", "fist", "perform", "statue")
"""The signs of the feast's acts."""


class Feast(Cards):
    """The middle of the table at a feast."""

    def _act_now(self) -> int:
        """The act of the feast, from 0."""
        return sum(self.s["phase"] >= first for first in (BUY_RITUALS, PREPARE_RITUALS, OFFERING, LAY_OUT, BUILDING))

    @kept
    def acts(self, id: str, width: int, height: int) -> Region:
        """The six acts, the current one marked; below the last one who builds, in turn."""
        now = self._act_now()
        wide = width > 400
        each = width / len(_ACTS) if wide else (width - 130) / (len(_ACTS) - 1)
        acts, x = [], 0.0
        for act, sign in enumerate(_ACTS):
            room = each if wide or act != now else 130
            text = self._say(f"act.{act + 1}") if wide or act == now else ""
            acts.append({"sign": sign, "x": x, "width": room, "text": text, "now": act == now, "done": act < now})
            x += room
        left = self.s["order"][self.s["place"] :] if self.s["phase"] == BUILDING else []
        name = self._say("now_act", act=now + 1, text=self._say(f"act.{now + 1}"))
        order = self._in_turn("building", left) if left else ""
        markup = draw("acts", id=id, name=name, help=order, acts=acts, left=left, width=width)
        return self._area(id, name, Drawing(id, width, height, markup))

    @kept
    def act(self) -> Region:
        """What happens in the middle while the row isn't laid out: who is thinking; sums compared; gifts."""
        on_offer = {GIFTS: self.s["gifts"], EXTRA_GIFTS: range(GIFT.size)}.get(self.s["phase"], ())
        gifts = [self.gift(gift, 195 + (place - (len(on_offer) - 1) / 2) * 108) for place, gift in enumerate(on_offer)]
        ready = self.view["ready"]
        seats = [] if gifts else self.s["favour"]
        room = min(104.0, 372 / max(1, len(seats)))
        asked = [
            {
                "seat": seat,
                "x": 195 + (place - (len(seats) - 1) / 2) * room,
                "who": self.words.seat(seat),
                "ready": bool(ready and ready[seat]),
            }
            for place, seat in enumerate(seats)
        ]
        cost = self._prepared_cost()
        name = self._say(f"act.{self._act_now() + 1}")
        if cost is not None:
            name += f". {self._say('bag')}: {self.s['bag_mana']}. {self._say('prepared')}: {cost}."
        sums = ["#bag", str(self.s["bag_mana"]), " – ", "#ritual", str(cost)] if cost is not None else []
        markup = draw(
            "act",
            name=name,
            sign=_ACTS[self._act_now()],
            seats=asked,
            gifts=gifts,
            sums=inline(sums, 195, 48, 340, scale=0.85, size=24),
            size=1.15 if sums or len(seats) > 4 else 1.5,
            room=room,
        )
        return self._area("act", name, Drawing("act", 390, 220, markup), "board")

    def _prepared_cost(self) -> int | None:
        """§ Festakte 3 und 4. What the viewer's rituals in the bag cost in all; None if there is nothing to compare."""
        viewer = self.view["viewer"]
        if viewer is None or self.s["phase"] not in (PREPARE_RITUALS, OFFERING, GIFTS, EXTRA_GIFTS):
            return None
        decision = self.view["decision"] or {}
        picking = decision.get("prompt") == "prepare"
        bag = [PREPARE.of(choice) for choice in decision["set"]["picked"]] if picking else self.s["bag"][viewer]
        return sum(self.box.ritual_cost[card] for card in bag) if bag or picking else None

    def gift(self, gift: int, x: float) -> Markup:
        """A gift on its leaf."""
        id = GIFT.label(gift)
        signs = (["#tattoo"], ["#commodity"], [str(self.box.gifts[gift][0].amount), "#pearl"])[gift]
        parts = inline(signs, x, 126, 80, scale=0.95, size=24)
        return draw("gift", id=id, name=self.describer.gift(gift), x=x, parts=parts, choice=f"accept {id}")

    @kept
    def row(self) -> Region:
        """§ Festakt 5. The source, then the rituals from left to right: what became of each, and those still to come.

        Those that the source can't pay for as it is now are faint. All of it stays until the next action round begins.
        """
        s = self.s
        left = s["bag_mana"]
        drawings = [self._source()]
        for place, (card, owner) in enumerate(zip(s["blessed"], s["blessed_owner"], strict=True)):
            drawings.append(self._ritual(card, f"row-{place}", "", owner=owner, source=s["source"][place]))
        for place, (card, owner) in enumerate(zip(s["row"], s["row_owner"], strict=True), start=len(s["blessed"])):
            left -= self.box.ritual_cost[card]
            id = self._id("ritual", card)
            choice = f"first {id}" + (f"; cancel {owner} {id}" if owner != NOBODY else "")
            drawings.append(self._ritual(card, f"row-{place}", choice, owner=owner, dim=left < 0))
        return Region("row", self._say("row"), "board", drawings)

    def _source(self) -> Drawing:
        """The mana source; while the row is shown step by step its number runs down."""
        left = self.s["bag_mana"]
        name = f"{self._say('source')}: {left}"
        return Drawing("source", *RITUAL, draw("source", name=name, left=left))
