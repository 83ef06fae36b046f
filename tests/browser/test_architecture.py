"""A move takes the way that docs/develop/explanation-architecture.md describes."""

from __future__ import annotations

import importlib
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page

from atoll.testing.browser import wait_until
from atoll.testing.live_server import LiveServer

GUIDE = Path(__file__).parents[2] / "docs" / "develop" / "explanation-architecture.md"
STEP = re.compile(r"^\| (\d) \|.*\| `([\w/]+)\.(py|js)`: `([\w.]+)` \|$", re.MULTILINE)


def steps() -> list[tuple[str, str, str]]:
    """Return module, kind and function of each step."""
    found = STEP.findall(GUIDE.read_text("utf-8"))
    assert [number for number, *_ in found] == [str(number) for number in range(1, len(found) + 1)]
    return [(module, kind, name) for _, module, kind, name in found]


def recorded(monkeypatch: pytest.MonkeyPatch, module: str, name: str, calls: list[str]) -> None:
    """Note the calls of a function or of a page of the server."""
    home = importlib.import_module(f"atoll.server.{module.replace('/', '.')}")
    *owners, last = name.split(".")
    owner = home
    for each in owners:
        owner = getattr(owner, each)
    original: Callable[..., Any] = getattr(owner, last)

    def noted(*args: Any, **values: Any) -> Any:
        calls.append(name)
        return original(*args, **values)

    for route in getattr(home, "pages", []):
        if route.endpoint is original:
            owner, last, original = route, "app", route.app
    monkeypatch.setattr(owner, last, noted)


def test_a_move_takes_the_seven_steps(live: LiveServer, page: Page, monkeypatch: pytest.MonkeyPatch) -> None:
    way = steps()
    assert 5 <= len(way) <= 7
    calls: list[str] = []
    for module, kind, name in way:
        if kind == "py":
            recorded(monkeypatch, module, name, calls)
    ada, bo = live.guest("Ada"), live.guest("Bo")
    table = live.set_table(ada, "atacama", ["me", "open"], {"start_player": "seat_1"})
    live.ask(live.tables.table_setup.join(bo.user, table, 1))
    live.ask(live.tables.table_setup.start(ada.user, table))
    live.visit(page, ada, f"/t/{table}")
    scripts = page.context.new_cdp_session(page)
    scripts.send("Profiler.enable")
    scripts.send("Profiler.startPreciseCoverage", {"callCount": True, "detailed": False})
    calls.clear()
    with page.expect_request(f"**/t/{table}/choose"):
        page.locator("#field-r4c4").click()
    wait_until(page, "() => document.getElementById('page-confirm') !== null")
    called = {
        function["functionName"]
        for script in scripts.send("Profiler.takePreciseCoverage")["result"]
        for function in script["functions"]
        if function["ranges"][0]["count"]
    }
    assert {name for _, kind, name in way if kind == "js"} <= called
    wanted = [name for _, kind, name in way if kind == "py"]
    assert [name for name in dict.fromkeys(calls) if name in wanted] == wanted
