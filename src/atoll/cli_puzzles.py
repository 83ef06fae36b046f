"""The commands about puzzles: they are found in games of bots, and held against the rules and data of today."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from .cli_files import say

if TYPE_CHECKING:
    from atoll.learn.puzzle import Puzzle

puzzles = typer.Typer(name="puzzles", help="Moments of games in which one choice is clearly best: find and check them.")

GameName = Annotated[str, typer.Argument(metavar="GAME", help="which game, e.g. atacama")]


@puzzles.command()
def find(
    game: GameName,
    wanted: Annotated[int, typer.Option("--wanted", min=1, help="how many the file shall hold")] = 24,
    seed: Annotated[int, typer.Option("--seed", min=0, help="of the first game that is searched")] = 1,
    most: Annotated[int, typer.Option("--games", min=1, help="search no more games than these")] = 2000,
    workers: Annotated[int, typer.Option("--workers", min=1, help="processes")] = 1,
    out: Annotated[Path | None, typer.Option("--out", help="the file; default: the game's own")] = None,
) -> None:
    """Search games of bots for puzzles, one after the other, until the file holds enough; what holds in it is kept."""
    from concurrent.futures import ProcessPoolExecutor  # noqa: PLC0415
    from itertools import count, islice  # noqa: PLC0415

    from atoll import games  # noqa: PLC0415
    from atoll.lab.run import end_with  # noqa: PLC0415
    from atoll.learn.puzzle import Puzzles, faults, file_of, read, written  # noqa: PLC0415

    rules = games[game]
    path = file_of(rules) if out is None else out
    old = read(rules, path)
    kept = [each for each in old.puzzles if not faults(rules, each)]
    say(f"{len(kept)} of {len(old.puzzles)} puzzles still hold")
    known = {each.id.partition("-")[2] for each in kept}
    seeds = islice((each for each in count(seed) if str(each) not in known), most)
    with ProcessPoolExecutor(workers, initializer=end_with, initargs=(os.getpid(),)) as pool:
        while len(kept) < wanted and (batch := list(islice(seeds, 4 * workers))):
            for found in pool.map(_search, [game] * len(batch), batch):
                if found is not None and len(kept) < wanted:
                    kept.append(found)
                    shares = ", ".join(f"{each.choice} {each.share}" for each in found.tried)
                    say(f"{len(kept)}: {found.id}: {shares}")
                    path.write_text(written(Puzzles(rules.box_hash, tuple(kept))), "utf-8")
    say(f"{len(kept)} puzzles in {path}")
    if len(kept) < wanted:
        sys.exit(1)


def _search(game: str, seed: int) -> Puzzle | None:
    from atoll import games  # noqa: PLC0415
    from atoll.learn.find import find as found_in  # noqa: PLC0415

    return next(found_in(games[game], [seed]))


@puzzles.command()
def check(
    game: GameName,
    deep: Annotated[bool, typer.Option("--deep", help="let bots judge the choices anew")] = False,
) -> None:
    """Tell which puzzles of a game don't hold any more. Status 1 if there is one."""
    from atoll import games  # noqa: PLC0415
    from atoll.learn.find import still_best  # noqa: PLC0415
    from atoll.learn.puzzle import faults, file_of, read  # noqa: PLC0415

    rules, wrong = games[game], 0
    found = read(rules, file_of(rules)).puzzles
    for each in found:
        told = faults(rules, each)
        if not told and deep and not still_best(rules, each):
            told = ["another choice is judged to be better now"]
        wrong += bool(told)
        for fault in told:
            say(f"{each.id}: {fault}")
    say(f"{len(found)} puzzles, {wrong} don't hold")
    if wrong:
        sys.exit(1)
