"""The commands of the lab: bots play games, which are compared, measured and learned from.

Command functions are private. Their docstrings and options are the help of the command line.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from .configuration import finite
from .files import Components, say

if TYPE_CHECKING:
    from rich.table import Table

    from atoll.engine import Game
    from atoll.lab.series import MatchSeries

lab = typer.Typer()

GameName = Annotated[str, typer.Argument(metavar="GAME", help="id of the game, e.g. atacama")]
Seats = Annotated[int | None, typer.Option("--seats", help="number of seats; default: 2, or the fewest above")]
Options = Annotated[
    list[str] | None, typer.Option("--options", metavar="NAME=VALUE,...", help="options of the game, e.g. setup=basic")
]
Seed = Annotated[int, typer.Option("--seed", help="seed of the series: the same seed gives the same games")]
Workers = Annotated[int, typer.Option("--workers", min=0, help="number of processes; 0: up to one per core")]
Seconds = Annotated[
    float,
    typer.Option("--seconds", min=0.001, help="time limit of a bot per decision, in processor time", callback=finite),
]
Iterations = Annotated[
    int | None,
    typer.Option("--iterations", min=1, help="limit of searching bots per decision instead: the same on every machine"),
]
Rotate = Annotated[bool, typer.Option("--rotate/--fixed", help="bots change seats from game to game")]
GamesFolder = Annotated[
    Path | None, typer.Option("--json", metavar="FOLDER", help="store the games; an existing folder is continued")
]
Bots = Annotated[str, typer.Option("--bots", metavar="NAME,...", help="bots by name, at most one per seat")]
Engine = Annotated[
    str, typer.Option("--engine", help="local (all cores) or ray (the cluster at RAY_ADDRESS, or this machine)")
]


def _game(name: str, components: Path | None) -> Game:
    """Return a game by its id, with other components if a file is given."""
    from atoll import games  # noqa: PLC0415

    game: Game = games[name]
    return game if components is None else game.with_components(components)


def _options(game: Game, texts: list[str] | None) -> dict[str, Any]:
    """Return the options in `--options a=b,c=d`.

    Args:
        game: The game.
        texts: Values of the option, or None.

    Raises:
        OptionError: If the text is malformed, or an option or its value is invalid.
    """
    from atoll.lab.variants import read_options  # noqa: PLC0415

    return read_options(game, [part for each in texts or () for part in each.split(",") if part])


def _names(texts: str) -> list[str]:
    """Return the names in `--bots a,b`."""
    return [name.strip() for name in texts.split(",")]


def show(*tables: Table) -> None:
    """Print tables on the terminal."""
    from rich.console import Console  # noqa: PLC0415

    console = Console()
    for table in tables:
        console.print(table)


@contextmanager
def _progress(what: str) -> Iterator[Callable[[int, int], None]]:
    """Show a progress bar if the output is a terminal.

    Args:
        what: Label of the bar.

    Yields:
        A function that moves the bar: (done, total).
    """
    from rich.console import Console  # noqa: PLC0415
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn  # noqa: PLC0415

    console = Console(stderr=True)
    columns = (TextColumn(what), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as progress:
        task = progress.add_task(what, total=None)
        yield lambda done, total: progress.update(task, completed=done, total=total)


@contextmanager
def _status() -> Iterator[Callable[[str], None]]:
    """Show a changing line if the output is a terminal.

    Yields:
        A function that changes the line.
    """
    from rich.console import Console  # noqa: PLC0415

    console = Console(stderr=True)
    if not console.is_terminal:
        yield lambda text: None
        return
    with console.status("") as status:
        yield status.update


@contextmanager
def _exit_130_with_hint(where: Path | None) -> Iterator[None]:
    """Report on Ctrl+C where results are stored and how to continue; exit with status 130."""
    try:
        yield
    except KeyboardInterrupt:
        if where is None or not where.exists():
            raise
        text = f"atoll: interrupted; results so far are stored in {where}, and the same command continues there"
        typer.echo(text, err=True)
        sys.exit(130)


@contextmanager
def _match_series(
    game: str, components: Path | None, options: list[str] | None, folder: Path | None, **settings: Any
) -> Iterator[MatchSeries]:
    """Provide the settings of matches, and show the state of each match in a changing line.

    Args:
        game: Id of the game.
        components: File of its components; None for the built-in ones.
        options: Texts of the `--options`; None for none.
        folder: Folder of the games; None to store none.
        **settings: Other arguments of `MatchSeries`.

    Yields:
        The settings.

    Raises:
        OptionError: If an option or its value is invalid.
    """
    from atoll.lab.series import MatchSeries  # noqa: PLC0415

    rules = _game(game, components)
    with _exit_130_with_hint(folder), _status() as tell:
        yield MatchSeries(
            rules,
            options=_options(rules, options),
            folder=folder,
            watch=lambda match, games, share: tell(f"{match}, {games} games, {share:.1%} ahead"),
            **settings,
        )


@lab.command("simulate")
def _simulate(
    game: GameName,
    games: Annotated[int, typer.Option("--games", min=1, help="number of games")] = 100,
    seats: Seats = None,
    bots: Bots = "random",
    options: Options = None,
    seed: Seed = 1,
    json: Annotated[
        Path | None, typer.Option("--json", metavar="FILE", help="write a row per game; an existing file is continued")
    ] = None,
    decisions: Annotated[bool, typer.Option("--decisions", help="write a row per decision too")] = False,
    parquet: Annotated[bool, typer.Option("--parquet", help="write Parquet files next to FILE at the end")] = False,
    records: Annotated[
        Path | None, typer.Option("--records", metavar="FOLDER", help="write the record of each game to this folder")
    ] = None,
    seconds: Seconds = 1.0,
    iterations: Iterations = None,
    rotate: Rotate = True,
    workers: Workers = 0,
    engine: Engine = "local",
    components: Components = None,
) -> None:
    """Let bots play many games, and show who won."""
    from atoll.lab import terminal_tables  # noqa: PLC0415
    from atoll.lab.plan import PlanError, SimulationPlan  # noqa: PLC0415
    from atoll.lab.results import to_parquet  # noqa: PLC0415
    from atoll.lab.simulate import simulate  # noqa: PLC0415

    if (decisions or parquet) and json is None:
        raise PlanError("--decisions and --parquet need --json FILE")
    rules = _game(game, components)
    plan = SimulationPlan.make(
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
    with _exit_130_with_hint(json), _progress("games") as watch:
        summary = simulate(plan, games, workers=workers, engine=engine, file=json, records=records, watch=watch)
    show(*terminal_tables.win_tables(summary, f"{rules.id}, {plan.seats} seats"))
    say(terminal_tables.summary_line(summary))
    if json is not None:
        say(f"rows: {', '.join(map(str, [json, *(to_parquet(json) if parquet else [])]))}")


@lab.command("dataset")
def _dataset(
    game: GameName,
    out: Annotated[
        Path, typer.Option("--out", metavar="FOLDER", help="folder of the dataset; an interrupted one is continued")
    ],
    games: Annotated[int, typer.Option("--games", min=1, help="number of games")] = 100,
    seats: Seats = None,
    bots: Bots = "expert",
    options: Options = None,
    seed: Seed = 1,
    iterations: Annotated[
        int, typer.Option("--iterations", min=1, help="iterations of searching bots per decision")
    ] = 100,
    rotate: Rotate = True,
    workers: Workers = 0,
    engine: Engine = "local",
    components: Components = None,
) -> None:
    """Write games of bots as Parquet files to learn from."""
    from atoll.lab.dataset import dataset  # noqa: PLC0415
    from atoll.lab.plan import SimulationPlan  # noqa: PLC0415

    rules = _game(game, components)
    names = tuple(_names(bots))
    more = {"seed": seed, "seconds": 3600.0, "iterations": iterations, "rotate": rotate}
    plan = SimulationPlan.make(rules, seats, _options(rules, options), names, **more)
    with _exit_130_with_hint(out), _progress("games") as watch:
        decisions = dataset(plan, games, out, workers=workers, engine=engine, watch=watch)
    say(f"{games} games, {decisions} decisions: {out / 'README.md'}")


@lab.command("datasets")
def _datasets(
    games: Annotated[list[str] | None, typer.Argument(metavar="[GAME...]", help="ids of games; default: all")] = None,
    out: Annotated[
        Path, typer.Option("--out", metavar="FOLDER", help="gets a folder per game; interrupted ones are continued")
    ] = Path("datasets"),
    workers: Workers = 0,
    engine: Engine = "local",
) -> None:
    """Write the standard dataset of each game: small, and the same everywhere."""
    from atoll import games as registry  # noqa: PLC0415
    from atoll.lab.dataset import STANDARD_GAMES, dataset, standard_plan  # noqa: PLC0415

    for game in [registry[name] for name in games] if games else registry.loadable_games():
        folder = out / game.id
        with _exit_130_with_hint(out), _progress(game.id) as watch:
            count = dataset(standard_plan(game), STANDARD_GAMES, folder, workers=workers, engine=engine, watch=watch)
        say(f"{STANDARD_GAMES} games, {count} decisions: {folder / 'README.md'}")


@lab.command("tournament")
def _tournament(
    game: GameName,
    bots: Annotated[
        str, typer.Option("--bots", metavar="NAME,...", help="from the weakest to the strongest; default: all levels")
    ] = "",
    seats: Seats = None,
    options: Options = None,
    seconds: Seconds = 0.05,
    iterations: Iterations = None,
    goal: Annotated[
        float, typer.Option("--goal", help="share of pairs in which the better bot must be ahead", callback=finite)
    ] = 0.65,
    games: Annotated[int, typer.Option("--games", min=1, help="maximum number of games per match")] = 2000,
    minutes: Annotated[
        float, typer.Option("--minutes", min=0, help="time limit of all matches together", callback=finite)
    ] = 60.0,
    seed: Seed = 1,
    json: GamesFolder = None,
    workers: Workers = 0,
    engine: Engine = "local",
    components: Components = None,
) -> None:
    """Test whether each level is better than the one below. Status 1 if not, or if undecided."""
    from atoll.bots import level_names  # noqa: PLC0415
    from atoll.lab import terminal_tables  # noqa: PLC0415
    from atoll.lab.tournament import tournament  # noqa: PLC0415

    settings = {"seats": seats, "seconds": seconds, "iterations": iterations, "seed": seed}
    with _match_series(game, components, options, json, **settings, workers=workers, engine=engine) as series:
        rules = series.game
        count = rules.min_multiplayer_seats if seats is None else seats
        names = _names(bots) if bots else level_names(rules, count)
        found = tournament(series, names, goal=goal, most_games=games, minutes=minutes)
    show(terminal_tables.match_table(found, goal, f"{rules.id}, {seconds * 1000:.0f} ms a decision"))
    if any(match.verdict != "above" for match in found):
        sys.exit(1)


@lab.command("ladder")
def _ladder(
    game: GameName,
    bots: Annotated[
        str, typer.Option("--bots", metavar="NAME,...", help="bots to rate, the first has 0 points; default: all")
    ] = "",
    seats: Seats = None,
    options: Options = None,
    seconds: Seconds = 0.05,
    iterations: Iterations = None,
    games: Annotated[int, typer.Option("--games", min=1, help="number of games per pair of bots")] = 20,
    seed: Seed = 1,
    json: GamesFolder = None,
    workers: Workers = 0,
    engine: Engine = "local",
    components: Components = None,
) -> None:
    """Let each bot play each other one, and rate them."""
    from atoll.lab import terminal_tables  # noqa: PLC0415
    from atoll.lab.ladder import default_bots  # noqa: PLC0415
    from atoll.lab.ladder import ladder as climb  # noqa: PLC0415

    settings = {"seats": seats, "seconds": seconds, "iterations": iterations, "seed": seed}
    with _match_series(game, components, options, json, **settings, workers=workers, engine=engine) as series:
        rules = series.game
        count = rules.min_multiplayer_seats if seats is None else seats
        found = climb(series, _names(bots) if bots else default_bots(rules, count), games=games)
    show(terminal_tables.ratings_table(found, f"{rules.id}, {games} games for each pair"))


@lab.command("gate")
def _gate(
    games: Annotated[list[str] | None, typer.Argument(metavar="[GAME...]", help="ids of games; default: all")] = None,
    plan: Annotated[bool, typer.Option("--plan", help="print the matches and their processor hours, and stop")] = False,
    levels: Annotated[
        str, typer.Option("--levels", metavar="NAME,...", help="levels that meet the one below; default: all")
    ] = "",
    seats: Annotated[
        int | None, typer.Option("--seats", help="number of seats; default: the fewest and the most")
    ] = None,
    part: Annotated[
        float,
        typer.Option("--part", help="part of the table's seconds that the iterations stand for", callback=finite),
    ] = 1.0,
    compare: Annotated[
        int,
        typer.Option("--compare", min=0, help="compare this number of decisions with those in the table's seconds"),
    ] = 0,
    minutes: Annotated[
        float, typer.Option("--minutes", min=0, help="time limit of all matches together", callback=finite)
    ] = 60.0,
    seed: Annotated[int, typer.Option("--seed", help="number of the seed; another one gives other games")] = 1,
    json: Annotated[
        Path, typer.Option("--json", metavar="FOLDER", help="store the games here; an existing folder is continued")
    ] = Path("gate"),
    out: Annotated[
        Path | None, typer.Option("--out", metavar="FILE", help="file of the results; default: the game's levels.json")
    ] = None,
    workers: Workers = 0,
    engine: Engine = "local",
    components: Components = None,
) -> None:
    """Let each level play the one below, and store which levels are offered."""
    from time import perf_counter  # noqa: PLC0415

    from atoll import games as registry  # noqa: PLC0415
    from atoll.bots.gates import find_gates, gates_file, read_gates  # noqa: PLC0415
    from atoll.bots.levels import LEVELS  # noqa: PLC0415
    from atoll.lab import terminal_tables  # noqa: PLC0415
    from atoll.lab.gate import Gate, write_gates  # noqa: PLC0415
    from atoll.lab.plan import PlanError  # noqa: PLC0415

    if (components is not None or out is not None) and len(games or ()) != 1:
        raise typer.BadParameter("name exactly one game", param_hint="'--components' and '--out'")
    chosen = [_game(name, components) for name in games] if games else registry.loadable_games()
    wanted = _names(levels) if levels else []
    end = perf_counter() + 60 * minutes
    for game in chosen:
        file = out or gates_file(game)
        if file is None:
            raise PlanError(f"{game.id} has no package; name a file by --out")
        gate = Gate(game, read_gates(file, game), part, seed)
        counts = (seats,) if seats is not None else gate.seat_counts()
        if plan:
            show(terminal_tables.gate_plan_table(list(gate.plans(counts, wanted)), game.id))
            write_gates(gate.gates, file)
            continue
        with _exit_130_with_hint(json), _status() as tell:
            for each in gate.plans(counts, wanted):
                left = (end - perf_counter()) / 60
                if left <= 0:
                    break
                gate.play(
                    each,
                    json,
                    minutes=left,
                    workers=workers,
                    engine=engine,
                    watch=lambda match, done, share: tell(f"{match}: {done} games, {share:.0%} ahead"),
                )
                write_gates(gate.gates, file)
            searching = [level for level in LEVELS if level.name in (wanted or ["expert"]) and gate.searches(level)]
            for level in searching if compare else ():
                if perf_counter() < end:
                    gate.compare(level, counts[0], compare)
                    write_gates(gate.gates, file)
        find_gates.cache_clear()
        show(terminal_tables.gate_table(gate.gates.matches, game.id))
        for agreed in gate.gates.agreements:
            say(
                f"{agreed.level}: {agreed.iterations:,} iterations chose as {agreed.seconds:g} s did in {agreed.same} "
                f"of {agreed.decisions} decisions; another {agreed.seconds:g} s did in {agreed.again}"
            )


@lab.command("train")
def _train(
    game: GameName,
    out: Annotated[
        Path, typer.Option("--out", metavar="FOLDER", help="folder of the training; an existing one is continued")
    ],
    seats: Seats = None,
    config: Annotated[
        Path | None, typer.Option("--config", metavar="FILE", help="TOML file of values that differ from the defaults")
    ] = None,
    minutes: Annotated[
        float, typer.Option("--minutes", min=0, help="time of self-play and learning", callback=finite)
    ] = 10.0,
    matches: Annotated[int, typer.Option("--matches", min=0, help="number of games against expert at the end")] = 40,
    seed: Seed = 1,
    workers: Workers = 0,
    engine: Engine = "local",
    components: Components = None,
) -> None:
    """Train a value net by self-play. Its error is compared with that of `expected_scores`."""
    from atoll.lab.training import train  # noqa: PLC0415

    with _exit_130_with_hint(out):
        train(
            _game(game, components),
            out,
            seats,
            config,
            seed,
            minutes=minutes,
            matches=matches,
            workers=workers,
            engine=engine,
            say=say,
        )


@lab.command("report")
def _report(
    results: Annotated[Path, typer.Argument(metavar="RESULTS", help="a file written by simulate --json")],
    output: Annotated[Path, typer.Option("-o", "--output", metavar="FILE", help="file of the page")] = Path(
        "report.html"
    ),
    components: Components = None,
) -> None:
    """Write a page about simulated games: winners, usage, and conspicuous results."""
    from atoll.lab.report import page  # noqa: PLC0415
    from atoll.lab.results import read  # noqa: PLC0415

    rows = list(read(results))
    output.write_text(page(_game(rows[0]["game"], components), rows), "utf-8")
    say(f"page: {output}")


@lab.command("experiment")
def _experiment(
    grid: Annotated[Path, typer.Argument(metavar="FILE", help="TOML file of the experiment")],
    folder: Annotated[
        Path, typer.Option("--json", metavar="FOLDER", help="store the games here; an existing folder is continued")
    ] = Path("experiment"),
    workers: Workers = 0,
    engine: Engine = "local",
) -> None:
    """Vary options or components of a game, and compare the results."""
    from atoll import games  # noqa: PLC0415
    from atoll.lab import terminal_tables  # noqa: PLC0415
    from atoll.lab.experiment import load, run_experiment  # noqa: PLC0415

    found = load(grid, games)
    with _exit_130_with_hint(folder), _status() as tell:
        cells = run_experiment(
            found,
            workers=workers,
            engine=engine,
            folder=folder,
            watch=lambda cell, done, count: tell(f"{cell}: {done} of {count} games"),
        )
    show(terminal_tables.experiment_table(cells, found.game.id))
    for number, (cell, each) in enumerate(cells):
        file = folder / f"{found.game.id}_{number}.jsonl"
        say(f"{cell.name}: {len(each.warnings)} warnings, see `atoll report {file}`")


@lab.command("compare")
def _compare(
    variants: Annotated[
        list[str],
        typer.Argument(
            metavar="VARIANT...",
            help="original, a components.toml, a file of changes, or NAME=VALUE of options, joined by commas; "
            "the others are compared with the first; or one file of an experiment",
        ),
    ],
    name: Annotated[str, typer.Option("--game", metavar="GAME", help="id of the game, if no file names it")] = "",
    games: Annotated[int | None, typer.Option("--games", min=1, help="games of each variant; default: 200")] = None,
    seats: Seats = None,
    bots: Annotated[
        str | None,
        typer.Option("--bots", metavar="NAME,...", help="bots by name, at most one per seat; default: greedy"),
    ] = None,
    iterations: Annotated[
        int | None, typer.Option("--iterations", min=1, help="iterations of searching bots per decision; default: 100")
    ] = None,
    seed: Annotated[int | None, typer.Option("--seed", help="seed of all variants; default: 1")] = None,
    output: Annotated[Path | None, typer.Option("-o", "--output", metavar="FILE", help="write a page to FILE")] = None,
    folder: Annotated[
        Path | None, typer.Option("--json", metavar="FOLDER", help="store the games; an existing folder is continued")
    ] = None,
    workers: Workers = 0,
    engine: Engine = "local",
) -> None:
    """Play variants of a game with the same seeds, and show how they differ."""
    from tempfile import TemporaryDirectory  # noqa: PLC0415

    from atoll import games as registry  # noqa: PLC0415
    from atoll.lab import terminal_tables  # noqa: PLC0415
    from atoll.lab.comparison import comparison_page, play_variants  # noqa: PLC0415
    from atoll.lab.experiment import load  # noqa: PLC0415
    from atoll.lab.plan import PlanError, SimulationPlan  # noqa: PLC0415
    from atoll.lab.variants import VariantError, read_variants  # noqa: PLC0415

    if len(variants) == 1:
        if (name, seats, bots, iterations, seed) != ("", None, None, None, None):
            raise PlanError("the file of an experiment names game, seats, bots and seed; leave these options out")
        grid = load(Path(variants[0]), registry)
        plans = {cell.name: cell.plan for cell in grid.cells}
        count = games or grid.games
    else:
        plans, count = {}, games or 200
        more = {"seed": 1 if seed is None else seed, "seconds": 3600.0, "iterations": iterations or 100, "used": True}
        for each in read_variants(variants, registry, name):
            if each.name in plans:
                raise VariantError(f"{each.name!r} is given twice; allowed: variants that differ")
            plans[each.name] = SimulationPlan.make(
                each.game, seats, each.options, tuple(_names(bots or "greedy")), labels={"variant": each.name}, **more
            )
    with TemporaryDirectory() as temporary, _exit_130_with_hint(folder), _status() as tell:
        found = play_variants(
            plans,
            count,
            folder or Path(temporary),
            workers=workers,
            engine=engine,
            watch=lambda variant, done, wanted: tell(f"{variant}: {done} of {wanted} games"),
        )
    show(*terminal_tables.comparison_tables(found))
    if output is not None:
        output.write_text(comparison_page(found), "utf-8")
        say(f"page: {output}")


@lab.command("tune")
def _tune(
    game: GameName,
    targets: Annotated[
        list[str],
        typer.Option(
            "--target",
            metavar="NAME=VALUE",
            help="margin, length (decisions), first (win rate of who begins) or seat1, seat2, ...; may be repeated",
        ),
    ],
    changes: Annotated[
        list[str],
        typer.Option(
            "--change",
            metavar="PATH[=LOW..HIGH]",
            help="a number of components.toml; * stands for any text; default limits: the schema's; may be repeated",
        ),
    ],
    games: Annotated[int, typer.Option("--games", min=2, help="games of each trial")] = 100,
    trials: Annotated[int, typer.Option("--trials", min=1, help="number of variants to try")] = 40,
    seats: Seats = None,
    bots: Bots = "greedy",
    options: Options = None,
    iterations: Annotated[
        int, typer.Option("--iterations", min=1, help="iterations of searching bots per decision")
    ] = 100,
    seed: Seed = 1,
    output: Annotated[
        Path | None, typer.Option("-o", "--output", metavar="FILE", help="write the changes to FILE")
    ] = None,
    workers: Workers = 0,
    engine: Engine = "local",
    components: Components = None,
) -> None:
    """Change numbers of the components until simulated games reach targets."""
    from atoll.engine.component_changes import value_at, write_changes  # noqa: PLC0415
    from atoll.lab import terminal_tables  # noqa: PLC0415
    from atoll.lab.plan import SimulationPlan  # noqa: PLC0415
    from atoll.lab.tuning import read_fields, read_targets, tune  # noqa: PLC0415

    rules = _game(game, components)
    names = tuple(_names(bots))
    plan = SimulationPlan.make(
        rules, seats, _options(rules, options), names, seed=seed, seconds=3600.0, iterations=iterations
    )
    wanted, fields = read_targets(targets, plan.seats), read_fields(rules, changes)
    with _progress("trials") as watch:
        found = tune(plan, wanted, fields, games=games, trials=trials, workers=workers, engine=engine, watch=watch)
    show(terminal_tables.tuning_table(found, wanted, rules.id))
    say(f"{found.trials} variants played, {found.refused} refused by the game")
    for path, value in found.changes.items():
        say(f"{path}: {value_at(rules.data, path)} -> {value}")
    if not found.changes:
        say("no variant came closer to the targets: try more trials, other numbers or wider ranges")
        return
    printed = write_changes(rules.id, found.changes)
    if output is None:
        say(f"\n{printed}")
    else:
        output.write_text(printed, "utf-8")
        say(f"changes: {output}")
    say("The constants and nets of the bots fit the printed components. Check the variant with other bots and people.")


@lab.command("bench")
def _bench(
    games: Annotated[list[str] | None, typer.Argument(metavar="[GAME...]", help="ids of games; default: all")] = None,
    seats: Seats = None,
    seconds: Annotated[
        float, typer.Option("--seconds", min=0.01, help="measured time per figure", callback=finite)
    ] = 1.0,
    json: Annotated[bool, typer.Option("--json", help="print JSON lines")] = False,
    components: Components = None,
) -> None:
    """Measure the speed of the rules and the engine on one core."""
    from dataclasses import asdict  # noqa: PLC0415
    from json import dumps  # noqa: PLC0415

    from atoll import games as registry  # noqa: PLC0415
    from atoll.lab import terminal_tables  # noqa: PLC0415
    from atoll.lab.bench import measure  # noqa: PLC0415

    if components is not None and len(games or ()) != 1:
        raise typer.BadParameter("name exactly one game", param_hint="'--components'")
    chosen = [_game(name, components) for name in games] if games else registry.loadable_games()
    found = [measure(game, seconds, seats) for game in chosen]
    if json:
        for each in found:
            say(dumps(asdict(each)))
    else:
        show(terminal_tables.benchmark_table(found))
