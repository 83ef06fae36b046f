"""Sanctions: what moderators and operators do about a person, for pages and the command line.

Each act is one transaction with a row of the audit log, a notice to the person and a job for
everything that the running server must do, such as replacing a banned player at tables.
"""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Final

from msgspec import Struct

from atoll.store import AuditRow, JobRow, ModerationWrites, NoticeRow, SanctionRow, Store, Taken, UserRow, subject_hash

from ..domain import sanitize, wall_clock
from ..domain.model import Refused, User
from ..domain.notices import CONDUCT
from ..domain.skeleton import skeleton
from ..domain.standing import ACTIONS, REASONS, ROLES
from ..table import permissions
from .executor import ended_payload
from .store_errors import refuse_on_store_error
from .table_lists import moment
from .users import Users, name_taken, rename_of

LONGEST_DAYS: Final = 365
"""Longest sanction that ends, in days."""

TIMED: Final = ("mute", "unrated", "ban")
"""Actions with a duration."""

_DAY_MS: Final = 86_400_000
_LATER_MS: Final = 30_000
_JOBS: Final = {"ban": "ban", "rename": "rename", "close": "close"}


class Sanction(Struct, frozen=True):
    """A sanction, as the person concerned reads it.

    Attributes:
        id: Id of the sanction.
        kind: The action.
        begins: Time from which it applies.
        ends: Time until which it applies; None for a single act, or without an end.
        reason: The reason.
        text: The moderator's statement.
        lifted: Time at which it was lifted, or None.
        objection: The person's objection, or "".
        verdict: "rejected" or "lifted" after the decision about the objection; else "".
        table: Id of the table that it is about, or "".
    """

    id: str
    kind: str
    begins: datetime
    ends: datetime | None
    reason: str
    text: str
    lifted: datetime | None
    objection: str
    verdict: str
    table: str = ""


def sanction_of(row: SanctionRow) -> Sanction:
    """Return a sanction of a row."""
    ends, lifted = (None if at is None else moment(at) for at in (row.ends, row.lifted))
    times = (moment(row.begins), ends)
    table = str(row.data.get("table", ""))
    return Sanction(row.id, row.kind, *times, row.reason, row.text, lifted, row.objection, row.verdict, table)


@dataclass(frozen=True, slots=True)
class Decision:
    """A sanction to impose.

    Attributes:
        kind: One of `ACTIONS`.
        reason: One of `REASONS`.
        text: The statement for the person.
        days: Duration of a timed action; 0 for a ban without an end.
        name: The new name, for "rename".
        table: Id of the table, for "hide" and "close".
        message: Number of the message, for "hide".
        report_id: The report that led to it, or None.
    """

    kind: str
    reason: str
    text: str
    days: int = 0
    name: str = ""
    table: str = ""
    message: int | None = None
    report_id: str | None = None


async def credential_hashes(store: Store, user_id: str) -> list[str]:
    """Return the hashes under which sanctions outlive an account; see `subject_hash`."""
    return [subject_hash(store.id, row.kind, row.subject) for row in await store.credentials.of_user(user_id)]


def audit_row(actor_id: str | None, action: str, subject: str, **data: Any) -> AuditRow:
    """Return a new row of the audit log.

    Args:
        actor_id: The moderator; None for the command line.
        action: Name of the act.
        subject: Id of the user, table or report.
        **data: Further facts.
    """
    return AuditRow(secrets.token_hex(8), wall_clock.now_ms(), actor_id, action, subject, data)


def conduct_notice(user_id: str, what: str) -> NoticeRow:
    """Return a notice about house rules.

    Args:
        user_id: The recipient.
        what: The event, for the message `notice.conduct.<what>`.
    """
    now = wall_clock.now_ms()
    return NoticeRow(f"{CONDUCT}:{secrets.token_hex(8)}", user_id, CONDUCT, None, {"what": what}, now, now)


def house_job(kind: str, subject: str, *, delay_ms: int = _LATER_MS) -> JobRow:
    """Return the job with which a running server completes an act.

    Args:
        kind: "ban", "rename", "close" or "ended".
        subject: Id of the user or table.
        delay_ms: Milliseconds until it is due.
    """
    return JobRow(f"{kind}:{subject}", kind, None, wall_clock.now_ms() + delay_ms, secrets.token_hex(4))


@dataclass(slots=True)
class Actor:
    """The moderator or operator who acts.

    Attributes:
        user_id: Id of the user; None for the command line.
        sender: Id of the process, for the other servers.
        delay_ms: Milliseconds after which another server completes the act.
    """

    user_id: str | None = None
    sender: str = "admin"
    delay_ms: int = field(default=0)


