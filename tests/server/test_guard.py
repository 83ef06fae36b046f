"""Checks of every request: origin, form tokens, sizes, rates, headers, and no change by GET."""

import contextlib
import json
import re
import shutil
import sqlite3
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
import structlog
from structlog.testing import capture_logs

import atoll
from atoll.lessons.puzzle import puzzles
from atoll.server.compose.app import create_app
from atoll.server.domain.limits import DEFAULTS
from atoll.server.domain.logs import add_request_id, loggable_path
from atoll.server.domain.model import NewTable, Refused, SeatPlan
from atoll.server.domain.settings import ServerSettings
from atoll.server.http.compression import gzip_body
from atoll.server.http.guard import FormTokens
from atoll.server.http.refusal_log import RefusalLog
from atoll.testing.shares import give_shares

from .conftest import Browser, Program, Site, site_at

ME, OPEN = SeatPlan("me"), SeatPlan("open")


def _table(site: Site, *people: Any) -> str:
    """A running Atacama table of these two."""
    ada, bob = (person.user for person in people)
    table: str = site.call(site.tables.table_setup.create, ada, NewTable("atacama", (ME, OPEN)))
    site.call(site.tables.table_setup.join, bob, table)
    site.call(give_shares, site.tables, table)
    site.call(give_shares, site.tables, table)
    return table


def test_every_answer_carries_the_headers_that_protect_it(site: Site) -> None:
    ada = site.browser("Ada")
    nonces = set()
    for path in ("/", "/lobby", "/nowhere", "/events/poll", "/api/v1/games", "/api/v1/nowhere", "/healthz"):
        answer = ada.get(path)
        headers = answer.headers
        policy = headers["content-security-policy"]
        assert "default-src 'none'" in policy and "frame-ancestors 'none'" in policy and "base-uri 'none'" in policy
        assert "unsafe" not in policy and "*" not in policy
        assert headers["cross-origin-opener-policy"] == "same-origin"
        assert headers["referrer-policy"] == "same-origin"
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["cache-control"] == "no-store, private"
        assert "server" not in headers
        found = re.search("'nonce-([^']+)'", policy)
        # Answers of the API aren't pages, so nothing may run there.
        assert (found is None) is path.startswith("/api/")
        nonces.add(found and found[1])
    assert len(nonces) == 6
    page = ada.get("/")
    policy = page.headers["content-security-policy"]
    for script in re.findall(r"<script([^>]*)>", page.text):
        nonce = re.search('nonce="([^"]+)"', script)
        assert "src=" in script or (nonce is not None and nonce[1] in policy) or 'type="application/json"' in script
    assert not re.search(r"\son[a-z]+=", page.text), "an inline handler"


@pytest.fixture
def scripted(sqlite_url: str) -> Iterator[Site]:
    """A server with a game whose table has a script."""
    with site_at(sqlite_url, {"atua": atoll.games["atua"]}) as site:
        yield site


@pytest.mark.parametrize("name", ["page.js", "games/atua/page.js", "games/atua/page.css", "games/atua/table.css"])
def test_scripts_and_styles_are_sent_once(scripted: Site, name: str) -> None:
    ada = scripted.browser()
    answer = ada.get(f"/static/{name}")
    assert answer.status_code == 200
    assert answer.headers["content-type"].startswith("text/css" if name.endswith("css") else "text/javascript")
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert "default-src 'none'" in answer.headers["content-security-policy"]
    ours = re.sub(r"(?s)modules\['[^']*/vendor/.*?\n}\)\(\);\n", "", answer.text)
    assert "@param" not in ours and ("vendor" in answer.text) == name.endswith(".js")
    again = ada.get(f"/static/{name}", headers={"if-none-match": answer.headers["etag"]})
    assert again.status_code == 304 and not again.content


@pytest.mark.parametrize("name", ["rules.py", "components.toml", "README.md", "table.js", "..%2Fatua%2Ftable.js"])
def test_of_a_games_folder_only_its_style_is_served(scripted: Site, name: str) -> None:
    assert scripted.browser().get(f"/static/games/atua/{name}").status_code == 404


