"""What is the viewer's own: goods, workers, tower, masterboard, pacts and secret cards."""

from __future__ import annotations

from typing import Any

from atoll.picture import Drawing, Region, kept

from ..kinds import EXTRA, OWN_PLACE, RESOURCES, WORKERS
from .drawing import draw, in_row, squeezed
from .looks import face_of, mini, tablet
from .seats import Possessions
from .table import count_of


class Dock(Possessions):
    """The viewer's hand."""

    @kept
    def hand(self, seat: int) -> list[Region]:
        """The viewer's goods, workers, tower, masterboard, pacts and secret cards."""
        s = self.s
        drawings = [self._worker(seat, kind, n) for kind, n in enumerate(s["home"][seat])]
        drawings.append(self._tower(seat))
        if s["masterboard"][seat] >= 0:
            drawings.append(self._master(seat))
        for place, pact in enumerate(s["pacts"][seat]):
            id = self._id("pact", pact)
            choice = f"fulfil {id}; discard_pact {id}; gift {id}"
            text = self._tell("pact", pact) + self._reminder("pact", pact)
            drawings.append(tablet(self.words, pact, f"own-pact-{place}", text, choice, own=True, has=self._has))
        cards = []
        if s["ability"][seat] >= 0:
            cards.append(self._ability(seat))
        if s["permanent"][seat] >= 0:
            cards.append(self._mini("omen", s["permanent"][seat], f"permanent-{seat}", ""))
        if s["element"][seat] >= 0:
            cards.append(self._mini("element_card", s["element"][seat], "element", ""))
        for place, card in enumerate(s["secret_pacts"][seat]):
            choice = f"keep {self._id('secret_pact', card)}"
            cards.append(self._mini("secret_pact", card, f"secret-{place}", choice))
        for place, card in enumerate(s["omens"][seat]):
            choice = f"play {self._id('omen', card)}; discard {self._id('omen', card)}"
            cards.append(self._mini("omen", card, f"omen-{place}", choice))
        for place, card in enumerate(s["vengeance"][seat]):
            id = self._id("vengeance", card)
            choice = f"give_vengeance {id}; return_vengeance {id}"
            cards.append(self._mini("vengeance", card, f"vengeance-{place}", choice))
        mine = Region("mine", self._say("mine"), "hand", drawings, self._goods(seat), flow="fan")
        return [mine, *([Region("secrets", self._say("secrets"), "hand", cards, flow="fan")] if cards else [])]

    @kept
    def _worker(self, seat: int, kind: int, count: int) -> Drawing:
        id = f"mine-{WORKERS[kind]}"
        kind_name = WORKERS[kind]
        choice = f"visit {kind_name} *; crowd_in {kind_name} *; idle {kind_name}; leave {kind_name} home"
        name = self._say("workers", worker=kind, n=count)
        markup = draw("worker", id=id, name=name, seat=seat, kind=kind_name, count=count, choice=choice)
        return Drawing(f"box-{id}", 44, 96, markup)

    @kept
    def _tower(self, seat: int) -> Drawing:
        slots = []
        for slot, card in enumerate(self.s["built"][seat]):
            row = in_row(self._tower_price(slot), 29 + slot * 44, 38, 15.8, width=36, anchor="middle")
            slots.append({"sign": self._tower_sign(card) if card >= 0 else "", "row": row})
        inside = [WORKERS[kind] for kind in range(EXTRA, len(WORKERS)) for _ in range(self.s["tower"][seat][kind])]
        signs, price = self._hire(seat)
        built = [self.words.name("tower_upgrade", card) for card in self.s["built"][seat] if card >= 0]
        name = f"{self._say('tower')}: {', '.join(built) or self._say('nothing')}."
        markup = draw(
            "tower",
            id="own-tower",
            name=name + (f" {self._say('next_hire')}: {price}." if price else ""),
            slots=slots,
            price=in_row(signs, 125, 38, 15.8, width=52, anchor="middle") if signs else None,
            seat=seat,
            workers=inside,
        )
        return Drawing("box-own-tower", 160, 96, markup)

    @kept
    def _master(self, seat: int) -> Drawing:
        """The own masterboard: its track, multiplier or option, and its own place."""
        index = self.s["masterboard"][seat]
        face = self.box.masterboards[index]
        own, track = face.own_place, face.track[self.view["seats"]]
        holes, lines = face_of(face, track, self.s["track"][seat], self.s["multiplier"][seat])
        fields: list[dict[str, Any]] = []
        if own is not None:
            fields = self._sockets(OWN_PLACE + seat, 160, 17 if track else 83, 26)
        title = self.words.name("masterboard", index)
        titled = None if own is not None and track else squeezed(title, 146, 15.8)
        choice = "visit * own_place; crowd_in * own_place; recall * own_place"
        name = self._named(title, self._board_text(seat), OWN_PLACE + seat)
        markup = draw(
            "master",
            id=f"face-of-{seat}",
            name=name,
            choice=choice,
            title=titled,
            holes=holes,
            lines=lines,
            fields=fields,
        )
        return Drawing(f"box-face-of-{seat}", 180, 96, markup)

    def _has(self, n: int, sign: str) -> bool:
        """Whether the viewer has as much of what a sign means."""
        seat = self.view["viewer"]
        stock = self.s["stock"][seat]
        if sign in RESOURCES:
            return bool(stock[RESOURCES.index(sign)] >= n)
        if sign == "marker":
            return bool(stock[self.s["cost_marker"][seat]] >= n)
        others: dict[str, int] = {"any": sum(stock), "omen": count_of(self.s["omens"][seat])}
        return others.get(sign, 0) >= n

    def _ability(self, seat: int) -> Drawing:
        card, used = self.s["ability"][seat], self.s["ability_used"][seat]
        choice = "" if used else f"use {self._id('ability', card)}"
        return self._mini("ability", card, f"ability-{seat}", choice, used=used)

    @kept
    def _mini(self, domain: str, card: int, id: str, choice: str, *, used: bool = False) -> Drawing:
        """An own card, as signs."""
        text = self._say("used") if used else self._tell(domain, card) + self._reminder(domain, card)
        return mini(self.words, domain, card, id, text, choice, used=used)

    def _reminder(self, domain: str, card: int) -> str:
        """What an own card would cost or bring if the game ended now, as one more sentence."""
        found = self.worked["reminder", (domain, card)]
        if found is None:
            return ""
        points, value = found
        key = f"reminder.{domain}" if points else f"reminder.{domain}.nothing"
        return " " + self._say(key, points=points, value=value)