async def impose(store: Store, actor: Actor, user: UserRow, given: Decision) -> JobRow | None:
    """Impose a sanction on a person.

    Args:
        store: The database.
        actor: The moderator or operator.
        user: The person.
        given: The sanction.

    Returns:
        The job that completes it, or None.

    Raises:
        Refused: If the sanction isn't valid, or another account has the new name.
    """
    now = wall_clock.now_ms()
    text = _checked(given)
    data: dict[str, Any] = {}
    rename = rename_of(user, sanitize.name(given.name), fixed=True) if given.kind == "rename" else None
    if given.table:
        data["table"] = given.table
    if given.message is not None:
        data["message"] = given.message
    ends = now + given.days * _DAY_MS if given.kind in TIMED and given.days else None
    row = SanctionRow(
        secrets.token_hex(8), user.id, given.kind, now, ends, given.reason, text, actor.user_id, given.report_id, data
    )
    jobs = []
    if given.kind in _JOBS:
        subject = given.table if given.kind == "close" else user.id
        jobs.append(house_job(_JOBS[given.kind], subject, delay_ms=actor.delay_ms))
    facts = {"reason": given.reason, "days": given.days, **data}
    if rename is not None:
        facts |= {"from": user.name, "to": rename.name}
    writes = ModerationWrites(
        audit=[audit_row(actor.user_id, given.kind, user.id, sanction=row.id, text=text, **facts)],
        notices=[conduct_notice(user.id, given.kind)],
        jobs=jobs,
        payload=ended_payload(store, actor.sender, user.id),
        rename=rename,
    )
    try:
        with refuse_on_store_error():
            await store.moderation.impose(row, now, writes)
    except Taken:
        refused = name_taken(given.name)
        raise refused from None
    return jobs[0] if jobs else None


def _checked(given: Decision) -> str:
    """Return the cleaned statement of a valid sanction."""
    if given.kind not in ACTIONS:
        raise Refused("bad_option", 422, f"kind: expected one of {', '.join(ACTIONS)}")
    if given.reason not in REASONS:
        raise Refused("bad_option", 422, f"reason: expected one of {', '.join(REASONS)}")
    text = sanitize.note(given.text)
    if not text:
        raise Refused("no_statement", 422, "give a statement: the person concerned reads it")
    least = 0 if given.kind == "ban" else 1
    if given.kind in TIMED and not least <= given.days <= LONGEST_DAYS:
        raise Refused("bad_days", 422, f"days: expected {least} to {LONGEST_DAYS}", fields={"most": LONGEST_DAYS})
    if (given.kind in ("hide", "close") and not given.table) or (given.kind == "hide" and given.message is None):
        raise Refused("bad_option", 422, f"{given.kind} needs a table, and to hide needs a message")
    return text


async def lift(store: Store, actor: Actor, row: SanctionRow, *, verdict: str = "") -> None:
    """Lift a sanction.

    Args:
        store: The database.
        actor: The moderator or operator.
        row: The sanction.
        verdict: "lifted" if it decides an objection, or "".

    Raises:
        Refused: If it was lifted or decided meanwhile.
    """
    now = wall_clock.now_ms()
    given: Mapping[str, Any] = {"lifted": now, "verdict": verdict}
    await _change(store, actor, row, given, "lifted", now)


async def keep(store: Store, actor: Actor, row: SanctionRow) -> None:
    """Decide that a sanction stays in spite of an objection.

    Args:
        store: The database.
        actor: The moderator.
        row: The sanction.

    Raises:
        Refused: If it was lifted or decided meanwhile.
    """
    await _change(store, actor, row, {"verdict": "rejected"}, "kept", wall_clock.now_ms())


async def _change(store: Store, actor: Actor, row: SanctionRow, given: Mapping[str, Any], what: str, now: int) -> None:
    person = row.user_id or ""
    writes = ModerationWrites(
        audit=[audit_row(actor.user_id, what, person, sanction=row.id, kind=row.kind)],
        notices=[conduct_notice(person, what)] if person else [],
        payload=ended_payload(store, actor.sender, person) if person else "",
    )
    expected = {"lifted": None, "verdict": row.verdict}
    with refuse_on_store_error():
        done = await store.moderation.change_sanction(row.id, row.user_id, expected, given, now, writes)
    if not done:
        raise Refused("stale", 409, "another moderator has decided meanwhile")


# -- the command line ------------------------------------------------------------------------------


async def find_user(store: Store, name: str) -> UserRow:
    """Return a user by the name of an account, or by id.

    Args:
        store: The database.
        name: The name or id.

    Raises:
        ValueError: If the user doesn't exist.
    """
    found = await store.credentials.account_of(skeleton(name)) or await store.user(name)
    if found is None:
        raise ValueError(f"unknown user {name!r}: expected the name of an account, or the id of a user")
    return found


