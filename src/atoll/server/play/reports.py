"""Reports about messages, persons and tables, with a copy of the reported content.

Anybody can report, with or without an account. The server copies the table's public facts and the
messages around; later deletions don't change the copy.
"""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from msgspec import Struct

from atoll.store import MessageRow, ReportRow

from ..domain import sanitize, wall_clock
from ..domain.model import Refused, User
from ..domain.standing import REASONS
from ..table import permissions
from ..table.live_table import LiveTable
from .attempts import Attempts
from .executor import CommandExecutor
from .ports import NotificationChannels
from .store_errors import refuse_on_store_error
from .subjects import FoundSubject, Subject, Subjects
from .table_lists import moment

AROUND: Final = 10
"""Number of messages before and after a reported one that are copied."""

_UNKNOWN_WEIGHT: Final = 25
"""Weight of a report of somebody whose former reports aren't known."""


class OwnReport(Struct, frozen=True):
    """A report of the reader.

    Attributes:
        id: Id of the report.
        created: Time of creation.
        reason: The reason.
        text: The reader's words.
        outcome: "upheld", "rejected", or "" while it isn't closed.
    """

    id: str
    created: datetime
    reason: str
    text: str
    outcome: str


@dataclass(frozen=True, slots=True)
class GivenReport:
    """A report as it was submitted.

    Attributes:
        reason: One of `REASONS`.
        text: The reporter's words.
        mail: Mail address of a reporter without a session, or "".
        network: Network of the request.
        language: Language of the reporter.
    """

    reason: str
    text: str
    mail: str
    network: str
    language: str


class Reports:
    """Filing of reports.

    Attributes:
        contactable: Whether a reporter without a session can give a mail address.
    """

    def __init__(
        self, executor: CommandExecutor, attempts: Attempts, subjects: Subjects, channels: NotificationChannels
    ) -> None:
        self._executor: CommandExecutor = executor
        self._attempts: Attempts = attempts
        self._subjects: Subjects = subjects
        self._channels: NotificationChannels = channels

    @property
    def contactable(self) -> bool:
        """True if mails can be sent to reporters without a session."""
        return "mail" in self._channels.possible

    async def mine(self, who: User | None) -> tuple[OwnReport, ...]:
        """Return the user's reports, oldest first.

        Args:
            who: The user, or None.

        Raises:
            Refused: If the user isn't signed in.
        """
        user = permissions.require_user(who)
        with refuse_on_store_error():
            rows = await self._executor.store.moderation.reports_by(user.id)
        return tuple(OwnReport(row.id, moment(row.created), row.reason, row.text, row.outcome) for row in rows)

    async def file(self, who: User | None, subject: Subject | None, given: GivenReport) -> None:
        """File a report. A second open report of a user about the same thing changes nothing.

        Args:
            who: The reporter, or None without a session.
            subject: The subject; None for one that the text describes.
            given: The report.

        Raises:
            Refused: If the subject doesn't exist, the report isn't valid, or there were too many
                today.
        """
        if given.reason not in REASONS:
            raise Refused("bad_option", 422, f"reason: expected one of {', '.join(REASONS)}")
        text = sanitize.note(given.text)
        if subject is None and not text:
            raise Refused("no_subject", 422, "say what the report is about")
        mail = ""
        if given.mail.strip() and who is None and self.contactable:
            mail = self._channels.checked("mail", {"mail": given.mail})["mail"]
        found = FoundSubject(None, "") if subject is None else await self._subjects.find(who, subject)
        if who is not None and found.user_id == who.id:
            raise Refused("own", 409, "you can't report yourself")
        await self._attempts.hit("report", who.id if who is not None and who.has_account else given.network)
        row = ReportRow(
            id=secrets.token_hex(8),
            created=wall_clock.now_ms(),
            reporter_id=None if who is None else who.id,
            contact=mail,
            language=given.language,
            reason=given.reason,
            text=text,
            user_id=found.user_id,
            game_id=None if found.live is None else found.live.row.id,
            message=None if found.message is None else found.message.number,
            subject=_subject_key(found, text),
            context=await self._context(found),
            weight=_UNKNOWN_WEIGHT,
        )
        with refuse_on_store_error():
            await self._executor.store.moderation.add_report(row)

    async def _context(self, found: FoundSubject) -> dict[str, Any]:
        person = {"user": found.user_id, "name": found.name}
        if found.live is None:
            return {"person": person} if found.user_id else {}
        with refuse_on_store_error():
            messages = await self._executor.store.messages(found.live.row.id)
        return {"person": person, **frozen(found.live, messages, found.message)}


def frozen(live: LiveTable, messages: Sequence[MessageRow], about: MessageRow | None) -> dict[str, Any]:
    """Return a copy of a table's public facts and of messages there.

    Nothing of the game itself is copied: hidden information can't be disclosed by a report.

    Args:
        live: The table.
        messages: All messages of the table.
        about: The reported message; None to copy the last ones.
    """
    center = len(messages) - AROUND if about is None else about.number
    around = [row for row in messages if abs(row.number - center) <= AROUND]
    return {
        "table": live.row.id,
        "game": live.row.game,
        "status": live.row.status,
        "sequence": live.row.sequence,
        "seats": [
            {"seat": seat.seat, "user": seat.user_id, "name": seat.name} for seat in live.seats if seat.kind == "person"
        ],
        "messages": [
            {
                "number": row.number,
                "at": row.at,
                "seat": row.seat,
                "user": row.user_id,
                "name": row.name,
                "text": row.text,
                "reaction": row.reaction,
                "deleted_by": row.deleted_by,
                "reported": about is not None and row.number == about.number,
            }
            for row in around
        ],
    }


def _subject_key(found: FoundSubject, text: str) -> str:
    """Return the same text for reports about the same thing."""
    if found.live is not None and found.message is not None:
        return f"message:{found.live.row.id}:{found.message.number}"
    if found.user_id is not None:
        return f"user:{found.user_id}"
    if found.live is not None:
        return f"table:{found.live.row.id}"
    return f"text:{hashlib.sha256(text.encode()).hexdigest()}"
