"""The tables in memory: found, locked, changed by one command at a time, and written.

Every command runs under its table's lock and lasts once its one transaction is committed. If anything goes wrong
before, the table in memory is thrown away and read anew when next needed.
"""

from __future__ import annotations

import asyncio
import contextlib
import re
import secrets
import time
from collections import OrderedDict
from collections.abc import Awaitable, Callable
from typing import Any, Final

import msgspec
import structlog

from atoll.store import CommandRow, Conflict, Store, StoreError

from ..domain import metrics, wall_clock
from ..domain.logs import Seldom
from ..domain.model import Refused, User
from ..domain.settings import ServerSettings
from ..table import lifecycle, permissions
from ..table.live_table import Live, encode
from .commands import Command, T, checked_key, digest
from .game_catalogue import Catalogue
from .store_errors import database, still_holds
from .subscriptions import Hub

log = structlog.get_logger(__name__)
seldom = Seldom(log)

_TABLE_ID: Final = re.compile(r"[a-z0-9]{1,32}")
_ATTEMPTS: Final = 4


class _Held:
    """A table in memory, locked; see Keeper.held."""

    __slots__ = ("_live", "_locking")

    def __init__(self, locking: Awaitable[Live]) -> None:
        self._locking: Awaitable[Live] = locking

    async def __aenter__(self) -> Live:
        self._live: Live = await self._locking
        return self._live

    async def __aexit__(self, *error: object) -> None:
        self._live.lock.release()


