"""Migration of a database to the current schema, automatically when a server starts.

A program can use a database of a newer schema if that schema says so (`schema_info.readable_from`).
Servers of two versions can therefore share a database during an upgrade, and an upgrade can be
undone.
"""

from __future__ import annotations

import asyncio
import contextlib
import io
import sqlite3
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, Update, select, text, update

from . import schema
from .database import Postgres, Sqlite, make_private

_LOCK: Final = 0x61746F6C6C
"""Advisory lock under which servers on one PostgreSQL that start together migrate one by one."""

_KNOWN: Final[dict[tuple[str | None, str | None], dict[str, Any]]] = {}
"""The migrations by the folders that they were read from."""


@dataclass(frozen=True, slots=True)
class SchemaState:
    """The schema of a database, compared with that of this program.

    Attributes:
        current: Revision of the database, or None if it is empty.
        head: Revision of this program.
        pending: Revisions that the database doesn't have yet, each with its description.
    """

    current: str | None
    head: str
    pending: tuple[tuple[str, str], ...]


def configuration() -> Config:
    """Return Alembic's configuration; it needs no file."""
    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent / "migrations"))
    return config


def known_revisions() -> dict[str, Any]:
    """Return the migrations of this program by revision, newest first."""
    config = configuration()
    places = (config.get_main_option("script_location"), config.get_main_option("version_locations"))
    if places not in _KNOWN:
        scripts = ScriptDirectory.from_config(config).walk_revisions()
        _KNOWN[places] = {script.revision: script for script in scripts}
    return _KNOWN[places]


def head_revision() -> str:
    """Return the newest revision of this program."""
    return next(iter(known_revisions()))


def require_readable(revision: str, readable_from: int | None) -> None:
    """Check that this program can use a database.

    Args:
        revision: Revision of the database.
        readable_from: Oldest schema whose program can use it, or None if that is unknown.

    Raises:
        ValueError: If it can't; the message says why.
    """
    known = known_revisions()
    if revision in known:
        return
    if revision.startswith("0"):  # revisions of releases are 1, 2, 3 and so on
        raise ValueError(
            "it was made before release 0.1.0, and nothing reads it: name a new one with --db, or remove this one"
        )
    head = max(known, key=int)
    if readable_from is None or int(head) < readable_from:
        raise ValueError(
            f"it was written by a newer Atoll (schema {revision}; this one knows up to {head}): "
            "update Atoll, or restore the copy that the newer one made before"
        )


def _revision(connection: Connection) -> str | None:
    """Return the revision of the database, or None if it is empty.

    Args:
        connection: Connection inside a transaction.

    Raises:
        ValueError: If this program can't use the database.
    """
    revision = MigrationContext.configure(connection).get_current_revision()
    if revision is not None and revision not in known_revisions():
        newer = not revision.startswith("0")
        require_readable(revision, connection.scalar(select(schema.schema_info.c.readable_from)) if newer else None)
    return revision


def _mark_readable() -> Update:
    """Return the statement that stores which programs can use a database of the newest schema."""
    script = known_revisions()[head_revision()]
    return update(schema.schema_info).values(readable_from=int(script.module.readable_from))


def _upgrade(connection: Connection) -> None:
    if connection.dialect.name == "postgresql":
        connection.execute(text("SELECT pg_advisory_xact_lock(:lock)"), {"lock": _LOCK})
    config = configuration()
    config.attributes["connection"] = connection
    command.upgrade(config, "head")
    connection.execute(_mark_readable())


def _copy(file: Path, suffix: str) -> None:
    """Copy an SQLite file next to itself, with the mark that it is a copy."""
    copy = file.with_name(f"{file.name}.{suffix}")
    copy.unlink(missing_ok=True)
    make_private(copy)
    with contextlib.closing(sqlite3.connect(file)) as connection:
        connection.execute("VACUUM INTO ?", (str(copy),))
    with contextlib.closing(sqlite3.connect(copy)) as connection, connection:
        connection.execute("UPDATE schema_info SET copied = ?", (time.time_ns() // 1_000_000,))


async def migrate(database: Sqlite | Postgres) -> None:
    """Run the missing migrations in one transaction.

    An SQLite file with an older schema is first copied next to the original. A database with a
    newer schema stays as it is if this program can use it.

    Args:
        database: The database to migrate.

    Raises:
        ValueError: If this program can't use the database.
    """
    head = head_revision()
    old = await database.read(_revision)
    if old == head or (old is not None and old not in known_revisions()):
        return
    if old is not None and isinstance(database, Sqlite):
        assert database.url.database is not None
        await asyncio.to_thread(_copy, Path(database.url.database), f"before-{head}")
    await database.write(_upgrade)


async def schema_state(database: Sqlite | Postgres) -> SchemaState:
    """Return the schema of a database, compared with that of this program.

    Args:
        database: The database.

    Raises:
        ValueError: If this program can't use the database.
    """
    current = await database.read(_revision)
    known = known_revisions()
    pending: list[tuple[str, str]] = []
    if current is None or current in known:
        for revision, script in known.items():
            if revision == current:
                break
            pending.insert(0, (revision, str(script.doc).partition("\n")[0]))
    return SchemaState(current, head_revision(), tuple(pending))


def migration_sql(state: SchemaState, dialect: str) -> str:
    """Return the SQL statements of the pending migrations, or "" if there are none.

    Args:
        state: The schema of the database.
        dialect: "sqlite" or "postgresql".
    """
    if not state.pending:
        return ""
    config = configuration()
    config.output_buffer = io.StringIO()
    config.attributes["dialect"] = dialect
    command.upgrade(config, f"{state.current or 'base'}:head", sql=True)
    mark = _mark_readable().compile(compile_kwargs={"literal_binds": True})
    return f"{config.output_buffer.getvalue()}{mark};\n"
