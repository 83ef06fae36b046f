"""The row of cards that can be taken; solo the two open cards, and at the end what was left to Tahuma."""

from __future__ import annotations

from typing import Any

from atoll.picture import Drawing, Region, kept

from ..kinds import LEFT, SIDE
from .drawing import draw, face_of
from .table import Table


class Row(Table):
    """Cards to be had."""

    def row(self) -> Region:
        """The cards that can be taken, with their prices until the end; solo the two open cards."""
        return self._open_cards(self.shown)

    @kept
    def _open_cards(self, seat: int) -> Region:
        slots = [self._slot(slot, seat) for slot in range(len(self.s["row"]))]
        width = 500 if not self.solo else 300
        title = self._say("open_cards" if self.solo else "row")
        height = 130 if self.view["over"] else 156
        drawings = [Drawing("row", width, height, draw("row", slots=slots), title)] if slots else []
        return Region("row", title, "hand", drawings, flow="fit")

    def _slot(self, slot: int, seat: int) -> dict[str, Any]:
        number = self.s["row"][slot]
        card = self.box.cards[number]
        coconuts = self.s["row_coconuts"][slot]
        solo = self.box.solo
        price = slot
        if self.solo:
            price = solo.left_card_price if slot == LEFT else 0
            won = 0 if slot == LEFT else min(solo.right_card_gain, self.s["hut"])
        else:
            won = 0
        label = self._say("win", number=won) if won else self._say("pay", number=price) if price else self._say("free")
        supply = self.s["supply"][seat]
        mine = not self._is("viewer", None)
        left_over = self.solo and len(self.s["row"]) == 1  # for Tahuma
        takeable = not self.view["over"] and not left_over
        fits = not takeable or not mine or self.island_of(seat).fits(card)
        held = self._is("held", slot)
        css = "held" if held else "" if not takeable or not mine or (price <= supply and fits) else "out"
        label = "" if not takeable else label if fits else self._say("no_fit")
        name = self._say("card", title=self._title(number), symbols=self._shows(card.symbols))
        if coconuts:
            name += " " + self._say("coconuts_on_it", number=coconuts)
        if label:
            name += f" {label[0].upper()}{label[1:]}."
        side = SIDE.label(min(slot, 1))
        return {
            "id": f"row-{card.id}",
            "name": name,
            "help": "" if fits else self.words.say("reason.no_fit", {"card": number}),
            "piece": card.id,
            "choice": f"take_side {side}" if self.solo else f"take {slot}",
            "css": css,
            "label": label,
            "coconuts": coconuts,
            "x": 12 + slot * 123 if not self.solo else 30 + slot * 132,
            "face": face_of(card.faces[0]),
        }

    @kept
    def pile(self) -> Region:
        """At the end of a solo game: what was left to Tahuma, open for counting."""
        drawings = []
        for number in self.s["tahuma_pile"][0]:
            card = self.box.cards[number]
            name = self._say("card", title=self._title(number), symbols=self._shows(card.symbols))
            slot = {"id": f"pile-{card.id}", "name": name, "help": "", "piece": card.id, "choice": ""}
            slot |= {"css": "", "label": "", "coconuts": 0, "x": 6, "face": face_of(card.faces[0])}
            drawings.append(Drawing(f"pile-of-{card.id}", 120, 124, draw("row", slots=[slot]), name))
        return Region("pile", self._say("pile"), "shared", drawings)
