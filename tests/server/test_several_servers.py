"""Several servers on one database: presence, reachability, lobby, bots, and their messages."""

import asyncio
import contextlib
from collections.abc import AsyncIterator
from typing import Any

import pytest

import atoll
from atoll.server.bots.pool import _FairQueue
from atoll.server.domain.model import NewTable
from atoll.server.play.heartbeat import Heartbeat
from atoll.server.play.scheduler import Scheduler
from atoll.server.play.subscriptions import Subscription
from atoll.server.table import chance_rounds
from atoll.server.table.chance_protocol import offer_digest, share_of
from atoll.server.table.chance_source import digest_of_terms
from atoll.store import JobRow, Store
from atoll.store import bus as buses
from atoll.testing.shares import SECRET, give_seals

from .conftest import ME, OPEN, Room, Time, opened, refused
from .outside import receiver, sink
from .test_notices import post_at

pytestmark = pytest.mark.anyio


@contextlib.asynccontextmanager
async def alive(url: str, **values: Any) -> AsyncIterator[Room]:
    """A server that gives signs of life and hears of others."""
    async with opened(url, **values) as room:
        life = Heartbeat(room.tables.executor, lambda: None)
        await life.begin()
        async with room.bus.listening(room.tables.executor.handle_notification):
            yield room


async def until(true: Any) -> None:
    """Wait until a condition is true."""
    async with asyncio.timeout(10):
        while not true():  # noqa: ASYNC110 - no event says so
            await asyncio.sleep(0.01)