@pytest.mark.parametrize("name", ["js/main.js", "js/sent.d.ts", "js/nothing.js", "..%2Ftexts.py"])
def test_modules_are_sent_only_in_a_script(scripted: Site, name: str) -> None:
    assert scripted.browser().get(f"/static/{name}").status_code == 404


def test_the_session_cookie_is_out_of_reach(sqlite_url: str) -> None:
    for public, secure in (("", False), ("https://127.0.0.1", True)):
        with site_at(sqlite_url, public_url=public) as site:
            answer = site.browser().get("/")
            cookies = answer.headers.get_list("set-cookie")
            assert cookies
            for cookie in cookies:
                assert "HttpOnly" in cookie and "SameSite=lax" in cookie
                assert ("Secure" in cookie) is secure
            assert ("strict-transport-security" in answer.headers) is secure


def test_servers_of_one_host_leave_each_others_cookies_alone(tmp_path: Path) -> None:
    """Browsers send a host's cookies to each of its ports."""
    urls = [f"sqlite:///{tmp_path}/{name}.db" for name in "ab"]
    with site_at(urls[0]) as first, site_at(urls[1]) as second:
        ada, other = first.browser(), second.browser()
        tables = [ada.post("/play", {"game": "atacama", "name": "Ada"}).headers["location"]]
        ada.post("/settings", {"theme": "dark"})
        ada.get("/learn/atacama/first?step=3")
        other.cookies = dict(ada.cookies)
        assert 'data-theme="auto"' in other.get("/").text
        assert "step=3" not in other.get("/learn/atacama/first").headers.get("location", "")
        tables.append(other.post("/play", {"game": "atacama", "name": "Bob"}).headers["location"])
        other.post("/settings", {"theme": "light"})
        ada.cookies = dict(other.cookies)
        for browser, table in zip((ada, other), tables, strict=True):
            assert f'href="{table}"' in browser.get("/mine").text
        zones = {re.search(r'data-zone="(\w+)"', browser.get("/").text)[1] for browser in (ada, other)}  # type: ignore[index]
        assert zones == {first.cookie("zone"), second.cookie("zone")} and len(zones) == 2
        ids = "|".join(each.tables.store.id for each in (first, second))
        assert all(re.fullmatch(rf"atoll_({ids})_[a-z]+", name) for name in ada.cookies), "each name has an id"
        other.cookies = {re.sub(rf"_({ids})", "", name): value for name, value in ada.cookies.items()}
        assert f'href="{tables[1]}"' not in other.get("/mine").text, "names without an id count for nothing"
        ada.post("/sign-out")
        other.cookies = dict(ada.cookies)
        assert f'href="{tables[1]}"' in other.get("/mine").text
    with site_at(urls[0]) as again:
        assert again.cookie("zone") in zones, "the id is made once"


def test_a_form_needs_the_token_of_its_own_session(site: Site) -> None:
    ada, eve = site.browser("Ada"), site.browser("Eve")
    table = _table(site, ada, site.browser("Bob"))
    path = f"/t/{table}/say"
    for form in ({}, {"csrf": ""}, {"csrf": "x" * 43}, {"csrf": eve.token()}, {"csrf": site.browser().token()}):
        answer = ada._send("POST", path, data={"text": "hi", **form})
        assert answer.status_code == 403
    assert site.call(site.tables.table_views.table, ada.user, table).chat == ()
    assert ada.post(path, {"text": "one"}).status_code == 303
    by_header = ada._send("POST", path, data={"text": "two"}, headers={"x-csrf": ada.token()})
    assert by_header.status_code == 303
    assert [each.text for each in site.call(site.tables.table_views.table, ada.user, table).chat] == ["one", "two"]


def test_form_tokens_differ_each_time_and_belong_to_one_session() -> None:
    tokens = FormTokens("secret")
    made = {tokens.make("a") for _ in range(20)}
    assert len(made) == 20
    assert all(tokens.is_valid("a", token) for token in made)
    assert not any(tokens.is_valid("b", token) for token in made)
    assert not any(tokens.is_valid("a", token) for token in ("", "a", "é", "=" * 43, "A" * 43, "A" * 44))
    assert not FormTokens("other").is_valid("a", tokens.make("a"))
    assert not FormTokens("").is_valid("a", FormTokens("").make("a"))


