"""The page of operators: counts, load, errors, and what needs attention."""

from __future__ import annotations

import shutil
from typing import Any

import pytest
from prometheus_client import CollectorRegistry, Counter
from sqlalchemy import insert

from atoll.server.domain import metrics, wall_clock
from atoll.server.domain.metrics import LoopSeconds, Readings
from atoll.server.domain.model import Clock, User
from atoll.server.play import operation
from atoll.server.play.maintenance import begin_maintenance
from atoll.server.presentation import amounts, texts
from atoll.store import LOST_MS, BackupRow, ChannelRow, JobRow, NoticeRow, ServerRow, schema
from atoll.store.codec import values

from .conftest import Browser, Room, Site, refused, site_at

DAY = 86_400_000


async def operator(room: Room, name: str = "Olga") -> User:
    """A person who is an operator."""
    who = await room.person(name)
    await room.tables.store.change_user(who.id, role="operator")
    return await room.signed_in(name)


@pytest.mark.anyio
async def test_only_operators_get_an_overview(room: Room) -> None:
    with refused("sign_in"):
        await room.tables.operation.overview(None)
    ada = await room.person("Ada")
    for role in ("", "moderator"):
        await room.tables.store.change_user(ada.id, role=role)
        with refused("no_operator"):
            await room.tables.operation.overview(await room.signed_in("Ada"))
    assert (await room.tables.operation.overview(await operator(room))).activity.users["guest"] == 2


@pytest.mark.anyio
async def test_an_overview_counts_what_is_there(both: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    # The metrics of a process also count what other tests did.
    monkeypatch.setattr(operation, "_errors", lambda _: operation.Errors(0, 0, 0, ()))
    store, olga = both.tables.store, await operator(both)
    empty = await both.tables.operation.overview(olga)
    assert [each.key for each in empty.concerns] == ["no_backup"] and empty.system == store.dialect
    assert (empty.free is None) == (store.dialect == "postgresql")
    await both.table("atacama", "Ada", "Bob")
    over = await both.table("atacama", "Ada", "Bob")
    await both.play(over, "Ada", "Bob")
    await both.table("atacama", "Ada", "Bob", start=False)
    now = wall_clock.machine_ms()
    ada = both.people["Ada"].id
    for number, address in enumerate(("a@b.example", "c@d.example")):
        error = "unknown user" if number else ""
        given = ChannelRow(f"mail{number}", ada, "mail", {"mail": address}, "s", [], "en", now, error=error)
        await store.notices.add_channel(given)
    notices = [
        NoticeRow(f"turn:{state}", ada, "turn", None, {}, now - 5000, now, channel_id="mail0", state=state)
        for state in ("waiting", "sent", "failed")
    ]
    await store.notices.add(notices)
    await store.operations.add_backup(BackupRow("b", now, "sqlite", "0001", 3, 10**6, verified=True))
    found = await both.tables.operation.overview(olga)
    assert (found.activity.tables, found.activity.moved) == ({"running": 1, "over": 1, "gathering": 1}, 1)
    assert (found.activity.users, found.activity.seen) == ({"guest": 3}, 3)
    assert found.activity.notices == {"waiting": 1, "sent": 1, "failed": 1}
    assert found.activity.oldest_notice == now - 5000
    assert [(each.kind, each.channels, each.failing) for each in found.activity.channels] == [("mail", 2, 1)]
    assert [each.id for each in found.activity.backups] == ["b"] and found.database.bytes > 0
    assert [(each.key, each.count) for each in found.concerns] == [("mails", 1)]


@pytest.mark.anyio
async def test_everything_that_needs_attention_is_named(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    store, olga, now = room.tables.store, await operator(room), wall_clock.machine_ms()
    table = await room.table("atacama", "Ada", "Bob")
    await room.tables.executor._mark_broken(table, "RuntimeError: the card that Ada holds is missing")
    await store.set_jobs(
        [JobRow("bot:x", "bot", None, now - operation.LATE_JOB_MS - 5000, "t", attempts=operation.MOST_ATTEMPTS + 1)]
    )
    await store.operations.add_backup(BackupRow("b", now - 3 * DAY, "sqlite", "0001", 3, 10**6, verified=True))
    for id, seen, version in (("a", now, "1"), ("b", now, "2"), ("c", now - LOST_MS - 9000, "1")):
        await _add_server(room, ServerRow(id, f"1@{id}", seen, version))
    usage = shutil.disk_usage("/")._replace(total=100, used=90, free=10)
    monkeypatch.setattr(shutil, "disk_usage", lambda _: usage)
    monkeypatch.setattr(operation, "_errors", lambda _: operation.Errors(2, 1, 0, ()))
    found = await room.tables.operation.overview(olga)
    concerns = {each.key: (each.count, each.seconds) for each in found.concerns}
    assert concerns.pop("jobs_late")[1] in range(65, 80) and concerns.pop("silent")[1] in range(24, 39)
    assert concerns.pop("old_backup")[1] // 86_400 == 3
    assert concerns == {
        "broken": (1, 0),
        "failed": (2, 0),
        "space": (10, 0),
        "jobs_failing": (11, 0),
        "versions": (2, 0),
    }
    assert [each.id for each in found.activity.broken] == [table]
    assert "Ada holds" not in repr(found), "the reason may name hidden pieces"
    await store.operations.add_backup(BackupRow("c", now, "sqlite", "0001", 3, 10**6, verified=False))
    keys = [each.key for each in (await room.tables.operation.overview(olga)).concerns]
    assert "unverified" in keys and "old_backup" not in keys


async def _add_server(room: Room, row: ServerRow) -> None:
    """Write the row of a server, however many may use the database."""
    await room.tables.store._database.write(lambda connection: connection.execute(insert(schema.servers), values(row)))


def test_readings_are_those_of_the_metrics() -> None:
    registry = CollectorRegistry()
    seconds = LoopSeconds("waits_seconds", "Waits", buckets=(0.1, 1.0), registry=registry)
    refused_ = Counter("refusals", "Refusals", ["code", "why"], registry=registry)
    assert Readings.take(registry).timing("waits_seconds") == metrics.Timing(0, 0.0, None)
    for each in [0.05] * 19 + [0.5]:
        seconds.observe(each)
    for why in ("a", "b"):
        refused_.labels("busy", why).inc(2)
    readings = Readings.take(registry)
    timing = readings.timing("waits_seconds")
    assert (timing.count, timing.most) == (20, 0.1) and timing.mean == pytest.approx(0.0725)
    assert readings.by_label("refusals_total", "code") == {"busy": 4.0} and readings.one("unknown") is None
    for _ in range(20):
        seconds.observe(5)
    assert Readings.take(registry).timing("waits_seconds").most is None


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        (amounts.count(1234567, "de"), "1.234.567"),
        (amounts.size(999, "en"), "999 B"),
        (amounts.size(1_260_000, "de"), "1,3 MB"),
        (amounts.size(3 * 10**15, "en"), "3000 TB"),
        (amounts.short_time(0.0042, "de"), "4,2 ms"),
        (amounts.short_time(12.3, "en"), "12 s"),
        (amounts.percent(0.256, "en"), "26%"),
        (amounts.span(-2, texts.site("en")), "0 s"),
        (amounts.span(3700, texts.site("en")), "1 h 1 min"),
    ],
)
def test_amounts(text: str, wanted: str) -> None:
    assert text.replace("\N{NO-BREAK SPACE}", " ") == wanted


