"""Chromium for tests: `page` for one visitor, `new_page()` for more, each with its own cookies."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any, Protocol

import pytest
from playwright.sync_api import Browser, Page, expect

from atoll.testing.browser import WAIT_MS, chromium, find_chromium, open_page
from atoll.testing.live_server import LiveServer, serving

HERE = Path(__file__).parent
expect.set_options(timeout=WAIT_MS)

# The 32 bytes that a browser adds to the chance of a table are the same each time, too; see tests/conftest.py.
SAME_SHARES = """
const draw = Crypto.prototype.getRandomValues;
Crypto.prototype.getRandomValues = function (values) {
    return values.length === 32 ? values.fill(7) : draw.call(this, values);
};
"""


class NewPage(Protocol):
    """Opens a page in a fresh context; options as in Playwright's `Browser.new_context`."""

    def __call__(self, **options: Any) -> Page: ...


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark browser tests and distribute them to xdist workers.

    The tests of a file, or those of a game in it, run on one worker, because they share a server.
    """
    for item in items:
        if item.path.is_relative_to(HERE):
            item.add_marker(pytest.mark.browser)
            case = getattr(item, "callspec", None)  # what the test is parametrized with
            game = case.params.get("game", "") if case else ""
            item.add_marker(pytest.mark.xdist_group(f"{item.path.relative_to(HERE)} {game}"))


@pytest.fixture(scope="session")
def chromium_path() -> str:
    """Return the path of Chromium; the test fails if it is missing."""
    path = find_chromium()
    if path is None:
        pytest.fail("no Chromium: run python -m scripts.ensure_chromium, or name one in CHROMIUM", pytrace=False)
    return path


@pytest.fixture(scope="session")
def browser(chromium_path: str) -> Iterator[Browser]:
    """Provide one browser for all tests that need one.

    They run last, because asyncio.run fails while Playwright is open.
    """
    with chromium(chromium_path) as browser:
        yield browser


@pytest.fixture
def new_page(browser: Browser) -> Iterator[NewPage]:
    """Provide a function that opens pages, by default of 1400 x 900 in English.

    An exception in a script of any page fails the test.
    """
    errors: list[str] = []
    opened: list[Page] = []

    def new(**options: Any) -> Page:
        page = open_page(browser, errors, **options)
        page.context.add_init_script(SAME_SHARES)
        opened.append(page)
        return page

    yield new
    for page in opened:
        page.context.close()
    assert not errors, errors


@pytest.fixture
def page(new_page: NewPage) -> Page:
    """A page in a browser that has never been here."""
    return new_page()


@pytest.fixture(scope="module")
def live(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveServer]:
    """A server for the tests of a file, in a local network: its pages are no secure context."""
    with serving(tmp_path_factory.mktemp("live")) as server:
        yield server


@pytest.fixture(scope="module")
def secure(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveServer]:
    """A server whose pages are a secure context."""
    with serving(tmp_path_factory.mktemp("secure"), secure=True) as server:
        yield server
