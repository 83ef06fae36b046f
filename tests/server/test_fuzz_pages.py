"""Fuzzed requests of browsers: no page fails, no table breaks, no script is returned."""

import re
from collections.abc import Iterator
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from starlette.routing import Route

from atoll.testing.shares import give_shares

from .conftest import Browser, Site, site_at

_READ = re.compile(r"\.(?:text|number|number_if_any)\(\s*\"([\w.]+)\"")
_MARK = "<script>alert(1)</script>"
_TEXTS = (
    *("", "0", "1", "-1", "99", "²", "٣", "9" * 5000, "1e3", "0,1,2", "1,²", "x" * 3000, "\x00", "\ud800", "\u202e"),
    *(_MARK, "'\"><img src=x onerror=alert(1)>", "{{7*7}}", "%s%n", "../../etc/passwd", "remove:0", "cancel", "me"),
    *("place r1c1 base", "place * *", "wish pink", "bot:beginner", "device", "open", "atacama", "toy", "on", "yes"),
)
TEXT = st.sampled_from(_TEXTS) | st.text(max_size=40)
HEADERS = st.dictionaries(
    st.sampled_from(("x-fragments", "accept-language", "if-none-match", "last-event-id", "content-type", "range")),
    st.sampled_from(("1", "", "de", "*/*;q=x", "\xff" * 9, ",;=" * 99, "multipart/form-data", "bytes=0-x", "x" * 900)),
    max_size=3,
)


@cache
def fields() -> tuple[str, ...]:
    """The names of all fields that pages read, and of some that they make up."""
    source = "".join(
        each.read_text("utf-8") for each in files("atoll.server.http.pages").iterdir() if each.name.endswith(".py")
    )
    found = {*_READ.findall(source), "seat.0", "seat.1", "name.1", "option.setup", "csrf", "stamp", "key", "seat"}
    assert {"take", "choices", "subject", "token", "share", "back"} <= found
    return tuple(sorted(found))


def routes(site: Site) -> list[tuple[str, str]]:
    """Method and path of every page; the stream aside, which doesn't end."""
    found = [
        (method, each.path)
        for each in site.app.routes
        if isinstance(each, Route) and each.path != "/events"
        for method in each.methods or ()
    ]
    assert len(found) > 40
    return found


class Fuzzer:
    """A site with a table of each kind, and people who send anything."""

    def __init__(self, site: Site) -> None:
        self._site: Site = site
        self._people: list[Browser] = [site.browser("Ada"), site.browser("Bob"), site.browser()]
        self._tokens: list[str] = [each.token() for each in self._people]
        ada = self._people[0]
        self._routes: list[tuple[str, str]] = routes(site)
        made = [ada.post("/play", {"game": "atacama"}).headers["location"]]
        made += [
            ada.post("/new", {"game": game, "seats": "2", "seat.0": "me", "seat.1": "open"}).headers["location"]
            for game in ("atacama", "toy")
        ]
        self._tables: list[str] = [each.removeprefix("/t/") for each in made]
        for person in self._people[:2]:
            person.post(f"/t/{self._tables[1]}/join", {"take": "1"})
        site.call(give_shares, site.tables, self._tables[1])

    def send(self, data: Any) -> None:
        """One request of anything to any page."""
        method, path = data.draw(st.sampled_from(self._routes), label="page")
        who = data.draw(st.integers(0, 2), label="who")
        for name, known in (
            ("{id}", self._tables),
            ("{game}", ["atacama", "toy"]),
            ("{lesson}", ["first"]),
            ("{name}", ["table.css"]),
        ):
            if name in path:
                text = data.draw(st.sampled_from(known) | TEXT, label=name)
                path = path.replace(name, re.sub(r"[^!-~]|[/?#%\\]", "_", text)[:80] or "_")
        given_fields = data.draw(st.dictionaries(st.sampled_from(fields()) | TEXT, TEXT, max_size=6), label="fields")
        headers = data.draw(HEADERS, label="headers")
        sent = {name: value.encode("latin-1") for name, value in headers.items()}
        clean = {_utf8(name): _utf8(value) for name, value in given_fields.items()}
        person = self._people[who]
        cookies = dict(person.cookies)
        if method == "GET":
            answer = person._send(method, path, params=clean, headers=sent)
        else:
            answer = person._send(method, path, data={**clean, b"csrf": self._tokens[who].encode()}, headers=sent)
        person.cookies = cookies  # who signs out comes back
        assert answer.status_code not in (500, 501, 502, 504), (method, path, answer.status_code)
        assert answer.headers.get("content-type", "").startswith("application/json") or _MARK not in answer.text

    def check(self) -> None:
        """No table was broken."""
        for table in self._tables:
            assert self._site.call(self._site.tables.table_views.table, self._people[0].user, table).status != "repair"


def _utf8(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")


@pytest.fixture(scope="module")
def fuzzer(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Fuzzer]:
    """One site for all requests of a search."""
    with site_at(f"sqlite:///{tmp_path_factory.mktemp('fuzz')}/atoll.db") as site:
        found = Fuzzer(site)
        yield found
        found.check()


@settings(max_examples=400, suppress_health_check=list(HealthCheck))
@given(data=st.data())
def test_no_request_makes_a_page_fail(fuzzer: Fuzzer, data: Any) -> None:
    fuzzer.send(data)


@pytest.mark.fuzz
@settings(suppress_health_check=list(HealthCheck))
@given(data=st.data())
def test_no_request_of_very_many_makes_a_page_fail(fuzzer: Fuzzer, data: Any) -> None:
    fuzzer.send(data)


@pytest.mark.parametrize("length", ["²", "9" * 5000, "-1", "1_0", "", "0x1"])
def test_no_content_length_makes_a_page_fail(tmp_path: Path, length: str) -> None:
    with site_at(f"sqlite:///{tmp_path}/atoll.db") as site:
        for path in ("/settings", "/api/v1/guests"):
            answer = site.client.post(path, content=b"{}", headers={b"content-length": length.encode()})
            assert 400 <= answer.status_code < 500
