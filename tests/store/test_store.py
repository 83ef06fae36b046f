"""The store on SQLite and on a real PostgreSQL server."""

import asyncio
import contextlib
import dataclasses
import json
import sqlite3
import subprocess
import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
from alembic.autogenerate import compare_metadata
from alembic.runtime.migration import MigrationContext
from sqlalchemy import Connection
from sqlalchemy.exc import SQLAlchemyError

from atoll.store import (
    AnalysisRow,
    AttemptLimit,
    CheckpointRow,
    ChoiceRow,
    CommandRow,
    EventRow,
    InviteRow,
    JobRow,
    MessageRow,
    SeatRow,
    Store,
    StoreError,
    TableRow,
    TokenRow,
    UnitOfWork,
    UserRow,
    WriteConflict,
)
from atoll.store.schema import metadata

USER = UserRow("u1", "Ada", {"language": "de"}, 1000, 1000)
TOKEN = TokenRow("ab" * 32, "u1", "session", 1000, 9000)


def game(id: str = "g1", **values: Any) -> TableRow:
    row = TableRow(
        id=id,
        game="toy",
        rules_version=1,
        box="b0",
        options={"long": True},
        visibility="lobby",
        status="running",
        host="u1",
        clock={"bank_s": 60},
        created=1000,
        changed=1000,
        chance=id,
        round=1,
        seed="5" * 64,
    )
    return dataclasses.replace(row, **values)


def seats(id: str = "g1") -> list[SeatRow]:
    return [SeatRow(id, 0, "person", "u1", "Ada"), SeatRow(id, 1, "bot", None, "Crab", "random")]


@contextlib.asynccontextmanager
async def opened(url: str) -> AsyncIterator[Store]:
    store = await Store.open(url)
    try:
        await store.add_user(USER, [TOKEN])
        yield store
    finally:
        await store.close()


def run(url: str, test: Callable[[Store], Awaitable[None]]) -> None:
    async def whole() -> None:
        async with opened(url) as store:
            await test(store)

    asyncio.run(whole())


def test_a_whole_change_is_read_back_as_written(store_url: str) -> None:
    async def test(store: Store) -> None:
        await store.commit(UnitOfWork(game(), -1, is_new=True, seats=seats()))
        new = game(position='{"state": 1}', sequence=2, number=2, told=1, said=1, version=3, revision=1, changed=2000)
        new = dataclasses.replace(new, votes={"cancel": [0]}, result={"places": [1, 2]}, rematch="g2", repair="why")
        seat = dataclasses.replace(seats()[0], draft=[4, 5], revision=7, bank_ms=60_000, asked=2000, share="ff")
        change = UnitOfWork(
            new,
            0,
            seats=[seat],
            choices=[
                ChoiceRow("g1", 0, 0, -1, 40, -1, False, [0, 0, 1], 2000),
                ChoiceRow("g1", 1, 1, 0, 4, 1, True, None, 2000),
            ],
            checkpoints=[CheckpointRow("g1", 0, 0, "{}")],
            events=[EventRow("g1", 0, 2, "game", {"key": "drawn", "fields": {"seat": 0}}, 2000)],
            messages=[MessageRow("g1", 0, "u1", 0, "Ada", "Grüße <b>", 2000)],
            invites=[InviteRow("ef" * 32, "g1", 1, 2000)],
            commands=[CommandRow("u1", "key", "hash", {"done": True}, 2000)],
            jobs=[JobRow("bot:g1", "bot", "g1", 2000, "t1")],
        )
        await store.commit(change)
        assert await store.table("g1") == (new, [seat, seats()[1]])
        assert await store.choices("g1") == change.choices
        assert await store.choices("g1", 1) == change.choices[1:]
        assert await store.checkpoints("g1") == change.checkpoints
        assert await store.events("g1") == change.events
        assert await store.messages("g1") == change.messages
        assert await store.invite("ef" * 32) == change.invites[0]
        assert await store.command("u1", "key") == change.commands[0]
        assert await store.revision("g1") == 1
        assert await store.revision("nothing") is None
        assert await store.table("nothing") is None
        assert await store.lobby(3) == ["g1"]
        assert [row.id for row, _ in await store.listed(["g1", "gone"])] == ["g1"]
        assert [row.id for row, _ in await store.open_tables_of("u1")] == ["g1"]
        assert await store.count_tables("u1") == 1

    run(store_url, test)


