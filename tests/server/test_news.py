"""Event streams: small events for the readers concerned, recovery of broken streams, and polling."""

import asyncio
import contextlib
import json
import socket
import threading
import time
from collections.abc import AsyncIterator, Iterator
from types import SimpleNamespace
from typing import Any
from urllib.parse import urlsplit

import httpx2
import msgspec
import pytest

from atoll.server.compose import app
from atoll.server.play import subscriptions
from atoll.server.play.subscriptions import EventHub, Subscription

from .conftest import Room, opened
from .serving import Player, Server, serving, together

pytestmark = pytest.mark.anyio


async def _news(stream: Subscription) -> tuple[dict[str, str], bool]:
    return await stream.take(0.5)


async def test_a_stream_is_told_of_its_tables_and_of_no_others(room: Room) -> None:
    ada, eve = await room.person("Ada"), await room.person("Eve")
    mine = await room.tables.updates.open_stream(ada, [])
    theirs = await room.tables.updates.open_stream(eve, [])
    await _news(mine)
    await _news(theirs)
    table = await room.table("atacama", "Ada", "Bob")
    tables, lists = await _news(mine)
    assert tables == {table: (await room.view("Ada", table)).version} and lists
    assert await _news(theirs) == ({}, False)
    watching = await room.tables.updates.open_stream(eve, [table, "nonexistent"])
    assert (await _news(watching))[0] == {table: (await room.view("Eve", table)).version}
    await room.play(table, "Ada", "Bob", most=1)
    for stream, name in ((mine, "Ada"), (watching, "Eve")):
        assert (await _news(stream))[0] == {table: (await room.view(name, table)).version}


async def test_staging_is_told_to_its_own_person_only(room: Room) -> None:
    table = await room.table("toy", "Ada", "Bob")
    streams = {}
    for name in ("Ada", "Bob", "Eve"):
        streams[name] = await room.tables.updates.open_stream(await room.person(name), [table])
        await _news(streams[name])
    turn = (await room.view("Ada", table)).turn
    assert turn is not None
    done = await room.tables.turns.choose(room.people["Ada"], table, 0, ["wish pink"], turn.stamp, confirm=False)
    assert await _news(streams["Ada"]) == ({table: done.version}, False)
    assert await _news(streams["Bob"]) == await _news(streams["Eve"]) == ({}, False)


async def test_a_private_table_cannot_be_watched(room: Room) -> None:
    table = await room.table("atacama", "Ada", "bot:beginner", visibility="private")
    stream = await room.tables.updates.open_stream(await room.person("Eve"), [table])
    assert (await _news(stream))[0] == {}
    await room.tables.bot_turns.play(table)
    await room.play(table, "Ada", most=1)
    assert (await _news(stream))[0] == {}


