"""Atacama's table: a block of desert with its minerals, rigs and the worth of each line at the edges."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from markupsafe import Markup

from atoll.engine import Game
from atoll.engine.words import Words
from atoll.picture import Brush, Drawing, Fact, Layout, Region, Scene, Tab, TablePicture, kept
from atoll.picture.brush import signed

from .components import ORES, AtacamaBox
from .kinds import AXIS, COLUMNS, CONCESSION, FIELD, FIELDS, NEIGHBOURS, PLACE_FIELDS, RIG, ROWS, SIDE, SUB_BOARD
from .state import NO_RIG, NO_ROLE, NOT_LAID

_FIELD: Final = 100
_STEP: Final = 310
_LEFT: Final = 56
_TOP: Final = 146
_ROW_CHIPS: Final = 994
_WIDTH: Final = 1106
_HEIGHT: Final = _TOP + 956

# Where the nuggets of an amount lie on a field, and how large: clear of the digit and of the sub-board's letter.
_SPOTS: Final[Mapping[int, Sequence[tuple[int, int, float]]]] = {
    1: ((56, 46, 1.5),),
    2: ((38, 34, 1.3), (66, 62, 1.3)),
    3: ((30, 30, 1.2), (64, 30, 1.2), (64, 70, 1.2)),
    4: ((26, 30, 1.1), (58, 24, 1.1), (50, 58, 1.1), (80, 62, 1.1)),
    5: ((24, 28, 1.0), (54, 22, 1.0), (48, 52, 1.0), (80, 48, 1.0), (70, 78, 1.0)),
}
_BESIDE_RIG: Final = {"x": 19, "y": 22, "scale": 1.0, "turn": 0, "variant": 0}

_draw = Brush(__package__ or "atoll.games.atacama")

# The players sit at the edges that they score: those of the rows on the left, those of the columns on the right. On a
# phone they sit below the board.
_BOARD: Final = (152, 4, 780, 786)
_EDGES: Final[Mapping[int, float]] = {ROWS: 8, COLUMNS: 940}
_BELOW: Final[Mapping[int, float]] = {ROWS: 6, COLUMNS: 199}
_EDGE: Final = (136, 206)
_SEATED: Final = (185, 88)
SCENE: Final = Scene(
    wide={
        "": Layout(
            1084,
            796,
            {"board": _BOARD}
            | {f"edge-{axis}-{i}": (x, 96 + i * 218, 136, 206) for axis, x in _EDGES.items() for i in range(2)},
            ground="atacama-desert",
        )
    },
    tabs=(
        Tab(
            "board",
            Markup('<path d="M3 3h18v18H3zM9 3v18M15 3v18M3 9h18M3 15h18"/>'),
            Layout(
                390,
                640,
                {"board": (0, 2, 390, 486)}
                | {f"below-{axis}-{i}": (x, 492 + i * 74, 185, 72) for axis, x in _BELOW.items() for i in range(2)}
                | {f"below-{axis}": (x, 492, 185, 146) for axis, x in _BELOW.items()},  # alone
                ground="atacama-desert",
            ),
        ),
    ),
    dock=60,
)

# What a line of the log names, by the ids of elements.
LIGHTS: Final[Mapping[str, Sequence[str]]] = {
    "placed": ("field-{field}",),
    "bought": ("role-{seat}", "edge-of-{seat}", "below-of-{seat}"),
    "role": ("role-{seat}", "edge-of-{seat}", "below-of-{seat}"),
}


def symbols() -> Markup:
    """Minerals, rigs and the marks of the concessions."""
    return _draw("symbols")


def emblem() -> Drawing:
    """A cut through the desert, for lists of games."""
    return Drawing("emblem-atacama", 320, 200, _draw("emblem"))


def regions(game: Game, view: Mapping[str, Any], words: Words) -> list[Region]:
    """The board with the worth of its lines; per seat its role, rigs and score; the purchase of a concession."""
    table = _Table(game, view, words)
    found = [table.board(), *table.edges()]
    if view["viewer"] is not None:
        found.append(table.mine(view["viewer"]))
    found += [table.seat(seat) for seat in range(view["seats"])]
    if table.may_buy():
        found.append(table.purchase())
    return found


class _Table(TablePicture):
    """One view in pictures."""

    box: AtacamaBox

    def may_buy(self) -> bool:
        """Whether the viewer can still buy at some time: nothing is sold yet in an enhanced game."""
        unsold: bool = self.s["axis"][0] == NO_ROLE
        return (
            unsold
            and self.view["viewer"] is not None
            and self.view["options"]["setup"] == "enhanced"
            and not self.view["over"]
        )

    # -- the board -------------------------------------------------------------------------------------------------

    @kept
    def board(self) -> Region:
        """The desert, and at its edges what each line is worth."""
        laid = [place for place in range(len(PLACE_FIELDS)) if self.s["sub_boards"][place] != NOT_LAID]
        markup = _draw(
            "board",
            left=_LEFT,
            top=_TOP,
            tiles=[self._sub_board(place, self.s["sub_boards"][place], *self._fields(place)) for place in laid],
            gaps=self._gaps(),
            lines=[_draw("chip", line=self._chip(axis, line)) for axis in (COLUMNS, ROWS) for line in range(SIDE)],
            rigs=[self._rig(field) for field in range(FIELDS) if self.s["rigs"][field] != NO_RIG],
        )
        title = self._say("board")
        return Region("board", title, "board", [Drawing("board", _WIDTH, _HEIGHT, markup, title)], flow="fit")

    @kept
    def edges(self) -> list[Region]:
        """Who scores the rows and who the columns, with which concession and to how much: at the edges of the board."""
        found = []
        for axis in (ROWS, COLUMNS):
            seats = [seat for seat in range(self.view["seats"]) if self.s["axis"][seat] == axis]
            for place, seat in enumerate(seats):
                role = _role_of(self.box, axis, self.s["concession"][seat])
                name = self._say("role", seat=seat, axis=axis, concession=self.s["concession"][seat])
                seated = {
                    "name": name,
                    "seat": seat,
                    "who": self.words.seat(seat),
                    "role": role,
                    "score": self.live["scores"][seat],
                    "mine": self._is("viewer", seat),
                }
                below = f"below-{axis}-{place}" if seats[1:] else f"below-{axis}"
                for where, size, region in (("edge", _EDGE, f"edge-{axis}-{place}"), ("below", _SEATED, below)):
                    markup = _draw(where, id=f"{where}-of-{seat}", **seated)
                    drawing = Drawing(f"{where}-{seat}", *size, markup)
                    found.append(Region(region, name, "shared", [drawing], flow="fit"))
        return found

    def _fields(self, place: int) -> Iterator[tuple[int, int, int, bool]]:
        """The fields of a sub-board: ore, amount, rig, and whether a rig stands beside it."""
        ore, amount, rigs = (self.s[name][:] for name in ("ore", "amount", "rigs"))
        for field in PLACE_FIELDS[place]:
            beside = any(rigs[near] != NO_RIG for near in NEIGHBOURS[field])
            yield ore[field], amount[field], rigs[field], beside

    @kept
    def _sub_board(self, place: int, board: int, *fields: tuple[int, int, int, bool]) -> Markup:
        x, y = _corner(place)
        plots = [self._plot(field, *values) for field, values in zip(PLACE_FIELDS[place], fields, strict=True)]
        tile = {"letter": self.words.name(SUB_BOARD.name, board), "x": x, "y": y, "fields": plots}
        return _draw("sub_board", tile=tile)

    def _plot(self, field: int, ore: int, amount: int, rig: int, beside: bool) -> dict[str, Any]:
        x, y = _position(field)
        condition = "occupied" if rig != NO_RIG else "blocked" if beside else "free"
        values = {"field": field, "ore": ore, "amount": amount} | ({} if rig == NO_RIG else {"rig": rig})
        return {
            "id": FIELD.label(field),
            "x": x,
            "y": y,
            "ore": ORES[ore],
            "amount": amount,
            "condition": condition,
            "name": self._say(f"field.{condition}", **values),
            "nuggets": [_BESIDE_RIG] if rig != NO_RIG else _nuggets(field, amount),
        }

    def _rig(self, field: int) -> dict[str, Any]:
        x, y = _position(field)
        return {
            "field": FIELD.label(field),
            "kind": RIG.label(self.s["rigs"][field]),
            "x": x,
            "y": y,
            "last": field == self.s["last"],
        }

    def _gaps(self) -> list[dict[str, Any]]:
        """The places of sub-boards still to come, with the batch and the number of turns until it is laid."""
        found: list[dict[str, Any]] = []
        if self.view["options"]["setup"] == "basic":  # all sub-boards lie there before the first turn
            return found
        for number, (turn, places) in enumerate(self.box.batches):
            for place in places:
                if self.s["sub_boards"][place] != NOT_LAID:
                    continue
                x, y = _corner(place)
                when = self._say("batch", n=max(0, turn - self.s["turn"]))
                name = self._say("gap", batch=number + 1, n=max(0, turn - self.s["turn"]))
                found.append({"id": place + 1, "x": x, "y": y, "batch": number + 1, "when": when, "name": name})
        return found

    def _concessions(self, axis: int) -> list[int]:
        """The concessions that may be scored along an axis: of the seats that have it, or all while nothing is sold."""
        if self.s["axis"][0] == NO_ROLE:
            return list(range(CONCESSION.size))
        return sorted(
            concession
            for its_axis, concession in zip(self.s["axis"], self.s["concession"], strict=True)
            if its_axis == axis
        )

    def _chip(self, axis: int, line: int) -> dict[str, Any]:
        """What a line holds and is worth, at its end: columns at the top, rows at the right."""
        rigs = self.live["rigs"][axis][line]
        concessions = self._concessions(axis)
        offset = line // 3 * _STEP + line % 3 * _FIELD
        if axis == COLUMNS:
            box = {"x": _LEFT + offset + 3, "y": 36, "width": 94, "height": _TOP - 50}
        else:
            box = {"x": _ROW_CHIPS, "y": _TOP + offset + 2, "width": 108, "height": 96}
        lines = [74] if len(concessions) == 1 else [54, 90]
        worths = [
            {"concession": CONCESSION.label(c), "points": self.live["worth"][axis][line][c], "y": y}
            for c, y in zip(concessions, lines, strict=True)
        ]
        needed = self.box.line_minimum
        worth = "; ".join(
            self._say("worth", concession=c, points=signed(self.live["worth"][axis][line][c])) for c in concessions
        )
        key = ("column", "row")[axis] + (".counts" if rigs >= needed else "")
        return box | {
            "id": f"{AXIS.label(axis)}-{line + 1}",
            "axis": AXIS.label(axis),
            "at": f"{'cr'[axis]}{line + 1}",
            "name": self._say(key, line=line + 1, n=rigs, worth=worth),
            "counts": rigs >= needed,
            "pips": [place < rigs for place in range(max(needed, rigs))],
            "worths": worths,
        }

    # -- the seats -------------------------------------------------------------------------------------------------

    @kept
    def mine(self, seat: int) -> Region:
        """The rigs that the viewer has left, and its score."""
        return Region("mine", self._say("mine"), "hand", (), self._supplies(seat))

    def _supplies(self, seat: int) -> list[Fact]:
        score = self.live["scores"][seat]
        text, why = self._say("score"), self._say("score.help")
        facts = [Fact(f"score-{seat}", text, str(score).replace("-", "−"), _draw("score_symbol"), score, help=why)]
        supplies = (self.s["base"][seat], self.s["double"][seat])
        # A click on a supply chooses the kind of rig, where there is something to choose.
        chooses = self._is("viewer", seat) and all(supplies)
        for name, left in zip(RIG.names, supplies, strict=True):
            if name == "double" and not self.view["options"]["tactic"]:
                continue
            choice = f"place * {name}; buy * * {name}" if chooses else ""
            label = self._say(f"supply.{name}")
            facts.append(Fact(f"supply-{seat}-{name}", label, str(left), _draw("rig_symbol", kind=name), left, choice))
        return facts

    @kept
    def seat(self, seat: int) -> Region:
        """The score of a seat, the rigs that it has left unless it is the viewer's, and its role once it has one."""
        score, *supplies = self._supplies(seat)
        facts = [score.again()] if self._is("viewer", seat) else [score, *supplies]
        drawings = []
        if self.s["axis"][seat] != NO_ROLE:
            axis, concession = self.s["axis"][seat], self.s["concession"][seat]
            name = self._say("role", seat=seat, axis=axis, concession=concession)
            markup = _draw("role_card", id=f"role-{seat}", name=name, role=_role_of(self.box, axis, concession))
            drawings.append(Drawing(f"role-card-{seat}", 184, 76, markup))
        return Region(f"belongings-{seat}", "", "seat", drawings, facts, seat=seat)

    # -- buying a concession ---------------------------------------------------------------------------------------

    @kept
    def purchase(self) -> Region:
        """The four roles that can be bought, with what each and the role left to the other player would score now."""
        viewer = self.view["viewer"]
        drawings = [self._offer(concession, axis) for concession in range(CONCESSION.size) for axis in (COLUMNS, ROWS)]
        title = self._say("buy", seat=1 - viewer)
        return Region("purchase", title, "dialog", drawings, opens=("buy",))

    def _offer(self, concession: int, axis: int) -> Drawing:
        roles = self.live["roles"]
        mine, theirs = roles[axis][concession], roles[1 - axis][1 - concession]
        names = (CONCESSION.label(concession), AXIS.label(axis))
        values = {"concession": concession, "axis": axis, "concession_2": 1 - concession, "axis_2": 1 - axis}
        markup = _draw(
            "purchase",
            id="offer-" + "-".join(names),
            name=self._say("offer", mine=mine, theirs=theirs, seat=1 - self.view["viewer"], **values),
            choice=f"buy {names[0]} {names[1]} *",
            offer={
                "you": self._say("you"),
                "they": self.words.seat(1 - self.view["viewer"]),
                "mine": _role_of(self.box, axis, concession),
                "theirs": _role_of(self.box, 1 - axis, 1 - concession),
                "my_points": self._say("now", points=signed(mine)),
                "their_points": self._say("now", points=signed(theirs)),
            },
        )
        return Drawing("offer-box-" + "-".join(names), 324, 124, markup)


