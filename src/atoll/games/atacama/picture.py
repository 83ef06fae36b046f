"""The picture of Atacama: a block of desert with minerals and rigs, and the worth of each line."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

import msgspec
from markupsafe import Markup

from atoll.engine import Game
from atoll.engine.translations import GameMessages
from atoll.picture import Drawing, Fact, Fragment, Layout, Region, Row, Scene, Sound, SvgMacros, Tab, fragment
from atoll.picture.svg_macros import signed

from .components import ORES, AtacamaComponents
from .kinds import AXIS, COLUMNS, CONCESSION, FIELD, NEIGHBORS, PLACE_FIELDS, RIG, ROWS, SIDE, SUB_BOARD
from .state import NO_RIG, NO_ROLE, NOT_LAID, AtacamaState
from .view import AtacamaTable, AtacamaView

_FIELD: Final = 100
_STEP: Final = 310
_LEFT: Final = 56
_TOP: Final = 146
_ROW_CHIPS: Final = 994
_WIDTH: Final = 1106
_HEIGHT: Final = _TOP + 956

_SPOTS: Final[Mapping[int, Sequence[tuple[int, int, float]]]] = {
    1: ((56, 46, 1.5),),
    2: ((38, 34, 1.3), (66, 62, 1.3)),
    3: ((30, 30, 1.2), (64, 30, 1.2), (64, 70, 1.2)),
    4: ((26, 30, 1.1), (58, 24, 1.1), (50, 58, 1.1), (80, 62, 1.1)),
    5: ((24, 28, 1.0), (54, 22, 1.0), (48, 52, 1.0), (80, 48, 1.0), (70, 78, 1.0)),
}
"""Per amount, the places and sizes of its nuggets, clear of the digit and the letter."""
_BESIDE_RIG: Final = {"x": 19, "y": 22, "scale": 1.0, "turn": 0, "variant": 0}

_draw = SvgMacros(__package__ or "atoll.games.atacama")

# Players sit at the edges that they score: the rows on the left, the columns on the right.
# On an upright phone they sit below the board.
_BOARD: Final = (152, 4, 780, 786)
_EDGES: Final[Mapping[int, float]] = {ROWS: 8, COLUMNS: 940}
_BELOW: Final[Mapping[int, float]] = {ROWS: 6, COLUMNS: 199}
_EDGE: Final = (136, 206)
_SEATED: Final = (185, 88)
_LOW_EDGES: Final[Mapping[int, float]] = {ROWS: 100, COLUMNS: 580}
SCENE: Final = Scene(
    wide={
        "": Layout(
            1084,
            796,
            {"board": _BOARD}
            | {f"edge-{axis}-{i}": (x, 96 + i * 218, 136, 206) for axis, x in _EDGES.items() for i in range(2)},
            ground="atacama-desert",
            least=(0.65, 0.65),
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
            low=Layout(
                784,
                320,
                {"board": (222, 5, 340, 315)}
                | {f"edge-{axis}-{i}": (x, 2 + i * 158, 104, 156) for axis, x in _LOW_EDGES.items() for i in range(2)},
            ),
        ),
    ),
    dock=60,
)

LIGHTS: Final[Mapping[str, Sequence[str]]] = {
    "placed": ("field-{field}",),
    "bought": ("role-{seat}", "edge-of-{seat}", "below-of-{seat}"),
    "role": ("role-{seat}", "edge-of-{seat}", "below-of-{seat}"),
}
"""Per event, the ids of the elements that its line of the log highlights."""

SOUNDS: Final[Mapping[Sound, Sequence[str]]] = {"piece": ("placed", "bought"), "cards": ("role", "laid")}
"""Per sound, the events that it belongs to."""


def symbols() -> Markup:
    """Return the minerals, the rigs and the marks of the concessions."""
    return _draw("symbols")


def emblem() -> Drawing:
    """Return a cut through the desert, for lists of games."""
    return Drawing("emblem-atacama", 320, 200, _draw("emblem"))


def regions(game: Game[AtacamaState, AtacamaComponents], view: Mapping[str, Any], words: GameMessages) -> list[Region]:
    """Return the board with the worth of its lines, and per seat its role, rigs and score.

    Until a concession is bought in the enhanced game, the offers of the purchase are included.

    Args:
        game: The game.
        view: The view of a seat or a spectator.
        words: The game's messages.
    """
    seen = msgspec.convert(view, AtacamaView)
    s, live, viewer = seen.state, seen.live, seen.viewer
    found = [board(words, *_board_parts(words, game.components, seen)), *_edges(words, seen)]
    doubles = s.double if seen.options.tactic else (None,) * seen.seats
    if viewer is not None:
        found.append(mine(words, viewer, live.scores[viewer], s.base[viewer], doubles[viewer]))
    for seat in range(seen.seats):
        role = s.axis[seat], s.concession[seat]
        left = s.base[seat], doubles[seat]
        found.append(belongings(words, seat, live.scores[seat], *left, role, mine=seat == viewer))
    if viewer is not None and s.axis[0] == NO_ROLE and seen.options.setup == "enhanced" and not seen.over:
        found.append(purchase(words, viewer, live.roles))
    return found


# -- the board -------------------------------------------------------------------------------------


def _board_parts(words: GameMessages, components: AtacamaComponents, seen: AtacamaView) -> list[Markup | Fragment]:
    """Return the parts of the board from the bottom to the top."""
    s, live = seen.state, seen.live
    gaps = []
    if seen.options.setup == "enhanced":  # the basic game starts with all sub-boards
        for batch, (turn, places) in enumerate(components.batches):
            empty = [place for place in places if s.sub_boards[place] == NOT_LAID]
            gaps += [(place, batch, max(0, turn - s.turn)) for place in empty]
    parts: list[Markup | Fragment] = [bed(words, *gaps)]
    for place, laid in enumerate(s.sub_boards):
        if laid != NOT_LAID:
            parts.append(sub_board(words, place, laid, *(_field(s, field) for field in PLACE_FIELDS[place])))
    parts.append(rigs(s.last, *((field, kind) for field, kind in enumerate(s.rigs) if kind != NO_RIG)))
    for axis in (COLUMNS, ROWS):
        concessions = _concessions(s, axis)
        for line in range(SIDE):
            worth = tuple((each, live.worth[axis][line][each]) for each in concessions)
            parts.append(chip(words, components.line_minimum, axis, line, live.rigs[axis][line], *worth))
    return parts


def _field(s: AtacamaTable, field: int) -> tuple[int, int, int, bool]:
    """Return ore, amount and rig of a field, and whether a rig stands next to it."""
    beside = any(s.rigs[near] != NO_RIG for near in NEIGHBORS[field])
    return s.ore[field], s.amount[field], s.rigs[field], beside


def _concessions(s: AtacamaTable, axis: int) -> list[int]:
    """Return the concessions that may be scored along an axis: both until one is sold."""
    if s.axis[0] == NO_ROLE:
        return list(range(CONCESSION.size))
    return sorted(each for of, each in zip(s.axis, s.concession, strict=True) if of == axis)


@fragment
def board(words: GameMessages, *parts: Markup | Fragment) -> Region:
    """Return the desert, with the worth of each line at its edges."""
    title = words.say("table.board", {})
    drawing = Drawing.of_parts("board", _WIDTH, _HEIGHT, parts, title)
    return Region("board", title, "board", [drawing], flow="fit")


@fragment
def bed(words: GameMessages, *gaps: tuple[int, int, int]) -> Markup:
    """Return the ground below the board.

    Args:
        words: The game's messages.
        *gaps: The places without a sub-board, each with its batch and the turns until it is laid.
    """
    empty = []
    for place, batch, turns in gaps:
        x, y = _corner(place)
        when, name = words.say("table.batch", {"n": turns}), words.say("table.gap", {"batch": batch + 1, "n": turns})
        empty.append({"id": place + 1, "x": x, "y": y, "batch": batch + 1, "when": when, "name": name})
    return _draw("bed", left=_LEFT, top=_TOP, gaps=empty)


@fragment
def sub_board(words: GameMessages, place: int, board: int, *fields: tuple[int, int, int, bool]) -> Fragment:
    """Return a sub-board with its nine fields.

    Args:
        words: The game's messages.
        place: The place of the sub-board, 0 to 8.
        board: The sub-board.
        *fields: Ore, amount, rig and blocking of each of its fields; see `_field`.
    """
    x, y = _corner(place)
    plots = [_plot(words, field, *values) for field, values in zip(PLACE_FIELDS[place], fields, strict=True)]
    tile = {"letter": words.name(SUB_BOARD.name, board), "x": x, "y": y, "fields": plots}
    return Fragment.of(_draw("sub_board", tile=tile))


def _plot(words: GameMessages, field: int, ore: int, amount: int, rig: int, beside: bool) -> dict[str, Any]:
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
        "name": words.say(f"table.field.{condition}", values),
        "nuggets": [_BESIDE_RIG] if rig != NO_RIG else _nuggets(field, amount),
    }


@fragment
def rigs(last: int, *standing: tuple[int, int]) -> Markup:
    """Return the rigs on the board.

    Args:
        last: The field of the newest rig.
        *standing: The fields with a rig, each with its kind.
    """
    drawn = []
    for field, kind in standing:
        x, y = _position(field)
        drawn.append({"field": FIELD.label(field), "kind": RIG.label(kind), "x": x, "y": y, "last": field == last})
    return _draw("rigs", rigs=drawn)


@fragment
def chip(words: GameMessages, needed: int, axis: int, line: int, rigs: int, *worth: tuple[int, int]) -> Markup:
    """Return the chip at the end of a line: at the top for columns, at the right for rows.

    Args:
        words: The game's messages.
        needed: The number of rigs from which a line counts.
        axis: The axis of the line.
        line: The number of the line, 0 to 8.
        rigs: The number of rigs on it.
        *worth: The concessions that may be scored along the axis, each with the worth of the line.
    """
    offset = line // 3 * _STEP + line % 3 * _FIELD
    if axis == COLUMNS:
        rect = {"x": _LEFT + offset + 3, "y": 36, "width": 94, "height": _TOP - 50}
    else:
        rect = {"x": _ROW_CHIPS, "y": _TOP + offset + 2, "width": 108, "height": 96}
    heights = [54, 90] if worth[1:] else [74]
    worth_text = "; ".join(words.say("table.worth", {"concession": each, "points": signed(n)}) for each, n in worth)
    key = ("column", "row")[axis] + (".counts" if rigs >= needed else "")
    drawn = rect | {
        "id": f"{AXIS.label(axis)}-{line + 1}",
        "axis": AXIS.label(axis),
        "at": f"{'cr'[axis]}{line + 1}",
        "name": words.say(f"table.{key}", {"line": line + 1, "n": rigs, "worth": worth_text}),
        "counts": rigs >= needed,
        "pips": [place < rigs for place in range(max(needed, rigs))],
        "worths": [
            {"concession": CONCESSION.label(each), "points": points, "y": y}
            for (each, points), y in zip(worth, heights, strict=True)
        ],
    }
    return _draw("chip", line=drawn)


def _edges(words: GameMessages, seen: AtacamaView) -> list[Region]:
    """Return the seats at the edges of the board that they score."""
    s, found = seen.state, []
    for axis in (ROWS, COLUMNS):
        seats = [seat for seat in range(seen.seats) if s.axis[seat] == axis]
        for place, seat in enumerate(seats):
            below = f"below-{axis}-{place}" if seats[1:] else f"below-{axis}"
            role, score, mine = (axis, s.concession[seat]), seen.live.scores[seat], seat == seen.viewer
            found.append(edge(words, "edge", f"edge-{axis}-{place}", seat, role, score, mine=mine))
            found.append(edge(words, "below", below, seat, role, score, mine=mine))
    return found


@fragment
def edge(
    words: GameMessages[AtacamaComponents],
    where: str,
    id: str,
    seat: int,
    role: tuple[int, int],
    score: int,
    *,
    mine: bool,
) -> Region:
    """Return a seat at the edge that it scores.

    Args:
        words: The game's messages.
        where: "edge", or "below" for a phone.
        id: The id of the region.
        seat: The seat.
        role: Its axis and concession.
        score: Its score.
        mine: Whether the viewer sits there.
    """
    name = _role_name(words, seat, *role)
    shown = {"name": name, "seat": seat, "who": words.seat(seat), "role": _role_of(words.game.components, *role)}
    markup = _draw(where, id=f"{where}-of-{seat}", **shown, score=score, mine=mine)
    drawing = Drawing(f"{where}-{seat}", *(_EDGE if where == "edge" else _SEATED), markup)
    return Region(id, name, "shared", [drawing], flow="fit")


# -- the seats -------------------------------------------------------------------------------------


@fragment
def mine(words: GameMessages, seat: int, score: int, base: int, double: int | None) -> Region:
    """Return the viewer's score and remaining rigs.

    Args:
        words: The game's messages.
        seat: The seat of the viewer.
        score: Its score.
        base: Its base rigs left.
        double: Its double rigs left; None in games without them.
    """
    return Region(
        "mine", words.say("table.mine", {}), "hand", (), _supplies(words, seat, score, base, double, mine=True)
    )


def _supplies(words: GameMessages, seat: int, score: int, base: int, double: int | None, *, mine: bool) -> list[Fact]:
    text, why = words.say("table.score", {}), words.say("table.score.help", {})
    facts = [Fact(f"score-{seat}", text, str(score).replace("-", "−"), _draw("score_symbol"), score, help=why)]
    for name, left in zip(RIG.names, (base, double), strict=True):
        if left is None:
            continue
        # A click on a supply chooses the kind of rig if both kinds are left.
        choice = f"place * {name}; buy * * {name}" if mine and base and double else ""
        label = words.say(f"table.supply.{name}", {})
        facts.append(Fact(f"supply-{seat}-{name}", label, str(left), _draw("rig_symbol", kind=name), left, choice))
    return facts


@fragment
def belongings(
    words: GameMessages[AtacamaComponents],
    seat: int,
    score: int,
    base: int,
    double: int | None,
    role: tuple[int, int],
    *,
    mine: bool,
) -> Region:
    """Return the score of a seat, its remaining rigs, and its role once it has one.

    For the viewer's seat the rigs are left out, because `mine` shows them.

    Args:
        words: The game's messages.
        seat: The seat.
        score: Its score.
        base: Its base rigs left.
        double: Its double rigs left; None in games without them.
        role: Its axis and concession; NO_ROLE before they are known.
        mine: Whether the viewer sits there.
    """
    first, *supplies = _supplies(words, seat, score, base, double, mine=mine)
    drawings = []
    if role[0] != NO_ROLE:
        shown = {"name": _role_name(words, seat, *role), "role": _role_of(words.game.components, *role)}
        drawings.append(Drawing(f"role-card-{seat}", 184, 76, _draw("role_card", id=f"role-{seat}", **shown)))
    facts = [first.comparison_copy()] if mine else [first, *supplies]
    return Region(f"belongings-{seat}", "", "seat", drawings, facts, seat=seat)


def _role_name(words: GameMessages, seat: int, axis: int, concession: int) -> str:
    return words.say("table.role", {"seat": seat, "axis": axis, "concession": concession})


# -- buying a concession ---------------------------------------------------------------------------


@fragment
def purchase(words: GameMessages, viewer: int, roles: tuple[Row, ...]) -> Region:
    """Return the four roles that can be bought.

    Args:
        words: The game's messages.
        viewer: The seat that buys, or waits for the other player.
        roles: The worth of each role now, by axis and concession.
    """
    offers = [_offer(words, viewer, roles, each, axis) for each in range(CONCESSION.size) for axis in (COLUMNS, ROWS)]
    return Region("purchase", words.say("table.buy", {"seat": 1 - viewer}), "dialog", offers, opens=("buy",))


def _offer(
    words: GameMessages[AtacamaComponents], viewer: int, roles: tuple[Row, ...], concession: int, axis: int
) -> Drawing:
    """Return a role with its worth, next to the role that it leaves to the other player."""
    mine, theirs = roles[axis][concession], roles[1 - axis][1 - concession]
    names = (CONCESSION.label(concession), AXIS.label(axis))
    values = {"concession": concession, "axis": axis, "concession_2": 1 - concession, "axis_2": 1 - axis}
    components = words.game.components
    markup = _draw(
        "purchase",
        id="offer-" + "-".join(names),
        name=words.say("table.offer", {"mine": mine, "theirs": theirs, "seat": 1 - viewer, **values}),
        choice=f"buy {names[0]} {names[1]} *",
        offer={
            "you": words.say("table.you", {}),
            "they": words.seat(1 - viewer),
            "mine": _role_of(components, axis, concession),
            "theirs": _role_of(components, 1 - axis, 1 - concession),
            "my_points": words.say("table.now", {"points": signed(mine)}),
            "their_points": words.say("table.now", {"points": signed(theirs)}),
        },
    )
    return Drawing("offer-box-" + "-".join(names), 324, 124, markup)


def printed_board(words: GameMessages, components: AtacamaComponents, board: int) -> Markup:
    """Return a sub-board alone as it is printed, 300 x 316 pixels.

    Args:
        words: The game's messages.
        components: The components.
        board: The sub-board.
    """
    fields = []
    for at, (ore, amount) in enumerate(zip(components.ore[board], components.amount[board], strict=True)):
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


def concession_card(components: AtacamaComponents, concession: int) -> Markup:
    """Return a concession alone, as its card lies for columns, 184 x 76 pixels."""
    role = _role_of(components, COLUMNS, concession)
    return _draw("role_card", id=f"piece-concession-{concession}", name="", role=role)


def rig_alone(kind: int) -> Markup:
    """Return a rig alone, 110 x 90 pixels."""
    return _draw("rig_piece", kind=RIG.names[kind])


def _role_of(components: AtacamaComponents, axis: int, concession: int) -> dict[str, Any]:
    return {
        "axis": AXIS.label(axis),
        "concession": CONCESSION.label(concession),
        "signs": list(zip(ORES, components.multiplier[concession], strict=True)),
    }


def _corner(place: int) -> tuple[int, int]:
    return _LEFT + place % 3 * _STEP, _TOP + place // 3 * _STEP


def _position(field: int) -> tuple[int, int]:
    row, column = divmod(field, SIDE)
    x, y = _corner(row // 3 * 3 + column // 3)
    return x + column % 3 * _FIELD, y + row % 3 * _FIELD


def _nuggets(field: int, amount: int) -> list[dict[str, Any]]:
    """Return the nuggets of a field, scattered a little differently per field, but reproducibly."""
    return [
        {"x": x, "y": y, "scale": size, "turn": _scatter(field, i) % 40 - 20, "variant": _scatter(field, i + 9) % 3}
        for i, (x, y, size) in enumerate(_SPOTS[amount])
    ]


def _scatter(field: int, i: int) -> int:
    return (field * 7919 + i * 104729 + 12345) * 48271 % 2147483647 // 1009
