"""The games that the laws are tried on."""

from __future__ import annotations

from atoll.engine import Game
from atoll.engine.registry import games
from tests.toy import GAME as TOY


def load_games() -> tuple[dict[str, Game], dict[str, str]]:
    """Atoll's own games and the toy; and those that can't even be imported, with the reason.

    A game that fails to import fails a test of its own, so that it doesn't take the tests of the others with it.
    """
    found: dict[str, Game] = {TOY.id: TOY}
    broken: dict[str, str] = {}
    for id in filter(games.is_builtin, games):
        try:
            found[id] = games[id]
        except Exception as error:
            broken[id] = f"{type(error).__name__}: {error}"
    return found, broken
