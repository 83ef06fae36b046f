"""Results as tables for a terminal."""

from __future__ import annotations

from collections.abc import Sequence

from rich import box
from rich.table import Table

from atoll.bots.gates import GateMatch

from .analysis import Report
from .bench import BenchmarkResult
from .comparison import Comparison, interval_text, main_figures, value_text
from .experiment import Cell, all_scores
from .gate import GatePlan
from .ladder import Ratings
from .rating_calibration import Candidate, Population, calibration
from .simulate import Summary, Tally, mean
from .statistics import wilson
from .tournament import Match
from .tuning import Target, Tuned


def win_tables(summary: Summary, title: str) -> list[Table]:
    """Return the tables of wins by bot and by seat."""
    return [
        _tallies(title, "bot", [(name, tally) for name, tally in summary.by_bot.items()]),
        _tallies("", "seat", [(str(seat + 1), tally) for seat, tally in sorted(summary.by_seat.items())]),
    ]


def _tallies(title: str, heading: str, rows: Sequence[tuple[str, Tally]]) -> Table:
    """Return a table of results."""
    table = Table(title=title or None, title_justify="left")
    table.add_column(heading)
    for name in ("games", "wins", "share", "95 % (Wilson)", "mean score"):
        table.add_column(name, justify="right")
    for name, tally in rows:
        low, high = wilson(tally.wins, tally.games)
        table.add_row(
            name,
            f"{tally.games:,}",
            f"{tally.wins:,.1f}".removesuffix(".0"),
            f"{tally.wins / tally.games:.1%}",
            f"{low:.1%} to {high:.1%}",
            f"{tally.points / tally.games:.2f}",
        )
    return table


def match_table(found: Sequence[Match], goal: float, title: str) -> Table:
    """Return the table of the matches of a tournament.

    Args:
        found: The matches.
        goal: Share that the higher bot should reach, 0 to 1.
        title: Title of the table.
    """
    verdicts = {"above": "yes", "below": "no", "": "not decided yet"}
    table = Table(title=title, title_justify="left")
    table.add_column("bot")
    table.add_column("against")
    for name in ("games", "share ahead", "95 % (bootstrap)", f"above {goal:.0%}"):
        table.add_column(name, justify="right")
    for each in found:
        interval = f"{each.low:.1%} to {each.high:.1%}"
        verdict = verdicts[each.verdict]
        table.add_row(each.higher, each.lower, f"{each.games:,}", f"{each.share:.1%}", interval, verdict)
    return table


def gate_plan_table(plans: Sequence[GatePlan], title: str) -> Table:
    """Return the table of the matches that a gate needs, with processor hours."""
    table = Table(title=title, title_justify="left")
    for name in ("level", "against"):
        table.add_column(name)
    for name in ("seats", "iterations", "game", "hours, 60 games", "hours, 200 games"):
        table.add_column(name, justify="right")
    for each in plans:
        table.add_row(
            each.higher.name,
            each.lower.name,
            str(each.seats),
            " and ".join(
                f"{each.iterations[level.name]:,}"
                for level in (each.higher, each.lower)
                if level.name in each.iterations
            ),
            f"{each.game_s:.1f} s",
            f"{each.usual_hours:.2f}",
            f"{each.most_hours:.2f}",
        )
    table.add_section()
    usual, most = sum(each.usual_hours for each in plans), sum(each.most_hours for each in plans)
    table.add_row("all", "", "", "", "", f"{usual:.2f}", f"{most:.2f}")
    return table


def gate_table(found: Sequence[GateMatch], title: str) -> Table:
    """Return the table of the matches of a gate."""
    verdicts = {"above": "yes", "below": "no", "level": "no", "": "not decided yet"}
    table = Table(title=title, title_justify="left")
    for name in ("level", "against"):
        table.add_column(name)
    for name in ("seats", "games", "share ahead", "95 %", "offered"):
        table.add_column(name, justify="right")
    for each in found:
        interval = f"{each.low:.1%} to {each.high:.1%}"
        row = (each.higher, each.lower, str(each.seats), f"{each.games:,}", f"{each.share:.1%}", interval)
        table.add_row(*row, verdicts[each.verdict])
    return table


def ratings_table(found: Ratings, title: str) -> Table:
    """Return the table of ratings, the strongest bot first.

    Each row also has the percentage of games in which the bot finished ahead of each other one.
    """
    table = Table(
        title=title,
        title_justify="left",
        caption="1, 2, ...: ahead of that one, in percent; -: no interval (the first bot, or all games ended alike)",
        caption_justify="left",
        box=box.SIMPLE_HEAD,
        padding=(0, 1, 0, 0),
    )
    table.add_column("", justify="right")
    table.add_column("bot", no_wrap=True)
    places = range(1, len(found.bots) + 1)
    for name in ("rating", "95 %", *map(str, places)):
        table.add_column(name, justify="right", no_wrap=True)
    for place, rung in zip(places, found.bots, strict=True):
        shares = (found.shares.get((rung.bot, other.bot)) for other in found.bots)
        table.add_row(
            str(place),
            rung.bot,
            f"{rung.rating:.0f}",
            "-" if rung.low == rung.high else f"{rung.low:.0f} to {rung.high:.0f}",
            *("" if share is None else f"{100 * share:.0f}" for share in shares),
        )
    return table


