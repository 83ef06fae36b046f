"""A self-contained HTML page about a series of games, in terms that a game designer understands."""

from __future__ import annotations

from collections.abc import Iterable
from types import SimpleNamespace
from typing import Final

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from atoll.engine import Game

from . import plots
from .analysis import analyze_results, describe_labels, describe_plan, percent
from .play import Row

_MOST_USES: Final = 30
"""Rows of the table of usage that are shown at once; the others are folded."""


def page(game: Game, rows: Iterable[Row]) -> str:
    """Return the HTML page about the rows of a results file.

    Args:
        game: The game.
        rows: Rows of the file, the plan first.

    Raises:
        ResultsError: If no game is finished, or the results belong to another game.
    """
    environment = Environment(
        loader=PackageLoader("atoll.lab", "."), autoescape=True, undefined=StrictUndefined, trim_blocks=True
    )
    drawn = SimpleNamespace(
        shares=lambda found: Markup(plots.shares(found)),  # noqa: S704 - our own SVG
        distributions=lambda found, label: Markup(plots.distributions(found, label)),  # noqa: S704
        over_time=lambda found, names, label: Markup(plots.over_time(found, names, label)),  # noqa: S704
        sources=lambda found: Markup(plots.sources(found)),  # noqa: S704
    )
    template = environment.get_template("report.html.jinja")
    return template.render(
        report=analyze_results(game, rows),
        plots=drawn,
        describe=describe_plan,
        labels=describe_labels,
        percent=percent,
        most_uses=_MOST_USES,
    )
