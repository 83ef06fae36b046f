"""Everything that can be done at the tables, for pages and API alike. Who may do what is decided here and nowhere else.

Every command runs under its table's lock, on the table in memory, and lasts once its one transaction is committed. If
anything goes wrong before, the table in memory is thrown away and read anew when next needed.
"""

from __future__ import annotations

import asyncio
import base64
import contextlib
import functools
import hashlib
import random
import re
import secrets
import time
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from typing import Any, Final, TypeVar

import msgspec
import structlog
from sqlalchemy.exc import SQLAlchemyError

from atoll.engine import (
    CHANCE,
    AtollError,
    Game,
    IllegalChoice,
    MalformedChoice,
    OptionError,
    Position,
    RulesError,
    SeatCountError,
    Stage,
    WrongSeat,
)
from atoll.engine import record as records
from atoll.engine.state import declarations, may_know
from atoll.store import (
    AnalysisRow,
    ChoiceRow,
    CommandRow,
    Conflict,
    EventRow,
    GameRow,
    InviteRow,
    JobRow,
    MessageRow,
    SeatRow,
    Store,
    StoreError,
    TokenRow,
    UserRow,
)

from . import metrics, texts, times
from .bots import BotFailed, BotPool
from .chance import commitment, is_share, new_seed
from .hub import LOBBY, Hub, Stream
from .limits import Limits
from .live import Live, add_entries, encode, version
from .model import (
    LANGUAGES,
    Advice,
    Analysis,
    AnalysisState,
    ChanceProof,
    Clock,
    Done,
    Fairness,
    LogEntry,
    Login,
    Message,
    Moment,
    NewTable,
    Prospect,
    Refused,
    Score,
    SeatInfo,
    SeatPlan,
    Settings,
    TableCard,
    TableView,
    Turn,
    User,
    Vote,
    WhyNot,
)
from .settings import ServerSettings

log = structlog.get_logger(__name__)

_T = TypeVar("_T")

_YEAR_MS: Final = 366 * 86_400_000
_SESSION_MS: Final = _YEAR_MS
_SEEN_MS: Final = 60_000
_COMMANDS_MS: Final = 2 * 86_400_000
_MOST_CHOICES: Final = 64
_MOST_MESSAGES: Final = 500
_KEY: Final = re.compile(r"[!-~]{0,64}")
_TABLE_ID: Final = re.compile(r"[a-z0-9]{1,32}")
_CLOCK_LIMITS: Final = (60, 90 * 86_400)
_TOKEN_BYTES: Final = 24  # 192 random bits


def _moment(at: int) -> datetime:
    return datetime.fromtimestamp(at / 1000, UTC)


def token_hash(token: str) -> str:
    """What is kept of a secret token."""
    return hashlib.sha256(token.encode()).hexdigest()


def _new_table_id() -> str:
    return base64.b32encode(secrets.token_bytes(10))[:14].decode().lower()


def _user(row: UserRow) -> User:
    return User(row.id, row.name, msgspec.convert(row.settings, Settings))


def _no_table() -> Refused:
    return Refused("no_table", 404, "there is no such table, or it isn't for you")


@dataclass(slots=True)
class _Known:
    """Whose a token is. seen: when we last noted a sign of life. until: how long this is trusted (monotonic)."""

    user: User
    seen: int
    until: float


class _Held:
    """A table in memory, locked; see Service._lock."""

    __slots__ = ("_live", "_locking")

    def __init__(self, locking: Awaitable[Live]) -> None:
        self._locking: Awaitable[Live] = locking

    async def __aenter__(self) -> Live:
        self._live: Live = await self._locking
        return self._live

    async def __aexit__(self, *error: object) -> None:
        self._live.lock.release()


