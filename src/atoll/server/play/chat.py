"""The chat of a table."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, Final

from atoll.store import MessageRow

from ..domain import sanitize
from ..domain.limits import Limits
from ..domain.model import Message, User
from ..table import permissions
from ..table.live_table import LiveTable
from .commands import Command
from .executor import CommandExecutor
from .table_views import message

_MESSAGES_MS: Final = 600_000
"""Milliseconds between two notifications about messages."""


class Chat:
    """Writing to the chat of a table."""

    def __init__(self, executor: CommandExecutor, limits: Limits) -> None:
        self._executor: CommandExecutor = executor
        self._limits: Limits = limits

    async def say(self, who: User | None, table: str, text: str, key: str = "") -> Message:
        """Post a message.

        Until the game is over only its players may write, so that spectators can't give hints.
        After it, the table decides. Messages of people without a seat notify nobody.

        Args:
            who: The user.
            table: Id of the table.
            text: The message.
            key: An idempotency key, or "".

        Returns:
            The stored message.

        Raises:
            Refused: If the user may not write here, or the text is empty or too long.
        """
        user = permissions.require_user(who)
        self._limits.hit("chat", user.id)
        return await self._executor.execute(table, PostMessage(user, sanitize.message(text), self._limits), key)


@dataclass(slots=True)
class PostMessage(Command[Message]):
    """Post a message.

    Attributes:
        user: The author.
        text: The cleaned text.
        limits: Limits of messages without a seat.
    """

    name: ClassVar[str] = "say"
    answer: ClassVar[Any] = Message
    user: User
    text: str
    limits: Limits

    def request(self) -> Any:
        """Return the text."""
        return self.text

    def apply(self, live: LiveTable, now: int) -> Message:
        """Append the message, and notify the other players if it comes from a player."""
        seat = permissions.chat_seat(live, self.user)
        table = live.row
        if seat is None:
            self.limits.hit("stranger", f"{self.user.id} {table.id}")
        name = live.name_of(self.user)
        row = MessageRow(table.id, table.said, self.user.id, seat, name, self.text, now, not self.user.has_account)
        live.pending.messages.append(row)
        table.said += 1
        players = {each.user_id for each in live.seats if each.kind == "person"} if seat is not None else set()
        for user_id in players - {self.user.id}:
            live.notify("message", user_id, now, mark=now // _MESSAGES_MS, name=name)
        live.mark_changed(listed=False)
        return message(row, self.user)
