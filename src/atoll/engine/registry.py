"""All games by id, as installed packages and plugins bring them; the engine itself names none.

A package brings a game by an entry point of the group `atoll.games`, whose name is the game's id:

    [project.entry-points."atoll.games"]
    pearls = "atoll_pearls:GAME"

A module that isn't installed is a plugin if it is named in ATOLL_PLUGINS, or by `atoll --plugin module`, which adds it
there: so every process that is started from here knows it, too. Its constant `GAME`, if it has one, is its game.

What is broken is left out, with one line that says why; all else goes on.
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
VARIABLE: Final = "ATOLL_PLUGINS"
_OWN: Final = "atoll"
_ID: Final = re.compile(r"[a-z][a-z0-9_]*")

log = logging.getLogger(__name__)

left_out: dict[str, str] = {}
"""What is left out, and why."""


def exclude(what: str, error: BaseException | str) -> None:
    """Note that something is left out, and say so once."""
    if what not in left_out:
        left_out[what] = error if isinstance(error, str) else f"{type(error).__name__}: {error}"
        log.warning("%s is left out: %s", what, left_out[what])


def distribution_of(entry: EntryPoint) -> str:
    """The installed package that an entry point belongs to."""
    return entry.dist.name if entry.dist is not None else ""


def entry_points(group: str) -> list[EntryPoint]:
    """What installed packages bring, Atoll's own first, then by package and name."""
    found = list(every_entry_point(group=group))
    return sorted(found, key=lambda entry: (distribution_of(entry) != _OWN, distribution_of(entry), entry.name))


def module_exists(module: str) -> bool:
    """Whether a module can be found by its name; nothing of it is imported."""
    first, *inner = module.split(".")
    try:
        spec = find_spec(first)
        for number in range(len(inner)):
            if spec is None:
                break
            name = ".".join([first, *inner[: number + 1]])
            spec = PathFinder.find_spec(name, spec.submodule_search_locations or ())
    except ValueError:  # of a name that is no module's
        return False
    return spec is not None


def add_plugin(module: str) -> None:
    """Name a plugin, here and for the processes that are started from here; it is imported when it is needed."""
    named = os.environ.get(VARIABLE, "").split()
    if module not in named:
        os.environ[VARIABLE] = " ".join([*named, module])


def remove_plugin(module: str, why: str) -> None:
    """Leave a plugin out, here and for the processes that are started from here."""
    os.environ[VARIABLE] = " ".join(name for name in os.environ.get(VARIABLE, "").split() if name != module)
    exclude(f"plugin {module}", why)


_imported: dict[str, ModuleType | None] = {}


def plugins() -> Mapping[str, ModuleType | None]:
    """The plugins by name, imported; None for one that breaks, which is left out."""
    for name in os.environ.get(VARIABLE, "").split():
        if name not in _imported:
            _imported[name] = None  # as long as it is being imported, it may ask for games itself
            try:
                _imported[name] = importlib.import_module(name)
            except (Exception, SystemExit) as error:
                exclude(f"plugin {name}", error)
    return _imported


class Registry(Mapping[str, Game]):
    """Games by id; each is imported when it is first asked for.

    group: of the entry points that name them.
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
            return  # it brings something else: bots
        if self._loaded.get(game.id) is game:
            self._origins[game.id] = f"plugin {name}"  # it has registered its game itself
        elif game.id in (self._entries or {}) or game.id in self._loaded:
            exclude(f"game {game.id} of plugin {name}", "there is a game of this name")
        elif not _ID.fullmatch(game.id):
            exclude(f"game {game.id!r} of plugin {name}", "an id is made of lower case letters, digits and _")
        else:
            self._loaded[game.id] = game
            self._origins[game.id] = f"plugin {name}"

    def register(self, game: Game) -> None:
        """Let a game made here be found by its id, in place of one that has it."""
        self._loaded[game.id] = game

    def origin(self, id: str) -> str:
        """What a game comes with: a package, `plugin module`, or nothing if it was registered. Raises UnknownGame."""
        if id not in self:
            raise self._unknown(id)
        entry = self._found().get(id)
        return self._origins.get(id, "") if entry is None else distribution_of(entry)

    def is_builtin(self, id: str) -> bool:
        """Whether a game is part of Atoll itself."""
        return id in self._found() and self.origin(id) == _OWN

    def loadable_games(self) -> Iterator[Game]:
        """All games that can be loaded; the others are left out."""
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
                raise TypeError(f"{entry.value} is no game")
            if game.id != entry.name:
                raise ValueError(f"the entry point is called {entry.name!r}, its game {game.id!r}")
        except (Exception, SystemExit) as error:
            why = f"{type(error).__name__}: {error}"
            raise BrokenGame(f"the game {entry.name!r} of {distribution_of(entry)} can't be loaded: {why}") from error
        return game

    def _unknown(self, id: str) -> UnknownGame:
        known = ", ".join(self) or "none; install Atoll anew, so that its games are found"
        return UnknownGame(f"unknown game {str(id)[:40]!r}; known: {known}")

    def __contains__(self, id: object) -> bool:
        return id in self._found() or id in self._loaded

    def __iter__(self) -> Iterator[str]:
        return iter(sorted({*self._found(), *self._loaded}))

    def __len__(self) -> int:
        return len({*self._found(), *self._loaded})


games: Registry = Registry(GROUP)
"""All games that are installed, and those of plugins."""
