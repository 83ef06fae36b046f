"""Atacama's table: a block of desert with its minerals, rigs and the worth of each line at the edges."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from markupsafe import Markup

from atoll.engine import Game
from atoll.engine.words import Words
from atoll.picture import Brush, Drawing, Fact, Region
from atoll.picture.brush import signed

from .components import ORES
from .kinds import AXIS, COLUMNS, CONCESSION, FIELD, FIELDS, PLACE_FIELDS, RIG, ROWS, SIDE, SUB_BOARD
from .rules import NEIGHBOURS
from .state import NO_RIG, NO_ROLE, NOT_LAID

_FIELD: Final = 100
_STEP: Final = 310
_LEFT: Final = 10
_TOP: Final = 112
_ROW_CHIPS: Final = 948
_WIDTH: Final = 1060
_HEIGHT: Final = _TOP + 1000
_WIDEST: Final = 860

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


def symbols() -> Markup:
    """Minerals, rigs and the marks of the concessions."""
    return _draw("symbols")


def emblem() -> Drawing:
    """A cut through the desert, for lists of games."""
    return Drawing("emblem-atacama", 320, 200, _draw("emblem"))


def regions(game: Game, view: Mapping[str, Any], words: Words) -> list[Region]:
    """The board with the worth of its lines; per seat its role, rigs and score; the purchase of a concession."""
    found = [_board(game, view, words)]
    found += [_seat(game, view, words, seat) for seat in range(view["seats"])]
    if _may_buy(view):
        found.append(_purchase(game, view, words))
    return found


def _may_buy(view: Mapping[str, Any]) -> bool:
    """Whether the viewer can still buy at some time: nothing is sold yet in an enhanced game."""
    unsold: bool = view["state"]["axis"][0] == NO_ROLE
    return unsold and view["viewer"] is not None and view["options"]["setup"] == "enhanced" and not view["over"]


# -- the board -----------------------------------------------------------------------------------------------------


def _board(game: Game, view: Mapping[str, Any], words: Words) -> Region:
    s = view["state"]
    places = range(len(PLACE_FIELDS))
    markup = _draw(
        "board",
        top=_TOP,
        tiles=[_tile(game, view, words, place) for place in places if s["sub_boards"][place] != NOT_LAID],
        gaps=_gaps(game, view, words),
        lines=[_chip(view, words, axis, line) for axis in (COLUMNS, ROWS) for line in range(SIDE)],
        rigs=[_rig(s, field) for field in range(FIELDS) if s["rigs"][field] != NO_RIG],
    )
    title = words.say("table.board")
    return Region(
        "board", title, "board", [Drawing("board", _WIDTH, _HEIGHT, markup, title)], flow="fit", widest=_WIDEST
    )


def _corner(place: int) -> tuple[int, int]:
    return _LEFT + place % 3 * _STEP, _TOP + place // 3 * _STEP


def _position(field: int) -> tuple[int, int]:
    row, column = divmod(field, SIDE)
    x, y = _corner(row // 3 * 3 + column // 3)
    return x + column % 3 * _FIELD, y + row % 3 * _FIELD


def _tile(game: Game, view: Mapping[str, Any], words: Words, place: int) -> dict[str, Any]:
    x, y = _corner(place)
    letter = words.name(SUB_BOARD.name, view["state"]["sub_boards"][place])
    return {
        "letter": letter,
        "x": x,
        "y": y,
        "fields": [_plot(game, view, words, field) for field in PLACE_FIELDS[place]],
    }


def _plot(game: Game, view: Mapping[str, Any], words: Words, field: int) -> dict[str, Any]:
    s = view["state"]
    x, y = _position(field)
    ore, amount, rig = s["ore"][field], s["amount"][field], s["rigs"][field]
    beside = any(s["rigs"][near] != NO_RIG for near in NEIGHBOURS[field])
    condition = "occupied" if rig != NO_RIG else "blocked" if beside else "free"
    values = {"field": field, "ore": ore, "amount": amount, "rig": rig}
    return {
        "id": game.notation.name(FIELD.name, field),
        "x": x,
        "y": y,
        "ore": ORES[ore],
        "amount": amount,
        "condition": condition,
        "name": words.say(f"table.field.{condition}", {k: v for k, v in values.items() if k != "rig" or rig != NO_RIG}),
        "nuggets": [_BESIDE_RIG] if rig != NO_RIG else _nuggets(field, amount),
    }


def _nuggets(field: int, amount: int) -> list[dict[str, Any]]:
    """The nuggets of a field, each turned and chosen a little differently, but always in the same way."""
    return [
        {"x": x, "y": y, "scale": size, "turn": _scatter(field, i) % 40 - 20, "variant": _scatter(field, i + 9) % 3}
        for i, (x, y, size) in enumerate(_SPOTS[amount])
    ]


def _scatter(field: int, i: int) -> int:
    return (field * 7919 + i * 104729 + 12345) * 48271 % 2147483647 // 1009


def _rig(s: Mapping[str, Any], field: int) -> dict[str, Any]:
    x, y = _position(field)
    row, column = divmod(field, SIDE)
    return {
        "field": f"r{row + 1}c{column + 1}",
        "kind": (RIG.names or ())[s["rigs"][field]],
        "x": x,
        "y": y,
        "last": field == s["last"],
    }


def _gaps(game: Game, view: Mapping[str, Any], words: Words) -> list[dict[str, Any]]:
    """The places of sub-boards still to come, with the batch and the number of turns until it is laid."""
    s = view["state"]
    found = []
    for number, (turn, places) in enumerate(game.box.batches):
        for place in places:
            if s["sub_boards"][place] != NOT_LAID:
                continue
            x, y = _corner(place)
            when = words.say("table.batch", {"n": max(0, turn - s["turn"])})
            name = words.say("table.gap", {"batch": number + 1, "n": max(0, turn - s["turn"])})
            found.append({"id": place + 1, "x": x, "y": y, "batch": number + 1, "when": when, "name": name})
    return found


def _concessions(s: Mapping[str, Any], axis: int) -> list[int]:
    """The concessions that may be scored along an axis: of the seats that have it, or all while nothing is sold."""
    if s["axis"][0] == NO_ROLE:
        return list(range(CONCESSION.size))
    return sorted(
        concession for its_axis, concession in zip(s["axis"], s["concession"], strict=True) if its_axis == axis
    )


def _chip(view: Mapping[str, Any], words: Words, axis: int, line: int) -> dict[str, Any]:
    """What a line holds and is worth, at its end: columns at the top, rows at the right."""
    s, live = view["state"], view["live"]
    rigs = live["rigs"][axis][line]
    concessions = _concessions(s, axis)
    offset = line // 3 * _STEP + line % 3 * _FIELD
    if axis == COLUMNS:
        box = {"x": _LEFT + offset + 3, "y": 4, "width": 94, "height": _TOP - 18}
    else:
        box = {"x": _ROW_CHIPS, "y": _TOP + offset + 2, "width": 108, "height": 96}
    lines = [74] if len(concessions) == 1 else [54, 90]
    worths = [
        {"concession": (CONCESSION.names or ())[c], "points": live["worth"][axis][line][c], "y": y}
        for c, y in zip(concessions, lines, strict=True)
    ]
    counts = rigs >= 4
    worth = "; ".join(
        words.say("table.worth", {"concession": c, "points": signed(live["worth"][axis][line][c])}) for c in concessions
    )
    key = ("table.column", "table.row")[axis] + (".counts" if counts else "")
    return box | {
        "id": f"{(AXIS.names or ())[axis]}-{line + 1}",
        "axis": (AXIS.names or ())[axis],
        "name": words.say(key, {"line": line + 1, "n": rigs, "worth": worth}),
        "counts": counts,
        "pips": [place < rigs for place in range(max(4, rigs))],
        "worths": worths,
    }


# -- the seats -----------------------------------------------------------------------------------------------------


def _seat(game: Game, view: Mapping[str, Any], words: Words, seat: int) -> Region:
    s = view["state"]
    score = view["live"]["scores"][seat]
    text, why = words.say("table.score"), words.say("table.score.help")
    facts = [Fact(f"score-{seat}", text, str(score).replace("-", "−"), _draw("score_symbol"), score, help=why)]
    supplies = (s["base"][seat], s["double"][seat])
    # A click on a supply chooses the kind of rig, where there is something to choose.
    chooses = seat == view["viewer"] and all(supplies)
    for name, left in zip(RIG.names or (), supplies, strict=True):
        if name == "double" and not view["options"]["tactic"]:
            continue
        choice = f"place * {name}; buy * * {name}" if chooses else ""
        label = words.say(f"table.supply.{name}")
        facts.append(Fact(f"supply-{seat}-{name}", label, str(left), _draw("rig_symbol", kind=name), left, choice))
    drawings = []
    if s["axis"][seat] != NO_ROLE:
        axis, concession = s["axis"][seat], s["concession"][seat]
        name = words.say("table.role", {"seat": seat, "axis": axis, "concession": concession})
        markup = _draw("role_card", id=f"role-{seat}", name=name, role=_role(game, axis, concession))
        drawings.append(Drawing(f"role-card-{seat}", 184, 76, markup))
    return Region(f"belongings-{seat}", "", "seat", drawings, facts, seat=seat)


def _role(game: Game, axis: int, concession: int) -> dict[str, Any]:
    return {
        "axis": (AXIS.names or ())[axis],
        "concession": (CONCESSION.names or ())[concession],
        "signs": list(zip(ORES, game.box.multiplier[concession], strict=True)),
    }


# -- buying a concession -------------------------------------------------------------------------------------------


def _purchase(game: Game, view: Mapping[str, Any], words: Words) -> Region:
    """The four roles that can be bought, each with what it and the other player's role would score as things stand."""
    viewer = view["viewer"]
    drawings = [
        _offer(game, view, words, concession, axis) for concession in range(CONCESSION.size) for axis in (COLUMNS, ROWS)
    ]
    title = words.say("table.buy", {"seat": 1 - viewer})
    return Region("purchase", title, "dialog", drawings, opens=("buy",))


def _offer(game: Game, view: Mapping[str, Any], words: Words, concession: int, axis: int) -> Drawing:
    roles = view["live"]["roles"]
    mine, theirs = roles[axis][concession], roles[1 - axis][1 - concession]
    names = ((CONCESSION.names or ())[concession], (AXIS.names or ())[axis])
    values = {"concession": concession, "axis": axis, "concession_2": 1 - concession, "axis_2": 1 - axis}
    markup = _draw(
        "purchase",
        id="offer-" + "-".join(names),
        name=words.say("table.offer", values | {"mine": mine, "theirs": theirs, "seat": 1 - view["viewer"]}),
        choice=f"buy {names[0]} {names[1]} *",
        offer={
            "you": words.say("table.you"),
            "they": words.seat(1 - view["viewer"]),
            "mine": _role(game, axis, concession),
            "theirs": _role(game, 1 - axis, 1 - concession),
            "my_points": words.say("table.now", {"points": signed(mine)}),
            "their_points": words.say("table.now", {"points": signed(theirs)}),
        },
    )
    return Drawing("offer-box-" + "-".join(names), 324, 124, markup)
