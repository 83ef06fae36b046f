"""What the server bears: many tables played at once over HTTP, each move pushed to the others and fetched by them.

    make load                                  # 10, 100 and 400 tables, as fast as they go
    make load ARGS="--tables 400 --pace 2"     # 400 tables at 2 moves a second each

It starts a server of its own on loopback with a database in a temporary folder, and ends both. Per table two people
play Atacama through the JSON API; each has one event stream and one connection for requests. A move counts when it is
answered, that is when it lasts. `told` is the time from its submission to the event in the other's stream, `seen` until
the other has fetched its new view.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import resource
import secrets
import signal
import subprocess
import sys
import tempfile
import time
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

_PROGRAM: Final = """
import json, sys
from atoll.server.run import serve
from atoll.server.settings import ServerSettings
serve(ServerSettings(**json.loads(sys.argv[1])))
"""
_UNLIMITED: Final = dict.fromkeys(
    ("request", "unsafe", "guest", "token", "table", "join", "command", "preview", "chat", "replay"), ""
)
_MOST_TABLES: Final = 1000
_MOST_SECONDS: Final = 120.0


class Connection:
    """One keep-alive HTTP/1.1 connection. No library: the load must cost less than what it measures."""

    def __init__(self, port: int, token: str = "") -> None:
        self._port: int = port
        self._head: str = f"host: 127.0.0.1:{port}\r\n" + (f"authorization: Bearer {token}\r\n" if token else "")
        self._reader: asyncio.StreamReader | None = None
        self._writer: asyncio.StreamWriter | None = None

    async def _open(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        if self._reader is None or self._writer is None:
            self._reader, self._writer = await asyncio.open_connection("127.0.0.1", self._port)
        return self._reader, self._writer

    async def ask(self, method: str, path: str, body: Any = None) -> Any:
        """The answer as data. Raises RuntimeError for anything but success."""
        reader, writer = await self._open()
        data = b"" if body is None else json.dumps(body).encode()
        head = f"{method} /api/v1{path} HTTP/1.1\r\n{self._head}"
        if data:
            head += f"content-type: application/json\r\ncontent-length: {len(data)}\r\n"
        writer.write(f"{head}\r\n".encode() + data)
        answer = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").lower()
        at = answer.find("content-length: ")
        length = int(answer[at + 16 : answer.index("\r\n", at)]) if at >= 0 else 0
        content = await reader.readexactly(length)
        status = int(answer[9:12])
        if status >= 400:
            raise RuntimeError(f"{method} {path}: {status} {content.decode()}")
        return json.loads(content) if content else None

    async def listen(self, told: Any) -> None:
        """Read the event stream; `told` gets each table's id and version."""
        reader, writer = await self._open()
        writer.write(f"GET /api/v1/events HTTP/1.1\r\n{self._head}\r\n".encode())
        await reader.readuntil(b"\r\n\r\n")
        while line := await reader.readline():
            if line.startswith(b'data: {"game"'):
                told(json.loads(line[6:]))

    def close(self) -> None:
        """Let go."""
        if self._writer is not None:
            self._writer.close()


@dataclass(slots=True)
class Measured:
    """What is counted while the clock runs."""

    running: bool = False
    moves: int = 0
    answered: list[float] = field(default_factory=list)
    told: list[float] = field(default_factory=list)
    seen: list[float] = field(default_factory=list)


class Person:
    """Somebody who plays at one table at a time."""

    def __init__(self, port: int, name: str) -> None:
        self._port: int = port
        self._name: str = name
        self.seat: int = 0
        self.table: str = ""
        self.told_at: float = 0.0
        self.news: asyncio.Event = asyncio.Event()
        self.requests: Connection = Connection(port)
        self.stream: Connection = Connection(port)

    async def arrive(self) -> asyncio.Task[None]:
        """Become a guest and open the stream."""
        login = await self.requests.ask("POST", "/guests", {"name": self._name})
        self.requests.close()
        self.requests = Connection(self._port, login["token"])
        self.stream = Connection(self._port, login["token"])
        return asyncio.create_task(self.stream.listen(self._heard))

    def _heard(self, news: dict[str, str]) -> None:
        if news["game"] == self.table:
            if not self.news.is_set():
                self.told_at = time.perf_counter()
            self.news.set()

    async def look(self) -> dict[str, Any]:
        """My view."""
        view: dict[str, Any] = await self.requests.ask("GET", f"/tables/{self.table}?log=1000000&chat=1000000")
        return view


