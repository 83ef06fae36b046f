"""Plots as SVG texts, to be embedded in a page."""

from __future__ import annotations

import io
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

import matplotlib as mpl

mpl.use("svg")
mpl.rcParams.update({"svg.hashsalt": "atoll", "svg.fonttype": "none", "font.family": "sans-serif", "font.size": 10})

from matplotlib.figure import Figure  # noqa: E402 - the backend must be set before the import
from matplotlib.ticker import MaxNLocator  # noqa: E402

from .proportions import MeanEstimate, Proportion  # noqa: E402

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from .rating_calibration import Bin

_COLORS: Final = ("#00688b", "#d9822b", "#5b8c3a", "#9b4f96", "#b03a2e", "#6b6b6b")
_WIDTH: Final = 7.0


def _axes(height: float) -> tuple[Figure, Axes]:
    """Return a figure of the given height in inches, and its axes."""
    figure = Figure(figsize=(_WIDTH, height), layout="constrained")
    axes = figure.add_subplot()
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)
    return figure, axes


def _svg(figure: Figure) -> str:
    """Return a figure as an SVG element."""
    target = io.StringIO()
    figure.savefig(target, format="svg", metadata={"Date": None, "Creator": None})
    text = target.getvalue()
    return text[text.index("<svg") :]


def shares(found: Sequence[Proportion]) -> str:
    """Plot win rates with their intervals and expected values."""
    figure, axes = _axes(0.7 + 0.4 * len(found))
    for row, each in enumerate(found):
        low, high = each.interval
        axes.plot([low, high], [row, row], color=_COLORS[0], linewidth=2)
        axes.plot([each.share], [row], "o", color=_COLORS[0])
        axes.plot([each.fair, each.fair], [row - 0.35, row + 0.35], color="#888888", linestyle="--")
    axes.set_yticks(range(len(found)), [each.name for each in found])
    axes.invert_yaxis()
    axes.set_xlim(0, max(1.0 if len(found) < 2 else 0.0, *(each.interval[1] for each in found)) * 1.05)
    axes.set_xlabel("share of wins (line: 95 % interval, dashed: expected)")
    return _svg(figure)