def test_tables_that_are_over_come_page_by_page_and_new_ones_change_nothing(store_url: str) -> None:
    async def add(store: Store, id: str, ended: int | None, *users: str | None) -> None:
        rows = [SeatRow(id, number, "person", user, ended=ended) for number, user in enumerate(users)]
        await store.commit(UnitOfWork(game(id, status="over" if ended else "running"), -1, is_new=True, seats=rows))

    async def ids(store: Store, limit: int, before: tuple[int, str] | None = None) -> list[str]:
        return [row.id for row, _ in await store.ended_tables_of("u1", limit, before)]

    async def test(store: Store) -> None:
        await store.add_user(dataclasses.replace(USER, id="u2"), [])
        await add(store, "b", 20, "u1", "u1")  # one person on both seats is one table
        await add(store, "a", 20, "u1", "u2")
        await add(store, "c", 30, "u2", "u1")
        await add(store, "d", 40, "u2")
        await add(store, "e", None, "u1")
        assert await ids(store, 2) == ["c", "b"]
        await add(store, "f", 50, "u1")
        assert await ids(store, 2, (20, "b")) == ["a"]
        assert await ids(store, 9) == ["f", "c", "b", "a"]
        found = await store.ended_tables_of("u1", 1, (50, "f"))
        assert [[seat.user_id for seat in seats] for _, seats in found] == [["u2", "u1"]]
        assert [row.id for row, _ in await store.open_tables_of("u1")] == ["e"]
        assert [await store.end_of_table(id, "u1") for id in ("a", "d", "e", "nothing")] == [20, None, None, None]

    run(store_url, test)


def test_a_brief_change_writes_what_an_answer_changes(store_url: str) -> None:
    async def test(store: Store) -> None:
        await store.commit(UnitOfWork(game(), -1, is_new=True, seats=seats()))
        often: dict[str, Any] = {
            "position": "{}",
            "sequence": 2,
            "number": 2,
            "told": 1,
            "version": 3,
            "fixed": 1,
            "changed": 2000,
        }
        new = game(revision=1, votes={"cancel": [0]}, **often)
        seat = dataclasses.replace(seats()[0], draft=[4, 5], revision=7, asked=2000, turn=(1, None))
        stray = dataclasses.replace(seat, name="Eve"), dataclasses.replace(new, status="over")
        await store.commit(UnitOfWork(stray[1], 0, seats=[stray[0]], brief=True))
        assert await store.table("g1") == (new, [seat, seats()[1]])

    run(store_url, test)


def test_a_stale_change_writes_nothing(store_url: str) -> None:
    async def test(store: Store) -> None:
        await store.commit(UnitOfWork(game(), -1, is_new=True, seats=seats()))
        choice = ChoiceRow("g1", 0, 0, 0, 4, -1, False, None, 2000)
        await store.commit(UnitOfWork(game(number=1, revision=1), 0, choices=[choice]))
        late = UnitOfWork(
            game(number=1, revision=1, status="over"),
            0,
            seats=[dataclasses.replace(seats()[0], name="Eve")],
            choices=[dataclasses.replace(choice, number=1)],
            jobs=[JobRow("bot:g1", "bot", "g1", 1, "t1")],
        )
        with pytest.raises(WriteConflict):
            await store.commit(late)
        assert await store.table("g1") == (game(number=1, revision=1), seats())
        assert await store.choices("g1") == [choice]
        assert await store.lease_jobs(10_000, 20_000) == []

    run(store_url, test)


def test_of_many_writers_at_one_revision_one_wins(store_url: str) -> None:
    async def test(store: Store) -> None:
        other = await Store.open(store_url)
        try:
            await store.commit(UnitOfWork(game(), -1, is_new=True, seats=seats()))

            async def write(number: int) -> bool:
                choice = ChoiceRow("g1", 0, 0, 0, number, -1, False, None, 2000)
                try:
                    await (store, other)[number % 2].commit(UnitOfWork(game(revision=1), 0, choices=[choice]))
                except WriteConflict:
                    return False
                return True

            won = await asyncio.gather(*(write(number) for number in range(10)))
            assert sum(won) == 1
            assert [row.choice for row in await store.choices("g1")] == [won.index(True)]
        finally:
            await other.close()

    run(store_url, test)


