"""The server in this process without a network: people's tables, pages, and fake connections."""

from __future__ import annotations

import asyncio
import contextlib
import gc
import logging
import random
import tempfile
import time
import zlib
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator, Mapping
from concurrent.futures import Executor, Future
from dataclasses import dataclass
from functools import partial
from typing import Any, Final, Literal

import msgspec
import pytest
import structlog
import uvicorn
from uvicorn.server import ServerState

import atoll
from atoll.server.bots.pool import BotPool
from atoll.server.compose.app import create_app
from atoll.server.compose.serving import tune_garbage_collector
from atoll.server.domain import wall_clock
from atoll.server.domain.limits import DEFAULTS
from atoll.server.domain.model import NewTable, SeatPlan, TableView, User
from atoll.server.domain.progress import LearningProgress
from atoll.server.domain.settings import ServerSettings
from atoll.server.http.connection import connection_class
from atoll.server.http.connection_limits import ConnectionLimits
from atoll.server.http.session import cookie_name
from atoll.server.play import TableServices
from atoll.store import database
from atoll.testing.shares import give_shares
from tests.draws import same_secrets

from .held import Held

_SHARE: Final = "ab" * 32
_CONFIRMS: Final = 0.5
_NOW_MS: Final = 1_750_000_000_000
_PLACES: Final = 100
_TABLES: Final = 12


class _Still(asyncio.SelectorEventLoop):
    """An event loop whose clock stands still, so that periodic work of the server isn't counted."""

    def time(self) -> float:
        """Return 0."""
        return 0.0


class _AtOnce(Executor):
    """A replacement of thread pools that runs work immediately, so that its order is fixed."""

    def __init__(self, *_: object, **__: object) -> None:
        """Accept the arguments of a thread pool."""

    def submit(self, work: Callable[..., Any], /, *args: Any, **named: Any) -> Future[Any]:
        """Run work, and return its future."""
        done: Future[Any] = Future()
        try:
            done.set_result(work(*args, **named))
        except Exception as error:
            done.set_exception(error)
        return done


@contextlib.contextmanager
def alone() -> Iterator[None]:
    """Run only requested work, in a fixed order: without threads, passing time, or warming bots."""

    async def nothing(_: BotPool) -> None:
        pass

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(database, "ThreadPoolExecutor", _AtOnce)
        patch.setattr(BotPool, "warm", nothing)
        for clock in ("now_ms", "machine_ms"):
            patch.setattr(wall_clock, clock, lambda: _NOW_MS)
        for clock in ("monotonic", "perf_counter"):
            patch.setattr(time, clock, lambda: 0.0)
        yield


def still(play: Callable[[], Coroutine[Any, Any, int]]) -> int:
    """Return the result of a coroutine that runs while all clocks stand still."""
    with alone(), asyncio.Runner(loop_factory=_Still) as runner:
        return runner.run(play())


@contextlib.contextmanager
def _quiet() -> Iterator[None]:
    before = structlog.get_config()
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.ERROR))
    try:
        yield
    finally:
        structlog.configure(**before)


@contextlib.contextmanager
def _spared() -> Iterator[None]:
    before = gc.get_threshold()
    tune_garbage_collector()
    try:
        yield
    finally:
        gc.set_threshold(*before)
        gc.unfreeze()


@contextlib.asynccontextmanager
async def served(**limits: str) -> AsyncIterator[Any]:
    """Provide the application on a database of its own, with fixed random numbers.

    Only errors are logged, and garbage is collected as rarely as in the server.

    Args:
        **limits: Rate limits by category; by default there are none.

    Yields:
        The application.
    """
    with tempfile.TemporaryDirectory() as folder, same_secrets("cost"), _quiet(), _spared():
        settings = ServerSettings(
            url=f"sqlite:///{folder}/x.db", bot_workers=1, limits={**dict.fromkeys(DEFAULTS, ""), **limits}
        )
        app = create_app(settings)
        async with app.router.lifespan_context(app):
            yield app


@dataclass
class Party:
    """People at a running table.

    Attributes:
        tables: The services.
        table: Id of the table.
        users: The players in the order of seats.
        tokens: Their session or API tokens.
    """

    tables: TableServices
    table: str
    users: list[User]
    tokens: list[str]

    async def click(self, rng: random.Random) -> bool:
        """Make one random click of a player who can act; return False when the game is over."""
        for user in self.users:
            view = await self.view(user)
            turn, seat = view.turn, view.seat
            if turn is None or seat is None or not (turn.legal or turn.can_confirm):
                continue
            if turn.can_confirm and (not turn.legal or rng.random() < _CONFIRMS):
                await self.tables.turns.confirm(user, self.table, seat, turn.stamp)
            else:
                await self.tables.turns.choose(user, self.table, seat, [rng.choice(turn.legal)], turn.stamp)
            return True
        return False

    async def view(self, user: User | None) -> TableView:
        """Return the table as a user, or a spectator, sees it."""
        return await self.tables.table_views.table(user, self.table)


