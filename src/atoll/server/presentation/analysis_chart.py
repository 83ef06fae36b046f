"""A finished game as a curve: what each seat could expect at each decision, and the decisions that changed it most."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from atoll.engine.words import Catalogue, Words

from ..domain.model import Analysis, Judgement
from . import advice

WIDTH: Final = 400
HEIGHT: Final = 210
LEFT: Final = 56
RIGHT: Final = 14
TOP: Final = 16
BOTTOM: Final = 16
_MARK: Final = 12  # half of what a turning point's mark takes up
_MOST_ROWS: Final = 24
_SMOOTH: Final = 2  # decisions before and after, at least; what a bot expects in a second or less is not exact
_STRETCHES: Final = 40  # in a long game more of them, so that the curve has no more turns than can be seen


@dataclass(frozen=True, slots=True)
class Line:
    """A seat's curve: its points as SVG wants them, and where it ends. name: what stands at its end."""

    seat: int
    points: str
    x: float
    y: float


@dataclass(frozen=True, slots=True)
class Mark:
    """A turning point on the curve of the seat that made it."""

    number: int
    x: float
    y: float


@dataclass(frozen=True, slots=True)
class TurningPoint:
    """A decision that changed the expected result: what was chosen, what would have been better, each in words."""

    number: int
    seat: int
    name: str
    sequence: int
    lost: int
    taken: advice.Prospect
    best: advice.Prospect


@dataclass(frozen=True, slots=True)
class Row:
    """A line of the table of values: the moment (None: the end), and per seat what it could expect, in percent."""

    label: str
    sequence: int | None
    shares: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Study:
    """All that the page shows of an analysis. now: where the moment lies that the reader looks at, if at any."""

    lines: tuple[Line, ...]
    marks: tuple[Mark, ...]
    turning_points: tuple[TurningPoint, ...]
    rows: tuple[Row, ...]
    now: float | None
    levels: tuple[tuple[int, float], ...]


def study(analysis: Analysis, words: Words, texts: Catalogue, at: int | None = None) -> Study:
    """An analysis as it is drawn. at: sequence number of the moment that the reader looks at."""
    judged = analysis.judgements
    seats = len(analysis.shares)
    curves = [[*_smooth([each.shares[seat] for each in judged]), analysis.shares[seat]] for seat in range(seats)]
    lines: list[Line] = []
    for seat, curve in enumerate(curves):
        points = " ".join(f"{_x(index, judged):.1f},{_y(share):.1f}" for index, share in enumerate(curve))
        lines.append(Line(seat, points, _x(len(judged), judged), _y(curve[-1])))
    marks: list[Mark] = []
    turning: list[TurningPoint] = []
    for number, index in enumerate(analysis.turning_points, 1):
        each = judged[index]
        marks.append(_mark(number, max(LEFT + _MARK, _x(index, judged)), _y(curves[each.seat][index]), marks))
        turning.append(
            TurningPoint(
                number,
                each.seat,
                words.seat(each.seat),
                each.sequence,
                round(100 * each.lost),
                advice.prospect(each.taken, words, texts),
                advice.prospect(each.best, words, texts),
            )
        )
    now = None
    if at is not None:
        now = _x(next((i for i, each in enumerate(judged) if each.sequence >= at), len(judged)), judged)
    levels = tuple((percent, _y(percent / 100)) for percent in (0, 50, 100))
    return Study(tuple(lines), tuple(marks), tuple(turning), _rows(analysis, curves, words, texts), now, levels)


def _mark(number: int, x: float, y: float, others: Sequence[Mark]) -> Mark:
    """A mark on its curve, or as near above or below as it doesn't cover another."""

    def free(at: float) -> bool:
        inside = _MARK <= at <= HEIGHT - _MARK
        return inside and all((x - each.x) ** 2 + (at - each.y) ** 2 >= (2 * _MARK) ** 2 for each in others)

    steps = sorted(range(-HEIGHT, HEIGHT, 2), key=abs)
    return Mark(number, x, next((y + step for step in steps if free(y + step)), y))


def _smooth(shares: Sequence[float]) -> list[float]:
    """Each value as the mean of itself and its neighbours."""
    reach = max(_SMOOTH, len(shares) // _STRETCHES)
    found = []
    for index in range(len(shares)):
        near = shares[max(0, index - reach) : index + reach + 1]
        found.append(sum(near) / len(near))
    return found


def _x(index: int, judged: Sequence[Judgement]) -> float:
    return LEFT + (WIDTH - LEFT - RIGHT) * index / max(1, len(judged))


def _y(share: float) -> float:
    return TOP + (HEIGHT - TOP - BOTTOM) * (1 - share)


def _rows(analysis: Analysis, curves: Sequence[Sequence[float]], words: Words, texts: Catalogue) -> tuple[Row, ...]:
    """The curve in numbers: decisions at even distances, and those that changed most."""
    judged = analysis.judgements
    step = max(1, -(-len(judged) // _MOST_ROWS))
    shown = sorted({*range(0, len(judged), step), *analysis.turning_points})
    rows = [
        Row(
            texts.text("analysis.decision", number=index + 1, name=words.seat(judged[index].seat)),
            judged[index].sequence,
            tuple(round(100 * curve[index]) for curve in curves),
        )
        for index in shown
    ]
    return (*rows, Row(texts.text("analysis.end"), None, tuple(round(100 * share) for share in analysis.shares)))
