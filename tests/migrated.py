"""Databases that have the current schema from the start: making it takes as long as many a test."""

import asyncio
import concurrent.futures
import contextlib
import functools
import secrets
import sqlite3
import tempfile
from pathlib import Path

from atoll.store import Store
from atoll.store.address import parse_address
from atoll.store.database import make_private


def migrate(url: str) -> None:
    """Make the schema in an empty database, also where an event loop runs."""

    async def open_and_close() -> None:
        await (await Store.open(url)).close()

    with concurrent.futures.ThreadPoolExecutor(1) as thread:
        thread.submit(asyncio.run, open_and_close()).result()


def new_identity() -> str:
    """Return the statement that makes another database of a copy."""
    return f"UPDATE identity SET id = '{secrets.token_hex(4)}'"  # noqa: S608 - digits


@functools.cache
def _file() -> bytes:
    """The content of a new SQLite database."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "new.db")
        migrate(f"sqlite:///{file}")
        return file.read_bytes()


def make_schema(url: str) -> None:
    """Give an SQLite database the current schema, and an identity of its own, if its file doesn't exist."""
    address = parse_address(url)
    file = Path(address.database or "")
    if address.get_backend_name() != "sqlite" or file.exists() or not file.parent.is_dir():
        return
    make_private(file)
    file.write_bytes(_file())
    with contextlib.closing(sqlite3.connect(file)) as connection, connection:
        connection.execute(new_identity())
