"""No file above 500 lines, style sheets among them, and no class above 300."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1] / "src" / "atoll"
MOST_LINES = 500
MOST_OF_A_CLASS = 300


@pytest.mark.source
def test_files_are_short() -> None:
    found = [*ROOT.rglob("*.py"), *ROOT.rglob("*.css")]
    long = [path for path in found if len(path.read_text("utf-8").splitlines()) > MOST_LINES]
    assert [path.relative_to(ROOT).as_posix() for path in long] == []


@pytest.mark.source
def test_classes_are_short() -> None:
    classes = [
        (f"{path.relative_to(ROOT).as_posix()} {node.name}", (node.end_lineno or 0) - node.lineno)
        for path in ROOT.rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.ClassDef)
    ]
    assert [name for name, lines in classes if lines >= MOST_OF_A_CLASS] == []