def distributions(found: Sequence[MeanEstimate], label: str) -> str:
    """Plot histograms on top of each other.

    Args:
        found: The distributions.
        label: Label of the x-axis.

    Returns:
        The plot as an SVG element.
    """
    figure, axes = _axes(2.8)
    values = [value for each in found for value in each.values]
    low, high = min(values), max(values)
    bins: Any = min(40, max(1, int(high - low) + 1))
    for each, color in zip(found, _COLORS * (1 + len(found) // len(_COLORS)), strict=False):
        axes.hist(
            each.values,
            bins=bins,
            range=(low - 0.5, high + 0.5),
            histtype="step",
            linewidth=1.6,
            color=color,
            label=f"{each.name} (mean {each.mean:.1f})",
        )
    axes.xaxis.set_major_locator(MaxNLocator(integer=True))
    axes.set_xlabel(label)
    axes.set_ylabel("how often")
    axes.legend(frameon=False, loc="upper left", bbox_to_anchor=(1.0, 1.0))
    return _svg(figure)


def over_time(found: Sequence[Sequence[float]], names: Sequence[str], label: str) -> str:
    """Plot means over the course of a game, one line per name.

    Args:
        found: Values of each line at equal steps, from the start to the end.
        names: Names of the lines.
        label: Label of the y-axis.

    Returns:
        The plot as an SVG element.
    """
    figure, axes = _axes(2.8)
    for values, name, color in zip(found, names, _COLORS, strict=False):
        axes.plot([100 * step / (len(values) - 1) for step in range(len(values))], values, color=color, label=name)
    axes.axhline(0, color="#bbbbbb", linewidth=0.8)
    axes.set_xlabel("% of the decisions of a game")
    axes.set_ylabel(label)
    axes.legend(frameon=False, loc="upper left", bbox_to_anchor=(1.0, 1.0))
    return _svg(figure)


def sources(found: Sequence[tuple[str, float, float]]) -> str:
    """Plot the mean points per source, of winners and of the others."""
    figure, axes = _axes(0.9 + 0.42 * len(found))
    rows = range(len(found))
    axes.barh([row - 0.2 for row in rows], [each[1] for each in found], 0.38, color=_COLORS[0], label="winners")
    axes.barh([row + 0.2 for row in rows], [each[2] for each in found], 0.38, color="#bbbbbb", label="the others")
    axes.set_yticks(list(rows), [each[0].replace("_", " ") for each in found])
    axes.invert_yaxis()
    axes.axvline(0, color="#444444", linewidth=0.8)
    axes.set_xlabel("mean points")
    axes.legend(frameon=False, loc="upper left", bbox_to_anchor=(1.0, 1.0))
    return _svg(figure)


def curves(found: Mapping[str, Sequence[tuple[float, float]]], across: str, up: str) -> str:
    """Plot shares over something that grows, one line per name.

    Args:
        found: Points of each line.
        across: Label of the horizontal axis.
        up: Label of the vertical axis.

    Returns:
        The plot as an SVG element.
    """
    figure, axes = _axes(3.2)
    for (name, points), color in zip(found.items(), _COLORS, strict=False):
        axes.plot([x for x, _ in points], [y for _, y in points], color=color, label=name)
    axes.set_ylim(0, 1)
    axes.set_xlabel(across)
    axes.set_ylabel(up)
    axes.legend(frameon=False)
    return _svg(figure)


def rating_calibration(
    bins: Sequence[Bin], simulated: Sequence[tuple[float, float]], bots: Sequence[tuple[float, float]]
) -> str:
    """Plot stated against observed chances, and ratings against strengths.

    Args:
        bins: Stated and observed chances.
        simulated: Strength and points of each simulated player.
        bots: Share of best choices, in percent, and points of each bot.

    Returns:
        The plot as an SVG element.
    """
    figure = Figure(figsize=(_WIDTH * 1.3, 3.2), layout="constrained")
    left, middle, right = figure.subplots(1, 3)
    left.plot([0, 1], [0, 1], color="#888888", linestyle="--")
    left.plot([each.stated for each in bins], [each.observed for each in bins], "o", color=_COLORS[0])
    left.set(xlabel="stated chance", ylabel="observed share")
    middle.plot(*zip(*simulated, strict=True), "o", color=_COLORS[0])
    middle.set(xlabel="strength of simulated players", ylabel="rating")
    right.plot(*zip(*bots, strict=True), "o", color=_COLORS[0])
    right.set(xlabel="best choices of a bot in %", ylabel="rating")
    for axes in (left, middle, right):
        for side in ("top", "right"):
            axes.spines[side].set_visible(False)
    return _svg(figure)


def learning(rounds: Sequence[Mapping[str, Any]]) -> str:
    """Plot the learning curve of a training: mean squared errors of the shares over the games.

    The error of the net is drawn next to those of the game's `expected_scores` and of the mean
    share.

    Args:
        rounds: Fields of the `round` events; means over about 40 groups of them are drawn.

    Returns:
        The plot as an SVG element.
    """
    figure, axes = _axes(3.0)
    each = max(1, len(rounds) // 40)
    parts = [rounds[first : first + each] for first in range(0, len(rounds), each)]
    names = {"error": "the net", "error_of_estimate": "estimate alone", "error_of_mean": "the mean share"}
    for (key, name), color in zip(names.items(), _COLORS, strict=False):
        heights = [sum(one[key] for one in part) / len(part) for part in parts]
        axes.plot([part[-1]["games"] for part in parts], heights, color=color, label=name)
    axes.set_ylim(bottom=0)
    axes.set_xlabel("games")
    axes.set_ylabel("mean squared error")
    axes.legend(frameon=False, loc="upper left", bbox_to_anchor=(1.0, 1.0))
    return _svg(figure)
