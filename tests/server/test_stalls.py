"""No table stalls forever, whichever database call fails, job is lost, or jump time makes."""

import asyncio
import contextlib
import os
import sqlite3
from collections.abc import AsyncIterator, Callable
from typing import Any

import pytest
import structlog
from sqlalchemy.exc import OperationalError
from structlog.testing import capture_logs

import atoll
from atoll.server.domain import wall_clock
from atoll.server.domain.logs import RateLimitedLogger
from atoll.server.domain.model import Clock, NewTable, Refused, SeatPlan
from atoll.server.domain.planned_answers import Plan, PlannedAnswer
from atoll.server.play.heartbeat import Heartbeat, dead_servers, process_identity
from atoll.server.play.scheduler import Scheduler
from atoll.store import LOST_MS, ServerRow, Store, StoreError
from atoll.testing.shares import give_shares

from .conftest import ME, Room, Site, Time, alive, opened, refused, site_at

pytestmark = pytest.mark.anyio

CLOCK = Clock(600, 60, 900)
DAY = 86_400


# -- a store that fails --------------------------------------------------------------------------------------------


class Failing:
    """A store with failing calls: one of them, or all from one on.

    Attributes:
        calls: Number of calls so far.
        fails: Returns whether a call fails, by its number and name.
        after: Whether it fails after the work is done.
    """

    def __init__(self, store: Store) -> None:
        self._store: Store = store
        self.calls: int = 0
        self.fails: Callable[[int, str], bool] = lambda number, name: False
        self.after: bool = False

    def __getattr__(self, name: str) -> Any:
        found = getattr(self._store, name)
        if not asyncio.iscoroutinefunction(found) or name == "close":
            return found

        async def call(*args: Any, **values: Any) -> Any:
            self.calls += 1
            fails = self.fails(self.calls, name)
            if fails and not self.after:
                raise self._error(name)
            answer = await found(*args, **values)
            if fails:
                raise self._error(name)
            return answer

        return call

    @staticmethod
    def _error(name: str) -> Exception:
        if name == "commit":
            return StoreError("planted")
        return OperationalError("planted", {}, OSError("database or disk is full"))


class Quick:
    """Bots that answer at once."""

    async def choose(self, saved: str, seat: int, *_: Any, host: str = "") -> list[int]:
        return atoll.load(saved).legal_choices(seat)[:1]

    async def close(self) -> None: ...


@contextlib.asynccontextmanager
async def failing(url: str) -> AsyncIterator[tuple[Room, Failing]]:
    """A service whose store can fail, with quick bots."""
    async with opened(url) as room:
        store = Failing(room.tables.store)
        room.tables.executor.store = room.tables.store = store  # type: ignore[assignment]
        room.tables.users._store = store  # type: ignore[assignment]
        room.tables.bot_turns._pool = Quick()  # type: ignore[assignment]
        yield room, store


async def time_goes_by(room: Room, scheduler: Scheduler, clock: Time, seconds: float = 120) -> None:
    """Let seconds pass and run all automatic work of that time."""
    for _ in range(int(seconds / 20)):
        clock.passes(20)
        scheduler._watch_at, scheduler._watch_ms = float("-inf"), 0
        for _ in range(12):  # a worker does one job after the other
            scheduler._news.clear()
            with contextlib.suppress(Exception):
                await scheduler.look()
            while scheduler._running:
                await asyncio.wait(tuple(scheduler._running.values()))
            if not scheduler._news.is_set():
                break


async def scene(room: Room, scheduler: Scheduler, clock: Time) -> str:
    """Let Ada make a table with a bot and answer once; return its id, or "" if that was refused."""
    table = ""
    with contextlib.suppress(Refused):
        ada = await room.person("Ada")
        seats = (ME, SeatPlan("bot", bot="beginner"))
        table = await room.tables.table_setup.create(ada, NewTable("atacama", seats, clock=CLOCK))
        for _ in range(2):  # pages send again what has failed
            with contextlib.suppress(Refused, OperationalError):
                await give_shares(room.tables, table)
        await time_goes_by(room, scheduler, clock, 20)
        turn = (await room.view("Ada", table)).turn
        if turn is not None:
            await room.tables.turns.choose(ada, table, 0, [turn.legal[0]], turn.stamp, confirm=True)
        await time_goes_by(room, scheduler, clock, 20)
    return table


