"""Raiatea's table: a temple court on tapa cloth, its locations, markets, statues, feast, and what each seat has."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from markupsafe import Markup

from atoll.engine import Game
from atoll.engine.words import Words
from atoll.picture import Brush, Drawing, Fact, Region

from .components import AUCTION, MEASURES, RITUAL_KINDS, VERBS, Effect, RaiateaBox
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
    SPACES_EACH,
    STATUES,
)
from .state import GIFTS, NO_TILE, NOBODY, TABLE

_TILE_WIDTH: Final = 86
_TILE_HEIGHT: Final = 62
_FAMILIES: Final = ("task", "helper", "colour")

_draw = Brush(__package__ or "atoll.games.raiatea")


def symbols() -> Markup:
    """Goods, helpers, faces of gods, and the small signs of effects."""
    return _draw("symbols")


def emblem() -> Drawing:
    """The temple court, for lists of games."""
    return Drawing("emblem-raiatea", 320, 200, _draw("emblem"))


def regions(game: Game, view: Mapping[str, Any], words: Words) -> list[Region]:
    """The court, the feast, the statues, the markets; the own screen's inside; what lies before each seat."""
    table = _Table(game, view, words)
    if view["state"]["phase"] == TABLE:
        return [Region("court", words.say("table.court"), "board", facts=[table.preparing()])]
    found = [table.row()] if view["state"]["row"] or view["state"]["blessed"] else []
    found.append(replace(table.festival() if table.feast else table.locations(), role="board"))
    if view["viewer"] is not None:
        found += table.screen(view["viewer"])
    market = [table.forest(), table.prices(), table.markets(), table.tracks()]
    # Tasks are completed at feasts; then they come before what the action rounds are about.
    if table.feast:
        found += [*table.statues(), replace(table.locations(), role="shared"), *market]
    else:
        found += [table.festival(), *market, *table.statues()]
    found += [table.seat(seat) for seat in range(view["seats"])]
    return found