class Table:
    """Two people who play one game after the other."""

    def __init__(self, people: tuple[Person, Person], pace: float, rng: random.Random) -> None:
        self._people: tuple[Person, Person] = people
        self._pause: float = 1 / pace if pace else 0.0
        self._rng: random.Random = rng

    async def _begin(self) -> dict[str, Any]:
        first, second = self._people
        new = {"game": "atacama", "seats": [{"kind": "me"}, {"kind": "open"}], "visibility": "link"}
        table = (await first.requests.ask("POST", "/tables", new))["table"]
        await second.requests.ask("POST", f"/tables/{table}/join", {})
        for seat, person in enumerate(self._people):
            person.table, person.seat = table, seat
            await person.requests.ask("POST", f"/tables/{table}/seats/{seat}/share", {"share": secrets.token_hex(32)})
        return await first.look()

    async def play(self, measured: Measured) -> None:
        """Until cancelled."""
        if self._pause:
            await asyncio.sleep(self._rng.random() * self._pause)
        view = await self._begin()
        while True:
            mover = next((seat["seat"] for seat in view["seats"] if seat["to_move"]), None)
            if mover is None:
                view = await self._begin()
                continue
            actor, other = self._people[mover], self._people[1 - mover]
            if view["seat"] != mover:
                view = await actor.look()
            turn = view["turn"]
            other.news.clear()
            body = {"choices": [self._rng.choice(turn["legal"])], "stamp": turn["stamp"], "key": secrets.token_hex(8)}
            sent = time.perf_counter()
            reading = asyncio.create_task(self._follow(other))
            reading.add_done_callback(lambda task: task.cancelled() or task.exception())
            await actor.requests.ask("POST", f"/tables/{actor.table}/seats/{mover}/apply", body)
            answered = time.perf_counter()
            view, seen = await reading
            if measured.running:
                measured.moves += 1
                measured.answered.append(answered - sent)
                measured.told.append(other.told_at - sent)
                measured.seen.append(seen - sent)
            if self._pause:
                await asyncio.sleep(max(0.0, self._pause - (time.perf_counter() - sent)))

    async def _follow(self, other: Person) -> tuple[dict[str, Any], float]:
        """The other is told of the move and fetches its view."""
        async with asyncio.timeout(30):
            await other.news.wait()
        view = await other.look()
        return view, time.perf_counter()


class Server:
    """The server under load, and what it uses."""

    def __init__(self, url: str, log: Path) -> None:
        settings = {
            "url": url,
            "port": 0,
            "limits": _UNLIMITED,
            "streams_per_address": 10_000,
            "tables_per_user": 10_000,
            "bot_workers": 1,
        }
        self._process = subprocess.Popen([sys.executable, "-c", _PROGRAM, json.dumps(settings)], stderr=log.open("w"))
        while "Atoll is open at " not in log.read_text():
            if self._process.poll() is not None:
                raise SystemExit(log.read_text())
            time.sleep(0.05)
        self.port: int = int(
            log.read_text().partition("Atoll is open at ")[2].split()[0].rstrip("/").rpartition(":")[2]
        )

    def memory_mib(self) -> float:
        """Resident memory now."""
        text = Path(f"/proc/{self._process.pid}/status").read_text("ascii")
        return int(text.partition("VmRSS:")[2].split()[0]) / 1024

    def cpu_seconds(self) -> float:
        """Processor time used so far."""
        fields = Path(f"/proc/{self._process.pid}/stat").read_text("ascii").rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / 100

    def end(self) -> None:
        """Stop it."""
        self._process.send_signal(signal.SIGINT)
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(10)
        self._process.kill()


def _percentile(values: list[float], share: float) -> float:
    ordered = sorted(values)
    return 1000 * ordered[min(len(ordered) - 1, int(share * len(ordered)))] if ordered else float("nan")


