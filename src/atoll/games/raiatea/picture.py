"""Raiatea's table: an island court by day, the festival ground at a feast; every component where it is used."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Final

from markupsafe import Markup

from atoll.engine import Game
from atoll.engine.words import Words
from atoll.picture import Brush, Drawing, Fact, Layout, Region, Scene, Tab, TablePicture, kept
from atoll.picture.brush import text_width
from atoll.picture.scene import Box

from .components import (
    AUCTION,
    COMPLETE_TASK,
    DRAW_FOREST,
    DRAW_RITUALS,
    EVERY,
    LOSE_PRIEST,
    MEASURES,
    MODIFIERS,
    RITUAL_KINDS,
    STEAL_GOODS,
    TASK_KINDS,
    TRIGGERS,
    VERBS,
    WHO,
    Effect,
    RaiateaBox,
)
from .describe import Describer
from .kinds import (
    ASSISTANT,
    COMMODITIES,
    COMMODITY,
    DECK,
    FIRST_FOREST_MASK,
    GIFT,
    LEVELS,
    LOCATION,
    MIRROR_MASK,
    PREPARE,
    SPACES_EACH,
    STATUES,
)
from .locations import COUNTER_CLOCKWISE, ONCE, STEPS, whose_part
from .state import (
    BEFORE_DANCE,
    BUILDING,
    BUY_RITUALS,
    CHOOSE,
    EXTRA_GIFTS,
    GIFTS,
    LAY_OUT,
    NO_TILE,
    NOBODY,
    OFFERING,
    PREPARE_RITUALS,
    TABLE,
)

_FAMILIES: Final = ("task", "helper", "colour")
_CARD: Final = (58, 76)
_RITUAL: Final = (100, 128)
_RITUAL_WITH_TEXT: Final = (150, 214)
Spot = tuple[float, float, float]
"""Where a card lies in a drawing, and how much it is scaled."""

_MANY: Final = 4
"""Of more cards to choose from than this the tray needs the whole width."""

# -- where everything stands ---------------------------------------------------------------------------------------

_ALWAYS: Final[Mapping[str, Box]] = {
    "track": (380, 3, 324, 32),
    **{f"statue-{statue}": (266 + 191 * statue, 38, 184, 322) for statue in range(STATUES)},
}
_SIDES: Final[Mapping[str, Box]] = {
    "place-forest": (28, 6, 196, 118),
    "display": (8, 130, 250, 156),
    "place-path": (28, 292, 196, 118),
    "place-marketplace": (862, 4, 196, 118),
    "stalls": (838, 126, 242, 200),
    "hire": (838, 330, 242, 56),
}
_SHORE: Final[Mapping[str, Box]] = {
    "priests": (8, 416, 250, 104),
    "place-reef": (20, 564, 196, 118),
    "place-neighbourhood": (868, 392, 196, 118),
    "masks": (790, 516, 288, 166),
}
_YARD: Final[Mapping[str, Box]] = {
    "decks": (276, 400, 150, 92),
    "place-marae": (444, 390, 196, 118),
    "tattoos": (400, 512, 250, 92),
    "favour": (300, 610, 340, 76),
    "bag": (656, 594, 100, 94),
}
_TEMPLE: Final[Mapping[str, Box]] = {
    "feast-decks": (56, 6, 150, 92),
    "priests": (8, 102, 250, 100),
    "tattoos": (8, 206, 250, 98),
    "feast-favour": (4, 308, 232, 76),
    "stalls": (838, 20, 242, 206),
    "hire": (838, 232, 242, 58),
    "acts": (266, 380, 566, 58),
}
_GIVING: Final[Mapping[str, Box]] = {"feast-bag": (60, 388, 130, 122), "feast-masks": (838, 384, 242, 160)}
_WIDE_TRAY: Final[Box] = (8, 442, 1068, 244)
_ACT: Final[Box] = (214, 442, 616, 244)

# What a line of the log names, by the ids of elements.
LIGHTS: Final[Mapping[str, Sequence[str]]] = {
    "action_round": ("round",),
    "feast": ("round",),
    "went": ("location-{location}",),
    "bonus_roll": ("helper-{seat}-{assistant}",),
    "priests": ("priests-{seat}",),
    "lost_priests": ("priests-{seat}",),
    "tattoos": ("rank-{seat}", "scale-tattoos"),
    "rank": ("rank-{seat}", "scale-tattoos"),
    "to_market": ("forest-deck",),
    "display": ("forest-deck",),
    "forest_rebuilt": ("forest-deck",),
    "took": ("market-{commodity}", "goods-{seat}"),
    "enlisted": ("market-{assistant}", "helper-{seat}-{assistant}"),
    "hired": ("market-{assistant}", "helper-{seat}-{assistant}"),
    "readied": ("helper-{seat}-{assistant}",),
    "exhausted": ("helper-{seat}-{assistant}",),
    "sacrificed": ("goods-{seat}",),
    "sold": ("market-{commodity}", "goods-{seat}"),
    "sent_trader": ("market-{commodity}",),
    "drew": ("ritual-deck-{deck}", "rituals-{seat}"),
    "kept": ("rituals-{seat}",),
    "reshuffled": ("ritual-deck-{deck}",),
    "bought": ("ritual-deck-{deck}", "rituals-{seat}"),
    "nothing_to_buy": ("ritual-deck-{deck}",),
    "favour": ("favour-stones",),
    "gift": ("favour-stones",),
    "row": ("mana-source",),
    "source": ("mana-source", "bag"),
    "source_paid": ("mana-source",),
    "failed": ("mana-source",),
    "auction": ("space-{space}",),
    "won_auction": ("space-{space}",),
    "completed": ("space-{space}", "tasks-{seat}"),
    "paid_goods": ("goods-{seat}",),
    "paid_ritual": ("rituals-{seat}",),
    "stole_commodity": ("goods-{seat}", "goods-{seat_2}"),
    "stole_assistant": ("helper-{seat}-{assistant}", "helper-{seat_2}-{assistant}"),
}


def _wide(*parts: Mapping[str, Box], ground: str) -> Layout:
    boxes = dict(_ALWAYS)
    for part in parts:
        boxes |= part
    return Layout(1084, 692, boxes, ground=ground)


_PLACES: Final = ("forest", "marketplace", "neighbourhood", "marae", "path", "reef")
SCENE: Final = Scene(
    wide={
        "": _wide(_SIDES, _SHORE, _YARD, ground="raiatea-court"),
        "choose": _wide(_SIDES, _SHORE, {"choose": (264, 392, 522, 294)}, ground="raiatea-court"),
        "choose-many": _wide(_SIDES, {"choose": _WIDE_TRAY}, ground="raiatea-court"),
        "row": _wide(
            _SIDES, _SHORE, {"place-marae": _YARD["place-marae"], "row": (264, 510, 522, 178)}, ground="raiatea-court"
        ),
        "feast": _wide(_TEMPLE, _GIVING, {"act": _ACT, "row": (8, 442, 822, 244)}, ground="raiatea-dusk"),
        "feast-choose": _wide(_TEMPLE, _GIVING, {"choose": _ACT}, ground="raiatea-dusk"),
        "feast-choose-many": _wide(_TEMPLE, {"choose": _WIDE_TRAY}, ground="raiatea-dusk"),
    },
    tabs=(
        Tab(
            "court",
            Markup('<path d="M3 20v-4h4v-4h10v4h4v4zM8 12V5h3v7M13 12V5h3v7"/>'),
            Layout(
                390,
                640,
                {
                    "track": (33, 2, 324, 30),
                    **{
                        f"place-{id}": (196 * (at % 2), 34 + 114 * (at // 2), 194, 112) for at, id in enumerate(_PLACES)
                    },
                    "display": (4, 378, 238, 150),
                    "decks": (246, 380, 142, 88),
                    "favour": (4, 534, 286, 102),
                    "bag": (294, 480, 94, 156),
                    "acts-tall": (0, 34, 390, 54),
                    "feast-favour": (4, 90, 382, 82),
                    "feast-decks": (14, 176, 150, 92),
                    "feast-bag": (226, 174, 110, 96),
                    "act": (0, 276, 390, 240),
                    "row": (2, 274, 386, 364),
                    "choose": (4, 36, 382, 602),
                },
                ground="raiatea-shore",
            ),
        ),
        Tab(
            "feast",
            Markup('<path d="M12 3c1 4 5 5 5 9a5 5 0 0 1-10 0c0-2 1-3 2-4 0 2 1 3 2 3 1-3-1-5 1-8M8 21h8"/>'),
            Layout(390, 640, {"row": (4, 8, 382, 560)}, ground="raiatea-shore"),
        ),
        Tab(
            "market",
            Markup('<path d="M3 9l3-5h12l3 5zM5 9v11M19 9v11M5 14h14"/>'),
            Layout(
                390,
                640,
                {
                    "stalls": (4, 2, 382, 318),
                    "hire": (4, 326, 382, 90),
                    "masks": (4, 422, 382, 214),
                    "feast-masks": (4, 422, 382, 214),
                },
                ground="raiatea-shore",
            ),
        ),
        Tab(
            "statues",
            Markup('<path d="M8 3h8l2 5-2 4v3l3 2v4H5v-4l3-2v-3L6 8zM9 8h2M13 8h2M10 12h4"/>'),
            Layout(
                390,
                640,
                {
                    "statue-0": (0, 2, 194, 318),
                    "statue-1": (196, 2, 194, 318),
                    "statue-2": (0, 321, 194, 318),
                    "priests": (198, 350, 188, 90),
                    "tattoos": (198, 470, 188, 90),
                },
                ground="raiatea-shore",
            ),
        ),
    ),
    dock=150,
)

_draw = Brush(__package__ or "atoll.games.raiatea")


def symbols() -> Markup:
    """Goods, helpers, faces of gods, and the small signs of effects."""
    return _draw("symbols")


def emblem() -> Drawing:
    """The temple court, for lists of games."""
    return Drawing("emblem-raiatea", 320, 200, _draw("emblem"))


def mode(view: Mapping[str, Any]) -> str:
    """The face of the table: the court by day or the feast; with cards to choose from, or the last row."""
    state = view["state"]
    choices = _to_choose(view)
    faces = ["feast"] if state["phase"] >= BEFORE_DANCE else []
    if choices:
        faces.append("choose")
        if choices > _MANY:
            faces.append("many")
    elif state["phase"] == CHOOSE and state["blessed"]:
        faces.append("row")
    return "-".join(faces)


def _to_choose(view: Mapping[str, Any]) -> int:
    """How many cards lie before the viewer to choose from."""
    viewer = view["viewer"]
    return 0 if viewer is None else len(view["state"]["drawn"][viewer]) + len(view["state"]["looked"][viewer])


def regions(game: Game, view: Mapping[str, Any], words: Words) -> list[Region]:
    """The places of the court or the festival ground; what is one's own; what lies before each seat."""
    table = _Table(game, view, words)
    if view["state"]["phase"] == TABLE:
        return [table.preparing()]
    found = [table.track(), *(table.festival() if table.feast else table.court())]
    found += [table.tattoos(), table.priests(), *table.statues()]
    if view["viewer"] is not None:
        found += table.screen(view["viewer"])
    return found + [table.seat(seat) for seat in range(view["seats"])]


