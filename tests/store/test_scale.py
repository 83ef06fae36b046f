"""The store for many servers and tables: indexes, leases, presence, packed checkpoints."""

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable
from random import Random
from typing import Any

import pytest
from sqlalchemy import Connection, event, insert, text

import atoll
from atoll.store import ChannelRow, CheckpointRow, JobRow, LobbyFilter, NoticeRow, ServerRow, Store, UserRow, schema
from atoll.store.codec import encode, values
from atoll.testing.play import step

from .test_store import game, run, seats

NOW = 1_000_000


async def _plant(store: Store, count: int = 3000) -> None:
    """Many tables of two users, with a job and a waiting notice each, most of them neither listed nor due."""
    await store.add_user(UserRow("u2", "Bob", {}, 0, 0), [])
    tables = []
    for number in range(count):
        row = game(f"t{number:05}")
        row.status = ("over", "running", "gathering")[number % 3]
        row.visibility, row.host = "lobby" if number < 30 else "link", f"u{1 + number % 2}"
        row.created = row.changed = number
        tables.append(values(row))
    ids = [each["id"] for each in tables]
    jobs = [JobRow(f"clock:{id}", "clock", id, NOW + number, "t") for number, id in enumerate(ids)]
    notices = [NoticeRow(f"n{id}", "u1", "turn", id, {}, NOW + number, 0) for number, id in enumerate(ids)]
    events = [
        {"game_id": id, "number": 0, "sequence": 0, "origin": "table", "data": "{}", "at": 0, "user_id": user}
        for number, id in enumerate(ids)
        for user in ("u1" if number % 100 == 0 else None,)
    ]
    rows: list[tuple[Any, list[dict[str, Any]]]] = [
        (schema.games, tables),
        (schema.seats, [values(row) for id in ids for row in seats(id)]),
        (schema.jobs, list(map(values, jobs))),
        (schema.notices, list(map(values, notices))),
        (schema.events, events),
    ]

    def work(connection: Connection) -> None:
        """Insert all rows."""
        for table, each in rows:
            connection.execute(insert(table), each)

    await store._database.write(work)
    if store.dialect == "postgresql":
        await store._database.write(lambda connection: connection.execute(text("ANALYZE")))


async def _plan_of(store: Store, call: Callable[[], Awaitable[Any]]) -> str:
    """The plans of all queries that a call makes."""
    statements: list[tuple[str, Any]] = []
    database: Any = store._database
    engines = [database.writer, database._reader if store.dialect == "sqlite" else database._reader.sync_engine]

    def heard(_connection: Any, _cursor: Any, statement: str, parameters: Any, *_: Any) -> None:
        statements.append((statement, parameters))

    for engine in engines:
        event.listen(engine, "before_cursor_execute", heard)
    await call()
    for engine in engines:
        event.remove(engine, "before_cursor_execute", heard)
    explain = "EXPLAIN QUERY PLAN " if store.dialect == "sqlite" else "EXPLAIN "

    def work(connection: Connection) -> str:
        """Explain each query."""
        return "\n".join(
            str(tuple(row))
            for statement, parameters in statements
            for row in connection.exec_driver_sql(explain + statement, parameters)
        )

    return str(await database.write(work))


def test_each_query_of_a_busy_server_uses_its_index(store_url: str) -> None:
    async def test(store: Store) -> None:
        await _plant(store)
        leased = await store.lease_jobs(NOW + 5, NOW + 10)
        assert len(leased) == 6
        jobs, notices = await _plan_of(store, store.next_due), await _plan_of(store, store.notices.next_due)
        assert "ix_jobs_free" in jobs and "ix_jobs_leased" in jobs
        assert "ix_notices_free" in notices and "ix_notices_leased" in notices
        lobby = await _plan_of(store, lambda: store.lobby(3))
        assert "ix_games_open" in lobby and "ix_games_watchable" in lobby
        assert "ix_events_user_id" in await _plan_of(store, lambda: store.accounts.tables_of("u1"))
        assert "ix_jobs_free" in await _plan_of(store, lambda: store.lease_jobs(NOW + 7, NOW + 20))

    run(store_url, test)


def test_the_lobby_has_few_tables_of_each_host_and_of_one_game(store_url: str) -> None:
    async def test(store: Store) -> None:
        await _plant(store, 40)
        found = await store.lobby(3)
        assert found == [*(f"t{n:05}" for n in (2, 5, 8, 11, 14, 17)), *(f"t{n:05}" for n in (28, 25, 22, 19, 16, 13))]
        assert [row.id for row, _ in await store.listed(found[1:3])] == found[1:3]
        assert await store.lobby(3, LobbyFilter("nothing")) == []
        assert len(await store.lobby(9, LobbyFilter("toy"))) == 20

    run(store_url, test)


