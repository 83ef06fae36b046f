"""The operator's way into an account whose user has lost all credentials.

The operator makes a link (`atoll admin link NAME`). It works once, after a week. All notification
channels and sessions of the account are notified at once, and each of them can refuse the link.
"""

from __future__ import annotations

import secrets
from datetime import datetime
from typing import Final

from msgspec import Struct

from atoll.store import ChallengeRow, NoticeRow, Store

from ..domain import wall_clock
from ..domain.model import Login, Refused, User
from ..domain.notices import ACCOUNT
from ..domain.skeleton import skeleton
from .store_errors import refuse_on_store_error
from .table_lists import moment
from .users import Users, new_token, token_hash

WAIT_DAYS: Final = 7
"""Days in which channels and sessions of the account can refuse a link."""
RESCUE_DAYS: Final = 14
"""Days after which a link expires."""

_KIND: Final = "rescue"
_DAY_MS: Final = 86_400_000
_GONE: Final = "this link was used or refused, or has expired"


class Rescue(Struct, frozen=True):
    """A link of the operator into an account.

    Attributes:
        id: Id with which it can be refused.
        begins: Time from which it works.
    """

    id: str
    begins: datetime


async def create_rescue(store: Store, name: str) -> str:
    """Return the secret of a new link into an account; it replaces the previous one.

    Args:
        store: The database.
        name: Name of the account.

    Raises:
        ValueError: If no account has this name.
    """
    user = await store.credentials.account_of(skeleton(name))
    if user is None:
        raise ValueError(f"unknown account {name!r}: guests have no way back but their browser")
    token, now = new_token(), wall_clock.now_ms()
    begins = now + WAIT_DAYS * _DAY_MS
    hashed, data = token_hash(token), {"begins": begins}
    await store.challenges.add(ChallengeRow(hashed, _KIND, user.id, "", now, now + RESCUE_DAYS * _DAY_MS, data))
    notice = {"what": "rescue", "rescue": hashed, "ends": begins}
    await store.notices.add([NoticeRow(f"{ACCOUNT}:{secrets.token_hex(8)}", user.id, ACCOUNT, None, notice, now, now)])
    return token


class Rescues:
    """Links of the operator into accounts."""

    def __init__(self, store: Store, users: Users) -> None:
        self._store: Store = store
        self._users: Users = users

    async def mine(self, who: User) -> tuple[Rescue, ...]:
        """Return the links into the user's account."""
        return tuple(Rescue(row.hash, moment(row.data["begins"])) for row in await self._find(user_id=who.id))

    async def refuse(self, id: str) -> None:
        """Make a link void. Its id, which only the account's channels and sessions know, suffices.

        Args:
            id: Id of the link.

        Raises:
            Refused: If it was used or refused, or has expired.
        """
        for row in await self._find(hash=id):
            with refuse_on_store_error():
                if await self._store.challenges.drop(row):
                    return
        raise Refused("link_gone", 410, _GONE)

    async def sign_in(self, token: str, device: str) -> Login:
        """Sign in with a link.

        Args:
            token: Secret of the link.
            device: Browser and system, or "".

        Returns:
            The user with a new session.

        Raises:
            Refused: If the link was used or refused, has expired, or doesn't work yet.
        """
        hashed, now = token_hash(token[:100]), wall_clock.now_ms()
        found = await self._find(hash=hashed)
        if found and now < found[0].data["begins"]:
            days = -(-(found[0].data["begins"] - now) // _DAY_MS)
            raise Refused("too_early", 409, f"this link works in {days} days", fields={"n": days})
        with refuse_on_store_error():
            row = await self._store.challenges.take(_KIND, hashed, "", now)
        if row is None:
            raise Refused("link_gone", 410, _GONE)
        return await self._users.sign_in(row.user_id or "", device=device)

    async def _find(self, **given: str) -> list[ChallengeRow]:
        with refuse_on_store_error():
            rows = await self._store.challenges.find(_KIND, wall_clock.now_ms(), **given)
        return [row for row in rows if row.used is None]
