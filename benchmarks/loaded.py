"""A server under load, and a connection to it that costs next to nothing."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Set
from pathlib import Path
from typing import Any, Final

import msgspec

from .router import Router

_PROGRAM: Final = """
import json, sys
from atoll.server.compose.serving import serve
from atoll.server.domain.settings import ServerSettings
serve(ServerSettings(**json.loads(sys.argv[1])))
"""
RETRY_S: Final = 0.02
"""Time until a server may have heard what another one has written, in seconds."""

_LIMITS: Final = dict.fromkeys(
    ("request", "unsafe", "guest", "token", "table", "join", "command", "preview", "chat", "replay", "follow"),
    "100000000/minute",
)


class Unavailable(RuntimeError):
    """A proxy has no server to pass a request to."""


_UNAVAILABLE: Final = (502, 503, 504)


class Requests(asyncio.Protocol):
    """One keep-alive HTTP/1.1 connection.

    It uses no library, because the load must cost less than the server.
    """

    def __init__(self, port: int, token: str = "") -> None:
        self._port: int = port
        self._head: str = f"host: 127.0.0.1:{port}\r\n" + (f"authorization: Bearer {token}\r\n" if token else "")
        self._transport: Any = None
        self._buffer: bytes = b""
        self._answer: asyncio.Future[tuple[bytes, bytes]] | None = None

    def connection_made(self, transport: Any) -> None:
        """Store the transport."""
        self._transport = transport

    def data_received(self, data: bytes) -> None:
        """Set the result of the request when the response is complete."""
        self._buffer += data
        answered, split, rest = self._buffer.partition(b"\r\n\r\n")
        if not split or self._answer is None:
            return
        head = answered.lower()
        at = head.find(b"content-length: ")
        length = int(head[at + 16 :].partition(b"\r\n")[0]) if at >= 0 else 0
        if len(rest) >= length:
            self._buffer = b""
            if b"\r\nconnection: close" in head:
                self.close()
            if not self._answer.done():
                self._answer.set_result((answered, rest))

    def connection_lost(self, exc: Exception | None) -> None:
        """Fail the request in progress."""
        self._transport, self._buffer = None, b""
        if self._answer is not None and not self._answer.done():
            self._answer.set_exception(ConnectionError("the server closed the connection"))

    async def send(self, method: str, path: str, head: str = "", data: bytes = b"") -> tuple[bytes, bytes]:
        """Send a request.

        Args:
            method: HTTP method.
            path: Path of the request.
            head: Additional header lines, each with its line end.
            data: Body of the request.

        Returns:
            The head and the body of the response.

        Raises:
            RuntimeError: If the status is 400 or higher.
            ConnectionError: If the connection ends before the answer.
        """
        loop = asyncio.get_running_loop()
        if self._transport is None:
            await loop.create_connection(lambda: self, "127.0.0.1", self._port)
        if data:
            head += f"content-length: {len(data)}\r\n"
        self._answer = loop.create_future()
        self._transport.write(f"{method} {path} HTTP/1.1\r\n{self._head}{head}\r\n".encode() + data)
        answered, content = await self._answer
        if (status := int(answered[9:12])) >= 400:
            kind = Unavailable if status in _UNAVAILABLE else RuntimeError
            raise kind(f"{method} {path}: {status} {content.decode(errors='replace')}")
        return answered, content

    async def ask(self, method: str, path: str, body: Any = None) -> bytes:
        """Return the answer of the API.

        Args:
            method: HTTP method.
            path: Path below the root of the API.
            body: Body to send as JSON; None for none.

        Raises:
            RuntimeError: If the status is 400 or higher.
            ConnectionError: If the connection ends before the answer.
        """
        head = "" if body is None else "content-type: application/json\r\n"
        data = b"" if body is None else msgspec.json.encode(body)
        return (await self.send(method, f"/api/v1{path}", head, data))[1]

    def close(self) -> None:
        """Close the connection."""
        if self._transport is not None:
            self._transport.close()
            self._transport = None


class Events(asyncio.Protocol):
    """The connection of an event stream.

    Args:
        path: Path of the stream, with its query.
        head: Additional header lines, each with its line end.
        on_event: Called with the data of each event about a table.
        on_end: Called when the server ends the connection.
    """

    def __init__(
        self, path: str, head: str, on_event: Callable[[bytes], None], on_end: Callable[[], None] = lambda: None
    ) -> None:
        # HTTP/1.0 has no chunks, which a proxy cuts as it likes.
        self._request: str = f"GET {path} HTTP/1.0\r\nhost: 127.0.0.1\r\n{head}\r\n"
        self._on_event: Callable[[bytes], None] = on_event
        self._on_end: Callable[[], None] = on_end
        self._buffer: bytes = b""
        self._transport: Any = None

    async def open(self, port: int) -> None:
        """Connect to a port of this machine, and send the request."""
        await asyncio.get_running_loop().create_connection(lambda: self, "127.0.0.1", port)

    def connection_made(self, transport: Any) -> None:
        """Send the request."""
        self._transport = transport
        transport.write(self._request.encode())

    def data_received(self, data: bytes) -> None:
        """Report complete messages."""
        *messages, self._buffer = (self._buffer + data).split(b"\n\n")
        for message in messages:
            at = message.find(b'data: {"game"')
            if at >= 0:
                self._on_event(message[at + 6 :])

    def connection_lost(self, exc: Exception | None) -> None:
        """Report that the server has ended the stream."""
        self._on_end()

    def close(self) -> None:
        """Close the connection, without a report."""
        self._on_end = lambda: None
        self._on_event = lambda _: None
        if self._transport is not None:
            self._transport.close()


class Process:
    """A server process under load, with its log and its use of resources.

    Attributes:
        pid: Id of the process.
        port: Port of the server.
    """

    def __init__(self, command: list[str], log: Path, opened: str, *, folder: Path | None = None) -> None:
        with log.open("w") as out:
            self._process = subprocess.Popen(command, stdout=out, stderr=out, cwd=folder)
        while opened not in (text := log.read_text("utf-8")):
            if self._process.poll() is not None:
                raise SystemExit(text)
            time.sleep(0.05)
        self.pid: int = self._process.pid
        self.port: int = int(text.partition(opened)[2].split()[0].rstrip("/").rpartition(":")[2])

    def pin(self, cores: Set[int]) -> None:
        """Let the process run on some cores only."""
        for task in Path(f"/proc/{self.pid}/task").iterdir():
            os.sched_setaffinity(int(task.name), cores)

    def memory_mib(self) -> float:
        """Return the resident memory in MiB."""
        text = Path(f"/proc/{self.pid}/status").read_text("ascii")
        return int(text.partition("VmRSS:")[2].split()[0]) / 1024

    def cpu_seconds(self) -> float:
        """Return the processor time used so far, in seconds."""
        fields = Path(f"/proc/{self.pid}/stat").read_text("ascii").rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / 100

    def kill(self) -> None:
        """Kill the process without warning."""
        self._process.kill()
        self._process.wait()

    def end(self) -> None:
        """Stop the process."""
        self._process.send_signal(signal.SIGINT)
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(10)
        self._process.kill()


def atoll_server(url: str, log: Path) -> Process:
    """Start a server of Atoll without rate limits."""
    settings = {
        "url": url,
        "port": 0,
        "limits": _LIMITS,
        "streams_per_address": 10_000,
        "tables_per_user": 10_000,
        "bot_workers": 1,
        "secret": "s" * 32,
    }
    return Process([sys.executable, "-c", _PROGRAM, json.dumps(settings)], log, "Atoll is open at ")


class Cluster:
    """Several servers on one PostgreSQL database, behind a router.

    Attributes:
        port: Port of the router.

    Args:
        url: The database.
        folder: Folder for logs and for the router's files.
        servers: Number of servers.
        by_table: Whether the router sends all requests of a table to one server.
    """

    def __init__(self, url: str, folder: Path, servers: int, *, by_table: bool) -> None:
        self._servers: list[Process] = []
        self._used_by_killed_s: float = 0.0
        try:
            for number in range(servers):
                self._servers.append(atoll_server(url, folder / f"log{number}"))
            self._router: Router = Router(folder, [each.port for each in self._servers], by_table=by_table)
        except BaseException:
            self._end_servers()
            raise
        self.port: int = self._router.port

    def pin(self, cores: Set[int]) -> None:
        """Let all servers run on some cores only."""
        for each in self._servers:
            each.pin(cores)

    def memory_mib(self) -> float:
        """Return the resident memory of all servers in MiB."""
        return sum(each.memory_mib() for each in self._servers)

    def cpu_seconds(self) -> float:
        """Return the processor time that all servers used so far, in seconds."""
        return self._used_by_killed_s + sum(each.cpu_seconds() for each in self._servers)

    def kill_one(self) -> None:
        """Kill one server without warning; it doesn't come back."""
        killed = self._servers.pop()
        self._used_by_killed_s += killed.cpu_seconds()
        killed.kill()

    def end(self) -> None:
        """Stop the router and the servers."""
        self._router.end()
        self._end_servers()

    def _end_servers(self) -> None:
        for each in self._servers:
            each.end()


Served = Process | Cluster
"""One server, or several."""


def percentile(values: list[float], share: float) -> float:
    """Return a percentile of times in seconds, in milliseconds."""
    ordered = sorted(values)
    return 1000 * ordered[min(len(ordered) - 1, int(share * len(ordered)))] if ordered else float("nan")
