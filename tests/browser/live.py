"""A running server for browser tests, and people who use its pages like people do."""

from __future__ import annotations

import asyncio
import json
import os
import random
import re
import signal
import socket
import subprocess
import sys
import threading
import time
import urllib.request
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from importlib.resources import files
from itertools import product
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import uvicorn
from playwright.sync_api import Locator, Page, Route

import atoll
from atoll.engine import record
from atoll.server.app import create_app
from atoll.server.archive import import_game
from atoll.server.model import Analysis, AnalysisState, Login, NewTable, Refused, SeatPlan, Settings, TableView
from atoll.server.settings import ServerSettings
from atoll.server.tables import Tables
from atoll.server.web.session import COOKIE

SERVE = """
import sys, uvicorn
import atoll
from atoll.engine import record
from atoll.server.app import create_app
from atoll.server.archive import import_game
from atoll.server.settings import ServerSettings
port, url = int(sys.argv[1]), sys.argv[2]
app = create_app(ServerSettings(port=port, url=url, secret="for tests", start_after_s=0.2))
uvicorn.run(app, port=port, log_level="warning")
"""


def free_port() -> int:
    """A port nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


class LiveServer:
    """A server in a thread of this process, so that a test can look behind the pages. settings: see ServerSettings."""

    def __init__(self, folder: Path, **settings: Any) -> None:
        self.port = free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        usual: dict[str, Any] = {
            "port": self.port,
            "url": f"sqlite:///{folder}/live.db",
            "public_url": self.url,
            "secret": "for tests",
            "start_after_s": 3,
            "advice_seconds": 0.4,
            "analysis_seconds": 4.0,
        }
        self._app = create_app(ServerSettings(**{**usual, **settings}))
        config = uvicorn.Config(self._app, port=self.port, log_level="warning", timeout_graceful_shutdown=1)
        self._server = uvicorn.Server(config)
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_until_complete, args=(self._server.serve(),), daemon=True)

    def start(self) -> None:
        """Return when pages can be asked for."""
        self._thread.start()
        while not self._server.started:
            time.sleep(0.02)

    def stop(self) -> None:
        """Return when the server has ended."""
        self._server.should_exit = True
        self._thread.join(20)

    @property
    def tables(self) -> Tables:
        """What the pages ask, too."""
        tables: Tables = self._app.state.tables
        return tables

    def ask(self, work: Any) -> Any:
        """The result of a coroutine of the service."""
        return asyncio.run_coroutine_threadsafe(work, self._loop).result(20)

    def guest(self, name: str, **settings: Any) -> Login:
        """Somebody new, who sees at once what others do unless told otherwise."""
        login: Login = self.ask(self.tables.people.guest(name, Settings(**{"pace": "off", **settings})))
        return login

    def set_table(
        self,
        login: Login,
        game: str,
        seats: Sequence[str],
        options: Mapping[str, Any] | None = None,
        *,
        advice: bool | None = None,
    ) -> str:
        """A table of this person; seats: me, device, open, invite, or bot (the quickest)."""
        level = self.tables.catalogue.levels(game)[0]
        plans = tuple(SeatPlan(each, bot=level if each == "bot" else "") for each in seats)  # type: ignore[arg-type]
        table: str = self.ask(
            self.tables.gathering.create(login.user, NewTable(game, plans, options or {}, advice=advice))
        )
        if not {"open", "invite"} & set(seats):
            with suppress_started():
                self.ask(self.tables.gathering.start(login.user, table))
        return table

    def view(self, login: Login | None, table: str, seat: int | None = None) -> TableView:
        """What the service says of a table."""
        found: TableView = self.ask(self.tables.reading.table(login.user if login else None, table, seat=seat))
        return found

    def step(self, login: Login, table: str, seat: int, chooser: random.Random) -> None:
        """A random choice of a seat, or the end of its turn if that can be confirmed."""
        turn = self.view(login, table, seat).turn
        assert turn is not None
        if turn.can_confirm:
            self.ask(self.tables.turn.confirm(login.user, table, seat, turn.stamp))
        else:
            self.ask(self.tables.turn.choose(login.user, table, seat, [chooser.choice(turn.texts)], turn.stamp))

    def analysed(self, login: Login, table: str) -> Analysis:
        """What a bot says of a finished game."""
        self.ask(self.tables.study.analyse(login.user, table))
        deadline = time.monotonic() + 60
        while time.monotonic() < deadline:
            found: AnalysisState = self.ask(self.tables.study.analysis(login.user, table))
            assert found.state != "failed"
            if found.analysis is not None:
                return found.analysis
            time.sleep(0.1)
        raise TimeoutError("no analysis")

    def imported(self, game: str) -> str:
        """A finished table of a game that was played elsewhere."""
        position = atoll.games[game].new(atoll.games[game].seat_counts[0], seed=1)
        chooser = random.Random(1)
        while not position.over:
            position.apply(chooser.choice(position.legal(position.to_move[0])), position.to_move[0])
        url = self.tables.store.url.render_as_string(hide_password=False)
        table: str = self.ask(import_game(url, record.write(position), atoll.games))
        return table

    def visit(self, page: Page, login: Login | None, path: str, *, scripts: bool = True) -> Page:
        """Open a page as this person, and wait until it listens (which it doesn't without scripts)."""
        if login is not None:
            page.context.add_cookies([{"name": COOKIE, "value": login.token, "url": self.url}])
        answer = page.goto(self.url + path)
        assert answer is not None
        assert answer.status == (404 if path == "/nowhere" else 200), f"{path}: {answer.status}"
        if scripts:
            until(page, "() => 'ready' in document.body.dataset")
        return page


@contextmanager
def suppress_started() -> Iterator[None]:
    """A full table may have started by itself already."""
    try:
        yield
    except Refused as refusal:
        if refusal.code != "started":
            raise


@contextmanager
def serving(folder: Path) -> Iterator[LiveServer]:
    """A server for the time of a test file."""
    server = LiveServer(folder)
    server.start()
    yield server
    server.stop()


class MortalServer:
    """A server in a process of its own, which a test can kill."""

    def __init__(self, folder: Path) -> None:
        self.port = free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self._database = f"sqlite:///{folder}/mortal.db"
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Return when it answers."""
        self._process = subprocess.Popen([sys.executable, "-c", SERVE, str(self.port), self._database])
        deadline = time.monotonic() + 30
        while time.monotonic() < deadline:
            try:
                with urllib.request.urlopen(f"{self.url}/healthz", timeout=1):  # noqa: S310
                    return
            except OSError:
                time.sleep(0.1)
        raise TimeoutError("the server doesn't answer")

    def kill(self) -> None:
        """SIGKILL, at once, whatever it is doing."""
        assert self._process is not None
        os.kill(self._process.pid, signal.SIGKILL)
        self._process.wait(10)


# -- playing by the page alone ---------------------------------------------------------------------------------------


def show(page: Page, html: str) -> None:
    """Show a page that no server has made; its scripts may import the site's modules and those of games."""

    def answer(route: Route) -> None:
        folder, _, name = urlsplit(route.request.url).path.rpartition("/")
        if not name:
            route.fulfill(body=html, content_type="text/html; charset=utf-8")
            return
        game = folder.removeprefix("/static/games/")
        home = files("atoll.server.web") / "static" / "js" if folder == "/static/js" else files(f"atoll.games.{game}")
        route.fulfill(body=(home / name).read_text("utf-8"), content_type="text/javascript; charset=utf-8")

    page.route("http://shelf.test/**", answer)
    page.goto("http://shelf.test/")


def data(page: Page) -> dict[str, Any]:
    """What the page knows of its table."""
    text = page.locator("#page-data").text_content()
    found: dict[str, Any] = json.loads(text or "{}")
    return found


def until(page: Page, script: str, argument: Any = None, seconds: float = 20) -> None:
    """Wait until a script says yes. Not Playwright's own wait, which needs what the page's security policy forbids."""
    deadline = time.monotonic() + seconds
    while not page.evaluate(script, argument):
        assert time.monotonic() < deadline, f"{script}: {page.locator('#page-bar').inner_text()}"
        page.wait_for_timeout(30)


def fits(pattern: str, text: str) -> bool:
    """Whether a pattern stands for a choice."""
    wanted, words = pattern.split(), text.split()
    return len(wanted) == len(words) and all(a in ("*", b) for a, b in zip(wanted, words, strict=True))


def stands_for(patterns: str, text: str) -> bool:
    """Whether one of an element's patterns stands for a choice."""
    return any(fits(pattern.strip(), text) for pattern in patterns.split(";") if pattern.strip())


def elements(page: Page) -> list[dict[str, Any]]:
    """All elements that can mean a choice, as the page presents them."""
    found: list[dict[str, Any]] = page.evaluate(
        """() => [...document.querySelectorAll("#page-main .element[data-choice]")].map((e) => ({
            id: e.id, choice: e.dataset.choice, legal: e.classList.contains("legal"),
            disabled: e.getAttribute("aria-disabled"), name: e.getAttribute("aria-label"),
            dialog: e.closest("dialog") && e.closest("dialog").id, picked: e.classList.contains("picked"),
        }))"""
    )
    return found


def buttons(page: Page) -> list[dict[str, Any]]:
    """The buttons for what can't be chosen in the picture, with what they leave."""
    found: list[dict[str, Any]] = page.evaluate(
        """() => [...document.querySelectorAll("[data-rest] [data-texts]")].map((b, i) => ({
            at: i, texts: b.dataset.texts.split(";"), label: b.textContent,
        }))"""
    )
    return found


def check_offer(page: Page, legal: Sequence[str]) -> None:
    """Exactly these choices are offered: by the list, by what glows, and by the buttons for the rest."""
    shown = page.evaluate(
        """() => [...document.querySelectorAll("#page-list [name=choices] option, #page-list button[name=choices]")]
            .map((o) => Number(o.value))"""
    )
    question = data(page)["question"]
    assert [row[1] for row in question["legal"]] == list(legal)
    assert shown == [row[0] for row in question["legal"]]
    if page.locator("[data-submit]").count():
        return
    covered: set[str] = set()
    shown_elements = elements(page)
    for text, often in Counter(row[1] for row in data(page)["picked"]).items():
        equal = [each for each in shown_elements if stands_for(each["choice"], text)]
        assert sum(each["picked"] for each in equal) == min(often, len(equal)), text
    for each in shown_elements:
        meant = {text for text in legal if stands_for(each["choice"], text)}
        assert each["legal"] == (bool(meant) or each["picked"]), each
        assert each["disabled"] == str(not (meant or each["picked"])).lower(), each
        if len(meant) < len(legal):
            covered |= meant
    offered = {text for button in buttons(page) for text in button["texts"]}
    assert offered == set(legal) - covered


def choose(page: Page, text: str, act: Any) -> None:
    """Make this choice through the picture and the bar, step by step; `act(locator)` clicks, taps or presses."""
    stamp = data(page)["stamp"]
    for _ in range(8):
        if page.locator("[data-submit]").count():
            _set_amount(page, text, act)
        elif step := _next_button(page, text):
            if step.get_attribute("data-serves"):  # what a game's own tools choose is tried in that game's tests
                _choose_from_list(page, text, act)
            else:
                act(step)
        else:
            act(_next_element(page, text, act))
        if _done(page, stamp):
            return
    raise AssertionError(f"{text} can't be chosen")


def _choose_from_list(page: Page, text: str, act: Any) -> None:
    number = next(row[0] for row in data(page)["question"]["legal"] if row[1] == text)
    act(page.locator("#page-list summary"))
    if page.locator("#page-list select").count():
        page.locator("#page-list select").select_option(str(number))
        act(page.locator("#page-list button"))
    else:
        act(page.locator(f"#page-list button[value='{number}']"))


def _done(page: Page, stamp: str) -> bool:
    until(page, "() => !document.getElementById('page-main').hasAttribute('aria-busy')")
    return bool(data(page)["stamp"] != stamp)


def _next_button(page: Page, text: str) -> Locator | None:
    for button in buttons(page):
        if text in button["texts"]:
            found = page.locator("[data-rest] [data-texts]").nth(button["at"])
            if not found.is_visible():
                page.locator("#page-more").click()
            return found
    return None


def _next_element(page: Page, text: str, act: Any) -> Locator:
    for each in elements(page):
        if each["legal"] and not each["picked"] and stands_for(each["choice"], text):
            if each["dialog"] and not page.locator(f"#{each['dialog']}").evaluate("(d) => d.open"):
                title = page.locator(f"#{each['dialog']}").get_attribute("data-title")
                act(page.locator("#page-rest").get_by_role("button", name=title, exact=True))
            found = page.locator(f"[id='{each['id']}']")
            _go_to_part_of(page, found)
            return found
    raise AssertionError(f"nothing on the page stands for {text}")


def _go_to_part_of(page: Page, element: Locator) -> None:
    """On a phone an element is in one of the table's parts."""
    tabs = element.evaluate("(e) => e.closest('[data-tabs]')?.dataset.tabs ?? ''").split()
    if tabs and not element.is_visible():
        page.locator(f"label[data-tab={tabs[0]}]").tap()


def _set_amount(page: Page, text: str, act: Any) -> None:
    """Set this amount, and others of the mix so that they fit together; then take them."""
    rows: dict[str, list[str]] = {}
    for row in data(page)["question"]["legal"]:
        rows.setdefault(row[1].rpartition(" ")[0], []).append(row[1])
    rows[text.rpartition(" ")[0]] = [text]
    mixes = sorted(product(*rows.values()), key=lambda mix: sum(number_in(each.split()[-1]) for each in mix))
    submit = page.locator("[data-submit]")
    for mix in mixes:
        for at, amount in enumerate(mix):
            _step_to(page, at, amount, act)
        until(page, "() => !document.querySelector('[data-judging]')")
        if submit.is_enabled():
            act(submit)
            return
    raise AssertionError(f"no mix with {text} can be taken")


def _step_to(page: Page, at: int, text: str, act: Any) -> None:
    output = page.locator(".stepper output").nth(at)
    while (now := output.get_attribute("data-text") or "") != text:
        sign = "+" if number_in(text.rsplit(maxsplit=1)[-1]) > number_in(now.split()[-1]) else "−"
        act(page.locator(f"[data-step='{at}{sign}']"))


def confirm(page: Page, act: Any) -> None:
    """Confirm the turn, if it awaits that, and wait until it is taken."""
    button = page.locator("#page-confirm")
    if button.count():
        stamp = data(page)["stamp"]
        act(button)
        until(page, "(old) => JSON.parse(document.getElementById('page-data').textContent).stamp !== old", stamp)


def wait_for_turn(page: Page) -> bool:
    """Wait until this page's seat is asked and others' moves were seen, or the game is over; whether it is asked."""
    until(
        page,
        """() => { const d = JSON.parse(document.getElementById("page-data").textContent);
                   return (d.over || d.mine || d.confirm) && !("following" in document.body.dataset); }""",
    )
    return not data(page)["over"]


def pick(legal: Sequence[str], chooser: random.Random) -> str:
    """One of the choices, each kind as likely as another, so that rare kinds are tried."""
    kinds = sorted({text.split()[0] for text in legal})
    kind = chooser.choice(kinds)
    return chooser.choice([text for text in legal if text.split()[0] == kind])


def number_in(text: str) -> int:
    """The number that a text shows, with either minus sign."""
    found = re.search(r"[-−+]?\d+", text)
    assert found, text
    return int(found.group().replace("−", "-"))
