"""Credentials of accounts, and the names that accounts have for themselves.

Unique indexes decide races: of two users who want the same name or credential, one gets it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from sqlalchemy import Connection, delete, func, insert, select, update
from sqlalchemy.exc import IntegrityError

from . import schema
from .codec import encode, to_row, values
from .database import Postgres, Sqlite
from .rows import CredentialRow, NoticeRow, UserRow

_TABLE = schema.credentials
_USERS = schema.users
_FORMER = schema.former_names
_ENTRIES = schema.entries


class Taken(Exception):
    """Another user has the name or the credential; nothing was changed.

    Attributes:
        what: "name" or "credential".
    """

    def __init__(self, what: Literal["name", "credential"]) -> None:
        super().__init__(f"another user has this {what}")
        self.what: Literal["name", "credential"] = what


class LastCredential(Exception):
    """An account must keep one credential; nothing was changed."""


@dataclass(frozen=True, slots=True)
class AccountName:
    """The name with which a guest becomes an account.

    Attributes:
        name: The name.
        skeleton: Its skeleton.
        session_expires: Latest time at which the sessions of the guest expire.
    """

    name: str
    skeleton: str
    session_expires: int


@dataclass(frozen=True, slots=True)
class Rename:
    """A new name of a user.

    Attributes:
        user: The user.
        name: The name.
        skeleton: Its skeleton if the user has an account, else None.
        now: Time in milliseconds from which the next renaming has to wait; None for no wait.
        until: Time until which the old name of an account is reserved, in milliseconds.
    """

    user: UserRow
    name: str
    skeleton: str | None
    now: int | None
    until: int

    def write(self, connection: Connection) -> None:
        """Write the name, also to the user's entries in competitions.

        Args:
            connection: Connection inside a transaction.

        Raises:
            Taken: If another account has the name, or had it until recently.
        """
        user, changed = self.user, {"name": self.name, **({} if self.now is None else {"renamed": self.now})}
        if self.skeleton is not None:
            _require_free(connection, self.skeleton, user.id, self.now or 0)
            changed["skeleton"] = self.skeleton
            connection.execute(delete(_FORMER).where(_FORMER.c.skeleton.in_([self.skeleton, user.skeleton])))
        connection.execute(update(_USERS).where(_USERS.c.id == user.id).values(**changed))
        connection.execute(update(_ENTRIES).where(_ENTRIES.c.user_id == user.id).values(name=self.name))
        if self.skeleton is not None and user.skeleton != self.skeleton:
            former = {"skeleton": user.skeleton, "user_id": user.id, "until": self.until}
            connection.execute(insert(_FORMER), former)


class CredentialStore:
    """Reads and writes of credentials and account names."""

    def __init__(self, database: Sqlite | Postgres) -> None:
        self._database: Sqlite | Postgres = database

    async def of_user(self, user_id: str) -> list[CredentialRow]:
        """Return a user's credentials, oldest first."""
        query = select(_TABLE).where(_TABLE.c.user_id == user_id).order_by(_TABLE.c.created, _TABLE.c.id)
        return await self._database.read(lambda c: [to_row(CredentialRow, row) for row in c.execute(query)])

    async def find(self, kind: str, subject: str) -> CredentialRow | None:
        """Return the credential with this subject, or None."""
        query = select(_TABLE).where(_TABLE.c.kind == kind, _TABLE.c.subject == subject)
        found = await self._database.read(lambda c: [to_row(CredentialRow, row) for row in c.execute(query)])
        return found[0] if found else None

    async def add(
        self, row: CredentialRow, account: AccountName, now: int, notice: NoticeRow, *, replace: bool = False
    ) -> None:
        """Add a credential; the first one turns a guest into an account.

        Args:
            row: The credential.
            account: The name of a new account; unused if the user has an account.
            now: The current time in milliseconds.
            notice: Notice for the user.
            replace: Whether to delete the user's other credentials of this kind.

        Raises:
            Taken: If another user has the name or the credential.
        """

        def work(connection: Connection) -> None:
            """Add credential and notice, and change the user."""
            kind = connection.scalar(select(_USERS.c.kind).where(_USERS.c.id == row.user_id).with_for_update())
            if kind != "account":
                _require_free(connection, account.skeleton, row.user_id, now)
                changed = {"kind": "account", "name": account.name, "skeleton": account.skeleton}
                connection.execute(update(_USERS).where(_USERS.c.id == row.user_id).values(**changed))
                tokens = schema.tokens
                late = (tokens.c.user_id == row.user_id) & (tokens.c.kind == "session")
                late &= tokens.c.expires > account.session_expires
                connection.execute(update(tokens).where(late).values(expires=account.session_expires))
            if replace:
                same = (_TABLE.c.user_id == row.user_id) & (_TABLE.c.kind == row.kind)
                connection.execute(delete(_TABLE).where(same))
            connection.execute(insert(_TABLE), values(row))
            connection.execute(insert(schema.notices), values(notice))

        await self._write(work)

    async def replace(self, old: CredentialRow, new: CredentialRow) -> bool:
        """Replace a credential that works once, and return whether it still existed."""

        def work(connection: Connection) -> bool:
            """Replace the credential."""
            same = (_TABLE.c.id == old.id) & (_TABLE.c.subject == old.subject)
            if connection.execute(delete(_TABLE).where(same)).rowcount != 1:
                return False
            connection.execute(insert(_TABLE), values(new))
            return True

        return await self._database.write(work)

    async def change(self, id: str, **given: Any) -> None:
        """Write some columns of a credential.

        Args:
            id: The credential.
            **given: Values by column: `last_used`, `label` or `data`.
        """
        plain = {name: encode(value).decode() if name == "data" else value for name, value in given.items()}
        statement = update(_TABLE).where(_TABLE.c.id == id).values(**plain)
        await self._database.write(lambda connection: connection.execute(statement))

    async def remove(self, id: str, user_id: str, notice: NoticeRow) -> bool:
        """Delete a credential of an account.

        Args:
            id: The credential.
            user_id: The user that must own it.
            notice: Notice for the user.

        Returns:
            Whether the user had it.

        Raises:
            LastCredential: If the user has no other one.
        """
        mine = _TABLE.c.user_id == user_id

        def work(connection: Connection) -> bool:
            """Delete the credential, one user at a time."""
            connection.execute(select(_USERS.c.id).where(_USERS.c.id == user_id).with_for_update())
            if not connection.execute(delete(_TABLE).where(mine, _TABLE.c.id == id)).rowcount:
                return False
            if not connection.scalar(select(func.count()).select_from(_TABLE).where(mine)):
                raise LastCredential
            connection.execute(insert(schema.notices), values(notice))
            return True

        return await self._database.write(work)

    async def account_of(self, skeleton: str) -> UserRow | None:
        """Return the account whose name has this skeleton, or None."""
        query = select(_USERS).where(_USERS.c.skeleton == skeleton)
        found = await self._database.read(lambda c: [to_row(UserRow, row) for row in c.execute(query)])
        return found[0] if found else None

    # -- names -------------------------------------------------------------------------------------

    async def rename(self, rename: Rename) -> None:
        """Give a user another name; the old name of an account stays reserved for it.

        Args:
            rename: The new name.

        Raises:
            Taken: If another account has the new name, or had it until recently.
        """
        await self._write(rename.write)

    async def _write(self, work: Any) -> None:
        try:
            await self._database.write(work)
        except IntegrityError as error:
            raise Taken("name" if "skeleton" in str(error.orig) else "credential") from None


def _require_free(connection: Connection, skeleton: str, user_id: str, now: int) -> None:
    """Check that no other user has a name, or had it until recently.

    Args:
        connection: Connection inside a transaction.
        skeleton: The name, reduced to how it looks.
        user_id: Id of the user.
        now: The time in ms since 1970.

    Raises:
        Taken: If another user has it.
    """
    connection.execute(delete(_FORMER).where(_FORMER.c.until <= now))
    users = select(_USERS.c.id).where(_USERS.c.skeleton == skeleton, _USERS.c.id != user_id)
    former = select(_FORMER.c.user_id).where(_FORMER.c.skeleton == skeleton, _FORMER.c.user_id != user_id)
    if connection.scalar(users) is not None or connection.scalar(former) is not None:
        raise Taken("name")
