"""Reports, sanctions, roles and the audit log."""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final

from sqlalchemy import Connection, and_, delete, func, insert, or_, select, update
from sqlalchemy.exc import IntegrityError

from . import schema
from .bus import NOTIFY
from .codec import encode, to_row, values
from .credentials import Rename, Taken
from .database import Postgres, Sqlite
from .jobs import set_job
from .notices import add_if_new
from .rows import AuditRow, JobRow, NoticeRow, ReportRow, SanctionRow, UserRow
from .statements import Rows

FOREVER_MS: Final = 253_370_764_800_000
"""Start of the year 9999: the end of what has no end."""
LASTING: Final = {"mute": "muted_until", "ban": "banned_until", "unrated": "unrated_until"}
"""Kinds of sanctions that last, and the column of users that follows from them."""

_USERS = schema.users
_REPORTS = schema.reports
_SANCTIONS = schema.sanctions
_AUDIT = schema.audit_log
_MOST: Final = 200
_DAY_MS: Final = 86_400_000
_NEW_GUESTS_MS: Final = _DAY_MS


def subject_hash(key: str, kind: str, subject: str) -> str:
    """Return the hash under which a sanction outlives the account of a credential.

    Args:
        key: Id of the database.
        kind: Kind of the credential.
        subject: Its subject.
    """
    return hashlib.sha256(f"{key}\nsanction\n{kind}\n{subject}".encode()).hexdigest()


def network_hash(key: str, network: str) -> str:
    """Return the hash of a network of a session; `key` is the id of the database."""
    return hashlib.sha256(f"{key}\nnetwork\n{network}".encode()).hexdigest()[:16]


@dataclass(frozen=True, slots=True)
class ModerationWrites:
    """Rows that are written together with a change.

    Attributes:
        audit: Rows of the audit log.
        notices: Notices for the persons concerned.
        jobs: Jobs that do the rest.
        payload: Payload for other servers (PostgreSQL only), or "" to send none.
        rename: A new name of the person concerned, or None.
    """

    audit: Sequence[AuditRow] = ()
    notices: Sequence[NoticeRow] = ()
    jobs: Sequence[JobRow] = ()
    payload: str = field(default="")
    rename: Rename | None = None


