"""A season in the browser, and a quick match of three browsers on two servers."""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from atoll.server.domain.competitions import NewCompetition
from atoll.server.domain.model import Login
from atoll.server.domain.playing_hours import DAY_MS
from atoll.server.play.competition_factory import new_competition
from atoll.server.play.table_lists import moment
from atoll.testing.live_server import LiveServer, serving
from atoll.testing.shares import give_shares
from tests.browser.conftest import NewPage
from tests.server.test_competitions import Play

NAMES = ("Ada", "Bo", "Cy", "Dee", "Eli", "Fay")
PHONE = {"width": 390, "height": 844}


class Ahead:
    """The time of day, which a test can put forward."""

    def __init__(self) -> None:
        self.ms: int = 0

    def __call__(self) -> int:
        return int(1000 * time.time()) + self.ms


def account(live: LiveServer, name: str) -> Login:
    """Somebody with an account."""
    guest = live.guest(name)
    live.ask(live.tables.credentials.add_code(guest.user))
    login: Login = live.ask(live.tables.users.sign_in(guest.user.id))
    return login


def until(live: LiveServer, true: Callable[[], bool], seconds: float = 30) -> None:
    """Let the scheduler look again and again until a condition is true."""

    async def wake() -> None:
        live.tables.executor.on_job()

    deadline = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < deadline, "it doesn't happen"
        live.ask(wake())
        time.sleep(0.1)


def play_on(live: LiveServer, tables: list[str]) -> None:
    for table in tables:
        live.ask(live.tables.executor.execute(table, Play()))


