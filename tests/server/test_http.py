"""Connections: how many there may be, how long a request's head, and who has to go."""

import asyncio
import contextlib
import resource
from collections.abc import AsyncIterator, Callable, Iterator
from typing import Any

import pytest
import uvicorn
from structlog.testing import capture_logs
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol
from uvicorn.server import ServerState

from atoll.server.http.connection import PRIVATE_NAMES, connection_class
from atoll.server.http.connection_limits import RESERVED_FILES, ConnectionLimits, raise_file_limit
from atoll.server.http.session import address_key

pytestmark = pytest.mark.anyio

Connect = Callable[[], Any]
HEAD = b"GET / HTTP/1.1\r\nhost: x\r\n"


async def app(scope: Any, receive: Any, send: Any) -> None:
    """Answers when the request is there; `/wait` never does."""
    while scope["method"] == "POST" and (await receive()).get("more_body"):
        pass
    if scope["path"] == "/wait":
        await asyncio.Event().wait()
    await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"2")]})
    await send({"type": "http.response.body", "body": b"ok"})


@contextlib.asynccontextmanager
async def listening(most: int = 10, per_address: int = 10, *, proxy: bool = False) -> AsyncIterator[Connect]:
    """A server on loopback; gives what connects to it."""
    kind = connection_class(
        ConnectionLimits(most, per_address, lambda host: proxy),
        patience=5.0,
        head_bytes=2000,
        message_bytes=100_000,
    )
    config = uvicorn.Config(app, http=kind, ws="none", log_config=None)
    config.load()
    state = ServerState()
    loop = asyncio.get_running_loop()
    server = await loop.create_server(
        lambda: kind(config=config, server_state=state, app_state={}, _loop=loop), "127.0.0.1", 0
    )
    writers: list[asyncio.StreamWriter] = []

    async def connect() -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        reader, writer = await asyncio.open_connection("127.0.0.1", server.sockets[0].getsockname()[1])
        writers.append(writer)
        return reader, writer

    try:
        yield connect
    finally:
        for writer in writers:
            writer.close()
        for task in state.tasks:
            task.cancel()
        server.close()


async def asked(connection: Any, request: bytes = HEAD + b"\r\n") -> bytes:
    """The status line of the answer; empty if the connection was closed."""
    reader, writer = connection
    with contextlib.suppress(ConnectionError):
        writer.write(request)
        await writer.drain()
        async with asyncio.timeout(10):
            line: bytes = await reader.readline()
            if line:
                await reader.readuntil(b"ok")
            return line
    return b""


class _Set(asyncio.SelectorEventLoop):
    """A loop whose clock is set by hand."""

    now = 0.0

    def time(self) -> float:
        return self.now

    def until(self, now: float) -> None:
        """All that is due by then happens."""
        self.now = now
        for _ in range(5):
            self.run_until_complete(asyncio.sleep(0))


class _Wire:
    """A transport that stores the bytes that a connection writes."""

    sent = b""
    closed = False

    def get_extra_info(self, name: str, default: Any = None) -> Any:
        return {"peername": ("127.0.0.1", 1), "sockname": ("127.0.0.1", 80)}.get(name, default)

    def write(self, data: bytes) -> None:
        self.sent += data

    def is_closing(self) -> bool:
        return self.closed

    def close(self) -> None:
        self.closed = True

    def pause_reading(self) -> None:
        pass

    def resume_reading(self) -> None:
        pass


@pytest.fixture
def waiting() -> Iterator[tuple[_Set, Any, _Wire]]:
    """Provide a new connection with its loop and its transport.

    It waits 5 s for a request, and 8 s for further ones.
    """
    bounds = {"patience": 5.0, "head_bytes": 2000, "message_bytes": 9000}
    kind: Any = connection_class(ConnectionLimits(9, 9, lambda host: False), **bounds)  # type: ignore[arg-type]
    config = uvicorn.Config(app, http=kind, ws="none", log_config=None, timeout_keep_alive=8)
    config.load()
    loop, wire = _Set(), _Wire()
    connection = kind(config=config, server_state=ServerState(), app_state={}, _loop=loop)
    connection.connection_made(wire)
    yield loop, connection, wire
    loop.close()