class _Table:
    """One view in pictures."""

    def __init__(self, game: Game, view: Mapping[str, Any], words: Words) -> None:
        self.game: Game = game
        self.box: RaiateaBox = game.box
        self.view: Mapping[str, Any] = view
        self.s: Mapping[str, Any] = view["state"]
        self.words: Words = words
        self.describer: Describer = Describer(game.package, game.box, words.language)
        self.texts: Mapping[str, Sequence[str]] = self.box.texts[words.language]
        self.feast: bool = self.box.fields[self.s["field"]].feast > 0
        """Whether a feast is on: then the festival ground is the middle of the table, else the court."""

    def _say(self, key: str, **fields: Any) -> str:
        return self.words.say(f"table.{key}", fields)

    def _id(self, domain: str, index: int) -> str:
        return self.game.notation.name(domain, index)

    def preparing(self) -> Fact:
        """Before anything is dealt."""
        return Fact("preparing", self._say("preparing"), "")

    # -- the court -------------------------------------------------------------------------------------------------

    def locations(self) -> Region:
        """The six location cards: who has taken which, which one is being carried out."""
        drawings = []
        for location, id in enumerate(LOCATION.names or ()):
            takers = [seat for seat, taken in enumerate(self.s["taken"]) if taken == location]
            current = self.s["location"] == location
            name = self.words.name("location", location)
            texts = self.texts["location"][location], self.texts["kahuna"][location]
            about = f"{name}: {texts[0]} {self._say('kahuna')}: {texts[1]}"
            if takers:
                about += " " + self._say("taken", seat=takers[0])
            roll = self.box.bonus_roll[location]
            markup = _draw(
                "location",
                id=f"location-{id}",
                name=about,
                title=name,
                text=texts[0],
                kahuna=texts[1],
                choice=f"go {id}",
                css=("current " if current else "") + ("taken" if takers else "open"),
                place=id,
                roll=(ASSISTANT.names or ())[roll] if roll >= 0 else "",
                seat=takers[0] if takers else NOBODY,
            )
            drawings.append(Drawing(f"place-{id}", 268, 138, markup))
        return Region("court", self._say("court"), "board", drawings)

    def festival(self) -> Region:
        """Round track, favour stones, the bag, the decks of rituals."""
        drawings = [self._track(), self._favour()]
        if self.s["phase"] == GIFTS:
            drawings += [self._gift(gift) for gift in self.s["gifts"]]
        drawings += [self._deck(deck) for deck in range(2)]
        facts = [Fact("bag", self._say("bag"), str(self.s["bag_mana"]), _draw("sign", sign="mana"), self.s["bag_mana"])]
        return Region("festival", self._say("festival"), "shared", drawings, facts)

    def _track(self) -> Drawing:
        used = self.box.track[self.view["seats"]]
        now = used.index(self.s["field"])
        fields = [
            {
                "feast": self.box.fields[field].feast,
                "now": place == now,
                "done": place < now,
                "x": 4 + place * 39,
                "number": 1 + sum(not self.box.fields[each].feast for each in used[:place]),
            }
            for place, field in enumerate(used)
        ]
        key = "now_feast" if fields[now]["feast"] else "now_round"
        name = self._say(key, number=fields[now]["feast"] or fields[now]["number"])
        return Drawing("round-track", 358, 56, _draw("track", fields=fields, name=name))

    def _favour(self) -> Drawing:
        seats = self.s["favour"]
        offers = self.s["offers"]
        order = ", ".join(
            self.words.seat(seat) + (f" ({self._say('offer', n=offers[seat])})" if offers else "") for seat in seats
        )
        name = self._say("favour", order=order)
        stones = [
            {"seat": seat, "x": 36 + place * 62, "offer": offers[seat] if offers else None}
            for place, seat in enumerate(seats)
        ]
        width = 10 + 62 * len(seats)
        markup = _draw("favour", stones=stones, name=name, width=width)
        return Drawing("favour", width, 92 if offers else 64, markup)

    def _gift(self, gift: int) -> Drawing:
        id = (GIFT.names or ())[gift]
        name = self.describer.gift(gift)
        sign = ("tattoo", "commodity", "pearl")[gift]
        return Drawing(f"gift-{id}", 112, 72, _draw("gift", id=id, name=name, sign=sign, choice=f"accept {id}"))

    def _deck(self, deck: int) -> Drawing:
        id = (DECK.names or ())[deck]
        left = (self.s["decks"][deck] or {"count": 0})["count"]
        discards = self.s["discards"][deck]
        title = self.words.name("deck", deck)
        listed = ", ".join(self.words.name("ritual", card) for card in discards)
        markup = _draw(
            "deck",
            id=id,
            title=title,
            left=left,
            discarded=len(discards),
            name=self._say("deck", deck=deck, left=left, discarded=len(discards)),
            help=self._say("discards", cards=listed) if listed else "",
            choice=f"draw {id}; buy {id}",
        )
        return Drawing(f"deck-{id}", 172, 92, markup)

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
            drawings.append(self._ritual(card, f"row-{place}", choice, owner=owner, dim=left < 0, waits=True))
        return Region("row", self._say("row"), "board", drawings, flow="strip")

    def _source(self) -> Drawing:
        """The mana source; while the row is shown step by step its number runs down."""
        left = self.s["bag_mana"]
        name = f"{self._say('source')}: {left}"
        markup = _draw("source", name=name, title=self._say("source"), left=left, skip=self._say("show.skip"))
        return Drawing("source", 174, 182, markup)

    def forest(self) -> Region:
        """The forest display and its deck."""
        drawings = [self._forest_card(card, f"display-{place}") for place, card in enumerate(self.s["display"])]
        count = (self.s["forest_deck"] or {"count": 0})["count"]
        facts = [Fact("forest-deck", self._say("forest_deck"), str(count), _draw("sign", sign="forest"), count)]
        return Region("forest", self._say("forest"), "shared", drawings, facts)

    def _forest_card(self, card: int, id: str) -> Drawing:
        choice = f"pick {self._id('forest_card', card)}"
        if card < COMMODITIES:
            return self._card(id, self.words.name("commodity", card), (COMMODITY.names or ())[card], choice)
        if card < FIRST_FOREST_MASK:
            return self._helper(card - COMMODITIES, id, choice)
        god = self.box.mask_cards[card - FIRST_FOREST_MASK][0]
        return self._mask(god, id, choice, treasure=self.describer.treasure(card))

    def _card(self, id: str, name: str, sign: str, choice: str, *, count: int = -1, help: str = "") -> Drawing:
        markup = _draw("card", id=id, name=name, sign=sign, choice=choice, count=count, help=help)
        return Drawing(f"card-{id}", 84, 96, markup)

    def _helper(self, assistant: int, id: str, choice: str, *, count: int = -1, turned: int = -1) -> Drawing:
        sign = (ASSISTANT.names or ())[assistant]
        help = f"{self.texts['permanent'][assistant]} {self.texts['send'][assistant]}"
        name = self.words.name("assistant", assistant)
        if turned >= 0:
            name = self._say("helpers", assistant=assistant, ready=count, exhausted=turned)
        markup = _draw("helper", id=id, name=name, sign=sign, choice=choice, count=count, turned=turned, help=help)
        return Drawing(f"card-{id}", 84, 96, markup)

    def _mask(self, god: int, id: str, choice: str, *, treasure: str = "", pair: str = "") -> Drawing:
        box = self.box
        mirror = god == MIRROR_MASK
        name = self.words.name("mask", god)
        help = " ".join(filter(None, (self.describer.mask(god), treasure)))
        markup = _draw(
            "mask",
            id=id,
            name=name if not pair else self._say(f"pair.{pair}", mask=god),
            title=self._say("mirror") if mirror else name,
            colour="mirror" if mirror else f"colour-{box.god_colour[god]}",
            family="mirror" if mirror else _FAMILIES[box.god_family[god]],
            counts=self._counts(god),
            treasure=_signs(box.mask_cards, god) if treasure else [],
            pair=pair,
            choice=choice,
            help=help,
        )
        return Drawing(f"mask-{id}", 84, 96, markup)

    def _counts(self, god: int) -> str:
        """The sign of what a pair of the god counts."""
        box = self.box
        if god == MIRROR_MASK or box.god_counts[god] < 0:
            return ""
        if box.god_family[god] == 0:
            return ("pearl", "mana", "commodity", "condition", "ritual", "masks")[box.god_counts[god]]
        return (ASSISTANT.names or ())[box.god_counts[god]]

    def markets(self) -> Region:
        """Goods, helpers and masks that can be taken."""
        drawings = []
        for commodity, id in enumerate(COMMODITY.names or ()):
            count = self.s["goods_market"][commodity]
            name = self._say("market", n=count, what=self.words.name("commodity", commodity))
            drawings.append(self._card(f"market-{id}", name, id, f"take {id}", count=count))
        for assistant, id in enumerate(ASSISTANT.names or ()):
            count = self.s["assistant_market"][assistant]
            drawings.append(self._helper(assistant, f"market-{id}", f"hire {id}; enlist {id}", count=count))
        for place, god in enumerate(self.s["mask_market"]):
            drawings.append(self._mask(god, f"market-mask-{place}", f"claim {self._id('mask', god)}"))
        return Region("markets", self._say("markets"), "shared", drawings)

    def prices(self) -> Region:
        """The price columns; levels up to the marker can be chosen when selling."""
        columns = []
        for commodity, id in enumerate(COMMODITY.names or ()):
            marker = self.s["prices"][commodity]
            levels = [
                {
                    "level": level,
                    "y": 44 + (LEVELS - level) * 46,
                    "lit": level <= marker,
                    "marker": level == marker,
                    "signs": _effect_signs(self.box.prices[commodity][level - 1]),
                    "name": self._say(
                        "price" if level <= marker else "price.above",
                        commodity=commodity,
                        level=level - 1,
                        text=self.describer.price(commodity, level - 1),
                    ),
                }
                for level in range(LEVELS, 0, -1)
            ]
            name = self._say("column", commodity=commodity, n=marker)
            columns.append({"id": id, "x": commodity * 90, "levels": levels, "name": name})
        return Region(
            "prices",
            self._say("prices"),
            "shared",
            [Drawing("price-columns", 356, 232, _draw("prices", columns=columns))],
        )

    def tracks(self) -> Region:
        """Tattoos with the ranks, and priests."""
        drawings = []
        for id, most in (("tattoos", self.box.max_tattoos), ("priests", self.box.max_priests)):
            step = 340 / (most + 1)
            ranks = dict(zip(self.box.rank_tattoos, range(len(self.box.rank_ids)), strict=True))
            places = [
                {
                    "x": 9 + place * step,
                    "width": step - 2,
                    "number": place,
                    "rank": id == "tattoos" and place in ranks,
                    "seats": [seat for seat, at in enumerate(self.s[id]) if at == place],
                }
                for place in range(most + 1)
            ]
            listed = ", ".join(f"{self.words.seat(seat)} {at}" for seat, at in enumerate(self.s[id]))
            name = f"{self._say(id)}: {listed}"
            drawings.append(Drawing(id, 358, 118, _draw("scale", id=id, title=self._say(id), name=name, places=places)))
        return Region("tracks", self._say("tracks"), "shared", drawings, folded=True)

    # -- the statues -----------------------------------------------------------------------------------------------

    def statues(self) -> list[Region]:
        """The statues with their tasks; those that still lie face down by themselves."""
        shown = [self._statue(statue) for statue in range(STATUES) if self.s["revealed"][statue]]
        hidden = [self._statue(statue) for statue in range(STATUES) if not self.s["revealed"][statue]]
        found = [Region("statues", self._say("statues"), "shared", shown)]
        if hidden:
            found.append(Region("hidden-statues", self._say("statues.hidden"), "shared", hidden, folded=True))
        return found

    def _statue(self, statue: int) -> Drawing:
        """The task rows of a statue, from top to bottom."""
        first = statue * SPACES_EACH
        tiles = []
        rows = [row for row in self.box.rows if row[0] in range(first, first + SPACES_EACH)]
        for number, row in enumerate(rows):
            width = len(row) * (_TILE_WIDTH + 4) - 4
            for place, space in enumerate(row):
                x = (358 - width) / 2 + place * (_TILE_WIDTH + 4)
                tiles.append(self._tile(statue, space, x, 30 + number * (_TILE_HEIGHT + 4)))
        locked = not self.s["unlocked"][statue]
        title = self._say("statue.locked" if locked else "statue", number=statue + 1)
        height = 30 + len(rows) * (_TILE_HEIGHT + 4)
        # Face down there is nothing to read or to choose.
        scale = 1.0 if self.s["revealed"][statue] else 0.6
        label = title if scale == 1 else self._say("statue", number=statue + 1)
        markup = _draw("statue", label=label, tiles=tiles, height=height, locked=locked, scale=scale)
        return Drawing(f"statue-{statue}", 358 * scale, 28 + (height - 28) * scale, markup, title)

    def _tile(self, statue: int, space: int, x: float, y: float) -> dict[str, Any]:
        task = self.s["tiles"][space]
        tile: dict[str, Any] = {
            "id": self._id("space", space),
            "x": x,
            "y": y,
            "vp": statue + 1,
            "choice": "",
            "signs": [],
            "where": self.describer.space(space),
        }
        if task == NO_TILE:
            hidden = not self.s["revealed"][statue]
            tile |= {"kind": "hidden" if hidden else "empty"}
            tile["name"] = self._say("tile.hidden" if hidden else "tile.empty", n=statue + 1, where=tile["where"])
            return tile
        tile["kind"] = ("resource", "condition", "auction")[self.box.task_kind[task]]
        tile["signs"] = self._task_signs(task)
        tile["name"] = self._say("tile", n=self.box.task_vp[task], text=self.describer.task(task), where=tile["where"])
        if self.box.task_kind[task] != AUCTION:
            tile["choice"] = f"build {tile['id']}"
        return tile

    def _task_signs(self, task: int) -> list[tuple[str, str]]:
        """What a task demands, as pairs of a number and a sign."""
        box = self.box
        measure, least = MEASURES[box.task_measure[task]], box.task_least[task]
        if box.task_pattern[task]:
            commodities = COMMODITY.names or ()
            return [
                ("" if key in commodities and n == 1 else str(n), _pattern_sign(key))
                for key, n in box.task_pattern[task]
            ]
        if measure == "auction":
            return [("", "auction")]
        if measure == "min_rank":
            return [(f"{box.rank_tattoos[least]}+", "tattoo")]
        if measure == "min_same_assistants":
            return [(f"{least}=", "helpers")]
        paid = measure in ("pearls", "mana", "rituals", "masks")
        return [(str(least) if paid else f"{least}+", _MEASURE_SIGNS[measure])]

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
        waits: bool = False,
    ) -> Drawing:
        """A ritual card. source: the mana that was there for it in the row. waits: its turn in the row is to come."""
        box = self.box
        cost = box.ritual_cost[card]
        title = self.words.name("ritual", card)
        text = self.describer.ritual(card)
        kind = RITUAL_KINDS[box.ritual_kind[card]]
        name = self._say("ritual", ritual=card, n=box.ritual_cost[card], kind=self._say(f"kind.{kind}"), text=text)
        if owner is not None and owner != NOBODY:
            name += " " + self._say("owner", seat=owner)
        outcome = ""
        if source is not None:
            key = "carried_out" if source >= cost else "failed"
            outcome = self._say(key, n=source, total=source - cost)
            name += " " + self._say(f"{key}.name", n=source, total=source - cost)
        elif waits:
            outcome = self._say("waits")
        markup = _draw(
            "ritual",
            id=id,
            name=name,
            title=title,
            text=text,
            cost=cost,
            kind=kind,
            kind_name=self._say(f"kind.{kind}"),
            deck=(DECK.names or ())[box.ritual_deck[card]],
            choice=choice,
            owner=NOBODY if owner is None else owner,
            dim=dim,
            outcome=outcome,
            source=source,
        )
        return Drawing(f"ritual-{id}", 174, 182 if outcome else 150, markup)

    def screen(self, seat: int) -> list[Region]:
        """What lies behind the viewer's screen: rituals, cards to choose from, what is in the bag, goods."""
        s = self.s
        found = []
        drawn = [
            self._ritual(card, f"drawn-{place}", f"keep {self._id('ritual', card)}")
            for place, card in enumerate(s["drawn"][seat])
        ]
        looked = [self._forest_card(card, f"looked-{place}") for place, card in enumerate(s["looked"][seat])]
        if drawn or looked:
            found.append(Region("drawn", self._say("drawn"), "hand", drawn + looked))
        bag = [self._ritual(card, f"bag-{place}", "") for place, card in enumerate(s["bag"][seat])]
        if bag:
            found.append(Region("in-bag", self._say("in_bag"), "hand", bag))
        verbs = ("prepare", "perform", "shaman", "pay_ritual")
        hand = [
            self._ritual(card, f"hand-{place}", "; ".join(f"{verb} {self._id('ritual', card)}" for verb in verbs))
            for place, card in enumerate(s["hands"][seat])
        ]
        goods = [n + s["veiled"][seat].count(commodity) for commodity, n in enumerate(s["goods"][seat])]
        for commodity, id in enumerate(COMMODITY.names or ()):
            if goods[commodity]:
                name = self._say("own", n=goods[commodity], what=self.words.name("commodity", commodity))
                choice = f"sacrifice {id}; sell {id} *; pay {id} *"
                hand.append(self._card(f"own-{id}", name, id, choice, count=goods[commodity]))
        facts = [
            Fact("own-pearls", self._say("pearls"), str(s["pearls"][seat]), _sign("pearl"), s["pearls"][seat]),
            Fact("own-mana", self._say("mana"), str(s["mana"][seat]), _sign("mana"), s["mana"][seat]),
        ]
        found.append(Region("screen", self._say("screen"), "hand", hand, facts))
        return found

    # -- what lies before each seat --------------------------------------------------------------------------------

    def seat(self, seat: int) -> Region:
        """Rank, priests, counts behind the screen; helpers, masks, pairs, permanent rituals."""
        s, live = self.s, self.view["live"]
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
            facts.append(Fact(f"score-{seat}", self._say("score"), str(live["scores"][seat]), _sign("auction")))
        own = seat == self.view["viewer"]
        drawings = list(self._helpers_of(seat, own))
        drawings += self._masks_of(seat, own)
        drawings += [
            self._ritual(card, f"permanent-{seat}-{place}", "") for place, card in enumerate(s["permanents"][seat])
        ]
        return Region(f"court-{seat}", "", "seat", drawings, facts, seat=seat)

    def _helpers_of(self, seat: int, own: bool) -> Iterable[Drawing]:
        sent = ("gather", "trade *", "shaman *", "")
        for assistant, id in enumerate(ASSISTANT.names or ()):
            ready, exhausted = self.s["ready"][seat][assistant], self.s["exhausted"][seat][assistant]
            if not ready + exhausted:
                continue
            choice = f"steal_assistant {id} *"
            if own:
                choice = "; ".join(filter(None, (sent[assistant], f"ready {id}", f"exhaust {id}")))
            yield self._helper(assistant, f"helper-{seat}-{id}", choice, count=ready, turned=exhausted)

    def _masks_of(self, seat: int, own: bool) -> list[Drawing]:
        found = []
        for place, god in enumerate(self.s["masks"][seat]):
            id = self._id("mask", god)
            choice = f"place {id}; mirror {id}; pay_mask {id}" if own else f"steal_mask {id}"
            found.append(self._mask(god, f"own-mask-{seat}-{place}", choice))
        for pair, gods in (("natural", self.s["pairs"][seat]), ("mirrored", self.s["mirrored"][seat])):
            found += [self._mask(god, f"{pair}-{seat}-{place}", "", pair=pair) for place, god in enumerate(gods)]
        return found


