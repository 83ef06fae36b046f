"""Chromium for tests: `page` for one visitor, `new_page()` for more of them, each with cookies of its own."""

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Protocol

import pytest
from playwright.sync_api import Browser, Page, expect, sync_playwright

from scripts.ensure_chromium import find_chromium
from tests.browser.live import LiveServer, serving

HERE = Path(__file__).parent
WAIT_MS = 40_000  # on a loaded machine the first page takes long; how fast pages are is measured elsewhere
expect.set_options(timeout=WAIT_MS)

# What a browser adds to the chance of a table is the same each time, too; see tests/conftest.py.
SAME_SHARES = "Crypto.prototype.getRandomValues = (values) => values.fill(7);"

# Nothing but the page under test may use the network or the graphics card.
ARGUMENTS = (
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-gpu",
    "--disable-quic",
    "--disable-sync",
    "--no-first-run",
)


class NewPage(Protocol):
    """Opens a page in a fresh context; options as in Playwright's `Browser.new_context`."""

    def __call__(self, **options: Any) -> Page: ...


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark browser tests, and keep each file, or its tests of a game, on one xdist worker: they share a browser."""
    for item in items:
        if item.path.is_relative_to(HERE):
            item.add_marker(pytest.mark.browser)
            game = (
                item.callspec.params.get("game", "")
                if isinstance(item, pytest.Function) and hasattr(item, "callspec")
                else ""
            )
            item.add_marker(pytest.mark.xdist_group(f"{item.path.relative_to(HERE)} {game}"))


@pytest.fixture(scope="session")
def chromium_path() -> str:
    """Where Chromium is; without one the browser tests fail."""
    path = find_chromium()
    if path is None:
        pytest.fail("no Chromium: run scripts/ensure_chromium.py, or name one in CHROMIUM", pytrace=False)
    return path


@pytest.fixture(scope="module")
def browser(chromium_path: str) -> Iterator[Browser]:
    """One browser for a file of tests; not for the session, as asyncio.run is refused while Playwright is open."""
    # Chromium has no sandbox for root.
    arguments = [*ARGUMENTS, "--no-sandbox"] if os.geteuid() == 0 else list(ARGUMENTS)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium_path, args=arguments)
        yield browser
        browser.close()


@pytest.fixture
def new_page(browser: Browser) -> Iterator[NewPage]:
    """Opens pages, 1400 x 900 in English unless told otherwise; an exception in any page's script fails the test."""
    errors: list[str] = []
    defaults: dict[str, Any] = {"viewport": {"width": 1400, "height": 900}, "locale": "en-GB"}

    def open_page(**options: Any) -> Page:
        context = browser.new_context(**{**defaults, **options})
        context.add_init_script(SAME_SHARES)
        page = context.new_page()
        page.set_default_timeout(WAIT_MS)
        page.on("pageerror", lambda error: errors.append(str(error)))
        return page

    yield open_page
    for context in browser.contexts:
        context.close()
    assert not errors, errors


@pytest.fixture
def page(new_page: NewPage) -> Page:
    """A page in a browser that has never been here."""
    return new_page()


@pytest.fixture(scope="module")
def live(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveServer]:
    """A server for the tests of a file."""
    with serving(tmp_path_factory.mktemp("live")) as server:
        yield server