@pytest.mark.parametrize(
    "headers",
    [
        {"origin": "http://evil.example"},
        {"origin": "null"},
        {"origin": "http://127.0.0.1.evil.example"},
        {"sec-fetch-site": "cross-site"},
        {"sec-fetch-site": "same-site"},
        {"sec-fetch-site": "none"},
    ],
)
def test_unsafe_requests_come_from_our_own_pages_only(site: Site, headers: dict[str, str]) -> None:
    ada = site.browser("Ada")
    table = _table(site, ada, site.browser("Bob"))
    answer = ada.post(f"/t/{table}/say", {"text": "hi"}, headers=headers)
    assert answer.status_code == 403
    assert site.call(site.tables.table_views.table, ada.user, table).chat == ()
    for good in ({"origin": "http://127.0.0.1"}, {"sec-fetch-site": "same-origin"}):
        assert ada.post(f"/t/{table}/say", {"text": "hi"}, headers=good).status_code == 303


def test_scripts_and_style_sheets_are_packed_for_who_takes_that(site: Site) -> None:
    path = "/static/games/atacama/page.css"
    plain = site.client.get(path, headers={"accept-encoding": "identity"})
    packed = site.client.get(path, headers={"accept-encoding": "gzip"})
    assert "content-encoding" not in plain.headers and packed.headers["content-encoding"] == "gzip"
    assert plain.headers["vary"].lower() == packed.headers["vary"].lower() == "accept-encoding"
    assert plain.text == packed.text
    assert int(packed.headers["content-length"]) < len(gzip_body(plain.content))


@pytest.mark.parametrize("path", ["/", "/static/page.js", "/api/v1/games", "/livez", "/events"])
def test_a_request_names_one_host(site: Site, path: str) -> None:
    def status(count: int, version: str = "1.1", method: str = "GET") -> int:
        found: list[Any] = []

        async def receive() -> Any:
            return {"type": "http.request", "body": b"", "more_body": False}

        async def send(message: Any) -> None:
            found.append(message)

        scope: dict[str, Any] = {
            "type": "http",
            "http_version": version,
            "method": method,
            "scheme": "http",
            "path": path,
        }
        scope |= {"query_string": b"", "root_path": "", "client": ("127.0.0.1", 1), "server": ("127.0.0.1", 80)}
        scope |= {"raw_path": path.encode(), "headers": [(b"host", b"127.0.0.1")] * count}
        site.call(site.app, scope, receive, send)
        code: int = found[0]["status"]
        return code

    assert status(0) == status(2) == status(0, method="POST") == status(2, method="POST") == 400
    assert status(0, "1.0") == (200 if path == "/livez" else 400), "balancers speak HTTP/1.0"
    if path != "/events":
        assert status(1) == 200


def test_a_name_that_could_be_anybodys_is_not_answered_to(sqlite_url: str) -> None:
    """Else a foreign page could point its own name at this machine and read along."""
    with site_at(sqlite_url) as site:
        for host, status in (("localhost:8765", 200), ("192.168.0.7", 200), ("[::1]:80", 200), ("evil.example", 421)):
            assert site.browser().get("/", headers={"host": host}).status_code == status
    with site_at(sqlite_url, public_url="https://atoll.example") as site:
        for host, status in (("atoll.example", 200), ("localhost", 421), ("127.0.0.1", 421)):
            assert site.browser().get("/", headers={"host": host}).status_code == status


def _dump(url: str) -> list[str]:
    """All rows but the server's own, in which it gives a sign of life from time to time."""
    with contextlib.closing(sqlite3.connect(Path(url.removeprefix("sqlite:///")))) as connection:
        dumped = list(connection.iterdump())
    own = ('INSERT INTO "servers"', 'INSERT INTO "identity"')
    return [line for line in dumped if line.startswith("INSERT INTO") and not line.startswith(own)]


