"""Games of bots as Parquet, for learning from them: what was seen, what could be done, what was thought, what came out.

    folder/README.md              how it was made, and what each column is
    folder/actions.parquet        what each action means
    folder/decisions/000000.parquet, games/000000.parquet, ...    of 100 games each, named after the first
    folder/SHA256SUMS             of these, by which damage is noticed (`sha256sum --check`)

The same plan and number of games give the same rows, however many workers play. What was cut off goes on where it was.
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

from atoll.bots import decide, mix, shares_at_end
from atoll.bots.onehot import choice_rows
from atoll.engine import AtollError, Game, MalformedChoice, RulesError, SeatView
from atoll.engine.observation import Observing

from .plan import Plan, PlanError
from .play import Row
from .results import make_folder
from .run import run

SHARD: Final = 100  # games in a file
_PLAN: Final = "plan.json"
_SUMS: Final = "SHA256SUMS"


class DatasetError(AtollError, ValueError):
    """A dataset can't be written here, or is damaged; the message says why."""


def dataset(
    plan: Plan,
    games: int,
    folder: Path,
    *,
    workers: int = 0,
    engine: str = "local",
    watch: Callable[[int, int], Any] = lambda done, games: None,
) -> int:
    """Write games 0 to `games - 1` of a plan into a folder; the number of decisions in all of it.

    watch: hears how many games are done and wanted. Raises DatasetError or ResultsError if something else is there, or
    what is there is damaged, PlanError.
    """
    if games < 1:
        raise PlanError(f"{games} games; allowed: 1 or more")
    if plan.iterations is None:
        raise PlanError("a dataset needs iterations: with seconds the clock would decide what is in it")
    told = {**plan.to_json(), "games": games}
    _claim(folder, told)
    sums = _sums(folder)
    observing = Observing(plan.game, plan.seats, plan.options)
    for first in range(0, games, SHARD):
        numbers = range(first, min(first + SHARD, games))
        name = f"{first:06}.parquet"
        if not _is_whole(folder, name, sums):
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
    (folder / "README.md").write_text(_card(plan, games, count, observing), "utf-8")
    return count


def _claim(folder: Path, plan: Row) -> None:
    """Make the folder, or go on with it. Raises DatasetError, ResultsError."""
    path = folder / _PLAN
    make_folder(folder)
    if path.exists():
        try:
            found = json.loads(path.read_text("utf-8"))
        except ValueError:
            raise DatasetError(f"{path} is no JSON; choose another folder, or delete this one") from None
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
    """The two files of some games."""
    return f"decisions/{name}", f"games/{name}"


def _sum(path: Path) -> str:
    with path.open("rb") as file:
        return file_digest(file, "sha256").hexdigest()


def _sums(folder: Path) -> dict[str, str]:
    """The checksum of each file of games that was finished. Raises DatasetError."""
    path = folder / _SUMS
    found = {}
    for line in path.read_text("utf-8", "replace").splitlines() if path.exists() else ():
        digest, _, name = line.partition("  ")
        if len(digest) != 64 or not name:
            raise DatasetError(f"{path} is damaged; delete it, and the same command plays all games again")
        found[name] = digest
    return found


def _write_sums(folder: Path, sums: Mapping[str, str]) -> None:
    part = folder / f"{_SUMS}.part"
    part.write_text("".join(f"{sums[name]}  {name}\n" for name in sorted(sums)), "utf-8")
    part.replace(folder / _SUMS)


def _is_whole(folder: Path, name: str, sums: Mapping[str, str]) -> bool:
    """Whether these games are there, finished. Raises DatasetError if they are no more as they were written."""
    shard = _shard(name)
    if not all(each in sums and (folder / each).exists() for each in shard):
        return False
    for each in shard:
        if _sum(folder / each) != sums[each]:
            raise DatasetError(f"{folder / each} is damaged; delete it, and the same command plays its games again")
    return True


def _write(table: polars.DataFrame, path: Path) -> None:
    """Whole, or not at all."""
    part = path.with_suffix(".part")
    table.write_parquet(part)
    part.replace(path)


def play_batch(plan: Plan, numbers: Sequence[int]) -> tuple[list[list[Row]], float]:
    """Play these games: per game its decisions and the game itself, and the seconds it took in all."""
    start = perf_counter()
    observing = Observing(plan.game, plan.seats, plan.options)
    return [play_game(plan, number, observing) for number in numbers], perf_counter() - start


def play_game(plan: Plan, number: int, observing: Observing) -> list[Row]:
    """One game: a row per decision, and at the end that of the game. Raises RulesError naming the seed."""
    seed = plan.seed_of(number)
    bots = plan.make_bots(number)
    names = plan.names(number)
    position = plan.game.new(plan.seats, plan.options, seed=seed)
    turning = observing.turning
    rows: list[Row] = []
    try:
        while not position.over:
            seat = position.to_move[0]
            decided = decide(bots[seat], SeatView(position, seat), plan.seconds, mix(seed, len(rows)))
            for step, choice in enumerate(decided.choices):
                legal = position.legal(seat)
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
                        # What follows was settled with the first of several.
                        "policy": [float(each == choice) for each in legal] if step else decided.policy,
                        "value": decided.value,
                        "action": turning.seen(choice, seat),
                    }
                )
                position.apply(choice, seat)
            if len(rows) > plan.game.bound:
                raise RulesError(f"more decisions than the bound of {plan.game.bound} that the game declares")
    except AtollError as error:
        raise type(error)(f"game {number} (seed {seed}, {', '.join(names)}): {error}") from error
    places = position.ranking()
    shares = shares_at_end(places)
    for row in rows:
        row["result"] = shares[row["seat"]]
    game: Row = {"game": number, "seed": str(seed), "bots": names, "scores": position.scores(), "places": places}
    return [*rows, {**game, "decisions": len(rows)}]


def _decisions(observing: Observing, rows: Sequence[Row]) -> polars.DataFrame:
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


def _named(game: Game, choice: int) -> str | None:
    """A choice in words; None if it is about a component that the game hasn't got."""
    try:
        return game.text(choice)
    except MalformedChoice:
        return None


def _actions(plan: Plan) -> polars.DataFrame:
    """Each action with what it means and its row of kind and parts, as `atoll.env.interface` has them."""
    rows = choice_rows(plan.game.vocabulary)
    return polars.DataFrame(
        {
            "action": np.arange(len(rows), dtype=np.int32),
            "text": [_named(plan.game, choice) for choice in range(len(rows))],
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
    return str(value).lower() if isinstance(value, bool) else str(value)


def _card(plan: Plan, games: int, decisions: int, observing: Observing) -> str:
    game = plan.game
    options = ",".join(
        f"{key}={str(value).lower() if isinstance(value, bool) else value}" for key, value in plan.options.items()
    )
    command = [f"atoll dataset {game.id}", f"--games {games}", f"--seats {plan.seats}", f"--bots {','.join(plan.bots)}"]
    command += [f"--options {options}"] if options else []
    command += [f"--seed {plan.seed}", f"--iterations {plan.iterations}", *([] if plan.rotate else ["--fixed"])]
    facts = {
        "game": f"{game.title('en')} (`{game.id}`), {plan.seats} seats, rules version {game.rules_version}",
        "components": f"`{game.box_hash}`",
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
