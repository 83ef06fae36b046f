"""The persons and messages that a block or a report is about, as pages and programs name them.

Ids of users aren't public. A person is named by a seat or a message of a table that the reader may
see, or by the name of an account.
"""

from __future__ import annotations

from dataclasses import dataclass

from msgspec import Struct

from atoll.store import MessageRow

from ..domain.model import Refused, User
from ..domain.skeleton import skeleton
from ..table import permissions
from ..table.live_table import LiveTable
from .chat import no_message, stored_message
from .executor import CommandExecutor
from .store_errors import refuse_on_store_error


class Subject(Struct, frozen=True):
    """A person, message or table, as a request names it.

    Attributes:
        table: Id of a table, or "".
        seat: A seat of the table, or None.
        message: Number of a message at the table, or None.
        name: Name of an account, or "".
    """

    table: str = ""
    seat: int | None = None
    message: int | None = None
    name: str = ""


@dataclass(frozen=True, slots=True)
class FoundSubject:
    """A person, message or table that was found.

    Attributes:
        user_id: The person; None for a table, and if the account is deleted.
        name: Name of the person, or "".
        guest: Whether the person is marked as a guest.
        live: The table, or None. It isn't locked.
        message: The message, or None.
    """

    user_id: str | None
    name: str
    guest: bool = False
    live: LiveTable | None = None
    message: MessageRow | None = None


class Subjects:
    """Finds what requests name."""

    def __init__(self, executor: CommandExecutor) -> None:
        self._executor: CommandExecutor = executor

    async def find(self, who: User | None, subject: Subject) -> FoundSubject:
        """Return what a request names.

        Args:
            who: The reader, or None.
            subject: The name of it.

        Raises:
            Refused: If it doesn't exist or the reader may not see it.
        """
        if not subject.table:
            with refuse_on_store_error():
                account = await self._executor.store.credentials.account_of(skeleton(subject.name[:100]))
            if account is None:
                raise Refused("no_person", 404, "this person can't be found")
            return FoundSubject(account.id, account.name)
        async with self._executor.locked(subject.table) as live:
            permissions.require_visible(live, who)
            if subject.message is not None:
                row = await stored_message(self._executor, subject.table, subject.message)
                if row is None or not permissions.may_read_chat(live, who):
                    refused = no_message()
                    raise refused
                return FoundSubject(row.user_id, row.name, row.guest, live, row)
            if subject.seat is None:
                return FoundSubject(None, "", live=live)
            seat = live.seats[permissions.require_seat(live, subject.seat)]
            if not permissions.has_named_person(seat) or seat.user_id is None:
                raise Refused("no_person", 404, "nobody sits there")
            return FoundSubject(seat.user_id, seat.name, seat.guest, live)

    async def person(self, who: User | None, subject: Subject) -> str:
        """Return the id of the person that a request names.

        Args:
            who: The reader, or None.
            subject: The name of the person.

        Raises:
            Refused: If the person doesn't exist or the reader may not see them.
        """
        found = await self.find(who, subject)
        if found.user_id is None:
            raise Refused("no_person", 404, "this person can't be found")
        return found.user_id