def _promoted(site: Site, name: str) -> Browser:
    """The browser of somebody who has become an operator."""
    browser = site.browser(name)
    assert browser.user is not None
    site.call(site.tables.store.change_user, browser.user.id, role="operator")
    site.tables.users.forget(browser.user.id)
    return browser


def test_the_page_is_linked_and_names_no_secret(sqlite_url: str) -> None:
    mails: dict[str, Any] = {"smtp": "smtp://atoll:pass-word@mail.example.org:587", "mail_from": "a@b.example"}
    mails["secret"] = "very-secret-" * 3
    with site_at(sqlite_url, **mails) as site:
        olga, ada = _promoted(site, "Olga"), site.browser("Ada")
        assert "/operator" in olga.get("/").text and "/operator" in olga.get("/moderation").text
        assert "/operator" not in ada.get("/").text
        assert ada.get("/operator").status_code == 403
        for language, wanted in (("en", "Needs attention"), ("de", "Zu erledigen")):
            page = olga.get("/operator", headers={"accept-language": language})
            assert page.status_code == 200 and wanted in page.text and "mail.example.org" in page.text
            assert "pass-word" not in page.text and "very-secret" not in page.text


def test_an_operator_begins_and_ends_maintenance(site: Site) -> None:
    olga, ada, beat = _promoted(site, "Olga"), site.browser("Ada"), site.app.state.heartbeat.beat
    room = Room(site.tables, None)  # type: ignore[arg-type]
    assert ada.user is not None
    room.people["Ada"] = ada.user
    site.call(room.table, "atacama", "Ada", "Bob", clock=Clock(600, 60, 900))
    assert ada.post("/operator/maintenance", {"what": "on"}).status_code == 403
    assert olga.post("/operator/maintenance", {"what": "on", "minutes": "0"}).status_code == 422
    assert olga.post("/operator/maintenance", {"what": "on", "text": "x" * 2000}).status_code == 303
    given = {"what": "on", "text": " A new \u202edisk ", "minutes": "30"}
    assert olga.post("/operator/maintenance", given).headers["location"] == "/operator"
    page = olga.get("/operator").text
    assert "A new disk" in page and "End maintenance" in page and "within 5 seconds" in page
    site.call(beat)
    assert "within 5 seconds" not in olga.get("/operator").text
    assert "A new disk" in ada.get("/mine").text and "clocks are stopped" in ada.get("/mine").text
    assert olga.post("/operator/maintenance", {"what": "off"}).status_code == 303
    site.call(beat)
    assert "Start maintenance" in olga.get("/operator").text and "clocks are stopped" not in ada.get("/mine").text
    log = olga.get("/moderation/log").text
    assert log.count("Maintenance started") == 2 and log.count("Maintenance ended") == 1 and "A new disk" in log
    site.call(begin_maintenance, site.tables.store, None, "", None, wall_clock.machine_ms())
    assert [(row.action, row.actor_id is None) for row in site.call(site.tables.store.moderation.audit, 4)] == [
        ("maintenance_on", True),
        ("maintenance_off", False),
        ("maintenance_on", False),
        ("maintenance_on", False),
    ]
