"""An operator's work: backups while people play, restored databases, and maintenance."""

import asyncio
import contextlib
import sqlite3
from pathlib import Path

import pytest
from sqlalchemy import insert, update

from atoll.server.domain import wall_clock
from atoll.server.domain.model import Clock
from atoll.server.play.backups import back_up
from atoll.server.play.heartbeat import require_prepared
from atoll.server.play.maintenance import begin_maintenance, end_maintenance
from atoll.server.play.restoring import deleted_accounts, restore, restore_in_place
from atoll.server.presentation import texts
from atoll.store import ChallengeRow, NoticeRow, RatingRow, ServerRow, Store, StoreError, schema
from atoll.store.codec import values

from .conftest import GAMES, Room, Site, Time, alive, opened, refused

pytestmark = pytest.mark.anyio

CLOCK = Clock(600, 60, 900)
SECOND = 1000


def address(room: Room) -> str:
    return room.tables.store.url.render_as_string(hide_password=False)


@pytest.fixture
def other_url(both: Room, tmp_path: Path, request: pytest.FixtureRequest) -> str:
    """URL of an empty database of the same kind as that of `both`."""
    if both.tables.store.dialect == "sqlite":
        return f"sqlite:///{tmp_path}/other/atoll.db"
    url: str = request.getfixturevalue("other_postgres_url")
    return url


# -- backups -------------------------------------------------------------------------------------------------------


async def test_a_backup_under_load_continues_on_another_database(both: Room, other_url: str, tmp_path: Path) -> None:
    store, url, file = both.tables.store, address(both), tmp_path / "copy"
    running = await both.table("toy", "Ada", "Bob")
    await both.play(running, "Ada", "Bob", most=10)
    clocked = await both.table("atacama", "Ada", "Bob", clock=CLOCK)
    over = await both.table("atacama", "Ada", "Bob")
    await both.play(over, "Ada", "Bob")
    waiting = await both.table("atacama", "Ada", "Bob", start=False)
    ada = both.people["Ada"].id
    now = wall_clock.now_ms()
    await store.challenges.add(ChallengeRow("c" * 64, "device", ada, "", now, now + 10**9))
    for id, due in (("sent", now - 200 * SECOND), ("later", now + 10**9)):
        await store.notices.add([NoticeRow(f"turn:{id}", ada, "turn", running, {}, due, now)])
    stopped = wall_clock.machine_ms() - 100 * SECOND
    await store.heartbeat(ServerRow("before", "", stopped, "0.1.0"), begins=True)
    answered = len(await store.choices(running))
    report, _ = await asyncio.gather(back_up(url, file, GAMES), both.play(running, "Ada", "Bob", most=6))
    assert (report.copy.faults, report.skipped) == ([], 0)
    assert report.replayed == len(report.copy.samples) == 3
    assert report.copy.counts["games"] == 4 and file.stat().st_mode & 0o777 == 0o600
    last = await store.operations.last_backup()
    assert last is not None and (last.verified, last.tables, last.bytes) == (True, 4, file.stat().st_size)
    with pytest.raises(StoreError, match="exists already"):
        await back_up(url, file, GAMES)
    before = {each: await store.table(each) for each in (running, clocked, waiting, over)}

    found = await restore(file, other_url, GAMES)
    assert (found.starts, found.games, found.failed, found.challenges, found.notices) == (1, 2, [], 1, 1)
    assert abs(found.backup - (last.at if last.kind == "sqlite" else stopped)) < SECOND
    with pytest.raises(StoreError, match="isn't empty"):
        await restore(file, other_url, GAMES)
    async with opened(other_url) as there:
        await require_prepared(there.tables.store)
        assert len(await there.tables.store.choices(running)) >= answered
        for table in (running, clocked, waiting, over):
            was, new = before[table], await there.tables.store.table(table)
            assert was is not None and new is not None
            assert (was[0].seed == new[0].seed) == (table == over), "new chance for all that isn't over"
        was, new = before[clocked], await there.tables.store.table(clocked)
        assert was is not None and new is not None
        shifts = [b.due - a.due for a, b in zip(was[1], new[1], strict=True) if a.due is not None and b.due is not None]
        assert shifts and all(0 <= each <= 105 * SECOND for each in shifts)
        view = await there.view(None, running)
        assert view.log[-1].key == "set_back"
        for language, word in (("en", "backup of 2"), ("de", "Sicherung vom 2")):
            words = texts.game_texts(GAMES["toy"], language, view.seats)
            assert word in texts.log_line(view.log[-1], words, texts.site(language))
        there.people = both.people
        await there.play(running, "Ada", "Bob", most=3)


async def test_a_copy_must_be_prepared_and_fit(room: Room, tmp_path: Path) -> None:
    url, file = address(room), tmp_path / "copy.db"
    await room.table("toy", "Ada", "Bob")
    await back_up(url, file, GAMES)
    copy = await Store.open(f"sqlite:///{file}")
    with pytest.raises(StoreError, match=r"is a copy of a database.*restore --in-place"):
        await require_prepared(copy)
    await copy.close()
    with pytest.raises(StoreError, match="only a database of its own kind"):
        await restore(file, "postgresql://nobody@nowhere/atoll", GAMES)
    (tmp_path / "text").write_text("nothing")
    with pytest.raises(StoreError, match="isn't a backup"):
        await restore(tmp_path / "text", f"sqlite:///{tmp_path}/new.db", GAMES)
    with contextlib.closing(sqlite3.connect(file)) as connection, connection:
        connection.execute("UPDATE alembic_version SET version_num = '7'")
        connection.execute("UPDATE schema_info SET readable_from = 7")
    with pytest.raises(StoreError, match="newer Atoll"):
        await restore(file, f"sqlite:///{tmp_path}/new.db", GAMES)
    assert not await asyncio.to_thread(lambda: list(tmp_path.glob("new.db*")))


