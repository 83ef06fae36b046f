"""Each check of `atoll doctor` finds the fault that is planted for it, and says what to do."""

import asyncio
import json
import socket
import sqlite3
import threading
from pathlib import Path
from typing import Any

import httpx2
import pytest
from sqlalchemy import update
from starlette.requests import Request

from atoll.server.compose import database_checks, environment_checks, service_checks
from atoll.server.compose.diagnosis import Check, Finding, Patient, Result, error, ok
from atoll.server.compose.doctor import CHECKS, examine, status_of
from atoll.server.domain.settings import ServerSettings
from atoll.server.http.forwarding import ForwardedAddresses
from atoll.server.http.health import livez
from atoll.server.play.backups import back_up
from atoll.server.play.maintenance import begin_maintenance
from atoll.store import BackupRow, JobRow, ServerRow, schema
from atoll.store.operations import DatabaseFacts

from .conftest import GAMES, Room, opened

pytestmark = pytest.mark.anyio

SECRET = "s" * 40
DAY = 86_400_000


def patient(room: Room | None = None, **values: Any) -> Patient:
    """A server with a database."""
    if room is not None:
        values["url"] = room.tables.store.url.render_as_string(hide_password=False)
    return Patient(ServerSettings(**values), database=None if room is None else room.tables.store)


def told(finding: Finding) -> str:
    """Return a finding as one text."""
    return f"{finding.level}: {finding.text}"


@pytest.fixture
def now(monkeypatch: pytest.MonkeyPatch) -> int:
    """The time of the machine, standing still."""
    at = 1_700_000_000_000
    monkeypatch.setattr("atoll.server.domain.wall_clock.machine_ms", lambda: at)
    return at


async def test_settings() -> None:
    sick = patient(secret=SECRET, smtp="smtp://a:b@mail.example.org", mail_from="a@example.org")
    sick.sources, sick.unknown = {"secret": "--secret", "smtp": "ATOLL_SMTP", "url": "--db"}, ["ATOLL_PROT"]
    text = told(await environment_checks.settings(sick))
    assert text.startswith("warning: nothing reads the variable ATOLL_PROT")
    assert "--secret is visible in the list of processes: use ATOLL_SECRET_FILE" in text
    assert "--smtp" not in text and "--db" not in text and SECRET not in text
    assert told(await environment_checks.settings(patient())) == "ok: valid, 0 given"
    forged = await environment_checks.settings(patient(proxies="10.0.0.1,*"))
    assert told(forged) == "warning: --proxies * trusts everybody: clients can forge their address"


async def test_secret() -> None:
    cases: tuple[tuple[dict[str, Any], str], ...] = (
        ({"public_url": "https://a.example"}, "error: missing"),
        ({"secret": "short"}, "warning: 5 characters"),
        ({"secret": SECRET}, "ok"),
        ({}, "ok"),
    )
    for values, level in cases:
        assert told(await environment_checks.secret(patient(**values))).startswith(level)


