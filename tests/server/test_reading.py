"""A table as one reader sees it, built as seldom as possible: building it is what a move costs most."""

from collections.abc import Iterator
from typing import Any

import pytest

from atoll.engine import Position
from atoll.server.domain.model import NewTable
from atoll.testing.shares import give_shares

from .conftest import DEVICE, ME, OPEN, Browser, Program, Site

pytestmark = pytest.mark.source  # calls of compiled functions can't be counted
FRAGMENT = {"x-fragments": ""}


@pytest.fixture
def views(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[int | None]]:
    """Provide the viewers of all views, in order of their creation."""
    built: list[int | None] = []
    true = Position.view

    def view(self: Position, viewer: int | None) -> dict[str, Any]:
        built.append(viewer)
        return true(self, viewer)

    monkeypatch.setattr(Position, "view", view)
    yield built


def table_of(site: Site, game: str, browser: Browser, *others: Browser) -> str:
    """A running table; without others both seats are at one device."""
    new = NewTable(game, (ME, OPEN if others else DEVICE))
    table: str = site.call(site.tables.table_setup.create, browser.user, new)
    for seat, each in enumerate((browser, *others) if others else (browser, browser)):
        if each is not browser:
            site.call(site.tables.table_setup.join, each.user, table, seat)
        site.call(give_shares, site.tables, table)
    for each in (browser, *others):  # the coach of a first game looks at the table, too
        assert each.post(f"/t/{table}/coach", {"wanted": "off"}).status_code == 303
    return table


def form_of(site: Site, browser: Browser, table: str) -> dict[str, str]:
    """A choice of this browser's asked seat."""
    view = site.call(site.tables.table_views.table, browser.user, table)
    assert view.turn is not None
    return {"seat": str(view.seat), "choices": view.turn.texts[0], "stamp": view.turn.stamp, "confirm": "1"}


def asked(site: Site, table: str, *browsers: Browser) -> Browser:
    """Return the browser of the player whose turn it is."""
    for browser in browsers:
        if site.call(site.tables.table_views.reader_seats, browser.user, table).asked:
            return browser
    raise AssertionError("nobody is asked")


@pytest.mark.parametrize("game", ["atacama", "toy"])
def test_a_choice_builds_one_view_and_without_javascript_none(site: Site, views: list[int | None], game: str) -> None:
    ada, bob = site.browser("Ada"), site.browser("Bob")
    table = table_of(site, game, ada, bob)
    for headers, count in ((FRAGMENT, 1), ({}, 0), (FRAGMENT, 1)):
        browser = asked(site, table, ada, bob)
        form = form_of(site, browser, table)
        browser.token()
        views.clear()
        answer = browser.post(f"/t/{table}/choose", form, headers=headers)
        assert answer.status_code == (200 if headers else 303)
        assert len(views) == count
        if not headers:
            browser.get(answer.headers["location"])
            assert views == [int(form["seat"])]


@pytest.mark.parametrize(("game", "curtain"), [("atacama", False), ("toy", True)])
def test_a_choice_at_a_shared_device_builds_one_view(
    site: Site, views: list[int | None], game: str, curtain: bool
) -> None:
    ada = site.browser("Ada")
    table = table_of(site, game, ada)
    for _ in range(3):
        form = form_of(site, ada, table)
        views.clear()
        answer = ada.post(f"/t/{table}/choose", form, headers=FRAGMENT)
        assert answer.status_code == 200
        following = site.call(site.tables.table_views.reader_seats, ada.user, table).asked[0]
        moved_on = following != int(form["seat"])
        assert views == [int(form["seat"]) if curtain or not moved_on else following]


def test_a_command_through_the_api_builds_no_view(site: Site, views: list[int | None]) -> None:
    ada, bob = site.browser("Ada"), site.browser("Bob")
    table = table_of(site, "atacama", ada, bob)
    browser = asked(site, table, ada, bob)
    assert browser.user is not None
    program = Program(site, site.call(site.tables.users.sign_in, browser.user.id, kind="api"))
    form = form_of(site, browser, table)
    views.clear()
    body = {"choices": [form["choices"]], "stamp": form["stamp"]}
    assert program.ask("POST", f"/tables/{table}/seats/{form['seat']}/apply", body).status_code == 200
    assert views == []