def test_no_get_changes_anything(site: Site, sqlite_url: str) -> None:
    ada, bob = site.browser("Ada"), site.browser("Bob")
    program = site.program("Cy")
    table = _table(site, ada, bob)
    gathering = site.call(site.tables.table_setup.create, ada.user, NewTable("atacama", (ME, OPEN)))
    puzzle = next(iter(puzzles(atoll.games["atacama"])))
    ada.get("/")  # the first request of a session notes its network
    program.ask("GET", "/me")
    before = _dump(sqlite_url)
    paths = [route.path for route in site.app.routes if "GET" in (getattr(route, "methods", None) or ())]
    assert len(paths) > 15
    for path in paths:
        if path == "/events":
            continue
        filled = path.replace("{game}", "atacama").replace("{lesson}", "first")
        filled = filled.replace("{puzzle}", puzzle).replace("{picture}", "table")
        for address in {filled.replace("{id}", id) for id in (table, gathering)}:
            for query in ("", "?at=0", "?choices=1", "?choice=place+r1c1+base", "?seat=0"):
                assert ada.get(address + query).status_code < 500
    for method, path in _api_routes(site):
        if method == "GET" and path != "/events":
            filled = path.replace("{seat}", "0").replace("{sequence}", "0")
            for address in {filled.replace("{table}", id) for id in (table, gathering)}:
                assert program.ask("GET", address).status_code < 500
    assert _dump(sqlite_url) == before


def _api_routes(site: Site) -> list[tuple[str, str]]:
    paths = site.client.get("/api/v1/openapi.json").json()["paths"]
    return [(method.upper(), path) for path, methods in paths.items() for method in methods]


def test_too_large_requests_are_refused(site: Site) -> None:
    ada = site.browser("Ada")
    large = "x" * 70_000
    assert ada.post("/settings", {"name": large}).status_code == 413
    program = site.program("Bob")
    assert program.ask("POST", "/guests", {"name": large}).status_code == 413

    def chunks() -> Any:
        for _ in range(70):
            yield b"x" * 1000

    answer = site.client.post("/api/v1/guests", content=chunks(), headers={"content-type": "application/json"})
    assert answer.status_code == 413
    for length in ("-1", "1e3", "x"):
        answer = site.client.post("/api/v1/guests", content=b"{}", headers={"content-length": length})
        assert answer.status_code in (400, 413)


def test_who_asks_too_often_has_to_wait(sqlite_url: str) -> None:
    with site_at(sqlite_url, limits={"guest": "2/hour", "request": "1000/minute", "token": "3/minute"}) as site:
        program = Program(site, None)
        answers = [program.ask("POST", "/guests", {"name": "Ada"}) for _ in range(4)]
        assert [answer.status_code for answer in answers] == [201, 201, 429, 429]
        assert 0 < int(answers[-1].headers["retry-after"]) <= 3600
        assert answers[-1].json()["code"] == "limit"
        tries = [site.browser().post("/device", {"token": "guess"}).status_code for _ in range(5)]
        assert tries == [410, 410, 410, 429, 429]
    with site_at(sqlite_url, limits={"request": "5/minute"}) as site:
        assert [site.client.get("/api/v1/games").status_code for _ in range(7)][-1] == 429


def test_looking_back_is_bounded_without_a_name_too(sqlite_url: str) -> None:
    with site_at(sqlite_url, limits={"replay": "2/minute", "follow": "2/minute"}) as site:
        table = _table(site, site.browser("Ada"), site.browser("Bob"))
        nobody, nothing = site.browser(), Program(site, None)
        for paths in (("acts", "moment", "acts"), ("replay", "export", "replay")):
            assert [nobody.get(f"/t/{table}/{path}").status_code for path in paths] == [200, 200, 429]
        assert nothing.ask("GET", f"/tables/{table}/export").status_code == 429
        assert nothing.ask("GET", f"/tables/{table}/moments/0").status_code == 429
        assert site.browser("Eve").get(f"/t/{table}/moment").status_code == 200


