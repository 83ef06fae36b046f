"""A running server for tests in a browser, and people at its tables.

The content of its pages is checked by `browser.py`.
"""

from __future__ import annotations

import asyncio
import random
import socket
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import uvicorn

import atoll
from atoll.engine import record
from atoll.server.compose.app import create_app
from atoll.server.domain.model import Analysis, AnalysisState, Login, NewTable, Refused, SeatPlan, Settings, TableView
from atoll.server.domain.progress import LearningProgress
from atoll.server.domain.settings import ServerSettings
from atoll.server.http.session import cookie_name
from atoll.server.play import TableServices
from atoll.server.play.record_files import import_game

from .browser import LAN_NAME, wait_until
from .play import BrokenLaw

if TYPE_CHECKING:
    from playwright.sync_api import Page


def free_port() -> int:
    """Return a free port."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


class LiveServer:
    """A server in a thread of this process, so that a test can access its services.

    Attributes:
        port: Its port.
        url: Its URL for the browser.
    """

    def __init__(self, folder: Path, *, secure: bool = False, host: str = "", **settings: Any) -> None:
        """Set up a server without starting it.

        By default its pages come over plain HTTP from a host of the local network. Browsers disable
        functions in such pages, so a page that works there works everywhere.

        Args:
            folder: Folder of the database.
            secure: Whether browsers treat the pages as a secure context, with clipboard and push.
            host: Host name for the browser; "" for an address that fits `secure`.
            **settings: Fields of `ServerSettings`.
        """
        self.port: int = free_port()
        self.url: str = f"http://{host or ('127.0.0.1' if secure else LAN_NAME)}:{self.port}"
        usual: dict[str, Any] = {
            "port": self.port,
            "url": f"sqlite:///{folder}/live.db",
            "public_url": self.url,
            "secret": "for tests",
            "start_after_s": 3,
            "show_after_s": 3,
            "advice_seconds": 0.4,
            "analysis_seconds": 1.0,
            "limits": {"command": ""},  # tests answer faster than people
        }
        self._app = create_app(ServerSettings(**{**usual, **settings}))
        config = uvicorn.Config(self._app, port=self.port, log_level="warning", timeout_graceful_shutdown=1)
        self._server = uvicorn.Server(config)
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_until_complete, args=(self._server.serve(),), daemon=True)

    def start(self) -> None:
        """Start the server, and return when it accepts requests."""
        self._thread.start()
        while not self._server.started:
            time.sleep(0.02)

    def stop(self) -> None:
        """Stop the server, and return when it has ended."""
        self._server.should_exit = True
        self._thread.join(20)

    @property
    def tables(self) -> TableServices:
        """The services that the pages use."""
        tables: TableServices = self._app.state.tables
        return tables

    def ask(self, work: Any) -> Any:
        """Return the result of a service's coroutine that is run in the server's thread.

        Args:
            work: The coroutine.

        Raises:
            TimeoutError: If it takes more than 20 seconds.
        """
        return asyncio.run_coroutine_threadsafe(work, self._loop).result(20)

    def guest(self, name: str, **settings: Any) -> Login:
        """Return a new guest without a coach and without delays.

        Args:
            name: Name of the guest.
            **settings: Fields of `Settings`.
        """
        alone = LearningProgress(coach=dict.fromkeys(atoll.games, "off"))
        wanted = Settings(**{"pace": "off", **settings})
        login: Login = self.ask(self.tables.users.guest(name, wanted, learning=alone))
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
        """Create a table, and start it if all seats are taken.

        Args:
            login: The host.
            game: Id of the game.
            seats: Per seat: `me`, `device`, `open`, `invite`, or `bot` (the fastest level).
            options: Options that differ from their defaults; None for none.
            advice: Whether suggestions are allowed; None for the default.

        Returns:
            The id of the table.
        """
        level = self.tables.catalogue.levels(game)[0]
        plans = tuple(SeatPlan(each, bot=level if each == "bot" else "") for each in seats)  # type: ignore[arg-type]
        table: str = self.ask(
            self.tables.table_setup.create(login.user, NewTable(game, plans, options or {}, advice=advice))
        )
        if not {"open", "invite"} & set(seats):
            with suppress_started():
                self.ask(self.tables.table_setup.start(login.user, table))
        return table

    def view(self, login: Login | None, table: str, seat: int | None = None) -> TableView:
        """Return the view of a table.

        Args:
            login: The viewer; None for a spectator.
            table: Id of the table.
            seat: Seat to look from; None for the default.
        """
        found: TableView = self.ask(self.tables.table_views.table(login.user if login else None, table, seat=seat))
        return found

    def step(self, login: Login, table: str, seat: int, chooser: random.Random) -> None:
        """Make a random choice of a seat, or confirm its turn if possible.

        Args:
            login: The player.
            table: Id of the table.
            seat: The seat.
            chooser: Source of the choice.
        """
        turn = self.view(login, table, seat).turn
        assert turn is not None
        if turn.can_confirm:
            self.ask(self.tables.turns.confirm(login.user, table, seat, turn.stamp))
        else:
            self.ask(self.tables.turns.choose(login.user, table, seat, [chooser.choice(turn.texts)], turn.stamp))

    def analyzed(self, login: Login, table: str) -> Analysis:
        """Return the analysis of a finished game.

        Args:
            login: A player of the table.
            table: Id of the table.

        Returns:
            The analysis.

        Raises:
            TimeoutError: If it takes more than 60 seconds.
        """
        self.ask(self.tables.bot_analysis.analyse(login.user, table))
        deadline = time.monotonic() + 60
        while time.monotonic() < deadline:
            found: AnalysisState = self.ask(self.tables.bot_analysis.analysis(login.user, table))
            assert found.state != "failed"
            if found.analysis is not None:
                return found.analysis
            time.sleep(0.1)
        raise TimeoutError("no analysis")

    def import_random_game(self, game: str) -> str:
        """Import a finished random game, and return the id of its table."""
        position = atoll.games[game].new(atoll.games[game].seat_counts[0], seed=1)
        chooser = random.Random(1)
        while not position.over:
            position.apply(chooser.choice(position.legal_choices(position.to_move[0])), position.to_move[0])
        url = self.tables.store.url.render_as_string(hide_password=False)
        table: str = self.ask(import_game(url, record.write(position), atoll.games))
        return table

    def visit(self, page: Page, login: Login | None, path: str, *, scripts: bool = True) -> Page:
        """Open a page, and wait until its scripts are ready.

        Args:
            page: The browser page.
            login: The visitor; None for the current one.
            path: Path of the page.
            scripts: Whether scripts run; without them the page isn't waited for.

        Returns:
            The browser page.

        Raises:
            BrokenLaw: If the page has another status than 200 (404 for `/nowhere`).
        """
        if login is not None:
            page.context.add_cookies([{"name": cookie_name(self.tables), "value": login.token, "url": self.url}])
        answer = page.goto(self.url + path)
        status = answer.status if answer is not None else None
        if status != (404 if path == "/nowhere" else 200):
            raise BrokenLaw(f"the page {path} is answered by status {status}")
        if scripts:
            wait_until(page, "() => 'ready' in document.body.dataset")
        return page


@contextmanager
def suppress_started() -> Iterator[None]:
    """Ignore the refusal of a table that has already started automatically."""
    try:
        yield
    except Refused as refusal:
        if refusal.code != "started":
            raise


@contextmanager
def serving(folder: Path, *, secure: bool = False, host: str = "", **settings: Any) -> Iterator[LiveServer]:
    """Run a server.

    Args:
        folder: Folder of the database.
        secure: See `LiveServer`.
        host: See `LiveServer`.
        **settings: See `LiveServer`.

    Yields:
        The server.
    """
    server = LiveServer(folder, secure=secure, host=host, **settings)
    server.start()
    try:
        yield server
    finally:
        server.stop()
