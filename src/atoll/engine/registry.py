"""The registry of games from installed packages and plugins.

A package provides a game with an entry point of the group `atoll.games`, named after the game's id:

    [project.entry-points."atoll.games"]
    pearls = "atoll_pearls:GAME"

A module that isn't installed is a plugin if ATOLL_PLUGINS names it. `atoll --plugin MODULE` adds it
to that variable, so child processes load it too. Its constant `GAME`, if it has one, is its game.

Broken games and plugins are excluded and logged once; the others stay available.
"""

from __future__ import annotations

import importlib
import logging
import os
import re
from collections.abc import Iterator, Mapping
from importlib.machinery import PathFinder
from importlib.metadata import EntryPoint
from importlib.metadata import entry_points as every_entry_point
from importlib.util import find_spec
from types import ModuleType
from typing import Final

from .errors import BrokenGame, UnknownGame
from .game import Game

GROUP: Final = "atoll.games"
"""Entry point group of games."""
VARIABLE: Final = "ATOLL_PLUGINS"
"""Environment variable with the names of plugin modules, separated by spaces."""
_OWN: Final = "atoll"
_ID: Final = re.compile(r"[a-z][a-z0-9_]*")

log = logging.getLogger(__name__)

left_out: dict[str, str] = {}
"""Reasons of exclusion by name of the excluded game or plugin."""


def exclude(what: str, error: BaseException | str) -> None:
    """Exclude a game or plugin, and log the reason once."""
    if what not in left_out:
        left_out[what] = error if isinstance(error, str) else f"{type(error).__name__}: {error}"
        log.warning("%s is left out: %s", what, left_out[what])


def distribution_of(entry: EntryPoint) -> str:
    """Return the name of the package that an entry point belongs to; "" if it has none."""
    return entry.dist.name if entry.dist is not None else ""


def entry_points(group: str) -> list[EntryPoint]:
    """Return the entry points of a group: Atoll's own first, then by package and name."""
    found = list(every_entry_point(group=group))
    return sorted(found, key=lambda entry: (distribution_of(entry) != _OWN, distribution_of(entry), entry.name))


def module_exists(module: str) -> bool:
    """Return whether a module can be found by name, without importing it."""
    first, *inner = module.split(".")
    try:
        spec = find_spec(first)
        for number in range(len(inner)):
            if spec is None:
                break
            name = ".".join([first, *inner[: number + 1]])
            spec = PathFinder.find_spec(name, spec.submodule_search_locations or ())
    except ValueError:  # the name isn't a valid module name
        return False
    return spec is not None


def add_plugin(module: str) -> None:
    """Add a plugin module for this process and its child processes. It is imported when needed."""
    named = os.environ.get(VARIABLE, "").split()
    if module not in named:
        os.environ[VARIABLE] = " ".join([*named, module])


def remove_plugin(module: str, why: str) -> None:
    """Exclude a plugin module for this process and its child processes.

    Args:
        module: Name of the module.
        why: The reason, for the log.
    """
    os.environ[VARIABLE] = " ".join(name for name in os.environ.get(VARIABLE, "").split() if name != module)
    exclude(f"plugin {module}", why)


_imported: dict[str, ModuleType | None] = {}


def plugins() -> Mapping[str, ModuleType | None]:
    """Import the plugin modules and return them by name; None for a module that fails to import."""
    for name in os.environ.get(VARIABLE, "").split():
        if name not in _imported:
            _imported[name] = None  # the module may ask for games while it is being imported
            try:
                _imported[name] = importlib.import_module(name)
            except (Exception, SystemExit) as error:
                exclude(f"plugin {name}", error)
    return _imported