def test_who_has_an_answer_may_wait_longer_than_who_has_begun_a_request(waiting: tuple[_Set, Any, _Wire]) -> None:
    loop, connection, wire = waiting
    for now in (4.0, 11.0, 18.0):
        loop.until(now)
        assert not wire.closed
        connection.data_received(HEAD + b"\r\n")
        loop.until(now + 0.5)
        assert wire.sent.endswith(b"ok")
        wire.sent = b""
    loop.until(26.4)
    assert not wire.closed
    loop.until(26.6)
    assert wire.closed


def test_who_has_begun_a_request_is_not_given_time_by_sending_more_of_it(waiting: tuple[_Set, Any, _Wire]) -> None:
    loop, connection, wire = waiting
    connection.data_received(HEAD + b"\r\n")
    loop.until(1.0)
    assert wire.sent.endswith(b"ok")
    for now in (2.0, 4.0, 6.9):
        loop.until(now)
        assert not wire.closed
        connection.data_received(b"G" if now == 2.0 else b"E")
    loop.until(7.1)
    assert wire.closed


def test_who_waits_for_an_answer_is_not_let_go(waiting: tuple[_Set, Any, _Wire]) -> None:
    loop, connection, wire = waiting
    connection.data_received(b"GET /wait HTTP/1.1\r\nhost: x\r\n\r\n")
    for now in (6.0, 30.0, 90.0):
        loop.until(now)
        assert not wire.closed
    connection.tasks.pop().cancel()
    with capture_logs():
        loop.until(91.0)


async def test_the_oldest_idle_connection_makes_room_for_a_new_one() -> None:
    with capture_logs() as logs:
        async with listening(per_address=3) as connect:
            held = [await connect() for _ in range(3)]
            for each in held:
                assert await asked(each) == b"HTTP/1.1 200 OK\r\n"
            assert await asked(held[0])  # which makes it the newest
            held[2][1].write(b"GET /wait HTTP/1.1\r\nhost: x\r\n\r\n")
            await asyncio.sleep(0.05)
            new = [await connect() for _ in range(50)]
            assert await asked(new[-1]) == b"HTTP/1.1 200 OK\r\n"
            assert await asked(held[1]) == b"", "idle for the longest time"
            assert not held[2][0].at_eof(), "it is being answered"
    assert [each["event"] for each in logs] == ["connections run out"], "said once, not for each"


async def test_where_all_are_busy_a_new_one_has_no_room() -> None:
    async with listening(per_address=3) as connect:
        for _ in range(3):
            _, writer = await connect()
            writer.write(b"GET /wait HTTP/1.1\r\nhost: x\r\n\r\n")
            await writer.drain()
        await asyncio.sleep(0.05)
        assert await asked(await connect()) == b""


async def test_behind_a_proxy_only_all_together_count() -> None:
    async with listening(most=5, per_address=2, proxy=True) as connect:
        held = [await connect() for _ in range(5)]
        for each in held:
            assert await asked(each)
        assert await asked(await connect())
        assert await asked(held[0]) == b""


class Held:
    """Somebody with a connection."""

    gone = False

    def close_idle(self) -> None:
        """Close the connection."""
        self.gone = True


def test_of_all_who_are_idle_the_one_of_the_busiest_address_goes() -> None:
    places = ConnectionLimits(10, 10, lambda host: False)
    few, many = [Held(), Held()], [Held() for _ in range(8)]
    for each in few:
        assert places.add(each, "10.0.0.1")
    for number, each in enumerate(many):
        assert places.add(each, f"2001:db8::{number:x}")
    assert places.add(Held(), "10.0.0.9")
    assert [each.gone for each in (*few, *many)] == [False, False, True, *[False] * 7]


def test_places_are_given_back() -> None:
    places = ConnectionLimits(2, 2, lambda host: False)
    for _ in range(10):
        guest = Held()
        assert places.add(guest, "10.0.0.1")
        places.mark_busy(guest)
        places.mark_idle(guest)
        places.remove(guest)
        places.remove(guest)
    one, two = Held(), Held()
    assert places.add(one, "10.0.0.1") and places.add(two, "10.0.0.1")
    assert not one.gone and not two.gone


