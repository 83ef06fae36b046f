"""The work of moderators: the queue of reports, people, actions, objections and the audit log.

Moderators read tables as spectators do, and reports as they were copied. Nothing here reads the
position of a game.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, ClassVar, Final

import structlog
from msgspec import Struct

from atoll.store import AuditRow, EventRow, JobRow, MessageRow, ModerationWrites, ReportRow, SanctionRow, Store, UserRow

from ..domain import sanitize, wall_clock
from ..domain.logs import RateLimitedLogger
from ..domain.model import Refused, User
from ..domain.skeleton import skeleton
from ..domain.standing import Standing
from ..domain.table_card import TableCard
from ..table import chance_rounds, lifecycle, permissions
from ..table.live_table import LiveTable
from .chat import HideMessage, stored_message
from .commands import Command
from .departures import give_seat_to_bot, release_seat, replace_with_bot, transfer_host
from .executor import CommandExecutor
from .ports import NotificationChannels
from .sanctions import (
    Actor,
    Decision,
    Sanction,
    audit_row,
    conduct_notice,
    impose,
    keep,
    lift,
    sanction_of,
)
from .store_errors import refuse_on_store_error
from .table_lists import card, moment
from .users import Users, user_of

seldom = RateLimitedLogger(structlog.get_logger(__name__))

_MOST_LISTED: Final = 50
_ANY_BOT: Final = "random"
_OVER: Final = ("over", "cancelled")


class Person(Struct, frozen=True):
    """A user in a list of the moderators.

    Attributes:
        id: Id of the user.
        name: Name.
        kind: Kind of the user.
        created: Time of creation.
        seen: Time of the last activity.
        standing: Role, and what sanctions forbid.
    """

    id: str
    name: str
    kind: str
    created: datetime
    seen: datetime
    standing: Standing


class Report(Struct, frozen=True):
    """A report as moderators read it.

    Attributes:
        id: Id of the report.
        created: Time of creation.
        reason: The reason.
        text: The reporter's words.
        reporter: The reporter, or None.
        person: The reported person, or None.
        context: Copy of the reported content; see `reports.frozen`.
        state: "open", "taken" or "closed".
        moderator: Name of the moderator who took or closed it, or "".
        outcome: "upheld", "rejected" or "".
        weight: Percentage by which the reporter's former reports make it count.
    """

    id: str
    created: datetime
    reason: str
    text: str
    reporter: Person | None
    person: Person | None
    context: dict[str, Any]
    state: str
    moderator: str
    outcome: str
    weight: int


@dataclass(frozen=True, slots=True)
class Case:
    """Open reports about the same thing.

    Attributes:
        reports: The reports, oldest first.
        weight: Sum of their weights.
        person: The person whom an action would concern: the reported one, or else the host of the
            reported table; or None.
        may_act: Whether the reader may act about this person.
    """

    reports: tuple[Report, ...]
    weight: int
    person: Person | None = None
    may_act: bool = False


@dataclass(frozen=True, slots=True)
class Objection:
    """An objection that waits for a decision.

    Attributes:
        sanction: The sanction.
        person: The person concerned, or None.
        mine: Whether the reader imposed the sanction.
    """

    sanction: Sanction
    person: Person | None
    mine: bool


@dataclass(frozen=True, slots=True)
class Queue:
    """Everything that waits for a moderator.

    Attributes:
        cases: Open reports, the weightiest first.
        objections: Objections that wait for a decision.
    """

    cases: tuple[Case, ...]
    objections: tuple[Objection, ...]


@dataclass(frozen=True, slots=True)
class PersonFile:
    """Everything that moderators know of a person.

    Attributes:
        person: The person.
        reports: Reports about the person, oldest first.
        filed: Reports of the person: how many were upheld, and how many are closed.
        sanctions: Sanctions, newest first.
        tables: Tables of the person that everybody may see.
        shared: People who used the same networks lately.
        may_act: Whether the reader may impose sanctions.
    """

    person: Person
    reports: tuple[Report, ...]
    filed: tuple[int, int]
    sanctions: tuple[Sanction, ...]
    tables: tuple[TableCard, ...]
    shared: tuple[Person, ...]
    may_act: bool


@dataclass(frozen=True, slots=True)
class Act:
    """A row of the audit log.

    Attributes:
        created: Time of the act.
        actor: Name of the moderator, or "".
        action: Name of the act.
        subject: Id of the user, table or report, or "".
        name: Name of that user, or "".
        text: The statement, or "".
        facts: Further facts, as `name: value`.
    """

    created: datetime
    actor: str
    action: str
    subject: str
    name: str
    text: str
    facts: tuple[str, ...]


def require_moderator(who: User | None) -> User:
    """Return a moderator or operator.

    Args:
        who: The user, or None.

    Raises:
        Refused: If the user has no such role.
    """
    user = permissions.require_user(who)
    if not user.standing.role:
        raise Refused("no_role", 403, "only moderators may do this")
    return user


class Moderation:
    """Services for moderators."""

    def __init__(self, executor: CommandExecutor, users: Users, channels: NotificationChannels) -> None:
        self._executor: CommandExecutor = executor
        self._store: Store = executor.store
        self._users: Users = users
        self._channels: NotificationChannels = channels
        self._sending: set[asyncio.Task[None]] = set()

    # -- reading -----------------------------------------------------------------------------------

    async def queue(self, who: User | None) -> Queue:
        """Return everything that waits for a moderator.

        Args:
            who: The moderator.

        Raises:
            Refused: If the user isn't a moderator.
        """
        user = require_moderator(who)
        with refuse_on_store_error():
            rows = [row for row in await self._store.moderation.open_reports() if user.id not in _reported_users(row)]
            objections = await self._store.moderation.objections()
        found = await self._reports(rows)
        cases: dict[str, list[Report]] = {}
        for row, report in zip(rows, found, strict=True):
            cases.setdefault(row.subject, []).append(report)
        weighed = [Case(tuple(each), sum(report.weight for report in each)) for each in cases.values()]
        people = await self._people(row.user_id for row in objections)
        return Queue(
            tuple(sorted(weighed, key=lambda case: -case.weight)),
            tuple(
                Objection(sanction_of(row), people.get(row.user_id or ""), row.moderator_id == user.id)
                for row in objections
            ),
        )

    async def case(self, who: User | None, id: str) -> Case:
        """Return a report with the other open ones about the same thing.

        Args:
            who: The moderator.
            id: The report.

        Raises:
            Refused: If the user isn't a moderator, or the report is about them or doesn't exist.
        """
        user, row = require_moderator(who), await self._report(id)
        if user.id in _reported_users(row):
            raise Refused("same_moderator", 409, "another moderator must decide this")
        with refuse_on_store_error():
            others = await self._store.moderation.reports_of_subject(row.subject)
        rows = [row, *(each for each in others if each.id != row.id)]
        concerned = await self._concerned(row)
        return Case(
            tuple(await self._reports(rows)),
            sum(each.weight for each in rows),
            None if concerned is None else _person(concerned),
            concerned is not None and _may_act_on(user, concerned),
        )

    async def _concerned(self, row: ReportRow) -> UserRow | None:
        """Return the reported person, or else the host of the reported table; or None."""
        with refuse_on_store_error():
            found = None if row.user_id or row.game_id is None else await self._store.table(row.game_id)
            id = row.user_id if found is None else found[0].host
            return None if id is None else await self._store.user(id)

    async def find(self, who: User | None, name: str) -> tuple[Person, ...]:
        """Return the people with a name, guests included.

        Args:
            who: The moderator.
            name: The name.

        Raises:
            Refused: If the user isn't a moderator.
        """
        require_moderator(who)
        cleaned = sanitize.clean(name[:100])
        with refuse_on_store_error():
            rows = await self._store.moderation.users_named(cleaned, skeleton(cleaned)) if cleaned else []
        return tuple(map(_person, rows))

    async def person(self, who: User | None, id: str) -> PersonFile:
        """Return everything that moderators know of a person.

        Args:
            who: The moderator.
            id: The person.

        Raises:
            Refused: If the user isn't a moderator, or the person doesn't exist.
        """
        user = require_moderator(who)
        row = await self._user(id)
        house = self._store.moderation
        with refuse_on_store_error():
            about, by = await house.reports_about(id), await house.reports_by(id)
            sanctions, shared = await house.sanctions_of(id), await house.shared_networks(id)
            tables = await self._store.open_tables_of(id, _MOST_LISTED)
            tables += await self._store.ended_tables_of(id, _MOST_LISTED)
        outcomes = [each.outcome for each in by if each.state == "closed"]
        return PersonFile(
            _person(row),
            tuple(await self._reports(about)) if row.id != user.id else (),
            (outcomes.count("upheld"), len(outcomes)),
            tuple(map(sanction_of, sanctions)),
            tuple(card(game, seats, None) for game, seats in tables if game.visibility != "private"),
            tuple(map(_person, shared)),
            _may_act_on(user, row),
        )

    async def log(self, who: User | None) -> tuple[Act, ...]:
        """Return the newest acts of moderators and operators.

        Args:
            who: The moderator.

        Raises:
            Refused: If the user isn't a moderator.
        """
        require_moderator(who)
        with refuse_on_store_error():
            rows = await self._store.moderation.audit(200)
        people = await self._people(id for row in rows for id in (row.actor_id, row.subject))
        return tuple(_act(row, people) for row in rows)

    # -- deciding ----------------------------------------------------------------------------------

    async def take(self, who: User | None, id: str) -> None:
        """Note that a moderator works on a report.

        Args:
            who: The moderator.
            id: The report.

        Raises:
            Refused: If the user isn't a moderator or is concerned, or the report doesn't exist.
        """
        user = require_moderator(who)
        row = await self._report(id)
        _require_impartial(user, row)
        audit = [audit_row(user.id, "take", row.id)]
        with refuse_on_store_error():
            await self._store.moderation.take_report(row.subject, user.id, ModerationWrites(audit=audit))

    async def close(self, who: User | None, id: str, outcome: str) -> None:
        """Close a report, with the other open ones about the same thing.

        Reporters who can be reached hear the outcome.

        Args:
            who: The moderator.
            id: The report.
            outcome: "upheld" or "rejected".

        Raises:
            Refused: If the user isn't a moderator or is concerned, or the report isn't open.
        """
        user = require_moderator(who)
        row = await self._report(id)
        if outcome not in ("upheld", "rejected"):
            raise Refused("bad_option", 422, "outcome: expected upheld or rejected")
        if not await self._close(user, row, outcome):
            raise Refused("nothing", 409, "this report is closed already")

    async def _close(self, user: User, row: ReportRow, outcome: str) -> bool:
        _require_impartial(user, row)
        with refuse_on_store_error():
            rows = await self._store.moderation.reports_of_subject(row.subject)
        reporters = dict.fromkeys(each.reporter_id for each in rows if each.reporter_id is not None)
        writes = ModerationWrites(
            audit=[audit_row(user.id, outcome, row.id)],
            notices=[conduct_notice(each, f"report_{outcome}") for each in reporters],
        )
        with refuse_on_store_error():
            now = wall_clock.now_ms()
            done = await self._store.moderation.close_reports([each.id for each in rows], outcome, user.id, now, writes)
        self._executor.on_notice()
        for each in rows if done else ():
            if each.contact:
                task = asyncio.create_task(self._tell(each.contact, outcome, each.language))
                self._sending.add(task)
                task.add_done_callback(self._sending.discard)
        return done

    async def _tell(self, mail: str, outcome: str, language: str) -> None:
        """Send the outcome to a reporter without a session."""
        try:
            await self._channels.send_outcome(mail, outcome, language)
        except Exception as error:
            seldom.error("the outcome of a report can't be sent", error=str(error) or type(error).__name__)

    async def act(self, who: User | None, person: str, given: Decision) -> None:
        """Impose a sanction on a person. The report that led to it is closed as upheld.

        Args:
            who: The moderator.
            person: Id of the person.
            given: The sanction.

        Raises:
            Refused: If the user may not act about this person, or the sanction isn't valid.
        """
        user, row = require_moderator(who), await self._user(person)
        if not _may_act_on(user, row):
            raise Refused("no_role", 403, "you can't act about yourself or about another moderator")
        report = None if given.report_id is None else await self._report(given.report_id)
        if report is not None:
            _require_impartial(user, report)
        if given.kind == "rename":
            self._users.checked_name(given.name)
        message = None
        if given.kind in ("hide", "close"):
            message = await self._target(user, row, given)
        actor = Actor(user.id, self._executor.id, 30_000)
        job = await impose(self._store, actor, row, given)
        self._users.end(row.id)
        self._executor.on_notice()
        if message is not None:
            await self._executor.execute(given.table, HideMessage(message, True))
        if job is not None:
            await self._complete(job)
        if report is not None:
            await self._close(user, report, "upheld")

    async def _target(self, user: User, person: UserRow, given: Decision) -> MessageRow | None:
        """Return the message to hide, or None for a table to close, after checking either."""
        async with self._executor.locked(given.table) as live:
            status = live.row.status
            concerns = live.row.host == person.id or bool(live.seats_of(person.id))
            plays = bool(live.seats_of(user.id))
        if given.kind == "close":
            if plays:
                raise Refused("same_moderator", 409, "you sit at this table: another moderator must decide this")
            if not concerns:
                raise Refused("no_person", 404, "this person neither hosts this table nor sits there")
            if status in _OVER:
                raise Refused("over", 409, "the game is over")
            return None
        message = await stored_message(self._executor, given.table, given.message or 0)
        if message is None or message.user_id != person.id:
            raise Refused("no_message", 404, "this person didn't write this message")
        return message

    async def _complete(self, job: JobRow) -> None:
        """Do a job now; if that fails, it is done when it is due."""
        work = {"ban": self.leave_tables, "rename": self.rename_at_tables, "close": self.close_table}[job.kind]
        with contextlib.suppress(Refused):
            await work(job.id.partition(":")[2])
            with refuse_on_store_error():
                await self._store.finish_jobs([job])

    async def answer(self, who: User | None, id: str, *, lifts: bool) -> None:
        """Decide an objection, or lift a sanction without one.

        Args:
            who: The moderator.
            id: The sanction.
            lifts: Whether it is lifted; otherwise it stays in spite of the objection.

        Raises:
            Refused: If the user isn't a moderator, is concerned, or imposed the sanction although
                another moderator could decide; or if it was decided already.
        """
        user = require_moderator(who)
        with refuse_on_store_error():
            row = await self._store.moderation.sanction(id)
            staff = await self._store.moderation.staff()
        if row is None:
            raise Refused("no_page", 404, "sanction not found")
        waits = bool(row.objection) and not row.verdict
        others = [each for each in staff if each.id not in (user.id, row.user_id)]
        if row.user_id == user.id or (waits and row.moderator_id == user.id and others):
            raise Refused("same_moderator", 409, "another moderator must decide this")
        if not lifts and not waits:
            raise Refused("nothing", 409, "no objection waits")
        actor = Actor(user.id, self._executor.id)
        if lifts:
            await lift(self._store, actor, row, verdict="lifted" if waits else row.verdict)
            await self._show_again(row)
        else:
            await keep(self._store, actor, row)
        if row.user_id is not None:
            self._users.end(row.user_id)
        self._executor.on_notice()

    async def _show_again(self, row: SanctionRow) -> None:
        if row.kind == "hide":
            message = await stored_message(self._executor, row.data["table"], row.data["message"])
            if message is not None:
                with contextlib.suppress(Refused):
                    await self._executor.execute(row.data["table"], HideMessage(message, False))

    # -- jobs --------------------------------------------------------------------------------------

    async def leave_tables(self, user_id: str) -> None:
        """Let bots play for a banned user (job)."""
        self._users.end(user_id)
        with refuse_on_store_error():
            user = await self._store.user(user_id)
            tables = await self._store.open_tables_of(user_id)
        if user is None or not user_of(user).standing.is_banned:
            return
        for row, _ in tables:
            try:
                level = self._executor.catalogue.stand_in(row)
            except Refused:
                level = _ANY_BOT
            await self._executor.execute(row.id, ExcludePlayer(user_id, level))

    async def rename_at_tables(self, user_id: str) -> None:
        """Replace the copies of a former name at all tables of a user (job)."""
        self._users.end(user_id)
        with refuse_on_store_error():
            user = await self._store.user(user_id)
            tables = await self._store.accounts.tables_of(user_id)
        for table in tables if user is not None else ():
            with refuse_on_store_error():
                events = await self._store.events(table)
                messages = [row for row in await self._store.messages(table) if row.user_id == user_id]
            name = "" if user is None else user.name
            with contextlib.suppress(Refused):
                await self._executor.execute(table, RenamePlayer(user_id, name, events, messages))

    async def close_table(self, table: str) -> None:
        """End a table without a result (job)."""
        await self._executor.execute(table, CloseTable())

    async def end_streams(self, user_id: str) -> None:
        """End the event streams of a user whose sessions the operator has ended (job)."""
        self._users.end(user_id)

    # -- rows --------------------------------------------------------------------------------------

    async def _report(self, id: str) -> ReportRow:
        with refuse_on_store_error():
            row = await self._store.moderation.report(id)
        if row is None:
            raise Refused("no_page", 404, "report not found")
        return row

    async def _user(self, id: str) -> UserRow:
        with refuse_on_store_error():
            row = await self._store.user(id)
        if row is None:
            raise Refused("no_page", 404, "person not found")
        return row

    async def _people(self, ids: Any) -> dict[str, Person]:
        with refuse_on_store_error():
            rows = await self._store.moderation.users(sorted({id for id in ids if id}))
        return {id: _person(row) for id, row in rows.items()}

    async def _reports(self, rows: Sequence[ReportRow]) -> list[Report]:
        people = await self._people(id for row in rows for id in (row.reporter_id, row.user_id, row.moderator_id))
        found = []
        for row in rows:
            moderator = people.get(row.moderator_id or "")
            found.append(
                Report(
                    row.id,
                    moment(row.created),
                    row.reason,
                    row.text,
                    people.get(row.reporter_id or ""),
                    people.get(row.user_id or ""),
                    row.context,
                    row.state,
                    "" if moderator is None else moderator.name,
                    row.outcome,
                    row.weight,
                )
            )
        return found


def _person(row: UserRow) -> Person:
    return Person(row.id, row.name, row.kind, moment(row.created), moment(row.seen), user_of(row).standing)


def _act(row: AuditRow, people: dict[str, Person]) -> Act:
    actor, subject = people.get(row.actor_id or ""), people.get(row.subject)
    shown = {key: value for key, value in row.data.items() if key not in ("text", "sanction") and value not in ("", 0)}
    facts = tuple(f"{key}: {value}" for key, value in shown.items())
    by, about = ("" if each is None else each.name for each in (actor, subject))
    return Act(moment(row.created), by, row.action, row.subject, about, str(row.data.get("text", "")), facts)


def _may_act_on(user: User, person: UserRow) -> bool:
    """Return whether a moderator may act about a person: operators may act about moderators."""
    return person.id != user.id and (
        not person.role or (user.standing.role == "operator" and person.role != "operator")
    )


def _reported_users(row: ReportRow) -> set[str]:
    """Return the users that a report is about: one, or two for a sign of abuse by a pair."""
    return {id for id in (row.user_id, row.context.get("other", {}).get("user")) if id is not None}


def _require_impartial(user: User, row: ReportRow) -> None:
    if user.id in {*_reported_users(row), row.reporter_id}:
        raise Refused("same_moderator", 409, "another moderator must decide this")


# -- changes of tables -----------------------------------------------------------------------------


@dataclass(slots=True)
class ExcludePlayer(Command[None]):
    """Let a bot play for a banned user, who gives up seats before the start.

    Attributes:
        user_id: The user.
        level: Level of the bot.
    """

    name: ClassVar[str] = "exclude"
    user_id: str
    level: str
    user: None = None

    def apply(self, live: LiveTable, now: int) -> None:
        """Give up the seats."""
        for row in live.seats:
            if row.user_id != self.user_id:
                continue
            if live.row.status == "gathering" and live.row.competition_id is not None:
                give_seat_to_bot(live, row, now, self.level)
                row.user_id = None
            elif live.row.status == "gathering":
                release_seat(live, row, now)
            elif live.row.status == "running" and row.kind == "person" and not row.away:
                replace_with_bot(live, row, "resigned", lambda _: self.level, now)
        if live.row.status == "gathering" and not transfer_host(live, self.user_id, now):
            lifecycle.cancel(live, now)


@dataclass(slots=True)
class RenamePlayer(Command[None]):
    """Replace the copies of a user's former name at a table.

    Attributes:
        user_id: The user.
        to: The new name.
        events: All events of the table.
        messages: Messages of the user.
    """

    name: ClassVar[str] = "rename"
    user_id: str
    to: str
    events: Sequence[EventRow]
    messages: Sequence[MessageRow]
    user: None = None

    def apply(self, live: LiveTable, now: int) -> None:
        """Rename seats, log lines and messages; the proof of the name in the terms becomes void."""
        renamed: dict[str, str] = {}
        seats: dict[int, str] = {}
        is_other = False
        for row in live.seats:
            if row.user_id == self.user_id and row.name:
                old = row.name
                row.name = renamed[old] = seats[row.seat] = live.name_for(self.to, row.seat)
                if row.name != old:
                    row.name_salt, is_other = "", True
                live.mark_changed(row.seat)
        if is_other and live.row.status == "gathering" and live.row.terms is not None:
            # Browsers show no share under terms that name somebody else.
            chance_rounds.break_off(live, now, "renamed")
        fallback = next(iter(seats.values()), self.to)
        for event in self.events:
            changed = _renamed_event(event, self.user_id, renamed, seats, fallback)
            if changed is not None:
                live.pending.rewritten_events.append(changed)
        for message in self.messages:
            message.name = seats.get(-1 if message.seat is None else message.seat, fallback)
        live.pending.renamed_messages += self.messages
        live.mark_changed()


def _renamed_event(
    event: EventRow, user_id: str, renamed: dict[str, str], seats: dict[int, str], fallback: str
) -> EventRow | None:
    """Return a table's event with new names, or None if nothing changes.

    Args:
        event: The event.
        user_id: The renamed user.
        renamed: New names by old ones.
        seats: New names by seat.
        fallback: New name where the seat isn't the user's any more.
    """
    if event.origin != "table":
        return None
    fields: dict[str, Any] = dict(event.data["fields"])
    if event.user_id == user_id and fields.get("name"):
        fields["name"] = seats.get(fields.get("seat", -1), fallback)
    if fields.get("other") in renamed:
        fields["other"] = renamed[fields["other"]]
    if fields == event.data["fields"]:
        return None
    return replace(event, data={**event.data, "fields": fields})


@dataclass(slots=True)
class CloseTable(Command[None]):
    """End a table without a result, as a moderator has decided."""

    name: ClassVar[str] = "close"
    user: None = None

    def apply(self, live: LiveTable, now: int) -> None:
        """Cancel the table unless it has ended, and log the reason."""
        if live.row.status not in _OVER:
            live.log_event("closed", now)
            lifecycle.cancel(live, now)
