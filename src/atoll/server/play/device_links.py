"""Links that bring a user to another device: ten minutes, one use, confirmed on the first device.

The other device opens the link and claims it. The first device shows which browser asks, and allows
or denies it. Only then the other device gets a session of its own.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from msgspec import Struct

from atoll.store import DEVICE_LINK, ChallengeRow, Store

from ..domain import wall_clock
from ..domain.limits import Limits
from ..domain.model import Login, Refused, User
from ..table import permissions
from .store_errors import refuse_on_store_error
from .users import Users, new_token, token_hash

LINK_MINUTES: Final = 10
"""Minutes after which a device link expires."""

_LINK_MS: Final = LINK_MINUTES * 60_000
_GONE: Final = "this link was used, denied, or has expired"


class DeviceRequest(Struct, frozen=True):
    """A device that wants to sign in.

    Attributes:
        id: Id of the request.
        device: Browser and system, or "" if they are unknown.
        name: Name of the user.
        allowed: Whether the first device has allowed it.
    """

    id: str
    device: str
    name: str
    allowed: bool


class DeviceLinks:
    """Device links of users."""

    def __init__(self, store: Store, limits: Limits, users: Users) -> None:
        self._store: Store = store
        self._limits: Limits = limits
        self._users: Users = users

    # -- the first device --------------------------------------------------------------------------

    async def create(self, who: User | None) -> str:
        """Return the secret of a new device link; it replaces the previous one.

        Args:
            who: The user, or None.

        Raises:
            Refused: If the user isn't signed in, or exceeds the rate limit.
        """
        user = permissions.require_user(who)
        self._limits.hit("account", user.id)
        token = new_token()
        now = wall_clock.now_ms()
        with refuse_on_store_error():
            await self._store.challenges.add(
                ChallengeRow(token_hash(token), DEVICE_LINK, user.id, "", now, now + _LINK_MS)
            )
        return token

    async def is_open(self, who: User | None, token: str) -> bool:
        """Return whether a link can still be opened.

        Args:
            who: The user.
            token: Secret of the link.
        """
        if who is None or not token:
            return False
        found = await self._find(hash=token_hash(token[:100]), user_id=who.id)
        return any(row.used is None for row in found)

    async def requests(self, who: User | None) -> tuple[DeviceRequest, ...]:
        """Return the devices that wait for the user's answer."""
        if who is None:
            return ()
        rows = await self._find(user_id=who.id)
        return tuple(_request_of(row, who.name) for row in rows if row.used is not None and not row.data["allowed"])

    async def answer(self, who: User | None, id: str, *, allow: bool) -> None:
        """Allow or deny a device that waits.

        Args:
            who: The user.
            id: Id of the request.
            allow: Whether the device may sign in.

        Raises:
            Refused: If no such device waits.
        """
        user = permissions.require_user(who)
        row = _first(row for row in await self._find(hash=id, user_id=user.id) if row.used is not None)
        challenges = self._store.challenges
        with refuse_on_store_error():
            work = challenges.change(row, {**row.data, "allowed": True}) if allow else challenges.drop(row)
            _require_done(await work)

    # -- the other device --------------------------------------------------------------------------

    async def name(self, token: str) -> str:
        """Return the name of the user to whom an unused link leads.

        Args:
            token: Secret of the link.

        Raises:
            Refused: If the link was used or has expired.
        """
        row = _first(row for row in await self._find(hash=token_hash(token[:100])) if row.used is None)
        return await self._name(row)

    async def claim(self, token: str, device: str) -> str:
        """Ask the first device for permission; this uses up the link.

        Args:
            token: Secret of the link.
            device: Browser and system, or "".

        Returns:
            A secret with which this browser waits and finally signs in.

        Raises:
            Refused: If the link was used or has expired.
        """
        secret = new_token()
        data = {"device": device, "allowed": False}
        with refuse_on_store_error():
            claimed = await self._store.challenges.claim(
                DEVICE_LINK, token_hash(token[:100]), token_hash(secret), data, wall_clock.now_ms()
            )
        _require_done(claimed)
        return secret

    async def request(self, secret: str) -> DeviceRequest | None:
        """Return the request of a browser that waits; None if it was denied or has expired."""
        found = await self._find(session_hash=token_hash(secret[:100])) if secret else []
        return _request_of(found[0], await self._name(found[0])) if found else None

    async def finish(self, secret: str, device: str) -> Login:
        """Sign in on a device that was allowed.

        Args:
            secret: The secret from `claim`.
            device: Browser and system, or "".

        Returns:
            The user with a new session.

        Raises:
            Refused: If the device wasn't allowed, or the link has expired.
        """
        found = await self._find(session_hash=token_hash(secret[:100])) if secret else []
        row = _first(row for row in found if row.data["allowed"])
        with refuse_on_store_error():
            _require_done(await self._store.challenges.drop(row))
        return await self._users.sign_in(row.user_id or "", device=device)

    async def _find(self, **given: str) -> list[ChallengeRow]:
        with refuse_on_store_error():
            return await self._store.challenges.find(DEVICE_LINK, wall_clock.now_ms(), **given)

    async def _name(self, row: ChallengeRow) -> str:
        with refuse_on_store_error():
            user = await self._store.user(row.user_id or "")
        _require_done(user is not None)
        return "" if user is None else user.name


def _request_of(row: ChallengeRow, name: str) -> DeviceRequest:
    return DeviceRequest(row.hash, row.data["device"], name, row.data["allowed"])


def _first(rows: Iterable[ChallengeRow]) -> ChallengeRow:
    """Return the first row; refuse the request if there is none."""
    found = next(iter(rows), None)
    if found is None:
        raise Refused("link_gone", 410, _GONE)
    return found


def _require_done(done: bool) -> None:
    """Refuse the request unless a step was done."""
    if not done:
        raise Refused("link_gone", 410, _GONE)
