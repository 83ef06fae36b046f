"""Games from elsewhere, and other printed matter for the games there are. Server and bot workers install the same."""

from __future__ import annotations

import importlib
import tomllib
from collections.abc import Sequence
from pathlib import Path

import atoll
from atoll.engine import ComponentError


def install(plugins: Sequence[str], components: Sequence[str]) -> None:
    """Import these modules, and let these files take the place of the components of their games.

    Raises ImportError; ComponentError naming the file and what is wrong with it.
    """
    for plugin in plugins:
        importlib.import_module(plugin)
    for file in components:
        id = _game_of(Path(file))
        if id not in atoll.games:
            raise ComponentError(f"{file}: [game] id is {id!r}; allowed: {', '.join(atoll.games)}")
        atoll.games.register(atoll.games[id].with_components(file))


def _game_of(file: Path) -> str:
    try:
        data = tomllib.loads(file.read_text("utf-8"))
    except OSError as error:
        raise ComponentError(f"{file}: can't be read ({error.strerror})") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ComponentError(f"{file}: no valid TOML ({error})") from None
    game = data.get("game")
    return str(game.get("id")) if isinstance(game, dict) else ""