async def party(app: Any, game: str, kind: Literal["session", "api"] = "session") -> Party:
    """Start a game with its `min_multiplayer_seats`.

    Args:
        app: The application.
        game: Id of the game.
        kind: Kind of the guests' tokens.

    Returns:
        The people at the table.
    """
    tables: TableServices = app.state.tables
    count = atoll.games[game].min_multiplayer_seats
    alone = LearningProgress(coach={game: "off"})
    logins = [await tables.users.guest(f"P{n}", kind=kind, learning=alone) for n in range(count)]
    users: list[User] = [login.user for login in logins]
    plans = (SeatPlan("me"), *[SeatPlan("open")] * (count - 1))
    table = await tables.table_setup.create(users[0], NewTable(game, plans))
    for seat in range(1, count):
        await tables.table_setup.join(users[seat], table, seat)
    await give_shares(tables, table)
    return Party(tables, table, users, [login.token for login in logins])


# -- pages -----------------------------------------------------------------------------------------


class Browser:
    """A person's page of a table.

    Attributes:
        version: Version of the page.
        seat: Seat whose view it shows; None for a spectator.
        ms: Processor time of the last answer, in milliseconds.
    """

    def __init__(self, app: Any, token: str = "") -> None:
        self._app: Any = app
        self._state: Mapping[str, Any] = {"tables": app.state.tables}
        self.version: str = ""
        self.seat: int | None = None
        self.ms: float = 0.0
        self._held: Held = Held()
        self._cookie: bytes = (
            f"{cookie_name(app.state.tables)}={token}" if token else f"{cookie_name(app.state.tables, 'pre')}=spectator"
        ).encode()

    async def get(self, path: str, *headers: tuple[bytes, bytes]) -> tuple[int, bytes]:
        """Return the number of bytes sent, and their decompressed content."""
        scope = {
            "type": "http",
            "asgi": {"version": "3.0"},
            "http_version": "1.1",
            "method": "GET",
            "scheme": "http",
            "path": path,
            "raw_path": path.encode(),
            "query_string": b"",
            "root_path": "",
            "headers": [(b"host", b"127.0.0.1"), (b"accept-encoding", b"gzip"), (b"cookie", self._cookie), *headers],
            "client": ("127.0.0.1", 1),
            "server": ("127.0.0.1", 80),
            "state": dict(self._state),
        }
        body: list[bytes] = []

        async def receive() -> dict[str, Any]:
            return {"type": "http.request", "body": b"", "more_body": False}

        async def send(message: Any) -> None:
            assert message.get("status", 200) == 200, message
            body.append(message.get("body", b""))

        begun = time.process_time()
        await self._app(scope, receive, send)
        self.ms = 1000 * (time.process_time() - begun)
        sent = b"".join(body)
        return len(sent), zlib.decompress(sent, 47) if sent[:2] == b"\x1f\x8b" else sent

    async def update(self, path: str) -> int:
        """Update the page, and return the number of bytes sent."""
        headers = [(b"x-fragments", self._held.fragments.encode())]
        if self._held.data:
            headers.append((b"x-since", str(self._held.data["sequence"]).encode()))
        sent, content = await self.get(path, *headers)
        self._held.take(content.decode())
        self.version, self.seat = self._held.data["version"], self._held.data["seat"]
        return sent


def updates(game: str, clicks: int, *, pages: bool) -> Callable[[], int]:
    """Return a function that makes random clicks, and updates all pages after each one.

    Args:
        game: Id of the game.
        clicks: Number of clicks.
        pages: Whether to update the pages; without them everything else is the same.

    Returns:
        A function that returns the number of updates.
    """

    async def play() -> int:
        count = 0
        async with served() as app:
            people = await party(app, game)
            browsers = [Browser(app, token) for token in (*people.tokens, "")]
            path = f"/t/{people.table}"
            for browser in browsers:
                await browser.update(path)
            assert [browser.seat for browser in browsers] == [*range(len(people.users)), None]
            rng = random.Random(1)
            for _ in range(clicks):
                if not await people.click(rng):
                    break
                for user, browser in zip([*people.users, None], browsers, strict=True):
                    version = (await people.view(user)).version
                    if pages and browser.version != version:
                        await browser.update(path)
                        count += 1
        return count

    return partial(still, play)


# -- the API over its connections ------------------------------------------------------------------


