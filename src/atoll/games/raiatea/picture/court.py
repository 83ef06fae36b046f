"""The court of an action round: locations, forest, decks, favour, bag; the cards that the viewer has to choose from."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from markupsafe import Markup

from atoll.picture import Drawing, Region, kept

from ..kinds import ASSISTANT, DECK, LOCATION
from ..locations import COUNTER_CLOCKWISE, ONCE, STEPS, whose_part
from ..state import NOBODY
from .cards import CARD, Cards
from .drawing import draw, inline, line_width, spread

_ACTIONS: Final[Mapping[str, Sequence[str]]] = {
    "forest": ("2×", "#forest", "↻", "↺"),
    "marae": ("#commodity", "›", "#tattoo", "·", "#ritual"),
    "reef": ("#die", "›", "#pearl"),
    "path": ("#pearl", "›", "#priest", "›", "#mana"),
    "neighbourhood": ("#masks", "⇄", "#masks"),
    "marketplace": ("#commodity", "›", "#rise", "·", "#pearl", "›", "#helpers"),
}

_KAHUNA: Final[Mapping[str, Sequence[str]]] = {
    "forest": ("1.",),
    "marae": ("×2",),
    "reef": ("+3", "#pearl"),
    "path": ("+1", "#priest"),
    "neighbourhood": ("#statue",),
    "marketplace": ("×2",),
}
"""In signs what is done at a location, and what its Kahuna has of it; the elements' names say it in words."""


class Court(Cards):
    """The middle of the table by day."""

    @kept
    def location(self, location: int) -> Region:
        """A location card: what is done there and its Kahuna's bonus, who has taken it, who is still to come."""
        id = LOCATION.label(location)
        takers = [seat for seat, taken in enumerate(self.s["taken"]) if taken == location]
        current = self.s["location"] == location
        name = self.words.name("location", location)
        texts = [self.words.translated(self.texts[part][location]) for part in ("location", "kahuna")]
        about = f"{name}: {texts[0]} {self._say('kahuna')}: {texts[1]}"
        if takers:
            about += " " + self._say("taken", seat=takers[0])
        queue, order = self._queue() if current else ([], "")
        roll = self.box.bonus_roll[location]
        bonus = inline(["#crown", *_KAHUNA[id]], 0, 0, 62, scale=0.42, size=15)
        markup = draw(
            "location",
            id=f"location-{id}",
            name=about,
            help=order,
            title=name,
            action=inline(_ACTIONS[id], 12, 102, 112, scale=0.5, size=15, start=True),
            bonus=inline(["#crown", *_KAHUNA[id]], 154, 102, 62, scale=0.42, size=15),
            left=148 - line_width(bonus) / 2,
            choice=f"go {id}",
            css=("current " if current else "") + ("taken" if takers else "open"),
            place=id,
            roll=ASSISTANT.label(roll) if roll >= 0 else "",
            seat=takers[0] if takers else NOBODY,
            queue=queue,
        )
        return self._area(f"place-{id}", name, Drawing(f"place-{id}", 196, 118, markup), "board")

    def _queue(self) -> tuple[list[int], str]:
        """Whose part of the location it is, and who still follows: seats and a sentence."""
        s, seats = self.s, self.view["seats"]
        _, way = STEPS[s["location"]][s["step"]]
        if way == ONCE:
            return [], ""
        left = [whose_part(s["kahuna"], place, way, seats) for place in range(s["place"], seats)]
        key = "order.reversed" if way == COUNTER_CLOCKWISE else "order"
        return left, self._in_turn(key, left)

    @kept
    def forest(self) -> Region:
        """The forest deck and the display, in lines of four or, if there are many cards, of more."""
        count = (self.s["forest_deck"] or {"count": 0})["count"]
        cards = self.s["display"]
        spots = spread(len(cards) + 1, 250, 156, CARD, start=True)
        markup = [draw("forest_deck", name=f"{self._say('forest_deck')}: {count}", left=count, at=spots[0])]
        markup += [
            self._forest_card(card, f"display-{place}", at)
            for place, (card, at) in enumerate(zip(cards, spots[1:], strict=True))
        ]
        return self._area("display", self._say("forest"), Drawing("display", 250, 156, Markup("").join(markup)))

    @kept
    def tray(self) -> list[Region]:
        """The cards that the viewer has to choose from, with their texts."""
        viewer = self.view["viewer"]
        if viewer is None or not (self.s["drawn"][viewer] or self.s["looked"][viewer]):
            return []
        drawings = [
            self._ritual(card, f"drawn-{place}", f"keep {self._id('ritual', card)}", worded=True)
            for place, card in enumerate(self.s["drawn"][viewer])
        ]
        drawings += [self._looked(card, place) for place, card in enumerate(self.s["looked"][viewer])]
        # Where the page shows low faces, a drawing is cut from below.
        return [Region("choose", self._say("drawn"), "board", drawings, flow="fan")]

    @kept
    def favour(self, at: str) -> Region:
        """The stones of favour on their ledge; at a feast, below each what its seat has offered."""
        seats = self.s["favour"]
        offers = self.s["offers"]
        order = ", ".join(
            self.words.seat(seat) + (f" ({self._say('offer', n=offers[seat])})" if offers else "") for seat in seats
        )
        name = self._say("favour", order=order)
        stones = [
            {
                "seat": seat,
                "x": 40 + place * 62,
                "label": inline(
                    [str(offers[seat]), "#mana"] if offers else [str(place + 1)], 40 + place * 62, 64, 56, size=16
                ),
            }
            for place, seat in enumerate(seats)
        ]
        width = 18 + 62 * len(seats)
        markup = draw("favour", stones=stones, name=name, width=width)
        return self._area(f"{at}favour", name, Drawing("favour", width, 76, markup))

    @kept
    def bag(self, at: str) -> Region:
        """The bag of mana."""
        left = self.s["bag_mana"]
        name = f"{self._say('bag')}: {left}"
        return self._area(f"{at}bag", self._say("bag"), Drawing("bag", 96, 92, draw("bag", name=name, left=left)))

    @kept
    def decks(self, at: str) -> Region:
        """The decks of normal and forbidden rituals, with their numbers of cards and discards."""
        markup = Markup("").join(self._deck(deck) for deck in range(DECK.size))
        return self._area(f"{at}decks", self._say("rituals"), Drawing("decks", 150, 92, markup))

    def _deck(self, deck: int) -> Markup:
        id = DECK.label(deck)
        left = (self.s["decks"][deck] or {"count": 0})["count"]
        discards = self.s["discards"][deck]
        listed = ", ".join(self.words.name("ritual", card) for card in discards)
        return draw(
            "deck",
            id=id,
            x=76 * deck,
            left=left,
            discarded=len(discards),
            name=self._say("deck", deck=deck, left=left, discarded=len(discards)),
            help=self._say("discards", cards=listed) if listed else "",
            choice=f"draw {id}; buy {id}",
        )