def test_a_failing_change_harms_no_other_in_its_batch(store_url: str) -> None:
    async def test(store: Store) -> None:
        for name in ("g1", "g2", "g3"):
            await store.commit(UnitOfWork(game(name), -1, is_new=True, seats=seats(name)))
        twice = [ChoiceRow("g2", 0, 0, 0, 1, -1, False, None, 1)] * 2
        results = await asyncio.gather(
            store.commit(UnitOfWork(game("g1", revision=1), 0)),
            store.commit(UnitOfWork(game("g2", revision=1), 0, choices=twice)),
            store.commit(UnitOfWork(game("g3", revision=1), 0)),
            return_exceptions=True,
        )
        assert results[0] is None
        assert isinstance(results[1], StoreError)
        assert results[2] is None
        assert [await store.revision(name) for name in ("g1", "g2", "g3")] == [1, 0, 1]

    run(store_url, test)


def test_changes_that_arrive_together_are_all_written(store_url: str) -> None:
    async def test(store: Store) -> None:
        names = [f"g{number}" for number in range(300)]
        await asyncio.gather(
            *(store.commit(UnitOfWork(game(name), -1, is_new=True, seats=seats(name))) for name in names)
        )
        await asyncio.gather(*(store.commit(UnitOfWork(game(name, revision=1), 0)) for name in names))
        assert [await store.revision(name) for name in names[::50]] == [1] * 6

    run(store_url, test)


def test_tokens_prove_who_somebody_is_until_they_end(store_url: str) -> None:
    async def test(store: Store) -> None:
        assert await store.user_by_token(TOKEN.hash, ["session"], 2000) == (USER, TOKEN)
        assert await store.user_by_token(TOKEN.hash, ["api"], 2000) is None
        assert await store.user_by_token(TOKEN.hash, ["session"], 9000) is None
        assert await store.user_by_token("00" * 32, ["session"], 2000) is None
        first = TokenRow("01" * 32, "u1", "calendar", 1, 9000)
        second = TokenRow("02" * 32, "u1", "calendar", 1, 9000)
        await store.add_token(first, replace=True)
        await store.add_token(second, replace=True)
        assert await store.user_by_token("01" * 32, ["calendar"], 2) is None
        assert await store.user_by_token("02" * 32, ["calendar"], 2) == (USER, second)
        program = TokenRow("03" * 32, "u1", "api", 1, 9000)
        await store.add_token(program)
        assert await store.count_tokens("u1", "api") == 1
        assert await store.drop_tokens("u1", "", id="unknown") == 0
        assert await store.drop_tokens("u2", "", id=program.id) == 0
        assert await store.drop_tokens("u1", "", except_hash=TOKEN.hash) == 1
        assert await store.user_by_token("03" * 32, ["api"], 2) is None
        await store.change_user("u1", name="Bea", settings={"sound": True})
        assert await store.user("u1") == dataclasses.replace(USER, name="Bea", settings={"sound": True})
        await store.sweep(0, 9000)
        assert await store.user_by_token(TOKEN.hash, ["session"], 2000) is None

    run(store_url, test)


def test_of_many_attempts_at_once_only_the_permitted_are_counted(store_url: str) -> None:
    async def test(store: Store) -> None:
        limits = [AttemptLimit("mail", key, 3, 1000) for key in ("a", "b")]
        attempts = [store.attempts.count(limits[:: 1 - 2 * (n % 2)], 5000) for n in range(12)]
        assert (await asyncio.gather(*attempts)).count(0) == 3

    run(store_url, test)


