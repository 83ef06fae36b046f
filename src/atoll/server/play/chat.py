"""The chat of a table."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, Final

from atoll.store import MessageRow

from ..domain import sanitize
from ..domain.limits import Limits
from ..domain.model import REACTIONS, Message, Refused, User
from ..table import permissions
from ..table.live_table import LiveTable
from .commands import Command
from .executor import CommandExecutor
from .store_errors import refuse_on_store_error
from .table_views import message
from .users import Users

DELETE_MINUTES: Final = 10
"""Minutes in which authors can delete their own messages."""

_MESSAGES_MS: Final = 600_000
"""Milliseconds between two notifications about messages."""


class Chat:
    """Writing to the chat of a table."""

    def __init__(self, executor: CommandExecutor, limits: Limits, users: Users) -> None:
        self._executor: CommandExecutor = executor
        self._limits: Limits = limits
        self._users: Users = users

    async def say(self, who: User | None, table: str, text: str, key: str = "", reaction: str = "") -> Message:
        """Post a message: a text or a reaction.

        Until the game is over only its players may write, so that spectators can't give hints.
        After it, the table decides. Messages of people without a seat notify nobody.

        Args:
            who: The user.
            table: Id of the table.
            text: The message; "" for a reaction.
            key: An idempotency key, or "".
            reaction: One of `REACTIONS`, or "" for a text.

        Returns:
            The stored message.

        Raises:
            Refused: If the user may not write here or is muted, the text is empty or too long, or
                the reaction is unknown or has a text.
        """
        user = permissions.require_user(who)
        self._limits.hit("chat", user.id)
        if reaction and (text or reaction not in REACTIONS):
            allowed = ", ".join(REACTIONS)
            raise Refused(
                "bad_reaction", 422, f"invalid reaction {reaction!r}: expected one of {allowed}, without a text"
            )
        cleaned = "" if reaction else sanitize.message(text)
        await self._users.require_established(user)
        return await self._executor.execute(table, PostMessage(user, cleaned, self._limits, reaction), key)

    async def delete(self, who: User | None, table: str, number: int) -> None:
        """Delete one of the user's own messages, in the first `DELETE_MINUTES` minutes.

        Readers see that a message was deleted. A report made before keeps its copy.

        Args:
            who: The user.
            table: Id of the table.
            number: Number of the message.

        Raises:
            Refused: If the user didn't write it, or if it is too old.
        """
        user = permissions.require_user(who)
        self._limits.hit("chat", user.id)
        row = await stored_message(self._executor, table, number)
        await self._executor.execute(table, DeleteMessage(user, row))


async def stored_message(executor: CommandExecutor, table: str, number: int) -> MessageRow | None:
    """Return a message of a table, or None if it doesn't exist.

    Args:
        executor: The executor of commands.
        table: Id of the table.
        number: Number of the message.

    Raises:
        Refused: If the database fails.
    """
    with refuse_on_store_error():
        rows = await executor.store.messages(table, max(0, number))
    return rows[0] if rows and rows[0].number == number else None


def no_message() -> Refused:
    """Return the refusal of a message that doesn't exist."""
    return Refused("no_message", 404, "this message doesn't exist")


@dataclass(slots=True)
class PostMessage(Command[Message]):
    """Post a message.

    Attributes:
        user: The author.
        text: The cleaned text.
        limits: Limits of messages without a seat.
        reaction: The reaction, or "".
    """

    name: ClassVar[str] = "say"
    answer: ClassVar[Any] = Message
    user: User
    text: str
    limits: Limits
    reaction: str = ""

    def request(self) -> Any:
        """Return text and reaction."""
        return self.text, self.reaction

    def apply(self, live: LiveTable, now: int) -> Message:
        """Append the message, and notify the other players if it comes from a player."""
        seat = permissions.chat_seat(live, self.user)
        table = live.row
        if seat is None:
            self.limits.hit("stranger", f"{self.user.id} {table.id}")
        name = live.name_of(self.user)
        # The seat's name, which may belong to an account, has the seat's mark.
        guest = not self.user.has_account if seat is None else live.seats[seat].guest
        row = MessageRow(table.id, table.said, self.user.id, seat, name, self.text, now, guest, self.reaction)
        live.pending.messages.append(row)
        table.said += 1
        players = {each.user_id for each in live.seats if each.kind == "person"} if seat is not None else set()
        for user_id in players - {self.user.id}:
            live.notify("message", user_id, now, mark=now // _MESSAGES_MS, name=name)
        live.mark_changed(listed=False)
        return message(row, self.user)


@dataclass(slots=True)
class DeleteMessage(Command[None]):
    """Delete an own message.

    Attributes:
        user: The author.
        row: The message, or None if it doesn't exist.
    """

    name: ClassVar[str] = "unsay"
    user: User
    row: MessageRow | None

    def apply(self, live: LiveTable, now: int) -> None:
        """Remove the text."""
        row = self.row
        if row is None or row.game_id != live.row.id:
            raise no_message()
        if row.user_id != self.user.id:
            raise Refused("not_author", 403, "only the author can delete a message")
        if now - row.at > DELETE_MINUTES * 60_000:
            detail = f"a message can be deleted in the first {DELETE_MINUTES} minutes"
            raise Refused("too_old", 409, detail, fields={"n": DELETE_MINUTES})
        if not row.deleted_by:
            row.text, row.reaction, row.deleted_by = "", "", "author"
            live.pending.deleted_messages.append(row)
            live.mark_changed(listed=False)


@dataclass(slots=True)
class HideMessage(Command[None]):
    """Hide a message, or show it again, as a moderator has decided.

    Attributes:
        row: The message.
        hidden: Whether it is hidden.
    """

    name: ClassVar[str] = "hide"
    row: MessageRow
    hidden: bool
    user: None = None

    def apply(self, live: LiveTable, now: int) -> None:
        """Change the message; the text stays stored."""
        row, wanted = self.row, "moderator" if self.hidden else ""
        if row.deleted_by not in ("author", wanted):
            row.deleted_by = wanted
            live.pending.hidden_messages.append(row)
            live.mark_changed(listed=False)
