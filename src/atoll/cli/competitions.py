"""The command that opens a league, an evening or a solo league on a server.

Its function is private. Its docstring and options are the help of the command line.
"""

from __future__ import annotations

import sys
from datetime import datetime
from typing import Annotated

import typer

from .admin import admin
from .files import DEFAULT_DATABASE, Database, say


@admin.command("competition")
def _open_competition(
    kind: Annotated[str, typer.Argument(metavar="KIND", help="league, evening, solo or mini")],
    game: Annotated[str, typer.Argument(metavar="GAME", help="id of the game")],
    seats: Annotated[int, typer.Argument(metavar="SEATS", help="players at a table; 1 for a solo league")],
    starts: Annotated[
        datetime | None, typer.Option("--starts", formats=["%Y-%m-%dT%H:%M"], help="local time of the first games")
    ] = None,
    division: Annotated[str, typer.Option("--division", help="size of a division, such as 13 with 4 seats")] = "",
    days: Annotated[int, typer.Option("--days", help="days until the hard end")] = 63,
    rounds: Annotated[int, typer.Option("--rounds", help="rounds of an evening, or games each in a solo league")] = 3,
    minutes: Annotated[int, typer.Option("--minutes", help="minutes of a round of an evening")] = 45,
    db: Database = DEFAULT_DATABASE,
    public_url: Annotated[
        str, typer.Option("--public-url", envvar="ATOLL_PUBLIC_URL", metavar="URL", help="public address of the server")
    ] = "http://localhost:8765",
) -> None:
    """Open a league, an evening, a solo league or a mini cup on a server, and print its address.

    The server does the rest: sign-up, draw, tables, standings, and the next season of a league or
    solo league.
    """
    import asyncio  # noqa: PLC0415

    import atoll  # noqa: PLC0415
    from atoll.bots import levels  # noqa: PLC0415
    from atoll.server.domain import wall_clock  # noqa: PLC0415
    from atoll.server.domain.competitions import NewCompetition  # noqa: PLC0415
    from atoll.server.domain.model import Refused  # noqa: PLC0415
    from atoll.server.play.competition_factory import new_competition  # noqa: PLC0415
    from atoll.server.play.game_catalogue import GameCatalogue  # noqa: PLC0415
    from atoll.store import CompetitionRow, Store  # noqa: PLC0415

    async def add(row: CompetitionRow) -> None:
        """Store the competition."""
        store = await Store.open(db)
        try:
            await store.competitions.add(row)
        finally:
            await store.close()

    wanted = NewCompetition(kind, game, seats, division, starts, days, rounds, minutes)  # type: ignore[arg-type]
    try:
        row = new_competition(GameCatalogue(atoll.games, levels), wanted, wall_clock.now_ms(), None)
        asyncio.run(add(row))
    except (Refused, ValueError) as error:
        print(f"atoll: {error}", file=sys.stderr)  # noqa: T201
        sys.exit(1)
    say(f"{public_url.rstrip('/')}/competitions/{row.id}")