@pytest.mark.source  # constants of compiled modules can't be replaced
async def test_pages_hear_who_is_at_their_table(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(subscriptions, "_GONE_S", 0.05)
    table, updates, hub = await room.table("atacama", "Ada", "Bob"), room.tables.updates, room.tables.hub
    ada, bob, eve = [await room.person(name) for name in ("Ada", "Bob", "Eve")]
    mine = await updates.open_stream(ada, [table], is_page=True)
    assert mine.take_here() == {table} and await updates.others_at(ada, table) == ()
    await updates.open_stream(bob, [table])
    elsewhere = await updates.open_stream(bob, [], is_page=True)
    assert not mine.take_here() and await updates.others_at(ada, table) == (), "a program, and another page"
    page = await updates.open_stream(bob, [table], is_page=True)
    assert mine.take_here() == {table}
    assert [await updates.others_at(who, table) for who in (ada, bob, eve, None)] == [(1,), (0,), (0, 1), (0, 1)]
    hub.remove(page)
    page = await updates.open_stream(bob, [table], is_page=True)
    await asyncio.sleep(0.1)
    assert not mine.take_here() and await updates.others_at(ada, table) == (1,), "the page was only reloaded"
    hub.remove(page)
    assert await updates.others_at(ada, table) == (1,)
    await asyncio.sleep(0.1)
    assert mine.take_here() == {table} and await updates.others_at(ada, table) == ()
    hidden = await room.tables.users.set_settings(bob, msgspec.structs.replace(bob.settings, presence=False))
    assert elsewhere.ended, "the next streams know the setting"
    await updates.open_stream(hidden, [table], is_page=True)
    assert not mine.take_here() and await updates.others_at(ada, table) == ()


async def test_many_changes_wait_as_one(room: Room) -> None:
    """A slow reader costs nothing: only the newest version of each table waits."""
    table = await room.table("atacama", "Ada", "Bob")
    stream = await room.tables.updates.open_stream(None, [table])
    await room.play(table, "Ada", "Bob", most=10)
    tables, _ = await _news(stream)
    assert tables == {table: (await room.view(None, table)).version}
    assert (await _news(stream))[0] == {}


@pytest.mark.source  # methods of compiled classes can't be replaced
@pytest.mark.parametrize("name", ["Ada", "Eve"])
async def test_nothing_is_missed_while_a_stream_opens(room: Room, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A move is made after the table's version was read, and before the stream is open.

    It is made at the reader's own table and at a watched one.
    """
    table, other = await room.table("atacama", "Ada", "Bob"), await room.table("atacama", "Ada", "Bob")
    who = await room.person(name)
    executor = room.tables.executor
    held = executor.locked
    moved = False

    @contextlib.asynccontextmanager
    async def slowly(asked: str) -> AsyncIterator[Any]:
        nonlocal moved
        if asked == watch[-1] and not moved:
            moved = True
            await room.play(table, "Ada", "Bob", most=1)
        async with held(asked) as live:
            yield live

    if name == "Ada":
        other = await room.table("atacama", "Bob", "Eve")
    watch = [table, other]
    with monkeypatch.context() as patch:
        patch.setattr(executor, "locked", slowly)
        stream = await room.tables.updates.open_stream(who, watch)
    assert moved
    assert (await _news(stream))[0][table] == (await room.view(name, table)).version


@pytest.mark.source  # methods of compiled classes can't be replaced
async def test_a_private_table_is_not_heard_of_while_a_stream_opens(
    room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = await room.table("atacama", "Ada", "bot:beginner", visibility="private")
    eve = await room.person("Eve")
    versions = room.tables.updates.versions

    async def slowly(*asked: Any) -> dict[str, str]:
        found = await versions(*asked)
        await room.tables.bot_turns.play(table)
        await room.play(table, "Ada", most=1)
        return found

    monkeypatch.setattr(room.tables.updates, "versions", slowly)
    stream = await room.tables.updates.open_stream(eve, [table])
    assert (await _news(stream))[0] == {}


async def test_a_stream_begins_with_all_versions(room: Room) -> None:
    """A reader who comes back has missed nothing, and no message counts what others have done meanwhile."""
    table = await room.table("atacama", "Ada", "Bob")
    hub: EventHub = room.tables.hub
    for _ in range(2):
        stream = await room.tables.updates.open_stream(room.people["Ada"], [])
        assert await _news(stream) == ({table: (await room.view("Ada", table)).version}, True)
        hub.remove(stream)
        await room.play(table, "Ada", "Bob", most=1)
    assert len(hub) == 0 and not hub.is_here(room.people["Ada"].id)


async def test_streams_end_when_the_server_listens_again() -> None:
    hub, known = EventHub(), []
    streams = [Subscription("u1", ["t1"]), Subscription(None, ["t1"])]
    for each in streams:
        hub.add(each)
    ended = asyncio.Event()

    @contextlib.asynccontextmanager
    async def listening(_heard: Any) -> AsyncIterator[asyncio.Event]:
        yield ended

    executor = SimpleNamespace(handle_notification=None, invalidate_all=lambda: known.append("tables"))
    tables: Any = SimpleNamespace(executor=executor, hub=hub)
    bus: Any = SimpleNamespace(listening=listening)
    task = asyncio.create_task(app._listen(tables, bus))
    try:
        async with asyncio.timeout(10):
            for each in streams:
                while not each.ended:
                    await each.take(1)
        later = Subscription("u1", ["t1"])
        hub.add(later)
        assert known == ["tables"] and not later.ended
        ended.set()
        async with asyncio.timeout(10):
            while not later.ended:
                await later.take(1)
    finally:
        task.cancel()


async def test_servers_on_postgresql_push_each_others_changes(postgres_url: str) -> None:
    async with (
        opened(postgres_url) as one,
        opened(postgres_url) as two,
        two.bus.listening(two.tables.executor.handle_notification),
    ):
        table = await one.table("atacama", "Ada", "Bob")
        two.people = one.people
        await two.view("Ada", table)
        stream = await two.tables.updates.open_stream(one.people["Ada"], [])
        await stream.take(1)
        await one.play(table, "Ada", "Bob", most=3)
        version = (await one.view("Ada", table)).version
        async with asyncio.timeout(10):
            while version not in (await stream.take(1))[0].values():
                pass
        # No waiting for the trust in memory to end: the notice was enough.
        assert (await two.view("Ada", table)).version == version


# -- over HTTP -----------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """One server for the tests of this file that only read and play."""
    with serving(f"sqlite:///{tmp_path_factory.mktemp('push')}/atoll.db", slow_s=2.0, streams_per_address=30) as found:
        yield found


class Listener:
    """A stream that is read in a thread."""

    def __init__(self, server: Server, query: str = "", headers: dict[str, str] | None = None) -> None:
        self.messages: list[dict[str, str]] = []
        self._news = threading.Condition()
        self._client = httpx2.Client(timeout=60)
        self._response = self._client.send(
            self._client.build_request("GET", f"{server.base}{query}", headers=headers or {}), stream=True
        )
        assert self._response.status_code == 200
        assert self._response.headers["content-type"].startswith("text/event-stream")
        self._thread = threading.Thread(target=self._read, daemon=True)
        self._thread.start()

    def _read(self) -> None:
        message: dict[str, str] = {}
        try:
            for line in self._response.iter_lines():
                if line:
                    name, _, value = line.partition(":")
                    message[name or "comment"] = value.strip()
                    continue
                with self._news:
                    self.messages.append(message)
                    self._news.notify_all()
                message = {}
        except (httpx2.HTTPError, httpx2.StreamError):
            pass

    def news(self, table: str) -> list[dict[str, Any]]:
        """Return the messages about a table."""
        told = [json.loads(message["data"]) for message in self.messages if message.get("event") == "table"]
        return [each for each in told if each["game"] == table]

    def wait(self, table: str, version: str) -> dict[str, Any]:
        """The news of this version, once it is there."""

        def told() -> list[dict[str, Any]]:
            return [each for each in self.news(table) if each["version"] == version]

        with self._news:
            assert self._news.wait_for(told, 20), self.messages
            return told()[-1]

    def close(self) -> None:
        # The thread is reading: closing alone would wait for it.
        with contextlib.suppress(OSError):
            self._response.extensions["network_stream"].get_extra_info("socket").shutdown(socket.SHUT_RDWR)
        self._thread.join()
        self._response.close()
        self._client.close()


def _act(player: Player, table: str, seat: int) -> dict[str, Any] | None:
    turn = player.get(f"/tables/{table}/seats/{seat}/legal")["turn"]
    if turn is None:
        return None
    done: dict[str, Any] = player.post(
        f"/tables/{table}/seats/{seat}/apply", {"choices": [turn["legal"][0]], "stamp": turn["stamp"]}
    )
    return done


def test_a_move_reaches_the_others_streams(server: Server) -> None:
    table, players = together(server, "atacama", "Ada", "Bob")
    listeners = [Listener(server, "/api/v1/events", {"authorization": f"Bearer {player.token}"}) for player in players]
    spectator = Listener(server, f"/events?watch={table}")
    for _ in range(4):
        for seat, player in enumerate(players):
            _act(player, table, seat)
    for player, listener in zip(players, listeners, strict=True):
        listener.wait(table, player.get(f"/tables/{table}")["version"])
    spectator.wait(table, httpx2.get(f"{server.base}/api/v1/tables/{table}").json()["version"])
    assert all(news.keys() == {"game", "version"} for news in spectator.news(table))
    assert all("id" not in message for message in spectator.messages), "an id would count what others do in private"
    for listener in (*listeners, spectator):
        listener.close()


def test_a_stream_can_bring_each_reader_its_own_view(server: Server) -> None:
    """With each change, as the reader would get it by asking; without log and chat."""
    table, players = together(server, "raiatea", "Ada", "Bob", "Cy")
    listeners = [
        Listener(server, "/api/v1/events?views=true", {"authorization": f"Bearer {player.token}"}) for player in players
    ]
    listeners.append(Listener(server, f"/api/v1/events?views=true&watch={table}"))
    for _ in range(3):
        for seat, player in enumerate(players):
            _act(player, table, seat)
    seen = []
    for reader, listener in zip([*players, None], listeners, strict=True):
        headers = {} if reader is None else {"authorization": f"Bearer {reader.token}"}
        path = f"{server.base}/api/v1/tables/{table}?log=1000000&chat=1000000"
        asked = httpx2.get(path, headers=headers).json()
        assert listener.wait(table, asked["version"])["view"] == asked
        seen.append(asked["view"])
    assert [view["viewer"] for view in seen] == [0, 1, 2, None]
    for listener in listeners:
        listener.close()


def test_polling_gives_the_same_versions_and_304_without_change(server: Server) -> None:
    table, players = together(server, "atacama", "Ada", "Bob")
    with httpx2.Client(base_url=server.base) as client:
        first = client.get("/events/poll", params={"watch": table})
        assert first.json() == {"tables": {table: client.get(f"/api/v1/tables/{table}").json()["version"]}}
        same = client.get("/events/poll", params={"watch": table}, headers={"if-none-match": first.headers["etag"]})
        assert same.status_code == 304 and same.content == b""
        for seat, player in enumerate(players):
            _act(player, table, seat)
        later = client.get("/events/poll", params={"watch": table}, headers={"if-none-match": first.headers["etag"]})
        assert later.status_code == 200 and later.json() != first.json()
    for player in players:
        assert player.get("/versions")["tables"][table] == player.get(f"/tables/{table}")["version"]


def _opened(server: Server, query: str) -> Listener:
    """A stream, as soon as there is room for it: that others have gone is noticed a little later."""
    until = time.monotonic() + 20
    while True:
        try:
            return Listener(server, query)
        except AssertionError:
            assert time.monotonic() < until
            time.sleep(0.2)


def test_streams_of_one_address_are_bounded(server: Server) -> None:
    listeners = [_opened(server, "/events?watch=lobby") for _ in range(30)]
    for path in ("/events", "/api/v1/events"):
        refused = httpx2.get(f"{server.base}{path}")
        assert refused.status_code == 503 and int(refused.headers["retry-after"]) > 0
    for listener in listeners:
        listener.close()
    _opened(server, "/events").close()


def _raw(server: Server) -> socket.socket:
    parts = urlsplit(server.base)
    return socket.create_connection((parts.hostname or "", parts.port or 0), timeout=20)


def _ends(connection: socket.socket) -> bytes:
    """Return the bytes until the server closes the connection."""
    parts = []
    while part := connection.recv(65536):
        parts.append(part)
    return b"".join(parts)


def test_a_client_that_dawdles_over_its_request_is_let_go(server: Server) -> None:
    with contextlib.ExitStack() as opened:
        started = time.monotonic()
        connections = [opened.enter_context(_raw(server)) for _ in range(3)]
        for connection, begun in zip(connections, (b"", b"GET / HTTP/1.1\r\nhost: 127.0.0.1\r\n", b"GE"), strict=True):
            connection.sendall(begun)
        for connection in connections:
            assert _ends(connection) == b""
            assert 1 < time.monotonic() - started < 30


def test_a_client_that_dawdles_over_its_body_is_let_go(server: Server) -> None:
    with _raw(server) as connection:
        connection.sendall(
            b"POST /api/v1/guests HTTP/1.1\r\nhost: 127.0.0.1\r\n"
            b"content-type: application/json\r\ncontent-length: 99\r\n\r\n{"
        )
        started = time.monotonic()
        assert connection.recv(65536).startswith(b"HTTP/1.1 408 ")
        assert 1 < time.monotonic() - started < 30


def _ask_for_more_than_fits(connection: socket.socket, count: int = 300) -> int:
    """Send requests whose answers fill all buffers on the way, and return their number."""
    connection.sendall(count * b"GET /api/v1/openapi.json HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n")
    return count


def test_a_client_that_takes_nothing_of_its_answers_is_let_go(server: Server) -> None:
    with _raw(server) as connection:
        asked = _ask_for_more_than_fits(connection)
        time.sleep(6)
        assert 0 < _ends(connection).count(b"HTTP/1.1 200 OK") < asked


def test_a_client_that_takes_its_answers_slowly_gets_them(server: Server) -> None:
    with _raw(server) as connection:
        asked = _ask_for_more_than_fits(connection, 150)
        begins, end, answered = b"HTTP/1.1 200 OK", b"", 0
        while answered < asked:
            time.sleep(0.8)
            taken = 0
            while taken < 6_000_000 and answered < asked:
                more = connection.recv(1 << 20)
                assert more
                taken += len(more)
                answered += (end + more).count(begins)
                end = more[1 - len(begins) :]  # it may lie across two parts


def test_one_browser_with_many_tabs_and_a_dead_reader_slows_nobody(server: Server) -> None:
    """Streams without a reader stay open meanwhile; a move still reaches the one reader."""
    table, players = together(server, "atacama", "Ada", "Bob")
    dead = [_raw(server) for _ in range(12)]
    for connection in dead:
        connection.sendall(f"GET /events?watch={table} HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n".encode())
    listener = Listener(server, f"/events?watch={table}")
    for _ in range(5):
        for seat, player in enumerate(players):
            _act(player, table, seat)
    listener.wait(table, httpx2.get(f"{server.base}/api/v1/tables/{table}").json()["version"])
    for connection in dead:
        connection.close()
    listener.close()
