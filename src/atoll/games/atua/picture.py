"""Atua's table: islands of cut paper on an open sea, the row of cards, tiles, and the sheet with all points."""

from __future__ import annotations

import json
from collections.abc import Container, Mapping, Sequence
from functools import lru_cache
from typing import Any, Final

from markupsafe import Markup

from atoll.engine import Game
from atoll.engine.words import Words
from atoll.picture import Brush, Drawing, Fact, Layout, Region, Scene, Tab, TablePicture, kept
from atoll.picture.brush import shorten, text_width

from . import scoring
from .components import (
    BEACH_CARD,
    COCONUT,
    COUNTED,
    DIFFICULTIES,
    SOURCES,
    STARS,
    SYMBOLS,
    TOTEM,
    TOTEMS,
    VILLAGE_STAR,
    VOLCANO,
    WINDOWS,
    AtuaBox,
    Card,
)
from .faces import CARD_UNITS, SLOT_UNITS, Face
from .geometry import REASONS, Island, lattice_for, position
from .kinds import LEFT, SIDE
from .outline import UNIT, shore
from .state import NO_RESIDENT, NOT_SCORED, NOTHING_HELD

_SEA: Final = 4.25  # units of open sea around an island: no card reaches farther
_SLIM: Final = 0.8  # of its height, the least width of the sea
_PHONE: Final = 366  # pixels that a board has on a phone
_SMALL: Final = 7  # pixels of a unit on the islands of others
_SHOAL: Final = 1.5  # units of shallow water around these
_TILE: Final = (174, 108)
_CHIP: Final = (90, 18)  # how long a title is on a tile among a seat's possessions, and its size
_NARROW: Final = 0.85  # how much narrower it is set
_RULER: Final = (300, 46)
_PAIRS: Final = (("fisher", "fish"), ("huntress", "bird"), ("canoe", "palm"))
_ROWS: Final = (*SOURCES, "resident", "fate", "beach_bonus", "coconut_bonus")
_BEACH: Final = "0123456789abcdef"

_LINED: Final = "M5 3h14v18H5zM5 9h14M5 15h14M11 3v18"  # a score sheet

_draw = Brush(__package__ or "atoll.games.atua")

# The island is the screen; fates drift at its left, the sheet lies at its right. On a phone the row lies over the sea.
_SHEET: Final = (794, 10, 280, 672)
_ISLE: Final = Markup('<path d="M3 18c3-3 5-3 9-3s6 0 9 3M7 15c0-6 3-9 8-11M15 4c-3-1-5 0-6 2M15 4c2 0 3 2 3 4"/>')
SCENE: Final = Scene(
    wide={
        "fates": Layout(1084, 692, {"fates": (10, 10, 132, 672), "island": (150, 0, 634, 692), "sheet": _SHEET}),
        "": Layout(1084, 692, {"island": (0, 0, 784, 692), "sheet": _SHEET}),
    },
    tabs=(
        Tab("island", _ISLE, Layout(390, 640, {"island": (0, 0, 390, 500), "row": (0, 510, 390, 130)})),
        Tab(
            "sheet",
            Markup('<path d="{}"/>').format(_LINED),
            Layout(390, 640, {"sheet": (8, 8, 374, 624)}),
        ),
        Tab("fates", Markup('<path d="M4 6h16v12H4zM8 10h3M8 14h8"/>'), Layout(390, 640, {"fates": (8, 8, 374, 624)})),
    ),
    dock=156,
)

# What a line of the log names, by the ids of elements.
LIGHTS: Final[Mapping[str, Sequence[str]]] = {
    "village": ("island-{seat}",),
    "card": ("row-{card}",),
    "taken": ("supply-{seat}",),
    "placed": ("placed-{card}", "island-{seat}"),
    "unplaceable": ("supply-{seat}",),
    "fate_revealed": ("fate-{fate}",),
    "fate_bought": ("supply-{seat}",),
    "resident": ("total-{seat}",),
    "scored": ("total-{seat}",),
    "beach_bonus": ("total-{seat}",),
    "coconut_bonus": ("total-{seat}",),
    "total": ("total-{seat}",),
    "discarded": ("supply-{seat}",),
}


def symbols() -> Markup:
    """People and things of the islands, and how land, sand and sea look."""
    return _draw("symbols")


def emblem() -> Drawing:
    """An island with its volcano, for lists of games."""
    return Drawing("emblem-atua", 320, 200, _draw("emblem"))