def _sign(sign: str) -> Markup:
    return _draw("sign", sign=sign)


def _pattern_sign(key: str) -> str:
    return key if key in (COMMODITY.names or ()) else {"same": "same", "same_other": "same"}.get(key, "commodity")


_MEASURE_SIGNS: Final[Mapping[str, str]] = {
    "pearls": "pearl",
    "mana": "mana",
    "rituals": "ritual",
    "masks": "masks",
    "min_priests": "priest",
    "min_assistants": "helpers",
}

_VERB_SIGNS: Final[Mapping[str, str]] = {
    "gain_pearls": "pearl",
    "gain_mana": "mana",
    "gain_tattoo": "tattoo",
    "gain_priest": "priest",
    "take_assistant": "helpers",
    "ready_assistants": "ready",
    "complete_task": "statue",
    "draw_rituals": "ritual",
    "draw_forest": "forest",
    "take_commodity": "commodity",
    "take_mask": "masks",
}


def _effect_signs(effects: Sequence[Effect]) -> list[tuple[str, str]]:
    """Effects as pairs of a number and a sign; those without a sign show a star and say more when looked at."""
    found = []
    for effect in effects:
        verb = VERBS[effect.verb]
        n = {"draw_forest": effect.look, "draw_rituals": effect.keep}.get(verb, effect.amount)
        found.append((str(n) if n > 0 else "", _VERB_SIGNS.get(verb, "star")))
    return found


def _signs(cards: Sequence[tuple[int, Sequence[Effect]]], god: int) -> list[tuple[str, str]]:
    """The treasure of a god's card in the forest."""
    return next((_effect_signs(effects) for each, effects in cards if each == god and effects), [])
