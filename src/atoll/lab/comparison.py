"""Comparison of variants: the same seeds for all, and paired differences from the first one."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup
from numpy.typing import NDArray

from atoll.engine import Game
from atoll.engine.translations import GameMessages

from .analysis import describe_plan, margin, win_share
from .plan import PlanError, SimulationPlan
from .play import Row
from .results import make_folder, read
from .simulate import simulate
from .statistics import bootstraps
from .variants import VariantError, check_different

SHARE: Final = "share"
"""Unit of win rates; all other figures are plain numbers."""
_MAIN: Final = ("margin", "decisions", "score", "who begins")
"""Figures of the overview, by key."""


@dataclass(frozen=True, slots=True)
class Figure:
    """A figure of a variant, and its paired difference from the first variant.

    Attributes:
        key: Identifier, such as `margin` or `points row`.
        name: Name for people.
        unit: `share` for win rates, else "".
        base: Mean of the first variant.
        mean: Mean of this variant.
        low: Lower bound of the 95 % interval of the difference.
        high: Upper bound.
    """

    key: str
    name: str
    unit: str
    base: float
    mean: float
    low: float
    high: float

    @property
    def difference(self) -> float:
        """The mean difference from the first variant."""
        return self.mean - self.base

    @property
    def is_clear(self) -> bool:
        """True if the interval of the difference excludes zero."""
        return self.low > 0 or self.high < 0


@dataclass(frozen=True, slots=True)
class ComparedVariant:
    """A variant, and its differences from the first one.

    Attributes:
        name: Name of the variant.
        figures: Its figures.
    """

    name: str
    figures: tuple[Figure, ...]

    def figure(self, key: str) -> Figure | None:
        """Return a figure by its key, or None if these games have none."""
        return next((each for each in self.figures if each.key == key), None)


@dataclass(frozen=True, slots=True)
class Comparison:
    """Variants that were played with the same seeds.

    Attributes:
        title: Title of the game in English.
        plan: Plan of the first variant, as in a results file.
        base: Name of the first variant.
        games: Number of games of each variant.
        variants: The other variants.
    """

    title: str
    plan: Row
    base: str
    games: int
    variants: tuple[ComparedVariant, ...]


def play_variants(
    plans: Mapping[str, SimulationPlan],
    games: int,
    folder: Path,
    *,
    workers: int = 0,
    engine: str = "local",
    watch: Callable[[str, int, int], Any] = lambda name, done, games: None,
) -> Comparison:
    """Play the same games of each variant, and compare them with those of the first one.

    Args:
        plans: The plans by name, at least two; they differ in components or options only.
        games: Number of games of each variant.
        folder: Folder of the results files. Games that are in it already aren't played again.
        workers: Number of processes; 0 for one per core.
        engine: `local` or `ray`.
        watch: Callback that gets the name of the variant, its games done, and its games wanted.

    Returns:
        The comparison.

    Raises:
        VariantError: If the variants can't be compared.
        PlanError: If the games can't be run.
        ResultsError: If a results file belongs to another plan or can't be read.
        AtollError: If the rules or a bot fail in a game.
    """
    check_comparable(plans)
    make_folder(folder)
    rows: dict[str, list[Row]] = {}
    for number, (name, plan) in enumerate(plans.items()):
        file = folder / f"{plan.game.id}_{number}.jsonl"

        def _report_progress(done: int, wanted: int, name: str = name) -> None:
            watch(name, done, wanted)

        simulate(plan, games, workers=workers, engine=engine, file=file, watch=_report_progress)
        rows[name] = [row for row in read(file) if row["row"] == "game" and row["number"] < games]
    first = next(iter(plans.values()))
    return compare(first.game, first.to_json(), rows)


def check_comparable(plans: Mapping[str, SimulationPlan]) -> None:
    """Reject variants that can't be compared.

    Args:
        plans: The plans by name.

    Raises:
        VariantError: If there are fewer than two, two are the same, or they differ in game, seats,
            bots or seed.
    """
    if len(plans) < 2:
        raise VariantError(f"{len(plans)} variants; allowed: at least 2")
    first = next(iter(plans.values()))
    for name, plan in plans.items():
        for what in ("seats", "bots", "seed", "rotate", "seconds", "iterations"):
            if getattr(plan, what) != getattr(first, what):
                raise VariantError(f"{name!r}: {what} is {getattr(plan, what)!r}; allowed: {getattr(first, what)!r}")
        if plan.game.id != first.game.id:
            raise VariantError(f"{name!r} is of {plan.game.id}; allowed: variants of {first.game.id}")
    check_different([(name, plan.game, plan.options) for name, plan in plans.items()])


def compare(game: Game, plan: Row, rows: Mapping[str, Sequence[Row]]) -> Comparison:
    """Return the paired differences of variants from the first one.

    Args:
        game: The game of the first variant.
        plan: Plan of the first variant.
        rows: Rows of the games of each variant, the same numbers of games in the same order.

    Raises:
        VariantError: If the variants have other games or seeds.
        PlanError: If there are no games.
    """
    base, *others = rows
    numbers = [(row["number"], row["seed"]) for row in rows[base]]
    if not numbers:
        raise PlanError("no games; allowed: at least 1")
    for name in others:
        if [(row["number"], row["seed"]) for row in rows[name]] != numbers:
            raise VariantError(f"{name!r} has other games than {base!r}; allowed: the same numbers and seeds")
    # Sources of points may be missing in a variant: they count as 0 there.
    sources = sorted({key for each in rows.values() for row in each for points in row["points"] for key in points})
    values = {name: _figures(each, sources) for name, each in rows.items()}
    found = tuple(ComparedVariant(name, _differences(values[base], values[name])) for name in others)
    return Comparison(GameMessages(game, "en").title(), plan, base, len(numbers), found)


_Values = dict[str, tuple[str, str, list[float]]]


def _figures(games: Sequence[Row], sources: Sequence[str]) -> _Values:
    """Return name, unit and the value in each game of all figures, by key."""
    seats = range(len(games[0]["places"]))
    found: _Values = {}
    if len(seats) > 1:
        found["margin"] = "margin of the winner", "", [margin(row["scores"]) for row in games]
    found["decisions"] = "length in decisions", "", [float(row["decisions"]) for row in games]
    found["score"] = "score, mean of the seats", "", [sum(row["scores"]) / len(seats) for row in games]
    found["best"] = "score of the winner", "", [float(max(row["scores"])) for row in games]
    if len(seats) > 1:
        if all(row["first"] is not None for row in games):
            found["who begins"] = "wins of who begins", SHARE, [win_share(row, row["first"]) for row in games]
        for seat in seats:
            found[f"seat {seat}"] = f"wins of seat {seat + 1}", SHARE, [win_share(row, seat) for row in games]
    if all("lead_changes" in row for row in games):
        found["lead_changes"] = "lead changes", "", [float(row["lead_changes"]) for row in games]
        found["branching"] = "choices at a decision", "", [float(row["branching"]) for row in games]
    for key in sources:
        points = [sum(each.get(key, 0) for each in row["points"]) / len(seats) for row in games]
        found[f"points {key}"] = f"points of a seat: {key.replace('_', ' ')}", "", points
    return found


def _differences(base: _Values, other: _Values) -> tuple[Figure, ...]:
    """Return the figures of a variant, with the intervals of their differences over games."""
    keys = [key for key in base if key in other]
    before = np.array([base[key][2] for key in keys])
    after = np.array([other[key][2] for key in keys])
    paired = after - before

    def means(numbers: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the mean differences of a resample of games."""
        found: NDArray[np.float64] = paired[:, numbers.astype(int)].mean(axis=1)
        return found

    low, high = bootstraps([range(paired.shape[1])], means)
    return tuple(
        Figure(key, base[key][0], base[key][1], float(before[at].mean()), float(after[at].mean()), low[at], high[at])
        for at, key in enumerate(keys)
    )