def test_a_job_is_leased_once_and_comes_back_if_its_server_dies(store_url: str) -> None:
    async def test(store: Store) -> None:
        await store.commit(UnitOfWork(game(), -1, is_new=True, seats=seats()))
        job = JobRow("bot:g1", "bot", "g1", 1000, "t1")
        await store.commit(UnitOfWork(game(revision=1), 0, jobs=[job]))
        assert await store.next_due() == 1000
        assert await store.lease_jobs(999, 5000) == []
        leased = await asyncio.gather(*(store.lease_jobs(1000, 5000) for _ in range(4)))
        assert [row.id for rows in leased for row in rows] == ["bot:g1"]
        assert await store.next_due() == 5000
        [again] = await store.lease_jobs(5000, 9000)
        assert again.attempts == 2
        await store.set_jobs([JobRow("bot:g1", "bot", "g1", 7000, "t2")])
        await store.finish_jobs([again])
        [anew] = await store.lease_jobs(9000, 9500)
        assert (anew.token, anew.due, anew.attempts) == ("t2", 7000, 1)
        await store.postpone_job(anew, 9100)
        assert await store.next_due() == 9100
        [anew] = await store.lease_jobs(9100, 9500)
        await store.finish_jobs([anew])
        assert await store.next_due() is None

    run(store_url, test)


def test_a_job_goes_with_its_change(store_url: str) -> None:
    async def test(store: Store) -> None:
        await store.commit(UnitOfWork(game(), -1, is_new=True, seats=seats()))
        await store.commit(UnitOfWork(game(revision=1), 0, jobs=[JobRow("clock:g1", "clock", "g1", 1, "t")]))
        await store.commit(UnitOfWork(game(revision=2), 1, finished_jobs=["clock:g1"]))
        assert await store.lease_jobs(9, 10) == []

    run(store_url, test)


def test_a_new_invite_replaces_an_unused_one(store_url: str) -> None:
    async def test(store: Store) -> None:
        await store.commit(UnitOfWork(game(), -1, is_new=True, seats=seats()))
        first, second = (InviteRow(letter * 64, "g1", 1, 5) for letter in "ab")
        await store.commit(UnitOfWork(game(revision=1), 0, invites=[first]))
        await store.commit(UnitOfWork(game(revision=2), 1, invites=[second]))
        assert await store.invite(first.hash) is None
        await store.commit(UnitOfWork(game(revision=3, changed=77), 2, used_invites=[second.hash]))
        assert await store.invite(second.hash) == dataclasses.replace(second, used=77)
        await store.commit(UnitOfWork(game(revision=4), 3, invites=[first]))
        assert await store.invite(second.hash) is not None

    run(store_url, test)


def test_checkpoints_are_found_by_sequence(store_url: str) -> None:
    async def test(store: Store) -> None:
        rows = [CheckpointRow("g1", 3 * n, 2 * n, str(n)) for n in range(4)]
        await store.commit(UnitOfWork(game(), -1, is_new=True, seats=seats(), checkpoints=rows))
        found = [await store.checkpoint("g1", sequence) for sequence in (0, 1, 2, 5, 99)]
        assert [row.position for row in found if row] == ["0", "0", "1", "2", "3"]
        assert await store.checkpoint("g1", -1) is None

    run(store_url, test)


def test_migrations_give_the_declared_schema_and_run_again_without_harm(empty_url: str) -> None:
    def differences(connection: Connection) -> list[Any]:
        return list(compare_metadata(MigrationContext.configure(connection), metadata))

    async def test(store: Store) -> None:
        assert await store._database.read(differences) == []
        again = await Store.open(empty_url)
        assert await again.user("u1") == USER
        await again.close()

    run(empty_url, test)


async def _shoes(url: str) -> Any:
    """Open the store, and read what only the next revision has."""
    store = await Store.open(url)
    try:
        return await store._database.read(
            lambda connection: connection.exec_driver_sql("SELECT shoe FROM users").scalars().all()
        )
    finally:
        await store.close()


