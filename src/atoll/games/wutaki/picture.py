"""Wutaki's table: a volcano island with Buka's maw, the places of the cult, pyramid and pacts; what each seat has."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from markupsafe import Markup

from atoll.engine import Game
from atoll.engine.words import Words
from atoll.picture import Brush, Drawing, Fact, Layout, Region, Scene, Tab, TablePicture, kept
from atoll.picture.brush import signed, text_width, wrap

from .components import (
    ACCEPT_PACT,
    CHASE,
    CHOOSE,
    CLAIM_START,
    DRAW_VENGEANCE,
    ELEMENT_SLOT,
    GIFT_PACT,
    PLAY_OMEN,
    RENEW_PACTS,
    TRADE,
    UPGRADE,
    UPKEEP,
    VP,
    Action,
    Board,
    Box,
    Effect,
    Masterboard,
    RoundCard,
)
from .describe import action_in_words, cost_in_words, describe, effects_in_words
from .kinds import (
    ELEMENTS,
    EXTRA,
    FIRST_STANDARD,
    GOLD,
    MAIN_PLACES,
    OWN_PLACE,
    PYRAMID,
    RESOURCES,
    ROUND_PLACE,
    STANDARD_PLACES,
    VILLAGE,
    WORKERS,
)
from .prices import hire_price, place_price
from .seen import table_of
from .signs import (
    Sign,
    action_signs,
    cost_signs,
    effects_signs,
    element_signs,
    metric_sign,
    round_signs,
    secret_signs,
    tower_signs,
    vengeance_signs,
)
from .state import WutakiState
from .workers import next_hire, upkeep

_draw = Brush(__package__ or "atoll.games.wutaki")

_BRIEF: Final = (12.5, 58)  # of a card's line where only its head is seen: size and length
_SMALL: Final = ("start_player", "trade", "draw_omen", "play_omen", "vp_or_gift", "chase", "upgrade")
_PLANKS: Final = ("accept_pact", "gift_pact", "renew_pacts")
_PLANK: Final = 172
_CREW: Final = 32
_CHIP: Final = 27
_ON_CHIP: Final = 14.5
"""How high workers and chips stand at a seat, and the size of what is on a chip, in pixels."""
_TOLD_BY_PICTURE: Final = (CLAIM_START, CHASE, TRADE, RENEW_PACTS, PLAY_OMEN, ACCEPT_PACT, GIFT_PACT)

# The rim of stones on which points are counted: 0 in the lower left corner, then clockwise.
_STAGE: Final = (1084, 676)
_RIM: Final = 26
_SIDES: Final = {"left": range(21), "top": range(21, 50), "right": range(50, 71), "bottom": range(71, 100)}
_RIMS: Final = {
    "left": (0, 0, _RIM, _STAGE[1]),
    "top": (_RIM, 0, _STAGE[0] - 2 * _RIM, _RIM),
    "right": (_STAGE[0] - _RIM, 0, _RIM, _STAGE[1]),
    "bottom": (_RIM, _STAGE[1] - _RIM, _STAGE[0] - 2 * _RIM, _RIM),
}

_ISLAND: Final = Layout(
    *_STAGE,
    {
        **{f"rim-{side}": box for side, box in _RIMS.items()},
        "pyramid": (30, 26, 198, 234),
        "start_player": (80, 268, 104, 123),
        "trade": (60, 424, 108, 128),
        "supply": (32, 584, 216, 66),
        "merchant": (238, 28, 158, 129),
        "pasture": (230, 164, 158, 129),
        "market": (238, 300, 158, 129),
        "quarry": (690, 28, 158, 129),
        "lumberyard": (698, 164, 158, 129),
        "village": (690, 300, 158, 129),
        "round": (402, 28, 280, 100),
        "maw": (410, 128, 262, 222),
        "plunder": (468, 350, 148, 56),
        "counter": (398, 406, 290, 45),
        "pact-deck": (276, 452, 66, 143),
        **{f"slot-{slot}": (350 + slot * 122, 452, 116, 143) for slot in range(4)},
        **{id: (314 + place * 176, 594, _PLANK, 57) for place, id in enumerate(_PLANKS)},
        "draw_omen": (858, 28, 98, 116),
        "play_omen": (957, 28, 98, 116),
        "decks": (860, 146, 196, 66),
        "vp_or_gift": (858, 216, 98, 116),
        "chase": (957, 216, 98, 116),
        "upgrade": (858, 336, 98, 116),
        "round-deck": (966, 362, 86, 66),
        "towers": (858, 458, 196, 96),
        "idle": (862, 576, 186, 47),
    },
    ground="wutaki-island",
)
_BOTH: Final = zip(("merchant", "quarry", "pasture", "lumberyard", "market", "village"), range(6), strict=True)
SCENE: Final = Scene(
    wide={"": _ISLAND},
    tabs=(
        Tab(
            "volcano",
            Markup('<path d="M3 20L9 8l3 2 3-2 6 12zM9 8c1 4 5 4 6 0M12 2v3"/>'),
            Layout(
                390,
                628,
                {
                    "round": (2, 2, 236, 86),
                    "maw": (238, 22, 150, 130),
                    "plunder": (34, 92, 168, 64),
                    "counter": (6, 158, 346, 48),
                    **{id: (12 + at % 2 * 192, 210 + at // 2 * 139, 174, 138) for id, at in _BOTH},
                },
                ground="wutaki-ashland",
            ),
        ),
        Tab(
            "pacts",
            Markup('<path d="M5 21V9c0-7 14-7 14 0v12zM9 10h6M9 14h6M9 18h4"/>'),
            Layout(
                390,
                628,
                {
                    **{f"slot-{slot}": (28 + slot % 2 * 180, 6 + slot // 2 * 194, 152, 188) for slot in range(4)},
                    "accept_pact": (4, 396, 190, 64),
                    "gift_pact": (197, 396, 190, 64),
                    "renew_pacts": (4, 466, 190, 64),
                    "pact-deck": (254, 466, 70, 158),
                },
                ground="wutaki-meadow",
            ),
        ),
        Tab(
            "temple",
            Markup('<path d="M2 20h20v-4h-3v-4h-3V8h-3V4h-2v4H8v4H5v4H2z"/>'),
            Layout(
                390,
                628,
                {
                    "pyramid": (4, 4, 236, 278),
                    "draw_omen": (252, 2, 126, 142),
                    "play_omen": (252, 148, 126, 142),
                    "decks": (60, 306, 270, 90),
                    "vp_or_gift": (20, 420, 160, 190),
                    "chase": (208, 420, 160, 190),
                },
                ground="wutaki-meadow",
            ),
        ),
        Tab(
            "harbour",
            Markup('<path d="M2 16h20c-1 4-4 5-6 5H8c-3 0-5-2-6-5zM11 13V2c6 2 8 6 8 11z"/>'),
            Layout(
                390,
                628,
                {
                    "upgrade": (8, 4, 138, 163),
                    "towers": (156, 24, 228, 112),
                    "start_player": (8, 180, 140, 166),
                    "round-deck": (200, 200, 124, 96),
                    "trade": (20, 376, 140, 166),
                    "idle": (176, 420, 206, 56),
                    "supply": (40, 548, 310, 78),
                },
                ground="wutaki-shore",
            ),
        ),
    ),
    dock=164,
)

# What a line of the log names, by the ids of elements.
LIGHTS: Final[Mapping[str, Sequence[str]]] = {
    "start_marker": ("start-{seat}",),
    "claimed": ("claim-{seat}", "place-start_player"),
    "masterboard_taken": ("face-of-{seat}",),
    "ability_dealt": ("ability-{seat}",),
    "ability_used": ("ability-{seat}",),
    "multiplier": ("face-of-{seat}",),
    "round_card": ("place-round_place",),
    "pact_dealt": ("pact-deck",),
    "pacts_renewed": ("pact-deck",),
    "pact_fulfilled": ("count-fulfilled-{seat}",),
    "counter": ("pact-counter",),
    "visit": ("place-{place}",),
    "moved_in": ("place-{place}",),
    "chased": ("place-{place}",),
    "recalled": ("place-{place}", "crew-{seat}-{worker}"),
    "idle": ("idle-zone",),
    "hired": ("crew-{seat}-{worker}",),
    "to_tower": ("crew-{seat}-{worker}",),
    "place_upgraded": ("place-{standard_place}", "markers-{seat}"),
    "marker_replaced": ("place-{standard_place}",),
    "marker_removed": ("place-{standard_place}",),
    "climbed": ("place-pyramid", "level-{n}"),
    "vp": ("vp-{seat}",),
    "vp_lost": ("vp-{seat}",),
    "gain": ("{resource}-{seat}",),
    "pay": ("{resource}-{seat}",),
    "sacrifice": ("{resource}-{seat}", "buka"),
    "plunder": ("{resource}-{seat}", "buka"),
    "robbed": ("{resource}-{seat}", "{resource}-{seat_2}"),
    "maw_emptied": ("buka",),
    "omen_drawn": ("omen-deck", "count-omens-{seat}"),
    "omen_played": ("count-omens-{seat}",),
    "omen_discarded": ("count-omens-{seat}",),
    "omen_taken": ("count-omens-{seat}", "count-omens-{seat_2}"),
    "vengeance_drawn": ("vengeance-deck", "count-vengeance-{seat}"),
    "vengeance_returned": ("vengeance-deck", "count-vengeance-{seat}"),
    "vengeance_given": ("count-vengeance-{seat}", "count-vengeance-{seat_2}"),
    "secret_pact_drawn": ("secret_pact-deck", "count-secret_pacts-{seat}"),
}


def symbols() -> Markup:
    """Workers, resources, elements, places, the island."""
    return _draw("symbols")


def emblem() -> Drawing:
    """Buka in his crater, for lists of games."""
    return Drawing("emblem-wutaki", 320, 200, _draw("emblem"))


def regions(game: Game, view: Mapping[str, Any], words: Words) -> list[Region]:
    """The island with the maw, places and pacts; the viewer's goods and cards; what each seat has."""
    table = _Table(game, view, words)
    found = [table.smoke(), table.maw(), table.plank("plunder", 148), table.counter()]
    found += [table.standard(place) for place in range(FIRST_STANDARD, FIRST_STANDARD + len(STANDARD_PLACES))]
    found += [table.slot(slot) for slot in range(len(view["state"]["display"]))]
    found += [table.pact_deck(), *(table.plank(id, _PLANK) for id in _PLANKS), table.pyramid()]
    found += [table.small(id) for id in _SMALL]
    found += [table.decks(), table.round_deck(), table.towers(), table.idle(), table.supply(), *table.rims()]
    if view["viewer"] is not None:
        found += table.hand(view["viewer"])
    found += [table.seat(seat) for seat in range(view["seats"])]
    if view["state"]["boards_left"] and -1 in view["state"]["masterboard"]:
        found.append(table.boards_left())
    return found


