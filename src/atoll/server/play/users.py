"""Users, their tokens and their settings."""

from __future__ import annotations

import hashlib
import secrets
import time
from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterable
from dataclasses import dataclass
from typing import Final

import msgspec

from atoll.engine.languages import LANGUAGES
from atoll.store import LOGINS, Rename, Store, Taken, TokenRow, UserRow, network_hash

from ..domain import sanitize, wall_clock
from ..domain.model import THEMES, Login, Refused, Settings, User, UserKind
from ..domain.playing_hours import Calendar
from ..domain.progress import CoachMode, LearningProgress
from ..domain.skeleton import reserved_skeletons, skeleton
from ..domain.standing import Role, Standing
from ..table.permissions import require_user
from .store_errors import is_fresh, refuse_on_store_error
from .table_lists import moment

_DAY_MS: Final = 86_400_000
GUEST_SESSION_DAYS: Final = 366
"""Days without use after which a session of a guest, or an API token, ends."""
_SESSION_MS: Final = GUEST_SESSION_DAYS * _DAY_MS
ACCOUNT_SESSION_DAYS: Final = 90
"""Days without use after which a session of an account ends."""
ACCOUNT_SESSION_MS: Final = ACCOUNT_SESSION_DAYS * _DAY_MS
RENAME_DAYS: Final = 30
"""Days after which an account can be renamed again."""
FORMER_NAME_DAYS: Final = 90
"""Days for which the former name of an account stays reserved."""
_RENEWAL_MS: Final = 30 * _DAY_MS
_SEEN_MS: Final = 60_000
_MOST_KNOWN: Final = 10_000
_MOST_LEARNT: Final = 100_000
_TOKEN_BYTES: Final = 24  # 192 random bits
DEVICE_LENGTH: Final = 120
LABEL_LENGTH: Final = 64


def new_token() -> str:
    """Return a new secret token."""
    return secrets.token_urlsafe(_TOKEN_BYTES)


def token_hash(token: str) -> str:
    """Return the hash under which a token is stored."""
    return hashlib.sha256(token.encode()).hexdigest()


@dataclass(slots=True)
class _CachedToken:
    """A user with a recently used token.

    Attributes:
        user: The user.
        seen: Time of the last stored activity, in milliseconds.
        last_used: Stored day of the token's last use, in milliseconds.
        network: Stored hash of the network of the token's last use, or None.
        read_at: When the user was read; see `is_fresh`.
        others: Value of `Store.external_version` at that time.
    """

    user: User
    seen: int
    last_used: int
    network: str | None
    read_at: float
    others: Hashable


