"""The counts: resources and majorities of each holder, and the harbor of the neutral player."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from markupsafe import Markup

from atoll.engine.translations import GameMessages
from atoll.picture import Drawing, Fragment, Region, Row, fragment
from atoll.picture.svg_macros import shorten

from ..kinds import KINDS
from ..state import USED_UP
from ..view import AtlandiceView
from .drawing import KIND_NAMES, NARROW, draw
from .names import holder_name, say, stakes_text

_MAJORITY: Final = (356, 54, 38)  # width, height of the head and of a line
_STANDING: Final = (356, 58, 70)  # the same for the table of all numbers on a phone
_SIGNS: Final = 44  # width of the signs before the first column
_REST: Final = 56  # width of the column with the rest of a district, behind the holders
_REST_TALL: Final = (
    44,
    84,
)  # the same on a phone, without and with a column of resources out of the game
_HEAD: Final = 20.2  # size of a name above a column
_HARBOR: Final = (356, 360)
_CRATE: Final = (22, 62)  # the place of the first crate on the barge, and the distance between two
_WRECK: Final = (54, 62)  # the same for the resources on the ground of the harbor


class Kind(NamedTuple):
    """The counts of a kind of resource.

    Attributes:
        id: The kind.
        held: The resources of each holder.
        points: The points of each holder if its district were scored now.
        leaders: The holders with the most.
        left: The resources left in its district.
        used_up: Whether its district is used up.
    """

    id: int
    held: Row
    points: Row
    leaders: Row
    left: int
    used_up: bool


class Barge(NamedTuple):
    """The belongings of the neutral player.

    Attributes:
        holder: Its number as a holder.
        score: Its points if the game ended now.
        points: Its points without the final scoring.
        holds: The number of its resources, by kind.
        won: Its tiles.
    """

    holder: int
    score: int
    points: int
    holds: Row
    won: Row


def regions(words: GameMessages, seen: AtlandiceView) -> list[Region]:
    """Return the majorities and the harbor.

    Without a neutral player, phones show all numbers in one table.
    """
    s, live, seats = seen.state, seen.live, seen.seats
    kinds = [
        Kind(
            id=each,
            held=tuple(hold[each] for hold in s.holds),
            points=live.stakes[each],
            leaders=live.leaders[each],
            left=live.left[each],
            used_up=s.open_tile[each] == USED_UP,
        )
        for each in range(KINDS)
    ]
    if seen.has_neutral:
        barge = Barge(seats, live.scores[seats], live.points[seats], s.holds[seats], s.won[seats])
        return [majorities(words, "majorities", seats, *kinds), harbor(words, "harbour", barge, s.out)]
    won = tuple(map(len, s.won))
    found = [majorities(words, "majorities-wide", seats, *kinds), standings(words, s.out, won, live.scores, *kinds)]
    return [*found, harbor(words, "wrecks", None, s.out)] if any(s.out) else found


# -- the majorities --------------------------------------------------------------------------------


@fragment
def majorities(words: GameMessages, id: str, seats: int, *kinds: Kind) -> Region:
    """Return the table of the majorities.

    Args:
        words: The game's messages.
        id: The id of the region.
        seats: The number of seats.
        *kinds: The kinds.
    """
    width, head, line = _MAJORITY
    parts: list[Markup | Fragment] = [_majority_heads(words, seats, len(kinds[0].held))]
    parts += [majority(words, seats, each) for each in kinds]
    title = say(words, "majorities")
    drawing = Drawing.of_parts("majorities", width, head + line * KINDS + 4, tuple(parts), title)
    return Region(id, title, "shared", [drawing], flow="fit")


@fragment
def _majority_heads(words: GameMessages, seats: int, holders: int) -> Markup:
    width, head, _ = _MAJORITY
    heads = _heads(words, "holder", seats, holders, _column(holders, _REST))
    return draw("majority_heads", width=width, head=head, heads=heads, left=say(words, "rest"))


@fragment
def majority(words: GameMessages, seats: int, row: Kind) -> Fragment:
    """Return the counts of a kind, the points that they would score now, and the rest.

    Args:
        words: The game's messages.
        seats: The number of seats.
        row: The kind.
    """
    width, head, line = _MAJORITY
    shown = _row(words, seats, "majority", row, _column(len(row.held), _REST))
    return Fragment.of(draw("majority", width=width, line=line, row=shown | {"y": head + line * row.id}))


def _row(words: GameMessages, seats: int, what: str, row: Kind, column: float) -> dict[str, Any]:
    """Return the values of a line. The ids begin with `what`."""
    held = ", ".join(
        say(words, "held", name=holder_name(words, seats, holder), count=count) for holder, count in enumerate(row.held)
    )
    values: Mapping[str, Any] = {"resources": row.id, "held": held, "left": row.left, "area": row.id}
    return {
        "id": f"{what}-{KIND_NAMES[row.id]}",
        "name": say(words, "majority.used_up" if row.used_up else "majority", **values),
        "help": stakes_text(words, seats, row.points),
        "kind": KIND_NAMES[row.id],
        "used_up": row.used_up,
        "left": row.left,
        "cells": [
            {"x": _middle(holder, column), "count": count, "points": points, "leads": holder in row.leaders}
            for holder, (count, points) in enumerate(zip(row.held, row.points, strict=True))
        ],
    }


def _heads(words: GameMessages, what: str, seats: int, holders: int, column: float) -> list[dict[str, Any]]:
    return [
        {
            "id": f"{what}-{holder}",
            "seat": holder if holder < seats else -1,
            "x": _middle(holder, column),
            "width": column,
            "name": holder_name(words, seats, holder),
            "text": _head(words, seats, holder, column - 4),
        }
        for holder in range(holders)
    ]


def _head(words: GameMessages, seats: int, holder: int, width: float) -> str:
    """Return the name of a holder, shortened to a width. The magnifier shows the full name."""
    name = words.seat(holder) if holder < seats else say(words, "neutral.short")
    return shorten(name, width, _HEAD * NARROW)


def _column(holders: int, rest: int) -> float:
    """Return the width of the column of a holder."""
    return (_MAJORITY[0] - _SIGNS - rest) / holders


def _middle(holder: int, column: float) -> float:
    """Return the middle of the column of a holder."""
    return _SIGNS + column * (holder + 0.5)


# -- all numbers on a phone ------------------------------------------------------------------------


@fragment
def standings(words: GameMessages, out: Row, won: Row, scores: Row, *kinds: Kind) -> Region:
    """Return the majorities with the resources out of the game, and tiles and points by seat.

    Args:
        words: The game's messages.
        out: The number of resources out of the game, by kind.
        won: The number of tiles of each seat.
        scores: The points of each seat if the game ended now.
        *kinds: The kinds.
    """
    width, head, line = _STANDING
    seats, has_out = len(won), any(out)
    rows = [standing(words, each, out[each.id] if has_out else None) for each in kinds]
    sums = [
        _sum(words, "won", won, KINDS, set(), has_out=has_out),
        _sum(words, "score", scores, KINDS + 1, {max(scores)} - {0}, has_out=has_out),
    ]
    parts: tuple[Markup | Fragment, ...] = (
        Markup('<g class="standings">'),
        _standing_heads(words, seats, has_out),
        *rows,
        *sums,
        draw("legend", x=width / 2, y=head + 7 * line + 18, legend=say(words, "stakes.legend")),
        Markup("</g>"),
    )
    title = say(words, "majorities")
    drawing = Drawing.of_parts("standings", width, head + line * (KINDS + 2) + 28, parts, title)
    return Region("standings", title, "shared", [drawing], flow="fit")


@fragment
def _standing_heads(words: GameMessages, seats: int, has_out: bool) -> Markup:
    width, head, _ = _STANDING
    heads = _heads(words, "standing", seats, seats, _column(seats, _REST_TALL[has_out]))
    rest, out = say(words, "rest"), say(words, "out.short") if has_out else ""
    return draw("standing_heads", width=width, head=head, heads=heads, rest=rest, out=out)


@fragment
def standing(words: GameMessages, row: Kind, out: int | None) -> Fragment:
    """Return the counts of a kind.

    Args:
        words: The game's messages.
        row: The kind.
        out: The number of its resources that are out of the game. None if there are none of any
            kind.
    """
    width, head, line = _STANDING
    seats = len(row.held)
    shown = _row(words, seats, "standing", row, _column(seats, _REST_TALL[out is not None]))
    if out is not None:
        shown["help"] = f"{shown['help']} {say(words, 'out', resources=row.id)}: {out}.".strip()
    return Fragment.of(draw("standing", width=width, line=line, row=shown | {"y": head + line * row.id}, out=out))


def _sum(words: GameMessages, key: str, counts: Row, line: int, best: set[int], *, has_out: bool) -> Markup:
    """Return a line with counts that aren't of a kind; those in `best` are highlighted."""
    width, head, height = _STANDING
    column = _column(len(counts), _REST_TALL[has_out])
    said = ", ".join(f"{words.seat(seat)} {count}" for seat, count in enumerate(counts))
    shown = {
        "id": f"standing-{key}",
        "name": f"{say(words, key)}: {said}",
        "sign": key,
        "says": say(words, key),
        "y": head + height * line,
        "cells": [
            {"x": _middle(seat, column), "count": count, "points": 0, "leads": count in best}
            for seat, count in enumerate(counts)
        ],
    }
    return draw("standing_sum", width=width, line=height, row=shown)