@pytest.mark.parametrize(
    "request_",
    [
        b"GET /" + b"x" * 3000 + b" HTTP/1.1\r\nhost: x\r\n\r\n",
        HEAD + b"a: " + b"x" * 3000 + b"\r\n\r\n",
        HEAD + b"".join(b"a%d: x\r\n" % each for each in range(1000)) + b"\r\n",
    ],
)
async def test_a_long_head_is_refused(request_: bytes) -> None:
    async with listening() as connect:
        reader, writer = await connect()
        writer.write(request_)
        assert (await reader.readline()).startswith(b"HTTP/1.1 431 ")
        assert await reader.read() != b"", "and the connection is closed"


@pytest.mark.parametrize(
    "start",
    [
        b"GET /",
        HEAD + b"a: ",
        b"POST / HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\n0\r\ntrailer: ",
        b"POST / HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\n2;extension=",
    ],
)
async def test_what_never_ends_is_cut_off(start: bytes) -> None:
    async with listening() as connect:
        reader, writer = await connect()
        writer.write(start)
        sent = 0
        with contextlib.suppress(ConnectionError):
            while sent < 60_000_000 and not reader.at_eof():
                writer.write(b"x" * 65_536)
                await writer.drain()
                await asyncio.sleep(0)
                sent += 65_536
        assert sent < 20_000_000


async def test_a_body_in_small_chunks_arrives() -> None:
    async with listening() as connect:
        reader, writer = await connect()
        writer.write(b"POST / HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\n")
        for _ in range(10):
            writer.write(b"1\r\nx\r\n" * 1000)
            await writer.drain()
        writer.write(b"0\r\n\r\n")
        assert await reader.readline() == b"HTTP/1.1 200 OK\r\n"


@pytest.fixture
def files() -> Iterator[None]:
    """The limit of open files is as it was afterwards."""
    before = resource.getrlimit(resource.RLIMIT_NOFILE)
    yield
    resource.setrlimit(resource.RLIMIT_NOFILE, before)


@pytest.mark.usefixtures("files")
def test_the_limit_of_open_files_is_raised_to_what_is_allowed() -> None:
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (512, hard))
    allowed = raise_file_limit()
    assert allowed == resource.getrlimit(resource.RLIMIT_NOFILE)[0] == min(hard, 65_536)
    assert allowed > RESERVED_FILES


@pytest.mark.parametrize(
    ("host", "counted"),
    [
        ("192.0.2.7", "192.0.2.7"),
        ("::ffff:192.0.2.7", "192.0.2.7"),
        ("2001:db8::1", "2001:db8::/64"),
        ("2001:0db8:0:0::2", "2001:db8::/64"),
        ("2001:db8:0:0:ffff:ffff:ffff:ffff", "2001:db8::/64"),
        ("2001:db8:0:1::1", "2001:db8:0:1::/64"),
        ("fe80::1%eth0", "fe80::/64"),
        ("::1", "::/64"),
        ("unknown", "unknown"),
    ],
)
def test_an_address_counts_as_its_network(host: str, counted: str) -> None:
    assert address_key(host) == counted


def test_uvicorn_has_the_private_names_that_a_connection_uses() -> None:
    config = uvicorn.Config(app, ws="none", log_config=None)
    config.load()
    with contextlib.closing(asyncio.new_event_loop()) as loop:
        protocol: Any = HttpToolsProtocol(config=config, server_state=ServerState(), app_state={}, _loop=loop)
        protocol.connection_made(_Wire())
        assert [name for name in PRIVATE_NAMES if not hasattr(protocol, name)] == []
        protocol.data_received(b"GET /wait HTTP/1.1\r\nhost: x\r\n\r\n")
        assert protocol.cycle.response_complete is False
        for task in protocol.tasks:
            task.cancel()
        loop.run_until_complete(asyncio.sleep(0))