class Users:
    """All users.

    Args:
        store: The database.
        trust_s: Seconds for which a token is trusted without asking the database.
        ended_payload: Returns the payload that tells other servers of ended sessions of a user.
        left: Called with the id of a user of whom sessions have ended.
        read: Called with each user that was read for a request.
        reserved: Names that no user may take, in addition to those of roles.
    """

    def __init__(
        self,
        store: Store,
        trust_s: float,
        ended_payload: Callable[[str], str],
        left: Callable[[str], None],
        read: Callable[[UserRow], None],
        reserved: Iterable[str] = (),
    ) -> None:
        self._on_read: Callable[[UserRow], None] = read
        self._ended_payload: Callable[[str], str] = ended_payload
        self._on_departure: Callable[[str], None] = left
        self._store: Store = store
        self._trust_s: float = trust_s
        self._reserved: frozenset[str] = reserved_skeletons(reserved)
        self._users: OrderedDict[str, _CachedToken] = OrderedDict()
        self._renewals: set[str] = set()

    async def guest(
        self,
        name: str,
        settings: Settings | None = None,
        *,
        kind: str = "session",
        learning: LearningProgress | None = None,
        device: str = "",
        network: str = "",
    ) -> Login:
        """Create a user with only a name.

        Args:
            name: The name as it was typed.
            settings: Settings, or None for the default ones.
            kind: "session" for browsers, "api" for programs.
            learning: Learning progress that the browser has stored, or None.
            device: Browser and system, or "".
            network: Network of the request, or "". In that of a user who was banned in the last
                day, the guest has limits.

        Returns:
            The user with a token.

        Raises:
            Refused: If the name or a setting isn't valid.
        """
        cleaned = sanitize.name(name)
        chosen = _checked_settings(settings or Settings())
        now = wall_clock.now_ms()
        known = msgspec.to_builtins(learning or LearningProgress())
        self._require_unreserved(cleaned)
        row = UserRow(secrets.token_hex(8), cleaned, msgspec.structs.asdict(chosen), now, now, learning=known)
        row.kind = "program" if kind == "api" else "guest"
        token = new_token()
        with refuse_on_store_error():
            if network:
                hashed = network_hash(self._store.id, network)
                row.limited_until = await self._store.moderation.limit_of_network(hashed, now)
            await self._store.add_user(row, [_token_row(token, row.id, kind, now, device)])
        return Login(user_of(row), token)

    async def sign_in(self, user_id: str, *, kind: str = "session", device: str = "", label: str = "") -> Login:
        """Return a new token for a user whose identity was proven; other devices stay signed in.

        Args:
            user_id: The user.
            kind: "session" for browsers, "api" for programs.
            device: Browser and system, or "".
            label: Name of an API token, or "".

        Raises:
            Refused: If the user doesn't exist any more.
        """
        token, now = new_token(), wall_clock.now_ms()
        with refuse_on_store_error():
            row = await self._store.user(user_id)
            if row is None:
                raise Refused("used", 410, "this account was deleted")
            stored = _token_row(token, row.id, kind, now, device, label)
            if row.kind == "account" and kind == "session":
                stored.expires = now + ACCOUNT_SESSION_MS
            await self._store.add_token(stored)
        return Login(user_of(row), token)

    async def by_token(self, token: str, kind: str, network: str = "") -> User | None:
        """Return the user of a token, or None if it isn't valid or has expired.

        Args:
            token: The token.
            kind: "session" or "api".
            network: Network of the request, which is stored as a hash; "" to store none.

        Raises:
            Refused: If the database fails.
        """
        if not token or len(token) > 100:
            return None
        key = f"{kind}:{token_hash(token)}"
        known = self._users.get(key)
        if known is None or not is_fresh(self._store, known.read_at, known.others, self._trust_s):
            others = self._store.external_version()
            with refuse_on_store_error():
                found = await self._store.user_by_token(key.partition(":")[2], [kind], wall_clock.now_ms())
            if found is None:
                self._users.pop(key, None)
                return None
            row, stored = found
            self._on_read(row)
            read_at = time.monotonic()
            known = self._users[key] = _CachedToken(
                user_of(row), row.seen, stored.last_used, stored.network, read_at, others
            )
            self._users.move_to_end(key)
            while len(self._users) > _MOST_KNOWN:
                self._users.popitem(last=False)
        now = wall_clock.now_ms()
        is_due = now - known.seen > _SEEN_MS
        if is_due:
            known.seen = now
            with refuse_on_store_error():
                await self._store.change_user(known.user.id, seen=now)
        if network and (is_due or known.network is None):
            await self._note_network(known, key.partition(":")[2], network)
        if known.last_used < _day(now):
            if kind == "session" and known.last_used // _RENEWAL_MS < now // _RENEWAL_MS:
                self._renewals.add(token_hash(token))
            known.last_used = _day(now)
            span = ACCOUNT_SESSION_MS if known.user.has_account and kind == "session" else _SESSION_MS
            with refuse_on_store_error():
                await self._store.change_token(key.partition(":")[2], last_used=known.last_used, expires=now + span)
        return known.user

    def take_renewal(self, token: str) -> bool:
        """Return whether a session's cookie must be renewed: once in 30 days, at the next use."""
        hashed = token_hash(token)
        if hashed not in self._renewals:
            return False
        self._renewals.remove(hashed)
        return True

    async def _note_network(self, known: _CachedToken, hash: str, network: str) -> None:
        """Store the network of a token's last use as a hash, unless it is stored."""
        hashed = network_hash(self._store.id, network)
        if known.network != hashed:
            known.network = hashed
            with refuse_on_store_error():
                await self._store.change_token(hash, network=hashed)

    def forget(self, user_id: str) -> None:
        """Read a user from the database at their next request."""
        for key in [key for key, known in self._users.items() if known.user.id == user_id]:
            del self._users[key]

    def end(self, user_id: str) -> None:
        """Forget a user of whom sessions have ended, and end their subscriptions."""
        self.forget(user_id)
        self._on_departure(user_id)

    async def rename(self, who: User | None, name: str) -> User:
        """Change a user's name, for tables from now on.

        Guests rename themselves at any time, unless a moderator has renamed them, and accounts once
        in `RENAME_DAYS` days.

        Args:
            who: The user.
            name: The name as it was typed.

        Returns:
            The user with the new name.

        Raises:
            Refused: If the name isn't valid or not available, or the user was renamed recently.
        """
        user = require_user(who)
        cleaned = self.checked_name(name)
        with refuse_on_store_error():
            row = await self._store.user(user.id)
        if row is None:
            raise Refused("sign_in", 401, "enter a name first")
        now = wall_clock.now_ms()
        if row.renamed is not None and now < row.renamed + RENAME_DAYS * _DAY_MS:
            days = -(-(row.renamed + RENAME_DAYS * _DAY_MS - now) // _DAY_MS)
            raise Refused("renamed", 409, f"a name is changed once in {RENAME_DAYS} days", fields={"n": days})
        await self.give_name(row, cleaned)
        return msgspec.structs.replace(user, name=cleaned)

    def checked_name(self, name: str) -> str:
        """Return a name, cleaned.

        Args:
            name: The name as it was typed.

        Raises:
            Refused: If it isn't valid or reserved.
        """
        cleaned = sanitize.name(name)
        self._require_unreserved(cleaned)
        return cleaned

    def _require_unreserved(self, name: str) -> None:
        if skeleton(name) in self._reserved:
            raise Refused("name_reserved", 409, f"the name {name!r} is reserved: choose another one")

    async def give_name(self, row: UserRow, name: str, *, fixed: bool = False) -> None:
        """Change the name of a user, for tables from now on.

        Args:
            row: The user.
            name: The cleaned name.
            fixed: Whether a guest can't change it for `RENAME_DAYS` days, as an account can't.

        Raises:
            Refused: If another account has the name.
        """
        try:
            with refuse_on_store_error():
                await self._store.credentials.rename(rename_of(row, name, fixed=fixed))
        except Taken:
            refused = name_taken(name)
            raise refused from None
        self.forget(row.id)

    async def set_settings(self, who: User | None, settings: Settings) -> User:
        """Replace a user's settings.

        Args:
            who: The user.
            settings: The settings.

        Returns:
            The user with the new settings.

        Raises:
            Refused: If a setting isn't valid.
        """
        user = require_user(who)
        chosen = _checked_settings(settings)
        with refuse_on_store_error():
            await self._store.change_user(user.id, settings=msgspec.structs.asdict(chosen))
        self.forget(user.id)
        if chosen.presence != user.settings.presence:
            self._on_departure(user.id)  # the next streams of the browsers show it, or don't
        return msgspec.structs.replace(user, settings=chosen)

    async def set_learning(self, who: User | None, learning: LearningProgress) -> User:
        """Replace a user's learning progress.

        Args:
            who: The user.
            learning: The progress.

        Returns:
            The user with the new progress.

        Raises:
            Refused: If the data is too large.
        """
        user = require_user(who)
        data = msgspec.to_builtins(learning)
        if len(msgspec.json.encode(data)) > _MOST_LEARNT:
            raise Refused(
                "too_large", 413, f"the learning progress is too large: expected at most {_MOST_LEARNT} bytes"
            )
        with refuse_on_store_error():
            await self._store.change_user(user.id, learning=data)
        self.forget(user.id)
        return msgspec.structs.replace(user, learning=learning)

    async def set_coach(self, who: User | None, game: str, wanted: CoachMode) -> User:
        """Set a user's coach mode in a game.

        Args:
            who: The user.
            game: Id of the game.
            wanted: The coach mode.

        Returns:
            The user with the new mode.

        Raises:
            Refused: If the user isn't signed in.
        """
        user = require_user(who)
        coach = {**user.learning.coach, game: wanted}
        return await self.set_learning(user, msgspec.structs.replace(user.learning, coach=coach))

    async def update_coach(self, user: User, game: str, *, first: bool = False) -> None:
        """Give a user a coach for a first game, and take that coach away after it.

        Args:
            user: The user, who has taken a seat.
            game: Id of the game.
            first: Whether to treat it as a first game in any case.
        """
        coach = user.learning.coach.get(game)
        if first:
            await self.set_coach(user, game, "first")
        elif coach in (None, "first"):
            with refuse_on_store_error():
                finished = await self._store.has_finished(user.id, game)
            if finished and coach == "first":
                await self.set_coach(user, game, "off")
            elif not finished and coach is None:
                await self.set_coach(user, game, "first")

    async def require_established(self, user: User) -> None:
        """Refuse new guests from the network of a banned user until they have finished a game.

        Args:
            user: The user.

        Raises:
            Refused: If the user has the limits of such a guest.
        """
        if user.has_account or not user.standing.is_limited:
            return
        with refuse_on_store_error():
            finished = await self._store.has_finished(user.id)
        if not finished:
            raise Refused("new_guest", 403, "somebody in your network was banned: new guests finish a game first")

    async def end_sessions(
        self, user: User, *, id: str = "", except_token: str = "", device_links: bool = False
    ) -> int:
        """End sessions and API tokens of a user, with their event streams, on all servers.

        Args:
            user: The user.
            id: Public id of the only one to end; "" for all.
            except_token: Token that stays valid; "" for none.
            device_links: Whether the user's device links end as well, even those that were allowed.

        Returns:
            The number that ended.
        """
        kept = token_hash(except_token) if except_token else ""
        with refuse_on_store_error():
            count = await self._store.drop_tokens(
                user.id, self._ended_payload(user.id), id=id, except_hash=kept, device_links=device_links
            )
        if count:
            self.end(user.id)
        return count

    async def sign_out(self, token: str) -> None:
        """End a session or an API token."""
        with refuse_on_store_error():
            found = await self._store.user_by_token(token_hash(token[:100]), LOGINS, wall_clock.now_ms())
        if found is not None:
            await self.end_sessions(user_of(found[0]), id=found[1].id)


def rename_of(row: UserRow, name: str, *, fixed: bool) -> Rename:
    """Return the new name of a user, to be written.

    Args:
        row: The user.
        name: The cleaned name.
        fixed: Whether a guest can't change it for `RENAME_DAYS` days.
    """
    now, is_account = wall_clock.now_ms(), row.kind == "account"
    until = now + FORMER_NAME_DAYS * _DAY_MS
    return Rename(row, name, skeleton(name) if is_account else None, now if is_account or fixed else None, until)


def _day(now: int) -> int:
    """Return the start of the day (UTC) of a time in milliseconds."""
    return now - now % _DAY_MS


def _token_row(token: str, user_id: str, kind: str, now: int, device: str, label: str = "") -> TokenRow:
    """Return the row of a new session or API token."""
    device, label = device[:DEVICE_LENGTH], label[:LABEL_LENGTH]
    return TokenRow(token_hash(token), user_id, kind, now, now + _SESSION_MS, device, label, _day(now))


def name_taken(name: str) -> Refused:
    """Return the refusal of a name that another account has."""
    return Refused("name_taken", 409, f"an account has the name {name!r} or one that looks like it")


def user_of(row: UserRow) -> User:
    """Return the user of a row."""
    settings, calendar = msgspec.convert(row.settings, Settings), msgspec.convert(row.calendar, Calendar)
    learning = msgspec.convert(row.learning, LearningProgress)
    return User(row.id, row.name, settings, calendar, learning, msgspec.convert(row.kind, UserKind), _standing_of(row))


def _standing_of(row: UserRow) -> Standing:
    times = (row.muted_until, row.banned_until, row.unrated_until, row.limited_until)
    if not (row.role or row.unread or any(times)):
        return _COMMON
    muted, banned, unrated, limited = (None if at is None else moment(at) for at in times)
    return Standing(msgspec.convert(row.role, Role), muted, banned, unrated, limited, row.unread)


_COMMON: Final = Standing()


def _checked_settings(settings: Settings) -> Settings:
    if settings.language not in ("", *LANGUAGES) or settings.theme not in THEMES:
        known = ", ".join(["''", *LANGUAGES])
        raise Refused("bad_option", 422, f"language: one of {known}; theme: one of {', '.join(THEMES)}")
    return settings
