"""Three days of a game of two people far apart: notifications, clocks and agreements."""

from __future__ import annotations

import asyncio
import random
import re
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from atoll.server.domain import wall_clock
from atoll.server.domain.model import Clock, Login, NewTable, SeatPlan
from atoll.testing.browser import choose, click, confirm, data, tap, wait_for_turn
from atoll.testing.live_server import LiveServer
from atoll.testing.shares import give_shares
from tests.browser.conftest import NewPage
from tests.server.conftest import Time
from tests.server.outside import Receiver, Sink, Subscription, receiver, sink

HOUR, DAY = 3600, 86_400


@dataclass
class World:
    """A server in a time that is turned by hand, and what it reaches outside."""

    live: LiveServer
    clock: Time
    hooks: Receiver
    mails: Sink

    def passes(self, seconds: float) -> None:
        """Let seconds pass and carry out everything that is due by then."""
        self.clock.passes(seconds)
        executor = self.live.tables.executor
        for wake in (executor.on_job, executor.on_notice):
            self.live.ask(_now(wake))


async def _now(do: Callable[[], None]) -> None:
    do()


@dataclass
class Person:
    """Somebody with a browser who gets push notifications.

    Attributes:
        read: Number of pushes that have been read.
    """

    world: World
    name: str
    login: Login
    page: Page
    browser: Subscription
    act: Callable[[Locator], None]
    read: int = field(default=0)

    def pushed(self, title: str) -> Any:
        """The next push that this browser gets, decrypted; those before it are passed over."""
        for _ in range(2000):
            mine = [got for got in self.world.hooks.got if got.path == f"/push/{self.name}"]
            for got in mine[self.read :]:
                self.read += 1
                letter = self.browser.read(got.body)
                if letter["title"] == title:
                    return letter
            time.sleep(0.01)
        raise AssertionError(f"{self.name} isn't told: {title}")

    def opens(self, letter: Any) -> None:
        """Go where a push leads."""
        self.world.live.visit(self.page, None, letter["link"].removeprefix(self.world.live.url))

    def answers(self, chooser: random.Random) -> None:
        """Make a choice on the page, and confirm it."""
        assert wait_for_turn(self.page)
        choose(self.page, chooser.choice([row[1] for row in data(self.page)["question"]["legal"]]), self.act)
        confirm(self.page, self.act)
        expect(self.page.locator("#page-bar")).not_to_have_class(re.compile("mine"))


@pytest.fixture
def world(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[World]:
    """A server with a push service, a mail server, and one day of vacation a year."""
    clock = Time()
    monkeypatch.setattr(wall_clock, "now_ms", clock)
    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_forever, daemon=True)
    thread.start()
    outside = AsyncExitStack()

    def opened(service: Any) -> Any:
        return asyncio.run_coroutine_threadsafe(outside.enter_async_context(service), loop).result(20)

    hooks, mails = opened(receiver()), opened(sink())
    live = LiveServer(
        tmp_path,
        smtp=f"smtp://127.0.0.1:{mails.port}",
        mail_from="atoll@example.org",
        allow_outgoing=("127.0.0.0/8",),
        vacation_days=1,
        bot_seconds=0.05,
    )
    live.start()
    yield World(live, clock, hooks, mails)
    live.stop()
    asyncio.run_coroutine_threadsafe(outside.aclose(), loop).result(20)
    loop.call_soon_threadsafe(loop.stop)
    thread.join(20)


def person(world: World, name: str, page: Page, act: Callable[[Locator], None]) -> Person:
    """Somebody new whose browser takes pushes."""
    login = world.live.guest(name)
    found = Person(world, name, login, page, Subscription(f"{world.hooks.url}/push/{name}"), act)
    world.live.ask(world.live.tables.notification_settings.add(login.user, "push", found.browser.given, "en"))
    return found


def mailed(world: World, subject: str) -> str:
    """The address in a mail that comes."""
    for _ in range(2000):
        for mail in world.mails.mails:
            if mail["Subject"] == subject:
                plain = mail.get_body(("plain",))
                assert plain is not None
                found = re.search(rf"{world.live.url}(/\S+)", plain.get_content())
                assert found is not None
                return found[1]
        time.sleep(0.01)
    raise AssertionError(f"no mail: {subject}; {[mail['Subject'] for mail in world.mails.mails]}")