async def grant(store: Store, name: str, role: str) -> None:
    """Give a role to an account, or take it away.

    Args:
        store: The database.
        name: Name of the account.
        role: One of `ROLES`, or "".

    Raises:
        ValueError: If the account or role is unknown.
    """
    user = await store.credentials.account_of(skeleton(name))
    if user is None:
        raise ValueError(f"unknown account {name!r}: only accounts can have a role")
    if role not in ("", *ROLES):
        raise ValueError(f"unknown role {role!r}: expected one of {', '.join(ROLES)}")
    if not role and not user.role:
        raise ValueError(f"{user.name} has no role")
    audit = audit_row(None, "grant" if role else "revoke", user.id, role=role or user.role)
    payload = ended_payload(store, "admin", user.id)
    await store.moderation.set_role(user.id, role, ModerationWrites(audit=[audit], payload=payload))


async def unban(store: Store, name: str) -> int:
    """Lift all bans of a user.

    Args:
        store: The database.
        name: Name of the account, or id of the user.

    Returns:
        The number of bans.

    Raises:
        ValueError: If the user doesn't exist or isn't banned.
    """
    user, now = await find_user(store, name), wall_clock.now_ms()
    bans = [row for row in await store.moderation.sanctions_of(user.id) if row.kind == "ban" and row.lifted is None]
    lasting = [row for row in bans if row.ends is None or row.ends > now]
    if not lasting:
        raise ValueError(f"{user.name} isn't banned")
    for row in lasting:
        await lift(store, Actor(), row)
    return len(lasting)


async def close_table(store: Store, table: str, reason: str, text: str) -> None:
    """Let a running server close a table.

    Args:
        store: The database.
        table: Id of the table.
        reason: One of `REASONS`.
        text: The statement for its host.

    Raises:
        ValueError: If the table doesn't exist or has ended.
    """
    found = await store.table(table)
    if found is None or found[0].status in ("over", "cancelled"):
        raise ValueError(f"no unfinished table has the id {table!r}")
    host = await store.user(found[0].host)
    if host is None:
        raise ValueError(f"table {table!r} has no host")
    await impose(store, Actor(), host, Decision("close", reason, text, table=table))


async def end_all_sessions(store: Store, name: str) -> int:
    """End all sessions and API tokens of a user.

    Args:
        store: The database.
        name: Name of the account, or id of the user.

    Returns:
        The number of sessions and tokens.

    Raises:
        ValueError: If the user doesn't exist.
    """
    user = await find_user(store, name)
    count = await store.drop_tokens(user.id, ended_payload(store, "admin", user.id), device_links=True)
    audit = audit_row(None, "end_sessions", user.id, count=count)
    await store.moderation.write(ModerationWrites(audit=[audit], jobs=[house_job("ended", user.id, delay_ms=0)]))
    return count


# -- the person concerned --------------------------------------------------------------------------


class OwnSanctions:
    """Sanctions as the person concerned reads them."""

    def __init__(self, store: Store, users: Users) -> None:
        self._store: Store = store
        self._users: Users = users

    async def mine(self, who: User | None) -> tuple[Sanction, ...]:
        """Return the user's sanctions, newest first.

        Args:
            who: The user, or None.

        Raises:
            Refused: If the user isn't signed in.
        """
        user = permissions.require_user(who)
        with refuse_on_store_error():
            rows = await self._store.moderation.sanctions_of(user.id)
        return tuple(map(sanction_of, rows))

    async def read(self, who: User | None) -> None:
        """Note that the user has read everything.

        Args:
            who: The user.

        Raises:
            Refused: If the user isn't signed in.
        """
        user = permissions.require_user(who)
        with refuse_on_store_error():
            await self._store.change_user(user.id, unread=False)
        self._users.forget(user.id)

    async def object(self, who: User | None, id: str, text: str) -> None:
        """Object to a sanction, once. Another moderator decides, if there is one.

        Args:
            who: The user.
            id: The sanction.
            text: The objection.

        Raises:
            Refused: If the user has no such sanction, it was lifted, or there is an objection.
        """
        user, cleaned = permissions.require_user(who), sanitize.note(text)
        if not cleaned:
            raise Refused("no_statement", 422, "write why you object")
        with refuse_on_store_error():
            row = await self._store.moderation.sanction(id)
        if row is None or row.user_id != user.id:
            raise Refused("no_page", 404, "sanction not found")
        audit = [audit_row(user.id, "object", user.id, sanction=id)]
        expected = {"objection": "", "lifted": None}
        with refuse_on_store_error():
            done = await self._store.moderation.change_sanction(
                id,
                user.id,
                expected,
                {"objection": cleaned},
                wall_clock.now_ms(),
                ModerationWrites(audit=audit),
                unread=False,
            )
        if not done:
            raise Refused("nothing", 409, "you have objected already, or it was lifted")
