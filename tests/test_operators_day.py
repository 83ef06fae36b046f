"""An operator's day, with installed wheels, PostgreSQL, a TLS proxy and a mail server that only listens.

Install, serve, examine, back up while people play, upgrade server by server, go back, lose everything, restore.
"""

from __future__ import annotations

import contextlib
import datetime
import http.client
import ipaddress
import json
import os
import re
import shutil
import signal
import socket
import ssl
import subprocess
import sys
import threading
import time
import urllib.request
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec

from atoll.server.domain.limits import DEFAULTS
from atoll.testing.live_server import free_port
from tests.server.serving import Player, together
from tests.server.test_doctor import take_mails
from tests.store.conftest import NEXT_REVISION

ROOT = Path(__file__).parents[1]


# -- releases ------------------------------------------------------------------------------------------------------


def installed(folder: Path) -> Path:
    """A folder with the wheel of this release, installed as for a container, without its dependencies."""
    command = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--no-build-isolation", "--no-index"]
    subprocess.run([*command, "--wheel-dir", str(folder), str(ROOT)], check=True)
    (wheel,) = folder.glob("atoll-*.whl")
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(folder / "first")
    return folder / "first"


def next_release(first: Path) -> Path:
    """The same release with another number and one more migration: people get shoes."""
    second = first.with_name("second")
    shutil.copytree(first, second, copy_function=os.link)
    (second / "atoll/store/migrations/versions/s2_shoes.py").write_text(NEXT_REVISION)
    (facts,) = second.glob("atoll-*.dist-info/METADATA")
    text = re.sub(r"^Version: .*$", "Version: 0.2.0", facts.read_text("utf-8"), count=1, flags=re.MULTILINE)
    facts.unlink()  # else the first release changes, too
    facts.write_text(text, "utf-8")
    return second


# -- proxy ---------------------------------------------------------------------------------------------------------


