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
from .table_views import message

_MESSAGES_MS: Final = 600_000
"""Milliseconds between two notifications about messages."""


class Chat:
    """Writing to the chat of a table."""

    def __init__(self, executor: CommandExecutor, limits: Limits) -> None:
        self._executor: CommandExecutor = executor
        self._limits: Limits = limits

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
            Refused: If the user may not write here, the text is empty or too long, or the reaction
                is unknown or has a text.
        """
        user = permissions.require_user(who)
        self._limits.hit("chat", user.id)
        if reaction and (text or reaction not in REACTIONS):
            allowed = ", ".join(REACTIONS)
            raise Refused(
                "bad_reaction", 422, f"invalid reaction {reaction!r}: expected one of {allowed}, without a text"
            )
        cleaned = "" if reaction else sanitize.message(text)
        return await self._executor.execute(table, PostMessage(user, cleaned, self._limits, reaction), key)


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