class ModerationStore:
    """Reads and writes of reports, sanctions, roles and the audit log."""

    def __init__(self, database: Sqlite | Postgres) -> None:
        self._database: Sqlite | Postgres = database
        self._dialect: str = database.url.get_backend_name()
        self._set_job: Rows = Rows(database.writer.dialect, set_job(self._dialect), JobRow)

    def _write_with(self, connection: Connection, writes: ModerationWrites) -> None:
        """Write the rows that belong to a change."""
        for table, rows in ((_AUDIT, writes.audit),):
            if rows:
                connection.execute(insert(table), [values(row) for row in rows])
        if writes.notices:
            connection.execute(add_if_new(self._dialect), [values(row) for row in writes.notices])
        self._set_job.write(connection, writes.jobs)
        if writes.payload:
            connection.execute(NOTIFY, {"payload": writes.payload})

    async def _reports(self, *conditions: Any, limit: int = _MOST) -> list[ReportRow]:
        query = select(_REPORTS).where(*conditions).order_by(_REPORTS.c.created, _REPORTS.c.id).limit(limit)
        return await self._database.read(lambda c: [to_row(ReportRow, row) for row in c.execute(query)])

    async def _sanctions(self, *conditions: Any) -> list[SanctionRow]:
        query = select(_SANCTIONS).where(*conditions).order_by(_SANCTIONS.c.begins.desc(), _SANCTIONS.c.id)
        return await self._database.read(lambda c: [to_row(SanctionRow, row) for row in c.execute(query.limit(_MOST))])

    # -- reports -----------------------------------------------------------------------------------

    async def add_report(self, row: ReportRow) -> bool:
        """Add a report, unless its reporter has an open one about the same.

        Args:
            row: The report. Its weight is replaced by the accuracy of the reporter.

        Returns:
            Whether it was added.
        """
        mine = _REPORTS.c.reporter_id == row.reporter_id
        same = select(_REPORTS.c.id).where(mine, _REPORTS.c.subject == row.subject, _REPORTS.c.state != "closed")
        outcomes = select(_REPORTS.c.outcome, func.count()).where(mine, _REPORTS.c.state == "closed")

        def work(connection: Connection) -> bool:
            """Add the report with its weight."""
            weight = row.weight
            if row.reporter_id is not None:
                if connection.scalar(same) is not None:
                    return False
                grouped = connection.execute(outcomes.group_by(_REPORTS.c.outcome))
                counts = {str(row[0]): int(row[1]) for row in grouped}
                weight = 100 * (counts.get("upheld", 0) + 1) // (sum(counts.values()) + 2)
            connection.execute(insert(_REPORTS), values(replace(row, weight=weight)))
            return True

        return await self._database.write(work)

    async def report(self, id: str) -> ReportRow | None:
        """Return the report with this id, or None."""
        found = await self._reports(_REPORTS.c.id == id)
        return found[0] if found else None

    async def open_reports(self) -> list[ReportRow]:
        """Return the reports that aren't closed, oldest first."""
        return await self._reports(_REPORTS.c.state != "closed", limit=10 * _MOST)

    async def reports_of_subject(self, subject: str) -> list[ReportRow]:
        """Return the open reports about the same thing, oldest first."""
        return await self._reports(_REPORTS.c.subject == subject, _REPORTS.c.state != "closed")

    async def reports_about(self, user_id: str) -> list[ReportRow]:
        """Return the reports about a user, oldest first."""
        return await self._reports(_REPORTS.c.user_id == user_id)

    async def reports_by(self, user_id: str) -> list[ReportRow]:
        """Return the reports of a user, oldest first."""
        return await self._reports(_REPORTS.c.reporter_id == user_id)

    async def take_report(self, subject: str, moderator_id: str, writes: ModerationWrites) -> None:
        """Store who works on the open reports about one thing.

        Args:
            subject: Text that the reports have in common.
            moderator_id: The moderator.
            writes: Rows to write with it.
        """
        open_ = (_REPORTS.c.subject == subject, _REPORTS.c.state != "closed")
        statement = update(_REPORTS).where(*open_).values(state="taken", moderator_id=moderator_id)

        def work(connection: Connection) -> None:
            """Change the reports."""
            connection.execute(statement)
            self._write_with(connection, writes)

        await self._database.write(work)

    async def close_reports(
        self, ids: Sequence[str], outcome: str, moderator_id: str | None, now: int, writes: ModerationWrites
    ) -> bool:
        """Close reports; mail addresses of reporters are deleted.

        Args:
            ids: The reports.
            outcome: "upheld" or "rejected".
            moderator_id: The moderator.
            now: The current time in milliseconds.
            writes: Rows to write with it.

        Returns:
            Whether one of them was open. Otherwise nothing was written.
        """
        open_ = (_REPORTS.c.id.in_(ids), _REPORTS.c.state != "closed")
        closed = {"state": "closed", "outcome": outcome, "moderator_id": moderator_id, "closed": now, "contact": ""}

        def work(connection: Connection) -> bool:
            """Close the reports."""
            if not connection.execute(update(_REPORTS).where(*open_).values(**closed)).rowcount:
                return False
            self._write_with(connection, writes)
            return True

        return await self._database.write(work)

    # -- sanctions ---------------------------------------------------------------------------------

    async def sanction(self, id: str) -> SanctionRow | None:
        """Return the sanction with this id, or None."""
        found = await self._sanctions(_SANCTIONS.c.id == id)
        return found[0] if found else None

    async def sanctions_of(self, user_id: str) -> list[SanctionRow]:
        """Return the sanctions of a user, newest first."""
        return await self._sanctions(_SANCTIONS.c.user_id == user_id)

    async def objections(self) -> list[SanctionRow]:
        """Return the sanctions with an objection that isn't decided, newest first."""
        return await self._sanctions(_SANCTIONS.c.objection != "", _SANCTIONS.c.verdict == "")

    async def impose(self, row: SanctionRow, now: int, writes: ModerationWrites) -> None:
        """Add a sanction, and write what follows from it to its user.

        Args:
            row: The sanction.
            now: The current time in milliseconds.
            writes: Rows to write with it.

        Raises:
            Taken: If another account has the new name. Nothing is written then.
        """

        def work(connection: Connection) -> None:
            """Add the sanction."""
            if writes.rename is not None:
                writes.rename.write(connection)
            if row.kind == "ban":
                row.networks = _networks(connection, row.user_id or "")
            connection.execute(insert(_SANCTIONS), values(row))
            _derive(connection, row.user_id or "", now, unread=True)
            self._write_with(connection, writes)

        try:
            await self._database.write(work)
        except IntegrityError as error:
            raise Taken("name") from error

    async def change_sanction(
        self,
        id: str,
        user_id: str | None,
        expected: Mapping[str, Any],
        given: Mapping[str, Any],
        now: int,
        writes: ModerationWrites = ModerationWrites(),
        *,
        unread: bool = True,
    ) -> bool:
        """Write some columns of a sanction, and what follows from it to its user.

        Args:
            id: The sanction.
            user_id: Its user.
            expected: Values by column that must be unchanged.
            given: New values by column.
            now: The current time in milliseconds.
            writes: Rows to write with it.
            unread: Whether the pages notify the user.

        Returns:
            Whether it was unchanged. Otherwise nothing was written.
        """
        conditions = [_SANCTIONS.c[name] == value for name, value in expected.items()]

        def work(connection: Connection) -> bool:
            """Change the sanction."""
            statement = update(_SANCTIONS).where(_SANCTIONS.c.id == id, *conditions).values(**given)
            if not connection.execute(statement).rowcount:
                return False
            if user_id is not None:
                _derive(connection, user_id, now, unread=unread)
            self._write_with(connection, writes)
            return True

        return await self._database.write(work)

    async def adopt(self, user_id: str, hash: str, now: int) -> bool:
        """Apply sanctions of a deleted account to the account that has its credential now.

        Args:
            user_id: The new account.
            hash: Hash of the credential; see `subject_hash`.
            now: The current time in milliseconds.

        Returns:
            Whether there were any.
        """
        lasting = and_(_SANCTIONS.c.subject_hash == hash, _is_active(now))

        def work(connection: Connection) -> bool:
            """Give the sanctions to the user."""
            statement = update(_SANCTIONS).where(lasting).values(user_id=user_id, subject_hash=None)
            if not connection.execute(statement).rowcount:
                return False
            _derive(connection, user_id, now, unread=True)
            return True

        return await self._database.write(work)

    async def limit_of_network(self, network: str, now: int) -> int | None:
        """Return until when new guests of a network have limits, or None.

        Args:
            network: Hash of the network.
            now: The current time in milliseconds.
        """
        recent = (_SANCTIONS.c.kind == "ban", _SANCTIONS.c.begins > now - _NEW_GUESTS_MS)
        named = _SANCTIONS.c.networks.contains(f'"{network}"', autoescape=True)
        query = select(func.max(_SANCTIONS.c.begins)).where(*recent, named, _SANCTIONS.c.lifted.is_(None))
        begins = await self._database.read(lambda connection: connection.scalar(query))
        return None if begins is None else int(begins) + _NEW_GUESTS_MS

    # -- people ------------------------------------------------------------------------------------

    async def _users(self, *conditions: Any) -> list[UserRow]:
        query = select(_USERS).where(*conditions).order_by(_USERS.c.seen.desc(), _USERS.c.id).limit(_MOST)
        return await self._database.read(lambda c: [to_row(UserRow, row) for row in c.execute(query)])

    async def users(self, ids: Sequence[str]) -> dict[str, UserRow]:
        """Return users by id."""
        return {row.id: row for row in await self._users(_USERS.c.id.in_(ids))}

    async def users_named(self, name: str, skeleton: str) -> list[UserRow]:
        """Return the users with a name, the most recently active first.

        Args:
            name: The name, in any case.
            skeleton: Its skeleton, by which an account is found.
        """
        named = or_(_USERS.c.name == name, func.lower(_USERS.c.name) == name.lower())  # SQLite lowers ASCII only
        return await self._users(or_(named, _USERS.c.skeleton == skeleton))

    async def staff(self) -> list[UserRow]:
        """Return the users with a role."""
        return await self._users(_USERS.c.role != "")

    async def set_role(self, user_id: str, role: str, writes: ModerationWrites) -> None:
        """Give a role to a user.

        Args:
            user_id: The user.
            role: The role, or "" to take it away.
            writes: Rows to write with it.
        """

        def work(connection: Connection) -> None:
            """Change the role."""
            connection.execute(update(_USERS).where(_USERS.c.id == user_id).values(role=role))
            self._write_with(connection, writes)

        await self._database.write(work)

    async def write(self, writes: ModerationWrites) -> None:
        """Write rows that belong to no other change."""
        await self._database.write(lambda connection: self._write_with(connection, writes))

    async def shared_networks(self, user_id: str) -> list[UserRow]:
        """Return the other users with a session in a network of a user's sessions."""
        tokens = schema.tokens.c
        mine = select(tokens.network).where(tokens.user_id == user_id, tokens.network.is_not(None))
        others = select(tokens.user_id).where(tokens.network.in_(mine), tokens.user_id != user_id)
        return await self._users(_USERS.c.id.in_(others))

    async def clear_networks(self, before: int) -> None:
        """Delete the networks of sessions that weren't used since a time."""
        tokens = schema.tokens
        old = update(tokens).where(tokens.c.network.is_not(None), tokens.c.last_used < before).values(network=None)
        await self._database.write(lambda connection: connection.execute(old))

    # -- the audit log -----------------------------------------------------------------------------

    async def audit(self, limit: int, *, subject: str = "") -> list[AuditRow]:
        """Return the newest rows of the audit log, of all subjects or of one."""
        query = select(_AUDIT).order_by(_AUDIT.c.created.desc(), _AUDIT.c.id).limit(limit)
        query = query.where(_AUDIT.c.subject == subject) if subject else query
        return await self._database.read(lambda c: [to_row(AuditRow, row) for row in c.execute(query)])

    async def sweep(self, before: int) -> None:
        """Delete reports, sanctions and rows of the audit log that ended before a time."""
        ended = func.coalesce(_SANCTIONS.c.lifted, _SANCTIONS.c.ends, _SANCTIONS.c.begins)
        lasting = _SANCTIONS.c.kind.in_(LASTING) & _SANCTIONS.c.ends.is_(None) & _SANCTIONS.c.lifted.is_(None)

        def work(connection: Connection) -> None:
            """Delete the rows."""
            connection.execute(delete(_AUDIT).where(_AUDIT.c.created < before))
            connection.execute(delete(_REPORTS).where(_REPORTS.c.closed < before))
            connection.execute(delete(_SANCTIONS).where(ended < before, ~lasting))

        await self._database.write(work)


