"""Measures the server under load: many tables over HTTP, each move pushed to both players.

    make load                                   # 10, 100 and 400 tables, as fast as they go
    make load ARGS="--tables 400 --pace 0.5"    # 400 tables at half a move a second each
    make load ARGS="--pages --game wutaki --pace 0.5 --tables 20"   # as pages do: load_pages.py
    make load ARGS="--servers 4 --router"       # four servers, PostgreSQL, and nginx by table
    make load ARGS="--servers 4 --router --kill"   # one of them is killed meanwhile
    make load ARGS="--servers 4 --router --plant 1"   # with a million other tables: plant.py
    make load ARGS=--peer                       # boardgame.io in the same way (needs node and npm)

A new server on loopback uses a database in a temporary folder; both are removed at the end. At each
table two people play Atacama through the JSON API. Each has a connection for requests and an event
stream with the views.

`answered` is the time from sending a move to its answer, when it is stored. `update` is the time
until the other player has the new view. With --fetch the stream only reports changes, and the other
player requests the view, as browsers do. `per move` is the processor time of server and load, which
matters more than the clock on a busy machine.

Several servers share a PostgreSQL database (--url, or a temporary one) behind nginx. Without
--router, nginx sends each request to any server. The processor time is that of all servers,
without nginx and PostgreSQL. With --kill one server is killed after a third of the time; each
request is repeated until it is answered. The run fails if a record lacks an acknowledged move, or
if a stream is away for more than five seconds. With --pin the servers share one core and everything
else has the others, so that the processor time per move can be compared on a machine with few
cores.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import os
import random
import resource
import secrets
import shutil
import subprocess
import tempfile
import time
from collections.abc import Awaitable, Callable, Sequence, Set
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, Final

import msgspec

import atoll
from atoll.store import Store
from atoll.testing.shares import seal_body, share_body
from scripts.soak import lacking

from .load_pages import measure_pages
from .loaded import RETRY_S, Cluster, Events, Process, Requests, Served, Unavailable, atoll_server, percentile
from .plant import plant, postgres

try:
    from uvloop import run
except ImportError:
    from asyncio import run

_PEER: Final = Path(__file__).parents[1] / "build" / "boardgame_io"
_HEADING: Final = (
    "tables seats streams  moves/s   answered p50/p99     update p50/p99     memory   per move: server, load"
)
_LINE: Final = (
    "{tables:6d} {seats:5d} {streams:7d} {moves_per_second:8.0f} {answered_p50_ms:8.1f} /{answered_p99_ms:7.1f}"
    " {update_p50_ms:8.1f} /{update_p99_ms:7.1f} ms {memory_mib:6.0f} MiB"
    " {server_ms_per_move:10.2f}, {load_ms_per_move:.2f} ms"
)
_PAGES_HEADING: Final = (
    "game       tables seats watch  moves/s updates/s   answered p50/p99     update p50/p99   bytes   memory, per table"
    "   core   per move, per update: server"
)
_PAGES_LINE: Final = (
    "{game:10s} {tables:6d} {seats:5d} {spectators:5d} {moves_per_second:8.1f} {updates_per_second:9.1f}"
    " {answered_p50_ms:8.1f} /{answered_p99_ms:7.1f} {update_p50_ms:8.1f} /{update_p99_ms:7.1f} ms"
    " {bytes_per_update:6.0f} {memory_mib:5.0f}, {memory_mib_per_table:.2f} MiB {server_load:6.2f}"
    " {server_ms_per_move:8.2f}, {server_ms_per_update:.2f} ms"
)
_MOST_TABLES: Final = 1000
_MOST_SERVERS: Final = 20
_MOST_SECONDS: Final = 120.0
_PATIENCE_S: Final = 30.0
_BROWSER_WAITS_S: Final = 2.0
"""Time after which a browser opens a lost stream again; the server's `retry` says so."""
_BACK_S: Final = 5.0
"""Longest permitted absence of a stream whose server was killed."""


class _Turn(msgspec.Struct):
    stamp: str
    legal: list[int]
    texts: list[str]


class _Seat(msgspec.Struct):
    seat: int
    to_move: bool


class _View(msgspec.Struct):
    version: str
    status: str
    seats: list[_Seat]
    turn: _Turn | None


class _News(msgspec.Struct):
    game: str
    version: str
    view: _View | None = None


_read_view: Final = msgspec.json.Decoder(_View).decode
_read_news: Final = msgspec.json.Decoder(_News).decode


