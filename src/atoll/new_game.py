"""The command `atoll new-game ID`: copies the starter under another name.

The result is a small game that runs at once and that its author can change.
"""

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


class NewGameError(AtollError):
    """The game can't be written; the message says why."""


def new_game(id: str, where: Path, *, inside: bool) -> list[Path]:
    """Write a game; existing files are never overwritten.

    Args:
        id: Id of the game: lower-case letters, digits and `_`, starting with a letter.
        where: Folder in which the package `atoll-ID` is created, or the repository.
        inside: Whether `where` is a repository of Atoll to which the game is added.

    Returns:
        The paths of the files.

    Raises:
        NewGameError: If the id is invalid or taken, a file exists, or `where` isn't a repository.
        OSError: If a file can't be written.
    """
    if not _ID.fullmatch(id) or keyword.iskeyword(id):
        raise NewGameError(f"invalid game id {id[:40]!r}: expected lower-case letters, digits and _, a letter first")
    if id in games or id == "starter":
        raise NewGameError(f"the game {id!r} exists already, in {games.origin(id) if id in games else 'atoll'}")
    written = dict(_inside(id, where) if inside else _apart(id, where / f"atoll-{id.replace('_', '-')}"))
    there = [path for path in written if path.exists() and path.name != "pyproject.toml"]
    if not inside and (where / f"atoll-{id.replace('_', '-')}").exists():
        there = [where / f"atoll-{id.replace('_', '-')}"]
    if there:
        raise NewGameError(f"{there[0]} exists already; nothing was written")
    for path, text in written.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
    return list(written)


def _files(folder: Traversable, at: PurePosixPath) -> Iterator[tuple[PurePosixPath, str]]:
    """Yield the path and the text of each file in a folder."""
    for each in sorted(folder.iterdir(), key=lambda each: each.name):
        if each.is_dir():
            if each.name != "__pycache__":
                yield from _files(each, at / each.name)
        elif each.name.endswith((".py", ".toml", ".po", ".md")):
            yield at / each.name, each.read_text("utf-8")


def _rename_starter(id: str, text: str, package: str) -> str:
    """Return a text of the starter with the names of the game."""
    title = id.replace("_", " ").title()
    name = title.replace(" ", "")
    prefix = (re.sub("[^a-z]", "", id) * 2)[:2]
    text = re.sub(r"\bST-(?=\d)", f"{prefix.upper()}-", re.sub(r"\bst-(?=\d)", f"{prefix}-", text))
    text = text.replace("atoll-starter", f"atoll-{id.replace('_', '-')}").replace("atoll_starter", package)
    text = re.sub(r"\bStarter(?=[(.]|State|Components|\n)", name, text).replace("class Starter", f"class {name}")
    return text.replace("Starter", title).replace("starter", id)


def _starter(package: bool) -> Iterator[tuple[PurePosixPath, str]]:
    """Yield the files of the game, or those of the package around it."""
    for path, text in _files(importlib.resources.files(_STARTER), PurePosixPath()):
        if (path.parts[0] == "package") == package:
            yield (PurePosixPath(*path.parts[1:]) if package else path), text


def _apart(id: str, folder: Path) -> Iterator[tuple[Path, str]]:
    """Yield the files of a package of its own."""
    package = f"atoll_{id}"
    for path, text in _starter(package=True):
        yield folder / path, _rename_starter(id, text, package)
    for path, text in _starter(package=False):
        yield folder / "src" / package / path, _rename_starter(id, text, package)


def _inside(id: str, repository: Path) -> Iterator[tuple[Path, str]]:
    """Yield the files of a game in the repository, and the changed project file.

    Args:
        id: Id of the game.
        repository: Root of the repository.

    Raises:
        NewGameError: If the folder isn't a repository of Atoll.
    """
    project = repository / "pyproject.toml"
    text = project.read_text("utf-8") if project.is_file() else ""
    if _ENTRIES not in text or not (repository / "src" / "atoll" / "games").is_dir():
        raise NewGameError(f"{repository} isn't a repository of Atoll")
    package = f"atoll.games.{id}"
    for path, game in _starter(package=False):
        yield repository / "src" / "atoll" / "games" / id / path, _rename_starter(id, game, package)
    for path, around in _starter(package=True):
        if path.suffix == ".md":
            yield repository / "src" / "atoll" / "games" / id / path, _rename_starter(id, around, package)
        elif path.parts[0] == "tests":
            yield repository / "tests" / "games" / id / path.name, _rename_starter(id, around, package)
    yield project, text.replace(_ENTRIES, f'{_ENTRIES}{id} = "{package}:GAME"\n')