class Registry(Mapping[str, Game]):
    """A mapping of games by id. A game is imported when it is first requested.

    Args:
        group: Entry point group of the games.
    """

    def __init__(self, group: str) -> None:
        self._group: str = group
        self._loaded: dict[str, Game] = {}
        self._origins: dict[str, str] = {}
        self._entries: dict[str, EntryPoint] | None = None
        self._plugged: set[str] = set()

    def _found(self) -> dict[str, EntryPoint]:
        if self._entries is None:
            self._entries = {}
            for entry in entry_points(self._group):
                what = f"game {entry.name} of {distribution_of(entry)}"
                if not _ID.fullmatch(entry.name):
                    exclude(what, "an id is made of lower case letters, digits and _, a letter first")
                elif entry.name in self._entries:
                    exclude(what, f"{distribution_of(self._entries[entry.name])} has a game of this name")
                else:
                    self._entries[entry.name] = entry
        for name, module in plugins().items():
            if name not in self._plugged and module is not None:
                self._plugged.add(name)
                self._plug_in(name, getattr(module, "GAME", None))
        return self._entries

    def _plug_in(self, name: str, game: object) -> None:
        if not isinstance(game, Game):
            return  # the plugin provides something else, such as bots
        if self._loaded.get(game.id) is game:
            self._origins[game.id] = f"plugin {name}"  # the plugin has registered its game itself
        elif game.id in (self._entries or {}) or game.id in self._loaded:
            exclude(f"game {game.id} of plugin {name}", "there is a game of this name")
        elif not _ID.fullmatch(game.id):
            exclude(f"game {game.id!r} of plugin {name}", "an id is made of lower case letters, digits and _")
        else:
            self._loaded[game.id] = game
            self._origins[game.id] = f"plugin {name}"

    def register(self, game: Game) -> None:
        """Add a game, replacing one with the same id."""
        self._loaded[game.id] = game

    def origin(self, id: str) -> str:
        """Return the origin of a game: a package, `plugin MODULE`, or "" if it was registered.

        Args:
            id: Id of the game.

        Raises:
            UnknownGame: If no game has the id.
        """
        if id not in self:
            raise self._unknown(id)
        entry = self._found().get(id)
        return self._origins.get(id, "") if entry is None else distribution_of(entry)

    def is_builtin(self, id: str) -> bool:
        """Return whether a game is part of Atoll."""
        return id in self._found() and self.origin(id) == _OWN

    def loadable_games(self) -> Iterator[Game]:
        """Yield all games that can be loaded, and exclude the others."""
        for id in self:
            try:
                yield self[id]
            except BrokenGame as error:
                exclude(f"game {id} of {self.origin(id)}", error.__cause__ or error)

    def __getitem__(self, id: str) -> Game:
        if id not in self._loaded:
            entry = self._found().get(id)
            if id in self._loaded:
                return self._loaded[id]
            if entry is None:
                raise self._unknown(id)
            self._loaded[id] = self._load(entry)
        return self._loaded[id]

    def _load(self, entry: EntryPoint) -> Game:
        try:
            game = entry.load()
            if not isinstance(game, Game):
                raise TypeError(f"{entry.value} isn't a Game")
            if game.id != entry.name:
                raise ValueError(f"the entry point is called {entry.name!r}, its game {game.id!r}")
        except (Exception, SystemExit) as error:
            why = f"{type(error).__name__}: {error}"
            raise BrokenGame(f"the game {entry.name!r} of {distribution_of(entry)} can't be loaded: {why}") from error
        return game

    def _unknown(self, id: str) -> UnknownGame:
        known = ", ".join(self) or "none; reinstall Atoll to register its games"
        return UnknownGame(f"unknown game {str(id)[:40]!r}; known: {known}")

    def __contains__(self, id: object) -> bool:
        return id in self._found() or id in self._loaded

    def __iter__(self) -> Iterator[str]:
        return iter(sorted({*self._found(), *self._loaded}))

    def __len__(self) -> int:
        return len({*self._found(), *self._loaded})


games: Registry = Registry(GROUP)
"""All installed games and the games of plugins."""
