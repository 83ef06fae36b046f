"""The commands for ratings: recompute those of a server, and calibrate the model.

Command functions are private. Their docstrings and options are the help of the command line.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from .files import DEFAULT_DATABASE, Database, needs_extra, say
from .lab import GameName, _game, _progress, show

ratings = typer.Typer(name="ratings", help="Recompute the ratings of a server, or calibrate their model.")


@ratings.callback()
def _group() -> None:
    """Recompute the ratings of a server, or calibrate their model."""


@ratings.command("recompute")
def _recompute(
    db: Database = DEFAULT_DATABASE,
    check: Annotated[bool, typer.Option("--check", help="change nothing; status 1 if a rating would change")] = False,
) -> None:
    """Rebuild all ratings from the results of rated games. Stop the server before."""
    import asyncio  # noqa: PLC0415

    with needs_extra("serve"):
        from atoll.store import Store  # noqa: PLC0415

    async def recompute() -> tuple[int, int]:
        """Rebuild the ratings."""
        store = await Store.open(db)
        try:
            return await store.ratings.recompute(check=check)
        finally:
            await store.close()

    games, changed = asyncio.run(recompute())
    say(f"{games} rated games, {changed} ratings {'would change' if check else 'changed'}")
    if check and changed:
        sys.exit(1)


@ratings.command("calibrate")
def _calibrate(
    game: GameName = "atacama",
    games: Annotated[int, typer.Option("--games", min=10, help="number of games of bots per number of seats")] = 300,
    plot: Annotated[
        Path | None, typer.Option("--plot", metavar="FILE", help="draw the model in use as SVG to this file")
    ] = None,
) -> None:
    """Compare rating models by their forecasts for populations of known strength."""
    from atoll.lab import rating_calibration as calibration  # noqa: PLC0415
    from atoll.lab import terminal_tables  # noqa: PLC0415
    from atoll.ratings import MODEL  # noqa: PLC0415

    with _progress("models") as watch:
        populations = list(calibration.populations(_game(game, None), games))
        found = calibration.compare(populations, watch)
    used = calibration.candidate(MODEL, populations)
    show(*terminal_tables.calibration_tables(found, used, populations))
    if plot is not None:
        from atoll.lab import plots  # noqa: PLC0415

        bins = calibration.calibration(used.forecasts)
        chosen = calibration.strengths(populations[2], used.forecasts[2])
        bots = [
            (100 + 100 * strength, shown)
            for strength, shown in calibration.strengths(populations[-1], used.forecasts[-1])
        ]
        plot.write_text(plots.rating_calibration(bins, chosen, bots), "utf-8")
        say(f"plot: {plot}")