# -- texts and pages -------------------------------------------------------------------------------


def value_text(figure: Figure, value: float, *, signed: bool = False) -> str:
    """Return a value of a figure for people.

    Args:
        figure: The figure.
        value: The value.
        signed: Whether a plus is written, as for differences.
    """
    sign = "+" if signed else ""
    return f"{100 * value:{sign}.1f} %" if figure.unit == SHARE else f"{value:{sign}.2f}"


def interval_text(figure: Figure) -> str:
    """Return the 95 % interval of the difference for people."""
    ends = [value_text(figure, each, signed=True).removesuffix(" %") for each in (figure.low, figure.high)]
    return f"{ends[0]} to {ends[1]}"


def main_figures(found: Comparison) -> list[Figure]:
    """Return the figures of the overview, as the first variant compared has them."""
    return [each for key in _MAIN if (each := found.variants[0].figure(key)) is not None]


def interval_svg(figure: Figure, widest: float) -> Markup:
    """Return a small drawing of a difference and its interval around zero.

    Args:
        figure: The figure.
        widest: Largest distance from zero that the drawing must show.
    """
    scale = 75 / (widest or 1)
    low, middle, high = (80 + scale * each for each in (figure.low, figure.difference, figure.high))
    kind = "clear" if figure.is_clear else "open"
    return Markup(  # noqa: S704 - numbers only
        f'<svg class="interval {kind}" viewBox="0 0 160 16" width="160" height="16" aria-hidden="true">'
        f'<path class="zero" d="M80 0V16"/><path d="M{low:.1f} 8H{high:.1f}"/>'
        f'<circle cx="{middle:.1f}" cy="8" r="3.5"/></svg>'
    )


def widest(figures: Sequence[Figure]) -> float:
    """Return the largest distance of the intervals from zero."""
    return max((max(abs(each.low), abs(each.high)) for each in figures), default=0.0)


def comparison_page(found: Comparison) -> str:
    """Return a self-contained HTML page of a comparison."""
    environment = Environment(
        loader=PackageLoader("atoll.lab", "."), autoescape=True, undefined=StrictUndefined, trim_blocks=True
    )
    return environment.get_template("comparison.html.jinja").render(
        found=found,
        mains=main_figures(found),
        describe=describe_plan,
        value=value_text,
        interval=interval_text,
        draw=interval_svg,
        widest=widest,
    )
