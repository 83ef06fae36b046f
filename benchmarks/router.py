"""A router by table in front of servers on this machine: nginx with the shipped configuration."""

from __future__ import annotations

import re
import shutil
import socket
import subprocess
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Final

SHIPPED: Final = Path(__file__).parents[1] / "examples" / "router" / "nginx.conf"
"""The configuration that operators adapt."""

_FRAME: Final = """
daemon off;
pid {folder}/nginx.pid;
error_log {folder}/error.log;
worker_rlimit_nofile 65536;
events {{ worker_connections 16384; }}
http {{
    log_format upstream '$upstream_addr $request_method $uri $status';
    access_log {folder}/access.log upstream;
    {temporary}
    {shipped}
}}
"""
_KINDS: Final = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
_START_S: Final = 10.0


def adapted(text: str, port: int, servers: Sequence[int], *, by_table: bool = True) -> str:
    """Return the shipped configuration for servers on this machine, without TLS.

    Args:
        text: The shipped configuration.
        port: Port of the router.
        servers: Ports of the servers.
        by_table: Whether a table's requests go to one server; otherwise each goes to any.
    """
    text = re.sub(r"(?m)^ +(server 10\.|ssl_|server_name ).*\n", "", text)
    text = text.replace("listen 443 ssl;", f"listen 127.0.0.1:{port};")
    lines = "".join(f"    server 127.0.0.1:{each} max_fails=2 fail_timeout=5s;\n" for each in servers)
    balance = "hash $atoll_key consistent;\n" if by_table else "random;\n"
    return text.replace("hash $atoll_key consistent;\n", balance + lines)


class Router:
    """An nginx process.

    Attributes:
        port: Port on loopback.

    Args:
        folder: Folder for its files.
        servers: Ports of the servers.
        by_table: Whether a table's requests go to one server; otherwise each goes to any.

    Raises:
        FileNotFoundError: If nginx isn't installed.
    """

    def __init__(self, folder: Path, servers: Sequence[int], *, by_table: bool = True) -> None:
        program = shutil.which("nginx")
        if program is None:
            raise FileNotFoundError("nginx isn't installed")
        with socket.create_server(("127.0.0.1", 0)) as free:
            self.port: int = free.getsockname()[1]
        self._access: Path = folder / "access.log"
        file = folder / "nginx.conf"
        temporary = "\n    ".join(f"{kind}_temp_path {folder}/{kind};" for kind in _KINDS)
        shipped = adapted(SHIPPED.read_text("utf-8"), self.port, servers, by_table=by_table)
        file.write_text(_FRAME.format(folder=folder, temporary=temporary, shipped=shipped), "utf-8")
        command = [program, "-p", str(folder), "-e", str(folder / "error.log"), "-c", str(file)]
        self._process = subprocess.Popen(command)
        until = time.monotonic() + _START_S
        while time.monotonic() < until and self._process.poll() is None:
            try:
                socket.create_connection(("127.0.0.1", self.port), 1).close()
            except OSError:
                time.sleep(0.02)
            else:
                return
        self.end()
        raise OSError(f"nginx doesn't start: {(folder / 'error.log').read_text('utf-8')[-500:]}")

    def requests(self) -> list[tuple[str, str, str]]:
        """Return the finished requests: addresses of the servers tried, path and status."""
        found = []
        for line in self._access.read_text("utf-8").splitlines():
            servers, _method, path, status = line.rsplit(" ", 3)
            found.append((servers, path, status))
        return found

    def end(self) -> None:
        """Stop the process."""
        self._process.terminate()
        self._process.wait(10)
