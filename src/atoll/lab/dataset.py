"""Datasets: games of bots as Parquet files, for learning from them.

```text
folder/README.md              how the dataset was made, and the meaning of each column
folder/actions.parquet        the meaning of each action
folder/decisions/000000.parquet, games/000000.parquet, ...
                              100 games each, named after the first
folder/SHA256SUMS             checksums of these files (`sha256sum --check`)
```

The same plan and number of games give the same rows, for any number of workers. An interrupted run
continues from its last complete file.
"""

from __future__ import annotations

import json
from array import array
from collections.abc import Callable, Mapping, Sequence
from hashlib import file_digest
from importlib.metadata import version
from pathlib import Path
from time import perf_counter
from typing import Any, Final

import numpy as np
import polars

from atoll.bots import decide, derive_seed, shares_at_end
from atoll.bots.one_hot import choice_rows
from atoll.engine import AtollError, Game, MalformedChoice, RulesError, SeatView
from atoll.engine.observation import ObservationEncoder

from .plan import PlanError, SimulationPlan
from .play import Row
from .results import make_folder
from .run import run

SHARD: Final = 100
"""Games per file."""
_PLAN: Final = "plan.json"
_SUMS: Final = "SHA256SUMS"


class DatasetError(AtollError, ValueError):
    """A dataset can't be written to a folder, or is damaged; the message says why."""


def dataset(
    plan: SimulationPlan,
    games: int,
    folder: Path,
    *,
    workers: int = 0,
    engine: str = "local",
    watch: Callable[[int, int], Any] = lambda done, games: None,
) -> int:
    """Write games 0 to `games - 1` of a plan into a folder.

    Args:
        plan: The plan. It must limit bots by `iterations`.
        games: Number of games, at least 1.
        folder: Folder of the dataset. A folder with the same plan and number of games is continued.
        workers: Number of processes; 0 for one per core.
        engine: `local` or `ray`.
        watch: Callback that gets the number of games done and the number wanted, after each file.

    Returns:
        The number of decisions in the dataset.

    Raises:
        PlanError: If `games` is below 1, the plan has no `iterations`, or it can't be run.
        DatasetError: If the folder contains something else, or a file is damaged.
        ResultsError: If the path is a file.
        AtollError: If the rules or a bot fail in a game; the message has its number and seed.
    """
    if games < 1:
        raise PlanError(f"{games} games; allowed: 1 or more")
    if plan.iterations is None:
        raise PlanError("datasets need `iterations`: a time limit isn't reproducible")
    _prepare_folder(folder, {**plan.to_json(), "games": games})
    sums = _sums(folder)
    observing = ObservationEncoder(plan.game, plan.seats, plan.options)
    for first in range(0, games, SHARD):
        numbers = range(first, min(first + SHARD, games))
        name = f"{first:06}.parquet"
        if not _is_complete(folder, name, sums):
            played = [
                rows
                for batch, _ in run(plan, numbers, workers=workers, engine=engine, play=play_batch)
                for rows in batch
            ]
            _write(_decisions(observing, [row for rows in played for row in rows[:-1]]), folder / "decisions" / name)
            _write(polars.DataFrame([rows[-1] for rows in played]), folder / "games" / name)
            sums |= {each: _sum(folder / each) for each in _shard(name)}
            _write_sums(folder, sums)
        watch(numbers.stop, games)
    _write(_actions(plan), folder / "actions.parquet")
    count = int(
        polars.scan_parquet(folder / "games" / "*.parquet").select(polars.col("decisions").sum()).collect().item()
    )
    (folder / "README.md").write_text(_readme_text(plan, games, count, observing), "utf-8")
    return count


STANDARD: Final[Mapping[str, Any]] = {"bots": ("expert",), "seed": 1, "iterations": 50, "seconds": 3600.0}
"""Plan of the standard datasets, with the fewest seats above 1 and default options."""
STANDARD_GAMES: Final = 50
"""Games of a standard dataset."""


def standard_plan(game: Game) -> SimulationPlan:
    """Return the plan of a game's standard dataset, which is small and the same everywhere.

    Args:
        game: The game.
    """
    return SimulationPlan.make(game, None, {}, **STANDARD)


def _prepare_folder(folder: Path, plan: Row) -> None:
    """Create the folder, or check that it contains this dataset.

    Args:
        folder: The folder.
        plan: The plan of the dataset.

    Raises:
        DatasetError: If the folder contains something else.
        ResultsError: If the path is a file.
    """
    path = folder / _PLAN
    make_folder(folder)
    if path.exists():
        try:
            found = json.loads(path.read_text("utf-8"))
        except ValueError:
            raise DatasetError(f"{path} isn't valid JSON; choose another folder, or delete this one") from None
        for key, value in json.loads(json.dumps(plan)).items():
            if not isinstance(found, dict) or found.get(key) != value:
                there = found.get(key) if isinstance(found, dict) else None
                raise DatasetError(
                    f"{folder} holds another dataset: {key} is {there!r} there, {value!r} here; "
                    "choose another folder, or delete this one"
                )
        return
    if any(folder.iterdir()):
        raise DatasetError(f"{folder} isn't empty; choose another folder")
    for name in ("decisions", "games"):
        (folder / name).mkdir(exist_ok=True)
    path.write_text(json.dumps(plan, indent=2) + "\n", "utf-8")


