"""Attacks on the chance of a table: a server that lies, with the real services, before Chromium."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from typing import Any
from urllib.parse import parse_qs

import pytest
from playwright.sync_api import Page, Route, expect

from atoll.server.domain import wall_clock
from atoll.server.domain.model import Login
from atoll.server.table import chance_rounds
from atoll.server.table.chance_protocol import KeyedChance
from atoll.server.table.chance_rounds import StartTimes
from atoll.server.table.live_table import LiveTable
from atoll.testing.live_server import LiveServer
from atoll.testing.shares import give_seals, give_shares

GROUND = "cc" * 32
TIMES = StartTimes(60.0, 600.0)

File = dict[str, Any]


@pytest.fixture(autouse=True)
def patient(live: LiveServer, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the server wait for seals and shares."""
    monkeypatch.setattr(live.tables.table_setup, "_times", TIMES)


class Attacked:
    """A table of Ada, whose page is open in Chromium, and Bob, who conspires with the server."""

    def __init__(self, live: LiveServer, page: Page, *more: str) -> None:
        self.live, self.page = live, page
        self.ada: Login = live.guest("Ada", confirm_single=False)
        self.bob: Login = live.guest("Bob", confirm_single=False)
        self.table: str = live.set_table(self.ada, "atacama", ["me", "open", *more])
        live.ask(live.tables.table_setup.join(self.bob.user, self.table))

    def open(self) -> None:
        self.live.visit(self.page, self.ada, f"/t/{self.table}")

    def change(self, change: Callable[[LiveTable], None]) -> None:
        """Let the server change the table as it likes."""

        async def changed() -> None:
            executor = self.live.tables.executor
            async with executor.locked(self.table) as live:
                change(live)
                live.mark_changed(*range(len(live.seats)))
                await executor._write(live)

        self.live.ask(changed())

    def wait(self, holds: Callable[[LiveTable], bool]) -> None:
        """Wait until something is true of the table."""
        found: list[bool] = []

        async def ask() -> None:
            async with self.live.tables.executor.locked(self.table) as live:
                found.append(holds(live))

        for _ in range(400):
            self.live.ask(ask())
            if found[-1]:
                return
            self.page.wait_for_timeout(50)
        raise AssertionError("it doesn't become true")

    def bob_seals(self) -> None:
        self.live.ask(give_seals(self.live.tables, self.table, 1))

    def bob_shows(self) -> None:
        self.live.ask(give_shares(self.live.tables, self.table, 1))

    def start(self) -> None:
        """Begin as an honest server does; Ada's page must be open."""
        self.wait(lambda live: bool(live.seats[0].seal))
        self.bob_seals()
        self.wait(lambda live: bool(live.seats[0].share))
        self.bob_shows()

    def play(self, *, heard: bool = False) -> None:
        """Play on. Ada's browser hears each move only where a proof needs it; else all of them at the end."""
        expect(self.page.locator("main.status-running")).to_be_visible()
        if not heard:
            self.page.goto("about:blank")
        chooser = random.Random(4)
        while (view := self.live.view(self.ada, self.table)).status == "running":
            seat = next(each.seat for each in view.seats if each.to_move)
            if seat > 1:
                self.live.ask(self.live.tables.bot_turns.play(self.table))
            else:
                self.live.step((self.ada, self.bob)[seat], self.table, seat, chooser)
        if not heard:
            self.open()
        expect(self.page.locator("main.status-over")).to_be_visible()
        notes = f"atoll chance {self.table} heard"
        self.page.wait_for_function("name => JSON.parse(localStorage.getItem(name))?.over", arg=notes)

    def verdicts(self) -> tuple[str, str, str]:
        """Return the verdict of Ada's page, the verdict by the rules, and its reasons."""
        self.page.goto(f"{self.live.url}/t/{self.table}/fairness")
        expect(self.page.locator("#page-checks li").first).to_be_visible()
        own = self.page.locator("#page-verdict").get_attribute("class") or ""
        self.page.get_by_role("button", name="Replay the game by the rules").click()
        expect(self.page.get_by_text("This server judged its own game.")).to_be_visible()
        return own, *_found(self.page)


def _found(page: Page) -> tuple[str, str]:
    return page.locator("#page-verdict").get_attribute("class") or "", page.locator("#page-checks").inner_text()


def test_a_server_that_takes_shares_and_says_that_it_failed_gains_only_counted_starts(
    live: LiveServer, page: Page
) -> None:
    """The share oracle: the same share is never shown again."""
    attacked, stolen = Attacked(live, page), set()

    def steals(route: Route) -> None:
        stolen.add(parse_qs(route.request.post_data or "")["share"][0])
        route.fulfill(status=500, body="{}", content_type="application/json")

    page.route("**/share", steals)
    for number in (1, 2):
        attacked.open()
        attacked.wait(lambda live: bool(live.seats[0].seal))
        attacked.bob_seals()
        attacked.wait(lambda _, known=number: len(stolen) == known)  # type: ignore[misc]
        attacked.change(lambda live: chance_rounds.break_off(live, wall_clock.now_ms(), "unshown", (1,)))
    page.unroute("**/share")
    attacked.open()
    attacked.start()
    attacked.play()
    own, value, reasons = attacked.verdicts()
    assert (own, value) == ("open", "open") and "2 earlier starts were canceled" in reasons