def test_a_database_goes_on_to_the_next_revision_by_itself(
    empty_url: str, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    async def test(store: Store) -> None:
        await store.commit(UnitOfWork(game(), -1, is_new=True, seats=seats()))

    run(empty_url, test)
    request.getfixturevalue("next_revision")
    servers = 1 if empty_url.startswith("sqlite") else 3

    async def together() -> list[Any]:
        return await asyncio.gather(*(_shoes(empty_url) for _ in range(servers)))

    assert asyncio.run(together()) == [[43]] * servers
    assert asyncio.run(_shoes(empty_url)) == [43], "it is there already"
    copies = list(tmp_path.glob("atoll.db.*-2"))
    assert len(copies) == empty_url.startswith("sqlite")
    for copy in copies:
        assert copy.name == "atoll.db.before-2"
        with contextlib.closing(sqlite3.connect(copy)) as connection:
            assert connection.execute("SELECT version_num FROM alembic_version").fetchall() == [("1",)]
            assert connection.execute("SELECT id, host FROM games").fetchall() == [("g1", "u1")]


def test_an_analysis_is_kept_once_per_table(store_url: str) -> None:
    async def test(store: Store) -> None:
        await store.commit(UnitOfWork(game(), -1, is_new=True, seats=seats()))
        assert await store.analysis("g1") is None
        for at in (1, 2):
            await store.store_analysis(AnalysisRow("g1", {"shares": [at]}, at))
            assert await store.analysis("g1") == AnalysisRow("g1", {"shares": [at]}, at)

    run(store_url, test)


def test_servers_that_start_together_migrate_once(empty_url: str) -> None:
    async def test() -> None:
        stores = await asyncio.gather(*(Store.open(empty_url) for _ in range(3)))
        await stores[0].add_user(USER, [TOKEN])
        assert await stores[2].user("u1") == USER
        for store in stores:
            await store.close()

    asyncio.run(test())


@pytest.mark.parametrize(
    ("revision", "reason"),
    [
        ("10", r"it was written by a newer Atoll \(schema 10; this one knows up to 1\): update Atoll, or restore"),
        ("0001", r"it was made before release 0\.1\.0, and nothing reads it: name a new one with --db, or remove"),
        ("0016", r"it was made before release 0\.1\.0, and nothing reads it: name a new one with --db, or remove"),
    ],
)
def test_a_database_of_another_schema_is_refused_in_one_line(empty_url: str, revision: str, reason: str) -> None:
    def spoil(connection: Connection) -> None:
        connection.exec_driver_sql(f"UPDATE alembic_version SET version_num = '{revision}'")  # noqa: S608
        connection.exec_driver_sql(f"UPDATE schema_info SET readable_from = {int(revision)}")  # noqa: S608

    async def test(store: Store) -> None:
        await store._database.write(spoil)
        with pytest.raises(StoreError, match=reason) as caught:
            await Store.open(empty_url)
        assert "\n" not in str(caught.value)
        assert await store.user("u1") == USER, "nothing of it was changed"

    run(empty_url, test)


@pytest.mark.parametrize(
    ("url", "reason"),
    [
        ("nonsense", "isn't a database URL"),
        ("mysql://host/name", "isn't supported"),
        ("sqlite://", "needs a file"),
        ("postgresql://nobody@127.0.0.1:1/none", "can't be opened"),
    ],
)
def test_an_unusable_url_is_refused_with_a_reason(url: str, reason: str) -> None:
    with pytest.raises(StoreError, match=reason):
        asyncio.run(Store.open(url))


def test_sqlite_has_the_settings_that_durability_needs(tmp_path: Path) -> None:
    def values(connection: Connection) -> list[Any]:
        return [
            connection.exec_driver_sql(f"PRAGMA {name}").scalar()
            for name in ("journal_mode", "synchronous", "foreign_keys", "busy_timeout")
        ]

    async def pragma(full: bool) -> list[Any]:
        store = await Store.open(f"sqlite:///{tmp_path}/atoll.db", full=full)
        found = await store._database.write(values)
        await store.close()
        return found

    assert asyncio.run(pragma(False)) == ["wal", 1, 1, 10_000]
    assert asyncio.run(pragma(True)) == ["wal", 2, 1, 10_000]


def test_foreign_keys_are_enforced(store_url: str) -> None:
    async def test(store: Store) -> None:
        with pytest.raises(SQLAlchemyError):
            await store.add_token(TokenRow("03" * 32, "nobody", "session", 1, 2))

    run(store_url, test)


_WRITER = """
import asyncio, dataclasses, sys
sys.path[:0] = {path!r}
from atoll.store import ChoiceRow, Store, UnitOfWork
from tests.store.test_store import game

async def main():
    store = await Store.open({url!r})
    row, _ = await store.table("g1")
    while True:
        number, row = row.number, dataclasses.replace(row, number=row.number + 1, revision=row.revision + 1)
        choice = ChoiceRow("g1", number, number, 0, number, -1, False, None, number)
        await store.commit(UnitOfWork(row, row.revision - 1, choices=[choice]))
        print(number, flush=True)

asyncio.run(main())
"""


def test_a_kill_at_any_moment_loses_nothing_that_was_confirmed(store_url: str) -> None:
    """A process writes one choice after the other and says so; it is killed; what it said is there, whole."""

    async def begin(store: Store) -> None:
        await store.commit(UnitOfWork(game(), -1, is_new=True, seats=seats()))

    run(store_url, begin)
    code = _WRITER.format(url=store_url, path=sys.path)

    async def look() -> tuple[int, int]:
        store = await Store.open(store_url)
        found = await store.table("g1")
        choices = await store.choices("g1")
        await store.close()
        assert found is not None
        assert [row.number for row in choices] == list(range(len(choices)))
        return found[0].number, len(choices)

    for lines in (1, 7, 40):
        process = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True)
        assert process.stdout is not None
        confirmed = [int(process.stdout.readline()) for _ in range(lines)][-1]
        process.kill()
        rest = process.stdout.read().split("\n")
        process.wait()
        confirmed = max([confirmed, *(int(line) for line in rest[:-1])])
        number, count = asyncio.run(look())
        assert number == count
        assert number > confirmed