def _shard(name: str) -> tuple[str, str]:
    """Return the two files of a shard, relative to the folder."""
    return f"decisions/{name}", f"games/{name}"


def _sum(path: Path) -> str:
    """Return the SHA-256 checksum of a file in hexadecimal digits."""
    with path.open("rb") as file:
        return file_digest(file, "sha256").hexdigest()


def _sums(folder: Path) -> dict[str, str]:
    """Return the checksum of each file that was completed.

    Args:
        folder: The folder.

    Raises:
        DatasetError: If the list of checksums is damaged.
    """
    path = folder / _SUMS
    found = {}
    for line in path.read_text("utf-8", "replace").splitlines() if path.exists() else ():
        digest, _, name = line.partition("  ")
        if len(digest) != 64 or not name:
            raise DatasetError(f"{path} is damaged; delete it, and the same command plays all games again")
        found[name] = digest
    return found


def _write_sums(folder: Path, sums: Mapping[str, str]) -> None:
    """Write the list of checksums in one step."""
    part = folder / f"{_SUMS}.part"
    part.write_text("".join(f"{sums[name]}  {name}\n" for name in sorted(sums)), "utf-8")
    part.replace(folder / _SUMS)


def _is_complete(folder: Path, name: str, sums: Mapping[str, str]) -> bool:
    """Return whether a shard is complete.

    Args:
        folder: The folder.
        name: Name of the shard.
        sums: Checksums by file name.

    Raises:
        DatasetError: If a file no longer has its checksum.
    """
    shard = _shard(name)
    if not all(each in sums and (folder / each).exists() for each in shard):
        return False
    for each in shard:
        if _sum(folder / each) != sums[each]:
            raise DatasetError(f"{folder / each} is damaged; delete it, and the same command plays its games again")
    return True


def _write(table: polars.DataFrame, path: Path) -> None:
    """Write a table in one step: the file is complete or doesn't exist."""
    part = path.with_suffix(".part")
    table.write_parquet(part)
    part.replace(path)


def play_batch(plan: SimulationPlan, numbers: Sequence[int]) -> tuple[list[list[Row]], float]:
    """Play games of a plan.

    Args:
        plan: The plan.
        numbers: Numbers of the games.

    Returns:
        For each game its rows, as `play_game` returns them, and the total time in seconds.

    Raises:
        AtollError: If the rules or a bot fail; the message has the game's number and seed.
    """
    start = perf_counter()
    observing = ObservationEncoder(plan.game, plan.seats, plan.options)
    return [play_game(plan, number, observing) for number in numbers], perf_counter() - start


def play_game(plan: SimulationPlan, number: int, observing: ObservationEncoder) -> list[Row]:
    """Play one game.

    Args:
        plan: The plan.
        number: Number of the game.
        observing: Encoder of the observations.

    Returns:
        A row for each decision, followed by the row of the game.

    Raises:
        RulesError: If the game takes more decisions than it declares.
        AtollError: If the rules or a bot fail; the message has the game's number and seed.
    """
    seed = plan.seed_of(number)
    bots = plan.make_bots(number)
    names = plan.names(number)
    position = plan.game.new(plan.seats, plan.options, seed=seed)
    turning = observing.turning
    rows: list[Row] = []
    try:
        while not position.over:
            seat = position.to_move[0]
            decided = decide(bots[seat], SeatView(position, seat), plan.seconds, derive_seed(seed, len(rows)))
            for step, choice in enumerate(decided.choices):
                legal = position.legal_choices(seat)
                seen = observing.blank()
                observing.write(position, seat, seen)
                rows.append(
                    {
                        "game": number,
                        "step": len(rows),
                        "seat": seat,
                        "bot": names[seat],
                        "observation": seen,
                        "candidates": array("i", turning.all_seen(legal, seat)),
                        # One search gives several choices: those after the first are certain.
                        "policy": [float(each == choice) for each in legal] if step else decided.policy,
                        "value": decided.value,
                        "action": turning.seen(choice, seat),
                    }
                )
                position.apply(choice, seat)
            if len(rows) > plan.game.max_answers:
                raise RulesError(f"more than {plan.game.max_answers} decisions, the maximum that the game declares")
    except AtollError as error:
        raise type(error)(f"game {number} (seed {seed}, {', '.join(names)}): {error}") from error
    places = position.ranking()
    shares = shares_at_end(places)
    for row in rows:
        row["result"] = shares[row["seat"]]
    game: Row = {"game": number, "seed": str(seed), "bots": names, "scores": position.scores(), "places": places}
    return [*rows, {**game, "decisions": len(rows)}]