def printed_board(words: Words, box: AtacamaBox, board: int) -> Markup:
    """A sub-board alone as it is printed, 300 x 316."""
    fields = []
    for at, (ore, amount) in enumerate(zip(box.ore[board], box.amount[board], strict=True)):
        row, column = divmod(at, 3)
        fields.append(
            {
                "id": f"piece-{board}-{at}",
                "x": column * _FIELD,
                "y": row * _FIELD,
                "ore": ORES[ore],
                "amount": amount,
                "condition": "free",
                "name": f"{words.name('ore', ore)} {amount}",
                "nuggets": _nuggets(at, amount),
            }
        )
    return _draw("sub_board", tile={"letter": words.name(SUB_BOARD.name, board), "x": 0, "y": 0, "fields": fields})


def concession_card(box: AtacamaBox, concession: int) -> Markup:
    """A concession alone, as its card lies in columns, 184 x 76."""
    role = _role_of(box, COLUMNS, concession)
    return _draw("role_card", id=f"piece-concession-{concession}", name="", role=role)


def rig_alone(kind: int) -> Markup:
    """A rig alone, 110 x 90."""
    return _draw("rig_piece", kind=RIG.names[kind])


def _role_of(box: AtacamaBox, axis: int, concession: int) -> dict[str, Any]:
    return {
        "axis": AXIS.label(axis),
        "concession": CONCESSION.label(concession),
        "signs": list(zip(ORES, box.multiplier[concession], strict=True)),
    }


def _corner(place: int) -> tuple[int, int]:
    return _LEFT + place % 3 * _STEP, _TOP + place // 3 * _STEP


def _position(field: int) -> tuple[int, int]:
    row, column = divmod(field, SIDE)
    x, y = _corner(row // 3 * 3 + column // 3)
    return x + column % 3 * _FIELD, y + row % 3 * _FIELD


def _nuggets(field: int, amount: int) -> list[dict[str, Any]]:
    """The nuggets of a field, each turned and chosen a little differently, but always in the same way."""
    return [
        {"x": x, "y": y, "scale": size, "turn": _scatter(field, i) % 40 - 20, "variant": _scatter(field, i + 9) % 3}
        for i, (x, y, size) in enumerate(_SPOTS[amount])
    ]


def _scatter(field: int, i: int) -> int:
    return (field * 7919 + i * 104729 + 12345) * 48271 % 2147483647 // 1009
