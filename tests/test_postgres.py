"""The PostgreSQL server that the store's tests stand on."""

import asyncio

import pytest
from sqlalchemy import text
from sqlalchemy.ext.asyncio import create_async_engine


async def _count_tables_then_add_one(url: str) -> int:
    engine = create_async_engine(url)
    async with engine.begin() as connection:
        count = await connection.scalar(text("SELECT count(*) FROM pg_tables WHERE schemaname = 'public'"))
        await connection.execute(text("CREATE TABLE reef (name text)"))
    await engine.dispose()
    return int(count or 0)


@pytest.mark.parametrize("_repetition", range(2))
def test_each_test_has_an_empty_database(postgres_url: str, _repetition: int) -> None:
    assert asyncio.run(_count_tables_then_add_one(postgres_url)) == 0
