"""The loop that sends due notifications from the outbox in the store.

A notice is stored in the transaction of the command that it reports. Once due, it is replaced by
one notice for each channel, under a unique id. A delivery attempt is counted before it starts, and
its result is stored afterwards. Failures are tried again after growing delays.

If a server dies in between, nobody knows whether the message arrived. It is sent once more under
the same id, by which push services and mail programs recognize duplicates. If that ends the same
way, it isn't sent a third time.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Final

import msgspec
import structlog

from atoll.engine import AtollError
from atoll.store import ChannelRow, NoticeRow, Store, UserRow

from ..domain import metrics, wall_clock
from ..domain.logs import RateLimitedLogger
from ..domain.model import Refused
from ..domain.notices import ACCOUNT, CONDUCT, EXPIRED, is_wanted
from ..domain.playing_hours import Calendar, zone_of
from ..play.executor import CommandExecutor
from ..play.presence import Presence
from ..table.chance_rounds import is_awaited
from ..table.clock import clock_of, clock_schedule, time_left_ms
from .channels import Cause, ChannelSender, PermanentDeliveryError, RetryLater, SubscriptionExpired
from .message import NotificationMessage, notification_message

log = structlog.get_logger(__name__)
seldom = RateLimitedLogger(log)

_LEASE_MS: Final = 120_000
_IDLE_S: Final = 15.0
_AT_ONCE: Final = 20
_MOST_TRIES: Final = 8
_MOST_UNKNOWN: Final = 2
_FIRST_DELAY_MS: Final = 30_000
_LONGEST_DELAY_MS: Final = 6 * 3_600_000
NOTICE_DAYS: Final = 30
"""Days after which notices that don't wait any more are deleted."""
_KEPT_MS: Final = NOTICE_DAYS * 86_400_000
_DIGEST_HOUR: Final = 8
_HERE_MS: Final = 60_000