def test_browsers_are_bounded_in_making_guests_too(sqlite_url: str) -> None:
    with site_at(sqlite_url, limits={"guest": "2/hour"}) as site:
        statuses = []
        for _ in range(4):
            fresh: Browser = site.browser()
            statuses.append(fresh.post("/play", {"game": "atacama", "name": "Ada"}).status_code)
        assert statuses == [303, 303, 429, 429]


def test_the_api_takes_no_cookies_and_pages_no_tokens(site: Site) -> None:
    ada = site.browser("Ada")
    assert ada.get("/api/v1/me").status_code == 401
    program = site.program("Bob")
    assert site.client.get("/mine", headers=program.headers).text.count("Bob") == 0
    stolen = {"authorization": f"Bearer {ada.cookies[site.cookie()]}"}
    assert site.client.get("/api/v1/me", headers=stolen).status_code == 401
    for header in ("Bearer", "Bearer x", "Basic YTpi", "Bearer " + "x" * 500):
        assert site.client.get("/api/v1/me", headers={"authorization": header}).status_code == 401


def test_names_and_messages_are_shown_as_text(site: Site) -> None:
    evil = "<script>x</script>"
    ada, bob = site.browser(evil), site.browser('"><img src=x>')
    table = _table(site, ada, bob)
    ada.post(f"/t/{table}/say", {"text": "<img src=x onerror=alert(1)>\u202e"})
    for browser in (ada, bob, site.browser()):
        for path in (f"/t/{table}", "/lobby", "/mine", f"/t/{table}/replay", "/settings"):
            text = browser.get(path).text
            assert evil not in text and "<img src=x" not in text and "\u202e" not in text