class Line:
    """The client's end of a connection, and the transport that the server writes to."""

    def __init__(self, make: Callable[[], Any], token: str) -> None:
        self._token: str = token
        self._got: bytearray = bytearray()
        self._news: asyncio.Event = asyncio.Event()
        self._protocol: Any = make()
        self._protocol.connection_made(self)

    def ask(self, method: str, path: str, body: Any = None) -> None:
        """Send a request."""
        data = b"" if body is None else msgspec.json.encode(body)
        head = f"{method} /api/v1{path} HTTP/1.1\r\nhost: 127.0.0.1\r\nauthorization: Bearer {self._token}\r\n"
        if data:
            head += f"content-type: application/json\r\ncontent-length: {len(data)}\r\n"
        self.send(f"{head}\r\n".encode() + data)

    def send(self, data: bytes) -> None:
        """Deliver bytes of the client."""
        self._protocol.data_received(data)

    def take(self) -> bytes:
        """Return the bytes received since the last call."""
        found, self._got = bytes(self._got), bytearray()
        return found

    async def until(self, text: bytes) -> None:
        """Wait for a text, and drop everything up to its end."""
        while (at := self._got.find(text)) < 0:
            self._news.clear()
            await self._news.wait()
        del self._got[: at + len(text)]

    def hang_up(self) -> None:
        """Close the connection from the client's side."""
        self._protocol.connection_lost(None)

    # -- transport of the server -------------------------------------------------------------------

    def write(self, data: bytes) -> None:
        """Receive bytes of the server."""
        self._got += data
        self._news.set()

    def get_extra_info(self, name: str, default: Any = None) -> Any:
        """Return the addresses of the connection."""
        return {"peername": ("127.0.0.1", 1), "sockname": ("127.0.0.1", 80)}.get(name, default)

    def get_write_buffer_size(self) -> int:
        """Return 0."""
        return 0

    def is_closing(self) -> bool:
        """Return False."""
        return False

    def pause_reading(self) -> None:
        """Do nothing."""

    def resume_reading(self) -> None:
        """Do nothing."""

    def close(self) -> None:
        """Do nothing."""


def protocol(app: Any) -> Callable[[], Any]:
    """Return the factory of the server's end of connections."""
    http: Any = connection_class(
        ConnectionLimits(_PLACES, _PLACES, lambda _: False),
        patience=30.0,
        head_bytes=16_384,
        message_bytes=1_000_000,
    )
    config = uvicorn.Config(app, http=http, ws="none", lifespan="off", log_config=None)
    config.load()
    return partial(http, config=config, server_state=ServerState(), app_state={})


def moves(rounds: int) -> Callable[[], int]:
    """Return a function that plays rounds of random moves through the API, one move per table.

    Each move is answered, and both players get their new view by their streams. Writes of
    simultaneous moves share transactions.

    Args:
        rounds: Number of rounds.

    Returns:
        A function that returns the number of moves.
    """

    async def play() -> int:
        async with served() as app:
            make = protocol(app)
            tables = [_Pair(await party(app, "atacama", "api"), make, number) for number in range(_TABLES)]
            for table in tables:
                await table.listen()
            for _ in range(rounds):
                await asyncio.gather(*[table.move() for table in tables])
            for table in tables:
                table.hang_up()
        return rounds * _TABLES

    return partial(still, play)


class _Pair:
    """Two players at a table, each with a connection for requests and one for the event stream."""

    def __init__(self, people: Party, make: Callable[[], Any], seed: int) -> None:
        self._people: Party = people
        self._streams: list[Line] = [Line(make, token) for token in people.tokens]
        self._lines: list[Line] = [Line(make, token) for token in people.tokens]
        self._rng: random.Random = random.Random(seed)

    async def listen(self) -> None:
        """Open the event streams."""
        for stream in self._streams:
            stream.ask("GET", "/events?views=true")
            await stream.until(b"event: lists")

    async def move(self) -> None:
        """Make a random move, and wait until both players see it."""
        table = self._people.table
        async with self._people.tables.executor.locked(table) as live:
            assert live.position is not None
            seat = live.position.to_move[0]
            choice, stamp = self._rng.choice(live.position.legal_choices(seat)), live.stamp(seat)
        body = {"choices": [choice], "stamp": stamp, "key": self._rng.randbytes(8).hex()}
        self._lines[seat].ask("POST", f"/tables/{table}/seats/{seat}/apply", body)
        await self._lines[seat].until(b"HTTP/1.1 200")
        for stream in self._streams:
            await stream.until(b"event: table")

    def hang_up(self) -> None:
        """Close all connections."""
        for line in (*self._streams, *self._lines):
            line.hang_up()
