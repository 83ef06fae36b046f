"""The games that a server offers, and component files for them.

The server and its bot workers use the same games.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import repeat

import atoll
from atoll.engine import BrokenGame, ComponentError, Game, UnknownGame, component_schema
from atoll.engine.component_changes import VARIANT_OF
from atoll.engine.registry import VARIABLE, exclude, remove_plugin

from .settings import ServerSettings
from .trial import TrialLimits, plugin_trial_failure, trial_failure


def replace_components(files: Sequence[str]) -> None:
    """Replace the components of games with those from files.

    Args:
        files: Paths of the component files.

    Raises:
        ComponentError: If a file isn't valid; the error names the file.
    """
    for file in files:
        data = component_schema.load(file)
        game = data.get(VARIANT_OF, data.get("game"))
        id = game.get("id") if isinstance(game, dict) else game
        if id not in tuple(atoll.games):
            raise ComponentError(f"id is {id!r}", ", ".join(atoll.games), table="game", file=file)
        atoll.games.register(atoll.games[id].with_components(file))


def is_third_party(id: str) -> bool:
    """Return whether a game comes from elsewhere, in a package or as a plugin."""
    return bool(atoll.games.origin(id)) and not atoll.games.is_builtin(id)


class GameOffer(Mapping[str, Game]):
    """The games that a server offers, each imported when it is first needed."""

    def __init__(self, ids: Sequence[str]) -> None:
        self._ids: tuple[str, ...] = tuple(ids)
        self._excluded: dict[str, str] = {}

    def exclude(self, id: str, why: str) -> None:
        """Exclude a game from now on, as if it had been broken from the start.

        Args:
            id: Id of the game.
            why: The reason, for the message.
        """
        self._excluded[id] = why
        exclude(f"game {id} of {atoll.games.origin(id)}", why)

    def third_party(self) -> dict[str, Game]:
        """Return the games from elsewhere, by id."""
        return {id: atoll.games[id] for id in self._ids if is_third_party(id)}

    def __getitem__(self, id: str) -> Game:
        if id not in self._ids:
            raise UnknownGame(f"unknown game {str(id)[:40]!r}; known: {', '.join(self._ids)}")
        if id in self._excluded:
            raise BrokenGame(f"the game {id!r} is left out: {self._excluded[id]}")
        return atoll.games[id]

    def __iter__(self) -> Iterator[str]:
        return iter(self._ids)

    def __len__(self) -> int:
        return len(self._ids)


def build_offer(settings: ServerSettings, bounds: TrialLimits | None = None) -> GameOffer:
    """Return the games to offer: all, or those in the settings.

    Third-party games that fail their trial are left out. A plugin is imported only after another
    process has imported it; see `trial.py`.

    Args:
        settings: Settings of the server.
        bounds: Limits of the trials, or None for the default ones.

    Raises:
        UnknownGame: If the settings name a game that isn't installed.
    """
    for name in os.environ.get(VARIABLE, "").split():
        if name not in sys.modules and (why := plugin_trial_failure(name, bounds or TrialLimits())):
            remove_plugin(name, why)
    wanted = tuple(filter(None, (id.strip() for id in settings.games.split(","))))
    for id in wanted:
        atoll.games.origin(id)
    ids = wanted or tuple(atoll.games)
    tried = list(filter(is_third_party, ids))
    with ThreadPoolExecutor(max_workers=4) as pool:
        found = dict(zip(tried, pool.map(trial_failure, tried, repeat(bounds or TrialLimits())), strict=True))
    for id, why in found.items():
        if why:
            exclude(f"game {id} of {atoll.games.origin(id)}", why)
    return GameOffer([id for id in ids if not found.get(id)])