async def _measure(server: Server, tables: int, seconds: float, pace: float) -> dict[str, Any]:
    people = [(Person(server.port, f"a{number}"), Person(server.port, f"b{number}")) for number in range(tables)]
    streams = [await person.arrive() for pair in people for person in pair]
    measured = Measured()
    games = [
        asyncio.create_task(Table(pair, pace, random.Random(number)).play(measured))
        for number, pair in enumerate(people)
    ]
    warm = min(5.0, seconds / 2)
    ended, _ = await asyncio.wait(games, timeout=warm, return_when=asyncio.FIRST_EXCEPTION)
    cpu, started = server.cpu_seconds(), time.perf_counter()
    measured.running = True
    if not ended:
        ended, _ = await asyncio.wait(games, timeout=seconds, return_when=asyncio.FIRST_EXCEPTION)
    measured.running = False
    took, cpu = time.perf_counter() - started, server.cpu_seconds() - cpu
    for failed in ended:
        failed.result()
    for task in (*games, *streams):
        task.cancel()
    await asyncio.wait((*games, *streams), timeout=5)
    memory = server.memory_mib()
    for pair in people:
        for person in pair:
            person.requests.close()
            person.stream.close()
    return {
        "tables": tables,
        "seats": 2 * tables,
        "streams": 2 * tables,
        "moves_per_second": measured.moves / took,
        "answered_p50_ms": _percentile(measured.answered, 0.5),
        "answered_p99_ms": _percentile(measured.answered, 0.99),
        "told_p50_ms": _percentile(measured.told, 0.5),
        "told_p99_ms": _percentile(measured.told, 0.99),
        "seen_p50_ms": _percentile(measured.seen, 0.5),
        "seen_p99_ms": _percentile(measured.seen, 0.99),
        "memory_mib": memory,
        "cpu_percent": 100 * cpu / took,
    }


def _bounded(name: str, value: float, most: float) -> float:
    if not 0 < value <= most:
        raise SystemExit(f"--{name} {value:g}: allowed are values above 0 up to {most:g}")
    return value


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tables", default="10,100,400", help="how many tables at once; several runs with commas")
    parser.add_argument("--seconds", type=float, default=15.0, help="how long each run is measured")
    parser.add_argument("--pace", type=float, default=0.0, help="moves a second per table; 0: as fast as they go")
    parser.add_argument("--url", default="", help="database; default: a temporary SQLite file")
    parser.add_argument("--json", default="", metavar="FILE", help="write the figures there too")
    arguments = parser.parse_args()
    seconds = _bounded("seconds", arguments.seconds, _MOST_SECONDS)
    counts = [int(_bounded("tables", int(text), _MOST_TABLES)) for text in arguments.tables.split(",")]
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = 8 * max(counts) + 500
    if soft < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (min(wanted, hard), hard))
    rows = []
    print("tables seats streams  moves/s   answered p50/p99    told p50/p99      seen p50/p99     memory   processor")
    for count in counts:
        with tempfile.TemporaryDirectory() as folder:
            server = Server(arguments.url or f"sqlite:///{folder}/load.db", Path(folder) / "log")
            try:
                row = asyncio.run(_measure(server, count, seconds, arguments.pace))
            except (RuntimeError, TimeoutError, OSError) as error:
                raise SystemExit(
                    f"{type(error).__name__}: {error}\n{(Path(folder) / 'log').read_text()[-2000:]}"
                ) from None
            finally:
                server.end()
        rows.append(row)
        print(
            "{tables:6d} {seats:5d} {streams:7d} {moves_per_second:8.0f} {answered_p50_ms:8.1f} /{answered_p99_ms:7.1f}"
            " {told_p50_ms:8.1f} /{told_p99_ms:7.1f} {seen_p50_ms:7.1f} /{seen_p99_ms:7.1f} ms {memory_mib:6.0f} MiB"
            " {cpu_percent:6.0f} %".format_map(row),
            flush=True,
        )
    if arguments.json:
        Path(arguments.json).write_text(json.dumps(rows, indent=1) + "\n", "utf-8")


if __name__ == "__main__":
    main()
