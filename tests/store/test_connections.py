"""Connections to PostgreSQL, which the pools keep open between transactions."""

import asyncio
from collections.abc import AsyncIterator

import asyncpg  # type: ignore[import-untyped]
import pytest
from sqlalchemy.dialects.postgresql.asyncpg import AsyncAdapt_asyncpg_connection

from atoll.store import Store, database
from atoll.store.address import connection_arguments

pytestmark = pytest.mark.anyio


@pytest.fixture
async def store(migrated_postgres_url: str) -> AsyncIterator[Store]:
    opened = await Store.open(migrated_postgres_url)
    yield opened
    await opened.close()


@pytest.fixture
def tested(monkeypatch: pytest.MonkeyPatch) -> list[None]:
    """An entry for each connection that was tested before its use."""
    found: list[None] = []
    ping = AsyncAdapt_asyncpg_connection.ping

    def counted(connection: AsyncAdapt_asyncpg_connection) -> None:
        found.append(None)
        ping(connection)  # type: ignore[no-untyped-call]

    monkeypatch.setattr(AsyncAdapt_asyncpg_connection, "ping", counted)
    return found


async def test_a_connection_is_tested_only_after_long_idleness(
    store: Store, tested: list[None], monkeypatch: pytest.MonkeyPatch
) -> None:
    for _ in range(3):
        assert await store.table("t1") is None
    assert tested == [], "each test costs three round trips"
    monkeypatch.setattr(database, "_IDLE_S", 0.0)
    assert await store.table("t1") is None
    assert len(tested) == 1


async def test_connections_that_the_server_has_ended_are_replaced(store: Store, tested: list[None]) -> None:
    await asyncio.gather(*[store.table("t1") for _ in range(4)], store.probe())
    other = await asyncpg.connect(**connection_arguments(store.url))
    ended = await other.fetch(
        "SELECT pg_terminate_backend(pid, 2000) FROM pg_stat_activity"
        " WHERE datname = current_database() AND pid <> pg_backend_pid() AND backend_type = 'client backend'"
    )
    await other.close()
    assert len(ended) >= 2
    await asyncio.sleep(0.1)  # the ends of the connections arrive
    await asyncio.gather(*[store.table("t1") for _ in range(4)], store.probe())
    assert tested == []