def _is_active(now: int) -> Any:
    """Return the condition that a sanction applies now."""
    ends = or_(_SANCTIONS.c.ends.is_(None), _SANCTIONS.c.ends > now)
    return and_(_SANCTIONS.c.kind.in_(LASTING), _SANCTIONS.c.lifted.is_(None), ends)


def _networks(connection: Connection, user_id: str) -> list[str]:
    """Return the networks of a user's sessions."""
    tokens = schema.tokens.c
    mine = select(tokens.network).where(tokens.user_id == user_id, tokens.network.is_not(None)).distinct()
    return sorted(connection.scalars(mine))


def _derive(connection: Connection, user_id: str, now: int, *, unread: bool) -> None:
    """Write to a user what follows from the sanctions.

    Args:
        connection: Connection inside a transaction.
        user_id: The user.
        now: The current time in milliseconds.
        unread: Whether something new waits to be read.
    """
    found: dict[str, Any] = dict.fromkeys(LASTING.values())
    active = select(_SANCTIONS.c.kind, _SANCTIONS.c.ends).where(_SANCTIONS.c.user_id == user_id, _is_active(now))
    for kind, ends in connection.execute(active):
        column = LASTING[kind]
        found[column] = max(found[column] or 0, FOREVER_MS if ends is None else ends)
    if unread:
        found["unread"] = True
    connection.execute(update(_USERS).where(_USERS.c.id == user_id).values(**found))


