"""Maintenance, versions of the schema, and two versions of the program at one database."""

import asyncio
import contextlib
import secrets
import sqlite3
from pathlib import Path

import pytest
from sqlalchemy import update

from atoll.store import (
    AuditRow,
    BackupRow,
    CompetitionRow,
    JobRow,
    MaintenanceRow,
    SeatRow,
    ServerRow,
    Store,
    StoreError,
    TableRow,
    UnitOfWork,
    UserRow,
    schema,
    servers,
)
from atoll.store.database import open_database
from atoll.store.migrate import migration_sql, schema_state


async def clocked(store: Store, asked: int, due: int) -> None:
    """A running table whose only player is asked."""
    await store.add_user(UserRow("u1", "Ada", {}, 1, 1), [])
    row = TableRow(
        id="g1",
        game="toy",
        rules_version=1,
        box="b0",
        options={},
        visibility="link",
        status="running",
        host="u1",
        clock={"bank_s": 60},
        created=1,
        changed=1,
        chance="g1",
        round=1,
        seed="5" * 64,
    )
    seat = SeatRow("g1", 0, "person", "u1", "Ada", asked=asked, due=due)
    job = JobRow("clock:g1", "clock", "g1", due, "t")
    await store.commit(UnitOfWork(row, -1, is_new=True, seats=[seat], jobs=[job]))


def audit(actor: str | None = None) -> AuditRow:
    """A row of the audit log."""
    return AuditRow(secrets.token_hex(8), 1, actor, "maintenance_on", "m")


async def due(store: Store) -> int:
    found = await store.table("g1")
    assert found is not None and found[1][0].due is not None
    return found[1][0].due


def test_maintenance_shifts_clocks_once_whatever_servers_do_meanwhile(store_url: str) -> None:
    async def test() -> None:
        store = await Store.open(store_url)
        try:
            await clocked(store, 1000, 61_000)
            await store.heartbeat(ServerRow("a", "1@here", 1000, "0.1.0"), begins=True)
            await store.heartbeat(ServerRow("a", "1@here", 4000, "0.1.0"))
            assert await store.operations.begin_maintenance(MaintenanceRow("m1", 5000, text="soon back"), audit())
            changed = MaintenanceRow("m2", 6000, until=60_000, text="later")
            assert not await store.operations.begin_maintenance(changed, audit()), "it has begun already"
            assert await store.operations.maintenance() == MaintenanceRow("m1", 5000, until=60_000, text="later")
            again = await store.heartbeat(ServerRow("b", "2@here", 40_000, "0.1.0"), begins=True, gone=["a"])
            assert (again.shift, again.maintenance and again.maintenance.id) == (1000, "m1")
            assert await store.operations.end_maintenance(50_000, audit()) == 45_000
            assert await store.operations.end_maintenance(50_001, audit()) is None
            assert len(await store.moderation.audit(10)) == 3, "two announcements and one end"
            assert await due(store) == 61_000 + 46_000, "three seconds had passed before"
            assert [job.due for job in await store.lease_jobs(10**6, 10**6)] == [107_000]
            assert [(row.id, row.place, row.seen) for row in await store.servers()] == [("b", "2@here", 50_000)]
            last = await store.heartbeat(ServerRow("b", "2@here", 51_000, "0.1.0"))
            assert (last.shift, last.maintenance) == (0, None)
        finally:
            await store.close()

    asyncio.run(test())


