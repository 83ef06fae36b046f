"""A user's channels for notifications, and the kinds of notifications that each one delivers."""

from __future__ import annotations

import hmac
import secrets
from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any, Final, Literal

from msgspec import Struct

from atoll.store import ChannelRow, NoticeRow

from ..domain import wall_clock
from ..domain.limits import Limits
from ..domain.model import Refused, User
from ..domain.notices import CONFIRM, EXPIRED, KINDS, TEST
from ..table import permissions
from .executor import CommandExecutor
from .ports import NotificationChannels
from .store_errors import refuse_on_store_error
from .table_lists import moment

MOST: Final = 10
"""Largest number of channels per user."""

_STATES: Final = ("confirm", "ready", "failing")
_OUTDATED: Final = (EXPIRED, "denied", "rejected")
"""Causes of failures that a new subscription of the browser ends."""

PushState = Literal["ready", "renew", "lost", "unknown"]
"""The state of a browser's web push.

- "ready": the server has the browser's subscription.
- "renew": the browser shall subscribe again, and tell the server.
- "lost": the browser can't be notified any more; the server has noted that.
- "unknown": the user has no channel for this browser.
"""


class PushAddress(Struct, frozen=True):
    """Web push as a browser knows it.

    Attributes:
        old: Address of the last subscription that it reported, or "".
        given: The subscription that it has now (`url`, `p256dh` and `auth`); empty without one.
        can_renew: Whether it can subscribe again without asking the user.
    """

    old: str
    given: Mapping[str, str]
    can_renew: bool


class Channel(Struct, frozen=True):
    """A channel that reaches a user.

    Attributes:
        id: Id of the channel.
        kind: "push", "mail", "discord", "slack", "ntfy" or "webhook".
        address: The part of the address that is shown.
        kinds: Kinds of notifications that it delivers.
        digest: Whether notifications are sent together, once a day.
        state: "confirm" (the owner of the address hasn't agreed yet), "ready" or "failing".
        sent: Time of the last successful delivery, or None.
        error: Response to the last delivery if it failed, or "".
        secret: Key that signs requests to a webhook; "" for other channels.
        cause: Category of the error; "" if it is unknown or there is none.
    """

    id: str
    kind: str
    address: str
    kinds: tuple[str, ...]
    digest: bool
    state: str
    sent: datetime | None
    error: str
    secret: str = ""
    cause: str = ""


