"""Guests, their tokens and what they have set."""

from __future__ import annotations

import hashlib
import secrets
import time
from collections import OrderedDict
from collections.abc import Callable, Hashable
from dataclasses import dataclass
from typing import Final

import msgspec

from atoll.engine.languages import LANGUAGES
from atoll.store import Store, TokenRow, UserRow

from ..domain import sanitize, wall_clock
from ..domain.model import Login, Refused, Settings, User
from ..domain.playing_hours import Calendar
from ..domain.progress import Coached, Learning
from ..table.permissions import signed_in
from .store_errors import database, still_holds

_YEAR_MS: Final = 366 * 86_400_000
_SESSION_MS: Final = _YEAR_MS
_SEEN_MS: Final = 60_000
_MOST_KNOWN: Final = 10_000
_MOST_LEARNT: Final = 100_000
_TOKEN_BYTES: Final = 24  # 192 random bits


def new_token() -> str:
    """A secret that nobody can guess."""
    return secrets.token_urlsafe(_TOKEN_BYTES)


def token_hash(token: str) -> str:
    """What is kept of a secret token."""
    return hashlib.sha256(token.encode()).hexdigest()


@dataclass(slots=True)
class _Known:
    """Whose a token is. seen: when we last noted a sign of life. read_at, others: see still_holds."""

    user: User
    seen: int
    read_at: float
    others: Hashable


