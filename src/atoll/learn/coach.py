"""A coach beside a first game: what acts did for a seat, what comes soon, and a word before a blunder.

What is told of a game stands in `learn/coach.py` beside its rules, with either of these functions:

- `notes(seen) -> Iterator[Note]`: what holds now and matters to the seat; what an act changes in them is told.
- `soon(seen) -> Iterator[Note]`: what comes, and what it means for the seat.

Both see a view and the Box and nothing else. Words: `<game>.coach.note.<key>` where something begins to hold and
`<game>.coach.gone.<key>` where it ends (one of them may be missing: then nothing is said), `<game>.coach.soon.<key>`;
what a question means, `<game>.coach.prompt.<prompt>`, and the kinds of choice on offer, `<game>.coach.kind.<kind>` or
`<game>.coach.kind.<kind>.<name of its last part>`.
"""

from __future__ import annotations

import importlib
import importlib.util
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from math import inf
from statistics import fmean
from time import perf_counter
from typing import Any, Final, Literal, TypeAlias

from atoll.bots import GreedyBot, judge, mix
from atoll.engine import Position, SeatView
from atoll.engine.rules import Line, Rules

Note: TypeAlias = tuple[str, Mapping[str, Any]]
"""Something that is told of a game: words key, values for the words."""

LOST: Final = 0.15
"""Who gives away more than this part of the others is warned."""
_WORLDS: Final = 4  # guesses in all of which a reason must hold
_LEAST_VISITS: Final = 8


@dataclass(frozen=True, slots=True)
class Change:
    """Something that is different for a seat now.

    about: "score", a line of its score that brings so many points more (less: negative); "note", what holds now;
    "gone", what doesn't hold any more.
    """

    about: Literal["score", "note", "gone"]
    key: str
    fields: Mapping[str, Any]
    points: int = 0


@dataclass(frozen=True, slots=True)
class Standing:
    """How things stand for a seat: the lines of its score, and what its game's coach notes."""

    lines: tuple[Line, ...]
    notes: tuple[Note, ...]


def standing(position: Position, seat: int) -> Standing:
    """How things stand for a seat, told from what it knows."""
    return Standing(tuple(position.explain()[seat]), tuple(_told(position.game, position.view(seat), "notes")))


def soon(game: Rules, view: Mapping[str, Any]) -> list[Note]:
    """What comes, as far as the seat whose view this is can know."""
    return list(_told(game, view, "soon"))


def _told(game: Rules, view: Mapping[str, Any], what: str) -> Iterable[Note]:
    tell = getattr(_coach(game.package), what, None)
    if tell is None or view["viewer"] is None:
        return ()
    found: Iterable[Note] = tell(game.seen(view))
    return found


@cache
def _coach(package: str) -> Any:
    name = f"{package}.learn.coach"
    try:
        known = importlib.util.find_spec(name)
    except ModuleNotFoundError:
        known = None
    return None if known is None else importlib.import_module(name)


def changes(before: Standing, after: Standing) -> list[Change]:
    """What became different for the seat: what it gained and lost, line by line, then what is new to note."""
    found = [Change("score", line.key, line.fields, points) for line, points in _shifts(before.lines, after.lines)]
    found += [Change("note", *note) for note in after.notes if note not in before.notes]
    return found + [Change("gone", *note) for note in before.notes if note not in after.notes]


def _shifts(before: Sequence[Line], after: Sequence[Line]) -> Iterator[tuple[Line, int]]:
    """The lines that bring another number of points, and by how many; a line is the one that is most like it."""
    left = list(before)
    fresh = []
    for line in after:
        same = next((each for each in left if (each.key, each.fields) == (line.key, line.fields)), None)
        if same is None:
            fresh.append(line)
        else:
            left.remove(same)
            if line.points != same.points:
                yield line, line.points - same.points
    for line in fresh:
        like = max((each for each in left if each.key == line.key), key=lambda each: _alike(each, line), default=None)
        if like is not None and _alike(like, line) >= max(len(line.fields) - 1, 0):
            left.remove(like)
            if line.points != like.points:
                yield line, line.points - like.points
        elif line.points:
            yield line, line.points
    yield from ((line, -line.points) for line in left if line.points)


def _alike(one: Line, other: Line) -> int:
    return sum(other.fields.get(name) == value for name, value in one.fields.items())


# -- a word before a blunder -----------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Caution:
    """What speaks against a turn: nothing but what follows from the rules.

    lost: the part of the others that the seat gives away by it. about: "mine": a line of its own score brings so many
    points less than after another choice once the others have answered; "theirs": a line of `seat` brings so many more;
    "end": in all of `games` that bots played on from here that line brought less, by `points` on average.
    """

    lost: float
    about: Literal["mine", "theirs", "end"]
    seat: int
    key: str
    fields: Mapping[str, Any]
    points: int
    games: int = 0


