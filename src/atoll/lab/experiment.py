"""Experiments: the same bots play variants of a game, to measure effects of options or components.

```toml
game = "atacama"
games = 200
bots = ["greedy"]            # optional: seats, seed, seconds, iterations, [options]

[[vary]]
option = "tactic"
values = [false, true]

[[vary]]
component = "game.line_minimum_rigs"     # a path in components.toml; list entries by id or index
values = [3, 4, 5]
```

Each combination of values is a cell of the grid. All cells use the same seeds.
"""

from __future__ import annotations

import itertools
import tomllib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec

from atoll.engine import AtollError, Game
from atoll.engine.component_changes import with_changes

from .analysis import Report, analyze_results
from .plan import SimulationPlan
from .play import Row
from .proportions import MeanEstimate
from .results import make_folder, read
from .simulate import simulate


class ExperimentError(AtollError, ValueError):
    """A file doesn't describe a valid experiment; the message names the valid values."""


class _Vary(msgspec.Struct, forbid_unknown_fields=True):
    """One `[[vary]]` table: an option or a component, and its values."""

    values: list[Any]
    option: str = ""
    component: str = ""


class _File(msgspec.Struct, forbid_unknown_fields=True):
    """The TOML file of an experiment."""

    game: str
    bots: list[str]
    games: int = 200
    seats: int | None = None
    seed: int = 1
    seconds: float = 0.05
    iterations: int | None = None
    options: dict[str, Any] = {}
    components: str = ""
    vary: list[_Vary] = []


@dataclass(frozen=True, slots=True)
class Cell:
    """One variant of an experiment.

    Attributes:
        labels: The varied options and components, with their values.
        plan: Plan of the games.
    """

    labels: Mapping[str, Any]
    plan: SimulationPlan

    @property
    def name(self) -> str:
        """The labels in one line, with the last part of each component's path."""
        return ", ".join(f"{key.split('.')[-1]} = {_text(value)}" for key, value in self.labels.items()) or "as it is"


@dataclass(frozen=True, slots=True)
class Experiment:
    """A grid of variants.

    Attributes:
        game: The game before any component is varied.
        games: Number of games per cell.
        cells: The variants.
    """

    game: Game
    games: int
    cells: tuple[Cell, ...]


def _text(value: Any) -> str:
    """Return a value as TOML writes it, for plain values."""
    return str(value).lower() if isinstance(value, bool) else str(value)


def load(path: Path, games: Mapping[str, Game]) -> Experiment:
    """Load an experiment from a TOML file.

    All cells are checked by the game before anything is played.

    Args:
        path: The file.
        games: The games by id.

    Returns:
        The experiment.

    Raises:
        ExperimentError: If the file is invalid.
        UnknownGame: If no game has this id.
        PlanError: If a variant can't be played with these bots.
        SeatCountError: If a variant can't be played with this number of seats.
        OptionError: If an option or its value is invalid.
        ComponentError: If the components of a variant are invalid.
        UnknownBot: If no bot has this name.
        OSError: If the file can't be read.
    """
    try:
        found = msgspec.toml.decode(path.read_bytes(), type=_File)
    except msgspec.DecodeError as error:
        raise ExperimentError(f"{path}: {error}") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ExperimentError(f"{path}: not valid TOML ({error})") from None
    if found.games < 1:
        raise ExperimentError(f"{path}: games = {found.games}; allowed: 1 or more")
    game = games[found.game]
    if found.components:
        game = game.with_components(path.parent / found.components)
    for number, vary in enumerate(found.vary, 1):
        if bool(vary.option) == bool(vary.component) or not vary.values:
            raise ExperimentError(f"{path}: [[vary]] number {number} needs either option or component, and values")
    combinations = itertools.product(*(vary.values for vary in found.vary))
    cells = tuple(_cell(game, found, values) for values in combinations)
    return Experiment(game, found.games, cells)


def _cell(game: Game, found: _File, values: Sequence[Any]) -> Cell:
    """Return the cell of one combination of values."""
    options = dict(found.options)
    changes: dict[str, Any] = {}
    labels: dict[str, Any] = {}
    for vary, value in zip(found.vary, values, strict=True):
        if vary.option:
            options[vary.option] = value
        else:
            changes[vary.component] = value
        labels[vary.option or vary.component] = value
    changed = type(game)(with_changes(game.data, changes)) if changes else game
    plan = SimulationPlan.make(
        changed,
        found.seats,
        options,
        tuple(found.bots),
        seed=found.seed,
        seconds=found.seconds,
        iterations=found.iterations,
        used=True,
        labels=labels,
    )
    return Cell(labels, plan)


def run_experiment(
    experiment: Experiment,
    *,
    workers: int = 0,
    engine: str = "local",
    folder: Path,
    watch: Callable[[str, int, int], Any] = lambda cell, done, games: None,
) -> list[tuple[Cell, Report]]:
    """Play all cells and analyze their results.

    Args:
        experiment: The experiment.
        workers: Number of processes; 0 for one per core.
        engine: `local` or `ray`.
        folder: Folder of the results files. Games that are in it already aren't played again.
        watch: Callback that gets the name of the cell, its games done, and its games wanted.

    Returns:
        The cells, each with its report.

    Raises:
        PlanError: If the games can't be run.
        ResultsError: If a results file belongs to another plan or can't be read.
        AtollError: If the rules or a bot fail in a game.
    """
    make_folder(folder)
    found = []
    for number, cell in enumerate(experiment.cells):
        file = folder / f"{experiment.game.id}_{number}.jsonl"

        def _report_progress(done: int, games: int, cell: Cell = cell) -> None:
            watch(cell.name, done, games)

        simulate(cell.plan, experiment.games, workers=workers, engine=engine, file=file, watch=_report_progress)
        found.append((cell, analyze_results(cell.plan.game, _first(read(file), experiment.games))))
    return found


def _first(rows: Iterable[Row], games: int) -> Iterable[Row]:
    """Return the rows of the first `games` games, with the plan."""
    return (row for row in rows if row["row"] == "plan" or row["number"] < games)


def all_scores(report: Report) -> MeanEstimate:
    """Return the final scores of all seats together."""
    return MeanEstimate("score", tuple(value for mean in report.scores for value in mean.values))