@pytest.mark.source  # methods of compiled classes can't be replaced
def test_errors_tell_nothing_of_the_inside(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    async def fails(*_args: Any, **_values: Any) -> Any:
        raise ZeroDivisionError("a secret of the inside")

    monkeypatch.setattr(site.tables.table_lists, "lobby", fails)
    for path in ("/lobby", "/api/v1/tables"):
        answer = site.client.get(path)
        assert answer.status_code == 500
        assert "secret" not in answer.text and "Traceback" not in answer.text
    assert site.client.get("/api/v1/games").status_code == 200
    monkeypatch.setattr(site.tables.deadlines, "of", fails)
    with capture_logs() as said:
        assert site.client.get(f"/calendar/{'x' * 32}.ics").status_code == 500
    assert [each["path"] for each in said if each["event"] == "request failed"] == ["/calendar/xxxx…"]


def test_each_request_has_an_id_in_its_answer_and_in_the_log(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    ada = site.browser("Ada")
    ids = {ada.get(path).headers["x-request-id"] for path in ("/", "/", "/api/v1/games", "/livez", "/static/page.js")}
    assert len(ids) == 5 and all(re.fullmatch("[0-9a-f]{16}", each) for each in ids)
    assert ada.get("/", headers={"x-request-id": "proxy-4711.a"}).headers["x-request-id"] == "proxy-4711.a"
    for bad in ("short", "x" * 65, "a b c d e f", "<script>alert"):
        assert ada.get("/", headers={"x-request-id": bad}).headers["x-request-id"] != bad

    async def fail(*_: Any) -> None:
        structlog.get_logger().error("planted")
        raise RuntimeError

    monkeypatch.setattr(site.tables.table_lists, "lobby", fail)
    lines: list[Any] = []

    def collect(_: Any, _name: str, event: Any) -> str:
        lines.append(event)
        return ""

    before = structlog.get_config()
    structlog.configure(processors=[add_request_id, collect])
    try:
        page = ada.get("/lobby", headers={"x-request-id": "proxy-4712.a", "accept-language": "de"})
    finally:
        structlog.configure(**before)
    assert page.status_code == 500 and "Anfrage proxy-4712.a" in page.text
    assert {line["event"] for line in lines} == {"planted", "request failed"}
    assert {line["request"] for line in lines} == {"proxy-4712.a"}
    assert "Anfrage" not in ada.get("/nowhere", headers={"accept-language": "de"}).text
    assert add_request_id(None, "", {}) == {}, "outside of a request there is none"


def test_refused_requests_are_logged_for_a_day_if_the_operator_wants(sqlite_url: str, tmp_path: Path) -> None:
    folder = tmp_path / "log" / "refused"
    with site_at(sqlite_url, log_refused=str(folder)) as site:
        ada = site.browser("Ada")
        ada.get("/t/abcdefghijklmnopqrst")
        ada.get("/")
        [file] = folder.iterdir()
        [line] = map(json.loads, file.read_text().splitlines())
        assert datetime.now(UTC) - datetime.fromisoformat(line.pop("at")) < timedelta(seconds=60)
        path = loggable_path("/t/abcdefghijklmnopqrst")
        assert line == {"code": "no_table", "status": 404, "method": "GET", "path": path, "network": "testclient"}
    log, now = RefusalLog(folder), datetime.now(UTC)
    old, young = ((now - timedelta(hours=hours)).strftime("refused-%Y-%m-%dT%H.jsonl") for hours in (25, 22))
    for name in (old, young, "refused-notes.jsonl", "other.txt"):
        (folder / name).write_text("")
    log.sweep()
    assert {each.name for each in folder.iterdir()} == {file.name, young, "refused-notes.jsonl", "other.txt"}
    shutil.rmtree(folder)
    with capture_logs() as said:
        log.note(Refused("busy", 503, "busy"), "GET", "/", "n")
    assert [each["event"] for each in said] == ["refused requests can't be logged"], "a request isn't refused for that"


def test_paths_are_logged_without_secrets() -> None:
    assert loggable_path("/t/0123456789abcd/choose") == "/t/0123456789abcd/choose"
    assert loggable_path(f"/unsubscribe/{'ab' * 16}") == "/unsubscribe/abab…"
    assert loggable_path(f"/rescue/{'0f' * 32}/refuse") == "/rescue/0f0f…/refuse"


def test_what_does_not_exist_is_said_in_the_right_form(site: Site) -> None:
    assert site.client.get("/nowhere").status_code == 404
    assert site.client.get("/nowhere").headers["content-type"].startswith("text/html")
    assert site.client.get("/api/v1/nowhere").json()["code"] == "no_page"
    answer = site.client.delete("/api/v1/games")
    assert answer.status_code == 405 and answer.json()["code"] == "no_method"


def test_without_any_setting_the_server_is_safe() -> None:
    settings = ServerSettings()
    assert settings.host == "127.0.0.1", "only this machine"
    assert not settings.metrics_port
    assert not settings.public_url
    assert settings.proxies == "127.0.0.1"
    one, two = (FormTokens(settings.secret) for _ in range(2))
    assert one.is_valid("session", one.make("session"))
    assert not two.is_valid("session", one.make("session")), "without a secret each server makes one up"
    app = create_app(settings)
    assert not app.debug
    assert all(DEFAULTS.values()), "every limit is on"


def test_what_may_be_kept_says_so_once(site: Site) -> None:
    ada = site.browser("Ada")
    drawn = re.findall(r'src="(/rules/[^"]+)"', ada.get("/rules/atacama").text)
    assert drawn
    assert ada.get(drawn[0]).headers.get_list("cache-control") == ["public, max-age=600"]
    assert ada.get("/rules/atacama").headers.get_list("cache-control") == ["no-store, private"]


@pytest.mark.parametrize(
    "name",
    [
        "picture.css",
        "games/atacama/cover.svg",
        "games/atacama/table.css",
        "games/atacama/page.css",
        "games/atacama/page.js",
    ],
)
def test_a_file_that_a_browser_has_is_not_sent_again(site: Site, name: str) -> None:
    ada, path = site.browser("Ada"), f"/static/{name}"
    first = ada.get(path)
    assert first.status_code == 200
    assert first.content
    again = ada.get(path, headers={"if-none-match": first.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")
    assert ada.get(path, headers={"if-none-match": '"older"'}).content == first.content
