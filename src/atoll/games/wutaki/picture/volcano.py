"""The volcano: the round in its smoke, Buka's maw, the pact counter."""

from __future__ import annotations

from atoll.picture import Region, kept

from ..kinds import RESOURCES, ROUND_PLACE
from ..signs import round_signs
from .drawing import draw, in_row, squeezed
from .table import Table


class Volcano(Table):
    """The middle of the island."""

    @kept
    def smoke(self) -> Region:
        """The round and its card, which may be a place."""
        card = self.s["round_card"]
        if card < 0:
            title, text, signs = self._say("no_round_card"), "", []
            if self.s["boards_left"] and -1 in self.s["masterboard"]:
                title = self._say("faces")
                text = "; ".join(self.words.name("masterboard", face) for face in self.s["boards_left"])
        else:
            title, text = self.words.name("round_card", card), self._tell("round_card", card)
            signs = round_signs(self.box.round_cards[card])
        fields = self.s["fields"][ROUND_PLACE]
        room = 236 - len(fields) * 30
        markup = draw(
            "smoke",
            name=self._named(title, text, ROUND_PLACE),
            title=squeezed(title, 170, 16),  # the display type is wide
            when=f"{self._say('round')} {self.s['round']}",
            choice="visit * round_place; crowd_in * round_place; chase round_place *; recall * round_place",
            line=in_row(signs, 30 + room / 2, 71, 17, width=room, anchor="middle"),
            fields=self._sockets(ROUND_PLACE, 268 - len(fields) * 15, 82, 30),
        )
        return self._area("round", title, 296, 106, markup)

    @kept
    def maw(self) -> Region:
        """Buka, and what lies in him."""
        lying = [(kind, n) for kind, n in enumerate(self.s["maw"]) if n]
        heap = [
            {"kind": RESOURCES[kind], "n": n, "x": 150 + (place - (len(lying) - 1) / 2) * 39}
            for place, (kind, n) in enumerate(lying)
        ]
        listed = ", ".join(f"{n} {self.words.name('resource', kind)}" for kind, n in lying) or self._say("nothing")
        markup = draw("buka", heap=heap, name=self._say("maw.holds", what=listed), full=bool(heap))
        return self._area("maw", self._say("maw"), 300, 254, markup)

    @kept
    def counter(self) -> Region:
        """The pact counter with the spaces in use."""
        following = self.board.counter_next[self.view["seats"]]
        spaces = self.board.counter_positions(self.view["seats"])
        step = 300 / len(spaces)
        shown = []
        for place, space in enumerate(spaces):
            aside = (place + 0.5) / len(spaces) * 2 - 1
            shown.append(
                {
                    "x": (place + 0.5) * step,
                    "y": 17 + 12 * (1 - aside * aside),
                    "r": min(19, step / 2 - 0.5),
                    "number": space,
                    "now": space == self.s["counter"],
                    "next": space == following[self.s["counter"]],
                    "sign": ("", "omen", "marker")[self.board.counter_event[space] + 1],
                }
            )
        name = self._say("counter", n=self.s["counter"])
        markup = draw("counter", spaces=shown, name=name, text=self.words.say("rule.counter"))
        return self._area("counter", self._say("counter.title"), 300, 48, markup)
