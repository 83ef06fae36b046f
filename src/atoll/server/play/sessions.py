"""A user's sessions and API tokens, which the user can list and end."""

from __future__ import annotations

from datetime import datetime
from typing import Final

from msgspec import Struct

from atoll.store import LOGINS, Store, TokenRow

from ..domain import sanitize
from ..domain.limits import Limits
from ..domain.model import Refused, User
from ..table import permissions
from .store_errors import refuse_on_store_error
from .table_lists import moment
from .users import Users, token_hash

MOST_TOKENS: Final = 20
"""Largest number of API tokens per user."""


class Session(Struct, frozen=True):
    """A session of a browser, or an API token.

    Attributes:
        id: Id of the session.
        kind: "session" for a browser, "api" for a program.
        device: Browser and system, or "" if they are unknown.
        label: Name of an API token, or "".
        created: Time of creation.
        last_used: Start of the day (UTC) of the last use.
        current: Whether the request was sent with it.
    """

    id: str
    kind: str
    device: str
    label: str
    created: datetime
    last_used: datetime
    current: bool


class Sessions:
    """Sessions and API tokens of users."""

    def __init__(self, store: Store, limits: Limits, users: Users) -> None:
        self._store: Store = store
        self._limits: Limits = limits
        self._users: Users = users

    async def mine(self, who: User | None, token: str) -> tuple[Session, ...]:
        """Return the user's sessions and API tokens, the current one first, then the newest.

        Args:
            who: The user.
            token: Token of the request.

        Raises:
            Refused: If the user isn't signed in.
        """
        user = permissions.require_user(who)
        with refuse_on_store_error():
            rows = await self._store.accounts.tokens_of(user.id)
        found = [_session_of(row, token_hash(token)) for row in reversed(rows) if row.kind in LOGINS]
        return tuple(sorted(found, key=lambda each: not each.current))

    async def end(self, who: User | None, id: str) -> None:
        """End one session or API token, and all device links.

        Args:
            who: The user.
            id: The session.

        Raises:
            Refused: If the user has no such session.
        """
        user = permissions.require_user(who)
        if not id or not await self._users.end_sessions(user, id=id, device_links=True):
            raise Refused("no_page", 404, "session not found")

    async def end_others(self, who: User | None, token: str) -> None:
        """End all device links, and all sessions and API tokens except the current one.

        Args:
            who: The user.
            token: Token of the request.

        Raises:
            Refused: If the user isn't signed in.
        """
        await self._users.end_sessions(permissions.require_user(who), except_token=token, device_links=True)

    async def add_token(self, who: User | None, label: str) -> str:
        """Return a new API token, with which a program acts as the user.

        Args:
            who: The user.
            label: Name of the program.

        Raises:
            Refused: If the label isn't valid, or the user has too many tokens.
        """
        user = permissions.require_user(who)
        self._limits.hit("account", user.id)
        cleaned = sanitize.name(label)
        with refuse_on_store_error():
            count = await self._store.count_tokens(user.id, "api")
        if count >= MOST_TOKENS:
            raise Refused("many_tokens", 409, f"at most {MOST_TOKENS} API tokens", fields={"n": MOST_TOKENS})
        return (await self._users.sign_in(user.id, kind="api", label=cleaned)).token


def _session_of(row: TokenRow, current: str) -> Session:
    times = moment(row.created), moment(row.last_used)
    return Session(row.id, row.kind, row.device, row.label, *times, row.hash == current)