def test_a_season_from_sign_up_to_the_next_one(
    tmp_path: Path, new_page: NewPage, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Sign-up, check-in, draw, a move, a dropout, standings, badge and the next season."""
    clock = Ahead()
    monkeypatch.setattr("atoll.server.domain.wall_clock.now_ms", clock)
    with serving(tmp_path) as live:
        store, service = live.tables.store, live.tables.competitions
        people = {name: account(live, name) for name in NAMES}
        new = NewCompetition("league", "atacama", 2, "6", moment(clock() + 8 * DAY_MS))
        row = new_competition(live.tables.catalogue, new, clock(), None)
        assert row.starts is not None
        live.ask(store.competitions.add(row))
        here = f"/competitions/{row.id}"

        def state() -> str:
            found: Any = live.ask(store.competitions.competition(row.id))
            return str(found.state)

        def tables(status: str) -> list[str]:
            found = live.ask(store.tables_of_competition(row.id))
            return [table.id for table, _ in found if table.status == status]

        def sitting(table: str) -> set[str]:
            found: Any = live.ask(live.tables.table_views.table(None, table))
            return {seat.name for seat in found.seats}

        ada, bo = new_page(), new_page(locale="de-DE", viewport=PHONE)
        for page, name, act in ((ada, "Ada", "Sign up"), (bo, "Bo", "Anmelden")):
            live.visit(page, people[name], "/competitions")
            page.locator(f"a[href='{here}']").click()
            page.get_by_role("button", name=act, exact=True).click()
            expect(page.locator("#entries + ul")).to_contain_text(name)
        for name in NAMES[2:]:
            live.ask(service.enter(people[name].user, row.id))

        clock.ms += row.starts - DAY_MS - clock()
        until(live, lambda: state() == "check_in")
        for page, act in ((ada, "I will play"), (bo, "Ich spiele mit")):
            page.reload()
            page.get_by_role("button", name=act).click()
            expect(page.locator(".asks")).to_have_count(0)
        for name in NAMES[2:]:
            live.ask(service.check_in(people[name].user, row.id))

        clock.ms += row.starts - clock()
        until(live, lambda: state() == "running" and len(tables("gathering")) == 30)
        # Each game waits until its players have been there; two of them meet, the others come and go.
        meeting = next(table for table in tables("gathering") if {"Ada", "Bo"} == sitting(table))
        for table in set(tables("gathering")) - {meeting}:
            live.ask(give_shares(live.tables, table))
        live.visit(ada, None, f"/t/{meeting}")
        expect(ada.locator("#page-bar")).to_contain_text("when all players have opened this page")
        expect(ada.locator(".places li", has_text="Bo")).to_contain_text("has yet to open this page")
        live.visit(bo, None, f"/t/{meeting}")
        expect(bo.locator("main.status-running")).to_be_visible()
        assert all(live.ask(live.tables.history.fairness(None, meeting)).shares)
        for page in (ada, bo):
            page.goto(live.url + here)
        games = ada.locator("[aria-labelledby=mine] li")
        expect(games).to_have_count(10)
        expect(ada.locator("#draw ~ dl")).to_contain_text("seed", ignore_case=True)
        games.filter(has_text="Your turn").first.get_by_role("link", name=re.compile("Game")).click()
        ada.locator("#field-r5c5").click()
        ada.get_by_role("button", name="Confirm").click()
        expect(ada.locator("#rig-r5c5")).to_have_count(1)

        bo.reload()
        bo.locator(".leave summary").click()
        bo.locator(".leave button").click()
        until(live, lambda: len(_left(live, row.id, people["Bo"].user.id)) == 10)
        play_on(live, tables("running"))
        until(live, lambda: state() == "over")

        live.visit(ada, None, here)
        lines = ada.locator(".standings tbody tr")
        expect(lines).to_have_count(6)
        expect(lines.last).to_contain_text("Bo")
        best = lines.first.locator("th a").inner_text()
        live.visit(ada, None, f"/@{best}")
        expect(ada.locator(f"a[href='{here}']").first).to_be_visible()

        live.visit(ada, None, here)
        ada.get_by_role("link", name="2", exact=True).click()
        expect(ada.locator(".lead")).to_contain_text("Sign-up is open")
        expect(ada.locator("#entries + ul li")).to_have_count(5)
        expect(ada.get_by_role("button", name="Withdraw")).to_be_visible()
        bo.goto(ada.url)
        bo.get_by_role("button", name="Anmelden", exact=True).click()
        expect(bo.locator("main")).to_contain_text("ausgestiegen")


def _left(live: LiveServer, competition: str, user: str) -> list[str]:
    """The tables of a competition at which a bot plays for somebody."""
    found = live.ask(live.tables.store.tables_of_competition(competition))
    return [table.id for table, seats in found if any(seat.user_id == user and seat.away for seat in seats)]


def test_three_browsers_on_two_servers_find_each_other(tmp_path: Path, postgres_url: str, new_page: NewPage) -> None:
    with (
        serving(tmp_path, url=postgres_url, start_after_s=0.5) as one,
        serving(tmp_path, url=postgres_url, start_after_s=0.5) as two,
    ):
        people = {name: account(one, name) for name in ("Ada", "Bo", "Cy")}
        pages: dict[str, tuple[LiveServer, Page]] = {}
        for name, server in zip(people, (one, two, one), strict=True):
            page = new_page()
            pages[name] = server, page
            server.visit(page, people[name], "/quick?game=atlandice")
            page.locator("#quick").get_by_role("radio", name="3", exact=True).check()
            page.get_by_role("checkbox", name="Counts for ratings").check()
            page.locator("#quick").get_by_role("button", name="Find players").click()
        for _, page in pages.values():
            expect(page).to_have_url(re.compile(r"/t/\w+"), timeout=20_000)
        [table] = {re.findall(r"/t/(\w+)", page.url)[0] for _, page in pages.values()}
        assert one.ask(one.tables.quick_match.waiting()) == {}, "nobody looks any more"
        until(one, lambda: one.view(None, table).status == "running")
        assert {seat.name for seat in two.view(None, table).seats} == {*people}
        play_on(one, [table])
        for name, (server, page) in pages.items():
            server.visit(page, None, f"/t/{table}")
            expect(page.locator("main, body").first).to_contain_text(re.compile(r"Rating 1[45]\d0"))
            for address in (f"/@{name}", f"/archive?player={name}"):
                server.visit(page, None, address)
                expect(page.locator(f"a[href^='/t/{table}']").first).to_be_visible()
