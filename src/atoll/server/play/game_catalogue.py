"""Which games can be played here, and against which bots."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import structlog

from atoll.bots import Level
from atoll.bots.shelf import has_net
from atoll.engine import BrokenGame, Game
from atoll.store import GameRow

from ..domain.model import Refused

log = structlog.get_logger(__name__)


class Catalogue:
    """The games by id, each loaded when it is first asked for. levels: of the bots for a game, weakest first."""

    def __init__(self, games: Mapping[str, Game], levels: Callable[[Game], Sequence[Level]]) -> None:
        self.by_id: Mapping[str, Game] = games
        self._levels: Callable[[Game], Sequence[Level]] = levels
        self._broken: set[str] = set()

    def games(self) -> tuple[Game, ...]:
        """All games that can be played, by id. One that can't be loaded is left out."""
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
        """A game. Raises Refused."""
        try:
            return self.by_id[id]
        except LookupError:
            raise Refused("bad_option", 422, f"no game {id[:40]!r}; allowed: {', '.join(self.by_id)}") from None
        except BrokenGame as error:
            raise Refused("broken_game", 503, str(error)) from error

    def levels(self, game: str) -> tuple[str, ...]:
        """The levels of bots for a game, weakest first."""
        return tuple(level.name for level in self._levels(self.game(game)))

    def offered(self, game: str, seats: int) -> tuple[str, ...]:
        """Return the levels that differ at a table with this number of seats: without a net for it, no trained one."""
        has_a_net = has_net(self.game(game), seats)
        return tuple(level.name for level in self._levels(self.game(game)) if has_a_net or not level.trained)

    def has_trained(self, game: str, offered: Sequence[str]) -> bool:
        """Return whether one of the offered levels is trained."""
        return any(level.trained for level in self._levels(self.game(game)) if level.name in offered)

    def level(self, game: str, wanted: str) -> str:
        """A level of bots, the strongest if none is named. Raises Refused."""
        levels = self.levels(game)
        if not wanted:
            return levels[-1]
        if wanted not in levels:
            raise Refused("bad_seats", 422, f"no bot {wanted[:40]!r}; allowed: {', '.join(levels)}")
        return wanted

    def usual(self, game: str) -> str:
        """The level for whoever hasn't chosen one: neither the weakest nor the strongest, if there are several."""
        levels = self._levels(self.game(game))
        middle = levels[(len(levels) - 1) // 2]
        return next((level for level in levels if level.usual), middle).name

    def easiest(self, game: str) -> str:
        """The level for whoever has never played the game."""
        levels = self._levels(self.game(game))
        return next((level for level in levels if level.first), levels[0]).name

    def stand_in(self, row: GameRow) -> str:
        """Return the level of the bot that plays for a person who leaves a table.

        A level that the server doesn't offer any more is replaced by the usual one.
        """
        return row.stand_in if row.stand_in in self.levels(row.game) else self.usual(row.game)
