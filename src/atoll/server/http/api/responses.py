"""Responses of the API that aren't results of services."""

from __future__ import annotations

from msgspec import Struct

from ...domain.competitions import CompetitionCard
from ...domain.model import LogEntry, Message, Turn


class LoginOut(Struct):
    """A user with a token.

    Attributes:
        id: Id of the user.
        name: Name of the user.
        token: The token. Store it: it is shown only once.
    """

    id: str
    name: str
    token: str


class TokenOut(Struct):
    """A new API token.

    Attributes:
        token: The token. Store it: it is shown only once.
    """

    token: str


class TableOut(Struct):
    """A table.

    Attributes:
        table: Id of the table.
    """

    table: str


class SeatOut(Struct):
    """A seat of a table.

    Attributes:
        table: Id of the table.
        seat: Number of the seat.
    """

    table: str
    seat: int


class InvitationOut(Struct):
    """An invitation to a seat.

    Attributes:
        token: The secret token.
    """

    token: str


class CalendarOut(Struct):
    """The address of a calendar feed.

    Attributes:
        path: Path on this server.
    """

    path: str


class LegalOut(Struct):
    """The open turn of a seat.

    Attributes:
        turn: The turn, or null if the seat isn't asked.
    """

    turn: Turn | None


class LogOut(Struct):
    """Log entries, as you may see them.

    Attributes:
        log: The entries, oldest first.
    """

    log: tuple[LogEntry, ...]


class ChatOut(Struct):
    """Chat messages.

    Attributes:
        chat: The messages, oldest first.
    """

    chat: tuple[Message, ...]


class VersionsOut(Struct):
    """Versions of tables.

    Attributes:
        tables: Versions by table id; compare them for equality only.
    """

    tables: dict[str, str]


class CompetitionsOut(Struct):
    """Competitions: public ones, and those that the user has entered.

    Attributes:
        current: Those that take entries or are being played, most recent first.
        over: The last ones that are over.
    """

    current: list[CompetitionCard]
    over: list[CompetitionCard]
