"""The chart of a finished game: each seat's expected share over time, with the turning points."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from atoll.engine.translations import GameMessages, MessageCatalogue

from ..domain.model import Analysis, Judgment
from . import advice

WIDTH: Final = 400
HEIGHT: Final = 210
LEFT: Final = 56
RIGHT: Final = 14
TOP: Final = 16
BOTTOM: Final = 16
_MARK: Final = 12  # half the size of a turning point's mark
_MOST_ROWS: Final = 24
_SMOOTH: Final = 2  # fewest decisions to average on each side, because short searches are inexact
_STRETCHES: Final = 40  # largest number of turns of the curve; in long games more decisions are averaged


@dataclass(frozen=True, slots=True)
class ChartLine:
    """The curve of a seat.

    Attributes:
        seat: The seat.
        points: Points of the SVG polyline.
        x: Horizontal position of its end.
        y: Vertical position of its end.
    """

    seat: int
    points: str
    x: float
    y: float


@dataclass(frozen=True, slots=True)
class ChartMark:
    """The mark of a turning point on the curve of the seat that decided.

    Attributes:
        number: Number of the turning point, from 1.
        x: Horizontal position.
        y: Vertical position.
    """

    number: int
    x: float
    y: float


@dataclass(frozen=True, slots=True)
class TurningPoint:
    """A decision that changed the expected result.

    Attributes:
        number: Number of the turning point, from 1.
        seat: The seat that decided.
        name: Its name.
        sequence: Sequence number of the moment before the decision.
        lost: Share that the seat lost, in percent.
        taken: The choice that was made.
        best: The best choice.
        taken_text: Text form of the choice that was made.
        best_text: Text form of the best choice.
        why: Why the best choice was better, or "".
    """

    number: int
    seat: int
    name: str
    sequence: int
    lost: int
    taken: advice.ProspectText
    best: advice.ProspectText
    taken_text: str
    best_text: str
    why: str


@dataclass(frozen=True, slots=True)
class ChartRow:
    """A row of the table of values.

    Attributes:
        label: Its label.
        sequence: Sequence number of the moment, or None for the end of the game.
        shares: Expected share per seat, in percent.
    """

    label: str
    sequence: int | None
    shares: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class AnalysisChart:
    """The chart of an analysis, with its table of values.

    Attributes:
        lines: Curve per seat.
        marks: Marks of the turning points.
        turning_points: The turning points.
        rows: The table of values.
        now: Horizontal position of the moment that the reader looks at, or None.
        levels: Percentages of the grid lines with their vertical positions.
    """

    lines: tuple[ChartLine, ...]
    marks: tuple[ChartMark, ...]
    turning_points: tuple[TurningPoint, ...]
    rows: tuple[ChartRow, ...]
    now: float | None
    levels: tuple[tuple[int, float], ...]


def analysis_chart(
    analysis: Analysis, words: GameMessages, texts: MessageCatalogue, at: int | None = None
) -> AnalysisChart:
    """Return the chart of an analysis.

    Args:
        analysis: The analysis.
        words: Messages of the game.
        texts: Messages of the site.
        at: Sequence number of the moment that the reader looks at, or None.
    """
    judged = analysis.judgments
    seats = len(analysis.shares)
    curves = [[*_smooth([each.shares[seat] for each in judged]), analysis.shares[seat]] for seat in range(seats)]
    lines: list[ChartLine] = []
    for seat, curve in enumerate(curves):
        points = " ".join(f"{_x(index, judged):.1f},{_y(share):.1f}" for index, share in enumerate(curve))
        lines.append(ChartLine(seat, points, _x(len(judged), judged), _y(curve[-1])))
    marks: list[ChartMark] = []
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
                each.taken.text,
                each.best.text,
                advice.reason_of(each, words, texts),
            )
        )
    now = None
    if at is not None:
        now = _x(next((i for i, each in enumerate(judged) if each.sequence >= at), len(judged)), judged)
    levels = tuple((percent, _y(percent / 100)) for percent in (0, 50, 100))
    return AnalysisChart(tuple(lines), tuple(marks), tuple(turning), _rows(analysis, curves, words, texts), now, levels)


def _mark(number: int, x: float, y: float, others: Sequence[ChartMark]) -> ChartMark:
    """Return a mark on its curve, or as close to it as possible without covering another mark."""

    def free(at: float) -> bool:
        """Return whether a mark fits at this vertical position."""
        inside = _MARK <= at <= HEIGHT - _MARK
        return inside and all((x - each.x) ** 2 + (at - each.y) ** 2 >= (2 * _MARK) ** 2 for each in others)

    steps = sorted(range(-HEIGHT, HEIGHT, 2), key=abs)
    return ChartMark(number, x, next((y + step for step in steps if free(y + step)), y))


def _smooth(shares: Sequence[float]) -> list[float]:
    """Return each value as the mean of itself and its neighbors."""
    reach = max(_SMOOTH, len(shares) // _STRETCHES)
    found = []
    for index in range(len(shares)):
        near = shares[max(0, index - reach) : index + reach + 1]
        found.append(sum(near) / len(near))
    return found


def _x(index: int, judged: Sequence[Judgment]) -> float:
    return LEFT + (WIDTH - LEFT - RIGHT) * index / max(1, len(judged))


def _y(share: float) -> float:
    return TOP + (HEIGHT - TOP - BOTTOM) * (1 - share)


def _rows(
    analysis: Analysis, curves: Sequence[Sequence[float]], words: GameMessages, texts: MessageCatalogue
) -> tuple[ChartRow, ...]:
    """Return the table of values: decisions at even distances, and the turning points."""
    judged = analysis.judgments
    step = max(1, -(-len(judged) // _MOST_ROWS))
    indices = sorted({*range(0, len(judged), step), *analysis.turning_points})
    rows = [
        ChartRow(
            texts.text("analysis.decision", number=index + 1, name=words.seat(judged[index].seat)),
            judged[index].sequence,
            tuple(round(100 * curve[index]) for curve in curves),
        )
        for index in indices
    ]
    return (*rows, ChartRow(texts.text("analysis.end"), None, tuple(round(100 * share) for share in analysis.shares)))