class People:
    """All who have given themselves a name.

    trust_s: how long a token is known without asking the database. left: told of whoever signs out or is gone.
    """

    def __init__(self, store: Store, trust_s: float, left: Callable[[str], None]) -> None:
        self._left: Callable[[str], None] = left
        self._store: Store = store
        self._trust_s: float = trust_s
        self._users: OrderedDict[str, _Known] = OrderedDict()

    async def guest(
        self,
        name: str,
        settings: Settings | None = None,
        *,
        kind: str = "session",
        learning: Learning | None = None,
    ) -> Login:
        """A new person, with nothing but a name. kind: "session" for browsers, "api" for programs.

        learning: what the browser has kept so far.
        """
        cleaned = sanitize.name(name)
        chosen = _checked_settings(settings or Settings())
        now = wall_clock.now_ms()
        known = msgspec.to_builtins(learning or Learning())
        row = UserRow(secrets.token_hex(8), cleaned, msgspec.structs.asdict(chosen), now, now, learning=known)
        token = new_token()
        with database():
            await self._store.add_user(row, [TokenRow(token_hash(token), row.id, kind, now, now + _SESSION_MS)])
        return Login(user_of(row), token)

    async def by_token(self, token: str, kind: str) -> User | None:
        """Whose token this is; None if it isn't valid (any more)."""
        if not token or len(token) > 100:
            return None
        key = f"{kind}:{token_hash(token)}"
        known = self._users.get(key)
        if known is None or not still_holds(self._store, known.read_at, known.others, self._trust_s):
            others = self._store.others()
            with database():
                found = await self._store.user_by_token(key.partition(":")[2], [kind], wall_clock.now_ms())
            if found is None:
                self._users.pop(key, None)
                return None
            known = self._users[key] = _Known(user_of(found), found.seen, time.monotonic(), others)
            self._users.move_to_end(key)
            while len(self._users) > _MOST_KNOWN:
                self._users.popitem(last=False)
        now = wall_clock.now_ms()
        if now - known.seen > _SEEN_MS:
            known.seen = now
            with database():
                await self._store.change_user(known.user.id, seen=now)
        return known.user

    def forget(self, user_id: str) -> None:
        """Ask the database about somebody when it comes next."""
        for key in [key for key, known in self._users.items() if known.user.id == user_id]:
            del self._users[key]

    def end(self, user_id: str) -> None:
        """Whoever had this account is here no more."""
        self.forget(user_id)
        self._left(user_id)

    async def rename(self, who: User | None, name: str) -> User:
        """Another name, for tables from now on."""
        user = signed_in(who)
        cleaned = sanitize.name(name)
        with database():
            await self._store.change_user(user.id, name=cleaned)
        self.forget(user.id)
        return msgspec.structs.replace(user, name=cleaned)

    async def set_settings(self, who: User | None, settings: Settings) -> User:
        """What this person has set for all tables."""
        user = signed_in(who)
        chosen = _checked_settings(settings)
        with database():
            await self._store.change_user(user.id, settings=msgspec.structs.asdict(chosen))
        self.forget(user.id)
        return msgspec.structs.replace(user, settings=chosen)

    async def set_learning(self, who: User | None, learning: Learning) -> User:
        """What this person has learnt. Raises Refused where it is more than a person can have learnt."""
        user = signed_in(who)
        data = msgspec.to_builtins(learning)
        if len(msgspec.json.encode(data)) > _MOST_LEARNT:
            raise Refused("too_large", 413, f"what is kept of learning is at most {_MOST_LEARNT} bytes")
        with database():
            await self._store.change_user(user.id, learning=data)
        self.forget(user.id)
        return msgspec.structs.replace(user, learning=learning)

    async def set_coach(self, who: User | None, game: str, wanted: Coached) -> User:
        """Whether this person has a coach in a game."""
        user = signed_in(who)
        coach = {**user.learning.coach, game: wanted}
        return await self.set_learning(user, msgspec.structs.replace(user.learning, coach=coach))

    async def sits_down(self, user: User, game: str, *, first: bool = False) -> None:
        """Give a person who begins a game a coach if it is a first game, and take that coach away after one.

        Args:
            user: The person, who has taken a seat.
            game: The id of the game.
            first: Whether to treat it as a first game in any case.
        """
        coach = user.learning.coach.get(game)
        if first:
            await self.set_coach(user, game, "first")
        elif coach in (None, "first"):
            with database():
                finished = await self._store.has_finished(user.id, game)
            if finished and coach == "first":
                await self.set_coach(user, game, "off")
            elif not finished and coach is None:
                await self.set_coach(user, game, "first")

    async def recovery_token(self, who: User | None) -> str:
        """A secret that brings this person back on another device; it works until a new one is made."""
        user = signed_in(who)
        token = new_token()
        now = wall_clock.now_ms()
        row = TokenRow(token_hash(token), user.id, "recovery", now, now + _YEAR_MS)
        with database():
            await self._store.add_token(row, replace=True)
        return token

    async def recover(self, token: str, *, kind: str = "session") -> Login:
        """A new session for whose recovery token this is; all seats are kept, other devices stay signed in."""
        now = wall_clock.now_ms()
        with database():
            row = await self._store.user_by_token(token_hash(token[:100]), ["recovery"], now)
        if row is None:
            raise Refused("used", 410, "this recovery link isn't valid (any more)")
        fresh = new_token()
        with database():
            await self._store.add_token(TokenRow(token_hash(fresh), row.id, kind, now, now + _SESSION_MS))
        return Login(user_of(row), fresh)

    async def sign_out(self, token: str) -> None:
        """End a session or API token."""
        hashed = token_hash(token[:100])
        with database():
            user = await self._store.user_by_token(hashed, ["session", "api"], wall_clock.now_ms())
            await self._store.drop_token(hashed)
        for kind in ("session", "api"):
            self._users.pop(f"{kind}:{hashed}", None)
        if user is not None:
            self._left(user.id)


def user_of(row: UserRow) -> User:
    """A person as it is kept."""
    settings, calendar = msgspec.convert(row.settings, Settings), msgspec.convert(row.calendar, Calendar)
    return User(row.id, row.name, settings, calendar, msgspec.convert(row.learning, Learning))


def _checked_settings(settings: Settings) -> Settings:
    if settings.language not in ("", *LANGUAGES) or settings.theme not in ("auto", "light", "dark"):
        known = ", ".join(["''", *LANGUAGES])
        raise Refused("bad_option", 422, f"language: one of {known}; theme: auto, light or dark")
    return settings