# -- the harbor ------------------------------------------------------------------------------------


@fragment
def harbor(words: GameMessages, id: str, own: Barge | None, out: Row) -> Region:
    """Return the barge of the neutral player above the resources out of the game.

    Args:
        words: The game's messages.
        id: The id of the region.
        own: The belongings of the neutral player; None if there is none.
        out: The number of resources out of the game, by kind.
    """
    parts: list[Markup | Fragment] = [draw("sunken_barge")]
    if own is not None:
        parts = [_hull(words, own.holder), _sails(words, own)]
        parts += [crate(words, own.holder, kind, count) for kind, count in enumerate(own.holds)]
    parts.append(draw("harbor_water"))
    parts += [wreck(words, kind, count) for kind, count in enumerate(out) if count]
    title = say(words, "harbour")
    return Region(id, title, "shared", [Drawing.of_parts("harbour", *_HARBOR, tuple(parts), title)], flow="fit")


@fragment
def _hull(words: GameMessages, holder: int) -> Fragment:
    name, text, why = say(words, "neutral"), say(words, "neutral.short"), words.say("rule.neutral")
    return Fragment.of(draw("hull", holder=name, text=text, why=why))


def _sails(words: GameMessages, own: Barge) -> Markup:
    """Return the points of the neutral player on one sail, its tiles on the other."""
    values = {
        "score_id": f"score-{own.holder}",
        "score_name": f"{say(words, 'score')}: {own.score}",
        "score_help": say(words, "score.help", points=own.points),
        "score": own.score,
        "won_id": f"won-{own.holder}",
        "won_name": f"{say(words, 'won')}: {len(own.won)}",
        "won_help": ", ".join(words.name("tile", tile) for tile in own.won),
        "won": len(own.won),
    }
    return draw("sails", barge=values)


@fragment
def crate(words: GameMessages, holder: int, kind: int, count: int) -> Fragment:
    """Return a crate on the barge.

    Args:
        words: The game's messages.
        holder: The holder whose barge it is.
        kind: The kind of the resources in it.
        count: The number of resources.
    """
    values = {
        "id": f"hold-{holder}-{KIND_NAMES[kind]}",
        "name": f"{words.name('resources', kind)}: {count}",
        "kind": KIND_NAMES[kind],
        "count": count,
        "x": _CRATE[0] + _CRATE[1] * kind,
    }
    return Fragment.of(draw("crate", crate=values))


@fragment
def wreck(words: GameMessages, kind: int, count: int) -> Fragment:
    """Return resources that are out of the game.

    Args:
        words: The game's messages.
        kind: The kind of the resources.
        count: The number of resources.
    """
    values = {
        "id": f"out-{KIND_NAMES[kind]}",
        "name": f"{say(words, 'out', resources=kind)}: {count}",
        "help": say(words, "out.help"),
        "kind": KIND_NAMES[kind],
        "count": count,
        "x": _WRECK[0] + _WRECK[1] * kind,
    }
    return Fragment.of(draw("wreck", wreck=values))
