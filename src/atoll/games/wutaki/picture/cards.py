"""The cards that lie on the table for all: open pacts, decks, tower upgrades and masterboards to be had."""

from __future__ import annotations

from typing import Any

from atoll.picture import Drawing, Region, kept
from atoll.picture.brush import wrap

from ..components import ELEMENT_SLOT
from .drawing import draw, in_row, squeezed
from .looks import tablet
from .table import Table


class Cards(Table):
    """What can be had, and how many are left."""

    @kept
    def slot(self, slot: int) -> Region:
        """An open pact, with the gold that its slot brings or costs."""
        pact = self.s["display"][slot]
        if pact < 0:
            drawing = Drawing(f"no-pact-{slot}", 128, 158, draw("no_tablet"))
        else:
            id = self._id("pact", pact)
            gold = self.board.slot_gold[slot]
            text = self._tell("pact", pact) + (f" {self._say('slot_gold', n=gold)}" if gold else "")
            drawing = tablet(self.words, pact, f"display-{slot}", text, f"accept {id}; gift {id}", gold=gold)
        return Region(f"slot-{slot}", self._say("display", n=slot + 1), "board", [drawing], flow="fit")

    @kept
    def pact_deck(self) -> Region:
        """The pacts to come and those discarded."""
        gone = self.s["pact_discard"]
        n = self.s["pact_deck"]["count"]
        name = f"{self._say('pact_deck')}: {n}. {self._discarded('pact')}"
        markup = draw("pact_deck", name=name, n=n, discarded=len(gone))
        return self._area("pact-deck", self._say("pact_deck"), 70, 158, markup)

    @kept
    def decks(self) -> Region:
        """Omens, those discarded, secret pacts and vengeance cards."""
        decks = [
            self._deck("omen", "omen_deck", "eye", 0, discarded=True),
            self._deck("secret_pact", "secret_pact_deck", "secret", 94),
            self._deck("vengeance", "vengeance_deck", "skull", 148),
        ]
        return self._area("decks", self._say("decks"), 196, 66, draw("decks", decks=decks))

    @kept
    def round_deck(self) -> Region:
        """The round cards to come."""
        decks = [self._deck("round_card", "round_deck", "torch", 18)]
        return self._area("round-deck", self._say("deck.round_card"), 86, 66, draw("decks", decks=decks))

    def _deck(self, domain: str, zone: str, sign: str, x: float, *, discarded: bool = False) -> dict[str, Any]:
        n = self.s[zone]["count"]
        return {
            "id": f"{domain}-deck",
            "name": f"{self._say(f'deck.{domain}')}: {n}." + (f" {self._discarded(domain)}" if discarded else ""),
            "css": {"omen": "omens", "secret_pact": "secrets", "vengeance": "curses", "round_card": "rounds"}[domain],
            "sign": sign,
            "x": x + 1,
            "n": n,
            "discarded": len(self.s[f"{domain}_discard"]) if discarded else None,
        }

    def _discarded(self, domain: str) -> str:
        cards = self.s[f"{domain}_discard"]
        listed = ", ".join(self.words.name(domain, card) for card in cards) or self._say("nothing")
        return f"{self._say(f'discard.{domain}')}: {len(cards)} ({listed})"

    @kept
    def towers(self) -> Region:
        """The tower upgrades still to be had."""
        cards: list[dict[str, Any]] = []
        places = [0, 0]
        for card, upgrade in enumerate(self.box.tower_upgrades):
            id, title = self._id("tower_upgrade", card), self.words.name("tower_upgrade", card)
            cards.append(
                {
                    "id": f"tower-{id}",
                    "name": f"{title} ({self._say('card.tower')}). {self._tell('tower_upgrade', card)}",
                    "choice": f"build {id}",
                    "left": card in self.s["tower_left"],
                    "sign": self._tower_sign(card),
                    "x": 38 + places[upgrade.slot] * 32,
                    "y": 22 if upgrade.slot == ELEMENT_SLOT else 60,
                }
            )
            places[upgrade.slot] += 1
        prices = [
            in_row(self._tower_price(slot), 20, 39 + slot * 38, 15.8, width=35, anchor="middle") for slot in range(2)
        ]
        heading = squeezed(self._say("towers"), 196, 15.8)
        markup = draw("towers", title=heading, prices=prices, cards=cards)
        return self._area("towers", self._say("towers"), 200, 98, markup)

    @kept
    def boards_left(self) -> Region:
        """The masterboards that can be picked."""
        drawings = []
        for face in self.s["boards_left"]:
            title, text = self.words.name("masterboard", face), self._tell("masterboard", face)
            heading, lines = wrap(title, 190, 18), wrap(text, 214, 15)
            height = 34 + len(heading) * 20 + len(lines) * 19
            markup = draw(
                "offer",
                id=f"face-{face}",
                name=f"{title}. {text}",
                heading=heading,
                lines=lines,
                choice=f"take_board {self._id('masterboard', face)}",
                height=height,
            )
            drawings.append(Drawing(f"box-face-{face}", 240, height, markup))
        return Region("faces", self._say("faces"), "dialog", drawings, opens=("take_board",))