def _decisions(observing: ObservationEncoder, rows: Sequence[Row]) -> polars.DataFrame:
    """Return the table of decisions."""
    seen = np.array([row["observation"] for row in rows], np.int32).reshape(len(rows), observing.size)
    kinds: dict[str, Any] = {
        "game": polars.Int32,
        "step": polars.Int32,
        "seat": polars.Int8,
        "bot": polars.String,
        "candidates": polars.List(polars.Int32),
        "policy": polars.List(polars.Float32),
        "value": polars.Float32,
        "action": polars.Int32,
        "result": polars.Float32,
    }
    columns: dict[str, Any] = {
        name: polars.Series(
            name, [list(row[name]) if isinstance(row[name], array) else row[name] for row in rows], kind
        )
        for name, kind in kinds.items()
    }
    columns["observation"] = polars.Series("observation", seen, polars.Array(polars.Int32, observing.size))
    order = ["game", "step", "seat", "bot", "observation", "candidates", "policy", "value", "action", "result"]
    return polars.DataFrame({name: columns[name] for name in order})


def _choice_text(game: Game, choice: int) -> str | None:
    """Return a choice as text; None if its component isn't part of the game."""
    try:
        return game.text(choice)
    except MalformedChoice:
        return None


def _actions(plan: SimulationPlan) -> polars.DataFrame:
    """Return the table of actions: number, text, and row of kind and parts (see `choice_rows`)."""
    rows = choice_rows(plan.game.vocabulary)
    return polars.DataFrame(
        {
            "action": np.arange(len(rows), dtype=np.int32),
            "text": [_choice_text(plan.game, choice) for choice in range(len(rows))],
            "parts": rows.tolist(),
        },
        schema_overrides={"parts": polars.List(polars.Int32)},
    )


_COLUMNS: Final = """\
| column of `decisions` | |
|---|---|
| `game`, `step` | number of the game, and of the decision in it |
| `seat`, `bot` | who decides |
| `observation` | the flat observation of that seat, int32; what stands where is said below; seats are counted from it |
| `candidates` | the legal actions, ascending as the game lists them |
| `policy` | for each candidate how probable it was: of a search its part of the visits; of a bot that slips now and \
then with that; of other bots 1 for what it took |
| `value` | what the search expected for the seat, from 0 (behind everybody) to 1 (ahead); null where none was made |
| `action` | what was done |
| `result` | the part of the other seats that this one came in ahead of at the end, equal places as halves |

| column of `games` | |
|---|---|
| `game`, `seed` | its number, and the seed of its chance |
| `bots`, `scores`, `places` | per seat |
| `decisions` | how many |

`actions.parquet` has each action's `text` (null where the components lack what it is about) and `parts`: kind and \
parts as numbers, filled up with -1. Where an action names a seat, it is counted from the one that decides."""


def _text(value: Any) -> str:
    """Return a value as TOML writes it, for plain values."""
    return str(value).lower() if isinstance(value, bool) else str(value)


def _readme_text(plan: SimulationPlan, games: int, decisions: int, observing: ObservationEncoder) -> str:
    """Return the text of the dataset's README."""
    game = plan.game
    options = ",".join(
        f"{key}={str(value).lower() if isinstance(value, bool) else value}" for key, value in plan.options.items()
    )
    command = [f"atoll dataset {game.id}", f"--games {games}", f"--seats {plan.seats}", f"--bots {','.join(plan.bots)}"]
    command += [f"--options {options}"] if options else []
    command += [f"--seed {plan.seed}", f"--iterations {plan.iterations}", *([] if plan.rotate else ["--fixed"])]
    facts = {
        "game": f"{game.title('en')} (`{game.id}`), {plan.seats} seats, rules version {game.rules_version}",
        "components": f"`{game.components_hash}`",
        "options": f"`{options}`" if options else "none",
        "bots": f"{', '.join(plan.bots)}; "
        + ("they change seats from game to game" if plan.rotate else "at fixed seats"),
        "searching": f"{plan.iterations} iterations a decision",
        "seed": str(plan.seed),
        "made by": f"Atoll {version('atoll')}",
        "games": str(games),
        "decisions": str(decisions),
    }
    pieces = [f"| `{p.name}` | {p.start} | {p.shape} | {p.low} | {p.high} |" for p in observing.pieces]
    return "\n".join(
        [
            f"# {games} games of {game.title('en')} between bots",
            "",
            "| | |",
            "|---|---|",
            *(f"| {key} | {value} |" for key, value in facts.items()),
            "",
            "The same rows again, on any machine (with other components also `--components FILE`):",
            "",
            "```sh",
            f"{' '.join(command)} --out FOLDER",
            "```",
            "",
            "```python",
            "import polars",
            "",
            'decisions = polars.scan_parquet("decisions/*.parquet")',
            "```",
            "",
            _COLUMNS,
            "",
            f"An observation has {observing.size} numbers:",
            "",
            "| part | from place | shape | lowest | highest |",
            "|---|--:|---|--:|--:|",
            *pieces,
            "",
        ]
    )