def certificate(folder: Path) -> Path:
    """A file with a key and its own certificate for `localhost`."""
    key, now = ec.generate_private_key(ec.SECP256R1()), datetime.datetime.now(datetime.UTC)
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "localhost")])
    names = x509.SubjectAlternativeName([x509.DNSName("localhost"), x509.IPAddress(ipaddress.ip_address("127.0.0.1"))])
    made = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(1)
        .not_valid_before(now - datetime.timedelta(days=1))
        .not_valid_after(now + datetime.timedelta(days=1))
        .add_extension(names, critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
        .sign(key, hashes.SHA256())
    )
    pem = serialization.Encoding.PEM
    private = key.private_bytes(pem, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    file = folder / "certificate.pem"
    file.write_bytes(private + made.public_bytes(pem))
    return file


class Proxy(ThreadingHTTPServer):
    """A TLS proxy for one server at a time."""

    daemon_threads = True
    target: int = 0

    def __init__(self, file: Path) -> None:
        super().__init__(("127.0.0.1", 0), _Forward)
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(file)
        self.socket = context.wrap_socket(self.socket, server_side=True)
        self.base: str = f"https://localhost:{self.server_port}"
        threading.Thread(target=self.serve_forever, daemon=True).start()

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Say nothing about clients that leave."""


class _Forward(BaseHTTPRequestHandler):
    """Forwards one request, as `deploy/Caddyfile` does."""

    server: Proxy

    def _forward(self) -> None:
        body = self.rfile.read(int(self.headers.get("content-length", 0)))
        headers = {**self.headers, "X-Forwarded-For": self.client_address[0], "X-Forwarded-Proto": "https"}
        headers["Connection"] = "close"
        upstream = http.client.HTTPConnection("127.0.0.1", self.server.target, timeout=30)
        with contextlib.closing(upstream):
            upstream.request(self.command, self.path, body or None, headers)
            answer = upstream.getresponse()
            self.send_response_only(answer.status)
            for name, value in answer.getheaders():
                if name.lower() not in ("transfer-encoding", "connection"):
                    self.send_header(name, value)
            self.end_headers()
            while chunk := answer.read1(65_536):
                self.wfile.write(chunk)

    do_GET = do_POST = do_PUT = do_DELETE = _forward  # noqa: N815 - names of the library

    def log_message(self, *_: Any) -> None:
        """Write no log."""


# -- the operator --------------------------------------------------------------------------------------------------


@dataclass
class Operator:
    """Runs commands of a release with the settings of the site."""

    folder: Path
    proxy: Proxy
    environment: dict[str, str]
    running: list[subprocess.Popen[str]] = field(default_factory=list)

    def atoll(self, release: Path, *arguments: object, status: int = 0) -> str:
        """Run a command, and return its output."""
        ran = subprocess.run(
            [sys.executable, "-m", "atoll", *map(str, arguments)],
            cwd=self.folder,
            env={**self.environment, "PYTHONPATH": str(release)},
            capture_output=True,
            text=True,
            check=False,
        )
        assert ran.returncode == status, f"{arguments}: {ran.returncode}\n{ran.stdout}{ran.stderr}"
        return ran.stdout

    def serve(self, release: Path) -> tuple[subprocess.Popen[str], int]:
        """Start a server, wait until it is healthy, and return it with its port."""
        port = free_port()
        process = subprocess.Popen(
            [sys.executable, "-m", "atoll", "serve", "--port", str(port)],
            cwd=self.folder,
            env={**self.environment, "PYTHONPATH": str(release)},
            stderr=subprocess.PIPE,
            text=True,
        )
        assert process.stderr is not None
        said = []
        for line in process.stderr:
            said.append(line)
            if line.startswith("Atoll is open at "):
                break
        else:
            raise AssertionError("".join(said))
        threading.Thread(target=process.stderr.read, daemon=True).start()
        self.running.append(process)
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/healthz", timeout=10) as answer:
            assert answer.read() == b"ok\n"
        return process, port

    def end(self, process: subprocess.Popen[str]) -> None:
        """Stop a server as a container or systemd does."""
        process.send_signal(signal.SIGTERM)
        assert process.wait(30) in (0, -signal.SIGTERM)


def move(table: str, players: list[Player]) -> None:
    """Let the player that is asked make a move.

    A server hears of a move at another one a moment later. Until then its view is stale.
    """
    for _ in range(50):
        for seat, player in enumerate(players):
            turn = player.get(f"/tables/{table}")["turn"]
            if turn is None or not turn["legal"]:
                continue
            body = {"choices": turn["legal"][:1], "stamp": turn["stamp"]}
            answer = player.client.post(f"/tables/{table}/seats/{seat}/apply", json=body)
            if answer.is_success:
                return
            assert answer.json()["code"] == "stale", answer.text
        time.sleep(0.1)
    raise AssertionError("nobody is asked")


def sequence(table: str, players: list[Player]) -> int:
    """Return how far the game is."""
    found: int = players[0].get(f"/tables/{table}")["view_sequence"]
    return found


def levels(report: str) -> dict[str, str]:
    """Return the level of each check that isn't ok."""
    return {each["check"]: each["level"] for each in json.loads(report) if each["level"] != "ok"}


@pytest.fixture
def operator(tmp_path: Path, postgres_url: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[Operator]:
    """A site on a machine of its own."""
    file = certificate(tmp_path)
    monkeypatch.setenv("SSL_CERT_FILE", str(file))  # players trust the site
    proxy = Proxy(file)
    (tmp_path / "db").write_text(postgres_url)
    (tmp_path / "secret").write_text("s" * 64)
    limits = json.dumps([f"{name}=" for name in DEFAULTS])
    mails = socket.create_server(("127.0.0.1", 0))
    threading.Thread(target=take_mails, args=(mails, [], 100), daemon=True).start()
    (tmp_path / "atoll.toml").write_text(
        f'public-url = "{proxy.base}"\nmail-from = "table@example.org"\nlog-json = true\nbot-workers = 1\n'
        f'smtp = "smtp://127.0.0.1:{mails.getsockname()[1]}"\nconnections = 200\nlimit = {limits}\ngames = "atacama"\n'
    )
    environment = {key: value for key, value in os.environ.items() if not key.startswith("ATOLL_")}
    environment |= {
        "ATOLL_CONFIG": str(tmp_path / "atoll.toml"),
        "ATOLL_DB_FILE": str(tmp_path / "db"),
        "ATOLL_SECRET_FILE": str(tmp_path / "secret"),
    }
    found = Operator(tmp_path, proxy, environment)
    yield found
    for process in found.running:
        if process.poll() is None:
            process.kill()
            process.wait()
    proxy.shutdown()
    proxy.server_close()
    mails.close()


@pytest.mark.long
@pytest.mark.timeout(600)  # a dozen processes
def test_an_operators_day(operator: Operator, other_postgres_url: str, tmp_path: Path) -> None:
    operator.environment["PATH"] = os.environ["PATH"]  # with PostgreSQL's programs
    first = installed(tmp_path)
    assert operator.atoll(first, "--version").startswith("atoll 0.1.0")
    assert operator.atoll(first, "config", "check").startswith("the settings are valid")

    one, port = operator.serve(first)
    operator.proxy.target = port
    site: Any = operator.proxy  # it has the address that players need
    table, players = together(site, "atacama", "Ada", "Bob")
    for _ in range(5):
        move(table, players)
    page = players[0].client.get(f"{operator.proxy.base}/")
    assert page.headers["strict-transport-security"] and "Atoll 0.1.0" in page.text

    def play() -> None:
        for _ in range(10):
            move(table, players)

    playing = threading.Thread(target=play)
    playing.start()
    assert "verified: integrity ok" in operator.atoll(first, "backup", "morning.copy")
    playing.join()
    found = levels(operator.atoll(first, "doctor", "--json", "--mail", "ada@example.org", status=1))
    assert set(found) <= {"disk", "imprint", "integrity"} and "error" not in found.values(), found

    # The upgrade, server by server: both versions answer at once. The way back is as short.
    second = next_release(first)  # including the bytecode of the first release
    two, port = operator.serve(second)
    for each in (port, operator.proxy.target, port):
        operator.proxy.target = each
        move(table, players)
    assert "finish the upgrade" in operator.atoll(first, "doctor", status=1)
    operator.end(one)
    assert operator.atoll(second, "migrate", "--check") == "schema 2, up to date\n"
    back, port = operator.serve(first)
    operator.end(two)
    operator.proxy.target = port
    move(table, players)
    assert "newer than this program" in operator.atoll(first, "migrate", "--check")
    assert "verified: " in operator.atoll(first, "backup", "evening.copy")
    saved = sequence(table, players)

    # The machine is lost, with all moves since the backup.
    for _ in range(4):
        move(table, players)
    back.kill()
    back.wait()
    (tmp_path / "db").write_text(other_postgres_url)
    restored = operator.atoll(first, "restore", "evening.copy")
    assert "0 starts begin again, 1 games are set back" in restored
    _, port = operator.serve(first)
    operator.proxy.target = port
    assert sequence(table, players) == saved
    log = players[0].get(f"/tables/{table}")["log"]
    assert log[-1]["key"] == "set_back" and re.match(r"20\d\d-\d\d-\d\d ", log[-1]["fields"]["backup"])
    assert "was restored from a backup" in players[0].client.get(f"{operator.proxy.base}/lobby").text
    for _ in range(3):
        move(table, players)
    operator.atoll(first, "backup", "night.copy")
    found = levels(operator.atoll(first, "doctor", "--json", status=1))
    assert set(found) <= {"disk", "imprint", "integrity", "schema"} and "error" not in found.values(), found
