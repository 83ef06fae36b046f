"""The state of a database after a backup was put in its place.

Players have seen what followed the backup. Every start therefore becomes a new round, and every
running game continues at a new table of the protocol of chance. Clocks continue where they stood.
"""

from __future__ import annotations

import asyncio
import re
import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from atoll.engine import Game
from atoll.store import LOST_MS, JobRow, SchemaInfoRow, ServerRow, Store, StoreError
from atoll.store.address import parse_address
from atoll.store.backup import PG_DUMP, kind_of, restore_postgres, restore_sqlite

from ..domain import wall_clock
from ..domain.build_info import build_info
from ..domain.settings import ServerSettings
from ..table import chance_rounds, lifecycle
from ..table.live_table import LiveTable
from .accounts import DELETED
from .heartbeat import dead_servers, process_identity
from .maintenance import end_maintenance
from .sanctions import credential_hashes
from .table_factory import start_times

_ID: Final = re.compile(r"[a-z0-9]{1,32}")
_LOGGED: Final = re.compile(rf'{DELETED}.*?\buser["\']?\s*[=:]\s*["\']?([a-z0-9]{{1,32}})\b')
_LOGGED_BACKWARDS: Final = re.compile(rf'"user":\s*"([a-z0-9]{{1,32}})".*{DELETED}')


@dataclass(slots=True)
class RestoreReport:
    """The changes in a restored database.

    Attributes:
        backup: Time of the backup in milliseconds.
        schema: Revision of the schema.
        starts: Number of tables whose start begins again.
        games: Number of running games that were set back.
        failed: Ids of tables whose rules failed, which stay as they are.
        notices: Number of notifications that are void.
        challenges: Number of one-time secrets that ended.
        sessions: Number of sessions that ended.
        deleted: Number of accounts that are deleted again.
        ratings: Number of ratings that differed from the results of the rated games.
    """

    backup: int = 0
    schema: str = ""
    starts: int = 0
    games: int = 0
    failed: list[str] = field(default_factory=list)
    notices: int = 0
    challenges: int = 0
    sessions: int = 0
    deleted: int = 0
    ratings: int = 0


def deleted_accounts(text: str) -> list[str]:
    """Return the ids of deleted accounts that a text names: lines of a server's log, or bare ids.

    Args:
        text: The text.

    Raises:
        StoreError: If a line that isn't of a log isn't an id.
    """
    found: dict[str, None] = {}
    for number, line in enumerate(text.splitlines(), 1):
        logged = _LOGGED.search(line) or _LOGGED_BACKWARDS.search(line)
        if logged is not None:
            found[logged[1]] = None
        elif _ID.fullmatch(line.strip()):
            found[line.strip()] = None
        elif line.strip() and " " not in line.strip():
            raise StoreError(f"line {number} of the deleted accounts, {line[:40]!r}: expected an id or a line of a log")
    return list(found)


async def restore(
    file: Path, url: str, games: Mapping[str, Game], *, end_sessions: bool = False, deleted: Sequence[str] = ()
) -> RestoreReport:
    """Put a backup into an empty database and prepare it.

    Args:
        file: The backup.
        url: Address of the database.
        games: All games by id.
        end_sessions: Whether the sessions of accounts end.
        deleted: Ids of accounts that were deleted since the backup.

    Returns:
        The changes.

    Raises:
        StoreError: If the backup can't be used, or the database isn't empty.
        OSError: If a file can't be read or written.
    """
    address = parse_address(url)
    is_dump = await asyncio.to_thread(kind_of, file) == PG_DUMP
    if is_dump != (address.get_backend_name() == "postgresql"):
        wanted = "postgresql://..." if is_dump else "sqlite:///FILE"
        raise StoreError(f"{file} fits only a database of its own kind: name it with --db {wanted}")
    if is_dump:
        try:
            await restore_postgres(file, address)
        except OSError as error:
            raise StoreError(f"the database {address.render_as_string()} can't be opened: {error}") from error
    else:
        await asyncio.to_thread(restore_sqlite, file, Path(str(address.database)))
    return await restore_in_place(url, games, end_sessions=end_sessions, deleted=deleted)