def test_many_servers_do_each_job_once_and_hosts_take_turns(store_url: str) -> None:
    async def test(store: Store) -> None:
        await _plant(store, 30)

        def work(connection: Connection) -> None:
            """Thirty bot jobs of one host, then two of another; and a job without a table."""
            connection.execute(text("UPDATE games SET host = 'u1'"))
            connection.execute(text("UPDATE games SET host = 'u2' WHERE id IN ('t00028', 't00029')"))
            connection.execute(text("UPDATE jobs SET kind = 'bot', due = due - 1000"))

        await store._database.write(work)
        await store.set_jobs([JobRow("sweep", "sweep", None, NOW, "t")])
        first = await store.lease_jobs(NOW, NOW + 100, room=2)
        assert {job.id for job in first} == {"clock:t00000", "clock:t00028", "sweep"}
        # Without room, only a host without a running job gets one; with room, the hosts take turns.
        assert await store.lease_jobs(NOW, NOW + 100, room=0) == []
        second = await store.lease_jobs(NOW, NOW + 100, room=2)
        assert {job.id for job in second} == {"clock:t00001", "clock:t00029"}
        assert await store.next_due(bots=False) == NOW + 100 and await store.next_due(others=False) == NOW - 998
        assert await store.next_due(bots=False, others=False) is None
        done: Counter[str] = Counter()

        async def server() -> None:
            while jobs := await store.lease_jobs(NOW, NOW + 100, room=3):
                done.update(job.id for job in jobs)
                await store.extend_leases(jobs, NOW + 200)
                await store.finish_jobs(jobs)

        await asyncio.gather(*(server() for _ in range(4)))
        assert len(done) == 26 and set(done.values()) == {1}
        assert len(await store.lease_jobs(NOW + 100, NOW + 300)) == 5, "the leases of the first ones have expired"
        assert await store.claim_watch(NOW, 60_000)
        assert not await store.claim_watch(NOW + 59_999, 60_000)
        assert await store.claim_watch(NOW + 60_000, 60_000)

    run(store_url, test)


def test_a_user_counts_as_present_while_their_server_lives(store_url: str) -> None:
    async def test(store: Store) -> None:
        presence = store.presence
        await store.heartbeat(ServerRow("s1", "1@here", NOW), begins=True)
        await presence.change("s1", {"a", "b"}, (), NOW + 90_000)
        await presence.change("gone", {"c"}, (), NOW + 90_000)
        await presence.change("s1", {"b"}, {"a"}, NOW + 90_000)
        assert [await presence.is_present(user, NOW) for user in "abc"] == [False, True, False]
        assert not await presence.is_present("b", NOW + 15_000), "its server is silent"
        await store.heartbeat(ServerRow("s1", "1@here", NOW + 85_000))
        await presence.renew("s1", NOW + 180_000)
        assert await presence.is_present("b", NOW + 95_000)
        await presence.sweep(NOW + 100_000)
        await presence.end("s1")
        assert not await presence.is_present("b", NOW + 95_000)

    run(store_url, test)


@pytest.mark.parametrize("name", ["wutaki", "raiatea"])
def test_packed_checkpoints_are_small_and_read_as_before(store_url: str, name: str) -> None:
    """The checkpoints of a whole game; those of a running game stay as they are."""
    position, rng = atoll.games[name].new(seed=1), Random(1)
    saves: dict[int, str] = {}
    while not position.over:
        step(position, rng)
        saves.setdefault(position.checkpoint_sequence, encode(position.json_save()).decode())
    rows = [CheckpointRow("g1", number, *each) for number, each in enumerate(saves.items())]

    async def test(store: Store) -> None:
        await _plant(store, 1)
        of_table = [values(CheckpointRow("t00000", row.number, row.sequence, row.position)) for row in rows]
        await store._database.write(lambda connection: connection.execute(insert(schema.checkpoints), of_table))
        before = await store.checkpoints("t00000")
        moments = [-1, 0, *saves, max(saves) + 10]
        found = [await store.checkpoint("t00000", moment) for moment in moments]

        def status(value: str) -> Callable[[Connection], Any]:
            return lambda connection: connection.execute(text(f"UPDATE games SET status = '{value}'"))  # noqa: S608

        await store._database.write(status("running"))
        await store.pack_checkpoints("t00000")
        count = text("SELECT count(*) FROM checkpoints")
        assert await store._database.read(lambda connection: connection.scalar(count)) == len(rows)
        await store._database.write(status("over"))
        for _ in range(2):
            await store.pack_checkpoints("t00000")
            assert await store._database.read(lambda connection: connection.scalar(count)) == 0
            assert await store.checkpoints("t00000") == before
            assert [await store.checkpoint("t00000", moment) for moment in moments] == found
        sizes = text("SELECT length(data), count FROM packed_checkpoints")
        size, packed = (await store._database.read(lambda connection: connection.execute(sizes).one()))[:2]
        assert packed == len(rows) > 30
        assert size < 10_000 < sum(len(row.position) for row in rows) / 5

    run(store_url, test)


def test_the_reachable_users_are_those_with_a_confirmed_channel(store_url: str) -> None:
    async def test(store: Store) -> None:
        await store.add_user(UserRow("u9", "Ada", {}, 0, 0), [])
        notices = store.notices
        address = {"mail": "ada@example.org"}
        assert not await notices.add_channel(ChannelRow("c1", "u9", "mail", address, "", [], "en", 0, confirmed=False))
        assert await notices.reachable(["u9", "u1"]) == set()
        assert await notices.confirm_channel("c1", "u9")
        assert await notices.reachable(["u9", "u1"]) == {"u9"}
        assert not await notices.drop_channel("c1", "u9")
        assert await notices.reachable(["u9"]) == set()

    run(store_url, test)