def warn(position: Position, seat: int, choices: Sequence[int], budget: float, seed: int) -> Caution | None:
    """What speaks against these choices of a seat, found within `budget` seconds; None if nothing that can be shown."""
    trial, decisions = position, []
    for choice in choices:
        if len(trial.legal(seat)) > 1:
            decisions.append((trial, choice))
        trial = trial.fork()
        trial.apply(choice, seat)
    for at, (moment, choice) in enumerate(decisions):
        view = SeatView(moment, seat)
        judged = judge(view, choice, budget / 2 / len(decisions), mix(seed, at))
        enough = min(judged.best.visits, judged.taken.visits) >= _LEAST_VISITS
        if enough and judged.best.choice != choice and judged.lost > LOST:
            found = _reason(view, choice, judged.best.choice, judged.lost, budget / 2 / len(decisions), seed)
            if found is not None:
                return found
    return None


def _reason(view: SeatView, taken: int, best: int, lost: float, budget: float, seed: int) -> Caution | None:
    """What is worse after one choice than after the other, in whatever the seat can't know."""
    near = [_both(view, taken, best, mix(seed, world), to_end=False) for world in range(_WORLDS)]
    for seat in (view.seat, *(each for each in range(near[0][0].seats) if each != view.seat)):
        sign = -1 if seat == view.seat else 1
        shown = [
            {(line.key, _frozen(line.fields)): (line, points) for line, points in _gaps(*each, seat)} for each in near
        ]
        common = set(shown[0]).intersection(*shown[1:])
        against = {key: min(sign * world[key][1] for world in shown) for key in common}
        worst = max(common, key=lambda key: against[key], default=None)
        if worst is not None and against[worst] > 0:
            line = shown[0][worst][0]
            about: Literal["mine", "theirs"] = "mine" if seat == view.seat else "theirs"
            return Caution(lost, about, seat, line.key, line.fields, against[worst])
    return _at_the_end(view, taken, best, lost, budget, seed)


def _at_the_end(view: SeatView, taken: int, best: int, lost: float, budget: float, seed: int) -> Caution | None:
    begin = perf_counter()
    worlds: list[tuple[Position, Position]] = []
    while len(worlds) < 2 * _WORLDS and perf_counter() - begin < budget:
        worlds.append(_both(view, taken, best, mix(seed, len(worlds)), to_end=True))
    if len(worlds) < _WORLDS:
        return None
    sums = [[_by_key(position.explain()[view.seat]) for position in each] for each in worlds]
    keys = {key for both in sums for each in both for key in each}
    gaps = {key: [best.get(key, 0) - taken.get(key, 0) for taken, best in sums] for key in keys}
    worst = max(gaps, key=lambda key: min(gaps[key]), default=None)
    if worst is None or min(gaps[worst]) <= 0:
        return None
    line = next(line for line in worlds[0][1].explain()[view.seat] if line.key == worst)
    return Caution(lost, "end", view.seat, worst, line.fields, round(fmean(gaps[worst])), len(worlds))


def _both(view: SeatView, taken: int, best: int, seed: int, *, to_end: bool) -> tuple[Position, Position]:
    """How it goes on after one choice and after the other, from the same guess."""
    one, other = (_played(view, choice, seed, to_end=to_end) for choice in (taken, best))
    return one, other


def _played(view: SeatView, choice: int, seed: int, *, to_end: bool) -> Position:
    """Bots that look one choice ahead play on, until the seat is asked again after others, or to the end."""
    position, bot, number, others = view.sample(seed), GreedyBot(), 0, False
    position.apply(choice, view.seat)
    while not position.over:
        seat = position.to_move[0]
        if not to_end and others and view.seat in position.to_move:
            break
        others |= seat != view.seat
        for each in bot.choose(SeatView(position, seat), inf, mix(seed, number)):
            position.apply(each, seat)
            number += 1
    return position


def _gaps(taken: Position, best: Position, seat: int) -> list[tuple[Line, int]]:
    """By how many points the lines of a seat's score differ: more after what was taken is positive."""
    return list(_shifts(best.explain()[seat], taken.explain()[seat]))


def _by_key(lines: Sequence[Line]) -> dict[str, int]:
    found: dict[str, int] = {}
    for line in lines:
        found[line.key] = found.get(line.key, 0) + line.points
    return found


def _frozen(fields: Mapping[str, Any]) -> tuple[tuple[str, str], ...]:
    return tuple((name, repr(value)) for name, value in sorted(fields.items()))