async def restore_in_place(
    url: str, games: Mapping[str, Game], *, end_sessions: bool = False, deleted: Sequence[str] = ()
) -> RestoreReport:
    """Prepare a database that was restored from a backup; no server may use it.

    If the preparation is interrupted, run it again: servers refuse the database until it is
    complete.

    Args:
        url: Address of the database.
        games: All games by id.
        end_sessions: Whether the sessions of accounts end.
        deleted: Ids of accounts that were deleted since the backup.

    Returns:
        The changes.

    Raises:
        StoreError: If the database can't be used, or a server uses it.
    """
    store = await Store.open(url)
    try:
        info = await store.operations.schema_info()
        if info.copied is None:
            await _require_no_server(store)
        report = RestoreReport(await _backup_time(store, info), (await store.schema_state()).current or "")
        await store.operations.mark_copied(report.backup)
        server = ServerRow(secrets.token_hex(4), process_identity(), wall_clock.machine_ms(), build_info().version)
        await end_maintenance(store, None, server.seen)
        everybody = [row.id for row in await store.servers()]
        await store.heartbeat(server, begins=True, gone=everybody)
        ended = await store.operations.end_secrets(report.backup, end_sessions=end_sessions)
        report.notices, report.challenges, report.sessions = ended
        for table in await store.unfinished_tables():
            found = await store.table(table)
            assert found is not None
            await _restore_table(store, LiveTable(*found, games), report)
        for user in deleted:
            report.deleted += await _delete_again(store, user)
        _, report.ratings = await store.ratings.recompute()
        now = wall_clock.machine_ms()
        await store.operations.finish_restore(report.backup, now)
        await store.heartbeat(ServerRow(server.id, "", now, server.version), gone=everybody)
    finally:
        await store.close()
    return report


async def _require_no_server(store: Store) -> None:
    """Check that no server uses the database.

    Args:
        store: The database.

    Raises:
        StoreError: If a server does.
    """
    ended = await dead_servers(store)
    for row in await store.servers():
        if row.place and row.id not in ended and wall_clock.machine_ms() - row.seen < LOST_MS:
            raise StoreError(
                f"a server used {store.url.render_as_string()} less than {LOST_MS // 1000} s ago: stop it first"
            )


async def _backup_time(store: Store, info: SchemaInfoRow) -> int:
    """Return the time of the state that the database has."""
    return info.copied or await store.operations.last_seen() or wall_clock.machine_ms()


async def _delete_again(store: Store, user: str) -> bool:
    """Delete an account as its user did after the backup, and return whether it existed."""
    if await store.user(user) is None:
        return False
    # The first server that starts removes it from its tables.
    job = JobRow(f"account:{user}", "account", None, wall_clock.machine_ms(), "once")
    await store.accounts.close(user, job, "", await credential_hashes(store, user), wall_clock.machine_ms())
    return True


async def _restore_table(store: Store, live: LiveTable, report: RestoreReport) -> None:
    """Give a table's start a new round, or set its game back."""
    now = wall_clock.now_ms()
    lifecycle.load(live)
    if live.row.status == "gathering":
        chance_rounds.restore_start(live, now, start_times(ServerSettings()))
        report.starts += 1
    elif live.position is not None and not live.broken:
        if live.pending.truncate_choices_at is not None:
            lost = await store.choices(live.row.id, live.pending.truncate_choices_at)
            lifecycle.note_restart(live, lost, now)
        chance_rounds.set_back(live, now, report.backup)
        report.games += 1
    else:
        report.failed.append(live.row.id)
        return
    live.stamp_versions(now)
    await store.commit(live.unit_of_work(None))
