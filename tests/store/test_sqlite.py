"""Execution of work on SQLite: immediately, or in a thread if it might have to wait."""

import asyncio
import sqlite3
import threading
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest
from sqlalchemy import Connection

from atoll.store import database
from atoll.store.database import Sqlite, open_database


def with_file(path: Path, test: Callable[[Sqlite], Awaitable[None]], *, full: bool = False) -> None:
    async def whole() -> None:
        found = open_database(f"sqlite:///{path}/one.db", full=full)
        assert isinstance(found, Sqlite)
        try:
            await found.write(lambda connection: connection.exec_driver_sql("CREATE TABLE rows (text TEXT)"))
            await test(found)
        finally:
            await found.close()

    asyncio.run(whole())


def add(connection: Connection) -> bool:
    """Write a row; whether in the loop's own thread."""
    connection.exec_driver_sql("INSERT INTO rows VALUES ('a row')")
    return threading.current_thread() is threading.main_thread()


def look(connection: Connection) -> bool:
    """Read; whether in the loop's own thread."""
    connection.exec_driver_sql("SELECT count(*) FROM rows").scalar()
    return threading.current_thread() is threading.main_thread()


def test_short_work_is_done_at_once_and_other_work_in_threads(tmp_path: Path) -> None:
    async def test(found: Sqlite) -> None:
        assert [await found.write(add, short=True), await found.read(look, short=True)] == [True, True]
        assert [await found.write(add), await found.read(look)] == [False, False]

    with_file(tmp_path, test)


def test_a_commit_that_waits_for_the_disk_is_done_in_a_thread(tmp_path: Path) -> None:
    async def test(found: Sqlite) -> None:
        assert not await found.write(add, short=True)
        assert await found.read(look, short=True)

    with_file(tmp_path, test, full=True)


def test_the_loop_goes_on_while_another_process_writes(tmp_path: Path) -> None:
    async def test(found: Sqlite) -> None:
        await found.write(add, short=True)
        other = sqlite3.connect(tmp_path / "one.db", isolation_level=None)
        other.execute("BEGIN IMMEDIATE")
        waiting = asyncio.create_task(found.write(add, short=True))
        for _ in range(5):
            await asyncio.sleep(0.02)
            assert not waiting.done()
            assert await found.read(look, short=True)
        other.execute("COMMIT")
        other.close()
        assert not await waiting
        assert await found.write(add, short=True)

    with_file(tmp_path, test)


def test_short_work_waits_in_a_thread_for_work_that_is_there(tmp_path: Path) -> None:
    async def test(found: Sqlite) -> None:
        begun, may_end = threading.Event(), threading.Event()

        def long(_: Connection) -> None:
            begun.set()
            may_end.wait(10)

        working = asyncio.create_task(found.write(long))
        assert await asyncio.to_thread(begun.wait, 10)
        waiting = asyncio.create_task(found.write(add, short=True))
        await asyncio.sleep(0.02)
        assert not waiting.done()
        may_end.set()
        await working
        assert not await waiting

    with_file(tmp_path, test)


def test_where_short_work_took_long_it_is_done_in_threads_for_a_while(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def test(found: Sqlite) -> None:
        monkeypatch.setattr(database, "_SLOW_S", 0.0)
        assert await found.write(add, short=True)
        assert [await found.write(add, short=True), await found.read(look, short=True)] == [False, False]
        monkeypatch.setattr("time.monotonic", lambda: float("inf"))
        assert await found.write(add, short=True)

    with_file(tmp_path, test)


def test_it_is_known_whether_somebody_else_has_written(tmp_path: Path) -> None:
    async def test(found: Sqlite) -> None:
        known = found.external_version()
        assert known is not None
        for short in (True, False):
            await found.write(add, short=short)
            await found.read(look, short=short)
            assert found.external_version() == known
        other = sqlite3.connect(tmp_path / "one.db")
        other.execute("INSERT INTO rows VALUES ('of another process')")
        other.commit()
        other.close()
        assert found.external_version() != known
        known = found.external_version()
        assert found.external_version() == known

        def within(_: Connection) -> object:
            return found.external_version()

        assert await found.write(within) is None

    with_file(tmp_path, test)


def test_what_fails_leaves_nothing_and_the_next_work_is_done(tmp_path: Path) -> None:
    async def test(found: Sqlite) -> None:
        def fail(connection: Connection) -> None:
            add(connection)
            raise ValueError

        for short in (True, False):
            with pytest.raises(ValueError):
                await found.write(fail, short=short)
        assert await found.write(add, short=True)
        assert await found.read(lambda c: c.exec_driver_sql("SELECT count(*) FROM rows").scalar()) == 1

    with_file(tmp_path, test)


@pytest.mark.parametrize("short", [True, False])
def test_the_log_is_written_into_the_file_from_time_to_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, short: bool
) -> None:
    log = tmp_path / "one.db-wal"

    async def grown(found: Sqlite) -> int:
        before = log.stat().st_size
        for _ in range(200):
            await found.write(add, short=short)
            await asyncio.sleep(0.001)
        return log.stat().st_size - before

    async def test(found: Sqlite) -> None:
        assert await grown(found) > 400_000
        monkeypatch.setattr(database, "_ROWS_BETWEEN", 20)
        assert await grown(found) < 200_000

    with_file(tmp_path, test)


def test_a_database_that_was_closed_does_nothing_more(tmp_path: Path) -> None:
    async def test(found: Sqlite) -> None:
        await found.close()
        with pytest.raises(RuntimeError):
            await found.write(add, short=True)
        with pytest.raises(RuntimeError):
            await found.read(look, short=True)

    async def whole() -> None:
        found = open_database(f"sqlite:///{tmp_path}/one.db", full=False)
        assert isinstance(found, Sqlite)
        await test(found)

    asyncio.run(whole())
