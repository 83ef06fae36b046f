"""Games from elsewhere, and other printed matter for the games there are. Server and bot workers install the same."""

from __future__ import annotations

import importlib
from collections.abc import Sequence

import atoll
from atoll.engine import ComponentError, components


def install(plugins: Sequence[str], files: Sequence[str]) -> None:
    """Import these modules, and let these files take the place of the components of their games.

    Raises ImportError; ComponentError naming the file and what is wrong with it.
    """
    for plugin in plugins:
        importlib.import_module(plugin)
    for file in files:
        game = components.load(file).get("game")
        id = game.get("id") if isinstance(game, dict) else game
        if id not in tuple(atoll.games):
            raise ComponentError(f"id is {id!r}", ", ".join(atoll.games), table="game", file=file)
        atoll.games.register(atoll.games[id].with_components(file))
