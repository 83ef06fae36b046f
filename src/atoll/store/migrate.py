"""Migration of a database to the current schema, automatically when a server starts."""

from __future__ import annotations

import asyncio
import contextlib
import sqlite3
from pathlib import Path
from typing import Final

from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, text

from .database import Postgres, Sqlite, make_private

_LOCK: Final = 0x61746F6C6C
"""Advisory lock under which servers on one PostgreSQL that start together migrate one by one."""


def configuration() -> Config:
    """Return Alembic's configuration; it needs no file."""
    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent / "migrations"))
    return config


def _revision(connection: Connection) -> str | None:
    """Return the revision of the database, or None if it is empty.

    Args:
        connection: Connection inside a transaction.

    Raises:
        ValueError: If this program doesn't know the revision.
    """
    revision = MigrationContext.configure(connection).get_current_revision()
    known = {script.revision for script in ScriptDirectory.from_config(configuration()).walk_revisions()}
    if revision is None or revision in known:
        return revision
    if revision.startswith("0"):  # revisions of releases are 1, 2, 3 and so on
        raise ValueError(
            "it was made before release 0.1.0, and nothing reads it: name a new one with --db, or remove this one"
        )
    raise ValueError(
        f"it was written by a newer Atoll (schema {revision}; this one knows up to {max(known, key=int)}): "
        "update Atoll, or restore the copy that the newer one made before"
    )


def _upgrade(connection: Connection) -> None:
    if connection.dialect.name == "postgresql":
        connection.execute(text("SELECT pg_advisory_xact_lock(:lock)"), {"lock": _LOCK})
    config = configuration()
    config.attributes["connection"] = connection
    command.upgrade(config, "head")


def _copy(file: Path, suffix: str) -> None:
    copy = file.with_name(f"{file.name}.{suffix}")
    copy.unlink(missing_ok=True)
    make_private(copy)
    with contextlib.closing(sqlite3.connect(file)) as connection:
        connection.execute("VACUUM INTO ?", (str(copy),))


async def migrate(database: Sqlite | Postgres) -> None:
    """Run the missing migrations in one transaction.

    An SQLite file with an older schema is first copied next to the original.

    Args:
        database: The database to migrate.

    Raises:
        ValueError: If this program doesn't know the revision of the database.
    """
    head = ScriptDirectory.from_config(configuration()).get_current_head()
    old = await database.read(_revision)
    if old == head:
        return
    if old is not None and isinstance(database, Sqlite):
        assert database.url.database is not None
        await asyncio.to_thread(_copy, Path(database.url.database), f"before-{head}")
    await database.write(_upgrade)