@pytest.mark.parametrize("after", [False, True])
async def test_whichever_call_to_the_store_fails_the_table_goes_on(sqlite_url: str, clock: Time, after: bool) -> None:
    """The n-th call fails, for all n, before it does anything or when it is done already."""
    made = number = 0
    async with failing(sqlite_url) as (room, store):
        while True:
            number += 1
            scheduler = Scheduler(room.tables)
            room.people.clear()
            store.calls, store.after = 0, after
            store.fails = lambda call, name: call == number  # noqa: B023 - called within this round
            table = await scene(room, scheduler, clock)
            store.fails = lambda call, name: False
            if table:
                made += 1
                await time_goes_by(room, scheduler, clock)
                await room.forget()
                view = await room.view("Ada", table)
                assert view.status == "running", (number, view.status)
                assert view.seats[0].to_move and not view.seats[1].to_move, f"call {number}: the bot doesn't move"
                jobs = {each.id for each in await store.lease_jobs(2**50, 0, limit=10_000)}
                assert f"clock:{table}" in jobs, f"call {number}: nobody watches the clock"
                await room.tables.votes.vote(room.people["Ada"], table, 0, "cancel", True)
            if store.calls < number:
                break
    assert made > 20 and number > 30


async def test_jobs_that_are_lost_are_found_and_set_anew(both: Room, clock: Time) -> None:
    both.tables.bot_turns._pool = Quick()  # type: ignore[assignment]
    running = await both.table("atacama", "Ada", "bot:beginner", clock=CLOCK)
    people = await both.table("atacama", "Ada", "Bob", clock=CLOCK)
    full = await both.table("atacama", "Ada", "Bob", start=False)
    await both.table("atacama", "Ada", "+", "+", "+", start=False, visibility="link")
    name, view = await both.mover(people, "Ada", "Bob")
    store = both.tables.store
    if (await both.view("Ada", running)).seats[0].to_move:
        await both.play(running, "Ada", most=1)
    await store.finish_jobs(await store.lease_jobs(2**50, 0, limit=1000))
    missing = {each.id: each.due for each in await store.missing_jobs()}
    assert missing.keys() >= {f"bot:{running}", f"clock:{people}", f"start:{full}"}
    assert missing[f"clock:{people}"] == clock.now + 600_000
    with capture_logs() as logs:
        await time_goes_by(both, both.scheduler, clock, 20)
    assert [each["event"] for each in logs] == ["jobs were missing and are set anew"]
    assert (await both.view("Ada", running)).seats[0].to_move
    assert (await both.view("Ada", full)).status == "running"
    clock.passes(600)
    await time_goes_by(both, both.scheduler, clock, 20)
    assert view.seat is not None
    assert (await both.view(name, people)).seats[view.seat].stand_in
    assert await store.missing_jobs() == []


async def test_a_planned_answer_whose_job_is_lost_is_given_all_the_same(both: Room, clock: Time) -> None:
    store = both.tables.store
    planned, ended = [await both.table("atacama", "Ada", "Bob") for _ in range(2)]
    for table, choice in ((planned, "place r1c1 base"), (ended, "place r9c9 base")):
        name, view = await both.mover(table, "Ada", "Bob")
        other = "Bob" if name == "Ada" else "Ada"
        assert view.seat is not None and view.turn is not None
        plan = Plan((PlannedAnswer("place", ("place r9c9 base",)),))
        await both.tables.planned_turns.plan(both.people[other], table, 1 - view.seat, plan)
        assert await store.missing_jobs() == [], "who isn't asked doesn't answer"
        await both.tables.turns.choose(both.people[name], table, view.seat, [choice], view.turn.stamp, confirm=True)
    await both.tables.planned_turns.answer_due(ended)
    await store.finish_jobs(await store.lease_jobs(2**50, 0, limit=1000))
    assert [job.id for job in await store.missing_jobs()] == [f"plan:{planned}"], "an ended plan answers nothing"
    await time_goes_by(both, both.scheduler, clock, 20)
    assert [entry.key for entry in (await both.view("Ada", planned)).log].count("automatic") == 1
    assert await store.missing_jobs() == []


