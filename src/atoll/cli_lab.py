"""The commands of the lab: games are played by bots, compared, measured and learnt from."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from .cli_files import Components, finite, say

if TYPE_CHECKING:
    from rich.table import Table

    from atoll.engine import Game
    from atoll.lab.series import MatchSeries

lab = typer.Typer()

GameName = Annotated[str, typer.Argument(metavar="GAME", help="which game, e.g. atacama")]
Seats = Annotated[int | None, typer.Option("--seats", help="number of seats; default: 2, or the least above")]
Options = Annotated[
    list[str] | None, typer.Option("--options", metavar="NAME=VALUE,...", help="options of the game, e.g. setup=basic")
]
Seed = Annotated[int, typer.Option("--seed", help="of the whole series: the same seed gives the same games")]
Workers = Annotated[int, typer.Option("--workers", min=0, help="processes; 0: one per core")]
Seconds = Annotated[
    float,
    typer.Option("--seconds", min=0.001, help="the longest a bot may think about a decision (CPU)", callback=finite),
]
Iterations = Annotated[
    int | None,
    typer.Option("--iterations", min=1, help="searching bots stop after so many instead: the same on every machine"),
]
Rotate = Annotated[bool, typer.Option("--rotate/--fixed", help="bots change seats from game to game")]
KeptGames = Annotated[
    Path | None, typer.Option("--json", metavar="FOLDER", help="keep the games; an existing folder is continued")
]
Bots = Annotated[str, typer.Option("--bots", metavar="NAME,...", help="bots by name, at most one per seat")]
Engine = Annotated[str, typer.Option("--engine", help="local (all cores) or ray (a cluster)")]


def _game(name: str, components: Path | None) -> Game:
    from atoll import games  # noqa: PLC0415

    game: Game = games[name]
    return game if components is None else game.with_components(components)


def _options(game: Game, texts: list[str] | None) -> dict[str, Any]:
    """What `--options a=b,c=d` means. Raises OptionError."""
    from atoll.engine import OptionError  # noqa: PLC0415

    known = {option.id: option for option in game.options}
    found = {}
    for text in (part for each in texts or () for part in each.split(",") if part):
        name, equals, value = text.partition("=")
        if not equals:
            raise OptionError(f"options {text!r}: write NAME=VALUE")
        if name not in known:
            raise OptionError(f"unknown option {name!r}; known: {', '.join(known) or 'none'}")
        if name in found:
            raise OptionError(f"option {name!r} is given twice")
        found[name] = known[name].read(value)
    return found


def _names(texts: str) -> list[str]:
    """What `--bots a,b` names."""
    return [name.strip() for name in texts.split(",")]


def show(*tables: Table) -> None:
    """Tables on the terminal."""
    from rich.console import Console  # noqa: PLC0415

    console = Console()
    for table in tables:
        console.print(table)


@contextmanager
def _progress(what: str) -> Iterator[Callable[[int, int], None]]:
    """A progress bar on the terminal, if there is one; gives the function that moves it: (done, in all)."""
    from rich.console import Console  # noqa: PLC0415
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn  # noqa: PLC0415

    console = Console(stderr=True)
    columns = (TextColumn(what), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as progress:
        task = progress.add_task(what, total=None)
        yield lambda done, total: progress.update(task, completed=done, total=total)


@contextmanager
def _status() -> Iterator[Callable[[str], None]]:
    """A changing line on the terminal, if there is one; gives the function that changes it."""
    from rich.console import Console  # noqa: PLC0415

    console = Console(stderr=True)
    if not console.is_terminal:
        yield lambda text: None
        return
    with console.status("") as status:
        yield status.update


@contextmanager
def _kept(where: Path | None) -> Iterator[None]:
    """Who stops what is kept somewhere is told where, and how it goes on; the status is 130, as ever."""
    try:
        yield
    except KeyboardInterrupt:
        if where is None or not where.exists():
            raise
        text = f"atoll: interrupted; what is finished is kept in {where}, and the same command goes on there"
        typer.echo(text, err=True)
        sys.exit(130)


@contextmanager
def _match_series(
    game: str, components: Path | None, options: list[str] | None, folder: Path | None, **settings: Any
) -> Iterator[MatchSeries]:
    """Yield what all matches of a command share, and show how each match stands in a changing line.

    Args:
        game: The game.
        components: The file of its components, or None for those that it brings.
        options: Its options, as texts.
        folder: The place of the games, or None to store none.
        settings: All other arguments of `MatchSeries`.
    """
    from atoll.lab.series import MatchSeries  # noqa: PLC0415

    rules = _game(game, components)
    with _kept(folder), _status() as tell:
        yield MatchSeries(
            rules,
            options=_options(rules, options),
            folder=folder,
            watch=lambda match, games, share: tell(f"{match}, {games} games, {share:.1%} ahead"),
            **settings,
        )


@lab.command()
def simulate(
    game: GameName,
    games: Annotated[int, typer.Option("--games", min=1, help="how many")] = 100,
    seats: Seats = None,
    bots: Bots = "random",
    options: Options = None,
    seed: Seed = 1,
    json: Annotated[
        Path | None, typer.Option("--json", metavar="FILE", help="keep a row per game; an existing file is continued")
    ] = None,
    decisions: Annotated[bool, typer.Option("--decisions", help="keep a row per decision too")] = False,
    parquet: Annotated[bool, typer.Option("--parquet", help="write Parquet beside FILE at the end")] = False,
    records: Annotated[
        Path | None, typer.Option("--records", metavar="FOLDER", help="write the record of each game into it")
    ] = None,
    seconds: Seconds = 1.0,
    iterations: Iterations = None,
    rotate: Rotate = True,
    workers: Workers = 0,
    engine: Engine = "local",
    components: Components = None,
) -> None:
    """Let bots play many games, and tell who won."""
    from atoll.lab import tables  # noqa: PLC0415
    from atoll.lab.plan import Plan, PlanError  # noqa: PLC0415
    from atoll.lab.results import to_parquet  # noqa: PLC0415
    from atoll.lab.simulate import simulate  # noqa: PLC0415

    if (decisions or parquet) and json is None:
        raise PlanError("--decisions and --parquet need --json FILE")
    rules = _game(game, components)
    plan = Plan.make(
        rules,
        seats,
        _options(rules, options),
        tuple(_names(bots)),
        seed=seed,
        seconds=seconds,
        iterations=iterations,
        rotate=rotate,
        used=json is not None,
        decisions=decisions,
        records=records is not None,
    )
    with _kept(json), _progress("games") as watch:
        summary = simulate(plan, games, workers=workers, engine=engine, file=json, records=records, watch=watch)
    show(*tables.outcome(summary, f"{rules.id}, {plan.seats} seats"))
    say(tables.in_short(summary))
    if json is not None:
        say(f"rows: {', '.join(map(str, [json, *(to_parquet(json) if parquet else [])]))}")


@lab.command()
def dataset(
    game: GameName,
    out: Annotated[Path, typer.Option("--out", metavar="FOLDER", help="all of it; what was cut off there goes on")],
    games: Annotated[int, typer.Option("--games", min=1, help="how many")] = 100,
    seats: Seats = None,
    bots: Bots = "expert",
    options: Options = None,
    seed: Seed = 1,
    iterations: Annotated[int, typer.Option("--iterations", min=1, help="of bots that search, a decision")] = 100,
    rotate: Rotate = True,
    workers: Workers = 0,
    engine: Engine = "local",
    components: Components = None,
) -> None:
    """Write games of bots as Parquet, to learn from: observations, candidates, policy, value, result."""
    from atoll.lab.dataset import dataset  # noqa: PLC0415
    from atoll.lab.plan import Plan  # noqa: PLC0415

    rules = _game(game, components)
    names = tuple(_names(bots))
    more = {"seed": seed, "seconds": 3600.0, "iterations": iterations, "rotate": rotate}
    plan = Plan.make(rules, seats, _options(rules, options), names, **more)
    with _kept(out), _progress("games") as watch:
        decisions = dataset(plan, games, out, workers=workers, engine=engine, watch=watch)
    say(f"{games} games, {decisions} decisions: {out / 'README.md'}")


@lab.command()
def tournament(
    game: GameName,
    bots: Annotated[
        str, typer.Option("--bots", metavar="NAME,...", help="from the weakest to the strongest; default: all levels")
    ] = "",
    seats: Seats = None,
    options: Options = None,
    seconds: Seconds = 0.05,
    iterations: Iterations = None,
    goal: Annotated[
        float, typer.Option("--goal", help="the share of pairs in which the better bot must be ahead", callback=finite)
    ] = 0.65,
    games: Annotated[int, typer.Option("--games", min=1, help="the most for a match")] = 2000,
    minutes: Annotated[
        float, typer.Option("--minutes", min=0, help="the most for all matches", callback=finite)
    ] = 60.0,
    seed: Seed = 1,
    json: KeptGames = None,
    workers: Workers = 0,
    engine: Engine = "local",
    components: Components = None,
) -> None:
    """Test whether each level of bots is better than the one below. Status 1 if not, or if it isn't decided."""
    from atoll.bots import level_names  # noqa: PLC0415
    from atoll.lab import tables  # noqa: PLC0415
    from atoll.lab.tournament import tournament  # noqa: PLC0415

    settings = {"seats": seats, "seconds": seconds, "iterations": iterations, "seed": seed}
    with _match_series(game, components, options, json, **settings, workers=workers, engine=engine) as series:
        rules = series.game
        names = _names(bots) if bots else level_names(rules)
        found = tournament(series, names, goal=goal, most_games=games, minutes=minutes)
    show(tables.matches(found, goal, f"{rules.id}, {seconds * 1000:.0f} ms a decision"))
    if any(match.verdict != "above" for match in found):
        sys.exit(1)