def mode(view: Mapping[str, Any]) -> str:
    """With fates they stand beside the island."""
    return "fates" if view["options"]["fates"] else ""


def regions(game: Game, view: Mapping[str, Any], words: Words) -> list[Region]:
    """The viewer's island, the row right below it, what the island counts, fates, the sheet; then the seats."""
    table = _Table(game, view, words)
    if not all(view["state"]["placed"]):
        preparing = Fact("preparing", words.say("table.preparing"), "")
        return [Region("island", words.say("table.islands"), "board", facts=[preparing])]
    found = [table.island(), table.row()]
    if view["viewer"] is not None:
        found.append(table.harmony(view["viewer"]))
    if view["options"]["fates"]:
        found.append(table.fates())
    found.append(table.sheet())
    if table.solo and view["over"]:
        found.append(table.pile())
    return found + [table.seat(seat) for seat in range(view["seats"])]


class _Table(TablePicture):
    """One view in pictures."""

    box: AtuaBox

    @property
    def solo(self) -> bool:
        """Whether Tahuma is the opponent."""
        return bool(self.view["seats"] == 1)

    @kept
    def island_of(self, seat: int) -> Island:
        """The island of a seat."""
        lattice = lattice_for(self.box.solo_turns if self.solo else self.box.rounds)
        return Island.load(self.box, self.s["placed"][seat], lattice)

    @property
    def shown(self) -> int:
        """The seat whose island is shown."""
        viewer = self.view["viewer"]
        shown: int = viewer if viewer is not None else self.s["active"]
        return shown

    @property
    def options(self) -> Sequence[int]:
        """What the viewer can choose."""
        options: Sequence[int] = (self.view["decision"] or {}).get("options", ())
        return options

    def _work_out(self, what: str, about: Any) -> Any:
        """bounds: what is shown of the sea around a seat's island; in_hand: whether a volcano is about to be placed."""
        if what == "bounds":
            return self._bounds(about)
        held = self.s["held"]
        return held != NOTHING_HELD and VOLCANO in self.box.cards[self.s["row"][held]].symbols

    def _symbol(self, symbol: int) -> str:
        return self.words.name("symbol", symbol)

    def _shows(self, symbols: Sequence[int]) -> str:
        return ", ".join(self._symbol(symbol) for symbol in symbols) or self._say("nothing")

    def _title(self, number: int) -> str:
        islands = self.box.island_cards
        return self.words.name("card", number) if number < islands else self.words.name("village", number - islands)

    # ------------------------------------------------------------ the island

    def island(self) -> Region:
        """The viewer's island (for spectators that of whose turn it is) on the open sea."""
        return self._large_island(self.shown)

    @kept
    def _large_island(self, seat: int) -> Region:
        island = self.island_of(seat)
        left, top, width, height = self.worked["bounds", seat]
        visible = set(island.symbols())
        cards = [self._placed(placed, visible) for placed in island.cards()]
        size = max(16.0, 14.6 * width * UNIT / _PHONE)
        markup = _draw(
            "island",
            width=width * UNIT,
            height=height * UNIT,
            left=-left * UNIT,
            top=-top * UNIT,
            cards=cards,
            size=size,
            rings=self._rings(island, active=self._is("active", seat)),
            worths=self._worths(island),
            faces=self._faces(),
            hold=self._hold(island, left, top),
            zoom=json.dumps({each: self._say(f"zoom.{each}") for each in ("in", "out", "all")}),
        )
        name = self._say("island", seat=seat)
        return Region(
            "island",
            name,
            "board",
            [Drawing("island", width * UNIT, height * UNIT, markup, name)],
            flow="fit",
        )

    def _bounds(self, seat: int) -> tuple[float, float, float, float]:
        """What is shown of the sea: left, top, width, height in units.

        A card placed in the open turn doesn't widen it before the row is refilled, so that a preview lies exactly over
        the present picture.
        """
        cards = self.island_of(seat).cards()
        if self._is("active", seat) and not self.view["over"]:
            refilled = not self.solo and len(self.s["row"]) == self.box.row_size
            if not refilled:
                cards = cards[: 1 + self.s["turn"] // self.view["seats"]]
        left, right = min(card[1] for card in cards), max(card[1] for card in cards) + CARD_UNITS
        top, bottom = min(card[2] for card in cards), max(card[2] for card in cards) + CARD_UNITS
        height = bottom - top + 2 * _SEA
        width = max(right - left + 2 * _SEA, _SLIM * height)
        return (left + right - width) / 2, top - _SEA, width, height

    def _placed(self, placed: tuple[int, int, int, int], visible: Container[tuple[int, int, int]]) -> dict[str, Any]:
        number, x, y, rot = placed
        face = self.box.cards[number].faces[rot]
        left = [symbol for at_x, at_y, symbol in face.symbols if (symbol, x + at_x, y + at_y) in visible]
        shows = self._say("card", title=self._title(number), symbols=self._shows(left))
        return {
            "id": f"placed-{self.box.cards[number].id}",
            "name": shows,
            "piece": self.box.cards[number].id,
            "x": x * UNIT,
            "y": y * UNIT,
            "face": _face(face),
        }

    def _rings(self, island: Island, *, active: bool) -> list[dict[str, Any]]:
        """The bands of the ruler around the village: while a volcano is there, or in the hand, if it is its turn."""
        if not island.counts[VOLCANO] and not (active and self.worked["in_hand", VOLCANO]):
            return []
        x, y = self._village(island)
        ruler = self.box.ruler
        inner = [0, *(limit + 1 for limit in ruler.max_d2[:-1])]
        return [
            {
                "x": x,
                "y": y,
                "r": round((limit + 0.5) ** 0.5 * UNIT, 1),
                "label": x + round(((start**0.5 + (limit + 1) ** 0.5) / 2) * UNIT, 1),
                "points": points,
            }
            for start, limit, points in zip(inner, ruler.max_d2, ruler.points, strict=True)
        ]

    def _village(self, island: Island) -> tuple[int, int]:
        ((x, y),) = [(x, y) for symbol, x, y in island.symbols() if symbol == VILLAGE_STAR]
        return (x + 1) * UNIT, (y + 1) * UNIT

    def _worths(self, island: Island) -> list[dict[str, Any]]:
        """What each volcano is worth, beside it."""
        open_end = self.view["options"]["volcano_ruler"] == "open_end"
        volcanoes = [(x, y) for symbol, x, y in island.symbols() if symbol == VOLCANO]
        return [
            {
                "x": (x + SLOT_UNITS) * UNIT - 4,
                "y": y * UNIT + 6,
                "points": scoring.ruler_points(self.box.ruler, d2, open_end=open_end),
            }
            for (x, y), d2 in zip(volcanoes, island.volcano_distances(), strict=True)
        ]

    def _faces(self) -> list[dict[str, Any]]:
        """The card that is being placed, in its four rotations, for the ghost that follows the pointer."""
        if not self._is("prompt", "place"):
            return []
        card = self.box.cards[self.s["row"][self.s["held"]]]
        return [{"rot": rot, "face": _face(face)} for rot, face in enumerate(card.faces)]

    def _hold(self, island: Island, left: float, top: float) -> str:
        """What fits.js must know to show at once where the card may lie, and why not."""
        if not self._is("prompt", "place"):
            return ""
        number = self.s["row"][self.s["held"]]
        outcomes, outcome_of = self._outcomes(island, number)
        texts = (
            "rotate_left",
            "rotate_right",
            "left",
            "right",
            "up",
            "down",
            "best",
            "place",
            "tools",
            "gain",
        )
        return json.dumps(
            {
                "card": self.box.cards[number].id,
                "unit": UNIT,
                "left": left,
                "top": top,
                "edges": [face.edge for face in self.box.cards[number].faces],
                "units": _units(self.box, island),
                "symbols": [[x, y, symbol in STARS] for symbol, x, y in island.symbols()],
                "outcomes": outcomes,
                "outcomeOf": outcome_of,
                "names": {
                    **{SYMBOLS[symbol]: self._symbol(symbol) for symbol in range(len(SYMBOLS))},
                    **{row: self._say(f"row.{row}") for row in _ROWS},
                    "beach": self._say("beach"),
                },
                "reasons": {reason: self.words.say(f"reason.{reason}") for reason in REASONS},
                "texts": {each: self._say(f"tool.{each}") for each in texts},
            },
            separators=(",", ":"),
        )

    def _outcomes(self, island: Island, number: int) -> tuple[list[dict[str, Any]], list[int]]:
        """What the legal placements of a card change, each outcome once, and per placement which of them it has.

        An outcome says by how many points it changes what the viewer would have if the game ended now (``gain``), and
        what is different: ``rows`` of the sheet and ``symbols`` (but coconuts) as [name, by, then], the longest
        ``beach`` as [by, then] or None.
        """
        seat = self.shown
        card = self.box.cards[number]
        have = self.live["counts"][seat]
        brings = scoring.count_cards([card])
        brings[COCONUT] += self._coconuts_won()
        beach = self.live["beach"][seat]
        now = self._rows(have, island.volcano_distances(), beach)
        left_over = self._left_over()
        village_x, village_y = (each // UNIT - 1 for each in self._village(island))
        beaches: dict[tuple[int, int, int], tuple[int, int]] = {}
        known: dict[Any, int] = {}
        outcomes: list[dict[str, Any]] = []
        found = []
        for placement in self.options:
            x, y, rot = position(placement)
            covered = tuple(symbol for symbol, _, _ in island.covered(x, y))
            distances = tuple(
                (x + left - village_x) ** 2 + (y + top - village_y) ** 2
                for left, top, symbol in card.faces[rot].symbols
                if symbol == VOLCANO
            )
            longest, beach_cards = beach, have[BEACH_CARD]
            if card.beach or island.covers_beach(x, y):
                spot = x, y, rot if card.beach else 0
                if spot not in beaches:
                    grown = _grown(self.box, island, number, x, y, rot)
                    beaches[spot] = grown.longest_beach(), grown.beach_cards()
                longest, beach_cards = beaches[spot]
            key = covered, distances, longest, beach_cards
            if key not in known:
                known[key] = len(outcomes)
                after = [a + b for a, b in zip(have, brings, strict=True)]
                after[BEACH_CARD] = beach_cards
                for symbol in covered:
                    after[symbol] -= 1
                    after[TOTEM] -= symbol in TOTEMS
                then = self._rows(after, [*island.volcano_distances(), *distances], longest, left_over)
                rows = [[row, then[row] - now[row], then[row]] for row in now if then[row] != now[row]]
                outcomes.append(
                    {
                        "gain": sum(by for _, by, _ in rows),
                        "symbols": [
                            [SYMBOLS[symbol], after[symbol] - have[symbol], after[symbol]]
                            for symbol in range(len(SYMBOLS))
                            if after[symbol] != have[symbol] and symbol != COCONUT
                        ],
                        "rows": rows,
                        "beach": [longest - beach, longest] if longest != beach else None,
                    }
                )
            found.append(known[key])
        return outcomes, found

    def _coconuts_won(self) -> int:
        """How many coconuts more the viewer has when the held card is placed; the price makes it fewer."""
        held = self.s["held"]
        if not self.solo:
            return int(self.s["row_coconuts"][held]) - int(held)
        solo = self.box.solo
        return -solo.left_card_price if held == LEFT else min(solo.right_card_gain, self.s["hut"])

    def _left_over(self) -> list[Card]:
        """Solo: what goes to Tahuma as soon as the held card is placed: the other one, if discarding is too dear."""
        if not self.solo or self.s["supply"][0] + self._coconuts_won() >= self.box.solo.discard_price:
            return []
        return [self.box.cards[number] for slot, number in enumerate(self.s["row"]) if slot != self.s["held"]]

    def _rows(
        self, counts: Sequence[int], distances: Sequence[int], longest: int, left_over: Sequence[Card] = ()
    ) -> dict[str, int]:
        """Points if the game ended now, of the rows that a placement can change: open sources, fates, bonuses.

        For the viewer with these counts, squared distances of volcanoes and longest beach; solo ``left_over`` is
        Tahuma's.
        """
        seat, box = self.shown, self.box
        open_end = self.view["options"]["volcano_ruler"] == "open_end"
        found = {
            name: scoring.score_source(box, source, counts, distances, open_end=open_end, solo=self.solo).points
            for source, name in enumerate(SOURCES)
            if self.s["sheet"][seat][source] == NOT_SCORED
        }
        if self.solo:
            pile = [box.cards[number] for number in self.s["tahuma_pile"][0]]
            found["beach_bonus"] = scoring.score_solo_beach_bonus(box, longest, [*pile, *left_over])[0].points
            return found
        everyone = [counts if other == seat else each for other, each in enumerate(self.live["counts"])]
        beaches = [longest if other == seat else each for other, each in enumerate(self.live["beach"])]
        fates = (scoring.score_fate(box, fate, everyone, seat).points for fate in self.s["fates"][seat])
        found["fate"] = sum(fates)
        found["beach_bonus"] = scoring.score_beach_bonus(box, beaches, seat).points
        found["coconut_bonus"] = scoring.score_coconut_bonus(box, [each[COCONUT] for each in everyone], seat).points
        return found

    # ------------------------------------------------------------ what the viewer has

    @kept
    def harmony(self, seat: int) -> Region:
        """The balance of the viewer's island, and the resident in the hand."""
        counts = self.live["counts"][seat]
        facts = []
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
                _draw("icon", name="beach"),
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
        return Fact(f"count-{name}", label, str(number), _draw("icon", name=name), number, help=help)

    def _resident(self, resident: int, choice: str, now: int | None) -> Drawing:
        worth = "" if now is None else self._say("resident_now", points=now)
        return _resident_tile(self.words, self.box, resident, choice, worth)

    # ------------------------------------------------------------ the row

    def row(self) -> Region:
        """The cards that can be taken, with their prices until the end; solo the two open cards and what Tahuma has."""
        return self._open_cards(self.shown)

    @kept
    def _open_cards(self, seat: int) -> Region:
        slots = [self._slot(slot, seat) for slot in range(len(self.s["row"]))]
        width = 500 if not self.solo else 300
        title = self._say("open_cards" if self.solo else "row")
        height = 130 if self.view["over"] else 156
        drawings = [Drawing("row", width, height, _draw("row", slots=slots), title)] if slots else []
        facts = []
        if self.solo:
            hut = self.s["hut"]
            facts.append(Fact("hut", self._say("hut"), str(hut), _draw("icon", name="coconut"), hut))
            pile = self.s["tahuma_pile"][0]
            size = pile["count"] if isinstance(pile, dict) else len(pile)
            facts.append(Fact("pile", self._say("pile"), str(size), number=size))
        return Region("row", title, "hand", drawings, facts, flow="fit")

    @kept
    def pile(self) -> Region:
        """At the end of a solo game: what was left to Tahuma, open for counting."""
        drawings = []
        for number in self.s["tahuma_pile"][0]:
            card = self.box.cards[number]
            name = self._say("card", title=self._title(number), symbols=self._shows(card.symbols))
            slot = {"id": f"pile-{card.id}", "slot": 0, "name": name, "help": "", "piece": card.id, "choice": ""}
            slot |= {"css": "", "label": "", "coconuts": 0, "x": 6, "face": _face(card.faces[0])}
            drawings.append(Drawing(f"pile-of-{card.id}", 120, 124, _draw("row", slots=[slot]), name))
        return Region("pile", self._say("pile"), "shared", drawings)

    def _round(self) -> Fact:
        turns = self.box.solo_turns if self.solo else self.box.rounds
        now = min(self.s["turn"] // self.view["seats"] + 1, turns)
        window = self.s["window"]
        coming = ""
        if window < len(WINDOWS):
            number = self.box.windows[window].sources_to_score
            coming = self._say("next_window", stack=WINDOWS[window].upper(), number=number)
        label = self._say("turn" if self.solo else "round")
        return Fact("round", label, self._say("of", number=now, all=turns), help=coming)

    def _slot(self, slot: int, seat: int) -> dict[str, Any]:
        number = self.s["row"][slot]
        card = self.box.cards[number]
        coconuts = self.s["row_coconuts"][slot]
        solo = self.box.solo
        price = slot
        if self.solo:
            price = solo.left_card_price if slot == LEFT else 0
            won = 0 if slot == LEFT else min(solo.right_card_gain, self.s["hut"])
        else:
            won = 0
        label = self._say("win", number=won) if won else self._say("pay", number=price) if price else self._say("free")
        supply = self.s["supply"][seat]
        mine = not self._is("viewer", None)
        left_over = self.solo and len(self.s["row"]) == 1  # for Tahuma
        takeable = not self.view["over"] and not left_over
        fits = not takeable or not mine or self.island_of(seat).fits(card)
        held = self._is("held", slot)
        css = "held" if held else "" if not takeable or not mine or (price <= supply and fits) else "out"
        label = "" if not takeable else label if fits else self._say("no_fit")
        name = self._say("card", title=self._title(number), symbols=self._shows(card.symbols))
        if coconuts:
            name += " " + self._say("coconuts_on_it", number=coconuts)
        side = SIDE.label(min(slot, 1))
        return {
            "id": f"row-{card.id}",
            "slot": slot,
            "name": f"{name} {label}".rstrip(),
            "help": "" if fits else self.words.say("reason.no_fit", {"card": number}),
            "piece": card.id,
            "choice": f"take_side {side}" if self.solo else f"take {slot}",
            "css": css,
            "label": label,
            "coconuts": coconuts,
            "x": 12 + slot * 123 if not self.solo else 30 + slot * 132,
            "face": _face(card.faces[0]),
        }

    # ------------------------------------------------------------ fates

    @kept
    def fates(self) -> Region:
        """The fates of the game, each in its place: those that can be bought, and whose the others are."""
        owners = {fate: seat for seat, bought in enumerate(self.s["fates"]) for fate in bought}
        drawings = [
            self._bought_fate(fate, owners[fate]) if fate in owners else self._fate(fate)
            for fate in sorted([*self.s["fate_row"], *owners])
        ]
        return Region("fates", self._say("fates"), "shared", drawings)

    def _fate(self, number: int) -> Drawing:
        """A tile that can be bought: price, what it counts, what it pays."""
        choice = f"buy_fate {self.box.fates[number].id}"
        return _fate_tile(self.words, self.box, number, self._fate_name(number, None), choice)

    def _bought_fate(self, number: int, owner: int) -> Drawing:
        """A tile that stays to be read: the mark of its owner, before whom it lies, instead of the price."""
        said = self._say("fate_owned", seat=owner, fate=number, text=self._fate_text(number))
        return _fate_tile(self.words, self.box, number, said, "", owner)

    def _fate_text(self, number: int) -> str:
        text: str = getattr(self.box.fates[number].text, self.words.language)
        return text

    def _fate_name(self, number: int, owner: int | None) -> str:
        """What a tile says, with what its owner and the best of the others have."""
        fate = self.box.fates[number]
        name = f"{self.words.name('fate', number)}: {self._fate_text(number)}"
        who = self.view["viewer"] if owner is None else owner
        if who is not None and not self.solo:
            counts = self.live["counts"]
            best = [max(counts[seat][thing] for seat in range(len(counts)) if seat != who) for thing in fate.categories]
            mine = [counts[who][thing] for thing in fate.categories]
            pairs = zip(fate.categories, mine, best, strict=True)
            name += " " + "; ".join(
                self.words.say(f"score.most_{COUNTED[thing]}", {"number": a, "against": b}) for thing, a, b in pairs
            )
        return name

    # ------------------------------------------------------------ the sheet

    @kept
    def sheet(self) -> Region:
        """All points: scored sources for good, open ones as they are worth now, tiles and bonuses if it ended now."""
        seats = self.view["seats"]
        named = seats <= 3
        label = 152 if named else 46
        column = 66 if named else min(66, (356 - label) // seats)
        columns = [self._seat_column(seat) for seat in range(seats)]
        if self.solo:
            columns.append(self._tahuma_column())
        rows = [row for row in ("start", *_ROWS) if any(row in column for column in columns)]
        lines = [self._sheet_row(row, columns, y) for y, row in enumerate(rows)]
        totals = [sum(points for points, _ in column.values()) for column in columns]
        heads = [{"seat": seat, "name": self.words.seat(seat)} for seat in range(seats)]
        if self.solo:
            heads.append({"seat": seats, "name": self._say("tahuma")})
        markup = _draw(
            "sheet",
            label=label,
            column=column,
            named=named,
            rows=lines,
            heads=heads,
            totals=totals,
            total=self._say("total"),
            width=label + column * len(columns),
        )
        size = (label + column * len(columns), 40 + 34 * (len(lines) + 1) + 4)
        facts = [self._round()]
        for stack, left in zip(WINDOWS, self.s["stacks"], strict=True):
            facts.append(Fact(f"stack-{stack}", self._say("stack", stack=stack.upper()), str(left), number=left))
        drawing = Drawing("sheet", *size, markup, self._say("sheet"))
        return Region("sheet", self._say("sheet"), "shared", [drawing], facts)

    def _seat_column(self, seat: int) -> dict[str, tuple[int, bool]]:
        """Per row of the sheet the points, and whether they are final."""
        column: dict[str, tuple[int, bool]] = {}
        for key, points in self.live["sheets"][seat]:
            final = self.view["over"] or key == "resident"
            if key in SOURCES:
                final = self.s["sheet"][seat][SOURCES.index(key)] != NOT_SCORED
            column[key] = (points + column.get(key, (0, False))[0], final)
        return column

    def _tahuma_column(self) -> dict[str, tuple[int, bool]]:
        """Tahuma's points; until the end only those that he starts with."""
        difficulty = self.view["options"]["solo_difficulty"]
        start = self.box.solo.start_points[DIFFICULTIES.index(difficulty)]
        found: dict[str, tuple[int, bool]] = {}
        for key, points in self.live["tahuma"] or [[f"start_{difficulty}", start]]:
            found["start" if key.startswith("start_") else key] = (points, True)
        return found

    def _sheet_row(self, row: str, columns: Sequence[Mapping[str, tuple[int, bool]]], number: int) -> dict[str, Any]:
        key = "table.row.fate" if row == "fate" else f"table.row.{row}"
        label = self.words.say(key)
        cells = []
        for place, column in enumerate(columns):
            points, final = column.get(row, (None, False))
            cells.append({"place": place, "points": points, "final": final, "id": f"cell-{row}-{place}"})
        spoken = "; ".join(self._cell_in_words(cell) for cell in cells if cell["points"] is not None)
        return {
            "id": f"sheet-{row}",
            "row": row,
            "label": label,
            "name": f"{label}: {spoken}",
            "choice": f"score {row}" if row in SOURCES else "",
            "cells": cells,
            "y": 40 + 34 * number,
        }

    def _cell_in_words(self, cell: Mapping[str, Any]) -> str:
        seats = self.view["seats"]
        who = self.words.seat(cell["place"]) if cell["place"] < seats else self._say("tahuma")
        return self._say("cell.final" if cell["final"] else "cell.open", name=who, points=cell["points"])

    # ------------------------------------------------------------ the seats

    @kept
    def seat(self, seat: int) -> Region:
        """What lies before a seat: its island small, unless it is the large one; coconuts, tiles, points."""
        supply = self.s["supply"][seat]
        score = self.live["scores"][seat]
        points, sheet = str(score).replace("-", "−"), _draw("points", d=_LINED)
        facts = [
            Fact(f"supply-{seat}", self._say("coconuts"), str(supply), _draw("icon", name="coconut"), supply),
            Fact(f"total-{seat}", self._say("score"), points, sheet, score, help=self._say("score.help")),
        ]
        played = self.s["revealed"][seat]
        if self.view["options"]["residents"] and played == NO_RESIDENT:
            symbol = _draw("icon", name="resident")
            facts.append(Fact(f"resident-{seat}", self._say("unplayed"), "?", symbol))
        drawings = []
        if not (self._is("viewer", seat) or (self._is("viewer", None) and self._is("active", seat))):
            drawings.append(self._small_island(seat))
        if played != NO_RESIDENT:
            title, name = _resident_words(self.words, self.box, played)
            drawings.append(_chip(f"resident-{self.box.residents[played].id}", name, title, ["resident"]))
        for fate in self.s["fates"][seat]:
            things = [COUNTED[thing] for thing in self.box.fates[fate].categories]
            drawings.append(_chip(f"fate-{self.box.fates[fate].id}", self._fate_name(fate, seat), "", things))
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
            looks.append({"id": self.box.cards[number].id, "x": x * UNIT, "y": y * UNIT, "face": _face(face)})
        name = self._say("their_island", seat=seat, symbols=self._shows(shows))
        markup = _draw(
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


def _fate_tile(words: Words, box: AtuaBox, number: int, name: str, choice: str, owner: int | None = None) -> Drawing:
    fate = box.fates[number]
    id = f"fate-{fate.id}" if owner is None else f"fate-bought-{fate.id}"
    markup = _draw(
        "fate",
        id=id,
        name=name,
        title=words.name("fate", number),
        price=fate.price,
        things=[COUNTED[thing] for thing in fate.categories],
        payoff=list(reversed(fate.payoff)),
        choice=choice,
        owner=owner,
        width=_TILE[0],
        height=_TILE[1],
    )
    return Drawing(f"tile-{fate.id}", *_TILE, markup)


def _chip(id: str, name: str, title: str, things: Sequence[str]) -> Drawing:
    """A tile among a seat's possessions, as signs and perhaps its title; the lens tells the rest."""
    room, size = _CHIP
    signs = [{"name": thing, "x": 19 + 30 * place} for place, thing in enumerate(things)]
    text = shorten(title, room, size * _NARROW)
    width = 30 * len(signs) + 8 + (text_width(text, size * _NARROW) + 4 if text else 0)
    markup = _draw("chip", id=id, name=name, text=text, signs=signs, width=width)
    return Drawing(f"chip-{id}", width, 34, markup)


def _resident_words(words: Words, box: AtuaBox, number: int) -> tuple[str, str]:
    """What a resident is called, alone and with what it does."""
    title = words.name("resident", number)
    return title, f"{title}: {getattr(box.residents[number].text, words.language)}"


def _resident_tile(words: Words, box: AtuaBox, number: int, choice: str, now: str) -> Drawing:
    tile = box.residents[number]
    title, text = words.name("resident", number), getattr(tile.text, words.language)
    markup = _draw(
        "resident",
        id=f"resident-{tile.id}",
        name=f"{title}: {text} {now}".rstrip(),
        title=title,
        text=text,
        now=now,
        choice=choice,
    )
    return Drawing(f"tile-{tile.id}", 320, 116, markup)


def card_alone(box: AtuaBox, number: int) -> Drawing:
    """An island card or a village card alone, as it is printed."""
    card = box.cards[number]
    return Drawing(f"piece-{card.id}", 120, 120, _draw("card_piece", face=_face(card.faces[0])))


def fate_alone(words: Words, box: AtuaBox, number: int) -> Drawing:
    """A fate tile alone."""
    return _fate_tile(words, box, number, words.name("fate", number), "")


def resident_alone(words: Words, box: AtuaBox, number: int) -> Drawing:
    """A resident tile alone, with what it does in words."""
    return _resident_tile(words, box, number, "", "")


def symbol_alone(name: str) -> Drawing:
    """A symbol, or another sign of this game, alone."""
    return Drawing(f"piece-{name}", 60, 60, _draw("symbol_piece", name=name))


def ruler_alone(box: AtuaBox) -> Drawing:
    """The volcano ruler with the points of its bands."""
    ends = [(limit + 1) ** 0.5 for limit in box.ruler.max_d2[:-1]] + [box.ruler.max_d2[-1] ** 0.5]
    scale = _RULER[0] / max(ends[-1], 1)
    bands = [
        {"x": start * scale, "width": (end - start) * scale, "points": points}
        for start, end, points in zip([0.0, *ends], ends, box.ruler.points, strict=False)
    ]
    return Drawing("piece-ruler", _RULER[0] + 4, _RULER[1], _draw("ruler_piece", bands=bands, height=_RULER[1]))


def _grown(box: AtuaBox, island: Island, number: int, x: int, y: int, rot: int) -> Island:
    """The island with one card more."""
    grown = island.clone()
    grown.place(box, number, x, y, rot)
    return grown


@lru_cache(maxsize=1024)
def _face(face: Face) -> Markup:
    """A card in one rotation, its upper left corner at (0, 0)."""
    sand, sea, dune, surf = shore(face)
    symbols = [((x + 1) * UNIT, (y + 1) * UNIT, SYMBOLS[symbol]) for x, y, symbol in face.symbols]
    return _draw("face", sand=sand, sea=sea, dune=dune, surf=surf, symbols=symbols)


def _units(box: AtuaBox, island: Island) -> dict[str, Any]:
    """The visible units: lines of L, S, a blank where nothing lies, or a digit with the path sides of a beach (N=1)."""
    seen: dict[tuple[int, int], str] = {}
    for number, x, y, rot in island.cards():
        face = box.cards[number].faces[rot]
        for unit in range(CARD_UNITS * CARD_UNITS):
            mask = sum((path >> unit & 1) << side for side, path in enumerate(face.paths))
            letter = "L" if face.land >> unit & 1 else "S" if face.sea >> unit & 1 else _BEACH[mask]
            seen[x + unit // CARD_UNITS, y + unit % CARD_UNITS] = letter
    left, top = min(x for x, _ in seen), min(y for _, y in seen)
    right, bottom = max(x for x, _ in seen), max(y for _, y in seen)
    lines = ["".join(seen.get((x, y), " ") for x in range(left, right + 1)) for y in range(top, bottom + 1)]
    return {"left": left, "top": top, "lines": lines}