async def test_disk(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    sick = patient(url=f"sqlite:///{tmp_path}/atoll.db")
    for free, level in ((3, "error"), (15, "warning"), (50, "ok")):
        usage = type("Usage", (), {"free": free * 10**9, "total": 100 * 10**9})
        monkeypatch.setattr("shutil.disk_usage", lambda _, usage=usage: usage)
        assert told(await environment_checks.disk(sick)).startswith(level)
    monkeypatch.undo()
    assert told(await environment_checks.disk(patient(url="sqlite:////nowhere/at/all.db"))).startswith("error")


async def test_file_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(environment_checks, "raise_file_limit", lambda: 1024)
    assert told(await environment_checks.file_limit(patient())).startswith("warning: 1024 open files, 20200 needed")
    assert told(await environment_checks.file_limit(patient(connections=100))).startswith("ok")


async def test_version_size_and_connections(both: Room, monkeypatch: pytest.MonkeyPatch, now: int) -> None:
    sick, operations = patient(both), both.tables.store.operations
    for check in (database_checks.version, database_checks.size, database_checks.connections):
        assert (await check(sick)).level == "ok"
    monkeypatch.setattr(database_checks, "_FEW_TABLES", 0)
    facts = DatabaseFacts((3, 1), 10**10, now + 2500, 95, 100, checksums=False)

    async def planted() -> DatabaseFacts:
        return facts

    monkeypatch.setattr(operations, "database_facts", planted)
    assert told(await database_checks.version(sick)).startswith("warning")
    assert "delete old games" in told(await database_checks.size(sick))
    assert told(await database_checks.clock(sick)) == (
        "error: offset to the database +2.5 s: synchronize both machines with NTP"
    )
    if both.tables.store.dialect == "postgresql":
        assert told(await database_checks.connections(sick)).startswith("warning: 95 of 100 used")
        assert told(await database_checks.integrity(sick)).startswith("warning: data checksums are off")


async def test_schema_and_integrity(room: Room, tmp_path: Path) -> None:
    sick, store = patient(room), room.tables.store
    assert [told(await each(sick)) for each in (database_checks.schema, database_checks.integrity)] == [
        "ok: schema 1",
        "ok: no damage",
    ]
    await room.person("Ada")
    with sqlite3.connect(str(store.url.database)) as connection:
        connection.execute("INSERT INTO notes VALUES ('no game', 'nobody', '', 1)")
    connection.close()
    assert told(await database_checks.integrity(sick)).startswith("error: table notes, row 1: ")
    await store.operations.mark_copied(1)
    assert told(await database_checks.schema(sick)).startswith("error: this database is a copy")
    lost = Patient(ServerSettings(url=f"sqlite:///{tmp_path}/none.db"))
    checks = (Check("schema", database_checks.schema), Check("size", database_checks.size))
    results = await examine(lost, checks)
    assert [each.finding.level for each in results] == ["error", "warning"]
    assert "doesn't exist" in results[0].finding.text


async def test_jobs_and_repair(room: Room, now: int) -> None:
    sick, store = patient(room), room.tables.store
    assert told(await database_checks.jobs(sick)) == "ok: no server is running"
    await store.heartbeat(ServerRow("a", "1@here", now, "0.1.0"), begins=True)
    await store.set_jobs([JobRow("sweep", "sweep", None, now - 90_000, "t", attempts=12)])
    text = told(await database_checks.jobs(sick))
    assert text.startswith("warning: the oldest due job waits for 90 s") and "a job failed 12 times" in text
    await begin_maintenance(store, None, "", None, now)
    assert told(await database_checks.jobs(sick)).startswith("ok")
    assert (await database_checks.repair(sick)).level == "ok"
    table = await room.table("toy", "Ada", "Bob")
    change = update(schema.games).where(schema.games.c.id == table)
    await store._execute(change.values(status="repair", repair="KeyError: 'x'"))
    assert told(await database_checks.repair(sick)) == (
        f"error: 1 tables wait for repair, such as {table} (toy: KeyError: 'x'): update the game"
    )


async def test_bots(monkeypatch: pytest.MonkeyPatch) -> None:
    assert told(await environment_checks.bots(patient(games="atacama"))).startswith("ok: ")
    assert told(await environment_checks.bots(patient(games="chess"))).startswith("error: ")
    monkeypatch.setattr("sys.executable", "/bin/false")
    assert "moves failed, such as atacama" in told(await environment_checks.bots(patient(games="atacama")))


async def test_mail() -> None:
    assert told(await service_checks.mail(patient())).startswith("ok: no mail server")
    with socket.socket() as closed:
        closed.bind(("127.0.0.1", 0))
        address = f"smtp://user:hidden@127.0.0.1:{closed.getsockname()[1]}"
        text = told(await service_checks.mail(patient(smtp=address, mail_from="a@example.org")))
    assert text.startswith("error: 127.0.0.1:") and "check --smtp" in text and "hidden" not in text
    with socket.create_server(("127.0.0.1", 0)) as server:
        received: list[bytes] = []
        threading.Thread(target=take_mails, args=(server, received, 2), daemon=True).start()
        sick = patient(smtp=f"smtp://127.0.0.1:{server.getsockname()[1]}", mail_from="a@example.org")
        sick.mail = "ada@example.org"
        assert "test mail sent to ada@example.org" in told(await service_checks.mail(sick))
        assert b"This mail shows that Atoll's mails arrive." in b"".join(received)


def take_mails(server: socket.socket, received: list[bytes], sessions: int) -> None:
    """A mail server that takes everything."""
    for _ in range(sessions):
        with server.accept()[0] as client, client.makefile("rwb") as stream:
            stream.write(b"220 here\r\n")
            stream.flush()
            in_data = False
            for line in stream:
                received.append(line)
                if in_data and line != b".\r\n":
                    continue
                starts = not in_data and line.upper().startswith(b"DATA")
                in_data = starts
                stream.write(b"354 go\r\n" if starts else b"250 ok\r\n")
                stream.flush()
                if line.upper().startswith(b"QUIT"):
                    break


async def test_web_push(room: Room) -> None:
    public = {"public_url": "https://a.example"}
    assert told(await service_checks.web_push(patient(room, **public))).startswith("warning: off")
    assert told(await service_checks.web_push(patient(room))) == "ok: off"
    assert told(await service_checks.web_push(patient(room, secret=SECRET, **public))) == "ok: key ok, no subscriptions"
    person = await room.person("Ada")
    insert = schema.channels.insert().values(
        id="c",
        user_id=person.id,
        kind="push",
        address=json.dumps({"url": "https://127.0.0.1:9/push"}),
        secret="",
        kinds="[]",
        language="en",
        digest=False,
        confirmed=True,
        created=1,
        error="",
        cause="",
    )
    await room.tables.store._execute(insert)
    assert told(await service_checks.web_push(patient(room, secret=SECRET, **public))).startswith("warning: key ok, ")


def _site(**changed: Any) -> httpx2.MockTransport:
    """A public address: status and body by path."""

    def answer(request: httpx2.Request) -> httpx2.Response:
        status = changed.get(request.url.path.strip("/") or "start", 200)
        headers = {"atoll-version": "0.1.0", "strict-transport-security": "max-age=1"}
        if "forwarded" in changed:
            headers["atoll-forwarded"] = changed["forwarded"]
        return httpx2.Response(status, text="ok", headers=headers if status == 200 else {})

    return httpx2.MockTransport(answer)


async def test_public_address_and_imprint() -> None:
    sick = patient(public_url="https://a.example", secret=SECRET)
    for site, text in (
        (_site(), "ok: https://a.example, Atoll 0.1.0"),
        (_site(livez=404), "error: https://a.example/livez: 404, not an answer of Atoll"),
        (_site(start=421), "error: https://a.example: 421: let the proxy forward Host"),
        (_site(forwarded="trusted"), "ok: https://a.example, Atoll 0.1.0"),
        (_site(forwarded="untrusted"), "error: X-Forwarded-For comes from an untrusted address"),
        (_site(forwarded="none"), "warning: the proxy sends no X-Forwarded-For"),
    ):
        assert told(await service_checks.public_address(sick, site)).startswith(text)
    assert (await service_checks.public_address(patient())).level == "ok"
    assert (await service_checks.imprint(sick, _site())).level == "ok"
    assert told(await service_checks.imprint(sick, _site(imprint=404))).startswith("warning: /imprint can't be read")


def _unreachable(_: httpx2.Request) -> httpx2.Response:
    raise httpx2.ConnectError("no route")


async def test_a_server_asks_itself_whether_it_sees_the_addresses_of_clients() -> None:
    ask = service_checks.forwarded_addresses
    assert await ask("https://a.example", _site(forwarded="trusted")) is None
    found = await ask("https://a.example", _site(forwarded="untrusted"))
    assert found is not None and "--proxies" in found.text
    assert await ask("https://a.example", httpx2.MockTransport(_unreachable)) is None


@pytest.mark.parametrize(
    ("peer", "headers", "verdict", "client"),
    [
        ("127.0.0.1", [(b"x-forwarded-for", b"192.0.2.7")], "trusted", "192.0.2.7"),
        ("127.0.0.1", [(b"x-forwarded-for", b"127.0.0.1")], "trusted", "127.0.0.1"),
        ("10.0.0.9", [(b"x-forwarded-for", b"192.0.2.7")], "untrusted", "10.0.0.9"),
        ("127.0.0.1", [], "none", "127.0.0.1"),
    ],
)
async def test_the_health_check_judges_forwarded_addresses(
    peer: str, headers: list[tuple[bytes, bytes]], verdict: str, client: str
) -> None:
    seen: list[Any] = []

    async def app(scope: Any, receive: Any, send: Any) -> None:
        seen.append((scope["client"][0], (await livez(Request(scope))).headers["atoll-forwarded"]))

    scope = {"type": "http", "path": "/livez", "client": (peer, 1), "headers": headers}
    await ForwardedAddresses(app, "127.0.0.1")(scope, None, None)
    assert seen == [(client, verdict)]


async def test_backup_and_servers(room: Room, now: int) -> None:
    sick, store = patient(room), room.tables.store
    assert told(await database_checks.backup(sick)).startswith("warning: there is no backup")
    for number, (age, verified, text) in enumerate(
        (
            (9 * DAY, True, "warning: last backup 9 days ago"),
            (DAY, False, "error: last backup 1 days ago"),
            (0, True, "ok"),
        )
    ):
        row = BackupRow(str(number), now - age, "sqlite", "1", 1, 1, verified=verified)
        await store.operations.add_backup(row)
        assert told(await database_checks.backup(sick)).startswith(text)
    assert told(await database_checks.servers(sick)) == "ok: none is running"
    rows = [("a", now, "0.1.0"), ("b", now - 3000, "0.2.0"), ("c", now - 60_000, "0.2.0")]
    values = [{"id": id, "place": f"{id}@here/x", "seen": seen, "version": version} for id, seen, version in rows]
    for each in values:
        await store._execute(schema.servers.insert().values(**each))
    text = told(await database_checks.servers(sick))
    assert "servers of versions 0.1.0, 0.2.0" in text and "c@here has been silent for 60 s" in text


async def test_a_check_that_takes_too_long_or_fails_is_a_finding(room: Room) -> None:
    async def hangs(_: Patient) -> Finding:
        await asyncio.sleep(9)
        return ok("never")

    async def fails(_: Patient) -> Finding:
        raise OSError("disk on fire")

    sick = patient(room)
    results = await examine(sick, (Check("slow", hangs, limit_s=0.01), Check("bad", fails)))
    assert [told(each.finding) for each in results] == ["warning: no result within 0 s", "error: disk on fire"]
    assert status_of(results) == 2 and status_of([]) == 0 and status_of(results[:1]) == 1
    assert results[1].data() == {"check": "bad", "level": "error", "text": "disk on fire"}
    assert status_of([Result("x", error("y"))]) == 2


async def test_a_healthy_server_has_no_findings(sqlite_url: str, tmp_path: Path) -> None:
    async with opened(sqlite_url) as room:
        await room.table("toy", "Ada", "Bob")
        await back_up(sqlite_url, tmp_path / "copy.db", GAMES)
    healthy = Patient(ServerSettings(url=sqlite_url, games="atacama", connections=100))
    results = await examine(healthy, [each for each in CHECKS if each.name not in ("bots", "disk")])
    assert [told(each.finding) for each in results if each.finding.level != "ok"] == []
    assert len(CHECKS) == 19