async def test_a_game_that_cannot_be_replayed_is_a_fault(room: Room, tmp_path: Path) -> None:
    table = await room.table("toy", "Ada", "Bob")
    await room.play(table, "Ada", "Bob", most=4)
    store = room.tables.store
    await store._execute(update(schema.choices).where(schema.choices.c.number == 2).values(choice=9999))
    report = await back_up(address(room), tmp_path / "copy.db", GAMES)
    assert [each.partition(":")[0] for each in report.copy.faults] == [f"game {table} can't be replayed"]
    assert (tmp_path / "copy.db.part").exists() and not (tmp_path / "copy.db").exists()
    last = await store.operations.last_backup()
    assert last is not None and not last.verified


async def test_a_restored_database_forgets_sessions_and_deletes_accounts_again(room: Room) -> None:
    store = room.tables.store
    for name in ("Ada", "Bob", "Cy"):
        await room.person(name)
    accounts = [room.people[name].id for name in ("Ada", "Bob")]
    await store._execute(update(schema.users).where(schema.users.c.id.in_(accounts)).values(kind="account"))
    table = await room.table("toy", "Bob", "Cy")
    await room.forget()
    wrong = RatingRow(accounts[0], "toy", 40.0, 1.0, 5, 1)
    await store._execute(insert(schema.ratings).values(**values(wrong)))
    logged = f'{{"event": "account deleted", "user": "{accounts[1]}"}}\n2026 [info] account deleted   user=missing\n'
    found = await restore_in_place(address(room), GAMES, end_sessions=True, deleted=deleted_accounts(logged))
    assert (found.sessions, found.deleted, found.ratings) == (2, 1, 1), "no game supports that rating"
    assert not await store.accounts.tokens_of(accounts[0]) and await store.accounts.tokens_of(room.people["Cy"].id)
    await room.scheduler.look()
    await asyncio.gather(*room.scheduler._running.values())
    assert await store.user(accounts[1]) is None
    assert all(seat.name != "Bob" for seat in (await room.view("Cy", table)).seats)
    with pytest.raises(StoreError, match="line 2 of the deleted accounts"):
        deleted_accounts("a1\nA-B")


async def test_a_database_in_use_is_not_prepared(sqlite_url: str) -> None:
    store = await Store.open(sqlite_url)
    await store.heartbeat(ServerRow("s", "1@elsewhere", wall_clock.machine_ms(), "0.1.0"), begins=True)
    await store.close()
    with pytest.raises(StoreError, match="stop it first"):
        await restore_in_place(sqlite_url, GAMES)


# -- maintenance ---------------------------------------------------------------------------------------------------


async def test_during_maintenance_nobody_plays_and_clocks_stand(sqlite_url: str, clock: Time, machine: Time) -> None:
    async with alive(sqlite_url) as (room, life):
        table = await room.table("atacama", "Ada", "Bob", clock=CLOCK)
        name, view = await room.mover(table, "Ada", "Bob")
        assert view.seat is not None

        async def passes(seconds: int) -> None:
            for _ in range(seconds // 10):
                machine.passes(10)
                await life.beat()

        async def left() -> tuple[int | None, bool]:
            seat = (await room.view(None, table)).seats[view.seat or 0]
            return seat.time_left_s, seat.due is None

        await passes(120)
        await begin_maintenance(room.tables.store, None, "", machine.now + 900_000, machine.now)
        await passes(1200)
        assert await left() == (480, True), "the clock stands"
        mine = (await room.tables.table_lists.mine(room.people[name]))[0]
        assert (mine.due, mine.seats[view.seat].time_left_s) == (None, 480), "lists know it, too"
        with refused("maintenance") as caught:
            await room.play(table, name, most=1)
        assert (caught.value.status, caught.value.retry_after) == (503, 60)
        with refused("maintenance"):
            await room.table("atacama", "Ada", "Bob")
        await room.scheduler.look()
        assert not room.scheduler._running, "no job is done"
        assert await end_maintenance(room.tables.store, None, machine.now) == 1_200_000
        await life.beat()
        assert await left() == (480, False)
        assert await room.tables.store.next_due() == clock.now + 480_000
        await room.play(table, name, most=1)


def test_pages_announce_maintenance_and_a_restored_backup(site: Site) -> None:
    ada = site.browser("Ada")
    room = Room(site.tables, None)  # type: ignore[arg-type]
    assert ada.user is not None
    room.people["Ada"] = ada.user
    table = site.call(room.table, "toy", "Ada", "bot:beginner")
    operations, beat = site.tables.store.operations, site.app.state.heartbeat.beat
    now = wall_clock.machine_ms()
    assert "site-notice" not in ada.get("/").text and "Atoll 0." in ada.get("/").text
    site.call(begin_maintenance, site.tables.store, None, "New <disk>", now + 60_000, now)
    site.call(beat)
    for path in ("/", f"/t/{table}"):
        page = ada.get(path, headers={"accept-language": "de"}).text
        assert "kann niemand spielen" in page and "New &lt;disk&gt;" in page and "voraussichtlich bis <time" in page
    answer = ada.post(f"/t/{table}/say", {"text": "hello"})
    assert answer.status_code == 503 and "Maintenance" in answer.text and int(answer.headers["retry-after"]) >= 60
    assert site.client.get("/healthz").status_code == 200
    site.call(end_maintenance, site.tables.store, None, now + 1)
    site.call(operations.finish_restore, now - 60_000, now)
    site.call(beat)
    page = ada.get("/").text
    assert "was restored from a backup of <time" in page and "nobody can play" not in page
    assert "was restored" not in ada.get(f"/t/{table}").text, "this game wasn't set back"
