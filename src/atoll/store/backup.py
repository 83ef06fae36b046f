"""Copies of a database: made while servers run, checked, and put into an empty database.

An SQLite file is copied by SQLite's backup API, and a PostgreSQL database by `pg_dump`. Both copy
one consistent state. The rows of a copy are counted and compared with that state.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import re
import shutil
import sqlite3
from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import asyncpg  # type: ignore[import-untyped]
import msgspec
from sqlalchemy.engine import URL

from .address import StoreError, connection_arguments
from .database import make_private
from .migrate import require_readable

SQLITE: Final = "sqlite"
PG_DUMP: Final = "pg_dump"
_HEADERS: Final = {b"SQLite format 3\0": SQLITE, b"PGDMP": PG_DUMP}
_REVISION: Final = "alembic_version"
_READ_REVISION: Final = "SELECT version_num FROM alembic_version"
_COPY: Final = re.compile(r'COPY (?:\S+\.)?"?(\w+)"? \((.*)\) FROM stdin;')
_ESCAPED: Final = re.compile(r"\\(.)")
_ESCAPES: Final = {"b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t", "v": "\v"}
_LONGEST_LINE: Final = 1 << 28
_SAMPLED: Final = (
    "SELECT id FROM games WHERE position IS NOT NULL AND start IS NULL "
    "AND status IN ('running', 'over') ORDER BY random() LIMIT "
)
Row = Mapping[str, Any]


@dataclass(slots=True)
class SampledGame:
    """A game of a copy, to replay.

    Attributes:
        table: Row of the table.
        seats: Number of seats.
        choices: Seat and choice of each answer, in order.
    """

    table: Row
    seats: int = 0
    choices: list[tuple[int, int]] = field(default_factory=list)

    @property
    def options(self) -> dict[str, Any]:
        """The options of the table."""
        found: dict[str, Any] = msgspec.json.decode(self.table["options"])
        return found


@dataclass(slots=True)
class CopiedDatabase:
    """A copy of a database, with the results of its check.

    Attributes:
        kind: "sqlite" or "pg_dump".
        schema: Revision of the schema.
        counts: Number of rows of each table.
        bytes: Size of the copy.
        faults: Differences and damages that the check found.
        samples: Games to replay.
    """

    kind: str
    schema: str
    counts: dict[str, int]
    bytes: int = 0
    faults: list[str] = field(default_factory=list)
    samples: list[SampledGame] = field(default_factory=list)


def kind_of(file: Path) -> str:
    """Return the kind of a copy: "sqlite" or "pg_dump".

    Args:
        file: The copy.

    Raises:
        StoreError: If it is neither.
        OSError: If it can't be read.
    """
    with file.open("rb") as opened:
        head = opened.read(16)
    for header, kind in _HEADERS.items():
        if head.startswith(header):
            return kind
    raise StoreError(f"{file} isn't a backup: expected a file of `atoll backup`, an SQLite file or a custom pg_dump")


# -- SQLite ----------------------------------------------------------------------------------------


def copy_sqlite(source: Path, target: Path, at: int, samples: int) -> CopiedDatabase:
    """Copy an SQLite database and check the copy.

    Args:
        source: File of the database; servers may use it.
        target: File to write.
        at: The current time in milliseconds, with which the copy is marked.
        samples: Number of random games to return for a replay.

    Returns:
        The copy.
    """
    make_private(target)
    with contextlib.closing(_connect(source)) as original, contextlib.closing(_connect(target)) as copy:
        original.execute("BEGIN")
        counts = _count(original)
        original.backup(copy)
        original.rollback()
        copy.execute("PRAGMA journal_mode = DELETE")
        copy.execute("UPDATE schema_info SET copied = ?", (at,))
    with contextlib.closing(_connect(target)) as copy:
        found = CopiedDatabase(SQLITE, _value(copy, _READ_REVISION), counts)
        found.bytes = target.stat().st_size
        found.faults = sqlite_faults(copy)
        found.faults += _differences(counts, _count(copy))
        for (id,) in copy.execute(f"{_SAMPLED} {int(samples)}").fetchall():
            found.samples.append(_sqlite_game(copy, id))
    return found


def sqlite_faults(connection: sqlite3.Connection) -> list[str]:
    """Return the damages of an SQLite database; none if it is intact."""
    answers = [each for (each,) in connection.execute("PRAGMA integrity_check(5)")]
    faults = [] if answers == ["ok"] else answers
    lost = connection.execute("PRAGMA foreign_key_check").fetchmany(5)
    return [*faults, *(f"table {child}, row {row}: {parent} doesn't have it" for child, row, parent, _ in lost)]


def _connect(file: Path) -> sqlite3.Connection:
    return sqlite3.connect(file, timeout=30, isolation_level=None)


def _value(connection: sqlite3.Connection, query: str) -> str:
    return str(connection.execute(query).fetchone()[0])


def _count(connection: sqlite3.Connection) -> dict[str, int]:
    tables = [name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
    return {
        name: connection.execute(f'SELECT count(*) FROM "{name}"').fetchone()[0]  # noqa: S608 - a name of the schema
        for name in tables
        if not name.startswith("sqlite_")
    }


def _sqlite_game(connection: sqlite3.Connection, id: str) -> SampledGame:
    cursor = connection.execute("SELECT * FROM games WHERE id = ?", (id,))
    names = [each[0] for each in cursor.description]
    (seats,) = connection.execute("SELECT count(*) FROM seats WHERE game_id = ?", (id,)).fetchone()
    choices = connection.execute("SELECT seat, choice FROM choices WHERE game_id = ? ORDER BY number", (id,))
    return SampledGame(dict(zip(names, cursor.fetchone(), strict=True)), seats, choices.fetchall())


def restore_sqlite(file: Path, target: Path) -> None:
    """Write a copy into a new SQLite file, with the mark that it isn't prepared yet.

    Args:
        file: The copy.
        target: File of the database; it must not exist or be empty.

    Raises:
        StoreError: If the database isn't empty, or the copy is damaged or too new.
        OSError: If a file can't be read or written.
    """
    if target.exists() and target.stat().st_size:
        with contextlib.closing(_connect(target)) as existing:
            if _count(existing):
                failure = _not_empty(str(target))
                raise failure
    for suffix in ("-wal", "-shm", "-journal"):
        if (left := target.with_name(target.name + suffix)).exists():
            # SQLite would apply it to the restored database.
            raise StoreError(f"{left} belongs to another database file: move it away together with that file")
    part = target.with_name(f"{target.name}.part")
    target.parent.mkdir(parents=True, exist_ok=True)
    part.unlink(missing_ok=True)
    make_private(part)
    try:
        with contextlib.closing(_connect(file)) as copy, contextlib.closing(_connect(part)) as written:
            copy.backup(written)
            written.execute("PRAGMA journal_mode = DELETE")
            _require_usable(file, _value(written, _READ_REVISION), written)
            if faults := sqlite_faults(written):
                raise StoreError(f"{file} is damaged: {faults[0]}")
            at = "SELECT max(seen) FROM servers"
            written.execute(f"UPDATE schema_info SET copied = COALESCE(copied, ({at}), 0)")  # noqa: S608
        part.replace(target)
    except sqlite3.Error as error:
        raise StoreError(f"{file} can't be restored: {error}") from error
    finally:
        part.unlink(missing_ok=True)


def _require_usable(file: Path, revision: str, connection: sqlite3.Connection) -> None:
    (readable_from,) = connection.execute("SELECT readable_from FROM schema_info").fetchone()
    _require_revision(file, revision, readable_from)


def _require_revision(file: Path, revision: str, readable_from: int | None) -> None:
    try:
        require_readable(revision, readable_from)
    except ValueError as error:
        raise StoreError(f"{file} can't be restored: {error}") from None


def _not_empty(name: str) -> StoreError:
    return StoreError(f"{name} isn't empty: name a new database with --db; a backup never replaces tables")


# -- PostgreSQL ------------------------------------------------------------------------------------


async def copy_postgres(url: URL, target: Path, samples: int) -> CopiedDatabase:
    """Copy a PostgreSQL database with `pg_dump` and check the copy.

    Args:
        url: Address of the database; servers may use it.
        target: File to write.
        samples: Number of random games to return for a replay.

    Returns:
        The copy.

    Raises:
        StoreError: If `pg_dump` is missing or fails.
    """
    make_private(target)
    connection = await asyncpg.connect(**connection_arguments(url))
    try:
        async with connection.transaction(isolation="repeatable_read", readonly=True):
            snapshot = await connection.fetchval("SELECT pg_export_snapshot()")
            names = [row["tablename"] for row in await connection.fetch(_PG_TABLES)]
            counts = {name: await connection.fetchval(f'SELECT count(*) FROM "{name}"') for name in names}  # noqa: S608
            revision = await connection.fetchval(_READ_REVISION)
            ids = {row["id"] for row in await connection.fetch(f"{_SAMPLED} {int(samples)}")}
            command = ("--format=custom", "--no-owner", "--no-privileges", f"--snapshot={snapshot}")
            await _run("pg_dump", url, *command, f"--file={target}", f"--dbname={_libpq(url)}")
    finally:
        await connection.close()
    found = CopiedDatabase(PG_DUMP, revision, counts, await asyncio.to_thread(lambda: target.stat().st_size))
    seen, games = await _read_dump(target, url, ids)
    found.faults = _differences(counts, seen)
    found.samples = games
    return found


_PG_TABLES: Final = "SELECT tablename FROM pg_tables WHERE schemaname = current_schema() ORDER BY tablename"


async def _read_dump(dump: Path, url: URL, ids: set[str]) -> tuple[dict[str, int], list[SampledGame]]:
    """Return the number of rows of each table of a dump, and the games with these ids."""
    counts: dict[str, int] = {}
    tables: dict[str, Row] = {}
    seats: dict[str, int] = dict.fromkeys(ids, 0)
    choices: dict[str, list[tuple[int, int, int]]] = {id: [] for id in ids}
    async for name, columns, line in _dump_rows(dump, url):
        counts.setdefault(name, 0)
        if line is None:
            continue
        counts[name] += 1
        if name not in ("games", "seats", "choices"):
            continue
        row = _decoded(columns, line)
        if name == "games" and row["id"] in ids:
            tables[row["id"]] = {**row, "number": int(row["number"]), "rules_version": int(row["rules_version"])}
        elif name == "seats" and row["game_id"] in ids:
            seats[row["game_id"]] += 1
        elif name == "choices" and row["game_id"] in ids:
            choices[row["game_id"]].append((int(row["number"]), int(row["seat"]), int(row["choice"])))
    games = [
        SampledGame(table, seats[id], [(seat, choice) for _, seat, choice in sorted(choices[id])])
        for id, table in tables.items()
    ]
    return counts, games


async def _dump_rows(dump: Path, url: URL, *options: str) -> AsyncIterator[tuple[str, Sequence[str], str | None]]:
    """Yield the rows of a dump: table, columns, and the text of a row, or None before the first."""
    command = (_program("pg_restore"), "--data-only", *options, "--file=-", str(dump))
    process = await asyncio.create_subprocess_exec(
        *command,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
        env=_environment(url),
        limit=_LONGEST_LINE,
    )
    assert process.stdout is not None and process.stderr is not None
    name, columns = "", []
    try:
        while line := (await process.stdout.readline()).decode():
            text = line.rstrip("\n")
            if not name:
                found = _COPY.fullmatch(text)
                if found is not None:
                    name, columns = found[1], [each.strip('" ') for each in found[2].split(",")]
                    yield name, columns, None
            elif text == "\\.":
                name = ""
            else:
                yield name, columns, text
        reason = (await process.stderr.read()).decode()
        if await process.wait():
            raise StoreError(f"pg_restore failed: {' '.join(reason.split())}")
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()


def _decoded(columns: Sequence[str], line: str) -> dict[str, Any]:
    """Return a row of PostgreSQL's text format; all values are texts or None."""
    values = [
        None if each == "\\N" else _ESCAPED.sub(lambda found: _ESCAPES.get(found[1], found[1]), each)
        for each in line.split("\t")
    ]
    return dict(zip(columns, values, strict=True))