def experiment_table(found: Sequence[tuple[Cell, Report]], title: str) -> Table:
    """Return the table of an experiment, a row per variant."""
    table = Table(title=title, title_justify="left")
    table.add_column("variant")
    for name in ("games", "who begins wins", "score (95 %)", "decisions", "choices", "lead changes"):
        table.add_column(name, justify="right")
    for cell, report in found:
        low, high = all_scores(report).interval
        table.add_row(
            cell.name,
            f"{report.games:,}",
            "{:.1%} ({:.1%} to {:.1%})".format(report.first.share, *report.first.interval),
            f"{all_scores(report).mean:.2f} ({low:.2f} to {high:.2f})",
            f"{report.lengths.mean:.1f}",
            f"{report.branching.mean:.1f}" if report.branching else "",
            f"{report.lead_changes.mean:.1f}" if report.lead_changes else "",
        )
    return table


def comparison_tables(found: Comparison) -> list[Table]:
    """Return the tables of a comparison: of a grid an overview, and one for each variant."""
    tables = []
    if len(found.variants) > 1:
        mains = main_figures(found)
        table = _plain_table(f"{found.title}: {found.games:,} games each", [each.name for each in mains])
        table.add_row(found.base, *(value_text(each, each.base) for each in mains))
        for variant in found.variants:
            own = [variant.figure(each.key) or each for each in mains]
            texts = (value_text(each, each.mean) + (" *" if each.is_clear else "") for each in own)
            table.add_row(variant.name, *texts)
        tables.append(table)
    for variant in found.variants:
        title = f"{found.title}, {found.games:,} games: {variant.name} (after) against {found.base} (before)"
        table = _plain_table(title, ("before", "after", "difference", "95 % (paired)"))
        for each in variant.figures:
            table.add_row(
                each.name,
                value_text(each, each.base),
                value_text(each, each.mean),
                value_text(each, each.difference, signed=True) + (" *" if each.is_clear else "  "),
                interval_text(each),
            )
        tables.append(table)
    tables[-1].caption, tables[-1].caption_justify = "*: the 95 % interval of the difference excludes 0", "left"
    return tables


def tuning_table(found: Tuned, targets: Sequence[Target], title: str) -> Table:
    """Return the table of a tuning: per target the figures of the original and of the variant.

    Args:
        found: The result of the tuning.
        targets: The targets.
        title: Title of the table.
    """
    table = _plain_table(f"{title}: {found.games:,} fresh games", ("target", "original", "95 %", "found", "95 %"))
    for target, before, after in zip(targets, found.before, found.after, strict=True):
        texts = [
            text
            for each in (before, after)
            for text in (target.text(each.mean), " to ".join(map(target.text, each.interval)))
        ]
        table.add_row(target.name, target.text(target.value), *texts)
    return table


def _plain_table(title: str, headings: Sequence[str]) -> Table:
    """Return a table without lines, with a first column of names."""
    table = Table(title=title, title_justify="left", box=box.SIMPLE_HEAD, padding=(0, 1, 0, 0))
    table.add_column("")
    for heading in headings:
        table.add_column(heading, justify="right")
    return table


def summary_line(summary: Summary) -> str:
    """Return length and speed of a simulation in one line."""
    lengths = summary.decisions
    text = (
        f"{summary.games:,} games, {mean(lengths):.1f} decisions each ({min(lengths)} to {max(lengths)}), "
        f"{summary.shared / summary.games:.1%} shared wins"
    )
    if summary.beyond:
        text += f"; {summary.beyond:,} more in the file weren't asked for"
    if summary.seconds:
        rate = summary.timed_decisions / summary.seconds
        text += f"; {rate:,.0f} decisions/s a core, {summary.elapsed:.1f} s in all"
    return text


def benchmark_table(found: Sequence[BenchmarkResult]) -> Table:
    """Return the table of benchmark results, a row per game."""
    table = Table(title="per second, one core", title_justify="left")
    table.add_column("game")
    for name in ("seats", "decisions", "games", "recorded", "forks", "guesses", "views", "searches"):
        table.add_column(name, justify="right")
    for each in found:
        rates = (each.decisions, each.games, each.recorded, each.forks, each.samples, each.views, each.searches)
        table.add_row(each.game, str(each.seats), *(f"{rate:,.0f}" for rate in rates))
    return table


def calibration_tables(found: Sequence[Candidate], used: Candidate, populations: Sequence[Population]) -> list[Table]:
    """Return the tables of a calibration of ratings.

    Args:
        found: All models, the best first; the best of each kind is shown.
        used: The model in use.
        populations: The populations.
    """
    losses = Table(title="mean logarithmic loss (0.693: guesses)", title_justify="left")
    losses.add_column("model, sigma, tau")
    kinds = list(dict.fromkeys(each.kind for each in populations))
    for name in ("all", *kinds):
        losses.add_column(name, justify="right")
    best: dict[str, Candidate] = {}
    for each in found:
        best.setdefault(each.model.name.partition(" ")[0], each)
    for label, each in [*((each.model.name, each) for each in best.values()), ("in use", used)]:
        by_kind = [
            mean([part.log_loss for part, of in zip(each.forecasts, populations, strict=True) if of.kind == kind])
            for kind in kinds
        ]
        losses.add_row(label, *(f"{value:.4f}" for value in (each.loss, *by_kind)))
    chances = Table(title=f"{used.model.name}: chances to finish ahead", title_justify="left")
    for name in ("stated", "observed", "forecasts"):
        chances.add_column(name, justify="right")
    for part in calibration(used.forecasts):
        chances.add_row(f"{part.stated:.1%}", f"{part.observed:.1%}", f"{part.count:,}")
    return [losses, chances]