def test_draws_from_another_number_are_wrong(live: LiveServer, page: Page, monkeypatch: pytest.MonkeyPatch) -> None:
    """The offset: the server chooses where the draws begin, once it knows all shares."""
    attacked = Attacked(live, page)
    attacked.open()
    honest = KeyedChance.pick
    with monkeypatch.context() as lies:
        lies.setattr(KeyedChance, "pick", lambda chance, index, size: honest(chance, index + 142, size))
        attacked.start()
        attacked.play()
    own, value, reasons = attacked.verdicts()
    assert (own, value) == ("wrong", "wrong") and "isn’t the one that seed and shares give" in reasons


def test_a_share_in_a_bots_place_is_wrong(live: LiveServer, page: Page) -> None:
    attacked = Attacked(live, page, "bot", "bot")
    attacked.open()
    attacked.wait(lambda live: bool(live.seats[0].seal))
    attacked.bob_seals()
    attacked.wait(lambda live: bool(live.seats[0].share))
    attacked.change(lambda live: setattr(live.seats[2], "share", GROUND))
    attacked.bob_shows()
    attacked.play()
    own, value, reasons = attacked.verdicts()
    assert (own, value) == ("wrong", "wrong") and "The share of seat 3 doesn’t fit its seal." in reasons


def test_a_share_that_is_left_out_after_it_was_shown_is_wrong(live: LiveServer, page: Page) -> None:
    attacked = Attacked(live, page)
    attacked.open()
    attacked.wait(lambda live: bool(live.seats[0].seal))
    attacked.bob_seals()
    attacked.wait(lambda live: bool(live.seats[0].share))

    def leave_out(live: LiveTable) -> None:
        assert live.row.terms is not None
        live.row.terms = {**live.row.terms, "seals": ["", live.row.terms["seals"][1]]}
        live.seats[0].seal = live.seats[0].share = None

    attacked.change(leave_out)
    attacked.bob_shows()
    attacked.play()
    own, value, reasons = attacked.verdicts()
    assert (own, value) == ("wrong", "wrong") and "showed its share under other terms" in reasons


def test_a_start_from_a_position_of_the_servers_gets_no_share(live: LiveServer, page: Page) -> None:
    """The opening position is dictated, and the browser shows nothing. A fair start is proven later."""
    attacked = Attacked(live, page)
    attacked.open()
    attacked.wait(lambda live: bool(live.seats[0].seal))
    attacked.change(lambda live: chance_rounds.close_list(live, wall_clock.now_ms(), TIMES, start="ee" * 32))
    attacked.open()
    expect(page.locator("body")).to_contain_text("This browser expects another list of seals.")
    attacked.change(lambda live: chance_rounds.break_off(live, wall_clock.now_ms(), "unshown"))
    attacked.open()
    attacked.start()
    attacked.play(heard=True)
    own, value, _ = attacked.verdicts()
    assert (own, value) == ("open", "proven")


LIES: dict[str, tuple[Callable[[File], object], str, str]] = {
    "nothing": (lambda _: None, "proven", ""),
    "a share beyond the seats": (lambda file: file["fairness"]["shares"].append(GROUND), "wrong", "isn’t valid"),
    "Bob's share ground": (lambda file: file["fairness"]["shares"].__setitem__(1, GROUND), "wrong", "of seat 2"),
    "another seed": (lambda file: file["fairness"].update(seed=GROUND), "wrong", "seed doesn’t fit"),
    "a seed that is kept back": (lambda file: file["fairness"].update(seed=None), "wrong", "isn’t valid"),
    "chance that was never fixed": (lambda file: file["fairness"].update(protocol=""), "open", "doesn’t say how"),
    "the former protocol": (lambda file: file.update(format="atoll-export-1"), "open", "another protocol"),
    "other options": (lambda file: file["fairness"]["terms"]["options"].update(setup="enhanced"), "wrong", ""),
    "swapped names": (lambda file: file["fairness"]["names"].reverse(), "wrong", "isn’t valid"),
    "no result": (lambda file: file.update(result=None), "wrong", "isn’t valid"),
    "another result": (lambda file: file["result"]["totals"].reverse(), "wrong", "goes differently"),
    "a position in the terms": (lambda file: file["fairness"]["terms"].update(start="ee" * 32), "wrong", ""),
    "a position in the file only": (lambda file: file.update(start={"chances": 142}), "proven", ""),
    "an empty list of draws": (lambda file: file["fairness"].update(draws=[]), "proven", ""),
}
"""Changes of a file, with the verdict and what it says. Fields that the terms don't bind aren't read."""


def test_files_that_lie_are_found_with_the_file_of_a_real_browser(live: LiveServer, page: Page) -> None:
    """An honest game; *Verify a game* judges changed files of it against the notes of Ada's browser."""
    attacked = Attacked(live, page)
    attacked.open()
    attacked.start()
    attacked.play(heard=True)
    page.goto(f"{live.url}/t/{attacked.table}/fairness")
    expect(page.locator("#page-verdict.open")).to_be_visible()
    kept = page.locator("#page-kept").input_value()
    text = page.evaluate("async (path) => (await fetch(path)).text()", f"/t/{attacked.table}/export")
    for name, (change, value, reason) in LIES.items():
        file = json.loads(text)
        change(file)
        page.goto(f"{live.url}/verify")
        page.locator("[name=game]").fill(json.dumps(file))
        page.locator("[name=kept]").fill(kept)
        page.locator("main form button:not([type=button])").first.click()
        expect(page.locator("#page-verdict")).to_be_visible()
        found = _found(page)
        assert found[0] == value and reason in found[1], (name, found)
