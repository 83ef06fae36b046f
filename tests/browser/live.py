"""Helpers of browser tests in addition to `atoll.testing.live_server`.

They are a server that can be killed, and a page without a server.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
import urllib.request
from importlib.resources import files
from pathlib import Path
from urllib.parse import urlsplit

from playwright.sync_api import APIResponse, Page, Route

from atoll.testing.browser import LAN_NAME
from atoll.testing.live_server import free_port

# Each server is a process of its own, which has inherited all modules: to import them takes longest.
SERVE = """
import os, sys, uvicorn
import atoll
from atoll.engine import record
from atoll.server.compose.app import create_app
from atoll.server.play.record_files import import_game
from atoll.server.domain.settings import ServerSettings
port, url, public = int(sys.argv[1]), sys.argv[2], sys.argv[3]
times = {"start_after_s": 0.2, "show_after_s": 5}
for _ in sys.stdin:
    server = os.fork()
    if not server:
        app = create_app(ServerSettings(port=port, url=url, public_url=public, secret="for tests", **times))
        uvicorn.run(app, port=port, log_level="warning")
        os._exit(0)
    print(server, flush=True)
    os.waitpid(server, 0)
    print("gone", flush=True)
"""


class MortalServer:
    """A server in a process of its own, which a test can kill."""

    def __init__(self, folder: Path) -> None:
        self.port = free_port()
        self.url = f"http://{LAN_NAME}:{self.port}"
        command = [sys.executable, "-c", SERVE, str(self.port), f"sqlite:///{folder}/mortal.db", self.url]
        self._parent = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self._server = 0  # the id of its process

    def _said(self) -> str:
        """Return the next line of the parent of servers."""
        assert self._parent.stdout is not None
        return self._parent.stdout.readline().strip()

    def start(self) -> None:
        """Return when it answers."""
        assert self._parent.stdin is not None
        self._parent.stdin.write("\n")
        self._parent.stdin.flush()
        self._server = int(self._said())
        deadline = time.monotonic() + 30
        while time.monotonic() < deadline:
            try:
                with urllib.request.urlopen(f"http://127.0.0.1:{self.port}/healthz", timeout=1):
                    return
            except OSError:
                time.sleep(0.1)
        raise TimeoutError("the server doesn't answer")

    def kill(self) -> None:
        """SIGKILL, at once, whatever it is doing."""
        os.kill(self._server, signal.SIGKILL)
        while self._said() != "gone":  # what the server itself has printed comes before
            pass

    def close(self) -> None:
        """Kill it for good."""
        self.kill()
        with self._parent:
            self._parent.kill()


def pasted(page: Page) -> str:
    """Return the clipboard's text by pasting it, as pages of a local network can't ask for it."""
    page.evaluate("() => document.body.append(Object.assign(document.createElement('textarea'), { id: 'pasted' }))")
    field = page.locator("#pasted")
    field.press("ControlOrMeta+V")
    text = field.input_value()
    field.evaluate("(e) => e.remove()")
    return text


def fetched(route: Route, changed: dict[str, str] | None = None) -> APIResponse:
    """Return the server's answer to a request.

    Playwright asks the server itself, and doesn't know the browser's names.

    Args:
        route: The request.
        changed: Headers that get another value.
    """
    address = urlsplit(route.request.url)
    headers = {**route.request.all_headers(), **(changed or {})}
    here = address._replace(netloc=f"127.0.0.1:{address.port}").geturl()
    return route.fetch(url=here, headers={**headers, "host": address.netloc})


def show(page: Page, html: str, origin: str = "http://shelf.test/") -> None:
    """Show a page that no server has made.

    Its scripts may import the site's modules and those of games.

    Args:
        page: The page.
        html: The content.
        origin: The address that it pretends to have.
    """

    def answer(route: Route) -> None:
        folder, _, name = urlsplit(route.request.url).path.rpartition("/")
        if not name:
            route.fulfill(body=html, content_type="text/html; charset=utf-8")
            return
        game = folder.removeprefix("/static/games/")
        site = files("atoll.server.http.pages")
        home = site.joinpath(folder[1:]) if folder.startswith("/static/js") else files(f"atoll.games.{game}")
        route.fulfill(body=(home / name).read_text("utf-8"), content_type="text/javascript; charset=utf-8")

    page.route(f"{origin}**", answer)
    page.goto(origin)