def _row(
    signs: Iterable[Sign], x: float, y: float, size: float = 15, *, width: float = 0, anchor: str = "start"
) -> dict[str, Any]:
    """Texts and signs one beside the other; what would be wider than `width` is squeezed together.

    x, y: where the row begins, has its middle or ends (`anchor`), and the middle of its height.
    """
    scale = size * 0.031
    parts, at = _in_line(signs, size)
    squeeze = min(1.0, width / at) if width and at else 1.0
    begin = x - at * squeeze * {"start": 0.0, "middle": 0.5, "end": 1.0}[anchor]
    for part in parts:
        part["x"] = begin + part["x"] * squeeze
        part["width"] = part.get("wide", 0) * squeeze if squeeze < 1 else 0
    return {"parts": parts, "y": y, "base": y + size * 0.36, "size": size, "scale": scale * max(squeeze, 0.8)}


def _in_line(signs: Iterable[Sign], size: float) -> tuple[list[dict[str, Any]], float]:
    """Texts and signs one beside the other, from 0 on, and where the next one would stand."""
    scale = size * 0.031
    parts: list[dict[str, Any]] = []
    at = 0.0
    for text, sign in signs:
        if text:
            wide = text_width(text, size) * 1.04
            parts.append({"x": at, "text": text, "wide": wide})
            at += wide + 1
        if sign:
            parts.append({"x": at + 20 * scale, "text": "", "sign": sign})
            at += 40 * scale + size * 0.2
    return parts, at


def _title(text: str, width: float, size: float) -> dict[str, Any]:
    """A text, and whether it has to be squeezed to be no wider than this."""
    return {"text": text, "squeezed": text_width(text, size) * 1.04 > width}


