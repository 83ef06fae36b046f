"""Credentials: ways to prove who a user is. The first one turns a guest into an account."""

from __future__ import annotations

import contextlib
import hashlib
import secrets
from dataclasses import dataclass
from datetime import datetime
from typing import ClassVar, Final

from msgspec import Struct

from atoll.store import AccountName, CredentialRow, LastCredential, NoticeRow, Store, Taken, subject_hash

from ..domain import wall_clock
from ..domain.limits import Limits
from ..domain.model import Login, Refused, User
from ..domain.notices import ACCOUNT
from ..domain.skeleton import skeleton
from ..table import permissions
from ..table.live_table import LiveTable
from .commands import Command
from .executor import CommandExecutor
from .store_errors import refuse_on_store_error
from .table_lists import moment
from .users import ACCOUNT_SESSION_MS, Users, name_taken

CODE: Final = "code"
_ALPHABET: Final = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
"""Crockford's base 32, without I, L, O and U."""
_MISREAD: Final = str.maketrans({"O": "0", "I": "1", "L": "1", " ": None, "-": None})
_GROUPS: Final = 4
_GROUP: Final = 5  # four groups of five characters have 100 random bits


class Credential(Struct, frozen=True):
    """A way to prove who a user is.

    Attributes:
        id: Id of the credential.
        kind: "passkey", "mail", "oidc" (OpenID Connect), or "code" for a printed code.
        label: Name that the user knows it by, or "".
        created: Time of creation.
        last_used: Time of the last use, or None.
    """

    id: str
    kind: str
    label: str
    created: datetime
    last_used: datetime | None


class Credentials:
    """Credentials of users."""

    def __init__(self, executor: CommandExecutor, limits: Limits, users: Users) -> None:
        self._executor: CommandExecutor = executor
        self._store: Store = executor.store
        self._limits: Limits = limits
        self._users: Users = users

    async def mine(self, who: User | None) -> tuple[Credential, ...]:
        """Return the user's credentials, oldest first.

        Args:
            who: The user, or None.

        Raises:
            Refused: If the user isn't signed in.
        """
        user = permissions.require_user(who)
        with refuse_on_store_error():
            rows = await self._store.credentials.of_user(user.id)
        return tuple(map(_credential_of, rows))

    async def remove(self, who: User | None, id: str) -> None:
        """Remove a credential; no session ends.

        Args:
            who: The user.
            id: The credential.

        Raises:
            Refused: If the user has no such credential, or no other one.
        """
        user = permissions.require_user(who)
        with refuse_on_store_error():
            found = next((row for row in await self._store.credentials.of_user(user.id) if row.id == id), None)
        if found is None:
            raise Refused("no_page", 404, "credential not found")
        try:
            with refuse_on_store_error():
                await self._store.credentials.remove(id, user.id, self.notice(user.id, f"{found.kind}_removed"))
        except LastCredential:
            raise Refused("last_credential", 409, "an account needs a credential: add another one first") from None
        self._executor.on_notice()

    async def add(self, user: User, row: CredentialRow, name: str, *, replace: bool = False) -> None:
        """Store a credential that was proven; a guest becomes an account.

        Args:
            user: The user.
            row: The credential.
            name: Name of a new account, as it was typed; "" for the guest's name.
            replace: Whether it replaces the user's other credentials of its kind.

        Raises:
            Refused: If another user has the name or the credential.
        """
        # An account's name, which may have become a reserved one, isn't checked again.
        named = user.name if user.has_account else self._users.checked_name(name or user.name)
        now = wall_clock.now_ms()
        account = AccountName(named, skeleton(named), now + ACCOUNT_SESSION_MS)
        try:
            with refuse_on_store_error():
                notice = self.notice(user.id, f"{row.kind}_added")
                await self._store.credentials.add(row, account, now, notice, replace=replace)
        except Taken as error:
            refused = Refused("credential_taken", 409, "this credential belongs to another account")
            if error.what == "name":
                refused = name_taken(named)
            raise refused from None
        with refuse_on_store_error():
            adopted = await self._store.moderation.adopt(
                user.id, subject_hash(self._store.id, row.kind, row.subject), now
            )
        self._executor.on_notice()
        if adopted:
            self._users.end(user.id)
        self._users.forget(user.id)
        if not user.has_account:
            await self._unmark(user, account.skeleton)

    async def _unmark(self, user: User, account: str) -> None:
        """Show at all tables of a user that the user isn't a guest any more.

        Args:
            user: The user.
            account: Skeleton of the account's name.
        """
        with refuse_on_store_error():
            tables = await self._store.accounts.tables_of(user.id)
        for table in tables:
            # A table that is busy or broken keeps the mark.
            with contextlib.suppress(Refused):
                await self._executor.execute(table, UnmarkGuest(user.id, account))

    def notice(self, user_id: str, what: str) -> NoticeRow:
        """Return a notice about a user's account for all channels.

        Args:
            user_id: The user.
            what: The event, for the message `notice.account.<what>`.
        """
        now = wall_clock.now_ms()
        return NoticeRow(f"{ACCOUNT}:{secrets.token_hex(8)}", user_id, ACCOUNT, None, {"what": what}, now, now)

    # -- printed codes -----------------------------------------------------------------------------

    async def add_code(self, who: User | None, name: str = "") -> str:
        """Return a new printed code; it replaces the previous one.

        Args:
            who: The user.
            name: Name of a new account, as it was typed; "" for the guest's name.

        Raises:
            Refused: If the name isn't valid or not available.
        """
        user = permissions.require_user(who)
        self._limits.hit("account", user.id)
        code = _new_code()
        await self.add(user, _code_row(user.id, code), name, replace=True)
        return code

    async def sign_in_with_code(self, code: str, device: str) -> tuple[Login, str]:
        """Sign in with a printed code, which works once.

        Args:
            code: The code as it was typed.
            device: Browser and system, or "".

        Returns:
            The user with a new session, and the code that replaces the used one.

        Raises:
            Refused: If the code isn't valid.
        """
        fresh, done = _new_code(), False
        with refuse_on_store_error():
            row = await self._store.credentials.find(CODE, _code_hash(code))
            if row is not None:
                done = await self._store.credentials.replace(row, _code_row(row.user_id, fresh))
        if row is None or not done:
            raise Refused("bad_code", 422, "this code isn't valid")
        return await self._users.sign_in(row.user_id, device=device), fresh


