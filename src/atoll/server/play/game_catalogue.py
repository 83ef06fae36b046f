"""The games that can be played here, and their bot levels."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import structlog

from atoll.bots import Level
from atoll.engine import BrokenGame, Game
from atoll.store import TableRow

from ..domain.model import Refused

log = structlog.get_logger(__name__)


class GameCatalogue:
    """The games by id, each loaded when it is first needed.

    Attributes:
        by_id: All games by id.

    Args:
        games: All games by id.
        levels: Returns the bot levels that are offered in a game for a number of seats, weakest
            first; for any number if it is None.
    """

    def __init__(self, games: Mapping[str, Game], levels: Callable[[Game, int | None], Sequence[Level]]) -> None:
        self.by_id: Mapping[str, Game] = games
        self._levels: Callable[[Game, int | None], Sequence[Level]] = levels
        self._broken: set[str] = set()

    def games(self) -> tuple[Game, ...]:
        """Return all games that can be loaded."""
        found = []
        for id in self.by_id:
            try:
                found.append(self.by_id[id])
            except Exception as error:
                if id not in self._broken:
                    self._broken.add(id)
                    log.error("game can't be loaded", game=id, error=f"{type(error).__name__}: {error}")
        return tuple(found)

    def game(self, id: str) -> Game:
        """Return a game.

        Args:
            id: Id of the game.

        Raises:
            Refused: If the game is unknown or can't be loaded.
        """
        try:
            return self.by_id[id]
        except LookupError:
            raise Refused("bad_option", 422, f"unknown game {id[:40]!r}; allowed: {', '.join(self.by_id)}") from None
        except BrokenGame as error:
            raise Refused("broken_game", 503, str(error)) from error

    def levels(self, game: str, seats: int | None = None) -> tuple[str, ...]:
        """Return the names of a game's bot levels, weakest first.

        Args:
            game: Id of the game.
            seats: Number of seats; None for the levels that are offered for any number.
        """
        return tuple(level.name for level in self._levels(self.game(game), seats))

    def has_trained(self, game: str, offered: Sequence[str]) -> bool:
        """Return whether one of the offered levels is trained."""
        return any(level.trained for level in self._levels(self.game(game), None) if level.name in offered)

    def level(self, game: str, wanted: str, seats: int) -> str:
        """Return the name of a level after checking it.

        Args:
            game: Id of the game.
            wanted: Name of the level, or "" for the strongest one.
            seats: Number of seats of the table.

        Raises:
            Refused: If the level isn't offered for the number of seats.
        """
        levels = self.levels(game, seats)
        if not wanted:
            return levels[-1]
        if wanted not in levels:
            raise Refused("bad_seats", 422, f"unknown bot {wanted[:40]!r}; allowed: {', '.join(levels)}")
        return wanted

    def default_level(self, game: str, seats: int | None = None) -> str:
        """Return the default level: neither the weakest nor the strongest, if there are several.

        Args:
            game: Id of the game.
            seats: Number of seats; None for the levels that are offered for any number.
        """
        levels = self._levels(self.game(game), seats)
        middle = levels[(len(levels) - 1) // 2]
        return next((level for level in levels if level.usual), middle).name

    def beginner_level(self, game: str, seats: int) -> str:
        """Return the level for people who have never played the game.

        Args:
            game: Id of the game.
            seats: Number of seats.
        """
        levels = self._levels(self.game(game), seats)
        return next((level for level in levels if level.first), levels[0]).name

    def stand_in(self, row: TableRow) -> str:
        """Return the level of the bot that replaces a player who leaves a table.

        A level that the server doesn't offer any more is replaced by the default one.
        """
        return row.stand_in if row.stand_in in self.levels(row.game) else self.default_level(row.game)
