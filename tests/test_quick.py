"""The tests of `make quick` start neither a browser nor a server."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

ROOT = Path(__file__).parents[1]

MODULES: Final = (
    *("playwright", "uvicorn", "tests.browser", "tests.server"),
    *("atoll.server.compose", "atoll.server.http", "atoll.testing.browser", "atoll.testing.live_server"),
)
"""Modules that start a browser or a server, or serve its pages."""

FIXTURES: Final = {"browser", "chromium_path", "new_page", "page", "postgres_url"}


def chosen() -> list[Path]:
    """The files of the tests that `make quick` runs."""
    (paths,) = re.findall(r"^QUICK := (.+)$", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE)
    found = [ROOT / each for each in paths.split()]
    return [file for path in found for file in ([path] if path.is_file() else sorted(path.rglob("*.py")))]


def imported(tree: ast.Module) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (each.name for each in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module
            yield from (f"{node.module}.{each.name}" for each in node.names)


def needed(tree: ast.Module) -> set[str]:
    """The modules and fixtures of `MODULES` and `FIXTURES` that a test file uses."""
    found = {each for each in imported(tree) if any(each == one or each.startswith(f"{one}.") for one in MODULES)}
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            found |= FIXTURES & {each.arg for each in node.args.args}
    return found


def test_quick_tests_need_no_browser_and_no_server() -> None:
    files, seen = chosen(), set[Path]()
    assert len(files) > 50
    while files:
        file = files.pop()
        seen.add(file)
        tree = ast.parse(file.read_text("utf-8"))
        assert needed(tree) == set(), file.relative_to(ROOT)
        for module in imported(tree):
            helper = ROOT / f"{module.replace('.', '/')}.py"
            if module.startswith("tests.") and helper.exists() and helper not in seen:
                files.append(helper)


def test_browsers_and_servers_are_found() -> None:
    text = "from atoll.server.http import pages\ndef test_it(page: Page) -> None: ..."
    assert needed(ast.parse(text)) == {"atoll.server.http", "atoll.server.http.pages", "page"}