@dataclass(slots=True)
class UnmarkGuest(Command[None]):
    """Show that a player isn't a guest any more.

    A seat with another name than the account's keeps its mark: the name may belong to another
    account, or the seat to another person on the same device.

    Attributes:
        user_id: The user.
        account: Skeleton of the account's name.
    """

    name: ClassVar[str] = "unmark"
    requires_visibility: ClassVar[bool] = False
    user_id: str
    account: str
    user: None = None

    def apply(self, live: LiveTable, now: int) -> None:
        """Remove the mark from the seat with the account's name."""
        for seat in live.seats_of(self.user_id):
            row = live.seats[seat]
            if row.guest and skeleton(row.name) == self.account:
                row.guest = False
                live.mark_changed(seat)


def _credential_of(row: CredentialRow) -> Credential:
    used = None if row.last_used is None else moment(row.last_used)
    return Credential(row.id, row.kind, row.label, moment(row.created), used)


def _new_code() -> str:
    """Return a new printed code: four groups of five characters."""
    bits = secrets.randbits(5 * _GROUP * _GROUPS)
    letters = [_ALPHABET[bits >> 5 * at & 31] for at in range(_GROUP * _GROUPS)]
    return "-".join("".join(letters[at : at + _GROUP]) for at in range(0, len(letters), _GROUP))


def _code_hash(code: str) -> str:
    """Return the hash of a printed code, whatever its case, blanks and hyphens."""
    return hashlib.sha256(code[:100].upper().translate(_MISREAD).encode()).hexdigest()


def _code_row(user_id: str, code: str) -> CredentialRow:
    return CredentialRow(secrets.token_hex(8), user_id, CODE, _code_hash(code), "", wall_clock.now_ms())
