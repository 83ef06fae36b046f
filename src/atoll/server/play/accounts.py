"""Export and deletion of user accounts.

A deleted account doesn't spoil the games of others. A bot takes over its seats. Finished games and
its messages stay, without its name. A table without other persons is deleted, too.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Final

import msgspec
import structlog

from atoll.store import EventRow, JobRow, MessageRow, Store

from ..domain import sanitize, wall_clock
from ..domain.limits import Limits
from ..domain.model import Refused, User
from ..domain.table_card import TableCard
from ..table import permissions
from ..table.live_table import LiveTable
from .commands import Command
from .departures import give_seat_to_bot, release_seat, replace_with_bot, transfer_host
from .executor import CommandExecutor
from .history import History
from .notification_settings import NotificationSettings
from .sanctions import credential_hashes, sanction_of
from .store_errors import refuse_on_store_error
from .table_lists import TableLists, moment
from .users import Users

log = structlog.get_logger(__name__)

FORMAT: Final = "atoll-account-1"
DELETED: Final = "account deleted"
"""Line of the log for each deleted account, which `atoll restore --deleted` reads."""
_AT_ONCE: Final = 100
_MOST_ACTS: Final = 1000
_MOST_RESULTS: Final = 1_000_000
_ROUNDS: Final = 5
_ANY_BOT: Final = "random"


class Accounts:
    """Export and deletion of accounts."""

    def __init__(
        self,
        executor: CommandExecutor,
        limits: Limits,
        users: Users,
        lists: TableLists,
        history: History,
        reaching: NotificationSettings,
    ) -> None:
        self._executor: CommandExecutor = executor
        self._store: Store = executor.store
        self._limits: Limits = limits
        self._users: Users = users
        self._lists: TableLists = lists
        self._history: History = history
        self._reaching: NotificationSettings = reaching

    # -- taking along ------------------------------------------------------------------------------

    async def export(self, who: User | None) -> AsyncIterator[bytes]:
        """Return everything stored about the user as JSON, in pieces.

        The export has only what the user's seats may know of a table, and no secrets.

        Args:
            who: The user.

        Returns:
            Pieces of a JSON text.

        Raises:
            Refused: If the user isn't signed in or exceeds the rate limit.
        """
        user = permissions.require_user(who)
        self._limits.hit("account", user.id)
        with refuse_on_store_error():
            row = await self._store.user(user.id)
            tokens = await self._store.accounts.tokens_of(user.id)
            messages = await self._store.accounts.messages_of(user.id)
            credentials = await self._store.credentials.of_user(user.id)
            competitions = await self._store.competitions.entries_of(user.id)
            blocks = await self._store.blocks.of_user(user.id)
            reports = await self._store.moderation.reports_by(user.id)
            sanctions = await self._store.moderation.sanctions_of(user.id)
            audit = await self._store.moderation.audit(_MOST_ACTS, subject=user.id)
            ratings = await self._store.ratings.of_user(user.id)
            changes = await self._store.ratings.changes_of_user(user.id)
            follows = await self._store.results.follow_rows(user.id)
            results = await self._store.results.results_of(user.id, user.id, limit=_MOST_RESULTS)
            departures = await self._store.results.departures_of(user.id)
        if row is None:
            raise Refused("sign_in", 401, "enter a name first")
        channels = [msgspec.structs.replace(each, secret="") for each in await self._reaching.mine(user)]
        head = {
            "format": FORMAT,
            "written": moment(wall_clock.now_ms()),
            "person": {
                "id": row.id,
                "kind": row.kind,
                "name": row.name,
                "created": moment(row.created),
                "seen": moment(row.seen),
            },
            "settings": row.settings,
            "calendar": row.calendar,
            "learning": row.learning,
            "signed_in": [
                {
                    "kind": each.kind,
                    "created": moment(each.created),
                    "expires": moment(each.expires),
                    "device": each.device,
                    "label": each.label,
                    "last_used": moment(each.last_used).date(),
                }
                for each in tokens
            ],
            "credentials": [
                {"kind": each.kind, "label": each.label, "created": moment(each.created)} for each in credentials
            ],
            "channels": channels,
            "competitions": [
                {
                    "competition": entry.competition_id,
                    "kind": competition.kind,
                    "game": competition.game,
                    "entered": moment(entry.entered),
                    "state": entry.state,
                    "points": entry.points,
                    "rank": entry.rank,
                }
                for entry, competition in competitions
            ],
            "blocks": [{"name": other.name, "created": moment(each.created)} for each, other in blocks],
            "reports": [
                {"created": moment(each.created), "reason": each.reason, "text": each.text, "outcome": each.outcome}
                for each in reports
            ],
            "sanctions": list(map(sanction_of, sanctions)),
            "acts_about_you": [{"created": moment(each.created), "action": each.action} for each in audit],
            "ratings": [
                {"game": each.game, "mu": each.mu, "sigma": each.sigma, "games": each.games, "last": moment(each.last)}
                for each in ratings
            ],
            "rating_changes": [
                {
                    "table": each.game_id,
                    "game": each.game,
                    "ended": moment(each.ended),
                    "mu_before": each.mu_before,
                    "mu": each.mu,
                    "sigma": each.sigma,
                    "weight": each.weight,
                }
                for each in changes
            ],
            "profile": row.profile,
            "follows": [{"name": name, "since": moment(at)} for name, at in follows],
            "results": [
                {
                    "table": each.game_id,
                    "game": each.game,
                    "seats": each.seats,
                    "seat": each.seat,
                    "place": each.place,
                    "score": each.score,
                    "points": each.points,
                    "turns": each.turns,
                    "late": each.late,
                    "departure": each.departure,
                    "rated": each.rated,
                    "ended": moment(each.ended),
                }
                for each in results
            ],
            "departures": [
                {"table": each.game_id, "seat": each.seat, "cause": each.cause, "at": moment(each.at)}
                for each in departures
            ],
            "messages": [
                {"table": each.game_id, "at": moment(each.at), "text": each.text, "reaction": each.reaction}
                for each in messages
            ],
        }
        return self._export_pieces(user, head)

    async def _export_pieces(self, user: User, head: dict[str, Any]) -> AsyncIterator[bytes]:
        yield msgspec.json.encode(head)[:-1] + b',"tables":['
        between = b"\n"
        for card in await self._lists.mine(user):
            yield between + msgspec.json.encode(await self._table(user, card))
            between = b",\n"
        before = ""
        while page := await self._lists.ended(user, _AT_ONCE, before):
            for card in page:
                yield between + msgspec.json.encode(await self._table(user, card))
                between = b",\n"
            before = page[-1].id
        yield b"\n]}\n"

    async def _table(self, user: User, card: TableCard) -> dict[str, Any]:
        """Return a table with its notes and records.

        A running game has one record for each of the user's seats; a finished one has one complete
        record.

        Args:
            user: The user.
            card: The table.

        Raises:
            Refused: If a record can't be exported.
        """
        mine = [seat.seat for seat in card.seats if seat.mine]
        records = []
        for seat in mine[:1] if card.status == "over" else mine:
            try:
                records.append(await self._history.export(user, card.id, seat, limit=""))
            except Refused as error:
                if error.code != "not_running":  # no record exists before the start
                    raise
        with refuse_on_store_error():
            notes = await self._store.note(card.id, user.id)
        return {"table": card, "notes": notes, "records": records}

    # -- the end -----------------------------------------------------------------------------------

    async def delete(self, who: User | None, name: str) -> None:
        """Delete the user's account; a job removes them from tables afterwards.

        Args:
            who: The user.
            name: The user's name, as confirmation.

        Raises:
            Refused: If the name is another one, or the database fails.
        """
        user = permissions.require_user(who)
        self._limits.hit("account", user.id)
        if sanitize.clean(name[:200]).casefold() != user.name.casefold():
            raise Refused("not_confirmed", 422, "enter the name of the account to delete it")
        job = JobRow(f"account:{user.id}", "account", None, wall_clock.now_ms(), "once")
        with refuse_on_store_error():
            hashes = await credential_hashes(self._store, user.id)
            payload = self._executor.sessions_ended_payload(user.id)
            await self._store.accounts.close(user.id, job, payload, hashes, wall_clock.now_ms())
        log.info(DELETED, user=user.id)
        self._users.end(user.id)
        self._executor.set_reachable(user.id, reachable=False)
        self._executor.on_job()

    async def finish(self, user_id: str) -> None:
        """Remove a deleted account from all tables (job).

        Args:
            user_id: Id of the user.

        Raises:
            Refused: If its tables change all the time.
        """
        for _ in range(_ROUNDS):
            with refuse_on_store_error():
                tables = await self._store.accounts.tables_of(user_id)
            if not tables:
                break
            for table in tables:
                await self._vanish(user_id, table)
        else:
            raise Refused("busy", 503, "the tables of this account change all the time; try again")
        with refuse_on_store_error():
            await self._store.accounts.delete_user(user_id)

    async def _vanish(self, user_id: str, table: str) -> None:
        def is_shared(live: LiveTable) -> bool:
            """Return whether other persons sit at the table."""
            return any(seat.kind == "person" and seat.user_id not in (None, user_id) for seat in live.seats)

        try:
            if await self._executor.drop(table, unless=is_shared):
                return
        except Refused as error:
            if error.code == "no_table":
                return
            raise
        with refuse_on_store_error():
            user = await self._store.user(user_id)
            found = await self._store.table(table)
            events = await self._store.events(table)
            messages = [row for row in await self._store.messages(table) if row.user_id == user_id]
        if found is None or user is None:
            return
        row, seats = found
        names = {user.name, *(seat.name for seat in seats if seat.user_id == user_id), *(m.name for m in messages)}
        with refuse_on_store_error():
            await self._store.accounts.remove_names(table, names)
        try:
            level = self._executor.catalogue.stand_in(row)
        except Refused:
            level = _ANY_BOT
        await self._executor.execute(table, AnonymizePlayer(user_id, level, events, messages))


@dataclass(slots=True)
class AnonymizePlayer(Command[None]):
    """Remove a person and their name from a table where others sit.

    Attributes:
        user_id: The person.
        level: Level of the bot that takes over their seats.
        events: All events of the table.
        messages: Messages of the person.
    """

    name: ClassVar[str] = "vanish"
    user_id: str
    level: str
    events: Sequence[EventRow]
    messages: Sequence[MessageRow]
    user: None = None

    def apply(self, live: LiveTable, now: int) -> None:
        """Anonymize the person's seats, events and messages, and give up their seats."""
        mine = {row.seat: row.name for row in live.seats if row.user_id == self.user_id}
        retold = (_anonymized_event(each, self.user_id, mine) for each in self.events)
        live.pending.rewritten_events += [each for each in retold if each is not None]
        for message in self.messages:
            message.user_id, message.name = None, ""
        live.pending.renamed_messages += self.messages
        for seat in mine:
            row = live.seats[seat]
            row.user_id, row.name, row.calendar, row.name_salt = None, "", {}, ""
            live.mark_changed(seat)
        live.row.removed = [each for each in live.row.removed if each != self.user_id]
        transfer_host(live, self.user_id, now)
        live.mark_changed()
        for seat in mine:
            row = live.seats[seat]
            if not permissions.has_named_person(row):
                continue
            if live.row.status == "gathering" and live.row.competition_id is not None:
                give_seat_to_bot(live, row, now, self.level)
            elif live.row.status == "gathering":
                release_seat(live, row, now)
            elif live.row.status == "running" and not row.away:
                replace_with_bot(live, row, "resigned", lambda _: self.level, now)
            elif live.row.status == "repair" and not row.away:
                row.away, row.bot, row.departure = True, self.level, "resigned"


def _anonymized_event(event: EventRow, user_id: str, mine: dict[int, str]) -> EventRow | None:
    """Return a table's event without a person's name, or None if it doesn't contain it.

    Args:
        event: The event.
        user_id: The person.
        mine: The person's names by seat.
    """
    if event.origin != "table":
        return None
    fields: dict[str, Any] = dict(event.data["fields"])
    if event.user_id == user_id:
        fields["name"] = ""
    if fields.get("other") in mine.values():
        fields["other"] = ""
    if fields == event.data["fields"] and event.user_id != user_id:
        return None
    data = {"key": event.data["key"], "fields": fields}
    named = None if event.user_id == user_id else event.user_id
    return EventRow(event.game_id, event.number, event.sequence, event.origin, data, event.at, named)