class _Table(TablePicture):
    """One view in pictures."""

    box: Box

    def __init__(self, game: Game, view: Mapping[str, Any], words: Words) -> None:
        super().__init__(game, view, words)
        self._table: WutakiState | None = None

    @property
    def board(self) -> Board:
        """The side of the island that is up."""
        board: Board = self.box.boards[self.s["side"]]
        return board

    def _work_out(self, what: str, about: Any) -> Any:
        """See TablePicture: what the rules work out of public facts; what is said of one card at the end."""
        if what == "reminder":
            domain, card = about
            said = self.live["reminders"].get(domain, ())
            return next(((points, value) for each, points, value in said if each == card), None)
        if self._table is None:
            self._table = table_of(self.view.raw, self.box)
        if what == "standard":
            live, place = self.live.get("yields"), FIRST_STANDARD + about
            owners = self._table.markers[about]
            n = live[about] if live else self.board.places[place].yields[len(owners)]
            is_full = len(owners) == len(self.board.upgrade_prices)
            return n, 0 if is_full else place_price(self._table, about, 0, free=False)
        if what == "next_hire":
            return next_hire(self._table, about)
        return hire_price(self._table, about, 0, free=False) if what == "hire_price" else upkeep(self._table, about)

    def _tell(self, domain: str, index: int) -> str:
        return describe(self.words, domain, index, self.view["seats"])

    def _area(self, id: str, title: str, width: float, height: float, markup: Markup, name: str = "") -> Region:
        return Region(id, title, "board", [Drawing(f"at-{id}", width, height, markup, name)], flow="fit")

    # -- the volcano ----------------------------------------------------------------------------------------------

    @kept
    def maw(self) -> Region:
        """Buka, and what lies in him."""
        lying = [(kind, n) for kind, n in enumerate(self.s["maw"]) if n]
        heap = [
            {"kind": RESOURCES[kind], "n": n, "x": 150 + (place - (len(lying) - 1) / 2) * 39}
            for place, (kind, n) in enumerate(lying)
        ]
        listed = ", ".join(f"{n} {self.words.name('resource', kind)}" for kind, n in lying) or self._say("nothing")
        markup = _draw("buka", heap=heap, name=self._say("maw.holds", what=listed), full=bool(heap))
        return self._area("maw", self._say("maw"), 300, 254, markup)

    @kept
    def smoke(self) -> Region:
        """The round and its card, which may be a place."""
        card = self.s["round_card"]
        if card < 0:
            title, text, signs = self._say("no_round_card"), "", []
            if self.s["boards_left"] and -1 in self.s["masterboard"]:
                title = self._say("faces")
                text = "; ".join(self.words.name("masterboard", face) for face in self.s["boards_left"])
        else:
            title, text = self.words.name("round_card", card), self._tell("round_card", card)
            signs = round_signs(self.box.round_cards[card])
        fields = self.s["fields"][ROUND_PLACE]
        room = 236 - len(fields) * 30
        markup = _draw(
            "smoke",
            name=self._named(title, text, ROUND_PLACE),
            title=_title(title, 236, 16),
            when=f"{self._say('round')} {self.s['round']}",
            choice="visit * round_place; crowd_in * round_place; chase round_place *; recall * round_place",
            line=_row(signs, 30 + room / 2, 71, 17, width=room, anchor="middle"),
            fields=self._sockets(ROUND_PLACE, 268 - len(fields) * 15, 82, 30),
        )
        return self._area("round", title, 296, 106, markup)

    @kept
    def counter(self) -> Region:
        """The pact counter with the spaces in use."""
        following = self.board.counter_next[self.view["seats"]]
        spaces = self.board.counter_positions(self.view["seats"])
        step = 300 / len(spaces)
        shown = []
        for place, space in enumerate(spaces):
            aside = (place + 0.5) / len(spaces) * 2 - 1
            shown.append(
                {
                    "x": (place + 0.5) * step,
                    "y": 17 + 12 * (1 - aside * aside),
                    "r": min(19, step / 2 - 0.5),
                    "number": space,
                    "now": space == self.s["counter"],
                    "next": space == following[self.s["counter"]],
                    "sign": ("", "omen", "marker")[self.board.counter_event[space] + 1],
                }
            )
        name = self._say("counter", n=self.s["counter"])
        markup = _draw("counter", spaces=shown, name=name, text=self.words.say("rule.counter"))
        return self._area("counter", self._say("counter.title"), 300, 48, markup)

    # -- places ---------------------------------------------------------------------------------------------------

    def _named(self, title: str, text: str, spot: int) -> str:
        """What a place is called: what it does, and who stands there."""
        there = [worker["name"] for field in self._sockets(spot, 0, 0, 1) for worker in field["who"]]
        parts = [f"{title}.", text, self._say("there", who=", ".join(there)) if there else ""]
        return " ".join(filter(None, parts))

    def _sockets(self, spot: int, x: float, y: float, step: float) -> list[dict[str, Any]]:
        """The fields of a place around x, with who stands there."""
        fields, guest = self.s["fields"][spot], self.s["guest"]
        found = []
        for field, who in enumerate(fields):
            pair = [who] + ([guest[2]] if len(guest) == 3 and guest[0] == spot and guest[1] == field else [])
            found.append(
                {
                    "x": x + (field - (len(fields) - 1) / 2) * step,
                    "y": y,
                    "r": min(13, step / 2 - 0.5),
                    "field": field + 1,
                    "who": [self._who(each) for each in pair if each >= 0],
                }
            )
        return found

    def _who(self, who: int) -> dict[str, Any]:
        seat, kind = divmod(who, len(WORKERS))
        name = self._say("worker", seat=seat, worker=kind)
        return {"seat": seat, "kind": WORKERS[kind], "name": name}

    def _round_card(self) -> RoundCard:
        card = self.s["round_card"]
        found: RoundCard = self.box.in_round[card]
        return found

    def _action(self, place: int) -> Action:
        """What a place does in this round."""
        action = self.board.places[place].action
        if self._round_card().quiet[place]:  # no vengeance card is drawn here in this round
            action = replace(action, effects=tuple(each for each in action.effects if each.verb != DRAW_VENGEANCE))
        return action

    def _choice(self, place: int) -> str:
        id = MAIN_PLACES[place]
        return f"visit * {id}; crowd_in * {id}; chase {id} *; recall * {id}; leave * {id}"

    @kept
    def standard(self, place: int) -> Region:
        """A place that yields resources or workers: how many now, its upgrades and their prices."""
        id, printed = MAIN_PLACES[place], self.board.places[place]
        title = self.words.name("place", place)
        discount = self._round_card().upgrade_discount
        owners = self.s["markers"][place - FIRST_STANDARD]
        slots = []
        for slot, price in enumerate(self.board.upgrade_prices):
            signs = [(str(max(0, price - discount)), "gold"), (f"›{printed.yields[slot + 1]}", "")]
            free = _row(signs, 34 + slot * 54, 81, 15.8, width=47, anchor="middle")
            slots.append({"seat": owners[slot] if slot < len(owners) else -1, "row": free})
        markup = _draw(
            "standard",
            id=f"place-{id}",
            art=id,
            name=self._named(title, self._yield(place), place),
            title=_title(title, 150, 15.8),
            choice=f"{self._choice(place)}; upgrade {id}; marker {id} *",
            n=self.worked["standard", place - FIRST_STANDARD][0],
            sign=RESOURCES[printed.kind] if printed.kind >= 0 else "extra",
            slots=slots,
            bonus=[RESOURCES[kind] for kind in printed.bonus],
            fields=self._sockets(place, 83, 122, 30),
        )
        return self._area(id, title, 166, 136, markup)

    def _yield(self, place: int) -> str:
        """What a standard place gives now, with upgrades, and to the viewer with its own bonuses."""
        standard = place - FIRST_STANDARD
        printed = self.board.places[place]
        level = len(self.s["markers"][standard])
        n, price = self.worked["standard", standard]
        kind = printed.kind
        text = self._say("hires", n=n) if place == VILLAGE else self._say("yields", n=n, resource=kind)
        discount = self._round_card().hire_discount
        if place == VILLAGE and discount:
            text += " " + self._say("hires_for_less", n=discount)
        if level < len(printed.yields) - 1:
            more = n + printed.yields[level + 1] - printed.yields[level]
            fields = {"level": level + 1, "n": more, "price": price}
            if place == VILLAGE:
                text += " " + self._say("next_level.hires", **fields)
            else:
                text += " " + self._say("next_level", **fields, resource=kind)
        bonus = self._say("or").join(self.words.name("resource", each) for each in printed.bonus)
        text += " " + self._say("marker_bonus", what=bonus)
        own = sum(self._is("viewer", owner) for owner in self.s["markers"][standard])
        if own:
            text += " " + self._say("own_bonus", n=own, what=bonus)
        return text

    def _lines(self, action: Action) -> list[list[Sign]]:
        """What a place's sign board tells; its picture has told the rest. Options stand one below the other."""
        first = action.effects[0]
        if first.verb == CHOOSE:
            return [action_signs(option) for option in first.options]
        told = tuple(effect for effect in action.effects if effect.verb not in _TOLD_BY_PICTURE)
        if first.verb == UPGRADE:
            return [[(f"+{first.vp}", "crown")]]
        signs = effects_signs(told)
        cost = cost_signs(action.cost)
        gain = [("+", "gold")] if first.verb == ACCEPT_PACT and first.bonus else []
        signs = [*cost, *([("›", "")] if cost and signs else []), *signs, *gain]
        return [signs] if signs else []

    @kept
    def small(self, id: str) -> Region:
        """A place with a picture, a sign board and sockets."""
        place = MAIN_PLACES.index(id)
        title, action = self.words.name("place", place), self._action(place)
        lines = self._lines(action)
        if len(lines) > 1:
            rows = [_row(line, 49, 53 + at * 19, 15.8, width=84, anchor="middle") for at, line in enumerate(lines)]
        else:
            rows = [_row(line, 74.5, 51, 15.8, width=38, anchor="middle") for line in lines]
        fields = len(self.s["fields"][place])
        holder = -1
        if id == "start_player" and self.s["round_card"] >= 0:
            holder = self.s["start"] if self.s["claimant"] < 0 else self.s["claimant"]
        markup = _draw(
            "small",
            id=f"place-{id}",
            art=id,
            name=self._named(title, action_in_words(self.words, action), place),
            title=_title(self._say("short.upgrade") if id == "upgrade" else title, 96, 15.8),
            choice=self._choice(place),
            rows=rows,
            fields=self._sockets(place, 49, 105, min(27, 72 / max(1, fields - 1))),
            holder=holder,
        )
        return self._area(id, title, 98, 116, markup)

    @kept
    def plank(self, id: str, width: float) -> Region:
        """A place in one line."""
        place = MAIN_PLACES.index(id)
        title, action = self.words.name("place", place), self._action(place)
        art = id != "plunder"
        fields = len(self.s["fields"][place])
        room = width - (52 if art else 18) - fields * 29
        signs = [sign for line in self._lines(action) for sign in line]
        markup = _draw(
            "plank",
            id=f"place-{id}",
            art=id if art else "",
            name=self._named(title, action_in_words(self.words, action), place),
            title=_title(title, width - 6, 15.8),
            choice=self._choice(place),
            line=_row(signs, 44 if art else 10, 38, 15.8, width=room),
            fields=self._sockets(place, width - 8 - fields * 14.5, 46, 29),
            w=width,
        )
        return self._area(id, title, width, 58, markup)

    @kept
    def pyramid(self) -> Region:
        """The four levels with their room, price and points."""
        levels = []
        for number, level in enumerate(self.board.levels):
            cost = cost_in_words(self.words, level.climb.cost)
            effects = effects_in_words(self.words, level.climb.effects)
            seats = [seat for seat, at in enumerate(self.s["pyramid"]) if at == number + 1]
            tokens, extras = cost_signs(level.climb.cost), effects_signs(level.climb.effects)
            lines = [tokens[:3], tokens[3:] + extras] if tokens[3:] or extras else [tokens]
            inset, y = number * 8, 151 - number * 43
            room = 142 - 2 * inset - 19 * len(seats)
            at = (22,) if len(lines) == 1 else (12, 32)
            levels.append(
                {
                    "y": y,
                    "inset": inset,
                    "vp": level.vp,
                    "rows": [
                        _row(line, 42 + inset, y + dy, 15.8, width=room) for line, dy in zip(lines, at, strict=True)
                    ],
                    "seats": seats,
                    "free": level.room - len(seats),
                    "name": self._say("level", number=number + 1, cost=cost, vp=level.vp, room=level.room)
                    + (f" {effects}." if effects else ""),
                }
            )
        title = self.words.name("place", PYRAMID)
        text = action_in_words(self.words, self.board.places[PYRAMID].action)
        markup = _draw(
            "pyramid",
            levels=levels,
            name=self._named(title, text, PYRAMID),
            title=_title(title, 194, 15.8),
            choice=self._choice(PYRAMID),
            fields=self._sockets(PYRAMID, 116, 222, 32),
        )
        return self._area("pyramid", title, 200, 237, markup)

    # -- pacts ----------------------------------------------------------------------------------------------------

    @kept
    def slot(self, slot: int) -> Region:
        """An open pact, with the gold that its slot brings or costs."""
        pact = self.s["display"][slot]
        if pact < 0:
            drawing = Drawing(f"no-pact-{slot}", 128, 158, _draw("no_tablet"))
        else:
            id = self._id("pact", pact)
            gold = self.board.slot_gold[slot]
            drawing = self._pact(pact, f"display-{slot}", f"accept {id}; gift {id}", gold=gold)
        return Region(f"slot-{slot}", self._say("display", n=slot + 1), "board", [drawing], flow="fit")

    def _pact(
        self, pact: int, id: str, choice: str, *, gold: int = 0, reminder: str = "", own: bool = False
    ) -> Drawing:
        text = f"{self._tell('pact', pact)}{reminder}" + (f" {self._say('slot_gold', n=gold)}" if gold else "")
        return _tablet(self.words, pact, id, text, choice, gold=gold, own=own, has=self._has if own else _has_nothing)

    def _has(self, n: int, sign: str) -> bool:
        """Whether the viewer has as much of what a sign means."""
        seat = self.view["viewer"]
        stock = self.s["stock"][seat]
        if sign in RESOURCES:
            return bool(stock[RESOURCES.index(sign)] >= n)
        if sign == "marker":
            return bool(stock[self.s["cost_marker"][seat]] >= n)
        others: dict[str, int] = {"any": sum(stock), "omen": _count(self.s["omens"][seat])}
        return others.get(sign, 0) >= n

    @kept
    def pact_deck(self) -> Region:
        """The pacts to come and those discarded."""
        gone = self.s["pact_discard"]
        n = self.s["pact_deck"]["count"]
        name = f"{self._say('pact_deck')}: {n}. {self._discarded('pact')}"
        markup = _draw("pact_deck", name=name, n=n, discarded=len(gone))
        return self._area("pact-deck", self._say("pact_deck"), 70, 158, markup)

    def _discarded(self, domain: str) -> str:
        cards = self.s[f"{domain}_discard"]
        listed = ", ".join(self.words.name(domain, card) for card in cards) or self._say("nothing")
        return f"{self._say(f'discard.{domain}')}: {len(cards)} ({listed})"

    # -- decks, towers, supply, who rests, points -------------------------------------------------------------------

    @kept
    def decks(self) -> Region:
        """Omens, those discarded, secret pacts and vengeance cards."""
        decks = [
            self._deck("omen", "omen_deck", "eye", 0, discarded=True),
            self._deck("secret_pact", "secret_pact_deck", "secret", 94),
            self._deck("vengeance", "vengeance_deck", "skull", 148),
        ]
        return self._area("decks", self._say("decks"), 196, 66, _draw("decks", decks=decks))

    @kept
    def round_deck(self) -> Region:
        """The round cards to come."""
        decks = [self._deck("round_card", "round_deck", "torch", 18)]
        return self._area("round-deck", self._say("deck.round_card"), 86, 66, _draw("decks", decks=decks))

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
            _row(self._tower_price(slot), 20, 39 + slot * 38, 15.8, width=35, anchor="middle") for slot in range(2)
        ]
        heading = _title(self._say("towers"), 196, 15.8)
        markup = _draw("towers", title=heading, prices=prices, cards=cards)
        return self._area("towers", self._say("towers"), 200, 98, markup)

    def _tower_price(self, slot: int) -> list[Sign]:
        return [(str(max(0, self.box.tower_prices[slot] - self._round_card().upgrade_discount)), "gold")]

    def _tower_sign(self, card: int) -> str:
        upgrade = self.box.tower_upgrades[card]
        if upgrade.element >= 0:
            return ELEMENTS[upgrade.element]
        return RESOURCES[self.board.places[upgrade.place].kind]

    @kept
    def supply(self) -> Region:
        """The common supply."""
        heaps = ((), ((0, 36),), ((-9, 36), (9, 36)), ((-9, 36), (9, 36), (0, 22)))
        piles = [
            {
                "id": f"supply-{kind}",
                "name": f"{self._say('supply', resource=index)}: {self.s['supply'][index]}",
                "choice": f"take {kind} *; bonus {kind}",
                "sign": kind,
                "n": self.s["supply"][index],
                "x": 26 + index * 41,
                "heap": heaps[min(3, -(-self.s["supply"][index] // 7))],
            }
            for index, kind in enumerate(RESOURCES)
        ]
        return self._area("supply", self._say("supply.title"), 216, 66, _draw("supply", piles=piles))

    @kept
    def idle(self) -> Region:
        """The workers who rest, of all seats."""
        resting = [
            (seat, kind)
            for seat in range(self.view["seats"])
            for kind in range(len(WORKERS))
            for _ in range(self.s["idle"][seat][kind])
        ]
        step = min(26, 140 / max(1, len(resting)))
        workers = [
            {"seat": seat, "kind": WORKERS[kind], "x": 48 + place * step} for place, (seat, kind) in enumerate(resting)
        ]
        listed = ", ".join(self._say("worker", seat=seat, worker=kind) for seat, kind in resting)
        name = f"{self._say('idle')}: {listed or self._say('nobody')}"
        return self._area("idle", self._say("idle"), 190, 48, _draw("idle", name=name, workers=workers))

    def rims(self) -> list[Region]:
        """The stones around the island, with a marker per seat; beyond 99 it begins anew."""
        return [self._rim(side) for side in _SIDES]

    def _rim(self, side: str) -> Region:
        stones = _SIDES[side]
        there = [(seat, self.s["vp"][seat] % 100) for seat in range(self.view["seats"])]
        return self._marked_rim(side, *(each for each in there if each[1] in stones))

    @kept
    def _marked_rim(self, side: str, *there: tuple[int, int]) -> Region:
        """A side of the rim. there: the seats whose markers stand on it, and where."""
        left, top, width, height = _RIMS[side]
        upright = side in ("left", "right")
        markers = []
        for seat, n in there:
            sharing = [each for each, where in there if where == n]
            x, y = _stone(n)
            aside = (sharing.index(seat) - (len(sharing) - 1) / 2) * 17
            dx, dy = (0, aside) if upright else (aside, 0)
            markers.append({"seat": seat, "x": x - left + dx, "y": y - top + dy, "r": 11 if len(sharing) == 1 else 9})
        stones = [
            {"n": n, "x": x - left, "y": y - top, "w": 20 if upright else 30, "h": 28 if upright else 20}
            for n in _SIDES[side]
            for x, y in [_stone(n)]
        ]
        markup = _draw("rim", stones=_draw("stones", stones=stones), markers=markers)
        title = self._say("rim", first=_SIDES[side][0], last=_SIDES[side][-1])
        return self._area(f"rim-{side}", title, width, height, markup)

    @kept
    def boards_left(self) -> Region:
        """The masterboards that can be picked."""
        drawings = []
        for face in self.s["boards_left"]:
            title, text = self.words.name("masterboard", face), self._tell("masterboard", face)
            heading, lines = wrap(title, 190, 18), wrap(text, 214, 15)
            height = 34 + len(heading) * 20 + len(lines) * 19
            markup = _draw(
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

    # -- the viewer's own -----------------------------------------------------------------------------------------

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
            card = self._pact(pact, f"own-pact-{place}", choice, reminder=self._reminder("pact", pact), own=True)
            drawings.append(card)
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
        markup = _draw("worker", id=id, name=name, seat=seat, kind=kind_name, count=count, choice=choice)
        return Drawing(f"box-{id}", 44, 96, markup)

    @kept
    def _tower(self, seat: int) -> Drawing:
        slots = []
        for slot, card in enumerate(self.s["built"][seat]):
            row = _row(self._tower_price(slot), 29 + slot * 44, 38, 15.8, width=36, anchor="middle")
            slots.append({"sign": self._tower_sign(card) if card >= 0 else "", "row": row})
        inside = [WORKERS[kind] for kind in range(EXTRA, len(WORKERS)) for _ in range(self.s["tower"][seat][kind])]
        signs, price = self._hire(seat)
        built = [self.words.name("tower_upgrade", card) for card in self.s["built"][seat] if card >= 0]
        name = f"{self._say('tower')}: {', '.join(built) or self._say('nothing')}."
        markup = _draw(
            "tower",
            id="own-tower",
            name=name + (f" {self._say('next_hire')}: {price}." if price else ""),
            slots=slots,
            price=_row(signs, 125, 38, 15.8, width=52, anchor="middle") if signs else None,
            seat=seat,
            workers=inside,
        )
        return Drawing("box-own-tower", 160, 96, markup)

    def _hire(self, seat: int) -> tuple[list[Sign], str]:
        """What the next worker costs, as signs and in words; nothing when none is left."""
        kind = self.s["cost_marker"][seat]
        if kind < 0 or self.worked["next_hire", seat] < 0:
            return [], ""
        marked, gold = self.worked["hire_price", seat]
        pairs = ((kind, marked), (GOLD, gold))
        signs = [(str(n), RESOURCES[each]) for each, n in pairs if n]
        return signs or [("0", RESOURCES[kind])], self._amounts(*pairs) or self._say("free")

    @kept
    def _master(self, seat: int) -> Drawing:
        """The own masterboard: its track, multiplier or option, and its own place."""
        index = self.s["masterboard"][seat]
        face = self.box.masterboards[index]
        own, track = face.own_place, face.track[self.view["seats"]]
        holes, lines = _face(face, track, self.s["track"][seat], self.s["multiplier"][seat])
        fields: list[dict[str, Any]] = []
        if own is not None:
            fields = self._sockets(OWN_PLACE + seat, 160, 17 if track else 83, 26)
        title = self.words.name("masterboard", index)
        titled = None if own is not None and track else _title(title, 146, 15.8)
        choice = "visit * own_place; crowd_in * own_place; recall * own_place"
        name = self._named(title, self._board_text(seat), OWN_PLACE + seat)
        markup = _draw(
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

    def _board_text(self, seat: int) -> str:
        """What a seat's masterboard does, and where its marker is."""
        index = self.s["masterboard"][seat]
        text, face = self._tell("masterboard", index), self.box.masterboards[index]
        if face.track[self.view["seats"]]:
            return self._say("track", n=self.s["track"][seat]) + " " + text
        if len(face.multiplier) > 1:
            return self._say("multiplier", n=face.multiplier[self.s["multiplier"][seat]]) + " " + text
        return text

    def _ability(self, seat: int) -> Drawing:
        card, used = self.s["ability"][seat], self.s["ability_used"][seat]
        choice = "" if used else f"use {self._id('ability', card)}"
        return self._mini("ability", card, f"ability-{seat}", choice, used=used)

    @kept
    def _mini(self, domain: str, card: int, id: str, choice: str, *, used: bool = False) -> Drawing:
        """An own card, as signs."""
        text = self._say("used") if used else self._tell(domain, card) + self._reminder(domain, card)
        return _mini(self.words, domain, card, id, text, choice, used=used)

    def _reminder(self, domain: str, card: int) -> str:
        """What an own card would cost or bring if the game ended now, as one more sentence."""
        found = self.worked["reminder", (domain, card)]
        if found is None:
            return ""
        points, value = found
        key = f"reminder.{domain}" if points else f"reminder.{domain}.nothing"
        return " " + self._say(key, points=points, value=value)

    @kept
    def _goods(self, seat: int) -> list[Fact]:
        """Points, resources, upgrade markers left, and what the next pact will cost."""
        return [self._points(seat), *self._stock(seat), self._markers(seat), *self._owed(seat)]

    # -- what each seat has ---------------------------------------------------------------------------------------

    @kept
    def seat(self, seat: int) -> Region:
        """Points, resources, counts of cards; workers, boards, upgrades and pacts. The viewer's are in the dock."""
        own = self._is("viewer", seat)
        goods = [] if own else self._goods(seat)
        facts = [*goods, *self._counts(seat), *self._marks(seat)]
        return Region(f"cult-{seat}", "", "seat", [self._cult(seat, own)], facts, seat=seat)

    def _markers(self, seat: int) -> Fact:
        markers = self.s["upgrade_markers"][seat]
        return Fact(f"markers-{seat}", self._say("upgrade_markers"), str(markers), _sign("flag"), markers)

    def _points(self, seat: int) -> Fact:
        pick = f"to {seat}; from {seat}; winner {seat}; chase * {seat}"
        return Fact(f"vp-{seat}", self._say("vp"), str(self.s["vp"][seat]), _sign("crown"), self.s["vp"][seat], pick)

    def _stock(self, seat: int) -> Iterable[Fact]:
        for index, kind in enumerate(RESOURCES):
            n = self.s["stock"][seat][index]
            marked = self.s["cost_marker"][seat] == index
            label = self._say("marked", resource=index) if marked else self.words.name("resource", index)
            choice = f"pay {kind} *" if self._is("viewer", seat) else ""
            sign = _draw("marked_sign", sign=kind) if marked else _sign(kind)
            yield Fact(f"{kind}-{seat}", label, str(n), sign, n, choice)

    def _counts(self, seat: int) -> Iterable[Fact]:
        for key, sign in (
            ("fulfilled", "tablet"),
            ("omens", "omen"),
            ("vengeance", "curse"),
            ("secret_pacts", "secret"),
        ):
            count = _count(self.s[key][seat])
            yield Fact(f"count-{key}-{seat}", self._say(f"count.{key}"), str(count), _sign(sign), count)

    def _owed(self, seat: int) -> Iterable[Fact]:
        """What the next pact will make a seat pay."""
        kind = self.s["cost_marker"][seat]
        if kind < 0:
            return
        following = self.board.counter_next[self.view["seats"]][self.s["counter"]]
        owed = self.worked["upkeep", seat] if self.board.counter_event[following] == UPKEEP else 0
        stock = self.s["stock"][seat][kind]
        help = self._say("owed.help", n=stock, resource=kind)
        yield Fact(f"owed-{seat}", self._say("owed"), f"{stock}/{owed}", _sign("marker"), owed, help=help)

    def _marks(self, seat: int) -> Iterable[Fact]:
        """Who begins this round, claims the next, has brought the end, has its last turn to come."""
        s = self.s
        if seat == s["start"] and s["round_card"] >= 0:
            yield Fact(f"start-{seat}", self._say("start_marker.has"), "✓", _sign("idol"))
        if seat == s["claimant"]:
            yield Fact(f"claim-{seat}", self._say("start_marker.claims"), "›", _sign("idol"))
        if seat == s["ender"]:
            yield Fact(f"ender-{seat}", self._say("ender"), "✓", _sign("skull"))
        if s["ender"] >= 0 and seat in s["last_turns"]:
            yield Fact(f"last-turn-{seat}", self._say("last_turn"), "1", _sign("torch"))

    def _amounts(self, *pairs: tuple[int, int]) -> str:
        """Tokens in words; "" for none."""
        return ", ".join(self._say("amount", n=n, resource=kind) for kind, n in pairs if n)

    @kept
    def _cult(self, seat: int, own: bool) -> Drawing:
        """Workers; of others also their boards, upgrades and pacts, in lines of 284 at most."""
        crews, x = [], 0.0
        for kind, name in enumerate(WORKERS):
            crew, x = self._crew(seat, kind, name, x)
            crews.append(crew)
        chips = self._chips(seat, own)
        width = 284 if chips else x
        x, y = x + 4, _CREW - _CHIP
        for chip in chips:
            if x + chip["width"] > 284:
                x, y = 0, y + _CHIP + 2
            chip["x"], chip["y"] = x, y
            chip["row"] = _row(chip["signs"], x + 5.5, y + _CHIP / 2 + 1, _ON_CHIP)
            chip["fields"] = self._sockets(chip["spot"], x + chip["width"] - 15, y + 19, 20) if chip["spot"] else []
            x += chip["width"] + 3
        return Drawing(f"cult-of-{seat}", width, y + _CHIP, _draw("cult", crews=crews, chips=chips, height=_CHIP))

    def _crew(self, seat: int, kind: int, name: str, x: float) -> tuple[dict[str, Any], float]:
        """Who is at home, rests, or is still in the tower, of one type."""
        home, idle, tower = (self.s[zone][seat][kind] for zone in ("home", "idle", "tower"))
        id, step = f"crew-{seat}-{name}", 15
        workers: list[dict[str, Any]] = []
        for zone, count, css in (("home", home, ""), ("idle", idle, "idle"), ("tower", tower, "in-tower")):
            for n in range(count):
                aside = 5 if zone == "tower" else 0
                each = {"x": x + 8 + len(workers) * step + aside, "id": f"{id}-{zone}-{n}", "css": css}
                workers.append(each)
        tower_width = tower * step + 8 if tower else 0
        width = max(12, (home + idle) * step + tower_width)
        label = self._say("workers.all", worker=kind, home=home, idle=idle, tower=tower)
        crew = {
            "id": id,
            "name": label,
            "seat": seat,
            "kind": name,
            "home": home,
            "x": x,
            "width": width,
            "workers": workers,
            "tower_width": max(tower_width, 20) if tower else 0,
            "tower_x": x + (home + idle) * step + 1,
        }
        return crew, x + width + 3

    def _chips(self, seat: int, own: bool) -> list[dict[str, Any]]:
        s = self.s
        found: list[dict[str, Any]] = []
        signs, price = self._hire(seat)
        if signs and not own:
            name = f"{self._say('next_hire')}: {price}"
            found.append(_chip(f"hire-{seat}", name, [("", "keep"), *signs], "hire-price"))
        if own:
            return found
        face = s["masterboard"][seat]
        if face >= 0:
            board = self.box.masterboards[face]
            track = board.track[self.view["seats"]]
            at = f"{s['track'][seat]}/{len(track) - 1}" if track else ""
            at = f"×{board.multiplier[s['multiplier'][seat]]}" if len(board.multiplier) > 1 else at
            spot = OWN_PLACE + seat if s["fields"][OWN_PLACE + seat] else 0
            name = f"{self.words.name('masterboard', face)} ({self._say('card.masterboard')})"
            name = (
                self._named(name, self._board_text(seat), OWN_PLACE + seat)
                if spot
                else f"{name}. {self._board_text(seat)}"
            )
            found.append(_chip(f"face-of-{seat}", name, [("", "mask"), (at, "")], "board", spot=spot))
        for slot, card in enumerate(s["built"][seat]):
            if card >= 0:
                name = f"{self.words.name('tower_upgrade', card)} ({self._say('card.tower')}). "
                signs = [("", self._tower_sign(card))]
                found.append(_chip(f"built-{seat}-{slot}", name + self._tell("tower_upgrade", card), signs, "built"))
        ability = s["ability"][seat]
        if ability >= 0:
            used = s["ability_used"][seat]
            name = f"{self.words.name('ability', ability)} ({self._say('card.ability')}). "
            name += self._say("used") if used else self._tell("ability", ability)
            found.append(_chip(f"ability-{seat}", name, [("", "bolt")], "used" if used else "ability"))
        if s["permanent"][seat] >= 0:
            card = s["permanent"][seat]
            name = f"{self.words.name('omen', card)} ({self._say('card.omen')}). {self._tell('omen', card)}"
            found.append(_chip(f"permanent-{seat}", name, [("", "eye")], "omen"))
        for place, pact in enumerate(s["pacts"][seat]):
            printed = self.box.pacts[pact]
            element = self.words.name("element", printed.element)
            name = f"{self.words.name('pact', pact)} ({element}). {self._tell('pact', pact)}"
            vp = sum(effect.n for effect in printed.action.effects if effect.verb == VP)
            signs = [("", ELEMENTS[printed.element]), (str(vp), "")]
            found.append(_chip(f"pact-{seat}-{place}", name, signs, f"pact {ELEMENTS[printed.element]}"))
        return found


def _chip(id: str, name: str, signs: Sequence[Sign], css: str, *, spot: int = 0) -> dict[str, Any]:
    """A small thing among a seat's possessions; spot: the place whose sockets it shows."""
    wide = _in_line(signs, _ON_CHIP)[1]
    width = wide + 8 + (22 if spot else 0)
    return {"id": id, "name": name, "choice": "", "signs": signs, "css": css, "width": width, "spot": spot}


def _has_nothing(n: int, sign: str) -> bool:
    return False


def _tablet(
    words: Words,
    pact: int,
    id: str,
    text: str,
    choice: str = "",
    *,
    gold: int = 0,
    own: bool = False,
    has: Callable[[int, str], bool] = _has_nothing,
) -> Drawing:
    """A pact. text: what it does. gold: of its slot. own: it is the viewer's. has: what can be paid is ticked."""
    printed = words.game.box.pacts[pact]
    title, element = words.name("pact", pact), words.name("element", printed.element)
    vp = sum(effect.n for effect in printed.action.effects if effect.verb == VP)
    extras = effects_signs(effect for effect in printed.action.effects if effect.verb != VP)
    markup = _draw(
        "tablet",
        id=id,
        name=f"{title} ({element}). {text}",
        choice=choice,
        element_id=ELEMENTS[printed.element],
        vp=vp,
        costs=_costs(printed.action, 84 if extras else 96, has),
        line=_row(extras, 64, 126, 17.5, width=112, anchor="middle") if extras else None,
        title=_title(title, 114, 16.6),
        gold=_row([(signed(gold), "gold")], 101, 12, 16.6, anchor="middle") if gold else None,
        own=own,
    )
    return Drawing(f"card-{id}", 128, 158, markup)


def _costs(action: Action, middle: float, has: Callable[[int, str], bool]) -> list[dict[str, Any]]:
    """What a pact costs in one or two columns, with a tick where there is enough of it."""
    costs = cost_signs(action.cost)
    rows = -(-len(costs) // 2)
    found = []
    for place, (n, sign) in enumerate(costs):
        alone = place == len(costs) - 1 and len(costs) % 2
        x = 54 if alone else 28 + place % 2 * 54
        y = middle + (place // 2 - (rows - 1) / 2) * 25
        found.append({"x": x, "y": y, "n": n, "sign": sign, "paid": has(int(n), sign)})
    return found


def _face(
    face: Masterboard, track: Sequence[Sequence[Effect]], at: int, multiplier: int
) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """The holes of a masterboard, its marker in one of them, and what else is printed on it, its own place too."""
    holes: list[dict[str, Any]] = []
    lines = []
    own = face.own_place
    if track:
        half = -(-(len(track) - 1) // 2)
        for space in range(1, len(track)):
            line, column = divmod(space - 1, half)
            x, y = 22 + column * 136 / (half - 1), (38 if own else 32) + line * 33
            signs = effects_signs(track[space])
            bonus = _row(signs, x, y + 17, 15.8, width=34, anchor="middle") if signs else None
            holes.append(_hole(str(space), x, y, 9, at - space, bonus))
    elif len(face.multiplier) > 1:
        for place, n in enumerate(face.multiplier):
            holes.append(_hole(f"×{n}", 26 + place * 38, 45, 14, multiplier - place, None))
    elif face.on_climb is not None:
        lines.append(_row([("", "stairs"), ("›", ""), *action_signs(face.on_climb)], 14, 56, 17, width=150))
    if own is not None:
        lines.append(_row(action_signs(own), 30 if track else 14, 14 if track else 77, 15.8, width=112))
    return holes, lines


def _hole(text: str, x: float, y: float, r: float, beyond: int, bonus: dict[str, Any] | None) -> dict[str, Any]:
    where = {"at": beyond == 0, "done": beyond > 0, "next": beyond == -1}
    return {"text": text, "x": x, "y": y, "r": r, "row": bonus, **where}


def _mini(words: Words, domain: str, card: int, id: str, text: str, choice: str = "", *, used: bool = False) -> Drawing:
    """A small card as signs. text: what it does."""
    box: Box = words.game.box
    key = ""
    if domain == "element_card":
        sign, signs = ELEMENTS[box.elements[card].element], element_signs(box.elements[card])
    elif domain == "tower_upgrade":
        sign, signs = "keep", tower_signs(box, card)
    elif domain == "secret_pact":
        sign, key = "secret", metric_sign(box.secret_pacts[card])
        signs = secret_signs(box.secret_pacts[card])
    elif domain == "vengeance":
        sign, key = "skull", metric_sign(box.vengeance[card])
        signs = vengeance_signs(box.vengeance[card])
    else:
        sign = "bolt" if domain == "ability" else "eye"
        action = (box.abilities if domain == "ability" else box.omens)[card].action
        signs = action_signs(action)
        key = next((each for _, each in effects_signs(action.effects) if each), "")
    css = {"element_card": "element", "secret_pact": "secret", "tower_upgrade": "tower"}.get(domain, domain)
    title = words.name(domain, card)
    markup = _draw(
        "mini",
        id=id,
        name=f"{title} ({words.say(f'table.card.{css}')}). {text}",
        choice=choice,
        css=f"{'control' if css == 'element' else css}{' used' if used else ''}",
        sign=sign,
        key=key,
        rows=_mini_rows(signs),
        brief=_brief(signs, key or sign),
    )
    return Drawing(f"card-{id}", 62, 96, markup)


def _brief(signs: Iterable[Sign], told: str) -> dict[str, Any]:
    """The same in one line below a card's head, which has told one of the signs; an amount of all is said once."""
    line = [(f"{text} ", "") if sign == told else (text, sign) for text, sign in signs if text or sign != told]
    amounts = {text.strip() for text, _ in line}
    if len(line) > 1 and len(amounts) == 1:
        line = [(f"{amounts.pop()} ", ""), *(("", sign) for _, sign in line if sign)]
    size, width = _BRIEF
    return _row(line, 3, 39.5, size, width=width)


def _mini_rows(signs: Sequence[Sign]) -> list[dict[str, Any]]:
    """Signs in at most three lines of a small card."""
    lines: list[list[Sign]] = [[]]
    at = 0.0
    for text, sign in signs:
        wide = text_width(text, 16) + (24 if sign else 0)
        if lines[-1] and at + wide > 56 and len(lines) < 3:
            lines.append([])
            at = 0.0
        lines[-1].append((text, sign))
        at += wide
    middle = 64 - (len(lines) - 1) * 10
    return [_row(line, 31, middle + at * 20, 16, width=51, anchor="middle") for at, line in enumerate(lines)]


def _stone(n: int) -> tuple[float, float]:
    """The middle of a stone of the rim."""
    wide, high = (length - _RIM for length in _STAGE)
    if n <= 20:
        return 13, 13 + high * (20 - n) / 20
    if n <= 50:
        return 13 + wide * (n - 20) / 30, 13
    if n <= 70:
        return 13 + wide, 13 + high * (n - 50) / 20
    return 13 + wide * (100 - n) / 30, 13 + high


def _count(zone: Any) -> int:
    return len(zone) if isinstance(zone, list) else int(zone["count"])


def _sign(sign: str) -> Markup:
    return _draw("sign", sign=sign)


# -- alone, for the rules page ----------------------------------------------------------------------------------------


def card_alone(words: Words, domain: str, card: int, text: str) -> Drawing:
    """A pact, element card, secret pact, omen, vengeance card, ability or tower upgrade. text: what it does."""
    id = f"piece-{domain}-{card}"
    return _tablet(words, card, id, text) if domain == "pact" else _mini(words, domain, card, id, text)


def round_card_alone(words: Words, card: int, kind: str) -> Drawing:
    """A round card. kind: of what kind it is, in words."""
    title = words.name("round_card", card)
    markup = _draw(
        "smoke",
        name=title,
        title=_title(title, 236, 16),
        when=kind,
        choice="",
        line=_row(round_signs(words.game.box.round_cards[card]), 148, 71, 17, width=236, anchor="middle"),
        fields=[],
    )
    return Drawing(f"piece-round-card-{card}", 296, 106, markup)


def masterboard_alone(words: Words, index: int, seats: int) -> Drawing:
    """A face of a masterboard as it is at the beginning, with the pact track of so many players."""
    face: Masterboard = words.game.box.masterboards[index]
    track, own = face.track[seats], face.own_place
    holes, lines = _face(face, track, 0, 0)
    title = words.name("masterboard", index)
    fields: list[dict[str, Any]] = (
        [{"x": 160, "y": 17 if track else 83, "r": 12.5, "field": 1, "who": []}] if own is not None else []
    )
    markup = _draw(
        "master",
        id=f"piece-face-{index}",
        name=title,
        choice="",
        title=None if own is not None and track else _title(title, 146, 15.8),
        holes=holes,
        lines=lines,
        fields=fields,
    )
    return Drawing(f"piece-face-{index}", 180, 96, markup)


def cost_marker_alone(kind: str) -> Drawing:
    """The cost marker of a kind of resource."""
    return Drawing(f"piece-cost-marker-{kind}", 24, 24, _draw("marked_sign", sign=kind))


def piece_alone(sign: str, seat: int = -1) -> Drawing:
    """A resource, worker or marker. seat: whose colour it has."""
    return Drawing(f"piece-{sign}", 64, 64, _draw("piece", sign=sign, seat=seat))