@dataclass(slots=True)
class Measured:
    """The times measured after all tables have begun.

    Attributes:
        to_begin: Number of tables that haven't begun yet.
        begun: Set when all tables have begun.
        running: Whether times are recorded.
        answered: Seconds until moves were answered.
        updated: Seconds until the other player had the new view.
    """

    to_begin: int
    begun: asyncio.Event = field(default_factory=asyncio.Event)
    running: bool = False
    answered: list[float] = field(default_factory=list)
    updated: list[float] = field(default_factory=list)


class Person:
    """A person who plays at one table at a time.

    Attributes:
        table: Id of the table.
        version: Last version that the stream reported.
        view: Last view received; None if it is outdated.
        made: Acknowledged choices as texts, by table and seat.
        absences: Seconds that the stream was away each time it was lost.

    Args:
        port: Port of the server.
        name: Name of the guest.
        fetch: Whether the stream only reports changes, and views are requested.
        patient: Whether requests are repeated, and streams come back, while a server is away.
    """

    def __init__(self, port: int, name: str, *, fetch: bool, patient: bool) -> None:
        self._port: int = port
        self._name: str = name
        self._token: str = ""
        self._fetch: bool = fetch
        self._patient: bool = patient
        self._awaited: int = 0
        self._told: asyncio.Future[float] | None = None
        self._lost_at: float = 0.0
        self._return: asyncio.Task[None] | None = None
        self._requests: Requests = Requests(port)
        self._events: Events | None = None
        self.table: str = ""
        self.version: int = -1
        self.view: _View | None = None
        self.made: dict[tuple[str, int], list[str]] = {}
        self.absences: list[float] = []

    async def arrive(self) -> None:
        """Become a guest."""
        self._token = json.loads(await self.ask("POST", "/guests", {"name": self._name}))["token"]
        self._requests.close()
        self._requests = Requests(self._port, self._token)

    async def ask(self, method: str, path: str, body: Any = None) -> bytes:
        """Return the answer of the API, for which a patient person repeats the request."""
        while True:
            try:
                return await self._requests.ask(method, path, body)
            except (ConnectionError, Unavailable):
                if not self._patient:
                    raise
                await asyncio.sleep(RETRY_S)

    async def sit(self, table: str) -> None:
        """Open a stream that watches a table, instead of the one before."""
        self.table, self.version, self.view = table, -1, None
        await self._listen()

    async def _listen(self) -> None:
        if self._events is not None:
            self._events.close()
        # A router sends the stream to the server of the first table that it watches.
        path = f"/api/v1/events?watch={self.table}" + ("" if self._fetch else "&views=true")
        self._events = Events(path, f"authorization: Bearer {self._token}\r\n", self.told, self._lost)
        await self._events.open(self._port)

    def _lost(self) -> None:
        """Come back as a browser does."""
        if self._patient:
            self._lost_at = self._lost_at or time.perf_counter()
            self._return = asyncio.create_task(self._come_back())

    async def _come_back(self) -> None:
        await asyncio.sleep(_BROWSER_WAITS_S)
        await self._listen()

    async def seal(self, seat: int) -> None:
        """Seal a share of the chance."""
        await self.ask("POST", f"/tables/{self.table}/seats/{seat}/seal", seal_body(await self._chance(), seat))

    async def show(self, seat: int) -> None:
        """Show the share, once this server knows that the list of seals is closed."""
        while (chance := await self._chance())["terms"] is None:  # noqa: ASYNC110 - no event says so
            await asyncio.sleep(RETRY_S)
        await self.ask("POST", f"/tables/{self.table}/seats/{seat}/share", share_body(chance, seat))

    async def _chance(self) -> Any:
        return json.loads(await self.ask("GET", f"/tables/{self.table}"))["chance"]

    def told(self, data: bytes) -> None:
        """Handle an event of the stream."""
        if self._lost_at:
            self.absences.append(time.perf_counter() - self._lost_at)
            self._lost_at = 0.0
        news = _read_news(data)
        if news.game != self.table or (version := _number(news.version)) < self.version:
            return
        self.version, self.view = version, news.view
        if self._told is not None and self.version >= self._awaited and not self._told.done():
            self._told.set_result(time.perf_counter())

    async def look(self) -> _View:
        """Return the view from the stream, or request it until it has the last version."""
        while self.view is None:
            view = _read_view(await self.ask("GET", f"/tables/{self.table}?log=1000000&chat=1000000"))
            if (version := _number(view.version)) >= self.version:
                self.version, self.view = version, view
            else:
                await asyncio.sleep(RETRY_S)
        return self.view

    async def until_begun(self) -> float:
        """Return the time at which the game had begun."""
        while (await self.look()).status == "gathering":  # noqa: ASYNC110 - as in `show`
            await asyncio.sleep(RETRY_S)
        return time.perf_counter()

    async def choose(self, seat: int, rng: random.Random) -> tuple[float, float]:
        """Make a random choice, and return when it was sent and when it was answered."""
        turn = (await self.look()).turn
        assert turn is not None
        at = rng.randrange(len(turn.legal))
        body = {"choices": [turn.legal[at]], "stamp": turn.stamp, "key": secrets.token_hex(8)}
        sent = time.perf_counter()
        await self.ask("POST", f"/tables/{self.table}/seats/{seat}/apply", body)
        answered = time.perf_counter()
        self.made.setdefault((self.table, seat), []).append(turn.texts[at])
        return sent, answered

    async def until(self, version: int) -> float:
        """Return the time at which a version of the view, or a later one, arrived."""
        at = 0.0
        if self.version < version:
            self._awaited, self._told = version, asyncio.get_running_loop().create_future()
            at = await self._told
        if self.view is None:
            await self.look()
            return time.perf_counter()
        return at or time.perf_counter()

    async def missing(self) -> int:
        """Return the number of acknowledged choices that no record has."""
        self._requests.close()  # the end of the game may have left a request without its answer
        self._requests = Requests(self._port, self._token)
        count = 0
        for (table, seat), made in self.made.items():
            record = json.loads(await self.ask("GET", f"/tables/{table}/export?seat={seat}"))["record"]
            count += len(lacking([step["choice"] for step in record if step["seat"] == seat], made))
        return count

    def leave(self) -> None:
        """Close all connections."""
        if self._return is not None:
            self._return.cancel()
        self._requests.close()
        if self._events is not None:
            self._events.close()


