"""Checks of the database for `atoll doctor`."""

from __future__ import annotations

import asyncio
import contextlib
import sqlite3
import time
from typing import Final

from atoll.store import LOST_MS
from atoll.store.backup import sqlite_faults

from ..domain import wall_clock
from ..play.operation import LATE_JOB_MS, MOST_ATTEMPTS, OLD_BACKUP_MS
from .diagnosis import Finding, Patient, error, ok, warning, worst

OLDEST_SQLITE: Final = (3, 35)
"""First version whose statements return rows."""
OLDEST_POSTGRESQL: Final = (15,)
"""Oldest version that its developers maintain."""

_CLOCK_MS: Final = 1000
_DAY_MS: Final = 86_400_000
_BIG_TABLE: Final = 1_000_000
_FEW_TABLES: Final = 100
_INTEGRITY_S: Final = 4.0
_OPCODES: Final = 10_000


async def version(patient: Patient) -> Finding:
    """Compare the version of the database system with the oldest one that is good enough."""
    facts = await patient.store.operations.database_facts()
    is_sqlite = patient.store.dialect == "sqlite"
    name, oldest = ("SQLite", OLDEST_SQLITE) if is_sqlite else ("PostgreSQL", OLDEST_POSTGRESQL)
    shown = f"{name} {'.'.join(map(str, facts.version))}"
    if facts.version < oldest:
        return warning(f"{shown} is older than {'.'.join(map(str, oldest))}: upgrade it")
    return ok(shown)


async def schema(patient: Patient) -> Finding:
    """Compare the schema of the database with that of this program."""
    if patient.database is None:
        return error(str(patient.fault))
    state = await patient.store.schema_state()
    info = await patient.store.operations.schema_info()
    if info.copied is not None:
        return error("this database is a copy: run `atoll restore --in-place`")
    if state.pending:
        return warning(f"schema {state.current}, {len(state.pending)} migrations pending: run `atoll migrate`")
    if state.current != state.head:
        return warning(f"schema {state.current}, newer than this program ({state.head}): finish the upgrade")
    return ok(f"schema {state.current}")


async def integrity(patient: Patient) -> Finding:
    """Check an SQLite file completely, and whether PostgreSQL checks its own."""
    store = patient.store
    if store.dialect != "sqlite":
        if (await store.operations.database_facts()).checksums:
            return ok("data checksums are on")
        return warning("data checksums are off: enable them with pg_checksums, to notice damaged disks")
    faults = await asyncio.to_thread(_sqlite_faults, str(store.url.database))
    if faults is None:
        return ok("too large for a complete check now: `atoll backup` checks its copy")
    return error(f"{faults[0]}: stop the server and restore a backup") if faults else ok("no damage")


def _sqlite_faults(file: str) -> list[str] | None:
    """Return the damages of an SQLite file, or None if the check takes too long."""
    until = time.monotonic() + _INTEGRITY_S
    with contextlib.closing(sqlite3.connect(file, timeout=1)) as connection:
        connection.set_progress_handler(lambda: time.monotonic() > until, _OPCODES)
        try:
            return sqlite_faults(connection)
        except sqlite3.OperationalError:
            if time.monotonic() > until:
                return None
            raise
        except sqlite3.DatabaseError as failure:
            return [str(failure)]


async def size(patient: Patient) -> Finding:
    """Compare the size of the database with the number of tables."""
    facts = await patient.store.operations.database_facts()
    counts = await patient.store.operations.counts(wall_clock.now_ms())
    each = facts.bytes // max(1, counts.tables)
    shown = f"{facts.bytes / 1e6:,.0f} MB, {counts.tables:,} tables, {counts.finished:,} finished"
    if counts.tables >= _FEW_TABLES and each > _BIG_TABLE:
        return warning(f"{shown}, {each / 1000:,.0f} KB per table: delete old games with --finished-days, run VACUUM")
    return ok(shown)