class NotificationDispatcher:
    """Sends due notifications as long as the server runs.

    Attributes:
        channels: The channels that the operator has set up.
    """

    def __init__(self, executor: CommandExecutor, presence: Presence, channels: ChannelSender) -> None:
        self._executor: CommandExecutor = executor
        self._presence: Presence = presence
        self._store: Store = executor.store
        self.channels: ChannelSender = channels
        self._news: asyncio.Event = asyncio.Event()
        self._begun: bool = False
        self._one: dict[str, asyncio.Lock] = {}
        executor.on_notice = self._news.set

    async def run(self) -> None:
        """Send notifications until canceled."""
        while True:
            self._news.clear()
            try:
                wait = await self.look()
            except Exception as error:
                wait = _IDLE_S
                seldom.error("notices can't be read", error=str(error))
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(wait):
                    await self._news.wait()

    async def look(self) -> float:
        """Send all due notifications; errors of the database pass through.

        Returns:
            Seconds until the next look.
        """
        notices = self._store.notices
        now = wall_clock.now_ms()
        if not self._begun:
            if self._store.dialect == "sqlite":
                # Only one server uses the file. Existing leases belong to its predecessor, which
                # has ended.
                await notices.release()
            self._begun = True
        while rows := await notices.lease(now, now + _LEASE_MS):
            places = asyncio.Semaphore(_AT_ONCE)
            done = await asyncio.gather(*(self._do(row, places) for row in rows), return_exceptions=True)
            for failure in done:
                if isinstance(failure, Exception):
                    seldom.error("notice can't be given", error=str(failure) or type(failure).__name__)
        self._one.clear()
        due = await notices.next_due()
        return _IDLE_S if due is None else min(_IDLE_S, max(0.0, (due - wall_clock.now_ms()) / 1000))

    async def sweep(self) -> None:
        """Delete old notices that were sent, have failed or are void."""
        await self._store.notices.sweep(wall_clock.now_ms() - _KEPT_MS)

    async def _do(self, row: NoticeRow, places: asyncio.Semaphore) -> None:
        async with places:
            due = await self._due(row)
            if due is None:
                await self._store.notices.end([row.id], "void")
            elif due > wall_clock.now_ms():
                await self._store.notices.postpone(row.id, due)
            elif row.channel_id:
                await self._send(row)
            else:
                await self._split_by_channel(row)

    async def _due(self, row: NoticeRow) -> int | None:
        """Return when a notice is due in milliseconds, or None if it is void.

        A reminder is due when a part of the clock has run; a pause therefore delays it. In live
        play, a notification about a turn waits while the user is at a page. That a table awaits the
        user's browser is void once the browser has given its seal or share.
        """
        if row.game_id is None or (row.asked is None and "awaited" not in row.data):
            return row.due
        try:
            async with self._executor.locked(row.game_id) as live:
                if "awaited" in row.data:
                    return row.due if is_awaited(live, row.user_id, row.data["awaited"]) else None
                mine = [live.seats[seat] for seat in live.seats_of(row.user_id)]
                seat = next((each for each in mine if each.asked == row.asked and not each.away), None)
                clock = clock_of(live.row)
                if live.row.status != "running" or seat is None:
                    return None
                now = wall_clock.now_ms()
                live_play = live.row.pace != "correspondence"
                if row.kind == "turn" and live_play and await self._presence.is_here(row.user_id):
                    return now + _HERE_MS  # the user is at a page, but may leave it
                if row.kind != "reminder" or clock is None or seat.due is None or seat.bank_ms is None:
                    return row.due
                row.data = {**row.data, "ends": seat.due}
                ahead = time_left_ms(live.row, clock, seat, now) - seat.bank_ms * (100 - row.data["share"]) // 100
                return row.due if ahead <= 0 else clock_schedule(live.row, clock, seat).after(now, ahead)
        except Refused:
            return None

    # -- for each channel --------------------------------------------------------------------------

    async def _split_by_channel(self, row: NoticeRow) -> None:
        user = await self._store.user(row.user_id)
        channels = await self._store.notices.channels_of(row.user_id)
        calendar = Calendar() if user is None else msgspec.convert(user.calendar, Calendar)
        now = wall_clock.now_ms()
        wish = "" if user is None else dict(user.settings.get("notices", ())).get(row.game_id, "")
        rows = [
            NoticeRow(
                f"{row.id}@{channel.id}",
                row.user_id,
                row.kind,
                row.game_id,
                row.data,
                _moment(channel, calendar, now),
                now,
                row.asked,
                channel.id,
            )
            for channel in channels
            if channel.confirmed
            and channel.cause != EXPIRED
            and row.kind in (ACCOUNT, CONDUCT, *channel.kinds)
            and channel.kind in self.channels.possible
            and is_wanted(row.kind, wish)
        ]
        await self._store.notices.split_by_channel(row, rows)

    async def _send(self, row: NoticeRow) -> None:
        notices = self._store.notices
        channel = await notices.channel(row.channel_id)
        if channel is None:
            await notices.end([row.id], "void")
            return
        async with self._one.setdefault(channel.id, asyncio.Lock()):
            rows = [row]
            if channel.digest:
                rows = await notices.due_on_channel(channel, wall_clock.now_ms())
            tried = [each for each in rows if each.begun - each.failed < _MOST_UNKNOWN]
            unknown = [each.id for each in rows if each not in tried]
            if unknown:
                await notices.end(unknown, "failed")
                await self._note(channel, "stopped", "the server was stopped twice while it was sending")
            begun = await notices.begin([each.id for each in tried])
            if begun:
                await self._try(channel, [each for each in tried if each.id in begun])

    async def _try(self, channel: ChannelRow, rows: Sequence[NoticeRow]) -> None:
        notices = self._store.notices
        ids = [row.id for row in rows]
        user = await self._store.user(channel.user_id)
        try:
            await self.channels.send(channel, [self._message(row, channel, user) for row in rows])
        except SubscriptionExpired as error:
            await notices.end(ids, "failed")
            await self._note(channel, EXPIRED, str(error))
        except PermanentDeliveryError as error:
            await notices.end(ids, "failed")
            await self._note(channel, error.cause, str(error))
        except RetryLater as error:
            tries = max(row.failed for row in rows) + 1
            delay = min(_FIRST_DELAY_MS * 4 ** (tries - 1), _LONGEST_DELAY_MS)
            if error.seconds is not None:
                delay = min(max(delay, 1000 * error.seconds), _LONGEST_DELAY_MS)
            again = tries < _MOST_TRIES
            await notices.end(ids, "waiting" if again else "failed", due=wall_clock.now_ms() + delay if again else None)
            await self._note(channel, error.cause, str(error))
        else:
            await notices.end(ids, "sent")
            await notices.change_channel(channel.id, channel.user_id, sent=wall_clock.now_ms(), cause="", error="")
            metrics.part(metrics.NOTICES, channel.kind, "sent").inc(len(ids))

    async def _note(self, channel: ChannelRow, cause: Cause, error: str) -> None:
        await self._store.notices.change_channel(channel.id, channel.user_id, cause=cause, error=error)
        metrics.part(metrics.NOTICES, channel.kind, "failed").inc()

    def _message(self, row: NoticeRow, channel: ChannelRow, user: UserRow | None) -> NotificationMessage:
        zone = "" if user is None else msgspec.convert(user.calendar, Calendar).zone
        game = None
        if "game" in row.data:
            with contextlib.suppress(AtollError, ImportError, LookupError):  # the game may have been uninstalled
                game = self._executor.catalogue.by_id[row.data["game"]]
        id = row.id.partition("@")[0]
        return notification_message(
            id, row.kind, row.game_id or "", row.data, game, channel.language, zone, self.channels.base
        )


def _moment(channel: ChannelRow, calendar: Calendar, now: int) -> int:
    """Return when a channel may deliver: now, after the quiet hours, or with the next digest."""
    local = datetime.fromtimestamp(now / 1000, zone_of(calendar.zone))
    if channel.digest:
        day = local if local.hour < _DIGEST_HOUR else local + timedelta(1)
        return int(1000 * day.replace(hour=_DIGEST_HOUR, minute=0, second=0, microsecond=0).timestamp())
    first, last = calendar.quiet
    if first == last or (local.hour - first) % 24 >= (last - first) % 24:
        return now
    day = local if local.hour < last else local + timedelta(1)
    return int(1000 * day.replace(hour=last, minute=0, second=0, microsecond=0).timestamp())