def test_three_days_of_two_people(world: World, new_page: NewPage) -> None:
    live, chooser = world.live, random.Random(5)
    ada = person(world, "Ada", new_page(), click)
    phone = new_page(viewport={"width": 390, "height": 844}, is_mobile=True, has_touch=True)
    bob = person(world, "Bob", phone, tap)

    # Bob gives his mail address, and is invited there.
    live.ask(live.tables.notification_settings.add(bob.login.user, "mail", {"mail": "bob@example.org"}, "en"))
    live.visit(bob.page, bob.login, mailed(world, "May Atoll send emails to this address?"))
    bob.page.get_by_role("button", name="Get emails at this address").tap()
    expect(bob.page.get_by_role("status")).to_be_visible()
    clock = Clock(DAY, DAY, DAY, vacation=True)
    plans = (SeatPlan("me"), SeatPlan("open"))
    table = live.ask(live.tables.table_setup.create(ada.login.user, NewTable("atacama", plans, clock=clock)))
    live.ask(live.tables.table_setup.join(bob.login.user, table))
    live.ask(give_shares(live.tables, table))
    for seat, each in enumerate((ada, bob)):
        live.ask(live.tables.votes.vote(each.login.user, table, seat, "cancel", True))
    table = live.ask(live.tables.table_setup.rematch(ada.login.user, table))
    live.visit(ada.page, ada.login, f"/t/{table}")
    live.visit(bob.page, None, mailed(world, "Ada invites you to Atacama"))
    bob.page.get_by_role("button", name="Take my reserved seat").tap()
    expect(ada.page.locator("main.status-running")).to_be_visible()
    begun = world.clock.now

    # Turns are answered from a push.
    first, other = (ada, bob) if live.view(ada.login, table).turn else (bob, ada)
    seat = live.view(first.login, table).seat or 0
    for each in (first, other):
        world.passes(60)
        each.opens(each.pushed("Your turn in Atacama"))
        each.answers(chooser)

    # Half of the time is gone; then a player takes a vacation, and the clock stops.
    world.passes(60)
    first.pushed("Your turn in Atacama")
    world.passes(12 * HOUR)
    letter = first.pushed("Half of your time in Atacama is gone")
    first.opens(letter)
    live.visit(first.page, None, "/settings")
    first.page.locator("[name=days]").fill("1")
    first.act(first.page.get_by_role("button", name="Go on vacation"))
    expect(first.page.get_by_role("button", name="Go on vacation")).to_have_count(0)
    world.passes(DAY)
    assert not live.view(other.login, table).seats[seat].stand_in

    # No vacation is left: when the time is up a bot replaces the player, who returns later.
    other.opens(letter)
    world.passes(13 * HOUR)
    place = other.page.locator(f"#seat-{seat}")
    expect(place).to_contain_text("stand-in bot")
    assert wait_for_turn(other.page)
    first.opens(letter)
    first.act(first.page.get_by_role("button", name="Take my seat back from the bot"))
    expect(place).not_to_contain_text("stand-in bot")

    # A confirmed turn is taken back when both agree.
    other.answers(chooser)
    before = live.view(other.login, table).view_sequence
    if other is bob:
        bob.page.locator("#page-menu > summary").tap()
    other.act(other.page.get_by_role("button", name="Ask to take back my last move"))
    world.passes(20 * HOUR)
    first.opens(first.pushed(f"{other.name} asks to take back a move in Atacama"))
    if first is bob:
        bob.page.locator("label[data-tab=log]").tap()
    expect(first.page.locator("#page-notices")).to_be_visible()
    first.act(first.page.locator("#page-notices").get_by_role("button", name="Agree"))
    expect(other.page.locator("#page-bar.mine")).to_be_visible()
    assert live.view(other.login, table).view_sequence < before
    assert 2.5 * DAY < (world.clock.now - begun) / 1000 < 3 * DAY

    # The end.
    seats = {seat: first.login, 1 - seat: other.login}
    while (view := live.view(ada.login, table)).status == "running":
        asked = next(info.seat for info in view.seats if info.to_move)
        live.step(seats[asked], table, asked, chooser)
    for each in (ada, bob):
        expect(each.page.locator("main.status-over")).to_be_visible()
        each.opens(each.pushed("Atacama is over"))
        expect(each.page.locator("#page-result")).to_be_visible()