async def connections(patient: Patient) -> Finding:
    """Compare the connections that all servers need with PostgreSQL's limit."""
    store = patient.store
    if store.dialect == "sqlite":
        return ok("SQLite has no limit")
    facts = await store.operations.database_facts()
    servers = max(1, sum(bool(row.place) for row in await store.servers()))
    settings = patient.settings
    needed = servers * (2 * (settings.db_pool + settings.db_overflow) + 1)  # to write, to read, to listen
    shown = f"{facts.connections} of {facts.most_connections} used, {servers} servers need {needed}"
    if max(needed, facts.connections) > 0.8 * facts.most_connections:
        return warning(f"{shown}: raise max_connections, or put a pooler in front")
    return ok(shown)


async def clock(patient: Patient) -> Finding:
    """Compare this machine's clock with that of the database."""
    before = wall_clock.machine_ms()
    facts = await patient.store.operations.database_facts()
    if facts.at is None:
        return ok("the database uses the clock of this machine")
    offset = facts.at - (before + wall_clock.machine_ms()) // 2
    if abs(offset) > _CLOCK_MS:
        return error(f"offset to the database {offset / 1000:+.1f} s: synchronize both machines with NTP")
    return ok(f"offset to the database {offset} ms")


async def jobs(patient: Patient) -> Finding:
    """Look for jobs that nobody does."""
    now = wall_clock.machine_ms()
    if await patient.store.operations.maintenance() is not None:
        return ok("no jobs are done during maintenance")
    counts = await patient.store.operations.counts(now)
    missing = await patient.store.missing_jobs()
    alive = any(row.place and now - row.seen < LOST_MS for row in await patient.store.servers())
    found = []
    if counts.oldest_due is not None and counts.oldest_due < now - LATE_JOB_MS and alive:
        late = (now - counts.oldest_due) // 1000
        found.append(warning(f"the oldest due job waits for {late} s: look into the log, raise --bot-workers"))
    if counts.attempts > MOST_ATTEMPTS:
        found.append(warning(f"a job failed {counts.attempts} times: look into the log"))
    if missing:
        found.append(warning(f"{len(missing)} jobs are missing: a running server sets them within a minute"))
    return worst(found, "none is late" if alive else "no server is running")


async def repair(patient: Patient) -> Finding:
    """Look for tables whose rules failed."""
    broken = (await patient.store.operations.counts(wall_clock.now_ms())).broken
    if not broken:
        return ok("no table waits for repair")
    table, game, reason = broken[0]
    return error(f"{len(broken)} tables wait for repair, such as {table} ({game}: {reason[:100]}): update the game")


async def backup(patient: Patient) -> Finding:
    """Look for the last backup."""
    last = await patient.store.operations.last_backup()
    if last is None:
        return warning("there is no backup: run `atoll backup` daily")
    age = wall_clock.machine_ms() - last.at
    shown = f"last backup {age // _DAY_MS} days ago" if age >= _DAY_MS else f"last backup {age // 3_600_000} h ago"
    if not last.verified:
        return error(f"{shown}, and its check failed: run `atoll backup`")
    return warning(f"{shown}: run `atoll backup` daily") if age > OLD_BACKUP_MS else ok(f"{shown}, verified")


async def servers(patient: Patient) -> Finding:
    """Look for servers of other versions, and for servers that fell silent."""
    now = wall_clock.machine_ms()
    running = [row for row in await patient.store.servers() if row.place]
    silent = [row for row in running if now - row.seen > LOST_MS]
    versions = sorted({row.version for row in running if row not in silent})
    found = []
    if len(versions) > 1:
        found.append(warning(f"servers of versions {', '.join(versions)}: finish the upgrade"))
    if silent:
        place = silent[0].place.partition("/")[0]
        found.append(warning(f"{place} has been silent for {(now - silent[0].seen) // 1000} s: it was killed or hangs"))
    return worst(found, f"{len(running)} running" if running else "none is running")
