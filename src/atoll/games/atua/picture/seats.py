"""What is the viewer's own: the balance of its island, its resident; what lies before each seat."""

from __future__ import annotations

from typing import Final

from atoll.picture import Drawing, Fact, Region, kept

from ..components import (
    BEACH_CARD,
    COUNTED,
    SYMBOLS,
    TOTEMS,
    VILLAGE_STAR,
    VOLCANO,
)
from ..faces import CARD_UNITS
from ..outline import UNIT
from ..state import NO_RESIDENT
from .drawing import LINED, draw, face_of
from .tiles import Fates, chip, resident_tile, resident_words

_PAIRS: Final = (("fisher", "fish"), ("huntress", "bird"), ("canoe", "palm"))
_SMALL: Final = 7  # pixels of a unit on the islands of others
_SHOAL: Final = 1.5  # units of shallow water around these


class Seats(Fates):
    """What each seat has."""

    @kept
    def harmony(self, seat: int) -> Region:
        """The viewer's coconuts, the balance of its island, and the resident in the hand."""
        counts, supply = self.live["counts"][seat], self.s["supply"][seat]
        coconut = draw("icon", name="coconut")
        facts = [Fact("own-coconuts", self._say("coconuts"), str(supply), coconut, supply)]
        for consumer, resource in _PAIRS:
            too_many = counts[COUNTED.index(consumer)] > counts[COUNTED.index(resource)]
            for name in (consumer, resource):
                symbol = SYMBOLS.index(name)
                label = self._say("too_many", symbol=symbol) if too_many and name == consumer else self._symbol(symbol)
                help = self.words.say("rule.too_many" if too_many else "rule.pairs")
                facts.append(self._count(name, label, counts[symbol], help))
        for totem in TOTEMS:
            if counts[totem]:
                twin = counts[totem] > 1 and not self.solo
                label = self._say("twin", symbol=totem) if twin else self._symbol(totem)
                rule = self.words.say("rule.all" if self.solo else "rule.without_twin")
                facts.append(self._count(SYMBOLS[totem], label, counts[totem], rule))
        facts.append(self._count("volcano", self._symbol(VOLCANO), counts[VOLCANO], self.words.say("rule.ruler")))
        beach = self.live["beach"][seat]
        facts.append(
            Fact(
                "count-beach",
                self._say("beach"),
                str(beach),
                draw("icon", name="beach"),
                beach,
                help=self._say("beach.help", cards=counts[BEACH_CARD]),
            )
        )
        drawings = []
        resident = self.s["residents"][seat]
        if resident is not None and resident != NO_RESIDENT:
            drawings.append(self._resident(resident, "play_resident", self.live["resident"]))
        return Region("harmony", self._say("harmony"), "hand", drawings, facts)

    def _count(self, name: str, label: str, number: int, help: str) -> Fact:
        return Fact(f"count-{name}", label, str(number), draw("icon", name=name), number, help=help)

    def _resident(self, resident: int, choice: str, now: int | None) -> Drawing:
        worth = "" if now is None else self._say("resident_now", points=now)
        return resident_tile(self.words, self.box, resident, choice, worth)

    @kept
    def seat(self, seat: int) -> Region:
        """What lies before a seat: its island small, unless it is the large one; coconuts, tiles, points."""
        supply = self.s["supply"][seat]
        score = self.live["scores"][seat]
        points, sheet = str(score).replace("-", "−"), draw("points", d=LINED)
        facts = [
            Fact(f"supply-{seat}", self._say("coconuts"), str(supply), draw("icon", name="coconut"), supply),
            Fact(f"total-{seat}", self._say("score"), points, sheet, score, help=self._say("score.help")),
        ]
        played = self.s["revealed"][seat]
        if self.view["options"]["residents"] and played == NO_RESIDENT:
            symbol = draw("icon", name="resident")
            facts.append(Fact(f"resident-{seat}", self._say("unplayed"), "?", symbol))
        drawings = []
        if not (self._is("viewer", seat) or (self._is("viewer", None) and self._is("active", seat))):
            drawings.append(self._small_island(seat))
        if played != NO_RESIDENT:
            title, name = resident_words(self.words, self.box, played)
            drawings.append(chip(f"resident-{self.box.residents[played].id}", name, title, ["resident"]))
        for fate in self.s["fates"][seat]:
            things = [COUNTED[thing] for thing in self.box.fates[fate].categories]
            drawings.append(chip(f"fate-{self.box.fates[fate].id}", self.called(fate, seat), "", things))
        return Region(f"seat-{seat}", "", "seat", drawings, facts, seat=seat)

    def _small_island(self, seat: int) -> Drawing:
        cards = self.island_of(seat).cards()
        left, right = min(card[1] for card in cards), max(card[1] for card in cards) + CARD_UNITS
        top, bottom = min(card[2] for card in cards), max(card[2] for card in cards) + CARD_UNITS
        wide, high = right - left + 2 * _SHOAL, bottom - top + 2 * _SHOAL
        scale = min(_SMALL, 340 / wide) / UNIT
        counts = self.island_of(seat).counts
        shows = [symbol for symbol in range(len(SYMBOLS)) for _ in range(counts[symbol]) if symbol != VILLAGE_STAR]
        looks = []
        for number, x, y, rot in cards:
            face = self.box.cards[number].faces[rot]
            looks.append({"id": self.box.cards[number].id, "x": x * UNIT, "y": y * UNIT, "face": face_of(face)})
        name = self._say("their_island", seat=seat, symbols=self._shows(shows))
        markup = draw(
            "small_island",
            id=f"island-{seat}",
            name=name,
            help=self._say("enlarge"),
            scale=scale,
            left=(_SHOAL - left) * UNIT,
            top=(_SHOAL - top) * UNIT,
            cards=looks,
        )
        size = UNIT * scale
        return Drawing(f"island-of-{seat}", wide * size, high * size, markup)