@lab.command()
def ladder(
    game: GameName,
    bots: Annotated[
        str, typer.Option("--bots", metavar="NAME,...", help="the first has 0 points; default: all there are")
    ] = "",
    seats: Seats = None,
    options: Options = None,
    seconds: Seconds = 0.05,
    iterations: Iterations = None,
    games: Annotated[int, typer.Option("--games", min=1, help="for each pair of bots")] = 20,
    seed: Seed = 1,
    json: KeptGames = None,
    workers: Workers = 0,
    engine: Engine = "local",
    components: Components = None,
) -> None:
    """Let each bot play each, and rate them."""
    from atoll.lab import tables  # noqa: PLC0415
    from atoll.lab.ladder import default_bots  # noqa: PLC0415
    from atoll.lab.ladder import ladder as climb  # noqa: PLC0415

    settings = {"seats": seats, "seconds": seconds, "iterations": iterations, "seed": seed}
    with _match_series(game, components, options, json, **settings, workers=workers, engine=engine) as series:
        rules = series.game
        found = climb(series, _names(bots) if bots else default_bots(rules), games=games)
    show(tables.ladder(found, f"{rules.id}, {games} games for each pair"))


@lab.command()
def train(
    game: GameName,
    out: Annotated[Path, typer.Option("--out", metavar="FOLDER", help="all of it; an existing one is continued")],
    seats: Seats = None,
    config: Annotated[Path | None, typer.Option("--config", metavar="FILE", help="TOML: what is unusual")] = None,
    minutes: Annotated[
        float, typer.Option("--minutes", min=0, help="of self-play and learning", callback=finite)
    ] = 10.0,
    matches: Annotated[int, typer.Option("--matches", min=0, help="games at the end, against expert")] = 40,
    seed: Seed = 1,
    workers: Workers = 0,
) -> None:
    """Train a net that judges positions, by self-play. It tells how far it is off, beside `estimate`."""
    from atoll.lab.train import train  # noqa: PLC0415

    with _kept(out):
        train(_game(game, None), out, seats, config, seed, minutes=minutes, matches=matches, workers=workers, say=say)


