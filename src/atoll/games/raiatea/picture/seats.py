"""What is the viewer's own, behind its screen and before it; what lies before each seat."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Final

from markupsafe import Markup

from atoll.picture import Drawing, Fact, Region, kept

from ..kinds import ASSISTANT, COMMODITY
from .cards import CARD, Cards
from .drawing import Spot, alone, sign_of

_HAND_VERBS: Final[Mapping[str, str]] = {
    "prepare": "prepare",
    "tahua_ritual": "perform",
    "execute_ritual": "perform",
    "pay_rituals": "pay_ritual",
}
"""By prompt the verb of choices that the rituals of the hand stand for first of all."""


class Seats(Cards):
    """What each seat has."""

    @kept
    def screen(self, seat: int) -> list[Region]:
        """What lies behind the viewer's screen: goods, rituals, what is in the bag; and what lies before it."""
        s = self.s
        # The first one says why not: what is asked, else a shaman.
        asked = next((verb for prompt, verb in _HAND_VERBS.items() if self._is("prompt", prompt)), "shaman")
        verbs = sorted(("shaman", "prepare", "perform", "pay_ritual"), key=lambda verb: verb != asked)
        hand = [
            self._ritual(card, f"hand-{place}", "; ".join(f"{verb} {self._id('ritual', card)}" for verb in verbs))
            for place, card in enumerate(s["hands"][seat])
        ]
        facts = [
            Fact("own-pearls", self._say("pearls"), str(s["pearls"][seat]), sign_of("pearl"), s["pearls"][seat]),
            Fact("own-mana", self._say("mana"), str(s["mana"][seat]), sign_of("mana"), s["mana"][seat]),
        ]
        for commodity, id in enumerate(COMMODITY.names):
            n = s["goods"][seat][commodity] + s["veiled"][seat].count(commodity)
            choice = f"sacrifice {id}; sell {id} *; pay {id} *"
            label = self.words.name("commodity", commodity)
            facts.append(Fact(f"own-{id}", label, str(n), sign_of(id), n, choice))
        found = [Region("screen", self._say("screen"), "hand", hand, facts)]
        bag = [self._ritual(card, f"bag-{place}", "", bagged=True) for place, card in enumerate(s["bag"][seat])]
        if bag:
            found.append(Region("in-bag", self._say("in_bag"), "hand", bag))
        front = self._front(seat)
        if front:
            found.append(Region("front", self._say("front"), "hand", front))
        return found

    def _front(self, seat: int) -> list[Drawing]:
        """The viewer's helpers, masks, pairs and permanent rituals."""
        found = [Drawing(f"card-{id}", *CARD, markup) for id, markup in self._helpers_of(seat, alone)]
        found += [Drawing(f"mask-{id}", *CARD, markup) for id, markup in self._masks_of(seat, alone)]
        chips = [self._chip(seat, place, card, alone(96)) for place, card in enumerate(self.s["permanents"][seat])]
        return found + [Drawing(f"chip-{place}", 96, 38, chip) for place, chip in enumerate(chips)]

    @kept
    def seat(self, seat: int) -> Region:
        """Rank, priests, counts behind the screen; helpers, masks, pairs, permanent rituals."""
        s, live = self.s, self.live
        rituals = sum(live["rituals"][seat]) if isinstance(live["rituals"][seat], list) else live["rituals"][seat]
        tasks = s["tasks_done"][seat]
        goods = live["goods"][seat]
        done = len(tasks) if isinstance(tasks, list) else tasks["count"]
        rank = self.words.name("rank", live["ranks"][seat])
        facts = [
            Fact(
                f"rank-{seat}", rank, str(s["tattoos"][seat]), sign_of("tattoo"), s["tattoos"][seat], f"target {seat}"
            ),
            Fact(
                f"priests-{seat}", self._say("priests"), str(s["priests"][seat]), sign_of("priest"), s["priests"][seat]
            ),
            Fact(f"rituals-{seat}", self._say("rituals"), str(rituals), sign_of("ritual"), rituals),
            Fact(f"goods-{seat}", self._say("goods"), str(goods), sign_of("commodity"), goods),
            Fact(f"tasks-{seat}", self._say("tasks"), str(done), sign_of("statue"), done),
        ]
        if live["scores"][seat] is not None:
            facts.append(Fact(f"score-{seat}", self._say("score"), str(live["scores"][seat]), sign_of("vp")))
        own = self._is("viewer", seat)
        return Region(f"court-{seat}", "", "seat", () if own else self._belongings(seat), facts, seat=seat)

    def _belongings(self, seat: int) -> list[Drawing]:
        """What lies before another seat, small: helpers, faces, permanent rituals, in as few lines as it takes."""
        lines = _Lines(284, 32)
        parts = [markup for _, markup in self._helpers_of(seat, lines.next)]
        parts += [markup for _, markup in self._masks_of(seat, lines.next)]
        for place, card in enumerate(self.s["permanents"][seat]):
            x, y, _ = lines.next(68)
            parts.append(self._chip(seat, place, card, (x, y + 3, 0.68)))
        return [Drawing(f"belongings-{seat}", 284, lines.height, Markup("").join(parts))] if parts else []

    def _helpers_of(self, seat: int, spot: Callable[[float], Spot]) -> Iterable[tuple[str, Markup]]:
        own = self._is("viewer", seat)
        diving = own and self._is("prompt", "diver")
        sent = ("gather", "trade *", "shaman *", "build *" if diving else "")
        for assistant, id in enumerate(ASSISTANT.names):
            ready, exhausted = self.s["ready"][seat][assistant], self.s["exhausted"][seat][assistant]
            if not ready + exhausted:
                continue
            choice = f"steal_assistant {id} *"
            if own:
                choice = "; ".join(filter(None, (sent[assistant], f"ready {id}", f"exhaust {id}")))
            name = f"helper-{seat}-{id}"
            at = spot(62 if exhausted else 44)
            yield name, self._helper(assistant, name, choice, at, ready=ready, turned=exhausted, mini=not own)

    def _masks_of(self, seat: int, spot: Callable[[float], Spot]) -> Iterable[tuple[str, Markup]]:
        own = self._is("viewer", seat)
        for place, god in enumerate(self.s["masks"][seat]):
            id = self._id("mask", god)
            choice = f"place {id}; mirror {id}; pay_mask {id}" if own else f"steal_mask {id}"
            name = f"own-mask-{seat}-{place}"
            yield name, self._mask(god, name, choice, spot(30), bare=not own)
        for pair, gods in (("natural", self.s["pairs"][seat]), ("mirrored", self.s["mirrored"][seat])):
            for place, god in enumerate(gods):
                name = f"{pair}-{seat}-{place}"
                yield name, self._mask(god, name, "", spot(36), pair=pair, bare=not own)


class _Lines:
    """Hands out places in lines of a width, from left to right."""

    def __init__(self, width: float, line: float) -> None:
        self.width: float = width
        self.line: float = line
        self.x: float = 0.0
        self.y: float = 0.0

    def next(self, width: float) -> Spot:
        """The place of a thing this wide."""
        if self.x + width > self.width:
            self.x, self.y = 0.0, self.y + self.line
        spot = self.x, self.y, 1.0
        self.x += width
        return spot

    @property
    def height(self) -> float:
        """Of all lines begun."""
        return self.y + self.line