class Service:
    """The tables, the people at them, and all that they can do.

    Every method raises Refused if it isn't carried out; then nothing has changed.
    """

    def __init__(
        self,
        store: Store,
        settings: ServerSettings,
        games: Mapping[str, Game],
        *,
        bot_levels: Callable[[Game], Sequence[str]],
        pool: BotPool,
        study: BotPool,
    ) -> None:
        self.store: Store = store
        self.settings: ServerSettings = settings
        self.hub: Hub = Hub()
        self.limits: Limits = Limits(settings.limits)
        self.id: str = secrets.token_hex(4)
        self.wake: Callable[[], None] = lambda: None
        self._games: Mapping[str, Game] = games
        self._bot_levels: Callable[[Game], Sequence[str]] = bot_levels
        self._pool: BotPool = pool
        self._study: BotPool = study
        self._progress: dict[str, tuple[int, int]] = {}
        self._not_analysed: set[str] = set()
        self._broken: set[str] = set()
        self._live: OrderedDict[str, Live] = OrderedDict()
        self._loading: asyncio.Lock = asyncio.Lock()
        self._users: OrderedDict[str, _Known] = OrderedDict()

    # -- people --------------------------------------------------------------------------------------------------

    async def guest(self, name: str, settings: Settings | None = None, *, kind: str = "session") -> Login:
        """A new person, with nothing but a name. kind: "session" for browsers, "api" for programs."""
        cleaned = texts.name(name)
        chosen = _checked_settings(settings or Settings())
        now = times.now_ms()
        row = UserRow(secrets.token_hex(8), cleaned, msgspec.structs.asdict(chosen), now, now)
        token = secrets.token_urlsafe(_TOKEN_BYTES)
        with _database():
            await self.store.add_user(row, [TokenRow(token_hash(token), row.id, kind, now, now + _SESSION_MS)])
        return Login(_user(row), token)

    async def user_by_token(self, token: str, kind: str) -> User | None:
        """Whose token this is; None if it isn't valid (any more)."""
        if not token or len(token) > 100:
            return None
        key = f"{kind}:{token_hash(token)}"
        known = self._users.get(key)
        if known is None or known.until <= time.monotonic():
            with _database():
                found = await self.store.user_by_token(key.partition(":")[2], [kind], times.now_ms())
            if found is None:
                self._users.pop(key, None)
                return None
            known = self._users[key] = _Known(_user(found), found.seen, time.monotonic() + self.settings.trust_s)
            self._users.move_to_end(key)
            while len(self._users) > 10_000:
                self._users.popitem(last=False)
        now = times.now_ms()
        if now - known.seen > _SEEN_MS:
            known.seen = now
            with _database():
                await self.store.change_user(known.user.id, seen=now)
        return known.user

    def _forget_user(self, user_id: str) -> None:
        for key in [key for key, known in self._users.items() if known.user.id == user_id]:
            del self._users[key]

    async def rename(self, who: User | None, name: str) -> User:
        """Another name, for tables from now on."""
        user = _signed_in(who)
        cleaned = texts.name(name)
        with _database():
            await self.store.change_user(user.id, name=cleaned)
        self._forget_user(user.id)
        return User(user.id, cleaned, user.settings)

    async def set_settings(self, who: User | None, settings: Settings) -> User:
        """What this person has set for all tables."""
        user = _signed_in(who)
        chosen = _checked_settings(settings)
        with _database():
            await self.store.change_user(user.id, settings=msgspec.structs.asdict(chosen))
        self._forget_user(user.id)
        return User(user.id, user.name, chosen)

    async def recovery_token(self, who: User | None) -> str:
        """A secret that brings this person back on another device; it works until a new one is made."""
        user = _signed_in(who)
        token = secrets.token_urlsafe(_TOKEN_BYTES)
        now = times.now_ms()
        row = TokenRow(token_hash(token), user.id, "recovery", now, now + _YEAR_MS)
        with _database():
            await self.store.add_token(row, replace=True)
        return token

    async def recover(self, token: str, *, kind: str = "session") -> Login:
        """A new session for whose recovery token this is; all seats are kept, other devices stay signed in."""
        now = times.now_ms()
        with _database():
            row = await self.store.user_by_token(token_hash(token[:100]), ["recovery"], now)
        if row is None:
            raise Refused("used", 410, "this recovery link isn't valid (any more)")
        fresh = secrets.token_urlsafe(_TOKEN_BYTES)
        with _database():
            await self.store.add_token(TokenRow(token_hash(fresh), row.id, kind, now, now + _SESSION_MS))
        return Login(_user(row), fresh)

    async def sign_out(self, token: str) -> None:
        """End a session or API token."""
        with _database():
            await self.store.drop_token(token_hash(token[:100]))
        for kind in ("session", "api"):
            self._users.pop(f"{kind}:{token_hash(token[:100])}", None)

    # -- lists ---------------------------------------------------------------------------------------------------

    def games(self) -> tuple[Game, ...]:
        """All games that can be played, by id. One that can't be loaded is left out."""
        found = []
        for id in self._games:
            try:
                found.append(self._games[id])
            except Exception as error:
                if id not in self._broken:
                    self._broken.add(id)
                    log.error("game can't be loaded", game=id, error=f"{type(error).__name__}: {error}")
        return tuple(found)

    def bots(self, game: str) -> tuple[str, ...]:
        """The levels of bots for a game, weakest first."""
        return tuple(self._bot_levels(self._game(game)))

    def _game(self, id: str) -> Game:
        try:
            return self._games[id]
        except LookupError:
            raise Refused("bad_option", 422, f"no game {id[:40]!r}; allowed: {', '.join(self._games)}") from None

    async def lobby(self, who: User | None) -> tuple[TableCard, ...]:
        """The tables that are listed for all, those with free seats first."""
        with _database():
            found = await self.store.lobby()
        cards = [self._card(row, seats, who) for row, seats in found]
        return tuple(sorted(cards, key=lambda card: card.status != "gathering"))

    async def my_tables(self, who: User | None) -> tuple[TableCard, ...]:
        """The tables where this person holds a seat or has one reserved; those where it is its turn first."""
        user = _signed_in(who)
        with _database():
            found = await self.store.tables_of(user.id)
        order = {"running": 0, "repair": 0, "gathering": 1, "over": 2, "cancelled": 3}
        cards = [self._card(row, seats, who) for row, seats in found]
        return tuple(sorted(cards, key=lambda card: (not card.my_turn, order[card.status])))

    def _card(self, row: GameRow, seats: Sequence[SeatRow], who: User | None) -> TableCard:
        infos = self._seat_infos(row, seats, who, None)
        return TableCard(
            id=row.id,
            game=row.game,
            status=row.status,  # type: ignore[arg-type]
            options=row.options,
            clock=None if row.clock is None else Clock(**row.clock),
            seats=infos,
            advice=row.advice,
            my_turn=any(info.mine and info.to_move and not seat.away for info, seat in zip(infos, seats, strict=True)),
            created=_moment(row.created),
            changed=_moment(row.changed),
        )

    def _seat_infos(
        self, row: GameRow, seats: Sequence[SeatRow], who: User | None, position: Position | None
    ) -> tuple[SeatInfo, ...]:
        now = times.now_ms()
        ready = None if position is None else position.ready
        infos = []
        for seat in seats:
            left: int | None = None
            timed = row.clock is not None and row.status == "running" and seat.kind == "person" and not seat.away
            # What is left after a sealed answer would tell when it was given.
            if timed and row.clock is not None and (ready is None or seat.asked is not None):
                bank = 1000 * row.clock["bank_s"] if seat.bank_ms is None else seat.bank_ms
                left = 60 * -(-max(0, bank - (0 if seat.asked is None else now - seat.asked)) // 60_000)
            infos.append(
                SeatInfo(
                    seat=seat.seat,
                    kind=seat.kind,  # type: ignore[arg-type]
                    name=seat.name,
                    mine=who is not None and seat.user_id == who.id and seat.kind == "person",
                    bot=seat.bot,
                    stand_in=seat.away,
                    to_move=seat.asked is not None,
                    ready=None if ready is None else ready[seat.seat],
                    contributed=bool(seat.share),
                    time_left_s=left,
                )
            )
        return tuple(infos)

    # -- tables in memory ----------------------------------------------------------------------------------------

    def _held(self, table: str) -> _Held:
        """The table in memory, locked, as it is in the database. Raises Refused."""
        return _Held(self._lock(table))

    async def _lock(self, table: str) -> Live:
        if _TABLE_ID.fullmatch(table) is None:
            raise _no_table()
        while True:
            live = await self._find(table)
            await live.lock.acquire()
            fits = False
            try:
                fresh = time.monotonic() - live.read_at <= self.settings.trust_s
                fits = not live.gone and (fresh or await self._is_current(live))
            finally:
                if not fits:
                    live.lock.release()
            if fits:
                return live
            self._throw_away(live)

    async def _is_current(self, live: Live) -> bool:
        with _database():
            revision = await self.store.revision(live.row.id)
        live.read_at = time.monotonic()
        return revision == live.row.revision

    async def _find(self, table: str) -> Live:
        live = self._live.get(table)
        if live is not None:
            self._live.move_to_end(table)
            return live
        async with self._loading:
            return self._live.get(table) or await self._read(table)

    async def _read(self, table: str) -> Live:
        with _database():
            found = await self.store.table(table)
        if found is None:
            raise _no_table()
        live = Live(*found, self._games)
        live.read_at = time.monotonic()
        if live.broken and live.row.status == "running":
            live.row.status = "repair"
            live.row.repair = live.broken
            live.tell("repair", times.now_ms())
            live.touch()
            log.error("table needs repair", table=table, game=live.row.game, reason=live.broken)
        else:
            live.settle_load(times.now_ms())
        if live.dirty:
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
            self._throw_away(oldest)
        return live

    def _throw_away(self, live: Live) -> None:
        live.gone = True
        if self._live.get(live.row.id) is live:
            del self._live[live.row.id]

    async def _write(self, live: Live, command: CommandRow | None = None, *, is_new: bool = False) -> None:
        """Commit what was changed and tell everybody. Raises Conflict, StoreError; then throw the table away."""
        live.stamp_versions(times.now_ms())
        row = live.row
        news: dict[str, Any] = {
            "table": row.id,
            "public": row.version,
            "marks": live.marks(),
            "only": "",
            "lists": live.listed,
            "lobby": live.listed and row.visibility == "lobby",
        }
        if not live.public:
            # Only the holder of the one seat that changed can notice; see Live.keep_draft.
            news["only"] = next((live.seats[seat].user_id or "" for seat in live.touched), "-")
        notice = ""
        if self.store.dialect == "postgresql":
            notice = encode({"from": self.id, "revision": row.revision + (not is_new), "news": news})
        due = bool(live.jobs)
        await self.store.commit(live.collect(row.changed, command, notice, is_new=is_new))
        live.written()
        live.read_at = time.monotonic()
        self.hub.publish(**news)
        if due:
            self.wake()

    def heard(self, notice: str) -> None:
        """Another server (or this one) has changed a table."""
        data = msgspec.json.decode(notice)
        if data["from"] == self.id:
            return
        live = self._live.get(data["news"]["table"])
        if live is not None and live.row.revision != data["revision"]:
            live.read_at = float("-inf")
        self.hub.publish(**data["news"])

    def distrust(self) -> None:
        """News may have been missed: look at the database before a table in memory is used again."""
        for live in self._live.values():
            live.read_at = float("-inf")

    async def _command(
        self,
        table: str,
        act: Callable[[Live, int], _T],
        *,
        who: User | None = None,
        key: str = "",
        request: Any = None,
        result: type[_T] | Any = None,
        see: bool = True,
    ) -> _T:
        """Let `act` change the table in memory, and write it; nothing is left of it if either fails.

        Whoever asked may go away in the middle: what is being written is finished all the same, and told.
        key: with it, the same request gets the same answer again. result: the type to read that answer as.
        """
        _checked_key(key)
        asked = hashlib.sha256(encode([table, act_name(act), request]).encode()).hexdigest() if key else ""
        for _ in range(4):
            async with self._held(table) as live:
                try:
                    if see:
                        self._check_visible(live, who)
                    answer = act(live, times.now_ms())
                    if live.dirty:
                        command = (
                            CommandRow(who.id, key, asked, _plain(answer), times.now_ms())
                            if key and who is not None
                            else None
                        )
                        await self._write(live, command)
                    return answer
                except Conflict:
                    self._throw_away(live)
                    continue
                except StoreError as error:
                    self._throw_away(live)
                    found: _T | None = await self._repeated(who, key, asked, result)
                    if found is not None:
                        return found
                    log.error("table can't be written", table=table, error=str(error))
                    raise Refused("busy", 503, "the table can't be saved just now; try again") from error
                except Refused:
                    if live.dirty:
                        self._throw_away(live)
                    found = await self._repeated(who, key, asked, result)
                    if found is not None:
                        return found
                    raise
                except Exception as error:
                    # The rules failed, or we did. This table stops; nothing of the command was kept.
                    self._throw_away(live)
                    log.exception("table needs repair", table=table, game=live.row.game)
                    failure = f"{type(error).__name__}: {error}"
                except BaseException:
                    self._throw_away(live)
                    raise
            await self._mark_for_repair(table, failure)
            raise Refused("repair", 503, "the rules failed at this table; it waits for repair, nothing was lost")
        raise Refused("busy", 503, "too many changes at this table at once; try again")

    async def _repeated(self, who: User | None, key: str, asked: str, result: Any) -> Any:
        """What was answered to this command before; None if it wasn't carried out yet."""
        if not key or who is None:
            return None
        with _database():
            row = await self.store.command(who.id, key)
        if row is None:
            return None
        if row.request != asked:
            raise Refused("malformed", 422, "this idempotency key was used for another command")
        answer: Any = msgspec.convert(row.answer, result, strict=False)
        return answer

    async def _mark_for_repair(self, table: str, reason: str) -> None:
        for _ in range(4):
            async with self._held(table) as live:
                if live.row.status != "running":
                    return
                live.row.status = "repair"
                live.row.repair = reason[:1000]
                live.tell("repair", times.now_ms())
                live.touch()
                try:
                    await self._write(live)
                    metrics.REPAIRS.inc()
                    return
                except (Conflict, StoreError):
                    self._throw_away(live)

    async def repair(self) -> None:
        """Try the tables whose rules failed on the rules of today; those that can go on, do."""
        with _database():
            tables = await self.store.to_repair()
        for table in tables:
            with contextlib.suppress(Refused):
                await self._command(table, _repair, see=False)

    # -- rights --------------------------------------------------------------------------------------------------

    def _check_visible(self, live: Live, who: User | None) -> None:
        row = live.row
        if row.visibility != "private":
            return
        if who is not None and (row.host == who.id or any(seat.user_id == who.id for seat in live.seats)):
            return
        raise _no_table()

    # -- making and filling tables -------------------------------------------------------------------------------

    async def create(self, who: User | None, new: NewTable, key: str = "") -> str:
        """A new table; its id. The creator sits on the seats "me" and "device"."""
        user = _signed_in(who)
        key = _checked_key(key)
        asked = hashlib.sha256(encode(["create", new]).encode()).hexdigest()
        found = await self._repeated(user, key, asked, str)
        if found is not None:
            return str(found)
        self.limits.hit("table", user.id)
        with _database():
            count = await self.store.count_tables(user.id)
        if count >= self.settings.tables_per_user:
            raise Refused(
                "full", 409, f"you host {count} unfinished tables; finish or cancel one first", fields={"most": count}
            )
        live = self._new_live(user, new)
        return await self._found_table(user, live, key, asked)

    async def _found_table(self, user: User, live: Live, key: str, asked: str) -> str:
        command = CommandRow(user.id, key, asked, live.row.id, times.now_ms()) if key else None
        try:
            async with live.lock:
                await self._write(live, command, is_new=True)
                self._live[live.row.id] = live
        except StoreError as error:
            found = await self._repeated(user, key, asked, str)
            if found is None:
                raise Refused("busy", 503, "the table can't be saved just now; try again") from error
            return str(found)
        metrics.TABLES.labels(live.row.game).inc()
        return live.row.id

    def _new_live(self, user: User, new: NewTable) -> Live:
        game = self._game(new.game)
        now = times.now_ms()
        try:
            if len(new.seats) not in game.seat_counts:
                allowed = ", ".join(map(str, game.seat_counts))
                raise SeatCountError(f"{game.id} can't be played with {len(new.seats)} seats; allowed: {allowed}")
            options = game.resolve_options(new.options, len(new.seats))
        except SeatCountError as error:
            raise Refused("bad_seats", 422, str(error)) from None
        except OptionError as error:
            raise Refused("bad_option", 422, str(error)) from None
        if new.visibility not in ("lobby", "link", "private"):
            raise Refused("bad_option", 422, "visibility: allowed are lobby, link, private")
        seed = new_seed()
        row = GameRow(
            id=_new_table_id(),
            game=game.id,
            rules_version=game.rules_version,
            box=game.box_hash,
            options=options,
            visibility=new.visibility,
            status="gathering",
            host=user.id,
            clock=None if new.clock is None else msgspec.structs.asdict(_checked_clock(new.clock)),
            commitment=commitment(seed),
            seed=seed,
            created=now,
            changed=now,
            advice=_is_alone(new.seats) if new.advice is None else new.advice,
        )
        seats = [self._new_seat(row, number, plan, user) for number, plan in enumerate(new.seats)]
        if not any(seat.kind == "person" for seat in seats):
            raise Refused("bad_seats", 422, "the creator needs a seat: one must be `me`")
        live = Live(row, seats, self._games)
        live.events, live.messages = [], []
        live.touch(*range(len(seats)))
        if live.filled():
            live.set_start(now + int(1000 * self.settings.start_after_s))
        return live

    def _new_seat(self, row: GameRow, number: int, plan: SeatPlan, user: User) -> SeatRow:
        seat = SeatRow(row.id, number, "open")
        if plan.kind == "me":
            seat.kind, seat.user_id, seat.name = "person", user.id, user.name
        elif plan.kind == "device":
            seat.kind, seat.user_id = "person", user.id
            seat.name = texts.name(plan.name) if plan.name else f"{user.name[:20]} {number + 1}"
        elif plan.kind == "bot":
            seat.kind, seat.bot = "bot", self._checked_level(row.game, plan.bot)
            seat.name = seat.bot
        elif plan.kind in ("invite", "open"):
            seat.kind = _free_kind(row, plan.kind)
        else:
            raise Refused("bad_seats", 422, "seat kinds: allowed are me, device, invite, open, bot")
        return seat

    def _checked_level(self, game: str, level: str) -> str:
        levels = self.bots(game)
        if not level:
            return levels[-1]
        if level not in levels:
            raise Refused("bad_seats", 422, f"no bot {level[:40]!r}; allowed: {', '.join(levels)}")
        return level

    async def play_now(self, who: User | None, game: str, bot: str = "", key: str = "") -> str:
        """A table with me against bots, all else by default; its id."""
        seats = self._game(game).seat_counts[0]
        plans = (SeatPlan("me"), *(SeatPlan("bot", bot=bot) for _ in range(seats - 1)))
        return await self.create(who, NewTable(game, plans, visibility="link"), key)

    async def join(self, who: User | None, table: str, seat: int | None = None, key: str = "") -> int:
        """Take an open seat (None: the first), or one that is reserved for me; which it was."""
        user = _signed_in(who)
        self.limits.hit("join", user.id)
        return await self._command(
            table, partial(self._join, user=user, seat=seat), who=user, key=key, request=seat, result=int
        )

    def _join(self, live: Live, now: int, *, user: User, seat: int | None) -> int:
        _check_gathering(live)
        mine = [row for row in live.seats if row.kind == "invite" and row.user_id == user.id]
        free = mine + [row for row in live.seats if row.kind == "open"]
        if seat is not None:
            _checked_seat(live, seat)
            free = [row for row in free if row.seat == seat]
        if not free:
            raise Refused("taken", 409, "this seat isn't free (any more)")
        if live.seats_of(user.id):
            raise Refused("taken", 409, "you have a seat here already")
        self._sit(live, free[0], user, now)
        return free[0].seat

    def _sit(self, live: Live, row: SeatRow, user: User, now: int) -> None:
        row.kind, row.user_id, row.name, row.bot = "person", user.id, user.name, ""
        live.tell("joined", now, seat=row.seat, name=user.name)
        live.touch(row.seat)
        if live.filled():
            live.set_start(now + int(1000 * self.settings.start_after_s))

    async def invite(self, who: User | None, table: str, seat: int) -> str:
        """A secret that lets whoever has it take this seat, once. A new one ends the old one. Only for the host."""
        user = _signed_in(who)
        token = secrets.token_urlsafe(_TOKEN_BYTES)

        def act(live: Live, now: int) -> None:
            _check_host(live, user)
            _check_gathering(live)
            row = live.seats[_checked_seat(live, seat)]
            if row.kind not in ("open", "invite"):
                raise Refused("taken", 409, "this seat isn't free (any more)")
            if row.kind == "open" or row.user_id is not None:
                row.kind, row.user_id, row.name = "invite", None, ""
                live.touch(seat)
            live.dirty = True
            live.new_invites.append(InviteRow(token_hash(token), live.row.id, seat, now))

        await self._command(table, act, who=user)
        return token

    async def _invite(self, token: str) -> InviteRow:
        with _database():
            row = await self.store.invite(token_hash(token[:100]))
        if row is None or row.used is not None:
            raise Refused("used", 410, "this invitation isn't valid (any more)")
        return row

    async def invited(self, token: str) -> TableCard:
        """The table that an invitation is for."""
        row = await self._invite(token)
        async with self._held(row.game_id) as live:
            return self._card(live.row, live.seats, None)

    async def accept(self, who: User | None, token: str) -> tuple[str, int]:
        """Take the seat that the invitation is for; table and seat."""
        user = _signed_in(who)
        self.limits.hit("join", user.id)
        row = await self._invite(token)

        def act(live: Live, now: int) -> None:
            _check_gathering(live)
            seat = live.seats[row.seat]
            if seat.kind != "invite":
                raise Refused("taken", 409, "this seat isn't free (any more)")
            self._sit(live, seat, user, now)
            live.used_invites.append(row.hash)

        await self._command(row.game_id, act, who=user, see=False)
        return row.game_id, row.seat

    async def set_seat(self, who: User | None, table: str, seat: int, plan: SeatPlan) -> None:
        """The host gives a seat on which no person sits to a bot, an invited one, or anybody."""
        user = _signed_in(who)

        def act(live: Live, now: int) -> None:
            _check_host(live, user)
            _check_gathering(live)
            row = live.seats[_checked_seat(live, seat)]
            if row.kind == "person" or plan.kind not in ("bot", "invite", "open"):
                raise Refused("bad_seats", 422, "only a seat without a person can become bot, invite or open")
            fresh = self._new_seat(live.row, seat, plan, user)
            row.kind, row.user_id, row.name, row.bot = fresh.kind, None, fresh.name, fresh.bot
            live.touch(seat)
            if live.filled():
                live.set_start(now + int(1000 * self.settings.start_after_s))

        await self._command(table, act, who=user)

    async def contribute(self, who: User | None, table: str, seat: int, share: str) -> None:
        """This seat's browser adds its share of the chance; the game starts when all are in."""
        user = _signed_in(who)

        def act(live: Live, now: int) -> None:
            row = _my_seat(live, user, seat)
            _check_gathering(live)
            if not is_share(share):
                raise Refused("malformed", 422, "a share is 32 bytes in lower case hex")
            if row.share is not None:
                raise Refused("taken", 409, "this seat has given its share already")
            row.share = share
            live.touch(seat, listed=False)
            if live.filled() and all(other.share or other.kind == "bot" for other in live.seats):
                live.begin(now)

        await self._command(table, act, who=user)

    async def start(self, who: User | None, table: str) -> None:
        """Begin without waiting for more shares. For anybody who sits at the full table."""
        user = _signed_in(who)

        def act(live: Live, now: int) -> None:
            if not live.seats_of(user.id):
                raise Refused("not_yours", 403, "you don't sit at this table")
            _check_gathering(live)
            if not live.filled():
                raise Refused("not_running", 409, "there are free seats still")
            live.begin(now)

        await self._command(table, act, who=user)

    async def start_due(self, table: str) -> None:
        """A full table has waited long enough for shares (job)."""

        def act(live: Live, now: int) -> None:
            if live.row.status == "gathering" and live.filled():
                live.begin(now)

        await self._command(table, act, see=False)

    async def leave(self, who: User | None, table: str, seat: int) -> None:
        """Leave a seat: before the start it becomes free; later a bot plays it on, and I may come back."""
        user = _signed_in(who)

        def act(live: Live, now: int) -> None:
            row = _my_seat(live, user, seat)
            if live.row.status == "gathering":
                self._free(live, row, user, now)
            elif live.row.status == "running":
                if row.away:
                    raise Refused("nothing", 409, "a bot plays this seat already")
                self._stand_in(live, row, "resigned", now)
            else:
                raise Refused("over", 409, "this game isn't running")

        await self._command(table, act, who=user)

    def _free(self, live: Live, row: SeatRow, user: User, now: int) -> None:
        live.tell("left", now, seat=row.seat, name=row.name)
        row.kind, row.user_id, row.name, row.share = _free_kind(live.row, "open"), None, "", None
        live.touch(row.seat)
        live.done.append(f"start:{live.row.id}")
        if live.row.host == user.id and not live.seats_of(user.id):
            others = [seat.user_id for seat in live.seats if seat.kind == "person" and seat.user_id]
            if others:
                live.row.host = others[0]
            else:
                live.row.status = "cancelled"
                live.tell("cancelled", now)

    def _stand_in(self, live: Live, row: SeatRow, key: str, now: int) -> None:
        """From now on a bot plays this person's seat."""
        live.tell(key, now, seat=row.seat, name=row.name)
        row.away = True
        row.bot = self.bots(live.row.game)[-1]
        row.draft = []
        row.revision += 1
        row.asked = None
        live.row.votes = {}
        live.tell("stand_in", now, seat=row.seat, name=row.name, bot=row.bot)
        live.touch(row.seat)
        live.settle(now)

    async def come_back(self, who: User | None, table: str, seat: int) -> None:
        """Take my seat over from the bot again."""
        user = _signed_in(who)

        def act(live: Live, now: int) -> None:
            row = _my_seat(live, user, seat)
            _check_running(live)
            if not row.away:
                raise Refused("nothing", 409, "no bot plays this seat")
            row.away = False
            row.bot = ""
            row.revision += 1
            row.asked = None
            if live.row.clock is not None and row.bank_ms is not None:
                # Who lost on time gets one increment to move on with.
                row.bank_ms = max(row.bank_ms, 1000 * live.row.clock["increment_s"])
            live.tell("returned", now, seat=seat, name=row.name)
            live.touch(seat)
            live.settle(now)

        await self._command(table, act, who=user)

    async def time_out(self, table: str) -> None:
        """Somebody's time may be up (job): then a bot stands in."""

        def act(live: Live, now: int) -> None:
            if live.row.status != "running":
                return
            for seat, due in live.deadlines().items():
                if due <= now:
                    live.seats[seat].bank_ms = 0
                    self._stand_in(live, live.seats[seat], "timed_out", now)

        await self._command(table, act, see=False)

    async def vote(self, who: User | None, table: str, seat: int, subject: str, yes: bool) -> None:
        """Agree that the game is cancelled ("cancel"), or that a bot takes an absent seat ("remove:<seat>").

        Before the start the host alone cancels. To remove somebody all other persons must agree; it needs a seat that
        is asked, has no clock, and whose person has given no sign of life for a while.
        """
        user = _signed_in(who)
        target = _target(subject)
        seen: dict[str, int] = {}
        if target is not None:
            async with self._held(table) as live:
                self._check_visible(live, user)
                owner = live.seats[_checked_seat(live, target)].user_id
            if owner is not None:
                with _database():
                    row = await self.store.user(owner)
                seen[owner] = times.now_ms() if self.hub.is_here(owner) else (row.seen if row is not None else 0)
        await self._command(
            table, partial(self._vote, user=user, seat=seat, subject=subject, yes=yes, seen=seen), who=user
        )

    def _vote(
        self, live: Live, now: int, *, user: User, seat: int, subject: str, yes: bool, seen: Mapping[str, int]
    ) -> None:
        _my_seat(live, user, seat)
        row = live.row
        if row.status == "gathering" and subject == "cancel":
            _check_host(live, user)
            if yes:
                self._cancel(live, now)
            return
        _check_running(live)
        if live.seats[seat].away:
            raise Refused("away", 409, "a bot plays this seat; come back first")
        target = _target(subject)
        if yes and target is not None:
            self._check_absent(live, target, now, seen)
        given = set(row.votes.get(subject, ()))
        if yes:
            given.add(seat)
        else:
            given.discard(seat)
        row.votes = {**row.votes, subject: sorted(given)}
        if not given:
            del row.votes[subject]
        live.touch(listed=False)
        needed = _needed(live, subject)
        if given >= set(needed):
            if target is None:
                self._cancel(live, now)
            else:
                self._stand_in(live, live.seats[target], "removed", now)

    def _check_absent(self, live: Live, target: int, now: int, seen: Mapping[str, int]) -> None:
        row = live.seats[_checked_seat(live, target)]
        wait = int(1000 * self.settings.absent_after_s)
        absent = (
            row.kind == "person"
            and not row.away
            and live.row.clock is None
            and row.asked is not None
            and now - row.asked >= wait
            and now - seen.get(row.user_id or "", now) >= wait
        )
        if not absent:
            minutes = max(1, wait // 60_000)
            raise Refused(
                "not_absent",
                409,
                f"only a person who is asked, has no clock and hasn't been here for {minutes} minutes can be removed",
                fields={"minutes": minutes},
            )

    def _cancel(self, live: Live, now: int) -> None:
        live.row.status = "cancelled"
        live.row.votes = {}
        live.tell("cancelled", now)
        live.touch()
        live.settle(now)

    async def rematch(self, who: User | None, table: str) -> str:
        """A new table for the same people, with a new seed; the seats of the others are reserved for them."""
        user = _signed_in(who)
        async with self._held(table) as live:
            self._check_visible(live, user)
            if not live.seats_of(user.id):
                raise Refused("not_yours", 403, "you don't sit at this table")
            row = live.row
            if row.rematch:
                return row.rematch
            if row.status not in ("over", "cancelled"):
                raise Refused("not_over", 409, "the game isn't over yet")
            mine = live.seats_of(user.id)
            plans = tuple(
                SeatPlan("me" if seat.seat == mine[0] else "device", name=seat.name)
                if seat.seat in mine
                else SeatPlan("bot", bot=seat.bot)
                if seat.kind == "bot"
                else SeatPlan("invite")
                for seat in live.seats
            )
            clock = None if row.clock is None else Clock(**row.clock)
            new = NewTable(row.game, plans, row.options, clock, row.visibility, row.advice)  # type: ignore[arg-type]
            self.limits.hit("table", user.id)
            fresh = self._new_live(user, new)
            for old, seat in zip(live.seats, fresh.seats, strict=True):
                if seat.kind == "invite" and old.kind == "person":
                    seat.user_id, seat.name = old.user_id, old.name
            # Should the second write fail, the new table is one more that gathers; nothing is half-done.
            id = await self._found_table(user, fresh, "", "")

        def act(old: Live, now: int) -> str:
            if not old.row.rematch:
                old.row.rematch = id
                old.touch()
            return old.row.rematch

        return await self._command(table, act, who=user)

    # -- reading a table -----------------------------------------------------------------------------------------

    async def table(
        self, who: User | None, table: str, *, seat: int | None = None, log_from: int = 0, chat_from: int = 0
    ) -> TableView:
        """The table as this reader may see it.

        seat: one of my seats; None: the one that is asked, my first, or, without any, a spectator's view.
        """
        async with self._held(table) as live:
            self._check_visible(live, who)
            viewer = _viewer(live, who, seat)
            if live.events is None:
                with _database():
                    live.events = await self.store.events(table)
            if live.messages is None:
                with _database():
                    live.messages = await self.store.messages(table, max(0, live.row.said - _MOST_MESSAGES))
            try:
                return self._table_view(live, who, viewer, log_from, chat_from)
            except (Refused, asyncio.CancelledError):
                raise
            except Exception as error:
                log.exception("view failed", table=table, game=live.row.game)
                raise Refused("repair", 503, "the rules failed at this table; it waits for repair") from error

    def _table_view(self, live: Live, who: User | None, viewer: int | None, log_from: int, chat_from: int) -> TableView:
        row = live.row
        position = live.position
        mine = live.seats_of(None if who is None else who.id)
        view: Mapping[str, Any] | None = None
        turn: Turn | None = None
        if position is not None:
            active = viewer is not None and not live.seats[viewer].away and row.status == "running"
            if active and viewer is not None:
                view, turn = self._turn(live, position, viewer)
            if view is None:
                view = position.view(viewer)
        assert live.messages is not None
        return TableView(
            id=row.id,
            game=row.game,
            status=row.status,  # type: ignore[arg-type]
            version=live.version_for(None if who is None else who.id),
            options=row.options,
            clock=None if row.clock is None else Clock(**row.clock),
            visibility=row.visibility,  # type: ignore[arg-type]
            host=who is not None and row.host == who.id,
            seats=self._seat_infos(row, live.seats, who, position),
            seat=viewer,
            my_seats=mine,
            view=view,
            view_sequence=row.sequence,
            turn=turn,
            log=tuple(live.log(viewer)[max(0, log_from) :]) if log_from < row.told else (),
            chat=tuple(_message(message, who) for message in live.messages if message.number >= chat_from),
            votes=_votes(live, mine),
            score=_score(live),
            commitment=row.commitment,
            rematch=row.rematch,
            advice=row.advice,
            advised=live.advice_for(viewer) if turn is not None and viewer is not None else None,
            can=self._can(live, who, mine, turn),
            created=_moment(row.created),
            changed=_moment(row.changed),
        )

    def _turn(self, live: Live, position: Position, seat: int) -> tuple[Mapping[str, Any] | None, Turn | None]:
        """What a seat can do now, and its view with the staged choices; (None, None) if it has nothing to do."""
        sealed_in = seat in position.sealed_answers
        if seat not in position.to_move:
            if not sealed_in:
                return None, None
            return None, Turn(live.stamp(seat), (), (), (), (), True, True, False, True)
        # Where nothing is staged, the position itself says all.
        stage = live.stage(seat) if live.seats[seat].draft else None
        staged: Sequence[int] = () if stage is None else stage.choices
        is_open = stage is None or stage.open
        legal = tuple((stage.position if stage is not None else position).legal(seat)) if is_open else ()
        turn = Turn(
            stamp=live.stamp(seat),
            staged=tuple(staged),
            staged_texts=tuple(position.game.notation.texts(staged)),
            legal=legal,
            texts=tuple(position.game.notation.texts(legal)),
            can_undo=bool(staged) or sealed_in,
            can_restart=bool(staged) or sealed_in,
            can_confirm=bool(staged) and not is_open,
            sealed_in=sealed_in,
        )
        return (stage.view() if stage is not None and staged else None), turn

    def _can(self, live: Live, who: User | None, mine: Sequence[int], turn: Turn | None) -> tuple[str, ...]:
        row = live.row
        can: set[str] = set()
        if row.advice and turn is not None and len(turn.legal) > 1:
            can.add("advice")
        if row.status == "gathering":
            can |= self._can_gathering(live, who, mine)
        if row.status == "running":
            if any(not live.seats[seat].away for seat in mine):
                can |= {"leave", "cancel"}
                can |= {
                    f"remove:{seat.seat}"
                    for seat in live.seats
                    if seat.kind == "person" and not seat.away and seat.user_id != (who and who.id)
                }
            if any(live.seats[seat].away for seat in mine):
                can.add("return")
        if who is not None and (mine or row.status == "over"):
            can.add("chat")
        if mine and row.status in ("over", "cancelled"):
            can.add("rematch")
        if who is not None and live.position is not None and self._may_play_on(live):
            can.add("play_on")
        if who is not None and row.status == "over" and live.game is not None:
            can.add("analyse")
        return tuple(sorted(can))

    def _can_gathering(self, live: Live, who: User | None, mine: Sequence[int]) -> set[str]:
        can: set[str] = set()
        if mine:
            can.add("leave")
            if live.filled():
                can.add("start")
            if any(live.seats[seat].share is None for seat in mine):
                can.add("contribute")
        else:
            if any(seat.kind == "open" for seat in live.seats):
                can.add("join")
            if who is not None and any(seat.kind == "invite" and seat.user_id == who.id for seat in live.seats):
                can.add("accept")
        if who is not None and live.row.host == who.id:
            can |= {"invite", "cancel"}
        return can

    def _may_play_on(self, live: Live) -> bool:
        """A running game can only be forked if it hides nothing; else the fork would give secrets away."""
        if live.row.status == "over":
            return True
        game = live.game
        if live.row.status != "running" or game is None:
            return False
        return _hides_nothing(game)

    async def legal(self, who: User | None, table: str, seat: int) -> Turn | None:
        """What one of my seats can do now; None if it isn't asked."""
        user = _signed_in(who)
        async with self._held(table) as live:
            self._check_visible(live, user)
            _my_seat(live, user, seat)
            if live.position is None or live.row.status != "running":
                return None
            return self._turn(live, live.position, seat)[1]

    # -- the open turn -------------------------------------------------------------------------------------------

    async def apply(
        self,
        who: User | None,
        table: str,
        seat: int,
        choices: Sequence[int | str],
        stamp: str,
        key: str = "",
        confirm: bool | None = None,
    ) -> Done:
        """Add choices to the open turn, all or none, and confirm them if asked to.

        confirm: True at once; False never; None if the turn is complete, a single choice, and the person doesn't want
        to confirm such turns.
        """
        user = _signed_in(who)
        self.limits.hit("command", user.id)
        act = partial(self._apply, user=user, seat=seat, choices=choices, stamp=stamp, confirm=confirm)
        started = time.perf_counter()
        done = await self._command(table, act, who=user, key=key, request=[seat, choices, stamp, confirm], result=Done)
        metrics.COMMAND_SECONDS.observe(time.perf_counter() - started)
        return done

    def _apply(
        self,
        live: Live,
        now: int,
        *,
        user: User,
        seat: int,
        choices: Sequence[int | str],
        stamp: str,
        confirm: bool | None,
    ) -> Done:
        position = self._asked(live, user, seat, stamp)
        if (
            confirm
            and not live.seats[seat].draft
            and len(choices) == 1
            and choices[0] in position.decision(seat).options
        ):
            # What is offered, alone and final, needn't be tried on a stage first.
            chosen = [int(choices[0])]
        else:
            stage = live.stage(seat)
            self._stage(live, stage, choices)
            chosen = list(stage.choices)
            if confirm is None:
                confirm = not stage.open and len(chosen) == 1 and not user.settings.confirm_single
        if confirm:
            live.answer(seat, chosen, now)
            metrics.CHOICES.labels("person").inc(len(chosen))
        else:
            live.keep_draft(seat, chosen)
        return self._done(live, user, seat, confirmed=confirm)

    def _stage(self, live: Live, stage: Stage, choices: Sequence[int | str]) -> None:
        if not choices or len(choices) > _MOST_CHOICES:
            raise Refused("malformed", 422, f"1 to {_MOST_CHOICES} choices are needed, not {len(choices)}")
        position = live.position
        assert position is not None
        try:
            stage.apply([position.parse(each) if isinstance(each, str) else each for each in choices])
        except IllegalChoice as error:
            raise Refused("illegal", 422, str(error)) from None
        except MalformedChoice as error:
            raise Refused("malformed", 422, str(error)) from None
        except WrongSeat as error:
            raise Refused("complete", 409, str(error)) from None

    def _asked(self, live: Live, user: User, seat: int, stamp: str) -> Position:
        """The position that asks the seat, if it is this user's and nothing has changed since the page was shown."""
        self._check_turn(live, user, seat, stamp)
        assert live.position is not None
        if seat not in live.position.to_move:
            raise Refused("not_asked", 409, f"seat {seat} isn't asked now")
        return live.position

    def _open_turn(self, live: Live, user: User, seat: int, stamp: str) -> Stage:
        """The seat's open turn with what is staged; see _asked."""
        self._asked(live, user, seat, stamp)
        return live.stage(seat)

    def _check_turn(self, live: Live, user: User, seat: int, stamp: str) -> None:
        row = _my_seat(live, user, seat)
        _check_running(live)
        if row.away:
            raise Refused("away", 409, "a bot plays this seat; come back first")
        if stamp != live.stamp(seat):
            raise Refused("stale", 409, "the table has changed meanwhile; look at it again")

    def _done(self, live: Live, user: User, seat: int, *, confirmed: bool) -> Done:
        # The version counts when it is written; what it will be then is known already.
        mark = live.marks().get(user.id)
        public = live.row.version + live.public
        return Done(live.row.id, version(public, mark), live.stamp(seat), live.row.sequence, confirmed)

    async def undo(self, who: User | None, table: str, seat: int, stamp: str, key: str = "") -> Done:
        """Take the last choice of the open turn back, or an answer to a sealed decision that is still open."""
        return await self._take_back(who, table, seat, stamp, key, whole=False)

    async def restart(self, who: User | None, table: str, seat: int, stamp: str, key: str = "") -> Done:
        """Take the whole open turn back."""
        return await self._take_back(who, table, seat, stamp, key, whole=True)

    async def _take_back(self, who: User | None, table: str, seat: int, stamp: str, key: str, *, whole: bool) -> Done:
        user = _signed_in(who)
        self.limits.hit("command", user.id)

        def act(live: Live, now: int) -> Done:
            self._check_turn(live, user, seat, stamp)
            assert live.position is not None
            chosen = list(live.seats[seat].draft)
            if not chosen and seat in live.position.sealed_answers:
                chosen = live.withdraw(seat, now)
            if not chosen:
                raise Refused("nothing", 409, "nothing was chosen in this turn yet")
            live.keep_draft(seat, [] if whole else chosen[:-1])
            return self._done(live, user, seat, confirmed=False)

        return await self._command(table, act, who=user, key=key, request=[seat, stamp, whole], result=Done)

    async def confirm(self, who: User | None, table: str, seat: int, stamp: str, key: str = "") -> Done:
        """The open turn is final. It must be complete."""
        user = _signed_in(who)
        self.limits.hit("command", user.id)

        def act(live: Live, now: int) -> Done:
            stage = self._open_turn(live, user, seat, stamp)
            if not stage.choices or stage.open:
                raise Refused("incomplete", 409, "the turn isn't complete: there is something to choose still")
            chosen = list(stage.choices)
            live.answer(seat, chosen, now)
            metrics.CHOICES.labels("person").inc(len(chosen))
            return self._done(live, user, seat, confirmed=True)

        return await self._command(table, act, who=user, key=key, request=[seat, stamp], result=Done)

    async def preview(
        self, who: User | None, table: str, seat: int, choices: Sequence[int | str]
    ) -> Mapping[str, Any] | None:
        """What the seat would see after these further choices; None if they aren't all legal. Nothing is kept."""
        user = _signed_in(who)
        self.limits.hit("preview", user.id)
        async with self._held(table) as live:
            self._check_visible(live, user)
            row = _my_seat(live, user, seat)
            if live.row.status != "running" or live.position is None or row.away:
                return None
            if seat not in live.position.to_move or not 0 < len(choices) <= _MOST_CHOICES:
                return None
            try:
                stage = live.position.stage(seat, row.draft)
                stage.apply([live.position.parse(each) if isinstance(each, str) else each for each in choices])
                return stage.view()
            except RulesError:
                log.exception("preview failed", table=table)
                return None
            except AtollError:
                return None

    async def why_not(self, who: User | None, table: str, seat: int, choice: int) -> WhyNot | None:
        """Why a choice can't be made now, judged from the seat's view; None if it can."""
        user = _signed_in(who)
        self.limits.hit("preview", user.id)
        async with self._held(table) as live:
            self._check_visible(live, user)
            row = _my_seat(live, user, seat)
            position = live.position
            if position is None or live.row.status != "running" or row.away or seat not in position.to_move:
                return WhyNot("table", "not_asked", {}, "")
            try:
                position.text(choice)
            except MalformedChoice as error:
                raise Refused("malformed", 422, str(error)) from None
            stage = live.stage(seat)
            if choice in stage.legal():
                return None
            if not stage.open:
                return WhyNot("table", "complete", {}, "")
            reason = position.game.why_not(stage.view(), choice)
            if reason is None:
                return WhyNot("table", "not_offered", {}, "")
            return WhyNot("game", reason.key, reason.fields, reason.rule)

    # -- bots ----------------------------------------------------------------------------------------------------

    async def play_bots(self, table: str) -> None:
        """Let bots play at a table as long as one is asked (job)."""
        while True:
            try:
                async with self._held(table) as live:
                    position = live.position
                    if live.row.status != "running" or position is None:
                        return
                    asked = [seat for seat in position.to_move if live.seats[seat].bot]
                    if not asked:
                        return
                    seat = asked[0]
                    level = live.seats[seat].bot
                    stamp = live.stamp(seat)
                    legal = position.legal(seat)
                    saved = encode(position.save_data()) if len(legal) > 1 else ""
            except Refused:
                return
            choices = legal
            if saved:
                try:
                    choices = await self._pool.choose(saved, seat, level, secrets.randbits(63))
                except BotFailed as error:
                    # The table mustn't wait for a broken bot.
                    metrics.BOT_FAILURES.inc()
                    log.error("bot failed", table=table, level=level, error=str(error))
                    choices = [random.SystemRandom().choice(legal)]
            with contextlib.suppress(Refused):
                await self._command(
                    table, partial(_bot_answer, seat=seat, stamp=stamp, choices=choices, legal=legal), see=False
                )

    # -- advice and analysis -------------------------------------------------------------------------------------

    async def advise(self, who: User | None, table: str, seat: int, stamp: str = "") -> Advice:
        """What a strong bot would do in a seat's open turn, from what this seat knows. Only this seat hears of it.

        stamp: of the turn as it was read; "" for the turn as it is now.
        """
        user = _signed_in(who)
        async with self._held(table) as live:
            self._check_visible(live, user)
            now = live.stamp(seat) if seat in range(len(live.seats)) else ""
            stage = self._open_turn(live, user, seat, stamp or now)
            if not live.row.advice:
                raise Refused("no_advice", 409, "at this table nobody may ask a bot")
            if not stage.open:
                raise Refused("complete", 409, "the turn is complete; confirm it or take something back")
            found = live.advice_for(seat)
            if found is not None:
                return found
            assert live.position is not None
            saved, staged = encode(live.position.save_data()), list(stage.choices)
        self.limits.hit("advice", user.id)
        try:
            seconds = self.settings.advice_seconds
            said = await self._pool.advise(saved, seat, staged, seconds, secrets.randbits(63))
        except BotFailed as error:
            metrics.BOT_FAILURES.inc()
            log.error("bot gave no advice", table=table, error=str(error))
            raise Refused("no_answer", 503, "the bot found no answer; try again") from None
        prospects = tuple(msgspec.convert(said["prospects"], list[Prospect]))
        async with self._held(table) as live:
            if live.stamp(seat) != now:
                raise Refused("stale", 409, "the table has changed meanwhile; look at it again")
            live.advised[seat] = Advice(seat, now, prospects)
            return live.advised[seat]

    async def analysis(self, who: User | None, table: str) -> AnalysisState:
        """What a strong bot says of a finished game, as far as that is known. For all who may see the game."""
        async with self._held(table) as live:
            self._check_visible(live, who)
            _check_over(live)
            if live.analysis is None:
                with _database():
                    row = await self.store.analysis(table)
                if row is not None:
                    live.analysis = msgspec.convert(row.data, Analysis)
            if live.analysis is not None:
                return AnalysisState("done", analysis=live.analysis)
        if table in self._not_analysed:
            return AnalysisState("failed")
        with _database():
            waits = await self.store.has_job(f"analysis:{table}")
        return AnalysisState("computing", *self._progress.get(table, (0, 0))) if waits else AnalysisState("none")

    async def analyse(self, who: User | None, table: str) -> AnalysisState:
        """Let a bot look at a finished game, if none has yet. All who may see the game may ask, and see the answer."""
        user = _signed_in(who)
        found = await self.analysis(user, table)
        if found.state in ("computing", "done"):
            return found
        self.limits.hit("analysis", user.id)
        self._not_analysed.discard(table)
        with _database():
            await self.store.set_jobs(
                [JobRow(f"analysis:{table}", "analysis", table, times.now_ms(), secrets.token_hex(4))]
            )
        self.wake()
        return AnalysisState("computing")

    async def analyse_due(self, table: str) -> None:
        """Somebody has asked for the analysis of a finished game (job)."""
        with _database():
            points = await self.store.checkpoints(table)
            rows = await self.store.choices(table)
            made = await self.store.analysis(table)
        if made is not None or not points:
            return

        def watch(done: int, of: int) -> None:
            self._progress[table] = (done, of)

        steps = [(row.seat, row.choice) for row in rows]
        try:
            seconds = self.settings.analysis_seconds
            said = await self._study.analyse(points[0].position, steps, seconds, secrets.randbits(63), watch)
        except BotFailed as error:
            metrics.BOT_FAILURES.inc()
            log.error("bot gave no analysis", table=table, error=str(error))
            self._not_analysed.add(table)
        else:
            with _database():
                await self.store.keep_analysis(AnalysisRow(table, said, times.now_ms()))
            await self._command(table, lambda live, now: live.touch(timed=False, listed=False), see=False)
        finally:
            self._progress.pop(table, None)

    # -- chat ----------------------------------------------------------------------------------------------------

    async def say(self, who: User | None, table: str, text: str, key: str = "") -> Message:
        """A message to the table; only from its seats while the game runs, so that nobody whispers from outside."""
        user = _signed_in(who)
        self.limits.hit("chat", user.id)
        cleaned = texts.message(text)

        def act(live: Live, now: int) -> Message:
            mine = live.seats_of(user.id)
            if not mine and live.row.status != "over":
                raise Refused("not_yours", 403, "only those who play talk here until the game is over")
            seat = mine[0] if mine else None
            return _message(live.say(user.id, seat, user.name, cleaned, now), user)

        return await self._command(table, act, who=user, key=key, request=cleaned, result=Message)

    # -- looking back --------------------------------------------------------------------------------------------

    async def moment(self, who: User | None, table: str, sequence: int, seat: int | None = None) -> Moment:
        """The game as it stood after so many answers, with the reader's rights."""
        if who is not None:
            self.limits.hit("replay", who.id)
        async with self._held(table) as live:
            self._check_visible(live, who)
            viewer = _viewer(live, who, seat)
            moments = await self._moments(live)
            position = await self._position_at(live, sequence)
            if live.events is None:
                with _database():
                    live.events = await self.store.events(table)
            entries = _log([event for event in live.events if event.sequence <= position.sequence], viewer)
            return Moment(
                table=table,
                game=live.row.game,
                seat=viewer,
                sequence=position.sequence,
                moments=moments,
                view=position.view(viewer),
                log=tuple(entries),
            )

    async def _moments(self, live: Live) -> tuple[int, ...]:
        if live.position is None:
            raise Refused("no_moment", 404, "the game hasn't started yet")
        if live.moments is None:
            with _database():
                rows = await self.store.choices(live.row.id)
            live.moments = [row.sequence for row in rows if not row.auto]
        return tuple(sorted({*live.moments, live.row.sequence}))

    async def _position_at(self, live: Live, sequence: int) -> Position:
        """The position after so many answers, rebuilt from the checkpoint before; chance is entered as recorded."""
        if live.game is None or not 0 <= sequence <= live.row.sequence:
            raise Refused("no_moment", 404, f"the game has the moments 0 to {live.row.sequence}")
        with _database():
            start = await self.store.checkpoint(live.row.id, sequence)
            rows = [] if start is None else await self.store.choices(live.row.id, start.number)
        if start is None:
            raise Refused("no_moment", 404, "this game is only known from a later moment on")
        try:
            position = live.game.load(start.position)
            _replay(position, rows, sequence)
        except AtollError as error:
            log.warning("moment can't be rebuilt", table=live.row.id, sequence=sequence, error=str(error))
            raise Refused("no_moment", 404, "the rules have changed since; this moment can't be shown") from None
        return position

    async def play_on(self, who: User | None, table: str, sequence: int, seat: int | None = None, bot: str = "") -> str:
        """A new table that goes on from a moment: I sit on `seat` (None: on my own, or on the one asked), bots else.

        While a game runs, only if it hides nothing.
        """
        user = _signed_in(who)
        self.limits.hit("table", user.id)
        async with self._held(table) as live:
            self._check_visible(live, user)
            if not self._may_play_on(live):
                raise Refused("secrets", 409, "games with secrets can be played on from when they are over")
            position = await self._position_at(live, sequence)
            if position.over:
                raise Refused("over", 409, "the game is over at this moment")
            mine = live.seats_of(user.id)
            if seat is None:
                seat = mine[0] if mine else (position.to_move or (0,))[0]
            seat = _checked_seat(live, seat)
            plans = tuple(
                SeatPlan("me") if number == seat else SeatPlan("bot", bot=bot) for number in range(len(live.seats))
            )
            new = NewTable(live.row.game, plans, live.row.options, visibility="private")
            fresh = self._new_live(user, new)
            fresh.row.origin = {"table": table, "sequence": position.sequence}
            fresh.jobs.clear()
            fresh.begin(times.now_ms(), position)
        return await self._found_table(user, fresh, "", "")

    async def export(self, who: User | None, table: str, seat: int | None = None) -> dict[str, Any]:
        """The record of a game: while it runs, what the reader may know; when it is over, everything."""
        if who is not None:
            self.limits.hit("replay", who.id)
        async with self._held(table) as live:
            self._check_visible(live, who)
            viewer = _viewer(live, who, seat)
            row, game = live.row, live.game
            if live.position is None or game is None:
                raise Refused("not_running", 409, "the game hasn't started yet")
            with _database():
                rows = await self.store.choices(table)
                events = await self.store.events(table)
            over = row.status == "over"
            steps = _steps(game, rows, viewer, whole=over)
            return {
                "format": "atoll-export-1",
                "table": table,
                "game": row.game,
                "rules_version": row.rules_version,
                "box": row.box,
                "seats": [seat_row.name for seat_row in live.seats],
                "options": row.options,
                "status": row.status,
                "viewer": viewer,
                "origin": row.origin,
                "sequence": row.sequence,
                "record": steps,
                "log": [
                    {"sequence": e.sequence, "origin": e.origin, "key": e.key, "fields": e.fields, "lacking": e.lacking}
                    for e in _log(events, viewer)
                ],
                "result": row.result,
                "text": _record_text(game, live, rows) if over and row.origin is None else None,
            }

    async def fairness(self, who: User | None, table: str) -> Fairness:
        """What is known of this table's chance: the commitment, after the start the shares, after the end all else."""
        async with self._held(table) as live:
            self._check_visible(live, who)
            row, game = live.row, live.game
            started = live.position is not None
            shares = tuple(seat.share or "" for seat in live.seats) if started else None
            if row.status != "over" or game is None:
                return Fairness(True, row.commitment, shares, None, None)
            if not row.commitment:
                return Fairness(False, "", None, None, None)
            with _database():
                rows = await self.store.choices(table)
            first = 0
            if row.origin is not None:
                with _database():
                    start = await self.store.checkpoint(table, row.sequence)
                    points = await self.store.checkpoints(table)
                assert start is not None
                first = game.load(points[0].position).chances
            draws = []
            for index, each in enumerate((each for each in rows if each.seat == CHANCE), first):
                kind = game.vocabulary.kind_of(each.choice)
                pool = tuple(range(kind.size)) if each.pool is None else tuple(each.pool)
                draws.append(ChanceProof(index, kind.name, pool, each.choice - kind.first))
            return Fairness(True, row.commitment, shares, row.seed, tuple(draws))

    async def sweep(self) -> None:
        """Forget idempotency keys and tokens whose time is over (job)."""
        now = times.now_ms()
        with _database():
            await self.store.sweep(now - _COMMANDS_MS, now)

    # -- push ----------------------------------------------------------------------------------------------------

    async def versions(self, who: User | None, watch: Sequence[str]) -> dict[str, str]:
        """The versions of my unfinished tables and of those that I watch, as far as I may."""
        found: dict[str, str] = {}
        if who is not None:
            with _database():
                tables = await self.store.tables_of(who.id)
            for row, seats in tables:
                if row.status in ("gathering", "running", "repair"):
                    found[row.id] = _card_version(row, seats, who)
        for table in watch:
            if table in found or table == LOBBY:
                continue
            with contextlib.suppress(Refused):
                async with self._held(table) as live:
                    self._check_visible(live, who)
                    found[table] = live.version_for(None if who is None else who.id)
        return found

    async def open_stream(self, who: User | None, watch: Sequence[str], last_id: str) -> Stream:
        """A stream of news about my tables and those that I watch. To be given to `hub.remove` in the end."""
        if len(self.hub) >= self.settings.streams:
            raise Refused("streams", 503, "too many open streams; poll instead", retry_after=30)
        stream = Stream(None if who is None else who.id, ())
        missed = last_id != self.hub.last_id
        self.hub.add(stream)
        try:
            # From now on nothing is missed; what happened before is in the versions.
            current = await self.versions(who, watch)
        except BaseException:
            self.hub.remove(stream)
            raise
        self.hub.remove(stream)
        watched = [table for table in watch if table in current or table == LOBBY]
        full = Stream(stream.user_id, watched)
        self.hub.add(full)
        if missed:
            for table, at in current.items():
                full.put(table, at)
            full.put_lists()
        return full


# -- helpers that need no service ----------------------------------------------------------------------------------


def act_name(act: Callable[..., Any]) -> str:
    """A stable name of a command, to tell whether an idempotency key is used for the same one again."""
    inner = act.func if isinstance(act, partial) else act
    return getattr(inner, "__qualname__", type(inner).__name__)


@functools.cache
def _hides_nothing(game: Game) -> bool:
    kinds = [visibility for _, visibility in declarations(game.state_type)]
    # A single draw pool of a back is what is missing elsewhere, and what is drawn from it isn't decided yet.
    pools = [visibility.back for visibility in kinds if visibility.who == "nobody"]
    open_ = all(visibility.who in ("public", "derivable", "nobody") for visibility in kinds)
    return open_ and len(pools) == len(set(pools))


def _plain(answer: Any) -> Any:
    return msgspec.to_builtins(answer)


@contextlib.contextmanager
def _database() -> Iterator[None]:
    """Turns a failing database into a refusal."""
    try:
        yield
    except (SQLAlchemyError, OSError, StoreError) as error:
        log.error("database failed", error=str(error))
        raise Refused("busy", 503, "the database can't be reached just now; try again") from error


def _signed_in(who: User | None) -> User:
    if who is None:
        raise Refused("sign_in", 401, "give yourself a name first")
    return who


def _checked_settings(settings: Settings) -> Settings:
    if settings.language not in LANGUAGES or settings.theme not in ("auto", "light", "dark"):
        raise Refused("bad_option", 422, "language: '', en or de; theme: auto, light or dark")
    return settings


def _checked_key(key: str) -> str:
    if _KEY.fullmatch(key) is None:
        raise Refused("malformed", 422, "an idempotency key has at most 64 characters, ASCII without spaces")
    return key


def _checked_clock(clock: Clock) -> Clock:
    low, high = _CLOCK_LIMITS
    fits = low <= clock.bank_s <= clock.cap_s <= high and 0 <= clock.increment_s <= high
    if not fits:
        raise Refused("bad_option", 422, f"clock: {low} <= bank <= cap <= {high} seconds, increment 0 to {high}")
    return clock


def _checked_seat(live: Live, seat: int) -> int:
    if type(seat) is not int or not 0 <= seat < len(live.seats):
        raise Refused("bad_seats", 422, f"there is no seat {seat}; allowed: 0 to {len(live.seats) - 1}")
    return seat


def _my_seat(live: Live, user: User, seat: int) -> SeatRow:
    row = live.seats[_checked_seat(live, seat)]
    if row.kind != "person" or row.user_id != user.id:
        raise Refused("not_yours", 403, f"seat {seat} isn't yours")
    return row


def _free_kind(row: GameRow, kind: str) -> str:
    """A seat that nobody has: at a private table only those come who are invited."""
    return "invite" if row.visibility == "private" else kind


def _viewer(live: Live, who: User | None, seat: int | None) -> int | None:
    mine = live.seats_of(None if who is None else who.id)
    if seat is not None:
        _checked_seat(live, seat)
        if seat not in mine:
            raise Refused("not_yours", 403, f"seat {seat} isn't yours")
        return seat
    asked = [each for each in mine if live.seats[each].asked is not None]
    return asked[0] if asked else mine[0] if mine else None


def _check_host(live: Live, user: User) -> None:
    if live.row.host != user.id:
        raise Refused("not_yours", 403, "only the host may do this")


def _check_gathering(live: Live) -> None:
    if live.row.status != "gathering":
        raise Refused("started", 409, "the game has started already")


def _check_running(live: Live) -> None:
    status = live.row.status
    if status == "repair":
        raise Refused("repair", 503, "the rules failed at this table; it waits for repair")
    if status in ("over", "cancelled"):
        raise Refused("over", 409, "the game is over")
    if status != "running":
        raise Refused("not_running", 409, "the game hasn't started yet")


def _check_over(live: Live) -> None:
    if live.row.status != "over":
        raise Refused("not_over", 409, "the game isn't over yet")


def _is_alone(seats: Sequence[SeatPlan]) -> bool:
    """Whether one person plays, against bots."""
    return [seat.kind for seat in seats if seat.kind != "bot"] == ["me"]


def _target(subject: str) -> int | None:
    """The seat that a vote is about; None for "cancel". Raises Refused."""
    if subject == "cancel":
        return None
    head, _, seat = subject.partition(":")
    if head != "remove" or not seat.isdecimal() or len(seat) > 2:
        raise Refused("malformed", 422, "subjects of votes: cancel, remove:<seat>")
    return int(seat)


def _needed(live: Live, subject: str) -> tuple[int, ...]:
    target = _target(subject)
    return tuple(seat for seat in live.persons() if seat != target)


def _votes(live: Live, mine: Sequence[int]) -> tuple[Vote, ...]:
    found = []
    for subject, given in sorted(live.row.votes.items()):
        needed = _needed(live, subject)
        missing = tuple(seat for seat in mine if seat in needed and seat not in given)
        found.append(Vote(subject, needed, tuple(given), missing))
    return tuple(found)


def _score(live: Live) -> Score | None:
    if live.row.status != "over" or live.row.result is None:
        return None
    return Score(tuple(live.row.result["places"]), tuple(live.row.result["totals"]), live.score_lines())


def _log(events: Sequence[EventRow], viewer: int | None) -> list[LogEntry]:
    entries: list[LogEntry] = []
    add_entries(entries, events, viewer)
    return entries


def _message(row: MessageRow, who: User | None) -> Message:
    mine = who is not None and row.user_id == who.id
    return Message(row.number, row.seat, row.name, mine, row.text, _moment(row.at))


def _card_version(row: GameRow, seats: Sequence[SeatRow], who: User) -> str:
    mine = [seat.revision for seat in seats if seat.kind == "person" and seat.user_id == who.id]
    return version(row.version, sum(mine) if mine else None)


def _replay(position: Position, rows: Sequence[ChoiceRow], sequence: int) -> None:
    """Answer as recorded until so many answers are in. `rows` begin where the position's own record does."""
    assert position.record is not None
    for index, row in enumerate(rows):
        if position.sequence >= sequence:
            return
        records.advance(position, index, row.seat, row.choice)


def _steps(game: Game, rows: Sequence[ChoiceRow], viewer: int | None, *, whole: bool) -> list[dict[str, Any]]:
    """The record as the viewer may know it; of a secret answer in several steps not even how many they were."""
    steps: list[dict[str, Any]] = []
    hidden: tuple[int, int] | None = None
    for row in rows:
        known = whole or may_know(row.audience, viewer) or row.seat == viewer
        if not known and hidden == (row.sequence, row.seat):
            continue
        hidden = None if known else (row.sequence, row.seat)
        choice = game.text(row.choice) if known else None
        steps.append({"seat": None if row.seat == CHANCE else row.seat, "choice": choice})
    return steps


def _record_text(game: Game, live: Live, rows: Sequence[ChoiceRow]) -> str | None:
    """The whole game in the notation of records; None if today's rules play it differently."""
    position = game.new(len(live.seats), live.row.options)
    try:
        _replay(position, rows, live.row.sequence)
        return records.write(position)
    except AtollError as error:
        log.warning("record can't be written", table=live.row.id, error=str(error))
        return None


def _bot_answer(live: Live, now: int, *, seat: int, stamp: str, choices: Sequence[int], legal: Sequence[int]) -> None:
    """A bot's choices, unless the table has changed while it was thinking."""
    position = live.position
    if live.row.status != "running" or position is None or not live.seats[seat].bot:
        return
    if live.stamp(seat) != stamp or seat not in position.to_move:
        return
    try:
        position.stage(seat, choices)
    except RulesError:
        raise
    except (AtollError, TypeError):
        log.error("bot chose what isn't legal", table=live.row.id, level=live.seats[seat].bot)
        choices = [random.SystemRandom().choice(list(legal))]
    live.answer(seat, choices, now, by_bot=True)
    metrics.CHOICES.labels("bot").inc(len(choices))


def _repair(live: Live, now: int) -> None:
    if live.row.status != "repair" or live.broken or live.position is None:
        return
    live.row.status = "running"
    live.row.repair = ""
    live.tell("repaired", now)
    if live.cut is not None:
        live.tell("restarted", now)
    live.touch()
    live._draw(now)
    live.settle(now)