async def test_a_clock_that_is_looked_at_too_early_is_looked_at_again(room: Room, clock: Time) -> None:
    table = await room.table("atacama", "Ada", "Bob", clock=CLOCK)
    store = room.tables.store
    await store.finish_jobs(await store.lease_jobs(2**50, 0))
    await room.forget()
    await room.tables.timeouts.decide(table)
    assert await store.has_job(f"clock:{table}")
    assert await store.next_due() == clock.now + 600_000


async def test_a_full_disk_is_said_now_and_then(sqlite_url: str, clock: Time, monkeypatch: pytest.MonkeyPatch) -> None:
    """While nothing can be written for a bot, the log has a few lines; then the game continues."""
    async with failing(sqlite_url) as (room, store):
        ada = await room.person("Ada")
        tables = [
            await room.tables.table_setup.create(ada, NewTable("atacama", (ME, SeatPlan("bot", bot="beginner"))))
            for _ in range(10)
        ]
        for table in tables:
            await give_shares(room.tables, table)
            turn = (await room.view("Ada", table)).turn
            if turn is not None:
                await room.tables.turns.choose(ada, table, 0, [turn.legal[0]], turn.stamp, confirm=True)
        writes = {"commit", "set_jobs", "finish_jobs", "postpone_job", "extend_leases", "release_jobs", "heartbeat"}
        for full in (writes, {*writes, "lease_jobs"}):
            store.fails = lambda number, name, full=full: name in full  # type: ignore[misc]
            for module in ("scheduler", "executor", "store_errors"):
                monkeypatch.setattr(f"atoll.server.play.{module}.seldom", RateLimitedLogger(structlog.get_logger()))
            with capture_logs() as logs:
                task = asyncio.create_task(room.scheduler.run())
                for _ in range(400):
                    clock.passes(0.05)
                    room.scheduler.wake()
                    await asyncio.sleep(0.001)
            assert 0 < len(logs) <= 12, logs
            store.fails = lambda number, name: False
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)
        await time_goes_by(room, Scheduler(room.tables), clock)
        for table in tables:
            assert (await room.view("Ada", table)).seats[0].to_move


async def test_a_scheduler_whose_first_calls_fail_begins_later(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("atoll.server.play.scheduler._FAILED_S", 0.0)
    monkeypatch.setattr("atoll.server.play.scheduler._IDLE_S", 0.01)
    store = Failing(room.tables.store)
    store.fails = lambda number, name: number <= 3
    begun = asyncio.Event()
    works = room.tables.store.next_due

    async def next_due(**values: bool) -> int | None:
        begun.set()
        return await works(**values)

    monkeypatch.setattr(room.tables.store, "next_due", next_due)
    room.tables.store = store  # type: ignore[assignment]
    task = asyncio.create_task(room.scheduler.run())
    async with asyncio.timeout(10):
        await begun.wait()
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)


# -- time that is lost ---------------------------------------------------------------------------------------------


async def left(room: Room, table: str, seat: int) -> int | None:
    """The time that a seat has, in seconds."""
    return (await room.view(None, table)).seats[seat].time_left_s