class _Table(TablePicture):
    """One view in pictures."""

    box: RaiateaBox

    def __init__(self, game: Game, view: Mapping[str, Any], words: Words) -> None:
        super().__init__(game, view, words)
        self.describer: Describer = Describer(game.package, game.box, words.language)
        self.texts: Mapping[str, Sequence[str]] = self.box.texts[words.language]

    @property
    def feast(self) -> bool:
        """Whether a feast is on: then the festival ground is the middle of the table, else the court."""
        return bool(self.s["phase"] >= BEFORE_DANCE)

    def _area(self, id: str, title: str, drawing: Drawing, role: str = "shared") -> Region:
        return Region(id, title, role, [drawing], flow="fit")

    def preparing(self) -> Region:
        """Before anything is dealt."""
        name = self._say("preparing")
        return self._area("track", name, Drawing("preparing", 324, 32, _draw("preparing", name=name)), "board")

    def court(self) -> list[Region]:
        """An action round: the locations, and beside each what it is about."""
        found = [self._location(location) for location in range(LOCATION.size)]
        found += self._rows()
        tray = self._tray()
        found += [tray] if tray else []
        return [*found, self.forest(), *self.markets(""), self._decks(""), self._favour(""), self._bag("")]

    def festival(self) -> list[Region]:
        """A feast: its acts, what lies in the middle of the current one, and what is needed for it."""
        tray = self._tray()
        found = [self._acts("acts", 570, 58), self._acts("acts-tall", 390, 54)]
        rows = self._rows()
        found += [*rows, *([tray] if tray else [])]
        if not rows:
            found += [self._act(), self._bag("feast-")]
        return [*found, self._favour("feast-"), self._decks("feast-"), *self.markets("feast-")]

    def _rows(self) -> list[Region]:
        return [self.row()] if self.s["row"] or self.s["blessed"] else []

    @kept
    def _tray(self) -> Region | None:
        """The cards that the viewer has to choose from, with their texts."""
        viewer = self.view["viewer"]
        if viewer is None or not (self.s["drawn"][viewer] or self.s["looked"][viewer]):
            return None
        drawings = [
            self._ritual(card, f"drawn-{place}", f"keep {self._id('ritual', card)}", worded=True)
            for place, card in enumerate(self.s["drawn"][viewer])
        ]
        drawings += [self._looked(card, place) for place, card in enumerate(self.s["looked"][viewer])]
        return Region("choose", self._say("drawn"), "board", drawings)

    # -- the court -------------------------------------------------------------------------------------------------

    @kept
    def _location(self, location: int) -> Region:
        """A location card: what is done there and its Kahuna's bonus, who has taken it, who is still to come."""
        id = LOCATION.label(location)
        takers = [seat for seat, taken in enumerate(self.s["taken"]) if taken == location]
        current = self.s["location"] == location
        name = self.words.name("location", location)
        texts = self.texts["location"][location], self.texts["kahuna"][location]
        about = f"{name}: {texts[0]} {self._say('kahuna')}: {texts[1]}"
        if takers:
            about += " " + self._say("taken", seat=takers[0])
        queue, order = self._queue() if current else ([], "")
        roll = self.box.bonus_roll[location]
        bonus = _inline(["#crown", *_KAHUNA[id]], 0, 0, 62, scale=0.42, size=15)
        markup = _draw(
            "location",
            id=f"location-{id}",
            name=about,
            help=order,
            title=name,
            action=_inline(_ACTIONS[id], 12, 102, 112, scale=0.5, size=15, start=True),
            bonus=_inline(["#crown", *_KAHUNA[id]], 154, 102, 62, scale=0.42, size=15),
            left=148 - _width(bonus) / 2,
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

    def _in_turn(self, key: str, seats: Sequence[int]) -> str:
        return f"{self._say(key)}: {' → '.join(map(self.words.seat, seats))}"

    @kept
    def track(self) -> Region:
        """The round track: suns for action rounds, torches for feasts."""
        used = self.box.track[self.view["seats"]]
        now = used.index(self.s["field"])
        step = 316 / len(used)
        fields = [
            {
                "feast": self.box.fields[field].feast,
                "now": place == now,
                "done": place < now,
                "x": 4 + (place + 0.5) * step,
                "number": 1 + sum(not self.box.fields[each].feast for each in used[:place]),
            }
            for place, field in enumerate(used)
        ]
        key = "now_feast" if fields[now]["feast"] else "now_round"
        name = self._say(key, number=fields[now]["feast"] or fields[now]["number"])
        return self._area("track", name, Drawing("round-track", 324, 32, _draw("track", fields=fields, name=name)))

    @kept
    def _favour(self, at: str) -> Region:
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
                "label": _inline(
                    [str(offers[seat]), "#mana"] if offers else [str(place + 1)], 40 + place * 62, 64, 56, size=16
                ),
            }
            for place, seat in enumerate(seats)
        ]
        width = 18 + 62 * len(seats)
        markup = _draw("favour", stones=stones, name=name, width=width)
        return self._area(f"{at}favour", name, Drawing("favour", width, 76, markup))

    @kept
    def _bag(self, at: str) -> Region:
        """The bag of mana."""
        left = self.s["bag_mana"]
        name = f"{self._say('bag')}: {left}"
        return self._area(f"{at}bag", self._say("bag"), Drawing("bag", 96, 92, _draw("bag", name=name, left=left)))

    @kept
    def _decks(self, at: str) -> Region:
        """The decks of normal and forbidden rituals, with their numbers of cards and discards."""
        markup = Markup("").join(self._deck(deck) for deck in range(DECK.size))
        return self._area(f"{at}decks", self._say("rituals"), Drawing("decks", 150, 92, markup))

    def _deck(self, deck: int) -> Markup:
        id = DECK.label(deck)
        left = (self.s["decks"][deck] or {"count": 0})["count"]
        discards = self.s["discards"][deck]
        listed = ", ".join(self.words.name("ritual", card) for card in discards)
        return _draw(
            "deck",
            id=id,
            x=76 * deck,
            left=left,
            discarded=len(discards),
            name=self._say("deck", deck=deck, left=left, discarded=len(discards)),
            help=self._say("discards", cards=listed) if listed else "",
            choice=f"draw {id}; buy {id}",
        )

    # -- the feast -------------------------------------------------------------------------------------------------

    def _act_now(self) -> int:
        """The act of the feast, from 0."""
        return sum(self.s["phase"] >= first for first in (BUY_RITUALS, PREPARE_RITUALS, OFFERING, LAY_OUT, BUILDING))

    @kept
    def _acts(self, id: str, width: int, height: int) -> Region:
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
        markup = _draw("acts", id=id, name=name, help=order, acts=acts, left=left, width=width)
        return self._area(id, name, Drawing(id, width, height, markup))

    @kept
    def _act(self) -> Region:
        """What happens in the middle while the row isn't laid out: who is thinking; sums compared; gifts."""
        on_offer = {GIFTS: self.s["gifts"], EXTRA_GIFTS: range(GIFT.size)}.get(self.s["phase"], ())
        gifts = [self._gift(gift, 195 + (place - (len(on_offer) - 1) / 2) * 108) for place, gift in enumerate(on_offer)]
        ready = self.view["ready"]
        seats = [] if gifts else self.s["favour"]
        asked = [
            {
                "seat": seat,
                "x": 195 + (place - (len(seats) - 1) / 2) * 74,
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
        markup = _draw(
            "act",
            name=name,
            sign=_ACTS[self._act_now()],
            seats=asked,
            gifts=gifts,
            sums=_inline(sums, 195, 48, 340, scale=0.85, size=24),
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

    def _gift(self, gift: int, x: float) -> Markup:
        id = GIFT.label(gift)
        signs = (["#tattoo"], ["#commodity"], [str(self.box.gifts[gift][0].amount), "#pearl"])[gift]
        parts = _inline(signs, x, 126, 80, scale=0.95, size=24)
        return _draw("gift", id=id, name=self.describer.gift(gift), x=x, parts=parts, choice=f"accept {id}")

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
        return Drawing("source", *_RITUAL, _draw("source", name=name, left=left))

    # -- forest, market, huts --------------------------------------------------------------------------------------

    @kept
    def forest(self) -> Region:
        """The forest deck and the display, in lines of four or, if there are many cards, of more."""
        count = (self.s["forest_deck"] or {"count": 0})["count"]
        cards = self.s["display"]
        spots = _spread(len(cards) + 1, 250, 156, _CARD, start=True)
        markup = [_draw("forest_deck", name=f"{self._say('forest_deck')}: {count}", left=count, at=spots[0])]
        markup += [
            self._forest_card(card, f"display-{place}", at)
            for place, (card, at) in enumerate(zip(cards, spots[1:], strict=True))
        ]
        return self._area("display", self._say("forest"), Drawing("display", 250, 156, Markup("").join(markup)))

    def _forest_card(self, card: int, id: str, at: Spot) -> Markup:
        choice = f"pick {self._id('forest_card', card)}"
        if card < COMMODITIES:
            return self._card(id, self.words.name("commodity", card), COMMODITY.label(card), choice, at)
        if card < FIRST_FOREST_MASK:
            return self._helper(card - COMMODITIES, id, choice, at)
        god = self.box.mask_cards[card - FIRST_FOREST_MASK][0]
        return self._mask(god, id, choice, at, treasure=self.describer.treasure(card))

    def _looked(self, card: int, place: int) -> Drawing:
        """A forest card that the viewer looks at in private, with its text."""
        small = self._forest_card(card, f"looked-{place}", (42, 8, 1.15))
        text = ""
        if card >= FIRST_FOREST_MASK:
            god = self.box.mask_cards[card - FIRST_FOREST_MASK][0]
            text = " ".join(filter(None, (self.describer.mask(god), self.describer.treasure(card))))
        elif card >= COMMODITIES:
            text = self.words.name("assistant", card - COMMODITIES)
        else:
            text = self.words.name("commodity", card)
        return Drawing(f"card-looked-{place}", *_RITUAL_WITH_TEXT, _draw("looked", card=small, text=text))

    def _card(self, id: str, name: str, sign: str, choice: str, at: Spot, help: str = "") -> Markup:
        return _draw("card", id=id, name=name, sign=sign, choice=choice, help=help, at=at)

    def _helper(
        self,
        assistant: int,
        id: str,
        choice: str,
        at: Spot,
        *,
        ready: int | None = None,
        turned: int = 0,
        mini: bool = False,
    ) -> Markup:
        sign = ASSISTANT.label(assistant)
        name = self.words.name("assistant", assistant)
        if ready is not None:
            name = self._say("helpers", assistant=assistant, ready=ready, exhausted=turned)
        help = self._about(assistant)
        values = {"id": id, "name": name, "sign": sign, "choice": choice, "help": help}
        return _draw("helper", ready=ready, turned=turned, mini=mini, at=at, **values)

    def _about(self, assistant: int) -> str:
        return f"{self.texts['permanent'][assistant]} {self.texts['send'][assistant]}"

    def _mask(
        self, god: int, id: str, choice: str, at: Spot, *, treasure: str = "", pair: str = "", bare: bool = False
    ) -> Markup:
        """A mask. bare: only the face. pair: `natural` or `mirrored` if it is half of one."""
        box = self.box
        mirror = god == MIRROR_MASK
        name = self.words.name("mask", god)
        parts = _treasure(box.mask_cards, god) if treasure else []
        return _draw(
            "mask",
            id=id,
            name=name if not pair else self._say(f"pair.{pair}", mask=god),
            title=self._say("mirror") if mirror else name,
            colour="mirror" if mirror else f"colour-{box.god_colour[god]}",
            family="mirror" if mirror else _FAMILIES[box.god_family[god]],
            counts=self._counts(god),
            treasure=_inline(parts, 29, 50, 48, scale=0.36, size=13, gap=1),
            pair=pair,
            bare=bare,
            choice=choice,
            help=" ".join(filter(None, (self.describer.mask(god), treasure))),
            at=at,
        )

    def _counts(self, god: int) -> str:
        """The sign of what a pair of the god counts."""
        box = self.box
        if god == MIRROR_MASK:
            return ""
        if box.god_counts[god] < 0:
            return "colours"
        if box.god_family[god] == 0:
            return ("pearl", "mana", "commodity", "condition", "ritual", "masks")[box.god_counts[god]]
        return ASSISTANT.label(box.god_counts[god])

    @kept
    def markets(self, at: str) -> list[Region]:
        """Goods with their prices in stalls, helpers for hire, masks."""
        stalls = Markup("").join(self._stall(commodity) for commodity in range(COMMODITY.size))
        hire = []
        for assistant, id in enumerate(ASSISTANT.names):
            count = self.s["assistant_market"][assistant]
            name = self._say("market", n=count, what=self.words.name("assistant", assistant))
            choice = f"hire {id}; enlist {id}"
            values = {"id": f"market-{id}", "name": name, "sign": id, "help": self._about(assistant), "count": count}
            hire.append(_draw("hire", x=61 * assistant, choice=choice, **values))
        gods = self.s["mask_market"]
        spots = _spread(len(gods), 290, 160, _CARD)
        masks = [
            self._mask(god, f"market-mask-{place}", f"claim {self._id('mask', god)}", spot)
            for place, (god, spot) in enumerate(zip(gods, spots, strict=True))
        ]
        masks_name = self._say("masks")
        return [
            self._area("stalls", self._say("prices"), Drawing("stalls", 244, 202, stalls)),
            self._area("hire", self._say("markets"), Drawing("hire", 244, 56, Markup("").join(hire))),
            self._area(f"{at}masks", masks_name, Drawing("masks", 290, 160, Markup("").join(masks), masks_name)),
        ]

    def _stall(self, commodity: int) -> Markup:
        """The goods of a kind on the market; below them its prices, those up to the marker can be chosen."""
        id = COMMODITY.label(commodity)
        marker = self.s["prices"][commodity]
        count = self.s["goods_market"][commodity]
        x = 61 * commodity
        levels = [
            {
                "level": level,
                "y": 70 + (LEVELS - level) * 33,
                "reached": level <= marker,
                "marker": level == marker,
                "parts": _inline(
                    _effect_signs(self.box.prices[commodity][level - 1]),
                    x + 33,
                    86 + (LEVELS - level) * 33,
                    42,
                    scale=0.56,
                    size=17,
                ),
                "name": self._say(
                    "price" if level <= marker else "price.above",
                    commodity=commodity,
                    level=level - 1,
                    text=self.describer.price(commodity, level - 1),
                ),
            }
            for level in range(LEVELS, 0, -1)
        ]
        what = self._say("market", n=count, what=self.words.name("commodity", commodity))
        name = f"{what}. {self._say('column', commodity=commodity, n=marker)}"
        return _draw("stall", id=id, x=x, levels=levels, name=name, count=count)

    # -- paths -----------------------------------------------------------------------------------------------------

    @kept
    def priests(self) -> Region:
        """The priests' path: stepping stones in two bends."""
        most = self.box.max_priests
        first = (most + 2) // 2
        step = 214 / max(1, first - 1)
        places = [
            (18 + at * step, 80 - at % 2 * 6)
            if at < first
            else (18 + (2 * first - 1 - at - 0.5) * step, 30 - at % 2 * 6)
            for at in range(most + 1)
        ]
        return self._path("priests", places, {})

    @kept
    def tattoos(self) -> Region:
        """The tattoos: a band of bark cloth in two lines, one colour for each rank."""
        most = self.box.max_tattoos
        first = (most + 2) // 2
        places = [(21 + at % first * 250 / first, 30 + at // first * 52) for at in range(most + 1)]
        ranks = {at: self.words.name("rank", rank) for rank, at in enumerate(self.box.rank_tattoos)}
        return self._path("tattoos", places, ranks)

    def _path(self, id: str, places: Sequence[tuple[float, float]], ranks: Mapping[int, str]) -> Region:
        at = self.s[id]
        rank, fields = 0, []
        for number, (x, y) in enumerate(places):
            rank += number in ranks and number > 0
            here = [seat for seat in range(self.view["seats"]) if at[seat] == number]
            fields.append(
                {
                    "number": number,
                    "x": x,
                    "y": y,
                    "rank": rank,
                    "title": ranks.get(number, ""),
                    "seats": [
                        (seat, x + dx, y + dy, r) for seat, (dx, dy, r) in zip(here, _beside(len(here)), strict=True)
                    ],
                }
            )
        listed = ", ".join(f"{self.words.seat(seat)} {n}" for seat, n in enumerate(at))
        markup = _draw("path", id=id, name=f"{self._say(id)}: {listed}", fields=fields)
        return self._area(id, self._say(id), Drawing(id, 250, 104, markup))

    # -- the statues -----------------------------------------------------------------------------------------------

    def statues(self) -> list[Region]:
        """The statues with their task tiles on them."""
        return [self._statue(statue) for statue in range(STATUES)]

    @kept
    def _statue(self, statue: int) -> Region:
        """The task rows of a statue, from top to bottom."""
        first = statue * SPACES_EACH
        tiles = []
        rows = [row for row in self.box.rows if row[0] in range(first, first + SPACES_EACH)]
        for number, row in enumerate(rows):
            for place, space in enumerate(row):
                tiles.append(self._tile(statue, space, 95.5 - len(row) * 23 + place * 46, 62 + number * 36))
        locked = not self.s["unlocked"][statue]
        title = self._say("statue.locked" if locked else "statue", number=statue + 1)
        plinth = _inline([str(statue + 1), "#vp", *(["#lock"] if locked else [])], 95, 322, 120, scale=0.42, size=16)
        markup = _draw("statue", number=statue, tiles=tiles, plinth=plinth, locked=locked)
        return self._area(f"statue-{statue}", title, Drawing(f"statue-{statue}", 190, 332, markup, title))

    def _tile(self, statue: int, space: int, x: float, y: float) -> dict[str, Any]:
        task = self.s["tiles"][space]
        tile: dict[str, Any] = {
            "id": self._id("space", space),
            "x": x,
            "y": y,
            "choice": "",
            "parts": [],
            "where": self.describer.space(space),
        }
        if task == NO_TILE:
            hidden = not self.s["revealed"][statue]
            tile |= {"kind": "hidden" if hidden else "empty"}
            tile["name"] = self._say("tile.hidden" if hidden else "tile.empty", n=statue + 1, where=tile["where"])
            return tile
        tile["kind"] = TASK_KINDS[self.box.task_kind[task]]
        tile["parts"] = self._task_parts(task, x, y)
        tile["name"] = self._say("tile", n=self.box.task_vp[task], text=self.describer.task(task), where=tile["where"])
        if self.box.task_kind[task] != AUCTION:
            tile["choice"] = f"build {tile['id']}"
        return tile

    def _task_parts(self, task: int, x: float, y: float) -> list[dict[str, Any]]:
        return _inline(self._task_signs(task), x + 22, y + 16.5, 39, scale=0.58, size=16, gap=1)

    def _task_signs(self, task: int) -> list[str]:
        """What a task demands, in numbers and signs: 3+ at least three, 2= two alike, 3≠ all different."""
        box = self.box
        measure, least = MEASURES[box.task_measure[task]], box.task_least[task]
        if box.task_pattern[task]:
            parts: list[str] = []
            for key, n in box.task_pattern[task]:
                if key in COMMODITY.names:
                    parts += ["#" + key] if n == 1 else [str(n), "#" + key]
                else:
                    parts.append(f"{'+' if parts else ''}{n}{_PATTERNS[key]}")
            named = all(key in COMMODITY.names for key, _ in box.task_pattern[task])
            return parts if named else [*parts, "#commodity"]
        if measure == "auction":
            return ["#auction"]
        if measure == "min_rank":
            return [f"{box.rank_tattoos[least]}+", "#tattoo"]
        if measure == "min_same_assistants":
            return [f"{least}=", "#helpers"]
        paid = measure in ("pearls", "mana", "rituals", "masks")
        return [str(least) if paid else f"{least}+", "#" + _MEASURE_SIGNS[measure]]

    # -- rituals ---------------------------------------------------------------------------------------------------

    def _ritual(
        self,
        card: int,
        id: str,
        choice: str,
        *,
        owner: int | None = None,
        dim: bool = False,
        source: int | None = None,
        worded: bool = False,
        bagged: bool = False,
    ) -> Drawing:
        """A ritual card. source: the mana there was for it in the row. worded: with its text. bagged: in the bag."""
        box = self.box
        cost = box.ritual_cost[card]
        title = self.words.name("ritual", card)
        kind = RITUAL_KINDS[box.ritual_kind[card]]
        name = self._ritual_name(card)
        if owner is not None and owner != NOBODY:
            name += " " + self._say("owner", seat=owner)
        outcome = ""
        if source is not None:
            key = "carried_out" if source >= cost else "failed"
            outcome = self._say("outcome", n=source, total=source - cost) if source >= cost else str(source)
            name += " " + self._say(f"{key}.name", n=source, total=source - cost)
        width, height = _RITUAL_WITH_TEXT if worded else _RITUAL
        lines = self._ritual_signs(card)
        top, bottom = 38, (90 if worded else 100)
        step = min(30.0, (bottom - top) / len(lines))
        first = (top + bottom) / 2 - step * (len(lines) - 1) / 2
        signs = [
            _inline(
                parts, (width + 30) / 2, first + at * step, width - 42, scale=0.62 if len(lines) < 3 else 0.5, size=17
            )
            for at, parts in enumerate(lines)
        ]
        markup = _draw(
            "ritual",
            id=id,
            name=name,
            title=title,
            squeezed=text_width(title, 14) > width - 14,
            text=self.describer.ritual(card) if worded else "",
            signs=[each for line in signs for each in line],
            cost=cost,
            kind=kind,
            deck=DECK.label(box.ritual_deck[card]),
            choice=choice,
            owner=NOBODY if owner is None else owner,
            dim=dim,
            outcome=outcome,
            source=source,
            bagged=bagged,
            width=width,
            height=height,
        )
        return Drawing(f"ritual-{id}", width, height, markup)

    def _ritual_name(self, card: int) -> str:
        kind = RITUAL_KINDS[self.box.ritual_kind[card]]
        text = self.describer.ritual(card)
        return self._say("ritual", ritual=card, n=self.box.ritual_cost[card], kind=self._say(f"kind.{kind}"), text=text)

    def _ritual_signs(self, card: int) -> list[list[str]]:
        """What a ritual does, one line of signs for each effect."""
        box = self.box
        lines = [_effect_line(effect) for effect in box.ritual_effects[card]]
        for event, effects in box.ritual_triggers[card]:
            lines += [["#" + _TRIGGER_SIGNS[TRIGGERS[event]], "›", *_effect_line(effect)] for effect in effects]
        for modifier, amount in box.ritual_modifiers[card]:
            key, _, about = MODIFIERS[modifier].partition(" ")
            if key == "task_discount":
                lines.append(["#statue", "#" + _CATEGORY_SIGNS[about], f"−{amount}"])
            else:
                lines.append([*(["#marae"] if about == "marae" else []), *_MODIFIER_SIGNS[key], f"+{amount}"])
        if box.ritual_vp[card]:
            lines.append([str(box.ritual_vp[card]), "#vp"])
        return lines

    def _chip(self, seat: int, place: int, card: int, at: Spot) -> Markup:
        """A permanent ritual, before its seat."""
        line = self._ritual_signs(card)[0]
        parts = _inline(line, 50, 19, 80, scale=0.5, size=16, gap=2)
        return _draw("chip", id=f"permanent-{seat}-{place}", name=self._ritual_name(card), parts=parts, at=at)

    # -- what is one's own -----------------------------------------------------------------------------------------

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
            Fact("own-pearls", self._say("pearls"), str(s["pearls"][seat]), _sign("pearl"), s["pearls"][seat]),
            Fact("own-mana", self._say("mana"), str(s["mana"][seat]), _sign("mana"), s["mana"][seat]),
        ]
        for commodity, id in enumerate(COMMODITY.names):
            n = s["goods"][seat][commodity] + s["veiled"][seat].count(commodity)
            choice = f"sacrifice {id}; sell {id} *; pay {id} *"
            label = self.words.name("commodity", commodity)
            facts.append(Fact(f"own-{id}", label, str(n), _sign(id), n, choice))
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
        found = [Drawing(f"card-{id}", *_CARD, markup) for id, markup in self._helpers_of(seat, _alone)]
        found += [Drawing(f"mask-{id}", *_CARD, markup) for id, markup in self._masks_of(seat, _alone)]
        chips = [self._chip(seat, place, card, _alone(96)) for place, card in enumerate(self.s["permanents"][seat])]
        return found + [Drawing(f"chip-{place}", 96, 38, chip) for place, chip in enumerate(chips)]

    # -- what lies before each seat --------------------------------------------------------------------------------

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
            Fact(f"rank-{seat}", rank, str(s["tattoos"][seat]), _sign("tattoo"), s["tattoos"][seat], f"target {seat}"),
            Fact(f"priests-{seat}", self._say("priests"), str(s["priests"][seat]), _sign("priest"), s["priests"][seat]),
            Fact(f"rituals-{seat}", self._say("rituals"), str(rituals), _sign("ritual"), rituals),
            Fact(f"goods-{seat}", self._say("goods"), str(goods), _sign("commodity"), goods),
            Fact(f"tasks-{seat}", self._say("tasks"), str(done), _sign("statue"), done),
        ]
        if live["scores"][seat] is not None:
            facts.append(Fact(f"score-{seat}", self._say("score"), str(live["scores"][seat]), _sign("vp")))
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


class Pieces(_Table):
    """Every component alone, as the rules page shows it."""

    def __init__(self, game: Game, words: Words) -> None:
        super().__init__(game, game.new(game.seat_counts[0]).view(None), words)

    def location(self, location: int) -> Drawing:
        """A location card, not taken."""
        return self._location(location).drawings[0]

    def commodity(self, commodity: int) -> Drawing:
        """A commodity card."""
        id, name = f"piece-{COMMODITY.label(commodity)}", self.words.name("commodity", commodity)
        return Drawing(id, *_CARD, self._card(id, name, COMMODITY.label(commodity), "", _alone(0)))

    def assistant(self, assistant: int) -> Drawing:
        """An assistant card, ready."""
        id = f"piece-{ASSISTANT.label(assistant)}"
        return Drawing(id, *_CARD, self._helper(assistant, id, "", _alone(0)))

    def mask(self, god: int) -> Drawing:
        """A mask without a treasure."""
        id = f"piece-mask-{god}"
        return Drawing(id, *_CARD, self._mask(god, id, "", _alone(0)))

    def ritual(self, card: int) -> Drawing:
        """A ritual."""
        return self._ritual(card, f"piece-{card}", "")

    def task(self, task: int) -> Drawing:
        """A task tile, open."""
        tile = {
            "id": f"piece-{task}",
            "x": 0,
            "y": 0,
            "kind": TASK_KINDS[self.box.task_kind[task]],
            "parts": self._task_parts(task, 0, 0),
            "name": self.describer.task(task),
            "choice": "",
        }
        return Drawing(f"piece-task-{task}", 88, 66, _draw("task_alone", tile=tile))

    def gift(self, gift: int) -> Drawing:
        """A gift of a feast on its leaf."""
        return Drawing(f"piece-gift-{gift}", 100, 92, _draw("gift_alone", gift=self._gift(gift, 50)))


def thing_alone(id: str) -> Drawing:
    """What isn't a card: `bag`, `stone`, `disc`, `marker` of a price, `clip`, `screen`, `round`, or a sign."""
    return Drawing(f"piece-{id}", 80, 76, _draw("thing", id=id))


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


def _alone(_: float) -> Spot:
    """Where a thing lies that has a drawing to itself."""
    return 0.0, 0.0, 1.0


def _spread(n: int, width: float, height: float, size: tuple[int, int], *, start: bool = False) -> list[Spot]:
    """Places of n cards in a box, as large as they can be but not above their size; start: lines begin at the left."""
    gap = 4
    best, columns = 0.0, 1
    for each in range(1, n + 1):
        lines = -(-n // each)
        scale = min(1.0, (width / each - gap) / size[0], (height / lines - gap) / size[1])
        if scale >= best:
            best, columns = scale, each
    step, line = size[0] * best + gap, size[1] * best + gap
    spots = []
    for at in range(n):
        row, column = divmod(at, columns)
        here = min(columns, n - row * columns)
        left = 0.0 if start else (width - here * step + gap) / 2
        spots.append((left + column * step, row * line, best))
    return spots


def _width(items: Sequence[Mapping[str, Any]]) -> float:
    """How wide a line of signs and numbers is."""
    return float(sum(item["width"] for item in items) + 3 * max(0, len(items) - 1))


def _beside(many: int) -> list[tuple[float, float, float]]:
    """Where so many marks stand on one place of a path, and how large: in two lines from three, none over another."""
    if many <= 2:
        return [(16 * (each - (many - 1) / 2), -4, 7.5) for each in range(many)]
    above = (many + 1) // 2
    lines = [(above, -8.5), (many - above, 4.5)]
    return [(13 * (each - (beside - 1) / 2), y, 6) for beside, y in lines for each in range(beside)]


def _inline(
    parts: Sequence[str],
    x: float,
    y: float,
    room: float,
    *,
    scale: float = 0.5,
    size: float = 16,
    gap: float = 3,
    start: bool = False,
) -> list[dict[str, Any]]:
    """Signs ("#pearl") and texts ("2+") in one line around x, or from x on; smaller if the room is too narrow."""
    whole = sum(_part_width(part, scale, size) for part in parts) + gap * max(0, len(parts) - 1)
    if whole > room:
        shrunk = room / whole
        scale, size, gap, whole = scale * shrunk, size * shrunk, gap * shrunk, room
    at = x if start else x - whole / 2
    items = []
    for part in parts:
        width = _part_width(part, scale, size)
        sign = part[1:] if part.startswith("#") else ""
        items.append(
            {"sign": sign, "text": part, "x": at + width / 2, "y": y, "scale": scale, "size": size, "width": width}
        )
        at += width + gap
    return items


def _part_width(part: str, scale: float, size: float) -> float:
    return 38 * scale if part.startswith("#") else text_width(part, size)


def _sign(sign: str) -> Markup:
    return _draw("sign", sign=sign)


_ACTS: Final = ("dance", "buy", "bag", "fist", "perform", "statue")
"""The signs of the feast's acts."""

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

_PATTERNS: Final[Mapping[str, str]] = {"same": "=", "same_other": "=", "different": "≠", "any": ""}

_HAND_VERBS: Final[Mapping[str, str]] = {
    "prepare": "prepare",
    "tahua_ritual": "perform",
    "execute_ritual": "perform",
    "pay_rituals": "pay_ritual",
}
"""By prompt the verb of choices that the rituals of the hand stand for first of all."""

_MEASURE_SIGNS: Final[Mapping[str, str]] = {
    "pearls": "pearl",
    "mana": "mana",
    "rituals": "ritual",
    "masks": "masks",
    "min_priests": "priest",
    "min_assistants": "helpers",
}
_CATEGORY_SIGNS: Final[Mapping[str, str]] = {
    "pearls": "pearl",
    "mana": "mana",
    "commodities": "commodity",
    "condition": "condition",
    "rituals": "ritual",
    "masks": "masks",
}
_TRIGGER_SIGNS: Final[Mapping[str, str]] = {"reef_income": "reef", "priest_income": "priest", "forest_done": "forest"}
_MODIFIER_SIGNS: Final[Mapping[str, Sequence[str]]] = {
    "keep_bonus": ("#ritual",),
    "draw_bonus": ("#buy",),
    "neighbourhood_task": ("#hut", "#statue"),
    "extra_sale": ("#stall", "#commodity"),
    "bid_bonus": ("#auction",),
    "roll_bonus": ("#die", "#helpers"),
    "extra_gift": ("#gift",),
}
_VERB_SIGNS: Final[Mapping[str, str]] = {
    "gain_pearls": "pearl",
    "gain_mana": "mana",
    "gain_tattoo": "tattoo",
    "gain_priest": "priest",
    "path_action": "path",
    "add_mana_to_source": "bag",
    "take_commodity": "commodity",
    "take_assistant": "helpers",
    "take_mask": "masks",
    "draw_forest": "forest",
    "ready_assistants": "ready",
    "draw_rituals": "ritual",
    "execute_ritual": "perform",
    "complete_task": "statue",
    "raise_prices": "rise",
    "favour_first": "favour",
    "unlock_statue": "unlock",
    "steal_pearls": "pearl",
    "steal_mana": "mana",
    "steal_goods": "commodity",
    "steal_mask": "masks",
    "steal_assistant": "helpers",
    "lose_priest": "priest",
    "exhaust_assistants": "tired",
    "cancel_ritual": "cancel",
}
_WHO_SIGNS: Final[Mapping[str, Sequence[str]]] = {
    "self": (),
    "all": ("#everyone",),
    "each_other": ("#others",),
    "one_other": ("#other",),
}


def _effect_line(effect: Effect) -> list[str]:
    """An effect in signs: whom it is about, how many, of what."""
    verb = VERBS[effect.verb]
    counted = {DRAW_FOREST: effect.look, DRAW_RITUALS: effect.keep, STEAL_GOODS: effect.commodities}
    n = counted.get(effect.verb, effect.amount)
    number = "∞" if n == EVERY else str(n) if n > 1 else ""
    if effect.verb == LOSE_PRIEST:
        number = f"−{n}"
    elif effect.verb == COMPLETE_TASK and effect.free:
        number = "0="
    return [*_WHO_SIGNS[WHO[effect.who]], *([number] if number else []), "#" + _VERB_SIGNS[verb]]


def _effect_signs(effects: Sequence[Effect]) -> list[str]:
    """Several effects in one line; those of a single thing have a 1 before it."""
    parts: list[str] = []
    for effect in effects:
        line = _effect_line(effect)
        parts += line if len(line) > 1 else ["1", *line]
    return parts


def _treasure(cards: Sequence[tuple[int, Sequence[Effect]]], god: int) -> list[str]:
    """The treasure of a god's card in the forest."""
    return next((_effect_signs(effects) for each, effects in cards if each == god and effects), [])
