"""The commands for puzzles: find them in games of bots, and check them against the current rules.

Command functions are private. Their docstrings and options are the help of the command line.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from .files import say

if TYPE_CHECKING:
    from atoll.lessons.puzzle import Puzzle

puzzles = typer.Typer(
    name="puzzles", help="Find and check puzzles: positions of games in which one choice is clearly best."
)

GameName = Annotated[str, typer.Argument(metavar="GAME", help="id of the game, e.g. atacama")]


@puzzles.command("find")
def _find(
    game: GameName,
    wanted: Annotated[int, typer.Option("--wanted", min=1, help="number of puzzles in the file")] = 24,
    seed: Annotated[int, typer.Option("--seed", min=0, help="seed of the first game to search")] = 1,
    most: Annotated[int, typer.Option("--games", min=1, help="maximum number of games to search")] = 2000,
    workers: Annotated[int, typer.Option("--workers", min=1, help="number of processes")] = 1,
    out: Annotated[Path | None, typer.Option("--out", help="file of the puzzles; default: the game's own")] = None,
) -> None:
    """Search games of bots for puzzles until the file has enough. Valid puzzles in it stay."""
    from concurrent.futures import ProcessPoolExecutor  # noqa: PLC0415
    from itertools import count, islice  # noqa: PLC0415

    from atoll import games  # noqa: PLC0415
    from atoll.lab.run import exit_with_parent  # noqa: PLC0415
    from atoll.lessons.puzzle import Puzzles, dump_puzzles, faults, puzzle_file, read  # noqa: PLC0415

    rules = games[game]
    path = puzzle_file(rules) if out is None else out
    old = read(rules, path)
    valid = [each for each in old.puzzles if not faults(rules, each)]
    say(f"{len(valid)} of {len(old.puzzles)} puzzles are still valid")
    known = {each.id.partition("-")[2] for each in valid}
    seeds = islice((each for each in count(seed) if str(each) not in known), most)
    with ProcessPoolExecutor(workers, initializer=exit_with_parent, initargs=(os.getpid(),)) as pool:
        while len(valid) < wanted and (batch := list(islice(seeds, 4 * workers))):
            for found in pool.map(_search, [game] * len(batch), batch):
                if found is not None and len(valid) < wanted:
                    valid.append(found)
                    shares = ", ".join(f"{each.choice} {each.share}" for each in found.tried)
                    say(f"{len(valid)}: {found.id}: {shares}")
                    path.write_text(dump_puzzles(Puzzles(rules.components_hash, tuple(valid))), "utf-8")
    say(f"{len(valid)} puzzles in {path}")
    if len(valid) < wanted:
        sys.exit(1)


def _search(game: str, seed: int) -> Puzzle | None:
    """Return the puzzle of one game; None if it has none."""
    from atoll import games  # noqa: PLC0415
    from atoll.lessons.puzzle_mining import mine_puzzles as found_in  # noqa: PLC0415

    return next(found_in(games[game], [seed]))


@puzzles.command("check")
def _check(
    game: GameName,
    deep: Annotated[bool, typer.Option("--deep", help="let bots evaluate the choices again")] = False,
) -> None:
    """Report puzzles of a game that are no longer valid. Status 1 if there are any."""
    from atoll import games  # noqa: PLC0415
    from atoll.lessons.puzzle import faults, puzzle_file, read  # noqa: PLC0415
    from atoll.lessons.puzzle_mining import still_best  # noqa: PLC0415

    rules, wrong = games[game], 0
    found = read(rules, puzzle_file(rules)).puzzles
    for each in found:
        reported = faults(rules, each)
        if not reported and deep and not still_best(rules, each):
            reported = ["another choice is better now"]
        wrong += bool(reported)
        for fault in reported:
            say(f"{each.id}: {fault}")
    say(f"{len(found)} puzzles, {wrong} invalid")
    if wrong:
        sys.exit(1)