@pytest.mark.parametrize("backend", ["sqlite", "postgresql"])
async def test_clocks_do_not_run_while_no_server_does(
    backend: str, sqlite_url: str, request: pytest.FixtureRequest, clock: Time, machine: Time
) -> None:
    url = sqlite_url if backend == "sqlite" else request.getfixturevalue("postgres_url")
    async with alive(url) as (room, life):
        table = await room.table("atacama", "Ada", "Bob", clock=CLOCK)
        _, view = await room.mover(table, "Ada", "Bob")
        seat = view.seat
        assert seat is not None
        for _ in range(12):
            machine.passes(10)
            await life.beat()
    for away in (3 * DAY, -2 * DAY, 20):
        machine.passes(away)
        wall_clock.resync()
        with capture_logs() as logs:
            async with alive(url) as (room, _):
                assert await left(room, table, seat) == 480
                jobs = {each.id: each.due for each in await room.tables.store.lease_jobs(2**50, 0)}
                assert jobs[f"clock:{table}"] == clock.now + 480_000
                await time_goes_by(room, room.scheduler, Time(), 20)
                assert not (await room.view(None, table)).seats[seat].stand_in
        assert [each["seconds"] for each in logs if "clocks go on" in each["event"]] == [away]


async def test_the_machines_clock_may_jump(sqlite_url: str, clock: Time, machine: Time) -> None:
    async with alive(sqlite_url) as (room, life):
        table = await room.table("atacama", "Ada", "Bob", clock=CLOCK)
        name, view = await room.mover(table, "Ada", "Bob")
        seat = view.seat
        assert seat is not None
        for jump in (DAY, -2 * DAY, 40):
            machine.passes(jump)
            assert await left(room, table, seat) == 600, "ours doesn't jump"
            await life.beat()
            assert clock.now == machine.now
            assert await left(room, table, seat) == 600
            assert await room.tables.store.next_due() == clock.now + 600_000
        for _ in range(13):
            machine.passes(10)
            await life.beat()
        await room.play(table, name, most=1)
        assert await left(room, table, seat) == 540  # 600 - 130 + 60, in whole minutes


