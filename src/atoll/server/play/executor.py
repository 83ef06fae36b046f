"""The executor of commands, with the tables in memory.

A command runs under its table's lock and is durable once its one transaction is committed. If
anything fails before, the executor evicts the table from memory and reads it again when needed.
"""

from __future__ import annotations

import asyncio
import contextlib
import re
import secrets
import time
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Sequence
from typing import Any, Final
from weakref import WeakValueDictionary

import msgspec
import structlog

from atoll.store import (
    CommandRow,
    MaintenanceRow,
    SchemaInfoRow,
    SeatRow,
    Store,
    StoreError,
    UserRow,
    WriteConflict,
    payload_of,
)

from ..domain import metrics, wall_clock
from ..domain.logs import RateLimitedLogger
from ..domain.model import Refused, User
from ..domain.settings import ServerSettings
from ..table import lifecycle, permissions
from ..table.live_table import LiveTable, encode
from .blocks import BlockCache
from .commands import Command, T, checked_key, request_digest
from .game_catalogue import GameCatalogue
from .store_errors import is_fresh, refuse_on_store_error
from .subscriptions import EventHub

log = structlog.get_logger(__name__)
seldom = RateLimitedLogger(log)

_TABLE_ID: Final = re.compile(r"[a-z0-9]{1,32}")
_ATTEMPTS: Final = 4
_MOST_READS: Final = 8
"""Largest number of tables that are read at once."""


def ended_payload(store: Store, sender: str, user_id: str) -> str:
    """Return the payload that tells servers to read a user again and to end their streams.

    Args:
        store: The database.
        sender: Id of the process that sends it.
        user_id: The user.

    Returns:
        The payload, or "" on SQLite.
    """
    return payload_of([encode({"from": sender, "ended": user_id})]) if store.bus is not None else ""


class _LockedTable:
    """An async context with a locked table; see `CommandExecutor.locked`."""

    __slots__ = ("_live", "_locking")

    def __init__(self, locking: Awaitable[LiveTable]) -> None:
        self._locking: Awaitable[LiveTable] = locking

    async def __aenter__(self) -> LiveTable:
        self._live: LiveTable = await self._locking
        return self._live

    async def __aexit__(self, *error: object) -> None:
        self._live.lock.release()


class _Read:
    """A read of a table that is in progress.

    Attributes:
        lock: Held during the read; the same table is read only once.
        heard: Latest revision that another server has reported meanwhile.
    """

    __slots__ = ("__weakref__", "heard", "lock")

    def __init__(self) -> None:
        self.lock: asyncio.Lock = asyncio.Lock()
        self.heard: int = 0