def test_the_time_that_a_shift_takes_is_no_downtime(store_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Else a shift of very many clocks would be followed by another one, without end."""
    passed, now = servers.LOST_MS + 1000, [0.0]
    monkeypatch.setattr(servers, "shift_clocks", lambda *_: now.append(now[-1] + passed / 1000))
    monkeypatch.setattr(servers, "monotonic", lambda: now[-1])

    async def scene() -> list[int]:
        store = await Store.open(store_url)
        times = [passed, 2 * passed, 3 * passed + 5000]
        shifts = [(await store.heartbeat(ServerRow("s1", "here", time, ""))).shift for time in times]
        await store.close()
        return shifts

    assert asyncio.run(scene()) == [0, passed, 0]


def test_maintenance_that_ends_without_a_server_counts_from_the_last_sign_of_life(store_url: str) -> None:
    async def test() -> None:
        store = await Store.open(store_url)
        try:
            await clocked(store, 1000, 61_000)
            await store.heartbeat(ServerRow("a", "1@here", 2000, "0.1.0"), begins=True)
            await store.operations.begin_maintenance(MaintenanceRow("m1", 30_000), audit())
            assert await store.operations.end_maintenance(90_000, audit()) == 88_000
            begun = await store.heartbeat(ServerRow("b", "2@here", 95_000, "0.1.0"), begins=True)
            assert begun.shift == 5000 and begun.holder is None
            assert await due(store) == 61_000 + 93_000
        finally:
            await store.close()

    asyncio.run(test())


def test_a_shift_gives_time_to_running_competitions_only(store_url: str) -> None:
    async def test() -> None:
        store = await Store.open(store_url)
        try:
            for state in ("open", "check_in", "starting", "running", "over"):
                await store.competitions.add(cup(state))
            await store.heartbeat(ServerRow("a", "1@here", 1000, "0.1.0"), begins=True)
            await store.operations.begin_maintenance(MaintenanceRow("m1", 2000), audit())
            assert await store.operations.end_maintenance(62_000, audit()) == 60_000
            ends = {}
            for state in ("open", "check_in", "starting", "running", "over"):
                row = await store.competitions.competition(state)
                assert row is not None and row.starts == 500_000
                ends[state] = row.ends
            assert ends == {
                "open": 900_000,
                "check_in": 900_000,
                "starting": 960_000,
                "running": 960_000,
                "over": 900_000,
            }
        finally:
            await store.close()

    asyncio.run(test())


def cup(state: str) -> CompetitionRow:
    """A competition in a state, named after it."""
    return CompetitionRow(
        state, "league", state, 1, "atacama", {}, 2, {}, False, state, 1000, "h", "s", {}, starts=500_000, ends=900_000
    )


def test_the_last_backup_is_known(store_url: str) -> None:
    async def test() -> None:
        store = await Store.open(store_url)
        try:
            assert await store.operations.last_backup() is None
            rows = [BackupRow(id, at, "sqlite", "1", 3, 4096, verified=True) for id, at in (("b", 2000), ("a", 1000))]
            for row in rows:
                await store.operations.add_backup(row)
            assert await store.operations.last_backup() == rows[0]
        finally:
            await store.close()

    asyncio.run(test())


def test_two_versions_use_one_database_and_the_upgrade_can_be_undone(
    empty_url: str, request: pytest.FixtureRequest
) -> None:
    """The older program stays open while the newer one migrates, and starts again afterwards."""

    async def test() -> None:
        older = await Store.open(empty_url)
        await clocked(older, 1000, 61_000)
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr("atoll.store.migrate.configuration", request.getfixturevalue("next_configuration"))
            assert [each for each, _ in (await older.schema_state()).pending] == ["2"]
            newer = await Store.open(empty_url)
            assert (await newer.schema_state()).current == "2"
        try:
            for number, store in enumerate((older, newer, older)):
                found = await store.table("g1")
                assert found is not None
                row, seats = found
                row.number, row.revision = number + 1, row.revision + 1
                await store.commit(UnitOfWork(row, row.revision - 1, seats=seats))
            await older.add_user(UserRow("u2", "Bob", {}, 1, 1), [])
        finally:
            await older.close()
            await newer.close()
        again = await Store.open(empty_url)
        try:
            state = await again.schema_state()
            assert (state.current, state.head, state.pending) == ("2", "1", ())
            found = await again.table("g1")
            assert found is not None and found[0].number == 3
        finally:
            await again.close()
        if empty_url.startswith("sqlite"):
            aside = await Store.open(f"{empty_url}.before-2", as_is=True)
            assert (await aside.operations.schema_info()).copied is not None, "what followed it is known to players"
            await aside.close()

    asyncio.run(test())


def test_a_database_that_older_programs_cannot_use_refuses_them(empty_url: str) -> None:
    async def test() -> None:
        store = await Store.open(empty_url)
        await store.operations._execute(update(schema.schema_info).values(readable_from=2))
        await store._database.write(
            lambda connection: connection.exec_driver_sql("UPDATE alembic_version SET version_num = '3'")
        )
        await store.close()
        with pytest.raises(StoreError, match="written by a newer Atoll"):
            await Store.open(empty_url)

    asyncio.run(test())


def test_sql_of_pending_migrations_does_what_a_start_does(tmp_path: Path, next_revision: None) -> None:
    url = f"sqlite:///{tmp_path}/atoll.db"

    async def sql(dialect: str) -> str:
        database = open_database(url, full=False)
        try:
            return migration_sql(await schema_state(database), dialect)
        finally:
            await database.close()

    text = asyncio.run(sql("sqlite"))
    with contextlib.closing(sqlite3.connect(tmp_path / "other.db")) as other:
        other.executescript(text)
        assert other.execute("SELECT readable_from FROM schema_info").fetchall() == [(1,)]
        assert other.execute("SELECT version_num FROM alembic_version").fetchall() == [("2",)]
    assert "CREATE TABLE games" in asyncio.run(sql("postgresql"))


def test_a_database_must_exist_to_be_looked_at(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="doesn't exist"):
        asyncio.run(Store.open(f"sqlite:///{tmp_path}/none.db", as_is=True))
    assert list(tmp_path.iterdir()) == []
    (tmp_path / "empty.db").touch()
    with pytest.raises(StoreError, match="it is empty"):
        asyncio.run(Store.open(f"sqlite:///{tmp_path}/empty.db", as_is=True))