class Table:
    """Two people who play one game after the other."""

    def __init__(self, people: tuple[Person, Person], pace: float, rng: random.Random) -> None:
        self._people: tuple[Person, Person] = people
        self._pause: float = 1 / pace if pace else 0.0
        self._rng: random.Random = rng

    async def _begin(self) -> None:
        first, second = self._people
        new = {"game": "atacama", "seats": [{"kind": "me"}, {"kind": "open"}], "visibility": "link"}
        new["key"] = secrets.token_hex(8)
        table = json.loads(await first.ask("POST", "/tables", new))["table"]
        for person in self._people:
            await person.sit(table)
        await second.ask("POST", f"/tables/{table}/join", {"key": secrets.token_hex(8)})
        for seat, person in enumerate(self._people):
            await person.seal(seat)
        for seat, person in enumerate(self._people):
            await person.show(seat)
        for person in self._people:
            await _patiently(person.until_begun())

    async def play(self, measured: Measured) -> None:
        """Play until canceled."""
        if self._pause:
            await asyncio.sleep(self._rng.random() * self._pause)
        await self._begin()
        measured.to_begin -= 1
        if not measured.to_begin:
            measured.begun.set()
        while True:
            view = await self._people[0].look()
            mover = next((seat.seat for seat in view.seats if seat.to_move), None)
            if mover is None:
                await self._begin()
                continue
            await self._move(self._people[mover], self._people[1 - mover], mover, measured)

    async def _move(self, actor: Person, other: Person, seat: int, measured: Measured) -> None:
        version = actor.version + 1
        update = asyncio.ensure_future(_patiently(other.until(version)))
        update.add_done_callback(lambda task: task.cancelled() or task.exception())
        sent, answered = await actor.choose(seat, self._rng)
        updated = await update
        await _patiently(actor.until(version))
        if measured.running:
            measured.answered.append(answered - sent)
            measured.updated.append(updated - sent)
        if self._pause:
            await asyncio.sleep(max(0.0, self._pause - (time.perf_counter() - sent)))


def _number(version: str) -> int:
    """Return the public part of a version."""
    return int(version.partition(".")[0])


async def _patiently(awaited: Awaitable[float]) -> float:
    async with asyncio.timeout(_PATIENCE_S):
        return await awaited


def _install_peer() -> None:
    """Install boardgame.io and our game for it in build/boardgame_io."""
    if shutil.which("npm") is None:
        raise SystemExit("--peer needs node and npm")
    _PEER.mkdir(parents=True, exist_ok=True)
    for file in (Path(__file__).parent / "boardgame_io").iterdir():
        shutil.copy(file, _PEER)
    command = ["npm", "install", "--no-audit", "--no-fund", "--ignore-scripts", "--no-package-lock", "--silent"]
    subprocess.run([*command, "--legacy-peer-deps"], cwd=_PEER, check=True)


