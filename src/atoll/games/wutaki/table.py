"""Wutaki's table: Buka's maw, the places of the cult with their workers, the pyramid, pacts, and what each seat has."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any, Final

from markupsafe import Markup

from atoll.engine import Game
from atoll.engine.words import Words
from atoll.picture import Brush, Drawing, Fact, Region
from atoll.picture.brush import text_width, wrap

from .components import DRAW_VENGEANCE, Board, Box, RoundCard
from .describe import action_in_words, cost_in_words, describe, effects_in_words
from .kinds import (
    ELEMENTS,
    FIRST_STANDARD,
    MAIN_PLACES,
    OWN_PLACE,
    PYRAMID,
    RESOURCES,
    ROUND_PLACE,
    STANDARD_PLACES,
    VILLAGE,
    WORKERS,
)

_WIDTH: Final = 176
_LINE: Final = 17
_SIZE: Final = 14
_SLOT: Final = 34
_BESIDE_SEAL: Final = 130  # between the left margin of a card and its seal
_LEAST_SCALE: Final = 0.875  # of a card's name

_draw = Brush(__package__ or "atoll.games.wutaki")


def symbols() -> Markup:
    """Workers, resources, elements, and Buka."""
    return _draw("symbols")


def emblem() -> Drawing:
    """Buka in his crater, for lists of games."""
    return Drawing("emblem-wutaki", 320, 200, _draw("emblem"))


def regions(game: Game, view: Mapping[str, Any], words: Words) -> list[Region]:
    """The maw, the places, the pyramid, the pacts; the viewer's cards; what stands before each seat."""
    table = _Table(game, view, words)
    found = [table.maw(), table.places()]
    if view["viewer"] is not None:
        found += table.hand(view["viewer"])
    found += [table.display(), table.pyramid(), table.counter(), table.tower_upgrades()]
    if view["state"]["boards_left"] and -1 in view["state"]["masterboard"]:
        found.insert(1, table.boards_left())
    found += [table.seat(seat) for seat in range(view["seats"])]
    return found