async def restore_postgres(file: Path, url: URL) -> None:
    """Write a copy into an empty PostgreSQL database, with the mark that it isn't prepared yet.

    Args:
        file: The copy, of `pg_dump --format=custom`.
        url: Address of the database.

    Raises:
        StoreError: If the database isn't empty, or the copy is damaged or too new.
    """
    connection = await asyncpg.connect(**connection_arguments(url))
    try:
        if await connection.fetch(_PG_TABLES):
            failure = _not_empty(url.render_as_string())
            raise failure
        facts: dict[str, Row] = {}
        async for name, columns, line in _dump_rows(file, url, f"--table={_REVISION}", "--table=schema_info"):
            if line is not None:
                facts[name] = _decoded(columns, line)
        if facts.keys() != {_REVISION, "schema_info"}:
            raise StoreError(f"{file} isn't a backup of Atoll: it has no table schema_info")
        revision = str(facts[_REVISION]["version_num"])
        _require_revision(file, revision, int(facts["schema_info"]["readable_from"]))
        command = ("--no-owner", "--no-privileges", "--exit-on-error", "--single-transaction")
        await _run("pg_restore", url, *command, f"--dbname={_libpq(url)}", str(file))
        seen = "SELECT max(seen) FROM servers"
        await connection.execute(f"UPDATE schema_info SET copied = COALESCE(copied, ({seen}), 0)")  # noqa: S608
    finally:
        await connection.close()