def test_servers_on_postgresql_hear_of_each_others_changes(postgres_url: str) -> None:
    async def test(store: Store) -> None:
        other = await Store.open(postgres_url)
        heard: asyncio.Queue[str] = asyncio.Queue()
        assert store.bus is not None and other.bus is not None
        batches: asyncio.Queue[None] = asyncio.Queue()
        store.bus.on_batch = lambda: batches.put_nowait(None)
        async with other.bus.listening(heard.put_nowait) as ended:
            messages = [json.dumps({"table": f"g{number}", "text": "ä" * 50}) for number in range(200)]
            for message in messages:
                store.bus.publish(message)
            got: list[str] = []
            while len(got) < len(messages):
                payload = await asyncio.wait_for(heard.get(), 5)
                assert len(payload.encode()) <= 7500
                got += map(json.dumps, json.loads(payload))
            await asyncio.wait_for(batches.get(), 5)  # the others may hear of it before the sender does
            assert got == messages and batches.empty()
            assert not ended.is_set()
            store.bus.publish('"last"')
            await store.bus.close()
            assert await asyncio.wait_for(heard.get(), 5) == '["last"]'
        await other.close()

    run(postgres_url, test)


def test_a_cancelled_commit_is_finished_before_the_cancellation_goes_on(store_url: str) -> None:
    """Else nobody would know whether it got there, and nobody would tell of it."""

    async def test(store: Store) -> None:
        steps: list[str] = []

        async def tell() -> None:
            await store.commit(UnitOfWork(game(), -1, is_new=True, seats=seats()))
            steps.append("written")
            await asyncio.sleep(0)
            steps.append("went on")

        work = asyncio.create_task(tell())
        await asyncio.sleep(0)
        work.cancel()
        with pytest.raises(asyncio.CancelledError):
            await work
        assert steps == ["written"]
        assert await store.revision("g1") == 0

    run(store_url, test)


def test_what_was_given_to_the_store_is_written_before_it_closes(store_url: str) -> None:
    async def test(store: Store) -> None:
        other = await Store.open(store_url)
        begun = asyncio.create_task(other.commit(UnitOfWork(game(), -1, is_new=True, seats=seats())))
        await asyncio.sleep(0)
        await other.close()
        await begun
        assert await store.revision("g1") == 0
        with pytest.raises(StoreError):
            await other.commit(UnitOfWork(game("g2"), -1, is_new=True, seats=seats("g2")))

    run(store_url, test)
