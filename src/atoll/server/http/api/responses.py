"""What the API answers with, where that isn't what a room gives."""

from __future__ import annotations

from msgspec import Struct

from ...domain.model import LogEntry, Message, Turn


class LoginOut(Struct):
    """A user with a token. Keep the token: it is shown once."""

    id: str
    name: str
    token: str


class TableOut(Struct):
    """Which table."""

    table: str


class SeatOut(Struct):
    """Which seat of which table."""

    table: str
    seat: int


class InvitationOut(Struct):
    """A secret token."""

    token: str


class CalendarOut(Struct):
    """Where a calendar feed is, on this server."""

    path: str


class LegalOut(Struct):
    """What a seat can do now; null if it isn't asked."""

    turn: Turn | None


class LogOut(Struct):
    """What happened, as you may know it."""

    log: tuple[LogEntry, ...]


class ChatOut(Struct):
    """Messages."""

    chat: tuple[Message, ...]


class VersionsOut(Struct):
    """Versions by table; compare for equality."""

    tables: dict[str, str]
