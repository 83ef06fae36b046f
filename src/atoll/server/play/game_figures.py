"""The figures of a game, as they were computed last, and their daily computation."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Sequence

import msgspec
import structlog

from atoll.engine import AtollError, Game
from atoll.store import CountedGame, Store

from ..domain import wall_clock
from ..domain.model import Refused
from ..domain.statistics import ENOUGH, GameFigures
from .archive import Archive
from .game_catalogue import GameCatalogue
from .store_errors import refuse_on_store_error
from .table_lists import moment

log = structlog.get_logger(__name__)


class FigureService:
    """Figures of games.

    Args:
        store: The database.
        catalogue: The games that can be played.
        archive: The archive.
    """

    def __init__(self, store: Store, catalogue: GameCatalogue, archive: Archive) -> None:
        self._store: Store = store
        self._catalogue: GameCatalogue = catalogue
        self._archive: Archive = archive

    async def figures(self, game: str) -> GameFigures:
        """Return the figures of a game as they were computed last.

        Args:
            game: Id of the game.

        Raises:
            Refused: If the server has no archive or no such game.
        """
        self._archive.require_open()
        if game not in tuple(self._catalogue.by_id):
            raise Refused("no_page", 404, f"unknown game {game[:40]!r}: expected {', '.join(self._catalogue.by_id)}")
        with refuse_on_store_error():
            found = await self._store.results.figures(game)
        if found is None:
            return GameFigures(game, {}, (), None)
        return msgspec.convert(found[0], GameFigures, str_keys=True)

    async def compute(self) -> None:
        """Compute the figures of all games (daily)."""
        if not self._archive.is_open:
            return
        for game in self._catalogue.games():
            if _is_standard(game):
                played = await self._store.results.counted_games(game.id, game.components_hash)
                now = wall_clock.now_ms()
                figures = await asyncio.to_thread(_figures, game, played)
                figures = msgspec.structs.replace(figures, computed=moment(now))
                await self._store.results.store_figures(game.id, msgspec.to_builtins(figures, str_keys=True), now)


def _figures(game: Game, played: Sequence[CountedGame]) -> GameFigures:
    """Return the figures of a game."""
    counts = Counter(each.seats for each in played)
    if max(counts.values(), default=0) < ENOUGH:
        return GameFigures(game.id, dict(sorted(counts.items())), (), None)
    # Only here SciPy is needed, which takes a second to import.
    from .game_statistics import game_figures  # noqa: PLC0415

    return game_figures(game, played)


def _is_standard(game: Game) -> bool:
    """Return whether a game has the components of its package, not those of a file."""
    try:
        return type(game)().components_hash == game.components_hash
    except (AtollError, OSError, LookupError, TypeError) as error:
        log.warning("components can't be compared", game=game.id, error=str(error))
        return False
