"""`atoll new-game ID`: a small game that runs at once, to be made into one's own: the starter under another name."""

from __future__ import annotations

import importlib.resources
import keyword
import re
from collections.abc import Iterator
from importlib.resources.abc import Traversable
from pathlib import Path, PurePosixPath
from typing import Final

from atoll.engine import AtollError
from atoll.engine.registry import games

_STARTER: Final = "atoll.starter"
_ID: Final = re.compile(r"[a-z][a-z0-9_]*")
_ENTRIES: Final = '[project.entry-points."atoll.games"]\n'


class CannotWrite(AtollError):
    """The game can't be written; the message says why and what is allowed."""


def new_game(id: str, where: Path, *, inside: bool) -> list[Path]:
    """Write a game; gives the files, which begin in a folder `atoll-ID`.

    inside: `where` is a repository of Atoll, and the game becomes one of its own. Nothing is written over. Raises
    CannotWrite.
    """
    if not _ID.fullmatch(id) or keyword.iskeyword(id):
        raise CannotWrite(f"no id for a game: {id[:40]!r}; allowed: lower case letters, digits and _, a letter first")
    if id in games or id == "starter":
        raise CannotWrite(f"there is a game {id!r}; its package is {games.origin(id) if id in games else 'atoll'}")
    written = dict(_inside(id, where) if inside else _apart(id, where / f"atoll-{id.replace('_', '-')}"))
    there = [path for path in written if path.exists() and path.name != "pyproject.toml"]
    if not inside and (where / f"atoll-{id.replace('_', '-')}").exists():
        there = [where / f"atoll-{id.replace('_', '-')}"]
    if there:
        raise CannotWrite(f"{there[0]} is there already; nothing was written")
    for path, text in written.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
    return list(written)


def _files(folder: Traversable, at: PurePosixPath) -> Iterator[tuple[PurePosixPath, str]]:
    for each in sorted(folder.iterdir(), key=lambda each: each.name):
        if each.is_dir():
            if each.name != "__pycache__":
                yield from _files(each, at / each.name)
        elif each.name.endswith((".py", ".toml", ".po", ".md")):
            yield at / each.name, each.read_text("utf-8")


def _renamed(id: str, text: str, package: str) -> str:
    """A text of the starter as one of the game."""
    title = id.replace("_", " ").title()
    name = title.replace(" ", "")
    prefix = (re.sub("[^a-z]", "", id) * 2)[:2]
    text = re.sub(r"\bST-(?=\d)", f"{prefix.upper()}-", re.sub(r"\bst-(?=\d)", f"{prefix}-", text))
    text = text.replace("def starter(self", "def {method}(self")
    text = text.replace("atoll-starter", f"atoll-{id.replace('_', '-')}").replace("atoll_starter", package)
    text = re.sub(r"\bStarter(?=[(.]|State|\n)", name, text).replace("class Starter", f"class {name}")
    return text.replace("Starter", title).replace("starter", id).replace("def {method}(self", "def starter(self")


def _starter(package: bool) -> Iterator[tuple[PurePosixPath, str]]:
    """The files of the game, or those around it."""
    for path, text in _files(importlib.resources.files(_STARTER), PurePosixPath()):
        if (path.parts[0] == "package") == package:
            yield (PurePosixPath(*path.parts[1:]) if package else path), text


def _apart(id: str, folder: Path) -> Iterator[tuple[Path, str]]:
    package = f"atoll_{id}"
    for path, text in _starter(package=True):
        yield folder / path, _renamed(id, text, package)
    for path, text in _starter(package=False):
        yield folder / "src" / package / path, _renamed(id, text, package)


def _inside(id: str, repository: Path) -> Iterator[tuple[Path, str]]:
    project = repository / "pyproject.toml"
    text = project.read_text("utf-8") if project.is_file() else ""
    if _ENTRIES not in text or not (repository / "src" / "atoll" / "games").is_dir():
        raise CannotWrite(f"{repository} is no repository of Atoll")
    package = f"atoll.games.{id}"
    for path, game in _starter(package=False):
        yield repository / "src" / "atoll" / "games" / id / path, _renamed(id, game, package)
    for path, around in _starter(package=True):
        if path.suffix == ".md":
            yield repository / "src" / "atoll" / "games" / id / path, _renamed(id, around, package)
        elif path.parts[0] == "tests":
            yield repository / "tests" / "games" / id / path.name, _renamed(id, around, package)
    yield project, text.replace(_ENTRIES, f'{_ENTRIES}{id} = "{package}:GAME"\n')