def forget_user(connection: Connection, user_id: str, hashes: Sequence[str], now: int) -> None:
    """Remove a user whose account is deleted from reports, sanctions and the audit log.

    Sanctions that still apply stay under the hashes of the account's credentials, and recent bans
    with the networks that they name.

    Args:
        connection: Connection inside a transaction.
        user_id: The user.
        hashes: Hashes of the credentials; see `subject_hash`.
        now: The current time in milliseconds.
    """
    mine = _SANCTIONS.c.user_id == user_id
    lasting = [to_row(SanctionRow, row) for row in connection.execute(select(_SANCTIONS).where(mine, _is_active(now)))]
    connection.execute(delete(_SANCTIONS).where(mine))
    for row in lasting:
        under: list[str | None] = [*hashes]
        if not under and row.kind == "ban" and row.begins > now - _NEW_GUESTS_MS and row.networks:
            under = [None]
        for hash in under:
            nameless = replace(row, id=secrets.token_hex(8), user_id=None, subject_hash=hash, text="", objection="")
            connection.execute(insert(_SANCTIONS), values(replace(nameless, data={}, report_id=None)))
    named = _REPORTS.c.context.contains(f'"{user_id}"', autoescape=True)
    for report in [to_row(ReportRow, row) for row in connection.execute(select(_REPORTS).where(named))]:
        context = encode(_without_user(report.context, user_id)).decode()
        connection.execute(update(_REPORTS).where(_REPORTS.c.id == report.id).values(context=context))
    about, theirs = _REPORTS.c.user_id == user_id, _REPORTS.c.reporter_id == user_id
    connection.execute(update(_REPORTS).where(_REPORTS.c.subject == f"user:{user_id}").values(subject=_REPORTS.c.id))
    connection.execute(update(_REPORTS).where(about).values(user_id=None))
    connection.execute(update(_REPORTS).where(theirs).values(reporter_id=None, contact=""))
    connection.execute(update(_AUDIT).where(_AUDIT.c.subject == user_id).values(subject="", data="{}"))
    for table in (_REPORTS, _SANCTIONS):
        connection.execute(update(table).where(table.c.moderator_id == user_id).values(moderator_id=None))
    connection.execute(update(_AUDIT).where(_AUDIT.c.actor_id == user_id).values(actor_id=None))


def _without_user(value: Any, user_id: str) -> Any:
    """Return the context of a report without the name and id of a user."""
    if isinstance(value, list):
        return [_without_user(each, user_id) for each in value]
    if not isinstance(value, dict):
        return value
    inner = {key: _without_user(each, user_id) for key, each in value.items()}
    return {**inner, "user": None, "name": ""} if inner.get("user") == user_id else inner