@lab.command()
def report(
    results: Annotated[Path, typer.Argument(metavar="RESULTS", help="a file written by simulate --json")],
    output: Annotated[Path, typer.Option("-o", "--output", metavar="FILE", help="the page")] = Path("report.html"),
    components: Components = None,
) -> None:
    """Make a page about simulated games: who wins, what is used, what stands out."""
    from atoll.lab.report import page  # noqa: PLC0415
    from atoll.lab.results import read  # noqa: PLC0415

    rows = list(read(results))
    output.write_text(page(_game(rows[0]["game"], components), rows), "utf-8")
    say(f"page: {output}")


@lab.command()
def experiment(
    grid: Annotated[Path, typer.Argument(metavar="FILE", help="which numbers to vary (TOML)")],
    folder: Annotated[
        Path, typer.Option("--json", metavar="FOLDER", help="keep the games here; an existing folder is continued")
    ] = Path("experiment"),
    workers: Workers = 0,
    engine: Engine = "local",
) -> None:
    """Vary options or components of a game over a grid, and compare."""
    from atoll import games  # noqa: PLC0415
    from atoll.lab import tables  # noqa: PLC0415
    from atoll.lab.experiment import load, perform  # noqa: PLC0415

    found = load(grid, games)
    with _kept(folder), _status() as tell:
        cells = perform(
            found,
            workers=workers,
            engine=engine,
            folder=folder,
            watch=lambda cell, done, count: tell(f"{cell}: {done} of {count} games"),
        )
    show(tables.cells(cells, found.game.id))
    for number, (cell, each) in enumerate(cells):
        say(f"{cell.name}: {len(each.warnings)} remarks in `atoll report {folder / f'{found.game.id}_{number}.jsonl'}`")


@lab.command()
def bench(
    games: Annotated[list[str] | None, typer.Argument(metavar="[GAME...]", help="which; default: all")] = None,
    seats: Seats = None,
    seconds: Annotated[
        float, typer.Option("--seconds", min=0.01, help="how long to measure each figure", callback=finite)
    ] = 1.0,
    json: Annotated[bool, typer.Option("--json", help="print JSON lines")] = False,
) -> None:
    """Measure the speed of rules and engine on one core."""
    from dataclasses import asdict  # noqa: PLC0415
    from json import dumps  # noqa: PLC0415

    from atoll import games as registry  # noqa: PLC0415
    from atoll.lab import tables  # noqa: PLC0415
    from atoll.lab.bench import measure  # noqa: PLC0415

    chosen = [registry[name] for name in games] if games else registry.whole()
    found = [measure(game, seconds, seats) for game in chosen]
    if json:
        for each in found:
            say(dumps(asdict(each)))
    else:
        show(tables.speeds(found))