def _node() -> str:
    """Return the path of the actual Node program.

    The command `node` may be a wrapper, whose processor time would be measured instead.
    """
    print_itself = ["node", "-p", "process.execPath"]
    return subprocess.run(print_itself, check=True, capture_output=True, text=True).stdout.strip()


def _measure_peer(folder: Path, tables: int, seconds: float, pace: float, *, node: str) -> dict[str, Any]:
    server = Process([node, "server.mjs", str(folder / "data")], folder / "log", "open at ", folder=_PEER)
    try:
        command = [node, "load.mjs", *map(str, (server.port, server.pid, tables, seconds, pace))]
        done = subprocess.run(command, cwd=_PEER, check=True, capture_output=True, text=True, timeout=seconds + 120)
    finally:
        server.end()
    row: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return row


def _measure_atoll(
    folder: Path,
    tables: int,
    seconds: float,
    pace: float,
    *,
    url: str,
    servers: int,
    by_table: bool,
    cores: Set[int],
    play: Callable[..., Any],
) -> dict[str, Any]:
    url = url or f"sqlite:///{folder}/load.db"
    alone = servers == 1 and not by_table
    server = atoll_server(url, folder / "log") if alone else Cluster(url, folder, servers, by_table=by_table)
    try:
        if cores:
            server.pin(cores)
        row: dict[str, Any] = run(play(server, tables, seconds, pace))
    except (RuntimeError, TimeoutError, OSError) as error:
        logs = "\n".join(file.read_text("utf-8")[-2000:] for file in sorted(folder.glob("log*")))
        raise SystemExit(f"{type(error).__name__}: {error}\n{logs}") from None
    finally:
        server.end()
    return row


async def _measure(
    server: Served, tables: int, seconds: float, pace: float, *, fetch: bool, kill: bool
) -> dict[str, Any]:
    make = partial(Person, server.port, fetch=fetch, patient=kill)
    people = [(make(f"a{number}"), make(f"b{number}")) for number in range(tables)]
    for pair in people:
        for person in pair:
            await person.arrive()
    measured = Measured(tables)
    games = [
        asyncio.create_task(Table(pair, pace, random.Random(number)).play(measured))
        for number, pair in enumerate(people)
    ]
    begun = asyncio.create_task(measured.begun.wait())
    ended, _ = await asyncio.wait([*games, begun], return_when=asyncio.FIRST_COMPLETED)
    ended.discard(begun)
    if not ended:
        ended, _ = await asyncio.wait(games, timeout=min(2.0, seconds), return_when=asyncio.FIRST_EXCEPTION)
    cpu, own, started = server.cpu_seconds(), time.process_time(), time.perf_counter()
    measured.running = True
    if not ended and kill:
        ended, _ = await asyncio.wait(games, timeout=seconds / 3, return_when=asyncio.FIRST_EXCEPTION)
        assert isinstance(server, Cluster)
        server.kill_one()
        seconds -= seconds / 3
    if not ended:
        ended, _ = await asyncio.wait(games, timeout=seconds, return_when=asyncio.FIRST_EXCEPTION)
    measured.running = False
    took, cpu, own = time.perf_counter() - started, server.cpu_seconds() - cpu, time.process_time() - own
    for failed in ended:
        failed.result()
    for task in games:
        task.cancel()
    await asyncio.wait(games, timeout=5)
    memory = server.memory_mib()
    if kill:
        await _check_after_kill([person for pair in people for person in pair])
    for pair in people:
        for person in pair:
            person.leave()
    moves = max(1, len(measured.updated))
    return {
        "tables": tables,
        "seats": 2 * tables,
        "streams": 2 * tables,
        "moves_per_second": len(measured.updated) / took,
        "answered_p50_ms": percentile(measured.answered, 0.5),
        "answered_p99_ms": percentile(measured.answered, 0.99),
        "update_p50_ms": percentile(measured.updated, 0.5),
        "update_p99_ms": percentile(measured.updated, 0.99),
        "memory_mib": memory,
        "server_ms_per_move": 1000 * cpu / moves,
        "load_ms_per_move": 1000 * own / moves,
    }