class Keeper:
    """All tables in memory.

    hub: is told of every change. wake: is called when a job has been set, told when somebody is to be told of
    something, ended when an account was deleted at another server. reached: the people who can be told. ready: is
    awaited before a command is carried out, and may refuse it.
    """

    def __init__(self, store: Store, settings: ServerSettings, catalogue: Catalogue, hub: Hub) -> None:
        self.store: Store = store
        self.settings: ServerSettings = settings
        self.catalogue: Catalogue = catalogue
        self.hub: Hub = hub
        self.id: str = secrets.token_hex(4)
        self.reached: set[str] = set()
        self.told: Callable[[], None] = lambda: None
        self.ended: Callable[[str], None] = lambda _: None
        self.wake: Callable[[], None] = lambda: None
        self.ready: Callable[[], Awaitable[None]] = _always
        self._live: OrderedDict[str, Live] = OrderedDict()
        self._loading: asyncio.Lock = asyncio.Lock()
        metrics.CACHED.set_function(lambda: len(self._live))

    # -- finding -------------------------------------------------------------------------------------------------

    def held(self, table: str) -> _Held:
        """The table in memory, locked, as it is in the database. Raises Refused."""
        return _Held(self._lock(table))

    async def _lock(self, table: str) -> Live:
        if _TABLE_ID.fullmatch(table) is None:
            raise permissions.no_table()
        while True:
            live = self._live.get(table)
            if live is None:
                live = await self._find(table)
            else:
                self._live.move_to_end(table)
            await live.lock.acquire()
            fits = False
            try:
                fresh = still_holds(self.store, live.read_at, live.others, self.settings.trust_s)
                fits = not live.gone and (fresh or await self._is_current(live))
            finally:
                if not fits:
                    live.lock.release()
            if fits:
                return live
            self.throw_away(live)

    async def _is_current(self, live: Live) -> bool:
        live.others = self.store.others()
        with database():
            revision = await self.store.revision(live.row.id)
        live.read_at = time.monotonic()
        return revision == live.row.revision

    async def _find(self, table: str) -> Live:
        async with self._loading:
            return self._live.get(table) or await self._read(table)

    async def _read(self, table: str) -> Live:
        others = self.store.others()
        with database():
            found = await self.store.table(table)
        if found is None:
            raise permissions.no_table()
        live = Live(*found, self.catalogue.by_id, self.reached)
        lifecycle.load(live)
        live.read_at = time.monotonic()
        live.others = others
        if live.broken and live.row.status == "running":
            _mark_for_repair(live, live.broken)
            log.error("table needs repair", table=table, game=live.row.game, reason=live.broken)
        else:
            lifecycle.take_up(live, wall_clock.now_ms())
        if live.pending.dirty:
            try:
                await self._write(live)
            except (Conflict, StoreError):
                raise Refused("busy", 503, "the table can't be saved just now; try again") from None
        self._live[table] = live
        while len(self._live) > self.settings.cached_tables:
            oldest = next(iter(self._live.values()))
            if oldest.lock.locked():
                self._live.move_to_end(oldest.row.id)
                break
            self.throw_away(oldest)
        return live

    def throw_away(self, live: Live) -> None:
        """Forget a table in memory; who needs it reads it anew."""
        live.gone = True
        if self._live.get(live.row.id) is live:
            del self._live[live.row.id]

    async def drop(self, table: str, unless: Callable[[Live], bool]) -> bool:
        """Remove a table with all that belongs to it, unless that holds of it; whether it was. Raises Refused."""
        async with self.held(table) as live:
            if unless(live):
                return False
            with database():
                await self.store.drop_table(table)
            self.throw_away(live)
            self.hub.publish(table, live.row.version + 1, {}, lists=False, lobby=live.row.visibility == "lobby")
            return True

    def forget(self, game: str) -> None:
        """Throw all tables of a game away."""
        for live in [each for each in self._live.values() if each.row.game == game]:
            self.throw_away(live)

    # -- writing -------------------------------------------------------------------------------------------------

    async def _write(self, live: Live, command: CommandRow | None = None, *, is_new: bool = False) -> None:
        """Commit what was changed and tell everybody. Raises Conflict, StoreError; then throw the table away."""
        live.stamp_versions(wall_clock.now_ms())
        row = live.row
        pending = live.pending
        news: dict[str, Any] = {
            "table": row.id,
            "public": row.version,
            "marks": live.marks(),
            "only": "",
            "lists": pending.listed,
            "lobby": pending.listed and row.visibility == "lobby",
        }
        if not pending.public:
            # Only the holder of the one seat that changed can notice; see Live.keep_draft.
            news["only"] = next((live.seats[seat].user_id or "" for seat in pending.seats), "-")
        notice = ""
        if self.store.dialect == "postgresql":
            notice = encode({"from": self.id, "revision": row.revision + (not is_new), "news": news})
        await self.store.commit(live.collect(command, notice, is_new=is_new))
        live.written()
        live.read_at = time.monotonic()
        self.hub.publish(**news)
        if pending.jobs:
            self.wake()
        if pending.notices:
            self.told()

    async def _check_room(self, user: User) -> None:
        with database():
            count = await self.store.count_tables(user.id)
        if count >= self.settings.tables_per_user:
            raise Refused(
                "full", 409, f"you host {count} unfinished tables; finish or cancel one first", fields={"most": count}
            )

    async def add(self, live: Live, user: User, key: str = "", asked: str = "") -> str:
        """Keep a new table; its id, or that of the one that was made under this idempotency key before.

        Raises Refused if the user hosts as many unfinished tables as one may.
        """
        await self._check_room(user)
        command = CommandRow(user.id, key, asked, live.row.id, wall_clock.now_ms()) if key else None
        try:
            async with live.lock:
                await self._write(live, command, is_new=True)
                self._live[live.row.id] = live
        except StoreError as error:
            found: str | None = await self.repeated(user, key, asked, str)
            if found is None:
                raise Refused("busy", 503, "the table can't be saved just now; try again") from error
            return found
        metrics.part(metrics.TABLES, live.row.game).inc()
        return live.row.id

    # -- what other servers do -----------------------------------------------------------------------------------

    def heard(self, notice: str) -> None:
        """Another server (or this one) has changed a table, or deleted an account."""
        data = msgspec.json.decode(notice)
        if data["from"] == self.id:
            return
        if "ended" in data:
            self.ended(data["ended"])
            return
        live = self._live.get(data["news"]["table"])
        if live is not None and live.row.revision != data["revision"]:
            live.read_at = float("-inf")
        self.hub.publish(**data["news"])

    def notice_of_end(self, user_id: str) -> str:
        """What other servers are told of a deleted account, "" where there are none."""
        return encode({"from": self.id, "ended": user_id}) if self.store.dialect == "postgresql" else ""

    async def freeze(self) -> contextlib.AsyncExitStack:
        """From now on nothing is done at any table, and none is read into memory, until what this gives is left."""
        async with contextlib.AsyncExitStack() as locks:
            await locks.enter_async_context(self._loading)
            for live in tuple(self._live.values()):
                await locks.enter_async_context(live.lock)
            return locks.pop_all()

    def distrust(self) -> None:
        """News may have been missed: look at the database before a table in memory is used again."""
        for live in self._live.values():
            live.read_at = float("-inf")

    # -- commands ------------------------------------------------------------------------------------------------

    async def carry_out(self, table: str, command: Command[T], key: str = "") -> T:
        """Let a command change the table in memory, and write it; nothing is left of it if either fails.

        Whoever asked may go away in the middle: what is being written is finished all the same, and told.
        key: with it, the same command gets the same answer again.
        """
        who = command.user
        asked = digest(table, command.name, command.request()) if checked_key(key) and who is not None else ""
        await self.ready()
        for _ in range(_ATTEMPTS):
            failure = ""
            async with self.held(table) as live:
                try:
                    if who is not None and command.only_seen:
                        permissions.check_visible(live, who)
                    answer = command.act(live, wall_clock.now_ms())
                    if live.pending.dirty:
                        row = None
                        if asked and who is not None:
                            row = CommandRow(who.id, key, asked, msgspec.to_builtins(answer), wall_clock.now_ms())
                        await self._write(live, row)
                    return answer
                except Conflict:
                    self.throw_away(live)
                except StoreError as error:
                    self.throw_away(live)
                    found = await self._again(table, command, key)
                    if found is not None:
                        return found
                    seldom.error("table can't be written", table=table, error=str(error))
                    raise Refused("busy", 503, "the table can't be saved just now; try again") from error
                except Refused:
                    if live.pending.dirty:
                        self.throw_away(live)
                    found = await self._again(table, command, key)
                    if found is not None:
                        return found
                    raise
                except Exception as error:
                    # The rules failed, or we did. This table stops; nothing of the command was kept.
                    self.throw_away(live)
                    log.exception("table needs repair", table=table, game=live.row.game)
                    failure = f"{type(error).__name__}: {error}"
                except BaseException:
                    self.throw_away(live)
                    raise
            if failure:
                await self._stop(table, failure)
                raise Refused("repair", 503, "the rules failed at this table; it waits for repair, nothing was lost")
        raise Refused("busy", 503, "too many changes at this table at once; try again")

    async def _again(self, table: str, command: Command[T], key: str) -> T | None:
        asked = digest(table, command.name, command.request()) if key else ""
        found: T | None = await self.repeated(command.user, key, asked, command.answer)
        return found

    async def repeated(self, who: User | None, key: str, asked: str, answer: Any) -> Any:
        """What was answered under this key before; None if nothing was. Raises Refused if it was something else.

        asked: the digest of the command.
        """
        if not key or who is None:
            return None
        with database():
            row = await self.store.command(who.id, key)
        if row is None:
            return None
        if row.request != asked:
            raise Refused("malformed", 422, "this idempotency key was used for another command")
        return msgspec.convert(row.answer, answer, strict=False)

    # -- when the rules fail -------------------------------------------------------------------------------------

    async def _stop(self, table: str, reason: str) -> None:
        for _ in range(_ATTEMPTS):
            async with self.held(table) as live:
                if live.row.status != "running":
                    return
                _mark_for_repair(live, reason)
                try:
                    await self._write(live)
                    metrics.REPAIRS.inc()
                    return
                except (Conflict, StoreError):
                    self.throw_away(live)


async def _always() -> None:
    pass


def _mark_for_repair(live: Live, reason: str) -> None:
    live.row.status = "repair"
    live.row.repair = reason[:1000]
    live.tell("repair", wall_clock.now_ms())
    live.touch()
