"""Packages and modules with games and bots, written by a test where a process finds them."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

GAME = """
from tests.toy.rules import Toy


class {name}(Toy):
    id = "{id}"
    package = "tests.toy"


GAME = {name}()
"""


def game(id: str) -> str:
    """A module with a game of this id: the toy under another name."""
    return GAME.format(id=id, name=id.title())


def installed(folder: Path, package: str, entries: Mapping[str, Mapping[str, str]], **modules: str) -> None:
    """A package as an installer leaves it: its modules, and by group what they are entry points for."""
    for name, text in modules.items():
        (folder / f"{name}.py").write_text(text)
    info = folder / f"{package.replace('-', '_')}-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(f"Metadata-Version: 2.4\nName: {package}\nVersion: 1.0\n")
    lines = [
        f"[{group}]\n" + "".join(f"{name} = {value}\n" for name, value in each.items())
        for group, each in entries.items()
    ]
    (info / "entry_points.txt").write_text("\n".join(lines))
