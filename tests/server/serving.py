"""A real server in its own process, for tests that kill it, stream from it or send raw HTTP."""

import contextlib
import json
import select
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from typing import IO, Any

import httpx2

from atoll.server.domain.limits import DEFAULTS
from atoll.testing.shares import seal_body, share_body
from tests.migrated import make_schema

_PROGRAM = """
import json, sys
{before}
from atoll.server.compose.serving import serve
from atoll.server.domain.settings import ServerSettings
serve(ServerSettings(**json.loads(sys.argv[1])))
"""

UNLIMITED = dict.fromkeys(DEFAULTS, "")


class Server:
    """One server process; `kill` and `start` as often as needed, always at the same port.

    Args:
        url: The database.
        before: Code that the process runs first.
        settings: Further settings of the server.
    """

    def __init__(self, url: str, *, before: str = "", **settings: Any) -> None:
        self._program: str = _PROGRAM.format(before=before)
        self._settings: dict[str, Any] = {"url": url, "port": 0, "secret": "s" * 32, "limits": UNLIMITED, **settings}
        self._process: subprocess.Popen[bytes] | None = None
        self.base: str = ""
        self.log: list[str] = []

    def start(self) -> None:
        """Start, and wait until it is open."""
        # Unbuffered, because `select` doesn't see data that a buffer has read ahead.
        self._process = subprocess.Popen(
            [sys.executable, "-c", self._program, json.dumps(self._settings)], stderr=subprocess.PIPE, bufsize=0
        )
        assert self._process.stderr is not None
        until = time.monotonic() + 200
        seen = ""
        while time.monotonic() < until:
            if select.select([self._process.stderr], [], [], 1)[0]:
                line = self._process.stderr.readline().decode()
                seen += line
                if line.startswith("Atoll is open at "):
                    self.base = line.split()[4].rstrip("/")
                    self._settings["port"] = int(self.base.rpartition(":")[2])
                    threading.Thread(target=self._keep_log, args=(self._process.stderr,), daemon=True).start()
                    return
                if not line and self._process.poll() is not None:
                    break
        raise AssertionError(f"the server didn't start:\n{seen}")

    def _keep_log(self, pipe: IO[bytes]) -> None:
        for line in pipe:
            self.log.append(line.decode())
        pipe.close()

    def kill(self) -> None:
        """As if the plug were pulled."""
        assert self._process is not None
        self._process.send_signal(signal.SIGKILL)
        self._process.wait()

    def end(self, by: signal.Signals = signal.SIGINT) -> int:
        """Ctrl+C, or another signal; the exit status."""
        assert self._process is not None
        self._process.send_signal(by)
        try:
            status = self._process.wait(20)
        except subprocess.TimeoutExpired:
            self._process.kill()
            raise
        return status

    @property
    def pid(self) -> int:
        """The process."""
        assert self._process is not None
        return self._process.pid

    @property
    def runs(self) -> bool:
        """Return whether the process is running."""
        return self._process is not None and self._process.poll() is None


@contextlib.contextmanager
def serving(url: str, **settings: Any) -> Iterator[Server]:
    """A server that runs."""
    make_schema(url)
    server = Server(url, **settings)
    server.start()
    try:
        yield server
    finally:
        if server.runs:
            server.kill()


class Player:
    """Somebody who plays through the API."""

    def __init__(self, server: Server, name: str) -> None:
        self.name: str = name
        self.client: httpx2.Client = httpx2.Client(base_url=f"{server.base}/api/v1", timeout=20)
        made = self.client.post("/guests", json={"name": name})
        assert made.status_code == 201, made.text
        self.token: str = made.json()["token"]
        self.client.headers["authorization"] = f"Bearer {self.token}"

    def get(self, path: str, **params: Any) -> Any:
        """Return the API's answer to a GET request, which must be a success."""
        answer = self.client.get(path, params=params)
        assert answer.is_success, f"{path}: {answer.status_code} {answer.text}"
        return answer.json()

    def post(self, path: str, body: Any = None) -> Any:
        """Return the API's answer to a POST request, which must be a success."""
        answer = self.client.post(path, json=body)
        assert answer.is_success, f"{path}: {answer.status_code} {answer.text}"
        return answer.json() if answer.content else None

    def give(self, table: str, seat: int) -> None:
        """Seal this seat's share of the chance or, once the list of seals is closed, show it."""
        chance = self.get(f"/tables/{table}")["chance"]
        if chance["terms"] is None:
            self.post(f"/tables/{table}/seats/{seat}/seal", seal_body(chance, seat))
        else:
            self.post(f"/tables/{table}/seats/{seat}/share", share_body(chance, seat))


def together(server: Server, game: str, *names: str, **values: Any) -> tuple[str, list[Player]]:
    """A running table with these players."""
    players = [Player(server, name) for name in names]
    seats = [{"kind": "me"}, *({"kind": "open"} for _ in names[1:])]
    table = players[0].post("/tables", {"game": game, "seats": seats, **values})["table"]
    for seat, player in enumerate(players):
        if seat:
            player.post(f"/tables/{table}/join", {"seat": seat})
        player.give(table, seat)
    for seat, player in enumerate(players):
        player.give(table, seat)
    return table, players