class CommandExecutor:
    """Finds tables, locks them, applies commands and writes their changes.

    Attributes:
        store: The database.
        settings: Settings of the server.
        catalogue: The games that can be played.
        hub: Receives the new version of each changed table.
        blocks: Blocks between users.
        id: Random id of this server process.
        notifiable_users: Users with a confirmed channel for notifications, of those who sit at
            tables in memory or have sent a request to this server.
        on_notice: Called after notifications were added to the outbox.
        on_sessions_ended: Called with the id of a user of whom another server has ended sessions.
        on_job: Called after a job was set.
        before_command: Awaited before a command is carried out; may refuse it.
        maintenance: The maintenance that lasts now, or None.
        schema_info: Facts about the backup that the database came from, or None before the first
            heartbeat.
    """

    def __init__(self, store: Store, settings: ServerSettings, catalogue: GameCatalogue, hub: EventHub) -> None:
        self.store: Store = store
        self.settings: ServerSettings = settings
        self.catalogue: GameCatalogue = catalogue
        self.hub: EventHub = hub
        self.blocks: BlockCache = BlockCache(store, settings.trust_s)
        self.id: str = secrets.token_hex(4)
        self.notifiable_users: set[str] = set()
        self.on_notice: Callable[[], None] = lambda: None
        self.on_sessions_ended: Callable[[str], None] = lambda _: None
        self.on_job: Callable[[], None] = lambda: None
        self.before_command: Callable[[], Awaitable[None]] = _no_check
        self.maintenance: MaintenanceRow | None = None
        self.schema_info: SchemaInfoRow | None = None
        self._live: OrderedDict[str, LiveTable] = OrderedDict()
        self._reads: asyncio.Semaphore = asyncio.Semaphore(_MOST_READS)
        self._reading: WeakValueDictionary[str, _Read] = WeakValueDictionary()
        metrics.CACHED.set_function(lambda: len(self._live))

    @property
    def stands_since(self) -> int | None:
        """Time at which maintenance stopped all clocks, or None while they run."""
        return None if self.maintenance is None else self.maintenance.begins

    # -- lookup ------------------------------------------------------------------------------------

    def locked(self, table: str) -> _LockedTable:
        """Return a context with the current table, locked.

        Entering it raises `Refused` if the table doesn't exist or the database fails.
        """
        return _LockedTable(self._lock(table))

    async def _lock(self, table: str) -> LiveTable:
        if _TABLE_ID.fullmatch(table) is None:
            raise permissions.table_not_found()
        while True:
            live = self._live.get(table)
            if live is None:
                live = await self._find(table)
            else:
                self._live.move_to_end(table)
            await live.lock.acquire()
            fits = False
            try:
                fresh = is_fresh(self.store, live.read_at, live.external_version, self.settings.trust_s)
                fits = not live.evicted and (fresh or await self._is_current(live))
            finally:
                if not fits:
                    live.lock.release()
            if fits:
                return live
            self.evict(live)

    async def _is_certainly_current(self, live: LiveTable) -> bool:
        """Return whether no other server has written a table since it was read."""
        return is_fresh(self.store, live.read_at, live.external_version, trust_s=0) or await self._is_current(live)

    async def _is_current(self, live: LiveTable) -> bool:
        live.external_version = self.store.external_version()
        live.read_at = time.monotonic()  # a change that is heard of meanwhile resets it
        try:
            with refuse_on_store_error():
                revision = await self.store.revision(live.row.id)
        except BaseException:
            live.read_at = float("-inf")
            raise
        return revision == live.row.revision

    async def _find(self, table: str) -> LiveTable:
        reading = self._reading.setdefault(table, _Read())
        async with reading.lock, self._reads:
            live = self._live.get(table) or await self._read(table)
            if reading.heard > live.row.revision:
                live.read_at = float("-inf")
            return live

    async def _read(self, table: str) -> LiveTable:
        others = self.store.external_version()
        with refuse_on_store_error():
            found = await self.store.table(table)
            if found is None:
                raise permissions.table_not_found()
            self.notifiable_users |= await self.store.notices.reachable(_users_at(found[1]))
        live = LiveTable(*found, self.catalogue.by_id, self.notifiable_users)
        lifecycle.load(live)
        if live.pending.truncate_choices_at is not None:
            with refuse_on_store_error():
                lost = await self.store.choices(table, live.pending.truncate_choices_at)
            lifecycle.note_restart(live, lost, wall_clock.now_ms())
        live.read_at = time.monotonic()
        live.external_version = others
        if live.broken and live.row.status == "running":
            _mark_for_repair(live, live.broken)
            log.error("table needs repair", table=table, game=live.row.game, reason=live.broken)
        else:
            lifecycle.resume(live, wall_clock.now_ms())
        if live.pending.dirty:
            try:
                await self._write(live)
            except (WriteConflict, StoreError):
                raise Refused("busy", 503, "the table can't be saved just now; try again") from None
        self._live[table] = live
        while len(self._live) > self.settings.cached_tables:
            oldest = next(iter(self._live.values()))
            if oldest.lock.locked():
                self._live.move_to_end(oldest.row.id)
                break
            self.evict(oldest)
        return live

    def evict(self, live: LiveTable) -> None:
        """Evict a table from memory."""
        live.evicted = True
        if self._live.get(live.row.id) is live:
            del self._live[live.row.id]

    async def drop(self, table: str, unless: Callable[[LiveTable], bool]) -> bool:
        """Delete a table with everything that belongs to it.

        Args:
            table: Id of the table.
            unless: Keeps the table if it returns true.

        Returns:
            Whether the table was deleted.

        Raises:
            Refused: If the table doesn't exist or the database fails.
        """
        await self.before_command()
        async with self.locked(table) as live:
            if unless(live):
                return False
            with refuse_on_store_error():
                await self.store.drop_table(table)
            self.evict(live)
            self.hub.publish(table, live.row.version + 1, {}, lists=False, lobby=live.row.visibility == "lobby")
            return True

    def evict_game(self, game: str) -> None:
        """Evict all tables of a game."""
        for live in [each for each in self._live.values() if each.row.game == game]:
            self.evict(live)

    # -- writing -----------------------------------------------------------------------------------

    async def _write(self, live: LiveTable, command: CommandRow | None = None, *, is_new: bool = False) -> None:
        """Write the pending changes and publish them.

        If this fails, the caller must evict the table.

        Args:
            live: The table.
            command: The answer to store under an idempotency key, or None.
            is_new: Whether the table doesn't exist in the database yet.

        Raises:
            WriteConflict: If another server has changed the table.
            StoreError: If the database failed.
        """
        live.stamp_versions(wall_clock.now_ms())
        row = live.row
        pending = live.pending
        news: dict[str, Any] = {
            "table": row.id,
            "public": row.version,
            "marks": live.draft_revisions_by_user(),
            "only": "",
            "lists": pending.listed,
            "lobby": pending.listed and row.visibility == "lobby",
        }
        if not pending.public:
            # Only the holder of the one seat that changed can notice; see `LiveTable.set_draft`.
            news["only"] = next((live.seats[seat].user_id or "" for seat in pending.seats), "-")
        live.read_at = time.monotonic()  # a change that is heard of meanwhile resets it
        await self.store.commit(live.unit_of_work(command, is_new=is_new))
        live.mark_written()
        self.hub.publish(**news)
        self._publish_to_servers(revision=row.revision, news=news)
        if pending.jobs:
            self.on_job()
        if pending.notices:
            self.on_notice()

    async def _require_table_quota(self, user: User) -> None:
        with refuse_on_store_error():
            count = await self.store.count_tables(user.id)
        if count >= self.settings.tables_per_user:
            raise Refused(
                "full", 409, f"you host {count} unfinished tables; finish or cancel one first", fields={"most": count}
            )

    async def add(
        self, live: LiveTable, user: User, key: str = "", asked: str = "", seekers: Sequence[str] = ()
    ) -> str:
        """Store a new table.

        Args:
            live: The table.
            user: Its host.
            key: An idempotency key, or "".
            asked: Digest of the request, for the key.
            seekers: Users whose search ends with the table; see `UnitOfWork`.

        Returns:
            The id of the table, or of the table created under this key before.

        Raises:
            Refused: If the user hosts too many unfinished tables, or the database fails.
            WriteConflict: If one of the seekers has left or has found another table.
        """
        await self.before_command()
        await self._require_table_quota(user)
        live.pending.seekers = list(seekers)
        command = CommandRow(user.id, key, asked, live.row.id, wall_clock.now_ms()) if key else None
        try:
            async with live.lock:
                await self._write(live, command, is_new=True)
                self._live[live.row.id] = live
        except StoreError as error:
            found: str | None = await self.previous_answer(user, key, asked, str)
            if found is None:
                raise Refused("busy", 503, "the table can't be saved just now; try again") from error
            return found
        metrics.part(metrics.TABLES, live.row.game).inc()
        return live.row.id

    async def add_unless_stored(self, live: LiveTable) -> None:
        """Store a new table of a competition, unless a table with its id exists.

        Args:
            live: The table.

        Raises:
            Refused: If the database fails.
        """
        try:
            async with live.lock:
                await self._write(live, is_new=True)
                self._live[live.row.id] = live
        except StoreError as error:
            with refuse_on_store_error():
                exists = await self.store.revision(live.row.id) is not None
            if not exists:
                raise Refused("busy", 503, "the table can't be saved just now; try again") from error
            return
        metrics.part(metrics.TABLES, live.row.game).inc()

    # -- other servers -----------------------------------------------------------------------------

    def handle_notification(self, payload: str) -> None:
        """Handle the messages of another server: changes of tables and of users."""
        for message in msgspec.json.decode(payload):
            if message["from"] != self.id:
                self._handle_message(message)

    def _handle_message(self, message: dict[str, Any]) -> None:
        if "ended" in message:
            self.on_sessions_ended(message["ended"])
        elif "user" in message:
            self._note_reachable(message["user"], reachable=message["reachable"])
        else:
            table, revision = message["news"]["table"], message["revision"]
            live = self._live.get(table)
            if live is not None and live.row.revision != revision:
                live.read_at = float("-inf")
            reading = self._reading.get(table)
            if reading is not None:
                reading.heard = max(reading.heard, revision)
            self.hub.publish(**message["news"])

    def _publish_to_servers(self, **fields: Any) -> None:
        if self.store.bus is not None:
            self.store.bus.publish(encode({"from": self.id, **fields}))

    def sessions_ended_payload(self, user_id: str) -> str:
        """Return the payload that tells other servers of ended sessions, or "" on SQLite."""
        return ended_payload(self.store, self.id, user_id)

    def set_reachable(self, user_id: str, *, reachable: bool) -> None:
        """Note whether a user has a confirmed channel, and tell the other servers.

        Args:
            user_id: The user.
            reachable: Whether they have one.
        """
        self._note_reachable(user_id, reachable=reachable)
        self._publish_to_servers(user=user_id, reachable=reachable)

    def note_user(self, row: UserRow) -> None:
        """Note whether a user who sends a request has a confirmed channel."""
        if row.reachable:
            self.notifiable_users.add(row.id)

    def _note_reachable(self, user_id: str, *, reachable: bool) -> None:
        if reachable:
            self.notifiable_users.add(user_id)
        else:
            self.notifiable_users.discard(user_id)

    async def lock_all(self) -> contextlib.AsyncExitStack:
        """Lock all tables in memory, and block reading others, until the returned context ends."""
        async with contextlib.AsyncExitStack() as locks:
            for _ in range(_MOST_READS):
                await locks.enter_async_context(self._reads)
            for live in tuple(self._live.values()):
                await locks.enter_async_context(live.lock)
            return locks.pop_all()

    def invalidate_all(self) -> None:
        """Compare each table and the lobby with the database before their next use.

        Call it when notifications may have been lost.
        """
        self.hub.lobby_changes += 1
        for live in self._live.values():
            live.read_at = float("-inf")

    # -- commands ----------------------------------------------------------------------------------

    async def execute(self, table: str, command: Command[T], key: str = "") -> T:
        """Apply a command to a table and write its changes; nothing remains of a failed command.

        If the caller is canceled during the write, the write is still finished and published.

        Args:
            table: Id of the table.
            command: The command.
            key: An idempotency key, or "". The same command with the same key gets the same answer.

        Returns:
            The answer of the command.

        Raises:
            Refused: If the command isn't permitted, the rules or the database fail, or too many
                others change the table.
        """
        who = command.user
        request = request_digest(table, command.name, command.request()) if checked_key(key) and who is not None else ""
        await self.before_command()
        apart = frozenset[str]() if who is None else (await self.blocks.around(who.id)).apart
        for _ in range(_ATTEMPTS):
            failure = ""
            async with self.locked(table) as live:
                try:
                    if who is not None and command.requires_visibility:
                        permissions.require_visible(live, who)
                    live.apart = apart
                    answer = command.apply(live, wall_clock.now_ms())
                    if live.pending.dirty:
                        row = None
                        if request and who is not None:
                            row = CommandRow(who.id, key, request, msgspec.to_builtins(answer), wall_clock.now_ms())
                        await self._write(live, row)
                    return answer
                except WriteConflict:
                    self.evict(live)
                except StoreError as error:
                    self.evict(live)
                    found = await self._stored_answer(table, command, key)
                    if found is not None:
                        return found
                    seldom.error("table can't be written", table=table, error=str(error))
                    raise Refused("busy", 503, "the table can't be saved just now; try again") from error
                except Refused:
                    if live.pending.dirty:
                        self.evict(live)
                    found = await self._stored_answer(table, command, key)
                    if found is not None:
                        return found
                    if await self._is_certainly_current(live):
                        raise
                    self.evict(live)  # another server has changed the table: decide again
                except Exception as error:
                    # The rules or this server failed. The table stops, without the effects of the
                    # command.
                    self.evict(live)
                    log.exception("table needs repair", table=table, game=live.row.game)
                    failure = f"{type(error).__name__}: {error}"
                except BaseException:
                    self.evict(live)
                    raise
            if failure:
                await self._mark_broken(table, failure)
                raise Refused("repair", 503, "the rules failed at this table; it waits for repair, nothing was lost")
        raise Refused("busy", 503, "too many changes at this table at once; try again")

    async def _stored_answer(self, table: str, command: Command[T], key: str) -> T | None:
        request = request_digest(table, command.name, command.request()) if key else ""
        found: T | None = await self.previous_answer(command.user, key, request, command.answer)
        return found

    async def previous_answer(self, who: User | None, key: str, asked: str, answer: Any) -> Any:
        """Return the answer that is stored under an idempotency key.

        Args:
            who: The user, or None.
            key: The key, or "".
            asked: Digest of the request.
            answer: Type of the answer.

        Returns:
            The stored answer, or None.

        Raises:
            Refused: If the key was used for another request.
        """
        if not key or who is None:
            return None
        with refuse_on_store_error():
            row = await self.store.command(who.id, key)
        if row is None:
            return None
        if row.request != asked:
            raise Refused("malformed", 422, "this idempotency key was used for another command")
        return msgspec.convert(row.answer, answer, strict=False)

    # -- broken rules ------------------------------------------------------------------------------

    async def _mark_broken(self, table: str, reason: str) -> None:
        for _ in range(_ATTEMPTS):
            async with self.locked(table) as live:
                if live.row.status != "running":
                    return
                _mark_for_repair(live, reason)
                try:
                    await self._write(live)
                    metrics.REPAIRS.inc()
                    return
                except (WriteConflict, StoreError):
                    self.evict(live)


def _users_at(seats: Sequence[SeatRow]) -> set[str]:
    """Return the users who hold or reserve seats."""
    return {seat.user_id for seat in seats if seat.user_id is not None}


async def _no_check() -> None:
    pass


def _mark_for_repair(live: LiveTable, reason: str) -> None:
    live.row.status = "repair"
    live.row.repair = reason[:1000]
    live.log_event("repair", wall_clock.now_ms())
    live.mark_changed()