async def test_a_player_at_a_page_of_another_server_is_not_removed(
    postgres_url: str, clock: Time, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with alive(postgres_url) as one, alive(postgres_url) as two:
        names = ("Ada", "Bob", "Cy", "Di")
        table = await one.table("atacama", *names)
        name, view = await one.mover(table, *names)
        subject, others = f"remove:{view.seat}", [each for each in names if each != name]

        async def agree(who: str) -> None:
            seat = (await one.view(who, table)).seat
            assert seat is not None
            await one.tables.votes.vote(one.people[who], table, seat, subject, True)

        clock.passes(700)
        stream = await two.tables.updates.open_stream(one.people[name], [])
        works = two.tables.store.presence.change

        async def fails(*_: Any) -> None:
            raise OSError("away")

        monkeypatch.setattr(two.tables.store.presence, "change", fails)
        with pytest.raises(OSError, match="away"):
            await two.tables.presence.write()
        monkeypatch.setattr(two.tables.store.presence, "change", works)
        await two.tables.presence.write()
        with refused("not_absent"):
            await agree(others[0])
        two.tables.hub.remove(stream)
        await two.tables.presence.write()
        with monkeypatch.context() as patch:
            patch.setattr(one.tables.store.presence, "is_present", fails)
            with refused("not_absent"):  # nobody is removed because of a fault
                await agree(others[0])
        for who in others:
            await agree(who)
        assert view.seat is not None
        assert (await one.view(None, table)).seats[view.seat].stand_in


async def test_a_refusal_is_about_the_table_as_it_is_now(postgres_url: str) -> None:
    """The other server hasn't reported its change of the table yet."""
    async with opened(postgres_url, trust_s=1000) as one, opened(postgres_url, trust_s=1000) as two:
        table = await one.table("atacama", "Ada", "Bob", start=False)
        await two.person("Ada")
        await two.view(None, table)
        await give_seals(one.tables, table)
        assert (await one.view(None, table)).chance != (await two.view(None, table)).chance
        async with one.tables.executor.locked(table) as live:
            offer, terms = offer_digest(chance_rounds.offer_of(live.row)), digest_of_terms(live.row)
        await two.tables.table_setup.show(one.people["Ada"], table, 0, terms, share_of(SECRET, offer, 0))
        async with two.tables.executor.locked(table) as live:
            assert chance_rounds.missing_seats(live) == (1,)
        with refused("other_terms"):
            await two.tables.table_setup.show(one.people["Bob"], table, 1, "ab" * 32, "cd" * 32)


@pytest.mark.parametrize("call", ["table", "revision"])
async def test_a_change_that_is_heard_of_during_a_read_is_not_missed(
    postgres_url: str, monkeypatch: pytest.MonkeyPatch, call: str
) -> None:
    async with alive(postgres_url, trust_s=1000) as one, alive(postgres_url, trust_s=1000) as two:
        table = await one.table("atacama", "Ada", "Bob")
        if call == "revision":
            await two.view(None, table)
            two.tables.executor.invalidate_all()
        works = getattr(two.tables.store, call)
        stream = Subscription(None, [table])
        two.tables.hub.add(stream)

        async def read(id: str) -> Any:
            found = await works(id)
            monkeypatch.undo()
            await one.play(table, "Ada", "Bob", most=3)
            told: dict[str, str] = {}
            async with asyncio.timeout(10):
                while told.get(table) != await version(one):
                    told, _ = await stream.take(10)
            return found

        async def version(room: Room) -> str:
            return (await room.view(None, table)).version

        monkeypatch.setattr(two.tables.store, call, read)
        await two.view(None, table)
        assert await version(two) == await version(one)


async def test_streams_begin_anew_when_another_server_has_ended(postgres_url: str) -> None:
    """It may have written changes that it hasn't reported."""
    async with opened(postgres_url) as one, opened(postgres_url) as two:
        lives = [Heartbeat(each.tables.executor, lambda: None) for each in (one, two)]
        for life in lives:
            await life.begin()
        stream = await two.tables.updates.open_stream(None, [])
        await lives[1].beat()
        assert not stream.ended
        await lives[0].end()
        await lives[1].beat()
        assert stream.ended
        again = await two.tables.updates.open_stream(None, [])
        await lives[1].beat()
        assert not again.ended


async def test_who_sits_at_a_page_of_another_server_gets_no_message(postgres_url: str, clock: Time) -> None:
    async with (
        receiver() as hooks,
        sink() as mails,
        post_at(postgres_url, hooks, mails) as post,
        alive(postgres_url) as two,
    ):
        await post.hook("Ada")
        await post.hook("Bob")
        table = await post.table("atacama", "Ada", "Bob")
        name, _ = await post.mover(table, "Ada", "Bob")
        stream = await two.tables.updates.open_stream(post.people[name], [])
        await two.tables.presence.write()
        clock.passes(300)
        await post.look()
        assert "turn" not in post.events
        two.tables.hub.remove(stream)
        await two.tables.presence.write()
        clock.passes(60)
        await post.look()
        assert post.events.count("turn") == 1


async def test_servers_hear_of_channels_and_of_the_lobby(postgres_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    async with receiver() as hooks, sink() as mails, post_at(postgres_url, hooks, mails) as one:
        await one.hook("Ada")
        async with alive(postgres_url, trust_s=1000) as two:
            known = two.tables.executor.notifiable_users
            table = await one.tables.table_setup.create(one.people["Ada"], NewTable("atacama", (ME, OPEN)))
            await two.view(None, table)
            ada, bob = one.people["Ada"].id, (await one.person("Bob")).id
            assert known == {ada}, "known as the table is"
            id = await one.hook("Bob")
            await until(lambda: bob in known)
            await one.tables.notification_settings.drop(one.people["Bob"], id)
            await until(lambda: bob not in known)
            reads = 0
            works = two.tables.store.lobby

            async def lobby(*args: Any) -> list[str]:
                nonlocal reads
                reads += 1
                return await works(*args)

            monkeypatch.setattr(two.tables.store, "lobby", lobby)
            for _ in range(3):
                assert len(await two.tables.table_lists.lobby(None)) == 1
            assert reads == 1
            changes = two.tables.hub.lobby_changes
            await one.tables.table_setup.create(one.people["Ada"], NewTable("atacama", (ME, OPEN)))
            await until(lambda: two.tables.hub.lobby_changes > changes)
            assert len(await two.tables.table_lists.lobby(None)) == 2 and reads == 2


async def test_messages_that_cannot_be_sent_are_sent_later(postgres_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(buses, "_RETRY_S", 0.0)
    store = await Store.open(postgres_url)
    assert store.bus is not None
    works, left = store._database.write, 2

    async def write(*args: Any, **values: Any) -> Any:
        nonlocal left
        left -= 1
        if left >= 0:
            raise OSError("away")
        return await works(*args, **values)

    monkeypatch.setattr(store._database, "write", write)
    heard: list[str] = []
    async with store.bus.listening(heard.append):
        store.bus.publish("1")
        await asyncio.sleep(0.08)
        store.bus.publish("2")
        await until(lambda: heard)
    assert heard == ["[1,2]"]
    await store.close()


async def test_hosts_are_served_in_turn() -> None:
    queue, order = _FairQueue(1), []
    worker = await queue.get("a")

    async def think(host: str) -> None:
        got = await queue.get(host)
        order.append(host)
        queue.put(got)

    tasks = [asyncio.create_task(think(host)) for host in ("a",) * 40 + ("b", "c", "b")]
    await asyncio.sleep(0)
    tasks[1].cancel()
    queue.put(worker)
    await asyncio.gather(*tasks, return_exceptions=True)
    assert order[:6] == ["a", "b", "c", "b", "a", "a"] and order.count("a") == 39
    assert await queue.get("d") is None


async def test_a_server_leases_bot_jobs_for_its_workers_only(room: Room, clock: Time) -> None:
    """One host has many tables with bots, another has one: the workers think for both in turn."""
    asked: list[str] = []
    free = asyncio.Event()

    class Slow:
        async def choose(self, saved: str, seat: int, *_: Any, host: str) -> list[int]:
            asked.append(host)
            await free.wait()
            return atoll.load(saved).legal_choices(seat)[:1]

    room.tables.bot_turns._pool = Slow()  # type: ignore[assignment]
    scheduler = Scheduler(room.tables)
    hosts = {}
    for name, count in (("Ada", 6), ("Bob", 1)):
        for _ in range(count):
            table = await room.table("atacama", name, "bot:beginner")
            if (await room.view(name, table)).seats[0].to_move:
                await room.play(table, name, most=1)
        hosts[name] = room.people[name].id
    await scheduler.look()
    scheduler._news.clear()
    await until(lambda: len(asked) == 2)
    assert set(asked) == set(hosts.values()), "one worker, and for each host one job"
    assert all(job.kind == "bot" for job in scheduler._leased.values()) and len(scheduler._leased) == 2
    assert scheduler._is_full and not scheduler._news.is_set()
    free.set()
    await asyncio.gather(*scheduler._running.values())
    assert scheduler._news.is_set()
    for _ in range(6):
        await scheduler.look()
        await asyncio.gather(*scheduler._running.values())
    assert len(asked) == 7 and not await room.tables.store.next_due(others=False)


async def test_the_checkpoints_of_a_finished_game_are_packed_after_an_hour(both: Room, clock: Time) -> None:
    table = await both.table("atacama", "Ada", "Bob")
    await both.play(table, "Ada", "Bob")
    moments = (await both.tables.history.moment(None, table, 3)).moments
    before = [await both.tables.history.moment(None, table, each) for each in moments]
    export = await both.tables.history.export(None, table)
    due = await both.tables.store.lease_jobs(clock.now + 3_600_000, 10**15)
    [job] = [job for job in due if job.kind == "pack"]
    assert job.due == clock.now + 3_600_000
    assert await both.scheduler._is_finished(JobRow(job.id, "pack", table, 0, ""))
    await both.forget()
    assert [await both.tables.history.moment(None, table, each) for each in moments] == before
    assert await both.tables.history.export(None, table) == export
    assert (await both.tables.store.checkpoints(table))[0].number == 0