async def _check_after_kill(people: Sequence[Person]) -> None:
    """Print what the loss of a server meant.

    Args:
        people: The people.

    Raises:
        RuntimeError: If an acknowledged choice is missing, no stream was lost, or one was away for
            too long.
    """
    missing = sum([await person.missing() for person in people])
    absences = sorted(absence for person in people for absence in person.absences)
    made = sum(len(each) for person in people for each in person.made.values())
    found = (
        f"one server killed: {made} moves acknowledged, {missing} missing; "
        f"{len(absences)} streams lost, back after {max(absences, default=0):.1f} s"
    )
    print(found, flush=True)
    if missing or not absences or absences[-1] > _BACK_S:
        raise RuntimeError(found)


async def _plant(url: str, share: float) -> None:
    """Plant the database."""
    store = await Store.open(url)
    print(f"planted in {sum((await plant(store, share)).values()):.0f} s", flush=True)
    await store.close()


def _split_cores() -> Set[int]:
    """Leave one core to the servers, and return it. All else, started later, runs on the others."""
    *others, last = sorted(os.sched_getaffinity(0))
    if not others:
        raise SystemExit("--pin needs two cores")
    os.sched_setaffinity(0, others)
    return {last}


def _bounded(name: str, value: float, most: float) -> float:
    if not 0 < value <= most:
        raise SystemExit(f"invalid --{name} {value:g}: expected a value above 0, at most {most:g}")
    return value


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tables", default="10,100,400", help="number of tables; several runs with commas")
    parser.add_argument("--seconds", type=float, default=15.0, help="measured time of each run")
    parser.add_argument("--pace", type=float, default=0.0, help="moves per second and table; 0: as fast as possible")
    parser.add_argument("--fetch", action="store_true", help="streams only report changes; views are requested")
    parser.add_argument("--pages", action="store_true", help="play as pages do")
    parser.add_argument("--game", default="atacama", choices=sorted(atoll.games), help="id of the game; with --pages")
    parser.add_argument("--spectators", type=int, default=0, help="spectators per table; with --pages")
    parser.add_argument("--peer", action="store_true", help="measure boardgame.io instead")
    parser.add_argument("--url", default="", help="database; default: a temporary one")
    parser.add_argument("--servers", type=int, default=1, help="number of servers, on PostgreSQL behind nginx")
    parser.add_argument("--router", action="store_true", help="send all requests of a table to one server")
    parser.add_argument("--kill", action="store_true", help="kill one of the servers, and check that nothing is lost")
    parser.add_argument("--pin", action="store_true", help="servers on one core, all else on the others")
    parser.add_argument("--plant", type=float, default=0.0, metavar="SHARE", help="plant the database first: plant.py")
    parser.add_argument("--json", default="", metavar="FILE", help="file for the figures, in addition")
    arguments = parser.parse_args()
    seconds = _bounded("seconds", arguments.seconds, _MOST_SECONDS)
    counts = [int(_bounded("tables", int(text), _MOST_TABLES)) for text in arguments.tables.split(",")]
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = 8 * max(counts) + 500
    if soft < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (min(wanted, hard), hard))
    play: Callable[..., Any] = partial(_measure, fetch=arguments.fetch, kill=arguments.kill)
    if arguments.pages:
        play = partial(measure_pages, game=arguments.game, spectators=arguments.spectators)
    cores = _split_cores() if arguments.pin else frozenset()
    servers = int(_bounded("servers", arguments.servers, _MOST_SERVERS))
    if arguments.kill and (servers == 1 or arguments.pages):
        raise SystemExit("--kill needs several --servers, and no --pages")
    stack = contextlib.ExitStack()
    url = arguments.url
    if not url and (servers > 1 or arguments.router or arguments.plant):
        url = stack.enter_context(postgres("load"))
    measure: Callable[[Path, int, float, float], dict[str, Any]] = partial(
        _measure_atoll, url=url, servers=servers, by_table=arguments.router, cores=cores, play=play
    )
    if arguments.peer:
        _install_peer()
        node = _node()
        version = subprocess.run([node, "--version"], check=True, capture_output=True, text=True).stdout.strip()
        print(f"boardgame.io, Node {version} ({node})")
        measure = partial(_measure_peer, node=node)
    rows = []
    heading, line = (_PAGES_HEADING, _PAGES_LINE) if arguments.pages else (_HEADING, _LINE)
    print(heading)
    with stack:
        if arguments.plant:
            asyncio.run(_plant(url, arguments.plant))
        for count in counts:
            with tempfile.TemporaryDirectory() as folder:
                row = measure(Path(folder), count, seconds, arguments.pace)
            rows.append(row)
            print(line.format_map(row), flush=True)
    if arguments.json:
        Path(arguments.json).write_text(json.dumps(rows, indent=1) + "\n", "utf-8")


if __name__ == "__main__":
    main()