def _differences(before: Mapping[str, int], after: Mapping[str, int]) -> list[str]:
    """Return the tables with different numbers of rows."""
    names = sorted(before.keys() | after.keys())
    return [
        f"table {name}: {after.get(name, 0)} rows instead of {before.get(name, 0)}"
        for name in names
        if before.get(name, 0) != after.get(name, 0)
    ]


def _program(name: str) -> str:
    """Return the path of one of PostgreSQL's programs.

    Args:
        name: Its name.

    Raises:
        StoreError: If it isn't installed.
    """
    found = shutil.which(name)
    if found is None:
        raise StoreError(f"{name} is missing: install PostgreSQL's client programs (Debian: postgresql-client)")
    return found


async def _run(name: str, url: URL, *arguments: str) -> None:
    """Run one of PostgreSQL's programs.

    Args:
        name: Its name.
        url: Address of the database, whose password it gets by the environment.
        *arguments: Its arguments.

    Raises:
        StoreError: If it fails.
    """
    process = await asyncio.create_subprocess_exec(
        _program(name), *arguments, stderr=asyncio.subprocess.PIPE, env=_environment(url)
    )
    _, errors = await process.communicate()
    if process.returncode:
        raise StoreError(f"{name} failed: {' '.join(errors.decode().split())}")


def _environment(url: URL) -> dict[str, str]:
    password = url.password or url.query.get("password")
    return {**os.environ, **({"PGPASSWORD": str(password)} if password else {})}


def _libpq(url: URL) -> str:
    """Return the address of a database for libpq, without the password."""
    query = {key: value for key, value in url.query.items() if key != "password"}
    plain = URL.create("postgresql", url.username, None, url.host, url.port, url.database, query)
    return plain.render_as_string(hide_password=False)
