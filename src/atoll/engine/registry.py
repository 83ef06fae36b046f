"""All games by id, found in the package `atoll.games`; the engine itself names none."""

from __future__ import annotations

import importlib
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from .errors import UnknownGame
from .game import Game


def _rule_files(folders: Iterable[str]) -> Iterator[Path]:
    for folder in folders:
        yield from Path(folder).glob("*/rules.py")


class Registry(Mapping[str, Game]):
    """Games by id. A game is a package with a module `rules` and a constant `GAME`, imported when first asked for."""

    def __init__(self, package: str) -> None:
        self._package: str = package
        self._loaded: dict[str, Game] = {}
        self._ids: tuple[str, ...] = ()

    def _found(self) -> tuple[str, ...]:
        if not self._ids:
            package = importlib.import_module(self._package)
            self._ids = tuple(sorted(path.parent.name for path in _rule_files(package.__path__)))
        return self._ids

    def register(self, game: Game) -> None:
        """Add a game from elsewhere (tests, other packages)."""
        self._loaded[game.id] = game

    def __getitem__(self, id: str) -> Game:
        if id not in self._loaded:
            if id not in self._found():
                raise UnknownGame(f"unknown game {str(id)[:40]!r}; known: {', '.join(self)}")
            game: Game = importlib.import_module(f"{self._package}.{id}").GAME
            self._loaded[id] = game
        return self._loaded[id]

    def __contains__(self, id: object) -> bool:
        return id in self._loaded or id in self._found()

    def __iter__(self) -> Iterator[str]:
        return iter(sorted({*self._found(), *self._loaded}))

    def __len__(self) -> int:
        return len({*self._found(), *self._loaded})


games: Registry = Registry("atoll.games")
"""All games that are installed."""