class _Table:
    """One view in pictures."""

    def __init__(self, game: Game, view: Mapping[str, Any], words: Words) -> None:
        self.game: Game = game
        self.box: Box = game.box
        self.view: Mapping[str, Any] = view
        self.s: Mapping[str, Any] = view["state"]
        self.words: Words = words
        self.board: Board = game.box.boards[self.s["side"]]

    def _say(self, key: str, **fields: Any) -> str:
        return self.words.say(f"table.{key}", fields)

    def _id(self, domain: str, index: int) -> str:
        return self.game.notation.name(domain, index)

    def _tell(self, domain: str, index: int) -> str:
        return describe(self.words, domain, index)

    # -- the maw ---------------------------------------------------------------------------------------------------

    def maw(self) -> Region:
        """Buka, and what lies in him; the common supply."""
        heap = [
            {"kind": RESOURCES[kind], "n": n, "x": 118 + place * 32}
            for place, (kind, n) in enumerate((kind, n) for kind, n in enumerate(self.s["maw"]) if n)
        ]
        listed = ", ".join(
            f"{n} {self.words.name('resource', kind)}" for kind, n in enumerate(self.s["maw"]) if n
        ) or self._say("nothing")
        markup = _draw("maw", heap=heap, name=self._say("maw.holds", what=listed), full=bool(heap))
        facts = [
            Fact(
                f"supply-{kind}",
                self._say("supply", resource=index),
                str(self.s["supply"][index]),
                _sign(kind),
                self.s["supply"][index],
                f"take {kind} *; bonus {kind}",
            )
            for index, kind in enumerate(RESOURCES)
        ]
        title = self._say("maw")
        return Region("maw", title, "board", [Drawing("maw", 356, 190, markup, title)], facts)

    # -- places ----------------------------------------------------------------------------------------------------

    def places(self) -> Region:
        """All places with their fields and who stands there, and what they give now."""
        drawings = [self._place(place, place) for place in range(len(MAIN_PLACES)) if place != PYRAMID]
        if self.s["round_card"] >= 0:
            drawings.insert(0, self._round())
        seats = range(self.view["seats"])
        drawings += [self._own_place(seat) for seat in seats if self.s["fields"][OWN_PLACE + seat]]
        return Region("places", self._say("places"), "board", drawings)

    def _yield(self, place: int) -> str:
        """What a standard place gives now, with upgrades, and to the viewer with its own bonuses."""
        standard = place - FIRST_STANDARD
        live = self.view["live"].get("yields")
        level = len(self.s["markers"][standard])
        n = live[standard] if live else self.board.places[place].yields[level]
        kind = self.board.places[place].kind
        text = self._say("hires", n=n) if place == VILLAGE else self._say("yields", n=n, resource=kind)
        discount = self._round_card().hire_discount
        if place == VILLAGE and discount:
            text += " " + self._say("hires_for_less", n=discount)
        own = self.s["markers"][standard].count(self.view["viewer"])
        if own:
            bonus = self._say("or").join(self.words.name("resource", each) for each in self.board.places[place].bonus)
            text += " " + self._say("own_bonus", n=own, what=bonus)
        return text

    def _place(self, place: int, spot: int) -> Drawing:
        id = MAIN_PLACES[place]
        action = self.board.places[place].action
        if self._round_card().quiet[place]:  # no vengeance card is drawn here in this round
            action = replace(action, effects=tuple(each for each in action.effects if each.verb != DRAW_VENGEANCE))
        text = action_in_words(self.words, action)
        slots: list[dict[str, Any]] = []
        sign = ""
        if place in range(FIRST_STANDARD, FIRST_STANDARD + len(STANDARD_PLACES)):
            text = self._yield(place)
            slots = self._slots(place - FIRST_STANDARD)
            kind = self.board.places[place].kind
            sign = RESOURCES[kind] if kind >= 0 else "extra"
        choice = f"visit * {id}; crowd_in * {id}; chase {id} *; recall * {id}; leave * {id}" + (
            f"; upgrade {id}; marker {id} *" if slots else ""
        )
        return self._tile(f"place-{id}", self.words.name("place", place), text, spot, choice, slots=slots, sign=sign)

    def _round_card(self) -> RoundCard:
        card = self.s["round_card"]
        found: RoundCard = self.box.in_round[card]
        return found

    def _slots(self, standard: int) -> list[dict[str, Any]]:
        owners = self.s["markers"][standard]
        discount = self._round_card().upgrade_discount
        return [
            {"seat": owners[slot] if slot < len(owners) else -1, "price": max(0, price - discount)}
            for slot, price in enumerate(self.board.upgrade_prices)
        ]

    def _round(self) -> Drawing:
        card = self.s["round_card"]
        text = self._tell("round_card", card)
        choice = "visit * round_place; crowd_in * round_place; chase round_place *; recall * round_place"
        title = self.words.name("round_card", card)
        return self._tile("place-round_place", title, text, ROUND_PLACE, choice, css="round", sign="torch")

    def _own_place(self, seat: int) -> Drawing:
        face = self.box.masterboards[self.s["masterboard"][seat]]
        assert face.own_place is not None
        title = self.words.name("masterboard", self.s["masterboard"][seat])
        text = f"{self.words.seat(seat)}: {action_in_words(self.words, face.own_place)}"
        own = seat == self.view["viewer"]
        choice = "visit * own_place; crowd_in * own_place; recall * own_place" if own else ""
        return self._tile(f"place-own-{seat}", title, text, OWN_PLACE + seat, choice, css="own", sign="mask")

    def _tile(
        self,
        id: str,
        title: str,
        text: str,
        spot: int,
        choice: str,
        *,
        slots: list[dict[str, Any]] | None = None,
        css: str = "",
        sign: str = "",
    ) -> Drawing:
        heading = wrap(title, _WIDTH - (56 if sign else 36), 20)
        lines = wrap(text, _WIDTH - 20, _SIZE)
        fields = self.s["fields"][spot]
        rows = -(-max(len(fields), 1) // 5)
        top = 15 + len(heading) * 19 + len(lines) * _LINE + 6
        height = top + rows * _SLOT + (28 if slots else 0) + 6
        guest = self.s["guest"]
        standing: list[dict[str, Any]] = []
        present: list[str] = []
        for field, who in enumerate(fields):
            x, y = 22 + field % 5 * _SLOT, top + field // 5 * _SLOT + 15
            pair = [who] + ([guest[2]] if len(guest) == 3 and guest[0] == spot and guest[1] == field else [])
            there = [self._who(each) for each in pair if each >= 0]
            present += [worker["name"] for worker in there]
            standing.append({"x": x, "y": y, "field": field + 1, "who": there})
        name = f"{title}. {text}" + (f" {self._say('there', who=', '.join(present))}" if present else "")
        markup = _draw(
            "place",
            id=id,
            name=name,
            heading=heading,
            lines=lines,
            choice=choice,
            fields=standing,
            slots=slots or [],
            slots_y=top + rows * _SLOT + 2,
            height=height,
            css=css,
            sign=sign,
        )
        return Drawing(f"box-{id}", _WIDTH, height, markup)

    def _who(self, who: int) -> dict[str, Any]:
        seat, kind = divmod(who, len(WORKERS))
        name = self._say("worker", seat=seat, worker=kind)
        return {"seat": seat, "kind": WORKERS[kind], "name": name}

    # -- pyramid, pacts, counter, towers -----------------------------------------------------------------------------

    def pyramid(self) -> Region:
        """The four levels with their room, price and points."""
        levels = []
        for number, level in enumerate(self.board.levels):
            cost = cost_in_words(self.words, level.climb.cost)
            effects = effects_in_words(self.words, level.climb.effects)
            levels.append(
                {
                    "y": 8 + (3 - number) * 52,
                    "inset": number * 18,
                    "vp": level.vp,
                    "tokens": [{"n": n, "kind": RESOURCES[kind]} for kind, n in level.climb.cost.tokens.printed],
                    "seats": [seat for seat, at in enumerate(self.s["pyramid"]) if at == number + 1],
                    "room": level.room,
                    "name": self._say("level", number=number + 1, cost=cost, vp=level.vp, room=level.room)
                    + (f" {effects}." if effects else ""),
                }
            )
        markup = _draw("pyramid", levels=levels)
        place = self._tile(
            "place-pyramid",
            self.words.name("place", PYRAMID),
            action_in_words(self.words, self.board.places[PYRAMID].action),
            PYRAMID,
            "visit * pyramid; crowd_in * pyramid; chase pyramid *; recall * pyramid; leave * pyramid",
        )
        title = self.words.name("place", PYRAMID)
        return Region("pyramid", title, "shared", [Drawing("pyramid-levels", 356, 222, markup, title), place])

    def display(self) -> Region:
        """The open pacts, leftmost slot first, with the gold that a slot brings or costs."""
        drawings = []
        for slot, pact in enumerate(self.s["display"]):
            if pact < 0:
                continue
            gold = self.board.slot_gold[slot]
            id = self._id("pact", pact)
            drawings.append(self._pact(pact, f"display-{slot}", f"accept {id}; gift {id}", gold=gold))
        count = self.s["pact_deck"]["count"]
        facts = [Fact("pact-deck", self._say("pact_deck"), str(count), _sign("scroll"), count)]
        return Region("display", self._say("display"), "shared", drawings, facts)

    def _pact(self, pact: int, id: str, choice: str, *, gold: int = 0) -> Drawing:
        element = ELEMENTS[self.box.pacts[pact].element]
        name = self.words.name("element", self.box.pacts[pact].element)
        text = self._tell("pact", pact)
        return self._card(
            id,
            "pact",
            pact,
            text,
            choice,
            css=f"pact {element}",
            sign=element,
            gold=gold,
            element=name,
        )

    def _card(
        self,
        id: str,
        domain: str,
        index: int,
        text: str,
        choice: str,
        *,
        css: str,
        sign: str,
        gold: int = 0,
        element: str = "",
    ) -> Drawing:
        title = self.words.name(domain, index)
        heading = wrap(title, _WIDTH - 68, 19)
        lines = wrap(text, _WIDTH - 20, _SIZE)
        top = 18 + len(heading) * 18
        height = max(96, top + 10 + len(lines) * _LINE + 8)
        if gold and text_width(lines[-1], _SIZE) > _WIDTH - 74:
            height = max(height, top + 3 + len(lines) * _LINE + 31)  # else the gold would cover the last words
        what = element or self._say(f"card.{css.partition(' ')[0]}")
        # One long word can't be broken: it is drawn smaller, to end before the seal in the widest of the fonts. What
        # would be too small to read is drawn narrower.
        fitted = []
        for line in heading:
            scale = min(1.0, _BESIDE_SEAL / text_width(line, 22))
            fitted.append((line, max(scale, _LEAST_SCALE), _BESIDE_SEAL / _LEAST_SCALE if scale < _LEAST_SCALE else 0))
        name = f"{title} ({what}). {text}" + (f" {self._say('slot_gold', n=gold)}" if gold else "")
        markup = _draw(
            "card",
            id=id,
            name=name,
            heading=fitted,
            lines=lines,
            top=top,
            height=height,
            choice=choice,
            css=css,
            sign=sign,
            gold=gold,
        )
        return Drawing(f"card-{id}", _WIDTH, height, markup)

    def counter(self) -> Region:
        """The pact counter with the spaces in use."""
        seats = self.view["seats"]
        spaces, at = [], 0
        while at not in spaces:
            spaces.append(at)
            at = self.board.counter_next[seats][at]
        shown = [
            {
                "x": 6 + place * 44,
                "number": space,
                "now": space == self.s["counter"],
                "sign": ("", "scroll", "pay")[self.board.counter_event[space] + 1],
            }
            for place, space in enumerate(spaces)
        ]
        name = self._say("counter", n=self.s["counter"])
        markup = _draw("counter", spaces=shown, name=name, text=self.words.say("rule.counter"))
        facts = [Fact("round", self._say("round"), str(self.s["round"]), _sign("torch"))]
        return Region("counter", self._say("counter.title"), "shared", [Drawing("counter", 356, 62, markup)], facts)

    def tower_upgrades(self) -> Region:
        """The tower upgrades still to be had."""
        drawings = [
            self._card(
                f"tower-{self._id('tower_upgrade', card)}",
                "tower_upgrade",
                card,
                self._tell("tower_upgrade", card),
                f"build {self._id('tower_upgrade', card)}",
                css="tower",
                sign=self._tower_sign(card),
            )
            for card in self.s["tower_left"]
        ]
        return Region("towers", self._say("towers"), "shared", drawings, folded=True)

    def _tower_sign(self, card: int) -> str:
        upgrade = self.box.tower_upgrades[card]
        if upgrade.element >= 0:
            return ELEMENTS[upgrade.element]
        return RESOURCES[self.board.places[upgrade.place].kind]

    def boards_left(self) -> Region:
        """The masterboards that can be picked."""
        drawings = [
            self._card(
                f"face-{face}",
                "masterboard",
                face,
                self._tell("masterboard", face),
                f"take_board {self._id('masterboard', face)}",
                css="masterboard",
                sign="mask",
            )
            for face in self.s["boards_left"]
        ]
        return Region("faces", self._say("faces"), "board", drawings)

    # -- the viewer's own ------------------------------------------------------------------------------------------

    def hand(self, seat: int) -> list[Region]:
        """The viewer's workers, pacts and secret cards."""
        s = self.s
        workers = []
        for kind, name in enumerate(WORKERS):
            count = s["home"][seat][kind]
            if count:
                choice = f"visit {name} *; crowd_in {name} *; idle {name}; leave {name} home"
                workers.append(self._worker(seat, kind, f"mine-{name}", choice, count))
        pacts = []
        for place, pact in enumerate(s["pacts"][seat]):
            id = self._id("pact", pact)
            pacts.append(self._pact(pact, f"own-pact-{place}", f"fulfil {id}; discard_pact {id}; gift {id}"))
        cards = []
        if s["element"][seat] >= 0:
            cards.append(self._plain("element_card", s["element"][seat], "element", "", "element"))
        for place, card in enumerate(s["secret_pacts"][seat]):
            choice = f"keep {self._id('secret_pact', card)}"
            cards.append(self._plain("secret_pact", card, f"secret-{place}", choice, "secret"))
        for place, card in enumerate(s["omens"][seat]):
            choice = f"play {self._id('omen', card)}; discard {self._id('omen', card)}"
            cards.append(self._plain("omen", card, f"omen-{place}", choice, "omen"))
        for place, card in enumerate(s["vengeance"][seat]):
            id = self._id("vengeance", card)
            choice = f"give_vengeance {id}; return_vengeance {id}"
            cards.append(self._plain("vengeance", card, f"vengeance-{place}", choice, "vengeance"))
        found = [Region("mine", self._say("mine"), "hand", workers + pacts)]
        if cards:
            found.append(Region("secrets", self._say("secrets"), "hand", cards))
        return found

    def _plain(self, domain: str, card: int, id: str, choice: str, css: str) -> Drawing:
        sign = {"element": "", "secret": "eye", "omen": "scroll", "vengeance": "skull", "ability": "torch"}[css]
        if css == "element":
            sign = ELEMENTS[self.box.elements[card].element]
        return self._card(id, domain, card, self._tell(domain, card), choice, css=css, sign=sign)

    def _worker(self, seat: int, kind: int, id: str, choice: str, count: int) -> Drawing:
        name = self._say("workers", worker=kind, n=count)
        markup = _draw("worker", id=id, name=name, seat=seat, kind=WORKERS[kind], count=count, choice=choice)
        return Drawing(f"box-{id}", 64, 76, markup)

    # -- what stands before each seat --------------------------------------------------------------------------------

    def seat(self, seat: int) -> Region:
        """Points, resources, counts of cards; workers, boards, pacts and upgrades."""
        s = self.s
        own = seat == self.view["viewer"]
        pick = f"to {seat}; from {seat}; winner {seat}; chase * {seat}"
        facts = [Fact(f"vp-{seat}", self._say("vp"), str(s["vp"][seat]), _sign("crown"), s["vp"][seat], pick)]
        for index, kind in enumerate(RESOURCES):
            n = s["stock"][seat][index]
            label = self.words.name("resource", index)
            if s["cost_marker"][seat] == index:
                label = self._say("marked", resource=index)
            choice = f"pay {kind} *" if own else ""
            facts.append(Fact(f"{kind}-{seat}", label, str(n), _sign(kind), n, choice))
        for key, zone, sign in (
            ("fulfilled", "fulfilled", "scroll"),
            ("omens", "omens", "eye"),
            ("vengeance", "vengeance", "skull"),
            ("secret_pacts", "secret_pacts", "mask"),
        ):
            count = _count(s[zone][seat])
            facts.append(Fact(f"count-{key}-{seat}", self._say(f"count.{key}"), str(count), _sign(sign), count))
        drawings = list(self._workers_of(seat))
        drawings += self._boards_of(seat)
        if not own:
            drawings += [self._pact(pact, f"pact-{seat}-{place}", "") for place, pact in enumerate(s["pacts"][seat])]
        return Region(f"cult-{seat}", "", "seat", drawings, facts, seat=seat)

    def _workers_of(self, seat: int) -> Iterable[Drawing]:
        """Who is at home, in the idle zone, and still in the tower; for those at places, where they stood."""
        guest = self.s["guest"]
        placed = [who for fields in self.s["fields"] for who in fields] + guest[2:]
        for kind, name in enumerate(WORKERS):
            counts = {zone: self.s[zone][seat][kind] for zone in ("home", "idle", "tower")}
            label = self._say("workers.all", worker=kind, **counts)
            id, away = f"crew-{seat}-{name}", placed.count(seat * len(WORKERS) + kind)
            markup = _draw("barracks", id=id, name=label, seat=seat, kind=name, away=away, **counts)
            yield Drawing(f"box-{id}", 112, 60, markup)

    def _boards_of(self, seat: int) -> list[Drawing]:
        s = self.s
        found = []
        face = s["masterboard"][seat]
        if face >= 0:
            text = self._tell("masterboard", face)
            if self.box.masterboards[face].track:
                text = self._say("track", n=s["track"][seat]) + " " + text
            elif len(self.box.masterboards[face].multiplier) > 1:
                n = self.box.masterboards[face].multiplier[s["multiplier"][seat]]
                text = self._say("multiplier", n=n) + " " + text
            found.append(self._card(f"face-of-{seat}", "masterboard", face, text, "", css="masterboard", sign="mask"))
        ability = s["ability"][seat]
        if ability >= 0:
            used = s["ability_used"][seat]
            text = self._say("used") if used else self._tell("ability", ability)
            choice = f"use {self._id('ability', ability)}" if seat == self.view["viewer"] and not used else ""
            css = "ability used" if used else "ability"
            found.append(self._card(f"ability-{seat}", "ability", ability, text, choice, css=css, sign="torch"))
        for slot, card in enumerate(s["built"][seat]):
            if card >= 0:
                id, text = f"built-{seat}-{slot}", self._tell("tower_upgrade", card)
                found.append(self._card(id, "tower_upgrade", card, text, "", css="tower", sign=self._tower_sign(card)))
        if s["permanent"][seat] >= 0:
            card = s["permanent"][seat]
            id = f"permanent-{seat}"
            found.append(self._card(id, "omen", card, self._tell("omen", card), "", css="omen", sign="scroll"))
        return found


def _count(zone: Any) -> int:
    return len(zone) if isinstance(zone, list) else int(zone["count"])


def _sign(sign: str) -> Markup:
    return _draw("sign", sign=sign)
