"""What is the viewer's own, behind its screen and before it; what lies before each seat."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

from markupsafe import Markup

from atoll.picture import Drawing, Fact, Region, kept

from ..kinds import ASSISTANT, COMMODITY
from .cards import CARD, Cards
from .drawing import ALONE, sign_of

_HAND_VERBS: Final[Mapping[str, str]] = {
    "prepare": "prepare",
    "tahua_ritual": "perform",
    "execute_ritual": "perform",
    "pay_rituals": "pay_ritual",
}
"""By prompt the verb of choices that the rituals of the hand stand for first of all."""

_LINE: Final = 32
"""How high the small things before another seat are, in pixels."""


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
        found = [Drawing(f"card-{id}", *CARD, markup) for id, _, markup in self._helpers_of(seat)]
        found += [Drawing(f"mask-{id}", *CARD, markup) for id, _, markup in self._masks_of(seat)]
        chips = [self._chip(seat, place, card, ALONE) for place, card in enumerate(self.s["permanents"][seat])]
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
        """What lies before another seat, small: helpers, faces, permanent rituals."""
        found = [Drawing(f"of-{id}", width, _LINE, markup) for id, width, markup in self._helpers_of(seat)]
        found += [Drawing(f"of-{id}", width, _LINE, markup) for id, width, markup in self._masks_of(seat)]
        for place, card in enumerate(self.s["permanents"][seat]):
            chip = self._chip(seat, place, card, (0, 3, 0.68))
            found.append(Drawing(f"chip-of-{seat}-{place}", 66, _LINE, chip))
        return found

    def _helpers_of(self, seat: int) -> Iterable[tuple[str, float, Markup]]:
        """Of each kind that a seat has its id, how wide it is where it is small, and what is drawn."""
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
            drawn = self._helper(assistant, name, choice, ALONE, ready=ready, turned=exhausted, mini=not own)
            yield name, 62 if exhausted else 44, drawn

    def _masks_of(self, seat: int) -> Iterable[tuple[str, float, Markup]]:
        """Of each mask and pair the same."""
        own = self._is("viewer", seat)
        for place, god in enumerate(self.s["masks"][seat]):
            id = self._id("mask", god)
            choice = f"place {id}; mirror {id}; pay_mask {id}" if own else f"steal_mask {id}"
            name = f"own-mask-{seat}-{place}"
            yield name, 30, self._mask(god, name, choice, ALONE, bare=not own)
        for pair, gods in (("natural", self.s["pairs"][seat]), ("mirrored", self.s["mirrored"][seat])):
            for place, god in enumerate(gods):
                name = f"{pair}-{seat}-{place}"
                yield name, 36, self._mask(god, name, "", ALONE, pair=pair, bare=not own)
