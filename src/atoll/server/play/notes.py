"""Private notes of players at a table. They stay after the end of the game."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from atoll.store import NoteRow

from ..domain import sanitize
from ..domain.limits import Limits
from ..domain.model import User
from ..table import permissions
from ..table.live_table import LiveTable
from .commands import Command
from .executor import CommandExecutor


class Notes:
    """Writing private notes; they are read with the table."""

    def __init__(self, executor: CommandExecutor, limits: Limits) -> None:
        self._executor: CommandExecutor = executor
        self._limits: Limits = limits

    async def write(self, who: User | None, table: str, text: str) -> None:
        """Replace the user's note at a table; "" deletes it.

        Args:
            who: The user.
            table: Id of the table.
            text: The note.

        Raises:
            Refused: If the user has no seat, or the note is too long.
        """
        user = permissions.require_user(who)
        self._limits.hit("chat", user.id)
        await self._executor.execute(table, WriteNote(user, sanitize.note(text)))


@dataclass(slots=True)
class WriteNote(Command[None]):
    """Write a private note.

    Attributes:
        user: The author.
        text: The cleaned text.
    """

    name: ClassVar[str] = "note"
    user: User
    text: str

    def apply(self, live: LiveTable, now: int) -> None:
        """Replace the note."""
        mine = permissions.require_own_seats(live, self.user)
        live.notes[self.user.id] = self.text
        live.pending.notes.append(NoteRow(live.row.id, self.user.id, self.text, now))
        live.mark_changed(mine[0], public=False)