async def test_no_time_is_lost_while_the_database_is_away(
    sqlite_url: str, clock: Time, machine: Time, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with alive(sqlite_url) as (room, life):
        table = await room.table("atacama", "Ada", "Bob", clock=CLOCK)
        name, view = await room.mover(table, "Ada", "Bob")
        assert view.turn is not None and view.seat is not None
        works = room.tables.store.heartbeat

        async def fails(*_: object, **__: object) -> None:
            raise StoreError("away")

        monkeypatch.setattr(room.tables.store, "heartbeat", fails)
        for each in (clock, machine):
            each.passes(3600)
        life._written -= 3600
        with refused("busy"):
            await room.tables.turns.choose(
                room.people[name], table, view.seat, [view.turn.legal[0]], view.turn.stamp, confirm=True
            )
        monkeypatch.setattr(room.tables.store, "heartbeat", works)
        await room.tables.timeouts.decide(table)
        after = await room.view(name, table)
        assert not after.seats[view.seat].stand_in and after.seats[view.seat].time_left_s == 600


async def test_where_another_server_runs_time_does_too(postgres_url: str, clock: Time, machine: Time) -> None:
    async with alive(postgres_url) as (one, first):
        table = await one.table("atacama", "Ada", "Bob", clock=CLOCK)
        _, view = await one.mover(table, "Ada", "Bob")
        assert view.seat is not None
        for _ in range(30):
            for each in (clock, machine):
                each.passes(10)
            await first.beat()
        async with alive(postgres_url) as (two, _):
            assert await left(two, table, view.seat) == 300
        assert await left(one, table, view.seat) == 300


# -- one server for a file -----------------------------------------------------------------------------------------


async def test_a_second_server_on_one_file_says_so_and_ends(
    sqlite_url: str, clock: Time, machine: Time, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with alive(sqlite_url) as (_, life):

        async def sleep(_: float) -> None:
            machine.passes(1)
            await life.beat()

        monkeypatch.setattr("atoll.server.play.heartbeat.asyncio.sleep", sleep)
        with pytest.raises(
            StoreError, match=rf"is used by another server \(process {os.getpid()} on .*SQLite allows one server"
        ):
            async with alive(sqlite_url):
                pass
    async with alive(sqlite_url):
        pass


async def test_a_silent_server_is_taken_for_lost_and_ends_when_it_wakes(
    sqlite_url: str, clock: Time, machine: Time, monkeypatch: pytest.MonkeyPatch
) -> None:
    ended = []
    async with opened(sqlite_url) as room:
        first = Heartbeat(room.tables.executor, lambda: ended.append(True))
        await first.begin()

        async def sleep(_: float) -> None:
            machine.passes(1)

        monkeypatch.setattr("atoll.server.play.heartbeat.asyncio.sleep", sleep)
        start = machine.now
        async with alive(sqlite_url):
            assert LOST_MS <= machine.now - start < LOST_MS + 3000
            with refused("busy"):
                await first.beat()
            assert ended


async def test_a_killed_server_is_known_to_be_gone(room: Room) -> None:
    child = await asyncio.create_subprocess_exec("true")
    await child.wait()
    store = room.tables.store
    mine = process_identity()
    rest = mine.partition("@")[2]
    rows = [("me", mine), ("dead", f"{child.pid}@{rest}"), ("elsewhere", f"{child.pid}@other/1234/5678"), ("ended", "")]
    for id, where in rows:
        await store.heartbeat(ServerRow(id, where, 1), begins=True, gone=[id for id, _ in rows])
        assert await dead_servers(store) == (["dead"] if id == "dead" else [])


# -- health --------------------------------------------------------------------------------------------------------


def test_health_is_that_something_can_be_read_and_written(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    assert (site.client.get("/livez").text, site.client.get("/healthz").text) == ("ok\n", "ok\n")

    async def fails(*_: object, **__: object) -> None:
        raise OperationalError("planted", {}, OSError("database or disk is full"))

    for name in ("revision", "heartbeat"):
        with monkeypatch.context() as patch:
            patch.setattr(site.tables.store, name, fails)
            site.app.state.heartbeat._written = -100.0
            assert site.client.get("/healthz").status_code == 503
            assert site.client.get("/livez").status_code == 200
        assert site.client.get("/healthz").status_code == 200


def test_health_is_answered_while_the_database_hangs(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("atoll.server.http.health._TIMEOUT_S", 0.1)
    hangs = asyncio.Event()
    asked = []

    async def hang(*_: object, **__: object) -> None:
        asked.append(1)
        while not hangs.is_set():
            with contextlib.suppress(asyncio.CancelledError):  # as a driver does that waits for a rollback
                await hangs.wait()

    for name in ("revision", "heartbeat"):
        with monkeypatch.context() as patch:
            patch.setattr(site.tables.store, name, hang)
            site.app.state.heartbeat._written = -100.0
            for _ in range(3):
                answer = site.client.get("/healthz")
                assert (answer.status_code, answer.text) == (503, "the database doesn't answer in time\n")
            assert site.client.get("/livez").status_code == 200
            assert len(asked) == 1, "it isn't asked again meanwhile"
        asked.clear()

        async def end() -> None:
            hangs.set()
            await asyncio.gather(site.app.state.health._test, return_exceptions=True)
            hangs.clear()

        site.call(end)
        assert site.client.get("/healthz").status_code == 200


def test_health_is_answered_while_another_process_has_locked_the_database(
    sqlite_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("atoll.server.http.health._TIMEOUT_S", 0.3)
    file = sqlite_url.removeprefix("sqlite:///")
    with site_at(sqlite_url) as site, contextlib.closing(sqlite3.connect(file)) as other:
        other.execute("BEGIN IMMEDIATE")
        site.app.state.heartbeat._written = -100.0
        assert site.client.get("/healthz").text == "the database doesn't answer in time\n"
        other.rollback()
        statuses = (site.client.get("/healthz").status_code for _ in range(100))
        assert 200 in statuses


def test_asking_for_health_is_limited_and_no_load(sqlite_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    with site_at(sqlite_url, limits={"request": "20/minute"}) as site:
        signs = []
        works = site.tables.store.heartbeat

        async def counted(*args: Any, **values: Any) -> Any:
            signs.append(args)
            return await works(*args, **values)

        monkeypatch.setattr(site.tables.store, "heartbeat", counted)
        statuses = [site.client.get(path).status_code for path in ("/healthz", "/livez") * 11]
        assert statuses == [200] * 20 + [429] * 2
        assert len(signs) <= 2