class NotificationSettings:
    """Channels of users.

    Attributes:
        channels: The channels that the operator has set up.
    """

    def __init__(self, executor: CommandExecutor, limits: Limits, channels: NotificationChannels) -> None:
        self._executor: CommandExecutor = executor
        self._limits: Limits = limits
        self.channels: NotificationChannels = channels

    async def mine(self, who: User | None) -> tuple[Channel, ...]:
        """Return the user's channels."""
        return tuple(map(_channel_of, await self._rows(permissions.require_user(who))))

    async def is_failing(self, user: User) -> bool:
        """Return whether one of the user's channels doesn't deliver."""
        return user.id in self._executor.notifiable_users and any(
            channel.state == "failing" for channel in await self.mine(user)
        )

    async def add(self, who: User | None, kind: str, given: Mapping[str, str], language: str) -> Channel:
        """Add a channel that delivers all kinds of notifications immediately.

        A mail address gets a message first, whose link must be confirmed.

        Args:
            who: The user.
            kind: Kind of channel.
            given: Fields of the form.
            language: Language code of the texts.

        Returns:
            The new channel.

        Raises:
            Refused: If the address isn't valid, or the user has too many channels.
        """
        user = permissions.require_user(who)
        self._limits.hit("channel", user.id)
        address = self.channels.checked(kind, given)
        rows = await self._rows(user)
        if len(rows) >= MOST and not any(row.kind == kind and row.address == address for row in rows):
            raise Refused("many_channels", 409, f"at most {MOST} channels", fields={"most": MOST})
        now = wall_clock.now_ms()
        row = ChannelRow(secrets.token_hex(8), user.id, kind, address, secrets.token_hex(16), [*KINDS], language, now)
        row.confirmed = kind != "mail"
        with refuse_on_store_error():
            reachable = await self._executor.store.notices.add_channel(row)
        self._executor.set_reachable(user.id, reachable=reachable)
        if not row.confirmed:
            await self._add_notice(row, CONFIRM, now)
        return _channel_of(row)

    async def renew_push(self, who: User | None, browser: PushAddress) -> PushState:
        """Compare a browser's subscription to web push with the stored one, and store the new one.

        A channel keeps its settings when its subscription is replaced.

        Args:
            who: The user.
            browser: What the browser knows.

        Returns:
            The state of the browser's web push.

        Raises:
            Refused: If the user isn't signed in, or the subscription isn't valid.
        """
        user = permissions.require_user(who)
        rows = {row.address["url"]: row for row in await self._rows(user) if row.kind == "push"}
        url = browser.given.get("url", "")
        told, now = rows.get(browser.old), rows.get(url)
        if now is not None and now.cause in _OUTDATED and browser.can_renew:
            return "renew"
        if now is not None and now.cause != EXPIRED:
            if told is not None and told.id != now.id:
                await self.drop(user, told.id)
            return "ready"
        row = now or told
        if row is None:
            return "unknown"
        if url and now is None:
            self._limits.hit("channel", user.id)
            await self._set_push(row, address=self.channels.checked("push", browser.given), cause="", error="")
            return "ready"
        if browser.can_renew:
            return "renew"
        if row.cause != EXPIRED:
            await self._set_push(row, cause=EXPIRED, error="the browser has ended its subscription")
        return "lost"

    async def _set_push(self, row: ChannelRow, **given: Any) -> None:
        with refuse_on_store_error():
            await self._executor.store.notices.change_channel(row.id, row.user_id, **given)

    async def change(self, who: User | None, id: str, kinds: Iterable[str], digest: bool) -> None:
        """Change which notifications a channel delivers.

        Args:
            who: The user.
            id: The channel.
            kinds: Kinds of notifications.
            digest: Whether they are sent together, once a day (mail only).

        Raises:
            Refused: If the user has no such channel, or it can't send digests.
        """
        user = permissions.require_user(who)
        ordered = [kind for kind in KINDS if kind in set(kinds)]
        row = await self._mine(user, id)
        if digest and row.kind != "mail":
            raise Refused("bad_option", 422, "only mail channels can send digests")
        with refuse_on_store_error():
            await self._executor.store.notices.change_channel(id, user.id, kinds=ordered, digest=digest)

    async def drop(self, who: User | None, id: str) -> None:
        """Delete a channel.

        Args:
            who: The user.
            id: The channel.

        Raises:
            Refused: If the user has no such channel.
        """
        user = permissions.require_user(who)
        await self._mine(user, id)
        with refuse_on_store_error():
            reachable = await self._executor.store.notices.drop_channel(id, user.id)
        self._executor.set_reachable(user.id, reachable=reachable)

    async def test(self, who: User | None, id: str) -> None:
        """Send a test through a channel; the channel's state shows the result.

        Args:
            who: The user.
            id: The channel.

        Raises:
            Refused: If the user has no such channel.
        """
        user = permissions.require_user(who)
        self._limits.hit("channel", user.id)
        row = await self._mine(user, id)
        await self._add_notice(row, TEST if row.confirmed else CONFIRM, wall_clock.now_ms())

    async def confirm(self, token: str) -> None:
        """Store that the owner of a mail address agrees to get messages.

        Args:
            token: Token of the link in the message.

        Raises:
            Refused: If the token isn't valid.
        """
        row = await self._by_secret(token)
        with refuse_on_store_error():
            reachable = await self._executor.store.notices.confirm_channel(row.id, row.user_id)
        self._executor.set_reachable(row.user_id, reachable=reachable)

    async def unsubscribe(self, token: str) -> None:
        """Delete the mail channel of a link; nothing happens if it is deleted already."""
        try:
            row = await self._by_secret(token)
        except Refused:
            return
        with refuse_on_store_error():
            reachable = await self._executor.store.notices.drop_channel(row.id, row.user_id)
        self._executor.set_reachable(row.user_id, reachable=reachable)

    async def _by_secret(self, token: str) -> ChannelRow:
        id, _, secret = token[:100].partition(".")
        with refuse_on_store_error():
            row = await self._executor.store.notices.channel(id)
        if row is None or row.kind != "mail" or not hmac.compare_digest(row.secret.encode(), secret.encode()):
            raise Refused("used", 410, "this link isn't valid (any more)")
        return row

    async def _add_notice(self, row: ChannelRow, kind: str, now: int) -> None:
        id = f"{kind}:{row.id}:{secrets.token_hex(4)}@{row.id}"
        with refuse_on_store_error():
            await self._executor.store.notices.add(
                [NoticeRow(id, row.user_id, kind, None, {}, now, now, channel_id=row.id)]
            )
        self._executor.on_notice()

    async def _rows(self, user: User) -> list[ChannelRow]:
        with refuse_on_store_error():
            return await self._executor.store.notices.channels_of(user.id)

    async def _mine(self, user: User, id: str) -> ChannelRow:
        found = next((row for row in await self._rows(user) if row.id == id), None)
        if found is None:
            raise Refused("no_page", 404, "channel not found")
        return found


def _channel_of(row: ChannelRow) -> Channel:
    address = row.address.get("mail") or row.address["url"]
    if row.kind != "mail":
        # The path of a webhook URL is often secret.
        address = address.split("/")[2] if row.kind != "ntfy" else address.partition("://")[2]
    state = _STATES[0 if not row.confirmed else 2 if row.error else 1]
    sent = None if row.sent is None else moment(row.sent)
    secret = row.secret if row.kind == "webhook" else ""
    return Channel(row.id, row.kind, address, tuple(row.kinds), row.digest, state, sent, row.error, secret, row.cause)
